package scheme

import (
	"iter"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/mutate"
)

// Operators replaces a binary operator by any other that has operands and a
// result of the same types.
func Operators() []*mutate.Operator {
	arithmetic := []ir.Op{ir.Add, ir.Sub, ir.Mul, ir.Div, ir.Rem, ir.And, ir.Or, ir.Xor, ir.Shl, ir.Shr}
	relational := []ir.Op{ir.Lt, ir.Le, ir.Gt, ir.Ge, ir.Eq, ir.Ne}
	return []*mutate.Operator{{
		Name: "operator",
		Doc:  "replace an operator by any other of the same type",
		Cost: 1,
		Apply: func(s mutate.Site) iter.Seq[mutate.Alternative] {
			return func(yield func(mutate.Alternative) bool) {
				e, ok := s.Expr.(*ir.Binary)
				if !ok {
					return
				}
				for _, op := range others([][]ir.Op{arithmetic, relational, {ir.LAnd, ir.LOr}}, e) {
					if fits(e, op) && !yield(mutate.Alternative{Expr: withOp(e, op)}) {
						return
					}
				}
			}
		},
	}}
}

// fits reports whether e's operands have types that op accepts.
func fits(e *ir.Binary, op ir.Op) bool {
	_, number := e.X.Type().(ir.Int)
	switch {
	case op == ir.Eq || op == ir.Ne || op.Lazy():
		return true
	case op == ir.Shl || op == ir.Shr:
		return number
	}
	return number && e.X.Type() == e.Y.Type()
}
