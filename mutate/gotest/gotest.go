package gotest

import (
	"context"
	"os"
	"path/filepath"
	"time"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/mutate/gotest/internal/schemata"
)

// This file is what users see.

// Config says what to repair.
type Config struct {
	// Dir is where the go command runs; "" means the working directory.
	Dir string

	// Package is the package, as the go command names it; "" means the one
	// in Dir.
	Package string

	// Run names the failing tests, a regular expression over top-level
	// tests; "" means all that fail.
	Run string

	// Schemes are the names of the schemes whose changes are tried: see
	// Schemes. Empty means all.
	Schemes []string

	// Hard reports whether a place must not change; nil means none.
	Hard func(function string, at ir.Span) bool

	// MaxSize is the most changes in a repair; 0 means 1. The same change at
	// all places of the same text is one.
	MaxSize int

	// Workers is how many processes run candidates; 0 means 1. It affects
	// neither what is found nor the order, unless tests leave behind in their
	// process what nobody can put back.
	Workers int

	// Limit is the least time that a candidate may take; 0 means a second. A
	// candidate may take five times as long as the failing tests do now
	// beside it, and as long as the slowest test for each of them.
	Limit time.Duration

	// Memory is what a process of the tests may take, in MiB; 0 means 4096.
	Memory int

	// Observer is told what is done, between candidates.
	Observer func(Stats)
}

// Stats says how far a search is.
type Stats struct {
	Phase        string
	Places       int // that failing tests reach
	Alternatives int // at these
	Dropped      int // that don't compile
	Size         int // of candidates that are tried
	Candidates   int // that were run
	Plausible    int // that the failing tests pass on
	Merged       int // with the same values as an earlier one
	Refuted      int // by other tests, or by the patched source itself
	Unwritten    int // whose patched source doesn't compile
	Timeouts     int // candidates that were stopped for their time
	Repairs      int
	Exhausted    bool // everything up to MaxSize was tried
}

// A Repair is a patch with which the tests pass.
type Repair struct {
	Patch     ir.Patch
	Schemes   []string // of its changes
	Suspicion float64  // Ochiai's, of the most suspicious changed statement
}

// A Location is a place where another value may be needed.
type Location struct {
	Span      ir.Span
	Function  string
	Suspicion float64 // Ochiai's
	Angelic   bool    // some value here makes the failing tests pass
}

// A Suite is a package with its tests, some of which fail. It is not safe for
// concurrent use, and must be closed.
type Suite struct {
	cfg     Config
	dir     string // for temporary files
	loaded  *loaded
	base    outcomes // of the package as it is
	needed  []string // that fail
	failing []string // those of them that a loop can run
	passing []string
	flaky   []string

	untested []string // for their time
	vetted   bool     // vet accepts the package as it is
	unvetted bool     // it doesn't
	stats    Stats

	code   *schemata.Package
	places []*schemata.Place
	steps  int
	cover  *spectrum
}

// Open loads the package, builds it and runs its tests; those that fail, and
// the others as far as that takes seconds, three times. Running
// them does whatever they do: the caller must want that. The error of a
// package that can't be loaded or built is an *ir.Error; without a failing
// test it is ErrPasses.
func Open(ctx context.Context, cfg Config) (*Suite, error) {
	if err := supported(cfg); err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "amend-gotest")
	if err != nil {
		return nil, err
	}
	s := &Suite{cfg: cfg, dir: dir}
	if err := os.Mkdir(s.temp(), 0o700); err != nil {
		s.Close()
		return nil, err
	}
	if err := s.open(ctx); err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

func (s *Suite) open(ctx context.Context) (err error) {
	s.phase("loading the package")
	if s.loaded, err = load(ctx, s.cfg); err != nil {
		return err
	}
	if err := s.runBase(ctx); err != nil {
		return err
	}
	return s.trace(ctx)
}

// temp returns the folder for what tests leave behind.
func (s *Suite) temp() string { return filepath.Join(s.dir, "tests") }

// Close removes the temporary files.
func (s *Suite) Close() error { return os.RemoveAll(s.dir) }

// Failing returns the tests that a repair must make pass.
func (s *Suite) Failing() []string { return s.needed }

// Flaky returns the tests that passed in some of three runs and failed in
// others. They say nothing of repairs.
func (s *Suite) Flaky() []string { return s.flaky }

// Untested returns the tests that took too long to be asked.
func (s *Suite) Untested() []string { return s.untested }

// Files returns the files that may change.
func (s *Suite) Files() []*ir.File { return s.loaded.files }

// Stats says what was done so far.
func (s *Suite) Stats() Stats { return s.stats }

func (s *Suite) phase(name string) {
	s.stats.Phase = name
	s.observe()
}

func (s *Suite) observe() {
	if s.cfg.Observer != nil {
		s.cfg.Observer(s.stats)
	}
}
