package sat

import (
	"math"
	"slices"
)

// Reduction: the engine forgets learned clauses. Those of glue up to 2 stay
// for good, those up to 6 while they were used in one of the last two
// intervals, the others in the last (tiers: Oh, SAT 2015; glue: Audemard and
// Simon, IJCAI 2009); of what is left, three in four go, by glue and size.
// What was learned follows from the rest, so nothing depends on it.
//
// Intervals are counted over all queries: many small ones must not pile up
// what they learn.

const (
	tier1       = 2
	tier2       = 6
	keepOneFrom = 4
)

type tiers struct {
	at    int64 // conflicts at the next reduction
	count int64
}

// use notes that analysis met a clause.
func (e *engine) use(ref uint32) {
	info := uint32(e.arena[ref+1])
	if info&isLearned == 0 {
		return
	}
	glue := info & glueMask
	if glue > tier1 {
		glue = min(glue, e.glue(e.lits(ref)))
	}
	used := uint32(1)
	if glue <= tier2 {
		used = 2
	}
	e.arena[ref+1] = Lit(info&^(glueMask|usedMask) | glue | used*usedOne)
}

// reduce forgets clauses if it is time to.
func (e *engine) reduce() bool {
	t := &e.tier
	if e.steps.Conflicts < t.at || e.opt.NoReduce {
		return false
	}
	t.count++
	t.at = e.steps.Conflicts + int64(float64(e.pace.reduce)*math.Sqrt(float64(t.count+1)))
	e.stats.reductions++
	e.lock(locked)
	old := e.forgettable()
	e.lock(0)
	a := e.arena
	slices.SortFunc(old, func(x, y uint32) int {
		if g := int(a[y+1]&glueMask) - int(a[x+1]&glueMask); g != 0 {
			return g
		}
		if a[x] != a[y] {
			return int(a[y]) - int(a[x])
		}
		return int(x) - int(y)
	})
	for _, ref := range old[:len(old)-len(old)/keepOneFrom] {
		e.drop(ref)
	}
	e.collect()
	return true
}

// lock marks the clauses that are reasons, or unmarks them.
func (e *engine) lock(mark uint32) {
	for _, m := range e.trail[e.rooted:] {
		if r := e.at[m>>1].reason; r != noReason && r < unexplained {
			e.arena[r+1] = e.arena[r+1]&^locked | Lit(mark)
		}
	}
}

// forgettable returns the learned clauses that may go, and ages the others.
func (e *engine) forgettable() (refs []uint32) {
	for _, ref := range e.learned {
		info := uint32(e.arena[ref+1])
		if used := info & usedMask; used > 0 {
			e.arena[ref+1] -= usedOne
		} else if info&(locked|garbage) == 0 && info&glueMask > tier1 {
			refs = append(refs, ref)
		}
	}
	return refs
}
