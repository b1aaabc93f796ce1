package float

import (
	"math/bits"

	"github.com/go-amend/amend/formula"
)

// This file takes numbers apart and says of which class they are.

// IsNaN returns the proposition that x is not a number.
func (a *Arithmetic) IsNaN(x formula.Term) formula.Term {
	return a.s.Ult(a.s.Const(a.Width()-1, a.infinite()), a.magnitude(x))
}

// IsInf returns the proposition that x is an infinity.
func (a *Arithmetic) IsInf(x formula.Term) formula.Term {
	return a.s.Eq(a.magnitude(x), a.s.Const(a.Width()-1, a.infinite()))
}

// IsFinite returns the proposition that x is neither infinite nor NaN.
func (a *Arithmetic) IsFinite(x formula.Term) formula.Term {
	return a.s.Not(a.s.Eq(a.exponent(x), a.s.Const(a.Exp, ^uint64(0))))
}

// IsZero returns the proposition that x is a zero of either sign.
func (a *Arithmetic) IsZero(x formula.Term) formula.Term { return a.isZero(a.magnitude(x)) }

// IsNormal returns the proposition that x is finite, not zero and not
// subnormal.
func (a *Arithmetic) IsNormal(x formula.Term) formula.Term {
	return a.s.And(a.IsFinite(x), a.s.Not(a.isZero(a.exponent(x))))
}

// IsSubnormal returns the proposition that x is not zero and smaller than any
// normal number.
func (a *Arithmetic) IsSubnormal(x formula.Term) formula.Term {
	return a.s.And(a.isZero(a.exponent(x)), a.s.Not(a.IsZero(x)))
}

// Sign returns the sign bit of x, which a NaN has too.
func (a *Arithmetic) Sign(x formula.Term) formula.Term {
	return a.s.Extract(x, a.Width()-1, a.Width()-1)
}

// Neg returns x with the other sign bit.
func (a *Arithmetic) Neg(x formula.Term) formula.Term {
	return a.s.Concat(a.s.Not(a.Sign(x)), a.magnitude(x))
}

// Abs returns x with the sign bit 0.
func (a *Arithmetic) Abs(x formula.Term) formula.Term {
	return a.s.Concat(a.s.False(), a.magnitude(x))
}

// CopySign returns x with the sign bit of y.
func (a *Arithmetic) CopySign(x, y formula.Term) formula.Term {
	return a.s.Concat(a.Sign(y), a.magnitude(x))
}

// magnitude returns all bits but the sign: they order the numbers of one sign.
func (a *Arithmetic) magnitude(x formula.Term) formula.Term {
	return a.s.Extract(x, a.Width()-2, 0)
}

// exponent returns the stored exponent.
func (a *Arithmetic) exponent(x formula.Term) formula.Term {
	return a.s.Extract(x, a.Width()-2, a.Sig-1)
}

// A raw number is as it is stored: sig has the hidden bit, and exp, the
// stored exponent, is 1 for subnormal numbers.
type raw struct{ sign, exp, sig formula.Term }

func (a *Arithmetic) raw(x formula.Term) raw {
	e := a.exponent(x)
	small := a.isZero(e)
	return raw{
		sign: a.Sign(x),
		exp:  a.s.Or(e, a.s.Zext(a.Exp, small)),
		sig:  a.s.Concat(a.s.Not(small), a.s.Extract(x, a.Sig-2, 0)),
	}
}

// A normal number is ±sig × 2^(exp-Sig+1), where exp is signed, of expWidth
// bits, and the highest bit of sig is 1. Of zeros sig is 0, of what is not
// finite it means nothing.
type normal struct{ sign, exp, sig formula.Term }

func (a *Arithmetic) normal(x formula.Term) normal {
	r := a.raw(x)
	v, by := a.normalize(vec{r.sig}, 0)
	w := a.expWidth()
	e := a.s.Sub(a.s.Zext(w, r.exp), a.s.Zext(w, by))
	return normal{r.sign, a.s.Sub(e, a.s.Const(w, uint64(a.bias()))), v[0]}
}

// expWidth is the width in which the sum of two exponents of normal numbers,
// their bias and one more fit.
func (a *Arithmetic) expWidth() int { return max(a.Exp, bits.Len(uint(a.Sig))) + 3 }
