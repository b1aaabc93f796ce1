package rank

import (
	"cmp"
	"context"
	"slices"

	"github.com/go-amend/amend/formula/relation"
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
	// Larger says that the repair was checked in a larger scope too.
	Larger bool
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
}

// Localize ranks the nodes of m.
func Localize(ctx context.Context, m *Model) (*Result, error) {
	l := &localizer{problem: newProblem(m)}
	if err := l.collect(ctx); err != nil {
		return nil, err
	}
	l.gen = newGenerator(m)
	if err := l.search(ctx); err != nil {
		return nil, err
	}
	return l.result(), nil
}

type localizer struct {
	*problem
	gen     *generator
	repairs []Repair
	pass    []bool // nodes that, free, remove all counterexamples
	tried   int
	seen    map[[2]relation.Gate]bool
}

// firstCexs is how many counterexamples are collected before the search.
const firstCexs = 8

// collect finds counterexamples and good instances.
func (l *localizer) collect(ctx context.Context) error {
	fail, err := l.failing(nil)
	if err != nil {
		return err
	}
	var block []relation.Gate
	for range firstCexs {
		in, err := l.refute(ctx, fail, block...)
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
	facts, err := l.facts(&l.m.Check, nil)
	if err != nil {
		return err
	}
	pass, err := l.passing(nil)
	if err != nil {
		return err
	}
	for i := range firstCexs {
		g := l.s.And(facts, fail.Not())
		if i%2 == 0 {
			g = l.s.And(pass, fail.Not())
		}
		in, err := l.refute(ctx, g, block...)
		if err != nil {
			return err
		}
		if in != nil {
			l.addGood(in)
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

// search tries the mutants of each node that may be at fault.
func (l *localizer) search(ctx context.Context) error {
	l.seen = map[[2]relation.Gate]bool{}
	l.pass = make([]bool, len(l.m.Nodes))
	for i := range l.m.Nodes {
		ok, err := l.freed(i)
		if err != nil {
			return err
		}
		l.pass[i] = ok
	}
	for i := range l.m.Nodes {
		if !l.pass[i] {
			continue
		}
		c := l.change(l.m.Nodes[i].Rel)
		for _, ms := range [][]mutant{l.gen.plain(i), l.gen.copies(i)} {
			for _, m := range ms {
				if err := l.try(ctx, c, m); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// freed returns whether node i, if it were free, could remove every remembered
// counterexample.
func (l *localizer) freed(i int) (bool, error) {
	n := l.m.Nodes[i].Rel
	c := l.change(n)
	c.new = l.gen.any(n)
	if c.new == nil {
		return true, nil
	}
	g, err := l.failing(c)
	if err != nil {
		return false, err
	}
	_, removed := l.s.On(g)
	return removed&l.cex == l.cex, nil
}

// any returns the node that stands for any value of n.
func (g *generator) any(n relation.Node) relation.Node {
	switch n := n.(type) {
	case relation.Formula:
		return &relation.AnyFormula{Over: n}
	case relation.Int:
		return &relation.Sum{X: &relation.AnyExpr{Upper: &relation.Const{Op: relation.Ints}, Over: n}}
	case relation.Expr:
		return &relation.AnyExpr{Upper: &relation.ConstSet{Set: g.t.atoms(g.t.of(n))}, Over: n}
	}
	return nil
}

// try keeps a mutant that is a repair.
func (l *localizer) try(ctx context.Context, c *changer, m mutant) error {
	l.tried++
	c.new = m.new
	fail, err := l.failing(c)
	if err != nil {
		return err
	}
	if one, _ := l.s.On(fail); one&l.cex != 0 {
		return nil
	}
	pass, err := l.passing(c)
	if err != nil {
		return err
	}
	if l.seen[[2]relation.Gate{fail, pass}] {
		return nil
	}
	l.seen[[2]relation.Gate{fail, pass}] = true
	if one, _ := l.s.On(pass); one == 0 {
		in, err := l.refute(ctx, pass)
		if err != nil || in == nil {
			return err
		}
		l.addGood(in)
	}
	in, err := l.refute(ctx, fail)
	if err != nil {
		return err
	}
	if in != nil {
		l.addCex(in)
		return nil
	}
	keeps, err := l.keeps(ctx, c)
	if err != nil {
		return err
	}
	l.repairs = append(l.repairs, Repair{Node: m.node, Old: c.old, New: m.new, Cost: m.cost, Keeps: keeps})
	return nil
}

// keeps returns whether all instances of the facts and the assertion are such
// of the changed ones.
func (l *localizer) keeps(ctx context.Context, c *changer) (bool, error) {
	facts, err := l.facts(&l.m.Check, nil)
	if err != nil {
		return false, err
	}
	fail, _ := l.failing(nil)
	after, err := l.facts(&l.m.Check, c)
	if err != nil {
		return false, err
	}
	in, err := l.refute(ctx, facts, fail.Not(), after.Not())
	return in == nil, err
}

func (l *localizer) result() *Result {
	slices.SortStableFunc(l.repairs, func(a, b Repair) int {
		if a.Keeps != b.Keeps {
			return btoi(b.Keeps) - btoi(a.Keeps)
		}
		return cmp.Compare(a.Cost, b.Cost)
	})
	r := &Result{Repairs: l.repairs, Counterexamples: l.cexs, Passing: l.goods}
	for i := range l.m.Nodes {
		e := Entry{Node: i}
		k := slices.IndexFunc(l.repairs, func(r Repair) bool { return r.Node == i })
		if k >= 0 {
			e.Repair = &l.repairs[k]
			e.Score = 2 - float64(k)/float64(len(l.repairs))
		} else if l.pass[i] {
			e.Score = 1 / float64(l.gen.sizeOf(l.m.Nodes[i].Rel))
		}
		r.Entries = append(r.Entries, e)
	}
	slices.SortStableFunc(r.Entries, func(a, b Entry) int { return cmp.Compare(b.Score, a.Score) })
	setRanks(r.Entries)
	return r
}
