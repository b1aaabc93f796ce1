package mutate_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/interp"
	"github.com/go-amend/amend/mutate"
	"github.com/go-amend/amend/mutate/scheme"
	"github.com/go-amend/amend/ssa"
	"github.com/go-amend/amend/ssa/bmc"
)

// TestDistinct compares, for random programs, the repairs that are left with the first
// ones of each behaviour on all inputs, and replays what tells them apart.
func TestDistinct(t *testing.T) {
	n := uint64(300)
	if testing.Short() {
		n = 60
	}
	left, alike := 0, 0
	for seed := range n {
		p, err := ir.Parse("p.ir", []byte(twoVariables(rand.New(rand.NewPCG(seed, 71)))))
		if err != nil {
			t.Fatal(err)
		}
		cfg := mutate.Config{Operators: scheme.Level2(), Unwind: 2, MaxSize: 1 + int(seed%2)}
		b := &everyInput{T: t, p: p, unwind: 4}
		var want []string
		seen := make(map[string]bool)
		for _, x := range allFound(t, p, cfg) {
			if k := b.behaviour(x.Program); !seen[k] {
				seen[k] = true
				want = append(want, fmt.Sprint(x.Alternatives))
			} else {
				alike++
			}
		}
		cfg.Distinct = true
		var got []string
		var last *mutate.Repair
		for _, x := range allFound(t, p, cfg) {
			got = append(got, fmt.Sprint(x.Alternatives))
			if left++; last != nil {
				b.apart(x, last)
			}
			last = x
		}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Fatalf("seed %d: %v, want %v\n%s", seed, got, want, p)
		}
	}
	t.Logf("%d repairs, %d alike", left, alike)
	if left < 40 || alike < 20 {
		t.Errorf("too few: %d repairs, %d alike", left, alike)
	}
}

// twoVariables is a program that computes a, b and a global from two numbers of three
// bits, and asserts little of them.
func twoVariables(r *rand.Rand) string {
	var w strings.Builder
	w.WriteString("var g u3\nproc main(x u3, y u3) {\n\tvar a u3 = x\n\tvar b u3 = 1\n")
	term := func() string { return []string{"a", "b", "x", "y", "1", "2", "g"}[r.IntN(7)] }
	sum := func() string {
		return fmt.Sprintf("%s %s %s", []string{"a", "b", "x"}[r.IntN(3)], []string{"+", "-", "&", "|"}[r.IntN(4)], term())
	}
	condition := func() string {
		return fmt.Sprintf("%s %s %s", []string{"a", "b", "x"}[r.IntN(3)], []string{"<", "==", "!=", "<="}[r.IntN(4)], term())
	}
	set := func() string { return fmt.Sprintf("%s = %s", []string{"a", "b", "g"}[r.IntN(3)], sum()) }
	for range 2 + r.IntN(3) {
		switch r.IntN(3) {
		case 0:
			fmt.Fprintf(&w, "\tif %s { %s }\n", condition(), set())
		case 1:
			fmt.Fprintf(&w, "\twhile %s { a = a + 1; %s }\n", condition(), set())
		default:
			fmt.Fprintf(&w, "\t%s\n", set())
		}
	}
	fmt.Fprintf(&w, "\tassert %s || %s\n}\n", condition(), condition())
	return w.String()
}

func allFound(t *testing.T, p *ir.Program, cfg mutate.Config) (out []*mutate.Repair) {
	t.Helper()
	s, err := mutate.New(p, cfg)
	if err != nil {
		t.Fatal(err)
	}
	for x, err := range s.Repairs(t.Context()) {
		if _, undecided := errors.AsType[*bmc.UndecidedError](err); undecided || errors.Is(err, mutate.ErrNoSites) {
			return nil
		}
		if err != nil {
			t.Fatalf("%v\n%s", err, p)
		}
		out = append(out, x)
	}
	return out
}

// everyInput runs programs on all inputs.
type everyInput struct {
	*testing.T
	p      *ir.Program
	unwind int
}

func (b *everyInput) run(p *ir.Program, input func(ir.Choice) uint64) string {
	x, err := interp.Run(b.Context(), p, interp.Config{Unwind: b.unwind, Input: input, Final: true})
	if err != nil {
		b.Fatal(err)
	}
	if x.Outcome != interp.Ended {
		return "no end"
	}
	return fmt.Sprint(x.Final)
}

func (b *everyInput) behaviour(p *ir.Program) (out string) {
	x, y := b.p.Entry.Params[0].ID, b.p.Entry.Params[1].ID
	for k := range uint64(64) {
		m := ssa.Model{{Var: x}: k % 8, {Var: y}: k / 8}
		out += b.run(p, m.Input) + "\n"
	}
	return out
}

// apart holds x.Apart to the runs of x and y.
func (b *everyInput) apart(x, y *mutate.Repair) {
	if x.Apart == nil || b.run(x.Program, x.Apart.Input.Input) == b.run(y.Program, x.Apart.Input.Input) {
		b.Errorf("%v doesn't tell\n%s from\n%s", x.Apart, x.Program, y.Program)
	}
}

func TestDistinctRefuses(t *testing.T) {
	p, err := ir.Parse("p.ir", []byte("var g i32; proc f() { g = 1 } proc main() { spawn f(); assert g == 0 }"))
	if err != nil {
		t.Fatal(err)
	}
	_, err = mutate.New(p, mutate.Config{Operators: scheme.Level2(), Distinct: true})
	if _, ok := errors.AsType[*ir.UnsupportedError](err); !ok {
		t.Errorf("threads: %v", err)
	}
}
