package bmc_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/go-amend/amend/formula"
	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ssa"
	"github.com/go-amend/amend/ssa/bmc"
)

// TestReason wants a reason of each check that ends without an answer.
func TestReason(t *testing.T) {
	const input = "proc main(x u8) { assert x * x != 17 }"
	const endless = "proc main() { var i u8 = 0\n while true { i++ } }"
	const hungry = "proc main() { var a [2]u8\n alloc a, 3\n assert false }"
	done, cancel := context.WithCancel(t.Context())
	cancel()
	late, stop := context.WithDeadline(t.Context(), time.Now().Add(-time.Second))
	defer stop()
	tooLarge := func(*formula.Store, ssa.Config) (*ssa.Form, error) { return nil, ssa.ErrTooLarge }
	broken := func(*formula.Store, ssa.Config) (*ssa.Form, error) { return nil, errors.New("broken") }
	for _, tt := range []struct {
		ctx  context.Context
		text string
		cfg  bmc.Config
		want string
	}{
		{t.Context(), input, bmc.Config{}, ""},
		{done, input, bmc.Config{}, "cancelled"},
		{late, input, bmc.Config{}, "deadline"},
		{t.Context(), endless, bmc.Config{MaxSteps: 100}, "budget"},
		{t.Context(), hungry, bmc.Config{}, "bound"},
		{t.Context(), input, bmc.Config{Semantics: builder{build: tooLarge}}, "budget"},
		{t.Context(), input, bmc.Config{Semantics: builder{build: broken}}, "solver"},
	} {
		p, err := ir.Parse("p.ir", []byte(tt.text))
		if err != nil {
			t.Fatal(err)
		}
		r, err := bmc.Check(tt.ctx, p, tt.cfg)
		if r.Reason != tt.want || r.Decided != (tt.want == "") {
			t.Errorf("%s: %q, decided %v (%v), want %q", tt.text, r.Reason, r.Decided, err, tt.want)
		}
	}
}

// A builder is the semantics of sequential programs with a builder of its own.
type builder struct {
	bmc.Sequential
	build ssa.Builder
}

func (b builder) Builder(*ir.Program) ssa.Builder { return b.build }

// TestDefaultUnwind wants loop bodies executed by a zero Config, and none
// where a negative Unwind says so.
func TestDefaultUnwind(t *testing.T) {
	p, err := ir.Parse("p.ir", []byte("proc main(n u8) { for var i u8 = 0; i < n; i++ { assert i != 4 } }"))
	if err != nil {
		t.Fatal(err)
	}
	for unwind, want := range map[int]int{0: 1, -1: 0, 4: 0, ssa.DefaultUnwind: 1} {
		r, err := bmc.Check(t.Context(), p, bmc.Config{Unwind: unwind})
		if err != nil || len(r.Violations) != want || r.Unwind != ssa.Bound(unwind) {
			t.Errorf("%d: %d violations within %d, %v, want %d", unwind, len(r.Violations), r.Unwind, err, want)
		}
	}
}
