package float

import "github.com/go-amend/amend/formula"

// This file computes remainders, by long division of integers: both numbers
// are multiples of the last place of the smaller one.

// Mod returns x - n × y where n is x ÷ y without its fraction: fmod of C. It
// has the sign of x and is exact. It costs one subtraction for each binary
// place that x can be above y: 277 of them for Binary32, 2098 for Binary64.
func (a *Arithmetic) Mod(x, y formula.Term) formula.Term {
	s := a.s
	p, q := a.normal(x), a.normal(y)
	rem, _ := a.reduce(p, q)
	return a.modResult(x, y, p.sign, s.Slt(p.exp, q.exp), q.exp, rem)
}

// Remainder returns x - n × y where n is the integer nearest to x ÷ y, the
// even one of two: the remainder of IEEE 754. It costs as much as Mod.
func (a *Arithmetic) Remainder(x, y formula.Term) formula.Term {
	s := a.s
	p, q := a.normal(x), a.normal(y)
	rem, odd := a.reduce(p, q)
	// Below half of y nothing is taken. In the place below y's, x is all that
	// is left if x is in it.
	w := a.expWidth()
	e := s.Sub(q.exp, s.Const(w, 1))
	half := s.Eq(p.exp, e)
	n := a.Sig + 2
	rem = s.Ite(half, s.Zext(n, p.sig), s.Concat(s.Extract(rem, n-2, 0), s.False()))
	odd = s.And(odd, s.Not(half))
	y1 := s.Zext(n, q.sig)
	diff := s.Sub(rem, y1)
	more := s.Or(s.Ult(y1, rem), s.And(s.Eq(y1, rem), odd))
	left := s.Ite(more, s.Sub(y1, diff), rem)
	return a.modResult(x, y, s.Xor(p.sign, more), s.Slt(p.exp, e), e, left)
}

// reduce returns p mod q in Sig+1 bits, in units of the last place of q, and
// whether the whole quotient is odd. It is defined where p has no smaller
// exponent.
func (a *Arithmetic) reduce(p, q normal) (rem, odd formula.Term) {
	s, w := a.s, a.Sig+1
	places := 2*a.bias() + a.Sig - 1 // from the least to the largest number
	by := s.Sub(p.exp, q.exp)
	all := a.shiftLeft(a.joined(a.zeros(places), a.vec(p.sig)), by)
	y := s.Zext(w, q.sig)
	rem, odd = s.Const(w, 0), s.False()
	for i := places + a.Sig - 1; i >= 0; i-- {
		rem = s.Concat(s.Extract(rem, w-2, 0), a.bit(all, i))
		diff := s.Sub(rem, y)
		less := s.Extract(diff, w-1, w-1)
		rem, odd = s.Ite(less, rem, diff), s.Not(less)
	}
	return rem, odd
}

// modResult returns ±rem in units of the last place of a number of exponent
// exp, unless x and y are special or x is below that place.
func (a *Arithmetic) modResult(x, y, sign, below, exp, rem formula.Term) formula.Term {
	s := a.s
	v, by := a.normalize(a.joined(a.vec(rem), a.zeros(2)), 0)
	w := max(a.expWidth(), s.Width(by)) + 1
	e := s.Sub(s.Sext(w, exp), s.Zext(w, by))
	e = s.Add(e, s.Const(w, uint64(s.Width(rem)-a.Sig)))
	r := a.pack(TowardZero.Term(s), s.Ite(a.isZero(rem), a.Sign(x), sign), e, v) // exact
	nan := s.OrN(a.IsNaN(x), a.IsNaN(y), a.IsInf(x), a.IsZero(y))
	return a.first(r, special{nan, a.NaN()}, special{s.OrN(a.IsInf(y), a.IsZero(x), below), x})
}
