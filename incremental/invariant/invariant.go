package invariant

import (
	"cmp"
	"context"
	"slices"

	"github.com/go-amend/amend/formula"
	"github.com/go-amend/amend/formula/sat"
	"github.com/go-amend/amend/incremental/internal/bitset"
	"github.com/go-amend/amend/incremental/proof"
	"github.com/go-amend/amend/ir"
)

// This file collects what holds at each statement.

// A Place is a statement with what holds whenever a run gets there: of a loop,
// whenever its condition is tested, or its body begins if that comes first.
type Place struct {
	Stmt ir.Stmt
	Proc *ir.Proc

	// Cases are conjunctions, of which one holds. No case at all: no run gets
	// there. An empty case: nothing is known.
	Cases [][]ir.Expr

	// Weaker says that something was left out that has no words in the source.
	Weaker bool

	// Next are the places that a run may come to next, in their order.
	Next []*Place

	open bool // a copy of the statement is not among those of the proof
}

// Loop reports whether the place is a loop.
func (x *Place) Loop() bool {
	_, ok := x.Stmt.(*ir.Loop)
	return ok
}

// Places returns what a proof says of the statements of p, in the order of the
// text: of those of them that have a text, and from which an assertion is
// reached. The proof is checked first, as by proof.Check. A statement of a
// procedure that is called from several places gets the cases of all.
func Places(ctx context.Context, p *ir.Program, proved *proof.Proof, newSolver func() sat.Solver) ([]*Place, error) {
	a, err := proof.Annotate(ctx, p, proved, newSolver)
	if err != nil {
		return nil, err
	}
	weaken(a, newSolver)
	procs := make(map[ir.Stmt]*ir.Proc)
	p.Stmts(func(f *ir.Proc, s ir.Stmt) { procs[s] = f })
	live := a.C.Live()
	var out []*Place
	by := make(map[text]*Place)
	at := make([][]*Place, len(a.C.Begin)) // by state
	for s, begin := range a.C.Begin {
		for _, x := range begin {
			if x.Span().IsZero() || procs[x] == nil {
				continue
			}
			_, loop := x.(*ir.Loop)
			key := text{x.Span(), loop}
			if by[key] == nil {
				by[key] = &Place{Stmt: x, Proc: procs[x]}
				out = append(out, by[key])
			}
			at[s] = append(at[s], by[key])
			if y := by[key]; y.Stmt == x || y.Proc != procs[x] {
				y.add(p, a, s, live[s], newSolver)
				y.open = y.open || a.C.Open[x]
			}
		}
	}
	out = slices.DeleteFunc(out, func(x *Place) bool { return x.open })
	slices.SortStableFunc(out, func(x, y *Place) int {
		a, b := x.Stmt.Span(), y.Stmt.Span()
		return cmp.Or(cmp.Compare(a.File, b.File), a.Start-b.Start, b.End-a.End)
	})
	link(a.C, at, out)
	return out, nil
}

// A text is what several statements may stand for: copies of one, in procedures
// that are copies of one, and what was made of one beside it. Of the latter the
// first counts.
type text struct {
	span ir.Span
	loop bool
}

// add adds the cases of state s, as far as they are about variables that are
// live there: of others nobody will need to know.
func (x *Place) add(p *ir.Program, a *proof.Annotated, s int, live bitset.Set, newSolver func() sat.Solver) {
	w := &writer{p: p, c: a.C, at: x, vars: make(map[formula.Term]int)}
	for i, v := range a.C.Vars {
		w.vars[v.Term] = i
	}
	var cases [][]formula.Term
	for _, c := range a.Cases[s] {
		c = slices.DeleteFunc(slices.Clone(c), func(y formula.Term) bool { return !w.lives(y, live) })
		cases = append(cases, independent(a.C.Store, c, newSolver))
	}
	for _, c := range weakest(a.C.Store, cases, newSolver) {
		var out []ir.Expr
		for _, y := range c {
			if e, ok := w.proposition(y, true); ok {
				out = append(out, e)
			} else {
				x.Weaker = true
			}
		}
		if !slices.ContainsFunc(x.Cases, func(d []ir.Expr) bool { return slices.EqualFunc(d, out, ir.EqualExpr) }) {
			x.Cases = append(x.Cases, out)
		}
	}
	if slices.ContainsFunc(x.Cases, func(c []ir.Expr) bool { return len(c) == 0 }) {
		x.Cases = [][]ir.Expr{nil}
	}
}

// maxCompared is how many propositions of a case, or cases, are compared with
// each other.
const maxCompared = 60

// independent returns the propositions xs without those that follow from the
// others.
func independent(st *formula.Store, xs []formula.Term, newSolver func() sat.Solver) []formula.Term {
	if len(xs) > maxCompared {
		return xs
	}
	s := newImplier(st, newSolver)
	left := slices.Clone(xs)
	for _, x := range slices.Backward(xs) {
		i := slices.Index(left, x)
		if rest := slices.Delete(slices.Clone(left), i, i+1); s.implies(rest, x) {
			left = rest
		}
	}
	return left
}

// weakest returns cases without those that imply another.
func weakest(st *formula.Store, cases [][]formula.Term, newSolver func() sat.Solver) [][]formula.Term {
	if len(cases) > maxCompared {
		return cases
	}
	s := newImplier(st, newSolver)
	left := slices.Clone(cases)
	for i := len(left) - 1; i >= 0; i-- {
		rest := slices.Delete(slices.Clone(left), i, i+1)
		if slices.ContainsFunc(rest, func(c []formula.Term) bool { return s.implies(left[i], st.AndN(c...)) }) {
			left = rest
		}
	}
	return left
}

// An implier decides implications, none of which matters: what it can't decide
// doesn't hold.
type implier struct {
	st *formula.Store
	s  *formula.Solver
}

// maxTicks bounds a query of an implier.
const maxTicks = 2_000_000

func newImplier(st *formula.Store, newSolver func() sat.Solver) *implier {
	if newSolver == nil {
		newSolver = sat.New
	}
	s := newSolver()
	if l, ok := s.(sat.Limited); ok {
		l.Limit(sat.Limits{Ticks: maxTicks})
	}
	return &implier{st, formula.NewSolver(st, s)}
}

func (s *implier) implies(given []formula.Term, x formula.Term) bool {
	status, _ := s.s.Check(context.Background(), append(slices.Clone(given), s.st.Not(x))...)
	return status == sat.Unsat
}

// Cond returns the place's cases as one expression, or nil if it says nothing.
// What all cases have in common comes first.
func (x *Place) Cond() ir.Expr {
	if len(x.Cases) == 0 {
		return &ir.Const{Typ: ir.Bool{}}
	}
	in := func(c []ir.Expr, e ir.Expr) bool {
		return slices.ContainsFunc(c, func(d ir.Expr) bool { return ir.EqualExpr(d, e) })
	}
	common := slices.DeleteFunc(slices.Clone(x.Cases[0]), func(e ir.Expr) bool {
		return slices.ContainsFunc(x.Cases, func(c []ir.Expr) bool { return !in(c, e) })
	})
	var some ir.Expr
	for _, c := range x.Cases {
		all := conjunction(slices.DeleteFunc(slices.Clone(c), func(e ir.Expr) bool { return in(common, e) }))
		if all == nil { // it says no more than what all have in common
			return conjunction(common)
		}
		some = join(ir.LOr, some, all)
	}
	return join(ir.LAnd, conjunction(common), some)
}

func conjunction(c []ir.Expr) ir.Expr { return joined(ir.LAnd, c) }

// joined returns list joined by op, or nil if it is empty.
func joined(op ir.Op, list []ir.Expr) ir.Expr {
	var out ir.Expr
	for _, e := range list {
		out = join(op, out, e)
	}
	return out
}

// join returns x and y joined by op; x may be nil.
func join(op ir.Op, x, y ir.Expr) ir.Expr {
	if x == nil {
		return y
	}
	return &ir.Binary{Op: op, X: x, Y: y}
}
