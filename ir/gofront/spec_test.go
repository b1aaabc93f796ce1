package gofront_test

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/go-amend/amend/ir/gofront"
	"github.com/go-amend/amend/ssa/bmc"
)

// TestSpecifications checks packages in testdata/specs, each a txtar archive.
// Lines of the prose say what to expect of runs:
//
//	PATTERN: holds
//	PATTERN: FILE:LINE, in FuzzX/seed#0
//	PATTERN: error: TEXT
//
// Everything is small, so that one run of the go command serves all.
func TestSpecifications(t *testing.T) {
	t.Parallel()
	names, err := filepath.Glob("testdata/specs/*.txtar")
	if err != nil || len(names) == 0 {
		t.Fatalf("no specifications: %v", err)
	}
	dir := t.TempDir()
	write(t, filepath.Join(dir, "go.mod"), []byte("module specs\n\ngo 1.26\n"))
	for i, name := range names {
		if i%oneIn(2) != 0 {
			continue
		}
		a, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		base := strings.TrimSuffix(filepath.Base(name), ".txtar")
		for _, f := range a.Files {
			at := filepath.Join(dir, base, f.Name)
			if err := os.MkdirAll(filepath.Dir(at), 0o777); err != nil {
				t.Fatal(err)
			}
			write(t, at, f.Data)
		}
		t.Run(base, func(t *testing.T) { specification(t, dir, base, string(a.Comment)) })
	}
}

func specification(t *testing.T, dir, base, prose string) {
	ps, err := gofront.Open(dir, "./"+base)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for line := range strings.Lines(prose) {
		pattern, want, ok := strings.Cut(strings.TrimSpace(line), ": ")
		if !ok || strings.Contains(pattern, " ") {
			continue
		}
		n++
		if got := verdict(t, ps, pattern, base); !strings.HasPrefix(got, want) {
			t.Errorf("%s: %s, want %s", pattern, got, want)
		}
	}
	if n == 0 {
		t.Error("nothing is expected")
	}
}

// verdict says what the runs of the tests that match pattern do.
func verdict(t *testing.T, ps *gofront.Packages, pattern, base string) string {
	t.Helper()
	p, err := ps.Lower(gofront.Config{Run: pattern})
	if err != nil {
		return "error: " + strings.ReplaceAll(err.Error(), base+"/", "")
	}
	res, err := bmc.Check(context.Background(), p.Program, bmc.Config{Unwind: 5, All: true})
	if err != nil {
		t.Fatal(err)
	}
	if len(res.Violations) == 0 {
		return "holds"
	}
	var out []string
	for i := range res.Violations {
		v := &res.Violations[i]
		at := v.Stmt.Span()
		s := filepath.Base(at.File) + ":" + strconv.Itoa(at.Line)
		if x, known := p.About(v.Model.Input); known != "" {
			s += ", in " + x.Name + "/" + known
		}
		out = append(out, s)
	}
	return strings.Join(out, "; ")
}

// TestAnnotated checks functions that use package spec.
func TestAnnotated(t *testing.T) {
	ps, err := gofront.Open("", "./testdata/annotated")
	if err != nil {
		t.Fatal(err)
	}
	for name, line := range map[string]int{"Holds": 0, "Fails": 19, "Late": 24, "Twice": 33} {
		p, err := ps.Lower(gofront.Config{Entry: name})
		if err != nil {
			t.Fatal(err)
		}
		got := 0
		if v := violated(t, p.Program); v != nil {
			got = v.Stmt.Span().Line
		}
		if got != line {
			t.Errorf("%s: violated on line %d, want %d", name, got, line)
		}
	}
}
