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
	binary, err := s.instrumented(ctx, "statements", files, s.steps)
	if err != nil {
		return err
	}
	w := s.newWorker(binary, s.steps, 0)
	defer w.stop()
	s.cover = &spectrum{failing: make([]int, s.steps), passing: make([][]string, s.steps), took: make(map[string]int64), each: make(map[string]int64)}
	for _, name := range s.failing {
		a, err := s.cover.record(ctx, w, name)
		if err != nil {
			return err
		}
		s.cover.total++
		s.cover.own += a.steps
		for i, m := range a.reached {
			s.cover.failing[i] += int(m)
		}
	}
	for _, name := range s.looped(s.quickest(s.passing)) {
		a, err := s.cover.record(ctx, w, name)
		if err != nil {
			return err
		}
		if !a.passed {
			continue // only by itself: the patched source is asked
		}
		if more, err := s.cover.record(ctx, w, name); err != nil {
			return err
		} else if more.passed && more.steps == a.steps {
			s.cover.each[name] = a.steps
		}
		for i, m := range a.reached {
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
func (s *Suite) instrumented(ctx context.Context, name string, files map[string][]byte, marks int) (string, error) {
	o, err := s.looping(files, marks)
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
func (c *spectrum) record(ctx context.Context, w *worker, name string) (answer, error) {
	start := time.Now()
	a, err := w.run(ctx, request{tests: []string{name}, steps: unlimited, wall: longest / 3})
	c.took[name] = int64(time.Since(start))
	c.steps = max(c.steps, a.steps)
	return a, err
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
