package relation

import (
	"context"
	"errors"

	"github.com/go-amend/amend/formula/sat"
)

// This file holds the Solver's relations and queries.

// A Solver translates expressions over one Bounds to circuits, and decides
// formulas on a SAT solver. It translates a node once for each binding of the
// variables that occur in it, so that formulas that share nodes share circuits.
// Circuits become clauses when Lit or Assert first needs them.
//
// It also keeps up to 64 instances and knows every circuit's value in each of
// them at no further cost: see Remember.
type Solver struct {
	// MaxGates limits the circuits, and the nodes that may be translated to a
	// tenth of it. Beyond it translation fails with ErrTooLarge. 0 means 8
	// million: half a gigabyte, and three if all become clauses.
	MaxGates int

	// Stop, if not nil, is asked every few thousand steps of a translation. Its
	// error ends it and is returned.
	Stop func() error

	b        *Bounds
	u        *Universe
	c        *circuit
	sat      sat.Solver
	rels     map[*Relation][]*matrix // in each state; of one that doesn't vary one
	lits     []sat.Lit               // of circuit nodes, 0 if there is none yet
	infos    map[Node]*info
	vars     map[*Var]int32
	env      []*matrix // values of variables by their number
	atoms    []*matrix // singletons
	free     freeVars
	matrices int32
	scratch  []Gate
	kept     int
	steps    int                // since Stop was asked
	watch    func(Node, result) // is told arbitrary values as they are made; or nil

	now      moment
	loops    []Gate // that a state is the one after the last
	loopVars []Gate // the variables of loops: the first that is true says which
	natures  timing
}

// NewSolver returns a solver for formulas over b that decides with s, of which
// it becomes the owner. Relations bound in b later are known to it.
func NewSolver(b *Bounds, s sat.Solver) *Solver {
	return &Solver{
		b: b, u: b.Universe, c: newCircuit(), sat: s,
		rels: map[*Relation][]*matrix{}, infos: map[Node]*info{}, vars: map[*Var]int32{},
		free: freeVars{map[Node][]*Var{}}, natures: timing{b: b, memo: map[Node]nature{}},
	}
}

// gatesPerNode is how many gates take as much memory as what is known about one
// node.
const gatesPerNode = 10

// ErrTooLarge says that a translation exceeded MaxGates.
var ErrTooLarge = errors.New("relation: the circuits grow too large")

// ErrHigherOrder says that a formula quantifies over sets where Skolemize can't
// remove the quantifier.
var ErrHigherOrder = errors.New("relation: quantifier over sets that no skolem relation can replace")

// Bounds returns the bounds.
func (s *Solver) Bounds() *Bounds { return s.b }

// SAT returns the solver underneath.
func (s *Solver) SAT() sat.Solver { return s.sat }

// relation returns the matrix of r now, whose undetermined tuples are variables.
func (s *Solver) relation(r *Relation) *matrix {
	ms := s.states(r)
	if len(ms) == 1 {
		return ms[0]
	}
	return ms[s.now.state]
}

// states returns the matrices of r in the states, one if it doesn't vary.
func (s *Solver) states(r *Relation) []*matrix {
	if ms, ok := s.rels[r]; ok {
		return ms
	}
	ms := []*matrix{s.newRelation(r)}
	for len(ms) < s.b.steps && s.b.varying[r] {
		ms = append(ms, s.newRelation(r))
	}
	s.rels[r] = ms
	return ms
}

func (s *Solver) newRelation(r *Relation) *matrix {
	upper, ok := s.b.upper[r]
	if !ok {
		panic("relation: " + r.Name + " is not bound")
	}
	lower := s.b.lower[r]
	cells := make([]cell, upper.Len())
	for i, t := range upper.tuples {
		g := gateTrue
		if !lower.has(t) {
			g = s.c.newVar()
		}
		cells[i] = cell{t, g}
	}
	return s.matrix(r.Width, cells)
}

// Tuple returns the gate that says whether r holds the tuple, in the first state.
func (s *Solver) Tuple(r *Relation, t ...Atom) Gate { return s.relation(r).at(pack(t)) }

// Free returns the gates of r's tuples that are not determined by its bounds,
// in order, state by state.
func (s *Solver) Free(r *Relation) []Gate {
	var gs []Gate
	for _, m := range s.states(r) {
		for _, c := range m.cells {
			if c.g != gateTrue {
				gs = append(gs, c.g)
			}
		}
	}
	return gs
}

// Gate returns the circuit of f, which must be closed.
func (s *Solver) Gate(f Formula) (g Gate, err error) {
	defer fail(&err)
	s.begin(f)
	return s.formula(f), nil
}

// fail turns a panic that ends a translation into its error.
func fail(err *error) {
	if r := recover(); r != nil {
		if s, ok := r.(stopped); ok {
			*err = s.error
			return
		}
		e, ok := r.(error)
		if !ok || e != ErrTooLarge && e != ErrHigherOrder {
			panic(r)
		}
		*err = e
	}
}

// stopped is the panic of an error of Stop.
type stopped struct{ error }

// every is after how many steps Stop is asked.
const every = 1 << 14

// step counts n steps of a translation, which panics if Stop says so.
func (s *Solver) step(n int) {
	if s.steps += n; s.steps < every || s.Stop == nil {
		return
	}
	s.steps = 0
	if err := s.Stop(); err != nil {
		panic(stopped{err})
	}
}

// StopWith makes ctx's end stop translations.
func (s *Solver) StopWith(ctx context.Context) {
	s.Stop = func() error {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		return nil
	}
}

// And returns the conjunction of gates.
func (s *Solver) And(gs ...Gate) Gate { return s.c.andN(append([]Gate(nil), gs...)) }

// Or returns the disjunction of gates.
func (s *Solver) Or(gs ...Gate) Gate { return s.And(nots(gs)...).Not() }

func nots(gs []Gate) []Gate {
	rs := make([]Gate, len(gs))
	for i, g := range gs {
		rs[i] = g.Not()
	}
	return rs
}

// Assert adds that f holds.
func (s *Solver) Assert(f Formula) error {
	g, err := s.Gate(f)
	if err == nil {
		s.AssertGate(g)
	}
	return err
}

// Solve decides what was asserted together with the assumptions.
func (s *Solver) Solve(ctx context.Context, assume ...Gate) (sat.Status, error) {
	lits := make([]sat.Lit, len(assume))
	for i, g := range assume {
		lits[i] = s.Lit(g)
	}
	return s.sat.Solve(ctx, lits...)
}

// Instance returns the values of the relations in the model of the last Solve,
// which must have returned Sat. Tuples that no query mentions are not there.
func (s *Solver) Instance() *Instance {
	in := NewInstance(s.b)
	for _, r := range s.b.rels {
		for i, m := range s.states(r) {
			set := &Set{arity: r.Width}
			for _, c := range m.cells {
				if s.holds(c.g) {
					set.tuples = append(set.tuples, c.t)
				}
			}
			in.PutAt(i, r, set)
		}
	}
	for i, g := range s.loopVars {
		if s.holds(g) {
			in.loop = i
			break
		}
	}
	return in
}

func (s *Solver) holds(g Gate) bool {
	if g>>1 == 0 {
		return g == gateTrue
	}
	m := s.litOf(g)
	return m != 0 && s.sat.Value(m)
}

// Is returns the gate that is true in just the given instance of the relations
// that it gives values.
func (s *Solver) Is(in *Instance) Gate { return s.c.andN(s.Assignment(in)) }

// Assignment returns the gates whose conjunction is Is.
func (s *Solver) Assignment(in *Instance) []Gate {
	var gs []Gate
	for _, r := range s.b.rels {
		if in.sets[r] == nil {
			continue
		}
		for i, m := range s.states(r) {
			set := in.GetAt(i, r)
			for _, c := range m.cells {
				if g := c.g; g != gateTrue {
					if !set.has(c.t) {
						g = g.Not()
					}
					gs = append(gs, g)
				}
			}
		}
	}
	return s.loopsAt(in.loop, gs)
}

// MaxKept is how many instances a Solver can remember.
const MaxKept = 64

// Remember adds in to the instances in which On gives values, and returns its
// number: 0, 1, ... It takes time linear in the circuits so far. It panics if
// there are MaxKept already.
func (s *Solver) Remember(in *Instance) int {
	if s.kept == MaxKept {
		panic("relation: more than 64 instances")
	}
	i := s.kept
	s.kept++
	bit := uint64(1) << i
	for _, r := range s.b.rels {
		if in.sets[r] == nil {
			continue
		}
		for i, m := range s.states(r) {
			set := in.GetAt(i, r)
			for _, c := range m.cells {
				if c.g != gateTrue {
					s.c.fix(c.g, bit, set.has(c.t))
				}
			}
		}
	}
	for _, g := range s.loopsAt(in.loop, nil) {
		s.c.fix(g, bit, true)
	}
	s.c.refresh()
	return i
}

// Kept returns the number of instances remembered.
func (s *Solver) Kept() int { return s.kept }

// On returns for each remembered instance, as bits from the lowest, whether g
// may be true and whether it may be false in it. Both may hold only if g
// depends on an AnyExpr or AnyFormula, or on relations without a value there;
// they may then both be claimed wrongly.
func (s *Solver) On(g Gate) (one, zero uint64) {
	v := s.c.val(g)
	m := ^uint64(0) >> (64 - s.kept)
	if s.kept == 0 {
		m = 0
	}
	return v.one & m, v.zero & m
}

// Find returns an instance of f within b, or nil if there is none. Symmetric
// instances are left out, f's outermost existential quantifiers are skolemized:
// the instance's own bounds have their relations. The evaluator has checked it.
// It is a trace of as many states as the bounds say: see FindShortest.
func Find(ctx context.Context, b *Bounds, f Formula, e sat.Solver) (*Instance, error) {
	g, b := Skolemize(f, b)
	s := NewSolver(b, e)
	s.StopWith(ctx)
	if err := s.Assert(g); err != nil {
		return nil, err
	}
	s.AssertGate(s.Symmetry(0))
	switch status, err := s.Solve(ctx); status {
	case sat.Unknown:
		return nil, err
	case sat.Unsat:
		return nil, nil
	}
	in := s.Instance()
	return in, Confirm(in, g)
}

// FindShortest returns what Find does or, of bounds with a trace, an instance with as
// few states as possible. It asks newSolver for a solver for each number of states
// that it tries: doubled up to that of the bounds, which decides.
func FindShortest(ctx context.Context, b *Bounds, f Formula, newSolver func() sat.Solver) (*Instance, error) {
	for none, n := 0, min(1, b.steps); ; none, n = n, min(2*n, b.steps) {
		in, err := findOf(ctx, b, n, f, newSolver)
		if err != nil || in == nil && n < b.steps {
			if err != nil {
				return nil, err
			}
			continue
		}
		for k := none + 1; k < n && in != nil; k++ {
			if shorter, err := findOf(ctx, b, k, f, newSolver); shorter != nil || err != nil {
				return shorter, err
			}
		}
		return in, nil
	}
}

// findOf returns an instance of n states.
func findOf(ctx context.Context, b *Bounds, n int, f Formula, newSolver func() sat.Solver) (*Instance, error) {
	if n != b.steps {
		b = b.Clone()
		b.SetSteps(n)
	}
	return Find(ctx, b, f, newSolver())
}

// ErrUnconfirmed says that solver and evaluator contradict each other, which
// is a defect of this package.
var ErrUnconfirmed = errors.New("relation: internal error: an instance of the solver is none of the evaluator")

// Confirm returns an error unless the evaluator finds that f holds in in.
func Confirm(in *Instance, f Formula) error {
	ok, err := in.Eval(f, nil)
	if err == nil && !ok {
		err = ErrUnconfirmed
	}
	return err
}
