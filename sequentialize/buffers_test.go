package sequentialize_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/gen"
	"github.com/go-amend/amend/sequentialize"
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
		want, ok := everyRun(t, p, m)
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
		allSay(t, fmt.Sprintf("seed %d, %v", seed, m), p, res, want)
		for k := range want {
			seen[k]++
		}
	}
	t.Log(seen)
}

// failsBuffered checks that p has one failing run under each model with buffers.
func failsBuffered(t *testing.T, p *ir.Program) {
	t.Helper()
	for _, m := range []ir.Memory{ir.TSO, ir.PSO} {
		res, err := sequentialize.Check(t.Context(), p, sequentialize.Config{Unwind: unwind, Memory: m})
		if err != nil || len(res.Violations) != 1 {
			t.Errorf("%v: %d violations, %v", m, len(res.Violations), err)
		}
	}
}

// TestBuffersSkip: a thread that is cut after a write that it skips does not move
// before what fails.
func TestBuffersSkip(t *testing.T) {
	p := parseLines(t, `var x u2
proc g() { var i u2; i = u2(0); while i < u2(3) post { i++ } { if ended(2) { x = u2(3) } } }
proc main() { spawn g(); spawn g(); assert x != u2(0) }`)
	failsBuffered(t, p)
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
	failsBuffered(t, p)
}
