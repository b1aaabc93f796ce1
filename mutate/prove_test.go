package mutate

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/go-amend/amend/formula"
	"github.com/go-amend/amend/incremental"
	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/gen"
	"github.com/go-amend/amend/ir/interp"
	"github.com/go-amend/amend/ssa"
)

// exhaustive is a Config.Prove that runs a program on all inputs. Its answer
// is exact for programs whose runs all end and read few bits.
func exhaustive(ctx context.Context, p *ir.Program) (Proof, error) {
	const runs, steps = 300, 500
	proof := Proof{Reach: EveryBound}
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
			return Proof{}, err
		}
		switch t.Outcome {
		case interp.Violated:
			m := make(ssa.Model)
			for _, in := range t.Inputs {
				m[in.Choice] = in.Value
			}
			return Proof{Reach: Refuted, Model: m}, nil
		case interp.OutOfSteps, interp.Cut:
			proof = Proof{Reason: "a run does not end"}
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
	return Proof{Reason: "too many inputs"}, nil
}

// byIncremental returns a Config.Prove that carries proofs from repair to
// repair.
func byIncremental() func(context.Context, *ir.Program) (Proof, error) {
	series := incremental.NewSeries(incremental.Config{Limits: incremental.Limits{Refinements: 12, SATCalls: 4000, States: 5000, Bound: 20}})
	return func(ctx context.Context, p *ir.Program) (Proof, error) {
		r, err := series.Prove(ctx, p)
		if _, ok := errors.AsType[*ir.UnsupportedError](err); ok {
			return Proof{Reason: "unsupported"}, nil
		}
		reach := map[incremental.Status]Reach{incremental.Proved: EveryBound, incremental.Violated: Refuted}[r.Status]
		return Proof{Reach: reach, Reason: r.Reason, Model: r.Model, SATCalls: r.Stats.SATCalls}, err
	}
}

// TestProve compares repairs for every bound with brute force: every
// candidate built, solved within the bound, and run on all inputs.
func TestProve(t *testing.T) {
	labels := make(map[Reach]int)
	refuted := 0
	for seed := range seeds(800) {
		rng := rand.New(rand.NewPCG(seed, 21))
		p := gen.Program(rng, gen.Config{Checks: allChecks, Statements: 3, Widths: []int{[]int{2, 3, 4}[seed%3]}})
		cfg := Config{Schemes: Level2(), Unwind: 1, MaxSize: 1 + rng.IntN(2), AllowCuts: rng.IntN(2) == 0, Prove: exhaustive}
		want, _ := bruteForce(t, p, cfg)
		if want == nil {
			continue
		}
		for _, mode := range []Mode{Learn, Slice, Basic} {
			cfg.Mode, cfg.Workers = mode, rng.IntN(4)
			cfg.heavy, cfg.patience = rng.IntN(3)-1, rng.IntN(9)
			cfg.Prove = exhaustive
			known := true // what is proved beyond the bound
			if rng.IntN(3) == 0 {
				cfg.Prove = byIncremental()
			}
			s, err := New(p, cfg)
			if err != nil {
				t.Fatal(err)
			}
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
				if truth.Reach == Refuted && r.Proof.Reach == EveryBound {
					t.Fatalf("seed %d, mode %d: %s is proved, and fails\n%s", seed, mode, describe(r.Changes), p)
				}
				known = known && (truth.Reach != Refuted)
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
	if refuted < 50 || labels[EveryBound] < 100 || labels[Bounded] == 0 {
		t.Errorf("only %v, %d refuted", labels, refuted)
	}
}

// TestProveHoles does the same for schemes with holes.
func TestProveHoles(t *testing.T) {
	found, refuted := 0, 0
	for seed := range seeds(800) {
		rng := rand.New(rand.NewPCG(seed, 22))
		p := gen.Program(rng, gen.Config{Checks: allChecks, Statements: 3, Widths: []int{3}})
		cfg := Config{
			Schemes: holed[rng.IntN(len(holed))], Unwind: 1, Workers: rng.IntN(4), AllowCuts: rng.IntN(2) == 0,
			Prove: exhaustive, heavy: rng.IntN(3) - 1, patience: rng.IntN(5),
		}
		sp, err := newSpace(formula.NewStore(), p, cfg.Schemes, nil)
		if err != nil {
			t.Fatal(err)
		}
		if n := len(sp.alts); n == 0 || n > 30 || len(cfg.Schemes) != len(holed[0]) && n > 6 {
			continue
		}
		s, err := New(p, cfg)
		if err != nil {
			t.Fatal(err)
		}
		b := &byTrying{t: t, s: s, sp: sp, r: &run{p: p, cfg: s.cfg, ctx: t.Context()}}
		var want, got []string
		for _, c := range b.repairs() {
			a := sp.alts[c.alts[0]]
			want = append(want, fmt.Sprint(sp.sites[a.site].ID, a.op.Name, constantsOf(c.fill, b.holes(c))))
		}
		for r, err := range s.Repairs(t.Context()) {
			if err != nil {
				t.Fatalf("seed %d: %v\n%s", seed, err, p)
			}
			c := r.Changes[0]
			var values []uint64
			for _, v := range c.Holes {
				values = append(values, v.Bits)
			}
			got = append(got, fmt.Sprint(c.Site, c.By.Name, values))
			found++
		}
		refuted += s.Stats().Refuted
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Fatalf("seed %d: repairs %v, want %v\n%s", seed, got, want, p)
		}
	}
	t.Log(found, "refuted", refuted)
	if !testing.Short() && (found < 20 || refuted < 3) {
		t.Errorf("only %d repairs, %d refuted", found, refuted)
	}
}

// constantsOf returns the values of those holes that are constants.
func constantsOf(fill []uint64, hs []hole) []uint64 {
	var out []uint64
	for i, h := range hs {
		if !h.choice {
			out = append(out, fill[i])
		}
	}
	return out
}
