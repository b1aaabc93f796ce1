package gofront

// reflect.DeepEqual.

import (
	"go/ast"
	"go/types"

	"github.com/go-amend/amend/ir"
)

// deepEqualCall lowers reflect.DeepEqual.
func (b *body) deepEqualCall(e *ast.CallExpr) value {
	x, y := known(b.val(e.Args[0])), known(b.val(e.Args[1]))
	return b.scalarValue(b.typ(e), b.Save("eq", b.deepEqual(e, x, y)))
}

// known is v or, if that is an interface value, what it is known to hold.
func known(v value) value {
	if v.dyn != nil {
		v.typ, v.dyn = v.dyn, nil
	}
	return v
}

func (b *body) deepEqual(e *ast.CallExpr, x, y value) ir.Expr {
	if isNilConst(x.typ) && isNilConst(y.typ) {
		return truth(true)
	}
	if types.IsInterface(x.typ) || types.IsInterface(y.typ) {
		b.unsupported(e, "DeepEqual of interface values", "compare concrete values")
		return truth(false)
	}
	if typeKey(x.typ) != typeKey(y.typ) {
		return truth(false)
	}
	switch u := x.typ.Underlying().(type) {
	case *types.Map:
		return b.deepEqualMaps(e, x, y)
	case *types.Slice:
		return b.deepEqualSlices(e, u, x, y)
	case *types.Signature:
		x, y = b.data(x), b.data(y)
		return and(b.isNil(e, x), b.isNil(e, y))
	case *types.Struct:
		return b.deepEqualParts(e, u.NumFields(), func(i int) (value, value) { return b.field(x, u, i), b.field(y, u, i) })
	case *types.Array:
		return b.deepEqualParts(e, int(u.Len()), func(i int) (value, value) {
			k := num(tInt, int64(i))
			return b.index(x, u, k), b.index(y, u, k)
		})
	}
	if pointers(x.lay) && !isString(x.typ) {
		b.unsupported(e, "DeepEqual of "+kindName(x.typ), "compare slices, maps, or values without pointers")
		return truth(false)
	}
	return b.equal(e, x, y)
}

// deepEqualParts compares n parts one after the other.
func (b *body) deepEqualParts(e *ast.CallExpr, n int, part func(i int) (x, y value)) ir.Expr {
	all := ir.Expr(truth(true))
	for i := range n {
		x, y := part(i)
		all = and(all, b.deepEqual(e, x, y))
	}
	return all
}

// deepEqualSlices compares slices: nil is not equal to others, and what is the
// same memory is equal, whatever it holds.
func (b *body) deepEqualSlices(e *ast.CallExpr, t *types.Slice, x, y value) ir.Expr {
	x, y = b.snapshot(x), b.snapshot(y)
	isNil := func(v value) ir.Expr { return &ir.Binary{Op: ir.Eq, X: v.ptr(), Y: num(tAddr, 0)} }
	eq := b.Temp("eq", tBool)
	b.Set(use(eq), and(&ir.Binary{Op: ir.Eq, X: x.length(), Y: y.length()}, &ir.Binary{Op: ir.Eq, X: isNil(x), Y: isNil(y)}))
	b.cutWhen(&ir.Binary{Op: ir.Gt, X: x.length(), Y: num(tInt, int64(b.width()))})
	open := ir.Expr(use(eq))
	if r := x.region(0); r != nil && r == y.region(0) {
		open = and(open, &ir.Binary{Op: ir.Ne, X: x.ptr(), Y: y.ptr()})
	}
	for k := range b.width() {
		then := b.Block(func() {
			i := num(tInt, int64(k))
			b.Set(use(eq), b.deepEqual(e, b.raw(x, i, t.Elem()), b.raw(y, i, t.Elem())))
		})
		b.branch(and(ir.CloneExpr(open), &ir.Binary{Op: ir.Lt, X: num(tInt, int64(k)), Y: x.length()}), then, nil)
	}
	return use(eq)
}
