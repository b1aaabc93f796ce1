package main

// Go packages whose candidates are compiled and run: the oracle is the Go
// toolchain, with the package's own tests.

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/mutate"
	"github.com/go-amend/amend/mutate/gotest"
)

// The oracles that -oracle knows.
const (
	autoOracle    = "auto"
	formulaOracle = "formula"
	goOracle      = "go"
)

// tested is the label of repairs that tests pass on.
const tested = "tested"

// following is how long the front end may take to follow a package before the
// toolchain is asked instead.
const following = 20 * time.Second

var errUnfollowed = errors.New("the front end takes too long")

// formulaFlags say what formulas are to do.
var formulaFlags = []string{
	"entry", "unwind", "spurious", "rounds", "memory", "checks", "len", "solver", "certify", "method", "search", "slack", "keep", "distinct", "intervals",
	"allow-cuts", "prove", "prove-timeout", "reuse", "save", "strategy", "nocertify",
}

// validateOracle reports what -oracle can't be with.
func (o *options) validateOracle() error {
	switch o.oracle {
	case autoOracle, formulaOracle:
		return nil
	case goOracle:
	default:
		return fmt.Errorf("-oracle %s: want auto, formula or go", o.oracle)
	}
	if !o.isPackage() {
		return errors.New("-oracle go is for a Go package")
	}
	for _, name := range formulaFlags {
		if o.given[name] {
			return fmt.Errorf("-%s is for formulas: not with -oracle go", name)
		}
	}
	if _, err := o.toolchainSchemes(); o.command == "repair" && err != nil {
		return err
	}
	return nil
}

// isPackage reports whether the arguments name a Go package, which has tests,
// and no files.
func (o *options) isPackage() bool {
	if len(o.files) != 1 || strings.HasSuffix(o.files[0], ".go") {
		return false
	}
	ext, err := ending(o.files[0])
	return err == nil && ext == ".go"
}

// mayTest reports whether the toolchain may be asked where formulas don't
// follow: nothing was said that only they understand.
func (o *options) mayTest() bool {
	if o.oracle != autoOracle || o.command != "repair" && o.command != "localize" || !o.isPackage() {
		return false
	}
	if _, err := o.toolchainSchemes(); o.given["scheme"] && err != nil {
		return false
	}
	return !slices.ContainsFunc(formulaFlags, func(name string) bool { return o.given[name] })
}

// toolchainSchemes returns the schemes of candidates; all unless -scheme says
// which.
func (o *options) toolchainSchemes() ([]string, error) {
	if !o.given["scheme"] {
		return nil, nil
	}
	return gotest.ParseSchemes(o.scheme)
}

// follow loads the program. If formulas can't follow it and the toolchain may
// be asked, it returns no program, and says so.
func (c *command) follow(ctx context.Context) (*ir.Program, error) {
	if !c.mayTest() {
		return c.load(ctx)
	}
	limited, cancel := context.WithTimeoutCause(ctx, following, errUnfollowed)
	defer cancel()
	p, err := c.load(limited)
	var why *ir.UnsupportedError
	switch {
	case err == nil || ctx.Err() != nil:
		return p, err
	case c.test == "" && lacksMain(err):
	case errors.As(err, &why):
		fmt.Fprintf(c.stderr, "note: %s: %s is not supported by formulas\n", position(why.Span), why.Construct)
	case context.Cause(limited) == errUnfollowed:
		fmt.Fprintf(c.stderr, "note: formulas do not follow the package within %v\n", following)
	default:
		return nil, err
	}
	return nil, nil
}

// searching is how long formulas may search without finding anything before the
// toolchain is asked instead; it is half of what -timeout leaves, if less.
const searching = time.Minute

var errUnanswered = errors.New("formulas find nothing in time")

// attempt answers with formulas. If they end without any part of an answer and
// the toolchain may be asked, that answers, unless it sees no failure: it runs
// tests on what inputs they have.
func (c *command) attempt(ctx context.Context, p *ir.Program, by func(context.Context, *ir.Program) (*done, error)) (*done, error) {
	if !c.mayTest() {
		return by(ctx, p)
	}
	limit := searching
	if end, ok := ctx.Deadline(); ok {
		limit = min(limit, time.Until(end)/2)
	}
	limited, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	t := time.AfterFunc(limit, func() { cancel(errUnanswered) })
	defer t.Stop()
	c.answered = func() { t.Stop() }
	d, err := by(limited, p)
	if ctx.Err() != nil || !unanswered(d, err) {
		return d, err
	}
	fmt.Fprintf(c.stderr, "note: formulas end without an answer\n")
	tested, failed := c.toolchain(ctx)
	if failed != nil && (tested == nil || tested.Repairs == 0) || failed == nil && (tested.Status == "correct" || tested.Status == "holds") {
		return d, err
	}
	return tested, failed
}

// unanswered reports whether work ended without any part of an answer, and not
// by a mistake of the input's or the library's.
func unanswered(d *done, err error) bool {
	var internal *ir.InternalError
	if errors.As(err, &internal) || err != nil && inputError(err) || d == nil {
		return false
	}
	return d.Status == "" && d.Repairs == 0 && d.found == 0
}

// lacksMain reports whether err says that nothing was named to be run: then
// the tests of the package that fail are meant.
func lacksMain(err error) bool {
	e, ok := err.(*ir.Error)
	return ok && strings.HasPrefix(e.Msg, "no function main")
}

// position names a place in a message.
func position(s ir.Span) string {
	return strings.TrimSuffix(place{File: s.File, Line: s.Line, Col: s.Col}.String(), ": ")
}

// toolchain answers with candidates that are compiled and run.
func (c *command) toolchain(ctx context.Context) (*done, error) {
	fmt.Fprintf(c.stderr, "note: running the tests of %s\n", c.files[0])
	d := &done{Oracle: goOracle}
	schemes, err := c.toolchainSchemes()
	if err != nil {
		return nil, &usageError{err.Error()}
	}
	hard, err := parseHard(c.hard)
	if err != nil {
		return nil, &usageError{err.Error()}
	}
	s, err := gotest.Open(ctx, gotest.Config{
		Package: patterns(c.files)[0], Run: c.test, Schemes: schemes, MaxSize: c.size, Workers: c.jobs, Memory: c.mem, Observer: c.observeTests,
		Hard: func(function string, at ir.Span) bool { return hard.function(function) || hard.lineOf(at) },
	})
	if errors.Is(err, gotest.ErrPasses) {
		d.Status, d.Proof = map[string]string{"repair": "correct", "localize": "holds"}[c.command], tested
		return d, nil
	}
	if err != nil {
		return nil, err
	}
	defer s.Close()
	if err := hard.bind(s.Files()); err != nil {
		return nil, err
	}
	c.logf("failing: %s", strings.Join(s.Failing(), ", "))
	if names := s.Flaky(); len(names) > 0 {
		fmt.Fprintf(c.stderr, "note: flaky, and not asked: %s\n", strings.Join(names, ", "))
	}
	if names := s.Untested(); len(names) > 0 {
		fmt.Fprintf(c.stderr, "note: too slow, and not asked: %s\n", few(names))
	}
	if c.command == "localize" {
		return d, c.suspects(ctx, s, d)
	}
	return d, c.testedRepairs(ctx, s, d)
}

// observeTests shows how far the search is.
func (c *command) observeTests(s gotest.Stats) {
	c.progress.phase(s.Phase)
	c.searching(mutate.Stats{Size: s.Size, Candidates: s.Candidates, Repairs: s.Repairs})
}

// testedRepairs reports the repairs that the tests pass on.
func (c *command) testedRepairs(ctx context.Context, s *gotest.Suite, d *done) error {
	var err error
	for r, e := range s.Repairs(ctx) {
		if err = e; err != nil {
			break
		}
		d.Repairs++
		if err = c.reportTested(s, r, d.Repairs == 1); err != nil || d.Repairs == c.max {
			break
		}
	}
	st := s.Stats()
	d.Size, d.Candidates, d.Unwritten = st.Size, st.Candidates, st.Unwritten
	c.logf("%d alternatives, %d plausible, %d merged, %d refuted by other tests, %d stopped for their time", st.Alternatives, st.Plausible, st.Merged, st.Refuted, st.Timeouts)
	switch {
	case err != nil:
	case d.Repairs > 0 && d.Repairs == c.max:
		d.Status, d.Reason = "repaired", "max"
	case d.Repairs > 0:
		d.Status = "repaired"
	default:
		d.Status = "none"
	}
	return err
}

// reportTested reports r.
func (c *command) reportTested(s *gotest.Suite, r *gotest.Repair, first bool) error {
	p := &ir.Program{Files: s.Files()}
	c.saw(p.Files)
	out := &repair{Size: len(r.Schemes), Proof: tested, Why: "the failing tests pass, and those that passed still do", note: "tested: nothing is proved"}
	for _, e := range r.Patch {
		x := edit{place: placeOf(p, e.Span), Old: e.Old, New: e.New, Mutation: strings.Join(slices.Compact(slices.Clone(r.Schemes)), ", ")}
		x.EndLine, x.EndCol = e.End()
		out.Edits = append(out.Edits, x)
	}
	return c.announce(p, out, r.Patch, first)
}

// suspects reports the places that may need another value.
func (c *command) suspects(ctx context.Context, s *gotest.Suite, d *done) error {
	list, err := s.Localize(ctx)
	p := &ir.Program{Files: s.Files()}
	c.saw(p.Files)
	for i, l := range list {
		first, last := i, i
		same := func(j int) bool { return list[j].Angelic == l.Angelic && list[j].Suspicion == l.Suspicion }
		for first > 0 && same(first-1) {
			first--
		}
		for last+1 < len(list) && same(last+1) {
			last++
		}
		c.out.location(&location{
			place: placeOf(p, l.Span), Text: p.Text(l.Span), Score: &l.Suspicion, Rank: []int{first + 1, last + 1}, Angelic: l.Angelic,
		})
	}
	if d.found = len(list); err == nil {
		d.Status = "localized"
	}
	return err
}
