package incremental

import (
	"context"
	"slices"

	"github.com/go-amend/amend/formula"
	"github.com/go-amend/amend/formula/sat"
	"github.com/go-amend/amend/incremental/cfa"
)

// This file decides IC3's queries about one block, from one location to
// another, with solvers that know the block and the lemmas before it.

// A step is an edge of the automaton of blocks.
type step struct {
	p      *ic3
	from   int
	letter int
	l      *cfa.Letter
	ask    *formula.Solver // whether states are reached; nil if made anew
	posts  []formula.Term  // by predicate: the condition before the block for it to hold after; 0: not known yet
	levels []sat.Lit       // of ask: what switches the lemmas of a level on
	known  int             // lemmas of the location before that ask has
}

func newStep(p *ic3, from int, e *cfa.Edge) *step {
	return &step{p: p, from: from, letter: e.Letter, l: p.e.c.Letters[e.Letter]}
}

// maxStepClauses is how many clauses of its own a solver may have beyond
// those of its block before it is made anew: those of lemmas that others
// imply stay.
const maxStepClauses = 60_000

// ready makes ask know the block and the lemmas so far.
func (s *step) ready() {
	if s.ask == nil || s.ask.Stats().Clauses > maxStepClauses+s.known {
		s.ask = formula.NewSolver(s.p.e.t.Store, s.p.e.cfg.NewSolver())
		s.ask.Assert(s.l.Guard)
		s.levels, s.known = nil, 0
	}
	log := s.p.places[s.from].log
	for ; s.known < len(log); s.known++ {
		y := log[s.known]
		clause := []sat.Lit{s.on(y.level).Not()}
		for _, x := range y.cube {
			clause = append(clause, s.ask.Lit(s.p.term(x)).Not())
		}
		s.ask.SAT().AddClause(clause...)
	}
}

// on returns the literal that switches the lemmas of a level on.
func (s *step) on(level int) sat.Lit {
	for len(s.levels) <= level {
		s.levels = append(s.levels, s.ask.SAT().NewVar())
	}
	return s.levels[level]
}

// post returns the condition before the block for literal x to hold after.
func (s *step) post(x literal) formula.Term {
	for len(s.posts) < len(s.p.preds) {
		s.posts = append(s.posts, 0)
	}
	if s.posts[x>>1] == 0 {
		s.posts[x>>1] = s.p.e.t.precondition(s.letter, s.p.preds[x>>1])
	}
	if x&1 == 1 {
		return s.p.e.t.Not(s.posts[x>>1])
	}
	return s.posts[x>>1]
}

// query decides whether the block leads from a state at the level to one of
// cube. If other, that must be from a state that is not one of cube itself. If
// not, core is a part of cube for which that is so too.
func (s *step) query(ctx context.Context, c cube, level int, other bool) (status sat.Status, core cube, err error) {
	if level == 0 && s.from != s.p.e.c.Start {
		return sat.Unsat, nil, nil // no run of no blocks gets here
	}
	s.p.Queries++
	s.ready()
	assume, by, no := s.target(c)
	if no >= 0 {
		return sat.Unsat, cube{no}, nil
	}
	if s.from != s.p.e.c.Start {
		for i := level; i < len(s.levels); i++ {
			assume = append(assume, s.levels[i])
		}
	}
	if other && s.p.places[s.from].has(s) && len(c) > 0 {
		on := s.outside(c)
		assume = append(assume, on)
		defer s.ask.SAT().AddClause(on.Not())
	}
	status, err = s.ask.Solve(ctx, assume...)
	switch status {
	case sat.Unknown:
		if s.ask = nil; err == nil {
			err = errGaveUp
		}
	case sat.Unsat:
		for _, m := range s.ask.SAT().Core(nil) {
			if x, ok := by[m]; ok {
				core = append(core, x)
			}
		}
		slices.Sort(core)
	}
	return status, core, err
}

// target returns literals for cube to hold after the block, and which of
// cube's they stand for. No is one that can't hold, or -1.
func (s *step) target(c cube) (assume []sat.Lit, by map[sat.Lit]literal, no literal) {
	by = make(map[sat.Lit]literal)
	for _, x := range c {
		t := s.post(x)
		if v, ok := s.p.e.t.Value(t); ok {
			if v == 0 {
				return nil, nil, x
			}
			continue
		}
		m := s.ask.Lit(t)
		by[m] = x
		assume = append(assume, m)
	}
	return assume, by, -1
}

// has reports whether s leads to x.
func (x *place) has(s *step) bool { return slices.Contains(x.in, s) }

// outside returns a literal that says of the state before that it is not one
// of cube.
func (s *step) outside(c cube) sat.Lit {
	on := s.ask.SAT().NewVar()
	clause := []sat.Lit{on.Not()}
	for _, x := range c {
		clause = append(clause, s.ask.Lit(s.p.term(x)).Not())
	}
	s.ask.SAT().AddClause(clause...)
	return on
}
