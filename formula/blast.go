package formula

import (
	"math/bits"

	"github.com/go-amend/amend/formula/sat"
)

// A blaster translates the terms of one store into one circuit, each at
// most once.
type blaster struct {
	st    *Store
	g     gates
	bits  [][]sat.Lit // by Term; least significant bit first
	stack []Term
	defs  map[Term]Term // names that stand for other terms
	quots map[[2]Term]division
}

// A division holds the bits of an unsigned quotient and remainder.
type division struct{ quo, rem []sat.Lit }

// newBlaster returns a blaster that builds its circuit with g.
func newBlaster(st *Store, g gates) *blaster {
	return &blaster{st: st, g: g, defs: make(map[Term]Term), quots: make(map[[2]Term]division)}
}

// Bits returns t's bits, least significant first.
// The caller must not modify the result.
func (b *blaster) Bits(t Term) []sat.Lit {
	if n := b.st.Len(); len(b.bits) < n {
		b.bits = append(b.bits, make([][]sat.Lit, n+n/4-len(b.bits))...)
	}
	// Explicit stack: terms from long unrollings are deep.
	b.stack = append(b.stack[:0], t)
	for len(b.stack) > 0 {
		x := b.stack[len(b.stack)-1]
		if b.bits[x] != nil || b.ready(x) {
			b.stack = b.stack[:len(b.stack)-1]
		}
	}
	return b.bits[t]
}

// ready translates x if its operands are, and puts them on the stack if not.
func (b *blaster) ready(x Term) bool {
	if d, ok := b.defs[x]; ok {
		if b.bits[d] == nil {
			b.stack = append(b.stack, d)
			return false
		}
		b.bits[x] = b.bits[d]
		return true
	}
	ok := true
	for _, a := range b.st.nodes[x].args {
		if a != 0 && b.bits[a] == nil {
			b.stack = append(b.stack, a)
			ok = false
		}
	}
	if ok {
		b.bits[x] = b.blast(x)
	}
	return ok
}

func (b *blaster) blast(t Term) []sat.Lit {
	n := &b.st.nodes[t]
	w := int(n.width)
	var a [3][]sat.Lit
	for i, x := range n.args {
		if x != 0 {
			a[i] = b.bits[x]
		}
	}
	r := make([]sat.Lit, w)
	switch n.op {
	case OpConst:
		v := b.st.consts[n.aux]
		for i := range r {
			r[i] = b.constant(v>>i&1 == 1)
		}
	case OpVar:
		for i := range r {
			r[i] = b.g.Input()
		}
	case OpNot:
		for i := range r {
			r[i] = a[0][i].Not()
		}
	case OpAnd:
		for i := range r {
			r[i] = b.g.And(a[0][i], a[1][i])
		}
	case OpXor:
		for i := range r {
			r[i] = b.g.Xor(a[0][i], a[1][i])
		}
	case OpAdd:
		b.add(r, a[0], a[1], b.constant(false))
	case OpMul:
		b.mul(r, a[0], a[1])
	case OpUDiv:
		copy(r, b.divide(n.args[0], n.args[1], a[0], a[1]).quo)
	case OpURem:
		copy(r, b.divide(n.args[0], n.args[1], a[0], a[1]).rem)
	case OpSDiv, OpSRem:
		b.signedDivide(r, n.op, a[0], a[1])
	case OpShl, OpLshr, OpAshr:
		b.shift(r, n.op, a[0], a[1])
	case OpEq:
		r[0] = b.equal(a[0], a[1])
	case OpUlt:
		r[0] = b.less(a[0], a[1])
	case OpSlt:
		r[0] = b.less(flipSign(a[0]), flipSign(a[1]))
	case OpIte:
		for i := range r {
			r[i] = b.g.Mux(a[0][0], a[1][i], a[2][i])
		}
	case OpConcat:
		copy(r[copy(r, a[1]):], a[0])
	case OpExtract:
		copy(r, a[0][n.aux:])
	case OpZext, OpSext:
		top := b.constant(false)
		if n.op == OpSext {
			top = a[0][len(a[0])-1]
		}
		for i := copy(r, a[0]); i < w; i++ {
			r[i] = top
		}
	default:
		panic("formula: unknown operator")
	}
	return r
}

func (b *blaster) constant(v bool) sat.Lit {
	if v {
		return b.g.True()
	}
	return b.g.True().Not()
}

func (b *blaster) or(x, y sat.Lit) sat.Lit { return b.g.And(x.Not(), y.Not()).Not() }

// add sets z to x + y + carry. It may overwrite x or y.
func (b *blaster) add(z, x, y []sat.Lit, carry sat.Lit) {
	last := len(z) - 1
	for i := range last {
		p, q := x[i], y[i]
		z[i], carry = b.g.Parity(p, q, carry), b.g.Majority(p, q, carry)
	}
	z[last] = b.g.Parity(x[last], y[last], carry) // its carry is not needed
}

// mul sets z to x × y, by one adder per bit of y that isn't 0.
func (b *blaster) mul(z, x, y []sat.Lit) {
	no := b.constant(false)
	if b.constants(x) > b.constants(y) {
		x, y = y, x
	}
	for i := range z {
		z[i] = b.g.And(x[i], y[0])
	}
	for i := 1; i < len(y); i++ {
		if y[i] == no {
			continue
		}
		row := make([]sat.Lit, len(z)-i)
		for j := range row {
			row[j] = b.g.And(x[j], y[i])
		}
		b.add(z[i:], z[i:], row, no)
	}
}

func (b *blaster) constants(x []sat.Lit) int {
	n := 0
	for _, m := range x {
		if m>>1 == b.g.True()>>1 {
			n++
		}
	}
	return n
}

func (b *blaster) equal(x, y []sat.Lit) sat.Lit {
	r := b.g.True()
	for i := range x {
		r = b.g.And(r, b.g.Xor(x[i], y[i]).Not())
	}
	return r
}

// less returns x < y, unsigned: the carry that x - y lacks.
func (b *blaster) less(x, y []sat.Lit) sat.Lit {
	r := b.constant(false)
	for i := range x { // the highest differing bit decides
		r = b.g.Majority(x[i].Not(), y[i], r)
	}
	return r
}

func flipSign(x []sat.Lit) []sat.Lit {
	y := append([]sat.Lit(nil), x...)
	y[len(y)-1] = y[len(y)-1].Not()
	return y
}

// shift sets z to x shifted by y: one layer of multiplexers per bit of y
// that matters.
func (b *blaster) shift(z []sat.Lit, op Op, x, y []sat.Lit) {
	w := len(z)
	fill := b.constant(false)
	if op == OpAshr {
		fill = x[w-1]
	}
	copy(z, x)
	layers := bits.Len(uint(w - 1))
	over := b.constant(false)
	for i, m := range y {
		if i >= layers {
			over = b.or(over, m)
			continue
		}
		next := make([]sat.Lit, w)
		for j := range next {
			from := fill
			if k := j - 1<<i; op == OpShl && k >= 0 {
				from = z[k]
			} else if k := j + 1<<i; op != OpShl && k < w {
				from = z[k]
			}
			next[j] = b.g.Mux(m, from, z[j])
		}
		copy(z, next)
	}
	for j := range z {
		z[j] = b.g.Mux(over, fill, z[j])
	}
}

// divide returns the unsigned quotient and remainder of x and y, by a
// restoring divider. For y = 0 it gives all ones and x, as SMT-LIB wants,
// without a case of its own.
func (b *blaster) divide(tx, ty Term, x, y []sat.Lit) division {
	k := [2]Term{tx, ty}
	if d, ok := b.quots[k]; ok && tx != 0 {
		return d
	}
	w := len(x)
	no := b.constant(false)
	d := division{quo: make([]sat.Lit, w), rem: make([]sat.Lit, w+1)}
	wide := append(append([]sat.Lit(nil), y...), no)
	minus := make([]sat.Lit, w+1)
	for i := range minus {
		minus[i] = wide[i].Not()
		d.rem[i] = no
	}
	for i := w - 1; i >= 0; i-- {
		copy(d.rem[1:], d.rem)
		d.rem[0] = x[i]
		q := b.less(d.rem, wide).Not()
		d.quo[i] = q
		if q == no {
			continue
		}
		diff := make([]sat.Lit, w+1)
		b.add(diff, d.rem, minus, b.g.True())
		for j := range diff {
			d.rem[j] = b.g.Mux(q, diff[j], d.rem[j])
		}
	}
	d.rem = d.rem[:w]
	if tx != 0 {
		b.quots[k] = d
	}
	return d
}

// signedDivide divides magnitudes and gives the result its sign.
func (b *blaster) signedDivide(r []sat.Lit, op Op, x, y []sat.Lit) {
	sx, sy := x[len(x)-1], y[len(y)-1]
	d := b.divide(0, 0, b.negateIf(sx, x), b.negateIf(sy, y))
	if op == OpSDiv {
		copy(r, b.negateIf(b.g.Xor(sx, sy), d.quo))
	} else {
		copy(r, b.negateIf(sx, d.rem))
	}
}

// negateIf returns -x where c holds and x elsewhere.
func (b *blaster) negateIf(c sat.Lit, x []sat.Lit) []sat.Lit {
	z := make([]sat.Lit, len(x))
	carry := c
	for i := range x {
		m := b.g.Xor(x[i], c)
		z[i] = b.g.Xor(m, carry)
		carry = b.g.And(m, carry)
	}
	return z
}
