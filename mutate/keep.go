package mutate

import (
	"fmt"
	"slices"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/interp"
)

// This file keeps results on inputs that the caller names.

// A KeepError says that the original doesn't pass on an input of
// Config.Keep, so that there is nothing to keep.
type KeepError struct {
	Index   int // in Keep
	Outcome interp.Outcome
}

func (e *KeepError) Error() string {
	return fmt.Sprintf("input %d to keep: the original's run is %v, not ended", e.Index+1, e.Outcome)
}

// readKept runs the original on the inputs to keep.
func (r *run) readKept() error {
	for i := range r.cfg.Keep {
		t, err := r.keptRun(r.orig, i, 0)
		if err != nil {
			return err
		}
		if t.Outcome != interp.Ended {
			return &KeepError{i, t.Outcome}
		}
		r.kept = append(r.kept, t.Results)
	}
	return nil
}

func (r *run) keptRun(p *ir.Program, i, slack int) (*interp.Trace, error) {
	return r.cfg.Semantics.Run(r.ctx, p, interp.Config{
		Input: r.cfg.Keep[i].Input, Unwind: r.cfg.Unwind + slack, Loops: r.loops(slack), MaxSteps: -1, NoSteps: true,
		Schedule: r.numbering(),
	})
}

// keeps reports whether p gives the original's results on all inputs to
// keep.
func (r *run) keeps(p *ir.Program) (bool, error) {
	for i, want := range r.kept {
		t, err := r.keptRun(p, i, r.cfg.Slack)
		if err != nil || t.Outcome != interp.Ended || !slices.Equal(t.Results, want) {
			return false, err
		}
	}
	return true, nil
}
