package formula

import (
	"context"
	"slices"

	"github.com/go-amend/amend/formula/sat"
)

// A Solver decides terms of one Store on one SAT solver. Terms become
// circuits by bit-blasting, each only once, when first needed. Circuits of
// equal structure are one, also if definitions hide that from the terms.
type Solver struct {
	s      sat.Solver
	g      *clauseGates
	b      *Blaster
	ev     *Evaluator // of the model of the last Check
	checks int
	assume []Term    // of the last Check
	lits   []sat.Lit // theirs
	core   []sat.Lit

	// Scratch of Assert, and the conjunctions that hold by now.
	stack  []Term
	clause []sat.Lit
	holds  map[Term]bool
}

// NewSolver returns a solver that decides terms of st with s, of which it
// becomes the only owner; the caller may add clauses over literals that Lit
// and Bits return, and over variables of its own.
func NewSolver(st *Store, s sat.Solver) *Solver {
	g := newClauseGates(s)
	f := &Solver{s: s, g: g, b: NewBlaster(st, g), holds: make(map[Term]bool)}
	f.ev = NewEvaluator(st, f.variable)
	f.ev.defs = &f.b.defs
	return f
}

// Stats counts what a Solver has given to its SAT solver.
type Stats struct{ Vars, Clauses, Checks int }

// Stats returns the counts so far. They don't include what the caller adds
// itself.
func (f *Solver) Stats() Stats { return Stats{f.g.vars, f.g.clauses, f.checks} }

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
// value, which must not depend on name. This costs no clauses: the bits of
// name are those of value, so that constants and equal circuits are seen
// through it.
func (f *Solver) Define(name, value Term) {
	f.b.Define(name, value)
}

// DefineGuarded is Define for a name that equals value[i] wherever the
// proposition when[i] holds: by clauses for each bit, the guarded
// implications of AllRepair.
func (f *Solver) DefineGuarded(name Term, when, value []Term) {
	f.b.undefined(name)
	f.Constrain(name, when, value)
}

// Constrain adds that t equals value[i] wherever the proposition when[i]
// holds, by clauses for each bit.
func (f *Solver) Constrain(t Term, when, value []Term) {
	x := f.b.Bits(t)
	for i, c := range when {
		on := f.Lit(c).Not()
		for j, m := range f.b.Bits(value[i]) {
			f.g.clause(on, x[j], m.Not())
			f.g.clause(on, x[j].Not(), m)
		}
	}
}

// Assert adds that the proposition p holds. The conjuncts of p are asserted
// one by one, and a disjunction becomes one clause, without gates.
func (f *Solver) Assert(p Term) {
	f.stack = append(f.stack[:0], p)
	for len(f.stack) > 0 {
		x := f.b.meaning(f.stack[len(f.stack)-1])
		f.stack = f.stack[:len(f.stack)-1]
		switch n := &f.b.st.nodes[x]; {
		case n.width != 1:
			panic("formula: Assert of a term that is no proposition")
		case n.op == OpAnd:
			if !f.holds[x] {
				f.holds[x] = true
				f.stack = append(f.stack, n.args[1], n.args[0])
			}
		case f.disjunction(x):
			f.assertAny(x)
		default:
			f.g.clause(f.Lit(x))
		}
	}
}

// disjunction reports whether x is the negation of a conjunction that has
// no gate yet.
func (f *Solver) disjunction(x Term) bool {
	n := &f.b.st.nodes[x]
	return n.op == OpNot && f.conjunction(n.args[0])
}

func (f *Solver) conjunction(x Term) bool {
	return f.b.st.nodes[x].op == OpAnd && !f.b.translated(x)
}

// assertAny asserts the disjunction x: of the conjunction tree that x
// negates, not all leaves hold.
func (f *Solver) assertAny(x Term) {
	seen := make(map[Term]bool)
	f.clause = f.clause[:0]
	base := len(f.stack) // of the conjuncts that wait in Assert
	f.stack = append(f.stack, f.b.st.nodes[x].args[0])
	for len(f.stack) > base {
		y := f.stack[len(f.stack)-1]
		f.stack = f.stack[:len(f.stack)-1]
		if y = f.b.meaning(y); seen[y] {
			continue
		}
		seen[y] = true
		if n := &f.b.st.nodes[y]; f.conjunction(y) {
			f.stack = append(f.stack, n.args[1], n.args[0])
		} else {
			f.clause = append(f.clause, f.Lit(y).Not())
		}
	}
	f.g.simplified(f.clause)
}

// Check decides what was asserted together with the propositions assume,
// which it then forgets. If ctx ends first, also while circuits are made, it
// returns Unknown and ctx's cause.
func (f *Solver) Check(ctx context.Context, assume ...Term) (sat.Status, error) {
	f.assume = append(f.assume[:0], assume...)
	f.lits = f.lits[:0]
	err := f.Within(ctx, func() {
		for _, p := range assume {
			f.lits = append(f.lits, f.Lit(p)) // stopped between two terms, the circuit is sound
		}
	})
	if err != nil {
		f.ev.Reset()
		return sat.Unknown, err
	}
	return f.Solve(ctx, f.lits...)
}

// Within calls add, which adds to f, and ends it soon after ctx ends. Then it
// returns ctx's cause, and what was asserted or constrained last may be in f
// or not, or in parts: f is of no more use.
func (f *Solver) Within(ctx context.Context, add func()) (err error) {
	if ctx.Done() == nil || f.b.poll != nil { // there is one around
		add()
		return nil
	}
	defer func() {
		f.b.poll = nil
		if x := recover(); x == interrupted {
			err = context.Cause(ctx)
		} else if x != nil {
			panic(x)
		}
	}()
	f.b.poll = func() {
		if ctx.Err() != nil {
			panic(interrupted)
		}
	}
	add()
	return nil
}

// interrupted is what Within panics with.
var interrupted = new(struct{ byte })

// Solve is Check for literals. Core is not defined after it; that of SAT is.
func (f *Solver) Solve(ctx context.Context, assume ...sat.Lit) (sat.Status, error) {
	f.checks++
	f.ev.Reset()
	return f.s.Solve(ctx, assume...)
}

// Value returns the value of x in the model of the last Check or Solve,
// which must have returned Sat. Variables that the query doesn't mention
// are 0.
func (f *Solver) Value(x Term) uint64 { return f.ev.Eval(x) }

// variable returns the value of the variable v in the model. The solver's
// evaluator sees through definitions, so v has none.
func (f *Solver) variable(v Term) uint64 {
	if !f.b.translated(v) {
		return 0
	}
	var u uint64
	for i, m := range f.b.bits(v) {
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
	f.core = f.s.Core(f.core[:0])
	slices.Sort(f.core)
	for i, p := range f.assume {
		if j, ok := slices.BinarySearch(f.core, f.lits[i]); ok {
			dst = append(dst, p)
			f.core = slices.Delete(f.core, j, j+1) // one term for each literal
		}
	}
	return dst
}
