package mutate

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/go-amend/amend/formula"
	"github.com/go-amend/amend/formula/sat"
	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/slice"
	"github.com/go-amend/amend/ssa"
	"github.com/go-amend/amend/ssa/bmc"
)

// A run is one search: Algorithm AllRepair, FL-AllRepair, or the loop of
// mode Learn. Only proofs leave its goroutine.
type run struct {
	orig   *ir.Program
	p      *ir.Program // orig, with latent statements
	cfg    Config
	stats  *Stats
	ctx    context.Context
	cancel context.CancelFunc
	sp     *space
	g      *generator
	v      *validator  // nil in mode Learn
	l      *learner    // nil in the other modes
	first  verdict     // on the original
	beyond []ssa.Model // inputs that repairs failed on beyond the bound
	kept   [][]uint64  // results on cfg.Keep
	known  []*lesson   // mode Learn: failing inputs

	workers int
	active  []job     // the oldest first
	plain   bool      // all single alternatives without holes are decided
	single  int       // where the next one with holes may be
	last    candidate // the one refuted last

	found  []placed // of the size that is being searched
	ranker *ranker  // made when it is needed
}

// A job is a candidate that is being proved.
type job struct {
	blocked sat.Lit // implies that the candidate is not proposed again
	done    chan result
}

// A result is what a proof came to.
type result struct {
	cand    candidate
	repair  *Repair // nil if it is none
	verdict verdict
	must    slice.Set // with validator: where a fix must touch
	calls   int
	filler  *filler // of a candidate with holes
	err     error
}

// A placed is a repair with its place in the order of the program text.
type placed struct {
	*Repair
	alts []int
}

// search runs the whole search.
func (s *Search) search(ctx context.Context, yield func(*Repair) bool) error {
	ctx, cancel := context.WithCancel(ctx)
	r := &run{orig: s.p, p: s.p, cfg: s.cfg, stats: &s.stats, ctx: ctx, cancel: cancel, workers: 1}
	if s.cfg.Mode == Learn {
		r.workers = max(s.cfg.Workers, 1)
	}
	r.cfg.Build = s.cfg.Build.Under(ctx)
	r.cfg.deep = limited(ctx, s.cfg.Build)
	r.cfg.Rebuild = func(p *ir.Program) ssa.Builder { return s.cfg.Rebuild(p).Under(ctx) }
	defer r.wait()
	defer r.cancel()
	if err := guarded(r.prepare); err != nil || s.stats.Correct {
		return err
	}
	for s.stats.Size = 1; s.stats.Size <= s.cfg.MaxSize; s.stats.Size++ {
		err := guarded(func() error { return r.size(s.stats.Size) })
		if !r.yield(yield) || err != nil {
			return err
		}
	}
	s.stats.Size = s.cfg.MaxSize
	s.stats.Exhausted = true
	return nil
}

// wait waits for the proofs that are under way.
func (r *run) wait() {
	for _, j := range r.active {
		<-j.done
	}
}

// yield passes on the repairs of one size, in order.
func (r *run) yield(yield func(*Repair) bool) bool {
	slices.SortFunc(r.found, placed.compare)
	for i, f := range r.found {
		if i+1 < len(r.found) && f.Proof.Reach == r.found[i+1].Proof.Reach {
			f.Likelier = f.Rank.Over(r.found[i+1].Rank)
		}
		if !yield(f.Repair) {
			return false
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
	added := placed{x, alts}
	for i, f := range r.found {
		if sameChanges(f.Changes, x.Changes) {
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

// compare orders repairs of one size.
func (p placed) compare(q placed) int {
	return cmp.Or(int(q.Proof.Reach)-int(p.Proof.Reach), p.Rank.Compare(q.Rank), slices.Compare(p.alts, q.alts))
}

// sameChanges reports whether a and b make the same program.
func sameChanges(a, b []Change) bool {
	return slices.EqualFunc(a, b, func(x, y Change) bool { return x.Site == y.Site && ir.EqualExpr(x.New, y.New) })
}

// loops returns the bounds of single loops, for runs with slack.
func (r *run) loops(slack int) map[ir.LocID]int {
	out := make(map[ir.LocID]int)
	for l, n := range r.cfg.Loops {
		out[l] = n + slack
	}
	return out
}

// prepare makes the space and checks the original.
func (r *run) prepare() error {
	cfg := &r.cfg
	st := formula.NewStore()
	var err error
	if r.sp, err = newSpace(st, r.p, cfg.Schemes, hardOf(cfg), func() error { return context.Cause(r.ctx) }); err != nil {
		return err
	}
	r.stats.Space = len(r.sp.alts)
	if r.sp.p != r.p {
		r.p = r.sp.p
		cfg.Build = cfg.Rebuild(r.p)
		cfg.deep = limited(r.ctx, cfg.Build)
	}
	if cfg.heavy == 0 {
		// Small spaces are covered by evaluation alone.
		cfg.heavy, cfg.patience = 16<<10, max(500, len(r.sp.alts))
	}
	if cfg.Mode != Learn && len(r.sp.holes) > 0 {
		return &ModeError{r.sp.holed()}
	}
	if err := r.original(); err != nil || r.stats.Correct {
		return err
	}
	if len(r.sp.alts) == 0 {
		return ErrNoSites
	}
	r.g = newGenerator(r.sp, cfg.NewSolver())
	if cfg.Mode == Learn {
		r.l = &learner{cfg: cfg, sp: r.sp, g: r.g}
		if err := r.readKept(); err != nil {
			return err
		}
		if r.first.stage == failsA {
			r.known = []*lesson{{model: r.first.model}}
		}
		return r.l.teach(candidate{}, &r.first)
	}
	if err := r.readKept(); err != nil {
		return err
	}
	if r.v, err = newValidator(st, r.sp, cfg); err != nil {
		return err
	}
	if r.first.stage == failsDeep {
		return r.refutedDeep(result{verdict: r.first})
	}
	r.v.short.learn(r.first.model)
	must, ok := r.v.short.refute(nil)
	if !ok {
		panic("mutate: the original's failing run does not fail")
	}
	r.block(candidate{}, must)
	return nil
}

// original checks the program itself, the candidate without changes, and
// keeps a failing run, which the interpreter has replayed.
func (r *run) original() error {
	res, err := bmc.Check(r.ctx, r.p, bmc.Config{
		Unwind: ssa.Unwind(r.cfg.Unwind), Loops: r.cfg.Loops, NewSolver: r.cfg.NewSolver, Build: r.cfg.Build, Run: r.cfg.Run,
	})
	r.stats.SATCalls += res.SATCalls
	r.stats.Complete = res.Complete
	if err != nil {
		return err
	}
	r.stats.Raised, r.cfg.Unwind, r.cfg.Loops = res.Raised, res.Unwind, res.Loops
	r.first = verdict{complete: res.Complete}
	if len(res.Violations) > 0 {
		r.first = verdict{stage: failsA, model: res.Violations[0].Model}
	}
	if err := r.proveOriginal(); err != nil {
		return err
	}
	r.stats.Correct = r.first.stage == passed
	return nil
}

func (r *run) observe() {
	if r.cfg.Observer != nil {
		r.cfg.Observer(*r.stats)
	}
}

// size finds the repairs of at most n changes.
func (r *run) size(n int) error {
	for {
		if err := r.propose(n); err != nil {
			return err
		}
		if len(r.active) == 0 {
			return nil // nothing more was proposed
		}
		// The oldest and no other: what is learned when must not depend on
		// which proof happens to be faster.
		j := r.active[0]
		r.active = r.active[1:]
		if err := r.take(<-j.done, j.blocked); err != nil {
			return err
		}
	}
}

// propose starts the proofs of candidates, as many as may run.
func (r *run) propose(n int) error {
	for len(r.active) < r.workers {
		r.observe()
		cand, err := r.next(n)
		if err != nil || cand.alts == nil {
			return err
		}
		r.stats.Candidates++
		if r.l != nil && r.l.refute(cand) {
			continue
		}
		if len(cand.fill) == 0 && slices.Equal(cand.alts, r.last.alts) {
			if r.l != nil && r.l.late { // a schedule may mean less for all alternatives together
				r.g.blockAgreeing(cand.alts, nil)
				continue
			}
			return &InternalError{Why: "a candidate that fails was proposed again"}
		}
		r.start(cand)
	}
	return nil
}

// next returns a candidate of at most n changes to prove, or no alternatives.
// Single alternatives with holes are tried one after another, when all others
// are decided: there is nothing to generate.
func (r *run) next(n int) (candidate, error) {
	var assume []sat.Lit
	for _, j := range r.active {
		assume = append(assume, j.blocked)
	}
	switch {
	case len(r.sp.holes) == 0:
	case n > 1:
		assume = append(assume, r.g.several)
	case !r.plain:
		assume = append(assume, r.g.f.Lit(r.sp.open).Not())
	default:
		return r.nextHoled(), nil
	}
	r.stats.SATCalls++
	cand, err := r.g.next(r.ctx, n, assume...)
	if err == nil && cand.alts == nil && n == 1 && len(r.sp.holes) > 0 {
		r.plain = true
		return r.nextHoled(), nil
	}
	return cand, err
}

// nextHoled returns the next alternative with holes.
func (r *run) nextHoled() candidate {
	for r.single < len(r.sp.alts) {
		k := r.single
		r.single++
		if n := r.sp.alts[k].holes; n > 0 {
			return candidate{alts: []int{k}, fill: make([]uint64, n)}
		}
	}
	return candidate{}
}

// start begins to prove cand.
func (r *run) start(cand candidate) {
	j := job{done: make(chan result, 1)}
	var f *filler
	if len(cand.fill) > 0 {
		f = r.newFiller(cand.alts, lessons(r.known))
	}
	if r.workers > 1 {
		j.blocked = r.g.f.SAT().NewVar()
		r.g.f.SAT().AddClause(append(r.g.without(cand.alts), j.blocked.Not())...)
	}
	if r.workers == 1 || f != nil && r.cfg.Prove != nil { // which is asked from this goroutine alone
		j.done <- r.inspect(cand, f)
	} else {
		go r.work(j, cand, f)
	}
	r.active = append(r.active, j)
}

// work inspects cand in a goroutine of its own. Whatever becomes of that, a
// plug-in may even end it, there is a result.
func (r *run) work(j job, cand candidate, f *filler) {
	out := result{cand: cand, filler: f, err: ir.Internalf("mutate", "a worker was ended by runtime.Goexit")}
	defer func() { j.done <- out }()
	defer caught(&out.err)
	out = r.inspect(cand, f)
}

// inspect decides whether cand is a repair, and certifies it if so. If it has
// holes, f looks for their values first.
func (r *run) inspect(cand candidate, f *filler) result {
	for {
		out := r.inspectOne(cand, f)
		if f == nil || out.verdict.stage != failsText {
			return out
		}
		f.exclude(out.cand)
	}
}

func (r *run) inspectOne(cand candidate, f *filler) result {
	out := result{cand: cand, filler: f}
	switch {
	case f != nil:
		var c candidate
		if c, out.verdict, out.err = f.simplest(); c.alts != nil {
			out.cand = c
		}
	case r.v != nil:
		out.verdict, out.must, out.err = r.v.validate(r.ctx, cand)
	default:
		out.verdict, out.err = decide(r.ctx, &r.cfg, r.sp.fixed(&r.cfg, cand, nil))
	}
	out.calls = out.verdict.calls
	if f != nil {
		out.calls = f.calls
	}
	if out.err != nil || !out.verdict.good(&r.cfg) {
		return out
	}
	switch keeps, err := r.keeps(r.program(out.cand)); {
	case err != nil:
		out.err = err
	case !keeps:
		out.verdict.stage = failsKeep
	default:
		out.certified(r)
	}
	return out
}

// certified makes the repair of a candidate that was proved to be one.
func (out *result) certified(r *run) {
	out.repair = &Repair{Vacuous: out.verdict.hides(), Complete: out.verdict.complete}
	calls, err := r.finish(out.cand, out.repair)
	out.calls += calls
	out.err = err
	if _, ok := errors.AsType[*unwritten](err); ok {
		out.verdict.stage, out.repair, out.err = failsText, nil, nil
	}
}

// take draws the conclusions from a result. The candidate may be proposed
// again from now on, as far as blocked goes.
func (r *run) take(out result, blocked sat.Lit) error {
	if r.workers > 1 {
		r.g.f.SAT().AddClause(blocked.Not())
	}
	r.stats.SATCalls += out.calls
	if out.err != nil {
		return out.err
	}
	if out.filler == nil { // which asks itself
		if err := r.proveResult(&out); err != nil {
			return err
		}
	}
	if !out.verdict.good(&r.cfg) {
		return r.refuted(out)
	}
	if out.filler != nil {
		r.remember(out.filler)
		if err := r.intervals(out.cand, out.repair); err != nil {
			return err
		}
	}
	out.repair.Proof = out.verdict.proof
	r.g.blockSupersets(out.cand.alts)
	return r.add(out.repair, out.cand.alts)
}

// program returns the program that cand stands for.
func (r *run) program(cand candidate) *ir.Program {
	return r.sp.settled(r.p.Substitute(r.sp.changes(cand)))
}

// intervals finds the values around those of the holes that do too, if they
// are asked for.
func (r *run) intervals(cand candidate, x *Repair) (err error) {
	if !r.cfg.Intervals {
		return nil
	}
	for i := range x.Changes {
		for j := range x.Changes[i].Holes {
			v := &x.Changes[i].Holes[j]
			if v.Low, v.High, err = r.interval(cand, v.nth); err != nil {
				return err
			}
		}
	}
	return nil
}

// remember takes over what a filler found out.
func (r *run) remember(f *filler) {
	r.stats.Candidates += max(f.tries, 1) - 1
	r.stats.Unwritten += f.unwritten
	for _, k := range f.known {
		if k.of == nil {
			k.of = &lesson{model: k.model, rest: k.rest}
			r.known = append(r.known, k.of)
		}
		k.of.hits = max(k.of.hits, k.hits)
	}
}

// unfilled tells the generator that no values make the alternatives of a
// candidate a repair. Of several alternatives some may be to blame, in other
// sets too, which a constraint on the input that says so rules out.
func (r *run) unfilled(out result) error {
	r.remember(out.filler)
	if len(out.cand.alts) == 1 {
		return nil // there is no second try
	}
	r.g.blockAgreeing(out.cand.alts, nil)
	for _, k := range out.filler.known {
		if k.told && !k.of.learned {
			k.of.learned = true
			return r.l.learn(k, true)
		}
	}
	return nil
}

// refuted tells the generator that a candidate fails.
func (r *run) refuted(out result) error {
	r.last = out.cand
	switch {
	case out.filler != nil:
		return r.unfilled(out)
	case out.verdict.stage == failsText:
		r.stats.Unwritten++
		r.g.blockAgreeing(out.cand.alts, nil)
	case out.verdict.stage == failsKeep && r.l != nil:
		return &InternalError{Why: "a candidate that changes what is to be kept was proposed"}
	case out.verdict.stage == failsKeep:
		r.g.blockAgreeing(out.cand.alts, nil)
	case out.verdict.stage == failsDeep:
		return r.refutedDeep(out)
	case r.l != nil:
		k := &lesson{model: out.verdict.model, rest: out.verdict.stage == failsRest, hits: 1}
		r.known = append(r.known, k)
		return r.l.learn(k, false)
	case out.verdict.alone:
		r.g.blockAgreeing(out.cand.alts, nil)
	default:
		r.block(out.cand, out.must)
	}
	return nil
}

// block blocks a candidate, and in mode Slice what agrees with it on the
// must location set of a failing run.
func (r *run) block(cand candidate, must slice.Set) {
	if r.cfg.Mode == Basic {
		r.g.blockAgreeing(cand.alts, nil)
	} else {
		r.g.blockAgreeing(cand.alts, r.sp.sitesIn(must))
	}
}
