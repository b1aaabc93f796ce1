package gofix

// Diagnostics for the tests of one package, and which fixes they have.

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// A report is about the tests of one package.
type report struct {
	*config
	*target
	own     []*subject // tests in the pass
	outside []*subject // tests of package p_test
	passing []*subject
	failing []failure
}

// A failure is a test that fails.
type failure struct {
	*subject
	diagnostic *analysis.Diagnostic
	outside    bool
}

// run checks all tests and reports those that fail.
func (r *report) run(ctx context.Context) error {
	for i, s := range append(r.own, r.outside...) {
		d, err := s.check(ctx)
		if unknown(ctx, err) {
			continue
		}
		if err != nil {
			return err
		}
		if d == nil {
			r.passing = append(r.passing, s)
			continue
		}
		r.failing = append(r.failing, failure{s, d, i >= len(r.own)})
	}
	if len(r.failing) == 0 {
		return nil
	}
	if err := r.others(ctx); err != nil {
		return err
	}
	if err := r.repair(ctx); err != nil {
		return err
	}
	for _, f := range r.failing {
		r.tell(f)
	}
	return nil
}

// unknown reports whether err only says that nothing is known of a test.
func unknown(ctx context.Context, err error) bool {
	return errors.Is(err, errUndecided) || err != nil && ctx.Err() != nil
}

// others looks for tests that pass and are not asked for. Fixes keep them.
func (r *report) others(ctx context.Context) error {
	known := map[string]bool{}
	for _, s := range slices.Concat(r.own, r.outside) {
		known[s.name] = true
	}
	var names []string
	for _, t := range r.packages.Tests() {
		if !known[t.Name] {
			names = append(names, t.Name)
		}
	}
	for _, s := range r.subjects(ctx, r.target, names) {
		d, err := s.check(ctx)
		if unknown(ctx, err) {
			continue
		}
		if err != nil {
			return err
		}
		if d == nil {
			r.passing = append(r.passing, s)
		}
	}
	return nil
}

// repair looks for fixes. A driver applies those of all diagnostics, so one
// that repairs all tests belongs to the first only.
func (r *report) repair(ctx context.Context) error {
	fixes, err := r.fixes(ctx, r.failing)
	if err != nil {
		return err
	}
	r.failing[0].diagnostic.SuggestedFixes = fixes
	if len(fixes) > 0 || len(r.failing) == 1 {
		return nil
	}
	for i := range r.failing {
		if r.failing[i].diagnostic.SuggestedFixes, err = r.fixes(ctx, r.failing[i:i+1]); err != nil {
			return err
		}
	}
	return nil
}

// fixes returns repairs of these tests that keep what passes.
func (r *report) fixes(ctx context.Context, failing []failure) ([]analysis.SuggestedFix, error) {
	var names []string
	code := map[string]bool{}
	for _, f := range failing {
		names = append(names, f.name)
		for k := range f.code() {
			code[k] = true
		}
	}
	for _, s := range r.passing {
		for k := range s.code() {
			if code[k] { // a repair may change it
				names = append(names, s.name)
				break
			}
		}
	}
	s := &subject{config: r.config, target: r.target}
	if !s.lower(ctx, "^("+strings.Join(names, "|")+")$") {
		return nil, nil
	}
	return s.fixes(ctx)
}

// code returns the procedures that may change and that the test reaches.
func (s *subject) code() map[string]bool {
	code := map[string]bool{}
	for _, f := range s.prog.Procs {
		if !f.Hard && f.Body != nil {
			code[fmt.Sprint(f.Name, f.Span)] = true
		}
	}
	return code
}

// tell reports f. The test of another package is reported with that package:
// only the fixes are this one's.
func (r *report) tell(f failure) {
	d := f.diagnostic
	switch fixes := d.SuggestedFixes; {
	case f.outside:
		if len(fixes) == 0 {
			return
		}
		d.Message = "here, because " + d.Message
		d.Pos, d.End = fixes[0].TextEdits[0].Pos, fixes[0].TextEdits[0].End
	case len(fixes) > 0 && !r.inPass(fixes[0]):
		d.Message += "; repair: " + fixes[0].Message
		d.SuggestedFixes = nil
	}
	r.pass.Report(*d)
}
