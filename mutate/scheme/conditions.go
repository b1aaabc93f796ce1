package scheme

import (
	"iter"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/mutate"
)

// Conditions changes conditions, wherever they stand, those of ?: too: it
// replaces one by true, false or its negation, drops an operand of && or ||, or
// adds an atom by && or ||. Atoms compare a variable in scope with another or
// with a constant. Which they compare, and how, are holes. In C a number may be
// a condition; what takes its place is written as one.
func Conditions() []*mutate.Operator {
	return []*mutate.Operator{
		condition("drop", "drop an operand of && or ||", 1, dropOperand),
		condition("negate", "negate a condition", 1, negate),
		condition("fix", "replace a condition by true or false", 2, fixCondition),
		condition("add", "add a comparison to a condition by && or ||", 3, addAtom),
	}
}

// condition returns an operator for conditions: apply makes other ones, of type
// Bool, of e. If the condition is a number, e is its conversion to Bool, and
// the Parent of the site what that conversion is an operand of.
func condition(name, doc string, cost int, apply func(e ir.Expr, s mutate.Site, yield func(mutate.Alternative) bool)) *mutate.Operator {
	return &mutate.Operator{Name: name, Doc: doc, Cost: cost, Apply: func(s mutate.Site) iter.Seq[mutate.Alternative] {
		return func(yield func(mutate.Alternative) bool) {
			e := ir.Unsited(s.Expr)
			switch {
			case !decides(s.Expr, s.Checks):
			case truth(s.Expr):
				apply(e, s, yield)
			case decided(s) != nil:
				s.Parent = above(s)
				apply(&ir.Convert{To: ir.Bool{}, X: e}, s, func(a mutate.Alternative) bool {
					a.Expr = &ir.Convert{To: s.Expr.Type(), X: a.Expr}
					return yield(a)
				})
			}
		}
	}}
}

// decides reports whether e is read or computed, and a copy of it is the same.
// Constants are left to schemes of their own.
func decides(e ir.Expr, checks ir.Checks) bool {
	switch e.(type) {
	case *ir.Binary, *ir.Use, *ir.Index:
		return same(e, checks)
	}
	return false
}

// truth reports whether e is true or false.
func truth(e ir.Expr) bool { return e.Type() == ir.Type(ir.Bool{}) }

// decided returns the conversion by which the number at s is a condition that
// the source doesn't compare with anything; or nil.
func decided(s mutate.Site) *ir.Convert {
	_, number := s.Expr.Type().(ir.Int)
	if c, ok := s.Parent.(*ir.Convert); ok && number && truth(c) && !c.Explicit {
		return c
	}
	return nil
}

// above returns the expression of which the parent of s is an operand, or nil.
func above(s mutate.Site) (p ir.Expr) {
	ir.EachExpr(s.Stmt, func(e *ir.Expr) {
		for _, o := range (*e).Operands(nil) {
			if *o == s.Parent {
				p = *e
			}
		}
	})
	return p
}

func dropOperand(e ir.Expr, _ mutate.Site, yield func(mutate.Alternative) bool) {
	if b, ok := e.(*ir.Binary); ok && b.Op.Lazy() {
		_ = yield(mutate.Alternative{Expr: b.X}) && yield(mutate.Alternative{Expr: b.Y})
	}
}

// negate is for what has no operator that does as much.
func negate(e ir.Expr, _ mutate.Site, yield func(mutate.Alternative) bool) {
	if b, ok := e.(*ir.Binary); !ok || b.Op.Lazy() {
		yield(mutate.Alternative{Expr: &ir.Unary{Op: ir.Not, X: e}})
	}
}

func fixCondition(_ ir.Expr, _ mutate.Site, yield func(mutate.Alternative) bool) {
	_ = yield(mutate.Alternative{Expr: &ir.Const{Val: 1, Typ: ir.Bool{}}}) && yield(mutate.Alternative{Expr: &ir.Const{Val: 0, Typ: ir.Bool{}}})
}

// addAtom leaves operands of && in an && alone, and likewise for ||: adding
// to the whole does as much.
func addAtom(e ir.Expr, s mutate.Site, yield func(mutate.Alternative) bool) {
	for _, op := range []ir.Op{ir.LAnd, ir.LOr} {
		if p, ok := s.Parent.(*ir.Binary); ok && p.Op == op {
			continue
		}
		for a := range atoms(s.InScope) {
			a.Expr = &ir.Binary{Op: op, X: e, Y: a.Expr}
			if !yield(a) {
				return
			}
		}
	}
}

// atoms yields, for each type, the comparisons of variables of that type
// with constants, but for floating-point ones, and with each other.
func atoms(vs []*ir.Var) iter.Seq[mutate.Alternative] {
	return func(yield func(mutate.Alternative) bool) {
		for _, group := range byType(vs) {
			t := group[0].Type()
			x, hx := mutate.Choose(group...)
			if t == ir.Type(ir.Bool{}) {
				e, h := mutate.Choose(x, &ir.Unary{Op: ir.Not, X: x})
				if !yield(mutate.Alternative{Expr: e, Holes: []mutate.Hole{hx, h}}) {
					return
				}
				continue
			}
			if _, ok := t.(ir.Float); !ok && !yield(againstConstant(x, hx)) {
				return
			}
			if len(group) > 1 && !yield(pairs(group)) {
				return
			}
		}
	}
}

// againstConstant returns the comparisons of x, which h chooses, with any
// integer.
func againstConstant(x ir.Expr, h mutate.Hole) mutate.Alternative {
	c := mutate.NewHole(x.Type())
	e, op := mutate.Choose(comparisons(x, c.Use())...)
	return mutate.Alternative{Expr: e, Holes: []mutate.Hole{h, op, c}}
}

// pairs returns the comparisons of two different variables of group.
func pairs(group []ir.Expr) mutate.Alternative {
	var xs, ys []ir.Expr
	for i, x := range group {
		for _, y := range group[i+1:] {
			xs, ys = append(xs, x), append(ys, y)
		}
	}
	x, pair := mutate.Choose(xs...)
	e, h := mutate.Choose(comparisons(x, pair.Choose(ys...))...)
	return mutate.Alternative{Expr: e, Holes: []mutate.Hole{pair, h}}
}

func comparisons(x, y ir.Expr) []ir.Expr {
	var out []ir.Expr
	for _, op := range []ir.Op{ir.Eq, ir.Ne, ir.Lt, ir.Gt, ir.Le, ir.Ge} {
		out = append(out, &ir.Binary{Op: op, X: x, Y: y})
	}
	return out
}

// byType returns the uses of vs, those of one type together, in order.
func byType(vs []*ir.Var) [][]ir.Expr {
	var out [][]ir.Expr
	index := make(map[ir.Type]int)
	for _, v := range vs {
		i, ok := index[v.Type]
		if !ok {
			i = len(out)
			index[v.Type] = i
			out = append(out, nil)
		}
		out[i] = append(out[i], use(v))
	}
	return out
}
