package gofront

// Assertions of github.com/stretchr/testify, packages assert and require, by
// what they are documented to mean: one that fails is a violation. Their source
// reflects on its arguments.

import (
	"go/ast"
	"go/types"
	"strings"

	"github.com/go-amend/amend/ir"
)

const testifyPath = "github.com/stretchr/testify/"

// An assertion is a function of package assert: what holds of its arguments.
type assertion struct {
	args int // without t and messages
	cond func(b *body, n ast.Node, vs []value) ir.Expr
}

// testifyCall lowers e if it is an assertion that is known.
func (b *body) testifyCall(e *ast.CallExpr) ([]value, bool) {
	name, method := b.testifyName(e)
	if name == "" {
		return nil, false
	}
	a, ok := assertions[name]
	if !ok {
		a, ok = assertions[strings.TrimSuffix(name, "f")]
	}
	args := e.Args
	if !method && len(args) > 0 {
		args = args[1:]
	}
	if !ok || len(args) < a.args || e.Ellipsis.IsValid() {
		return nil, false
	}
	vs := b.printedValues(args[:a.args])
	for _, m := range args[a.args:] {
		b.printed(m)
	}
	cond := b.Save("ok", a.cond(b, e, vs))
	b.demand(ir.CheckAssert, cond, b.span(e), b.textAt(b.span(e)))
	if t := b.typ(e); isScalar(t) {
		return []value{b.scalarValue(t, truth(true))}, true // no run goes on else
	}
	return nil, true
}

// testifyName returns the name of the function or method of testify that e
// calls, "" if it calls none.
func (b *body) testifyName(e *ast.CallExpr) (name string, method bool) {
	full := b.specialName(e)
	for _, p := range []string{"assert", "require"} {
		if name, ok := strings.CutPrefix(full, testifyPath+p+"."); ok {
			return name, false
		}
		if name, ok := strings.CutPrefix(full, "(*"+testifyPath+p+".Assertions)."); ok {
			return name, true
		}
	}
	return "", false
}

func not(x ir.Expr) ir.Expr { return &ir.Unary{Op: ir.Not, X: x} }

// assertions are those of package assert that are known, by name. Each may have
// an f at its end, and a method called alike.
var assertions = knownAssertions()

func knownAssertions() map[string]assertion {
	one := func(f func(b *body, n ast.Node, v value) ir.Expr) assertion {
		return assertion{1, func(b *body, n ast.Node, vs []value) ir.Expr { return f(b, n, vs[0]) }}
	}
	two := func(f func(b *body, n ast.Node, x, y value) ir.Expr) assertion {
		return assertion{2, func(b *body, n ast.Node, vs []value) ir.Expr { return f(b, n, vs[0], vs[1]) }}
	}
	negated := func(a assertion) assertion {
		return assertion{a.args, func(b *body, n ast.Node, vs []value) ir.Expr { return not(a.cond(b, n, vs)) }}
	}
	isTrue := one(func(_ *body, _ ast.Node, v value) ir.Expr { return v.read(0) })
	isNil := one((*body).isNilInside)
	isEmpty := one((*body).isEmpty)
	contains := two((*body).containsElement)
	equal := two(func(b *body, n ast.Node, x, y value) ir.Expr { return b.deepEqual(n, x, y) })
	noError := one(func(b *body, _ ast.Node, v value) ir.Expr {
		return &ir.Binary{Op: ir.Eq, X: b.numberOfError(v), Y: num(tInt, 0)}
	})
	is := two(func(b *body, n ast.Node, x, y value) ir.Expr {
		return b.errorsIs(n, b.numberOfError(x), b.numberOfError(y))
	})
	same := two((*body).samePointers)
	zero := one((*body).isZero)
	return map[string]assertion{
		"True": isTrue, "False": negated(isTrue), "Nil": isNil, "NotNil": negated(isNil),
		"Empty": isEmpty, "NotEmpty": negated(isEmpty), "Zero": zero, "NotZero": negated(zero),
		"NoError": noError, "Error": negated(noError), "ErrorIs": is, "NotErrorIs": negated(is),
		"Equal": equal, "NotEqual": negated(equal), "Exactly": equal, "EqualValues": two((*body).equalValues),
		"Same": same, "NotSame": negated(same), "Contains": contains, "NotContains": negated(contains),
		"Len": two((*body).hasLength), "ElementsMatch": two((*body).sameElements),
		"EqualError": two((*body).errorSays), "ErrorContains": two((*body).errorContains),
		"Greater": ordered(ir.Gt), "GreaterOrEqual": ordered(ir.Ge), "Less": ordered(ir.Lt), "LessOrEqual": ordered(ir.Le),
		"Fail":    one(func(*body, ast.Node, value) ir.Expr { return truth(false) }),
		"FailNow": one(func(*body, ast.Node, value) ir.Expr { return truth(false) }),
	}
}

// samePointers reports whether x and y are equal pointers.
func (b *body) samePointers(n ast.Node, x, y value) ir.Expr {
	tx, ty := concrete(x), concrete(y)
	if tx != nil && ty != nil && typeKey(tx) == typeKey(ty) {
		if _, ok := tx.Underlying().(*types.Pointer); ok {
			return b.equal(n, known(x), known(y))
		}
	}
	b.unsupported(n, "assertion that such values are the same", "use pointers of one type")
	return truth(true)
}

// isZero reports whether v is nil or the zero value.
func (b *body) isZero(n ast.Node, v value) ir.Expr {
	t := concrete(v)
	switch {
	case isNilConst(v.typ):
		return truth(true)
	case t == nil:
		b.unsupported(n, "assertion that an interface value is zero", "use a concrete value")
		return truth(true)
	}
	return b.deepCall(n, t, known(v), b.zero(t))
}

// isNilInside reports whether v, or what it holds, is nil.
func (b *body) isNilInside(n ast.Node, v value) ir.Expr {
	if isNilConst(v.typ) {
		return truth(true)
	}
	if concrete(v) == nil {
		var vs []value
		b.Within(func() { vs = b.callFunction(n, b.nilFunc(n), []value{b.asAny(v)}) })
		return vs[0].read(0)
	}
	v = known(v)
	if !nillable(v.typ) {
		return truth(false)
	}
	return b.isNil(n, v)
}

func nillable(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Pointer, *types.Slice, *types.Chan, *types.Signature, *types.Map:
		return true
	}
	return false
}

// nilFunc returns the function that says whether an interface value is nil or
// holds what is.
func (b *body) nilFunc(n ast.Node) *function {
	flag := types.Typ[types.Bool]
	s := &synthetic{params: []*types.Var{parameter("x", anyType)}, results: resultTuple(flag)}
	s.build = func(b *body) {
		x := b.arg(0).read(0)
		b.demands = append(b.demands, demand{span: b.span(n), t: anyType, what: "assertions on interface values"})
		b.eachKept(func(t types.Type) {
			if nillable(t) {
				b.branch(isType(x, b.typeID(t)), b.Block(func() { b.yields(b.scalarValue(flag, b.Save("nil", b.isNil(n, b.unboxed(x, t))))) }), nil)
			}
		}, func() { b.yields(b.scalarValue(flag, &ir.Binary{Op: ir.Eq, X: ir.CloneExpr(x), Y: num(tInt, 0)})) })
	}
	return b.synthesize(n, "nil inside", s)
}

// isEmpty reports whether v is nil, has no elements, or is the zero value; or,
// if it is a pointer, whether what it points to is empty.
func (b *body) isEmpty(n ast.Node, v value) ir.Expr {
	if isNilConst(v.typ) {
		return truth(true)
	}
	t := concrete(v)
	if t == nil {
		b.unsupported(n, "assertion on the size of an interface value", "use a concrete value")
		return truth(true)
	}
	v = known(v)
	switch u := t.Underlying().(type) {
	case *types.Slice:
		return &ir.Binary{Op: ir.Eq, X: v.length(), Y: num(tInt, 0)}
	case *types.Chan, *types.Map:
		b.unsupported(n, "assertion on the size of a "+kindName(t), "use len")
		return truth(true)
	case *types.Pointer:
		empty := b.Temp("empty", tBool)
		b.Set(use(empty), b.isNil(n, v))
		b.branch(not(use(empty)), b.Block(func() { b.Set(use(empty), b.isEmpty(n, b.deref(v, u.Elem()))) }), nil)
		return use(empty)
	}
	return b.deepCall(n, t, v, b.zero(t))
}

// equalValues is equality, for values of different numeric types too: of those
// it is not supported.
func (b *body) equalValues(n ast.Node, x, y value) ir.Expr {
	tx, ty := concrete(x), concrete(y)
	if tx != nil && ty != nil && typeKey(tx) != typeKey(ty) && !isNilConst(tx) && !isNilConst(ty) {
		b.unsupported(n, "EqualValues of values of different types", "convert one of them")
		return truth(true)
	}
	return b.deepEqual(n, x, y)
}

// hasLength reports whether v has as many elements as k says.
func (b *body) hasLength(n ast.Node, v, k value) ir.Expr {
	t := concrete(v)
	v = known(v)
	if t != nil {
		switch u := t.Underlying().(type) {
		case *types.Slice:
			return &ir.Binary{Op: ir.Eq, X: v.length(), Y: k.read(0)}
		case *types.Array:
			return &ir.Binary{Op: ir.Eq, X: num(tInt, u.Len()), Y: k.read(0)}
		}
		if isString(t) {
			return &ir.Binary{Op: ir.Eq, X: v.length(), Y: k.read(0)}
		}
	}
	b.unsupported(n, "assertion on the length of this value", "use len")
	return truth(true)
}

// containsElement reports whether the text or slice v contains x.
func (b *body) containsElement(n ast.Node, v, x value) ir.Expr {
	t, tx := concrete(v), concrete(x)
	v, x = known(v), known(x)
	if t != nil && tx != nil {
		if isString(t) && isString(tx) {
			return b.contains(n, v, x)
		}
		if s, ok := t.Underlying().(*types.Slice); ok && typeKey(s.Elem()) == typeKey(tx) && b.notDeep(tx, map[types.Type]bool{}) == "" {
			return b.overElements(n, "ContainsElement", s.Elem(), v, x)
		}
	}
	b.unsupported(n, "assertion that such a value contains another", "use a slice or a string, and a value of its elements' type")
	return truth(true)
}

// sameElements reports whether the slices x and y have the same elements.
func (b *body) sameElements(n ast.Node, x, y value) ir.Expr {
	tx, ty := concrete(x), concrete(y)
	x, y = known(x), known(y)
	if tx != nil && ty != nil && typeKey(tx) == typeKey(ty) {
		if s, ok := tx.Underlying().(*types.Slice); ok && b.notDeep(s.Elem(), map[types.Type]bool{}) == "" {
			return b.overElements(n, "SameElements", s.Elem(), x, y)
		}
	}
	b.unsupported(n, "ElementsMatch of these values", "use slices of one type")
	return truth(true)
}

// overElements calls the model called name, which compares elements of type t.
func (b *body) overElements(n ast.Node, name string, t types.Type, x, y value) ir.Expr {
	f := b.ps.modelFor(name, t)
	v := b.called1(n, f, []value{x, y, b.modelArgument(f, 2, b.deepFunc(n, t))})
	return v.read(0)
}

// textOfError is the text of an error, which must not be nil.
func (b *body) textOfError(n ast.Node, v value) value {
	x := b.scalarValue(errorType, b.frozen(b.numberOfError(v)))
	b.demand(ir.CheckAssert, &ir.Binary{Op: ir.Ne, X: x.read(0), Y: num(tInt, 0)}, b.span(n), b.textAt(b.span(n)))
	return b.textCall(n, errorType, x, plainVerb)
}

func (b *body) errorSays(n ast.Node, v, text value) ir.Expr {
	return b.equalStrings(b.textOfError(n, v), text)
}

func (b *body) errorContains(n ast.Node, v, text value) ir.Expr {
	return b.contains(n, b.textOfError(n, v), text)
}

// contains is strings.Contains.
func (b *body) contains(n ast.Node, s, part value) ir.Expr {
	v := b.library(n, "strings", "Contains", s, part)
	return v.read(0)
}

// ordered compares two numbers, or two texts, of one type.
func ordered(op ir.Op) assertion {
	return assertion{2, func(b *body, n ast.Node, vs []value) ir.Expr {
		tx, ty := concrete(vs[0]), concrete(vs[1])
		x, y := known(vs[0]), known(vs[1])
		switch {
		case tx == nil || ty == nil || typeKey(tx) != typeKey(ty):
		case isString(tx):
			order := b.libCall(b.lowerer.orderProc(b.regionOf(x), b.regionOf(y)), x, y)
			return &ir.Binary{Op: op, X: order, Y: num(tInt, 0)}
		case isScalar(tx) && arithmetic(x.read(0).Type()):
			return &ir.Binary{Op: op, X: x.read(0), Y: y.read(0)}
		}
		b.unsupported(n, "order of these values", "compare numbers or texts of one type")
		return truth(true)
	}}
}
