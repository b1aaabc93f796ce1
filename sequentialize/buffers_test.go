package sequentialize_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/go-amend/amend/formula"
	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/gen"
	"github.com/go-amend/amend/ir/interp"
	"github.com/go-amend/amend/sequentialize"
	"github.com/go-amend/amend/ssa"
)

// TestBuffers compares what is said of random programs, with branches, locks and
// conditions, under memory models that have store buffers with all their runs.
func TestBuffers(t *testing.T) {
	programs := 12
	if testing.Short() {
		programs = 4
	}
	buffersAgree(t, 21, programs)
}

func buffersAgree(t *testing.T, stream uint64, programs int) {
	seen := make(map[string]int)
	for seed := uint64(0); programs > 0; seed++ {
		p := gen.Threads(rand.New(rand.NewPCG(seed, stream)))
		p.Checks &^= ir.Checks(0).With(ir.CheckRace)
		if seed%3 == 0 {
			p.Checks &^= ir.Checks(0).With(ir.CheckDeadlock)
		}
		m := []ir.Memory{ir.TSO, ir.PSO}[seed%2]
		want, ok := everyBufferedRun(t, p, m)
		if !ok {
			continue
		}
		res, err := sequentialize.Check(t.Context(), p, sequentialize.Config{Unwind: unwind, All: true, Memory: m})
		if _, unsupported := errors.AsType[*ir.UnsupportedError](err); unsupported {
			continue
		}
		programs--
		if err != nil || !res.Decided {
			t.Fatalf("seed %d, %v: %v\n%s", seed, m, err, p)
		}
		got, fails := make(map[string]bool), false
		for i := range res.Violations {
			got[fmt.Sprint(res.Violations[i].Kind)] = true
		}
		for k := range want {
			_, violation := ir.ParseCheck(k)
			fails = fails || violation
			seen[k]++
		}
		if !violations(got, want, want) || fails != (len(got) > 0) {
			t.Errorf("seed %d, %v: all schedules say %s, runs say %s\n%s", seed, m, list(got), list(want), p)
		}
		if !fails && res.Complete == want["cut"] {
			t.Errorf("seed %d, %v: complete is %v, runs say %s\n%s", seed, m, res.Complete, list(want), p)
		}
	}
	t.Log(seen)
}

// everyBufferedRun returns the ways in which the runs of p end under m, or false
// if there are too many.
func everyBufferedRun(t *testing.T, p *ir.Program, m ir.Memory) (map[string]bool, bool) {
	e, err := sequentialize.Encode(formula.NewStore(), p, 1, ssa.Config{Unwind: unwind, Spurious: true})
	if err != nil {
		t.Fatal(err)
	}
	o := &oracle{p: p, e: e}
	out := make(map[string]bool)
	for more := true; more; more = o.next() {
		if o.runs++; o.runs > 4_000 {
			return nil, false
		}
		o.at = 0
		x, err := interp.Run(context.Background(), p, interp.Config{
			Unwind: unwind, NoSteps: true, Schedule: &ir.Schedule{Threads: e.Form.Threads}, Memory: m,
			Input:     func(c ir.Choice) uint64 { return uint64(o.decide(choices(p, c))) },
			Scheduler: func(can []int, _ func(int) interp.Event) int { return can[o.decide(len(can))] },
		})
		if err != nil {
			t.Fatal(err)
		}
		switch x.Outcome {
		case interp.Violated:
			out[fmt.Sprint(x.Kind)] = true
		case interp.Ended:
			out["ended"] = true
		case interp.Cut:
			out["cut"] = true
		}
	}
	return out, true
}

// TestBuffersSkip: a thread that is cut after a write that it skips does not move
// before what fails.
func TestBuffersSkip(t *testing.T) {
	p := parseLines(t, `var x u2
proc g() { var i u2; i = u2(0); while i < u2(3) post { i++ } { if ended(2) { x = u2(3) } } }
proc main() { spawn g(); spawn g(); assert x != u2(0) }`)
	for _, m := range []ir.Memory{ir.TSO, ir.PSO} {
		res, err := sequentialize.Check(t.Context(), p, sequentialize.Config{Unwind: unwind, Memory: m})
		if err != nil || len(res.Violations) != 1 {
			t.Errorf("%v: %d violations, %v", m, len(res.Violations), err)
		}
	}
	res, _, err := sequentialize.CheckOrders(t.Context(), p, sequentialize.Config{Unwind: unwind})
	if err != nil || len(res.Violations) != 1 {
		t.Errorf("sc: %d violations, %v", len(res.Violations), err)
	}
}

// TestBuffersPending: what a thread wrote last need not have reached memory when
// another fails, though nothing says when it does.
func TestBuffersPending(t *testing.T) {
	p := parseLines(t, `var x u2
proc f(v u2) { var w u2; x += w; if v < u2(2) || x == u2(2) { x = u2(0) } }
proc main(v u2) { spawn f(v); assert x != u2(2) }`)
	for _, m := range []ir.Memory{ir.TSO, ir.PSO} {
		res, err := sequentialize.Check(t.Context(), p, sequentialize.Config{Unwind: unwind, Memory: m})
		if err != nil || len(res.Violations) != 1 {
			t.Errorf("%v: %d violations, %v", m, len(res.Violations), err)
		}
	}
}
