package cfront_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/cfront"
)

// corpus returns programs that load, by name: those of the scenarios, with
// -short one in eight, and random ones.
func corpus(t testing.TB) map[string]program {
	t.Helper()
	out, err := loadCorpus()
	if err != nil {
		t.Fatal(err)
	}
	if len(out) < 8 && !testing.Short() {
		t.Fatalf("only %d programs", len(out))
	}
	return out
}

// loadCorpus does the work of corpus, once.
var loadCorpus = sync.OnceValues(func() (map[string]program, error) {
	out := map[string]program{}
	names, _ := filepath.Glob("testdata/*.txtar")
	for i, name := range names {
		if testing.Short() && i%8 != 0 {
			continue
		}
		a, err := txtar.ParseFile(name)
		if err != nil {
			return nil, err
		}
		p := program{cfg: config(string(a.Comment))}
		for _, f := range a.Files {
			if ext := filepath.Ext(f.Name); ext == ".c" || ext == ".h" {
				p.files = append(p.files, &ir.File{Name: f.Name, Content: slices.Clone(f.Data)})
			}
		}
		if _, err := cfront.Load(p.files, p.cfg); err == nil {
			out[name] = p
		}
	}
	r := rand.New(rand.NewPCG(1, 2))
	for i := range 1 {
		f := &ir.File{Name: "random.c", Content: []byte(newCase(r, i).source)}
		out[fmt.Sprint("random ", i)] = program{[]*ir.File{f}, cfront.Config{Entry: "run"}}
	}
	return out, nil
})

type program struct {
	files []*ir.File
	cfg   cfront.Config
}

// quoted are the texts of assertions, which follow the source.
var quoted = regexp.MustCompile(`(?m) "[^"]*"$`)

func text(p *ir.Program) string { return quoted.ReplaceAllString(p.String(), "") }

// replace returns files with the text at s replaced.
func replace(files []*ir.File, s ir.Span, text string) []*ir.File {
	out := slices.Clone(files)
	for i, f := range out {
		if f.Name == s.File {
			b := string(f.Content[:s.Start]) + text + string(f.Content[s.End:])
			out[i] = &ir.File{Name: f.Name, Content: []byte(b)}
		}
	}
	return out
}

func source(files []*ir.File, s ir.Span) string {
	for _, f := range files {
		if f.Name == s.File {
			return string(f.Content[s.Start:s.End])
		}
	}
	return ""
}

// every returns how many of n things a test looks at one of: all if
// AMEND_ALL is set, else about ten, two with -short.
func every(n int) int {
	switch {
	case os.Getenv("AMEND_ALL") != "":
		return 1
	case testing.Short():
		return max(1, n/2)
	}
	return max(1, n/10)
}

// TestSpans puts parentheses around the text of each expression that has
// one, site or not: the program stays the same.
func TestSpans(t *testing.T) {
	for name, c := range corpus(t) {
		checkSpans(t, name, c)
	}
}

// forJumps reports whether s is there for jumps alone: it sets or reads the
// flag of a label, or ends a loop that they make.
func forJumps(s ir.Stmt) bool {
	if b, ok := s.(*ir.Break); ok {
		return strings.HasPrefix(b.Label, "again")
	}
	flags := false
	ir.EachExpr(s, func(e *ir.Expr) {
		u, ok := (*e).(*ir.Use)
		flags = flags || ok && strings.HasPrefix(u.Var.Name, "goto_")
	})
	return flags
}

func checkSpans(t *testing.T, name string, c program) {
	t.Helper()
	p, err := cfront.Load(c.files, c.cfg)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	want := text(p)
	seen := map[ir.Span]bool{}
	step := every(len(p.Sites()))
	p.Stmts(func(_ *ir.Proc, s ir.Stmt) {
		if s.Loc() == s.Key() && s.Span().IsZero() && p.Stmt(s.Loc()) != nil && !libraryStmt(p, s) && !forJumps(s) {
			if _, ok := s.(*ir.Block); !ok {
				t.Errorf("%s: %s has no text", name, p.FormatStmt(s))
			}
		}
		ir.EachExpr(s, func(e *ir.Expr) {
			span := (*e).Span()
			if span.IsZero() || seen[span] {
				return
			}
			if seen[span] = true; len(seen)%step != 0 {
				return
			}
			old := source(c.files, span)
			q, err := cfront.Load(replace(c.files, span, "("+old+")"), c.cfg)
			if err != nil {
				t.Errorf("%s:%d:%d: (%s): %v", name, span.Line, span.Col, old, err)
			} else if got := text(q); got != want {
				t.Errorf("%s:%d:%d: (%s) is another program:\n%s\nwant\n%s", name, span.Line, span.Col, old, got, want)
			}
		})
	})
	if len(seen) == 0 {
		t.Errorf("%s: no expression has a text", name)
	}
}

// libraryStmt reports whether s is in a procedure without source text.
func libraryStmt(p *ir.Program, s ir.Stmt) bool {
	found := false
	p.Stmts(func(f *ir.Proc, t ir.Stmt) { found = found || s == t && f != nil && f.Span.IsZero() })
	return found
}

// TestEdits makes a change at each site, once in the program and once in
// the source: the results are the same program.
func TestEdits(t *testing.T) {
	total := 0
	for name, c := range corpus(t) {
		total += checkEdits(t, name, c)
	}
	if total < 200 && !testing.Short() {
		t.Errorf("only %d changes", total)
	}
}

// checkEdits returns the number of changes it made.
func checkEdits(t *testing.T, name string, c program) int {
	t.Helper()
	p, err := cfront.Load(c.files, c.cfg)
	if err != nil {
		t.Fatal(err)
	}
	total := 0
	step := every(len(p.Sites()))
	for i, s := range p.Sites() {
		if i%step != 0 {
			continue
		}
		change := mutation(*s.Occurrences[0])
		if change == nil {
			continue
		}
		total++
		changes := ir.Changes{s.ID: change}
		patch, err := p.Edits(changes)
		if err != nil {
			t.Errorf("%s: site %d: %v", name, s.ID, err)
			continue
		}
		files, err := patch.Apply(c.files)
		if err != nil {
			t.Errorf("%s: site %d: %v", name, s.ID, err)
			continue
		}
		q, err := cfront.Load(files, c.cfg)
		if err != nil {
			t.Errorf("%s: %v: %v", name, patch, err)
			continue
		}
		if got, want := bare(q), bare(p.Substitute(changes)); got != want {
			t.Errorf("%s: %q to %q: got\n%s\nwant\n%s", name, patch[0].Old, patch[0].New, got, want)
		}
	}
	return total
}

var tags = regexp.MustCompile(`@\d+`)

// bare is the text of p without the numbers of sites.
func bare(p *ir.Program) string { return tags.ReplaceAllString(text(p), "@") }

func mutation(e ir.Expr) func(ir.Expr) ir.Expr {
	switch e := e.(type) {
	case *ir.Const:
		if t, ok := e.Typ.(ir.Int); ok && e.Val < 1<<30 {
			return func(old ir.Expr) ir.Expr {
				c := *old.(*ir.Const)
				c.Val = ir.Wrap(t, c.Val+1)
				return &c
			}
		}
	case *ir.Binary:
		to, ok := map[ir.Op]ir.Op{
			ir.Add: ir.Sub, ir.Sub: ir.Add, ir.LAnd: ir.LOr, ir.LOr: ir.LAnd, ir.Lt: ir.Ge,
			ir.Eq: ir.Ne, ir.Ne: ir.Eq, ir.And: ir.Or, ir.Shl: ir.Shr,
		}[e.Op]
		if ok {
			return func(old ir.Expr) ir.Expr {
				b := *old.(*ir.Binary)
				b.Op = to
				return &b
			}
		}
	}
	return nil
}

// TestCorpusSpans is TestSpans and TestEdits for the programs that
// AMEND_BENCH names.
func TestCorpusSpans(t *testing.T) {
	root := os.Getenv("AMEND_BENCH")
	if root == "" {
		t.Skip("AMEND_BENCH names no folder of programs")
	}
	for _, names := range corpusFiles(t, root) {
		if strings.Contains(names[0], "tcas_v1") && !strings.HasSuffix(names[0], "tcas_v13.c") {
			continue // alike
		}
		c := program{readFiles(t, names), cfront.Config{Entry: corpusEntry(names)}}
		checkSpans(t, names[0], c)
		checkEdits(t, names[0], c)
	}
}
