package incremental

import (
	"context"
	"slices"

	"github.com/go-amend/amend/formula"
	"github.com/go-amend/amend/formula/sat"
	"github.com/go-amend/amend/incremental/internal/bitset"
)

// This file finds predicates that rule out a way from the start to the error
// that only the abstraction has.

// refine decides whether the way from o on is one of the program: then it is
// a violation. Else it adds predicates. Only runs through the states of the
// obligations count, as Cimatti et al. have it: without these, which say where
// each block is left, queries about six blocks of a token ring took 20 s.
func (p *ic3) refine(ctx context.Context, o *obligation) (Status, error) {
	var trace []int
	var states []formula.Term
	for x := o; x.next != nil; x = x.next {
		trace, states = append(trace, x.by.letter), append(states, p.conjunction(x.cube))
	}
	f := p.e.form(trace, states)
	status, err := p.e.feasible(ctx, f)
	switch {
	case status == sat.Unknown:
		return Unknown, err
	case status == sat.Sat:
		p.model = p.e.model(f)
		return Violated, nil
	}
	p.Refinements++
	n := len(p.preds)
	for _, find := range []func(context.Context, *traceForm) error{p.fromAtoms, p.fromAnnotations} {
		if err := find(ctx, f); err != nil || len(p.preds) > n {
			return Unknown, err
		}
	}
	return Unknown, outOfPredicates
}

// add adds a predicate, unless it is one already, or not about what blocks
// read.
func (p *ic3) add(x formula.Term) {
	st := p.e.t.Store
	if st.Op(x) == formula.OpNot {
		x = st.Not(x)
	}
	_, known := p.number[x]
	if _, constant := st.Value(x); constant || known || !p.speaks(x) {
		return
	}
	p.number[x] = len(p.preds)
	p.preds = append(p.preds, x)
}

// speaks reports whether the proposition x is only about variables that blocks read, and no
// choices of theirs.
func (p *ic3) speaks(x formula.Term) bool {
	for _, v := range p.e.t.Store.Vars(nil, x) {
		i, ok := p.e.t.index[v]
		if _, read := slices.BinarySearch(p.reads, v); !ok || !read || p.e.c.Vars[i].Input {
			return false
		}
	}
	return true
}

// atoms calls yield with the propositions that x is made of.
func (p *ic3) atoms(x formula.Term, yield func(formula.Term)) {
	st := p.e.t.Store
	seen := map[formula.Term]bool{x: true}
	for todo := []formula.Term{x}; len(todo) > 0; {
		y := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if st.Width(y) == 1 && !p.connects(y) {
			yield(y)
		}
		for _, a := range st.Args(y) {
			if !seen[a] {
				seen[a] = true
				todo = append(todo, a)
			}
		}
	}
}

// connects reports whether the proposition x is one made of others.
func (p *ic3) connects(x formula.Term) bool {
	st := p.e.t.Store
	switch st.Op(x) {
	case formula.OpNot, formula.OpAnd, formula.OpXor, formula.OpIte, formula.OpConst:
		return true
	case formula.OpEq:
		return st.Width(st.Arg(x, 0)) == 1
	}
	return false
}

// A junction is a predicate that the state after one block of a way and that
// before the next agree on.
type junction struct {
	pred formula.Term
	at   int // the block after
}

// maxWeakest is the size of weakest preconditions that atoms are taken from.
const maxWeakest = 20_000

// fromAtoms adds predicates among the atoms of the weakest preconditions
// along a way: those that an unsatisfiable core of the abstract way needs, as
// Cimatti et al. do with interpolants. If they don't rule it out, it offers
// what atoms about choices come to in the runs of the abstract way, and at last
// shapes of the variables in them. If those don't either it adds none.
func (p *ic3) fromAtoms(ctx context.Context, f *traceForm) error {
	t, last := p.e.t, len(f.trace)-1
	a := newAbstractWay(p, f)
	chosen := bitset.New(len(p.e.c.Vars)) // with choices
	var open []junction                   // what is about choices too
	bad := t.True()
	for i := last; i > 0; i-- {
		l := f.trace[i]
		bad = a.inputs(i).Replace(t.And(t.precondition(l, bad), p.e.c.Letters[l].Guard))
		if t.size(bad, maxWeakest) >= maxWeakest {
			break
		}
		p.atoms(bad, func(x formula.Term) {
			if a.offer(x, i); !p.speaks(x) {
				chosen = t.union(chosen, t.mentions(x))
				open = append(open, junction{x, i})
			}
		})
	}
	for range maxDecisions {
		n := len(a.switches)
		if ok, err := a.addNeeded(ctx); ok || err != nil {
			return err
		}
		for _, j := range open {
			a.offer(a.decided(j), j.at)
		}
		if len(a.switches) == n {
			break
		}
	}
	for _, x := range p.shapes(chosen) {
		for i := 1; i <= last; i++ {
			a.offer(x, i)
		}
	}
	_, err := a.addNeeded(ctx)
	return err
}

// maxDecisions is how often atoms with their choices decided are offered, for
// as many abstract runs.
const maxDecisions = 12

// How many variables shapes takes, and how many low bits of each.
const (
	maxShaped  = 12
	shapedBits = 3
)

// shapes returns simple propositions about some variables: parity, alignment,
// sign, comparisons with each other and with constants of the program.
func (p *ic3) shapes(vars bitset.Set) []formula.Term {
	t := p.e.t
	var out []formula.Term
	of := slices.DeleteFunc(vars.List(), func(v int) bool { return p.e.c.Vars[v].Input })
	of = of[:min(len(of), maxShaped)]
	for _, v := range of {
		x := t.vars[v]
		w := t.Width(x)
		if w == 1 {
			out = append(out, x)
			continue
		}
		for k := range min(w, shapedBits) {
			out = append(out, t.Extract(x, k, k))
		}
		for _, k := range p.e.alignments(w) {
			out = append(out, t.Eq(t.Extract(x, k-1, 0), t.Const(k, 0)))
		}
		out = append(out, t.Slt(x, t.Const(w, 0)))
		for _, k := range p.e.constants(w, 0) {
			c := t.Const(w, k)
			out = append(out, t.Eq(x, c), p.e.less(v, x, c), p.e.less(v, c, x))
		}
		for _, u := range of {
			if y := t.vars[u]; u != v && t.Width(y) == w {
				out = append(out, t.Eq(x, y), p.e.less(v, x, y))
			}
		}
	}
	return out
}

// An abstractWay is a sequence of blocks of which each begins in a state that
// only agrees on predicates with the one that the block before ends in.
type abstractWay struct {
	p        *ic3
	trace    []int
	s        *formula.Solver
	copies   []*formula.Replacer // by block: of the variables before it
	switches []formula.Term      // of offers
	offers   map[junction]bool
	by       map[formula.Term]junction // switches
}

// newAbstractWay returns a way on which states agree on all predicates so
// far.
func newAbstractWay(p *ic3, f *traceForm) *abstractWay {
	e := p.e
	a := &abstractWay{
		p: p, trace: f.trace, s: formula.NewSolver(e.t.Store, e.cfg.NewSolver()),
		offers: make(map[junction]bool), by: make(map[formula.Term]junction),
	}
	for i, l := range f.trace {
		a.copies = append(a.copies, formula.NewReplacer(e.t.Store, func(v formula.Term) formula.Term {
			if k, ok := e.t.index[v]; ok {
				return e.versions.term(k, i)
			}
			return v
		}))
		a.s.Assert(a.copies[i].Replace(e.t.And(f.asked(e.t, i), e.c.Letters[l].Guard)))
	}
	for _, x := range p.preds {
		for i := 1; i < len(f.trace); i++ {
			a.s.Assert(a.agrees(junction{x, i}))
		}
	}
	return a
}

// offer offers x as a predicate at a junction, if it can be one and is none.
func (a *abstractWay) offer(x formula.Term, at int) {
	t, j := a.p.e.t, junction{x, at}
	_, known := a.p.number[x]
	if known || a.offers[j] || t.Op(x) == formula.OpConst || !a.p.speaks(x) {
		return
	}
	a.offers[j] = true
	on := t.Var(1, "on")
	a.s.Assert(t.Implies(on, a.agrees(j)))
	a.by[on] = j
	a.switches = append(a.switches, on)
}

// inputs returns what makes the inputs of the block at position i those of its
// copy.
func (a *abstractWay) inputs(i int) *formula.Replacer {
	e := a.p.e
	return formula.NewReplacer(e.t.Store, func(v formula.Term) formula.Term {
		if k, ok := e.t.index[v]; ok && e.c.Vars[k].Input {
			return e.versions.term(k, i)
		}
		return v
	})
}

// decided returns the atom of j as it is where its choices are decided as in
// the run that addNeeded found last.
func (a *abstractWay) decided(j junction) formula.Term {
	t := a.p.e.t
	memo := make(map[formula.Term]formula.Term)
	var visit func(x formula.Term) formula.Term
	visit = func(x formula.Term) formula.Term {
		y, ok := memo[x]
		switch {
		case ok:
			return y
		case t.Op(x) == formula.OpIte:
			c := a.s.Value(a.copies[j.at].Replace(t.Arg(x, 0)))
			y = visit(t.Arg(x, 2-int(c)))
		case t.NumArgs(x) == 0:
			y = x
		default:
			var args []formula.Term
			for _, z := range t.Args(x) {
				args = append(args, visit(z))
			}
			y = t.Make(t.Op(x), t.Width(x), t.Low(x), args...)
		}
		memo[x] = y
		return y
	}
	return visit(j.pred)
}

// addNeeded adds the predicates among those offered that rule the way out,
// and reports whether they do.
func (a *abstractWay) addNeeded(ctx context.Context) (bool, error) {
	status, err := a.s.Check(ctx, a.switches...)
	if status != sat.Unsat {
		return false, err
	}
	core, err := a.smaller(ctx, a.s.Core(nil))
	if err != nil {
		return false, err
	}
	for _, on := range core {
		a.p.add(a.by[on].pred)
	}
	return len(core) > 0, nil
}

// agrees returns that the states at a junction agree on its predicate.
func (a *abstractWay) agrees(j junction) formula.Term {
	t := a.p.e.t
	after := a.copies[j.at-1].Replace(t.precondition(a.trace[j.at-1], j.pred))
	return t.Not(t.Xor(after, a.copies[j.at].Replace(j.pred)))
}

// maxSwitchTrials is how many switches smaller tries to do without.
const maxSwitchTrials = 30

// smaller returns a part of core that is one still.
func (a *abstractWay) smaller(ctx context.Context, core []formula.Term) ([]formula.Term, error) {
	for i, tries := 0, 0; i < len(core) && tries < maxSwitchTrials; tries++ {
		rest := slices.Delete(slices.Clone(core), i, i+1)
		switch status, err := a.s.Check(ctx, rest...); status {
		case sat.Unsat:
			core = a.s.Core(nil)
			i = min(i, len(core))
		case sat.Sat:
			i++
		default:
			return nil, err
		}
	}
	return core, nil
}

// fromAnnotations adds the predicates that trace abstraction finds, and what
// they are made of.
func (p *ic3) fromAnnotations(ctx context.Context, f *traceForm) error {
	preds, err := p.e.annotate(ctx, f)
	if err != nil {
		return err
	}
	for _, x := range preds {
		if p.e.t.size(x, maxAnnotation) < maxAnnotation {
			p.add(x)
			p.atoms(x, p.add)
		}
	}
	return nil
}

// maxAnnotation is the size of predicates that are taken over whole.
const maxAnnotation = 200
