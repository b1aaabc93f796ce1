package schemata

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// This file takes from the code nearby: statements of the same function, lengths
// of its slices, values that others are compared with, and one name for another
// wherever it stands in a statement.

// Bounds of copies.
const (
	maxCopies = 6  // at a place
	maxCopied = 80 // bytes of one
)

// copies makes copies of other statements of the function, the nearest first, that
// do something: most statements that fixes insert stand elsewhere already.
func (m *maker) copies() {
	type copied struct {
		text string
		away int
	}
	var all []copied
	ast.Inspect(m.enclosing(), func(n ast.Node) bool {
		s, ok := n.(ast.Stmt)
		if !ok || s == m.pl.stmt || !m.copyable(s) {
			return true
		}
		if text := m.text(s); len(text) <= maxCopied && !strings.Contains(text, "\n") {
			all = append(all, copied{text, max(m.offset(s.Pos())-m.pl.Start, m.pl.Start-m.offset(s.Pos()))})
		}
		return true
	})
	slices.SortStableFunc(all, func(a, b copied) int { return a.away - b.away })
	n := 0
	for _, c := range all {
		if n < maxCopies && !m.seen["\n"+c.text] {
			m.insert(c.text, costCopy)
			n++
		}
	}
}

// copyable reports whether s calls something, or assigns what may differ by
// now.
func (m *maker) copyable(s ast.Stmt) bool {
	switch s := s.(type) {
	case *ast.AssignStmt:
		return s.Tok != token.DEFINE && !blank(s.Lhs[0]) && !m.recovers(s)
	case *ast.IncDecStmt, *ast.SendStmt:
		return true
	case *ast.ExprStmt:
		return !m.panics(s.X) && !m.recovers(s)
	}
	return false
}

func blank(e ast.Expr) bool {
	id, ok := e.(*ast.Ident)
	return ok && id.Name == "_"
}

// spelled makes a return statement say the named results, one of them zero, or of
// the other truth.
func (m *maker) spelled() {
	if m.sig == nil {
		return
	}
	var names []string
	for v := range m.sig.Results().Variables() {
		if v.Name() == "" || v.Name() == "_" {
			return
		}
		names = append(names, v.Name())
	}
	for i, t := range m.pl.results {
		values := []string{"true", "false"}
		if info(t)&types.IsBoolean == 0 {
			zero, ok := m.zero(t)
			if !ok {
				continue
			}
			values = []string{zero}
		}
		for _, v := range values {
			list := slices.Clone(names)
			list[i] = v
			m.replace(m.pl.stmt, "return "+strings.Join(list, ", "), Fixes, costResults)
		}
	}
}

// length bounds a slice by the length of another.
func (m *maker) length(bound ast.Expr) {
	if tv := m.p.Info.Types[bound]; tv.Value != nil || !types.Identical(m.typeOf(bound), types.Typ[types.Int]) {
		return
	}
	for _, s := range m.slices(bound.Pos()) {
		m.replace(bound, "len("+s+")", Fixes, costMask)
	}
}

// Bounds of what is added.
const (
	maxTerms   = 2
	maxLengths = 1
)

// sums adds variables of the same type to e, and lengths, or takes them off.
func (m *maker) sums(e ast.Expr, prec int) {
	if _, ok := e.(*ast.BinaryExpr); ok {
		return
	}
	t := m.typeOf(e)
	var terms []string
	for _, v := range m.scope(e.Pos(), func(u types.Type) bool { return types.Identical(t, u) }, maxTerms+1) {
		if v.Name() != m.text(e) && len(terms) < maxTerms {
			terms = append(terms, v.Name())
		}
	}
	if types.Identical(t, types.Typ[types.Int]) {
		lengths := m.slices(e.Pos())
		for _, s := range lengths[:min(len(lengths), maxLengths)] {
			terms = append(terms, "len("+s+")")
		}
	}
	p := token.ADD.Precedence()
	for _, term := range terms {
		for _, op := range []string{" + ", " - "} {
			m.replace(e, enclosed(m.operand(e, p)+op+term, p, prec), "linear", costSum)
		}
	}
}

// compared compares with nil what is compared with something else.
func (m *maker) compared(e *ast.BinaryExpr, prec int) {
	if e.Op != token.EQL && e.Op != token.NEQ || m.p.Info.Types[e.Y].IsNil() || m.p.Info.Types[e.X].IsNil() || !nilable(m.typeOf(e.X)) {
		return
	}
	p := e.Op.Precedence()
	for _, op := range []token.Token{token.NEQ, token.EQL} {
		m.replace(e, enclosed(m.operand(e.X, p)+" "+op.String()+" nil", p, prec), Fixes, costVariable)
	}
}

func nilable(t types.Type) bool {
	if _, param := t.(*types.TypeParam); param {
		return false
	}
	switch t.Underlying().(type) {
	case *types.Pointer, *types.Interface, *types.Chan, *types.Map, *types.Slice, *types.Signature:
		return true
	}
	return false
}

// spaced adds or drops a space, or the end of a line, at the ends of a string.
func (m *maker) spaced(lit *ast.BasicLit) {
	text, err := strconv.Unquote(lit.Value)
	if err != nil || text == "" || lit.Value[0] != '"' {
		return
	}
	for _, t := range []string{strings.TrimSuffix(text, " "), strings.TrimSuffix(text, "\n"), strings.TrimPrefix(text, " "), text + " ", " " + text, text + "\n"} {
		if t != text {
			m.replace(lit, strconv.Quote(t), Fixes, costFar)
		}
	}
}

// everywhere takes one name for another at all uses of it in the place: of
// variables of the same type, and of constants with a common beginning.
func (m *maker) everywhere() {
	uses := make(map[types.Object][]Edit)
	var vars, consts []*ast.Ident
	for _, e := range m.pl.exprs {
		ast.Inspect(e, func(n ast.Node) bool {
			id, ok := n.(*ast.Ident)
			if !ok {
				return true
			}
			switch o := m.p.Info.Uses[id].(type) {
			case *types.Var:
				if len(uses[o]) == 1 && !o.IsField() {
					vars = append(vars, id)
				}
				uses[o] = append(uses[o], Edit{Start: m.offset(id.Pos()), End: m.offset(id.End())})
			case *types.Const:
				if o.Parent() == m.p.Types.Scope() {
					consts = append(consts, id)
				}
			}
			return true
		})
	}
	for _, id := range vars {
		v := m.p.Info.Uses[id].(*types.Var)
		for _, o := range m.scope(id.Pos(), func(t types.Type) bool { return types.Identical(t, v.Type()) }, nearest+1) {
			if o != v {
				m.renamed(uses[v], func(string) string { return o.Name() }, "variables")
			}
		}
	}
	m.families(consts)
}

// renamed replaces the text of edits by what name makes of it.
func (m *maker) renamed(edits []Edit, name func(old string) string, scheme string) {
	edits = slices.Clone(edits)
	for i, e := range edits {
		edits[i].New = name(string(m.file.Content[e.Start:e.End]))
	}
	m.edit(edits, scheme, costVariable)
}

// families takes the constants of another family, by the beginnings of their
// names: prA and prB for lbA and lbB.
func (m *maker) families(ids []*ast.Ident) {
	if len(ids) < 2 {
		return
	}
	family := ids[0].Name[:len(ids[0].Name)-len(ending(ids[0].Name))]
	var edits []Edit
	for _, id := range ids {
		if family == "" || id.Name != family+ending(id.Name) {
			return
		}
		edits = append(edits, Edit{Start: m.offset(id.Pos()), End: m.offset(id.End())})
	}
	scope := m.p.Types.Scope()
	for _, other := range scope.Names() {
		of, ok := strings.CutSuffix(other, ending(ids[0].Name))
		if !ok || of == "" || of == family || ending(other) != ending(ids[0].Name) || !slices.ContainsFunc(ids, func(id *ast.Ident) bool { return id.Name != ids[0].Name }) {
			continue
		}
		all := !slices.ContainsFunc(ids, func(id *ast.Ident) bool {
			_, ok := scope.Lookup(of + ending(id.Name)).(*types.Const)
			return !ok
		})
		if all {
			m.renamed(edits, func(old string) string { return of + ending(old) }, "constants")
		}
	}
}

// ending returns a name from its second word on.
func ending(name string) string {
	i := strings.IndexFunc(strings.TrimLeftFunc(name, unicode.IsUpper), unicode.IsUpper)
	if i < 0 {
		return ""
	}
	return name[i+len(name)-len(strings.TrimLeftFunc(name, unicode.IsUpper)):]
}

// maxSentinels bounds the errors that one is compared with.
const maxSentinels = 2

// sentinels returns errors of packages that the function speaks of.
func (m *maker) sentinels() (out []string) {
	failure := types.Universe.Lookup("error").Type()
	ast.Inspect(m.enclosing(), func(n ast.Node) bool {
		e, ok := n.(ast.Expr)
		if !ok || !types.Identical(m.typeOf(e), failure) || len(out) == maxSentinels {
			return true
		}
		id, ok := e.(*ast.Ident)
		if s, is := e.(*ast.SelectorExpr); is {
			id, ok = s.Sel, true
		}
		if !ok {
			return true
		}
		if v, is := m.p.Info.Uses[id].(*types.Var); is && v.Pkg() != nil && v.Parent() == v.Pkg().Scope() && !slices.Contains(out, m.text(e)) {
			out = append(out, m.text(e))
			return false
		}
		return true
	})
	return out
}
