package gen_test

import (
	"math/rand/v2"
	"testing"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/gen"
	"github.com/go-amend/amend/ir/interp"
)

// shiftsInLoop reports whether p shifts something inside a loop.
func shiftsInLoop(p *ir.Program) bool {
	found := false
	var walk func(b *ir.Block, inside bool)
	walk = func(b *ir.Block, inside bool) {
		for _, s := range b.List {
			ir.EachExpr(s, func(e *ir.Expr) {
				if x, ok := (*e).(*ir.Binary); ok && x.Op == ir.Shl && inside {
					found = true
				}
			})
			if x, ok := s.(*ir.Block); ok {
				walk(x, inside)
				continue
			}
			_, loop := s.(*ir.Loop)
			for _, x := range s.Blocks(nil) {
				walk(x, inside || loop)
			}
		}
	}
	for _, f := range p.Procs {
		walk(f.Body, false)
	}
	return found
}

func TestShrink(t *testing.T) {
	shrunk, programs := 0, uint64(1500)
	if testing.Short() {
		programs = 150
	}
	for seed := range programs {
		p := program(seed)
		if !shiftsInLoop(p) {
			continue
		}
		shrunk++
		before := p.String()
		q := gen.Shrink(p, func(q *ir.Program) bool {
			if err := ir.Check(q); err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			return shiftsInLoop(q)
		})
		if p.String() != before {
			t.Fatalf("seed %d: Shrink modified its argument", seed)
		}
		if !shiftsInLoop(q) {
			t.Fatalf("seed %d: shrunk too far:\n%s", seed, q)
		}
		if n := q.NumLocs(); n > 3 { // a call, a loop, what shifts
			t.Errorf("seed %d: %d statements left:\n%s", seed, n, q)
		}
	}
	if shrunk < int(programs)/75 {
		t.Errorf("only %d programs were of use", shrunk)
	}
}

// TestShrinkRuns shrinks programs by what they do.
func TestShrinkRuns(t *testing.T) {
	total, small := 0, 0
	for seed := range uint64(500) {
		p := gen.Program(rand.New(rand.NewPCG(seed, 4)), gen.Config{Checks: allChecks})
		violates := func(p *ir.Program) bool {
			for k := range uint64(4) {
				x, err := interp.Run(t.Context(), p, interp.Config{Unwind: 2, Input: gen.Input(k), MaxSteps: 10_000})
				if err == nil && x.Outcome == interp.Violated && x.Kind == ir.CheckBounds {
					return true
				}
			}
			return false
		}
		if !violates(p) {
			continue
		}
		q := gen.Shrink(p, violates)
		if !violates(q) {
			t.Fatalf("seed %d: shrunk too far:\n%s", seed, q)
		}
		total++
		if q.NumLocs() <= 2 {
			small++
		}
	}
	if total < 10 || small < total*9/10 {
		t.Errorf("%d of %d programs are small", small, total)
	}
}

// TestShrinkThreads checks that statements of threads are copied too.
func TestShrinkThreads(t *testing.T) {
	p, err := ir.Parse("threads.ir", []byte(`
mutex m
mutex c
var x i32
var t i32
proc worker(n i32) {
	lock m
	signal c
	broadcast c
	wait c, m
	x = x + n
	unlock m
	yield
}
proc main() {
	var ok bool
	t = spawn worker(1)
	trylock m, ok
	atomic { x = 2 }
	loop { break; continue }
	join t
	assert x > 0
}`))
	if err != nil {
		t.Fatal(err)
	}
	before := p.String()
	joins := func(p *ir.Program) bool {
		found := false
		p.Stmts(func(_ *ir.Proc, s ir.Stmt) {
			if _, ok := s.(*ir.Join); ok {
				found = true
			}
		})
		return found
	}
	q := gen.Shrink(p, joins)
	if p.String() != before {
		t.Error("Shrink modified its argument")
	}
	if !joins(q) || q.NumLocs() != 1 || len(q.Vars()) != 0 {
		t.Errorf("shrunk to\n%s", q)
	}
	for i := range p.NumLocs() {
		if s := p.Stmt(ir.LocID(i + 1)); s == nil {
			t.Fatalf("statement %d of the original has lost its number", i+1)
		}
	}
}
