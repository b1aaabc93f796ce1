package gofront

// Comparison of interface values, and what else asks for what they hold.

import (
	"go/ast"
	"go/types"

	"github.com/go-amend/amend/ir"
)

const (
	comparing    = "comparison of interface values"
	asserting    = "type assertion on interface values"
	uncomparable = "comparing uncomparable type"
)

// equalInterfaces is x == y, at least one of which is an interface value.
func (b *body) equalInterfaces(n ast.Node, x, y value) ir.Expr {
	tx, ty := concrete(x), concrete(y)
	switch {
	case tx != nil && ty != nil:
		return b.equalConcrete(n, x, y)
	case tx != nil:
		return b.equalErased(n, y, x, tx)
	case ty != nil:
		return b.equalErased(n, x, y, ty)
	}
	b.demands = append(b.demands, demand{span: b.span(n), t: x.typ, what: comparing})
	eq, bad := b.equalNumbers(n, x.read(0), y.read(0))
	if b.known.deep {
		b.demand(ir.CheckAssert, &ir.Unary{Op: ir.Not, X: bad}, b.span(n), uncomparable)
	}
	return eq
}

// equalNumbers is the comparison of interface values l and r, and whether it
// panics.
func (b *body) equalNumbers(n ast.Node, l, r ir.Expr) (eq, bad ir.Expr) {
	if !b.known.deep {
		return &ir.Binary{Op: ir.Eq, X: l, Y: r}, truth(false)
	}
	l, r = b.frozen(l), b.frozen(r)
	var vs []value
	b.Within(func() {
		vs = b.callFunction(n, b.equality(n), []value{b.scalarValue(anyType, l), b.scalarValue(anyType, r)})
	})
	return vs[0].read(0), vs[1].read(0)
}

var anyType = types.Universe.Lookup("any").Type()

// equalConcrete is x == y for interface values of known dynamic types.
func (b *body) equalConcrete(n ast.Node, x, y value) ir.Expr {
	tx, ty := concrete(x), concrete(y)
	if typeKey(tx) != typeKey(ty) {
		return truth(false)
	}
	if !types.Comparable(tx) {
		b.demand(ir.CheckAssert, truth(false), b.span(n), uncomparable)
		return truth(false)
	}
	x.typ, x.dyn, y.typ, y.dyn = tx, nil, ty, nil
	return b.equal(n, x, y)
}

// equalErased is x == y, where y alone has a known dynamic type, t.
func (b *body) equalErased(n ast.Node, x, y value, t types.Type) ir.Expr {
	b.demands = append(b.demands, demand{span: b.span(n), t: x.typ, what: comparing})
	y.typ, y.dyn = t, nil
	b.lowerer.keep(t)
	if b.direct(t) || b.typeID(t) == 0 {
		return &ir.Binary{Op: ir.Eq, X: x.read(0), Y: b.number(y, x.typ)}
	}
	number := b.frozen(x.read(0))
	y = b.snapshot(y)
	is := b.Save("is", isType(number, b.typeID(t)))
	if !types.Comparable(t) {
		b.demand(ir.CheckAssert, &ir.Unary{Op: ir.Not, X: use(is.Var)}, b.span(n), uncomparable)
		return truth(false)
	}
	eq := b.Temp("eq", tBool)
	b.Set(use(eq), truth(false))
	b.branch(is, b.Block(func() { b.Set(use(eq), b.equal(n, b.unboxed(number, t), y)) }), nil)
	return use(eq)
}

// number is y as an interface value of type t.
func (b *body) number(y value, t types.Type) ir.Expr {
	v := b.erased(y, t)
	return v.read(0)
}

// equality returns the function that compares interface values; its second
// result says that it can't.
func (b *body) equality(n ast.Node) *function {
	flag := types.Typ[types.Bool]
	s := &synthetic{params: []*types.Var{parameter("x", anyType), parameter("y", anyType)}, results: resultTuple(flag, flag)}
	s.build = func(b *body) {
		x, y := b.arg(0).read(0), b.arg(1).read(0)
		b.eachKept(func(t types.Type) {
			if b.shallow(t) {
				return
			}
			both := and(isType(x, b.typeID(t)), isType(y, b.typeID(t)))
			b.branch(both, b.Block(func() {
				eq, bad := ir.Expr(truth(false)), !types.Comparable(t)
				if !bad {
					eq = b.equal(n, b.unboxed(x, t), b.unboxed(y, t))
				}
				b.yields(b.scalarValue(flag, b.Save("eq", eq)), b.scalarValue(flag, truth(bad)))
			}), nil)
		}, func() {
			b.yields(b.scalarValue(flag, &ir.Binary{Op: ir.Eq, X: ir.CloneExpr(x), Y: ir.CloneExpr(y)}), b.scalarValue(flag, truth(false)))
		})
	}
	return b.synthesize(n, "interface.equal", s)
}

// shallow reports whether values of type t in interface values are equal if
// the numbers are.
func (l *lowerer) shallow(t types.Type) bool { return l.direct(t) && types.Comparable(t) }

// concrete returns the type of v or, if that is an interface, its dynamic
// type, nil if that is not known.
func concrete(v value) types.Type {
	if types.IsInterface(v.typ) {
		return v.dyn
	}
	return v.typ
}

// A demand is a use of values of the interface type t for which their dynamic
// types, and what they hold, have to be known.
type demand struct {
	span ir.Span
	t    types.Type
	what string
	text bool       // errors need their text
	only types.Type // the type that it is about, nil for any
}

// settleDemands notes what interface values have to keep that they don't, and
// refuses what they can't.
func (l *lowerer) settleDemands() {
	for _, d := range l.demands {
		for _, t := range l.opaques {
			switch {
			case !implements(t, d.t) || d.only != nil:
			case l.keepable(t):
				l.keep(t)
			default:
				l.fail(&ir.UnsupportedError{Span: d.span, Construct: d.what + " that hold " + t.String(), Hint: "use concrete values, or pointers"})
			}
		}
		for _, t := range l.lost {
			if implements(t, d.t) && (d.only == nil || typeKey(t) == typeKey(d.only)) {
				l.fail(&ir.UnsupportedError{Span: d.span, Construct: d.what + " that may hold a formatted text", Hint: "it is not known"})
			}
		}
		if d.text {
			l.settleText(d)
		}
		for _, t := range l.kept {
			if d.what == comparing && !l.known.deep && !l.shallow(t) && implements(t, d.t) {
				l.known.deep, l.known.changed = true, true
			}
		}
	}
}

// settleText has errors keep their text, if d is about such.
func (l *lowerer) settleText(d demand) {
	switch {
	case !l.nameless || !implements(errorType, d.t):
	case !l.known.texts:
		l.known.texts, l.known.changed = true, true
	case l.known.changed: // by then they may have one
	default:
		l.fail(&ir.UnsupportedError{Span: d.span, Construct: d.what + ", which may be errors without a text", Hint: "make errors with errors.New, or with types of your own"})
	}
}
