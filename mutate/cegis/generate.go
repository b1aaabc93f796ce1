package cegis

import (
	"context"
	"slices"

	"github.com/go-amend/amend/formula"
	"github.com/go-amend/amend/formula/sat"
)

// This file proposes sets of alternatives.

// A generator proposes candidates in growing size: the SAT solver with
// cardinality constraints of Algorithm AllRepair (Figure 3.4 of Rothenberg's
// thesis, lines 6 to 22). The candidate without changes is none.
type generator struct {
	sp   *numbered
	f    *formula.Solver
	lits []sat.Lit // by alternative
	size *sat.Totalizer

	several sat.Lit         // implies at least two alternatives
	least   map[int]sat.Lit // by number: implies as many, see atLeast
}

func newGenerator(sp *numbered, s sat.Solver) *generator {
	g := &generator{sp: sp, f: formula.NewSolver(sp.st, s), lits: make([]sat.Lit, len(sp.alts)), least: make(map[int]sat.Lit)}
	for k := range g.lits {
		g.lits[k] = g.f.Lit(sp.alts[k].when)
	}
	for _, p := range sp.places {
		sat.AtMostOne(s, g.lits[p.first:p.end]...)
	}
	for _, a := range sp.alts {
		for _, h := range sp.holes[a.holes.first:a.holes.end] {
			g.f.Assert(sp.st.Implies(a.when, h.allowed(sp.st)))
		}
	}
	s.AddClause(g.lits...)
	g.size = sat.NewTotalizer(s, g.lits...)
	g.several = g.atLeast(2)
	return g
}

// restrict makes g propose only candidates whose first changed place has a number that
// leaves the remainder shard: a place of another number is changed only after one
// that leaves it.
func (g *generator) restrict(shard, shards int) {
	s := g.f.SAT()
	earlier := s.NewVar() // implies that a place before is changed, of those that may be the first
	s.AddClause(earlier.Not())
	for p, of := range g.sp.places {
		lits := g.lits[of.first:of.end]
		if p%shards != shard {
			for _, m := range lits {
				s.AddClause(m.Not(), earlier)
			}
			continue
		}
		next := s.NewVar()
		s.AddClause(append([]sat.Lit{next.Not(), earlier}, lits...)...)
		earlier = next
	}
}

// atLeast returns a literal that implies that n alternatives are chosen.
func (g *generator) atLeast(n int) sat.Lit {
	if m, ok := g.least[n]; ok {
		return m
	}
	s := g.f.SAT()
	before := make([]sat.Lit, n+1) // before[i] implies that i of those looked at are
	for i := 1; i <= n; i++ {
		before[i] = s.NewVar()
		s.AddClause(before[i].Not())
	}
	for _, m := range g.lits {
		next := make([]sat.Lit, n+1)
		for i := 1; i <= n; i++ {
			next[i] = s.NewVar()
			s.AddClause(next[i].Not(), before[i], m)
			if i > 1 {
				s.AddClause(next[i].Not(), before[i], before[i-1])
			}
		}
		before = next
	}
	g.least[n] = before[n]
	return before[n]
}

// next returns a candidate of at most size changes that is not blocked and
// for which assume holds, or no alternatives if there is none.
func (g *generator) next(ctx context.Context, size int, assume ...sat.Lit) (Candidate, error) {
	switch st, err := g.f.Solve(ctx, append(assume, g.size.AtMost(size))...); st {
	case sat.Unsat:
		return Candidate{}, nil
	case sat.Unknown:
		return Candidate{}, err
	}
	var c Candidate
	for k, m := range g.lits {
		if g.f.SAT().Value(m) {
			c.Alternatives = append(c.Alternatives, k)
			a := g.sp.alts[k]
			for _, h := range g.sp.holes[a.holes.first:a.holes.end] {
				c.Values = append(c.Values, g.f.Value(h.term))
			}
		}
	}
	return c, nil
}

// allows reports whether g might propose c's alternatives, with whatever values.
func (g *generator) allows(ctx context.Context, c Candidate) (bool, error) {
	assume := make([]sat.Lit, len(g.lits))
	for k, m := range g.lits {
		if assume[k] = m; !slices.Contains(c.Alternatives, k) {
			assume[k] = m.Not()
		}
	}
	st, err := g.f.Solve(ctx, assume...)
	return st == sat.Sat, err
}

// assert makes g propose only candidates for which p holds. When ctx ends
// first, g is of no more use.
func (g *generator) assert(ctx context.Context, p formula.Term) error {
	return g.f.Within(ctx, func() { g.f.Assert(p) })
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

// blockAgreeing blocks every candidate that agrees with alts at the places
// in, or at all places if in is nil.
func (g *generator) blockAgreeing(alts []int, in []bool) {
	if in == nil && len(alts) == 1 { // the same, shortly: there may be thousands
		g.f.SAT().AddClause(g.lits[alts[0]].Not(), g.several)
		return
	}
	var clause []sat.Lit
	changed := make(map[int]bool, len(alts))
	for _, k := range alts {
		if p := g.sp.alts[k].place; in == nil || in[p] {
			clause = append(clause, g.lits[k].Not())
			changed[p] = true
		}
	}
	for p, of := range g.sp.places {
		if in != nil && !in[p] || changed[p] {
			continue
		}
		clause = append(clause, g.lits[of.first:of.end]...)
	}
	g.f.SAT().AddClause(clause...)
}
