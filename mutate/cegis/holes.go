package cegis

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/go-amend/amend/formula"
	"github.com/go-amend/amend/formula/sat"
)

// This file proposes what is in holes.

// A holeSolver looks for the values of the holes of one set of alternatives: the
// same loop for an encoding in which nothing else can change. Its constraints are
// small, since all that doesn't depend on the holes folds away. It may run
// beside others.
type holeSolver struct {
	ctx      context.Context // of its inspection
	cfg      *Config
	st       *formula.Store
	f        *formula.Solver
	encoding Encoding
	alts     []int
	holes    []hole // with terms in st
	given    []formula.Term

	known []*example // the most useful first
	calls int
	tries int

	oneByOne  bool // see ErrOneByOne
	tried     bool // all values that the holes prefer: see Config.Quick
	next      int  // values to try then, by number
	undecided bool

	uncertified int
	excluded    [][]uint64 // values of what is not certified
	failed      [][]uint64 // values of the holes
	weak        bool       // a constraint may have been too weak
}

// An example is a counterexample on which candidates failed.
type example struct {
	x       Counterexample
	hits    int  // candidates that it refuted
	learned bool // the generator has it, for candidates with holes too
	paired  bool // a pairing has it

	of         *example   // in a hole solver: the search's, of which this is a copy
	constraint Constraint // in the hole solver's store
	made       bool       // so there is a constraint
	asserted   bool       // and the hole solver's solver has it
}

// newHoleSolver returns a hole solver for alts, which knows the examples of the search.
func (s *Search) newHoleSolver(alts []int) *holeSolver {
	st := formula.NewStore()
	f := &holeSolver{cfg: &s.cfg, st: st, f: formula.NewSolver(st, s.cfg.NewSolver()), alts: alts, oneByOne: s.l.oneByOne}
	terms := make(map[int]formula.Term)
	for _, k := range alts {
		a := s.sp.alts[k]
		for i := a.holes.first; i < a.holes.end; i++ {
			terms[i] = st.Var(s.sp.holes[i].Width, "hole")
			f.holes = append(f.holes, hole{s.sp.holes[i].Hole, terms[i]})
		}
	}
	f.encoding = Encoding{
		Store: st, Part: true,
		Chosen: func(alt int) formula.Term {
			if slices.Contains(alts, alt) {
				return st.True()
			}
			return st.False()
		},
		Value: func(h int) formula.Term { return terms[h] },
	}
	for _, k := range s.known {
		f.known = append(f.known, &example{x: k.x, hits: k.hits, of: k})
	}
	slices.SortStableFunc(f.known, func(a, b *example) int { return cmp.Compare(b.hits, a.hits) })
	return f
}

// remember takes over what a hole solver found out.
func (s *Search) remember(f *holeSolver) {
	s.stats.Candidates += max(f.tries, 1) - 1
	s.stats.Uncertified += f.uncertified
	if f.undecided {
		s.stats.Undecided++
	}
	for _, k := range f.known {
		if k.of == nil {
			k.of = &example{x: k.x}
			s.known = append(s.known, k.of)
		}
		k.of.hits = max(k.of.hits, k.hits)
	}
}

// begin excludes the values that the holes may not have, and those that
// fail on what every candidate must be good on.
func (f *holeSolver) begin() error {
	for i := range f.holes {
		f.f.Assert(f.holes[i].allowed(f.st))
	}
	for _, x := range f.cfg.Examples {
		constraint, err := f.good(x)
		if err != nil {
			return err
		}
		if err := f.assert(constraint.Good); err != nil {
			return err
		}
	}
	return nil
}

// assert excludes what p excludes. When f.ctx ends first, f is of no more use.
func (f *holeSolver) assert(p formula.Term) error {
	return f.f.Within(f.ctx, func() { f.f.Assert(p) })
}

// good asks what x teaches about the holes.
func (f *holeSolver) good(x Counterexample) (Constraint, error) {
	constraint, err := f.cfg.good(f.ctx, f.encoding, x)
	if err == nil && constraint.Define != nil {
		err = f.f.Within(f.ctx, func() { constraint.Define(f.f) })
		f.weak = true
	}
	return constraint, err
}

// find returns a solution with f's alternatives for which all of f.given and
// also hold, and the oracle's verdict. It returns no alternatives if there is
// none.
func (f *holeSolver) find(also ...formula.Term) (Candidate, Verdict, error) {
	var assume []sat.Lit
	for _, p := range append(slices.Clip(f.given), also...) {
		assume = append(assume, f.f.Lit(p))
	}
	for {
		f.calls++
		switch status, err := f.f.Solve(f.ctx, assume...); status {
		case sat.Unsat:
			return Candidate{}, Verdict{}, nil
		case sat.Unknown:
			return Candidate{}, Verdict{}, err
		}
		c := Candidate{Alternatives: f.alts}
		for _, h := range f.holes {
			c.Values = append(c.Values, f.f.Value(h.term))
		}
		if refuted, err := f.refute(c); err != nil {
			return Candidate{}, Verdict{}, err
		} else if refuted {
			continue
		}
		f.tries++
		v, err := f.cfg.refute(f.ctx, c)
		f.calls += v.Calls
		if err == nil && v.Good {
			err = f.cfg.prove(f.ctx, c, &v)
		}
		if err != nil || v.Good {
			return c, v, err
		}
		if err := f.learn(&v, c); err != nil {
			return Candidate{}, Verdict{}, err
		}
	}
}

// refute looks for a known counterexample of c, and excludes what fails on
// it.
func (f *holeSolver) refute(c Candidate) (bool, error) {
	ev := formula.NewEvaluator(f.st, f.filling(c.Values))
	for _, k := range f.known {
		if k.asserted {
			continue
		}
		if !k.made {
			var err error
			if k.constraint, err = f.good(k.x); errors.Is(err, ErrOneByOne) {
				return false, err
			} else if errors.Is(err, ErrNoConstraint) {
				k.asserted = true
				continue
			} else if err != nil {
				return false, err
			}
			k.made = true
		}
		if f.weak || k.constraint.Open || ev.Eval(k.constraint.Good) == 0 { // if it's weak or open, the solver has to say
			k.hits++
			k.asserted = true
			return true, f.assert(k.constraint.Good)
		}
	}
	return false, nil
}

// learn excludes what fails on the counterexample of c that v says.
func (f *holeSolver) learn(v *Verdict, c Candidate) error {
	if v.Counterexample == nil {
		f.f.Assert(f.st.Not(f.same(c)))
		return nil
	}
	constraint, err := f.good(v.Counterexample)
	if errors.Is(err, ErrOneByOne) {
		return err
	} else if errors.Is(err, ErrNoConstraint) {
		f.f.Assert(f.st.Not(f.same(c)))
		return nil
	} else if err != nil {
		return err
	}
	if err := f.assert(constraint.Good); err != nil {
		return err
	}
	if f.weak {
		f.f.Assert(f.st.Not(f.same(c)))
	}
	if v.Own {
		return nil
	}
	f.known = append(f.known, &example{x: v.Counterexample, hits: 1, made: true, asserted: true})
	if n := len(f.failed); constraint.Variants != nil && !f.weak && n >= 2 && (n < 16 || n%8 == 0) {
		err = f.generalize(constraint, c)
	}
	f.failed = append(f.failed, c.Values)
	return err
}

// generalize excludes what fails on counterexamples like that of c. One that
// stays at the same distance from the value of a hole may fail whatever that
// value is. Without that, each of 2^32 values might need a counterexample of
// its own. Which part should follow which hole is seen from the values that
// failed lately.
func (f *holeSolver) generalize(constraint Constraint, c Candidate) error {
	most, best := 0, f.st.True()
	for good, err := range constraint.Variants(c) {
		if err != nil {
			return err
		}
		if n := f.refuted(good); n > most {
			most, best = n, good
		}
	}
	return f.assert(best)
}

// refuted returns how many of the values that failed lately are among those
// for which good is false.
func (f *holeSolver) refuted(good formula.Term) int {
	n := 0
	for i := max(0, len(f.failed)-8); i < len(f.failed); i++ {
		n += 1 - int(formula.NewEvaluator(f.st, f.filling(f.failed[i])).Eval(good))
	}
	return n
}

// filling returns the values that values gives the holes.
func (f *holeSolver) filling(values []uint64) func(formula.Term) uint64 {
	return func(v formula.Term) uint64 {
		for i, h := range f.holes {
			if h.term == v {
				return values[i]
			}
		}
		return 0
	}
}

// solution returns a solution, no alternatives if there is none or none is known.
func (f *holeSolver) solution() (c Candidate, v Verdict, err error) {
	if f.cfg.Quick && !f.tried && !f.oneByOne && len(f.alts) == 1 {
		if c, v, err = f.tryPreferred(); err != nil || c.Alternatives != nil {
			return c, v, err
		}
		f.tried, f.undecided, f.next = true, false, 0
	}
	if !f.oneByOne {
		c, v, err = f.simplest()
		if f.oneByOne = errors.Is(err, ErrOneByOne); f.oneByOne {
			f.st, f.f = nil, nil // with a formula that was too large
		}
	}
	if f.oneByOne {
		c, v, err = f.tryPreferred()
	}
	return c, v, err
}

// simplest returns the solution whose holes have the simplest values: the
// first hole as simple as any solution allows, then the second, and so on. It
// returns no alternatives if there is none.
func (f *holeSolver) simplest() (Candidate, Verdict, error) {
	if err := f.begin(); err != nil {
		return Candidate{}, Verdict{}, err
	}
	c, v, err := f.find()
	if err != nil || c.Alternatives == nil {
		return c, v, err
	}
	for n := range f.holes {
		if c, v, err = f.simplestValue(c, v, n); err != nil {
			return c, v, err
		}
		f.given = append(f.given, f.is(n, c.Values[n]))
	}
	return c, v, nil
}

// exclude excludes c, which is not certified, and all that differs from it in
// constants alone: the form is to blame, or the type.
func (f *holeSolver) exclude(c Candidate) {
	f.uncertified++
	f.excluded = append(f.excluded, c.Values)
	if f.oneByOne {
		return
	}
	f.given = nil
	same := f.st.True()
	for n, h := range f.holes {
		if h.Form {
			same = f.st.And(same, f.is(n, c.Values[n]))
		}
	}
	f.f.Assert(f.st.Not(same))
}

// same returns the proposition that the holes have c's values.
func (f *holeSolver) same(c Candidate) formula.Term {
	same := f.st.True()
	for n, x := range c.Values {
		same = f.st.And(same, f.is(n, x))
	}
	return same
}

// is returns the proposition that the n-th hole has this value.
func (f *holeSolver) is(n int, value uint64) formula.Term {
	h := f.holes[n]
	return f.st.Eq(h.term, f.st.Const(f.st.Width(h.term), value))
}

// simplestValue returns the solution for which f.given holds whose n-th value
// is the simplest. c is one of them.
func (f *holeSolver) simplestValue(c Candidate, v Verdict, n int) (Candidate, Verdict, error) {
	for _, x := range f.holes[n].preferred() {
		if x == c.Values[n] {
			return c, v, nil
		}
		if found, w, err := f.find(f.is(n, x)); err != nil || found.Alternatives != nil {
			return found, w, err
		}
	}
	return f.closest(c, v, n)
}

// closest returns the solution for which f.given holds whose n-th value is
// the closest to 0; of two that are equally close, the positive one.
func (f *holeSolver) closest(c Candidate, v Verdict, n int) (Candidate, Verdict, error) {
	h := f.holes[n]
	low := uint64(0) // nothing is closer than that
	for low < h.distanceFrom0(c.Values[n]) {
		middle := low + (h.distanceFrom0(c.Values[n])-low)/2
		switch found, w, err := f.find(h.within(f.st, middle)); {
		case err != nil:
			return c, v, err
		case found.Alternatives == nil:
			low = middle + 1
		default:
			c, v = found, w
		}
	}
	if !h.negative(c.Values[n]) {
		return c, v, nil
	}
	found, w, err := f.find(f.is(n, h.wrap(-c.Values[n])))
	if err != nil || found.Alternatives == nil {
		return c, v, err
	}
	return found, w, nil
}
