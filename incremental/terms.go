package incremental

import (
	"cmp"

	"github.com/go-amend/amend/formula"
	"github.com/go-amend/amend/incremental/cfa"
	"github.com/go-amend/amend/incremental/internal/bitset"
)

// This file holds what the search needs of terms beyond package formula: which
// variables of the program they mention, and weakest preconditions.

// terms is the store of a control-flow automaton, with what its letters do to
// terms.
type terms struct {
	*formula.Store
	c      *cfa.Automaton
	vars   []formula.Term       // of the program, by number
	index  map[formula.Term]int // their numbers
	below  []bitset.Set         // by Term: the program variables below it; nil if not known yet
	none   bitset.Set
	prime  []formula.Term                  // by number: the value after a havoc; 0 until needed
	writes []bitset.Set                    // by letter
	subst  []map[formula.Term]formula.Term // by letter: from variables written to their values
}

func newTerms(c *cfa.Automaton) *terms {
	n := len(c.Vars)
	t := &terms{Store: c.Store, c: c, index: make(map[formula.Term]int, n), none: bitset.New(n), prime: make([]formula.Term, n)}
	for i, v := range c.Vars {
		t.vars = append(t.vars, v.Term)
		t.index[v.Term] = i
	}
	for _, l := range c.Letters {
		writes, subst := bitset.New(n), make(map[formula.Term]formula.Term)
		for i, v := range l.Vars {
			writes.Add(v)
			subst[t.vars[v]] = l.Values[i]
		}
		for _, v := range l.Havoc {
			writes.Add(v)
			subst[t.vars[v]] = t.after(v)
		}
		t.writes, t.subst = append(t.writes, writes), append(t.subst, subst)
	}
	return t
}

// frame reports whether letter l writes nothing of what x mentions: then x
// holds after it where it did before.
func (t *terms) frame(l int, x formula.Term) bool { return !t.mentions(x).Meets(t.writes[l]) }

// precondition returns the condition before letter l for the proposition q to hold
// after, where l passes: its weakest precondition but for the guard. The
// values that a havoc gives are variables of their own.
func (t *terms) precondition(l int, q formula.Term) formula.Term {
	if t.frame(l, q) {
		return q
	}
	return t.replace(q, t.subst[l])
}

// mentions returns the program variables below x. The caller must not modify
// the result.
func (t *terms) mentions(x formula.Term) bitset.Set {
	if int(x) >= len(t.below) {
		t.below = append(t.below, make([]bitset.Set, t.Len()+t.Len()/4-len(t.below))...)
	}
	if s := t.below[x]; s != nil {
		return s
	}
	s := t.none
	if i, ok := t.index[x]; ok {
		s = bitset.New(len(t.vars))
		s.Add(i)
	}
	for _, a := range t.Args(x) {
		s = t.union(s, t.mentions(a))
	}
	t.below[x] = s
	return s
}

// union returns x ∪ y, which is x or y itself if it can be.
func (t *terms) union(x, y bitset.Set) bitset.Set {
	switch {
	case y.In(x):
		return x
	case x.In(y):
		return y
	}
	z := append(bitset.Set(nil), x...)
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
	return formula.NewReplacer(t.Store, func(v formula.Term) formula.Term { return cmp.Or(m[v], v) }).Replace(x)
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
