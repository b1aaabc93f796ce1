package main

// Failing runs of programs with threads.

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/cfront/replay"
	gotest "github.com/go-amend/amend/ir/gofront/replay"
	"github.com/go-amend/amend/ir/interp"
	"github.com/go-amend/amend/mutate"
	"github.com/go-amend/amend/sequentialize"
	"github.com/go-amend/amend/ssa"
	"github.com/go-amend/amend/ssa/bmc"
)

// failingSchedules is failingRuns for a program with threads.
func (c *command) failingSchedules(ctx context.Context, p *ir.Program, all bool) (*bmc.Result, error) {
	if err := c.admitMemory(p); err != nil {
		return &bmc.Result{}, err
	}
	found, err := sequentialize.Check(ctx, p, sequentialize.Config{
		Rounds: c.rounds, Bounded: c.given["rounds"], Raise: !c.given["rounds"] && !c.given["unwind"], Unwind: ssa.Unwind(c.unwind), Strict: !c.spurious, All: all, NewSolver: c.newSolver(), Memory: c.memory,
	})
	c.covered = found.Rounds
	if found.All {
		c.every = "all"
	}
	c.failing, c.idle = found.Violations, found.Waits
	c.raised, c.loops = found.Raised != nil, found.Raised
	res := &bmc.Result{
		Decided: found.Decided, Complete: found.Complete, SATCalls: found.SATCalls,
		Unwind: c.unwind, Loops: c.loops, Raised: c.raised,
	}
	names := ir.NewNames(p)
	for i := range found.Violations {
		v := &found.Violations[i]
		res.Violations = append(res.Violations, v.Violation)
		c.schedule, c.covered = max(c.schedule, v.Rounds), max(c.covered, v.Rounds)
		e := describe(p, names, &v.Violation)
		e.schedule, e.story, e.run = scheduleOf(names, v.Trace), story(p, names, v.Trace), c.steps(p, names, v.Trace)
		c.out.violation(e)
		if i == 0 && c.replay != "" {
			if err := c.writeReplay(ctx, p, &v.Violation); err != nil {
				return res, err
			}
		}
	}
	return res, err
}

// admitMemory reports what a memory model other than sc has no meaning for.
func (c *command) admitMemory(p *ir.Program) error {
	isGo := slices.ContainsFunc(p.Files, func(f *ir.File) bool { return strings.HasSuffix(f.Name, ".go") })
	switch {
	case c.memory == ir.SC:
		return nil
	case isGo:
		return &ir.UnsupportedError{
			Span: p.Entry.Span, Construct: fmt.Sprintf("Go under -memory %v", c.memory),
			Hint: "look for races: Go means the same under sc where there are none",
		}
	case p.Checks.Has(ir.CheckRace):
		return &ir.UnsupportedError{
			Span: p.Entry.Span, Construct: fmt.Sprintf("looking for races under -memory %v", c.memory),
			Hint: "look for them under sc: a program that has none there means the same under both",
		}
	}
	return nil
}

// writeReplay writes a program that does what the run of v did: in C, as a Go
// test, or the sequential one in the text format.
func (c *command) writeReplay(ctx context.Context, p *ir.Program, v *bmc.Violation) error {
	text, err := c.replayOf(ctx, p, v)
	if err != nil {
		return err
	}
	if err := os.WriteFile(c.replay, text, 0o644); err != nil {
		return &ir.Error{Span: ir.Span{File: c.replay}, Msg: "-replay: " + reasonOf(err)}
	}
	return nil
}

func (c *command) replayOf(ctx context.Context, p *ir.Program, v *bmc.Violation) ([]byte, error) {
	switch {
	case strings.HasSuffix(c.replay, ".c"):
		return replay.Program(p, v.Trace)
	case strings.HasSuffix(c.replay, ".go"):
		if c.front.spec == nil || !strings.HasSuffix(c.replay, "_test.go") {
			return nil, &usageError{"-replay: a file of this name is for Go packages, and must end in _test.go"}
		}
		s, _ := c.front.spec.About(v.Model.Input)
		return gotest.File(p, v.Trace, s.Span)
	}
	q, _, err := sequentialize.Replay(ctx, p, v.Trace)
	if err != nil {
		return nil, err
	}
	return []byte(q.String()), nil
}

// errMoreRounds says that a search is to begin again, by schedules of more rounds.
var errMoreRounds = errors.New("more rounds")

// beyond reports whether p, right by all schedules of so many rounds, is right by
// all schedules, and whether that is known. If it is not right, c.schedule becomes
// the number of rounds that shows it.
func (c *command) beyond(ctx context.Context, p *ir.Program) (right, known bool, err error) {
	cfg := c.schedules()
	cfg.NewSolver = c.newSolver()
	res, err := sequentialize.Beyond(ctx, p, cfg)
	if err != nil || len(res.Violations) == 0 {
		return true, res.All, err
	}
	c.schedule = max(res.Violations[0].Rounds, cfg.Rounds+1)
	return false, true, nil
}

// failsLater reports whether a run of p fails beyond -unwind, where a usual run
// says how long loops are. These bounds, and the number of rounds, then become
// those of c.
func (c *command) failsLater(ctx context.Context, p *ir.Program) bool {
	if c.loops != nil || c.given["unwind"] {
		return false
	}
	cfg := c.schedules()
	cfg.NewSolver, cfg.Raise = c.newSolver(), true
	res, err := sequentialize.Check(ctx, p, cfg)
	if err != nil || res.Raised == nil || len(res.Violations) == 0 {
		return false
	}
	c.loops, c.schedule = res.Raised, max(c.schedule, res.Violations[0].Rounds)
	return true
}

// An everySchedule asks whether repairs are right by all schedules.
type everySchedule struct {
	c       *command
	known   map[*mutate.Repair]bool // those that are
	unknown bool                    // it is not known of some
}

// accept is a mutate.Config.Accept. If x, which has values that were searched for,
// is not right, others may be, and more rounds tell which.
func (s *everySchedule) accept(ctx context.Context, x *mutate.Repair) (bool, error) {
	before := s.c.schedule
	right, known, err := s.c.beyond(ctx, x.Program)
	if !right && !slices.ContainsFunc(x.Changes, func(ch mutate.Change) bool { return len(ch.Holes) > 0 }) {
		s.c.schedule = before
		return false, nil
	}
	if !right {
		return false, errMoreRounds
	}
	s.known[x], s.unknown = known, s.unknown || !known
	return true, err
}

// schedules is the semantics of programs: with threads, over the schedules of a
// failing run, if it is known, or of -rounds.
func (c *command) schedules() sequentialize.Config {
	rounds := c.rounds
	if c.schedule > 0 {
		rounds = c.schedule
	}
	return sequentialize.Config{Rounds: rounds, Unwind: ssa.Unwind(c.unwind), Loops: c.loops, Strict: !c.spurious}
}

// corrections reports the locations that avoid the failing run by themselves.
func (c *command) corrections(ctx context.Context, p *ir.Program, d *done) (*done, error) {
	cfg := sequentialize.Config{Unwind: ssa.Unwind(c.unwind), Loops: c.loops, Strict: !c.spurious, NewSolver: c.newSolver()}
	names := ir.NewNames(p)
	seen := make(map[ir.Span]bool)
	for x, err := range sequentialize.Corrections(ctx, p, &c.failing[0], cfg) {
		if err != nil {
			return d, err
		}
		s := names.Stmt(x.At)
		if s == nil || !inFiles(p, s.Span()) || seen[s.Span()] {
			continue
		}
		seen[s.Span()] = true
		c.out.location(&location{place: placeOf(p, s.Span()), Text: p.Text(s.Span()), Value: values(&x)})
	}
	d.found, d.Status = len(seen), "localized"
	return d, c.protections(ctx, p, d)
}

// values returns the different values that a correction gives to its
// location, where they differ from those of the run.
func values(x *sequentialize.Correction) string {
	var out []string
	for _, v := range x.Values {
		text := ir.FormatValue(v.Expr.Type(), v.Bits)
		if v.Other && !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	return strings.Join(out, ", ")
}

// scheduleOf returns the schedule of a run. A turn without a statement of its
// own, in which a thread starts, has the line where it stops.
func scheduleOf(names *ir.Names, t *interp.Trace) schedule {
	of := t.Schedule()
	out := schedule{Threads: of.Threads}
	for i, e := range t.Events {
		if i == 0 || e.Thread != t.Events[i-1].Thread || e.Drain || t.Events[i-1].Drain {
			out.Schedule = append(out.Schedule, moved{Turn: of.Turns[len(out.Schedule)]})
		}
		if m := &out.Schedule[len(out.Schedule)-1]; m.Line == 0 && e.Stmt != nil {
			m.Line = names.Place(e.Stmt, e.Path).Line
		}
	}
	for i := range out.Schedule {
		m := &out.Schedule[i]
		if s := names.Stmt(m.Until.At); m.Line == 0 && s != nil {
			m.Line = names.Place(s, m.Until.Path).Line
		}
	}
	return out
}

// story tells a run event by event, with what other threads hold then, what
// threads wait for at its end, and where it switched between them.
func story(p *ir.Program, names *ir.Names, t *interp.Trace) []string {
	var out []string
	held := make(holdings)
	for i, e := range t.Events {
		if e.Drain && e.Thread == t.Events[i-1].Thread && e.Var == t.Events[i-1].Var && e.Elem == t.Events[i-1].Elem {
			continue // at once
		}
		if e.Stmt == nil {
			if e.Thread != 0 {
				out = append(out, fmt.Sprintf("thread %d starts%s", e.Thread, held.others(e.Thread)))
			}
			continue
		}
		at := names.Place(e.Stmt, e.Path)
		if e.Drain {
			out = append(out, fmt.Sprintf("thread %d, line %d: %s%s", e.Thread, at.Line, oneLine(p.Text(at)), effect(&e)))
			continue
		}
		held.note(e.Thread, names.Stmt(e.Stmt.Key()))
		out = append(out, fmt.Sprintf("thread %d, line %d: %s%s%s", e.Thread, at.Line,
			oneLine(p.Text(at)), effect(&e), held.others(e.Thread)))
	}
	for _, e := range t.Next {
		if e.Waits && e.Stmt != nil {
			out = append(out, fmt.Sprintf("thread %d waits at line %d: %s%s", e.Thread, e.Stmt.Span().Line,
				oneLine(p.Text(e.Stmt.Span())), held.others(e.Thread)))
		}
	}
	if words := turns(names, t); words != nil {
		out = append(out, wrap(words, 74)...)
	}
	return out
}

// turns are the words for the context switches of a run.
func turns(names *ir.Names, t *interp.Trace) []string {
	words, last := []string{"switches"}, -1
	for _, e := range t.Events {
		if e.Stmt == nil || e.Drain || e.Thread == last {
			continue
		}
		words = append(words, fmt.Sprintf("(thread %d, line %d)", e.Thread, names.Place(e.Stmt, e.Path).Line))
		last = e.Thread
	}
	if len(words) == 1 {
		return nil // no thread was started yet
	}
	words[0] += " to " + words[1]
	return slices.Delete(words, 1, 2)
}

// holdings are the mutexes that threads hold, by their names.
type holdings map[int][]string

// note takes in an event of s, which may be nil. Waiting has two: the mutex is freed and taken
// again. Of a lock that is only tried the outcome isn't known here.
func (h holdings) note(thread int, s ir.Stmt) {
	switch s := s.(type) {
	case *ir.Lock:
		if !s.Try {
			h[thread] = append(h[thread], mutexName(s.Mutex))
		}
	case *ir.Unlock:
		h.drop(thread, mutexName(s.Mutex))
	case *ir.Wait:
		if m := mutexName(s.Mutex); !h.drop(thread, m) {
			h[thread] = append(h[thread], m)
		}
	}
}

// mutexName returns what a mutex is called; of an array, one with an unknown
// index has none of its own.
func mutexName(e ir.Expr) string {
	switch e := e.(type) {
	case *ir.Use:
		return e.Var.Name
	case *ir.Index:
		if c, ok := e.I.(*ir.Const); ok {
			return fmt.Sprintf("%s[%d]", mutexName(e.X), c.Val)
		}
		return "one of " + mutexName(e.X)
	}
	return "a mutex"
}

func (h holdings) drop(thread int, m string) bool {
	i := slices.Index(h[thread], m)
	if i >= 0 {
		h[thread] = slices.Delete(h[thread], i, i+1)
	}
	return i >= 0
}

// others says what threads but one hold.
func (h holdings) others(thread int) string {
	var words []string
	for _, t := range slices.Sorted(maps.Keys(h)) {
		if t != thread && len(h[t]) > 0 {
			words = append(words, fmt.Sprintf("thread %d holds %s", t, strings.Join(h[t], " and ")))
		}
	}
	if len(words) == 0 {
		return ""
	}
	return "; " + strings.Join(words, ", ")
}

// effect says which variable e reads or writes.
func effect(e *interp.Event) string {
	if e.Var == nil {
		return ""
	}
	name := e.Var.Name
	elem, n := ir.Scalar(e.Var.Type)
	if n > 1 {
		name += fmt.Sprintf("[%d]", e.Elem)
	}
	verb := "reads"
	switch {
	case e.Drain:
		return fmt.Sprintf("  (%s reaches memory: %s)", name, ir.FormatValue(elem, e.Value))
	case e.Write:
		verb = "writes"
	}
	return fmt.Sprintf("  (%s %s = %s)", verb, name, ir.FormatValue(elem, e.Value))
}

// weaker matches orders of atomic operations that are weaker than the strongest.
var weaker = regexp.MustCompile(`\b(memory_order_(relaxed|consume|acquire|release|acq_rel)|__ATOMIC_(RELAXED|CONSUME|ACQUIRE|RELEASE|ACQ_REL))\b`)

// weakOrder is where the C sources first name such an order, zero if they don't.
func weakOrder(files []*ir.File) ir.Span {
	for _, f := range files {
		at := weaker.FindIndex(f.Content)
		if at == nil || !strings.HasSuffix(f.Name, ".c") && !strings.HasSuffix(f.Name, ".h") {
			continue
		}
		before := string(f.Content[:at[0]])
		return ir.Span{
			File: f.Name, Start: at[0], End: at[1],
			Line: 1 + strings.Count(before, "\n"), Col: at[0] - strings.LastIndexByte(before, '\n'),
		}
	}
	return ir.Span{}
}
