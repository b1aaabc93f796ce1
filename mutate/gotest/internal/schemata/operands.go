package schemata

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// This file says what else could stand where a variable, a field, a function
// or a bound of a slice does.

// nearest bounds how many other variables or functions are tried.
const nearest = 5

// scope returns variables that can be used at pos, the last declared first.
func (m *maker) scope(pos token.Pos, want func(types.Type) bool, most int) (out []*types.Var) {
	inner := m.p.Types.Scope().Innermost(pos)
	for s := inner; s != nil && s != m.p.Types.Scope() && s.Parent() != m.p.Types.Scope(); s = s.Parent() {
		var here []*types.Var
		for _, name := range s.Names() {
			v, ok := s.Lookup(name).(*types.Var)
			if !ok || name == "_" || !want(v.Type()) {
				continue
			}
			if _, seen := inner.LookupParent(name, pos); seen == v {
				here = append(here, v)
			}
		}
		slices.SortFunc(here, func(a, b *types.Var) int { return int(b.Pos() - a.Pos()) })
		out = append(out, here...)
	}
	return out[:min(len(out), most)]
}

// variable makes other variables of the same type.
func (m *maker) variable(id *ast.Ident) {
	v, ok := m.p.Info.Uses[id].(*types.Var)
	if !ok || v.IsField() {
		return
	}
	for _, o := range m.scope(id.Pos(), func(t types.Type) bool { return types.Identical(t, v.Type()) }, nearest+1) {
		if o != v {
			m.replace(id, o.Name(), "variables", costVariable)
		}
	}
}

// function makes other functions of the same type in the package.
func (m *maker) function(id *ast.Ident) {
	if f, ok := m.p.Info.Uses[id].(*types.Func); ok && f.Pkg() != nil && f.Signature().Recv() == nil {
		m.functions(id, f)
	}
}

func (m *maker) functions(id *ast.Ident, f *types.Func) {
	var names []string
	scope := f.Pkg().Scope()
	for _, name := range scope.Names() {
		o, ok := scope.Lookup(name).(*types.Func)
		if ok && o != f && types.Identical(o.Type(), f.Type()) && (o.Exported() || f.Pkg() == m.p.Types) {
			names = append(names, name)
		}
	}
	m.calls(id, f.Name(), names)
}

// calls makes those names that are most like the one that is there.
func (m *maker) calls(id *ast.Ident, name string, names []string) {
	slices.SortStableFunc(names, func(a, b string) int { return common(b, name) - common(a, name) })
	for _, o := range names[:min(len(names), nearest)] {
		m.replace(id, o, "calls", costCall)
	}
}

// common returns the length of what two names begin and end with.
func common(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	k := 0
	for k < len(a)-n && k < len(b)-n && a[len(a)-1-k] == b[len(b)-1-k] {
		k++
	}
	return n + k
}

func (m *maker) selector(e *ast.SelectorExpr) {
	sel := m.p.Info.Selections[e]
	if sel == nil {
		if f, ok := m.p.Info.Uses[e.Sel].(*types.Func); ok && f.Pkg() != nil {
			m.functions(e.Sel, f)
		}
		return
	}
	if sel.Kind() == types.FieldVal {
		m.field(e)
	} else {
		m.method(e, sel)
	}
	m.expr(e.X, token.HighestPrec)
}

// field makes other fields of the same type.
func (m *maker) field(e *ast.SelectorExpr) {
	sel := m.p.Info.Selections[e]
	if sel == nil || sel.Kind() != types.FieldVal || len(sel.Index()) != 1 {
		return
	}
	t := sel.Recv()
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	s, ok := t.Underlying().(*types.Struct)
	if !ok {
		return
	}
	n := 0
	for f := range s.Fields() {
		if f != sel.Obj() && types.Identical(f.Type(), sel.Type()) && f.Name() != "_" && n < nearest {
			m.replace(e.Sel, f.Name(), "variables", costVariable)
			n++
		}
	}
}

// method makes other methods of the same type.
func (m *maker) method(e *ast.SelectorExpr, sel *types.Selection) {
	set := types.NewMethodSet(sel.Recv())
	if _, ok := sel.Recv().Underlying().(*types.Pointer); !ok && !types.IsInterface(sel.Recv()) {
		set = types.NewMethodSet(types.NewPointer(sel.Recv()))
	}
	var names []string
	for o := range set.Methods() {
		if o.Obj() != sel.Obj() && types.Identical(o.Type(), sel.Type()) {
			names = append(names, o.Obj().Name())
		}
	}
	m.calls(e.Sel, sel.Obj().Name(), names)
}

func (m *maker) call(e *ast.CallExpr, prec int) {
	m.outwards(e, prec)
	if !m.isType(e.Fun) {
		m.expr(e.Fun, token.HighestPrec)
		m.exchanged(e)
		m.unwrapped(e)
		m.appended(e)
	}
	for _, a := range e.Args {
		m.expr(a, 0)
		if tv := m.p.Info.Types[e.Fun]; !tv.IsType() && !tv.IsBuiltin() {
			m.wrapped(a)
		}
	}
}

// exchanged exchanges arguments of the same type next to each other.
func (m *maker) exchanged(e *ast.CallExpr) {
	for i := 1; i < len(e.Args); i++ {
		a, b := e.Args[i-1], e.Args[i]
		if types.Identical(m.typeOf(a), m.typeOf(b)) {
			m.edit([]Edit{
				{m.offset(a.Pos()), m.offset(a.End()), m.text(b)},
				{m.offset(b.Pos()), m.offset(b.End()), m.text(a)},
			}, Fixes, costVariable)
		}
	}
}

// slice makes other bounds.
func (m *maker) slice(e *ast.SliceExpr) {
	m.expr(e.X, token.HighestPrec)
	for _, b := range []ast.Expr{e.Low, e.High, e.Max} {
		if b != nil {
			m.expr(b, 0)
			m.length(b)
		}
	}
	if e.Slice3 {
		return
	}
	head := m.text(e.X) + "["
	switch {
	case e.Low != nil && e.High == nil:
		m.replace(e, head+":"+m.text(e.Low)+"]", Fixes, costVariable)
		m.replace(e, m.text(e.X), Fixes, costCall)
	case e.Low == nil && e.High != nil:
		m.replace(e, head+m.text(e.High)+":]", Fixes, costVariable)
		m.replace(e, m.text(e.X), Fixes, costCall)
	case e.Low != nil:
		m.replace(e, head+m.text(e.Low)+":]", Fixes, costVariable)
		m.replace(e, head+":"+m.text(e.High)+"]", Fixes, costVariable)
	}
}
