package float

import "github.com/go-amend/amend/formula"

// This file adds, and multiplies and adds at once.

// extra bits below a significand are enough for a sum: one that a
// subtraction may shift in, one to round and one for all others.
const extra = 3

// Add returns x + y.
func (a *Arithmetic) Add(mode, x, y formula.Term) formula.Term {
	s := a.s
	swap := s.Ult(a.magnitude(x), a.magnitude(y))
	large, small := s.Ite(swap, y, x), s.Ite(swap, x, y)
	p, q := a.raw(large), a.raw(small)
	minus := s.Xor(p.sign, q.sign)
	below := s.Const(extra, 0)
	m := a.vec(s.False(), p.sig, below)
	n := a.shiftRight(a.vec(s.False(), q.sig, below), s.Sub(p.exp, q.exp))
	sum := a.addOrSub(minus, m, n)

	// The highest bit belongs to the next exponent. A sum has all its bits, so
	// what would get an exponent below 1 is subnormal as it is.
	sign := s.Ite(a.nonzero(sum), p.sign, a.zeroSign(mode, p.sign, q.sign))
	sum, by := a.normalize(sum, p.exp)
	w := max(a.Exp, s.Width(by)) + 2
	e := s.Sub(s.Add(s.Zext(w, p.exp), s.Const(w, 1)), s.Zext(w, by))
	r := a.finish(mode, sign, s.Extract(e, a.Exp-1, 0), a.tooLarge(e), sum)

	nan := s.Or(s.Or(a.IsNaN(x), a.IsNaN(y)), s.And(minus, a.IsInf(small)))
	return a.first(r, special{nan, a.NaN()}, special{s.Not(a.IsFinite(large)), large})
}

// Sub returns x - y.
func (a *Arithmetic) Sub(mode, x, y formula.Term) formula.Term {
	return a.Add(mode, x, a.Neg(y))
}

// FMA returns x × y + z, rounded once.
func (a *Arithmetic) FMA(mode, x, y, z formula.Term) formula.Term {
	s := a.s
	p, q, r := a.normal(x), a.normal(y), a.normal(z)
	sign := s.Xor(p.sign, q.sign)
	minus := s.Xor(sign, r.sign)
	e, m := a.product(p, q)
	n := a.vec(r.sig, s.Const(a.Sig, 0))
	// A zero is below everything, so that it takes no bits from the other.
	w := a.expWidth() + 1
	least := s.Const(w, 1<<(w-2)*3)
	e = s.Ite(s.Or(a.IsZero(x), a.IsZero(y)), least, s.Sext(w, e))
	f := s.Ite(a.IsZero(z), least, s.Sext(w, r.exp))

	// With the sign flipped, exponents are ordered as unsigned numbers are.
	flip := s.Const(w, 1<<(w-1))
	swap := a.less(a.joined(a.vec(s.Xor(e, flip)), m), a.joined(a.vec(s.Xor(f, flip)), n))
	by := s.Ite(swap, s.Sub(f, e), s.Sub(e, f))
	large, small := a.ite(swap, n, m), a.ite(swap, m, n)
	widen := func(v vec) vec { return a.joined(a.vec(s.False()), a.joined(v, a.zeros(extra))) }
	sum := a.addOrSub(minus, widen(large), a.shiftRight(widen(small), by))

	result := s.Ite(a.nonzero(sum), s.Ite(swap, r.sign, sign), a.zeroSign(mode, sign, r.sign))
	sum, by = a.normalize(sum, 0)
	w = max(w, s.Width(by)) + 2
	e = s.Sub(s.Add(s.Sext(w, s.Ite(swap, f, e)), s.Const(w, 1)), s.Zext(w, by))
	rounded := a.pack(mode, result, e, sum)

	inf := s.Or(a.IsInf(x), a.IsInf(y))
	nan := s.OrN(a.IsNaN(x), a.IsNaN(y), a.IsNaN(z), a.zeroTimesInf(x, y),
		s.AndN(inf, a.IsInf(z), minus))
	return a.first(rounded, special{nan, a.NaN()}, special{inf, a.Inf(sign)}, special{a.IsInf(z), z})
}
