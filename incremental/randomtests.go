package incremental

import (
	"context"
	"math/rand/v2"

	"github.com/go-amend/amend/formula"
	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/interp"
	"github.com/go-amend/amend/ssa"
)

// This file tests at random.

// randomTests are runs of the program on random inputs, beside the proof. Where a
// sum overflows after 46,341 rounds of a loop, traces and unwinding don't get
// there, and the interpreter does in milliseconds.
type randomTests struct {
	p     *ir.Program
	from  int // refinements before the next round
	round int
	limit int  // steps of one run
	tried bool // a round of short runs was made
}

// testSteps are how many steps a run of a round may take. A million take
// some 150 ms.
var testSteps = [...]int{600_000, 1_000_000, 3_000_000}

func newRandomTests(p *ir.Program, t *terms, limit int) *randomTests {
	r := &randomTests{p: p, from: 6, limit: limit}
	if t.heavy() {
		r.from = 2 // refinements take long
	}
	return r
}

// heavy reports whether some letter multiplies or divides variables.
func (t *terms) heavy() bool {
	for _, l := range t.c.Letters {
		for _, x := range append([]formula.Term{l.Guard}, l.Values...) {
			if t.multiplies(x) {
				return true
			}
		}
	}
	return false
}

// multiplies reports whether x contains a product or quotient of terms that
// are not constant.
func (t *terms) multiplies(x formula.Term) bool {
	found := false
	seen := make(map[formula.Term]bool)
	var visit func(x formula.Term)
	visit = func(x formula.Term) {
		if found || seen[x] {
			return
		}
		seen[x] = true
		free := 0
		for _, y := range t.Args(x) {
			if _, ok := t.Value(y); !ok {
				free++
			}
			visit(y)
		}
		switch t.Op(x) {
		case formula.OpMul, formula.OpUDiv, formula.OpURem, formula.OpSDiv, formula.OpSRem:
			found = found || free > 1
		}
	}
	visit(x)
	return found
}

// run makes a round of runs, if as many refinements as given are enough for
// that. Values grow from run to run, until runs don't end within the steps of
// the round. It returns the input of a violation, or nil.
func (t *randomTests) run(ctx context.Context, refinements int) (ssa.Model, error) {
	if refinements < t.from || t.round == len(testSteps) {
		return nil, nil
	}
	rng := rand.New(rand.NewPCG(uint64(t.round), 17))
	steps := testSteps[t.round]
	t.round++
	t.from *= 2
	return t.runs(ctx, rng, 2*64, steps)
}

// A short round of a revision is so many runs of so many steps, which take a
// millisecond at most.
const (
	shortRuns  = 30
	shortSteps = 500
)

// short makes a round of short runs, once.
func (t *randomTests) short(ctx context.Context) (ssa.Model, error) {
	if t.tried {
		return nil, nil
	}
	t.tried = true
	return t.runs(ctx, rand.New(rand.NewPCG(0, 18)), shortRuns, shortSteps)
}

// runs makes n runs and one, of at most so many steps, until three didn't end.
func (t *randomTests) runs(ctx context.Context, rng *rand.Rand, n, steps int) (ssa.Model, error) {
	steps = min(steps, t.limit)
	for i, long := 0, 0; i <= n && long < 3; i++ {
		m := make(ssa.Model)
		r, err := interp.Run(ctx, t.p, interp.Config{Unwind: -1, MaxSteps: steps, NoSteps: true, Accelerate: true, Input: func(c ir.Choice) uint64 {
			v, ok := m[c]
			if !ok {
				v = testValue(rng, i/2)
				if odds := [...]int{2, 16, 256}[i%3]; rng.IntN(odds) > 0 && odds > 2 {
					v = v&^1 | uint64(i/3&1) // propositions are alike for long
				}
				m[c] = v
			}
			return v
		}})
		switch {
		case err != nil:
			return nil, err
		case r.Outcome == interp.Violated:
			m = make(ssa.Model)
			for _, in := range r.Inputs {
				if in.Value != 0 {
					m[in.Choice] = in.Value
				}
			}
			return m, nil
		case r.Outcome == interp.OutOfSteps:
			long++
		}
	}
	return nil, nil
}

// testValue returns a value of at most so many bits, often of exactly so
// many, and now and then negated.
func testValue(rng *rand.Rand, bits int) uint64 {
	v := rng.Uint64()
	if bits < 64 {
		v &= 1<<bits - 1
	}
	if bits > 0 && rng.IntN(2) == 0 {
		v |= 1 << (bits - 1)
	}
	if rng.IntN(4) == 0 {
		return -v
	}
	return v
}
