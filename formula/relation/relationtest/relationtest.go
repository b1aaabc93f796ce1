// Package relationtest has what tests of packages that take relational
// problems share: short constructors, and a problem from the literature.
package relationtest

import (
	"fmt"

	"github.com/go-amend/amend/formula/relation"
)

// Join returns x.y.
func Join(x, y relation.Expr) relation.Expr {
	return &relation.Binary{Op: relation.Join, X: x, Y: y}
}

// Star returns the reflexive transitive closure of x.
func Star(x relation.Expr) relation.Expr {
	return &relation.Unary{Op: relation.ReflexiveClosure, X: x}
}

// In says that x is a subset of y.
func In(x, y relation.Expr) relation.Formula {
	return &relation.Compare{Op: relation.In, X: x, Y: y}
}

// NotIn says that it is not.
func NotIn(x, y relation.Expr) relation.Formula {
	return &relation.Compare{Op: relation.NotIn, X: x, Y: y}
}

// Equal says that x is y.
func Equal(x, y relation.Expr) relation.Formula {
	return &relation.Compare{Op: relation.Equal, X: x, Y: y}
}

// And is the conjunction of xs.
func And(xs ...relation.Formula) relation.Formula {
	return &relation.Connective{Op: relation.And, Xs: xs}
}

// All says that body holds for all values of n variables in bound.
func All(bound relation.Expr, n int, body func(vs ...*relation.Var) relation.Formula) relation.Formula {
	d := relation.Decl{Mult: relation.OneOf, Bound: bound}
	for i := range n {
		d.Vars = append(d.Vars, &relation.Var{Name: fmt.Sprintf("s%d", i), Width: 1})
	}
	return &relation.Quant{Op: relation.All, Decls: []relation.Decl{d}, Body: body(d.Vars...)}
}

// Subsets returns all subsets of s.
func Subsets(s *relation.Set) (out []*relation.Set) {
	var ts [][]relation.Atom
	for t := range s.All() {
		ts = append(ts, t)
	}
	for mask := range 1 << len(ts) {
		var in [][]relation.Atom
		for i, t := range ts {
			if mask>>i&1 == 1 {
				in = append(in, t)
			}
		}
		out = append(out, relation.NewSet(s.Arity(), in...))
	}
	return out
}
