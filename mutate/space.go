package mutate

import (
	"fmt"

	"github.com/go-amend/amend/formula"
	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/slice"
	"github.com/go-amend/amend/ssa"
)

// A space is the set of programs that the scheme makes: one alternative or
// none at each site.
type space struct {
	p     *ir.Program
	st    *formula.Store
	ops   []*Operator
	alts  []alternative
	sites []siteAlts // those with alternatives
	bySit []int32    // by SiteID: index into sites plus 1
	byLoc map[ir.LocID][]int32
	cache map[ir.Expr][]ssa.Alternative
}

// An alternative is a possible change: a choice of the scheme at a site.
type alternative struct {
	site int32 // index into space.sites
	nth  int   // what Apply of all operators yields, counted in order
	op   *Operator
	expr ir.Expr      // at the primary occurrence
	when formula.Term // the selector
}

type siteAlts struct {
	ir.Site
	first, end int // its alternatives, in space.alts
}

// newSpace returns the programs that ops make of p, with a selector in st
// for each alternative.
func newSpace(st *formula.Store, p *ir.Program, ops []*Operator, hard func(ir.Stmt) bool) (*space, error) {
	all := p.Sites()
	sp := &space{
		p: p, st: st, ops: ops,
		bySit: make([]int32, len(all)+1),
		byLoc: make(map[ir.LocID][]int32),
		cache: make(map[ir.Expr][]ssa.Alternative),
	}
	spec := p.Spec()
	for _, s := range all {
		if spec[s.Stmt.Loc()] || s.Proc != nil && s.Proc.Hard || hard != nil && hard(s.Stmt) {
			continue
		}
		if err := sp.add(s); err != nil {
			return nil, err
		}
	}
	return sp, nil
}

// add adds the alternatives at s.
func (sp *space) add(s ir.Site) error {
	e := *s.Occurrences[0]
	site := Site{ID: s.ID, Expr: e, Stmt: s.Stmt, Proc: s.Proc}
	i := int32(len(sp.sites))
	first, nth := len(sp.alts), 0
	for _, op := range sp.ops {
		for a := range op.Apply(site) {
			if a.Expr == nil || a.Expr.Type() != e.Type() {
				return fmt.Errorf("mutate: operator %s: alternative of another type than %s at %s:%d:%d",
					op.Name, e.Type(), s.Stmt.Span().File, s.Stmt.Span().Line, s.Stmt.Span().Col)
			}
			if !ir.EqualExpr(a.Expr, e) && !sp.has(first, a.Expr) {
				when := sp.st.Var(1, fmt.Sprintf("sel%d.%d", s.ID, nth))
				sp.alts = append(sp.alts, alternative{site: i, nth: nth, op: op, expr: a.Expr, when: when})
			}
			nth++
		}
	}
	if len(sp.alts) == first {
		return nil
	}
	sp.sites = append(sp.sites, siteAlts{Site: s, first: first, end: len(sp.alts)})
	sp.bySit[s.ID] = i + 1
	for _, l := range locations(s) {
		sp.byLoc[l] = append(sp.byLoc[l], i)
	}
	return nil
}

// has reports whether an alternative from first on is e.
func (sp *space) has(first int, e ir.Expr) bool {
	for _, a := range sp.alts[first:] {
		if ir.EqualExpr(a.expr, e) {
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

// hook offers the alternatives to ssa.
func (sp *space) hook(h ssa.Hole) []ssa.Alternative {
	if h.Site == 0 || sp.bySit[h.Site] == 0 {
		return nil
	}
	out, ok := sp.cache[h.Expr]
	if !ok {
		s := sp.sites[sp.bySit[h.Site]-1]
		exprs := sp.expand(s, h.Expr, h.Stmt)
		for k := s.first; k < s.end; k++ {
			a := sp.alts[k]
			out = append(out, ssa.Alternative{When: a.when, Expr: exprs[a.nth]})
		}
		sp.cache[h.Expr] = out
	}
	return out
}

// expand returns all that the operators yield for e, an occurrence of s.
func (sp *space) expand(s siteAlts, e ir.Expr, stmt ir.Stmt) []ir.Expr {
	var out []ir.Expr
	for _, op := range sp.ops {
		for a := range op.Apply(Site{ID: s.ID, Expr: e, Stmt: stmt, Proc: s.Proc}) {
			out = append(out, a.Expr)
		}
	}
	return out
}

// changes returns the changes that cand, a list of alternatives, stands for.
func (sp *space) changes(cand []int) ir.Changes {
	c := make(ir.Changes)
	for _, k := range cand {
		a := sp.alts[k]
		s := sp.sites[a.site]
		c[s.ID] = func(old ir.Expr) ir.Expr { return sp.expand(s, old, s.Stmt)[a.nth] }
	}
	return c
}

// selectors returns the selectors of cand.
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
