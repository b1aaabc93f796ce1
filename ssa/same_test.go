package ssa_test

import (
	"math/rand/v2"
	"testing"

	"github.com/go-amend/amend/formula"
	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/gen"
	"github.com/go-amend/amend/sequentialize"
	"github.com/go-amend/amend/ssa"
)

// TestSame compares the constraint sets of random programs, with threads and
// without, with those of the text that they are printed as, and with those of
// programs in which some operators are others.
func TestSame(t *testing.T) {
	n := uint64(120)
	if testing.Short() {
		n = 30
	}
	same, changed := 0, 0
	for seed := range n {
		rng := rand.New(rand.NewPCG(seed, 17))
		p := gen.Threads(rng)
		if seed%2 == 0 {
			p = gen.Program(rng, gen.Config{Checks: allChecks})
		}
		st := formula.NewStore()
		in := ssa.NewInputs(st)
		build := func(p *ir.Program) *ssa.Form {
			f, err := sequentialize.Config{Rounds: 2}.Builder(p)(st, ssa.Config{Unwind: 2, Flat: seed%4 < 2, Inputs: in})
			if err != nil {
				t.Fatal(err)
			}
			return f
		}
		first := build(p)
		if !first.Same(build(p.Clone())) {
			t.Fatalf("seed %d: a copy is another program\n%s", seed, p)
		}
		same++
		q := p.Clone()
		if !exchange(q) {
			continue
		}
		if f := build(q); !first.Same(f) {
			changed++
		} else {
			alike(t, first, f, seed) // what was changed is never reached
		}
	}
	if uint64(same) < n || uint64(changed) < n/4 {
		t.Errorf("%d copies, %d changed programs", same, changed)
	}
}

// alike checks that runs of both forms on the same inputs end in the same way.
func alike(t *testing.T, f, g *ssa.Form, seed uint64) {
	t.Helper()
	x, y := ssa.NewRun(f), ssa.NewRun(g)
	for k := range uint64(20) {
		m := make(ssa.Model)
		for _, in := range f.Inputs.All() {
			m[in.Choice] = ir.Wrap(in.Type, gen.Input(seed*20+k)(in.Choice))
		}
		x.Start(m, nil)
		y.Start(m, nil)
		if x.Value(f.Violated()) != y.Value(g.Violated()) || x.Value(f.End) != y.Value(g.End) {
			t.Fatalf("seed %d: programs that are the same end differently", seed)
		}
	}
}

var others = map[ir.Op]ir.Op{ir.Add: ir.Sub, ir.Lt: ir.Le, ir.Eq: ir.Ne, ir.And: ir.Or}

// exchange makes operators of p others, if it can.
func exchange(p *ir.Program) bool {
	done := false
	p.Stmts(func(_ *ir.Proc, s ir.Stmt) {
		ir.EachExpr(s, func(e *ir.Expr) {
			if b, ok := (*e).(*ir.Binary); ok && others[b.Op] != 0 {
				c := *b
				c.Op = others[b.Op]
				*e, done = &c, true
			}
		})
	})
	return done
}
