package scheme

import (
	"iter"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/mutate"
)

// Variables replaces a variable by another of its type that is in scope and
// has a value there.
func Variables() []*mutate.Operator {
	return []*mutate.Operator{{
		Name: "variable",
		Doc:  "replace a variable by another of the same type",
		Cost: 1,
		Apply: func(s mutate.Site) iter.Seq[mutate.Alternative] {
			return func(yield func(mutate.Alternative) bool) {
				u, ok := s.Expr.(*ir.Use)
				if !ok {
					return
				}
				for _, v := range s.InScope {
					if v != u.Var && v.Type == u.Var.Type && !yield(mutate.Alternative{Expr: use(v)}) {
						return
					}
				}
			}
		},
	}}
}

func use(v *ir.Var) ir.Expr { return &ir.Use{Var: v} }
