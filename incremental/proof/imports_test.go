package proof_test

import (
	"go/parser"
	"go/token"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// trusted are the packages of this module that checking a proof may rest on:
// the control-flow automaton, formulas and programs, and nothing of the search.
var trusted = []string{"formula", "formula/sat", "incremental/cfa", "incremental/internal/bitset", "ir"}

// TestImports reads the imports of the package.
func TestImports(t *testing.T) {
	files, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if !strings.HasSuffix(f.Name(), ".go") || strings.HasSuffix(f.Name(), "_test.go") {
			continue
		}
		syntax, err := parser.ParseFile(token.NewFileSet(), f.Name(), nil, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range syntax.Imports {
			path, err := strconv.Unquote(x.Path.Value)
			if err != nil {
				t.Fatal(err)
			}
			if own, ok := strings.CutPrefix(path, "github.com/go-amend/amend/"); ok && !slices.Contains(trusted, own) {
				t.Errorf("%s imports %s", f.Name(), own)
			}
		}
	}
}
