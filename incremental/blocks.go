package incremental

import (
	"context"
	"errors"

	"github.com/go-amend/amend/formula"
	"github.com/go-amend/amend/incremental/proof"
)

// This file has IC3 take its turns on the automaton of blocks, after what an
// earlier proof says of it.

// blockTurn is a turn of IC3.
func (s *portfolio) blockTurn(ctx context.Context) (*Result, error) {
	if s.blocks == nil {
		s.startBlocks()
	}
	res := &Result{}
	err := s.searchBlocks(ctx, res)
	if err == nil && res.Status == Proved && !s.cfg.NoCertify {
		s.meter.forever()
		res, err = s.certifyBlocks(ctx, res)
	}
	res, err = s.blocks.report(ctx, res, err)
	res.Engine = IC3
	return res, err
}

// startBlocks makes the engine for blocks and IC3 on it.
func (s *portfolio) startBlocks() {
	cfg := *s.cfg
	cfg.Added = max(cfg.Added, AddUnseen) // others would take a query over a whole block each
	if cfg.Reuse != nil && !cfg.Reuse.Blocks {
		cfg.Reuse = nil
	}
	s.blocks = newEngine(s.p, s.c.Blocks(), &cfg, s.meter)
	s.blocks.o.keep = maxStepClauses
	s.blocks.begin(true)
	s.ic3 = newIC3(s.blocks, s.suggested())
}

// suggested returns the propositions that the statements of the program
// suggest as predicates: conditions, and that a variable has a constant that
// is assigned to it.
func (s *portfolio) suggested() []formula.Term {
	st := s.c.Store
	var out []formula.Term
	for _, l := range s.c.Letters {
		out = append(out, l.Guard)
		for i, v := range l.Vars {
			if _, ok := st.Value(l.Values[i]); ok {
				out = append(out, st.Eq(s.c.Vars[v].Term, l.Values[i]))
			}
		}
	}
	return out
}

// searchBlocks proves the program with the automata of an earlier proof, if
// they are enough, or by IC3.
func (s *portfolio) searchBlocks(ctx context.Context, res *Result) error {
	e := s.blocks
	for len(e.pool) > 0 && e.remaining != nil {
		hit, err := e.acceptedBy(ctx, e.remaining.shortest())
		if err != nil {
			return err
		}
		if hit < 0 {
			break
		}
		if err := e.reuse(ctx, hit); err != nil {
			return err
		}
	}
	if e.remaining == nil {
		res.Status = Proved
		return nil
	}
	status, err := s.ic3.run(ctx)
	if err != nil {
		return err
	}
	if status == Violated {
		return e.violated(ctx, res, s.ic3.model)
	}
	f, err := s.ic3.automaton(ctx)
	if err != nil {
		return err
	}
	e.stats.Refinements++
	e.used, e.remaining = []*hoareAutomaton{f}, nil
	res.Status = status
	return nil
}

// certifyBlocks checks the proof that was found. If that fails although it is
// from an earlier proof, IC3 finds one of its own.
func (s *portfolio) certifyBlocks(ctx context.Context, res *Result) (*Result, error) {
	e := s.blocks
	err := e.check(ctx)
	if errors.Is(err, proof.ErrUncovered) && e.stats.Refinements == 0 {
		e.pool, e.used, e.remaining = nil, nil, errorTraces(e.c, true).trim()
		if err = s.searchBlocks(ctx, res); err == nil && res.Status == Proved {
			err = e.check(ctx)
		}
	}
	if err != nil {
		res.Status = Unknown
	}
	return res, err
}
