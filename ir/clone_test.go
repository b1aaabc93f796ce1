package ir_test

import (
	"math/rand/v2"
	"testing"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/gen"
)

// TestClone copies random programs, sequential ones and such with threads, and
// their expressions: a copy is equal and shares no node.
func TestClone(t *testing.T) {
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 41))
		p := gen.Threads(rng)
		if seed%2 == 0 {
			p = gen.Program(rng, gen.Config{Free: true, Checks: ir.DefaultChecks})
		}
		before := p.String()
		q := p.Clone()
		if err := ir.Check(q); err != nil || q.String() != before {
			t.Fatalf("seed %d: %v, the copy is\n%s\nof\n%s", seed, err, q, before)
		}
		p.Stmts(func(_ *ir.Proc, s ir.Stmt) {
			for _, e := range s.Operands(nil) {
				cloned(t, *e)
			}
		})
		q.Stmts(func(_ *ir.Proc, s ir.Stmt) {
			ir.EachExpr(s, func(e *ir.Expr) { *ir.ExprOf(*e) = ir.ExprInfo{ID: 1} })
			for _, e := range s.Operands(nil) {
				*e = &ir.Const{Typ: (*e).Type()}
			}
		})
		if p.String() != before {
			t.Fatalf("seed %d: a change of the copy made\n%s\nof\n%s", seed, p, before)
		}
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

// cloned copies e.
func cloned(t *testing.T, e ir.Expr) {
	t.Helper()
	c := ir.CloneExpr(e)
	old, now := nodes(e), nodes(c)
	if !ir.EqualExpr(e, c) || !ir.EqualExpr(c, e) || len(old) != len(now) {
		t.Errorf("the copy of %T is another expression", e)
		return
	}
	if leaf := len(e.Operands(nil)) == 0; !ir.SameNode(e, ir.CloneNode(e)) || ir.SameNode(e, c) != leaf {
		t.Errorf("SameNode of %T, its node %v, and all of it %v", e, ir.SameNode(e, ir.CloneNode(e)), ir.SameNode(e, c))
	}
	if u := ir.Unsited(e); u.Site() != 0 || !u.Span().IsZero() || !ir.SameNode(e, u) {
		t.Errorf("Unsited(%T) is another node, or a site", e)
	}
	for i := range old {
		if *old[i] == *now[i] || (*old[i]).Site() != (*now[i]).Site() || (*old[i]).Span() != (*now[i]).Span() {
			t.Errorf("node %d of the copy of %T is the same, or elsewhere", i, e)
		}
		x := *now[i]
		if *now[i] = (&ir.Unary{Op: ir.Compl, X: x}); ir.EqualExpr(e, *now[0]) || ir.EqualExpr(*now[0], e) {
			t.Errorf("%T is equal to one with another node %d", e, i)
		}
		*now[i] = x
	}
}

// nodes returns where the expressions in e are, e first.
func nodes(e ir.Expr) []*ir.Expr {
	list := []*ir.Expr{&e}
	for i := 0; i < len(list); i++ {
		list = (*list[i]).Operands(list)
	}
	return list
}
