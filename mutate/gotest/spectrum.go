package gotest

import (
	"context"
	"errors"
	"math"
	"slices"
	"time"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/mutate/gotest/internal/schemata"
)

// This file records which statements each test executes, and how suspicious
// that makes them.

// A spectrum says which tests execute a statement.
type spectrum struct {
	failing []int            // by statement: how many do
	passing [][]string       // by statement: those that do
	steps   int64            // of the longest test
	each    map[string]int64 // of those that take the same again
	own     int64            // of all failing ones
	most    float64          // suspicion of any statement
	took    map[string]int64 // nanoseconds, of each test
	total   int              // failing tests
	turns   []int64          // by loop: how often it may go round
}

// slowest returns what the slowest test takes.
func (c *spectrum) slowest() time.Duration {
	most := int64(0)
	for _, t := range c.took {
		most = max(most, t)
	}
	return time.Duration(most)
}

// unlimited is a number of steps that no test takes.
const unlimited = 1 << 60

// trace finds places and runs each test once with a record of statements.
func (s *Suite) trace(ctx context.Context) error {
	s.phase("recording what tests execute")
	s.code = s.loaded.code
	s.places, s.steps = s.code.Places()
	files := make(map[string][]byte)
	for _, f := range s.code.Files {
		files[f.Name] = f.Steps()
	}
	marks := s.steps + s.code.Loops
	binary, err := s.instrumented(ctx, "statements", files, marks, nil)
	if err != nil {
		return err
	}
	w := s.newWorker(binary, marks, 0)
	defer w.stop()
	s.cover = &spectrum{failing: make([]int, s.steps), passing: make([][]string, s.steps), took: make(map[string]int64), each: make(map[string]int64)}
	s.cover.turns = slices.Repeat([]int64{1 << turnsLeast}, s.code.Loops)
	for _, name := range s.failing {
		wall := longest / 3
		if s.runsAway(name) {
			wall = hung
		}
		a, err := s.cover.record(ctx, w, name, wall)
		if err != nil {
			return err
		}
		if s.cover.turned(a, s.steps); s.runsAway(name) {
			s.cover.took[name] = 0 // which says nothing of one that ends
		}
		s.cover.total++
		s.cover.own += a.steps
		for i, m := range a.reached[:s.steps] {
			s.cover.failing[i] += int(m)
		}
	}
	for _, name := range s.looped(s.quickest(s.passing)) {
		a, err := s.cover.record(ctx, w, name, longest/3)
		if err != nil {
			return err
		}
		if s.cover.turned(a, s.steps); !a.passed {
			continue // only by itself: the patched source is asked
		}
		if more, err := s.cover.record(ctx, w, name, longest/3); err != nil {
			return err
		} else if more.passed && more.steps == a.steps {
			s.cover.each[name] = a.steps
		}
		for i, m := range a.reached[:s.steps] {
			if m != 0 {
				s.cover.passing[i] = append(s.cover.passing[i], name)
			}
		}
	}
	for i := range s.cover.failing {
		s.cover.most = max(s.cover.most, s.cover.suspicion(i))
	}
	return nil
}

// looped returns those tests that a loop can run.
func (s *Suite) looped(names []string) []string {
	return slices.DeleteFunc(names, func(n string) bool { return slices.Contains(s.loaded.apart, n) })
}

// instrumented builds a binary that runs tests in a loop.
// Limits are those of loops; without them they are recorded.
func (s *Suite) instrumented(ctx context.Context, name string, files map[string][]byte, marks int, limits []int64) (string, error) {
	o, err := s.looping(files, marks, limits)
	if err != nil {
		return "", err
	}
	binary, err := s.build(ctx, name, o, false)
	var b *buildError
	if errors.As(err, &b) {
		return "", ir.Internalf("gotest", "%s: %v", name, b)
	}
	return binary, err
}

// record runs one test.
func (c *spectrum) record(ctx context.Context, w *worker, name string, wall time.Duration) (answer, error) {
	start := time.Now()
	a, err := w.run(ctx, request{tests: []string{name}, steps: unlimited, wall: wall})
	c.took[name] = int64(time.Since(start))
	c.steps = max(c.steps, a.steps)
	return a, err
}

// hung is how long a test is looked at that doesn't end.
const hung = time.Second

// Loops that go round much more often than in any test that ends run away, nearly
// always; a candidate with one is run again after all others.
const (
	turnsMore  = 4  // binary digits
	turnsLeast = 14 // of a limit
)

// turned notes how often loops went round in a test that ended: the marks from
// first on.
func (c *spectrum) turned(a answer, first int) {
	if a.late || a.died {
		return
	}
	for i, digits := range a.reached[first:] {
		c.turns[i] = max(c.turns[i], 1<<min(int(digits)+turnsMore, 62))
	}
}

// suspicion returns Ochiai's coefficient of a statement.
func (c *spectrum) suspicion(step int) float64 {
	f := float64(c.failing[step])
	if f == 0 {
		return 0
	}
	return f / math.Sqrt(float64(c.total)*(f+float64(len(c.passing[step]))))
}

// reached returns the places that failing tests reach.
func (s *Suite) reached() (out []*schemata.Place) {
	for _, pl := range s.places {
		if s.cover.failing[pl.Step] > 0 && !s.hard(pl) {
			out = append(out, pl)
		}
	}
	return out
}

func (s *Suite) hard(pl *schemata.Place) bool {
	return s.cfg.Hard != nil && s.cfg.Hard(pl.Func, s.span(pl.File, pl.Start, pl.End))
}
