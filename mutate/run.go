package mutate

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/go-amend/amend/formula"
	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/mutate/cegis"
	"github.com/go-amend/amend/ssa"
	"github.com/go-amend/amend/ssa/bmc"
)

// This file takes a program through a search: package cegis finds the
// candidates, this file ranks the repairs and hands them out.

// A run is one search of the space of a program.
type run struct {
	orig                  *ir.Program
	p                     *ir.Program // orig, with edit slots
	cfg                   problem
	stats                 *Stats
	ctx                   context.Context
	sp                    *space
	search                *cegis.Search
	lazyWeight, lazyLimit int           // of its Config
	soleTerms             int           // of the Search
	byLength              bool          // likewise
	v                     *validator    // nil in mode Learn
	first                 verdict       // on the original
	beyond                []ssa.Model   // inputs that repairs failed on beyond the bound
	kept                  [][]uint64    // results on cfg.Keep
	calls                 int           // of the SAT solver, but for those that the search counts
	failed                bmc.Violation // of the original

	sole      bool        // the original has one run, which decides candidates: see sole.go
	large     atomic.Bool // and the formula of that is too large
	running   *solePool   // of candidates
	soleSteps int         // how long their runs may be

	found  []rankedRepair  // of the size that is being searched
	texts  map[string]bool // of those with fewer changes
	ranker *ranker         // made when it is needed

	classes classifier // of all repairs so far
}

// A problem is what candidates are decided by: a Config, and what it makes of
// the program.
type problem struct {
	Config
	build   ssa.Builder // of the program with its slots, until the search ends
	deep    ssa.Builder // build, limited in size
	demands             // on changed programs, beyond those of the original
}

// A rankedRepair is one with its place in the order of the program text.
type rankedRepair struct {
	*Repair
	alts []int
	text string // of the program, if others may come to the same; see textOf
}

// search runs the whole search.
func (s *Search) search(ctx context.Context, yield func(*Repair) bool) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	r := &run{orig: s.p, p: s.p, cfg: problem{Config: s.cfg}, lazyWeight: s.lazyWeight, lazyLimit: s.lazyLimit, soleTerms: s.soleTerms, byLength: s.byLength, stats: &s.stats, ctx: ctx, texts: make(map[string]bool)}
	r.classes.r = r
	r.cfg.Semantics = within{s.cfg.Semantics, ctx}
	r.about(s.p)
	defer r.count()
	if err := guarded(r.prepare); err != nil || s.stats.Correct {
		return err
	}
	for n := 1; n <= s.cfg.MaxSize; n++ {
		err := guarded(func() error {
			_, err := r.search.Size(r.ctx, n)
			return err
		})
		r.count()
		if err == nil {
			err = guarded(r.distinct)
		}
		if !r.yield(yield) || err != nil {
			return defect(err)
		}
	}
	if n := s.stats.Undecided; n > 0 {
		return &UndecidedError{n}
	}
	s.stats.Exhausted = true
	return nil
}

// defect returns err, or as an error of this module what says that its oracle
// contradicts itself.
func defect(err error) error {
	if e, ok := errors.AsType[*cegis.OracleError](err); ok {
		return ir.Internalf("mutate", "the oracle %s", e.Why)
	}
	return err
}

// count brings the stats up to date.
func (r *run) count() {
	r.stats.SATCalls = r.calls
	if r.search == nil {
		return
	}
	of := r.search.Stats()
	r.stats.Size, r.stats.Candidates, r.stats.Unwritten = of.Size, of.Candidates, of.Uncertified
	r.stats.Undecided = of.Undecided
	r.stats.SATCalls += of.Calls
}

// sort puts the repairs of one size in order.
func (r *run) sort() { slices.SortFunc(r.found, rankedRepair.compare) }

// distinct leaves out repairs that behave like others before them, if that is asked
// for.
func (r *run) distinct() (err error) {
	if !r.cfg.Distinct {
		return nil
	}
	r.sort()
	r.found = slices.DeleteFunc(r.found, func(f rankedRepair) bool {
		other := true
		if err == nil {
			other, err = r.classes.add(f.Repair)
		}
		if !other {
			r.stats.Alike++
		}
		return !other
	})
	return err
}

// yield passes on the repairs of one size, in order.
func (r *run) yield(yield func(*Repair) bool) bool {
	r.sort()
	for i, f := range r.found {
		if i+1 < len(r.found) && f.Proof.Reach == r.found[i+1].Proof.Reach {
			f.Likelier = f.Rank.Over(r.found[i+1].Rank)
		}
		if !yield(f.Repair) {
			return false
		}
		if f.text != "" {
			r.texts[f.text] = true
		}
	}
	r.found = nil
	return true
}

// add adds a certified repair to those of its size. Values may make one
// alternative what another one is: then the plainer one stands for both.
func (r *run) add(x *Repair, alts []int) (err error) {
	if r.ranker == nil {
		if r.ranker, err = newRanker(r); err != nil {
			return err
		}
	}
	if err := r.ranker.rank(x); err != nil {
		return err
	}
	x.Alternatives = alts
	added := rankedRepair{x, alts, r.textOf(x, alts)}
	if added.text != "" && r.texts[added.text] {
		return nil // of fewer changes
	}
	for i, f := range r.found {
		if sameChanges(f.Changes, x.Changes) || added.text != "" && f.text == added.text {
			if added.compare(f) < 0 {
				r.found[i] = added
			}
			return nil
		}
	}
	r.stats.Repairs++
	r.found = append(r.found, added)
	return nil
}

// textOf returns the text of the program x, of alts, if that moves statements:
// these may go the same way in several.
func (r *run) textOf(x *Repair, alts []int) string {
	if !r.sp.moves(candidate{alts: alts}) {
		return ""
	}
	if x.Patch == nil {
		return x.Program.String()
	}
	files, err := x.Patch.Apply(r.orig.Files)
	if err != nil {
		return ""
	}
	var b strings.Builder
	for _, f := range files {
		fmt.Fprintf(&b, "%d %s", len(f.Content), f.Content)
	}
	return b.String()
}

// compare orders repairs of one size.
func (p rankedRepair) compare(q rankedRepair) int { return p.Repair.compare(q.Repair) }

func (x *Repair) compare(y *Repair) int {
	return cmp.Or(int(y.Proof.Reach)-int(x.Proof.Reach), x.Rank.Compare(y.Rank), slices.Compare(x.Alternatives, y.Alternatives))
}

// sameChanges reports whether a and b make the same program.
func sameChanges(a, b []Change) bool {
	return maps.EqualFunc(results(a), results(b), ir.EqualExpr)
}

// results returns what changes make of the sites that they set.
func results(changes []Change) map[ir.SiteID]ir.Expr {
	out := make(map[ir.SiteID]ir.Expr)
	for _, c := range changes {
		out[c.Site] = c.New
		for _, r := range c.Also {
			out[r.Site] = r.New
		}
	}
	return out
}

// numbering gives threads the numbers that they have in the original.
func (r *run) numbering() *ir.Schedule {
	if r.failed.Schedule == nil {
		return nil
	}
	return &ir.Schedule{Threads: r.failed.Schedule.Threads}
}

// loops returns the bounds of single loops, for runs with slack.
func (r *run) loops(slack int) map[ir.LocID]int {
	out := make(map[ir.LocID]int)
	for l, n := range r.cfg.Loops {
		out[l] = n + slack
	}
	return out
}

// within is a semantics whose constraint sets are given up when ctx ends.
type within struct {
	bmc.Semantics
	ctx context.Context
}

func (w within) Builder(p *ir.Program) ssa.Builder { return w.Semantics.Builder(p).Under(w.ctx) }

// about makes p the program that constraint sets are made of.
func (r *run) about(p *ir.Program) {
	r.cfg.build = r.cfg.Semantics.Builder(p)
	r.cfg.deep = limited(r.ctx, r.cfg.build)
}

// prepare makes the space and checks the original.
func (r *run) prepare() error {
	cfg := &r.cfg
	st := formula.NewStore()
	var err error
	if r.sp, err = newSpace(st, r.p, cfg.Operators, hardOf(&cfg.Config), func() error { return context.Cause(r.ctx) }); err != nil {
		return err
	}
	r.stats.Space = len(r.sp.alts)
	if r.sp.p != r.p {
		r.p = r.sp.p
		r.onceAtLeast()
		r.about(r.p)
	}
	if cfg.Mode != Learn && len(r.sp.holes) > 0 {
		return &ModeError{r.sp.holed()}
	}
	if err := r.original(); err != nil || r.stats.Correct {
		return err
	}
	if err := r.strict(); err != nil {
		return err
	}
	if len(r.sp.alts) == 0 {
		return ErrNoSites
	}
	if err := r.readKept(); err != nil {
		return err
	}
	if cfg.Mode != Learn && cfg.Decide == nil {
		if r.v, err = newValidator(st, r.sp, cfg); err != nil {
			return err
		}
	}
	return r.begin()
}

// begin begins the search, with what the original's failing run teaches.
func (r *run) begin() error {
	o := &oracle{r}
	original, err := o.refuteOriginal()
	if err != nil {
		return err
	}
	c := cegis.Config{
		Space: r.sp.places(), Oracle: o, Original: original, NewSolver: r.cfg.NewSolver, Shard: r.cfg.Shard.Index, Shards: r.cfg.Shard.Of,
		Certify: o.certify, Accept: o.accept, LazyWeight: r.lazyWeight, LazyLimit: r.lazyLimit, Observer: r.observe,
		Pairs: true, Quick: r.sole && r.byLength,
	}
	if r.cfg.Prove != nil {
		c.Prove = o.prove
	}
	if r.cfg.Mode == Learn {
		c.Workers = r.cfg.Workers
		for i := range r.cfg.Keep {
			c.Examples = append(c.Examples, keptResult(i))
		}
	}
	if r.search, err = cegis.New(c); err != nil {
		return err
	}
	return defect(r.search.Begin(r.ctx))
}

// original checks the program itself, the candidate without changes, and
// keeps a failing run, which the interpreter has replayed.
func (r *run) original() error {
	if r.cfg.Decide != nil {
		return r.originalWhole()
	}
	res, err := bmc.Check(r.ctx, r.p, bmc.Config{
		Unwind: ssa.Unwind(r.cfg.Unwind), Loops: r.cfg.Loops, NewSolver: r.cfg.NewSolver, Semantics: r.cfg.Semantics,
	})
	r.calls += res.SATCalls
	r.stats.Complete = res.Complete
	if err != nil {
		return err
	}
	r.stats.Single, r.stats.Raised, r.cfg.Unwind, r.cfg.Loops = res.Single, res.Raised, res.Unwind, res.Loops
	r.first = verdict{complete: res.Complete}
	if len(res.Violations) > 0 {
		r.first, r.failed = verdict{stage: unsafe, model: res.Violations[0].Model}, res.Violations[0]
	}
	if err := r.proveOriginal(); err != nil {
		return err
	}
	r.stats.Correct = r.first.stage == passed
	r.sole = r.stats.Single && r.first.stage == unsafe && r.cfg.Mode == Learn && !r.cfg.AllowCuts && !ir.Concurrent(r.p)
	if r.sole {
		return r.beginSole()
	}
	return nil
}

func (r *run) observe(cegis.Stats) {
	if r.cfg.Observer != nil {
		r.count()
		r.cfg.Observer(*r.stats)
	}
}

// program returns the program that cand stands for.
func (r *run) program(cand candidate) *ir.Program {
	return r.sp.instantiated(r.p.Substitute(r.sp.changes(cand)))
}
