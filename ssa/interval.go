package ssa

import (
	"math/bits"

	"github.com/go-amend/amend/formula"
)

// An interval holds the unsigned numbers from lo to hi.
type interval struct{ lo, hi uint64 }

func exactly(v uint64) interval { return interval{v, v} }

// anyOf returns all numbers of w bits.
func anyOf(w int) interval { return interval{0, mask(w)} }

func mask(w int) uint64 { return ^uint64(0) >> (64 - w) }

func (x interval) join(y interval) interval { return interval{min(x.lo, y.lo), max(x.hi, y.hi)} }

// intervals computes in which intervals terms lie, given those of variables.
type intervals struct {
	*formula.Store
	env  func(v formula.Term) interval
	memo map[formula.Term]interval
}

func (r *intervals) of(t formula.Term) interval {
	if x, ok := r.memo[t]; ok {
		return x
	}
	var args [3]interval
	for i, a := range r.Args(t) {
		args[i] = r.of(a)
	}
	x := r.apply(t, args[0], args[1], args[2])
	r.memo[t] = x
	return x
}

// apply returns the interval of t, whose operands lie in a, b and c. What it
// doesn't know well lies anywhere.
func (r *intervals) apply(t formula.Term, a, b, c interval) interval {
	w := r.Width(t)
	all := mask(w)
	switch r.Op(t) {
	case formula.OpConst:
		v, _ := r.Value(t)
		return exactly(v)
	case formula.OpVar:
		return r.env(t)
	case formula.OpZext:
		return a
	case formula.OpNot:
		return interval{all - a.hi, all - a.lo}
	case formula.OpAnd: // ¬(¬x ∨ ¬y), and x ∨ y is less than the next power of two
		return interval{all &^ (cover(all-a.lo) | cover(all-b.lo)), min(a.hi, b.hi)}
	case formula.OpXor:
		return interval{0, cover(a.hi) | cover(b.hi)}
	case formula.OpAdd:
		return sum(w, a, b)
	case formula.OpMul:
		if high, low := bits.Mul64(a.hi, b.hi); high == 0 && low <= all {
			return interval{a.lo * b.lo, low}
		}
	case formula.OpURem:
		if b.lo > 0 {
			return interval{0, min(a.hi, b.hi-1)}
		}
		return interval{0, a.hi}
	case formula.OpLshr:
		return interval{0, a.hi}
	case formula.OpEq:
		return equal(a, b)
	case formula.OpUlt:
		return less(a, b)
	case formula.OpIte:
		return choice(a, b, c)
	case formula.OpConcat:
		n := r.Width(r.Arg(t, 1))
		return interval{a.lo<<n | b.lo, a.hi<<n | b.hi}
	case formula.OpExtract:
		n := r.Low(t)
		if a.hi>>n <= all {
			return interval{a.lo >> n, a.hi >> n}
		}
	case formula.OpSext:
		if a.hi <= mask(r.Width(r.Arg(t, 0)))/2 {
			return a
		}
	}
	return anyOf(w)
}

// cover returns the least number of ones that is at least v.
func cover(v uint64) uint64 { return mask64(bits.Len64(v)) }

func mask64(n int) uint64 {
	if n == 0 {
		return 0
	}
	return mask(n)
}

// sum is addition, if all sums wrap or none does.
func sum(w int, a, b interval) interval {
	low, c := bits.Add64(a.lo, b.lo, 0)
	high, d := bits.Add64(a.hi, b.hi, 0)
	if w < 64 {
		c, d = low>>w, high>>w
	}
	if c != d {
		return anyOf(w)
	}
	return interval{low & mask(w), high & mask(w)}
}

func equal(a, b interval) interval {
	switch {
	case a.hi < b.lo || b.hi < a.lo:
		return exactly(0)
	case a.lo == a.hi && a == b:
		return exactly(1)
	}
	return anyOf(1)
}

func less(a, b interval) interval {
	switch {
	case a.hi < b.lo:
		return exactly(1)
	case a.lo >= b.hi:
		return exactly(0)
	}
	return anyOf(1)
}

func choice(c, x, y interval) interval {
	switch c {
	case exactly(1):
		return x
	case exactly(0):
		return y
	}
	return x.join(y)
}
