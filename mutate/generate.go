package mutate

import (
	"context"

	"github.com/go-amend/amend/formula"
	"github.com/go-amend/amend/formula/sat"
)

// A generator proposes candidates in growing size: the SAT solver with
// cardinality constraints of Algorithm AllRepair (Figure 3.4 of the thesis,
// lines 6 to 22). The original is no candidate.
type generator struct {
	sp   *space
	f    *formula.Solver
	lits []sat.Lit // by alternative
	size *sat.Totalizer

	several sat.Lit // implies at least two alternatives
}

func newGenerator(sp *space, s sat.Solver) *generator {
	g := &generator{sp: sp, f: formula.NewSolver(sp.st, s), lits: make([]sat.Lit, len(sp.alts))}
	for k := range g.lits {
		g.lits[k] = g.f.Lit(sp.alts[k].when)
	}
	for _, site := range sp.sites {
		sat.AtMostOne(s, g.lits[site.first:site.end]...)
	}
	for k := range sp.alts {
		g.bound(k)
	}
	s.AddClause(g.lits...)
	g.size = sat.NewTotalizer(s, g.lits...)
	g.several = atLeastTwo(s, g.lits)
	return g
}

// atLeastTwo returns a literal that implies that two of lits are true.
func atLeastTwo(s sat.Solver, lits []sat.Lit) sat.Lit {
	two, one := s.NewVar(), s.NewVar()
	s.AddClause(two.Not())
	s.AddClause(one.Not())
	for _, m := range lits { // among those up to m
		t, o := s.NewVar(), s.NewVar()
		s.AddClause(t.Not(), two, m)
		s.AddClause(t.Not(), two, one)
		s.AddClause(o.Not(), one, m)
		two, one = t, o
	}
	return two
}

// bound says which values the holes of alternative k may take.
func (g *generator) bound(k int) {
	a, st := &g.sp.alts[k], g.sp.st
	for _, h := range g.sp.holes[a.hole : a.hole+a.holes] {
		g.f.Assert(st.Implies(a.when, h.allowed(st)))
	}
}

// next returns a candidate of at most size changes that is not blocked and
// for which assume holds, or no alternatives if there is none.
func (g *generator) next(ctx context.Context, size int, assume ...sat.Lit) (candidate, error) {
	switch st, err := g.f.Solve(ctx, append(assume, g.size.AtMost(size))...); st {
	case sat.Unsat:
		return candidate{}, nil
	case sat.Unknown:
		return candidate{}, err
	}
	var c candidate
	for k, m := range g.lits {
		if g.f.SAT().Value(m) {
			c.alts = append(c.alts, k)
			a := g.sp.alts[k]
			for _, h := range g.sp.holes[a.hole : a.hole+a.holes] {
				c.fill = append(c.fill, g.f.Value(h.term))
			}
		}
	}
	return c, nil
}

// blockSupersets blocks every candidate that has the alternatives alts.
func (g *generator) blockSupersets(alts []int) { g.f.SAT().AddClause(g.without(alts)...) }

// without returns the clause that not all of alts are chosen.
func (g *generator) without(alts []int) []sat.Lit {
	clause := make([]sat.Lit, len(alts))
	for i, k := range alts {
		clause[i] = g.lits[k].Not()
	}
	return clause
}

// blockAgreeing blocks every candidate that agrees with cand at the sites
// in, or at all sites if in is nil.
func (g *generator) blockAgreeing(cand []int, in []bool) {
	var clause []sat.Lit
	changed := make(map[int32]bool, len(cand))
	for _, k := range cand {
		if i := g.sp.alts[k].site; in == nil || in[i] {
			clause = append(clause, g.lits[k].Not())
			changed[i] = true
		}
	}
	for i, site := range g.sp.sites {
		if in != nil && !in[i] || changed[int32(i)] {
			continue
		}
		clause = append(clause, g.lits[site.first:site.end]...)
	}
	g.f.SAT().AddClause(clause...)
}
