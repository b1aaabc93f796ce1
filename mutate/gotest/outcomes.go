package gotest

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
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
	passed map[string]bool
	took   time.Duration
}

// again is how often the tests are run to see which are flaky.
const again = 3

// longest bounds a run of tests that is not measured yet.
const longest = time.Minute

// runBase runs the tests of the package as it is.
func (s *Suite) runBase(ctx context.Context) error {
	s.phase("building the tests")
	binary, err := s.build(ctx, "original", nil)
	if err != nil {
		var b *buildError
		if errors.As(err, &b) {
			return &ir.Error{Msg: b.Error()}
		}
		return err
	}
	s.phase("running the tests")
	var runs []outcomes
	for i := range again {
		limit := longest
		if i > 0 {
			limit = 3*runs[0].took + 5*time.Second
		}
		o, err := s.tests(ctx, binary, s.names(), limit)
		if err != nil {
			return err
		}
		runs = append(runs, o)
	}
	s.base = runs[0]
	return s.divide(runs)
}

// names returns all tests.
func (s *Suite) names() []string { return append(slices.Clone(s.loaded.inside), s.loaded.outside...) }

// divide says which tests fail, pass and do now this, now that.
func (s *Suite) divide(runs []outcomes) error {
	asked := regexp.MustCompile(s.cfg.Run)
	for _, name := range s.names() {
		n := 0
		for _, o := range runs {
			if o.passed[name] {
				n++
			}
		}
		switch {
		case n == len(runs):
			s.passing = append(s.passing, name)
		case n > 0:
			s.flaky = append(s.flaky, name)
		case s.cfg.Run == "" || asked.MatchString(name):
			s.failing = append(s.failing, name)
		}
	}
	if len(s.failing) == 0 {
		return ErrPasses
	}
	return nil
}

// tests runs the named tests. One that ends the process fails, and those after
// it run in another; one that takes too long fails, too.
func (s *Suite) tests(ctx context.Context, binary string, names []string, limit time.Duration) (outcomes, error) {
	o := outcomes{passed: make(map[string]bool)}
	start := time.Now()
	for left := names; len(left) > 0; {
		done, err := s.process(ctx, binary, left, limit, o.passed)
		if err != nil {
			return o, err
		}
		left = slices.DeleteFunc(slices.Clone(left), func(n string) bool { return done[n] })
		if len(done) == 0 {
			break // they never begin
		}
	}
	o.took = time.Since(start)
	return o, nil
}

// process runs tests in one process and returns those that it began.
func (s *Suite) process(ctx context.Context, binary string, names []string, limit time.Duration, passed map[string]bool) (map[string]bool, error) {
	c := exec.Command(binary, "-test.v", "-test.run=^("+strings.Join(names, "|")+")$", fmt.Sprint("-test.timeout=", limit))
	c.Dir = s.loaded.dir
	var out bytes.Buffer
	c.Stdout = &out
	g := &group{cmd: c, memory: s.memory()}
	err := g.run(ctx, limit+time.Second)
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	begun := make(map[string]bool)
	for name, end := range ends(out.Bytes()) {
		begun[name] = true
		passed[name] = end == "PASS" || end == "SKIP"
	}
	if err == nil { // those that left no line were not run: by a TestMain, say
		for _, n := range names {
			begun[n] = true
		}
	}
	return begun, nil
}

var endLine = regexp.MustCompile(`^(?:=== RUN   |--- (PASS|FAIL|SKIP): )([A-Za-z_0-9\pL]+)(?: |$)`)

// ends returns how each test that began ended: "" if it didn't.
func ends(out []byte) map[string]string {
	ends := make(map[string]string)
	lines := bufio.NewScanner(bytes.NewReader(out))
	lines.Buffer(nil, 1<<26)
	for lines.Scan() {
		text := lines.Text()
		if i := strings.Index(text, "--- "); i > 0 && !strings.HasPrefix(text, " ") { // printed without a new line
			text = text[i:]
		}
		if m := endLine.FindStringSubmatch(text); m != nil && ends[m[2]] == "" {
			ends[m[2]] = m[1]
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
