package incremental

import (
	"github.com/go-amend/amend/formula"
)

// This file holds what the package needs of terms beyond package formula:
// which variables of the program they mention, and substitution.

// terms is a store whose variables include those of a program.
type terms struct {
	*formula.Store
	vars  []formula.Term       // of the program, by number
	index map[formula.Term]int // their numbers
	below []set                // by Term: the program variables below it; nil if not known yet
	none  set
	prime []formula.Term // by number: the value after a havoc; 0 until needed
	memo  map[formula.Term]formula.Term
}

func newTerms(st *formula.Store, vars []formula.Term) *terms {
	t := &terms{
		Store: st, vars: vars, index: make(map[formula.Term]int, len(vars)),
		none: newSet(len(vars)), prime: make([]formula.Term, len(vars)), memo: make(map[formula.Term]formula.Term),
	}
	for i, v := range vars {
		t.index[v] = i
	}
	return t
}

// mentions returns the program variables below x. The caller must not modify
// the result.
func (t *terms) mentions(x formula.Term) set {
	if int(x) >= len(t.below) {
		t.below = append(t.below, make([]set, t.Len()+t.Len()/4-len(t.below))...)
	}
	if s := t.below[x]; s != nil {
		return s
	}
	s := t.none
	if i, ok := t.index[x]; ok {
		s = newSet(len(t.vars))
		s.add(i)
	}
	for _, a := range t.Args(x) {
		s = t.union(s, t.mentions(a))
	}
	t.below[x] = s
	return s
}

// union returns x ∪ y, which is x or y itself if it can be.
func (t *terms) union(x, y set) set {
	switch {
	case y.in(x):
		return x
	case x.in(y):
		return y
	}
	z := append(set(nil), x...)
	for i, w := range y {
		z[i] |= w
	}
	return z
}

// after returns the variable for the value that a havoc gives to program
// variable i.
func (t *terms) after(i int) formula.Term {
	if t.prime[i] == 0 {
		t.prime[i] = t.Var(t.Width(t.vars[i]), t.Name(t.vars[i])+"'")
	}
	return t.prime[i]
}

// replace returns x with the variables that m holds replaced.
func (t *terms) replace(x formula.Term, m map[formula.Term]formula.Term) formula.Term {
	if len(m) == 0 {
		return x
	}
	clear(t.memo)
	return t.rewrite(x, m)
}

func (t *terms) rewrite(x formula.Term, m map[formula.Term]formula.Term) formula.Term {
	if y, ok := t.memo[x]; ok {
		return y
	}
	y := x
	if t.Op(x) == formula.OpVar {
		if z, ok := m[x]; ok {
			y = z
		}
	} else if n := t.NumArgs(x); n > 0 {
		var args [3]formula.Term
		same := true
		for i, a := range t.Args(x) {
			args[i] = t.rewrite(a, m)
			same = same && args[i] == a
		}
		if !same {
			y = t.Make(t.Op(x), t.Width(x), t.Low(x), args[:n]...)
		}
	}
	t.memo[x] = y
	return y
}

// size returns the number of terms below x, each once, or limit if there are
// more.
func (t *terms) size(x formula.Term, limit int) int {
	seen := map[formula.Term]bool{x: true}
	stack := []formula.Term{x}
	for len(stack) > 0 && len(seen) < limit {
		y := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		for _, a := range t.Args(y) {
			if !seen[a] {
				seen[a] = true
				stack = append(stack, a)
			}
		}
	}
	return len(seen)
}

// conjuncts appends the conjuncts of the proposition x to dst.
func (t *terms) conjuncts(dst []formula.Term, x formula.Term) []formula.Term {
	if t.Width(x) == 1 && t.Op(x) == formula.OpAnd {
		return t.conjuncts(t.conjuncts(dst, t.Arg(x, 0)), t.Arg(x, 1))
	}
	return append(dst, x)
}

// disjuncts appends the disjuncts of the proposition x to dst.
func (t *terms) disjuncts(dst []formula.Term, x formula.Term) []formula.Term {
	if t.Op(x) == formula.OpNot && t.Width(x) == 1 {
		first := len(dst)
		dst = t.conjuncts(dst, t.Arg(x, 0))
		for i := first; i < len(dst); i++ {
			dst[i] = t.Not(dst[i])
		}
		return dst
	}
	return append(dst, x)
}
