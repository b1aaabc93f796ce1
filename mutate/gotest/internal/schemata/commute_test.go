package schemata

import (
	"go/ast"
	"go/parser"
	"go/token"
	"testing"
)

// Inserted statements are one only where nothing between them could tell.
func TestSame(t *testing.T) {
	for _, c := range []struct {
		between, text string
		want          bool
	}{
		{"l.len--", "e.list = nil", true},
		{"x = y + 1; b.n = y", "n2 = y", true},
		{"l.list = e.list", "e.list = nil", false},
		{"x = y", "y = 0", false},
		{"y = x", "y = 0", false},
		{"f()", "y = 0", false},
		{"x = f(1)", "y = 0", false},
		{"*p = 1", "y = 0", false},
		{"a[0] = 1", "y = 0", false},
		{"x = a[0]", "y = 0", false},
		{"x = 1", "y = f()", false},
		{"x := 1", "y = 0", false},
		{"if a { x = 1 }", "y = 0", false},
		{"x = 1", "y++", true},
		{"y = 1", "y++", false},
		{"return", "y++", false},
	} {
		f, err := parser.ParseFile(token.NewFileSet(), "", "package p\nfunc _() {\n"+c.between+"\nlast()\n}", 0)
		if err != nil {
			t.Fatal(err)
		}
		list := f.Decls[0].(*ast.FuncDecl).Body.List
		file := new(File)
		at := func(i int) *Alternative {
			return &Alternative{Insert: true, Edits: []Edit{{New: c.text + "\n"}}, Place: &Place{File: file, around: list, index: i}}
		}
		a, b := at(0), at(len(list)-1)
		if a.Same(b) != c.want || b.Same(a) != c.want {
			t.Errorf("%q before and after %q: want %v", c.text, c.between, c.want)
		}
	}
}
