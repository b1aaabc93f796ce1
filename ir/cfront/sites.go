package cfront

// Which expressions are sites in the end: those whose change can be written
// into the source.

import (
	"maps"
	"strings"

	"github.com/go-amend/amend/ir"
)

// clearSites makes nothing in e a site.
func clearSites(e ir.Expr) {
	ir.ExprOf(e).ID = 0
	for _, o := range e.Operands(nil) {
		clearSites(*o)
	}
}

// copies are what stands in arguments of macros.
func (l *loader) copies() map[ir.Span]copies {
	out := map[ir.Span]copies{}
	for _, u := range l.units {
		maps.Copy(out, u.text.copies)
	}
	return out
}

// uniteCopies makes one site of what a macro has from its argument in several
// places, which change together when the argument does. Where not all of them can
// change, or not in the same way, they lose their text: then the change of one is
// written by replacing the macro's use.
func uniteCopies(p *ir.Program, of map[ir.Span]copies) {
	all := map[ir.Span]*repeated{}
	p.Stmts(func(_ *ir.Proc, s ir.Stmt) {
		ir.EachExpr(s, func(e *ir.Expr) {
			at := (*e).Span()
			c := of[at]
			ir.ExprOf(*e).Around = c.around
			if c.times > 1 {
				if all[at] == nil {
					all[at] = &repeated{loc: s.Loc(), sites: map[ir.SiteID]bool{}, alike: true}
				}
				all[at].add(s.Loc(), *e)
			}
		})
	})
	for at, r := range all {
		r.unite(of[at].times)
	}
}

// repeated is what has the text of one place in a macro's argument.
type repeated struct {
	first ir.Expr
	loc   ir.LocID
	all   []ir.Expr
	sites map[ir.SiteID]bool
	alike bool
}

func (r *repeated) add(l ir.LocID, e ir.Expr) {
	r.all = append(r.all, e)
	if c, ok := e.(*ir.Convert); ok && !c.Explicit {
		return // which has the text of what it converts
	}
	if r.first == nil {
		r.first = e
	}
	r.sites[e.Site()] = true
	r.alike = r.alike && l == r.loc && e.Site() != 0 && ir.EqualExpr(e, r.first)
}

// unite makes one site of r, of which the macro has n copies.
func (r *repeated) unite(n int) {
	one := r.alike && len(r.sites) == n
	for _, e := range r.all {
		switch {
		case !one:
			ir.ExprOf(e).Pos = ir.Span{}
		case e.Site() != 0:
			ir.ExprOf(e).ID = r.first.Site()
		}
	}
}

// dropUnwritable takes the mark off the sites whose change has no form in
// the source: those inside a macro use whose text is not certain, those whose
// text other locations have too, and those that would have to be written anew
// with a field of an element in it.
func dropUnwritable(p *ir.Program) {
	p.Stmts(func(q *ir.Proc, s ir.Stmt) {
		if q == nil || !q.Hard { // some become hard when their bodies are lowered already
			return
		}
		for _, e := range s.Operands(nil) {
			clearSites(*e)
		}
	})
	writable := map[ir.SiteID]bool{}
	eachRoot(p, func(e ir.Expr) { markWritable(e, false, writable) })
	dropRepeated(p, writable)
	eachRoot(p, func(e ir.Expr) { keepOnly(e, writable) })
}

// dropRepeated takes sites out of writable whose text is that of sites of
// other locations, as in a file that is included twice: what is written there
// changes them all.
func dropRepeated(p *ir.Program, writable map[ir.SiteID]bool) {
	at := map[ir.Span]ir.LocID{}
	repeated := map[ir.Span]bool{}
	eachSite := func(visit func(l ir.LocID, e ir.Expr)) {
		p.Stmts(func(_ *ir.Proc, s ir.Stmt) {
			ir.EachExpr(s, func(e *ir.Expr) {
				if (*e).Site() != 0 && !(*e).Span().IsZero() {
					visit(s.Loc(), *e)
				}
			})
		})
	}
	eachSite(func(l ir.LocID, e ir.Expr) {
		if first, ok := at[e.Span()]; ok && first != l {
			repeated[e.Span()] = true
		}
		at[e.Span()] = l
	})
	eachSite(func(_ ir.LocID, e ir.Expr) {
		if repeated[e.Span()] {
			delete(writable, e.Site())
		}
	})
}

func eachRoot(p *ir.Program, visit func(ir.Expr)) {
	p.Stmts(func(_ *ir.Proc, s ir.Stmt) {
		for _, e := range s.Operands(nil) {
			visit(*e)
		}
	})
}

// markWritable marks the sites in e. Inside says that an expression around
// it has a text and can be written anew.
func markWritable(e ir.Expr, inside bool, writable map[ir.SiteID]bool) {
	if !e.Span().IsZero() {
		inside = !hasField(e)
		writable[e.Site()] = true
	} else if inside {
		writable[e.Site()] = true
	}
	for _, o := range e.Operands(nil) {
		markWritable(*o, inside, writable)
	}
}

// hasField reports whether writing e anew would need the text of a field of
// an element, such as a[i].x, or of a temporary, and there is none.
func hasField(e ir.Expr) bool {
	for _, o := range e.Operands(nil) {
		if !(*o).Span().IsZero() {
			continue
		}
		if v := ir.Root(*o); v != nil {
			_, element := (*o).(*ir.Index)
			if element && strings.Contains(v.Name, ".") || v.Span.IsZero() {
				return true
			}
		}
		if hasField(*o) {
			return true
		}
	}
	return false
}

func keepOnly(e ir.Expr, writable map[ir.SiteID]bool) {
	if i := ir.ExprOf(e); !writable[i.ID] {
		i.ID = 0
	}
	for _, o := range e.Operands(nil) {
		keepOnly(*o, writable)
	}
}
