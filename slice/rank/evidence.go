package rank

import (
	"cmp"
	"context"
	"slices"

	"github.com/go-amend/amend/formula/relation"
)

// This file orders what the default method found. Only evidence decides, never
// the order of the source.

// result orders repairs and nodes. If ctx ended, FLACK's scores are missing.
func (l *localizer) result(ctx context.Context) (*Result, error) {
	r := &Result{Counterexamples: l.cexs, Passing: l.goods, Tried: l.tried, Calls: l.calls}
	r.Entries = make([]Entry, len(l.m.Nodes))
	flack, err := scores(ctx, l.m, l.cfg, l.cexs[:min(len(l.cexs), tiePairs)])
	if err == nil {
		for _, e := range flack.Entries {
			r.Entries[e.Node] = e
		}
	}
	compare := func(a, b Repair) int {
		return cmp.Or(l.compare(a, b), cmp.Compare(flackScore(r.Entries[b.Node]), flackScore(r.Entries[a.Node])))
	}
	l.prune()
	slices.SortStableFunc(l.repairs, func(a, b Repair) int { return cmp.Or(compare(a, b), cmp.Compare(a.Node, b.Node)) })
	for i := range r.Entries {
		l.score(i, &r.Entries[i])
	}
	level := 0 // repairs of equal evidence have the same
	for i, x := range l.repairs {
		if i > 0 && compare(l.repairs[i-1], x) != 0 {
			level = i
		}
		if e := &r.Entries[x.Node]; e.Repair == nil {
			e.Repair = &l.repairs[i]
			e.Score = base(l.nodes[x.Node].tier) + 50 - 40*float64(level)/float64(len(l.repairs))
		}
	}
	r.Entries = slices.DeleteFunc(r.Entries, func(e Entry) bool { return l.m.Nodes[e.Node].Hard })
	slices.SortStableFunc(r.Entries, func(a, b Entry) int { return cmp.Compare(b.Score, a.Score) })
	setRanks(r.Entries)
	r.Repairs = l.distinct()
	return r, err
}

// compare orders repairs: those of units looked at first, those that keep what
// is good, the cheap, the local.
func (l *localizer) compare(a, b Repair) int {
	return cmp.Or(
		cmp.Compare(l.nodes[b.Node].tier, l.nodes[a.Node].tier),
		cmp.Compare(btoi(b.Keeps), btoi(a.Keeps)),
		cmp.Compare(a.Cost, b.Cost),
		cmp.Compare(l.gen.sizeOf(a.Old), l.gen.sizeOf(b.Old)))
}

// A class holds the repairs of one unit that mean the same to the check and the
// run. Those of other units may mean something else to a reader, who knows which
// of two predicates that are to be equal is the right one.
type class struct{ meaning, unit int }

func (l *localizer) class(r Repair) class { return class{r.meaning, l.m.Nodes[r.Node].Unit} }

// prune leaves out repairs that cost too much beside the best, which are found
// or not by chance, and of each class all but the cheapest and most local.
func (l *localizer) prune() {
	best := map[class]Repair{}
	for _, r := range l.repairs {
		if b, ok := best[l.class(r)]; !ok || l.compare(r, b) < 0 {
			best[l.class(r)] = r
		}
	}
	l.repairs = slices.DeleteFunc(l.repairs, func(r Repair) bool {
		return r.Cost > l.best+margin || l.compare(r, best[l.class(r)]) != 0
	})
}

// distinct returns a repair of each class, in order.
func (l *localizer) distinct() (out []Repair) {
	seen := map[class]bool{}
	for _, r := range l.repairs {
		if !seen[l.class(r)] {
			seen[l.class(r)] = true
			out = append(out, r)
		}
	}
	return out
}

// base is the score of nodes of a tier, if nothing else is known.
func base(tier int) float64 { return float64(100 * tier) }

// score says how suspicious a node is that has no repair.
func (l *localizer) score(i int, e *Entry) {
	ev := l.nodes[i]
	e.Node = i
	e.Score = base(ev.tier) + ev.removes + ev.best/2 + float64(btoi(ev.revives)) + kindBonus(l.m.Nodes[i].Rel) + flackScore(*e)/100
}

// flackScore is bounded, so that it orders nodes of like evidence only.
func flackScore(e Entry) float64 { return min(e.Boolean+e.Relational, 50) }

// tiePairs is for how many pairs FLACK's scores are computed.
const tiePairs = 1

// kindBonus prefers comparisons, at which most faults are, among nodes that can
// do the same.
func kindBonus(n relation.Node) float64 {
	switch n.(type) {
	case *relation.Compare, *relation.IntCompare, *relation.Mult:
		return 0.4
	case relation.Formula:
		return 0.2
	}
	return 0
}
