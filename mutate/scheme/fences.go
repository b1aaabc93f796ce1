package scheme

import (
	"slices"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/mutate"
)

// Fences lets threads wait until what they wrote has reached memory, under memory
// models in which others see it late: after any statement that may write what
// threads share. It is for searches with mutate.Config.Decide: where memory is
// sequentially consistent a fence changes nothing.
func Fences() []*mutate.Operator {
	plan := &mutate.Plan{Make: planFences, Restricts: true}
	return []*mutate.Operator{{Name: "fence", Doc: "let what was written reach memory first", Plan: plan}}
}

// planFences adds the fences to a program with threads, if its language has some.
func planFences(s *mutate.Slots) {
	p := s.Program()
	syntax, ok := ir.SyntaxOf(p).(ir.FenceSyntax)
	if !ok || !ir.Concurrent(p) {
		return
	}
	shared := ir.Shared(p)
	for _, b := range s.Blocks() {
		for i, it := range b.Stmts {
			if it.Hard || !slices.ContainsFunc(it.All, func(t ir.Stmt) bool { return writes(t, shared) }) {
				continue
			}
			f := mutate.Fragment{Stmts: []ir.Stmt{&ir.Atomic{Body: &ir.Block{}}}, Text: syntax.Fence(), Order: mutate.Ends}
			s.Change("fence", 1, s.Insert(b, i+1, f))
		}
	}
}

// writes reports whether s itself may write what threads share.
func writes(s ir.Stmt, shared []bool) bool {
	var to []ir.Expr
	switch s := s.(type) {
	case *ir.Assign:
		to = []ir.Expr{s.LHS}
	case *ir.Havoc:
		to = []ir.Expr{s.LHS}
	case *ir.Call:
		to = s.Results
	}
	return slices.ContainsFunc(to, func(e ir.Expr) bool {
		v := root(e)
		return v != nil && (v.Kind == ir.Param || v.Kind == ir.Global && shared[v.ID])
	})
}

// root returns the variable that e names a part of.
func root(e ir.Expr) *ir.Var {
	for {
		switch x := e.(type) {
		case *ir.Use:
			return x.Var
		case *ir.Index:
			e = x.X
		default:
			return nil
		}
	}
}
