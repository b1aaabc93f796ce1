package house

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// What a language writes is said by its Syntax, with its front end. No other
// package asks which one a program is in, or has words of one of its own.

// words are in literals of C and Go sources, and their names.
var words = regexp.MustCompile(`pthread|\bsync\.|Lock\(\)|_test\.go|^"\.(c|h|go|ir)"$|__VERIFIER|__CPROVER`)

func TestNoLanguageOutsideFrontEnds(t *testing.T) {
	dirs := 0
	for _, line := range list(t, "{{.ImportPath}}:{{.Dir}}") {
		path, dir, _ := strings.Cut(line, ":")
		if pkg := within(path); !knowsLanguages(pkg) {
			dirs++
			languageOf(t, pkg, dir)
		}
	}
	if dirs < 10 {
		t.Errorf("%d packages looked at, want at least 10", dirs)
	}
}

// knowsLanguages reports whether pkg is a front end, or for the programs of
// one.
func knowsLanguages(pkg string) bool {
	switch first, _, _ := strings.Cut(pkg, "/"); first {
	case "examples":
		return true
	case "ir":
		return pkg != "ir" && pkg != "ir/build" && pkg != "ir/interp" && pkg != "ir/gen"
	}
	return pkg == "mutate/gofix" || pkg == "mutate/alloyfix" || strings.HasPrefix(pkg, "mutate/gotest")
}

// languageOf reports what the package in dir knows of languages.
func languageOf(t *testing.T, pkg, dir string) {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	fset := token.NewFileSet()
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(fset, name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if why := tells(n); why != "" && !(pkg == "ir" && filepath.Base(name) == "syntax.go") {
				t.Errorf("%s: %s", fset.Position(n.Pos()), why)
			}
			return true
		})
	}
}

// optional are what any Syntax may be besides.
var optional = map[string]bool{"ir.ThreadSyntax": true, "ir.FenceSyntax": true, "ir.MemorySyntax": true}

// tells returns what n says of one language, or "".
func tells(n ast.Node) string {
	isSyntax := func(e ast.Expr) bool { return strings.Contains(types.ExprString(e), "Syntax") }
	switch n := n.(type) {
	case *ast.BasicLit:
		if n.Kind == token.STRING && words.MatchString(n.Value) {
			return n.Value + " belongs to a language"
		}
	case *ast.TypeAssertExpr:
		if isSyntax(n.X) && (n.Type == nil || !optional[types.ExprString(n.Type)]) {
			return "asks for the type of a Syntax"
		}
	case *ast.BinaryExpr:
		if (n.Op == token.EQL || n.Op == token.NEQ) && (isSyntax(n.X) || isSyntax(n.Y)) {
			return "compares a Syntax"
		}
	}
	return ""
}

// TestTells checks that the rule finds what it is about.
func TestTells(t *testing.T) {
	for src, want := range map[string]bool{
		`p.Syntax == q.Syntax`:                      true,
		`ir.SyntaxOf(p).(cSyntax)`:                  true,
		`ir.SyntaxOf(p).(ir.ThreadSyntax)`:          false,
		`strings.HasPrefix(s, "pthread_join(")`:     true,
		`strings.HasSuffix(s, ".Lock()")`:           true,
		`strings.HasSuffix(name, ".c")`:             true,
		`p.Syntax.Words().Bare && p.Name == "main"`: false,
	} {
		e, err := parser.ParseExpr(src)
		if err != nil {
			t.Fatal(err)
		}
		got := false
		ast.Inspect(e, func(n ast.Node) bool { got = got || n != nil && tells(n) != ""; return true })
		if got != want {
			t.Errorf("tells(%s) = %v, want %v", src, got, want)
		}
	}
}
