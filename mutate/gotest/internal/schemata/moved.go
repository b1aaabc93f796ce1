package schemata

import (
	"bytes"
	"go/ast"
	"go/token"
	"strings"
)

// This file moves declarations into the loop or the function literal after them:
// each iteration, or call, has variables of its own then.

// maxMoved bounds how many statements are moved together.
const maxMoved = 3

// inwards makes a place of a declaration, and what follows it, before a statement
// with a body that alone uses it.
func (f *finder) inwards(list []ast.Stmt) {
	declared := f.declared(list[0])
	if len(declared) == 0 {
		return
	}
	for n := 1; n < len(list) && n <= maxMoved; n++ {
		body := inner(list[n])
		if body == nil {
			if !movable(list[n]) && len(f.declared(list[n])) == 0 {
				return
			}
			declared = append(declared, f.declared(list[n])...)
			continue
		}
		if f.only(declared, list[n:], body) {
			f.add(&Place{form: apart, stmt: list[0], run: list[:n], into: body}, list[0], list[n])
		}
		return
	}
}

// declared returns the names that s declares, if it does only that.
func (f *finder) declared(s ast.Stmt) (names []*ast.Ident) {
	switch s := s.(type) {
	case *ast.AssignStmt:
		if s.Tok != token.DEFINE {
			return nil
		}
		for _, e := range s.Lhs {
			if id, ok := e.(*ast.Ident); ok && f.p.Info.Defs[id] != nil {
				names = append(names, id)
			}
		}
	case *ast.DeclStmt:
		if g, ok := s.Decl.(*ast.GenDecl); ok && g.Tok == token.VAR {
			for _, spec := range g.Specs {
				names = append(names, spec.(*ast.ValueSpec).Names...)
			}
		}
	}
	return names
}

// inner returns the body of a loop, or of the first function literal in s.
func inner(s ast.Stmt) (body *ast.BlockStmt) {
	switch s := s.(type) {
	case *ast.ForStmt:
		return s.Body
	case *ast.RangeStmt:
		return s.Body
	case *ast.ReturnStmt, *ast.AssignStmt, *ast.ExprStmt, *ast.GoStmt, *ast.DeferStmt:
		ast.Inspect(s, func(n ast.Node) bool {
			if l, ok := n.(*ast.FuncLit); ok && body == nil {
				body = l.Body
			}
			return body == nil
		})
	}
	return body
}

// only reports whether of the statements body alone uses the names.
func (f *finder) only(names []*ast.Ident, list []ast.Stmt, body *ast.BlockStmt) bool {
	own, others := false, false
	for _, s := range list {
		ast.Inspect(s, func(n ast.Node) bool {
			id, ok := n.(*ast.Ident)
			if !ok {
				return true
			}
			for _, d := range names {
				if o := f.p.Info.Uses[id]; o != nil && o == f.p.Info.Defs[d] {
					inside := body.Pos() <= id.Pos() && id.Pos() < body.End()
					own, others = own || inside, others || !inside
				}
			}
			return true
		})
	}
	return own && !others
}

// apart makes the alternatives of a place that is compiled by itself.
func (m *maker) apart() {
	if m.pl.into == nil {
		m.shared(m.pl.stmt.(*ast.AssignStmt))
		return
	}
	run := m.pl.run
	moved := &span{run[0].Pos(), run[len(run)-1].End()}
	to := m.offset(m.pl.into.Lbrace) + 1
	from, into := m.indent(m.pl.Start), m.indent(to)+"\t"
	m.edit([]Edit{
		{m.pl.Start, m.next(m.offset(moved.End())), ""},
		{to, to, "\n" + into + strings.ReplaceAll(m.text(moved), "\n"+from, "\n"+into)},
	}, Fixes, costDelete)
}

// indent returns the white space that the line of an offset begins with.
func (m *maker) indent(at int) string {
	line := m.file.Content[bytes.LastIndexByte(m.file.Content[:at], '\n')+1 : at]
	return string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))])
}

// next returns the offset of what follows at.
func (m *maker) next(at int) int {
	rest := m.file.Content[at:]
	return at + len(rest) - len(bytes.TrimLeft(rest, " \t\r\n;"))
}
