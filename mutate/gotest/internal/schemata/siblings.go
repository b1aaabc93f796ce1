package schemata

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// This file takes what the package does elsewhere: what stands between the same
// statements there, what is assigned to the same name, values for fields of their
// name, and elements for variables.

// The siblings of a statement are what stands beside the same text elsewhere.
type siblings struct {
	before, after map[string][]string // by text, of other statements
	values        map[string][]string // by what they are assigned to
	previous      map[ast.Node]ast.Stmt
	last          map[*ast.BlockStmt]ast.Stmt
}

// siblings returns those of the package.
func (m *maker) siblings() *siblings {
	if m.p.beside != nil {
		return m.p.beside
	}
	b := &siblings{make(map[string][]string), make(map[string][]string), make(map[string][]string), make(map[ast.Node]ast.Stmt), make(map[*ast.BlockStmt]ast.Stmt)}
	m.p.beside = b
	for _, f := range m.p.Files {
		in := &finder{p: m.p, file: f}
		ast.Inspect(f.Syntax, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.BlockStmt:
				b.list(in, n.List)
				if k := len(n.List); k > 0 {
					b.last[n] = n.List[k-1]
				}
			case *ast.AssignStmt:
				if len(n.Lhs) == 1 && (n.Tok == token.ASSIGN || n.Tok == token.DEFINE) {
					to := in.text(n.Lhs[0])
					b.values[to] = append(b.values[to], in.text(n.Rhs[0]))
				}
			case *ast.CaseClause:
				b.list(in, n.Body)
			case *ast.CommClause:
				b.list(in, n.Body)
			}
			return true
		})
	}
	return b
}

// list notes the neighbours in a list of statements.
func (b *siblings) list(f *finder, list []ast.Stmt) {
	for i, s := range list {
		if i == 0 {
			continue
		}
		b.previous[s] = list[i-1]
		p, n := f.text(list[i-1]), f.text(s)
		if movable(list[i-1]) {
			b.before[n] = append(b.before[n], p)
		}
		if movable(s) {
			b.after[p] = append(b.after[p], n)
		}
	}
}

// maxBetween bounds how many statements from elsewhere are inserted at a place.
const maxBetween = 4

// between inserts what stands before the same statement elsewhere, or after the
// same as here.
func (m *maker) between() {
	b := m.siblings()
	var texts []string
	prev := b.previous[m.pl.stmt]
	if block, ok := m.pl.stmt.(*ast.BlockStmt); ok && m.pl.end {
		prev = b.last[block]
	} else {
		texts = b.before[m.text(m.pl.stmt)]
	}
	here := ""
	if prev != nil {
		here = m.text(prev)
		texts = append(texts[:len(texts):len(texts)], b.after[here]...)
	}
	n := 0
	for _, text := range texts {
		if n < maxBetween && !m.seen["\n"+text] && len(text) <= maxCopied && text != here && (m.pl.end || text != m.text(m.pl.stmt)) {
			m.insert(text, costOperand)
			n++
		}
	}
}

// maxValues bounds how many values are tried that are assigned elsewhere.
const maxValues = 4

// elsewhere assigns what is assigned to the same text elsewhere, the least common
// last.
func (m *maker) elsewhere(to string, e ast.Expr) {
	seen := make(map[string]int)
	var texts []string
	for _, text := range m.siblings().values[to] {
		if seen[text]++; seen[text] == 1 && len(text) <= maxCopied {
			texts = append(texts, text)
		}
	}
	slices.SortStableFunc(texts, func(a, b string) int { return seen[b] - seen[a] })
	for _, text := range texts[:min(len(texts), maxValues)] {
		m.replace(e, text, Fixes, costCall)
	}
}

// maxElements bounds how many elements and fields are assigned at a place.
const maxElements = 4

// elements assigns elements and fields to variables: those that the function
// speaks of, the nearest first.
func (m *maker) elements() {
	type value struct {
		e    ast.Expr
		away int
	}
	pos := m.position()
	at := m.offset(pos)
	var values []value
	ast.Inspect(m.enclosing(), func(n ast.Node) bool {
		switch e := n.(type) {
		case *ast.IndexExpr, *ast.SelectorExpr:
			if tv := m.p.Info.Types[e.(ast.Expr)]; tv.IsValue() && tv.Value == nil {
				values = append(values, value{e.(ast.Expr), max(m.offset(e.Pos())-at, at-m.offset(e.End()))})
			}
		}
		return true
	})
	slices.SortStableFunc(values, func(a, b value) int { return a.away - b.away })
	vars := m.scope(pos, func(types.Type) bool { return true }, maxScope)
	n := 0
	for _, x := range values {
		for _, v := range vars {
			text := v.Name() + " = " + m.text(x.e)
			if n < maxElements && types.Identical(v.Type(), m.typeOf(x.e)) && !m.seen["\n"+text] {
				m.insert(text, costAssign)
				n++
			}
		}
	}
}

// maxNamesakes bounds the fields that are looked at.
const maxNamesakes = 40

// namesakes assigns variables to fields of their names, of what pointers point to.
func (m *maker) namesakes() {
	pos := m.position()
	values := m.scope(pos, func(types.Type) bool { return true }, maxScope)
	n := 0
	var fields func(of string, t types.Type, depth int)
	fields = func(of string, t types.Type, depth int) {
		for _, f := range m.fields(t) {
			if n++; n > maxNamesakes {
				return
			}
			to := of + "." + f.Name()
			for _, v := range values {
				if v.Name() == f.Name() && types.Identical(v.Type(), f.Type()) {
					m.insert(to+" = "+v.Name(), costAssign)
				}
			}
			if _, ok := f.Type().Underlying().(*types.Struct); ok && depth > 0 {
				fields(to, f.Type(), depth-1)
			}
		}
	}
	for _, v := range m.scope(pos, isPointer, maxScope) {
		fields(v.Name(), v.Type(), 1)
	}
}

// position returns where something is inserted.
func (m *maker) position() token.Pos {
	if m.pl.end {
		return m.pl.stmt.End() - 1
	}
	return m.pl.stmt.Pos()
}
