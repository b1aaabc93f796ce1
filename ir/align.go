package ir

import (
	"fmt"
	"strings"
)

// Align gives q, read from the text that patch makes of p's source, p's
// numbers: statements and variables that the patch leaves in their place get
// their LocID and VarID in p, so that choices and paths of runs of p name
// the same things in q; and so do sites, since a choice may be named by one.
// What is new gets numbers that nothing else has. The spans of q stay as
// they are.
func (p *Program) Align(q *Program, patch Patch) {
	a := &aligner{
		patch: patch, core: patch.core(),
		locs: make(map[stmtName]LocID), vars: make(map[varName]VarID), sites: make(map[siteName]SiteID),
	}
	a.known(p)
	a.variables(p, q)
	a.statements(p, q)
	a.expressions(p, q)
}

type aligner struct {
	patch Patch
	core  Patch // without the text that old and new begin or end with
	locs  map[stmtName]LocID
	vars  map[varName]VarID
	sites map[siteName]SiteID
}

// core returns the edits of p without what old and new text have in common
// at their ends.
func (p Patch) core() Patch {
	var out Patch
	for _, e := range p {
		n := 0
		whole := strings.HasSuffix(e.New, e.Old) // something was put before it
		for !whole && n < len(e.Old) && n < len(e.New) && e.Old[n] == e.New[n] {
			n++
		}
		e.Span.Start, e.Old, e.New = e.Span.Start+n, e.Old[n:], e.New[n:]
		n = 0
		for n < len(e.Old) && n < len(e.New) && e.Old[len(e.Old)-1-n] == e.New[len(e.New)-1-n] {
			n++
		}
		e.Span.End, e.Old, e.New = e.Span.End-n, e.Old[:len(e.Old)-n], e.New[:len(e.New)-n]
		out = append(out, e)
	}
	return out
}

// A siteName tells the sites of a statement apart.
type siteName struct {
	at   LocID
	text Span
	nth  int
}

// A stmtName tells statements apart by their text, or, if they have none, by
// the location that they belong to.
type stmtName struct {
	proc, kind string
	text       Span
	of         LocID
	nth        int
}

// A varName tells variables apart.
type varName struct {
	proc, name string
	kind       VarKind
	typ        Type
	decl       Span
	nth        int
}

// place reduces s to what an edit of other text leaves as it is.
func place(s Span) Span { return Span{File: s.File, Start: s.Start, End: s.End} }

// known enters the statements and variables of p.
func (a *aligner) known(p *Program) {
	count := make(map[stmtName]int)
	p.Stmts(func(f *Proc, s Stmt) {
		if s.Key() != 0 {
			n := nameOf(f, s, place(s.Span()), s.stmt().Of)
			count[n]++
			n.nth = count[n]
			a.locs[n] = s.Key()
			eachSite(s, func(n siteName, e *ExprInfo) {
				n.text = place(e.Pos)
				a.sites[n] = e.ID
			})
		}
	})
	p.namedVars(func(n varName, v *Var) {
		n.decl = place(v.Span)
		a.vars[n] = v.ID
	})
}

// eachSite visits the sites of s. Those with one text are counted.
func eachSite(s Stmt, visit func(n siteName, e *ExprInfo)) {
	count := make(map[siteName]int)
	EachExpr(s, func(e *Expr) {
		if i := (*e).expr(); i.ID != 0 {
			n := siteName{at: s.Key(), text: place(i.Pos)}
			count[n]++
			n.nth = count[n]
			visit(n, i)
		}
	})
}

// expressions renumbers the sites of q. Copies stay copies.
func (a *aligner) expressions(p, q *Program) {
	renamed := make(map[SiteID]SiteID)
	taken := make(map[SiteID]bool)
	match := func(patch Patch) {
		q.Stmts(func(_ *Proc, s Stmt) {
			eachSite(s, func(n siteName, e *ExprInfo) {
				var ok bool
				n.text, ok = patch.before(e.Pos)
				if id := a.sites[n]; ok && id != 0 && renamed[e.ID] == 0 && !taken[id] {
					renamed[e.ID], taken[id] = id, true
				}
			})
		})
	}
	match(a.patch)
	match(a.core)
	next := SiteID(0)
	q.Stmts(func(_ *Proc, s Stmt) {
		EachExpr(s, func(e *Expr) {
			i := (*e).expr()
			if i.ID == 0 {
				return
			}
			if renamed[i.ID] == 0 {
				for next++; taken[next]; next++ {
				}
				renamed[i.ID] = next
			}
			i.ID = renamed[i.ID]
		})
	})
}

func nameOf(f *Proc, s Stmt, text Span, of LocID) stmtName {
	n := stmtName{kind: fmt.Sprintf("%T", s), text: text}
	if f != nil {
		n.proc = f.Name
	}
	if text == (Span{}) {
		n.of = of
	}
	return n
}

// namedVars visits the variables of p. Those without a place in the source
// that look alike are counted.
func (p *Program) namedVars(visit func(n varName, v *Var)) {
	count := make(map[varName]int)
	each := func(proc string, vs []*Var) {
		for _, v := range vs {
			n := varName{proc: proc, name: v.Name, kind: v.Kind, typ: v.Type}
			if v.Span.IsZero() {
				count[n]++
				n.nth = count[n]
			}
			visit(n, v)
		}
	}
	each("", p.Globals)
	for _, f := range p.Procs {
		each(f.Name, f.Params)
		each(f.Name, f.Results)
		each(f.Name, f.Locals)
	}
}

func (a *aligner) variables(p, q *Program) {
	next := VarID(0)
	for _, v := range p.Vars() {
		next = max(next, v.ID)
	}
	q.namedVars(func(n varName, v *Var) {
		n.decl, _ = a.patch.before(v.Span)
		if id := a.vars[n]; id != 0 {
			v.ID = id
			delete(a.vars, n)
			return
		}
		next++
		v.ID = next
	})
}

func (a *aligner) statements(p, q *Program) {
	next := LocID(p.NumLocs())
	renamed := make(map[LocID]LocID)
	count := make(map[stmtName]int)
	rename := func(f *Proc, s Stmt) {
		i := s.stmt()
		old := i.ID
		text, ok := a.patch.before(i.Pos)
		n := nameOf(f, s, text, renamed[i.Of])
		count[n]++
		n.nth = count[n]
		if id := a.locs[n]; id != 0 && ok {
			delete(a.locs, n)
			i.ID = id
		} else {
			next++
			i.ID = next
		}
		renamed[old] = i.ID
	}
	// Locations first: what belongs to them is told apart by them.
	for _, derived := range []bool{false, true} {
		q.Stmts(func(f *Proc, s Stmt) {
			if s.Key() != 0 && (s.stmt().Of != 0) == derived {
				rename(f, s)
			}
		})
	}
	q.Stmts(func(_ *Proc, s Stmt) {
		if i := s.stmt(); i.Of != 0 {
			i.Of = renamed[i.Of]
		}
	})
}

// before returns where the text at s, after the patch, was before it. It
// reports false if it is new, at one end at least.
func (p Patch) before(s Span) (Span, bool) {
	if s.IsZero() {
		return Span{}, true
	}
	start, ok := p.offset(s.File, s.Start, false)
	end, ok2 := p.offset(s.File, s.End, true)
	return Span{File: s.File, Start: start, End: end}, ok && ok2
}

// offset returns where offset at, the start or the end of some text, was
// before the patch.
func (p Patch) offset(file string, at int, end bool) (int, bool) {
	moved := 0
	for _, e := range p {
		if e.Span.File != file {
			continue
		}
		from := e.Span.Start + moved
		to := from + len(e.New)
		inserted := e.Old == ""
		switch {
		case at < from, at == from && end:
			return at - moved, true
		case at == from && !inserted:
			return e.Span.Start, true
		case at < to, at == to && end && inserted:
			return 0, false
		case at == to && end:
			return e.Span.End, true
		}
		moved += len(e.New) - len(e.Old)
	}
	return at - moved, true
}
