package float

import "github.com/go-amend/amend/formula"

// This file compares. A NaN is neither less than, equal to nor greater than
// anything, and the two zeros are equal.

// Eq returns the proposition x = y.
func (a *Arithmetic) Eq(x, y formula.Term) formula.Term {
	s := a.s
	zeros := s.And(a.IsZero(x), a.IsZero(y))
	return s.And(a.ordered(x, y), s.Or(s.Eq(x, y), zeros))
}

// Lt returns the proposition x < y.
func (a *Arithmetic) Lt(x, y formula.Term) formula.Term {
	s := a.s
	zeros := s.And(a.IsZero(x), a.IsZero(y))
	return s.AndN(a.ordered(x, y), a.before(x, y), s.Not(zeros))
}

// Le returns the proposition x ≤ y.
func (a *Arithmetic) Le(x, y formula.Term) formula.Term {
	s := a.s
	zeros := s.And(a.IsZero(x), a.IsZero(y))
	return s.And(a.ordered(x, y), s.Or(s.Not(a.before(y, x)), zeros))
}

// ordered returns the proposition that neither is NaN.
func (a *Arithmetic) ordered(x, y formula.Term) formula.Term {
	return a.s.And(a.s.Not(a.IsNaN(x)), a.s.Not(a.IsNaN(y)))
}

// before is Lt in the order that has -0 before 0, of numbers.
func (a *Arithmetic) before(x, y formula.Term) formula.Term {
	s := a.s
	p, q := a.magnitude(x), a.magnitude(y)
	same := s.Ite(a.Sign(x), s.Ult(q, p), s.Ult(p, q))
	return s.Ite(s.Eq(a.Sign(x), a.Sign(y)), same, a.Sign(x))
}

// Min returns the lesser of x and y, -0 being below 0, and NaN if one is: the
// minimum of IEEE 754-2019 and of Go.
func (a *Arithmetic) Min(x, y formula.Term) formula.Term {
	r := a.s.Ite(a.before(y, x), y, x)
	return a.s.Ite(a.ordered(x, y), r, a.NaN())
}

// Max is the counterpart of Min.
func (a *Arithmetic) Max(x, y formula.Term) formula.Term {
	r := a.s.Ite(a.before(x, y), y, x)
	return a.s.Ite(a.ordered(x, y), r, a.NaN())
}

// MinNum is Min but for a NaN, beside which it returns the other: the
// minimumNumber of IEEE 754-2019, and one that fmin of C may be.
func (a *Arithmetic) MinNum(x, y formula.Term) formula.Term {
	return a.number(x, y, a.Min(x, y))
}

// MaxNum is the counterpart of MinNum.
func (a *Arithmetic) MaxNum(x, y formula.Term) formula.Term {
	return a.number(x, y, a.Max(x, y))
}

// number returns r, or what is a number if x or y is none.
func (a *Arithmetic) number(x, y, r formula.Term) formula.Term {
	s := a.s
	both := s.And(a.IsNaN(x), a.IsNaN(y))
	return a.first(r, special{both, a.NaN()}, special{a.IsNaN(x), y}, special{a.IsNaN(y), x})
}
