package indexbounds_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"

	"github.com/go-amend/amend/examples/indexbounds"
)

const source = `package p

func Last(s []int8) int8 { return s[len(s)-1] }

func First(s []int8) int8 {
	if len(s) == 0 {
		return 0
	}
	return s[0]
}

func Middle(a [4]int, i int) int {
	if i < 0 {
		return 0
	}
	for i > 4 {
		i /= 2
	}
	return a[i]
}

func hidden(s []int8) int8 { return s[9] }
`

// TestAnalyzer wants a report for each function that can fail, with
// arguments that make it fail.
func TestAnalyzer(t *testing.T) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "p.go", source, 0)
	if err != nil {
		t.Fatal(err)
	}
	info := &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
		Selections: map[*ast.SelectorExpr]*types.Selection{}, Instances: map[*ast.Ident]types.Instance{}, Implicits: map[ast.Node]types.Object{},
	}
	pkg, err := (&types.Config{}).Check("p", fset, []*ast.File{f}, info)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	pass := &analysis.Pass{
		Analyzer: indexbounds.Analyzer, Fset: fset, Files: []*ast.File{f}, Pkg: pkg, TypesInfo: info,
		TypesSizes: types.SizesFor("gc", "amd64"),
		ReadFile:   func(string) ([]byte, error) { return []byte(source), nil },
		Report: func(d analysis.Diagnostic) {
			got = append(got, fmt.Sprintf("%d: %s", fset.Position(d.Pos).Line, d.Message))
		},
	}
	if _, err := indexbounds.Analyzer.Run(pass); err != nil {
		t.Fatal(err)
	}
	if len(got) != 2 || !strings.HasPrefix(got[0], "3: index out of bounds on line 3: Last(s.len = 0,") ||
		!strings.HasPrefix(got[1], "12: index out of bounds on line 19: Middle(") || !strings.Contains(got[1], "i = ") {
		t.Errorf("got %q", got)
	}
}
