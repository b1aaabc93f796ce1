package schemata

import (
	"bytes"
	_ "embed"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// This file writes what is compiled in beside the rewritten files.

//go:embed runtime.go.txt
var runtimeText string

//go:embed loop.go.txt
var loopText string

//go:embed state.go.txt
var stateText string

// Runtime returns what chooses among alternatives, with room for n marks, of
// places or statements. Limits say how often each loop may go round; without
// them that is recorded, in marks from first on.
func Runtime(pkg string, n, loops, first int, limits []int64) []byte {
	text := filled(runtimeText, pkg, n)
	list := make([]string, len(limits))
	for i, l := range limits {
		list[i] = fmt.Sprint(l)
	}
	if limits != nil {
		first = -1
	}
	return []byte(strings.NewReplacer("LOOPS", fmt.Sprint(max(loops, 1)), "LIMITS", strings.Join(list, ", "), "FIRST", fmt.Sprint(first)).Replace(string(text)))
}

// Taken returns something of the package's scope whose name what is compiled in
// beside it declares, or needs as the language has it; or nil.
func Taken(scope *types.Scope) types.Object {
	for _, text := range []string{runtimeText, loopText, stateText} {
		f, err := parser.ParseFile(token.NewFileSet(), "", filled(text, "p", 1), parser.SkipObjectResolution)
		if err != nil {
			panic("schemata: " + err.Error())
		}
		for n := range ast.Preorder(f) {
			id, ok := n.(*ast.Ident)
			if !ok || !strings.HasPrefix(strings.ToLower(id.Name), "amend") && id.Name != "TestAmendLoop" && types.Universe.Lookup(id.Name) == nil {
				continue
			}
			if o := scope.Lookup(id.Name); o != nil {
				return o
			}
		}
	}
	return nil
}

// State returns what takes back what runs leave in variables.
func State(pkg string) []byte { return filled(stateText, pkg, 1) }

// Loop returns what runs the tests of the package, which are named. The path is
// that of the package.
func Loop(pkg, path string, n int, tests, variables []string) []byte {
	text := filled(loopText, pkg, n)
	text = bytes.Replace(text, []byte("OWN"), fmt.Appendf(nil, "%q, %q", path, path+"_test"), 1)
	return append(text, registered(tests, variables, "")...)
}

// LoopOutside returns what makes the tests of package pkg_test known to the
// loop of the package, whose path is given, and its variables.
func LoopOutside(pkg, path string, tests, variables []string) []byte {
	head := fmt.Sprintf("package %s_test\n\nimport amendpackage %q\n\nvar amendRecover = amendpackage.AmendRecover\n", pkg, path)
	return append([]byte(head), registered(tests, variables, "amendpackage.")...)
}

func filled(text, pkg string, n int) []byte {
	text = strings.Replace(text, "package PACKAGE", "package "+pkg, 1)
	return []byte(strings.ReplaceAll(text, "MARKS", fmt.Sprint(max(n, 1))))
}

func registered(tests, variables []string, of string) string {
	var b strings.Builder
	b.WriteString("\nfunc init() {\n")
	for _, t := range tests {
		fmt.Fprintf(&b, "\t%sAmendRegister(%q, %s)\n", of, t, t)
	}
	for _, v := range variables {
		fmt.Fprintf(&b, "\t%sAmendKeep(&%s)\n", of, v)
	}
	b.WriteString("}\n")
	return b.String()
}

// Variables returns the names of the variables of a package, but for those that
// cgo makes.
func Variables(scope *types.Scope) (names []string) {
	for _, n := range scope.Names() {
		if _, ok := scope.Lookup(n).(*types.Var); ok && !strings.HasPrefix(n, "_C") && !strings.HasPrefix(n, "_cgo") {
			names = append(names, n)
		}
	}
	return names
}

// Tests returns the names of the tests in a file.
func Tests(f *ast.File) (names []string) {
	for _, d := range f.Decls {
		d, ok := d.(*ast.FuncDecl)
		if ok && d.Recv == nil && d.Name.Name != "TestMain" && strings.HasPrefix(d.Name.Name, "Test") && d.Body != nil && parameter(d.Type) != "" {
			names = append(names, d.Name.Name)
		}
	}
	return names
}

// Counting returns the names of tests that count allocations, of which code with
// alternatives has more.
func Counting(f *ast.File) (names []string) {
	for _, d := range f.Decls {
		d, ok := d.(*ast.FuncDecl)
		if !ok || d.Recv != nil || d.Body == nil || !strings.HasPrefix(d.Name.Name, "Test") {
			continue
		}
		for n := range ast.Preorder(d.Body) {
			if s, ok := n.(*ast.SelectorExpr); ok && s.Sel.Name == "AllocsPerRun" {
				names = append(names, d.Name.Name)
				break
			}
		}
	}
	return names
}

// parameter returns the name of the only parameter, a *testing.T, or "".
func parameter(t *ast.FuncType) string {
	if t.Results != nil || t.TypeParams != nil || len(t.Params.List) != 1 || len(t.Params.List[0].Names) != 1 {
		return ""
	}
	star, ok := t.Params.List[0].Type.(*ast.StarExpr)
	if !ok {
		return ""
	}
	if s, ok := star.X.(*ast.SelectorExpr); !ok || s.Sel.Name != "T" {
		return ""
	}
	return t.Params.List[0].Names[0].Name
}

// ofTesting reports whether the T of t, in f, is that of package testing.
func ofTesting(f *ast.File, t *ast.FuncType) bool {
	of, ok := t.Params.List[0].Type.(*ast.StarExpr).X.(*ast.SelectorExpr).X.(*ast.Ident)
	if !ok {
		return false
	}
	for _, i := range f.Imports {
		if i.Path.Value == `"testing"` {
			return i.Name == nil && of.Name == "testing" || i.Name != nil && of.Name == i.Name.Name
		}
	}
	return false
}

// Outside reports whether f belongs to the package of outside tests.
func Outside(f *ast.File) bool { return strings.HasSuffix(f.Name.Name, "_test") }

// Recovered returns a file of tests whose subtests fail when they panic, and
// don't end the process.
func Recovered(text []byte) []byte {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "", text, parser.SkipObjectResolution)
	if err != nil {
		return text // which the compiler says better
	}
	out := slices.Clone(text)
	var at []*ast.FuncLit
	ast.Inspect(f, func(n ast.Node) bool {
		if l, ok := n.(*ast.FuncLit); ok && parameter(l.Type) != "" && parameter(l.Type) != "_" && ofTesting(f, l.Type) {
			at = append(at, l)
		}
		return true
	})
	slices.SortFunc(at, func(a, b *ast.FuncLit) int { return int(b.Body.Lbrace - a.Body.Lbrace) })
	name := "AmendRecover"
	if Outside(f) {
		name = "amendRecover"
	}
	for _, l := range at {
		i := fset.Position(l.Body.Lbrace).Offset + 1
		out = slices.Insert(out, i, []byte(" defer "+name+"("+parameter(l.Type)+"); ")...)
	}
	return out
}
