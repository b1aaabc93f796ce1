package scheme

import (
	"iter"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/mutate"
)

// Conditions changes conditions: it replaces one by true, false or its
// negation, drops an operand of && or ||, or adds an atom by && or ||. Atoms
// compare a variable in scope with another or with a constant. Which they
// compare, and how, are holes.
func Conditions() []*mutate.Operator {
	return []*mutate.Operator{
		condition("drop", "drop an operand of && or ||", 1, dropOperand),
		condition("negate", "negate a condition", 1, negate),
		condition("fix", "replace a condition by true or false", 2, fixCondition),
		condition("add", "add a comparison to a condition by && or ||", 3, addAtom),
	}
}

// condition returns an operator for the operators of type Bool.
func condition(name, doc string, cost int, apply func(e *ir.Binary, s mutate.Site, yield func(mutate.Alternative) bool)) *mutate.Operator {
	return &mutate.Operator{Name: name, Doc: doc, Cost: cost, Apply: func(s mutate.Site) iter.Seq[mutate.Alternative] {
		return func(yield func(mutate.Alternative) bool) {
			if e, ok := s.Expr.(*ir.Binary); ok && e.Type() == ir.Type(ir.Bool{}) {
				apply(e, s, yield)
			}
		}
	}}
}

func dropOperand(e *ir.Binary, _ mutate.Site, yield func(mutate.Alternative) bool) {
	if e.Op.Lazy() {
		_ = yield(mutate.Alternative{Expr: e.X}) && yield(mutate.Alternative{Expr: e.Y})
	}
}

// negate is for what has no operator that does as much.
func negate(e *ir.Binary, _ mutate.Site, yield func(mutate.Alternative) bool) {
	if e.Op.Lazy() {
		yield(mutate.Alternative{Expr: &ir.Unary{Op: ir.Not, X: ir.Unsited(e)}})
	}
}

func fixCondition(_ *ir.Binary, _ mutate.Site, yield func(mutate.Alternative) bool) {
	_ = yield(mutate.Alternative{Expr: &ir.Const{Val: 1, Typ: ir.Bool{}}}) && yield(mutate.Alternative{Expr: &ir.Const{Val: 0, Typ: ir.Bool{}}})
}

// addAtom leaves operands of && in an && alone, and likewise for ||: adding
// to the whole does as much.
func addAtom(e *ir.Binary, s mutate.Site, yield func(mutate.Alternative) bool) {
	for _, op := range []ir.Op{ir.LAnd, ir.LOr} {
		if p, ok := s.Parent.(*ir.Binary); ok && p.Op == op {
			continue
		}
		for a := range atoms(s.InScope) {
			a.Expr = &ir.Binary{Op: op, X: ir.Unsited(e), Y: a.Expr}
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
