package formula

import (
	"context"
	"fmt"

	"github.com/go-amend/amend/formula/sat"
)

// A Solver decides terms of one Store on one SAT solver. Terms become
// circuits by bit-blasting, each only once, when first needed.
type Solver struct {
	s      sat.Solver
	g      *clauseGates
	b      *blaster
	ev     *Evaluator // of the model of the last Check
	lits   []sat.Lit
	assume []Term
	solves int
}

// NewSolver returns a solver that decides terms of st with s, of which it
// becomes the only owner; the caller may add clauses over literals that Lit
// and Bits return, and over variables of its own.
func NewSolver(st *Store, s sat.Solver) *Solver {
	g := newClauseGates(s)
	f := &Solver{s: s, g: g, b: newBlaster(st, g)}
	f.ev = NewEvaluator(st, f.variable)
	return f
}

// Stats counts what a Solver has given to its SAT solver.
type Stats struct{ Vars, Clauses, Checks int }

// Stats returns the counts so far. They don't include what the caller adds
// itself.
func (f *Solver) Stats() Stats { return Stats{f.g.vars, f.g.clauses, f.solves} }

// SAT returns the solver underneath.
func (f *Solver) SAT() sat.Solver { return f.s }

// Bits returns the literals of t's bits, least significant first. The
// caller must not modify the result.
func (f *Solver) Bits(t Term) []sat.Lit { return f.b.Bits(t) }

// Lit returns the literal of the proposition p.
func (f *Solver) Lit(p Term) sat.Lit {
	if f.b.st.Width(p) != 1 {
		panic("formula: Lit of a term that is no proposition")
	}
	return f.b.Bits(p)[0]
}

// Define makes name, a variable that this solver has not met yet, stand for
// value. This costs no clauses: the bits of name are those of value, so
// that constants and equal circuits are seen through it.
func (f *Solver) Define(name, value Term) {
	f.undefined(name)
	f.b.defs[name] = value
}

// DefineGuarded is Define for a name that equals value[i] wherever the
// proposition when[i] holds: by clauses for each bit, the guarded
// implications of AllRepair.
func (f *Solver) DefineGuarded(name Term, when, value []Term) {
	f.undefined(name)
	x := f.b.Bits(name)
	for i, c := range when {
		on := f.Lit(c).Not()
		for j, m := range f.b.Bits(value[i]) {
			f.g.clause(on, x[j], m.Not())
			f.g.clause(on, x[j].Not(), m)
		}
	}
}

func (f *Solver) undefined(name Term) {
	_, defined := f.b.defs[name]
	if f.b.st.Op(name) != OpVar || defined || int(name) < len(f.b.bits) && f.b.bits[name] != nil {
		panic(fmt.Sprintf("formula: Define of %v, which is no fresh variable", name))
	}
}

// Assert adds that the proposition p holds.
func (f *Solver) Assert(p Term) { f.g.clause(f.Lit(p)) }

// Check decides what was asserted together with the propositions assume,
// which it then forgets. If ctx ends first, it returns Unknown and ctx's
// cause.
func (f *Solver) Check(ctx context.Context, assume ...Term) (sat.Status, error) {
	f.assume = append(f.assume[:0], assume...)
	f.lits = f.lits[:0]
	for _, p := range assume {
		f.lits = append(f.lits, f.Lit(p))
	}
	return f.Solve(ctx, f.lits...)
}

// Solve is Check for literals. Core is not defined after it; that of SAT is.
func (f *Solver) Solve(ctx context.Context, assume ...sat.Lit) (sat.Status, error) {
	f.solves++
	f.ev.Reset()
	return f.s.Solve(ctx, assume...)
}

// Value returns the value of x in the model of the last Check or Solve,
// which must have returned Sat. Variables that the query doesn't mention
// are 0.
func (f *Solver) Value(x Term) uint64 { return f.ev.Eval(x) }

// variable returns the value of variable v in the model.
func (f *Solver) variable(v Term) uint64 {
	if d, ok := f.b.defs[v]; ok && (int(v) >= len(f.b.bits) || f.b.bits[v] == nil) {
		// Not translated; its definition may be over others that are.
		return f.b.st.Eval(d, f.variable)
	}
	if int(v) >= len(f.b.bits) {
		return 0
	}
	var u uint64
	for i, m := range f.b.bits[v] {
		if f.s.Value(m) {
			u |= 1 << i
		}
	}
	return u
}

// Core appends to dst a subset of the last assumptions that contradicts
// what was asserted. It need not be minimal. It is defined only if the last
// Check returned Unsat.
func (f *Solver) Core(dst []Term) []Term {
	used := make(map[sat.Lit]bool)
	for _, m := range f.s.Core(nil) {
		used[m] = true
	}
	for i, p := range f.assume {
		if used[f.lits[i]] {
			dst = append(dst, p)
		}
	}
	return dst
}
