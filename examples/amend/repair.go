package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/mutate"
	"github.com/go-amend/amend/mutate/scheme"
	"github.com/go-amend/amend/ssa"
	"github.com/go-amend/amend/ssa/bmc"
)

var searchModes = map[string]mutate.Mode{"learn": mutate.Learn, "slice": mutate.Slice, "basic": mutate.Basic}

// operators returns the operators of the schemes with these names, joined by
// commas.
func operators(names string) ([]*mutate.Operator, error) {
	ops, err := scheme.Parse(names)
	if bad, ok := errors.AsType[*scheme.NameError](err); ok {
		return nil, fmt.Errorf("-scheme: no scheme is called %q: want %s, or all (but synthesis, calls and memory)", bad.Name, strings.Join(scheme.Names(), ", "))
	}
	return ops, err
}

// waits reports whether -scheme changes how threads wait for each other. A
// program without threads is a mistake then, unless the name is all.
func (c *command) waits(p *ir.Program) (bool, error) {
	for name := range strings.SplitSeq(c.scheme, ",") {
		switch name = strings.TrimSpace(name); {
		case name == "locks" && !ir.Concurrent(p):
			return false, &usageError{"-scheme locks: the program has no threads"}
		case name == "locks", name == "all":
			return ir.Concurrent(p), nil
		}
	}
	return false, nil
}

// searchConfig returns what the flags say about the search.
func (c *command) searchConfig() (mutate.Config, error) {
	ops, err := operators(c.scheme)
	return c.searchBy(ops), err
}

// searchBy is searchConfig with operators of another choice.
func (c *command) searchBy(ops []*mutate.Operator) mutate.Config {
	cfg := mutate.Config{
		Operators: ops, Unwind: ssa.Unwind(c.unwind), Loops: c.loops, AllowCuts: c.allowCuts, MaxSize: c.size, Mode: searchModes[c.search], Workers: c.jobs, Intervals: c.intervals,
		Hard: c.front.hard.statement, NewSolver: c.newSolver(), Parse: c.front.parse, Observer: c.searching,
		Semantics: c.schedules(), Shard: c.part, Distinct: c.distinct,
	}
	switch {
	case c.given["slack"] && c.slack == 0:
		cfg.Slack = -1 // none
	case c.given["slack"]:
		cfg.Slack = c.slack
	}
	return cfg
}

// repair answers what all minimal repairs are. What holds by schedules of so many
// rounds, and by all schedules not, makes it begin again with more rounds.
func (c *command) repair(ctx context.Context, p *ir.Program) (*done, error) {
	avoided, err := c.avoided(ctx, p)
	if err != nil {
		return nil, err
	}
	c.recordFailure(ctx, p)
	told := make(map[string]bool)
	for {
		d, err := c.repairWithin(ctx, p, told)
		if d != nil {
			d.Avoided = avoided
		}
		if !errors.Is(err, errMoreRounds) {
			return d, err
		}
	}
}

// avoided says which changes no repair is, those after which a run gets to what
// is not supported, and returns at how many places. If runs get there as it is,
// and none fails, that is an error.
func (c *command) avoided(ctx context.Context, p *ir.Program) (int, error) {
	var refused []*ir.Assert
	p.Stmts(func(_ *ir.Proc, s ir.Stmt) {
		if a, ok := s.(*ir.Assert); ok && a.Kind == ir.Unsupported {
			refused = append(refused, a)
		}
	})
	if len(refused) == 0 {
		return 0, nil
	}
	if _, err := bmc.Check(ctx, p, bmc.Config{Unwind: ssa.Unwind(c.unwind), NewSolver: c.newSolver()}); err != nil {
		return 0, err
	}
	for _, a := range refused {
		at := a.Span()
		fmt.Fprintf(c.stderr, "note: changes after which a run gets to %s:%d:%d are left out: %s is not supported there\n", at.File, at.Line, at.Col, a.Text)
	}
	return len(refused), nil
}

// repairWithin is repair within the bounds as they are. Repairs in told were
// reported.
func (c *command) repairWithin(ctx context.Context, p *ir.Program, told map[string]bool) (*done, error) {
	if c.memory != ir.SC {
		return c.fence(ctx, p)
	}
	waits, err := c.waits(p)
	if err != nil {
		return nil, err
	}
	cfg, err := c.searchConfig()
	if err != nil {
		return nil, err
	}
	if cfg.Keep, err = c.kept(ctx, p); err != nil {
		return nil, err
	}
	var v *prover
	if c.options.prove {
		if v, err = c.newProver(p); err != nil {
			return nil, err
		}
		cfg.Prove = v.prove
	}
	every := &everySchedule{c: c, known: make(map[*mutate.Repair]bool)}
	if ir.Concurrent(p) && !c.given["rounds"] {
		cfg.Accept = every.accept
	}
	search, err := mutate.New(p, cfg)
	if err != nil {
		return nil, err
	}
	c.progress.phase("searching")
	complete, _ := c.schedules().AllRounds(ctx, p) // an error ends the search, too
	found, proved, full := 0, true, false
	for r, e := range search.Repairs(ctx) {
		if err = e; err != nil {
			break
		}
		if found++; c.answered != nil {
			c.answered()
		}
		c.raised, c.single = search.Stats().Raised || c.loops != nil, search.Stats().Single
		all, _ := c.schedules().AllRounds(ctx, r.Program)
		r.Complete = r.Complete && all
		complete = complete && r.Complete
		proved = proved && r.Proof.Reach == mutate.EveryBound
		out := &repair{
			Size: len(r.Changes), Edits: edits(p, r), Vacuous: r.Vacuous, Proof: r.Proof.Reach.String(), Why: c.why(r, waits, every.known[r]),
			likelier: r.Likelier, reach: c.reach(r),
		}
		if out.Apart, err = differenceOf(ctx, r); err != nil {
			break
		}
		if c.shard != "" {
			out.Alternatives, out.Rank = r.Alternatives, []int{r.Rank.Cost, r.Rank.Results, r.Rank.Paths, r.Rank.Held, r.Rank.Distance}
		}
		if key := r.Patch.Diff(p.Files); !told[key] {
			told[key] = true
			if err = c.announce(p, out, r.Patch, len(told) == 1); err != nil {
				break
			}
		}
		if full = found == c.max; full {
			break
		}
	}
	if m, ok := errors.AsType[*mutate.ModeError](err); ok {
		return nil, &usageError{fmt.Sprintf("-search %s: operator %q has values to find, which takes -search learn", c.search, m.Operator.Name)}
	}
	bare := errors.Is(err, mutate.ErrNoSites)
	if bare {
		err = nil
	}
	st := search.Stats()
	c.logf("%d alternatives, %d candidates, %d SAT calls", st.Space, st.Candidates, st.SATCalls)
	d := searched(st)
	d.Shard = c.shard
	d.Repairs = found // of those of one size, -max may leave out some
	d.Complete, d.raised = st.Complete && complete, st.Raised || c.loops != nil
	if ir.Concurrent(p) {
		d.Rounds = c.schedules().Rounds
	}
	if found > 0 && len(every.known) > 0 && !every.unknown {
		d.Schedules = "all"
	}
	if st.Correct && err == nil && cfg.Accept != nil {
		right, known, e := c.beyond(ctx, p)
		if err = e; !right || known && err == nil && c.failsLater(ctx, p) {
			return nil, errMoreRounds
		}
		if known {
			d.Schedules = "all"
		}
	}
	if st.Correct {
		proved = st.Proof.Reach == mutate.EveryBound
	}
	if c.options.prove && proved && (found > 0 || st.Correct) {
		d.Proof = mutate.EveryBound.String()
	}
	if c.save != "" {
		err = errors.Join(err, c.saveProof(p, v.series.Proof()))
	}
	switch {
	case err != nil:
	case full:
		d.Status, d.Reason = "repaired", "max"
	case st.Correct:
		d.Status = "correct"
	case found > 0:
		d.Status = "repaired"
	case bare:
		d.Status, d.Reason, d.Size = "none", noSitesReason, c.size
	default:
		d.Status = "none"
	}
	return d, err
}

// noSitesReason is why there is no repair where nothing may change.
const noSitesReason = "no place may change"

// searched returns what the done event says about a search.
func searched(st mutate.Stats) *done {
	return &done{raised: st.Raised, single: st.Single, Size: st.Size, Candidates: st.Candidates, Repairs: st.Repairs, Refuted: st.Refuted, Unwritten: st.Unwritten, Alike: st.Alike, SATCalls: st.SATCalls}
}

// announce reports a repair that patch makes, and writes it to the files if
// that is asked for.
func (c *command) announce(p *ir.Program, out *repair, patch ir.Patch, first bool) error {
	out.Elapsed = c.elapsed()
	files, err := patch.Apply(p.Files)
	if err != nil {
		return &ir.InternalError{In: "amend", Err: err}
	}
	if c.diff {
		out.Diff = patch.Diff(p.Files)
	}
	if c.write && first {
		err = writeFiles(p.Files, files)
		out.Written = err == nil
	}
	c.out.repair(out)
	return err
}

// why says in a sentence what was proved of r, by every schedule or not.
func (c *command) why(r *mutate.Repair, waits, every bool) string {
	if c.options.prove {
		return c.whyProved(r)
	}
	if r.Single {
		s := "its only run, which reads no input, violates no assertion, and ends"
		if r.Likelier != "" {
			s += "; likelier than the next: " + r.Likelier
		}
		return s
	}
	s := "no run " + c.within()
	rounds := count(c.schedules().Rounds, "round")
	switch {
	case every:
		s += ", by any schedule,"
	case ir.Concurrent(r.Program):
		s += ", by any schedule of " + rounds + ","
	}
	s += " violates an assertion"
	if waits {
		s += ", misuses a lock or gets stuck"
	}
	if r.Vacuous {
		return s + ", but some runs that ended before are now cut or stopped"
	}
	s += ", and all runs that ended before still end"
	if every {
		s += " (by any schedule of " + rounds + ")"
	}
	if r.Complete {
		s += "; no run is longer"
	}
	if r.Likelier != "" {
		s += "; likelier than the next: " + r.Likelier
	}
	return s
}

func edits(p *ir.Program, r *mutate.Repair) []edit {
	by := make(map[ir.SiteID]int) // the change
	for i, ch := range r.Changes {
		by[ch.Site] = i
		for _, also := range ch.Also {
			by[also.Site] = i
		}
	}
	out := make([]edit, len(r.Patch))
	for i, e := range r.Patch {
		out[i] = edit{place: placeOf(p, e.Span), Old: e.Old, New: e.New}
		out[i].EndLine, out[i].EndCol = e.End()
		var names []string
		var of []int
		for _, s := range e.Sites {
			if slices.Contains(of, by[s]) {
				continue
			}
			of = append(of, by[s])
			ch := &r.Changes[by[s]]
			names = append(names, ch.By.Name)
			for _, v := range ch.Holes {
				show := func(bits uint64) string { return ir.FormatValue(v.Type, bits) }
				out[i].Found = append(out[i].Found, found{show(v.Bits), show(v.Low), show(v.High)})
			}
		}
		out[i].Mutation = strings.Join(names, ", ")
	}
	return out
}

// frees reports whether the schemes have changes that free memory.
func (o *options) frees() bool {
	return slices.ContainsFunc(strings.Split(o.scheme, ","), func(s string) bool { return strings.TrimSpace(s) == "memory" })
}
