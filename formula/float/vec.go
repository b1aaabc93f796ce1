package float

import (
	"math/bits"

	"github.com/go-amend/amend/formula"
)

// This file has bit-vectors that may be wider than a term: the product of two
// doubles has 106 bits.

// A vec is a bit-vector: its limbs, the least significant first, all but the
// last of limbWidth bits. A vec of one limb costs what its term does. None is
// changed once it is made.
type vec []formula.Term

// limbWidth leaves room in a term for a carry in and a carry out.
const limbWidth = 60

// vec returns the terms ts, the most significant first, as one vec.
func (a *Arithmetic) vec(ts ...formula.Term) vec {
	var v vec
	for i := len(ts) - 1; i >= 0; i-- {
		v = a.appended(v, ts[i])
	}
	return v
}

// appended returns v with t above it. It may change v's last limb.
func (a *Arithmetic) appended(v vec, t formula.Term) vec {
	if n := len(v); n > 0 && a.s.Width(v[n-1]) < limbWidth {
		w := a.s.Width(t)
		k := min(w, limbWidth-a.s.Width(v[n-1]))
		v[n-1] = a.s.Concat(a.s.Extract(t, k-1, 0), v[n-1])
		if k == w {
			return v
		}
		t = a.s.Extract(t, w-1, k)
	}
	if w := a.s.Width(t); w > limbWidth {
		return append(v, a.s.Extract(t, limbWidth-1, 0), a.s.Extract(t, w-1, limbWidth))
	}
	return append(v, t)
}

// joined returns the vec of high above low.
func (a *Arithmetic) joined(high, low vec) vec {
	v := append(vec(nil), low...)
	for _, t := range high {
		v = a.appended(v, t)
	}
	return v
}

// zeros returns the vec of w bits that is 0.
func (a *Arithmetic) zeros(w int) vec {
	var v vec
	for ; w > limbWidth; w -= limbWidth {
		v = append(v, a.s.Const(limbWidth, 0))
	}
	if w > 0 {
		v = append(v, a.s.Const(w, 0))
	}
	return v
}

func (a *Arithmetic) width(v vec) int {
	if len(v) == 0 {
		return 0
	}
	return (len(v)-1)*limbWidth + a.s.Width(v[len(v)-1])
}

// part returns the n bits of v from bit low on.
func (a *Arithmetic) part(v vec, low, n int) vec {
	var r vec
	for i := low / limbWidth; n > 0; i++ {
		from := max(low-i*limbWidth, 0)
		k := min(n, a.s.Width(v[i])-from)
		r = a.appended(r, a.s.Extract(v[i], from+k-1, from))
		n -= k
	}
	return r
}

// top returns the n highest bits of v.
func (a *Arithmetic) top(v vec, n int) vec { return a.part(v, a.width(v)-n, n) }

func (a *Arithmetic) bit(v vec, i int) formula.Term {
	return a.s.Extract(v[i/limbWidth], i%limbWidth, i%limbWidth)
}

// term returns v, of at most 64 bits, as a term.
func (a *Arithmetic) term(v vec) formula.Term {
	t := v[0]
	for _, x := range v[1:] {
		t = a.s.Concat(x, t)
	}
	return t
}

func (a *Arithmetic) ite(c formula.Term, x, y vec) vec {
	v := make(vec, len(x))
	for i := range x {
		v[i] = a.s.Ite(c, x[i], y[i])
	}
	return v
}

// nonzero returns the proposition that a bit of v is 1; no bit is none.
func (a *Arithmetic) nonzero(v vec) formula.Term {
	var some []formula.Term
	for _, t := range v {
		some = append(some, a.s.Not(a.isZero(t)))
	}
	return a.s.OrN(some...)
}

func (a *Arithmetic) isZero(t formula.Term) formula.Term {
	return a.s.Eq(t, a.s.Const(a.s.Width(t), 0))
}

// addOrSub returns x - y where the proposition minus holds and x + y
// elsewhere, modulo 2^width: one adder for both.
func (a *Arithmetic) addOrSub(minus formula.Term, x, y vec) vec {
	v := make(vec, len(x))
	carry := minus
	for i := range x {
		w := a.s.Width(x[i])
		// The lowest bit makes the carry in: c + c.
		p := a.s.Concat(x[i], carry)
		q := a.s.Concat(a.s.Xor(y[i], a.s.Sext(w, minus)), carry)
		z := a.s.Add(a.s.Zext(w+2, p), a.s.Zext(w+2, q))
		v[i] = a.s.Extract(z, w, 1)
		carry = a.s.Extract(z, w+1, w+1)
	}
	return v
}

// less returns the proposition x < y, unsigned.
func (a *Arithmetic) less(x, y vec) formula.Term {
	r := a.s.False()
	for i := range x {
		r = a.s.Or(a.s.Ult(x[i], y[i]), a.s.And(a.s.Eq(x[i], y[i]), r))
	}
	return r
}

// shiftRight returns v >> n, in whose lowest bit are all bits shifted out:
// what rounding has to know of them.
func (a *Arithmetic) shiftRight(v vec, n formula.Term) vec {
	w := a.width(v)
	lost := a.s.False()
	for _, l := range a.layers(n, w) {
		lost = a.s.Or(lost, a.s.And(l.on, a.nonzero(a.part(v, 0, l.by))))
		v = a.ite(l.on, a.joined(a.zeros(l.by), a.part(v, l.by, w-l.by)), v)
	}
	return a.with(v, lost)
}

// shiftLeft returns v << n modulo 2^width.
func (a *Arithmetic) shiftLeft(v vec, n formula.Term) vec {
	w := a.width(v)
	for _, l := range a.layers(n, w) {
		v = a.ite(l.on, a.joined(a.part(v, 0, w-l.by), a.zeros(l.by)), v)
	}
	return v
}

// A layer of a shifter shifts by a constant, or not.
type layer struct {
	on formula.Term
	by int
}

// layers returns the layers that shift w bits by n, one of all bits first.
func (a *Arithmetic) layers(n formula.Term, w int) []layer {
	k := bits.Len(uint(w - 1))
	var ls []layer
	if top := a.s.Width(n); top > k {
		ls = append(ls, layer{a.s.Not(a.isZero(a.s.Extract(n, top-1, k))), w})
	}
	for i := range min(k, a.s.Width(n)) {
		ls = append(ls, layer{a.s.Extract(n, i, i), 1 << i})
	}
	return ls
}

// with returns v with the proposition p added to its lowest bit.
func (a *Arithmetic) with(v vec, p formula.Term) vec {
	v = append(vec(nil), v...)
	v[0] = a.s.Or(v[0], a.s.Zext(a.s.Width(v[0]), p))
	return v
}

// normalize shifts v left until its highest bit is 1, but at most by limit,
// and returns by how much; 0 for limit means that there is none. A v of zeros
// is shifted by some number.
func (a *Arithmetic) normalize(v vec, limit formula.Term) (vec, formula.Term) {
	w := a.width(v)
	n := bits.Len(uint(w - 1))
	var by formula.Term
	for i := n - 1; i >= 0; i-- {
		k := 1 << i
		c := a.s.Not(a.nonzero(a.top(v, k)))
		if limit != 0 && i < a.s.Width(limit) {
			high := a.s.Extract(limit, a.s.Width(limit)-1, i)
			c = a.s.And(c, a.s.Not(a.isZero(high)))
			high = a.s.Sub(high, a.s.Zext(a.s.Width(high), c))
			if i > 0 {
				high = a.s.Concat(high, a.s.Extract(limit, i-1, 0))
			}
			limit = high
		} else if limit != 0 {
			c = a.s.False()
		}
		v = a.ite(c, a.joined(a.part(v, 0, w-k), a.zeros(k)), v)
		if by == 0 {
			by = c
		} else {
			by = a.s.Concat(by, c)
		}
	}
	return v, by
}
