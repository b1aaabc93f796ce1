package mutate

import (
	"iter"
	"slices"

	"github.com/go-amend/amend/ir"
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
func Statements() []*Operator {
	return []*Operator{
		{Name: "delete", Doc: "delete a statement", On: Guard, Cost: 2, Apply: only(func(Site) ir.Expr {
			return &ir.Const{Typ: ir.Bool{}}
		})},
		{Name: "exchange", Doc: "exchange two neighbouring assignments", On: Exchange, Cost: 2, Apply: only(func(Site) ir.Expr {
			return &ir.Const{Val: 1, Typ: ir.Bool{}}
		})},
		{Name: "guard", Doc: "execute a statement only under a condition", On: Guard, Cost: 4, Apply: func(s Site) iter.Seq[Alternative] {
			return atoms(s.InScope)
		}},
		{Name: "insert", Doc: "insert an assignment", On: Insertion, Cost: 4, Apply: insert},
	}
}

// only returns an Apply for one alternative.
func only(change func(Site) ir.Expr) func(Site) iter.Seq[Alternative] {
	return func(s Site) iter.Seq[Alternative] {
		return func(yield func(Alternative) bool) { yield(Alternative{Expr: change(s)}) }
	}
}

// insert yields what may be assigned to a variable: a constant, and one of
// the expressions that are there already.
func insert(s Site) iter.Seq[Alternative] {
	return func(yield func(Alternative) bool) {
		t := s.Expr.Type()
		if _, ok := t.(ir.Float); !ok {
			c := NewHole(t)
			if !yield(Alternative{Expr: c.Use(), Holes: []Hole{c}}) {
				return
			}
		}
		if others := s.assignable(); len(others) > 0 {
			e, h := Choose(others...)
			yield(Alternative{Expr: e, Holes: []Hole{h}})
		}
	}
}

// assignable returns the variables and operations that may be assigned to the
// variable at s.
func (s *Site) assignable() []ir.Expr {
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
	if _, ok := t.(ir.Int); ok && (s.Language != ir.C || ir.Width(t) >= 32) {
		for _, op := range []ir.Op{ir.Add, ir.Sub} {
			add(&ir.Binary{Op: op, X: use(self), Y: &ir.Const{Val: 1, Typ: t}})
		}
	}
	for _, e := range s.assigned {
		if s.sees(e) {
			add(textless(e))
		}
	}
	return out
}

// sees reports whether all variables in e have a value at s.
func (s *Site) sees(e ir.Expr) bool {
	if u, ok := e.(*ir.Use); ok {
		return slices.Contains(s.InScope, u.Var)
	}
	for _, o := range e.Operands(nil) {
		if !s.sees(*o) {
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
