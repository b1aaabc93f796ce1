package model

import (
	"context"
	"errors"

	"github.com/go-amend/amend/formula/relation"
	"github.com/go-amend/amend/slice/rank"
)

// This file asks the commands of a model with changes.

// A question asks for an instance.
type question struct {
	bounds *relation.Bounds
	f      relation.Formula // with Skolem's relations, if it must
	want   bool             // there should be one
	world  *world           // nil if no circuit decides it
	silent bool             // its constraints are too large, or are none
}

// questions are those of a model: that of the check, that of the run, and others
// that have the answer that is wanted.
type questions struct {
	cfg    rank.Config
	all    []*question
	worlds []*world
	calls  int
}

// A world decides questions in the same bounds.
type world struct {
	bounds *relation.Bounds
	s      *relation.Solver
	sym    relation.Gate
	made   int // how often s was made anew
}

// newQuestions returns the questions of sp's model. What can't be decided is none
// of the others.
func newQuestions(ctx context.Context, sp *space, cfg rank.Config) (*questions, error) {
	qs := &questions{cfg: cfg}
	m := sp.m
	pass := m.Passing()
	own := []*question{{bounds: m.Check.Bounds, f: failing(&m.Check)}, {bounds: pass.Bounds, f: passing(pass), want: true}}
	for _, q := range own {
		if err := qs.add(ctx, sp, q); err != nil {
			return nil, err
		}
	}
	for _, x := range m.Others {
		if x.Implied {
			continue
		}
		q := &question{bounds: x.Bounds, f: x.Formula, want: x.Want}
		qs.calls++
		in, err := relation.Find(ctx, q.bounds, q.f, engine(cfg))
		if undecided(err) || err == nil && (in != nil) != q.want && !x.Must {
			continue
		}
		if err == nil {
			err = qs.add(ctx, sp, q)
		}
		if err != nil {
			return nil, err
		}
	}
	return qs, nil
}

// add prepares a question.
func (qs *questions) add(ctx context.Context, sp *space, q *question) error {
	qs.all = append(qs.all, q)
	w := qs.worldOf(ctx, q.bounds)
	_, err := w.s.Gate(q.f)
	if errors.Is(err, relation.ErrHigherOrder) {
		f, b := relation.Skolemize(q.f, q.bounds)
		if !sp.intact(q.f, f) {
			q.silent = true
			return nil
		}
		q.f, q.bounds = f, b
		w = qs.worldOf(ctx, b)
		_, err = w.s.Gate(f)
	}
	q.world = w
	return err
}

// intact reports whether the places in f are those in g.
func (sp *space) intact(f, g relation.Formula) bool {
	in := make(map[relation.Node]bool)
	relation.Walk(g, func(n relation.Node) bool { in[n] = true; return true })
	ok := true
	relation.Walk(f, func(n relation.Node) bool {
		_, place := sp.at[n]
		ok = ok && (!place || in[n])
		return ok
	})
	return ok
}

func (qs *questions) worldOf(ctx context.Context, b *relation.Bounds) *world {
	for _, w := range qs.worlds {
		if sameBounds(w.bounds, b) {
			return w
		}
	}
	w := &world{bounds: b}
	w.reset(ctx, qs.cfg)
	qs.worlds = append(qs.worlds, w)
	return w
}

// reset makes w's solver anew, without circuits.
func (w *world) reset(ctx context.Context, cfg rank.Config) {
	w.s = newSolver(ctx, w.bounds, cfg)
	w.sym = w.s.Symmetry(0)
	w.made++
}

// gate returns the circuit of f.
func (w *world) gate(ctx context.Context, cfg rank.Config, f relation.Formula) (relation.Gate, error) {
	w.s.StopWith(ctx)
	g, err := w.s.Gate(f)
	if errors.Is(err, relation.ErrTooLarge) { // perhaps by what others left there
		w.reset(ctx, cfg)
		g, err = w.s.Gate(f)
	}
	return g, err
}

// answer returns an instance of f, the formula of q with changes, or nil.
func (qs *questions) answer(ctx context.Context, q *question, f relation.Formula) (*relation.Instance, error) {
	qs.calls++
	if q.world == nil {
		return relation.Find(ctx, q.bounds, f, engine(qs.cfg))
	}
	g, err := q.world.gate(ctx, qs.cfg, f)
	if err != nil {
		return nil, err
	}
	in, err := solve(ctx, q.world.s, g, q.world.sym)
	if in == nil || err != nil {
		return nil, err
	}
	return in, relation.Confirm(in, f)
}

// A violation is an instance that a question should not have, or with no
// instance says that it has none.
type violation struct {
	question int // index in questions.all
	in       *relation.Instance
}

// violated returns how a model with the changes of c violates a question, or nil.
func (qs *questions) violated(ctx context.Context, c *composer) (*violation, error) {
	for i, q := range qs.all {
		in, err := qs.answer(ctx, q, c.formula(q.f))
		if err != nil {
			return nil, err
		}
		if (in != nil) != q.want {
			return &violation{i, in}, nil
		}
	}
	return nil, nil
}
