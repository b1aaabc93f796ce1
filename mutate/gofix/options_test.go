package gofix

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"

	"github.com/go-amend/amend/formula/sat"
)

func testConfig() *config {
	return &config{unwind: 5, length: 4, size: 1, max: 5, candidates: 500, scheme: "level2", terms: 1e6, newSolver: sat.New}
}

// diagnostics runs c on pass.
func diagnostics(c *config, pass *analysis.Pass) (found []analysis.Diagnostic, err error) {
	pass.Report = func(d analysis.Diagnostic) { found = append(found, d) }
	err = c.run(pass)
	return found, err
}

// wrong has wrong functions, and wrongTests has their tests.
const wrong = `package p

func inc(x int8) int8    { return x - 1 }
func bit(n int8) int8    { return 1 << (n - 2) }
func quo(x, y int8) int8 { return x / (y - 2) }
`

const wrongTests = `package p

import "testing"

func TestInc(t *testing.T) {
	if inc(3) != 4 || inc(5) != 6 {
		t.Error()
	}
}

func TestBit(t *testing.T) {
	if bit(1) != 2 {
		t.Error()
	}
}

func TestQuo(t *testing.T) {
	if quo(9, 2) == 1 {
		t.Error()
	}
}
`

// TestOptions changes one option at a time.
func TestOptions(t *testing.T) {
	dir := t.TempDir()
	pass := passOfFiles(t, written(t, dir, "p.go", wrong), written(t, dir, "p_test.go", wrongTests))
	for _, test := range []struct {
		name  string
		set   func(c *config)
		tests string // that are reported, with the kind of what fails
		fails string // error
	}{
		{"none", func(c *config) {}, "TestBit shift, TestInc assert, TestQuo div", ""},
		{"run", func(c *config) { c.tests = "Inc$|Quo" }, "TestInc assert, TestQuo div", ""},
		{"no regular expression", func(c *config) { c.tests = "(" }, "", "missing closing )"},
		{"no such scheme", func(c *config) { c.scheme = "level9" }, "", "no scheme is called"},
		{"no candidates", func(c *config) { c.candidates = 0; c.tests = "Inc" }, "TestInc assert", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := testConfig()
			test.set(c)
			found, err := diagnostics(c, pass)
			if test.fails != "" {
				if err == nil || !strings.Contains(err.Error(), test.fails) {
					t.Errorf("error %v, want %s", err, test.fails)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if got := told(found); got != test.tests {
				t.Errorf("got %s, want %s", got, test.tests)
			}
			for _, d := range found {
				if len(d.Related) == 0 {
					t.Errorf("%s: no location", d.Message)
				}
				// No change repairs all, so that each has its own.
				if fixed := len(d.SuggestedFixes) > 0; d.Category == "assert" && fixed != (c.candidates > 0) {
					t.Errorf("%s: fixed %v", d.Message, fixed)
				}
			}
		})
	}
}

// told lists which tests are reported, and what fails.
func told(found []analysis.Diagnostic) string {
	var list []string
	for _, d := range found {
		name, _, _ := strings.Cut(d.Message, " ")
		list = append(list, name+" "+d.Category)
	}
	slices.Sort(list)
	return strings.Join(list, ", ")
}

// TestExternal repairs what a test in package p_test finds, along with p: the
// diagnostic is where the fix is.
func TestExternal(t *testing.T) {
	dir := t.TempDir()
	written(t, dir, "go.mod", "module example.org/p\n\ngo 1.24\n")
	written(t, dir, "p_test.go", `package p_test

import (
	"testing"

	"example.org/p"
)

func TestInc(t *testing.T) {
	if p.Inc(3) != 4 || p.Inc(5) != 6 {
		t.Error()
	}
}
`)
	pass := passOfFiles(t, written(t, dir, "p.go", "package p\n\nfunc Inc(x int8) int8 { return x - 1 }\n"))
	if found, err := diagnostics(testConfig(), pass); err != nil || len(found) != 0 {
		t.Errorf("without -external: %v, %v", found, err)
	}
	c := testConfig()
	c.external, c.load = true, true
	found, err := diagnostics(c, pass)
	if err != nil || len(found) != 1 || len(found[0].SuggestedFixes) == 0 {
		t.Fatalf("%v, %v", found, err)
	}
	d := found[0]
	if at := pass.Fset.Position(d.Pos); filepath.Base(at.Filename) != "p.go" || at.Line != 3 || !strings.HasPrefix(d.Message, "here, because TestInc fails") {
		t.Errorf("%v: %s", at, d.Message)
	}
	if m := d.SuggestedFixes[0].Message; m != "replace `x - 1` by `x + 1`" {
		t.Errorf("fix: %s", m)
	}
	c.tests = "Other"
	if found, err := diagnostics(c, pass); err != nil || len(found) != 0 {
		t.Errorf("other tests: %v, %v", found, err)
	}
}

// written writes a file and returns its name.
func written(t *testing.T, dir, name, text string) string {
	t.Helper()
	name = filepath.Join(dir, name)
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return name
}

// passOfFiles is a pass about a package on disk.
func passOfFiles(t *testing.T, names ...string) *analysis.Pass {
	t.Helper()
	fset := token.NewFileSet()
	var files []*ast.File
	for _, name := range names {
		f, err := parser.ParseFile(fset, name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	info := &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
		Implicits: map[ast.Node]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{}, Instances: map[*ast.Ident]types.Instance{},
	}
	pkg, err := (&types.Config{Importer: importer.ForCompiler(fset, "source", nil)}).Check("example.org/p", fset, files, info)
	if err != nil {
		t.Fatal(err)
	}
	return &analysis.Pass{Fset: fset, Files: files, Pkg: pkg, TypesInfo: info, TypesSizes: types.SizesFor("gc", "amd64"), ReadFile: os.ReadFile}
}
