package mutate

import (
	"iter"

	"github.com/go-amend/amend/ir"
)

// Constants replaces a constant of the source by any other of its type, a
// hole.
func Constants() []*Operator {
	return []*Operator{{
		Name: "any constant",
		Doc:  "replace a constant by any other",
		Cost: 1,
		Apply: func(s Site) iter.Seq[Alternative] {
			return func(yield func(Alternative) bool) {
				c, ok := s.Expr.(*ir.Const)
				if !ok {
					return
				}
				if _, ok := c.Typ.(ir.Int); !ok {
					return
				}
				h := NewHole(c.Typ)
				h.Not = []uint64{c.Val}
				yield(Alternative{Expr: h.Use(), Holes: []Hole{h}})
			}
		},
	}}
}
