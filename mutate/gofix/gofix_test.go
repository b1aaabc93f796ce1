package gofix_test

import (
	"bytes"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/txtar"

	"github.com/go-amend/amend/mutate/gofix"
)

var update = flag.Bool("update", false, "rewrite the wanted outputs of the scenarios")

// TestScenarios runs the analyzer on the Go files of each scenario in
// testdata. "want" lists diagnostics and related information; a section for
// each fix, named by its message, lists the changed lines of the text that it
// makes. Lines "flag: value" in the prose set flags.
func TestScenarios(t *testing.T) {
	names, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(names) == 0 {
		t.Fatalf("no scenarios: %v", err)
	}
	for _, name := range names {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) { scenario(t, name) })
	}
}

func scenario(t *testing.T, name string) {
	a, err := txtar.ParseFile(name)
	if err != nil {
		t.Fatal(err)
	}
	x := load(t, a)
	an := gofix.New()
	for line := range strings.Lines(string(a.Comment)) {
		if f, v, ok := strings.Cut(strings.TrimSpace(line), ": "); ok && an.Flags.Lookup(f) != nil {
			if err := an.Flags.Set(f, v); err != nil {
				t.Fatal(err)
			}
		}
	}
	first := x.run(t, an)
	if !testing.Short() || name == "testdata/several.txtar" {
		if again := x.run(t, an); first != again {
			t.Errorf("the second run gives\n%s\nthe first\n%s", again, first)
		}
	}
	got := txtar.Parse([]byte(first)).Files
	var sources []txtar.File
	want := ""
	for _, f := range a.Files {
		if strings.HasSuffix(f.Name, ".go") {
			sources = append(sources, f)
			continue
		}
		want += "-- " + f.Name + " --\n" + string(f.Data)
	}
	if first == want {
		return
	}
	if !*update {
		t.Fatalf("got\n%s\nwant\n%s", first, want)
	}
	a.Files = append(sources, got...)
	if err := os.WriteFile(name, txtar.Format(a), 0o666); err != nil {
		t.Fatal(err)
	}
}

// A loaded is a type-checked package.
type loaded struct {
	fset  *token.FileSet
	files []*ast.File
	text  map[string][]byte
	pkg   *types.Package
	info  *types.Info
}

func load(t *testing.T, a *txtar.Archive) *loaded {
	t.Helper()
	x := &loaded{fset: token.NewFileSet(), text: map[string][]byte{}}
	for _, f := range a.Files {
		if !strings.HasSuffix(f.Name, ".go") {
			continue
		}
		g, err := parser.ParseFile(x.fset, f.Name, f.Data, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		x.files = append(x.files, g)
		x.text[f.Name] = f.Data
	}
	x.info = &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
		Implicits: map[ast.Node]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{}, Instances: map[*ast.Ident]types.Instance{},
	}
	conf := types.Config{Importer: gofix.Library}
	var err error
	if x.pkg, err = conf.Check("demo", x.fset, x.files, x.info); err != nil {
		t.Fatal(err)
	}
	return x
}

// run returns what the analyzer reports.
func (x *loaded) run(t *testing.T, a *analysis.Analyzer) string {
	t.Helper()
	var found []analysis.Diagnostic
	pass := &analysis.Pass{
		Analyzer: a, Fset: x.fset, Files: x.files, Pkg: x.pkg, TypesInfo: x.info,
		TypesSizes: types.SizesFor("gc", "amd64"),
		ReadFile:   func(name string) ([]byte, error) { return x.text[name], nil },
		Report:     func(d analysis.Diagnostic) { found = append(found, d) },
	}
	if _, err := a.Run(pass); err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	b.WriteString("-- want --\n")
	for _, d := range found {
		fmt.Fprintf(&b, "%s: %s [%s]\n", x.at(d.Pos, d.End), d.Message, d.Category)
		for _, r := range d.Related {
			fmt.Fprintf(&b, "\t%s: %s\n", x.at(r.Pos, r.End), r.Message)
		}
	}
	for _, d := range found {
		for _, f := range d.SuggestedFixes {
			fmt.Fprintf(&b, "-- %s --\n%s", f.Message, x.apply(t, f))
		}
	}
	return b.String()
}

func (x *loaded) at(pos, end token.Pos) string {
	p, q := x.fset.Position(pos), x.fset.Position(end)
	return fmt.Sprintf("%s:%d:%d-%d:%d", p.Filename, p.Line, p.Column, q.Line, q.Column)
}

// apply returns the lines that f changes, after parsing the text that it
// makes.
func (x *loaded) apply(t *testing.T, f analysis.SuggestedFix) string {
	t.Helper()
	byFile := map[string][]analysis.TextEdit{}
	for _, e := range f.TextEdits {
		name := x.fset.Position(e.Pos).Filename
		byFile[name] = append(byFile[name], e)
	}
	var names []string
	for n := range byFile {
		names = append(names, n)
	}
	sort.Strings(names)
	out := ""
	for _, n := range names {
		src := bytes.Clone(x.text[n])
		edits := byFile[n]
		sort.Slice(edits, func(i, j int) bool { return edits[i].Pos > edits[j].Pos })
		for _, e := range edits {
			from, to := x.fset.Position(e.Pos).Offset, x.fset.Position(e.End).Offset
			src = append(bytes.Clone(src[:from]), append(bytes.Clone(e.NewText), src[to:]...)...)
		}
		if _, err := parser.ParseFile(token.NewFileSet(), n, src, 0); err != nil {
			t.Errorf("fix %q: %v", f.Message, err)
		}
		before, after := strings.Split(string(x.text[n]), "\n"), strings.Split(string(src), "\n")
		for i := range after {
			if i < len(before) && before[i] != after[i] {
				out += fmt.Sprintf("%s:%d:%s\n", n, i+1, after[i])
			}
		}
	}
	return out
}
