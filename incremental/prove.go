package incremental

import (
	"context"
	"errors"
	"slices"

	"github.com/go-amend/amend/formula"
	"github.com/go-amend/amend/formula/sat"
	"github.com/go-amend/amend/incremental/cfa"
	"github.com/go-amend/amend/incremental/proof"
	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/interp"
	"github.com/go-amend/amend/ssa"
)

// This file is the front of the package and the main loop of the search: take
// a shortest remaining error trace, subtract an automaton that accepts it.

// Status is the answer of Prove.
type Status uint8

const (
	Unknown  Status = iota // Result.Reason says why
	Proved                 // no run of any length violates an assertion or check
	Violated               // the run Result.Trace does
)

func (s Status) String() string { return [...]string{"unknown", "proved", "violated"}[s] }

// Strategy says when automata of an earlier proof are subtracted.
type Strategy uint8

const (
	Lazy  Strategy = iota // when one accepts the trace at hand (Figure 4.6)
	Eager                 // all at the beginning (Figure 4.5)
)

// Added says which triples translating an automaton to another alphabet may
// add to its own: the set S of procedure TranslateAutomaton, Figure 4.4 of
// Rothenberg's thesis.
type Added uint8

const (
	AddAll    Added = iota // all valid ones between its predicates
	AddUnseen              // those over letters that its own alphabet lacks
	AddNone                // none
)

// Limits are budgets. In each field 0 means the default and a negative
// number none.
type Limits struct {
	Refinements int // automata made; default 200
	SATCalls    int // default none
	States      int // of what is left of the program; default 100,000
	Terms       int // in the store; default 4,000,000
	Trace       int // letters in an error trace; default 2,000
	Bound       int // of the bounded check beside the proof; default 1,024
	Steps       int // of a random test beside the proof; default 3,000,000
}

// Config says how to prove. The zero Config works.
type Config struct {
	Reuse    *proof.Proof // of another revision, or a damaged one: a hint only
	Strategy Strategy
	Added    Added

	Engine Engine // how to search; zero: all ways in turns
	Limits Limits

	// NoCertify skips proof.Check at the end. Triples of Reuse are then
	// proved anew when they are first used.
	NoCertify bool

	NewSolver func() sat.Solver // nil means sat.New
	Annotator Annotator         // asked first; nil: none
	Hoare     HoareChecker      // asked first; nil: none

	// Observer is told how far the search is. It must not call back.
	Observer func(Stats)
}

// Stats says what a proof took.
type Stats struct {
	Refinements    int // new automata
	Reused         int // automata of Config.Reuse that were subtracted
	States         int // of the largest product
	Trace          int // letters of the longest trace
	Triples        int // asked
	Templates      int // rounds of template predicates
	SATCalls       int // all of those that follow, and proof.Check's
	TraceCalls     int // about traces
	TripleCalls    int // about triples
	PredicateCalls int // about predicates and templates
	CheckCalls     int // by proof.Check
	BoundedCalls   int // by the bounded check
	BlockCalls     int // by IC3
	Predicates     int // of IC3
	Clauses        int // that IC3 learned
}

// Result is what Prove found.
type Result struct {
	Status Status
	Engine Engine // that found it; Portfolio if it is Unknown

	// Reason says why Status is Unknown: a used-up budget in words, such as
	// "refinements", or what ended the context.
	Reason string

	// Proof is what to save for the next revision, whatever the status. It
	// is a proof of this program only if Status is Proved, and proof.Check finds
	// it to be one only if no predicate's text is too long to be read back.
	Proof *proof.Proof

	Model ssa.Model     // of Violated: the input
	Trace *interp.Trace // of Violated: the interpreter's run on it
	Stats Stats
}

// A Validity is the answer of a HoareChecker.
type Validity uint8

const (
	Unproved Validity = iota // it doesn't know
	Valid
	Invalid
)

// A HoareChecker decides Hoare triples over the letters of c: whether post
// holds after a letter where pre held before. Prove asks the built-in one
// where it answers Unproved. Its answers are checked in the end, so that a
// wrong Valid can't make a wrong proof unless Config.NoCertify is set.
type HoareChecker interface {
	Triple(ctx context.Context, c *cfa.Automaton, pre formula.Term, letter int, post formula.Term) (Validity, error)
}

// Prove answers whether any run of p, of whatever length, violates an
// assertion or check, by counterexample-guided trace abstraction (Heizmann,
// Hoenicke, Podelski, SAS 2009) and IC3 over predicates (Cimatti, Griggio,
// Mover, Tonetta, TACAS 2014) in turns, reusing an earlier proof if there is
// one (Rothenberg, Dietsch, Heizmann, SAS 2018).
//
// Proved is only reported after the proof was checked as by proof.Check, and
// Violated only after the interpreter has replayed the run. The error is an
// *ir.UnsupportedError if p can't be proved this way, or the cause of ctx's
// end; the result then holds what there is to save.
func Prove(ctx context.Context, p *ir.Program, cfg Config) (*Result, error) {
	if p == nil {
		return &Result{Proof: &proof.Proof{}, Reason: "no program"}, errors.New("incremental: Prove without a program")
	}
	if cfg.Reuse != nil && slices.Contains(cfg.Reuse.Automata, nil) { // a hint, never trusted
		reuse := *cfg.Reuse
		reuse.Automata = slices.DeleteFunc(slices.Clone(reuse.Automata), func(a *proof.Automaton) bool { return a == nil })
		cfg.Reuse = &reuse
	}
	c, err := cfa.New(p)
	if err != nil {
		return &Result{Proof: &proof.Proof{}, Reason: "unsupported"}, err
	}
	if res := proveAbstract(ctx, p, cfg); res != nil {
		return res, nil
	}
	if cfg.Reuse != nil && cfg.Reuse.Abstract {
		cfg.Reuse = nil
	}
	return newPortfolio(p, c, &cfg).run(ctx)
}

// An engine is the state of one call of Prove.
type engine struct {
	p   *ir.Program
	c   *cfa.Automaton
	cfg *Config
	t   *terms
	o   *oracle

	versions        *versions
	counterexamples *counterexamples
	signer          *signer
	traceSolver     *formula.Solver
	meter           *meter
	annotator       Annotator
	hoare           HoareChecker
	eager           bool // all automata of the pool are to be subtracted first
	trusting        bool // triples of files are checked in the end only
	bounded         *boundedCheck
	tests           *randomTests

	cut        bool              // some run needs an array longer than its type allows
	remaining  *automaton        // error traces not proved infeasible yet
	pool       []*hoareAutomaton // of Reuse, not subtracted yet
	used       []*hoareAutomaton // subtracted
	subtracted []*hoareAutomaton // used ones, before those were left out that are not needed
	helped     int               // rounds of templates, up to the last that found something
	simulated  [][]valuation     // by location, what random simulation has met
	query      []formula.Term
	stats      Stats
}

func orDefault(n, def int) int {
	switch {
	case n == 0:
		return def
	case n < 0:
		return int(^uint(0) >> 1)
	}
	return n
}

func newEngine(p *ir.Program, c *cfa.Automaton, cfg *Config, m *meter) *engine {
	l := &cfg.Limits
	l.Refinements, l.States = orDefault(l.Refinements, 200), orDefault(l.States, 100_000)
	l.Terms, l.Trace = orDefault(l.Terms, 4_000_000), orDefault(l.Trace, 2_000)
	l.SATCalls, l.Bound = orDefault(l.SATCalls, int(^uint(0)>>1)), orDefault(l.Bound, 1024)
	l.Steps = orDefault(l.Steps, testSteps[len(testSteps)-1])
	t := newTerms(c)
	e := &engine{
		p: p, c: c, cfg: cfg, t: t, annotator: cfg.Annotator, hoare: cfg.Hoare,
		o:               &oracle{t: t, newSolver: cfg.NewSolver, limit: l.SATCalls, maxTerms: l.Terms},
		versions:        &versions{t, make(map[version]formula.Term)},
		counterexamples: newCounterexamples(t),
		meter:           m,
		bounded:         newBoundedCheck(p, cfg, m),
		tests:           newRandomTests(p, t, l.Steps),
	}
	if cfg.Reuse != nil {
		cfg.Reuse = aligned(cfg.Reuse, c)
		e.counterexamples.load(cfg.Reuse.Counterexamples)
	}
	return e
}

// attempt searches for a proof or counterexample.
func (e *engine) attempt(ctx context.Context, trusting bool) (*Result, error) {
	e.begin(trusting)
	return e.resume(ctx)
}

// begin prepares a search.
func (e *engine) begin(trusting bool) {
	e.trusting, e.cut = trusting, false
	e.pool, e.used, e.subtracted = nil, nil, nil
	if e.cfg.Reuse != nil {
		e.pool = append(e.translate(e.cfg.Reuse), e.renamedAutomata()...)
	}
	e.remaining = errorTraces(e.c, true).trim()
	e.eager = e.cfg.Strategy == Eager
}

// resume goes on with the search. The error is errTurn if the turn is over.
func (e *engine) resume(ctx context.Context) (*Result, error) {
	res := &Result{}
	err := e.search(ctx, res)
	return e.report(ctx, res, err)
}

// report completes the result of a search that ended with err.
func (e *engine) report(ctx context.Context, res *Result, err error) (*Result, error) {
	if errors.Is(err, errTurn) && ctx.Err() == nil {
		return res, err
	}
	if x, ok := errors.AsType[foundError](err); ok {
		err = e.violated(ctx, res, x.m)
	}
	res.Stats = e.total()
	res.Proof = e.proof(res)
	budget, ok := errors.AsType[budgetError](err)
	switch {
	case err == nil:
		return res, nil
	case ok:
		res.Reason = string(budget)
		return res, nil
	case ctx.Err() != nil:
		res.Reason = reasonOf(ctx)
	case errors.Is(err, proof.ErrTooLarge):
		res.Reason = "certificate size"
		return res, nil
	case errors.Is(err, proof.ErrUncovered):
		res.Reason = "certificate"
	default:
		res.Reason = "solver"
	}
	return res, err
}

// reasonOf says in a word why ctx ended.
func reasonOf(ctx context.Context) string {
	if errors.Is(context.Cause(ctx), context.DeadlineExceeded) {
		return "deadline"
	}
	return "cancelled"
}

// total returns the statistics with the sum of SAT calls.
func (e *engine) total() Stats {
	s := e.stats
	s.BoundedCalls = e.bounded.calls
	s.SATCalls = e.o.calls + s.BoundedCalls + s.CheckCalls
	return s
}

// search is the loop of Figures 4.2, 4.5 and 4.6: it ends with a status in
// res, or an error.
func (e *engine) search(ctx context.Context, res *Result) error {
	if e.eager {
		if err := e.reuseAll(ctx); err != nil {
			return err
		}
		e.eager = false
	}
	for e.remaining != nil {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if e.meter.over() {
			return errTurn
		}
		if e.cfg.Observer != nil {
			e.cfg.Observer(e.total())
		}
		trace := e.remaining.shortest()
		e.stats.Trace = max(e.stats.Trace, len(trace))
		if len(trace) > e.cfg.Limits.Trace {
			return outOfTrace
		}
		hit, err := e.acceptedBy(ctx, trace)
		if err != nil {
			return err
		}
		if hit >= 0 {
			err = e.reuse(ctx, hit)
		} else {
			err = e.refine(ctx, trace, res)
		}
		if err == allocTooLarge && !e.cut {
			err = e.leaveOutCuts(ctx)
		}
		if err != nil || res.Status == Violated {
			return err
		}
	}
	if e.cut {
		return allocTooLarge
	}
	res.Status = Proved
	e.subtracted, e.used = e.used, e.minimize()
	return nil
}

// leaveOutCuts goes on without the traces that end where an array is longer
// than its type allows: some are feasible, so that there will be no proof, but
// there may be a violation.
func (e *engine) leaveOutCuts(ctx context.Context) error {
	e.cut = true
	e.remaining = errorTraces(e.c, false).trim()
	used := e.used
	e.used = nil
	for _, f := range used {
		if e.remaining == nil {
			e.used = append(e.used, f)
		} else if err := e.subtract(ctx, f); err != nil {
			return err
		}
	}
	return nil
}

// reuseAll subtracts the automata of the pool, but for those that were of no
// use the last time.
func (e *engine) reuseAll(ctx context.Context) error {
	for i := 0; i < len(e.pool) && e.remaining != nil; {
		if e.pool[i].renamed || e.pool[i].from.Unused > 0 {
			i++
		} else if err := e.reuse(ctx, i); err != nil {
			return err
		}
	}
	return nil
}

// acceptedBy returns the first automaton of the pool that accepts trace, or -1.
func (e *engine) acceptedBy(ctx context.Context, trace []int) (int, error) {
	for i, f := range e.pool {
		if ok, err := f.accepts(ctx, trace); ok || err != nil {
			return i, err
		}
	}
	return -1, nil
}

// reuse subtracts the i-th automaton of the pool.
func (e *engine) reuse(ctx context.Context, i int) error {
	f := e.pool[i]
	e.pool = append(e.pool[:i:i], e.pool[i+1:]...)
	e.stats.Reused++
	return e.subtract(ctx, f)
}

// tripleTicks is what a triple costs in a product, its query left out.
const tripleTicks = 10

// subtract removes what f accepts from what is left.
func (e *engine) subtract(ctx context.Context, f *hoareAutomaton) error {
	asked := e.stats.Triples
	if e.c.OfBlocks() {
		if all, err := e.remaining.excludedBy(f, func(q int32, l int) (int32, error) { return f.next(ctx, q, l) }); all || err != nil {
			if e.used = append(e.used, f); all {
				e.remaining = nil
			}
			return err
		}
	}
	left, err := e.remaining.minus(func(q int32, l int) (int32, error) { return f.next(ctx, q, l) }, e.cfg.Limits.States)
	e.meter.spend(tripleTicks * int64(e.stats.Triples-asked))
	if err != nil {
		return err
	}
	e.used = append(e.used, f)
	if e.remaining = left; left != nil {
		e.stats.States = max(e.stats.States, len(left.out))
	}
	return nil
}

// refine decides whether trace is feasible, and removes it, with what is
// infeasible for the same reason, if it isn't.
func (e *engine) refine(ctx context.Context, trace []int, res *Result) error {
	if e.stats.Refinements >= e.cfg.Limits.Refinements {
		return outOfRefinements
	}
	f := e.form(trace, nil)
	status, err := e.feasible(ctx, f)
	switch status {
	case sat.Unknown:
		return err
	case sat.Sat:
		return e.violated(ctx, res, e.model(f))
	}
	if err := e.testShortly(ctx); err != nil {
		return err
	}
	if m, err := e.bounded.round(ctx, e.stats.Refinements); m != nil || err != nil {
		if err != nil {
			return err
		}
		return e.violated(ctx, res, m)
	}
	if m, err := e.tests.run(ctx, e.stats.Refinements); m != nil || err != nil {
		if err != nil {
			return err
		}
		return e.violated(ctx, res, m)
	}
	before := e.stats
	e.stats.Refinements++
	a, err := e.generalized(ctx, f)
	if err == nil {
		err = e.subtract(ctx, a)
	}
	if errors.Is(err, errTurn) { // it will begin anew
		e.stats.Refinements, e.stats.Templates = before.Refinements, before.Templates
	}
	return err
}

// shortTicks is after how much work a revision is tested: some 5 ms. Most that
// are right are proved by then.
const shortTicks = 50_000

// A foundError ends a search: the input violates something.
type foundError struct{ m ssa.Model }

func (foundError) Error() string { return "incremental: a run violates an assertion" }

// testShortly looks for a violation of a revision by some random runs: an edit that
// the earlier proof doesn't cover is wrong often enough to look before anything
// that takes longer. The error is a foundError if there is one.
func (e *engine) testShortly(ctx context.Context) error {
	if e.cfg.Reuse == nil {
		return nil
	}
	m, err := e.tests.short(ctx)
	if m != nil {
		return foundError{m}
	}
	return err
}

// generalized returns an automaton that accepts the trace of f, and what is
// infeasible for the same reason.
func (e *engine) generalized(ctx context.Context, f *traceForm) (*hoareAutomaton, error) {
	preds, err := e.annotate(ctx, f)
	if err != nil {
		return nil, err
	}
	if preds, err = e.withTemplates(ctx, f.trace, preds); err != nil {
		return nil, err
	}
	if preds, err = e.deduplicate(ctx, preds); err != nil {
		return nil, err
	}
	a := e.newHoareAutomaton(preds)
	ok, err := a.accepts(ctx, f.trace)
	if err == nil && !ok {
		err = outOfPredicates
	}
	return a, err
}

func (e *engine) violated(ctx context.Context, res *Result, m ssa.Model) error {
	if e.c.Abstract() {
		return notOfProgram
	}
	t, err := replay(ctx, e.p, m)
	if err != nil {
		return err
	}
	res.Status, res.Model, res.Trace = Violated, m, t
	return nil
}
