package float

import (
	"math/bits"

	"github.com/go-amend/amend/formula"
)

// This file rounds to integers that stay in the format.

// RoundToIntegral returns x rounded to an integer; a zero keeps the sign of x.
func (a *Arithmetic) RoundToIntegral(mode, x formula.Term) formula.Term {
	s := a.s
	p := a.raw(x)
	// The last place of x is worth 2^-by.
	w := max(a.Exp, bits.Len(uint(a.Sig))) + 2
	by := s.Sub(s.Const(w, uint64(a.bias()+a.Sig-1)), s.Zext(w, p.exp))
	integral := s.Slt(by, s.Const(w, 1))
	v := a.shiftRight(a.vec(s.False(), p.sig, s.Const(2, 0)), by)
	whole := a.term(a.top(v, a.Sig+1))
	up := a.up(mode, p.sign, s.Extract(whole, 0, 0), a.bit(v, 1), a.bit(v, 0))
	whole = s.Add(whole, s.Zext(a.Sig+1, up))

	// Back in its place, the number has the hidden bit, or a carry above it:
	// both are added to an exponent that is one less.
	m := a.term(a.shiftLeft(a.vec(whole), by))
	w = a.Width() - 1
	exp := s.Concat(s.Sub(p.exp, s.Const(a.Exp, 1)), s.Const(a.Sig-1, 0))
	large := s.Add(exp, s.Zext(w, m))
	// Below 1 the result is 0 or 1.
	one := s.Const(w, uint64(a.bias())<<(a.Sig-1))
	small := s.Ite(a.isZero(whole), s.Const(w, 0), one)
	below := s.Ult(p.exp, s.Const(a.Exp, uint64(a.bias())))
	r := s.Concat(p.sign, s.Ite(below, small, large))
	return a.first(r, special{a.IsNaN(x), a.NaN()}, special{s.Or(integral, a.IsInf(x)), x})
}
