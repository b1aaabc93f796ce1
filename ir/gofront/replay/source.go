package replay

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-amend/amend/ir"
)

// This file reads the source and renders it with its edits.

// A file is one of the package.
type file struct {
	*ir.File
	syntax *ast.File
	tokens *token.File
	nodes  map[[2]int]ast.Node // by offsets; of those with the same ones the outermost
	parent map[ast.Node]ast.Node
	edits  []edit
}

// An edit replaces a part of the source. Two are nested or disjoint. Its text
// can hold parts of what it replaces, with the edits inside them.
type edit struct {
	start, end int
	text       func(inner func(start, end int) string) string
}

// parse reads the files of the package in which the function at test is.
func (w *writer) parse(test ir.Span) {
	w.test = w.p.Text(test)
	dir := filepath.Dir(test.File)
	name := ""
	for _, f := range w.p.Files {
		if filepath.Dir(f.Name) != dir || !strings.HasSuffix(f.Name, ".go") {
			continue
		}
		fset := token.NewFileSet()
		s, err := parser.ParseFile(fset, f.Name, f.Content, parser.SkipObjectResolution|parser.ParseComments)
		if err != nil {
			unsupported(test, "", "a file with errors")
		}
		if f.Name == test.File {
			name = s.Name.Name
		}
		x := &file{File: f, syntax: s, tokens: fset.File(s.FileStart), nodes: map[[2]int]ast.Node{}, parent: map[ast.Node]ast.Node{}}
		x.index()
		w.files = append(w.files, x)
	}
	w.files = slices.DeleteFunc(w.files, func(f *file) bool {
		return f.syntax.Name.Name != name && strings.HasSuffix(f.syntax.Name.Name, "_test")
	})
	for _, f := range w.files {
		if f.syntax.Name.Name != name {
			unsupported(test, "move the test into the package", "a test in a package of its own")
		}
	}
}

func (f *file) index() {
	var stack []ast.Node
	ast.Inspect(f.syntax, func(n ast.Node) bool {
		if n == nil {
			stack = stack[:len(stack)-1]
			return true
		}
		if len(stack) > 0 {
			f.parent[n] = stack[len(stack)-1]
		}
		stack = append(stack, n)
		key := [2]int{f.offset(n.Pos()), f.offset(n.End())}
		if f.nodes[key] == nil {
			f.nodes[key] = n
		}
		return true
	})
}

func (f *file) offset(p token.Pos) int { return f.tokens.Offset(p) }

func (f *file) source(n ast.Node) string {
	return string(f.Content[f.offset(n.Pos()):f.offset(n.End())])
}

// node returns the file and the syntax of the text at.
func (w *writer) node(at ir.Span) (*file, ast.Node) {
	for _, f := range w.files {
		if f.Name == at.File {
			if n := f.nodes[[2]int{at.Start, at.End}]; n != nil {
				return f, n
			}
		}
	}
	unsupported(at, "", "an event outside of the package")
	return nil, nil
}

// inList reports whether statements can stand before n.
func (f *file) inList(n ast.Node) bool {
	if _, ok := n.(ast.Stmt); !ok {
		return false
	}
	switch p := f.parent[n].(type) {
	case *ast.BlockStmt:
		return true
	case *ast.CaseClause:
		return slices.Contains(p.Body, n.(ast.Stmt))
	case *ast.CommClause:
		return slices.Contains(p.Body, n.(ast.Stmt))
	}
	return false
}

// replace replaces the text of n.
func (f *file) replace(n ast.Node, text func(inner func(n ast.Node) string) string) {
	f.replaceText(f.offset(n.Pos()), f.offset(n.End()), text)
}

func (f *file) replaceText(start, end int, text func(inner func(n ast.Node) string) string) {
	f.edits = append(f.edits, edit{start, end, func(inner func(int, int) string) string {
		return text(func(n ast.Node) string { return inner(f.offset(n.Pos()), f.offset(n.End())) })
	}})
}

// render returns the source from start to end, with the edits in it of those
// from the n-th on.
func (f *file) render(start, end, n int) string {
	var b strings.Builder
	for ; n < len(f.edits); n++ {
		e := &f.edits[n]
		if e.start < start || e.end > end {
			continue
		}
		b.Write(f.Content[start:e.start])
		b.WriteString(e.text(func(s, t int) string { return f.render(s, t, n+1) }))
		start = e.end
	}
	b.Write(f.Content[start:end])
	return b.String()
}

// sortEdits puts edits in their order in the text, and outer ones before those
// inside them.
func (f *file) sortEdits() {
	slices.SortStableFunc(f.edits, func(a, b edit) int {
		if a.start != b.start {
			return a.start - b.start
		}
		return b.end - a.end
	})
}
