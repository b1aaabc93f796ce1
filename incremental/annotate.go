package incremental

import (
	"context"
	"slices"

	"github.com/go-amend/amend/formula"
	"github.com/go-amend/amend/incremental/cfa"
)

// This file finds predicates that show a trace to be infeasible.

// An Annotator finds predicates that show a trace of c to be infeasible:
// propositions over the variables of c. They need not be in the order of the
// trace. The automaton built from them must accept the trace, else the proof
// attempt ends. The built-in annotator is used where it returns none.
type Annotator interface {
	Annotate(ctx context.Context, c *cfa.Automaton, trace []int) ([]formula.Term, error)
}

// annotate is the built-in annotator: trace interpolation after Dietsch,
// Heizmann, Musa, Nutz, Podelski (ESEC/FSE 2017), backwards only. An
// unsatisfiable core says which letters matter; weakest preconditions of the
// others' relaxations are the predicates. Two cores, one that prefers late
// letters and one that prefers early ones, give two sequences.
func (e *engine) annotate(ctx context.Context, f *traceForm) ([]formula.Term, error) {
	if e.annotator != nil {
		if ps, err := e.annotator.Annotate(ctx, e.c, f.trace); len(ps) > 0 || err != nil {
			return ps, err
		}
	}
	var preds []formula.Term
	found := false
	for _, front := range [...]bool{true, false} {
		core, err := e.core(ctx, f, front)
		if err != nil {
			return nil, err
		}
		ps, ok, err := e.backwards(ctx, f, core)
		if err != nil {
			return nil, err
		}
		found = found || ok
		preds = append(preds, ps...)
	}
	if found {
		return preds, nil
	}
	all := make([]int, len(f.trace))
	for i := range all {
		all[i] = i
	}
	ps, _, err := e.backwards(ctx, f, all)
	return append(preds, ps...), err
}

// maxPredicate is the size of predicates.
const maxPredicate = 3000

// backwards returns the predicates of a trace of which only the letters at
// core matter: the negations of the states from which the error can be
// reached. It reports false if they don't reach back to the start.
func (e *engine) backwards(ctx context.Context, f *traceForm, core []int) ([]formula.Term, bool, error) {
	var preds []formula.Term
	bad := e.t.True()
	for i := len(f.trace) - 1; i >= 0; i-- {
		letter := e.c.Letters[f.trace[i]]
		_, kept := slices.BinarySearch(core, i)
		x, ok, err := e.before(ctx, f, i, letter, kept, bad)
		switch {
		case !ok || err != nil:
			return preds, false, err
		case x == bad:
			continue
		}
		bad = x
		empty, err := e.empty(ctx, bad)
		if err != nil || empty {
			return preds, empty, err
		}
		if bad != e.t.True() {
			preds = append(preds, e.t.Not(bad))
		}
		if e.t.size(bad, maxPredicate) >= maxPredicate {
			return preds, false, nil
		}
	}
	return preds, false, nil
}

// empty reports whether no state satisfies x.
func (e *engine) empty(ctx context.Context, x formula.Term) (bool, error) {
	if v, ok := e.t.Value(x); ok {
		return v == 0, nil
	}
	sat, err := e.consistent(ctx, x)
	return !sat, err
}

// consistent decides a query about predicates.
func (e *engine) consistent(ctx context.Context, ts ...formula.Term) (bool, error) {
	before := e.o.calls
	ok, err := e.o.consistent(ctx, ts...)
	e.stats.PredicateCalls += e.o.calls - before
	return ok, err
}

// before returns the states from which letter, at position i of f, leads to
// bad. A letter that is not kept is relaxed: an assumption to nothing, an
// assignment to a havoc, unless eliminating its variables is too hard.
func (e *engine) before(ctx context.Context, f *traceForm, i int, letter *cfa.Letter, kept bool, bad formula.Term) (formula.Term, bool, error) {
	if kept {
		bad = e.t.And(e.t.replace(bad, e.assigned(f.trace[i])), e.t.And(f.asked(e.t, i), letter.Guard))
	} else {
		for k, v := range letter.Vars {
			if !e.t.mentions(bad).Has(v) {
				continue
			}
			x, ok, err := e.eliminate(ctx, bad, v)
			if err != nil {
				return 0, false, err
			}
			if !ok || e.t.size(x, maxPredicate) > 2*e.t.size(bad, maxPredicate)+40 {
				// Keeping the rest of the assignment is exact.
				m := make(map[formula.Term]formula.Term)
				for j := k; j < len(letter.Vars); j++ {
					m[e.t.vars[letter.Vars[j]]] = letter.Values[j]
				}
				bad = e.t.replace(bad, m)
				break
			}
			bad = x
		}
	}
	for _, v := range letter.Havoc {
		if !e.t.mentions(bad).Has(v) {
			continue
		}
		x, ok, err := e.eliminate(ctx, bad, v)
		if err == nil && !ok {
			x, ok, err = e.weaken(ctx, f, i, bad, v)
		}
		if !ok || err != nil {
			return 0, false, err
		}
		bad = x
	}
	return bad, true, nil
}

// assigned returns what replaces the variables that letter l assigns.
func (e *engine) assigned(l int) map[formula.Term]formula.Term {
	if len(e.c.Letters[l].Vars) == 0 {
		return nil // what a havoc gives is eliminated
	}
	return e.t.subst[l]
}

// weaken returns bad without the conjuncts that mention variable v, if the
// letters of f before position i still can't get there.
func (e *engine) weaken(ctx context.Context, f *traceForm, i int, bad formula.Term, v int) (formula.Term, bool, error) {
	rest := e.t.True()
	for _, c := range e.t.conjuncts(nil, bad) {
		if !e.t.mentions(c).Has(v) {
			rest = e.t.And(rest, c)
		}
	}
	query := slices.Clone(f.constraints[:i])
	query = append(query, e.t.replace(rest, e.valuesAt(f.trace[:i])))
	ok, err := e.consistent(ctx, query...)
	return rest, !ok, err
}

// valuesAt returns the versions of variables after a trace.
func (e *engine) valuesAt(trace []int) map[formula.Term]formula.Term {
	m := make(map[formula.Term]formula.Term)
	n := make([]int, len(e.c.Vars))
	for _, l := range trace {
		for _, vs := range [...][]int{e.c.Letters[l].Vars, e.c.Letters[l].Havoc} {
			for _, v := range vs {
				n[v]++
			}
		}
	}
	for v := range n {
		m[e.t.vars[v]] = e.versions.term(v, n[v])
	}
	return m
}
