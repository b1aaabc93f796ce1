package gofix

// What is analyzed: the package of a pass, or all that the go command finds
// for it.

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/gofront"
)

// A target is where programs come from.
type target struct {
	pass     *analysis.Pass
	packages *gofront.Packages
	dir      string // file names are relative to it
}

// open asks the go command for the packages in the folder of the pass, and
// reports whether they are there.
func (t *target) open() bool {
	if t.dir != "" {
		return true
	}
	dir := t.folder()
	ps, err := gofront.Open(dir, ".")
	if err != nil {
		return false
	}
	var unsaved []*ir.File
	for _, f := range t.pass.Files {
		name := t.pass.Fset.File(f.Pos()).Name()
		text, err := t.pass.ReadFile(name)
		if err != nil {
			return false
		}
		if saved, err := os.ReadFile(name); err != nil || !bytes.Equal(saved, text) {
			unsaved = append(unsaved, &ir.File{Name: filepath.Base(name), Content: text})
		}
	}
	if len(unsaved) > 0 {
		if ps, err = ps.With(unsaved); err != nil {
			return false
		}
	}
	t.packages, t.dir = ps, dir
	return true
}

// folder returns where the files of the pass are.
func (t *target) folder() string {
	return filepath.Dir(t.pass.Fset.File(t.pass.Files[0].Pos()).Name())
}

// externalTests returns the names of tests in package p_test. What looks like
// a test to it need not be one.
func (t *target) externalTests() []string {
	files, err := filepath.Glob(filepath.Join(t.folder(), "*_test.go"))
	if err != nil {
		return nil
	}
	var names []string
	for _, name := range files {
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil || f.Name.Name != t.pass.Pkg.Name()+"_test" {
			continue
		}
		for _, d := range f.Decls {
			if d, ok := d.(*ast.FuncDecl); ok && (strings.HasPrefix(d.Name.Name, "Test") || strings.HasPrefix(d.Name.Name, "Fuzz")) {
				names = append(names, d.Name.Name)
			}
		}
	}
	return names
}

// inPass reports whether all edits of f are of files of the pass.
func (t *target) inPass(f analysis.SuggestedFix) bool {
	for _, e := range f.TextEdits {
		name := t.pass.Fset.File(e.Pos).Name()
		if !slices.ContainsFunc(t.pass.Files, func(f *ast.File) bool { return t.pass.Fset.File(f.Pos()).Name() == name }) {
			return false
		}
	}
	return true
}

// pos returns the position of an offset in the file of span, NoPos if that
// isn't in the folder of the package.
func (t *target) pos(span ir.Span, offset int) token.Pos {
	name := span.File
	if t.dir != "" && !filepath.IsAbs(name) {
		name = filepath.Join(t.dir, name)
	}
	for _, f := range t.pass.Files {
		if file := t.pass.Fset.File(f.Pos()); file.Name() == name && offset <= file.Size() {
			return file.Pos(offset)
		}
	}
	if t.dir == "" || filepath.Dir(name) != filepath.Clean(t.dir) {
		return token.NoPos
	}
	return posIn(t.pass.Fset, name, offset)
}

// posIn is for files of the package that a package p_test tests.
func posIn(fset *token.FileSet, name string, offset int) token.Pos {
	var file *token.File
	fset.Iterate(func(f *token.File) bool {
		if f.Name() == name {
			file = f
		}
		return file == nil
	})
	if file == nil {
		text, err := os.ReadFile(name)
		if err != nil {
			return token.NoPos
		}
		file = fset.AddFile(name, -1, len(text))
		file.SetLinesForContent(text)
	}
	if offset > file.Size() {
		return token.NoPos
	}
	return file.Pos(offset)
}
