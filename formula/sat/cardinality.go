package sat

// ExactlyOne adds to s that exactly one of ms is true. If ms is empty, this
// is the empty clause.
func ExactlyOne(s Solver, ms ...Lit) {
	s.AddClause(ms...)
	AtMostOne(s, ms...)
}

// pairwise is the number of literals up to which all pairs are excluded
// directly; for more, groups are chained by fresh variables. On pigeons, Latin
// squares and colourings, 12 of each, groups of 3, 4, 5, 8 and 10 take 1.7, 1.4,
// 1.03, 1.9 and 1.5 times the ticks of this.
const pairwise = 6

// AtMostOne adds to s that at most one of ms is true, in at most 4n clauses
// and n/4 fresh variables for n literals (Klieber and Kwon's commander
// encoding, CFV 2007, in a chain). A literal that occurs twice in ms counts
// twice.
func AtMostOne(s Solver, ms ...Lit) {
	group := make([]Lit, 0, pairwise)
	for len(group)+len(ms) > pairwise {
		n := pairwise - 1 - len(group)
		group, ms = append(group, ms[:n]...), ms[n:]
		group = append(group[:0], commander(s, group))
	}
	excludePairs(s, append(group, ms...))
}

// commander adds that at most one of ms is true, and returns a literal that
// is true if one is.
func commander(s Solver, ms []Lit) Lit {
	excludePairs(s, ms)
	c := s.NewVar()
	for _, m := range ms {
		s.AddClause(m.Not(), c)
	}
	return c
}

func excludePairs(s Solver, ms []Lit) {
	for i, m := range ms {
		for _, n := range ms[:i] {
			s.AddClause(m.Not(), n.Not())
		}
	}
}
