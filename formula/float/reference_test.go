package float

import "math/big"

// This file is IEEE 754 as its text has it, on rational numbers: the
// reference for small formats. It shares nothing with the code under test but
// the names of formats and modes.

// A number is a value of a format: NaN, an infinity, or a rational number,
// whose zero has a sign.
type number struct {
	nan, inf, neg bool
	r             *big.Rat // not negative
}

func rat(n int64) *big.Rat { return big.NewRat(n, 1) }

// pow returns 2^e.
func pow(e int) *big.Rat {
	p := new(big.Int).Lsh(big.NewInt(1), uint(max(e, -e)))
	r := new(big.Rat).SetInt(p)
	if e < 0 {
		r.Inv(r)
	}
	return r
}

func mul(x, y *big.Rat) *big.Rat { return new(big.Rat).Mul(x, y) }

func decode(f Format, v uint64) number {
	frac := v % (1 << (f.Sig - 1))
	exp := v >> (f.Sig - 1) % (1 << f.Exp)
	n := number{neg: v>>(f.Width()-1)&1 == 1}
	least := 2 - 1<<(f.Exp-1) // the exponent of the smallest normal number
	m := new(big.Rat).SetInt(new(big.Int).SetUint64(frac))
	m.Mul(m, pow(1-f.Sig))
	switch {
	case exp == 1<<f.Exp-1 && frac != 0:
		n.nan = true
	case exp == 1<<f.Exp-1:
		n.inf = true
	case exp == 0:
		n.r = mul(m, pow(least))
	default:
		n.r = mul(m.Add(m, rat(1)), pow(least+int(exp)-1))
	}
	return n
}

func (n number) signed() *big.Rat {
	if n.neg {
		return new(big.Rat).Neg(n.r)
	}
	return n.r
}

func (n number) zero() bool { return n.r != nil && n.r.Sign() == 0 }

// log2 returns the largest e with 2^e ≤ r, for r > 0.
func log2(r *big.Rat) int {
	e := r.Num().BitLen() - r.Denom().BitLen()
	if pow(e).Cmp(r) > 0 {
		e--
	}
	return e
}

// integer rounds r, not negative, of a number with the given sign.
func integer(m Mode, neg bool, r *big.Rat) *big.Int {
	q, rem := new(big.Int).QuoRem(r.Num(), r.Denom(), new(big.Int))
	half := new(big.Int).Lsh(rem, 1).Cmp(r.Denom())
	var up bool
	switch m {
	case NearestEven:
		up = half > 0 || half == 0 && q.Bit(0) == 1
	case NearestAway:
		up = half >= 0
	case TowardPositive:
		up = !neg && rem.Sign() > 0
	case TowardNegative:
		up = neg && rem.Sign() > 0
	}
	if up {
		q.Add(q, big.NewInt(1))
	}
	return q
}

// encode rounds r to f. A zero has the sign neg.
func encode(f Format, m Mode, neg bool, r *big.Rat) uint64 {
	if r.Sign() != 0 {
		neg = r.Sign() < 0
	}
	r = new(big.Rat).Abs(r)
	least, most := 2-1<<(f.Exp-1), 1<<(f.Exp-1)-1
	e := least
	if r.Sign() != 0 {
		e = max(e, log2(r))
	}
	q := integer(m, neg, mul(r, pow(f.Sig-1-e)))
	value := mul(new(big.Rat).SetInt(q), pow(e-f.Sig+1))
	sign := uint64(0)
	if neg {
		sign = 1 << (f.Width() - 1)
	}
	inf := uint64(1<<f.Exp-1) << (f.Sig - 1)
	switch {
	case value.Cmp(pow(most+1)) < 0:
	case m == TowardZero, m == TowardPositive && neg, m == TowardNegative && !neg:
		return sign | inf - 1
	default:
		return sign | inf
	}
	if value.Cmp(pow(e+1)) >= 0 { // rounding made it longer
		e++
	}
	if value.Cmp(pow(e)) < 0 { // subnormal
		return sign | mul(value, pow(f.Sig-1-e)).Num().Uint64()
	}
	frac := mul(value.Sub(value, pow(e)), pow(f.Sig-1-e))
	return sign | uint64(e-least+1)<<(f.Sig-1) | frac.Num().Uint64()
}

func refNaN(f Format) uint64 { return (1<<(f.Exp+1) - 1) << (f.Sig - 2) }

func refInf(f Format, neg bool) uint64 {
	v := uint64(1<<f.Exp-1) << (f.Sig - 1)
	if neg {
		v |= 1 << (f.Width() - 1)
	}
	return v
}

func refZero(f Format, neg bool) uint64 { return encode(f, NearestEven, neg, new(big.Rat)) }

// refFMA is x × y + z; with z absent, x × y.
func refFMA(f Format, m Mode, x, y number, z *number) uint64 {
	neg := x.neg != y.neg
	nan := x.nan || y.nan || x.inf && y.zero() || x.zero() && y.inf
	inf := x.inf || y.inf
	if z != nil {
		nan = nan || z.nan || inf && z.inf && z.neg != neg
	}
	switch {
	case nan:
		return refNaN(f)
	case inf:
		return refInf(f, neg)
	case z != nil && z.inf:
		return refInf(f, z.neg)
	}
	r := mul(x.signed(), y.signed())
	if z == nil {
		return encode(f, m, neg, r)
	}
	zero := neg && z.neg || neg != z.neg && m == TowardNegative
	if r.Sign() != 0 || !z.zero() {
		zero = m == TowardNegative // an exact difference
	}
	return encode(f, m, zero, new(big.Rat).Add(r, z.signed()))
}

var refOne = number{r: rat(1)}

func refAdd(f Format, m Mode, x, y number) uint64 { return refFMA(f, m, x, refOne, &y) }

func refDiv(f Format, m Mode, x, y number) uint64 {
	neg := x.neg != y.neg
	switch {
	case x.nan || y.nan || x.inf && y.inf || x.zero() && y.zero():
		return refNaN(f)
	case x.inf || y.zero():
		return refInf(f, neg)
	case y.inf:
		return refZero(f, neg)
	}
	return encode(f, m, neg, new(big.Rat).Quo(x.signed(), y.signed()))
}

func refSqrt(f Format, m Mode, x number) uint64 {
	switch {
	case x.nan || x.neg && !x.zero():
		return refNaN(f)
	case x.inf:
		return refInf(f, false)
	case x.zero():
		return refZero(f, x.neg)
	}
	// The integer below the root of x × 4^k, and a half if that is not it:
	// far below the last place, which is all that rounding looks at.
	k := f.Sig + 1<<f.Exp
	n := mul(x.r, pow(2*k))
	q := new(big.Int).Sqrt(new(big.Int).Quo(n.Num(), n.Denom()))
	r := new(big.Rat).SetInt(q)
	if mul(r, r).Cmp(n) != 0 {
		r.Add(r, big.NewRat(1, 2))
	}
	return encode(f, m, false, mul(r, pow(-k)))
}

// refRem is the remainder of x by y with the quotient rounded by m.
func refRem(f Format, m Mode, x, y number) uint64 {
	switch {
	case x.nan || y.nan || x.inf || y.zero():
		return refNaN(f)
	case y.inf || x.zero():
		return encode(f, m, x.neg, x.signed())
	}
	n := new(big.Rat).SetInt(integer(m, false, new(big.Rat).Quo(x.r, y.r)))
	r := new(big.Rat).Sub(x.r, n.Mul(n, y.r))
	if x.neg {
		r.Neg(r)
	}
	return encode(f, NearestEven, x.neg, r)
}

func refIntegral(f Format, m Mode, x number) uint64 {
	switch {
	case x.nan:
		return refNaN(f)
	case x.inf:
		return refInf(f, x.neg)
	}
	r := new(big.Rat).SetInt(integer(m, x.neg, x.r))
	if x.neg {
		r.Neg(r)
	}
	return encode(f, m, x.neg, r)
}

// refInt is x rounded to an integer of n bits, if it is one.
func refInt(m Mode, x number, n int, signed bool) (v uint64, ok bool) {
	if x.nan || x.inf {
		return 1 << (n - 1), false
	}
	q := integer(m, x.neg, x.r)
	if x.neg {
		q.Neg(q)
	}
	lo, hi := new(big.Int), new(big.Int).Lsh(big.NewInt(1), uint(n))
	if signed {
		hi.Rsh(hi, 1)
		lo.Neg(hi)
	}
	if q.Cmp(lo) < 0 || q.Cmp(hi) >= 0 {
		return 1 << (n - 1), false
	}
	mod := new(big.Int).Lsh(big.NewInt(1), uint(n))
	return q.Mod(q, mod).Uint64(), true
}

func refTo(f Format, m Mode, x number) uint64 {
	switch {
	case x.nan:
		return refNaN(f)
	case x.inf:
		return refInf(f, x.neg)
	}
	return encode(f, m, x.neg, x.signed())
}

// refOrder is -1, 0 or 1 as x is below, equal to or above y; 2 if one is NaN.
func refOrder(x, y number) int {
	key := func(n number) *big.Rat {
		if n.inf {
			n.r = pow(4000)
		}
		return n.signed()
	}
	if x.nan || y.nan {
		return 2
	}
	return key(x).Cmp(key(y))
}
