package gofront

// Methods that package fmt calls by itself, as String: calls are refused where
// such a method may have effects, since they are not followed.

import (
	"go/ast"
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
		if m := methodNamed(t, name); m != nil && !types.IsInterface(t) && !b.pure(m, seen) {
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
