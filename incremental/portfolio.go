package incremental

import (
	"context"
	"errors"
	"slices"

	"github.com/go-amend/amend/formula/sat"
	"github.com/go-amend/amend/incremental/cfa"
	"github.com/go-amend/amend/ir"
)

// This file has two engines search in turns, in one goroutine.

// Engine is a way to search for a proof.
type Engine uint8

const (
	Portfolio        Engine = iota // all of those that follow, in turns
	TraceAbstraction               // of statements
	IC3                            // of blocks of code, over predicates
)

func (e Engine) String() string { return [...]string{"portfolio", "trace abstraction", "IC3"}[e] }

// firstTurn is the work of the first turn of trace abstraction, in ticks, and
// ic3Share how many times as long IC3's is. Each later turn is twice as long, and
// from laterTurn on IC3's are longer still: of 94 programs of SV-COMP that were
// decided, trace abstraction took more than 2 s for one.
const (
	firstTurn  = 4_000_000
	ic3Share   = 2
	laterTurn  = 4 * firstTurn
	laterShare = 5
)

// slack is how much longer than its turn a refinement may take: one that is
// not finished is lost.
const slack = 4

// A portfolio is the state of one call of Prove.
type portfolio struct {
	p      *ir.Program
	c      *cfa.Automaton
	cfg    *Config
	meter  *meter
	traces *engine // nil if it is not wanted
	blocks *engine // nil before its first turn
	ic3    *ic3
}

func newPortfolio(p *ir.Program, c *cfa.Automaton, cfg *Config) *portfolio {
	s := &portfolio{p: p, c: c, cfg: cfg, meter: &meter{store: c.Store}}
	if cfg.NewSolver == nil {
		cfg.NewSolver = sat.New
	}
	cfg.NewSolver = s.meter.solvers(cfg.NewSolver)
	if cfg.Engine != IC3 {
		s.traces = newEngine(p, c, cfg, s.meter)
		s.traces.begin(!cfg.NoCertify)
	}
	return s
}

// A turn is what an engine does of its share of the work.
type turn struct {
	ic3  bool
	take func(context.Context) (*Result, error)
}

// share returns how many times as long as work the turn is.
func (t *turn) share(work int64) int64 {
	switch {
	case !t.ic3:
		return 1
	case work < laterTurn:
		return ic3Share
	}
	return laterShare
}

// run gives turns until an engine has an answer or all have given up. It
// returns the result of the engine that had the last turn.
func (s *portfolio) run(ctx context.Context) (*Result, error) {
	var turns []turn
	if s.cfg.Engine != IC3 {
		turns = append(turns, turn{false, s.traceTurn})
	}
	if s.cfg.Engine != TraceAbstraction {
		turns = append(turns, turn{true, s.blockTurn})
	}
	if s.cfg.Reuse != nil && s.cfg.Reuse.Blocks {
		slices.Reverse(turns)
	}
	for work := int64(firstTurn); ; work *= 2 {
		for i := 0; i < len(turns); i++ {
			s.meter.turn(turns[i].share(work)*work, slack)
			if len(turns) == 1 {
				s.meter.forever()
			}
			res, err := turns[i].take(ctx)
			switch {
			case errors.Is(err, errTurn):
			case res.Status != Unknown || err != nil || len(turns) == 1:
				return s.finish(res), err
			default:
				turns = slices.Delete(turns, i, i+1)
				i--
			}
		}
	}
}

// traceTurn is a turn of trace abstraction.
func (s *portfolio) traceTurn(ctx context.Context) (*Result, error) {
	res, err := s.traces.resume(ctx)
	if res.Status == Proved && !s.cfg.NoCertify && err == nil {
		s.meter.forever()
		res, err = s.traces.certify(ctx, res)
	}
	res.Engine = TraceAbstraction
	return res, err
}

// finish completes the result of the last turn: what is kept for the next
// revision, unless there is a proof, comes from the engine that can make use
// of what it was given, else from trace abstraction.
func (s *portfolio) finish(res *Result) *Result {
	keeper := s.traces
	if keeper == nil || s.blocks != nil && s.cfg.Reuse != nil && s.cfg.Reuse.Blocks {
		keeper = s.blocks
	}
	if res.Status != Proved {
		res.Proof = keeper.proof(res)
	}
	if res.Status == Unknown {
		res.Engine = Portfolio
	}
	var all Stats
	for _, e := range []*engine{s.traces, s.blocks} {
		if e != nil {
			all.add(e.total())
		}
	}
	if s.ic3 != nil {
		all.BlockCalls, all.Clauses, all.Predicates = s.ic3.Queries, s.ic3.Lemmas, len(s.ic3.preds)
		all.SATCalls += s.ic3.Queries
	}
	res.Stats = all
	return res
}

// add adds up what two engines took.
func (s *Stats) add(x Stats) {
	s.Refinements += x.Refinements
	s.Reused += x.Reused
	s.States = max(s.States, x.States)
	s.Trace = max(s.Trace, x.Trace)
	s.Triples += x.Triples
	s.Templates += x.Templates
	s.SATCalls += x.SATCalls
	s.TraceCalls += x.TraceCalls
	s.TripleCalls += x.TripleCalls
	s.PredicateCalls += x.PredicateCalls
	s.CheckCalls += x.CheckCalls
	s.BoundedCalls += x.BoundedCalls
}
