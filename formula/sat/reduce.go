package sat

import (
	"math"
	"slices"
)

// Reduction: the engine forgets learned clauses. Those of low glue stay while
// they were used in one of the last ten intervals, those of middle glue in the
// last two, the others in the last (tiers: Oh, SAT 2015; glue: Audemard and
// Simon, IJCAI 2009); of what is left, two in three go, by glue and size. Low
// is what half of the clauses used in analysis have, middle what nine in ten
// have (as in Kissat): on circuits of few levels all glue is low. What was
// learned follows from the rest, so nothing depends on it.
//
// On 28 recorded queries, fixed limits of 2 and 6 took 1.12 times the ticks of
// these, and 1.06 times if low glue is kept for good.
//
// What was forgotten leaves the lists at once, and the arena when there is enough
// garbage: to copy a million clauses for a few hundred would take 0.1 s, in
// which nothing looks at the context. Both ways the recorded queries take the
// same time.
//
// Intervals are counted over all queries: many small ones must not pile up
// what they learn.

const (
	kept1     = 10 // reductions that a clause of the first tier survives unused
	kept2     = 2  // of the second
	keepOneIn = 3  // of the others
	maxGlue   = 64 // that is counted
	collectAt = 8  // garbage is collected if it is more than one word in so many
)

type tiers struct {
	at    int64 // conflicts at the next reduction
	count int64

	first, second uint32         // glue up to which a clause is of the tier
	met           [maxGlue]int64 // times that clauses of that glue were used
}

// retier sets the limits of the tiers by the clauses that were used.
func (t *tiers) retier() {
	sum := int64(0)
	for _, n := range t.met {
		sum += n
	}
	if sum < 1000 {
		return
	}
	part := int64(0)
	t.first, t.second = 0, 0
	for g, n := range t.met {
		part += n
		if t.first == 0 && part*2 >= sum {
			t.first = uint32(max(g, 1))
		}
		if t.second == 0 && part*10 >= sum*9 {
			t.second = uint32(max(g, 1))
		}
		t.met[g] /= 2
	}
}

// use notes that analysis met a clause.
func (e *engine) use(ref uint32) {
	info := uint32(e.arena[ref+1])
	if info&isLearned == 0 {
		return
	}
	glue := info & glueMask
	if glue > 1 {
		glue = min(glue, e.glue(e.lits(ref)))
	}
	e.tier.met[min(glue, maxGlue-1)]++
	used := uint32(1)
	switch {
	case glue <= e.tier.first:
		used = kept1
	case glue <= e.tier.second:
		used = kept2
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
	t.retier()
	if e.vivify(); e.inconsistent {
		return true
	}
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
	for _, ref := range old[:len(old)-len(old)/keepOneIn] {
		e.drop(ref)
	}
	if e.wasted*collectAt > len(e.arena) {
		e.collect()
	} else {
		e.detach()
	}
	return true
}

// detach takes the learned clauses that were dropped out of all lists. They
// lie in the arena until it is collected.
func (e *engine) detach() {
	e.learned = slices.DeleteFunc(e.learned, func(ref uint32) bool {
		if e.arena[ref+1]&garbage == 0 {
			return false
		}
		for _, m := range e.lits(ref)[:2] {
			e.unwatch(m, ref)
		}
		return true
	})
}

// unwatch takes a clause out of the list of m.
func (e *engine) unwatch(m Lit, ref uint32) {
	ws := e.watches.of(m)
	i := slices.IndexFunc(ws, func(w watch) bool { return w.ref == ref })
	e.watches.cut(m, i+copy(ws[i:], ws[i+1:]))
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
		} else if info&(locked|garbage) == 0 {
			refs = append(refs, ref)
		}
	}
	return refs
}
