package rank

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/go-amend/amend/formula/relation"
)

// This file orders nodes by what changes of them do. Only evidence decides, never
// the order of the source.

// Evidence is what somebody found out about a model by changing it.
type Evidence struct {
	Nodes           []NodeEvidence // by index in Model.Nodes
	Repairs         []Repair
	Counterexamples []*relation.Instance // of the check
	Passing         []*relation.Instance // of the facts, that satisfy the assertion
	Tried           int                  // changes
	Calls           int                  // of the solver
}

// NodeEvidence is what is known about a node.
type NodeEvidence struct {
	Tier    int     // of its unit
	Removes float64 // the share of counterexamples that it can remove, were its value free
	Revives bool    // so it makes an impossible run possible
	Best    float64 // the largest share of counterexamples that a change of it removes, where that breaks nothing
}

// A Repair is a single change of a model after which the check holds in its
// scope while the run's predicate can still hold, and what the Model's other
// Questions had as wanted is still so.
type Repair struct {
	Node int           // index in Model.Nodes
	Old  relation.Node // its Rel
	New  relation.Node // what to put there; nodes of the model occur in it
	Cost int           // small for small changes
	Size int           // of what it changes

	// Keeps says that the change excludes no instance that satisfied the
	// facts and the assertion.
	Keeps bool

	// Meaning is equal to that of repairs that mean the same to the check and
	// the run.
	Meaning int

	// Wish says that New copies what the oracle says: evidence of the place,
	// but no repair that anybody wants.
	Wish bool
}

// Apply returns f, a formula of the model, with the repair.
func (r Repair) Apply(f relation.Formula) relation.Formula {
	return relation.Replace(f, func(n relation.Node) relation.Node {
		if n == r.Old {
			return r.New
		}
		return nil
	}).(relation.Formula)
}

// An Entry is a suspicious node.
type Entry struct {
	Node   int     // index in Model.Nodes
	Score  float64 // of Flack, or without meaning but for the order
	Ranks  [2]int  // first and last rank, from 1, of those with equal score
	Repair *Repair // the best one that changes just this node, or nil

	Boolean, Relational float64 // FLACK's scores
	Operator            bool    // FLACK's hint that the operator is at fault
}

// A Result is the ranking of a model's nodes.
type Result struct {
	Entries         []Entry              // most suspicious first
	Repairs         []Repair             // best first; those of one unit with other meanings
	Counterexamples []*relation.Instance // of the check
	Passing         []*relation.Instance // of the facts, that satisfy the assertion
	Tried           int                  // changes
	Calls           int                  // of the solver
}

// Margin is how much more than the cheapest repair that keeps what is good
// another may cost. Order leaves out what costs more.
const Margin = 6

// Order ranks the nodes of m by ev: see the package comment. If ctx ends, FLACK's
// scores are missing, and its cause is the error.
func Order(ctx context.Context, m *Model, cfg Config, ev *Evidence) (*Result, error) {
	o := &orderer{m: m, Evidence: ev, limit: math.MaxInt}
	r := &Result{Counterexamples: ev.Counterexamples, Passing: ev.Passing, Tried: ev.Tried, Calls: ev.Calls}
	r.Entries = make([]Entry, len(m.Nodes))
	flack, err := scores(ctx, m, cfg, ev.Counterexamples[:min(len(ev.Counterexamples), tiePairs)])
	if err == nil {
		for _, e := range flack.Entries {
			r.Entries[e.Node] = e
		}
	}
	o.prune()
	o.sort(r.Entries)
	for i := range r.Entries {
		o.score(i, &r.Entries[i])
	}
	o.enter(r.Entries)
	r.Entries = slices.DeleteFunc(r.Entries, func(e Entry) bool { return m.Nodes[e.Node].Hard })
	slices.SortStableFunc(r.Entries, func(a, b Entry) int { return cmp.Compare(b.Score, a.Score) })
	setRanks(r.Entries)
	r.Repairs = o.distinct()
	return r, err
}

// An orderer orders the nodes of one model.
type orderer struct {
	m *Model
	*Evidence
	repairs []Repair // those that count
	levels  []int    // of repairs; equal ones have equal evidence
	limit   int      // what they may cost
}

// compare orders repairs: those of suspicious units, those that keep what is
// good, the cheap, the local.
func (o *orderer) compare(a, b Repair) int {
	return cmp.Or(
		cmp.Compare(o.Nodes[b.Node].Tier, o.Nodes[a.Node].Tier),
		cmp.Compare(btoi(b.Keeps), btoi(a.Keeps)),
		cmp.Compare(a.Cost, b.Cost),
		cmp.Compare(a.Size, b.Size))
}

// A class holds the repairs of one unit that mean the same to the check and the
// run. Those of other units may mean something else to a reader, who knows which
// of two predicates that are to be equal is the right one.
type class struct{ meaning, unit int }

func (o *orderer) class(r Repair) class { return class{r.Meaning, o.m.Nodes[r.Node].Unit} }

// prune leaves out repairs that cost too much beside the best, which are found
// or not by chance, and of each class all but the cheapest and most local.
func (o *orderer) prune() {
	best := map[class]Repair{}
	for _, r := range o.Repairs {
		if b, ok := best[o.class(r)]; !ok || o.compare(r, b) < 0 {
			best[o.class(r)] = r
		}
		if r.Keeps {
			o.limit = min(o.limit, r.Cost+Margin)
		}
	}
	for _, r := range o.Repairs {
		if r.Cost <= o.limit && o.compare(r, best[o.class(r)]) == 0 {
			o.repairs = append(o.repairs, r)
		}
	}
}

// sort orders the repairs, where nothing else decides by the scores of their
// nodes.
func (o *orderer) sort(es []Entry) {
	compare := func(a, b Repair) int {
		return cmp.Or(o.compare(a, b), cmp.Compare(flackScore(es[b.Node]), flackScore(es[a.Node])))
	}
	slices.SortStableFunc(o.repairs, func(a, b Repair) int { return cmp.Or(compare(a, b), cmp.Compare(a.Node, b.Node)) })
	level := 0
	for i, x := range o.repairs {
		if i > 0 && compare(o.repairs[i-1], x) != 0 {
			level = i
		}
		o.levels = append(o.levels, level)
	}
}

// enter puts nodes with repairs first.
func (o *orderer) enter(es []Entry) {
	for i, x := range o.repairs {
		if e := &es[x.Node]; e.Repair == nil {
			e.Repair = &o.repairs[i]
			e.Score = base(o.Nodes[x.Node].Tier) + 50 - 40*float64(o.levels[i])/float64(len(o.repairs))
		}
	}
}

// distinct returns a repair of each class, in order.
func (o *orderer) distinct() (out []Repair) {
	seen := map[class]bool{}
	for _, r := range o.repairs {
		if !seen[o.class(r)] {
			seen[o.class(r)] = true
			out = append(out, r)
		}
	}
	return out
}

// base is the score of nodes of a tier, if nothing else is known.
func base(tier int) float64 { return float64(100 * tier) }

// score says how suspicious a node is that has no repair.
func (o *orderer) score(i int, e *Entry) {
	ev := o.Nodes[i]
	e.Node = i
	e.Score = base(ev.Tier) + ev.Removes + ev.Best/2 + float64(btoi(ev.Revives)) + kindBonus(o.m.Nodes[i].Rel) + flackScore(*e)/100
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

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}
