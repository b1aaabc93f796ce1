package gofront_test

import (
	"context"
	"go/ast"
	"go/parser"
	"go/token"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/gofront"
	"github.com/go-amend/amend/sequentialize"
)

// TestThreads checks each function of testdata/threads and compares with its
// directive.
func TestThreads(t *testing.T) {
	t.Parallel()
	dir := filepath.Join("testdata", "threads")
	ps, err := gofront.Open(dir, ".")
	if err != nil {
		t.Fatal(err)
	}
	names, wants := threadPrograms(t, dir)
	for i, name := range names {
		if i%oneIn(10) != 0 {
			continue
		}
		p, err := ps.Lower(gofront.Config{Entry: name})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		res, err := sequentialize.Check(context.Background(), p.Program, sequentialize.Config{Rounds: 3, Unwind: 3})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		got := "holds"
		if len(res.Violations) > 0 {
			v := &res.Violations[0]
			got = v.Kind.String()
			if s := v.Stmt; s != nil {
				if at := ir.NewNames(p.Program).Place(s, v.Trace.Path); !strings.HasSuffix(at.File, ".go") {
					t.Errorf("%s: violation without a place: %+v", name, at)
				}
			}
		}
		want, _, _ := strings.Cut(wants[name], " ")
		if !res.Decided || got != want {
			t.Errorf("%s: %s (decided: %v), want %s", name, got, res.Decided, want)
		}
	}
}

// TestMutatedThreads changes sites of the same functions in the source, and
// wants that text to lower to what changing the program gives.
func TestMutatedThreads(t *testing.T) {
	t.Parallel()
	dir := filepath.Join("testdata", "threads")
	ps, err := gofront.Open(dir, ".")
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(3, 4))
	names, _ := threadPrograms(t, dir)
	changed := 0
	for i, name := range names {
		if i%oneIn(5) != 0 {
			continue
		}
		p, err := ps.Lower(gofront.Config{Entry: name})
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range p.Sites() {
			alts := alternatives(s)
			if len(alts) == 0 || !*all && r.IntN(3) > 0 {
				continue
			}
			if tryChange(t, ps, name, p.Program, s, alts[r.IntN(len(alts))]) {
				changed++
			}
		}
	}
	if changed < 50/oneIn(5) {
		t.Errorf("%d changes compared", changed)
	}
}

// threadPrograms returns the functions with a directive, and what that says.
func threadPrograms(t *testing.T, dir string) (names []string, wants map[string]string) {
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no programs: %v", err)
	}
	wants = map[string]string{}
	fset := token.NewFileSet()
	for _, name := range files {
		f, err := parser.ParseFile(fset, name, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Doc == nil {
				continue
			}
			for _, c := range fn.Doc.List {
				if want, ok := strings.CutPrefix(c.Text, "//threads:"); ok {
					names, wants[fn.Name.Name] = append(names, fn.Name.Name), want
				}
			}
		}
	}
	return names, wants
}
