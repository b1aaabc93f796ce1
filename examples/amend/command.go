package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/go-amend/amend/formula/relation"
	"github.com/go-amend/amend/formula/sat"
	"github.com/go-amend/amend/formula/sat/lrat"
	"github.com/go-amend/amend/incremental/proof"
	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/sequentialize"
	"github.com/go-amend/amend/ssa/bmc"
)

// A reporter shows events: to people or as JSON Lines.
type reporter interface {
	violation(*violation)
	command(*commandEvent)
	passing(*passing)
	test(*test)
	location(*location)
	repair(*repair)
	failure(*failure)
	done(*done)
}

// A command is one command line being executed.
type command struct {
	*options
	out      reporter
	stdout   *gate
	stderr   *gate
	progress *progress
	start    time.Time
	checked  *lrat.Certifier // of -certify, or nil
	records  *recorder       // of what is reported in files, or nil
	front    *front

	raised   bool             // a run that reads no input, or decides the bounds, needs more than -unwind
	single   bool             // there is no other run
	loops    map[ir.LocID]int // bounds of single loops, if threads have raised them
	covered  int              // rounds of threads that were looked at
	idle     bool             // threads may wait in loops, for ever too
	every    string           // "all" if all schedules were
	schedule int              // rounds of a failing run
	failing  []sequentialize.Violation

	answered   func() // to be called when there is a part of the answer, or nil
	unasserted bool   // the program has no assertion of its own

	stopped *bool // whether something ended the work early, for -cache

	drawing []byte // for -svg
	drawn   bool   // it is of a counterexample
}

func newCommand(o *options, stdout, stderr io.Writer) *command {
	p := newProgress(stderr)
	c := &command{options: o, progress: p, start: time.Now(), stopped: new(bool)}
	if o.certify {
		c.checked = &lrat.Certifier{New: func(p sat.Proof) sat.Solver { return sat.Options{Proof: p}.New() }}
	}
	c.stdout, c.stderr = &gate{w: stdout, before: p.clear}, &gate{w: stderr, before: p.clear}
	switch {
	case o.json:
		c.out = newJSONReporter(c.stdout)
	case o.inLines():
		c.out = silent{}
	default:
		c.out = &textReporter{w: c.stdout, stderr: c.stderr, o: o}
	}
	if o.reports() {
		c.records = newRecorder(o, c.out)
		c.out = c.records
	}
	return c
}

// abandon returns a command to report the end in place of c, whose work goes
// on but is no longer heard.
func (c *command) abandon() *command {
	c.progress.stop()
	c.stdout.shut()
	c.stderr.shut()
	d := newCommand(c.options, c.stdout.w, c.stderr.w)
	d.start, d.checked, d.stopped = c.start, c.checked, c.stopped
	if c.records != nil {
		d.records.takeOver(c.records)
	}
	d.progress.phase(c.progress.doing())
	return d
}

// A gate is a writer that can be shut.
type gate struct {
	mu     sync.Mutex
	w      io.Writer
	before func()    // called before each write
	copy   io.Writer // or nil
	closed bool
}

func (g *gate) Write(b []byte) (int, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.closed {
		return 0, io.ErrClosedPipe
	}
	g.before()
	if g.copy != nil {
		g.copy.Write(b)
	}
	return g.w.Write(b)
}

func (g *gate) shut() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.closed = true
}

var (
	errDeadline = errors.New("deadline")
	errMemory   = errors.New("memory")
)

// grace is how long work may take to notice that its context has ended, and
// to tell what it has found. While a program is read there is nothing to tell,
// and parsers don't look at the context.
const (
	grace        = 2 * time.Second
	readingGrace = 50 * time.Millisecond
)

// execute does what the command line says and returns the exit status.
func (c *command) execute(ctx context.Context) int {
	if c.timeout > 0 {
		var cancel func()
		ctx, cancel = context.WithTimeoutCause(ctx, c.timeout, errDeadline)
		defer cancel()
	}
	ctx, stop := limitMemory(ctx, c.mem)
	defer stop()
	defer c.progress.stop()

	type outcome struct {
		d   *done
		err error
	}
	result := make(chan outcome, 1)
	go func() {
		d, err := c.work(ctx)
		result <- outcome{d, err}
	}()
	select {
	case o := <-result:
		return c.finish(ctx, o.d, o.err)
	case <-ctx.Done():
	}
	patience := grace
	if strings.HasPrefix(c.progress.doing(), reading) {
		patience = readingGrace
	}
	select {
	case o := <-result:
		return c.finish(ctx, o.d, o.err)
	case <-time.After(patience):
		return c.abandon().finish(ctx, searched(c.progress.stats()), context.Cause(ctx))
	}
}

// work executes the command. It returns what the done event says, without
// what all of them say, and what ended the work early.
func (c *command) work(ctx context.Context) (d *done, err error) {
	defer func() {
		if r := recover(); r != nil {
			d, err = &done{}, ir.Panicked("amend", r)
		}
	}()
	if c.isModel() {
		return c.workModel(ctx)
	}
	if c.oracle == goOracle {
		return c.toolchain(ctx)
	}
	p, err := c.follow(ctx)
	if err != nil {
		return nil, err
	}
	switch {
	case p == nil && c.front != nil && c.front.tests != nil:
		return c.checkTests(ctx, c.front)
	case p == nil:
		return c.toolchain(ctx)
	}
	switch c.command {
	case "check":
		return c.check(ctx, p)
	case "localize":
		return c.attempt(ctx, p, c.localize)
	case "repair":
		return c.attempt(ctx, p, c.repair)
	case "prove":
		return c.prove(ctx, p)
	}
	return c.dump(ctx, p)
}

// reading is the phase before there is a program.
const reading = "reading"

// load reads the program; there is none if all tests are asked for.
func (c *command) load(ctx context.Context) (*ir.Program, error) {
	c.progress.phase(reading)
	f, err := newFront(ctx, c.options, func(n int) { c.progress.phase(reading + ", " + count(n, "function")) })
	if err != nil {
		return nil, err
	}
	if f.tests != nil {
		c.front = f
		return nil, nil
	}
	return c.read(f)
}

// read gets the program from f.
func (c *command) read(f *front) (*ir.Program, error) {
	c.front = f
	c.saw(f.files)
	defer c.progress.phase("")
	p, err := f.parse(f.files)
	if err != nil {
		return nil, err
	}
	c.saw(p.Files)
	for _, re := range f.hard.unmatched() {
		fmt.Fprintf(c.stderr, "note: -hard %s: no function that %s reaches is called so\n", re, p.Entry.Name)
	}
	c.unasserted = !asserts(p) && !ir.Concurrent(p) && f.spec == nil
	if c.unasserted && c.command != "dump" {
		fmt.Fprintf(c.stderr, "note: there is no assertion in the code that %s reaches\n", p.Entry.Name)
	}
	if at := weakOrder(f.files); !at.IsZero() && ir.Concurrent(p) && c.memory == ir.SC && c.command != "dump" {
		fmt.Fprintf(c.stderr, "note: %s:%d:%d: under -memory sc this order counts as memory_order_seq_cst, as all do; -memory tso lets stores be late\n", at.File, at.Line, at.Col)
	}
	c.logf("loaded %s, %s, %s", count(len(p.Procs), "function"), count(p.NumLocs(), "statement"), count(len(p.Sites()), "site"))
	return p, nil
}

// asserts reports whether p has assertions that somebody wrote.
func asserts(p *ir.Program) bool {
	found := false
	p.Stmts(func(f *ir.Proc, s ir.Stmt) {
		a, ok := s.(*ir.Assert)
		found = found || ok && (a.Kind == ir.CheckAssert || p.Syntax == nil)
	})
	return found
}

// logf says what is done, for -v.
func (c *command) logf(format string, args ...any) {
	if c.verbose {
		fmt.Fprintf(c.stderr, "%6d ms  %s\n", c.elapsed(), fmt.Sprintf(format, args...))
	}
}

func (c *command) elapsed() int64 { return time.Since(c.start).Milliseconds() }

// newSolver makes the solvers that -solver names.
func (c *command) newSolver() func() sat.Solver {
	switch {
	case c.checked != nil:
		return c.checked.NewSolver
	case c.solver == ownSolver:
		return sat.New
	case c.solver == giniSolver:
		return sat.NewGini
	}
	words := strings.Fields(c.solver)
	return func() sat.Solver { return sat.NewExternal(words[0], words[1:]...) }
}

// modelSolver is newSolver, but leaves the choice to who searches in models.
func (c *command) modelSolver() func() sat.Solver {
	if c.checked == nil && c.solver == ownSolver {
		return nil
	}
	return c.newSolver()
}

// finish reports how the work ended and returns the exit status.
func (c *command) finish(ctx context.Context, d *done, err error) int {
	c.progress.stop()
	if err != nil && inputError(err) {
		return c.reject(err)
	}
	if d == nil {
		d = &done{}
	}
	if err != nil {
		*c.stopped = true
		switch d.Reason = reason(ctx, err); d.Reason {
		case "internal", "solver", "bound", "budget", "certificate":
			c.complain(err)
		}
		if d.Status == "" {
			d.Status = "unknown"
		}
		if what := c.progress.doing(); strings.HasPrefix(what, reading) {
			d.during = what
		}
	}
	d.Command, d.Elapsed = c.command, c.elapsed()
	if c.checked != nil {
		n := c.checked.Count()
		d.Certified, d.Models, d.steps = n.Unsat, n.Sat, n.Steps
	}
	if c.command != "prove" && d.Oracle == "" {
		d.Unwind = c.unwind
	}
	if c.command != "dump" || d.Status == "unknown" {
		c.out.done(d)
	}
	return c.recorded(d.exitStatus())
}

// reason returns the contract's word for why work ended early.
func reason(ctx context.Context, err error) string {
	var internal *ir.InternalError
	switch cause := context.Cause(ctx); {
	case errors.As(err, &internal), errors.Is(err, relation.ErrUnconfirmed):
		return "internal"
	case cause == errDeadline, errors.Is(cause, context.DeadlineExceeded), err == errDeadline:
		return "deadline"
	case cause == errMemory:
		return "memory"
	case errors.Is(err, relation.ErrTooLarge) && cause == nil:
		return "budget"
	case errors.Is(err, proof.ErrUncovered) && cause == nil:
		return "certificate"
	}
	return bmc.Reason(ctx, err)
}

// inputError reports whether err is about the input: it says where, or that
// something isn't supported.
func inputError(err error) bool {
	for _, e := range split(err) {
		switch e.(type) {
		case *ir.Error, *ir.UnsupportedError, *usageError:
			return true
		}
	}
	return false
}

// split returns the errors that err joins.
func split(err error) []error {
	if j, ok := err.(interface{ Unwrap() []error }); ok {
		var out []error
		for _, e := range j.Unwrap() {
			out = append(out, split(e)...)
		}
		return out
	}
	return []error{err}
}

// A usageError is about the command line.
type usageError struct{ msg string }

func (e *usageError) Error() string { return e.msg }

// reject reports bad input or flags and returns their exit status.
func (c *command) reject(err error) int {
	c.complain(err)
	return c.recorded(2)
}

// complain reports err as events, one for each error that it joins.
func (c *command) complain(err error) {
	for _, e := range split(err) {
		f := &failure{Text: e.Error()}
		switch e := e.(type) {
		case *ir.Error:
			f.at(e.Span)
			f.Text = e.Msg
		case *ir.UnsupportedError:
			f.at(e.Span)
			f.Text = (&ir.UnsupportedError{Construct: e.Construct, Hint: e.Hint}).Error()
		}
		if e, ok := errors.AsType[*ir.InternalError](e); ok && e.Stack != nil {
			c.logf("%s", e.Stack)
		}
		c.out.failure(f)
	}
}

func (f *failure) at(s ir.Span) { f.File, f.Line, f.Col = s.File, s.Line, s.Col }
