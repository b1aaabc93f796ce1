package mutate

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"github.com/go-amend/amend/formula/sat"
	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ssa"
	"github.com/go-amend/amend/ssa/bmc"
)

// This file is what callers see of a search: what they ask, and the answers.

// Mode says what a failed candidate teaches the search.
type Mode uint8

const (
	// Learn asks of every further candidate that it is good on the failing
	// input.
	Learn Mode = iota

	// Slice blocks all candidates that agree with the failed one on a must
	// location set of its failing run: FL-AllRepair. Holes need Learn.
	Slice

	// Basic blocks the failed candidate alone: AllRepair. Holes need Learn.
	Basic
)

// A ModeError says that an operator has holes, which no mode but Learn can
// fill.
type ModeError struct{ Operator *Operator }

func (e *ModeError) Error() string {
	return fmt.Sprintf("mutate: operator %s has holes, which need mode Learn", e.Operator.Name)
}

// Config says what to search for and how.
type Config struct {
	// Operators say what may change: those of a scheme of package
	// mutate/scheme, or others. There is no default, since the operators are
	// the question: without any the error is ErrNoSites.
	Operators []*Operator

	// Unwind bounds loops and recursion, as in ssa.Config, but 0 means
	// ssa.DefaultUnwind, negative none; Loops overrides it for single loops. If
	// the original reads no input its only run says how far to go: bounds that
	// are too small for it are raised.
	Unwind int
	Loops  map[ir.LocID]int

	// Slack is how many more executions of each loop body a repair may
	// take than the original; 0 means Unwind, negative none. If the original
	// reads no input 0 bounds the steps of repairs instead: to four times those
	// of its only run, which goes on where an assertion fails, and 100,000.
	Slack int

	// AllowCuts asks for (a) only, the published meaning of a repair.
	AllowCuts bool

	// Keep are inputs on which the original passes and a repair must give
	// the same results: behaviour that no assertion states. A program that
	// leaves one of these inputs unread takes others as 0.
	Keep []ssa.Model

	// MaxSize is the largest number of changes in a repair; 0 means 1.
	MaxSize int

	// Shard asks for a part of the search: that of so many which others do. The
	// zero Shard is all of it. See Join.
	Shard Shard

	// Mode is how to search. It does not affect what is found.
	Mode Mode

	// Hard says which statements must not change, besides those of
	// procedures that are hard. Nil: no others.
	Hard func(ir.Stmt) bool

	// NewSolver makes the solvers; nil means sat.New.
	NewSolver func() sat.Solver

	// Semantics says what the runs of the program are, and of changed ones;
	// nil means bmc.Sequential. Programs with threads need one that has
	// schedules: a sequentialize.Config.
	Semantics bmc.Semantics

	// Decide, unless nil, looks for a failing run of a whole program, instead of
	// constraint sets of Semantics: under a memory model that has none. The runs
	// of changed programs must be runs of the original, so that (a) is all
	// that is asked: all operators must be of plans that say so by Restricts.
	// Semantics is then for the rank of repairs alone, and Mode for nothing.
	Decide func(ctx context.Context, p *ir.Program) (*bmc.Result, error)

	// Parse reads patched source files, so that repairs are certified from
	// their text. Nil certifies the changed program itself instead. Several
	// goroutines call it at a time.
	Parse func(files []*ir.File) (*ir.Program, error)

	// Prove, unless nil, is asked of the original and then of each repair
	// whether it is right for every bound, before it blocks its supersets;
	// but of none whose runs are all within the bound. One that is Refuted
	// is dropped, and what fails on the same input with it. An original
	// that is right within the bound, but Refuted, is repaired. Prove is
	// called from one goroutine, in the order of the search, so that it may
	// carry proofs from program to program. An error ends the search; not
	// to know is none.
	Prove func(ctx context.Context, p *ir.Program) (Proof, error)

	// Accept, unless nil, is asked of each repair before it blocks its
	// supersets, after Prove, in the order of the search. One that is not
	// accepted is dropped as if it were refuted: others that contain it may be
	// found. Of a repair with holes it says no to all values of these. An
	// error ends the search.
	Accept func(ctx context.Context, x *Repair) (bool, error)

	// Intervals asks for the values around that of each hole that make the
	// repair one too, within the bound, at the cost of some proofs more.
	Intervals bool

	// Distinct leaves out repairs that behave like another one before them: each
	// bounded run ends in both or in none, with the same values of what is visible
	// then (ir.Program.Visible), which is proved. It takes a query for each repair. A
	// program with threads is an *ir.UnsupportedError then.
	Distinct bool

	// Workers is how many candidates are proved at the same time in mode
	// Learn, at most; 0 means 1. It affects neither what is found, nor the
	// order, nor the Stats. NewSolver, Semantics and Parse must then be safe
	// to call from several goroutines.
	Workers int

	// Observer is told how far the search is, between candidates. It must
	// not call back.
	//
	// A panic in Hard, Decide, Parse, Prove or Accept, in whatever goroutine, ends the search
	// with a *HookError, one in another function here with an
	// *ir.InternalError.
	Observer func(Stats)
}

// Stats says what a search did.
type Stats struct {
	Space      int   // alternatives at all sites together
	Size       int   // changes in the candidates being inspected
	Candidates int   // inspected, the original not counted
	Repairs    int   // found
	Alike      int   // of these, left out by Config.Distinct
	Refuted    int   // dropped by Config.Prove, right within the bound as they are
	Unwritten  int   // dropped because the source can't have them
	Undecided  int   // left out: see UndecidedError
	SATCalls   int   // by generator and validator
	Correct    bool  // the original violates nothing
	Proof      Proof // of Correct: what Config.Prove said of it
	Complete   bool  // no run of the original was cut
	Raised     bool  // so were the bounds, for the only run of an original that reads no input
	Single     bool  // the original reads no input, so that its only run decided
	Exhausted  bool  // all candidates up to MaxSize were covered
}

// A Change replaces the expression at a site.
type Change struct {
	Site     ir.SiteID
	Stmt     ir.Stmt
	Old, New ir.Expr // at the site's primary occurrence
	By       *Operator

	// Holes are the values found for the holes of the alternative, in
	// order. They are in New already.
	Holes []Value

	// Also are the other sites that it sets.
	Also []Replaced

	cost int
}

// A Replaced is what a change makes of a further site.
type Replaced struct {
	Site     ir.SiteID
	Stmt     ir.Stmt
	Old, New ir.Expr // at the site's primary occurrence
}

// A Repair is a minimal set of changes that makes the program right.
type Repair struct {
	Changes  []Change
	Patch    ir.Patch    // the same as source edits; nil if the program has no source
	Program  *ir.Program // the changed program, parsed from its text if Config.Parse is set
	Vacuous  bool        // it fails (b): it hides runs that ended before
	Complete bool        // no run of the changed program is cut
	Single   bool        // it uses no input: its only run has decided, and ends
	Proof    Proof       // what Config.Prove said of it
	Rank     Rank        // its place among the repairs of its size
	Likelier string      // why it comes before the next of its size; may be empty
	Apart    *Difference // from the repair before, with Config.Distinct; nil for the first, and if none is known

	// Alternatives are the numbers of the changes in the space, in order: the same
	// in all searches for the repairs of one program by the same Operators and Hard.
	Alternatives []int
}

// ErrNoSites says of a program that violates something that nothing in it may
// change by the schemes: no candidate was looked at.
var ErrNoSites = errors.New("mutate: there is no place that may change")

// An UndecidedError says that a search covered its space but for some
// candidates. The original reads no input, and the formula of its run would be
// too large: so candidates were run one by one, those with values to find with
// some of the values alone.
type UndecidedError struct{ Candidates int }

func (e *UndecidedError) Error() string {
	return fmt.Sprintf("mutate: %d candidates are undecided: only some values were tried in them, or their runs take too many steps", e.Candidates)
}

// Unwrap returns ssa.ErrTooLarge.
func (e *UndecidedError) Unwrap() error { return ssa.ErrTooLarge }

// A Search looks for the repairs of one program. It serves one goroutine.
type Search struct {
	p     *ir.Program
	cfg   Config
	stats Stats

	lazyWeight, lazyLimit int  // of cegis.Config
	soleTerms             int  // how large the constraint of an only run may be; negative: none
	byLength              bool // only runs are bounded by their steps, and not by their loops
}

// New returns a search for the repairs of p, which must be well-formed.
func New(p *ir.Program, cfg Config) (*Search, error) {
	if err := Validate(cfg.Operators); err != nil {
		return nil, err
	}
	if len(cfg.Operators) == 0 {
		return nil, fmt.Errorf("mutate: no operators: %w", ErrNoSites)
	}
	cfg.Unwind = ssa.Bound(cfg.Unwind)
	if err := restricted(&cfg); err != nil {
		return nil, err
	}
	if cfg.MaxSize < 0 {
		return nil, fmt.Errorf("mutate: negative bound")
	}
	if cfg.Distinct && ir.Concurrent(p) {
		return nil, &ir.UnsupportedError{Span: p.Entry.Span, Construct: "comparison of the repairs of a program with threads", Hint: "look at all of them"}
	}
	if s := cfg.Shard; s.Of < 0 || s.Index < 0 || s.Index >= max(s.Of, 1) {
		return nil, fmt.Errorf("mutate: shard %d of %d", s.Index, s.Of)
	}
	byLength := cfg.Slack == 0
	switch {
	case cfg.Slack == 0:
		cfg.Slack = cfg.Unwind
	case cfg.Slack < 0:
		cfg.Slack = 0
	}
	if cfg.MaxSize == 0 {
		cfg.MaxSize = 1
	}
	if cfg.NewSolver == nil {
		cfg.NewSolver = sat.New
	}
	if cfg.Semantics == nil {
		cfg.Semantics = bmc.Sequential{}
	}
	return &Search{p: p, cfg: cfg, soleTerms: soleTermsOf(p), byLength: byLength}, nil
}

// Repairs yields the minimal repairs of p, fewest changes first. Those of
// one size come when all are known, those proved for every bound first, then
// the most plausible (see Rank), otherwise in the order of the program text. When ctx ends, those known by
// then are yielded, then ctx's cause as an error. The sequence is empty if
// nothing is violated.
func Repairs(ctx context.Context, p *ir.Program, cfg Config) iter.Seq2[*Repair, error] {
	return func(yield func(*Repair, error) bool) {
		s, err := New(p, cfg)
		if err != nil {
			yield(nil, err)
			return
		}
		s.Repairs(ctx)(yield)
	}
}

// Stats says what the search did so far.
func (s *Search) Stats() Stats { return s.stats }

// Repairs runs the search. See the function of the same name.
func (s *Search) Repairs(ctx context.Context) iter.Seq2[*Repair, error] {
	return func(yield func(*Repair, error) bool) {
		s.stats = Stats{}
		stopped := false
		err := s.search(ctx, func(r *Repair) bool {
			stopped = !yield(r, nil)
			return !stopped
		})
		if err != nil && !stopped {
			yield(nil, err)
		}
	}
}
