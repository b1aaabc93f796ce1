package gofix

import (
	"context"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"testing"
	"time"

	"golang.org/x/tools/go/analysis"

	"github.com/go-amend/amend/formula/sat"
)

// Library reads the packages that tests import, once for all tests.
var Library = importer.ForCompiler(token.NewFileSet(), "source", nil)

// passOf is a pass about a package with this text.
func passOf(t *testing.T, text string) *analysis.Pass {
	t.Helper()
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "p_test.go", text, 0)
	if err != nil {
		t.Fatal(err)
	}
	info := &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
		Implicits: map[ast.Node]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{}, Instances: map[*ast.Ident]types.Instance{},
	}
	pkg, err := (&types.Config{Importer: Library}).Check("p", fset, []*ast.File{f}, info)
	if err != nil {
		t.Fatal(err)
	}
	return &analysis.Pass{
		Fset: fset, Files: []*ast.File{f}, Pkg: pkg, TypesInfo: info, TypesSizes: types.SizesFor("gc", "amd64"),
		ReadFile: func(string) ([]byte, error) { return []byte(text), nil },
	}
}

// analyze returns how many solvers the analysis of a package with this text
// makes, and how much it reports.
func analyze(t *testing.T, text string, timeout time.Duration, solver func() sat.Solver) (made, found int) {
	t.Helper()
	c := &config{unwind: 5, length: 4, size: 1, max: 5, candidates: 100, scheme: "level2", terms: 1e6, timeout: timeout}
	c.newSolver = func() sat.Solver {
		made++
		return solver()
	}
	pass := passOf(t, text)
	pass.Report = func(analysis.Diagnostic) { found++ }
	if err := c.run(pass); err != nil {
		t.Fatal(err)
	}
	return made, found
}

// TestNoFiles analyzes what drivers make of a package of tests only.
func TestNoFiles(t *testing.T) {
	c := &config{external: true, load: true}
	if err := c.run(&analysis.Pass{Fset: token.NewFileSet(), Pkg: types.NewPackage("p", "p")}); err != nil {
		t.Error(err)
	}
}

// An endless solver solves until it is told to stop.
type endless struct{ sat.Solver }

func (endless) Solve(ctx context.Context, _ ...sat.Lit) (sat.Status, error) {
	<-ctx.Done()
	return sat.Unknown, context.Cause(ctx)
}

const fuzzWrong = "package p\n\nimport \"testing\"\n\nfunc FuzzSum(f *testing.F) {\n\tf.Fuzz(func(t *testing.T, a, b uint64) {\n" +
	"\t\tif (a+b)*(a+b) != a*a+a*b+b*b {\n\t\t\tt.Error(a, b)\n\t\t}\n\t})\n}\n"

// TestTimeout wants nothing to be said of a test that is too hard, though it
// fails.
func TestTimeout(t *testing.T) {
	if made, found := analyze(t, fuzzWrong, 10*time.Millisecond, func() sat.Solver { return endless{sat.New()} }); made == 0 || found != 0 {
		t.Errorf("too hard: %d solvers, %d diagnostics", made, found)
	}
	if testing.Short() { // TestSilent has one without
		return
	}
	if made, found := analyze(t, fuzzWrong, 0, sat.New); made == 0 || found == 0 {
		t.Errorf("without a timeout: %d solvers, %d diagnostics", made, found)
	}
}

// TestSilent wants no solving where nothing is specified.
func TestSilent(t *testing.T) {
	const wrong = "\nfunc Wrong(a []int, i int) int { return a[i] / len(a) }\n"
	if made, found := analyze(t, "package p\n"+wrong+"func main() { panic(Wrong(nil, 1)) }\n", 0, sat.New); made != 0 || found != 0 {
		t.Errorf("without a specification: %d solvers, %d diagnostics", made, found)
	}
	const test = "\nfunc TestWrong(t *testing.T) {\n\tif Wrong([]int{3}, 1) != 3 {\n\t\tt.Error()\n\t}\n}\n"
	if _, found := analyze(t, "package p\n\nimport \"testing\"\n"+wrong+test, 0, sat.New); found != 1 { // one run decides it
		t.Errorf("with one: %d diagnostics", found)
	}
	const fuzz = "\nfunc FuzzWrong(f *testing.F) {\n\tf.Fuzz(func(t *testing.T, i int) {\n\t\tif Wrong([]int{3}, i) != 3 {\n\t\t\tt.Error()\n\t\t}\n\t})\n}\n"
	if made, found := analyze(t, "package p\n\nimport \"testing\"\n"+wrong+fuzz, 0, sat.New); made == 0 || found != 1 {
		t.Errorf("with one that has inputs: %d solvers, %d diagnostics", made, found)
	}
}
