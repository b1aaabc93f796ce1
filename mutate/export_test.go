package mutate

import (
	"context"

	"github.com/go-amend/amend/formula"
	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/mutate/cegis"
	"github.com/go-amend/amend/slice"
	"github.com/go-amend/amend/ssa"
)

// This file shows the tests of package mutate_test, which may use the schemes,
// what compares the search with trying all.

var (
	Bounds   = bounds
	Refused  = refused
	SamePath = samePath
)

// Chooses reports whether Choose made h.
func (h Hole) Chooses() bool { return h.choice }

// Number returns the number of v's hole in the candidate.
func (v Value) Number() int { return v.nth }

// Config returns what New made of its Config.
func (s *Search) Config() Config { return s.cfg }

// Postpone sets Heavy and Patience of the cegis.Config.
func (s *Search) Postpone(heavy, patience int) { s.lazyWeight, s.lazyLimit = heavy, patience }

// OneByOne makes the search of a program without inputs do without a constraint
// of its run.
func (s *Search) OneByOne() { s.soleTerms = -1 }

// A Space is a space.
type Space struct{ sp *space }

func NewSpace(p *ir.Program, ops []*Operator, hard func(ir.Stmt) bool) (Space, error) {
	sp, err := newSpace(formula.NewStore(), p, ops, hard, nil)
	return Space{sp}, err
}

// An Alt is an alternative.
type Alt struct {
	Place int
	Site  ir.SiteID
	By    *Operator
	Expr  ir.Expr
	Holes []Hole
}

func (s Space) Len() int { return len(s.sp.alts) }

func (s Space) Alt(k int) Alt {
	a := s.sp.alts[k]
	return Alt{Place: int(a.site), Site: s.sp.sites[a.site].ID, By: a.op, Expr: a.expr, Holes: s.sp.holes[a.hole : a.hole+a.holes]}
}

// Filled returns what alternative k with values in its holes makes of its site.
func (s Space) Filled(k int, values []uint64) ir.Expr {
	a := s.sp.alts[k]
	at := s.sp.sites[a.site]
	x := s.sp.expand(at, *at.Occurrences[0], at.Stmt)[a.nth]
	return filled(x.Expr, x.Holes, values)
}

// Instrumented reports whether the program got slots.
func (s Space) Instrumented() bool { return s.sp.p != s.sp.orig }

func (s Space) changes(c cegis.Candidate) ir.Changes {
	return s.sp.changes(candidate{c.Alternatives, c.Values})
}

// Substitute returns the program that c stands for, with its slots, and
// Settled without those that are not changed.
func (s Space) Substitute(c cegis.Candidate) *ir.Program { return s.sp.p.Substitute(s.changes(c)) }

func (s Space) Settled(c cegis.Candidate) *ir.Program { return s.sp.instantiated(s.Substitute(c)) }

func (s Space) Patch(c cegis.Candidate) (ir.Patch, error) { return s.sp.patch(s.changes(c)) }

// Build builds the program with all alternatives behind selectors.
func (s Space) Build(cfg ssa.Config) (*ssa.Form, error) {
	cfg.Hook = s.sp.hook
	return ssa.Build(s.sp.st, s.sp.orig, cfg)
}

func (s Space) Selectors(alts []int) []formula.Term { return s.sp.selectors(alts) }

func (s Space) PlacesIn(f slice.Set) []bool { return s.sp.sitesIn(f) }

// Stages of a verdict.
const (
	Passed       = passed
	Fails        = unsafe
	NotPreserved = notPreserving
	Hides        = hiding
)

type Stage = stage

// A Verdict is what is decided of a program.
type Verdict struct {
	Stage    Stage
	Good     bool
	Complete bool
}

// Decide decides whether q is a repair of p, by the Config of a search.
func Decide(ctx context.Context, p, q *ir.Program, cfg Config) (Verdict, error) {
	pr := problem{Config: cfg, build: cfg.Semantics.Builder(p)}
	v, err := decide(ctx, &pr, cfg.Semantics.Builder(q), nil)
	return Verdict{v.stage, v.good(&pr), v.complete}, err
}

// Keeps reports whether q has p's results on the inputs of cfg.Keep.
func Keeps(ctx context.Context, p, q *ir.Program, cfg Config) (bool, error) {
	r := &run{orig: p, p: p, cfg: problem{Config: cfg}, ctx: ctx}
	if err := r.readKept(); err != nil {
		return false, err
	}
	return r.keeps(q)
}
