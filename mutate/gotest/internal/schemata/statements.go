package schemata

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// This file says what else a statement could do: nothing, return something
// else, reduce what it assigns; and what could stand before it.

// statement makes alternatives for the statement of the place, if it is one.
func (m *maker) statement() {
	if m.pl.run != nil {
		m.reordered(m.pl.run)
		return
	}
	switch s := m.pl.stmt.(type) {
	case *ast.ReturnStmt:
		m.returned(s)
	case *ast.ExprStmt:
		m.deferred(s)
	case *ast.DeferStmt:
		m.replace(s, m.text(s.Call), Fixes, costDelete)
	case *ast.IncDecStmt:
		m.stepped(s)
	case *ast.AssignStmt:
		if m.operation(s); s.Tok == token.ASSIGN && len(s.Lhs) == 1 {
			m.elsewhere(m.text(s.Lhs[0]), s.Rhs[0])
		}
	case *ast.ForStmt:
		m.turned(s)
		return
	}
	if m.pl.form == statement {
		m.replace(m.pl.stmt, "", "statements", costDelete)
	}
}

// stepped exchanges ++ and --, and counts by two.
func (m *maker) stepped(s *ast.IncDecStmt) {
	other, by := "--", " += 2"
	if s.Tok == token.DEC {
		other, by = "++", " -= 2"
	}
	at := m.offset(s.TokPos)
	m.edit([]Edit{{at, at + 2, other}}, "level1", costOperator)
	m.replace(s, m.text(s.X)+by, "level2", costConstant)
}

// turned makes what could come after the body of a loop that has nothing there:
// what counts a variable of its condition, most likely one that the loop declares,
// towards the end.
func (m *maker) turned(s *ast.ForStmt) {
	used := identifiers(s.Cond)
	down := false
	if b, ok := s.Cond.(*ast.BinaryExpr); ok {
		down = b.Op == token.GTR || b.Op == token.GEQ
	}
	for _, v := range m.scope(s.Cond.Pos(), isInteger, maxScope) {
		if !used[v.Name()] {
			continue
		}
		cost := costOperator
		if s.Init == nil || v.Pos() < s.Pos() {
			cost += costConstant
		}
		at := &span{s.Body.Lbrace, s.Body.Lbrace}
		m.replace(at, v.Name()+"++ ", "statements", cost+boolInt(down))
		m.replace(at, v.Name()+"-- ", "statements", cost+boolInt(!down))
	}
}

// operation makes other operators of a compound assignment.
func (m *maker) operation(s *ast.AssignStmt) {
	at := m.offset(s.TokPos)
	op := func(text, scheme string, cost int) {
		m.edit([]Edit{{at, at + len(s.Tok.String()), text}}, scheme, cost)
	}
	if s.Tok == token.ASSIGN {
		if len(s.Lhs) == 1 && m.integer(s.Lhs[0]) {
			op("+=", "operators", costAnyOp)
		}
		return
	}
	for _, class := range arithmetic {
		for _, o := range class {
			if o.String()+"=" == s.Tok.String() {
				for _, other := range class {
					op(other.String()+"=", "level1", costOperator)
				}
				op("=", "operators", costAnyOp)
			}
		}
	}
}

// returned makes the result lists that the function returns elsewhere.
func (m *maker) returned(s *ast.ReturnStmt) {
	if len(s.Results) == 0 {
		m.spelled()
		return
	}
	for _, list := range m.lists() {
		m.replace(s, "return "+list, Fixes, costResults)
	}
	if len(s.Results) < 2 {
		return
	}
	for _, e := range s.Results {
		if zero, ok := m.zero(m.typeOf(e)); ok {
			m.replace(e, zero, Fixes, costResults)
		}
	}
}

// lists returns the result lists of the function that can be elsewhere too.
func (m *maker) lists() (out []string) {
	seen := make(map[string]bool)
	for _, d := range m.file.Syntax.Decls {
		d, ok := d.(*ast.FuncDecl)
		if !ok || d.Body == nil || d.Name.Name != m.fn || m.offset(d.Pos()) > m.pl.Start || m.offset(d.End()) < m.pl.End {
			continue
		}
		ast.Inspect(d.Body, func(n ast.Node) bool {
			r, ok := n.(*ast.ReturnStmt)
			if ok && len(r.Results) > 0 && m.offset(r.End())-m.offset(r.Pos()) < 80 {
				text := m.text(&span{r.Results[0].Pos(), r.End()})
				if !seen[text] && len(out) < nearest {
					seen[text] = true
					out = append(out, text)
				}
			}
			return true
		})
	}
	return out
}

// A span is a node by its ends alone.
type span struct{ pos, end token.Pos }

func (s *span) Pos() token.Pos { return s.pos }
func (s *span) End() token.Pos { return s.end }

// zero returns the text of the zero value of a type.
func (m *maker) zero(t types.Type) (string, bool) {
	if _, param := t.(*types.TypeParam); param {
		name, ok := m.p.typeName(m.file, t)
		return "*new(" + name + ")", ok
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		switch {
		case u.Info()&types.IsBoolean != 0:
			return "false", true
		case u.Info()&types.IsString != 0:
			return `""`, true
		case u.Info()&types.IsNumeric != 0:
			return "0", true
		}
		return "nil", true
	case *types.Struct, *types.Array:
		name, ok := m.p.typeName(m.file, t)
		return name + "{}", ok
	}
	return "nil", true
}

// maxSlices bounds of how many slices the length reduces an index.
const maxSlices = 3

// reduced makes e, the value of an assignment or definition, smaller than the
// length of a slice: masked, modulo, or clamped.
func (m *maker) reduced(e ast.Expr) {
	if _, ok := m.pl.stmt.(*ast.AssignStmt); !ok && m.pl.form != value || m.pl.cond {
		return
	}
	for _, s := range m.slices(e.Pos()) {
		x := m.operand(e, token.MUL.Precedence())
		m.replace(e, x+" & (len("+s+") - 1)", Fixes, costMask)
		m.replace(e, x+" % len("+s+")", Fixes, costMask)
	}
}

// slices returns slices that can be used at pos: variables, and fields of
// these.
func (m *maker) slices(pos token.Pos) (out []string) {
	for _, v := range m.scope(pos, func(types.Type) bool { return true }, maxScope) {
		if isSlice(v.Type()) {
			out = append(out, v.Name())
		}
		for _, f := range m.fields(v.Type()) {
			if isSlice(f.Type()) {
				out = append(out, v.Name()+"."+f.Name())
			}
		}
	}
	return out[:min(len(out), maxSlices)]
}

// inserted makes what could stand before the statement.
func (m *maker) inserted() {
	if m.want(Fixes) || m.want("statements") {
		m.between()
		m.namesakes()
		m.elements()
		m.assignments()
		m.copies()
		if !m.pl.end {
			m.guards()
		}
	}
}

// insert adds an alternative that puts text before the statement.
func (m *maker) insert(text string, cost int) {
	if m.seen["\n"+text] {
		return
	}
	m.seen["\n"+text] = true
	line := m.file.Content[:m.pl.Start]
	indent := string(line[strings.LastIndexByte(string(line), '\n')+1:])
	if strings.TrimSpace(indent) != "" {
		indent = ""
	}
	if m.pl.end {
		text = "\t" + text
	}
	text = strings.ReplaceAll(text, "\n", "\n"+indent)
	a := &Alternative{Place: m.pl, Scheme: Fixes, Cost: cost, Insert: true}
	a.Edits = []Edit{{m.pl.Start, m.pl.Start, text + "\n" + indent}}
	m.pl.Alternatives = append(m.pl.Alternatives, a)
}

// assignments makes assignments of constants to variables that the function
// assigns to.
func (m *maker) assignments() {
	pos := m.position()
	for _, v := range m.scope(pos, func(t types.Type) bool { return info(t)&(types.IsBoolean|types.IsInteger) != 0 }, nearest) {
		if info(v.Type())&types.IsBoolean != 0 {
			m.insert(v.Name()+" = true", costAssign)
			m.insert(v.Name()+" = false", costAssign)
		} else {
			m.insert(v.Name()+" = 0", costAssign)
			m.insert(v.Name()+"++", costAssign)
			m.insert(v.Name()+"--", costAssign)
		}
		for _, from := range m.scope(pos, func(t types.Type) bool { return types.Identical(t, v.Type()) }, maxSources+1) {
			if from != v {
				m.insert(v.Name()+" = "+from.Name(), costGuard)
			}
		}
	}
	m.fieldAssignments(pos)
	m.grown(pos)
}

// grown makes what counts what a pointer points to, and appends variables to
// slices.
func (m *maker) grown(pos token.Pos) {
	counts := func(t types.Type) bool { p, ok := t.Underlying().(*types.Pointer); return ok && isInteger(p.Elem()) }
	for _, v := range m.scope(pos, counts, maxSources) {
		m.insert("*"+v.Name()+"++", costAssign)
		m.insert("*"+v.Name()+"--", costAssign)
	}
	for _, v := range m.scope(pos, isSlice, maxSources) {
		of := v.Type().Underlying().(*types.Slice).Elem()
		bytes := types.Identical(of.Underlying(), types.Typ[types.Byte])
		more := func(t types.Type) bool {
			return types.Identical(t, of) || types.Identical(t, v.Type()) || bytes && info(t)&types.IsString != 0
		}
		for _, x := range m.scope(pos, more, maxSources+1) {
			if x == v {
				continue
			}
			dots := "..."
			if types.Identical(x.Type(), of) {
				dots = ""
			}
			m.insert(v.Name()+" = append("+v.Name()+", "+x.Name()+dots+")", costAssign)
		}
	}
}

// Bounds of assignments to fields.
const (
	maxFields  = 6
	maxReset   = 14 // of zero
	maxSources = 2
)

// fieldAssignments makes assignments to fields of what pointers point to: of zero
// and of variables, and counts.
func (m *maker) fieldAssignments(pos token.Pos) {
	n := 0
	for _, v := range m.scope(pos, isPointer, maxScope) {
		for _, f := range m.fields(v.Type()) {
			if n++; n > maxReset {
				return
			}
			to := v.Name() + "." + f.Name()
			if zero, ok := m.zero(f.Type()); ok {
				m.insert(to+" = "+zero, costAssign)
			}
			if isSlice(f.Type()) {
				m.insert(to+" = "+to+"[:0]", costAssign)
			}
			if n > maxFields {
				continue
			}
			if info(f.Type())&types.IsInteger != 0 {
				m.insert(to+"++", costAssign)
				m.insert(to+"--", costAssign)
			}
			for _, from := range m.scope(pos, func(t types.Type) bool { return types.Identical(t, f.Type()) }, maxSources) {
				m.insert(to+" = "+from.Name(), costGuard)
			}
		}
	}
}

func isPointer(t types.Type) bool { _, ok := t.Underlying().(*types.Pointer); return ok }
func isSlice(t types.Type) bool   { _, ok := t.Underlying().(*types.Slice); return ok }
func isInteger(t types.Type) bool { return info(t)&types.IsInteger != 0 }

// maxGuards bounds the conditions of guards.
const maxGuards = 16

// guards makes conditional returns, and in loops continue and break.
func (m *maker) guards() {
	leave := m.exits()
	for i, a := range m.atoms(m.pl.stmt.Pos(), m.pl.stmt) {
		if i == maxGuards {
			break
		}
		for _, l := range leave {
			m.insert("if "+a.text+" {\n\t"+l+"\n}", costGuard)
		}
		m.panicking(a.text)
		m.clamps(a.text)
	}
}

// clamps makes the assignment that turns x > y into x == y, and so on.
func (m *maker) clamps(cond string) {
	for _, op := range []string{" > ", " < ", " >= "} {
		if x, y, ok := strings.Cut(cond, op); ok && !strings.Contains(x, "(") {
			if op == " >= " {
				y += " - 1"
			}
			m.insert("if "+cond+" {\n\t"+x+" = "+y+"\n}", costGuard)
		}
	}
}

// exits returns the statements that a guard can leave with.
func (m *maker) exits() []string {
	out := m.returns()
	if m.pl.loop {
		out = append(out, "continue")
	}
	if m.pl.loop && !m.pl.endless {
		out = append(out, "break")
	}
	return out
}

// returns returns return statements: of zero values, of the other truth, of
// what the function returns elsewhere.
func (m *maker) returns() (out []string) {
	if m.sig == nil || m.sig.Results().Len() == 0 {
		return []string{"return"}
	}
	zero := make([]string, m.sig.Results().Len())
	for i, t := range results(m.sig) {
		z, ok := m.zero(t)
		if !ok {
			return nil
		}
		zero[i] = z
	}
	out = append(out, "return "+strings.Join(zero, ", "))
	if info(m.sig.Results().At(0).Type())&types.IsBoolean != 0 {
		out = append(out, "return "+strings.Join(append([]string{"true"}, zero[1:]...), ", "))
	}
	for _, list := range m.lists() {
		if text := "return " + list; text != out[0] && len(out) < nearest {
			out = append(out, text)
		}
	}
	return out
}
