package gen_test

import (
	"fmt"
	"testing"

	"github.com/go-amend/amend/ir"
)

// TestFeatures checks that each construct occurs often.
func TestFeatures(t *testing.T) {
	n := make(counts)
	for seed := range uint64(2000) {
		n.program(program(seed))
	}
	want := []string{
		"*ir.Assign", "*ir.Havoc", "*ir.Alloc", "*ir.Assume", "*ir.Assert", "*ir.If", "*ir.Loop", "*ir.Break", "*ir.Continue",
		"*ir.Return", "*ir.Call", "*ir.Block", "*ir.Use", "*ir.Const", "*ir.Unary", "*ir.Binary", "*ir.Cond", "*ir.Index", "*ir.Convert",
		"check bounds", "check div", "check shift", "check overflow", "check conversion", "Init", "hard", "shared site",
		"form 0", "form 1", "form 2", "form 3", "element of a row", "ir.Int to ir.Int", "ir.Bool to ir.Int", "ir.Int to ir.Bool",
		"Head", "Post", "no Cond", "TestLast", "break with a label", "continue with a label", "two values", "return without values",
		"havoc of an array", "assertion of another kind", "recursion", "result dropped", "result to an element",
		"array argument", "row as an argument", "array parameter with a length", "array parameter of the entry",
	}
	for op := ir.Not; op <= ir.LOr; op++ {
		want = append(want, fmt.Sprintf("op %d %s", op, op))
	}
	for _, w := range want {
		if n[w] < 20 {
			t.Errorf("%s: %d times in 2000 programs", w, n[w])
		}
	}
}

type counts map[string]int

func (n counts) mark(ok bool, what string) {
	if ok {
		n[what]++
	}
}

func (n counts) program(p *ir.Program) {
	for k := ir.CheckBounds; k <= ir.CheckConversion; k++ {
		n.mark(p.Checks.Has(k), "check "+k.String())
	}
	n.mark(len(p.Init.List) > 0, "Init")
	for _, s := range p.Sites() {
		n.mark(len(s.Occurrences) > 1, "shared site")
	}
	for _, v := range p.Entry.Params {
		_, ok := v.Type.(ir.Array)
		n.mark(ok, "array parameter of the entry")
	}
	p.Stmts(func(f *ir.Proc, s ir.Stmt) {
		n[fmt.Sprintf("%T", s)]++
		n.mark(f != nil && f.Hard, "hard")
		n.stmt(f, s)
		ir.EachExpr(s, func(e *ir.Expr) { n.expr(*e) })
	})
}

func (n counts) stmt(f *ir.Proc, s ir.Stmt) {
	switch s := s.(type) {
	case *ir.Loop:
		n.mark(s.Head != nil, "Head")
		n.mark(s.Post != nil, "Post")
		n.mark(s.Cond == nil, "no Cond")
		n.mark(s.TestLast, "TestLast")
	case *ir.Break:
		n.mark(s.Label != "", "break with a label")
	case *ir.Continue:
		n.mark(s.Label != "", "continue with a label")
	case *ir.Return:
		n.mark(len(s.Values) > 1, "two values")
		n.mark(len(s.Values) == 0 && len(f.Results) > 0, "return without values")
	case *ir.Havoc:
		_, ok := s.LHS.Type().(ir.Array)
		n.mark(ok, "havoc of an array")
	case *ir.Assert:
		n.mark(s.Kind != ir.CheckAssert, "assertion of another kind")
	case *ir.Call:
		n.mark(s.Proc == f, "recursion")
		n.call(s)
	}
}

func (n counts) call(s *ir.Call) {
	for _, e := range s.Results {
		_, ok := e.(*ir.Index)
		n.mark(e == nil, "result dropped")
		n.mark(ok, "result to an element")
	}
	for i, e := range s.Args {
		_, row := e.(*ir.Index)
		a, ok := s.Proc.Params[i].Type.(ir.Array)
		n.mark(ok, "array argument")
		n.mark(ok && row, "row as an argument")
		n.mark(ok && a.Len > 0, "array parameter with a length")
	}
}

func (n counts) expr(e ir.Expr) {
	n[fmt.Sprintf("%T", e)]++
	switch e := e.(type) {
	case *ir.Unary:
		n[fmt.Sprintf("op %d %s", e.Op, e.Op)]++
	case *ir.Binary:
		n[fmt.Sprintf("op %d %s", e.Op, e.Op)]++
		n[fmt.Sprint("form ", e.Form)]++
	case *ir.Convert:
		n[fmt.Sprintf("%T to %T", e.X.Type(), e.To)]++
	case *ir.Index:
		_, ok := e.X.(*ir.Index)
		n.mark(ok, "element of a row")
	}
}
