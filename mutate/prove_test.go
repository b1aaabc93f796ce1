package mutate_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/go-amend/amend/incremental"
	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/gen"
	"github.com/go-amend/amend/ir/interp"
	"github.com/go-amend/amend/mutate"
	"github.com/go-amend/amend/mutate/scheme"
	"github.com/go-amend/amend/ssa"
)

// exhaustive is a Config.Prove that runs a program on all inputs. Its answer
// is exact for programs whose runs all end and read few bits.
func exhaustive(ctx context.Context, p *ir.Program) (mutate.Proof, error) {
	const runs, steps = 300, 500
	proof := mutate.Proof{Reach: mutate.EveryBound}
	var values []uint64
	for range runs {
		n := 0
		t, err := interp.Run(ctx, p, interp.Config{Unwind: -1, MaxSteps: steps, NoSteps: true, Input: func(ir.Choice) uint64 {
			if n == len(values) {
				values = append(values, 0)
			}
			n++
			return values[n-1]
		}})
		if err != nil {
			return mutate.Proof{}, err
		}
		switch t.Outcome {
		case interp.Violated:
			m := make(ssa.Model)
			for _, in := range t.Inputs {
				m[in.Choice] = in.Value
			}
			return mutate.Proof{Reach: mutate.Refuted, Model: m}, nil
		case interp.OutOfSteps, interp.Cut:
			proof = mutate.Proof{Reason: "a run does not end"}
		}
		values = values[:n]
		for n > 0 && values[n-1]+1 == 1<<ir.Width(t.Inputs[n-1].Type) {
			n--
			values = values[:n]
		}
		if n == 0 {
			return proof, nil
		}
		values[n-1]++
	}
	return mutate.Proof{Reason: "too many inputs"}, nil
}

// byIncremental returns a Config.Prove that carries proofs from repair to
// repair.
func byIncremental() func(context.Context, *ir.Program) (mutate.Proof, error) {
	series := incremental.NewSeries(incremental.Config{Limits: incremental.Limits{Refinements: 12, SATCalls: 4000, States: 5000, Bound: 20, Steps: 5000}})
	return func(ctx context.Context, p *ir.Program) (mutate.Proof, error) {
		r, err := series.Prove(ctx, p)
		if _, ok := errors.AsType[*ir.UnsupportedError](err); ok {
			return mutate.Proof{Reason: "unsupported"}, nil
		}
		reach := map[incremental.Status]mutate.Reach{incremental.Proved: mutate.EveryBound, incremental.Violated: mutate.Refuted}[r.Status]
		return mutate.Proof{Reach: reach, Reason: r.Reason, Model: r.Model, SATCalls: r.Stats.SATCalls}, err
	}
}

// TestProve compares repairs for every bound with brute force: every
// candidate built, solved within the bound, and run on all inputs.
func TestProve(t *testing.T) {
	labels := make(map[mutate.Reach]int)
	refuted := 0
	for seed := range seeds(300) {
		rng := rand.New(rand.NewPCG(seed, 21))
		p := gen.Program(rng, gen.Config{Checks: allChecks, Statements: 3, Widths: []int{[]int{2, 3, 4}[seed%3]}})
		cfg := mutate.Config{Operators: scheme.Level2(), Unwind: 1, MaxSize: 1 + rng.IntN(2), AllowCuts: rng.IntN(2) == 0, Prove: exhaustive}
		want, _ := bruteForce(t, p, cfg)
		if want == nil {
			continue
		}
		for _, mode := range []mutate.Mode{mutate.Learn, mutate.Slice, mutate.Basic} {
			cfg.Mode, cfg.Workers = mode, rng.IntN(4)
			cfg.Prove = exhaustive
			known := true // what is proved beyond the bound
			if rng.IntN(3) == 0 {
				cfg.Prove = byIncremental()
			}
			s, err := mutate.New(p, cfg)
			if err != nil {
				t.Fatal(err)
			}
			s.Postpone(rng.IntN(3)-1, rng.IntN(9))
			var got []string
			for r, err := range s.Repairs(t.Context()) {
				if err != nil {
					t.Fatalf("seed %d, mode %d: %v\n%s", seed, mode, err, p)
				}
				labels[r.Proof.Reach]++
				got = append(got, describe(r.Changes))
				truth, err := exhaustive(t.Context(), r.Program)
				if err != nil {
					t.Fatal(err)
				}
				if truth.Reach == mutate.Refuted && r.Proof.Reach == mutate.EveryBound {
					t.Fatalf("seed %d, mode %d: %s is proved, and fails\n%s", seed, mode, describe(r.Changes), p)
				}
				known = known && (truth.Reach != mutate.Refuted)
			}
			refuted += s.Stats().Refuted
			slices.Sort(got)
			if known && !slices.Equal(got, want) {
				t.Fatalf("seed %d, mode %d: %d repairs %v, want %d %v\n%s", seed, mode, len(got), got, len(want), want, p)
			}
		}
	}
	t.Log(labels, "refuted", refuted)
	if testing.Short() {
		return
	}
	if refuted < 10 || labels[mutate.EveryBound] < 20 || labels[mutate.Bounded] == 0 {
		t.Errorf("only %v, %d refuted", labels, refuted)
	}
}

// heater is right for one round with 0 in the place of the 1, and for 15 if
// it doesn't heat beyond 6 degrees either.
const heater = `
proc main(n u4) {
	var i u4 = 0
	var heat u4 = 1
	while i < n {
		i = i + 1
		if heat < 9 { heat = heat + 1 }
	}
	assert n != 1 || heat == 1
	assert heat < 7
}`

// TestProveHoles does the same for a scheme with holes.
func TestProveHoles(t *testing.T) {
	p, err := ir.Parse("heater.ir", []byte(heater))
	if err != nil {
		t.Fatal(err)
	}
	for seed := range uint64(4) {
		rng := rand.New(rand.NewPCG(seed, 22))
		cfg := mutate.Config{
			Operators: scheme.Constants(), Unwind: 1, MaxSize: 2, Workers: rng.IntN(4), Prove: exhaustive,
			Hard: func(s ir.Stmt) bool { _, ok := s.(*ir.Assert); return ok },
		}
		sp, err := mutate.NewSpace(p, cfg.Operators, cfg.Hard)
		if err != nil {
			t.Fatal(err)
		}
		s, err := mutate.New(p, cfg)
		if err != nil {
			t.Fatal(err)
		}
		s.Postpone(rng.IntN(3)-1, rng.IntN(5))
		b := &byTrying{t: t, p: p, cfg: s.Config(), sp: sp}
		var want, got []string
		for _, c := range b.repairs() {
			text := ""
			for j, k := range c.Alternatives {
				text += fmt.Sprint(sp.Alt(k).Site, b.fillOf(c, j), " ")
			}
			want = append(want, text)
		}
		for r, err := range s.Repairs(t.Context()) {
			if err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			text := ""
			for _, c := range r.Changes {
				text += fmt.Sprint(c.Site, []uint64{c.Holes[0].Bits}, " ")
			}
			got = append(got, text)
		}
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) || len(got) == 0 {
			t.Errorf("seed %d: repairs %v, want %v", seed, got, want)
		}
		if s.Stats().Refuted == 0 {
			t.Errorf("seed %d: none was refuted beyond the bound", seed)
		}
	}
}
