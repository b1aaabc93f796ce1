package float

import "github.com/go-amend/amend/formula"

// This file rounds exact results.

// pack returns the number ±m × 2^(exp-w+1), rounded, for m of w bits, at
// least Sig+2, of which the highest is 1 unless all are 0. The lowest bit may
// stand for all that are below it. Exp is signed.
func (a *Arithmetic) pack(mode, sign, exp formula.Term, m vec) formula.Term {
	w := a.s.Width(exp)
	e := a.s.Add(exp, a.s.Const(w, uint64(a.bias())))
	one := a.s.Const(w, 1)
	small := a.s.Slt(e, one)
	by := a.s.Ite(small, a.s.Sub(one, e), a.s.Const(w, 0))
	some := a.bit(m, a.width(m)-1)
	over := a.s.And(some, a.tooLarge(e))
	return a.finish(mode, sign, a.s.Extract(e, a.Exp-1, 0), over, a.shiftRight(m, by))
}

// tooLarge returns the proposition that e, a biased exponent in a signed term
// of more bits than Exp, is above all finite numbers.
func (a *Arithmetic) tooLarge(e formula.Term) formula.Term {
	return a.s.Not(a.s.Slt(e, a.s.Const(a.s.Width(e), 1<<a.Exp-1)))
}

// finish rounds m, of at least Sig+1 bits, to the stored exponent exp, or to a
// subnormal number if its highest bit is 0. Where over holds the result
// overflows.
func (a *Arithmetic) finish(mode, sign, exp, over formula.Term, m vec) formula.Term {
	s, w := a.s, a.width(m)
	sig := a.term(a.top(m, a.Sig))
	guard := a.bit(m, w-a.Sig-1)
	sticky := a.nonzero(a.part(m, 0, w-a.Sig-1))
	up := a.up(mode, sign, s.Extract(sig, 0, 0), guard, sticky)
	exp = s.Ite(s.Extract(sig, a.Sig-1, a.Sig-1), exp, s.Const(a.Exp, 0))
	// A carry out of the fraction is the next exponent, or infinity.
	r := s.Concat(exp, s.Extract(sig, a.Sig-2, 0))
	r = s.Add(r, s.Zext(a.Width()-1, up))
	return s.Concat(sign, s.Ite(over, a.overflow(mode, sign), r))
}

// up returns the proposition that a number is rounded away from zero, whose
// last bit is odd, the next one guard, and any further one sticky.
func (a *Arithmetic) up(mode, sign, odd, guard, sticky formula.Term) formula.Term {
	s := a.s
	inexact := s.Or(guard, sticky)
	return s.OrN(
		s.AndN(a.is(mode, NearestEven), guard, s.Or(sticky, odd)),
		s.And(a.is(mode, NearestAway), guard),
		s.AndN(a.is(mode, TowardPositive), s.Not(sign), inexact),
		s.AndN(a.is(mode, TowardNegative), sign, inexact))
}

func (a *Arithmetic) is(mode formula.Term, m Mode) formula.Term {
	return a.s.Eq(mode, m.Term(a.s))
}

// overflow returns the magnitude of a result that is too large: infinity, or
// the largest number where that is on the way to it.
func (a *Arithmetic) overflow(mode, sign formula.Term) formula.Term {
	s := a.s
	inf := s.OrN(a.is(mode, NearestEven), a.is(mode, NearestAway),
		s.And(a.is(mode, TowardPositive), s.Not(sign)),
		s.And(a.is(mode, TowardNegative), sign))
	w := a.Width() - 1
	return s.Ite(inf, s.Const(w, a.infinite()), s.Const(w, a.infinite()-1))
}

// zeroSign returns the sign of an exact sum of zero, of operands with the
// signs p and q.
func (a *Arithmetic) zeroSign(mode, p, q formula.Term) formula.Term {
	return a.s.Ite(a.s.Eq(p, q), p, a.is(mode, TowardNegative))
}

// first returns the first of the results whose proposition holds, last if
// none does.
func (a *Arithmetic) first(last formula.Term, cases ...special) formula.Term {
	for i := len(cases) - 1; i >= 0; i-- {
		last = a.s.Ite(cases[i].when, cases[i].is, last)
	}
	return last
}

// A special is a result that rounding does not make.
type special struct{ when, is formula.Term }
