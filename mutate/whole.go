package mutate

import (
	"context"
	"errors"
	"fmt"

	"github.com/go-amend/amend/formula/sat"
	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ssa/bmc"
)

// This file decides candidates by Config.Decide, one program after the other.
// Changes that only take runs away need (a) alone; and a failing run refutes
// all candidates that it is a run of: see interp.Trace.Delayed. Kuperstein, Vechev and Yahav
// ("Automatic Inference of Memory Fences", FMCAD 2010) find fences so.

// restricted returns an error if cfg has a Decide and an operator that may do more
// than to take runs away.
func restricted(cfg *Config) error {
	if cfg.Decide == nil {
		return nil
	}
	for _, op := range cfg.Operators {
		if op.Plan == nil || !op.Plan.Restricts {
			return fmt.Errorf("mutate: operator %s is for no Config with Decide: its changes may add runs", op.Name)
		}
	}
	return nil
}

// whole calls Config.Decide.
func (cfg *Config) whole(ctx context.Context, p *ir.Program) (res *bmc.Result, err error) {
	hooked("Config.Decide", func() { res, err = cfg.Decide(ctx, p) })
	if res == nil {
		res = &bmc.Result{}
		if err == nil {
			err = &HookError{Hook: "Config.Decide", Why: "returned neither a result nor an error"}
		}
	}
	if err == nil && !res.Decided && len(res.Violations) == 0 {
		err = fmt.Errorf("mutate: Config.Decide is undecided: %w", sat.ErrLimit)
	}
	return res, err
}

// originalWhole is original by Config.Decide.
func (r *run) originalWhole() error {
	res, err := r.cfg.whole(r.ctx, r.p)
	r.calls += res.SATCalls
	if err != nil {
		return err
	}
	r.stats.Complete, r.stats.Correct = res.Complete, len(res.Violations) == 0
	r.first = r.verdictOf(res)
	if !r.stats.Correct {
		r.failed = res.Violations[0]
	}
	return nil
}

// decideWhole is decide by Config.Decide.
func (r *run) decideWhole(p *ir.Program) (verdict, error) {
	res, err := r.cfg.whole(r.ctx, p)
	if errors.Is(err, sat.ErrLimit) {
		return verdict{stage: unknown, calls: res.SATCalls}, nil
	}
	return r.verdictOf(res), err
}

func (r *run) verdictOf(res *bmc.Result) verdict {
	v := verdict{stage: passed, complete: res.Complete, calls: res.SATCalls}
	if len(res.Violations) > 0 {
		x := &res.Violations[0]
		v.stage, v.model = unsafe, x.Model
		for _, l := range x.Trace.Delayed() {
			v.must.Add(l)
		}
	}
	return v
}
