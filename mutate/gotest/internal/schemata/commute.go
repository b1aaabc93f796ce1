package schemata

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
)

// This file says which inserted statements do the same though they stand at
// different places: what is between them has nothing to do with them.

// Same reports whether a and b insert the same assignment, with assignments to
// other variables and fields between the places, none of which calls
// anything. Assignments whose targets may be those of others by another name, in
// memory that a pointer or index finds, are taken to matter. Only a panic between
// them could tell.
func (a *Alternative) Same(b *Alternative) bool {
	p, q := a.Place, b.Place
	if !a.Insert || !b.Insert || p.File != q.File || len(p.around) == 0 || len(q.around) == 0 || &p.around[0] != &q.around[0] {
		return false
	}
	text := strings.TrimSpace(a.Edits[0].New)
	if text != strings.TrimSpace(b.Edits[0].New) {
		return false
	}
	mine, ok := parsedEffect(text)
	for _, s := range p.around[min(p.index, q.index):max(p.index, q.index)] {
		other, simple := effectOf(s)
		ok = ok && simple && !mine.meets(other)
	}
	return ok
}

// An effect is what an assignment writes, and all that it speaks of, as names of
// variables and fields.
type effect struct{ writes, names map[string]bool }

func parsedEffect(text string) (effect, bool) {
	f, err := parser.ParseFile(token.NewFileSet(), "", "package p\nfunc _() {\n"+text+"\n}", parser.SkipObjectResolution)
	if err != nil {
		return effect{}, false
	}
	list := f.Decls[0].(*ast.FuncDecl).Body.List
	if len(list) != 1 {
		return effect{}, false
	}
	return effectOf(list[0])
}

// effectOf returns the effect of s if it is a simple assignment.
func effectOf(s ast.Stmt) (effect, bool) {
	e := effect{map[string]bool{}, map[string]bool{}}
	var targets []ast.Expr
	switch s := s.(type) {
	case *ast.AssignStmt:
		if s.Tok == token.DEFINE {
			return e, false
		}
		targets = s.Lhs
	case *ast.IncDecStmt:
		targets = []ast.Expr{s.X}
	default:
		return e, false
	}
	for _, t := range targets {
		switch t := t.(type) {
		case *ast.Ident:
			e.writes[t.Name] = true
		case *ast.SelectorExpr:
			e.writes[t.Sel.Name] = true
		default:
			return e, false
		}
	}
	simple := true
	ast.Inspect(s, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr, *ast.FuncLit, *ast.StarExpr, *ast.IndexExpr, *ast.SliceExpr, *ast.CompositeLit:
			simple = false
		case *ast.UnaryExpr:
			simple = simple && n.Op != token.ARROW && n.Op != token.AND
		case *ast.Ident:
			e.names[n.Name] = true
		}
		return simple
	})
	return e, simple
}

// meets reports whether one writes what the other speaks of.
func (e effect) meets(o effect) bool {
	for n := range e.writes {
		if o.names[n] {
			return true
		}
	}
	for n := range o.writes {
		if e.names[n] {
			return true
		}
	}
	return false
}
