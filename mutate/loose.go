package mutate

import (
	"github.com/go-amend/amend/formula"
	"github.com/go-amend/amend/ir"
)

// This file lets alternatives do more than they can. What several holes decide
// together may have any value, another one wherever it is evaluated: angelic
// values (Chandra et al., "Angelic Debugging", ICSE 2011). A set of alternatives
// that is no repair of an input even so is none whatever is in its holes, and
// that is seen without the circuits that the holes would need: a chosen one of a
// dozen variables in a chosen comparison with a constant is one bit.

// loosened returns e with a free value in the place of each smallest part that
// has several operands with holes: a variable of kind Hole that loose says of
// a type. Holes that stand alone are kept.
func loosened(e ir.Expr, free func(t ir.Type) *ir.Var) ir.Expr {
	at := -1
	for i, o := range e.Operands(nil) {
		if !hasHole(*o) {
			continue
		}
		if at >= 0 {
			return &ir.Use{Var: free(e.Type())}
		}
		at = i
	}
	if at < 0 {
		return e
	}
	c := ir.CloneNode(e)
	o := c.Operands(nil)[at]
	*o = loosened(*o, free)
	return c
}

func hasHole(e ir.Expr) bool {
	if u, ok := e.(*ir.Use); ok {
		return u.Var.Kind == ir.Hole
	}
	for _, o := range e.Operands(nil) {
		if hasHole(*o) {
			return true
		}
	}
	return false
}

// A looseKey says of which free values all alternatives of a site have one.
type looseKey struct {
	site ir.SiteID
	typ  ir.Type
}

// loosen returns e, which may take the place of a site's expression, loosened.
func (sp *space) loosen(id ir.SiteID, e ir.Expr) ir.Expr {
	return loosened(e, func(t ir.Type) *ir.Var {
		k := looseKey{id, t}
		v := sp.loose[k]
		if v == nil {
			v = &ir.Var{Name: "free", Type: t, Kind: ir.Hole}
			sp.loose[k] = v
			sp.index[v] = -1
		}
		return v
	})
}

// A freeValue is one evaluation of a free value.
type freeValue struct {
	v    *ir.Var
	stmt ir.LocID // Key of the statement
	at   ir.Path
}

// freely returns the value of v, which is free, in the statement that is translated.
func (l *constraint) freely(v *ir.Var) formula.Term {
	k := freeValue{v, l.stmt.Key(), l.at}
	t, ok := l.free[k]
	if !ok {
		t = l.enc.Store.Var(ir.Width(v.Type), "free")
		l.free[k] = t
	}
	return t
}
