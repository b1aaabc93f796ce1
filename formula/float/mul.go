package float

import "github.com/go-amend/amend/formula"

// This file multiplies.

// Mul returns x × y.
func (a *Arithmetic) Mul(mode, x, y formula.Term) formula.Term {
	s := a.s
	p, q := a.normal(x), a.normal(y)
	sign := s.Xor(p.sign, q.sign)
	e, m := a.product(p, q)
	r := a.pack(mode, sign, e, a.narrowed(m, a.Sig+2))
	nan := s.OrN(a.IsNaN(x), a.IsNaN(y), a.zeroTimesInf(x, y))
	inf := s.Or(a.IsInf(x), a.IsInf(y))
	return a.first(r, special{nan, a.NaN()}, special{inf, a.Inf(sign)})
}

func (a *Arithmetic) zeroTimesInf(x, y formula.Term) formula.Term {
	return a.s.Or(a.s.And(a.IsZero(x), a.IsInf(y)), a.s.And(a.IsInf(x), a.IsZero(y)))
}

// product returns exponent and significand, of twice Sig bits, the highest 1,
// of p × q.
func (a *Arithmetic) product(p, q normal) (formula.Term, vec) {
	m := a.times(p.sig, q.sig)
	w := a.width(m)
	carry := a.bit(m, w-1)
	e := a.s.Add(a.s.Add(p.exp, q.exp), a.s.Zext(a.expWidth(), carry))
	return e, a.ite(carry, m, a.joined(a.part(m, 0, w-1), a.zeros(1)))
}

// narrowed returns v in n bits, or in fewer if it has fewer and n at least
// those: the lowest stands for all that are dropped.
func (a *Arithmetic) narrowed(v vec, n int) vec {
	w := a.width(v)
	if w < n {
		return a.joined(v, a.zeros(n-w))
	}
	return a.with(a.top(v, n), a.nonzero(a.part(v, 0, w-n)))
}

// times returns x × y in twice as many bits.
func (a *Arithmetic) times(x, y formula.Term) vec {
	s, n := a.s, a.s.Width(x)
	if 2*n <= limbWidth {
		return vec{s.Mul(s.Zext(2*n, x), s.Zext(2*n, y))}
	}
	if _, ok := s.Value(x); ok {
		x, y = y, x
	}
	// Rows as the circuit of Mul has them: each row adds x where a bit of y
	// is 1, and the lowest bit of the sum so far is one of the product.
	var low vec
	high := s.Const(n, 0)
	for i := range n {
		row := s.And(x, s.Sext(n, s.Extract(y, i, i)))
		sum := s.Add(s.Zext(n+1, high), s.Zext(n+1, row))
		low = a.appended(low, s.Extract(sum, 0, 0))
		high = s.Extract(sum, n, 1)
	}
	return a.appended(low, high)
}
