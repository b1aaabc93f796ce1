package mutate

import (
	"context"

	"github.com/go-amend/amend/formula/sat"
)

// A generator proposes candidates in growing size: the SAT solver with
// cardinality constraints of Algorithm AllRepair (Figure 3.4 of the thesis,
// lines 6 to 22). A candidate is a list of alternatives, in order.
type generator struct {
	sp    *space
	s     sat.Solver
	lits  []sat.Lit // by alternative
	size  *sat.Totalizer
	calls int
}

func newGenerator(sp *space, s sat.Solver) *generator {
	g := &generator{sp: sp, s: s, lits: make([]sat.Lit, len(sp.alts))}
	for i := range g.lits {
		g.lits[i] = s.NewVar()
	}
	for _, site := range sp.sites {
		atMostOne(s, g.lits[site.first:site.end])
	}
	g.size = sat.NewTotalizer(s, g.lits...)
	return g
}

func atMostOne(s sat.Solver, ms []sat.Lit) {
	for i := range ms {
		for j := range i {
			s.AddClause(ms[i].Not(), ms[j].Not())
		}
	}
}

// next returns a candidate of at most size changes that is not blocked, or
// nil if there is none.
func (g *generator) next(ctx context.Context, size int) ([]int, error) {
	g.calls++
	switch st, err := g.s.Solve(ctx, g.size.AtMost(size)); st {
	case sat.Unsat:
		return nil, nil
	case sat.Unknown:
		return nil, err
	}
	cand := []int{}
	for k, m := range g.lits {
		if g.s.Value(m) {
			cand = append(cand, k)
		}
	}
	return cand, nil
}

// blockSupersets blocks every candidate that contains cand.
func (g *generator) blockSupersets(cand []int) {
	clause := make([]sat.Lit, len(cand))
	for i, k := range cand {
		clause[i] = g.lits[k].Not()
	}
	g.s.AddClause(clause...)
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
	g.s.AddClause(clause...)
}
