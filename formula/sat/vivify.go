package sat

import (
	"cmp"
	"slices"
)

// Vivification of learned clauses (Piette, Hamadi and Saïs, ECAI 2008; Luo,
// Li, Xiao, Manyà and Lü, IJCAI 2017; with reuse of the trail as in CaDiCaL):
// the literals of a clause are made false one after the other. If propagation
// then finds a conflict, or makes another literal of it true, the decisions
// that this depends on are enough of the clause; if that takes all of them,
// the clause is implied by others, and goes.
//
// The clause takes part in the propagation: if nothing else does, it makes its
// own last literal true. What comes out follows from the clauses that there
// are, so it is right for later queries. Clauses that are replaced stay until
// the round is over, since others may have been derived with them.
//
// It is done before a reduction, with clauses that will stay, each once, as
// long as it takes a part of what the search does.
//
// It is an option, since it has not paid, although five in six of the clauses
// that are tried get shorter: on 78 recorded queries it took 1.02 times the
// conflicts, 1.10 times the ticks and 1.16 times the CPU time, on nine hard
// ones with four seeds each 1.04, 1.16 and 1.25 times. Half of the effort was
// as bad, twice was worse.

const (
	vivifyEffort = 8   // one tick in so many
	vivifySize   = 100 // literals
)

type vivification struct {
	spent  int64    // ticks
	counts []uint32 // by literal, of the candidates
	done   []uint32 // clauses that are replaced or implied
	saved  []int8   // in place of the phases
}

// A vivifiable clause has its literals in the order in which they are made
// false.
type vivifiable struct {
	ref uint32
	c   []Lit
}

// vivify vivifies as many clauses as the search has earned.
func (e *engine) vivify() {
	x := &e.vivid
	budget := (e.steps.Ticks-x.spent)/vivifyEffort - x.spent
	if !e.opt.Vivify || budget <= 0 {
		return
	}
	e.backtrack(0)
	if !e.settle() {
		return
	}
	start := e.steps.Ticks
	x.saved = append(x.saved[:0], e.phase.saved...)
	e.phase.saved, x.saved = x.saved, e.phase.saved
	for _, v := range e.toVivify() {
		if e.inconsistent || e.steps.Ticks-start > budget || e.limits.look(e) {
			break
		}
		e.vivifyClause(v)
	}
	e.backtrack(0)
	e.phase.saved, x.saved = x.saved, e.phase.saved
	for _, ref := range x.done {
		e.drop(ref)
	}
	x.done = x.done[:0]
	x.spent += e.steps.Ticks - start
}

// settle propagates at the root. It is false if the clauses are inconsistent.
func (e *engine) settle() bool {
	if falsified := e.propagateAll(); falsified != noClause {
		return e.clash(falsified)
	}
	e.root()
	return true
}

// propagateAll propagates to the end.
func (e *engine) propagateAll() (falsified uint32) {
	for falsified == noClause && e.qhead < len(e.trail) {
		falsified = e.propagate()
	}
	return falsified
}

// toVivify returns the clauses to try. Neighbours begin with the same
// literals, those that most of the clauses have.
func (e *engine) toVivify() (list []vivifiable) {
	x := &e.vivid
	x.counts = make([]uint32, len(e.vals))
	for _, ref := range e.learned {
		info := uint32(e.arena[ref+1])
		if info&(vivified|garbage) != 0 || info&glueMask > e.tier.second || e.arena[ref] < 3 || e.arena[ref] > vivifySize {
			continue
		}
		list = append(list, vivifiable{ref: ref})
		for _, m := range e.lits(ref) {
			x.counts[m]++
		}
	}
	before := func(m, n Lit) int {
		return cmp.Or(cmp.Compare(x.counts[n], x.counts[m]), cmp.Compare(m, n))
	}
	for i := range list {
		list[i].c = slices.Clone(e.lits(list[i].ref))
		slices.SortFunc(list[i].c, before)
	}
	slices.SortStableFunc(list, func(v, w vivifiable) int { return slices.CompareFunc(v.c, w.c, before) })
	return list
}

// vivifyClause tries one clause.
func (e *engine) vivifyClause(v vivifiable) {
	e.arena[v.ref+1] |= vivified
	e.stats.vivifyTried++
	e.backtrack(e.common(v.c))
	for _, m := range v.c {
		switch {
		case e.vals[m] > 0:
			e.vivifyImplied(v.ref, m)
			return
		case e.vals[m] < 0:
			continue
		}
		e.open()
		e.assign(m^1, noReason)
		if falsified := e.propagateAll(); falsified != noClause {
			e.enough(falsified)
			e.replace(v.ref, func() uint64 { return e.proof.learned(e, falsified) })
			return
		}
	}
}

// common returns the level up to which decisions are those for c, too.
func (e *engine) common(c []Lit) (level int) {
	for _, m := range c {
		switch {
		case level < e.depth() && e.trail[e.limit[level]] == m^1:
			level++
		case e.vals[m] >= 0 || int(e.level(m)) > level:
			return level
		}
	}
	return level
}

// vivifyImplied handles clause ref, whose literal m became true.
func (e *engine) vivifyImplied(ref uint32, m Lit) {
	r := e.at[m>>1].reason
	if e.level(m) == 0 {
		e.vivid.done = append(e.vivid.done, ref)
		return
	}
	e.an.seen[m>>1] = 1
	e.an.clause = e.decisions(append(e.an.clause[:0], m), 1)
	switch {
	case len(e.an.clause) < int(e.arena[ref]):
		e.replace(ref, func() uint64 { return e.proof.implied(e, e.an.clause) })
	case r != ref:
		e.stats.vivifyImplied++
		e.vivid.done = append(e.vivid.done, ref)
	}
}

// enough learns which decisions make a clause false.
func (e *engine) enough(falsified uint32) {
	if falsified == isBinaryConflict {
		e.mark(e.conflict.lits[0])
		e.mark(e.conflict.lits[1])
	} else {
		for _, m := range e.lits(falsified) {
			e.mark(m)
		}
	}
	e.an.clause = e.decisions(e.an.clause[:0], 1)
}

// replace puts what was learned in the place of clause ref, if it is shorter.
func (e *engine) replace(ref uint32, prove func() uint64) {
	c := e.an.clause
	if len(c) >= int(e.arena[ref]) {
		return
	}
	e.stats.vivified++
	id := prove()
	e.vivid.done = append(e.vivid.done, ref)
	e.backtrack(0)
	if len(c) > 1 {
		info := uint32(e.arena[ref+1])
		if s := e.attach(c, id, true, min(info&glueMask, uint32(len(c)-1))); s < binary {
			e.arena[s+1] = e.arena[s+1]&^usedMask | Lit(info&usedMask|vivified)
		}
		return
	}
	e.assignRoot(c[0], id)
	e.settle()
}
