package mutate

import (
	"fmt"
	"slices"
	"sync"

	"github.com/go-amend/amend/formula"
	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/slice"
	"github.com/go-amend/amend/ssa"
)

// This file collects what operators yield and puts it behind selectors.

// A space is the set of programs that the scheme makes: one alternative or
// none at each site.
type space struct {
	*instrumented
	*effects
	st    *formula.Store
	ops   []*Operator
	alts  []alternative
	sites []siteAlts // those with alternatives
	bySit []int32    // by SiteID: index into sites plus 1
	all   []ir.Site  // of the program, by SiteID - 1
	free  []bool     // by SiteID: it may change
	byLoc map[ir.LocID][]int32
	holes []Hole

	stop func() error                  // says that the search ends; may be nil
	vars map[*ir.Proc]map[*ir.Var]bool // that can be named; see reaches

	joint map[ir.SiteID][]setter // the alternatives of other sites that set it

	mu    sync.Mutex // guards what follows: proofs run side by side
	cache map[ir.Expr][]option
	made  map[ir.Expr][]made    // of the program's own occurrences
	index map[*ir.Var]int       // of the holes of all copies, into holes; -1: a free value
	loose map[looseKey]*ir.Var  // free values
	owner map[ir.Expr]ir.SiteID // of the nodes of alternatives
}

// An alternative is a possible change: a choice of the scheme at a site.
type alternative struct {
	site int32 // index into space.sites
	nth  int   // what Apply of all operators yields, counted in order
	op   *Operator
	expr ir.Expr      // at the primary occurrence
	when formula.Term // the selector
	also []setting
	cost int

	hole, holes int // its holes: the first, and how many
}

// A candidate is a program of the space.
type candidate struct {
	alts   []int    // in order, at most one per site
	values []uint64 // the values of their holes, in order
}

type siteAlts struct {
	ir.Site
	first, end int    // its alternatives, in space.alts
	made       []made // what they were chosen from, by alternative.nth
}

// newSpace returns the programs that ops make of p, with a selector in st
// for each alternative.
func newSpace(st *formula.Store, p *ir.Program, ops []*Operator, hard func(ir.Stmt) bool, stop func() error) (*space, error) {
	lat, err := instrument(p, ops, hard)
	if err != nil {
		return nil, err
	}
	p = lat.p
	all := p.Sites()
	sp := &space{
		instrumented: lat, st: st, ops: ops,
		bySit: make([]int32, len(all)+1),
		byLoc: make(map[ir.LocID][]int32),
		joint: make(map[ir.SiteID][]setter),
		cache: make(map[ir.Expr][]option),
		index: make(map[*ir.Var]int),
		loose: make(map[looseKey]*ir.Var),
		owner: make(map[ir.Expr]ir.SiteID),
		vars:  make(map[*ir.Proc]map[*ir.Var]bool),
		stop:  stop,
	}
	sp.effects = newEffects(lat.orig) // slots are in no text
	spec, handles := p.Spec(), p.Handles()
	sp.free = make([]bool, len(all)+1)
	for _, s := range all {
		sp.free[s.ID] = !(len(s.Occurrences) == 0 || isHandle(*s.Occurrences[0], handles) || spec[s.Stmt.Loc()] || s.Proc != nil && s.Proc.Hard ||
			hard != nil && sp.role(s.ID) != inPlan && hard(s.Stmt)) // slots are where nothing hard is in the way
	}
	sp.all = all
	for _, s := range all {
		if !sp.free[s.ID] {
			continue
		}
		if err := sp.stopped(); err != nil {
			return nil, err
		}
		if err := sp.add(s); err != nil {
			return nil, err
		}
	}
	sp.preferConstants()
	return sp, nil
}

// isHandle reports whether e is a part of a variable in handles.
func isHandle(e ir.Expr, handles map[*ir.Var]bool) bool {
	for {
		switch x := e.(type) {
		case *ir.Use:
			return handles[x.Var]
		case *ir.Index:
			e = x.X
		default:
			return false
		}
	}
}

// prefer makes the holes prefer constants of the program, in the order of
// its text.
func (sp *space) preferConstants() {
	if len(sp.holes) == 0 {
		return
	}
	constants := make(map[ir.Type][]uint64)
	sp.p.Stmts(func(_ *ir.Proc, s ir.Stmt) {
		ir.EachExpr(s, func(e *ir.Expr) {
			if c, ok := (*e).(*ir.Const); ok && !slices.Contains(constants[c.Typ], c.Val) {
				constants[c.Typ] = append(constants[c.Typ], c.Val)
			}
		})
	})
	for i := range sp.holes {
		h := &sp.holes[i]
		h.Prefer = append(slices.Clip(h.Prefer), constants[h.Var.Type]...)
	}
}

// add adds the alternatives at s.
func (sp *space) add(s ir.Site) error {
	e := *s.Occurrences[0]
	i := int32(len(sp.sites))
	first := len(sp.alts)
	all, err := sp.collect(s, e, s.Stmt)
	if err == nil {
		err = sp.alike(s, all)
	}
	if err != nil {
		return err
	}
	for nth, a := range all {
		for k, h := range a.Holes {
			if _, ok := sp.index[h.Var]; ok {
				return sp.fault(a.op, s, "declares a hole that another alternative has", nil)
			}
			sp.index[h.Var] = len(sp.holes) + k
		}
		also, ok, err := sp.settings(s, a)
		if err != nil {
			return err
		}
		if ok && !ir.EqualExpr(a.Expr, e) && !sp.has(first, a.Expr, also) && (sp.at[s.ID] != nil || sp.writable(a.Expr, e)) {
			when := sp.st.Var(1, fmt.Sprintf("sel%d.%d", s.ID, nth))
			sp.join(len(sp.alts), also)
			sp.alts = append(sp.alts, alternative{
				site: i, nth: nth, op: a.op, expr: a.Expr, when: when, also: also, cost: a.op.Cost + a.Cost, hole: len(sp.holes), holes: len(a.Holes),
			})
			sp.holes = append(sp.holes, a.Holes...)
		}
	}
	if len(sp.alts) == first {
		return nil
	}
	sp.disjoint(sp.alts[first:])
	sp.sites = append(sp.sites, siteAlts{Site: s, first: first, end: len(sp.alts), made: all})
	sp.bySit[s.ID] = i + 1
	for _, s := range sp.touched(s, sp.alts[first:]) {
		for _, l := range locations(s) {
			sp.byLoc[l] = append(sp.byLoc[l], i)
		}
	}
	return nil
}

// disjoint keeps holes that are alternatives by themselves from taking values
// that other alternatives of the site are.
func (sp *space) disjoint(alts []alternative) {
	for _, a := range alts {
		u, ok := a.expr.(*ir.Use)
		if !ok || a.holes == 0 {
			continue
		}
		for _, b := range alts {
			if c, ok := b.expr.(*ir.Const); ok && c.Typ == u.Var.Type {
				h := &sp.holes[a.hole]
				h.Not = append(slices.Clip(h.Not), c.Val)
			}
		}
	}
}

// has reports whether an alternative from first on is e, with the same also.
func (sp *space) has(first int, e ir.Expr, also []setting) bool {
	for _, a := range sp.alts[first:] {
		if ir.EqualExpr(a.expr, e) && slices.EqualFunc(a.also, also, setting.equal) {
			return true
		}
	}
	return false
}

// locations returns the locations that hold an occurrence of s.
func locations(s ir.Site) []ir.LocID {
	var ls []ir.LocID
	for _, o := range s.Stmts {
		if l := o.Loc(); len(ls) == 0 || ls[len(ls)-1] != l {
			ls = append(ls, l)
		}
	}
	return ls
}

// An option is what may take the place of an expression.
type option struct {
	alts  []int32 // that make it do so
	expr  ir.Expr
	loose ir.Expr // see loosened
	name  int32
}

// hook offers the alternatives to ssa.
func (sp *space) hook(h ssa.Hole) []ssa.Alternative {
	return sp.offer(h, sp.st, false, func(alt int) formula.Term { return sp.alts[alt].when })
}

// offer offers the alternatives that chosen says may be chosen, loosened or as
// they are.
func (sp *space) offer(h ssa.Hole, st *formula.Store, loose bool, chosen func(alt int) formula.Term) []ssa.Alternative {
	if h.Site == 0 || sp.bySit[h.Site] == 0 && sp.joint[h.Site] == nil {
		return nil
	}
	var out []ssa.Alternative
	for _, o := range sp.options(h.Site, h.Expr, h.Stmt) {
		when := st.False()
		for _, k := range o.alts {
			when = st.Or(when, chosen(int(k)))
		}
		a := ssa.Alternative{When: when, Expr: o.expr, Name: o.name}
		if loose {
			a.Expr = o.loose
		}
		switch when {
		case st.False():
		case st.True():
			return []ssa.Alternative{a}
		default:
			out = append(out, a)
		}
	}
	return out
}

// options returns what may take the place of e, an occurrence of a site.
func (sp *space) options(id ir.SiteID, e ir.Expr, stmt ir.Stmt) []option {
	sp.mu.Lock()
	defer sp.mu.Unlock()
	out, ok := sp.cache[e]
	if ok {
		return out
	}
	if i := sp.bySit[id]; i != 0 {
		s := sp.sites[i-1]
		all := sp.expand(s, e, stmt)
		for k := s.first; k < s.end; k++ {
			a := sp.alts[k]
			e := all[a.nth].Expr
			out = append(out, option{[]int32{int32(k)}, e, sp.loosen(id, e), int32(a.nth)})
			for i, h := range all[a.nth].Holes {
				sp.index[h.Var] = a.hole + i
			}
		}
	}
	out = sp.withJoint(out, id, e)
	sp.cache[e] = out
	return out
}

// holeOf returns the index of the hole that v stands for in some copy.
func (sp *space) holeOf(v *ir.Var) int {
	sp.mu.Lock()
	defer sp.mu.Unlock()
	return sp.index[v]
}

// values returns the values of all holes that cand fills, by index.
func (sp *space) values(cand candidate) map[int]uint64 {
	out := make(map[int]uint64)
	rest := cand.values
	for _, k := range cand.alts {
		for i := range sp.alts[k].holes {
			out[sp.alts[k].hole+i] = rest[0]
			rest = rest[1:]
		}
	}
	return out
}

// site returns what operators see of e, an occurrence of s in stmt. What
// surrounds the site is that of its primary occurrence, so that all have the
// same alternatives.
func (sp *space) site(s ir.Site, e ir.Expr, stmt ir.Stmt) Site {
	out := Site{
		ID: s.ID, Expr: e, Stmt: stmt, Proc: procOf(s, stmt), Syntax: ir.SyntaxOf(sp.p), Checks: sp.p.Checks,
		Parent: parent(s.Stmt, *s.Occurrences[0]), InScope: sp.scope(s, stmt),
	}
	if l := sp.at[s.ID]; l != nil {
		out.InScope, out.Assigned = l.vars, l.exprs
	}
	return out
}

// role returns what the site is part of.
func (sp *space) role(id ir.SiteID) Role {
	if l := sp.at[id]; l != nil {
		return l.role
	}
	return Expression
}

// parent returns the expression of s that e is an operand of.
func parent(s ir.Stmt, e ir.Expr) (found ir.Expr) {
	ir.EachExpr(s, func(p *ir.Expr) {
		for _, o := range (*p).Operands(nil) {
			if *o == e {
				found = *p
			}
		}
	})
	return found
}

// expand returns all that the operators yield for e, an occurrence of s. What
// an operator does wrong is a panic with a failure.
func (sp *space) expand(s siteAlts, e ir.Expr, stmt ir.Stmt) []made {
	all, err := sp.collect(s.Site, e, stmt)
	if err == nil {
		err = sp.pure(s.Site, s.made, all)
	}
	if err != nil {
		panic(failure{err})
	}
	return all
}

// nth returns the nth alternative of e, an occurrence of s.
func (sp *space) nth(s siteAlts, e ir.Expr, nth int) Alternative {
	sp.mu.Lock()
	defer sp.mu.Unlock()
	all, known := sp.made[e]
	if !known {
		i := occurrence(s.Site, e)
		if i < 0 {
			return sp.expand(s, e, s.Stmt)[nth].Alternative
		}
		if sp.made == nil {
			sp.made = make(map[ir.Expr][]made)
		}
		all = sp.expand(s, e, s.Stmts[i])
		sp.made[e] = all
	}
	return all[nth].Alternative
}

// changes returns the changes that cand stands for.
func (sp *space) changes(cand candidate) ir.Changes {
	c := make(ir.Changes)
	rest := cand.values
	for _, k := range cand.alts {
		a := sp.alts[k]
		s := sp.sites[a.site]
		values := rest[:a.holes]
		rest = rest[a.holes:]
		c[s.ID] = func(old ir.Expr) ir.Expr {
			x := sp.nth(s, old, a.nth)
			return filled(x.Expr, x.Holes, values)
		}
		for _, x := range a.also {
			c[x.site] = func(old ir.Expr) ir.Expr { return filled(sp.set(x, old), s.made[a.nth].Holes, values) }
		}
	}
	return c
}

// filled returns e with values in its holes.
func filled(e ir.Expr, holes []Hole, values []uint64) ir.Expr {
	constants := make(map[*ir.Var]ir.Expr)
	for i, h := range holes {
		constants[h.Var] = &ir.Const{Val: values[i], Typ: h.Var.Type}
	}
	return replaceUses(e, constants)
}

// replaceUses returns e with constants in the place of holes. Nodes that hold
// none are shared with e.
func replaceUses(e ir.Expr, by map[*ir.Var]ir.Expr) ir.Expr {
	if u, ok := e.(*ir.Use); ok && by[u.Var] != nil {
		return by[u.Var]
	}
	c := ir.CloneNode(e)
	changed := false
	for _, o := range c.Operands(nil) {
		if x := replaceUses(*o, by); x != *o {
			*o, changed = x, true
		}
	}
	if changed {
		return simplified(c)
	}
	return e
}

// selectors returns the selectors of alternatives.
func (sp *space) selectors(cand []int) []formula.Term {
	out := make([]formula.Term, len(cand))
	for i, k := range cand {
		out[i] = sp.alts[k].when
	}
	return out
}

// sitesIn returns which sites have an occurrence at a location of f.
func (sp *space) sitesIn(f slice.Set) []bool {
	in := make([]bool, len(sp.sites))
	for l := range f.All() {
		for _, i := range sp.byLoc[l] {
			in[i] = true
		}
	}
	return in
}
