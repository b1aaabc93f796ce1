package ssa

import (
	"github.com/go-amend/amend/formula"
	"github.com/go-amend/amend/ir"
)

// An Alternative takes the place of a site's expression where When holds.
type Alternative struct {
	// When is a proposition, usually a variable: a selector. At most one
	// alternative of a site may be selected.
	When formula.Term

	// Expr is what the alternative computes. It may reuse the operands of
	// the expression it replaces, by pointer; sites inside them stay
	// sites. It must not hold that expression itself, but may hold a copy
	// with SiteID 0. Its own checks hold where it is evaluated. If it
	// makes a choice, because a check is off, the site names that.
	Expr ir.Expr

	// Value is what it computes if Expr is nil.
	Value formula.Term

	// Name tells Expr from the others of the site, however many of them a
	// Hook offers. What Expr reads from memory that threads share is named
	// by it in schedules.
	Name int32
}

// A Hole is one copy of an expression that may be replaced.
type Hole struct {
	Expr ir.Expr
	Site ir.SiteID    // 0 if only the whole operand can be replaced
	Stmt ir.Stmt      // the statement around it
	Root bool         // Expr is one of the operands of Stmt
	Path ir.Path      // of this copy
	Term formula.Term // the expression's value
}

// A Hook returns the alternatives for a hole. It is called for each copy of
// each site, and for each copy of each operand of a location (but not for
// code that is hard), operands first. For all copies of a site it should
// return alternatives with the same conditions.
type Hook func(h Hole) []Alternative

// eval returns the value of e, an operand of the current statement, and
// adds the claims that its operations are defined.
func (b *builder) eval(e ir.Expr) formula.Term {
	x := b.operand(e)
	b.check(e)
	return x
}

// operand returns the value of e, an operand of the current statement.
func (b *builder) operand(e ir.Expr) formula.Term {
	if x, ok := b.memo[e]; ok {
		return x
	}
	return b.hook(e, b.raw(e), true)
}

// value returns the value of e, a part of an operand or of an alternative.
func (b *builder) value(e ir.Expr) formula.Term {
	if x, ok := b.memo[e]; ok {
		return x
	}
	x := b.raw(e)
	if e.Site() != 0 {
		x = b.hook(e, x, false)
	}
	return x
}

// hook returns x, the value of e, or what replaces it.
func (b *builder) hook(e ir.Expr, x formula.Term, root bool) formula.Term {
	if b.cfg.Hook == nil || b.origin == 0 {
		return x
	}
	alts := b.cfg.Hook(Hole{Expr: e, Site: e.Site(), Stmt: b.stmt, Root: root, Path: b.at, Term: x})
	if len(alts) == 0 {
		b.memo[e] = x
		return x
	}
	b.hooked = true
	b.alts[e] = alts
	values := make([]formula.Term, len(alts))
	for i, a := range alts {
		if values[i] = a.Value; a.Expr != nil {
			b.places[a.Expr] = e.Site()
			outer := b.naming
			b.naming = &naming{site: b.placeOf(e), name: a.Name}
			values[i] = b.alternative(a.Expr)
			b.naming = outer
		}
	}
	x = b.combine(alts, values, x)
	b.memo[e] = x
	return x
}

// alternative returns the value of e, which is new; its operands may be old.
func (b *builder) alternative(e ir.Expr) formula.Term {
	if x, ok := b.memo[e]; ok {
		return x // the site's own expression, or one of its operands
	}
	return b.raw(e)
}

// combine returns the value among alternatives that is selected, or x.
func (b *builder) combine(alts []Alternative, values []formula.Term, x formula.Term) formula.Term {
	y := x
	for i := len(alts) - 1; i >= 0; i-- {
		y = b.Ite(alts[i].When, values[i], y)
	}
	if !b.cfg.Guarded || b.cfg.Flat {
		return y
	}
	g := guardedSite{name: b.def("site", y, b.origin, false)}
	none := b.True()
	for i, a := range alts {
		g.when = append(g.when, a.When)
		g.value = append(g.value, values[i])
		none = b.And(none, b.Not(a.When))
	}
	g.when, g.value = append(g.when, none), append(g.value, x)
	b.form.guarded = append(b.form.guarded, g)
	return g.name
}

// raw returns the value of e as it stands. Its operands may be replaced.
func (b *builder) raw(e ir.Expr) formula.Term {
	b.step()
	switch e := e.(type) {
	case *ir.Use:
		if e.Var.Kind == ir.Hole {
			return b.cfg.HoleValue(e.Var)
		}
		w := b.frame.vars[e.Var]
		if b.mem.shares(w) {
			return b.mem.sharedValue(e, w)
		}
		return b.load(w)
	case *ir.Const:
		return b.Const(ir.Width(e.Typ), e.Val)
	case *ir.Unary:
		return b.unary(e.Op, b.value(e.X))
	case *ir.Binary:
		return b.binary(e, b.value(e.X), b.value(e.Y))
	case *ir.Cond:
		return b.Ite(b.value(e.C), b.value(e.X), b.value(e.Y))
	case *ir.Index:
		return b.element(e)
	case *ir.Convert:
		return b.convert(b.value(e.X), e.X.Type(), e.To)
	case *ir.Self:
		return b.Const(32, uint64(b.mem.self()))
	case *ir.Ended:
		return b.mem.hasEnded(e)
	case *ir.Any:
		return b.anything(e)
	}
	panic("ssa: unknown expression")
}

func (b *builder) unary(op ir.Op, x formula.Term) formula.Term {
	if op == ir.Neg {
		return b.Neg(x)
	}
	return b.Not(x)
}

func (b *builder) binary(e *ir.Binary, x, y formula.Term) formula.Term {
	signed := ir.Signed(e.X.Type())
	switch e.Op {
	case ir.Add:
		return b.Add(x, y)
	case ir.Sub:
		return b.Sub(x, y)
	case ir.Mul:
		return b.Mul(x, y)
	case ir.Div, ir.Rem:
		return b.divide(e, x, y)
	case ir.And, ir.LAnd:
		return b.And(x, y)
	case ir.Or, ir.LOr:
		return b.Or(x, y)
	case ir.Xor:
		return b.Xor(x, y)
	case ir.Shl, ir.Shr:
		return b.shift(e.Op, x, y, signed, ir.Signed(e.Y.Type()))
	case ir.Eq:
		return b.Eq(x, y)
	case ir.Ne:
		return b.Not(b.Eq(x, y))
	case ir.Lt:
		return b.less(x, y, signed)
	case ir.Le:
		return b.Not(b.less(y, x, signed))
	case ir.Gt:
		return b.less(y, x, signed)
	case ir.Ge:
		return b.Not(b.less(x, y, signed))
	}
	panic("ssa: unknown operator")
}

func (b *builder) less(x, y formula.Term, signed bool) formula.Term {
	if signed {
		return b.Slt(x, y)
	}
	return b.Ult(x, y)
}

// divide returns x/y or x%y; if the divisor isn't checked, by zero it is a
// choice.
func (b *builder) divide(e *ir.Binary, x, y formula.Term) formula.Term {
	var z formula.Term
	switch signed := ir.Signed(e.Type()); {
	case e.Op == ir.Div && signed:
		z = b.SDiv(x, y)
	case e.Op == ir.Div:
		z = b.UDiv(x, y)
	case signed:
		z = b.SRem(x, y)
	default:
		z = b.URem(x, y)
	}
	zero := b.Eq(y, b.Const(b.Width(y), 0))
	if v, ok := b.Value(zero); ok && v == 0 || b.p.Checks.Has(ir.CheckDiv) {
		return z
	}
	return b.Ite(zero, b.unknown(e, e.Type()), z)
}

// unknown returns the choice that e's operation makes.
func (b *builder) unknown(e ir.Expr, t ir.Type) formula.Term {
	var nth ir.SiteID
	if site := b.places[e]; site != 0 {
		nth = ir.Rank(b.stmt, site)
	} else {
		nth = ir.Nth(b.stmt, e)
	}
	c := ir.Choice{At: b.stmt.Key(), Nth: nth, Path: b.at}
	return b.made(c, t, "unknown")
}

func (b *builder) shift(op ir.Op, x, y formula.Term, signed, signedCount bool) formula.Term {
	w := b.Width(x)
	over := b.False()
	switch n := b.Width(y); {
	case n > w:
		// As an unsigned number a negative count is huge, like others
		// that shift all bits out.
		over = b.Not(b.Ult(y, b.Const(n, uint64(w))))
		y = b.Extract(y, w-1, 0)
	case signedCount:
		y = b.Sext(w, y)
	default:
		y = b.Zext(w, y)
	}
	switch {
	case op == ir.Shl:
		return b.Ite(over, b.Const(w, 0), b.Shl(x, y))
	case signed:
		return b.Ite(over, b.Ashr(x, b.Const(w, ^uint64(0))), b.Ashr(x, y))
	}
	return b.Ite(over, b.Const(w, 0), b.Lshr(x, y))
}

func (b *builder) element(e *ir.Index) formula.Term {
	w := b.viewOf(e, b.value)
	if b.mem.shares(w) {
		x := b.inside(e, w, b.mem.sharedValue(e, w))
		b.memo[e] = x
		return x
	}
	return b.inside(e, w, b.load(w))
}

// inside returns x, the value of e, which names w, or, if an index is out of
// bounds and that isn't checked, a choice.
func (b *builder) inside(e *ir.Index, w view, x formula.Term) formula.Term {
	if v, ok := b.Value(w.valid); ok && v == 1 || b.p.Checks.Has(ir.CheckBounds) {
		return x
	}
	return b.Ite(w.valid, x, b.unknown(e, e.Type()))
}

func (b *builder) convert(x formula.Term, from, to ir.Type) formula.Term {
	if _, ok := to.(ir.Bool); ok {
		if b.Width(x) == 1 {
			return x
		}
		return b.Not(b.Eq(x, b.Const(b.Width(x), 0)))
	}
	switch w := ir.Width(to); {
	case w < b.Width(x):
		return b.Extract(x, w-1, 0)
	case ir.Signed(from):
		return b.Sext(w, x)
	default:
		return b.Zext(w, x)
	}
}

// anything returns the choice that e is.
func (b *builder) anything(e *ir.Any) formula.Term {
	if e.Wake && !b.cfg.Spurious {
		return b.False()
	}
	x := b.unknown(e, e.Typ)
	if e.Wake {
		b.mem.wakes(x)
	}
	return x
}

// A naming is an alternative that is translated, by its site and name, and
// the events that it has had.
type naming struct {
	site        ir.SiteID
	name, reads int32
}

// placeOf returns the site of e in the current statement, or another number
// that tells where it is.
func (b *builder) placeOf(e ir.Expr) ir.SiteID {
	nth := b.places[e]
	if nth == 0 {
		nth, _ = ir.ReadOf(b.stmt, e)
	}
	return nth
}
