package gotest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/mutate/gotest/internal/schemata"
)

// This file tries candidates in a fixed order: by size, then roughly by Ochiai's
// coefficient, then by the costs of their kinds.

// A candidate is a set of alternatives at different places.
type candidate struct {
	alts      []*schemata.Alternative
	cost      int
	suspicion float64
}

// A verdict is what is known of a candidate.
type verdict struct {
	candidate
	answer
	plausible bool // failing tests pass
	good      bool // and other tests in the same process do
	disturbs  bool // though they take another way
	err       error
}

// A search is one walk through the candidates.
type search struct {
	*Suite
	places   []*schemata.Place // that failing tests reach
	all      []*schemata.Alternative
	workers  []*worker
	apart    []candidate          // those that are compiled each by itself
	cands    []candidate          // single ones of this stage, in order
	seen     map[fingerprint]bool // of those that the patched source was asked of
	single   map[*schemata.Alternative][]byte
	solved   map[*schemata.Alternative]bool
	inserted []*schemata.Alternative // that are repairs
	binary   string                  // of this stage
	binaries int
	limit    time.Duration
	steps    int64
	fresh    bool        // each candidate needs a process of its own
	aside    []verdict   // of this stage, that disturb other tests
	spent    []candidate // of this stage, that took too many steps
	doubtful []candidate // of this stage, that may fail for what others left behind
	held     []held
	last     bool // those that are held are tried
}

// Held are the candidates of a binary that are run again with more steps, after
// all others, for most never end; or in processes of their own.
type held struct {
	binary string
	cands  []candidate
	limit  time.Duration
	fresh  bool
}

// A fingerprint stands for the values that alternatives of a place computed.
type fingerprint struct {
	place int
	value uint64
}

// Repairs yields the repairs up to MaxSize, those of fewer changes first. One
// is yielded when the patched source itself passed all tests. When ctx ends its
// cause is yielded as an error.
func (s *Suite) Repairs(ctx context.Context) iter.Seq2[*Repair, error] {
	return func(yield func(*Repair, error) bool) {
		x := s.newSearch()
		defer x.stop()
		for _, g := range append(x.stages(), patient) {
			s.stats.Size = max(g.size, s.stats.Size, 1)
			more, err := x.stage(ctx, g, yield)
			if err != nil {
				yield(nil, err)
			}
			if !more || err != nil {
				return
			}
		}
		s.stats.Exhausted = len(x.apart) <= maxAlone
	}
}

// A stage is a part of the search: the alternatives that one binary holds, or
// candidates of several changes from those of the one before.
type stage struct {
	size int
	alts []*schemata.Alternative
}

// Stages without a binary of their own.
var (
	alone   = stage{size: 0}  // candidates that are compiled each by itself
	patient = stage{size: -1} // those that took too many steps
)

// maxAlone bounds those that are compiled by themselves.
const maxAlone = 12

// perBinary bounds the alternatives of one binary: it takes seconds to compile
// that many.
const perBinary = 5000

// stages returns the parts of the search. What is inserted or added to a
// condition is most of the code and seldom a fix: it comes in binaries of its
// own, unless there are pairs with it.
func (x *search) stages() (out []stage) {
	if x.cfg.MaxSize > 1 {
		return []stage{{1, x.all}, alone, {2, nil}}
	}
	out = append(x.changes(), alone)
	for alts := range slices.Chunk(x.all[x.likely():], perBinary) {
		out = append(out, stage{1, alts})
	}
	return out
}

// changes returns the stages of what is not inserted or added.
func (x *search) changes() (out []stage) {
	for alts := range slices.Chunk(x.all[:x.likely()], perBinary) {
		out = append(out, stage{1, alts})
	}
	return out
}

// likely returns how many alternatives are not inserted or added.
func (x *search) likely() int {
	n := slices.IndexFunc(x.all, func(a *schemata.Alternative) bool { return a.Cost >= schemata.CostAdded })
	if n < 0 {
		return len(x.all)
	}
	return n
}

// newSearch finds all alternatives at what failing tests reach.
func (s *Suite) newSearch() *search {
	x := &search{Suite: s, seen: make(map[fingerprint]bool), single: make(map[*schemata.Alternative][]byte), solved: make(map[*schemata.Alternative]bool)}
	x.places = s.reached()
	for _, pl := range x.places {
		pl.Alternatives = nil
	}
	s.code.Alternatives(x.places, s.wants)
	for _, pl := range x.places {
		if !pl.Apart() {
			x.all = append(x.all, pl.Alternatives...)
			continue
		}
		for _, a := range pl.Alternatives {
			x.apart = append(x.apart, candidate{[]*schemata.Alternative{a}, a.Cost, s.cover.suspicion(pl.Step)})
		}
	}
	slices.SortStableFunc(x.apart, func(a, b candidate) int { return cmp.Compare(b.suspicion, a.suspicion) })
	slices.SortStableFunc(x.all, func(a, b *schemata.Alternative) int {
		return cmp.Or(boolInt(a.Cost >= schemata.CostAdded)-boolInt(b.Cost >= schemata.CostAdded), x.compare(a, b))
	})
	s.stats.Places, s.stats.Dropped, s.stats.Alternatives = len(x.places), 0, 0
	return x
}

// compile compiles the candidates of a stage, unless it has those of the one
// before.
func (x *search) compile(ctx context.Context, g stage) error {
	if g.size > 1 {
		return nil
	}
	x.stop()
	x.phase("compiling candidates")
	for _, pl := range x.places {
		pl.Alternatives = nil
	}
	for _, a := range g.alts {
		a.Place.Alternatives = append(a.Place.Alternatives, a)
	}
	if x.order(); len(x.cands) == 0 {
		return nil
	}
	files, dropped, err := x.code.Write(x.places, x.loaded.checker)
	if err != nil {
		return ir.Internalf("gotest", "schemata: %v", err)
	}
	x.binaries++
	x.binary, err = x.instrumented(ctx, fmt.Sprint("schemata", x.binaries), files, len(x.Suite.places), x.cover.turns)
	if err != nil {
		return err
	}
	x.fresh = false
	x.employ(x.binary)
	x.order() // without those that were dropped
	x.stats.Dropped += dropped
	for _, pl := range x.places {
		x.stats.Alternatives += len(pl.Alternatives)
	}
	return x.calibrate(ctx)
}

// employ makes workers for a binary.
func (x *search) employ(binary string) {
	x.workers = nil
	for i := range max(x.cfg.Workers, 1) {
		w := x.newWorker(binary, len(x.Suite.places), i)
		w.fresh = x.fresh
		x.workers = append(x.workers, w)
	}
}

// order puts the single candidates in their order, and those that make the same
// change at several places after them.
func (x *search) order() {
	x.cands = nil
	for _, pl := range x.places {
		for _, a := range pl.Alternatives {
			x.cands = append(x.cands, candidate{[]*schemata.Alternative{a}, a.Cost, x.cover.suspicion(pl.Step)})
		}
	}
	slices.SortStableFunc(x.cands, func(a, b candidate) int { return x.compare(a.alts[0], b.alts[0]) })
	x.cands = append(x.cands, x.twins()...)
}

// compare says which alternative is tried first.
func (x *search) compare(a, b *schemata.Alternative) int {
	p, q := x.cover.suspicion(a.Place.Step), x.cover.suspicion(b.Place.Step)
	return cmp.Or(x.rank(p)-x.rank(q), dear*(a.Cost-b.Cost)+a.Strange-b.Strange, cmp.Compare(q, p))
}

// dear is what costs count beside strangeness. Of 24 faults in packages of the
// standard library for which the original was found, it was first with 23 for 2
// to 4.
const dear = 3

// natural is how much less strange than the original an alternative is of which
// it makes no difference that other tests take another way.
const natural = -5

// rank says how late a statement is changed: the most suspicious ones come first,
// whatever the change. Where tests are slow nothing else is tried in time.
func (x *search) rank(suspicion float64) int {
	switch s := suspicion / x.cover.most; {
	case s >= 0.7:
		return 0
	case s >= 0.3:
		return 1
	}
	return 2
}

// wants reports whether the changes of a scheme are tried.
func (s *Suite) wants(scheme string) bool {
	return len(s.cfg.Schemes) == 0 || slices.Contains(s.cfg.Schemes, scheme)
}

func (x *search) stop() {
	for _, w := range x.workers {
		w.stop()
	}
}

// calibrate sees what the original takes in this binary, and that the tests
// end in it as they did by themselves. Those that don't are left to the
// patched source.
func (x *search) calibrate(ctx context.Context) error {
	x.steps, x.limit = unlimited, longest/3
	if slices.ContainsFunc(x.failing, x.runsAway) {
		x.limit = hung
	}
	a, err := x.workers[0].run(ctx, request{tests: x.failing, steps: x.steps, wall: x.limit})
	if err != nil {
		return err
	}
	if x.fresh, err = x.caches(ctx, a); err != nil {
		return err
	}
	for _, w := range x.workers {
		w.fresh = x.fresh
	}
	if a.passed {
		return &ir.UnsupportedError{Construct: "tests that fail only in a process of their own", Hint: "name another one"}
	}
	took := int64(0)
	for _, name := range x.failing {
		took += x.cover.took[name]
	}
	least := x.cfg.Limit
	if least == 0 {
		least = time.Second
	}
	x.limit = least + 5*time.Duration(took) + time.Duration(len(x.failing))*x.cover.slowest()
	x.steps = max(4*x.cover.own, int64(len(x.failing))*x.cover.steps) + leastSteps
	if x.cfg.MaxSize > 1 {
		x.steps = x.mostSteps()
	}
	return nil
}

// mostSteps is what no candidate may exceed.
func (x *search) mostSteps() int64 {
	return max(20*x.cover.own, 3*int64(len(x.failing))*x.cover.steps) + 20*leastSteps
}

// caches reports whether the tests reach less when they run again in their
// process: state that the first run left would hide what a candidate does, and
// each needs a process of its own. What differs from run to run anyway is no
// sign of that.
func (x *search) caches(ctx context.Context, first answer) (bool, error) {
	for range again - 1 {
		a, err := x.workers[0].run(ctx, request{tests: x.failing, steps: x.steps, wall: x.limit})
		if err != nil || a.died || a.late || first.died || first.late {
			return false, err
		}
		less := false
		for i, m := range first.reached {
			less = less || m > a.reached[i]
		}
		if !less {
			return false, nil
		}
	}
	return true, nil
}

// leastSteps is what a candidate may take at least: a repaired run may be much
// longer than the failing one. Those that take more are run again in the end,
// with more.
const leastSteps = 1e5

// stage tries the candidates of g and reports whether to go on.
func (x *search) stage(ctx context.Context, g stage, yield func(*Repair, error) bool) (bool, error) {
	switch g.size {
	case alone.size:
		return x.eachAlone(ctx, yield)
	case patient.size:
		return x.longer(ctx, yield)
	}
	if err := x.compile(ctx, g); err != nil {
		return false, err
	}
	ok, err := x.tried(ctx, x.ofSize(g.size), yield)
	if len(x.spent) > 0 {
		x.held = append(x.held, held{x.binary, x.spent, x.limit, x.fresh})
	}
	if len(x.doubtful) > 0 {
		x.held = append(x.held, held{x.binary, x.doubtful, x.limit, true})
	}
	x.spent, x.doubtful = nil, nil
	return ok, err
}

// longer tries the candidates again that took too many steps or in whose process
// others may have left something behind, and reports whether to go on.
func (x *search) longer(ctx context.Context, yield func(*Repair, error) bool) (bool, error) {
	x.last = true
	for _, h := range x.held {
		x.stop()
		x.steps, x.limit, x.fresh = x.mostSteps(), h.limit, h.fresh
		x.employ(h.binary)
		if ok, err := x.tried(ctx, slices.Chunk(h.cands, portion), yield); !ok || err != nil {
			return ok, err
		}
	}
	return true, nil
}

// eachAlone tries the candidates that are compiled each by itself, and reports
// whether to go on.
func (x *search) eachAlone(ctx context.Context, yield func(*Repair, error) bool) (bool, error) {
	x.limit = max(x.limit, time.Second)
	for _, c := range x.apart[:min(len(x.apart), maxAlone)] {
		x.stats.Candidates++
		x.stats.Alternatives++
		r, _, err := x.confirmed(ctx, c)
		if err != nil {
			return false, err
		}
		if r == nil {
			continue
		}
		x.stats.Plausible++
		x.stats.Repairs++
		if !yield(r, nil) {
			return false, nil
		}
	}
	return true, nil
}

// portion is how many candidates are run before the good ones of them are
// looked at further.
const portion = 64

// tried tries portions of candidates and reports whether to go on.
func (x *search) tried(ctx context.Context, portions iter.Seq[[]candidate], yield func(*Repair, error) bool) (bool, error) {
	x.phase("trying candidates")
	for cands := range portions {
		cands = slices.DeleteFunc(slices.Clone(cands), x.needless)
		for _, v := range x.try(ctx, cands) {
			if v.err != nil {
				return false, v.err
			}
			ok, err := x.taken(ctx, v, yield)
			if !ok || err != nil {
				return ok, err
			}
		}
	}
	aside := x.aside
	x.aside = nil
	for _, v := range aside {
		if ok, err := x.settled(ctx, v, yield); !ok || err != nil {
			return ok, err
		}
	}
	return true, nil
}

// taken draws the conclusions from a verdict.
func (x *search) taken(ctx context.Context, v verdict, yield func(*Repair, error) bool) (bool, error) {
	switch {
	case (v.steps > x.steps || v.died) && !x.last && x.cfg.MaxSize < 2:
		x.spent = append(x.spent, v.candidate) // a goroutine that takes too many ends the process
		return true, nil
	case x.needless(v.candidate):
		return true, nil
	case v.unsure && !v.good && !x.last:
		x.doubtful = append(x.doubtful, v.candidate)
		x.note(v)
		return true, nil
	}
	x.stats.Candidates++
	x.note(v)
	x.observe()
	if !v.plausible {
		return true, nil
	}
	x.stats.Plausible++
	switch {
	case !v.good:
		x.stats.Refuted++
		return true, nil
	case v.disturbs && (len(v.alts) > 1 || v.alts[0].Strange > natural):
		x.aside = append(x.aside, v)
		return true, nil
	}
	return x.settled(ctx, v, yield)
}

// settled asks the patched source, and yields what is a repair.
func (x *search) settled(ctx context.Context, v verdict, yield func(*Repair, error) bool) (bool, error) {
	print, ok := v.fingerprint()
	again := len(v.alts) == 1 && slices.ContainsFunc(x.inserted, v.alts[0].Same)
	if ok && x.seen[print] || again {
		x.stats.Merged++
		return true, nil
	}
	r, wrote, err := x.confirmed(ctx, v.candidate)
	if wrote && ok {
		x.seen[print] = true
	}
	if r == nil || err != nil {
		return true, err
	}
	for _, a := range v.alts {
		x.solved[a] = len(v.alts) == 1
	}
	if len(v.alts) == 1 && v.alts[0].Insert {
		x.inserted = append(x.inserted, v.alts[0])
	}
	x.stats.Repairs++
	return yield(r, nil), nil
}

// fingerprint returns what candidates that are one have in common, if that is
// known.
func (v *verdict) fingerprint() (fingerprint, bool) {
	if len(v.alts) > 1 || v.value == 0 || v.alts[0].Insert {
		return fingerprint{}, false
	}
	return fingerprint{v.alts[0].Place.ID, v.value}, true
}

// note remembers which places a single candidate that fails reached: another
// change elsewhere makes no difference to it.
func (x *search) note(v verdict) {
	if v.late {
		x.stats.Timeouts++
	}
	if len(v.alts) == 1 && max(x.cfg.MaxSize, 1) > 1 {
		x.single[v.alts[0]] = v.reached
	}
}

// try runs candidates on all workers, and returns what became of them in
// their order.
func (x *search) try(ctx context.Context, cands []candidate) []verdict {
	out := make([]verdict, len(cands))
	x.each(len(cands), func(w *worker, i int) { out[i] = x.judge(ctx, w, cands[i]) })
	return out
}

// each calls f for 0 to n-1, with as many at the same time as there are
// workers.
func (x *search) each(n int, f func(w *worker, i int)) {
	var next atomic.Int64
	var wg sync.WaitGroup
	for _, w := range x.workers {
		wg.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				f(w, i)
			}
		})
	}
	wg.Wait()
}

// judge runs the failing tests, and if they pass the others that reach what is
// changed.
func (x *search) judge(ctx context.Context, w *worker, c candidate) verdict {
	v := verdict{candidate: c}
	v.answer, v.err = w.run(ctx, x.request(c))
	if v.plausible = v.err == nil && v.passed; !v.plausible {
		return v
	}
	v.good = true
	others, took := x.others(c)
	if len(others) == 0 {
		return v
	}
	a, err := w.run(ctx, request{choices: c.choices(), tests: others, steps: unlimited, wall: x.limit + 10*took})
	v.unsure = v.unsure || a.unsure
	v.err, v.good, v.disturbs = err, a.passed, x.disturbed(others, a.steps)
	v.value = v.value*31 ^ a.value
	return v
}

// request asks to run the failing tests on c.
func (x *search) request(c candidate) request {
	return request{choices: c.choices(), tests: x.failing, steps: x.steps, wall: x.limit, turns: !x.last && x.cfg.MaxSize < 2}
}

// disturbed reports whether tests took other steps than they do now.
func (x *search) disturbed(tests []string, steps int64) bool {
	for _, n := range tests {
		now, steady := x.cover.each[n]
		if !steady {
			return false
		}
		steps -= now
	}
	return steps != 0
}

// others returns the passing tests that reach a place of c.
func (x *search) others(c candidate) (names []string, took time.Duration) {
	seen := make(map[string]bool)
	for _, a := range c.alts {
		for _, n := range x.cover.passing[a.Place.Step] {
			if !seen[n] {
				seen[n] = true
				names = append(names, n)
				took += time.Duration(x.cover.took[n])
			}
		}
	}
	return names, took
}

func (c *candidate) choices() []choice {
	out := make([]choice, len(c.alts))
	for i, a := range c.alts {
		out[i] = choice{a.Place.ID, a.Code}
	}
	return out
}

// ofSize yields the candidates of one size, in portions.
func (x *search) ofSize(size int) iter.Seq[[]candidate] {
	if size == 1 {
		return slices.Chunk(x.cands, portion)
	}
	return x.larger(size)
}

// confirmed builds the patched source itself and runs the tests, which all
// must pass that failed or passed before. It returns nil if they don't, or if it
// could not be written.
func (x *search) confirmed(ctx context.Context, c candidate) (r *Repair, wrote bool, err error) {
	r = &Repair{Patch: x.patch(c.alts), Suspicion: c.suspicion}
	for _, a := range c.alts {
		r.Schemes = append(r.Schemes, a.Scheme)
	}
	o, err := x.sources(r.Patch)
	if err != nil {
		return nil, false, err
	}
	x.phase("testing a patched source")
	defer x.phase("trying candidates")
	binary, err := x.patched(ctx, o)
	if b := (*buildError)(nil); errors.As(err, &b) {
		x.stats.Unwritten++
		return nil, false, nil
	}
	if err != nil {
		return nil, false, err
	}
	first := append(slices.Clone(x.needed), x.quickest(x.passing)...)
	rest := slices.DeleteFunc(slices.Clone(x.passing), func(n string) bool { return slices.Contains(first, n) })
	for _, names := range [][]string{first, rest} {
		ok, err := x.allPass(ctx, binary, names)
		if err != nil {
			return nil, false, err
		}
		if !ok {
			x.stats.Refuted++
			return nil, true, nil
		}
	}
	return r, true, nil
}

// allPass reports whether the named tests pass in one process, and that says so
// when it ends. One that is skipped, or has a subtest that is, and was not before,
// doesn't.
func (x *search) allPass(ctx context.Context, binary string, names []string) (bool, error) {
	if len(names) == 0 {
		return true, nil
	}
	o := newOutcomes()
	if _, err := x.process(ctx, binary, names, 3*x.base.took+x.limit, &o); err != nil {
		return false, err
	}
	for n, skipped := range o.skipped {
		if skipped && !x.base.skipped[n] {
			return false, nil
		}
	}
	return o.exited && !slices.ContainsFunc(names, func(n string) bool { return !o.passed[n] }), nil
}
