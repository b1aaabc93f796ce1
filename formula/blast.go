package formula

import (
	"fmt"
	"math/bits"
	"slices"

	"github.com/go-amend/amend/formula/sat"
)

// A Blaster translates the terms of one store into one circuit, each at
// most once. A [Solver] has one whose circuit is clauses; package circuit has
// gates of another sort.
type Blaster struct {
	st    *Store
	g     Gates
	lits  []sat.Lit // the bits of all terms translated, one after another
	at    []uint32  // by Term: where its bits are in lits, or 0
	defs  definitions
	stack []Term
	quots map[string]division // by the bits of both operands
	key   []byte
	poll  func()  // called before each term; may panic; nil: nobody asks
	holds sat.Lit // what Constrain was told; 0: nothing
}

// definitions holds, by Term, what a variable stands for, or 0.
type definitions []Term

func (d *definitions) of(v Term) Term {
	if d == nil || int(v) >= len(*d) {
		return 0
	}
	return (*d)[v]
}

// A division holds the bits of an unsigned quotient and remainder.
type division struct{ quo, rem []sat.Lit }

// NewBlaster returns a Blaster for terms of st that builds its circuit with g.
func NewBlaster(st *Store, g Gates) *Blaster {
	return &Blaster{st: st, g: g, lits: make([]sat.Lit, 1), quots: make(map[string]division)}
}

// grown returns x with room for n more than elements than asked for, so
// that a store that grows by one term at a time costs little.
func grown[T any](x []T, n int) []T {
	if len(x) < n {
		x = append(x, make([]T, n+n/4-len(x))...)
	}
	return x
}

// Bits returns t's bits, least significant first.
// The caller must not modify the result.
func (b *Blaster) Bits(t Term) []sat.Lit {
	b.at = grown(b.at, b.st.Len())
	// Explicit stack: terms from long unrollings are deep.
	b.stack = append(b.stack[:0], t)
	for len(b.stack) > 0 {
		x := b.stack[len(b.stack)-1]
		if b.at[x] != 0 || b.ready(x) {
			b.stack = b.stack[:len(b.stack)-1]
		}
		if b.poll != nil {
			b.poll()
		}
	}
	return b.bits(t)
}

// bits returns the bits of t, which has been translated.
func (b *Blaster) bits(t Term) []sat.Lit {
	i := int(b.at[t])
	j := i + int(b.st.nodes[t].width)
	return b.lits[i:j:j]
}

// Define makes name, a variable that was not translated yet, stand for value,
// which must not depend on name: the bits of name are those of value.
func (b *Blaster) Define(name, value Term) {
	if b.st.Width(name) != b.st.Width(value) {
		panic("formula: Define by a term of another width")
	}
	b.undefined(name)
	b.defs = grown(b.defs, b.st.Len())
	b.defs[name] = value
}

// DefineGuarded is Define for a name that equals value[i] wherever the
// proposition when[i] holds, which Holds says.
func (b *Blaster) DefineGuarded(name Term, when, value []Term) {
	b.undefined(name)
	b.Constrain(name, when, value)
}

// Constrain makes Holds say that t equals value[i] wherever the proposition
// when[i] holds.
func (b *Blaster) Constrain(t Term, when, value []Term) {
	for i, c := range when {
		b.Bits(t)
		b.Bits(value[i])
		on := b.Bits(c)[0]
		b.holds = b.g.And(b.Holds(), b.or(on.Not(), b.equal(b.bits(t), b.bits(value[i]))))
	}
}

// Holds returns the literal that is true where all holds that DefineGuarded
// and Constrain were told.
func (b *Blaster) Holds() sat.Lit {
	if b.holds == 0 {
		b.holds = b.g.True()
	}
	return b.holds
}

// undefined panics if name has a meaning.
func (b *Blaster) undefined(name Term) {
	if !b.fresh(name) {
		panic(fmt.Sprintf("formula: Define of %d, which is no fresh variable", name))
	}
}

// meaning returns what t stands for, t itself if it is not defined.
func (b *Blaster) meaning(t Term) Term {
	for d := b.defs.of(t); d != 0; d = b.defs.of(t) {
		t = d
	}
	return t
}

func (b *Blaster) translated(t Term) bool { return int(t) < len(b.at) && b.at[t] != 0 }

// fresh reports whether v is a variable that was neither defined nor
// translated.
func (b *Blaster) fresh(v Term) bool {
	return b.st.Op(v) == OpVar && b.defs.of(v) == 0 && !b.translated(v)
}

// ready translates x if its operands are, and puts them on the stack if not.
func (b *Blaster) ready(x Term) bool {
	if d := b.defs.of(x); d != 0 {
		if b.at[d] == 0 {
			b.stack = append(b.stack, d)
			return false
		}
		b.at[x] = b.at[d]
		return true
	}
	ok := true
	for _, a := range b.st.nodes[x].args {
		if a != 0 && b.at[a] == 0 {
			b.stack = append(b.stack, a)
			ok = false
		}
	}
	if ok {
		b.blast(x)
	}
	return ok
}

func (b *Blaster) blast(t Term) {
	n := &b.st.nodes[t]
	w := int(n.width)
	b.at[t] = uint32(len(b.lits))
	b.lits = append(b.lits, make([]sat.Lit, w)...)
	r := b.bits(t)
	var a [3][]sat.Lit
	for i, x := range n.args {
		if x != 0 {
			a[i] = b.bits(x)
		}
	}
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
		copy(r, b.divide(a[0], a[1]).quo)
	case OpURem:
		copy(r, b.divide(a[0], a[1]).rem)
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
}

func (b *Blaster) constant(v bool) sat.Lit {
	if v {
		return b.g.True()
	}
	return b.g.True().Not()
}

func (b *Blaster) or(x, y sat.Lit) sat.Lit { return b.g.And(x.Not(), y.Not()).Not() }

// add sets z to x + y + carry. It may overwrite x or y.
func (b *Blaster) add(z, x, y []sat.Lit, carry sat.Lit) {
	last := len(z) - 1
	for i := range last {
		p, q := x[i], y[i]
		z[i], carry = b.g.Parity(p, q, carry), b.g.Majority(p, q, carry)
	}
	z[last] = b.g.Parity(x[last], y[last], carry) // its carry is not needed
}

// mul sets z to x × y by one ripple-carry row per bit of y: rows keep the sums
// that programs write. Others, CPU s of three seeds, geometric mean over 21
// circuits with products (0.0616 by rows) / to prove commutativity at 8 bits
// (0.95) / distributivity at 6 bits (0.55) / to factor a number of 32 bits
// (0.18):
//
//	columns, in their order      0.059  0.38  above 6  0.74
//	columns, as Dadda has them   0.059  0.46  5.7      0.34
//	carry-save rows              0.071  0.84  2.0      0.17
//	Booth, two bits a row        0.068  0.68  1.2      0.25
func (b *Blaster) mul(z, x, y []sat.Lit) {
	if b.constants(x) > b.constants(y) {
		x, y = y, x
	}
	if b.constants(y) == len(y) {
		b.mulConst(z, x, b.value(y))
		return
	}
	if slices.Equal(x, y) {
		b.square(z, x)
		return
	}
	no := b.constant(false)
	for i := range z {
		z[i] = b.g.And(x[i], y[0])
	}
	var row [64]sat.Lit
	for i := 1; i < len(y); i++ {
		if y[i] == no {
			continue
		}
		for j := range len(z) - i {
			row[j] = b.g.And(x[j], y[i])
		}
		b.add(z[i:], z[i:], row[:len(z)-i], no)
	}
}

// square sets z to x × x, in which each product of two different bits occurs
// twice: once, one place higher, is enough. To prove (x+y)² = x²+2xy+y² at 5
// to 7 bits takes 0.6 of the time of mul, a square root of 48 bits 0.1.
func (b *Blaster) square(z, x []sat.Lit) {
	for i := range z {
		z[i] = b.constant(false)
	}
	var rows [64]sat.Lit
	for i := 0; 2*i < len(z); i++ {
		row := rows[:len(z)-2*i]
		for j := range row {
			row[j] = b.constant(false)
		}
		row[0] = x[i]
		for j := i + 1; j-i+1 < len(row); j++ {
			row[j-i+1] = b.g.And(x[i], x[j])
		}
		b.add(z[2*i:], z[2*i:], row, b.constant(false))
	}
}

// mulConst sets z to x × v by one row per digit of v that isn't 0.
func (b *Blaster) mulConst(z, x []sat.Lit, v uint64) {
	for i := range z {
		z[i] = b.constant(false)
	}
	plus, minus := digits(v)
	for i := range z { // sums first: nothing minus a is not free
		if plus>>i&1 == 1 {
			b.add(z[i:], z[i:], x[:len(z)-i], b.constant(false))
		}
	}
	for i := range z {
		if minus>>i&1 == 1 {
			b.subtract(z[i:], z[i:], x[:len(z)-i])
		}
	}
}

// digits returns plus and minus with v = plus - minus modulo 2^64: v's
// non-adjacent form, unless that has as many ones as v itself.
func digits(v uint64) (plus, minus uint64) {
	for u, i := v, 0; u != 0; u, i = u>>1, i+1 {
		switch u & 3 {
		case 1:
			plus |= 1 << i
		case 3:
			minus |= 1 << i
			u++ // a carry out is 2^64, and ends it
		}
	}
	if bits.OnesCount64(plus)+bits.OnesCount64(minus) >= bits.OnesCount64(v) {
		return v, 0
	}
	return plus, minus
}

// value returns the value of the constant bits x.
func (b *Blaster) value(x []sat.Lit) uint64 {
	var v uint64
	for i, m := range x {
		if m == b.g.True() {
			v |= 1 << i
		}
	}
	return v
}

func (b *Blaster) constants(x []sat.Lit) int {
	n := 0
	for _, m := range x {
		if m>>1 == b.g.True()>>1 {
			n++
		}
	}
	return n
}

func (b *Blaster) equal(x, y []sat.Lit) sat.Lit {
	var same [64]sat.Lit
	for i := range x {
		same[i] = b.g.Xor(x[i], y[i]).Not()
	}
	return b.g.All(same[:len(x)])
}

// less returns x < y, unsigned: the carry that x - y lacks. On 16 circuits of
// comparisons, three seeds each, other ways take this many times the conflicts and
// the ticks:
//
//	a multiplexer for each bit           1.3  1.3
//	a tree of less and equal             1.5  1.5
//	equal prefixes, from the highest bit  1.8  1.9
func (b *Blaster) less(x, y []sat.Lit) sat.Lit {
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
// that matters. On 13 circuits, three seeds each, the largest step first takes
// 1.04 times the conflicts and 0.99 times the ticks, a literal for each distance
// 1.5 times both.
func (b *Blaster) shift(z []sat.Lit, op Op, x, y []sat.Lit) {
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

// divide returns the unsigned quotient and remainder of x and y: all ones
// and x for y = 0.
//
// It is a restoring divider with two lemmas. Over seven circuit families
// (times in ms, geometric mean) that took 3.5, without lemmas 12.5, and a
// definition by x = quo × y + rem, without overflow and rem < y, 3.9; but
// that one has to be searched for where others propagate: with both operands
// fixed, 257 against 7 at width 64, and 5 s at worst.
func (b *Blaster) divide(x, y []sat.Lit) division {
	b.key = b.key[:0]
	for i := range x {
		b.key = appendLit(appendLit(b.key, x[i]), y[i])
	}
	d, ok := b.quots[string(b.key)]
	if !ok {
		d = b.restore(x, y)
		// Without these, that a remainder is small takes a proof by cases.
		b.g.Lemma(b.less(d.rem, y), b.nonzero(y).Not())
		b.g.Lemma(b.less(x, d.rem).Not())
		b.quots[string(b.key)] = d
	}
	return d
}

func appendLit(dst []byte, m sat.Lit) []byte {
	return append(dst, byte(m), byte(m>>8), byte(m>>16), byte(m>>24))
}

// restore divides by restoring: it shifts the bits of x into a remainder,
// from which it takes y wherever that fits.
func (b *Blaster) restore(x, y []sat.Lit) division {
	w, m, k := len(x), b.significant(x), b.significant(y)
	no := b.constant(false)
	d := division{quo: make([]sat.Lit, w), rem: make([]sat.Lit, w)}
	zero := b.nonzero(y).Not()
	for i := m; i < w; i++ { // 0 ÷ y is 0, but for y = 0
		d.quo[i] = zero
	}
	// A remainder has k bits as y has, and one more before y is taken.
	// For y = 0 these are the low bits of x, nothing having been taken.
	rem, diff := make([]sat.Lit, k+1), make([]sat.Lit, k+1)
	for i := range rem {
		rem[i] = no
	}
	wide := append(append(make([]sat.Lit, 0, k+1), y[:k]...), no)
	for i := m - 1; i >= 0; i-- {
		copy(rem[1:], rem[:k])
		rem[0] = x[i]
		q := b.subtract(diff, rem, wide)
		d.quo[i] = q
		for j := range rem {
			rem[j] = b.g.Mux(q, diff[j], rem[j])
		}
	}
	for j := range d.rem {
		if j < k {
			d.rem[j] = rem[j]
		} else {
			d.rem[j] = b.g.And(zero, x[j])
		}
	}
	return d
}

// significant returns the number of bits of x below its constant zeros.
func (b *Blaster) significant(x []sat.Lit) int {
	n := len(x)
	for n > 0 && x[n-1] == b.constant(false) {
		n--
	}
	return n
}

func (b *Blaster) nonzero(x []sat.Lit) sat.Lit {
	var none [64]sat.Lit
	for i, m := range x {
		none[i] = m.Not()
	}
	return b.g.All(none[:len(x)]).Not()
}

// subtract sets z to x - y and returns whether x is at least y.
func (b *Blaster) subtract(z, x, y []sat.Lit) sat.Lit {
	carry := b.g.True()
	for i := range z {
		p, q := x[i], y[i].Not()
		z[i], carry = b.g.Parity(p, q, carry), b.g.Majority(p, q, carry)
	}
	return carry
}

// signedDivide divides magnitudes and gives the result its sign.
func (b *Blaster) signedDivide(r []sat.Lit, op Op, x, y []sat.Lit) {
	sx, sy := x[len(x)-1], y[len(y)-1]
	d := b.divide(b.negateIf(sx, x), b.negateIf(sy, y))
	if op == OpSDiv {
		copy(r, b.negateIf(b.g.Xor(sx, sy), d.quo))
	} else {
		copy(r, b.negateIf(sx, d.rem))
	}
}

// negateIf returns -x where c holds and x elsewhere.
func (b *Blaster) negateIf(c sat.Lit, x []sat.Lit) []sat.Lit {
	z := make([]sat.Lit, len(x))
	carry := c
	for i := range x {
		m := b.g.Xor(x[i], c)
		z[i] = b.g.Xor(m, carry)
		carry = b.g.And(m, carry)
	}
	return z
}
