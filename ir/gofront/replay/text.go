package replay

import (
	"fmt"
	"go/ast"
	"go/token"
	"slices"
	"strconv"
	"strings"

	"github.com/go-amend/amend/ir"
)

// This file writes the test file: the run as tables, the functions that keep to
// it, and the files of the package one after the other.

// text returns the test file.
func (w *writer) text() []byte {
	imports := []string{`"fmt"`, `"runtime"`, `"sync"`, `"time"`}
	var sources []string
	found := false
	for _, f := range w.files {
		imports = append(imports, w.unimport(f)...)
		found = w.begin(f) || found
		f.sortEdits()
		sources = append(sources, fmt.Sprintf("//line %s:1\n%s\n", f.Name, f.render(0, len(f.Content), 0)))
	}
	if !found {
		imports = append(imports, `"testing"`)
	}
	slices.Sort(imports)
	var b strings.Builder
	fmt.Fprintf(&b, "package %s\n\n", w.files[0].syntax.Name.Name)
	fmt.Fprintf(&b, "// A failing run of %s: %d events of %d goroutines, in this order. It is to be run by\n", w.test, len(w.entries), len(w.t.Threads))
	fmt.Fprintf(&b, "// go test with this file alone; the points of the source are calls of amendAt and the like.\n\n")
	fmt.Fprintf(&b, "import (\n\t%s\n)\n\n", strings.Join(slices.Compact(imports), "\n\t"))
	w.tables(&b)
	b.WriteString(keeper)
	for _, s := range sources {
		b.WriteString(s)
	}
	if !found {
		fmt.Fprintf(&b, "\nfunc TestReplay(t *testing.T) {\n\tamendStart()\n\tdefer amendAt(%d)\n\t%s()\n}\n", entryEnds, w.test)
	}
	return []byte(b.String())
}

// tables writes the run.
func (w *writer) tables(b *strings.Builder) {
	b.WriteString("// amendRun lists the events: a goroutine and a point.\nvar amendRun = []amendEvent{\n")
	for _, e := range w.entries {
		fmt.Fprintf(b, "\t{%d, %d},\n", e.thread, e.point)
	}
	b.WriteString("}\n\n// amendPending says where goroutines would go on.\nvar amendPending = map[int]int{")
	for i := range max(1, len(w.t.Threads)) {
		if at, ok := w.pending[i]; ok {
			fmt.Fprintf(b, "%d: %d, ", i, at)
		}
	}
	b.WriteString("}\n\n// amendChildren says which goroutine starts which, in this order.\nvar amendChildren = [][2]int{")
	for _, c := range w.children() {
		fmt.Fprintf(b, "{%d, %d}, ", c[0], c[1])
	}
	fmt.Fprintf(b, "}\n\nconst (\n\tamendFailing = %d\n\tamendFailure = %q\n)\n", w.t.Thread, w.failure())
}

// unimport takes the package clause and imports out of f, and returns the imports.
func (w *writer) unimport(f *file) []string {
	var out []string
	blank := func(start, end int) {
		lines := strings.Count(string(f.Content[start:end]), "\n")
		f.replaceText(start, end, func(func(ast.Node) string) string { return strings.Repeat("\n", lines) })
	}
	blank(0, f.offset(f.syntax.Name.End()))
	for _, d := range f.syntax.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.IMPORT {
			continue
		}
		blank(f.offset(g.Pos()), f.offset(g.End()))
		for _, s := range g.Specs {
			s := s.(*ast.ImportSpec)
			if path, err := strconv.Unquote(s.Path.Value); err == nil && path == "C" {
				unsupported(ir.Span{File: f.Name}, "", "cgo")
			}
			out = append(out, f.source(s))
		}
	}
	return out
}

// begin renames the other tests in f, so that they are not run, and makes the test
// start the run. It reports whether the test is in f.
func (w *writer) begin(f *file) (found bool) {
	for _, d := range f.syntax.Decls {
		d, ok := d.(*ast.FuncDecl)
		if !ok || d.Recv != nil || d.Body == nil {
			continue
		}
		name := d.Name.Name
		test := strings.HasSuffix(f.Name, "_test.go")
		if name == w.test && d.Type.Params.NumFields() > 0 && !(test && strings.HasPrefix(name, "Test")) {
			unsupported(ir.Span{File: f.Name, Line: f.tokens.Line(d.Pos())}, "", "a fuzz target, or a function with parameters")
		}
		if !test {
			continue
		}
		if name == w.test && strings.HasPrefix(name, "Test") {
			found = true
			at := f.offset(d.Body.Lbrace)
			f.replaceText(at, at+1, func(func(ast.Node) string) string {
				return fmt.Sprintf("{ amendStart(); defer amendAt(%d);", entryEnds)
			})
			continue
		}
		for _, p := range []string{"Test", "Fuzz", "Benchmark", "Example"} {
			if strings.HasPrefix(name, p) {
				f.replace(d.Name, func(func(ast.Node) string) string { return "amend" + name })
				break
			}
		}
	}
	return found
}
