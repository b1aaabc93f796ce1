package cegis

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"github.com/go-amend/amend/formula/sat"
)

// This file is the loop: it proposes candidates, takes what became of them,
// and learns from that.

// Config says what to search and who decides. What it holds must not change
// while the search goes on.
type Config struct {
	Space  Space
	Oracle Oracle

	// Original is the oracle's verdict of the candidate without changes,
	// which is refuted.
	Original Verdict

	// Examples are counterexamples that are known from the beginning. Their
	// constraints are learned before any other.
	Examples []Counterexample

	// Shard and Shards, if Shards is not 0, restrict the search to one of so many parts
	// of the space, numbered from 0: to the candidates whose first changed place has a
	// number that leaves this remainder. The parts are disjoint and are all of it
	// together; what is minimal is so among those of its part.
	Shard, Shards int

	// NewSolver makes the solvers; nil means sat.New.
	NewSolver func() sat.Solver

	// Workers is how many candidates are with the oracle at the same time,
	// at most; 0 means 1. It affects neither what is found, nor the order, nor
	// the Stats.
	Workers int

	// Certify, unless nil, is asked of a candidate that the oracle did not
	// refute, in the same goroutine. If it returns false c is dropped: then
	// it alone, or with holes all that differs from it in constants, is no
	// solution.
	Certify func(ctx context.Context, c Candidate, v *Verdict) (bool, error)

	// Prove, unless nil, may still refute what was not refuted, by changing
	// v. It is called by one goroutine at a time, in the order of the
	// search.
	Prove func(ctx context.Context, c Candidate, v *Verdict) error

	// Accept, unless nil, is asked last, of each solution before it blocks
	// its supersets. One that is not accepted is dropped, with any other
	// values of its holes, and blocks nothing else. It is called as Prove is.
	Accept func(ctx context.Context, c Candidate, v Verdict) (bool, error)

	// Pairs has those of two changes proposed by trying each pair on what is known,
	// instead of by a formula for all; see pairs.go. What Good says of a pair must
	// not depend on what was asked before.
	Pairs bool

	// Quick says that the oracle decides candidates in less time than a constraint
	// takes: a change with holes is tried with values that these prefer first.
	Quick bool

	// LazyWeight is the weight of a constraint from which on it is first
	// evaluated, and LazyLimit how many candidates it refutes in that way
	// before the generator gets it all the same. If LazyWeight is 0, both
	// have their defaults.
	LazyWeight, LazyLimit int

	// Observer is told how far the search is, between candidates.
	Observer func(Stats)
}

// Stats says what a search did.
type Stats struct {
	Size        int // changes in the candidates that are being proposed
	Candidates  int // inspected
	Uncertified int // dropped by Config.Certify
	Undecided   int // of which the oracle, or all values that were tried, said nothing
	Calls       int // of SAT solvers, by proposals and oracle
}

// refute calls the oracle, and so on: what is the caller's may panic.
func (cfg *Config) refute(ctx context.Context, c Candidate) (v Verdict, err error) {
	err = guarded(func() (err error) {
		v, err = cfg.Oracle.Refute(ctx, c)
		return err
	})
	return v, err
}

func (cfg *Config) good(ctx context.Context, enc Encoding, x Counterexample) (l Constraint, err error) {
	err = guarded(func() (err error) {
		l, err = cfg.Oracle.Good(ctx, enc, x)
		return err
	})
	return l, err
}

func (cfg *Config) prove(ctx context.Context, c Candidate, v *Verdict) error {
	if cfg.Prove == nil {
		return nil
	}
	return guarded(func() error { return cfg.Prove(ctx, c, v) })
}

func (cfg *Config) certify(ctx context.Context, c Candidate, v *Verdict) (ok bool, err error) {
	if cfg.Certify == nil {
		return true, nil
	}
	err = guarded(func() (err error) {
		ok, err = cfg.Certify(ctx, c, v)
		return err
	})
	return ok, err
}

func (cfg *Config) accept(ctx context.Context, c Candidate, v Verdict) (ok bool, err error) {
	if cfg.Accept == nil {
		return true, nil
	}
	err = guarded(func() (err error) {
		ok, err = cfg.Accept(ctx, c, v)
		return err
	})
	return ok, err
}

// A Search looks for the minimal solutions in one space. It serves one
// goroutine.
type Search struct {
	cfg   Config
	sp    *numbered
	g     *generator
	l     *learner
	stats Stats
	known []*example

	begun   bool
	workers int
	queue   []*job          // proposed and not yet taken, the oldest first
	ahead   int             // how many of them there may be
	taken   int             // candidates from which something was learned
	plain   bool            // all single alternatives without holes are decided
	single  int             // where the next one with holes may be
	failed  map[string]bool // candidates that were refuted by what they taught: see key
	found   []Candidate
	solved  []Candidate // of one change
	pairs   *pairing    // proposes the candidates of the current size; nil: the generator does
	paired  bool        // those of two changes were proposed so
}

// A result is what an inspection came to.
type result struct {
	cand        Candidate
	verdict     Verdict
	uncertified bool
	calls       int
	holes       *holeSolver // of a candidate with holes
	err         error
}

// New returns a search.
func New(cfg Config) (*Search, error) {
	if cfg.Oracle == nil {
		return nil, fmt.Errorf("cegis: no oracle")
	}
	if err := cfg.Space.check(); err != nil {
		return nil, err
	}
	if cfg.Shards < 0 || cfg.Shard < 0 || cfg.Shards > 0 && cfg.Shard >= cfg.Shards {
		return nil, fmt.Errorf("cegis: shard %d of %d", cfg.Shard, cfg.Shards)
	}
	if cfg.NewSolver == nil {
		cfg.NewSolver = sat.New
	}
	s := &Search{cfg: cfg, sp: number(cfg.Space), workers: max(cfg.Workers, 1), ahead: least, failed: make(map[string]bool)}
	if cfg.LazyWeight == 0 {
		// Small spaces are covered by evaluation alone.
		s.cfg.LazyWeight, s.cfg.LazyLimit = 16<<10, max(500, len(s.sp.alts))
	}
	s.g = newGenerator(s.sp, cfg.NewSolver())
	if cfg.Shards > 1 {
		s.g.restrict(cfg.Shard, cfg.Shards)
	}
	s.l = &learner{cfg: &s.cfg, sp: s.sp, g: s.g}
	return s, nil
}

// Solve yields the minimal solutions of at most size changes, those with
// fewest first, otherwise in the order in which they are found. When ctx ends
// its cause is yielded as an error.
func Solve(ctx context.Context, cfg Config, size int) iter.Seq2[Candidate, error] {
	return func(yield func(Candidate, error) bool) {
		s, err := New(cfg)
		if err == nil {
			err = s.Begin(ctx)
		}
		for n := 1; n <= size && err == nil; n++ {
			var found []Candidate
			found, err = s.Size(ctx, n)
			for _, c := range found {
				if !yield(c, nil) {
					return
				}
			}
		}
		if err != nil {
			yield(Candidate{}, err)
		}
	}
}

// Stats says what the search did so far.
func (s *Search) Stats() Stats { return s.stats }

// Begin learns what is known from the beginning. Size does so if it wasn't
// called.
func (s *Search) Begin(ctx context.Context) error {
	if s.begun {
		return nil
	}
	s.begun = true
	for _, x := range s.cfg.Examples {
		if err := s.l.learn(ctx, x, false); err != nil {
			return err
		}
	}
	v := &s.cfg.Original
	if v.Counterexample == nil {
		s.g.blockAgreeing(nil, v.Agree)
		return nil
	}
	if !v.Own {
		s.known = []*example{{x: v.Counterexample}}
	}
	return s.l.learnFrom(ctx, Candidate{}, v)
}

// Size returns the minimal solutions of n changes, in the order in which they
// were found: all, or with an error those known by then, which ends the
// search. The sizes below n must have been asked for before.
func (s *Search) Size(ctx context.Context, n int) ([]Candidate, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer s.abandon()
	defer cancel()
	s.stats.Size = n
	s.found = nil
	if err := s.Begin(ctx); err != nil {
		return nil, err
	}
	if err := s.beginSize(ctx, n); err != nil {
		return nil, err
	}
	for {
		if err := s.propose(ctx, n); err != nil {
			return s.found, err
		}
		if len(s.queue) == 0 {
			return s.found, nil // nothing more was proposed
		}
		j, err := s.oldest(ctx)
		if err == nil && j != nil {
			err = s.take(ctx, j.result(ctx, s))
		}
		if err != nil {
			return s.found, err
		}
	}
}

// beginSize says who proposes the candidates of n changes. What pairs taught is
// given to the generator for larger ones.
func (s *Search) beginSize(ctx context.Context, n int) (err error) {
	var later []Counterexample
	if s.pairs != nil {
		later = s.pairs.later
	}
	s.pairs = nil
	if n == 2 && s.cfg.Pairs {
		s.pairs, err = s.newPairing(ctx)
		s.paired = s.pairs != nil
		return err
	}
	for _, x := range later {
		if err := s.l.learn(ctx, x, false); err != nil && !errors.Is(err, ErrNoConstraint) {
			return err
		}
	}
	return nil
}

// propose fills the queue. What is proposed doesn't depend on the number of
// workers: they begin early with what is inspected anyway, or not at all.
func (s *Search) propose(ctx context.Context, n int) error {
	for len(s.queue) < s.ahead {
		if s.cfg.Observer != nil {
			s.cfg.Observer(s.stats)
		}
		c, err := s.next(ctx, n)
		if err != nil || c.Alternatives == nil {
			return err
		}
		if s.pairs != nil {
			s.enqueue(ctx, c)
			continue
		}
		if refuted, err := s.l.refute(ctx, c); err != nil {
			return err
		} else if refuted {
			s.stats.Candidates++
			continue
		}
		if len(c.Values) == 0 && s.failed[c.key()] {
			if !s.l.weak {
				return &OracleError{Why: "says that a candidate is good on its counterexample"}
			}
			s.stats.Candidates++
			s.g.blockAgreeing(c.Alternatives, nil)
			continue
		}
		s.enqueue(ctx, c)
	}
	return nil
}

// next returns a candidate of at most n changes, or no alternatives. Single
// alternatives with holes are tried one after another, when all others are
// decided: there is nothing to generate.
func (s *Search) next(ctx context.Context, n int) (Candidate, error) {
	if s.pairs != nil {
		return s.pairs.next(ctx)
	}
	var assume []sat.Lit
	for _, j := range s.queue {
		assume = append(assume, j.blocked)
	}
	if n > 2 && s.paired {
		assume = append(assume, s.g.atLeast(n))
	}
	switch {
	case len(s.sp.holes) == 0:
	case n > 1:
		assume = append(assume, s.g.several)
	case !s.plain:
		assume = append(assume, s.g.f.Lit(s.sp.open).Not())
	default:
		return s.nextHoled(), nil
	}
	s.stats.Calls++
	c, err := s.g.next(ctx, n, assume...)
	if err == nil && c.Alternatives == nil && n == 1 && len(s.sp.holes) > 0 {
		s.plain = true
		return s.nextHoled(), nil
	}
	return c, err
}

// nextHoled returns the next alternative with holes.
func (s *Search) nextHoled() Candidate {
	for s.single < len(s.sp.alts) {
		k := s.single
		s.single++
		if a := &s.sp.alts[k]; a.open() {
			return Candidate{Alternatives: []int{k}, Values: make([]uint64, a.holes.end-a.holes.first)}
		}
	}
	return Candidate{}
}

// inspect decides whether c is a solution, and certifies it if so. If it has
// holes, f looks for their values first.
func (s *Search) inspect(ctx context.Context, c Candidate, f *holeSolver) result {
	if f != nil {
		f.ctx = ctx
	}
	for {
		out := s.inspectOne(ctx, c, f)
		if f == nil || !out.uncertified {
			return out
		}
		f.exclude(out.cand)
	}
}

func (s *Search) inspectOne(ctx context.Context, c Candidate, f *holeSolver) result {
	out := result{cand: c, holes: f}
	if f == nil {
		out.verdict, out.err = s.cfg.refute(ctx, c)
		out.calls = out.verdict.Calls
	} else {
		if c, out.verdict, out.err = f.solution(); c.Alternatives != nil {
			out.cand = c
		}
		out.calls = f.calls
	}
	if out.err != nil || !out.verdict.Good {
		return out
	}
	before := out.verdict.Calls
	ok, err := s.cfg.certify(ctx, out.cand, &out.verdict)
	out.calls += out.verdict.Calls - before
	out.uncertified, out.err = !ok && err == nil, err
	return out
}

// take draws the conclusions from a result.
func (s *Search) take(ctx context.Context, out result) error {
	s.taken++
	s.stats.Candidates++
	s.stats.Calls += out.calls
	if out.holes != nil && out.err == nil {
		s.remember(out.holes)
	}
	if out.err != nil {
		return out.err
	}
	if out.holes == nil && out.verdict.Good && !out.uncertified { // a hole solver asks itself
		if err := s.cfg.prove(ctx, out.cand, &out.verdict); err != nil {
			return err
		}
	}
	if !out.verdict.Good || out.uncertified {
		return s.refuted(ctx, out)
	}
	ok, err := s.cfg.accept(ctx, out.cand, out.verdict)
	if err != nil {
		return err
	}
	if !ok {
		s.g.blockAgreeing(out.cand.Alternatives, nil)
		return nil
	}
	s.g.blockSupersets(out.cand.Alternatives)
	s.found = append(s.found, out.cand)
	if len(out.cand.Alternatives) == 1 {
		s.solved = append(s.solved, out.cand)
	}
	return nil
}

// refuted tells the generator that a candidate fails.
func (s *Search) refuted(ctx context.Context, out result) error {
	alts, v := out.cand.Alternatives, &out.verdict
	switch {
	case out.holes != nil:
		return s.noValues(ctx, out)
	case out.uncertified:
		s.stats.Uncertified++
		s.g.blockAgreeing(alts, nil)
	case v.Undecided:
		s.stats.Undecided++
		s.g.blockAgreeing(alts, nil)
	case v.Counterexample == nil:
		s.g.blockAgreeing(alts, v.Agree)
	default:
		s.failed[out.cand.key()] = true
		if !v.Own {
			s.known = append(s.known, &example{x: v.Counterexample, hits: 1, paired: s.pairs != nil})
		}
		if s.pairs != nil {
			return s.pairs.refuted(ctx, out.cand, v)
		}
		return s.l.learnFrom(ctx, out.cand, v)
	}
	return nil
}

// unfilled tells the generator that no values make the alternatives of a
// candidate a solution. Of several alternatives some may be to blame, in other
// sets too, which a constraint on the counterexample that says so rules out.
func (s *Search) noValues(ctx context.Context, out result) error {
	if len(out.cand.Alternatives) == 1 {
		return nil // there is no second try
	}
	if s.pairs != nil {
		return s.pairs.noValues(ctx, out.holes)
	}
	s.g.blockAgreeing(out.cand.Alternatives, nil)
	for _, k := range out.holes.known {
		if k.asserted && !k.of.learned {
			k.of.learned = true
			if err := s.l.learn(ctx, k.x, true); err != nil && !errors.Is(err, ErrNoConstraint) {
				return err
			}
		}
	}
	return nil
}
