package model

import "github.com/go-amend/amend/formula/relation"

// This file puts all alternatives of a place in it, each under its selector.

// choice returns what is at a place: the alternative that is chosen, else what
// is there. At most one is.
func (o *oracle) choice(c *composer, p int) relation.Node {
	pl := o.sp.places[p]
	kept := c.kept(p)
	var when []relation.Formula
	var what []relation.Node
	for k := pl.first; k < pl.end; k++ {
		when, what = append(when, o.selector[k]), append(what, c.alternative(&o.sp.alts[k]))
	}
	any := &relation.Connective{Op: relation.Or, Xs: when}
	switch kept := kept.(type) {
	case relation.Formula:
		return selectFormula(any, when, what, kept)
	case relation.Int:
		return selectInt(when, what, kept)
	default:
		return selectExpr(any, when, what, kept.(relation.Expr))
	}
}

// selectFormula returns a disjunction, of which the circuits stay flat where the
// alternatives have constant values.
func selectFormula(any relation.Formula, when []relation.Formula, what []relation.Node, kept relation.Formula) relation.Formula {
	or := &relation.Connective{Op: relation.Or}
	for i, x := range what {
		or.Xs = append(or.Xs, &relation.Connective{Op: relation.And, Xs: []relation.Formula{when[i], x.(relation.Formula)}})
	}
	or.Xs = append(or.Xs, &relation.Connective{Op: relation.And, Xs: []relation.Formula{&relation.Not{X: any}, kept}})
	return or
}

// selectExpr returns the union of all, each empty unless it is selected.
func selectExpr(any relation.Formula, when []relation.Formula, what []relation.Node, kept relation.Expr) relation.Expr {
	empty := &relation.ConstSet{Set: relation.NewSet(kept.Arity())}
	xs := []relation.Expr{&relation.IfExpr{Cond: any, Then: empty, Else: kept}}
	for i, x := range what {
		xs = append(xs, &relation.IfExpr{Cond: when[i], Then: x.(relation.Expr), Else: empty})
	}
	for len(xs) > 1 { // as a balanced tree
		n := 0
		for i := 0; i < len(xs); i += 2 {
			x := xs[i]
			if i+1 < len(xs) {
				x = &relation.Binary{Op: relation.Union, X: x, Y: xs[i+1]}
			}
			xs[n] = x
			n++
		}
		xs = xs[:n]
	}
	return xs[0]
}

func selectInt(when []relation.Formula, what []relation.Node, kept relation.Int) relation.Int {
	for i, x := range what {
		kept = &relation.IfInt{Cond: when[i], Then: x.(relation.Int), Else: kept}
	}
	return kept
}
