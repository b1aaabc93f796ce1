package gofront

// Package unique. A Handle is the value itself, and whether Make made it: two are
// equal if these are.

import (
	"go/ast"
	"go/types"

	"github.com/go-amend/amend/ir"
)

// handled returns the type of values that handles of type t stand for, nil if t
// is no unique.Handle.
func handled(t types.Type) types.Type {
	n, ok := types.Unalias(t).(*types.Named)
	if !ok || n.Obj().Pkg() == nil || n.Obj().Pkg().Path() != "unique" || n.Obj().Name() != "Handle" || n.TypeArgs().Len() != 1 {
		return nil
	}
	return n.TypeArgs().At(0)
}

// layHandle lays out a handle of values of type t.
func (l *lowerer) layHandle(x *layout, t types.Type) {
	if _, ok := t.(*types.TypeParam); ok {
		return
	}
	l.layField(x, types.NewField(0, nil, "made", types.Typ[types.Bool], false))
	l.layField(x, types.NewField(0, nil, "value", t, false))
}

// makeHandle lowers unique.Make(x).
func (b *body) makeHandle(e *ast.CallExpr) value {
	t := b.typ(e)
	for _, f := range b.layoutOf(handled(t)).leaves {
		if _, ok := f.typ.(ir.Float); ok {
			b.unsupported(e, "handle of floating-point numbers", "use other values") // NaN is a handle equal to itself
			return b.refused(e)
		}
	}
	v := b.snapshot(b.argument(e.Args[0], handled(t)))
	return value{
		typ: t, lay: b.layoutOf(t),
		x: append([]ir.Expr{truth(true)}, v.x...), regs: append([]*region{nil}, v.regs...),
	}
}

// handleValue lowers h.Value().
func (b *body) handleValue(e *ast.CallExpr) value {
	h := b.snapshot(b.val(ast.Unparen(e.Fun).(*ast.SelectorExpr).X))
	b.demand(ir.CheckBounds, h.read(0), b.span(e), "") // nil else
	t := handled(h.typ)
	return value{typ: t, lay: b.layoutOf(t), x: h.x[1:], regs: h.regs[1:]}
}

// equalHandles compares handles x and y of values of type t.
func (b *body) equalHandles(n ast.Node, x, y value, t types.Type) ir.Expr {
	return b.handlesWith(x, y, t, func(x, y value) ir.Expr { return b.equal(n, x, y) })
}

// deepHandles compares handles deeply: pointers that are equal, or point to what
// is deeply equal.
func (b *body) deepHandles(n ast.Node, x, y value, t types.Type) ir.Expr {
	return b.handlesWith(x, y, t, func(x, y value) ir.Expr { return b.deepCall(n, t, x, y) })
}

func (b *body) handlesWith(x, y value, t types.Type, equal func(x, y value) ir.Expr) ir.Expr {
	x, y = b.snapshot(x), b.snapshot(y)
	of := func(v value) value { return value{typ: t, lay: b.layoutOf(t), x: v.x[1:], regs: v.regs[1:]} }
	return and(&ir.Binary{Op: ir.Eq, X: x.read(0), Y: y.read(0)}, equal(of(x), of(y)))
}
