package gofront

// Properties: the functions that package testing/quick checks.

import (
	"go/ast"
	"go/types"

	"github.com/go-amend/amend/ir"
)

// freeArgs makes free arguments for f, a property.
func (b *body) freeArgs(n ast.Node, f *function) []value {
	params, _, _ := f.signature()
	var args []value
	for _, p := range params {
		t := f.env.subst(p.Type())
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
	rs := b.callFunction(e, f, b.freeArgs(e, f))
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
