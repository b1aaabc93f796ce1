package model

import (
	"context"
	"errors"

	"github.com/go-amend/amend/formula"
	"github.com/go-amend/amend/formula/relation"
	"github.com/go-amend/amend/mutate/cegis"
	"github.com/go-amend/amend/slice/rank"
)

// This file decides sets of changes.

// An oracle decides the candidates of a space by questions, each of which must
// have an instance, or none.
//
// An instance that there must not be is a counterexample, which says exactly
// which candidates it refutes: the formula with selectors at its nodes is
// translated with the instance as the exact bounds, and becomes a proposition
// over the selectors alone. If there should be an instance and is none, what is
// learned is the formula with selectors in the question's bounds: a candidate is
// good if it has some instance. That is exact, too, so that a question teaches
// it once; if it is too large the candidate alone is blocked. Either way no
// candidate is proposed twice, and the search ends since they are finite.
type oracle struct {
	sp        *space
	cfg       rank.Config
	questions []*question
	worlds    []*world
	selector  []relation.Formula // by alternative
	selected  *composer          // with selectors
	calls     int
}

// A question asks for an instance.
type question struct {
	bounds *relation.Bounds
	f      relation.Formula // with Skolem's relations, if it must
	want   bool             // there should be one
	world  *world           // nil if no circuit decides it
	silent bool             // its lessons are too large, or are none
}

// A world decides questions in the same bounds.
type world struct {
	bounds *relation.Bounds
	s      *relation.Solver
	sym    relation.Gate
}

// newOracle returns the oracle of m's commands. Of the others it has those whose
// answer is as wanted; what can't be decided is none of them.
func newOracle(ctx context.Context, sp *space, cfg rank.Config) (*oracle, error) {
	o := &oracle{sp: sp, cfg: cfg, selector: make([]relation.Formula, len(sp.alts))}
	for k := range o.selector {
		o.selector[k] = &relation.AnyFormula{}
	}
	o.selected = sp.composer(o.select_)
	m := sp.m
	fails := &relation.Connective{Op: relation.And, Xs: []relation.Formula{m.Check.Premise(), &relation.Not{X: m.Check.Goal}}}
	pass := m.Passing()
	passes := &relation.Connective{Op: relation.And, Xs: []relation.Formula{pass.Premise(), pass.Goal}}
	for _, q := range []*question{{bounds: m.Check.Bounds, f: fails}, {bounds: pass.Bounds, f: passes, want: true}} {
		if err := o.add(ctx, q); err != nil {
			return nil, err
		}
	}
	for _, x := range m.Others {
		q := &question{bounds: x.Bounds, f: x.Formula, want: x.Want}
		o.calls++
		in, err := relation.Find(ctx, q.bounds, q.f, engine(cfg))
		if undecided(err) || err == nil && (in != nil) != q.want {
			continue
		}
		if err == nil {
			err = o.add(ctx, q)
		}
		if err != nil {
			return nil, err
		}
	}
	return o, nil
}

// add prepares a question.
func (o *oracle) add(ctx context.Context, q *question) error {
	o.questions = append(o.questions, q)
	w := o.worldOf(ctx, q.bounds)
	_, err := w.s.Gate(q.f)
	if errors.Is(err, relation.ErrHigherOrder) {
		f, b := relation.Skolemize(q.f, q.bounds)
		if !o.intact(q.f, f) {
			q.silent = true
			return nil
		}
		q.f, q.bounds = f, b
		w = o.worldOf(ctx, b)
		_, err = w.s.Gate(f)
	}
	q.world = w
	return err
}

// intact reports whether the places in f are those in g.
func (o *oracle) intact(f, g relation.Formula) bool {
	in := make(map[relation.Node]bool)
	relation.Walk(g, func(n relation.Node) bool { in[n] = true; return true })
	ok := true
	relation.Walk(f, func(n relation.Node) bool {
		_, place := o.sp.at[n]
		ok = ok && (!place || in[n])
		return ok
	})
	return ok
}

func (o *oracle) worldOf(ctx context.Context, b *relation.Bounds) *world {
	for _, w := range o.worlds {
		if sameBounds(w.bounds, b) {
			return w
		}
	}
	w := &world{bounds: b}
	w.reset(ctx, o.cfg)
	o.worlds = append(o.worlds, w)
	return w
}

// reset makes w's solver anew, without circuits.
func (w *world) reset(ctx context.Context, cfg rank.Config) {
	w.s = newSolver(ctx, w.bounds, cfg)
	w.sym = w.s.Symmetry(0)
}

// A violation is an instance that a question should not have, or with no
// instance says that it has none.
type violation struct {
	q  *question
	in *relation.Instance
}

// Refute asks all questions of a candidate.
func (o *oracle) Refute(ctx context.Context, c cegis.Candidate) (cegis.Verdict, error) {
	before := o.calls
	x, err := o.violated(ctx, c.Alternatives)
	v := cegis.Verdict{Good: x == nil, Calls: o.calls - before}
	if undecided(err) {
		return cegis.Verdict{Calls: v.Calls}, nil // what can't be decided is no repair
	}
	if x != nil && !x.q.silent {
		v.Counterexample, v.Own = x, true
	}
	return v, err
}

// violated returns how a candidate violates a question, or nil.
func (o *oracle) violated(ctx context.Context, alts []int) (*violation, error) {
	c := o.sp.with(alts)
	for _, q := range o.questions {
		in, err := o.answer(ctx, q, c.formula(q.f))
		if err != nil {
			return nil, err
		}
		if (in != nil) != q.want {
			return &violation{q, in}, nil
		}
	}
	return nil, nil
}

// answer returns an instance of f, the formula of q with changes, or nil.
func (o *oracle) answer(ctx context.Context, q *question, f relation.Formula) (*relation.Instance, error) {
	if q.world == nil {
		o.calls++
		return relation.Find(ctx, q.bounds, f, engine(o.cfg))
	}
	q.world.s.StopWith(ctx)
	g, err := q.world.s.Gate(f)
	if errors.Is(err, relation.ErrTooLarge) { // perhaps by what others left there
		q.world.reset(ctx, o.cfg)
		g, err = q.world.s.Gate(f)
	}
	if err != nil {
		return nil, err
	}
	o.calls++
	in, err := q.world.find(ctx, g)
	if in == nil || err != nil {
		return nil, err
	}
	return in, relation.Confirm(in, f)
}

// find returns an instance of g, or nil.
func (w *world) find(ctx context.Context, g relation.Gate) (*relation.Instance, error) {
	return solve(ctx, w.s, g, w.sym)
}

// maxLesson limits the circuits of a lesson.
const maxLesson = 400_000

// Good translates the question of a violation with selectors.
func (o *oracle) Good(ctx context.Context, v cegis.View, x cegis.Counterexample) (cegis.Lesson, error) {
	vio := x.(*violation)
	b := vio.q.bounds
	if vio.in != nil {
		b = exactly(vio.in)
	}
	s := relation.NewSolver(b, nil)
	s.MaxGates = maxLesson
	s.StopWith(ctx)
	g, err := s.Gate(o.selected.formula(vio.q.f))
	if undecided(err) {
		vio.q.silent = true
		err = cegis.ErrNoLesson
	}
	if err != nil {
		return cegis.Lesson{}, err
	}
	leaf, err := o.leaves(s, v)
	good := s.Terms(v.Store, leaf, g)[0]
	if vio.in != nil {
		good = v.Store.Not(good)
	}
	return cegis.Lesson{Good: good, Open: vio.in == nil}, err
}

// leaves returns what the variables of s's circuits are in v: selectors, and
// what there may be in an instance.
func (o *oracle) leaves(s *relation.Solver, v cegis.View) (func(relation.Gate) formula.Term, error) {
	chosen := make(map[relation.Gate]int, len(o.selector))
	for k, f := range o.selector {
		g, err := s.Gate(f)
		if err != nil {
			return nil, err
		}
		chosen[g] = k
	}
	return func(g relation.Gate) formula.Term {
		if k, ok := chosen[g]; ok {
			return v.Chosen(k)
		}
		return v.Store.Var(1, "tuple")
	}, nil
}

// exactly returns bounds in which in is the only instance.
func exactly(in *relation.Instance) *relation.Bounds {
	b := in.Bounds.Clone()
	for _, r := range b.Relations() {
		if set := in.Get(r); set != nil {
			b.Bind(r, set, set)
		}
	}
	return b
}
