package cfront

// Which expressions are sites in the end: those whose change can be written
// into the source.

import (
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
