package main

// Go packages: tests and fuzz targets as specifications, and the fuzzing
// corpus.

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/gofront"
	"github.com/go-amend/amend/ssa/bmc"
)

// newGoFront loads the packages or files of o.
func newGoFront(ctx context.Context, o *options, observe func(functions int), hard *hardPatterns) (*front, error) {
	ps, err := gofront.Open("", patterns(o.files)...)
	if err != nil {
		return nil, err
	}
	checks, err := parseChecks(o.checks)
	if err != nil {
		return nil, err
	}
	cfg := gofront.Config{Run: o.test, Entry: o.entry, Hard: hard.function, MaxLen: o.length, Observer: observe}
	cfg.AllowRaces = o.given["checks"] && !checks.Has(ir.CheckRace)
	if tests := ps.Tests(); o.command == "check" && o.test == "" && !o.given["entry"] && len(tests) > 0 {
		return &front{hard: hard, packages: ps, tests: tests, lowering: cfg}, nil
	}
	f, err := lowered(ctx, ps, cfg, hard)
	if err != nil {
		return nil, withHint(o, ps.Tests(), err)
	}
	return f, hard.bind(f.files)
}

// lowered is the front of what cfg asks for.
func lowered(ctx context.Context, ps *gofront.Packages, cfg gofront.Config, hard *hardPatterns) (*front, error) {
	cfg.Fits = func(p *ir.Program) bool { return bmc.Fits(ctx, p) }
	first, err := ps.LowerContext(ctx, cfg)
	if err != nil {
		return nil, err
	}
	cfg.Fits, cfg.Observer = nil, nil // a change gets the memory of the original
	f := &front{hard: hard, files: first.Files, spec: first, packages: ps}
	var mu sync.Mutex // Packages are not safe for concurrent use
	f.parse = func(files []*ir.File) (*ir.Program, error) {
		mu.Lock()
		defer mu.Unlock()
		if len(files) > 0 && &files[0] == &first.Files[0] {
			return first.Program, nil
		}
		q, err := ps.With(files)
		if err != nil {
			return nil, err
		}
		p, err := q.Lower(cfg)
		if err != nil {
			return nil, err
		}
		return p.Program, nil
	}
	return f, nil
}

// patterns returns names as the go command has them: a folder begins with a
// dot or slash.
func patterns(names []string) []string {
	out := make([]string, len(names))
	for i, n := range names {
		if info, err := os.Stat(n); err == nil && info.IsDir() && !filepath.IsAbs(n) {
			n = "." + string(filepath.Separator) + filepath.Clean(n)
		}
		out[i] = n
	}
	return out
}

// withHint says which flags choose what to run.
func withHint(o *options, tests []gofront.Test, err error) error {
	e, ok := err.(*ir.Error)
	if !ok || o.test != "" || o.given["entry"] {
		return err
	}
	hint := ": give -run a test or fuzz target, or -entry a function"
	var names []string
	for _, t := range tests {
		names = append(names, t.Name)
	}
	if len(names) > 0 {
		hint = fmt.Sprintf(": give -run one of its tests (%s), -run . for all, or -entry a function", few(names))
	}
	return &ir.Error{Span: e.Span, Msg: e.Msg + hint}
}

// few lists the first of names.
func few(names []string) string {
	const most = 5
	if n := len(names) - most; n > 0 {
		return strings.Join(names[:most], ", ") + fmt.Sprintf(" and %d more", n)
	}
	return strings.Join(names, ", ")
}

// knownInput names the known input of a fuzz target that v is about, "" if
// there is none.
func (c *command) knownInput(v *bmc.Violation) string {
	if c.front.spec == nil {
		return ""
	}
	s, known := c.front.spec.About(v.Model.Input)
	if known == "" {
		return ""
	}
	return s.Name + "/" + known
}

// corpus writes the inputs of v as a file of the fuzzing corpus, so that go
// test runs them, and says so.
func (c *command) corpus(v *bmc.Violation) error {
	if c.front.spec == nil {
		return &usageError{"-write-corpus is for Go fuzz targets"}
	}
	if name := c.knownInput(v); name != "" {
		return c.note("known to go test already: " + name)
	}
	e, ok := c.front.spec.Corpus(v.Model.Input)
	if !ok {
		return &usageError{"-write-corpus: -run names no fuzz target"}
	}
	name := filepath.Join(e.Dir, e.Name)
	if wd, err := os.Getwd(); err == nil {
		if rel, err := filepath.Rel(wd, name); err == nil {
			name = rel
		}
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return &ir.Error{Span: ir.Span{File: name}, Msg: "-write-corpus: " + reasonOf(err)}
	}
	if err := os.WriteFile(name, e.Content, 0o666); err != nil {
		return &ir.Error{Span: ir.Span{File: name}, Msg: "-write-corpus: " + reasonOf(err)}
	}
	return c.note("written to " + name)
}

// regression writes the inputs of vs as tests and says so.
func (c *command) regression(vs []bmc.Violation) error {
	if c.front.spec == nil {
		return &usageError{"-write-test is for Go packages"}
	}
	var runs []gofront.Run
	for i := range vs {
		if name := c.knownInput(&vs[i]); name != "" {
			if err := c.note("known to go test already: " + name); err != nil {
				return err
			}
		}
		r := gofront.Run{Input: vs[i].Model.Input}
		for _, in := range vs[i].Trace.Inputs {
			if in.Used {
				r.Reads = append(r.Reads, in.Choice)
			}
		}
		runs = append(runs, r)
	}
	files, err := c.front.packages.Regression(c.front.spec, runs)
	if err != nil {
		return err
	}
	return c.writeTests(files)
}

// writeTests writes files, new ones and those with another text.
func (c *command) writeTests(files []*ir.File) error {
	var before, after []*ir.File
	for _, f := range files {
		old := slices.IndexFunc(c.front.files, func(g *ir.File) bool { return g.Name == f.Name })
		if old >= 0 {
			before, after = append(before, c.front.files[old]), append(after, f)
			continue
		}
		if err := create(f); err != nil {
			return &ir.Error{Span: ir.Span{File: f.Name}, Msg: "-write-test: " + reasonOf(err)}
		}
	}
	if err := writeFiles(before, after); err != nil {
		return err
	}
	for _, f := range files {
		if err := c.note("written to " + f.Name); err != nil {
			return err
		}
	}
	return nil
}

// create writes a file that must not be there.
func create(f *ir.File) error {
	w, err := os.OpenFile(f.Name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	_, err = w.Write(f.Content)
	return errors.Join(err, w.Close())
}

// note tells people something about what was reported last.
func (c *command) note(text string) error {
	if c.json {
		return nil
	}
	_, err := fmt.Fprintln(c.stdout, "    "+text)
	return err
}
