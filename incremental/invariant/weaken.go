package invariant

import (
	"cmp"
	"slices"

	"github.com/go-amend/amend/formula"
	"github.com/go-amend/amend/formula/sat"
	"github.com/go-amend/amend/incremental/cfa"
	"github.com/go-amend/amend/incremental/proof"
)

// This file looks for weaker invariants than a proof has: for each loop a
// conjunction of what holds in all its cases, as little as is inductive and
// excludes the error. Between loops the code is of blocks, so that one query says
// whether a conjunction is kept.

// maxClaims bounds the propositions that are tried, for all loops together.
const maxClaims = 200

// A weakener weakens the invariants of the places between blocks.
type weakener struct {
	b      *cfa.Automaton // of blocks
	claims [][]formula.Term
	never  []bool // by state of b: no run gets there
	s      *implier
}

// weaken gives those states of a that are between blocks a single case, as weak as
// it finds one, or leaves a as it is.
func weaken(a *proof.Annotated, newSolver func() sat.Solver) {
	b, of := a.C, func(s int) int { return s }
	if !b.OfBlocks() {
		b = a.C.Blocks()
		of = b.Statement
	}
	w := &weakener{b, make([][]formula.Term, len(b.Edges)), make([]bool, len(b.Edges)), newImplier(b.Store, newSolver)}
	n := 0
	for s := range b.Edges {
		cases := a.Cases[of(s)]
		w.never[s] = len(cases) == 0
		w.claims[s] = w.common(cases)
		n += len(w.claims[s])
	}
	if n > maxClaims || !w.inductive() {
		return
	}
	for s := range b.Edges {
		longest := slices.Clone(w.claims[s])
		slices.SortStableFunc(longest, func(x, y formula.Term) int { return len(a.C.Text(y)) - len(a.C.Text(x)) })
		for _, x := range longest {
			w.drop(s, x)
		}
	}
	for s := range b.Edges {
		if !w.never[s] && s != b.Start && s != b.Error {
			a.Cases[of(s)] = [][]formula.Term{w.claims[s]}
		}
	}
}

// common returns the propositions of cases that all imply.
func (w *weakener) common(cases [][]formula.Term) []formula.Term {
	var out []formula.Term
	for _, c := range cases {
		for _, x := range c {
			fails := func(d []formula.Term) bool { return !slices.Contains(d, x) && !w.s.implies(d, x) }
			if !slices.Contains(out, x) && !slices.ContainsFunc(cases, fails) {
				out = append(out, x)
			}
		}
	}
	return out
}

// inductive reports whether all blocks keep the claims.
func (w *weakener) inductive() bool {
	for s := range w.b.Edges {
		if !w.kept(s) {
			return false
		}
	}
	return true
}

// drop leaves out the claim x at state s if the blocks from there keep theirs
// without it.
func (w *weakener) drop(s int, x formula.Term) {
	all := w.claims[s]
	w.claims[s] = slices.DeleteFunc(slices.Clone(all), func(y formula.Term) bool { return y == x })
	if !w.kept(s) {
		w.claims[s] = all
	}
}

// kept reports whether the blocks from s lead to what is claimed where they end.
func (w *weakener) kept(s int) bool {
	if w.never[s] {
		return true
	}
	st := w.b.Store
	for _, e := range w.b.Edges[s] {
		l := w.b.Letters[e.Letter]
		values := make(map[formula.Term]formula.Term)
		for i, v := range l.Vars {
			values[w.b.Vars[v].Term] = l.Values[i]
		}
		after := st.AndN(w.claims[e.To]...)
		if e.To == w.b.Error || w.never[e.To] {
			after = st.False()
		}
		before := formula.NewReplacer(st, func(v formula.Term) formula.Term { return cmp.Or(values[v], v) }).Replace(after)
		if !w.s.implies(append(slices.Clone(w.claims[s]), l.Guard), before) {
			return false
		}
	}
	return true
}
