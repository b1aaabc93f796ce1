package gen_test

import (
	"math/rand/v2"
	"testing"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/gen"
	"github.com/go-amend/amend/ir/interp"
)

// outcomes runs p on all its inputs, two of 2 or 3 bits.
func outcomes(t *testing.T, p *ir.Program) (out []interp.Outcome) {
	t.Helper()
	for v := range uint64(64) {
		n := 0
		values := make(map[ir.Choice]uint64)
		x, err := interp.Run(t.Context(), p, interp.Config{Unwind: gen.PinUnwind, NoSteps: true, Input: func(c ir.Choice) uint64 {
			if _, ok := values[c]; !ok {
				values[c] = v >> (3 * n)
				n++
			}
			return values[c]
		}})
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, x.Outcome)
	}
	return out
}

// TestPin exchanges operators everywhere and counts the programs on which
// some run comes out otherwise. Without pinned results, shifts are noticed in
// none of hundreds.
func TestPin(t *testing.T) {
	programs := uint64(120)
	if testing.Short() {
		programs = 40
	}
	for _, x := range []struct{ from, to ir.Op }{
		{ir.Shr, ir.Shl}, {ir.Add, ir.Sub}, {ir.Lt, ir.Le}, {ir.Div, ir.Rem}, {ir.Eq, ir.Ne}, {ir.And, ir.Or},
	} {
		had, noticed := 0, 0
		for seed := range programs {
			p := gen.Program(rand.New(rand.NewPCG(seed, 5)), gen.Config{Pin: 4, Statements: 5})
			before := outcomes(t, p)
			found := false
			p.Stmts(func(_ *ir.Proc, s ir.Stmt) {
				if _, ok := s.(*ir.Assert); ok {
					return
				}
				ir.EachExpr(s, func(e *ir.Expr) {
					if b, ok := (*e).(*ir.Binary); ok && b.Op == x.from {
						b.Op, found = x.to, true
					}
				})
			})
			if !found {
				continue
			}
			had++
			for i, o := range outcomes(t, p) {
				if o != before[i] {
					noticed++
					break
				}
			}
		}
		t.Logf("%v for %v: noticed in %d of %d programs", x.to, x.from, noticed, had)
		if noticed*8 < had {
			t.Errorf("%v for %v: noticed in %d of %d programs only", x.to, x.from, noticed, had)
		}
	}
}

// Nothing but a check is violated in a program with pinned results.
func TestPinned(t *testing.T) {
	pinned := 0
	for seed := range uint64(200) {
		p := gen.Program(rand.New(rand.NewPCG(seed, 6)), gen.Config{Pin: 3, Spans: seed%2 == 0})
		if err := ir.Check(p); err != nil {
			t.Fatal(err)
		}
		for i := len(p.Entry.Body.List) - 1; i >= 0; i-- {
			if _, ok := p.Entry.Body.List[i].(*ir.Assert); !ok {
				break
			}
			pinned++
		}
		for v := range uint64(8) {
			x, err := interp.Run(t.Context(), p, interp.Config{Unwind: gen.PinUnwind, Input: gen.Input(v)})
			if err != nil {
				t.Fatal(err)
			}
			if x.Outcome == interp.Violated && x.Kind == ir.CheckAssert {
				t.Fatalf("seed %d: a pinned result is violated in\n%s", seed, p)
			}
		}
	}
	if pinned < 300 {
		t.Errorf("%d results are pinned in 200 programs", pinned)
	}
}
