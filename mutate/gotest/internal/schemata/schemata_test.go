package schemata

import (
	"flag"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the wanted texts in testdata")

// load type-checks one file without imports.
func load(t *testing.T, name string) (*Package, *Checker) {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, name, text, parser.SkipObjectResolution|parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	info := &types.Info{
		Types: make(map[ast.Expr]types.TypeAndValue), Defs: make(map[*ast.Ident]types.Object), Uses: make(map[*ast.Ident]types.Object),
		Selections: make(map[*ast.SelectorExpr]*types.Selection), Scopes: make(map[ast.Node]*types.Scope), Implicits: make(map[ast.Node]types.Object),
	}
	cfg := types.Config{Importer: importer.Default()}
	pkg, err := cfg.Check("demo", fset, []*ast.File{f}, info)
	if err != nil {
		t.Fatal(err)
	}
	c := &Checker{Path: "demo", Name: "demo", Config: cfg, Read: os.ReadFile}
	return &Package{Fset: fset, Types: pkg, Info: info, Files: []*File{{Name: name, Content: text, Syntax: f}}}, c
}

// TestAlternatives lists the alternatives of each file in testdata that the
// type checker leaves, beside the places.
func TestAlternatives(t *testing.T) {
	names, err := filepath.Glob("testdata/*.go.txt")
	if err != nil || len(names) == 0 {
		t.Fatalf("no files: %v", err)
	}
	for _, name := range names {
		p, c := load(t, name)
		places, steps := p.Places()
		p.Alternatives(places, func(string) bool { return true })
		files, dropped, err := p.Write(places, c)
		if err != nil {
			t.Fatal(err)
		}
		if bad, elsewhere := c.errors(files); len(bad) > 0 || elsewhere != nil {
			t.Errorf("%s: what is left does not compile: %v, %v", name, bad, elsewhere)
		}
		got := fmt.Sprintf("%d places, %d steps, %d dropped\n", len(places), steps, dropped) + listed(places)
		wanted := strings.TrimSuffix(name, ".go.txt") + ".want"
		if *update {
			if err := os.WriteFile(wanted, []byte(got), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(wanted)
		if err != nil {
			t.Fatal(err)
		}
		if got != string(want) {
			t.Errorf("%s: got\n%s", wanted, got)
		}
	}
}

func listed(places []*Place) string {
	var b strings.Builder
	for _, pl := range places {
		if len(pl.Alternatives) == 0 {
			continue
		}
		fmt.Fprintf(&b, "%s: %s\n", pl.Func, oneLine(string(pl.File.Content[pl.Start:pl.End])))
		for _, a := range pl.Alternatives {
			text := a.Text()
			if a.Insert {
				text = "(before) " + a.Edits[0].New
			}
			fmt.Fprintf(&b, "\t%d %s: %s\n", a.Cost, a.Scheme, oneLine(text))
		}
	}
	return b.String()
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// What is written without alternatives is the original with counters: taken
// out again it is the very text.
func TestWithoutAlternatives(t *testing.T) {
	p, c := load(t, "testdata/forms.go.txt")
	places, _ := p.Places()
	files, _, err := p.Write(places, c)
	if err != nil {
		t.Fatal(err)
	}
	f := p.Files[0]
	counters := regexp.MustCompile(` amend(Tick|Turn)\(\d*\); |amendEnter\(\d+\); `)
	if got := counters.ReplaceAllString(string(files[f.Name]), ""); got != string(f.Content) {
		t.Errorf("got\n%s", got)
	}
}
