package float

import (
	"slices"

	"github.com/go-amend/amend/formula"
)

// This file divides and takes square roots, digit by digit.

// Div returns x ÷ y.
func (a *Arithmetic) Div(mode, x, y formula.Term) formula.Term {
	s := a.s
	p, q := a.normal(x), a.normal(y)
	sign := s.Xor(p.sign, q.sign)
	m := a.quotient(p.sig, q.sig)
	w := a.width(m)
	whole := a.bit(m, w-1)
	m = a.ite(whole, m, a.joined(a.part(m, 0, w-1), a.zeros(1)))
	e := s.Sub(s.Sub(p.exp, q.exp), s.Zext(a.expWidth(), s.Not(whole)))
	r := a.pack(mode, sign, e, m)
	zero, inf := s.Or(a.IsZero(x), a.IsInf(y)), s.Or(a.IsInf(x), a.IsZero(y))
	nan := s.OrN(a.IsNaN(x), a.IsNaN(y), s.And(a.IsZero(x), a.IsZero(y)), s.And(a.IsInf(x), a.IsInf(y)))
	return a.first(r, special{nan, a.NaN()}, special{inf, a.Inf(sign)}, special{zero, a.Zero(sign)})
}

// quotient returns x ÷ y in Sig+3 bits, the first of them whole and the last
// for all that follow.
func (a *Arithmetic) quotient(x, y formula.Term) vec {
	s, w := a.s, a.Sig+2
	rem := s.Zext(w, x)
	y = s.Zext(w, y)
	var digits []formula.Term
	for range a.Sig + 2 {
		diff := s.Sub(rem, y)
		less := s.Extract(diff, w-1, w-1)
		digits = append(digits, s.Not(less))
		rem = s.Ite(less, rem, diff)
		rem = s.Concat(s.Extract(rem, w-2, 0), s.False())
	}
	return a.vec(append(digits, s.Not(a.isZero(rem)))...)
}

// Sqrt returns the square root of x.
func (a *Arithmetic) Sqrt(mode, x formula.Term) formula.Term {
	s := a.s
	p := a.normal(x)
	odd := s.Extract(p.exp, 0, 0)
	e := s.Ashr(p.exp, s.Const(a.expWidth(), 1))
	m := a.root(p.sig, odd)
	var r formula.Term
	if a.bias() > a.Sig { // the exponent is halved: nothing is subnormal
		e = s.Add(e, s.Const(a.expWidth(), uint64(a.bias())))
		r = a.finish(mode, s.False(), s.Extract(e, a.Exp-1, 0), s.False(), m)
	} else {
		r = a.pack(mode, s.False(), e, m)
	}
	negative := s.And(p.sign, s.Not(a.IsZero(x)))
	same := s.Or(a.IsZero(x), a.IsInf(x))
	return a.first(r, special{s.Or(a.IsNaN(x), negative), a.NaN()}, special{same, x})
}

// root returns the root of x, or of twice x where odd holds, in Sig+2 bits,
// the first of them whole and the last for all that follow.
func (a *Arithmetic) root(x, odd formula.Term) vec {
	s, n := a.s, a.Sig+1
	// The radicand has two bits before the point and one pair for each digit.
	two := s.Ite(odd, s.Concat(x, s.False()), s.Concat(s.False(), x))
	rad := a.joined(a.vec(two), a.zeros(2*n-s.Width(two)))
	w := n + 3
	rem, root := s.Const(w, 0), s.Const(w, 0)
	var digits vec
	for i := n - 1; i >= 0; i-- {
		pair := a.term(a.part(rad, 2*i, 2))
		rem = s.Concat(s.Extract(rem, w-3, 0), pair)
		diff := s.Sub(rem, s.Concat(s.Extract(root, w-3, 0), s.Const(2, 1)))
		less := s.Extract(diff, w-1, w-1)
		rem = s.Ite(less, rem, diff)
		root = s.Concat(s.Extract(root, w-2, 0), s.Not(less))
		digits = append(digits, s.Not(less))
	}
	digits = append(digits, s.Not(a.isZero(rem)))
	return a.vec(slices.Clip(digits)...)
}
