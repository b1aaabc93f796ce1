package formula

import "math/bits"

// An Interval holds the unsigned numbers from Lo to Hi, both included.
type Interval struct{ Lo, Hi uint64 }

// Exactly holds v alone.
func Exactly(v uint64) Interval { return Interval{v, v} }

// AnyOf holds all numbers of w bits.
func AnyOf(w int) Interval { return Interval{0, ones(w)} }

// Join returns the least interval that holds both x and y.
func (x Interval) Join(y Interval) Interval { return Interval{min(x.Lo, y.Lo), max(x.Hi, y.Hi)} }

// Ranges computes intervals in which the values of terms lie, given those of
// variables: abstract interpretation in the domain of unsigned intervals. What
// is known of single bits is used where terms are built, not here.
type Ranges struct {
	st   *Store
	env  func(v Term) Interval
	memo map[Term]Interval
}

// NewRanges returns Ranges of terms of st, where each variable v lies in
// env(v).
func NewRanges(st *Store, env func(v Term) Interval) *Ranges {
	return &Ranges{st, env, make(map[Term]Interval)}
}

// Of returns an interval that holds all values of t, in time linear in the
// terms below t that were not met before.
func (r *Ranges) Of(t Term) Interval {
	if x, ok := r.memo[t]; ok {
		return x
	}
	var args [3]Interval
	for i, a := range r.st.Args(t) {
		args[i] = r.Of(a)
	}
	x := r.apply(t, args[0], args[1], args[2])
	r.memo[t] = x
	return x
}

// apply returns the interval of t, whose operands lie in a, b and c. What it
// doesn't know well lies anywhere.
func (r *Ranges) apply(t Term, a, b, c Interval) Interval {
	w := r.st.Width(t)
	all := ones(w)
	switch r.st.Op(t) {
	case OpConst:
		v, _ := r.st.Value(t)
		return Exactly(v)
	case OpVar:
		return r.env(t)
	case OpZext:
		return a
	case OpNot:
		return Interval{all - a.Hi, all - a.Lo}
	case OpAnd: // ¬(¬x ∨ ¬y), and x ∨ y is less than the next power of two
		return Interval{all &^ (cover(all-a.Lo) | cover(all-b.Lo)), min(a.Hi, b.Hi)}
	case OpXor:
		return Interval{0, cover(a.Hi) | cover(b.Hi)}
	case OpAdd:
		return sum(w, a, b)
	case OpMul:
		if high, low := bits.Mul64(a.Hi, b.Hi); high == 0 && low <= all {
			return Interval{a.Lo * b.Lo, low}
		}
	case OpURem:
		if b.Lo > 0 {
			return Interval{0, min(a.Hi, b.Hi-1)}
		}
		return Interval{0, a.Hi}
	case OpLshr:
		return Interval{0, a.Hi}
	case OpEq:
		return equal(a, b)
	case OpUlt:
		return less(a, b)
	case OpIte:
		return If(a, b, c)
	case OpConcat:
		n := r.st.Width(r.st.Arg(t, 1))
		return Interval{a.Lo<<n | b.Lo, a.Hi<<n | b.Hi}
	case OpExtract:
		n := r.st.Low(t)
		if a.Hi>>n <= all {
			return Interval{a.Lo >> n, a.Hi >> n}
		}
	case OpSext:
		if a.Hi <= ones(r.st.Width(r.st.Arg(t, 0)))/2 {
			return a
		}
	}
	return AnyOf(w)
}

// cover returns the least number of ones that is at least v.
func cover(v uint64) uint64 { return lowOnes(bits.Len64(v)) }

func lowOnes(n int) uint64 {
	if n == 0 {
		return 0
	}
	return ones(n)
}

// sum is addition, if all sums wrap or none does.
func sum(w int, a, b Interval) Interval {
	low, c := bits.Add64(a.Lo, b.Lo, 0)
	high, d := bits.Add64(a.Hi, b.Hi, 0)
	if w < 64 {
		c, d = low>>w, high>>w
	}
	if c != d {
		return AnyOf(w)
	}
	return Interval{low & ones(w), high & ones(w)}
}

func equal(a, b Interval) Interval {
	switch {
	case a.Hi < b.Lo || b.Hi < a.Lo:
		return Exactly(0)
	case a.Lo == a.Hi && a == b:
		return Exactly(1)
	}
	return AnyOf(1)
}

func less(a, b Interval) Interval {
	switch {
	case a.Hi < b.Lo:
		return Exactly(1)
	case a.Lo >= b.Hi:
		return Exactly(0)
	}
	return AnyOf(1)
}

// If returns the interval of a value that is in x where a proposition in c
// holds, and in y where it does not.
func If(c, x, y Interval) Interval {
	switch c {
	case Exactly(1):
		return x
	case Exactly(0):
		return y
	}
	return x.Join(y)
}
