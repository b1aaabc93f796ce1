package rank

import (
	"cmp"
	"context"
	"math/bits"
	"slices"

	"github.com/go-amend/amend/formula/relation"
	"github.com/go-amend/amend/formula/sat"
)

// This file holds the default method.

// A Repair is a single change of a model after which the check holds in its
// scope while the run's predicate can still hold.
type Repair struct {
	Node int // index in Model.Nodes
	Old  relation.Node
	New  relation.Node
	Cost int
	// Keeps says that the change excludes no instance that satisfied the
	// facts and the assertion.
	Keeps bool
}

// An Entry is a suspicious node.
type Entry struct {
	Node   int // index in Model.Nodes
	Score  float64
	Ranks  [2]int // first and last rank, from 1, of those with equal score
	Repair *Repair

	Boolean, Relational float64 // FLACK's scores
	Operator            bool    // FLACK's hint that the operator is at fault
}

// A Result is the ranking of a model's nodes.
type Result struct {
	Entries         []Entry // most suspicious first
	Repairs         []Repair
	Counterexamples []*relation.Instance
	Passing         []*relation.Instance
	Tried           int
	Calls           int
}

// Localize ranks the nodes of m.
func Localize(ctx context.Context, m *Model) (*Result, error) {
	p, err := newProblem(m)
	if err != nil {
		return nil, err
	}
	l := &localizer{problem: p, gen: newGenerator(m), seen: map[[2]relation.Gate]bool{}, nodes: make([]evidence, len(m.Nodes))}
	if err := l.collect(ctx); err != nil {
		return nil, err
	}
	for i := range m.Nodes {
		if err := l.examine(ctx, i); err != nil {
			return nil, err
		}
	}
	return l.result(), nil
}

type localizer struct {
	*problem
	gen     *generator
	nodes   []evidence
	repairs []Repair
	passes  bool // the run has an instance, and one is remembered
	tried   int
	seen    map[[2]relation.Gate]bool
}

// evidence is what is known about a node.
type evidence struct {
	removes bool    // free, it can remove every counterexample
	best    float64 // the largest share of counterexamples that a mutant removes
}

// firstCexs is how many counterexamples are collected before the search.
const firstCexs = 8

// collect finds counterexamples and good instances.
func (l *localizer) collect(ctx context.Context) error {
	var block []relation.Gate
	for range firstCexs {
		in, err := l.solve(ctx, append(block, l.failing)...)
		if err != nil {
			return err
		}
		if in == nil {
			break
		}
		l.addCex(in)
		block = append(block, l.s.Is(in).Not())
	}
	if len(l.cexs) == 0 {
		return ErrHolds
	}
	pass := l.fact
	if !l.apart {
		var err error
		if pass, err = l.s.Gate(l.pass); err != nil {
			return err
		}
	}
	block = nil
	for i := range firstCexs {
		gs := append(block[:len(block):len(block)], l.fact, l.failing.Not())
		if i%2 == 0 {
			gs = append(gs, pass)
		}
		in, err := l.solve(ctx, gs...)
		if err != nil {
			return err
		}
		if in != nil {
			l.addGood(in)
			l.passes = l.passes || i%2 == 0 && !l.apart
			block = append(block, l.s.Is(in).Not())
		}
	}
	return nil
}

func (l *localizer) addCex(in *relation.Instance) {
	l.cexs = append(l.cexs, in)
	if l.s.Kept() < relation.MaxKept {
		l.cex |= 1 << l.s.Remember(in)
	}
}

func (l *localizer) addGood(in *relation.Instance) {
	l.goods = append(l.goods, in)
	if l.s.Kept() < relation.MaxKept {
		l.good |= 1 << l.s.Remember(in)
	}
}

// examine tries the mutants of node i if it can be at fault alone.
func (l *localizer) examine(ctx context.Context, i int) error {
	n := l.m.Nodes[i].Rel
	var upper *relation.Set
	if e, ok := n.(relation.Expr); ok {
		upper = l.gen.t.atoms(l.gen.t.of(e))
	}
	roots := []relation.Formula{l.fail, l.facts, l.pass}
	if l.apart {
		roots = roots[:2]
	}
	h, err := l.s.Open(n, l.gen.scope[n], upper, roots...)
	if err != nil {
		return err
	}
	_, removed := l.s.On(h.Roots()[0])
	l.nodes[i].removes = removed&l.cex == l.cex
	if !l.nodes[i].removes {
		return nil
	}
	for _, ms := range [][]mutant{l.gen.plain(i), l.gen.copies(i)} {
		for _, m := range ms {
			if err := l.try(ctx, h, m); err != nil {
				return err
			}
		}
	}
	return nil
}

// try keeps a mutant that is a repair.
func (l *localizer) try(ctx context.Context, h *relation.Hole, m mutant) error {
	l.tried++
	var fails, passes, lost uint64
	ok, err := h.Try(m.new, func(root int, one, nil uint64) {
		switch root {
		case 0:
			fails = one
		case 1:
			lost = nil & l.good
		default:
			passes = one
		}
	})
	if err != nil || !ok {
		return err
	}
	if fails != 0 {
		if fails&l.good == 0 && lost == 0 && passes != 0 {
			share := 1 - float64(bits.OnesCount64(fails&l.cex))/float64(bits.OnesCount64(l.cex))
			l.nodes[m.node].best = max(l.nodes[m.node].best, share)
		}
		return nil
	}
	if passes == 0 && l.passes {
		return nil // what passed passes no more
	}
	gs, err := h.Put(m.new)
	if err != nil {
		return err
	}
	return l.verify(ctx, m, gs, passes != 0, lost == 0)
}

// verify asks the solver whether a mutant with the circuits gs is a repair.
func (l *localizer) verify(ctx context.Context, m mutant, gs []relation.Gate, passes, keeps bool) error {
	key := [2]relation.Gate{gs[0], gs[len(gs)-1]}
	if l.seen[key] {
		return nil
	}
	l.seen[key] = true
	if !passes {
		in, err := l.passing(ctx, m, gs)
		if err != nil || in == nil {
			return err
		}
		if !l.apart && l.s.Kept() < relation.MaxKept { // others may pass in it, too
			l.s.Remember(in)
		}
	}
	in, err := l.solve(ctx, gs[0])
	if err != nil {
		return err
	}
	if in != nil {
		l.addCex(in)
		return nil
	}
	if keeps {
		in, err := l.solve(ctx, l.fact, l.failing.Not(), gs[1].Not())
		if err != nil {
			return err
		}
		keeps = in == nil
	}
	r := l.repair(m)
	r.Keeps = keeps
	l.repairs = append(l.repairs, r)
	return nil
}

func (l *localizer) repair(m mutant) Repair {
	return Repair{Node: m.node, Old: l.m.Nodes[m.node].Rel, New: m.new, Cost: m.cost}
}

// passing returns an instance of the mutated run.
func (l *localizer) passing(ctx context.Context, m mutant, gs []relation.Gate) (*relation.Instance, error) {
	if l.apart {
		return relation.Find(ctx, goalOf(l.m).Bounds, l.repair(m).apply(l.pass), sat.NewGini())
	}
	return l.solve(ctx, gs[2])
}

func (l *localizer) result() *Result {
	slices.SortStableFunc(l.repairs, func(a, b Repair) int {
		if a.Keeps != b.Keeps {
			return btoi(b.Keeps) - btoi(a.Keeps)
		}
		return cmp.Compare(a.Cost, b.Cost)
	})
	r := &Result{Repairs: l.repairs, Counterexamples: l.cexs, Passing: l.goods, Tried: l.tried, Calls: l.calls}
	for i := range l.m.Nodes {
		e := Entry{Node: i}
		k := slices.IndexFunc(l.repairs, func(r Repair) bool { return r.Node == i })
		if k >= 0 {
			e.Repair = &l.repairs[k]
			e.Score = 3 - float64(k)/float64(len(l.repairs))
		} else if l.nodes[i].removes {
			e.Score = l.nodes[i].best + 1/float64(l.gen.sizeOf(l.m.Nodes[i].Rel))
		}
		r.Entries = append(r.Entries, e)
	}
	slices.SortStableFunc(r.Entries, func(a, b Entry) int { return cmp.Compare(b.Score, a.Score) })
	setRanks(r.Entries)
	return r
}
