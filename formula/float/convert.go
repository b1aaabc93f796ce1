package float

import (
	"math/bits"

	"github.com/go-amend/amend/formula"
)

// This file converts between formats, and from and to integers.

// To returns x as a number of the format f.
func (a *Arithmetic) To(f Format, mode, x formula.Term) formula.Term {
	if f == a.Format {
		return a.s.Ite(a.IsNaN(x), a.NaN(), x)
	}
	s, b := a.s, New(a.s, f)
	p := a.normal(x)
	w := max(a.expWidth(), b.expWidth())
	m := a.narrowed(a.vec(p.sig), b.Sig+2)
	var r formula.Term
	e := s.Sext(w, p.exp)
	if b.bias() >= a.bias()+a.Sig-1 { // all numbers of a are normal ones of b
		e = s.Add(e, s.Const(w, uint64(b.bias())))
		r = b.finish(mode, p.sign, s.Extract(e, b.Exp-1, 0), s.False(), m)
	} else {
		r = b.pack(mode, p.sign, e, m)
	}
	return a.first(r, special{a.IsNaN(x), b.NaN()}, special{a.IsInf(x), b.Inf(p.sign)})
}

// FromInt returns the number nearest to t, an integer of any width, signed or
// not.
func (a *Arithmetic) FromInt(mode, t formula.Term, signed bool) formula.Term {
	s, n := a.s, a.s.Width(t)
	sign := s.False()
	if signed {
		sign = s.Extract(t, n-1, n-1)
		t = s.Ite(sign, s.Neg(t), t) // of the least, itself: the right bits
	}
	v, by := a.normalizeInt(t)
	m := a.narrowed(v, a.Sig+2)
	w := max(a.Exp, bits.Len(uint(n))) + 2
	e := s.Sub(s.Const(w, uint64(n-1+a.bias())), s.Zext(w, by))
	some := a.bit(v, n-1)
	return a.finish(mode, sign, s.Extract(e, a.Exp-1, 0), s.And(some, a.tooLarge(e)), m)
}

func (a *Arithmetic) normalizeInt(t formula.Term) (vec, formula.Term) {
	if a.s.Width(t) == 1 {
		return vec{t}, a.s.False()
	}
	return a.normalize(a.vec(t), 0)
}

// ToInt returns x rounded to an integer of n bits, signed or not, and the
// proposition that the rounded number is one of those. Elsewhere the value is
// that of 2^(n-1): what x86 calls indefinite, if it is signed.
func (a *Arithmetic) ToInt(mode, x formula.Term, n int, signed bool) (value, fits formula.Term) {
	s := a.s
	p := a.raw(x)
	// The point is above the significand for x in [1/2, 1), and by further.
	w := max(a.Exp, bits.Len(uint(n))) + 2
	by := s.Sub(s.Zext(w, p.exp), s.Const(w, uint64(a.bias()-1)))
	tiny := s.Slt(by, s.Const(w, 0))
	huge := s.Slt(s.Const(w, uint64(n)), by)
	by = s.Extract(by, bits.Len(uint(n))-1, 0)
	v := a.shiftLeft(a.joined(a.zeros(n), a.vec(p.sig)), by)
	v = a.ite(tiny, a.with(a.zeros(a.width(v)), s.Not(a.IsZero(x))), v)

	whole, lowest := a.part(v, a.Sig, n), a.bit(v, a.Sig)
	up := a.up(mode, p.sign, lowest, a.bit(v, a.Sig-1), a.nonzero(a.part(v, 0, a.Sig-1)))
	whole = a.joined(a.zeros(1), whole)
	whole = a.addOrSub(s.False(), whole, a.with(a.zeros(n+1), up))
	t, over := a.term(a.part(whole, 0, n)), a.bit(whole, n)
	bad := s.OrN(huge, over, s.Not(a.IsFinite(x)), a.beyond(t, p.sign, signed))
	t = s.Ite(p.sign, s.Neg(t), t)
	return s.Ite(bad, s.Const(n, 1<<(n-1)), t), s.Not(bad)
}

// beyond returns the proposition that the magnitude t with a sign is no
// integer of its width.
func (a *Arithmetic) beyond(t, sign formula.Term, signed bool) formula.Term {
	s, n := a.s, a.s.Width(t)
	if !signed {
		return s.And(sign, s.Not(a.isZero(t)))
	}
	top := s.Extract(t, n-1, n-1)
	least := s.Eq(t, s.Const(n, 1<<(n-1)))
	return s.And(top, s.Not(s.And(sign, least)))
}
