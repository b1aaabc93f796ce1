package gofront

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// What a parallel subtest may share with what runs before it or beside it: that
// through which nothing changes. Such a variable is made of a literal that holds
// no other memory, and all uses of it in its function only read.

// A sharing asks what n, the literal or declaration of a subtest, shares.
type sharing struct {
	p *pkg
	n ast.Node
}

// steady reports whether v, from outside of n, and what it leads to are the same
// whenever n runs.
func (s sharing) steady(v *types.Var) bool {
	f := s.p.factsOf()
	switch {
	case f.assigned[v] > 0 || f.address[v]:
		return false
	case !refers(v.Type()):
		return true
	}
	in := s.p.function(v)
	if in == nil {
		return false // of the package: who knows who uses it
	}
	if s.ranged(in, v) && s.alone(in, v) {
		return true
	}
	return s.all(in, v, func(stack []ast.Node) bool { return s.reads(stack) || s.defines(in, stack, s.reads) })
}

// alone reports whether nothing but n uses what v, the element of a range
// statement, leads to: n may do with it what it wants.
func (s sharing) alone(in *ast.FuncDecl, v *types.Var) bool {
	never := func([]ast.Node) bool { return false }
	return s.all(in, v, func(stack []ast.Node) bool {
		return slices.Contains(stack, s.n) || s.named(stack) || s.defines(in, stack, never)
	})
}

// all reports whether all uses of v in a function are as ok says.
func (s sharing) all(in *ast.FuncDecl, v *types.Var, ok func(stack []ast.Node) bool) bool {
	all := true
	s.p.uses(in, v, func(stack []ast.Node) { all = all && ok(stack) })
	return all
}

// named reports whether a use reads a field that is a part of the variable.
func (s sharing) named(stack []ast.Node) bool {
	f, ok := parent(stack).(*ast.SelectorExpr)
	if !ok {
		return false
	}
	x := s.p.info.Selections[f]
	return x != nil && x.Kind() == types.FieldVal && !x.Indirect() && !refers(x.Type()) && s.reads(stack)
}

// ranged reports whether v is the element of a range statement: another variable
// each time.
func (s sharing) ranged(in *ast.FuncDecl, v *types.Var) bool {
	return !s.all(in, v, func(stack []ast.Node) bool {
		r, ok := parent(stack).(*ast.RangeStmt)
		return !ok || r.Value != stack[len(stack)-1] || r.Tok != token.DEFINE
	})
}

// defines reports whether stack leads to the definition of a variable, by what
// nothing else leads to. What it ranges over may be used beside that as others
// says.
func (s sharing) defines(in *ast.FuncDecl, stack []ast.Node, others func([]ast.Node) bool) bool {
	id := stack[len(stack)-1].(*ast.Ident)
	if s.p.info.Defs[id] == nil {
		return false
	}
	switch d := parent(stack).(type) {
	case *ast.AssignStmt:
		k := slices.Index(d.Lhs, ast.Expr(id))
		return len(d.Lhs) == len(d.Rhs) && s.fresh(d.Rhs[k])
	case *ast.ValueSpec:
		k := slices.Index(d.Names, id)
		return len(d.Values) == 0 || len(d.Values) == len(d.Names) && s.fresh(d.Values[k])
	case *ast.RangeStmt:
		return d.Value == ast.Expr(id) && s.source(in, d, others)
	}
	return false
}

// source reports whether what r ranges over is a literal, or a variable made of
// one that is used by nothing but r, and as others says.
func (s sharing) source(in *ast.FuncDecl, r *ast.RangeStmt, others func([]ast.Node) bool) bool {
	id, ok := ast.Unparen(r.X).(*ast.Ident)
	if !ok {
		return s.fresh(r.X)
	}
	v, ok := s.p.info.Uses[id].(*types.Var)
	if f := s.p.factsOf(); !ok || f.assigned[v] > 0 || f.address[v] || s.p.function(v) != in {
		return false
	}
	return s.all(in, v, func(stack []ast.Node) bool {
		return stack[len(stack)-1] == ast.Node(id) || others(stack) || s.defines(in, stack, others)
	})
}

// fresh reports whether e holds no memory but its own.
func (s sharing) fresh(e ast.Expr) bool {
	e = ast.Unparen(e)
	if u, ok := e.(*ast.UnaryExpr); ok && u.Op == token.AND {
		e = ast.Unparen(u.X)
		if _, lit := e.(*ast.CompositeLit); !lit {
			return false
		}
	}
	if e, ok := e.(*ast.CompositeLit); ok {
		for _, x := range e.Elts {
			if kv, ok := x.(*ast.KeyValueExpr); ok {
				x = kv.Value
			}
			if !s.fresh(x) {
				return false
			}
		}
		return true
	}
	t := s.p.info.Types[e]
	return t.IsNil() || t.Type != nil && !refers(t.Type) || s.constant(e)
}

// constant reports whether e is an error that the package has and never changes.
func (s sharing) constant(e ast.Expr) bool {
	if sel, ok := e.(*ast.SelectorExpr); ok && s.p.info.Selections[sel] == nil {
		e = sel.Sel
	}
	id, ok := e.(*ast.Ident)
	if !ok {
		return false
	}
	v, ok := s.p.info.Uses[id].(*types.Var)
	f := s.p.factsOf()
	return ok && isError(v.Type()) && v.Parent() == v.Pkg().Scope() && f.assigned[v] == 0 && !f.address[v]
}

// reads reports whether a use reads a value that leads nowhere.
func (s sharing) reads(stack []ast.Node) bool {
	i := len(stack) - 1
	at := stack[i].(ast.Expr)
	if s.p.info.Defs[at.(*ast.Ident)] != nil {
		return false
	}
	for i--; s.leads(stack[i], at); i-- {
		at = stack[i].(ast.Expr)
	}
	t := s.p.info.TypeOf(at)
	switch x := stack[i].(type) {
	case *ast.UnaryExpr:
		return x.Op != token.AND && !refers(t)
	case *ast.IncDecStmt:
		return false
	case *ast.AssignStmt:
		return !slices.Contains(x.Lhs, at) && !refers(t)
	case *ast.RangeStmt:
		return x.X == at && (x.Value == nil || !refers(s.p.info.TypeOf(x.Value)))
	case *ast.BinaryExpr:
		return true // compared with nil, if it isn't a number
	case *ast.CallExpr:
		id, ok := x.Fun.(*ast.Ident)
		return !refers(t) || ok && (id.Name == "len" || id.Name == "cap") && s.p.info.Types[x.Fun].IsBuiltin()
	case *ast.SelectorExpr: // a method
		m, ok := s.p.info.Uses[x.Sel].(*types.Func)
		if !ok || refers(t) {
			return false
		}
		_, pointer := m.Signature().Recv().Type().Underlying().(*types.Pointer)
		return !pointer
	}
	return !refers(t)
}

// leads reports whether n is a part of what e is, or leads to.
func (s sharing) leads(n ast.Node, e ast.Expr) bool {
	switch n := n.(type) {
	case *ast.ParenExpr, *ast.StarExpr:
		return true
	case *ast.IndexExpr:
		return n.X == e
	case *ast.SliceExpr:
		return n.X == e
	case *ast.SelectorExpr:
		x := s.p.info.Selections[n]
		return x != nil && x.Kind() == types.FieldVal
	}
	return false
}

// refers reports whether a value of type t leads to memory.
func refers(t types.Type) bool {
	switch t := t.Underlying().(type) {
	case *types.Basic:
		return t.Kind() == types.UnsafePointer
	case *types.Array:
		return refers(t.Elem())
	case *types.Struct:
		for f := range t.Fields() {
			if refers(f.Type()) {
				return true
			}
		}
		return false
	}
	return true
}

// function returns the declaration of the function that v is a variable of, or
// nil.
func (p *pkg) function(v *types.Var) *ast.FuncDecl {
	for _, f := range p.files {
		for _, d := range f.Decls {
			if d, ok := d.(*ast.FuncDecl); ok && d.Pos() <= v.Pos() && v.Pos() < d.End() {
				return d
			}
		}
	}
	return nil
}

// uses calls visit for each mention of v in a function, with the nodes around
// it, from the function to the name.
func (p *pkg) uses(in *ast.FuncDecl, v *types.Var, visit func(stack []ast.Node)) {
	var stack []ast.Node
	ast.Inspect(in, func(n ast.Node) bool {
		if n == nil {
			stack = stack[:len(stack)-1]
			return true
		}
		stack = append(stack, n)
		if id, ok := n.(*ast.Ident); ok && (p.info.Uses[id] == v || p.info.Defs[id] == v) {
			visit(stack)
		}
		return true
	})
}

// parent returns the node right above the last one.
func parent(stack []ast.Node) ast.Node { return stack[len(stack)-2] }
