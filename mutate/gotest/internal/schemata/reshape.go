package schemata

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"
)

// This file changes the shape of code: the order of statements, what is
// deferred, copied, ranged over, or wrapped in a call.

// maxRun bounds how many statements are put in other orders.
const maxRun = 6

// run makes a place of statements that can be put in another order: such that
// declare nothing and go nowhere else. It returns how many there are.
func (f *finder) run(list []ast.Stmt) (n int) {
	for n < len(list) && n < maxRun && movable(list[n]) {
		n++
	}
	if n > 1 && !f.recovers(&ast.BlockStmt{List: list[:n]}) {
		f.add(&Place{form: statement, run: list[:n]}, list[0], list[n-1])
	}
	return n
}

func movable(s ast.Stmt) bool {
	switch s := s.(type) {
	case *ast.AssignStmt:
		return s.Tok != token.DEFINE
	case *ast.IncDecStmt, *ast.ExprStmt, *ast.SendStmt, *ast.DeferStmt:
		return true
	}
	return false
}

// reordered exchanges neighbours, and moves the first statement to the end and the
// last one to the front.
func (m *maker) reordered(run []ast.Stmt) {
	n := len(run)
	for i := 1; i < n; i++ {
		order := slices.Clone(run)
		order[i-1], order[i] = order[i], order[i-1]
		m.ordered(run, order)
	}
	if n > 2 {
		m.ordered(run, append(slices.Clone(run[1:]), run[0]))
		m.ordered(run, append([]ast.Stmt{run[n-1]}, run[:n-1]...))
	}
}

func (m *maker) ordered(run, order []ast.Stmt) {
	var edits []Edit
	for i, s := range order {
		if s != run[i] {
			edits = append(edits, Edit{m.offset(run[i].Pos()), m.offset(run[i].End()), m.text(s)})
		}
	}
	m.edit(edits, Fixes, costResults)
}

// deferred defers a call of a method that takes nothing, as those that unlock
// or close do.
func (m *maker) deferred(s *ast.ExprStmt) {
	c, ok := s.X.(*ast.CallExpr)
	if !ok || len(c.Args) > 0 || m.pl.loop || m.pl.form != statement {
		return
	}
	if _, ok := c.Fun.(*ast.SelectorExpr); ok {
		m.replace(s, "defer "+m.text(c), Fixes, costDelete)
	}
}

// cloned makes a copy of a slice that is assigned or returned: what has it must not
// see later changes.
func (m *maker) cloned(e ast.Expr) {
	t := m.typeOf(e)
	if _, ok := t.Underlying().(*types.Slice); !ok || m.pl.cond || m.pl.ranged {
		return
	}
	switch e.(type) {
	case *ast.Ident, *ast.SelectorExpr, *ast.SliceExpr, *ast.IndexExpr:
		if name, ok := m.p.typeName(m.file, t); ok && !m.p.Info.Types[e].IsNil() {
			m.replace(e, "append("+name+"(nil), "+m.text(e)+"...)", Fixes, costCall)
		}
	}
}

// appended keeps append from writing into what is behind its slice.
func (m *maker) appended(c *ast.CallExpr) {
	if !m.builtin(c, "append") || len(c.Args) == 0 {
		return
	}
	s, ok := c.Args[0].(*ast.SliceExpr)
	if !ok || s.Slice3 || s.High == nil {
		return
	}
	low := ""
	if s.Low != nil {
		low = m.text(s.Low)
	}
	high := m.text(s.High)
	m.replace(s, m.text(s.X)+"["+low+":"+high+":"+high+"]", Fixes, costVariable)
}

// maxBounds bounds how many variables bound a range.
const maxBounds = 3

// shorter ranges over less of a slice or string.
func (m *maker) shorter(e ast.Expr) {
	t := m.typeOf(e).Underlying()
	if _, ok := t.(*types.Slice); !ok && info(t)&types.IsString == 0 {
		return
	}
	switch e.(type) {
	case *ast.Ident, *ast.SelectorExpr, *ast.IndexExpr:
	default:
		return
	}
	x := m.text(e)
	m.replace(e, x+"[1:]", Fixes, costMask)
	m.replace(e, x+"[:len("+x+")-1]", Fixes, costMask)
	for _, n := range m.bounds(e.Pos()) {
		m.replace(e, x+"[:"+n+"]", Fixes, costMask)
		m.replace(e, x+"["+n+":]", Fixes, costMask)
	}
}

// bounds returns integers that can be used at pos: variables, and fields of
// these.
func (m *maker) bounds(pos token.Pos) (out []string) {
	isInt := func(t types.Type) bool { return types.Identical(t, types.Typ[types.Int]) }
	for _, v := range m.scope(pos, func(types.Type) bool { return true }, maxScope) {
		if isInt(v.Type()) {
			out = append(out, v.Name())
		}
		for _, f := range m.fields(v.Type()) {
			if isInt(f.Type()) {
				out = append(out, v.Name()+"."+f.Name())
			}
		}
	}
	return out[:min(len(out), maxBounds)]
}

// element writes to the element itself in place of the copy that a range
// statement makes.
func (m *maker) element(id *ast.Ident) {
	for _, r := range m.pl.ranges {
		v, ok := r.Value.(*ast.Ident)
		key, named := r.Key.(*ast.Ident)
		if !ok || !named || key.Name == "_" || m.p.Info.Defs[v] == nil || m.p.Info.Defs[v] != m.p.Info.Uses[id] {
			continue
		}
		switch r.X.(type) {
		case *ast.Ident, *ast.SelectorExpr:
			m.replace(id, m.text(r.X)+"["+key.Name+"]", Fixes, costNeighbour)
		}
	}
}

// maxWraps bounds the functions that a value is wrapped in.
const maxWraps = 4

// wrapped calls a function of the package, a method of the value, or a function of
// an imported package on a string.
func (m *maker) wrapped(e ast.Expr) {
	t := m.typeOf(e)
	if tv := m.p.Info.Types[e]; tv.Value != nil || tv.IsNil() || tv.IsType() || info(t)&types.IsBoolean != 0 || !m.want(Fixes) {
		return
	}
	n := 0
	wrap := func(before, after string) {
		if n++; n <= maxWraps {
			m.replace(e, before+after, Fixes, costWrap)
		}
	}
	x := m.operand(e, token.HighestPrec)
	for o := range types.NewMethodSet(t).Methods() {
		if f := o.Obj().(*types.Func); sameType(f.Signature(), t, 0) && (f.Exported() || f.Pkg() == m.p.Types) && f.Name() != m.fn {
			wrap(x, "."+f.Name()+"()")
		}
	}
	for _, name := range m.wrappers(m.p.Types.Scope(), t) {
		if name != m.fn {
			wrap(name, "("+m.text(e)+")")
		}
	}
	if !types.Identical(t, types.Typ[types.String]) {
		return
	}
	for _, i := range m.file.Syntax.Imports {
		of := m.p.Info.PkgNameOf(i)
		if of == nil || of.Name() == "." || of.Name() == "_" {
			continue
		}
		for _, name := range m.wrappers(of.Imported().Scope(), t) {
			if token.IsExported(name) && name != "Clone" && name != "Title" {
				wrap(of.Name()+"."+name, "("+m.text(e)+")")
			}
		}
	}
}

// wrappers returns the functions of a scope from t to t.
func (m *maker) wrappers(s *types.Scope, t types.Type) (names []string) {
	for _, name := range s.Names() {
		if f, ok := s.Lookup(name).(*types.Func); ok && f.Signature().TypeParams() == nil && sameType(f.Signature(), t, 1) {
			names = append(names, name)
		}
	}
	return names
}

// sameType reports whether a function takes n values of type t and returns one.
func sameType(s *types.Signature, t types.Type, n int) bool {
	return s.Params().Len() == n && s.Results().Len() == 1 && !s.Variadic() && types.Identical(s.Results().At(0).Type(), t) &&
		(n == 0 || types.Identical(s.Params().At(0).Type(), t))
}

// unwrapped leaves out a call that returns what it is given, or its receiver.
func (m *maker) unwrapped(c *ast.CallExpr) {
	t := m.typeOf(c)
	if s, ok := c.Fun.(*ast.SelectorExpr); ok && len(c.Args) == 0 && m.p.Info.Selections[s] != nil && types.Identical(m.typeOf(s.X), t) {
		m.replace(c, m.text(s.X), Fixes, costCall)
	}
	if len(c.Args) == 1 && !m.isType(c.Fun) && types.Identical(m.typeOf(c.Args[0]), t) {
		m.replace(c, m.operand(c.Args[0], token.HighestPrec), Fixes, costCall)
	}
}

// maxOthers bounds how many literals of the function stand for one.
const maxOthers = 3

// others makes other literals of the function.
func (m *maker) others(e *ast.BasicLit) {
	n := 0
	seen := map[string]bool{e.Value: true, "0": true}
	ast.Inspect(m.enclosing(), func(x ast.Node) bool {
		l, ok := x.(*ast.BasicLit)
		if ok && l.Kind == e.Kind && !seen[l.Value] && n < maxOthers {
			seen[l.Value] = true
			n++
			m.replace(e, l.Value, "constants", costCall)
		}
		return true
	})
}

// enclosing returns the body of the function.
func (m *maker) enclosing() ast.Node {
	for _, d := range m.file.Syntax.Decls {
		if d, ok := d.(*ast.FuncDecl); ok && d.Body != nil && m.offset(d.Pos()) <= m.pl.Start && m.pl.End <= m.offset(d.End()) {
			return d.Body
		}
	}
	return &ast.BlockStmt{}
}

// maxEnum bounds the constants that a value of a named type is compared with.
const maxEnum = 8

// enumerated compares v with the constants of its type, and reports whether there
// are any.
func (m *maker) enumerated(c *conditions, v *types.Var) bool {
	all := m.enumeration(v.Type())
	for _, o := range all[:min(len(all), maxEnum)] {
		c.say(v.Name()+" != "+o.Name(), v.Name()+" == "+o.Name())
	}
	return len(all) > 0
}

// strange returns a cost: that of what is seldom done with enumerations where e is
// of one.
func (m *maker) strange(e ast.Expr, cost int) int {
	if len(m.enumeration(m.typeOf(e))) > 1 {
		return costStrange
	}
	return cost
}

// enumeration returns the constants of a named type of the package.
func (m *maker) enumeration(t types.Type) []*types.Const {
	named, ok := t.(*types.Named)
	if !ok || info(t)&(types.IsInteger|types.IsString) == 0 || named.Obj().Pkg() != m.p.Types {
		return nil
	}
	if all, known := m.p.enums[named]; known {
		return all
	}
	scope := m.p.Types.Scope()
	var all []*types.Const
	for _, name := range scope.Names() {
		if o, ok := scope.Lookup(name).(*types.Const); ok && types.Identical(o.Type(), t) {
			all = append(all, o)
		}
	}
	slices.SortFunc(all, func(a, b *types.Const) int { return int(a.Pos() - b.Pos()) })
	if m.p.enums == nil {
		m.p.enums = make(map[*types.Named][]*types.Const)
	}
	m.p.enums[named] = all
	return all
}

// panicking makes a guard that panics, and says why.
func (m *maker) panicking(cond string) {
	if m.p.Panics {
		m.insert("if "+cond+" {\n\tpanic("+strconv.Quote(strings.TrimSpace(cond))+")\n}", costGuard)
	}
}
