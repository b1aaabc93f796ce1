package cegis_test

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"testing"

	"github.com/go-amend/amend/mutate/cegis"
)

// A wrong oracle refutes all candidates in a way of its own, and learns
// nothing from that.
type wrong struct{ refute func() }

func (w wrong) Refute(context.Context, cegis.Candidate) (cegis.Verdict, error) {
	w.refute()
	return cegis.Verdict{Counterexample: 1}, nil
}

func (wrong) Good(_ context.Context, v cegis.Encoding, _ cegis.Counterexample) (cegis.Constraint, error) {
	return cegis.Constraint{Good: v.Store.True()}, nil
}

// TestWrongOracles: one that panics, ends its goroutine or contradicts itself
// is an error.
func TestWrongOracles(t *testing.T) {
	for _, c := range []struct {
		want    string
		workers int
		refute  func()
	}{
		{"panicked: mine", 1, func() { panic("mine") }},
		{"panicked: mine", 4, func() { panic("mine") }},
		{"Goexit", 4, func() { runtime.Goexit() }},
		{"good on its counterexample", 1, func() {}},
	} {
		space := cegis.Space{{Alternatives: make([]cegis.Alternative, 1)}}
		cfg := cegis.Config{Space: space, Oracle: wrong{c.refute}, Workers: c.workers}
		n := 0
		for _, err := range cegis.Solve(t.Context(), cfg, 1) {
			n++
			e, ok := errors.AsType[*cegis.OracleError](err)
			if !ok || !strings.Contains(err.Error(), c.want) || strings.Contains(c.want, "panicked") != (e.Stack != nil) {
				t.Errorf("%d workers: got %v, want %s", c.workers, err, c.want)
			}
		}
		if n != 1 {
			t.Errorf("%d workers: %d results, want an error", c.workers, n)
		}
	}
}
