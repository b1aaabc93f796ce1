package sat

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// An atMost is a Propagator for: at most k of ms are true. It propagates
// only if eager, and has lemmas instead if not.
type atMost struct {
	t     *testing.T
	ms    []Lit
	k     int
	eager bool
	trues []Lit
	marks []int // lengths of trues, by level
}

func (p *atMost) Assign(m Lit) {
	if slices.Contains(p.trues, m) || slices.Contains(p.trues, m^1) {
		p.t.Errorf("Assign(%d) twice", m)
	}
	p.trues = append(p.trues, m)
}

func (p *atMost) Level() { p.marks = append(p.marks, len(p.trues)) }

func (p *atMost) Backtrack(level int) {
	p.trues = p.trues[:p.marks[level]]
	p.marks = p.marks[:level]
}

// counted returns the literals of ms that are true.
func (p *atMost) counted() (c []Lit) {
	for _, m := range p.trues {
		if slices.Contains(p.ms, m) {
			c = append(c, m)
		}
	}
	return c
}

func (p *atMost) Propagate() Lit {
	if !p.eager || len(p.counted()) != p.k {
		return 0
	}
	for _, m := range p.ms {
		if !slices.Contains(p.trues, m) && !slices.Contains(p.trues, m^1) {
			return m ^ 1
		}
	}
	return 0
}

func (p *atMost) Reason(m Lit) []Lit {
	c := []Lit{m}
	for _, n := range p.counted()[:p.k] {
		c = append(c, n^1)
	}
	return c
}

func (p *atMost) Clause() []Lit {
	c := p.counted()
	if len(c) <= p.k {
		return nil
	}
	c = c[:p.k+1]
	for i := range c {
		c[i] ^= 1
	}
	return c
}

func (p *atMost) Decide() Lit { return p.ms[len(p.trues)%len(p.ms)] }

func (p *atMost) Model() bool { return len(p.counted()) <= p.k }

// TestPropagator compares a cardinality constraint as a propagator with a
// totalizer, incrementally, and checks the proofs.
func TestPropagator(t *testing.T) {
	answers := [3]int{}
	for seed := range uint64(150) {
		rng := rand.New(rand.NewPCG(seed, 5))
		n := 6 + rng.IntN(20)
		pick := func() Lit { return Lit(2 + rng.IntN(2*n)) }
		s, want := newProved(variants[[]string{"default", "plain", "no focused"}[seed%3]]), New()
		p := &atMost{t: t, k: 1 + rng.IntN(n/2), eager: seed%2 == 0}
		for v := range n {
			p.ms = append(p.ms, Lit(2*v+2))
		}
		x := s.Solver.(Extensible)
		x.Connect(p)
		for _, m := range p.ms {
			x.Observe(m)
			want.NewVar()
		}
		bound := NewTotalizer(want, p.ms...).AtMost(p.k)
		for range 8 {
			for range n / 2 {
				c := []Lit{pick(), pick(), pick()}
				s.AddClause(c...)
				want.AddClause(c...)
			}
			assume := []Lit{pick(), pick()}
			got, err := s.Solve(t.Context(), assume...)
			expected, _ := want.Solve(t.Context(), append(assume, bound)...)
			if got != expected || err != nil {
				t.Fatalf("seed %d: %v, %v, want %v", seed, got, err, expected)
			}
			answers[got]++
			if true := slices.DeleteFunc(slices.Clone(p.ms), func(m Lit) bool { return !s.Value(m) }); got == Sat && len(true) > p.k {
				t.Fatalf("seed %d: %d are true, of at most %d", seed, len(true), p.k)
			}
		}
	}
	if answers[Sat] < 100 || answers[Unsat] < 100 {
		t.Errorf("unknown, sat, unsat: %v", answers)
	}
}
