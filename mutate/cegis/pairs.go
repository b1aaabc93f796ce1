package cegis

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/go-amend/amend/formula"
)

// This file proposes pairs of alternatives.
//
// There are few enough of them to look at each, if that takes a microsecond. A
// generator has to find a pair among all with a solver, whose formula holds a
// circuit for each counterexample: of TCAS with 868 alternatives it took nine tenths
// of the time and more than a gigabyte. Here a pair is set in each constraint, which
// changes what depends on its two alternatives and nothing else. What is in holes is
// unknown then, and so are the free values of constraints that are Loose: a pair is
// ruled out that fails on some counterexample whatever they are. They are tried one
// after another where they are propositions.

// A pairing proposes the pairs of a space, in order.
type pairing struct {
	s     *Search
	rules []*pairRule // in the order in which they were learned
	first int         // the alternative whose pairs are proposed
	rest  []int       // the other alternatives of those
	whole []bool      // by alternative: it is a solution by itself
	later []Counterexample
}

// A pairRule is a constraint.
type pairRule struct {
	sim   *formula.Simulator
	none  int // mark: no alternative is chosen
	first int // the alternative that is, or -1
	hits  int
}

const (
	// mostPaired is how many alternatives may be paired.
	mostPaired = 1 << 13

	// mostRules is how many constraints are made of counterexamples of values in
	// holes, each of which may rule out little.
	mostRules = 128

	// mostDoubts is how many unknown propositions are tried, in all combinations.
	mostDoubts = 6
)

// newPairing returns a pairing, or nil if pairs are better left to the generator:
// they are too many, or what counterexamples teach can't be evaluated.
func (s *Search) newPairing(ctx context.Context) (*pairing, error) {
	original := &s.cfg.Original
	if s.l.weak || s.l.oneByOne || original.Counterexample == nil || len(s.sp.alts) > mostPaired {
		return nil, nil
	}
	p := &pairing{s: s, first: -1, whole: make([]bool, len(s.sp.alts))}
	for _, c := range s.solved {
		p.whole[c.Alternatives[0]] = true
	}
	known := slices.Clone(s.cfg.Examples)
	if original.Own {
		known = append(known, original.Counterexample)
	}
	examples := slices.Clone(s.known)
	slices.SortStableFunc(examples, func(a, b *example) int { return cmp.Compare(b.hits, a.hits) })
	for _, k := range examples[:min(len(examples), mostRules/2)] {
		k.paired = true
		known = append(known, k.x)
	}
	for _, x := range known {
		switch err := p.learn(ctx, x); {
		case errors.Is(err, ErrOneByOne), errors.Is(err, errDefines):
			return nil, nil
		case errors.Is(err, ErrNoConstraint):
		case err != nil:
			return nil, err
		}
	}
	return p, nil
}

// errDefines is ErrNoConstraint of a constraint that a solver alone can tell.
var errDefines = errors.New("cegis: a constraint with definitions")

// learn makes p propose only pairs that may be good on x.
func (p *pairing) learn(ctx context.Context, x Counterexample) error {
	constraint, err := p.s.cfg.good(ctx, p.s.sp.encoding(true, true), x)
	if err == nil && constraint.Define != nil {
		err = errDefines
	}
	if err != nil {
		return err
	}
	r := &pairRule{sim: formula.NewSimulator(p.s.sp.st, constraint.Good), first: -1}
	for _, a := range p.s.sp.alts {
		r.sim.Set(a.when, 0)
	}
	r.none = r.sim.Mark()
	p.rules = append(p.rules, r)
	p.rest = p.filtered(p.first, p.rest, r)
	return nil
}

// next returns the next pair, or no alternatives.
func (p *pairing) next(ctx context.Context) (Candidate, error) {
	for len(p.rest) == 0 {
		if err := context.Cause(ctx); err != nil {
			return Candidate{}, err
		}
		if p.first++; p.first >= len(p.s.sp.alts) {
			p.first = len(p.s.sp.alts)
			return Candidate{}, nil
		}
		p.rest = p.others(p.first)
	}
	c := Candidate{Alternatives: []int{p.first, p.rest[0]}}
	p.rest = p.rest[1:]
	for _, k := range c.Alternatives {
		of := p.s.sp.alts[k].holes
		c.Values = append(c.Values, make([]uint64, of.end-of.first)...)
	}
	return c, nil
}

// others returns the later alternatives that may be good with the first.
func (p *pairing) others(first int) []int {
	place := p.s.sp.alts[first].place
	if n := p.s.cfg.Shards; p.whole[first] || n > 1 && place%n != p.s.cfg.Shard {
		return nil
	}
	var out []int
	for k := p.s.sp.places[place].end; k < len(p.s.sp.alts); k++ {
		if !p.whole[k] {
			out = append(out, k)
		}
	}
	rules := slices.Clone(p.rules)
	slices.SortStableFunc(rules, func(a, b *pairRule) int { return cmp.Compare(b.hits, a.hits) })
	for _, r := range rules {
		out = p.filtered(first, out, r)
	}
	return out
}

// filtered returns those of others that r doesn't rule out with first.
func (p *pairing) filtered(first int, others []int, r *pairRule) []int {
	return slices.DeleteFunc(others, func(k int) bool { return p.ruledOut(first, k, r) })
}

func (p *pairing) ruledOut(first, second int, r *pairRule) bool {
	if r.first != first {
		r.sim.Undo(r.none)
		r.sim.Set(p.s.sp.alts[first].when, 1)
		r.first = first
	}
	mark := r.sim.Mark()
	r.sim.Set(p.s.sp.alts[second].when, 1)
	out := r.fails(mostDoubts)
	r.sim.Undo(mark)
	if out {
		r.hits++
	}
	return out
}

// fails reports whether the constraint is violated whatever is unknown.
func (r *pairRule) fails(doubts int) bool {
	if v, ok := r.sim.Root(); ok || doubts == 0 {
		return ok && v == 0
	}
	d := r.sim.Doubt()
	if d == 0 {
		return false
	}
	mark := r.sim.Mark()
	for v := range uint64(2) {
		r.sim.Set(d, v)
		fails := r.fails(doubts - 1)
		r.sim.Undo(mark)
		if !fails {
			return false
		}
	}
	return true
}

// still reports whether what was learned since the first n rules leaves c.
func (p *pairing) still(c Candidate, n int) bool {
	for _, r := range p.rules[n:] {
		if p.ruledOut(c.Alternatives[0], c.Alternatives[1], r) {
			return false
		}
	}
	return true
}

// refuted learns from a pair without holes, which v refutes.
func (p *pairing) refuted(ctx context.Context, c Candidate, v *Verdict) error {
	if v.Counterexample == nil {
		return nil
	}
	p.later = append(p.later, v.Counterexample)
	n := len(p.rules)
	if err := p.learn(ctx, v.Counterexample); err != nil {
		return skipped(err)
	}
	r := p.rules[n]
	if p.ruledOut(c.Alternatives[0], c.Alternatives[1], r) {
		return nil
	}
	mark := r.sim.Mark()
	r.sim.Set(p.s.sp.alts[c.Alternatives[1]].when, 1)
	good, known := r.sim.Root()
	if r.sim.Undo(mark); known && good == 1 {
		return &OracleError{Why: "says that a candidate is good on its counterexample"}
	}
	return nil
}

// noValues learns from the counterexamples of values that were tried in a pair.
func (p *pairing) noValues(ctx context.Context, f *holeSolver) error {
	for _, k := range f.known {
		if !k.asserted || k.of.paired || len(p.rules) >= mostRules {
			continue
		}
		k.of.paired = true
		if err := p.learn(ctx, k.x); err != nil && skipped(err) != nil {
			return err
		}
	}
	return nil
}

// skipped returns nil if err is that nothing is learned.
func skipped(err error) error {
	if errors.Is(err, ErrNoConstraint) || errors.Is(err, errDefines) {
		return nil
	}
	return err
}
