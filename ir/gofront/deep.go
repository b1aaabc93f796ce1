package gofront

// Deep equality, as reflect.DeepEqual has it: a procedure for each type.
// Values that are their own part are compared without end, so that such runs
// are cut.

import (
	"go/ast"
	"go/types"

	"github.com/go-amend/amend/ir"
)

// deepEqualCall lowers reflect.DeepEqual.
func (b *body) deepEqualCall(e *ast.CallExpr) value {
	x, y := b.val(e.Args[0]), b.val(e.Args[1])
	return b.scalarValue(b.typ(e), b.Save("eq", b.deepEqual(e, x, y)))
}

// deepEqual compares the arguments x and y of reflect.DeepEqual, at n.
func (b *body) deepEqual(n ast.Node, x, y value) ir.Expr {
	tx, ty := concrete(x), concrete(y)
	switch {
	case isNilConst(x.typ) && isNilConst(y.typ):
		return truth(true)
	case isNilConst(x.typ):
		return b.isNilInterface(y)
	case isNilConst(y.typ):
		return b.isNilInterface(x)
	}
	if tx == nil || ty == nil {
		return b.deepCall(n, anyType, b.asAny(x), b.asAny(y))
	}
	if typeKey(tx) != typeKey(ty) {
		return truth(false)
	}
	x.typ, x.dyn, y.typ, y.dyn = tx, nil, ty, nil
	return b.deepCall(n, tx, x, y)
}

// isNilInterface reports whether v, as an interface value, is nil: not if it
// holds anything.
func (b *body) isNilInterface(v value) ir.Expr {
	if concrete(v) != nil {
		return truth(false)
	}
	return &ir.Binary{Op: ir.Eq, X: v.read(0), Y: num(tInt, 0)}
}

// known is v or, if that is an interface value, what it is known to hold.
func known(v value) value {
	if v.dyn != nil {
		v.typ, v.dyn = v.dyn, nil
	}
	return v
}

// asAny makes v a value of type any without a type that is known.
func (b *body) asAny(v value) value {
	switch {
	case v.dyn != nil:
		v = b.forget(v)
	case !types.IsInterface(v.typ):
		v = b.erased(v, anyType)
	}
	return b.scalarValue(anyType, b.frozen(v.read(0)))
}

// deepCall calls the procedure that compares values of type t, if that takes
// one.
func (b *body) deepCall(n ast.Node, t types.Type, x, y value) ir.Expr {
	if why := b.notDeep(t, map[types.Type]bool{}); why != "" {
		b.unsupported(n, "DeepEqual of "+why, "compare what is in it")
		return truth(false)
	}
	if b.plainly(t) {
		return b.equal(n, x, y)
	}
	var vs []value
	b.Within(func() { vs = b.callFunction(n, b.deepFunc(n, t), []value{b.snapshot(x), b.snapshot(y)}) })
	if len(vs) == 0 {
		return truth(false)
	}
	return vs[0].read(0)
}

// plainly reports whether values of type t are deeply equal if they are equal.
func (b *body) plainly(t types.Type) bool {
	if v := handled(t); v != nil {
		return b.plainly(v)
	}
	switch u := t.Underlying().(type) {
	case *types.Basic, *types.Chan:
		return true
	case *types.Array:
		return b.plainly(u.Elem())
	case *types.Struct:
		for f := range u.Fields() {
			if !b.plainly(f.Type()) || f.Name() == "_" {
				return false
			}
		}
		return true
	}
	return false
}

// notDeep returns what in t can't be compared deeply, "" for nothing.
func (b *body) notDeep(t types.Type, seen map[types.Type]bool) string {
	if seen[t] {
		return ""
	}
	seen[t] = true
	if v := handled(t); v != nil {
		return b.notDeep(v, seen)
	}
	switch u := t.Underlying().(type) {
	case *types.Map:
		return b.notDeep(u.Elem(), seen)
	case *types.Pointer:
		return b.notDeep(u.Elem(), seen)
	case *types.Slice:
		return b.notDeep(u.Elem(), seen)
	case *types.Array:
		return b.notDeep(u.Elem(), seen)
	case *types.Struct:
		for f := range u.Fields() {
			if why := b.notDeep(f.Type(), seen); why != "" {
				return why
			}
		}
	}
	return ""
}

// deepFunc returns the function that compares values of type t.
func (b *body) deepFunc(n ast.Node, t types.Type) *function {
	flag := types.Typ[types.Bool]
	s := &synthetic{params: []*types.Var{parameter("x", t), parameter("y", t)}, results: resultTuple(flag), apart: !types.IsInterface(t)}
	s.build = func(b *body) {
		if types.IsInterface(t) {
			b.deepInterfaces(n, t)
			return
		}
		b.yields(b.scalarValue(flag, b.Save("eq", b.deepParts(n, *b.arg(0), *b.arg(1)))))
	}
	f := b.synthesize(n, "DeepEqual "+types.TypeString(t, nil), s)
	f.key = "DeepEqual " + typeKey(t)
	return f
}

// deepParts compares x and y, of one type that is no interface.
func (b *body) deepParts(n ast.Node, x, y value) ir.Expr {
	if t := handled(x.typ); t != nil {
		return b.deepHandles(n, x, y, t)
	}
	switch u := x.typ.Underlying().(type) {
	case *types.Map:
		return b.deepEqualMaps(n, x, y)
	case *types.Signature:
		x, y = b.data(x), b.data(y)
		return and(b.isNil(n, x), b.isNil(n, y))
	case *types.Pointer:
		return b.deepPointers(n, u, x, y)
	case *types.Slice:
		f := b.ps.modelFor("DeepSlices", u.Elem())
		return b.callFunction(n, f, []value{x, y, b.modelArgument(f, 2, b.deepFunc(n, u.Elem()))})[0].read(0)
	case *types.Struct:
		eq := b.allTrue()
		for i := range u.NumFields() {
			b.also(eq, func() ir.Expr { return b.deepCall(n, u.Field(i).Type(), b.field(x, u, i), b.field(y, u, i)) })
		}
		return use(eq)
	case *types.Array:
		eq := b.allTrue()
		for i := range u.Len() {
			b.also(eq, func() ir.Expr {
				return b.deepCall(n, u.Elem(), b.index(x, u, num(tInt, i)), b.index(y, u, num(tInt, i)))
			})
		}
		return use(eq)
	}
	return b.equal(n, x, y)
}

// deepPointers compares pointers x and y: as such, then what they point to.
func (b *body) deepPointers(n ast.Node, u *types.Pointer, x, y value) ir.Expr {
	b.unify(x.region(0), y.region(0))
	eq := b.Temp("eq", tBool)
	b.Set(use(eq), &ir.Binary{Op: ir.Eq, X: x.read(0), Y: y.read(0)})
	some := func(v value) ir.Expr { return &ir.Binary{Op: ir.Ne, X: v.read(0), Y: num(tAddr, 0)} }
	b.branch(and(&ir.Unary{Op: ir.Not, X: use(eq)}, and(some(x), some(y))), b.Block(func() {
		b.Set(use(eq), b.deepCall(n, u.Elem(), b.deref(x, u.Elem()), b.deref(y, u.Elem())))
	}), nil)
	return use(eq)
}

// deepInterfaces compares interface values by what they hold.
func (b *body) deepInterfaces(n ast.Node, t types.Type) {
	flag := types.Typ[types.Bool]
	b.demands = append(b.demands, demand{span: b.span(n), t: t, what: "DeepEqual of interface values"})
	x, y := b.arg(0).read(0), b.arg(1).read(0)
	b.eachKept(func(dyn types.Type) {
		if !implements(dyn, t) {
			return
		}
		both := and(isType(x, b.typeID(dyn)), isType(y, b.typeID(dyn)))
		if b.notDeep(dyn, map[types.Type]bool{}) != "" {
			b.cutWhen(both)
			return
		}
		b.branch(both, b.Block(func() {
			eq := b.deepCall(n, dyn, b.unboxed(x, dyn), b.unboxed(y, dyn))
			b.yields(b.scalarValue(flag, b.Save("eq", eq)))
		}), nil)
	}, func() {
		b.yields(b.scalarValue(flag, &ir.Binary{Op: ir.Eq, X: ir.CloneExpr(x), Y: ir.CloneExpr(y)}))
	})
}

// allTrue returns a variable that is true; also has it stay so only if what
// cond gives holds, which is evaluated only then.
func (b *body) allTrue() *ir.Var {
	eq := b.Temp("eq", tBool)
	b.Set(use(eq), truth(true))
	return eq
}

func (b *body) also(eq *ir.Var, cond func() ir.Expr) {
	b.branch(use(eq), b.Block(func() { b.Set(use(eq), cond()) }), nil)
}
