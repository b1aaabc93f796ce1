package gofront_test

// Package variables that nothing mentions, which repairs may name.

import (
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/gofront"
	"github.com/go-amend/amend/mutate"
	"github.com/go-amend/amend/mutate/scheme"
)

// unmentionedFiles has variables in all the places that there are: 2 is what
// first has to return.
var unmentionedFiles = map[string]string{
	"go.mod": "module unmentioned\n\ngo 1.26\n",
	"a.go": `package unmentioned

var early int = 2

var early3 = 3

func first(a, b int) int { return a }

var late = negative + int(small)
`,
	"b.go": `package unmentioned

import "os"

type number int

var (
	negative       = -1
	small    int8  = 3
	other    int64 = 2
	named    number = 2
	zero     int
	not            = ^-3
	divided        = 4 / (small - 1)
	called         = len(os.Args) + 1
	pointed        = 2
	pair           = struct{ x int }{2}
)

func point() *int { return &pointed }
`,
	"a_test.go": `package unmentioned

import (
	"fmt"
	"testing"
)

var tested = 2

func TestFirst(t *testing.T) {
	if first(1, 2) != 2 {
		t.Error()
	}
}

func TestValues(t *testing.T) {
	for name, value := range map[string]int{"early": early, "early3": early3, "late": late, "negative": negative, "zero": zero, "not": not, "b": 2} {
		if value == 2 {
			fmt.Println("is 2:", name)
		}
	}
}
`,
}

// TestUnmentionedVariables checks that scheme variables proposes the integers
// of the package, where they may be named, with the values that Go gives them.
// Those whose initialization is a call or may panic, or that have an address,
// are left out.
func TestUnmentionedVariables(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, text := range unmentionedFiles {
		write(t, filepath.Join(dir, name), []byte(text))
	}
	run := exec.Command("go", "test", "-vet=off", "-run", "TestValues", "-v", ".")
	run.Dir = dir
	out, err := run.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	var want []string
	for line := range strings.Lines(string(out)) {
		if name, ok := strings.CutPrefix(strings.TrimSpace(line), "is 2: "); ok {
			want = append(want, name)
		}
	}
	ps, err := gofront.Open(dir, ".")
	if err != nil {
		t.Fatal(err)
	}
	cfg := gofront.Config{Run: "TestFirst"}
	p, err := ps.Lower(cfg)
	if err != nil {
		t.Fatal(err)
	}
	wantNameable(t, p.Program)
	var got []string
	for r, err := range mutate.Repairs(t.Context(), p.Program, mutate.Config{Operators: scheme.Variables(), Parse: lowersAgain(ps, cfg)}) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, r.Patch[0].New)
	}
	slices.Sort(want)
	if slices.Sort(got); !slices.Equal(got, want) {
		t.Errorf("a becomes %q, want %q", got, want)
	}
}

// wantNameable checks that what follows a function, or is declared in another
// file, can be named in it, unless a test declares it.
func wantNameable(t *testing.T, p *ir.Program) {
	t.Helper()
	first := p.Procs[slices.IndexFunc(p.Procs, func(f *ir.Proc) bool { return strings.HasSuffix(f.Name, "first") })]
	seen := 0
	for _, v := range p.Globals {
		if v.Span.IsZero() {
			continue
		}
		seen++
		if got, want := p.Nameable(first, v, first.Body.List[0].Span()), !strings.HasSuffix(v.Span.File, "_test.go"); got != want {
			t.Errorf("Nameable(%s) = %v", v.Name, got)
		}
	}
	if seen < 4 {
		t.Errorf("%d variables of the package, want at least 4", seen)
	}
}

// lowersAgain returns what reads changed files as ps did.
func lowersAgain(ps *gofront.Packages, cfg gofront.Config) func([]*ir.File) (*ir.Program, error) {
	return func(files []*ir.File) (*ir.Program, error) {
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
}
