package sequentialize

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"

	"github.com/go-amend/amend/formula"
	"github.com/go-amend/amend/formula/sat"
	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ssa"
)

// RepairConfig says what Repairs looks for.
type RepairConfig struct {
	Config
	MaxSize int                                   // changes in a repair; 0 means 1
	Parse   func([]*ir.File) (*ir.Program, error) // reads a changed source
	Hard    func(ir.Stmt) bool                    // must not change; nil: nothing
	Observe func(Stats)                           // is told of progress; may be nil
}

// A Repair is a minimal set of changes of the locks scheme.
type Repair struct {
	Changes  []Change
	Patch    ir.Patch
	Rounds   int  // all schedules of up to that many rounds were covered
	Complete bool // and there are no others, within Unwind
}

// Kind returns the kind of the change that makes the i-th edit of r.Patch.
func (r *Repair) Kind(i int) string {
	for _, c := range r.Changes {
		if slices.ContainsFunc(c.Edits, func(e ir.Edit) bool {
			return e.Span == r.Patch[i].Span && e.Old == r.Patch[i].Old && e.New == r.Patch[i].New
		}) {
			return c.Kind
		}
	}
	return ""
}

// Stats are what a search did.
type Stats struct {
	Changes    int // that the scheme can make
	Size       int // sets of up to that many changes were tried
	Candidates int
	SATCalls   int
	Correct    bool // the program violates nothing: there is nothing to repair
	Rounds     int  // if it is correct: covered, as in Result
	Complete   bool // likewise
}

// A Search looks for repairs.
type Search struct {
	p       *ir.Program
	cfg     RepairConfig
	changes []Change
	leftOut []ir.Span
	stats   Stats
	failing *Violation
	ends    bool // the program can end, or ought to
	races   bool // it has data races
	texts   map[string]bool
}

// NewSearch returns a search for the repairs of p, whose Outline says where
// statements are, by the scheme of [Kinds].
func NewSearch(p *ir.Program, cfg RepairConfig) (*Search, error) {
	cfg.Config = cfg.complete()
	cfg.All = false
	if cfg.MaxSize == 0 {
		cfg.MaxSize = 1
	}
	if cfg.Parse == nil {
		return nil, errors.New("sequentialize: no Parse")
	}
	if !ir.Concurrent(p) {
		return nil, errors.New("the scheme locks is for programs with threads")
	}
	return &Search{p: p, cfg: cfg, texts: make(map[string]bool)}, nil
}

// LeftOut returns the declarations of mutexes that may have changes that the
// search did not try: one in a structure or an array, or of a Go program, is
// taken elsewhere only by words that take it somewhere. It is defined once
// Repairs has begun.
func (s *Search) LeftOut() []ir.Span { return s.leftOut }

// Stats returns what the search has done so far.
func (s *Search) Stats() Stats { return s.stats }

// Repairs yields the minimal sets of changes after which no run within the
// bounds, by any schedule, violates anything: neither what p checks nor,
// whether p checks it or not, the rules of locks, or that some thread can
// move. So no repair brings a new deadlock; nor a data race into a program
// that has none. The assertion that failed can
// still be reached, and the end, if p could get there. Each repair is the
// source with its edits made, read by Parse.
//
// Sets come by size, and those of one size by likelihood. An error ends the
// search.
func (s *Search) Repairs(ctx context.Context) iter.Seq2[*Repair, error] {
	return func(yield func(*Repair, error) bool) {
		ok, err := s.start(ctx)
		if err != nil {
			yield(nil, err)
			return
		}
		if !ok {
			s.stats.Correct = true
			return
		}
		var found [][]int
		for n := 1; n <= s.cfg.MaxSize; n++ {
			s.stats.Size = n
			for set := range subsets(len(s.changes), n) {
				if slices.ContainsFunc(found, func(f []int) bool { return includes(set, f) }) {
					continue
				}
				r, err := s.try(ctx, set)
				if err != nil {
					yield(nil, err)
					return
				}
				if r == nil {
					continue
				}
				found = append(found, slices.Clone(set))
				if !yield(r, nil) {
					return
				}
			}
		}
	}
}

// start looks for the failure to repair. It reports false if there is none.
func (s *Search) start(ctx context.Context) (bool, error) {
	res, err := Check(ctx, s.p, s.cfg.Config)
	s.stats.SATCalls += res.SATCalls
	s.stats.Rounds, s.stats.Complete = res.Rounds, res.Complete
	if err != nil || len(res.Violations) == 0 {
		return false, err
	}
	s.failing = &res.Violations[0]
	if s.failing.Kind != ir.CheckDeadlock {
		if s.ends, err = s.reaches(ctx, s.p, func(f *ssa.Form) formula.Term { return f.End }); err != nil {
			return false, err
		}
	} else {
		s.ends = true
	}
	racing := *s.p
	racing.Checks = ir.Checks(0).With(ir.CheckRace)
	res, err = Check(ctx, &racing, s.cfg.Config)
	s.stats.SATCalls += res.SATCalls
	s.races = len(res.Violations) > 0
	if err != nil {
		return false, err
	}
	s.changes, s.leftOut = changes(s.p, s.cfg.Hard)
	s.stats.Changes = len(s.changes)
	return true, nil
}

// subsets yields the sets of n numbers below limit, in lexicographic order.
// The callee must not keep them.
func subsets(limit, n int) iter.Seq[[]int] {
	return func(yield func([]int) bool) {
		set := make([]int, n)
		var choose func(i, from int) bool
		choose = func(i, from int) bool {
			if i == n {
				return yield(set)
			}
			for set[i] = from; set[i] < limit; set[i]++ {
				if !choose(i+1, set[i]+1) {
					return false
				}
			}
			return true
		}
		choose(0, 0)
	}
}

// includes reports whether all of b, which is sorted, is in a.
func includes(a, b []int) bool {
	return !slices.ContainsFunc(b, func(x int) bool { return !slices.Contains(a, x) })
}

// try returns the repair that the changes of set are, or nil.
func (s *Search) try(ctx context.Context, set []int) (*Repair, error) {
	r := &Repair{}
	for _, i := range set {
		r.Changes = append(r.Changes, s.changes[i])
		r.Patch = append(r.Patch, s.changes[i].Edits...)
	}
	slices.SortStableFunc(r.Patch, compareEdits)
	files, err := r.Patch.Apply(s.p.Files)
	if err != nil {
		return nil, nil // the changes overlap
	}
	if !s.fresh(files) {
		return nil, nil
	}
	p, err := s.cfg.Parse(files)
	if err != nil {
		return nil, nil // a name that is out of scope, say
	}
	s.stats.Candidates++
	if s.cfg.Observe != nil {
		s.cfg.Observe(s.stats)
	}
	return s.prove(ctx, p, r)
}

// fresh reports whether no candidate had the text of files.
func (s *Search) fresh(files []*ir.File) bool {
	var b bytes.Buffer
	for _, f := range files {
		fmt.Fprintf(&b, "%d %s", len(f.Content), f.Content)
	}
	if s.texts[b.String()] {
		return false
	}
	s.texts[b.String()] = true
	return true
}

// prove returns r if p, the program with r's changes, violates nothing.
func (s *Search) prove(ctx context.Context, p *ir.Program, r *Repair) (*Repair, error) {
	p.Checks = p.Checks.With(ir.CheckDeadlock, ir.CheckLocks)
	if !s.races {
		p.Checks = p.Checks.With(ir.CheckRace)
	}
	res, err := Check(ctx, p, s.cfg.Config)
	s.stats.SATCalls += res.SATCalls
	if u := (*ir.UnsupportedError)(nil); errors.As(err, &u) {
		return nil, nil
	}
	if err != nil || len(res.Violations) > 0 {
		return nil, err
	}
	if s.ends {
		if ok, err := s.reaches(ctx, p, func(f *ssa.Form) formula.Term { return f.End }); !ok {
			return nil, err
		}
	}
	if n := slices.Index(asserts(s.p), s.failing.Stmt); n >= 0 {
		at := asserts(p)[n]
		if ok, err := s.reaches(ctx, p, func(f *ssa.Form) formula.Term { return reached(f, at) }); !ok {
			return nil, err
		}
	}
	r.Rounds, r.Complete = res.Rounds, res.Complete
	return r, nil
}

// asserts returns the assertions of p, which no change moves past another.
func asserts(p *ir.Program) []ir.Stmt {
	var out []ir.Stmt
	p.Stmts(func(_ *ir.Proc, s ir.Stmt) {
		if _, ok := s.(*ir.Assert); ok {
			out = append(out, s)
		}
	})
	return out
}

// reached returns the proposition that a run gets to the assertion at.
func reached(f *ssa.Form, at ir.Stmt) formula.Term {
	x := f.Store.False()
	for i := range f.Claims {
		if f.Claims[i].At == at.Key() {
			x = f.Store.Or(x, f.Claims[i].Guard)
		}
	}
	return x
}

// reaches reports whether some run of p does what goal says.
func (s *Search) reaches(ctx context.Context, p *ir.Program, goal func(*ssa.Form) formula.Term) (bool, error) {
	st := formula.NewStore()
	e, err := Encode(st, p, s.cfg.Rounds, ssa.Config{
		Unwind: ssa.Bound(s.cfg.Unwind), Loops: s.cfg.Loops, Flat: true, Spurious: !s.cfg.Strict,
		Stop: func() error { return context.Cause(ctx) },
	})
	if err != nil {
		return false, err
	}
	solver := formula.NewSolver(st, s.cfg.NewSolver())
	if err := solver.Within(ctx, func() { e.Form.Load(solver) }); err != nil {
		return false, err
	}
	s.stats.SATCalls++
	status, err := solver.Check(ctx, goal(e.Form))
	return status == sat.Sat, err
}
