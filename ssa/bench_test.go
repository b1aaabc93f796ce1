package ssa_test

import (
	"fmt"
	"testing"

	"github.com/go-amend/amend/formula"
	"github.com/go-amend/amend/formula/sat"
	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ssa"
)

const longLoop = `
proc main(n i32, k i32) {
	var a i32 = 0
	var b i32 = 1
	var c i32 = k
	var i i32
	for i = 0; i < n; i++ {
		a += b
		b = c - a
		if a > b { c++ } else { c = b }
		a = a ^ c
		b = b + 3
		c = c - i
		if c == 7 { break }
		a = a + 1
	}
	assert a != b || n > 0
}`

func parse(t testing.TB, text string) *ir.Program {
	t.Helper()
	p, err := ir.Parse("test.ir", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestLinear checks that the constraint set grows linearly with the bound.
func TestLinear(t *testing.T) {
	p := parse(t, longLoop)
	size := func(unwind int) (defs, terms int) {
		st := formula.NewStore()
		f, err := ssa.Build(st, p, ssa.Config{Unwind: unwind})
		if err != nil {
			t.Fatal(err)
		}
		return len(f.Defs), st.Len()
	}
	d1, t1 := size(100)
	d2, t2 := size(200)
	if d2 > 2*d1+1 || t2 > 2*t1 { // no definition for the last test
		t.Errorf("bound 100: %d definitions, %d terms; bound 200: %d, %d", d1, t1, d2, t2)
	}
}

// BenchmarkBuild unwinds a loop of ten statements.
func BenchmarkBuild(b *testing.B) {
	p := parse(b, longLoop)
	for _, unwind := range []int{10, 100, 1000} {
		b.Run(fmt.Sprint(unwind), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := ssa.Build(formula.NewStore(), p, ssa.Config{Unwind: unwind, Fold: true}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkEncoding decides one program after another, each selected by
// assumptions in one formula, in both encodings of alternatives: here every
// addition may become a subtraction.
func BenchmarkEncoding(b *testing.B) {
	p := parse(b, longLoop)
	for _, guarded := range []bool{false, true} {
		b.Run(map[bool]string{false: "choice", true: "guarded"}[guarded], func(b *testing.B) {
			var stats formula.Stats
			for b.Loop() {
				st := formula.NewStore()
				sel := make(map[ir.SiteID]formula.Term)
				var all []formula.Term
				hook := func(h ssa.Hole) []ssa.Alternative {
					e, ok := h.Expr.(*ir.Binary)
					if !ok || h.Site == 0 || e.Op != ir.Add {
						return nil
					}
					if sel[h.Site] == 0 {
						sel[h.Site] = st.Var(1, "sel")
						all = append(all, sel[h.Site])
					}
					return []ssa.Alternative{{When: sel[h.Site], Expr: &ir.Binary{Op: ir.Sub, X: e.X, Y: e.Y}}}
				}
				f, err := ssa.Build(st, p, ssa.Config{Unwind: 3, Fold: true, Guarded: guarded, Hook: hook})
				if err != nil {
					b.Fatal(err)
				}
				s := formula.NewSolver(st, sat.New())
				f.Load(s)
				for i := range all {
					assume := []formula.Term{f.Violated()}
					for j, t := range all {
						if i != j {
							t = st.Not(t)
						}
						assume = append(assume, t)
					}
					if _, err := s.Check(b.Context(), assume...); err != nil {
						b.Fatal(err)
					}
				}
				stats = s.Stats()
			}
			b.ReportMetric(float64(stats.Clauses), "clauses/op")
			b.ReportMetric(float64(stats.Vars), "vars/op")
		})
	}
}
