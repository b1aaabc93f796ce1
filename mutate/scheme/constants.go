package scheme

import (
	"iter"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/mutate"
)

// Constants replaces a constant of the source by any other of its type, a
// hole.
func Constants() []*mutate.Operator {
	return []*mutate.Operator{{
		Name: "any constant",
		Doc:  "replace a constant by any other",
		Cost: 1,
		Apply: func(s mutate.Site) iter.Seq[mutate.Alternative] {
			return func(yield func(mutate.Alternative) bool) {
				c, ok := s.Expr.(*ir.Const)
				if !ok {
					return
				}
				if _, ok := c.Typ.(ir.Int); !ok {
					return
				}
				h := mutate.NewHole(c.Typ)
				h.Not = []uint64{c.Val}
				yield(mutate.Alternative{Expr: h.Use(), Holes: []mutate.Hole{h}})
			}
		},
	}}
}
