package gofront

// Methods that package fmt calls by itself, as String: calls are refused where
// such a method may have effects, since they are not followed.

import (
	"go/ast"
	"go/token"
	"go/types"
)

var formatting = []string{"String", "Error", "Format", "GoString"}

// formatted refuses e, which formats its arguments, if that may have effects.
func (b *body) formatted(e *ast.CallExpr) {
	for _, a := range e.Args {
		if tv := b.p.info.Types[a]; tv.Value != nil && types.Identical(tv.Type, types.Default(tv.Type)) && tv.Type.String() == "string" {
			continue
		}
		if m := b.formats(b.typ(a), map[types.Type]bool{}); m != nil {
			b.unsupported(a, "formatting that calls "+m.FullName(), "call the method itself")
		}
	}
}

// formats returns a method with effects that formatting a value of type t may
// call, nil if there is none.
func (b *body) formats(t types.Type, seen map[types.Type]bool) *types.Func {
	if t == nil || seen[t] {
		return nil
	}
	seen[t] = true
	for _, name := range formatting {
		if m := methodNamed(t, name); m != nil && !types.IsInterface(t) && !b.pure(m) {
			return m
		}
	}
	switch u := t.Underlying().(type) {
	case *types.Interface:
		return b.formatsIn(u, seen)
	case *types.Pointer:
		return b.formats(u.Elem(), seen)
	case *types.Slice:
		return b.formats(u.Elem(), seen)
	case *types.Array:
		return b.formats(u.Elem(), seen)
	case *types.Map:
		if m := b.formats(u.Key(), seen); m != nil {
			return m
		}
		return b.formats(u.Elem(), seen)
	case *types.Struct:
		for f := range u.Fields() {
			if m := b.formats(f.Type(), seen); m != nil {
				return m
			}
		}
	}
	return nil
}

// formatsIn is formats for the types of the package that implement u.
func (b *body) formatsIn(u *types.Interface, seen map[types.Type]bool) *types.Func {
	scope := b.p.types.Scope()
	for _, name := range scope.Names() {
		o, ok := scope.Lookup(name).(*types.TypeName)
		if !ok || types.IsInterface(o.Type()) {
			continue
		}
		for _, t := range []types.Type{o.Type(), types.NewPointer(o.Type())} {
			if n, ok := t.(*types.Named); ok && n.TypeParams().Len() > 0 || !types.Implements(t, u) {
				continue
			}
			if m := b.formats(t, seen); m != nil {
				return m
			}
		}
	}
	return nil
}

// pure reports whether the method m obviously has no effects: it assigns to
// its own variables only, and calls nothing but formatting functions.
// Methods of other modules are taken to be so.
func (b *body) pure(m *types.Func) bool {
	if m.Pkg() == nil {
		return true
	}
	p := b.ps.source(m.Pkg().Path())
	if p == nil || !p.root {
		return true
	}
	d := p.declOf(funcKey(m))
	if d == nil || d.Body == nil {
		return true
	}
	own := func(e ast.Expr) bool {
		id, ok := e.(*ast.Ident)
		o := p.info.ObjectOf(id)
		return ok && (id.Name == "_" || o != nil && d.Pos() <= o.Pos() && o.Pos() < d.End())
	}
	ok := true
	ast.Inspect(d.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, x := range n.Lhs {
				ok = ok && own(x)
			}
		case *ast.IncDecStmt:
			ok = ok && own(n.X)
		case *ast.RangeStmt:
			ok = ok && (n.Tok != token.ASSIGN || (n.Key == nil || own(n.Key)) && (n.Value == nil || own(n.Value)))
		case *ast.CallExpr:
			ok = ok && p.formatsOnly(n)
		case *ast.GoStmt, *ast.SendStmt, *ast.SelectStmt:
			ok = false
		case *ast.UnaryExpr:
			ok = ok && n.Op != token.ARROW
		}
		return ok
	})
	return ok
}

// formatsOnly reports whether e is a conversion, or calls a function that
// only makes a value.
func (p *pkg) formatsOnly(e *ast.CallExpr) bool {
	fun := ast.Unparen(e.Fun)
	if p.info.Types[fun].IsType() {
		return true
	}
	switch f := fun.(type) {
	case *ast.Ident:
		o, ok := p.info.Uses[f].(*types.Builtin)
		return ok && (o.Name() == "len" || o.Name() == "cap" || o.Name() == "min" || o.Name() == "max")
	case *ast.SelectorExpr:
		o, ok := p.info.Uses[f.Sel].(*types.Func)
		if !ok || o.Pkg() == nil || o.Signature().Recv() != nil {
			return false
		}
		switch o.FullName() {
		case "fmt.Sprint", "fmt.Sprintf", "fmt.Sprintln", "strings.Join", "strings.Repeat":
			return true
		}
		return o.Pkg().Path() == "strconv"
	}
	return false
}
