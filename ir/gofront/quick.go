package gofront

// Properties: the functions that package testing/quick checks.

import (
	"go/ast"
	"go/types"
	"slices"

	"github.com/go-amend/amend/ir"
)

// freeArgs makes free arguments for f, a property; nil after an error.
func (b *body) freeArgs(n ast.Node, f *function) []value {
	params, _, _ := f.signature()
	args := []value{}
	for _, p := range params {
		t := f.env.subst(p.Type())
		if b.holdsFloat(t) {
			b.unsupported(n, "property of floating-point numbers", "write a fuzz target: package quick tries finite ones only")
			return nil
		}
		switch t.Underlying().(type) {
		case *types.Slice:
			args = append(args, b.entryInput(p.Name(), t, nil))
		case *types.Basic:
			if isString(t) {
				args = append(args, b.entryInput(p.Name(), t, nil))
				continue
			}
			args = append(args, b.free(n, t))
		default:
			args = append(args, b.free(n, t))
		}
	}
	return args
}

// quick lowers quick.Check(f, config): an error unless f is true of free
// arguments.
func (b *body) quick(e *ast.CallExpr) value {
	f := b.functionOf(e.Args[0])
	if f == nil {
		return b.refused(e)
	}
	args := b.freeArgs(e, f)
	if args == nil {
		return b.refused(e)
	}
	rs := b.callFunction(e, f, args)
	if len(rs) != 1 {
		return b.refused(e)
	}
	return b.errorUnless(e, rs[0].read(0))
}

func (b *body) errorUnless(e *ast.CallExpr, c ir.Expr) value {
	t := b.typ(e)
	return b.scalarValue(t, b.Save("err", &ir.Cond{C: c, X: num(tInt, 0), Y: num(tInt, 1)}))
}

func (b *body) quickEqual(e *ast.CallExpr) value {
	f, g := b.functionOf(e.Args[0]), b.functionOf(e.Args[1])
	if f == nil || g == nil {
		return b.refused(e)
	}
	args := b.freeArgs(e, f)
	if args == nil {
		return b.refused(e)
	}
	x := b.callFunction(e, f, args)
	for i := range x {
		x[i] = b.snapshot(x[i])
	}
	y := b.callFunction(e, g, args)
	all := ir.Expr(truth(true))
	for i := range x {
		if i < len(y) {
			all = and(all, b.equal(e, x[i], y[i]))
		}
	}
	return b.errorUnless(e, all)
}

// holdsFloat reports whether values of type t, or elements of them, have
// floating-point numbers in them.
func (b *body) holdsFloat(t types.Type) bool {
	if s, ok := t.Underlying().(*types.Slice); ok {
		t = s.Elem()
	}
	return slices.ContainsFunc(b.layoutOf(t).leaves, func(f leaf) bool {
		_, ok := f.typ.(ir.Float)
		return ok
	})
}
