package sequentialize_test

import (
	"testing"

	"github.com/go-amend/amend/formula"
	"github.com/go-amend/amend/formula/sat"
	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/sequentialize"
	"github.com/go-amend/amend/ssa"
)

// TestLinear checks that formulas grow linearly with rounds: each further
// round adds about as much as the ones before.
func TestLinear(t *testing.T) {
	for _, name := range []string{"gates.c", "transfer.c", "mailbox.c", "bridge.c"} {
		p := sample(t, name)
		size := func(rounds int) (vars, clauses int) {
			st := formula.NewStore()
			e, err := sequentialize.Encode(st, p, rounds, ssa.Config{Unwind: 2, Flat: true, Spurious: true})
			if err != nil {
				t.Fatal(err)
			}
			s := formula.NewSolver(st, sat.New())
			e.Form.Load(s)
			s.Lit(e.Form.Violated())
			return s.Stats().Vars, s.Stats().Clauses
		}
		v4, c4 := size(4)
		v8, c8 := size(8)
		v16, c16 := size(16)
		if 100*(v16-v8) > 205*(v8-v4) || 100*(c16-c8) > 205*(c8-c4) { // the first rounds are simpler
			t.Errorf("%s: %d, %d, %d variables and %d, %d, %d clauses at 4, 8, 16 rounds", name, v4, v8, v16, c4, c8, c16)
		}
	}
}

// BenchmarkEncode is the time to build and load the formula of five rounds.
func BenchmarkEncode(b *testing.B) {
	p, err := ir.Parse("bench.ir", []byte(readersWriters))
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		st := formula.NewStore()
		e, err := sequentialize.Encode(st, p, 5, ssa.Config{Flat: true})
		if err != nil {
			b.Fatal(err)
		}
		e.Form.Load(formula.NewSolver(st, sat.New()))
	}
}
