package scheme

import (
	"iter"
	"slices"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/mutate"
)

// Statements deletes a statement, guards it with a comparison, inserts an
// assignment, or exchanges two neighbouring assignments one of which reads or
// writes what the other writes.
//
// Nothing is deleted or guarded that holds an assertion or an assumption,
// makes a choice of the environment, works with threads, or gives a
// procedure its results at the end. What is inserted, at the end of a block or
// right before a statement that reads the variable, assigns to a variable that
// other statements of the procedure assign: a constant, a variable of
// the same type, the variable itself plus or minus 1, or an operation that
// another statement of the procedure assigns. Which it is are holes.
func Statements() []*mutate.Operator {
	return []*mutate.Operator{
		{Name: "delete", Doc: "delete a statement", On: mutate.Guard, Cost: 2, Apply: only(func(mutate.Site) ir.Expr {
			return &ir.Const{Typ: ir.Bool{}}
		})},
		{Name: "exchange", Doc: "exchange two neighbouring assignments", On: mutate.Exchange, Cost: 2, Apply: only(func(mutate.Site) ir.Expr {
			return &ir.Const{Val: 1, Typ: ir.Bool{}}
		})},
		{Name: "guard", Doc: "execute a statement only under a condition", On: mutate.Guard, Cost: 4, Apply: func(s mutate.Site) iter.Seq[mutate.Alternative] {
			return atoms(s.InScope)
		}},
		{Name: "insert", Doc: "insert an assignment", On: mutate.Insertion, Cost: 4, Apply: insert},
	}
}

// only returns an Apply for one alternative.
func only(change func(mutate.Site) ir.Expr) func(mutate.Site) iter.Seq[mutate.Alternative] {
	return func(s mutate.Site) iter.Seq[mutate.Alternative] {
		return func(yield func(mutate.Alternative) bool) { yield(mutate.Alternative{Expr: change(s)}) }
	}
}

// insert yields what may be assigned to a variable: a constant, and one of
// the expressions that are there already.
func insert(s mutate.Site) iter.Seq[mutate.Alternative] {
	return func(yield func(mutate.Alternative) bool) {
		t := s.Expr.Type()
		c := mutate.NewHole(t)
		if !yield(mutate.Alternative{Expr: c.Use(), Holes: []mutate.Hole{c}}) {
			return
		}
		if others := assignable(s); len(others) > 0 {
			e, h := mutate.Choose(others...)
			yield(mutate.Alternative{Expr: e, Holes: []mutate.Hole{h}})
		}
	}
}

// assignable returns the variables and operations that may be assigned to the
// variable at s.
func assignable(s mutate.Site) []ir.Expr {
	self := s.Expr.(*ir.Use).Var
	t := self.Type
	var out []ir.Expr
	add := func(e ir.Expr) {
		same := func(o ir.Expr) bool { return ir.EqualExpr(o, e) }
		if e.Type() == t && !slices.ContainsFunc(out, same) {
			out = append(out, e)
		}
	}
	for _, v := range s.InScope {
		if v != self {
			add(use(v))
		}
	}
	if _, ok := t.(ir.Int); ok && s.Syntax.Computes(t) {
		for _, op := range []ir.Op{ir.Add, ir.Sub} {
			add(&ir.Binary{Op: op, X: use(self), Y: &ir.Const{Val: 1, Typ: t}})
		}
	}
	for _, e := range s.Assigned {
		if sees(s, e) {
			add(textless(e))
		}
	}
	return out
}

// sees reports whether all variables in e have a value at s.
func sees(s mutate.Site, e ir.Expr) bool {
	if u, ok := e.(*ir.Use); ok {
		return slices.Contains(s.InScope, u.Var)
	}
	for _, o := range e.Operands(nil) {
		if !sees(s, *o) {
			return false
		}
	}
	return true
}

// textless returns a copy of e without sites and text.
func textless(e ir.Expr) ir.Expr {
	c := ir.Unsited(e)
	for _, o := range c.Operands(nil) {
		*o = textless(*o)
	}
	return c
}
