package invariant

import (
	"slices"

	"github.com/go-amend/amend/incremental/cfa"
)

// This file finds out which places follow each other.

// link sets what follows each of places. at are those of each state of c, in the
// order in which they begin there.
func link(c *cfa.Automaton, at [][]*Place, places []*Place) {
	rank := make(map[*Place]int) // places that are left out have none
	for i, x := range places {
		rank[x] = i
	}
	follow := func(x, y *Place) {
		_, shown := rank[y]
		if shown && x != y && !slices.Contains(x.Next, y) {
			x.Next = append(x.Next, y)
		}
	}
	for s, begin := range at {
		for i, x := range begin {
			if i+1 < len(begin) {
				follow(x, begin[i+1])
				continue
			}
			for _, y := range after(c, at, s) {
				follow(x, y)
			}
		}
	}
	for _, x := range places {
		slices.SortFunc(x.Next, func(y, z *Place) int { return rank[y] - rank[z] })
	}
}

// after lists the places that a run comes to first after state s.
func after(c *cfa.Automaton, at [][]*Place, s int) []*Place {
	var out []*Place
	seen := make(map[int]bool)
	todo := []int{s}
	for len(todo) > 0 {
		q := todo[0]
		todo = todo[1:]
		for _, e := range c.Edges[q] {
			switch {
			case seen[e.To]:
				continue
			case len(at[e.To]) > 0:
				out = append(out, at[e.To][0])
			default:
				todo = append(todo, e.To)
			}
			seen[e.To] = true
		}
	}
	return out
}
