package sat

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// variants are engines with techniques switched off, and with small
// intervals of what else small tests don't reach.
var variants = map[string]Options{
	"default":    {},
	"no stable":  {NoStable: true},
	"no focused": {NoFocused: true},
	"plain": {NoStable: true, NoTargets: true, NoRephase: true, NoMinimize: true, NoReduce: true,
		NoReuse: true, True: true},
	"seed":   {Seed: 7, VMTF: true, NoPlain: true},
	"vivify": {Vivify: true},
}

// hurried makes an engine that does soon what it does after thousands of
// conflicts otherwise.
func hurried(o Options) *engine {
	e := newEngine(o)
	e.pace = pace{reduce: 3, rephase: 5, mode: 7, plain: 1, luby: 2, eliminate: 0}
	e.tier.at = 3
	return e
}

// A proved engine has each of its proofs checked.
type proved struct {
	Solver
	p *propagationChecker
}

func newProved(o Options) *proved {
	p := &propagationChecker{clauses: make(map[uint64][]Lit)}
	o.Proof = p
	return &proved{hurried(o), p}
}

// A propagationChecker checks each step of a proof by the definition.
type propagationChecker struct {
	clauses map[uint64][]Lit
	last    uint64
	concl   []Lit
	ended   bool // there was a Learn in this Solve, after which there is no Input
	err     error
}

func (p *propagationChecker) Input(id uint64, c []Lit) { p.put(id, c); p.ended = false }

func (p *propagationChecker) put(id uint64, c []Lit) {
	if id <= p.last {
		p.fail("number %d after %d", id, p.last)
	}
	p.last = id
	p.clauses[id] = slices.Clone(c)
}

func (p *propagationChecker) fail(format string, args ...any) {
	if p.err == nil {
		p.err = fmt.Errorf(format, args...)
	}
}

func (p *propagationChecker) Learn(id uint64, c []Lit, hints []uint64) {
	if !p.follows(c, hints) {
		p.fail("clause %d, %d, does not follow by %d", id, c, hints)
	}
	p.put(id, c)
	p.concl, p.ended = p.clauses[id], true
}

func (p *propagationChecker) follows(c []Lit, hints []uint64) bool {
	isFalse := make(map[Lit]bool)
	for _, m := range c {
		if isFalse[m^1] {
			return true
		}
		isFalse[m] = true
	}
	for i, h := range hints {
		d, ok := p.clauses[h]
		if !ok {
			return false
		}
		var rest []Lit
		for _, m := range d {
			if !isFalse[m] && !slices.Contains(rest, m) {
				rest = append(rest, m)
			}
		}
		switch len(rest) {
		case 0:
			return i == len(hints)-1
		case 1:
			isFalse[rest[0]^1] = true
		default:
			return false
		}
	}
	return false
}

func (p *propagationChecker) Delete(ids ...uint64) {
	for _, id := range ids {
		if _, ok := p.clauses[id]; !ok {
			p.fail("no clause %d to delete", id)
		}
		delete(p.clauses, id)
	}
}

func (s *proved) Solve(ctx context.Context, assume ...Lit) (Status, error) {
	s.p.ended = false
	status, err := s.Solver.Solve(ctx, assume...)
	if status == Unsat {
		core := s.Solver.Core(nil)
		for _, m := range s.p.concl {
			if !slices.Contains(core, m^1) {
				s.p.fail("%d is not of the core %d", m, core)
			}
		}
		if !s.p.ended {
			s.p.fail("an answer without a conclusion")
		}
	}
	if s.p.err != nil {
		return Unknown, s.p.err
	}
	return status, err
}

// TestEngineHard checks models, cores and proofs on random clauses at the
// threshold of satisfiability, with queries between them.
func TestEngineHard(t *testing.T) {
	for name, o := range variants {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for seed := range uint64(2) {
				hard(t, newProved(o), seed)
				hard(t, o.New(), seed)
			}
		})
	}
}

func hard(t *testing.T, s Solver, seed uint64) {
	count := [3]int{}
	rng := rand.New(rand.NewPCG(seed, 7))
	pick := func() Lit { return Lit(2 + rng.IntN(200)) }
	var clauses [][]Lit
	for range 44 {
		for range 10 {
			c := []Lit{pick(), pick(), pick()}
			clauses = append(clauses, c)
			s.AddClause(c...)
		}
		assume := []Lit{pick(), pick(), pick(), pick()}
		status, err := s.Solve(t.Context(), assume...)
		if err != nil {
			t.Fatal(err)
		}
		count[status]++
		ms := assume
		if status == Unsat {
			ms = s.Core(nil)
		}
		if !confirms(t, clauses, s, status, ms) {
			t.Fatalf("seed %d: %v, but not confirmed", seed, status)
		}
	}
	if count[Sat] < 3 || count[Unsat] < 3 {
		t.Errorf("%d sat and %d unsat", count[Sat], count[Unsat])
	}
}

// TestEngineLong takes enough conflicts for everything that happens rarely.
func TestEngineLong(t *testing.T) {
	p := newProved(Options{})
	for _, s := range []Solver{New(), Options{NoFocused: true}.New(), p} {
		var ons []Lit
		for n := range 2 {
			ons = append(ons, pigeons(s, 7+n, 6+n))
			for i, on := range ons {
				check(t, s, false, append(ons[:i:i], on)...)
				check(t, s, true)
				check(t, s, true, on.Not())
			}
			s.AddClause(ons[n].Not(), s.NewVar())
		}
		s.AddClause(ons...)
		check(t, s, false)
		check(t, s, false, ons[0])
	}
}

// TestScopes opens and closes thousands of scopes: what they leave behind must
// not pile up.
func TestScopes(t *testing.T) {
	e := newEngine(Options{})
	var base []Lit
	for range 50 {
		base = append(base, e.NewVar())
	}
	for i := range 3000 {
		on := e.NewVar()
		for k := range 20 {
			e.AddClause(on.Not(), base[(i+k)%50], base[(i+7*k)%50].Not(), base[(i+3*k+1)%50])
		}
		check(t, e, true, on)
		e.AddClause(on.Not(), base[i%50])
		e.AddClause(on.Not(), base[i%50].Not())
		check(t, e, false, on)
		e.AddClause(on.Not())
	}
	if n := int64(len(e.arena)) + e.check.clauses.words; n > 100_000 {
		t.Errorf("%d words are left", n)
	}
}

// TestLoadInterrupted ends the context at each look while clauses are loaded
// and watched, and adds more in between. They are a chain of implications,
// which no clause may be missing of.
func TestLoadInterrupted(t *testing.T) {
	s := newProved(Options{})
	e := s.Solver.(*engine)
	x, last := s.NewVar(), s.NewVar()
	s.AddClause(last)
	chain := func(n int) {
		for i := range n {
			next := s.NewVar()
			s.AddClause([]Lit{last.Not(), next, x.Not()}[:2+i%2]...)
			last = next
		}
	}
	chain(3 * loadSlice)
	watched := 0
	for e.loading != nil {
		if status, err := s.Solve(&ending{Context: t.Context(), after: 1}); e.loading != nil && (status != Unknown || err == nil) {
			t.Fatalf("Solve = %v, %v", status, err)
		}
		if l := e.loading; l != nil && l.ref > 0 {
			watched++
		}
		chain(3)
	}
	if watched < 2 {
		t.Errorf("%d times while they were watched", watched)
	}
	s.AddClause(x)
	s.AddClause(last.Not(), x.Not())
	check(t, s, false)
}

// TestLongClause has clauses that are longer than a piece of those that are
// kept, between others, before and after the first query.
func TestLongClause(t *testing.T) {
	e := newEngine(Options{True: true})
	long := make([]Lit, 1<<pieceBits+10)
	for i := range long {
		long[i] = e.NewVar()
	}
	for round := range 3 {
		e.AddClause(long[0].Not(), long[1].Not())
		e.AddClause(long[round:]...)
		e.AddClause(long[round].Not())
		status, err := e.Solve(t.Context())
		if status != Sat || err != nil || !slices.ContainsFunc(long[round:], e.Value) {
			t.Fatalf("Solve = %v, %v", status, err)
		}
	}
	if n := len(e.check.clauses.pieces); n < 3 {
		t.Errorf("%d pieces", n)
	}
}

// An ending context ends after its Err was asked so many times.
type ending struct {
	context.Context
	after int
}

func (c *ending) Err() error {
	if c.after--; c.after < 0 {
		return context.Canceled
	}
	return nil
}

// TestEliminateInterrupted ends queries after a few ticks, most of them within
// the simplification, and goes on after each.
func TestEliminateInterrupted(t *testing.T) {
	interrupted := 0
	for seed := range uint64(100) {
		rng := rand.New(rand.NewPCG(seed, 3))
		s, free := newProved(Options{}), newEngine(Options{NoEliminate: true})
		for range 30 + rng.IntN(130) {
			c := []Lit{Lit(2 + rng.IntN(80)), Lit(2 + rng.IntN(80)), Lit(2 + rng.IntN(80))}[rng.IntN(4)/3:]
			s.AddClause(c...)
			free.AddClause(c...)
		}
		want, _ := free.Solve(t.Context())
		status, err := Unknown, ErrLimit
		e := s.Solver.(*engine)
		for n := int64(50); err == ErrLimit && n < 1e6; n += n / 4 {
			e.Limit(Limits{Ticks: n})
			if status, err = s.Solve(t.Context()); e.stats.eliminations > 0 && e.elim.known == 0 {
				interrupted++
			}
		}
		if status != want || err != nil || s.p.err != nil {
			t.Fatalf("seed %d: Solve = %v, %v; want %v; proof: %v", seed, status, err, want, s.p.err)
		}
	}
	if interrupted < 50 {
		t.Errorf("%d times within the simplification", interrupted)
	}
}

// TestVivify has clauses shortened and dropped, with a checked proof.
func TestVivify(t *testing.T) {
	s := newProved(Options{Vivify: true})
	e := s.Solver.(*engine)
	check(t, s, false, pigeons(s, 7, 6))
	if n := e.stats; n.vivified == 0 || n.vivifyImplied == 0 {
		t.Errorf("of %d clauses %d were shortened, %d implied", n.vivifyTried, n.vivified, n.vivifyImplied)
	}
}

// TestDetach has clauses forgotten that stay in the arena: they take no part
// in the search any more, or the proof would use what it has deleted.
func TestDetach(t *testing.T) {
	s := newProved(Options{NoEliminate: true})
	e := s.Solver.(*engine)
	for range 20_000 { // so that there is little garbage
		s.AddClause(s.NewVar(), s.NewVar(), s.NewVar())
	}
	check(t, s, false, pigeons(s, 7, 6))
	if n := e.stats; n.reductions < 4 || n.collections > 0 {
		t.Errorf("%d reductions and %d collections", n.reductions, n.collections)
	}
}

// TestLimits ends queries by each limit, and goes on after it.
func TestLimits(t *testing.T) {
	for _, l := range []Limits{{Conflicts: 10}, {Propagations: 500}, {Ticks: 500}, {Memory: 1}} {
		for range 2 { // at the same step
			e := newEngine(Options{Limits: l})
			on := pigeons(e, 8, 7)
			if status, err := e.Solve(t.Context(), on); status != Unknown || err != ErrLimit {
				t.Errorf("%+v: Solve = %v, %v", l, status, err)
			}
			if s := e.Steps(); s.Conflicts > 3000 || s.Ticks > 200_000 {
				t.Errorf("%+v: %+v", l, s)
			}
			e.Limit(Limits{})
			check(t, e, false, on)
		}
	}
}
