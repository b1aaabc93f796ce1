package cfront

// CBMC's functions about values: enumerations, arithmetic that saturates, tests
// of floating-point numbers, whole arrays.

import (
	"regexp"

	"modernc.org/cc/v4"

	"github.com/go-amend/amend/ir"
)

// floatTest matches those functions of CBMC that math.h has, too, and the names
// that glibc's headers give some of them.
var floatTest = regexp.MustCompile(`^(?:__CPROVER_(is[a-z]+?|sign|fabs)(f|d|ld|l)?|__(isnan|isinf|finite)(f|l)?)$`)

// mathName returns what math.h calls the function called name.
func mathName(name string) string {
	m := floatTest.FindStringSubmatch(name)
	if m == nil {
		return name
	}
	base, suffix := m[1]+m[3], m[2]+m[4]
	if base == "sign" {
		base = "signbit"
	}
	switch suffix {
	case "d":
		suffix = ""
	case "ld":
		suffix = "l"
	}
	return base + suffix
}

// aboutValues lowers the call n of another such function.
func (b *body) aboutValues(n *cc.PostfixExpression, name string) ([]ir.Expr, bool) {
	args := arguments(n)
	switch name {
	case "__CPROVER_enum_is_in_range":
		return b.inEnum(n, args), true
	case "__CPROVER_saturating_plus":
		return b.saturating(n, ir.Add, args), true
	case "__CPROVER_saturating_minus":
		return b.saturating(n, ir.Sub, args), true
	case "__CPROVER_array_equal":
		return b.arraysEqual(n, args), true
	case "__CPROVER_array_copy", "__CPROVER_array_set":
		b.Within(func() { b.setArray(n, name, args) })
		return nil, true
	}
	if plain := mathName(name); plain != name {
		return b.floatTest(n, plain)
	}
	return nil, false
}

// floatTest is the call n of what math.h calls plain, with a result of the
// declared type.
func (b *body) floatTest(n *cc.PostfixExpression, plain string) ([]ir.Expr, bool) {
	vs, ok := b.callMath(n, plain)
	if !ok {
		vs, ok = b.callLibrary(n, plain)
	}
	if t, isScalar := scalar(n.Type()); isScalar && len(vs) == 1 {
		vs[0] = convert(vs[0], t)
	}
	return vs, ok
}

// inEnum is __CPROVER_enum_is_in_range(e): whether e is one of its type's
// constants.
func (b *body) inEnum(n *cc.PostfixExpression, args []cc.ExpressionNode) []ir.Expr {
	var t *cc.EnumType
	if len(args) == 1 {
		t, _ = args[0].Type().(*cc.EnumType)
	}
	if t == nil || t.Enumerators() == nil {
		b.wrong(n, "__CPROVER_enum_is_in_range called without a value of an enumeration")
		return nil
	}
	v := b.saved(b.value(args[0]))
	in := truth(false)
	for _, e := range t.Enumerators() {
		k, ok := literal(e.Value())
		if !ok {
			b.unsupported(n, "constant of an enumeration", "")
			return nil
		}
		in = either(in, compare(ir.Eq, ir.CloneExpr(v), ir.Wrap(v.Type(), k)))
	}
	return []ir.Expr{in}
}

// saturating is x op y, or what is nearest to it in their type.
func (b *body) saturating(n *cc.PostfixExpression, op ir.Op, args []cc.ExpressionNode) []ir.Expr {
	if len(args) != 2 {
		b.wrong(n, "saturating arithmetic with %d operands, want 2", len(args))
		return nil
	}
	xs := b.operands(args)
	t, ok := xs[0].Type().(ir.Int)
	if !ok || xs[1].Type() != ir.Type(t) {
		b.unsupported(n, "saturating arithmetic of these types", "use one type of integers")
		return nil
	}
	x, y := b.Save("x", xs[0]), b.Save("y", xs[1])
	r, over, ok := b.overflow(op, x, y, t)
	if !ok {
		return nil
	}
	bits := ir.Int{Width: t.Width}
	least, most := number(0, t), number(^uint64(0), t)
	if t.Signed {
		least, most = number(1<<(bits.Width-1), t), number(1<<(bits.Width-1)-1, t)
	}
	below := apply(ir.Lt, x, number(0, t)) // the sum that overflows does so
	if !t.Signed {
		below = truth(op == ir.Sub)
	}
	limit := &ir.Cond{C: below, X: least, Y: most}
	return []ir.Expr{&ir.Cond{C: over, X: limit, Y: r}}
}

// arrayNamed is e, if that is an array of constant length, not a pointer to one.
func (b *body) arrayNamed(e cc.ExpressionNode) (place, int64, bool) {
	a, ok := unparen(e).Type().Undecay().(*cc.ArrayType)
	if ok {
		if _, isScalar := scalar(a.Elem()); isScalar && a.Len() > 0 {
			p, ok := b.place(unparen(e))
			return p, a.Len(), ok
		}
	}
	b.unsupported(e, "array of this kind", "name an array of numbers, of constant length")
	return place{}, 0, false
}

// arraysEqual is __CPROVER_array_equal(x, y).
func (b *body) arraysEqual(n *cc.PostfixExpression, args []cc.ExpressionNode) []ir.Expr {
	if len(args) != 2 {
		b.wrong(n, "__CPROVER_array_equal called with %d arguments, want 2", len(args))
		return nil
	}
	x, xn, ok := b.arrayNamed(args[0])
	y, yn, ok2 := b.arrayNamed(args[1])
	if !ok || !ok2 {
		return nil
	}
	if xn != yn || !sameShape(elem(x.typ), elem(y.typ)) {
		return []ir.Expr{truth(false)}
	}
	equal := truth(true)
	for i := range xn {
		equal = both(equal, &ir.Binary{Op: ir.Eq, X: b.load(b.elementAt(x, i), 0), Y: b.load(b.elementAt(y, i), 0)})
	}
	return []ir.Expr{equal}
}

func (b *body) elementAt(p place, i int64) place {
	return b.element(copyPlace(p), number(uint64(i), tInt))
}

// setArray is __CPROVER_array_set(x, v), which gives all elements the value v, or
// __CPROVER_array_copy(x, y): what y is too short for becomes free.
func (b *body) setArray(n *cc.PostfixExpression, name string, args []cc.ExpressionNode) {
	if len(args) != 2 {
		b.wrong(n, "%s called with %d arguments, want 2", name, len(args))
		return
	}
	x, xn, ok := b.arrayNamed(args[0])
	if !ok {
		return
	}
	t, _ := scalar(elem(x.typ))
	if name == "__CPROVER_array_set" {
		v := b.saved(b.as(args[1], t))
		for i := range xn {
			b.storeElement(b.elementAt(x, i), ir.CloneExpr(v))
		}
		return
	}
	y, yn, ok := b.arrayNamed(args[1])
	switch {
	case !ok:
		return
	case !sameShape(elem(x.typ), elem(y.typ)):
		b.unsupported(n, "copy of an array of another type", "use memcpy")
		return
	}
	for i := range xn {
		if i < yn {
			b.storeElement(b.elementAt(x, i), b.saved(b.load(b.elementAt(y, i), 0)))
		} else {
			b.storeElement(b.elementAt(x, i), b.freeValue(t))
		}
	}
}

// storeElement emits p = v, without effects on anything else.
func (b *body) storeElement(p place, v ir.Expr) {
	b.onEach(p, func(q place) { b.write(&q, v) })
}
