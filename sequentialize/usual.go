package sequentialize

import (
	"context"
	"maps"
	"slices"

	"github.com/go-amend/amend/formula/sat"
	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/interp"
	"github.com/go-amend/amend/ssa"
)

// A loop that counts to a number in the program needs a bound that any run says.
// So where no run within the bounds fails, and some were cut, one is followed to
// its end, the usual one: all inputs are 0, and threads move in turn, event by
// event, until all have ended that can. If it needs more of some loops, these get it, and all is asked again.

// usualSteps limits the usual run, and usualRounds how often a loop goes round in
// it that gets a bound of its own.
const usualSteps, usualRounds = 200_000, 64

// raisedTerms and raisedTicks limit the formulas with larger bounds, and each of
// their queries: to some seconds in all.
const raisedTerms, raisedTicks = 1_000_000, 60_000_000

// further is what is known of p beyond res: with the bounds of the usual run, if
// they are larger and that takes little.
func further(ctx context.Context, p *ir.Program, cfg Config, res *Result) *Result {
	cfg = cfg.complete()
	loops := usualLoops(ctx, p, &cfg)
	if loops == nil {
		return res
	}
	cfg.Loops = loops
	solver, to := cfg.NewSolver, sat.Limits{Ticks: raisedTicks}
	cfg.NewSolver = func() sat.Solver { return limited(solver(), to) }
	c := newChecker(ctx, p, &cfg)
	c.maxTerms = raisedTerms
	done, err := c.first(to)
	c.res.SATCalls += res.SATCalls
	if !done || err != nil {
		res.SATCalls = c.res.SATCalls
		return res
	}
	c.res.Decided, c.res.Raised = true, loops
	return c.res
}

// usualLoops returns bounds of single loops with which the usual run is longer, or
// nil.
func usualLoops(ctx context.Context, p *ir.Program, cfg *Config) map[ir.LocID]int {
	t, err := interp.Run(ctx, p, interp.Config{
		Unwind: -1, MaxSteps: usualSteps, NoSteps: true, Input: func(ir.Choice) uint64 { return 0 },
		Scheduler: inTurn(),
	})
	if err != nil {
		return nil
	}
	loops := maps.Clone(cfg.Loops)
	raised := false
	for l, n := range t.Rounds {
		bound, ok := cfg.Loops[l]
		if !ok {
			bound = ssa.Bound(cfg.Unwind)
		}
		if n <= bound || n > usualRounds {
			continue
		}
		if loops == nil {
			loops = make(map[ir.LocID]int)
		}
		loops[l], raised = n, true
	}
	if !raised {
		return nil
	}
	return loops
}

// inTurn returns a scheduler that lets threads move in turn. The entry ends last.
func inTurn() func(can []int, next func(int) interp.Event) int {
	last := 0
	return func(can []int, next func(int) interp.Event) int {
		if len(can) > 1 && can[0] == 0 && next(0).Stmt == nil {
			can = can[1:]
		}
		i := slices.IndexFunc(can, func(i int) bool { return i > last })
		last = can[max(i, 0)]
		return last
	}
}
