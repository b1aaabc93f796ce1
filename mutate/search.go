package mutate

import (
	"context"
	"fmt"
	"iter"

	"github.com/go-amend/amend/formula"
	"github.com/go-amend/amend/formula/sat"
	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/interp"
	"github.com/go-amend/amend/slice"
	"github.com/go-amend/amend/ssa"
	"github.com/go-amend/amend/ssa/bmc"
)

// Mode says what a failed candidate teaches the search.
type Mode uint8

const (
	// Slice blocks all candidates that agree with the failed one on a must
	// location set of its failing run: FL-AllRepair.
	Slice Mode = iota

	// Basic blocks the failed candidate alone: AllRepair.
	Basic
)

// Config says what to search for and how.
type Config struct {
	// Schemes are the operators; none make an empty space.
	Schemes []*Operator

	// Unwind bounds loops and recursion, as in ssa.Config; Loops overrides
	// it for single loops.
	Unwind int
	Loops  map[ir.LocID]int

	// Slack is how many more executions of each loop body a repair may
	// take than the original; 0 means Unwind, negative none.
	Slack int

	// AllowCuts asks for (a) only, the published meaning of a repair.
	AllowCuts bool

	// MaxSize is the largest number of changes in a repair; 0 means 1.
	MaxSize int

	// Mode is how to search. It does not affect what is found.
	Mode Mode

	// Hard says which statements must not change, besides those of
	// procedures that are hard. Nil: no others.
	Hard func(ir.Stmt) bool

	// NewSolver makes the solvers; nil means sat.NewGini.
	NewSolver func() sat.Solver

	// Build makes constraint sets of the program; nil means ssa.For. Other
	// builders serve programs with threads.
	Build ssa.Builder

	// Rebuild makes constraint sets of a changed program; nil means
	// ssa.For.
	Rebuild func(p *ir.Program) ssa.Builder

	// Parse reads patched source files, so that repairs are certified from
	// their text. Nil certifies the changed program itself instead.
	Parse func(files []*ir.File) (*ir.Program, error)

	// Observer is told how far the search is, between candidates. It must
	// not call back.
	Observer func(Stats)
}

// Stats says what a search did.
type Stats struct {
	Space      int  // alternatives at all sites together
	Size       int  // changes in the candidates being inspected
	Candidates int  // inspected, the original not counted
	Repairs    int  // found
	SATCalls   int  // by generator and validator
	Correct    bool // the original violates nothing
	Complete   bool // no run of the original was cut
	Exhausted  bool // all candidates up to MaxSize were covered
}

// A Change replaces the expression at a site.
type Change struct {
	Site     ir.SiteID
	Stmt     ir.Stmt
	Old, New ir.Expr // at the site's primary occurrence
	By       *Operator
}

// A Repair is a minimal set of changes that makes the program right.
type Repair struct {
	Changes  []Change
	Patch    ir.Patch    // the same as source edits; nil if the program has no source
	Program  *ir.Program // the changed program, parsed from its text if Config.Parse is set
	Vacuous  bool        // it fails (b): it hides runs that ended before
	Complete bool        // no run of the changed program is cut
}

// A Search looks for the repairs of one program. It serves one goroutine.
type Search struct {
	p     *ir.Program
	cfg   Config
	stats Stats
}

// New returns a search for the repairs of p, which must be well-formed.
func New(p *ir.Program, cfg Config) (*Search, error) {
	if err := Validate(cfg.Schemes); err != nil {
		return nil, err
	}
	if cfg.Unwind < 0 || cfg.MaxSize < 0 {
		return nil, fmt.Errorf("mutate: negative bound")
	}
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
		cfg.NewSolver = sat.NewGini
	}
	if cfg.Build == nil {
		cfg.Build = ssa.For(p)
	}
	if cfg.Rebuild == nil {
		cfg.Rebuild = func(p *ir.Program) ssa.Builder { return ssa.For(p) }
	}
	return &Search{p: p, cfg: cfg}, nil
}

// Repairs yields the minimal repairs of p, fewest changes first. The
// sequence ends early, with an error, when ctx does. It is empty if nothing
// is violated.
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
		if err := s.run(ctx, func(r *Repair) bool { return yield(r, nil) }); err != nil {
			yield(nil, err)
		}
	}
}

// run is Algorithm FL-AllRepair, or AllRepair in mode Basic.
func (s *Search) run(ctx context.Context, yield func(*Repair) bool) error {
	build, rebuild := s.cfg.Build, s.cfg.Rebuild
	defer func() { s.cfg.Build, s.cfg.Rebuild = build, rebuild }()
	s.cfg.Build = build.Under(ctx)
	s.cfg.Rebuild = func(p *ir.Program) ssa.Builder { return rebuild(p).Under(ctx) }
	st := formula.NewStore()
	sp, err := newSpace(st, s.p, s.cfg.Schemes, s.cfg.Hard)
	if err != nil {
		return err
	}
	s.stats.Space = len(sp.alts)
	v, err := newValidator(st, sp, &s.cfg)
	if err != nil {
		return err
	}
	g := newGenerator(sp, s.cfg.NewSolver())
	failing, err := s.original(ctx, v, g)
	if err != nil || s.stats.Correct {
		return err
	}
	for s.stats.Size = 1; s.stats.Size <= s.cfg.MaxSize; s.stats.Size++ {
		for {
			s.observe()
			s.stats.SATCalls++
			cand, err := g.next(ctx, s.stats.Size)
			if err != nil {
				return err
			}
			if cand == nil {
				break
			}
			s.stats.Candidates++
			r, err := s.inspect(ctx, v, g, cand)
			if err != nil {
				return err
			}
			if r == nil {
				continue
			}
			if err := s.finish(ctx, v, cand, r, failing); err != nil {
				return err
			}
			s.stats.Repairs++
			if !yield(r) {
				return nil
			}
		}
	}
	s.stats.Size = s.cfg.MaxSize
	s.stats.Exhausted = true
	return nil
}

func (s *Search) observe() {
	if s.cfg.Observer != nil {
		s.cfg.Observer(s.stats)
	}
}

// original checks the program itself, the candidate without changes. It
// returns the input of a failing run, which the interpreter has replayed.
func (s *Search) original(ctx context.Context, v *validator, g *generator) (ssa.Model, error) {
	res, err := bmc.Check(ctx, s.p, bmc.Config{
		Unwind: s.cfg.Unwind, Loops: s.cfg.Loops, NewSolver: s.cfg.NewSolver, Build: s.cfg.Build,
	})
	s.stats.SATCalls += res.SATCalls
	s.stats.Complete = res.Complete
	if err != nil {
		return nil, err
	}
	if len(res.Violations) == 0 {
		s.stats.Correct = true
		return nil, nil
	}
	m := res.Violations[0].Model
	v.short.learn(m)
	must, ok := v.short.refute(nil)
	if !ok {
		panic("mutate: the original's failing run does not fail")
	}
	s.refuted(v, g, nil, must)
	return m, nil
}

// refuted tells the generator that cand fails, and the must location set of
// the failing run.
func (s *Search) refuted(v *validator, g *generator, cand []int, must slice.Set) {
	if s.cfg.Mode == Basic {
		g.blockAgreeing(cand, nil)
	} else {
		g.blockAgreeing(cand, v.sp.sitesIn(must))
	}
}

// inspect decides whether cand is a repair, and tells the generator what
// that means for others. It returns nil if it is none.
func (s *Search) inspect(ctx context.Context, v *validator, g *generator, cand []int) (*Repair, error) {
	d, must, err := v.validate(ctx, cand)
	s.stats.SATCalls += d.calls
	switch {
	case err != nil:
		return nil, err
	case d.stage == failsA, d.stage == failsB && !s.cfg.AllowCuts:
		s.refuted(v, g, cand, must)
		return nil, nil
	}
	g.blockSupersets(cand)
	return &Repair{Vacuous: d.stage == failsB, Complete: d.complete}, nil
}

// An InternalError says that a repair that the search had proved did not
// stand when it was certified. It is a defect of this module, or of the
// front end that Config.Parse calls.
type InternalError struct {
	Patch ir.Patch
	Why   string
}

func (e *InternalError) Error() string { return "internal error: rejected a repair: " + e.Why }

// finish fills in r, the repair that cand stands for, and certifies it.
func (s *Search) finish(ctx context.Context, v *validator, cand []int, r *Repair, failing ssa.Model) error {
	sp := v.sp
	for _, k := range cand {
		a := sp.alts[k]
		site := sp.sites[a.site]
		r.Changes = append(r.Changes, Change{
			Site: site.ID, Stmt: site.Stmt, Old: *site.Occurrences[0], New: a.expr, By: a.op,
		})
	}
	changes := sp.changes(cand)
	r.Program = s.p.Substitute(changes)
	var err error
	if len(s.p.Files) > 0 {
		if r.Patch, err = s.p.Edits(changes); err != nil {
			return &InternalError{Why: err.Error()}
		}
	}
	if s.cfg.Parse != nil {
		if r.Program, err = s.reparse(r); err != nil {
			return &InternalError{r.Patch, err.Error()}
		}
	}
	why, err := s.certify(ctx, r)
	if err != nil {
		return err
	}
	if why == "" {
		why, err = s.replay(ctx, r.Program, failing)
	}
	if err == nil && why != "" {
		err = &InternalError{r.Patch, why}
	}
	return err
}

// certify proves r from its program. It returns why that failed, or "".
func (s *Search) certify(ctx context.Context, r *Repair) (string, error) {
	d, err := decide(ctx, &s.cfg, s.cfg.Rebuild(r.Program))
	s.stats.SATCalls += d.calls
	switch {
	case err != nil:
		return "", err
	case d.stage == failsA:
		return "a run violates an assertion", nil
	case (d.stage == failsB) != r.Vacuous:
		return "a run that ended before is cut, stopped or violated", nil
	}
	return "", nil
}

// reparse returns the program that r's patch makes of the source text.
func (s *Search) reparse(r *Repair) (*ir.Program, error) {
	files, err := r.Patch.Apply(s.p.Files)
	if err != nil {
		return nil, err
	}
	q, err := s.cfg.Parse(files)
	if err != nil {
		return nil, err
	}
	if q.NumLocs() != s.p.NumLocs() || q.NumVars() != s.p.NumVars() {
		return nil, fmt.Errorf("the patched source has other statements or variables")
	}
	return q, nil
}

// replay runs the repaired program on the input that the original fails on.
func (s *Search) replay(ctx context.Context, q *ir.Program, failing ssa.Model) (string, error) {
	t, err := interp.Run(ctx, q, interp.Config{Input: failing.Input, Unwind: s.cfg.Unwind, Loops: s.cfg.Loops, MaxSteps: -1})
	if err != nil {
		return "", err
	}
	if t.Outcome == interp.Violated {
		return "the original's failing run still fails", nil
	}
	return "", nil
}
