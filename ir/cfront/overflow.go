package cfront

// gcc's arithmetic with a test for overflow: __builtin_add_overflow(x, y, &z)
// stores in z what x + y is in its type, and tells whether that is not x + y; with
// _p, of a value in the place of &z, it stores nothing.

import (
	"regexp"

	"modernc.org/cc/v4"

	"github.com/go-amend/amend/ir"
)

var (
	overflowName = regexp.MustCompile(`^__builtin_([su]?)(add|sub|mul)(l{0,2})_overflow(_p)?$`)
	overflowOps  = map[string]ir.Op{"add": ir.Add, "sub": ir.Sub, "mul": ir.Mul}
)

// overflowing lowers n if name is that of such a builtin.
func (b *body) overflowing(n *cc.PostfixExpression, name string) ([]ir.Expr, bool) {
	m := overflowName.FindStringSubmatch(name)
	if m == nil || m[1] == "" && m[3] != "" || m[1] != "" && m[4] != "" {
		return nil, false
	}
	args := arguments(n)
	if len(args) != 3 {
		b.wrong(n, "%s called with %d arguments, want 3", name, len(args))
		return nil, true
	}
	x, y := b.value(args[0]), b.value(args[1])
	if m[1] != "" {
		t := ir.Int{Width: 32, Signed: m[1] == "s"}
		if m[3] != "" {
			t.Width = 64
		}
		x, y = convert(x, t), convert(y, t)
	}
	x, y = b.Save("x", b.model.promote(x)), b.Save("y", b.model.promote(y))
	if m[4] != "" {
		return b.wouldOverflow(n, overflowOps[m[2]], x, y, args[2]), true
	}
	p, ok := b.pointee(args[2])
	if !ok {
		return nil, true
	}
	t, ok := scalar(p.typ)
	if z, is := t.(ir.Int); ok && is {
		result, over, ok := b.overflow(overflowOps[m[2]], x, y, z)
		if ok {
			over = b.Save("overflow", over)
			b.Within(func() { b.store(args[2], p, result, false) })
			return []ir.Expr{over}, true
		}
	}
	b.unsupported(n, name+" of these types", "use one type")
	return nil, true
}

// wouldOverflow is n, whether x op y is none of the type of z.
func (b *body) wouldOverflow(n *cc.PostfixExpression, op ir.Op, x, y ir.Expr, z cc.ExpressionNode) []ir.Expr {
	b.Within(func() { b.evaluate(z) })
	t, ok := scalar(z.Type())
	if t, is := t.(ir.Int); ok && is {
		if _, over, ok := b.overflow(op, x, y, t); ok {
			return []ir.Expr{b.Save("overflow", over)}
		}
	}
	b.unsupported(n, functionNamed(unstarred(n)).Name()+" of these types", "use one type")
	return nil
}

// overflow returns what x op y is in type t, and whether it is something else.
// x and y are uses of temporaries. Where they don't have t, it must not have 64
// bits, nor they.
func (b *body) overflow(op ir.Op, x, y ir.Expr, t ir.Int) (result, over ir.Expr, ok bool) {
	u, v := x.Type().(ir.Int), y.Type().(ir.Int)
	if u.Width <= 32 && v.Width <= 32 && t.Width <= 32 {
		wide := ir.Int{Width: 64, Signed: op != ir.Mul || u.Signed || v.Signed}
		r := b.Save("r", apply(op, convert(x, wide), convert(y, wide)))
		z := b.Save("z", b.wrapped(r, t))
		return z, apply(ir.Ne, b.wrapped(z, wide), r), true
	}
	if !fits(u, t) || !fits(v, t) {
		return nil, nil, false
	}
	x, y = b.Save("x", convert(x, t)), b.Save("y", convert(y, t))
	bits := ir.Int{Width: t.Width}
	r := b.Save("z", b.wrapped(b.Save("r", apply(op, b.wrapped(x, bits), b.wrapped(y, bits))), t))
	zero, least := number(0, t), number(1<<(t.Width-1), t)
	switch {
	case op == ir.Mul:
		over = apply(ir.Ne, apply(ir.Div, r, x), y)
		if t.Signed { // of the least value and -1 the quotient overflows, too
			over = either(both(apply(ir.Eq, x, number(^uint64(0), t)), apply(ir.Eq, y, least)), over)
		}
		over = both(apply(ir.Ne, x, zero), over)
	case !t.Signed && op == ir.Add:
		over = apply(ir.Lt, r, x)
	case !t.Signed:
		over = apply(ir.Lt, x, y)
	case op == ir.Add:
		over = apply(ir.Lt, apply(ir.And, apply(ir.Xor, x, r), apply(ir.Xor, y, r)), zero)
	default:
		over = apply(ir.Lt, apply(ir.And, apply(ir.Xor, x, y), apply(ir.Xor, x, r)), zero)
	}
	return r, over, true
}

func apply(op ir.Op, x, y ir.Expr) ir.Expr {
	return &ir.Binary{Op: op, X: ir.CloneExpr(x), Y: ir.CloneExpr(y)}
}

// fits reports whether each value of type u is one of type t.
func fits(u, t ir.Int) bool {
	return u == t || u.Width < t.Width && (t.Signed || !u.Signed)
}

// wrapped is x, the use of a temporary, in type t modulo 2 to its width. It is
// made of conversions that change no value, so that no check objects.
func (b *body) wrapped(x ir.Expr, t ir.Int) ir.Expr {
	from := x.Type().(ir.Int)
	switch bits := (ir.Int{Width: t.Width}); {
	case fits(from, t):
		return convert(ir.CloneExpr(x), t)
	case t.Width < from.Width:
		low := convert(apply(ir.And, x, number(1<<t.Width-1, from)), bits)
		return b.wrapped(b.Save("low", low), t)
	case t.Signed:
		return reversed(x, t, apply(ir.Lt, x, number(1<<(t.Width-1), from)))
	case t.Width > from.Width:
		return b.wrapped(b.Save("wide", convert(ir.CloneExpr(x), ir.Int{Width: t.Width, Signed: true})), t)
	default:
		return reversed(x, t, apply(ir.Ge, x, number(0, from)))
	}
}

// reversed is x in the type t of its width and the other sign, where same says
// that the value is the same.
func reversed(x ir.Expr, t ir.Int, same ir.Expr) ir.Expr {
	top := uint64(1) << (t.Width - 1)
	without := convert(apply(ir.Xor, x, number(top, x.Type())), t)
	return &ir.Cond{C: same, X: convert(ir.CloneExpr(x), t), Y: apply(ir.Xor, without, number(top, t))}
}
