package incremental

import (
	"context"
	"slices"

	"github.com/go-amend/amend/formula"
	"github.com/go-amend/amend/formula/sat"
	"github.com/go-amend/amend/incremental/internal/bitset"
	"github.com/go-amend/amend/incremental/proof"
	"github.com/go-amend/amend/ir"
)

// This file makes a Floyd-Hoare automaton of the clauses that IC3 leaves.

// automaton returns a Floyd-Hoare automaton that accepts all words of the
// program: its predicates are the clauses of the invariants of all locations, and
// its triples say, for each block, why those at its end hold.
func (p *ic3) automaton(ctx context.Context) (*hoareAutomaton, error) {
	var preds []formula.Term
	number := make(map[formula.Term]int)
	for at := range p.places {
		for _, x := range p.invariant(at) {
			if _, ok := number[x]; !ok && x != p.e.t.False() {
				number[x] = len(preds)
				preds = append(preds, x)
			}
		}
	}
	f := p.e.newHoareAutomaton(preds)
	for at := range p.places {
		for _, s := range p.places[at].in {
			if err := p.explain(ctx, f, number, s, at); err != nil {
				return nil, err
			}
		}
	}
	return f, nil
}

// explain gives f the triples of block s, which ends at a location.
func (p *ic3) explain(ctx context.Context, f *hoareAutomaton, number map[formula.Term]int, s *step, at int) error {
	before, goals := p.invariant(s.from), p.invariant(at)
	if slices.Contains(before, p.e.t.False()) {
		return nil // no run gets here
	}
	if at == p.e.c.Error || slices.Contains(goals, p.e.t.False()) {
		goals = []formula.Term{p.e.t.False()}
	}
	solver := formula.NewSolver(p.e.t.Store, p.e.cfg.NewSolver())
	solver.Assert(s.l.Guard)
	for _, x := range goals {
		if p.e.t.frame(s.letter, x) && slices.Contains(before, x) {
			continue
		}
		status, err := solver.Check(ctx, append(slices.Clone(before), p.e.t.Not(p.e.t.precondition(s.letter, x)))...)
		if status == sat.Unknown {
			return err
		}
		if status == sat.Sat {
			return ir.Internalf("incremental", "an invariant that IC3 found is none")
		}
		y := triple{pre: bitset.New(len(f.preds)), post: proof.False, checked: true, used: true}
		if x != p.e.t.False() {
			y.post = number[x]
		}
		for _, c := range solver.Core(nil) {
			if i, ok := number[c]; ok {
				y.pre.Add(i)
			}
		}
		f.triples[s.letter] = append(f.triples[s.letter], y)
	}
	return nil
}
