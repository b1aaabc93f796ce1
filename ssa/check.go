package ssa

import (
	"slices"

	"github.com/go-amend/amend/formula"
	"github.com/go-amend/amend/ir"
)

// Checks are made apart from values. A value doesn't depend on whether it
// is needed, but a check holds only where its operation is evaluated: that
// depends on lazy operators around it and on the alternatives selected. So
// the demand for each expression is computed first, from the root down, as
// the disjunction over all the ways it is used.

// check adds the claims that the operations of e, an operand of the current
// statement, are defined.
func (b *builder) check(e ir.Expr) {
	events := b.mem.events()
	if !events && (b.p.Checks == 0 || !b.hooked && !b.isRisky(e)) {
		return
	}
	order := b.postorder(e)
	if !events && !slices.ContainsFunc(order, b.checked) {
		return
	}
	b.demands = map[ir.Expr]formula.Term{e: b.True()}
	for i := len(order) - 1; i >= 0; i-- {
		b.demandOperands(order[i])
	}
	for _, x := range order {
		d := b.own(x)
		if events {
			b.mem.demanded(x, d)
		}
		if d != b.False() {
			b.checkOperation(x, d)
		}
	}
}

// isRisky reports whether e, alternatives apart, holds an operation to
// check.
func (b *builder) isRisky(e ir.Expr) bool {
	r, ok := b.risky[e]
	if !ok {
		r = b.checked(e)
		for _, o := range e.Operands(nil) {
			r = r || b.isRisky(*o)
		}
		b.risky[e] = r
	}
	return r
}

// checked reports whether e's own operation is checked.
func (b *builder) checked(e ir.Expr) bool {
	c := b.p.Checks
	switch e := e.(type) {
	case *ir.Math:
		return c.Has(ir.CheckNaN) || c.Has(ir.CheckFloatOverflow)
	case *ir.Unary:
		return e.Op == ir.Neg && c.Has(ir.CheckOverflow) && ir.Signed(e.Type())
	case *ir.Binary:
		if b.floats(e.Type()) != nil {
			return c.Has(ir.CheckNaN) || c.Has(ir.CheckFloatOverflow)
		}
		switch e.Op {
		case ir.Div, ir.Rem:
			return c.Has(ir.CheckDiv) || c.Has(ir.CheckOverflow) && ir.Signed(e.Type())
		case ir.Shl:
			return c.Has(ir.CheckShift) || c.Has(ir.CheckOverflow) && ir.Signed(e.Type())
		case ir.Shr:
			return c.Has(ir.CheckShift)
		case ir.Add, ir.Sub, ir.Mul:
			return c.Has(ir.CheckOverflow) && ir.Signed(e.Type())
		}
	case *ir.Index:
		return c.Has(ir.CheckBounds)
	case *ir.Convert:
		_, to := e.To.(ir.Int)
		_, from := e.X.Type().(ir.Int)
		switch float := b.floats(e.X.Type()) != nil; {
		case e.Bits:
			return false
		case float && b.floats(e.To) != nil:
			return c.Has(ir.CheckFloatOverflow)
		default:
			return c.Has(ir.CheckConversion) && to && (from || float)
		}
	}
	return false
}

// postorder returns e and all below it, alternatives included, operands
// before the expressions that use them.
func (b *builder) postorder(e ir.Expr) []ir.Expr {
	var order []ir.Expr
	seen := make(map[ir.Expr]bool)
	var visit func(ir.Expr)
	visit = func(e ir.Expr) {
		if seen[e] {
			return
		}
		seen[e] = true
		for _, o := range e.Operands(nil) {
			visit(*o)
		}
		for _, a := range b.alts[e] {
			if a.Expr != nil {
				visit(a.Expr)
			}
		}
		order = append(order, e)
	}
	visit(e)
	return order
}

func (b *builder) demand(e ir.Expr, when formula.Term) {
	if d, ok := b.demands[e]; ok {
		when = b.Or(d, when)
	}
	b.demands[e] = when
}

// own returns the condition under which e's own operation is evaluated,
// rather than one that replaces it.
func (b *builder) own(e ir.Expr) formula.Term {
	d, ok := b.demands[e]
	if !ok {
		return b.False()
	}
	kept := d
	for _, a := range b.alts[e] {
		kept = b.And(kept, b.Not(a.When))
	}
	return kept
}

// demandOperands passes the demand for e on to its operands and
// alternatives.
func (b *builder) demandOperands(e ir.Expr) {
	for _, a := range b.alts[e] {
		if a.Expr != nil {
			b.demand(a.Expr, b.And(b.demands[e], a.When))
		}
	}
	d := b.own(e)
	switch e := e.(type) {
	case *ir.Binary:
		b.demand(e.X, d)
		switch e.Op {
		case ir.LAnd:
			d = b.And(d, b.value(e.X))
		case ir.LOr:
			d = b.And(d, b.Not(b.value(e.X)))
		}
		b.demand(e.Y, d)
	case *ir.Cond:
		b.demand(e.C, d)
		b.demand(e.X, b.And(d, b.value(e.C)))
		b.demand(e.Y, b.And(d, b.Not(b.value(e.C))))
	default:
		for _, o := range e.Operands(nil) {
			b.demand(*o, d)
		}
	}
}

// checkOperation adds the claims that e's own operation is defined where d
// holds.
func (b *builder) checkOperation(e ir.Expr, d formula.Term) {
	if !b.checked(e) {
		return
	}
	guard := b.And(b.reached(), d)
	claim := func(k ir.Kind, cond formula.Term) {
		if !b.p.Checks.Has(k) {
			return
		}
		if bad := b.mem.violations(); bad != nil {
			*bad = append(*bad, b.And(d, b.Not(cond)))
			return
		}
		if cond != b.True() {
			b.claim(k, b.siteOf(e), guard, b.define(k.String(), cond))
		}
	}
	switch e := e.(type) {
	case *ir.Index:
		claim(ir.CheckBounds, b.inBounds(b.viewOf(e.X, b.value), b.value(e.I), e.I.Type()))
	case *ir.Unary:
		x := b.value(e.X)
		claim(ir.CheckOverflow, b.Not(b.Eq(x, b.lowest(b.Width(x)))))
	case *ir.Math:
		b.checkFloat(claim, e, e.Args...)
	case *ir.Convert:
		if a := b.floats(e.X.Type()); a != nil {
			b.checkFromFloat(claim, a, e)
			return
		}
		claim(ir.CheckConversion, b.keeps(b.value(e.X), e.X.Type(), e.To))
	case *ir.Binary:
		if b.floats(e.Type()) != nil {
			b.checkFloat(claim, e, e.X, e.Y)
			return
		}
		x, y := b.value(e.X), b.value(e.Y)
		w := b.Width(x)
		switch e.Op {
		case ir.Div, ir.Rem:
			claim(ir.CheckDiv, b.Not(b.Eq(y, b.Const(w, 0))))
			if ir.Signed(e.Type()) {
				claim(ir.CheckOverflow, b.Not(b.And(b.Eq(x, b.lowest(w)), b.Eq(y, b.Const(w, ^uint64(0))))))
			}
		case ir.Shl, ir.Shr:
			claim(ir.CheckShift, b.below(y, e.Y.Type(), uint64(w)))
			if e.Op == ir.Shl && ir.Signed(e.Type()) {
				shift := func(op ir.Op, x formula.Term) formula.Term {
					return b.shift(op, x, y, true, ir.Signed(e.Y.Type()))
				}
				claim(ir.CheckOverflow, b.Eq(shift(ir.Shr, shift(ir.Shl, x)), x))
			}
		default:
			claim(ir.CheckOverflow, b.fits(e.Op, x, y))
		}
	}
}

// siteOf returns the site of e, or that of the expression whose place it
// takes.
func (b *builder) siteOf(e ir.Expr) ir.SiteID {
	if id := b.places[e]; id != 0 {
		return id
	}
	return e.Site()
}

// lowest returns the least signed number of width w.
func (b *builder) lowest(w int) formula.Term { return b.Const(w, 1<<(w-1)) }

// negative returns x's sign bit.
func (b *builder) negative(x formula.Term) formula.Term {
	w := b.Width(x)
	return b.Extract(x, w-1, w-1)
}

// fits returns the proposition that the signed x op y doesn't wrap around.
func (b *builder) fits(op ir.Op, x, y formula.Term) formula.Term {
	sx, sy := b.negative(x), b.negative(y)
	switch op {
	case ir.Add: // operands of one sign, result of the other
		return b.Or(b.Xor(sx, sy), b.Eq(sx, b.negative(b.Add(x, y))))
	case ir.Sub:
		return b.Or(b.Eq(sx, sy), b.Eq(sx, b.negative(b.Sub(x, y))))
	}
	w := b.Width(x)
	if w <= 32 {
		return b.Eq(b.Sext(2*w, b.Mul(x, y)), b.Mul(b.Sext(2*w, x), b.Sext(2*w, y)))
	}
	zero := b.Eq(y, b.Const(w, 0))
	wraps := b.And(b.Eq(x, b.lowest(w)), b.Eq(y, b.Const(w, ^uint64(0))))
	return b.Or(zero, b.And(b.Not(wraps), b.Eq(b.SDiv(b.Mul(x, y), y), x)))
}

// keeps returns the proposition that converting x keeps its number.
func (b *builder) keeps(x formula.Term, from, to ir.Type) formula.Term {
	y := b.convert(x, from, to)
	w := max(b.Width(x), b.Width(y))
	same := b.Eq(b.convert(x, from, ir.Int{Width: w}), b.convert(y, to, ir.Int{Width: w}))
	switch {
	case ir.Signed(from) && !ir.Signed(to):
		return b.And(same, b.Not(b.negative(x)))
	case !ir.Signed(from) && ir.Signed(to):
		return b.And(same, b.Not(b.negative(y)))
	}
	return same
}
