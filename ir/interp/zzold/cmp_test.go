package zzold

import (
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/gen"
	"github.com/go-amend/amend/ir/interp"
)

var allChecks = ir.Checks(0).With(ir.CheckBounds, ir.CheckDiv, ir.CheckShift, ir.CheckOverflow, ir.CheckConversion)

func TestSame(t *testing.T) {
	hist := map[string]int{}
	for seed := range uint64(40000) {
		r := rand.New(rand.NewPCG(seed, 3))
		p := gen.Program(r, gen.Config{Checks: allChecks, Free: seed%2 == 0, Widths: [][]int{nil, {1, 3, 8, 32, 64}}[seed%2]})
		for k := range uint64(4) {
			u := int(k) - 1
			x, _ := Run(t.Context(), p, Config{Unwind: u, Input: gen.Input(seed + k), MaxSteps: 5000})
			y, err := interp.Run(t.Context(), p, interp.Config{Unwind: u, Input: gen.Input(seed + k), MaxSteps: 5000})
			if err != nil {
				t.Fatal(err)
			}
			hist[y.Outcome.String()]++
			if x.Outcome == OutOfSteps && y.Outcome == interp.OutOfSteps {
				continue
			}
			if x.Outcome.String() != y.Outcome.String() || x.Path != y.Path || x.Kind != y.Kind || x.Site != y.Site || x.Failed != y.Failed {
				t.Fatalf("seed %d: %v %v %v %v\n%v %v %v %v\n%s", seed, x.Outcome, x.Path, x.Kind, x.Site, y.Outcome, y.Path, y.Kind, y.Site, p)
			}
			hv := map[ir.LocID]bool{}
			p.Stmts(func(_ *ir.Proc, s ir.Stmt) {
				if h, ok := s.(*ir.Havoc); ok {
					_, hv[h.ID] = h.LHS.(*ir.Use)
				}
			})
			ys := y.Steps
			y.Steps = nil
			for _, st := range ys {
				if !hv[st.At] {
					y.Steps = append(y.Steps, st)
				}
			}
			if len(x.Steps) != len(y.Steps) {
				t.Fatalf("seed %d steps %v\n%v\n%s", seed, x.Steps, y.Steps, p)
			}
			for i := range x.Steps {
				if Step(y.Steps[i]) != x.Steps[i] {
					t.Fatalf("seed %d: step %d %v %v", seed, i, x.Steps[i], y.Steps[i])
				}
			}
			_ = reflect.DeepEqual
		}
	}
	t.Log(hist)
}

func BenchmarkOld(b *testing.B) {
	ps := progs()
	for b.Loop() {
		for i, p := range ps {
			Run(b.Context(), p, Config{Unwind: 4, Input: gen.Input(uint64(i))})
		}
	}
}
func BenchmarkNew(b *testing.B) {
	b.ReportAllocs()
	ps := progs()
	for b.Loop() {
		for i, p := range ps {
			interp.Run(b.Context(), p, interp.Config{Unwind: 4, Input: gen.Input(uint64(i))})
		}
	}
}
func BenchmarkNewNoSteps(b *testing.B) {
	b.ReportAllocs()
	ps := progs()
	for b.Loop() {
		for i, p := range ps {
			interp.Run(b.Context(), p, interp.Config{Unwind: 4, Input: gen.Input(uint64(i)), NoSteps: true})
		}
	}
}

func progs() (ps []*ir.Program) {
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 3))
		ps = append(ps, gen.Program(r, gen.Config{Checks: allChecks, Free: seed%2 == 0}))
	}
	return
}
