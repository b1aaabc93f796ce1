package gotest

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"maps"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/go-amend/amend/ir"
)

// This file runs the tests of a binary in a process of their own, as go test
// does, and says how they end.

// outcomes says of each test whether it passed. Those that were skipped pass.
type outcomes struct {
	passed  map[string]bool          // those that ended
	skipped map[string]bool          // those that skipped, and subtests
	late    map[string]bool          // those that were stopped for their time
	full    map[string]bool          // those that took all memory
	each    map[string]time.Duration // as go test says
	took    time.Duration
	exited  bool // the last process ended as one does whose tests pass
}

// again is how often tests are run to see which are flaky: those that fail
// always, the others where that is no waste.
const again = 3

// longest bounds a run of tests that is not measured yet. Those that are not
// done by then are not asked, unless they are named.
const longest = 15 * time.Second

// quick is how long tests may take together that are run again without need:
// to see whether they are flaky, and of all candidates that are plausible.
const quick = 2 * time.Second

// runBase runs the tests of the package as it is.
func (s *Suite) runBase(ctx context.Context) error {
	s.phase("building the tests")
	binary, err := s.build(ctx, "original", nil, false)
	if err != nil {
		var b *buildError
		if errors.As(err, &b) {
			return &ir.Error{Msg: b.Error()}
		}
		return err
	}
	s.phase("running the tests")
	if err := s.list(ctx, binary); err != nil {
		return err
	}
	if s.base, err = s.first(ctx, binary); err != nil {
		return err
	}
	runs := []outcomes{s.base}
	for _, name := range s.hanging() {
		s.base.passed[name] = false
	}
	for range again - 1 {
		o, err := s.tests(ctx, binary, s.doubtful(), 3*s.base.took+5*time.Second)
		if err != nil {
			return err
		}
		runs = append(runs, o)
	}
	return s.divide(runs)
}

// first runs all tests once: those that are named, then the others.
func (s *Suite) first(ctx context.Context, binary string) (outcomes, error) {
	asked := regexp.MustCompile(s.cfg.Run)
	named := slices.DeleteFunc(s.names(), func(n string) bool { return !asked.MatchString(n) })
	others := slices.DeleteFunc(s.names(), asked.MatchString)
	o, err := s.tests(ctx, binary, named, longest)
	if err != nil {
		return o, err
	}
	more, err := s.tests(ctx, binary, others, longest)
	o.add(more)
	if err != nil || len(o.late) == 0 {
		return o, err
	}
	// What one that hangs left no time for. Those that are late now may be slow.
	left := slices.DeleteFunc(s.names(), func(n string) bool { _, ran := o.passed[n]; return ran || o.late[n] })
	more, err = s.tests(ctx, binary, left, longest/3)
	more.late = nil
	o.add(more)
	return o, err
}

// add adds the outcomes of other tests.
func (o *outcomes) add(more outcomes) {
	maps.Copy(o.passed, more.passed)
	maps.Copy(o.skipped, more.skipped)
	maps.Copy(o.late, more.late)
	maps.Copy(o.full, more.full)
	maps.Copy(o.each, more.each)
	o.took += more.took
}

// runsAway reports whether a test fails since it takes all time or memory that
// there is: what it takes is no measure of anything.
func (s *Suite) runsAway(name string) bool { return s.base.late[name] || s.base.full[name] }

// hanging returns the tests that failed since they took too long: those that
// are named, or all that did where no other test fails.
func (s *Suite) hanging() (names []string) {
	fails := false
	asked := regexp.MustCompile(s.cfg.Run)
	for _, n := range s.names() {
		if s.base.late[n] && asked.MatchString(n) {
			names = append(names, n)
		}
		passed, ended := s.base.passed[n]
		fails = fails || ended && !passed
	}
	if s.cfg.Run == "" && fails {
		return nil
	}
	return names
}

// doubtful returns the tests that are run again: those that failed, but for
// want of time or memory, and the quickest others.
func (s *Suite) doubtful() (names []string) {
	for _, n := range s.names() {
		if passed, ended := s.base.passed[n]; ended && !passed && !s.runsAway(n) {
			names = append(names, n)
		}
	}
	return append(names, s.quickest(s.names())...)
}

// quickest returns those of names that passed and that take no longer than
// quick together, the shortest first.
func (s *Suite) quickest(names []string) (out []string) {
	names = slices.DeleteFunc(slices.Clone(names), func(n string) bool { return !s.base.passed[n] })
	slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(s.base.each[a], s.base.each[b]) })
	total := time.Duration(0)
	for _, n := range names {
		if total += s.base.each[n]; total > quick {
			break
		}
		out = append(out, n)
	}
	return out
}

// names returns all tests.
func (s *Suite) names() []string {
	return slices.Concat(s.loaded.inside, s.loaded.outside, s.loaded.apart)
}

// list finds the fuzz targets, whose seeds go test runs, and the examples. They
// run in processes of their own only.
func (s *Suite) list(ctx context.Context, binary string) error {
	c := exec.Command(binary, "-test.list=.")
	c.Dir = s.loaded.dir
	c.Env = append(os.Environ(), "TMPDIR="+s.temp())
	var out bytes.Buffer
	c.Stdout = &out
	g := &group{cmd: c, memory: s.memory()}
	g.run(ctx, longest) // what it doesn't list is not asked
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	known := s.names()
	for _, name := range strings.Fields(out.String()) {
		if testName.MatchString(name) && !slices.Contains(known, name) {
			s.loaded.apart = append(s.loaded.apart, name)
		}
	}
	return nil
}

var testName = regexp.MustCompile(`^(Test|Fuzz|Example)[A-Za-z_0-9\pL]*$`)

// divide says which tests fail, pass and do now this, now that.
func (s *Suite) divide(runs []outcomes) error {
	asked := regexp.MustCompile(s.cfg.Run)
	for _, name := range s.names() {
		n, of := 0, 0
		for _, o := range runs {
			if passed, ran := o.passed[name]; ran {
				of++
				n += boolInt(passed)
			}
		}
		switch {
		case of == 0:
			s.untested = append(s.untested, name)
		case n == of && !s.base.skipped[name]:
			s.passing = append(s.passing, name)
		case n > 0 && n < of:
			s.flaky = append(s.flaky, name)
		case n == 0 && (s.cfg.Run == "" || asked.MatchString(name)):
			s.failing = append(s.failing, name)
		}
	}
	s.needed = s.failing
	s.failing = slices.DeleteFunc(slices.Clone(s.failing), func(n string) bool { return slices.Contains(s.loaded.apart, n) })
	if others := slices.DeleteFunc(slices.Clone(s.failing), func(n string) bool { return slices.Contains(s.loaded.counting, n) }); len(others) > 0 {
		s.failing = others
	}
	switch {
	case len(s.needed) == 0 && s.cfg.Run != "" && !slices.ContainsFunc(s.names(), asked.MatchString):
		return &ir.Error{Msg: "no test matches " + s.cfg.Run}
	case len(s.needed) == 0 && len(s.base.late) == 0 && len(s.untested) > 0 && len(s.untested) == len(s.names()):
		return &ir.UnsupportedError{Construct: "a package whose tests end before the first one begins", Hint: "let its variables and init functions, and those of its tests, do without what fails"}
	case len(s.needed) == 0 && slices.ContainsFunc(s.untested, asked.MatchString):
		return &ir.UnsupportedError{Construct: "tests that don't end within the limits of time and memory", Hint: "give them more, or name those that fail"}
	case len(s.needed) == 0:
		return ErrPasses
	case len(s.failing) == 0:
		return &ir.UnsupportedError{Construct: "a failing fuzz target or example (" + s.needed[0] + ") alone", Hint: "write a test that fails likewise"}
	}
	return nil
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// tests runs the named tests, for a time. One that ends the process fails, and
// those after it run in another. Where several had begun, side by side, each
// runs alone to see which it was.
func (s *Suite) tests(ctx context.Context, binary string, names []string, limit time.Duration) (outcomes, error) {
	o := newOutcomes()
	start := time.Now()
	end := start.Add(limit)
	for left := slices.Clone(names); len(left) > 0 && time.Now().Before(end); {
		cut, err := s.process(ctx, binary, left, time.Until(end), &o)
		if err != nil {
			return o, err
		}
		for _, n := range cut {
			if len(cut) == 1 || !time.Now().Before(end) {
				break
			}
			if _, err := s.process(ctx, binary, []string{n}, time.Until(end), &o); err != nil {
				return o, err
			}
		}
		n := len(left)
		left = slices.DeleteFunc(left, func(n string) bool { _, ran := o.passed[n]; return ran || o.late[n] })
		if len(left) == n {
			break // they never begin
		}
	}
	o.took = time.Since(start)
	return o, nil
}

func newOutcomes() outcomes {
	return outcomes{
		passed: make(map[string]bool), skipped: make(map[string]bool), late: make(map[string]bool), full: make(map[string]bool), each: make(map[string]time.Duration),
	}
}

// process runs tests in one process, notes how they ended and returns those
// that had begun when it ended: they fail, or are late.
func (s *Suite) process(ctx context.Context, binary string, names []string, limit time.Duration, o *outcomes) (cut []string, err error) {
	start := time.Now()
	c := exec.Command(binary, "-test.v=test2json", "-test.run=^("+strings.Join(names, "|")+")$", "-test.timeout=0")
	c.Dir = s.loaded.dir
	c.Env = append(os.Environ(), "TMPDIR="+s.temp())
	var out framed
	var end lastWords
	c.Stdout, c.Stderr = &out, &end
	g := &group{cmd: c, memory: s.memory()}
	o.exited = g.run(ctx, limit) == nil // how tests ended is in what it printed
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	late := time.Since(start) >= limit
	ends := ends(out.lines)
	for name, e := range ends {
		o.skipped[name] = o.skipped[name] || e.how == "SKIP" // subtests too
	}
	for _, name := range names {
		e, begun := ends[name]
		o.each[name] = e.took
		switch {
		case !begun:
		case e.how != "":
			o.passed[name] = e.how != "FAIL"
		case late:
			o.late[name] = true
		default:
			o.passed[name], o.full[name] = false, end.full
			cut = append(cut, name)
		}
	}
	return cut, nil
}

// lastWords hears whether a process ended for want of memory.
type lastWords struct{ full bool }

func (w *lastWords) Write(p []byte) (int, error) {
	w.full = w.full || bytes.Contains(p, []byte("out of memory"))
	return len(p), nil
}

// framed keeps the lines of what go test prints itself: see ends.
type framed struct {
	lines []byte
	line  []byte // that has not ended
}

func (w *framed) Write(p []byte) (int, error) {
	const most = 1 << 16 // of a line of a test's own, what comes last
	for part := range bytes.Lines(p) {
		if w.line = append(w.line, part...); len(w.line) > most {
			w.line = append(w.line[:0], w.line[len(w.line)-most/2:]...)
		}
		if part[len(part)-1] == '\n' {
			if bytes.IndexByte(w.line, mark) >= 0 {
				w.lines = append(w.lines, w.line...)
			}
			w.line = w.line[:0]
		}
	}
	return len(p), nil
}

// mark is what such lines begin with, though not always at the beginning of a
// line.
const mark = 0x16

var endLine = regexp.MustCompile(`^(?:=== RUN   |--- (PASS|FAIL|SKIP): )(\S+)(?: \((.*)\)|$)`)

// An end is how a test ended; one that didn't is zero.
type end struct {
	how  string
	took time.Duration
}

// ends returns how each test that began ended, and each subtest. The lines that
// say so begin with a mark that go test asks for; what tests print before it on
// the line is theirs.
func ends(out []byte) map[string]end {
	ends := make(map[string]end)
	for line := range bytes.Lines(out) {
		i := bytes.LastIndexByte(line, mark)
		if i < 0 {
			continue
		}
		text := strings.TrimRight(string(line[i+1:]), "\r\n")
		if m := endLine.FindStringSubmatch(text); m != nil && ends[m[2]].how == "" {
			took, _ := time.ParseDuration(m[3])
			ends[m[2]] = end{m[1], took}
		}
	}
	return ends
}

func (s *Suite) memory() int {
	if s.cfg.Memory > 0 {
		return s.cfg.Memory
	}
	return 4096
}
