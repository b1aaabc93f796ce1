package gofix

// Diagnostics for the tests of one package, and which fixes they have.

import (
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// A report is about the tests of one package.
type report struct {
	*config
	*target
	own     []*session // tests in the pass
	outside []*session // tests of package p_test
	passing []string
	failing []failure
}

// A failure is a test that fails.
type failure struct {
	*session
	diagnostic *analysis.Diagnostic
	outside    bool
}

// run checks all tests and reports those that fail.
func (r *report) run() error {
	for i, s := range append(r.own, r.outside...) {
		d, err := s.check()
		if err != nil {
			return err
		}
		if d == nil {
			r.passing = append(r.passing, s.name)
			continue
		}
		r.failing = append(r.failing, failure{s, d, i >= len(r.own)})
	}
	if len(r.failing) == 0 {
		return nil
	}
	if err := r.others(); err != nil {
		return err
	}
	if err := r.repair(); err != nil {
		return err
	}
	for _, f := range r.failing {
		r.tell(f)
	}
	return nil
}

// others looks for tests that pass and are not asked for. Fixes keep them.
func (r *report) others() error {
	known := map[string]bool{}
	for _, s := range slices.Concat(r.own, r.outside) {
		known[s.name] = true
	}
	var names []string
	for _, name := range r.packages.Tests() {
		if !known[name] {
			names = append(names, name)
		}
	}
	for _, s := range r.sessions(r.target, names) {
		d, err := s.check()
		if err != nil {
			return err
		}
		if d == nil {
			r.passing = append(r.passing, s.name)
		}
	}
	return nil
}

// repair looks for fixes. A driver applies those of all diagnostics, so one
// that repairs all tests belongs to the first only.
func (r *report) repair() error {
	var names []string
	for _, f := range r.failing {
		names = append(names, f.name)
	}
	fixes, err := r.fixes(names)
	if err != nil {
		return err
	}
	r.failing[0].diagnostic.SuggestedFixes = fixes
	if len(fixes) > 0 || len(names) == 1 {
		return nil
	}
	for i, name := range names {
		if r.failing[i].diagnostic.SuggestedFixes, err = r.fixes([]string{name}); err != nil {
			return err
		}
	}
	return nil
}

// fixes returns repairs of the tests with these names that keep what passes.
func (r *report) fixes(names []string) ([]analysis.SuggestedFix, error) {
	s := &session{config: r.config, target: r.target}
	if !s.lower("^(" + strings.Join(slices.Concat(names, r.passing), "|") + ")$") {
		return nil, nil
	}
	return s.fixes()
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
