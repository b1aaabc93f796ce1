package cfront

// Assignments and increments.

import (
	"modernc.org/cc/v4"

	"github.com/go-amend/amend/ir"
)

var assignOps = map[cc.AssignmentExpressionCase]ir.Op{
	cc.AssignmentExpressionMul: ir.Mul,
	cc.AssignmentExpressionDiv: ir.Div,
	cc.AssignmentExpressionMod: ir.Rem,
	cc.AssignmentExpressionAdd: ir.Add,
	cc.AssignmentExpressionSub: ir.Sub,
	cc.AssignmentExpressionLsh: ir.Shl,
	cc.AssignmentExpressionRsh: ir.Shr,
	cc.AssignmentExpressionAnd: ir.And,
	cc.AssignmentExpressionXor: ir.Xor,
	cc.AssignmentExpressionOr:  ir.Or,
}

// assignment lowers x = y and x op= y. With used its value is returned.
func (b *body) assignment(e *cc.AssignmentExpression, used bool) ir.Expr {
	if k := e.UnaryExpression.Type().Kind(); (k == cc.Struct || k == cc.Union) && e.Case == cc.AssignmentExpressionAssign {
		b.assignStruct(e)
		return zero()
	}
	if e.UnaryExpression.Type().Kind() == cc.Ptr {
		if v, ok := b.assignPointer(e, used); ok {
			return v.num
		}
		return zero()
	}
	p, ok := b.target(e.UnaryExpression)
	if !ok {
		b.value(e.AssignmentExpression)
		return zero()
	}
	compound := e.Case != cc.AssignmentExpressionAssign
	var id ir.SiteID
	if compound {
		id = b.site()
	}
	if compound || used {
		b.steady(&p)
	}
	q := b.sequence()
	q.addPlace(&p)
	if !compound {
		t, _ := scalar(p.typ)
		y := b.assigned(e.AssignmentExpression, t)
		q.done()
		return b.store(e, p, y, used)
	}
	y := b.value(e.AssignmentExpression)
	q.done()
	if b.threaded && p.isAtomic() && readsGlobal(y) {
		y = b.saveOperand("v", y) // before the event
	}
	var v ir.Expr
	b.together(p, func() {
		x := &ir.Binary{ExprInfo: ir.ExprInfo{ID: id, Pos: b.span(e)}, Op: assignOps[e.Case],
			X: b.old(p), Y: y, Form: ir.Compound, Value: used}
		b.ofIntegers(e, x.Op, x.X.Type())
		b.ofIntegers(e, x.Op, x.Y.Type())
		b.operate(x)
		v = b.store(e, p, x, used)
	})
	return v
}

// operate converts the operands of x, of an arithmetic operator, as C does.
func (b *body) operate(x *ir.Binary) {
	if x.Op == ir.Shl || x.Op == ir.Shr {
		x.X, x.Y = b.model.promote(x.X), b.model.promote(x.Y)
		return
	}
	t := b.model.common(x.X.Type(), x.Y.Type())
	x.X, x.Y = convert(x.X, t), convert(x.Y, t)
}

// old is the value of p before a compound assignment to it, no site: it has
// no text of its own. Its indices share their sites with the left side.
func (b *body) old(p place) ir.Expr {
	if p.many || p.raw != nil {
		return b.load(copyPlace(p), 0)
	}
	return b.expr(copyPlace(p), 0, false)
}

// store emits p = y as the assignment with the text of e.
func (b *body) store(e cc.ExpressionNode, p place, y ir.Expr, used bool) ir.Expr {
	if v, ok := b.storeEvent(p, y, func(p place, y ir.Expr) ir.Expr { return b.store(e, p, y, used) }); ok {
		return v
	}
	if p.many || p.raw != nil {
		return b.storeMany(e, p, y, used)
	}
	lhs := b.expr(p, 0, false)
	if used && (b.threaded && p.vars[0].Kind == ir.Global || movesItself(lhs)) {
		return b.storeAndUse(e, lhs, y)
	}
	a := &ir.Assign{LHS: lhs, RHS: convert(y, lhs.Type())}
	if used {
		b.Within(func() { b.Stand(&a.StmtInfo, b.extent(e)) })
	} else {
		b.Stand(&a.StmtInfo, b.extent(e))
	}
	b.Emit(a)
	if !used {
		return nil
	}
	v := ir.CloneExpr(lhs)
	setSpan(v, b.span(e))
	return v
}

// movesItself reports whether lhs may denote something else once it was
// written, as a[a[0]] does.
func movesItself(lhs ir.Expr) bool {
	w := write{v: ir.Root(lhs)}
	for x, ok := lhs.(*ir.Index); ok; x, ok = x.X.(*ir.Index) {
		if reads(x.I, w) {
			return true
		}
	}
	return false
}

// storeAndUse is store whose value can't be read back from where it went:
// another thread may change that before the value is used, or the store itself
// changes where that is.
func (b *body) storeAndUse(e cc.ExpressionNode, lhs, y ir.Expr) ir.Expr {
	var v ir.Expr = b.Save("v", convert(y, lhs.Type()))
	setSpan(v, ir.Span{})
	a := &ir.Assign{LHS: lhs, RHS: v}
	b.Derive(&a.StmtInfo)
	a.Pos = b.extent(e)
	b.Emit(a)
	v = ir.CloneExpr(v)
	setSpan(v, b.span(e))
	return v
}

// storeMany is store where a pointer says what is written, or into bytes: a
// temporary gets the value, then the place that it is.
func (b *body) storeMany(e cc.ExpressionNode, p place, y ir.Expr, used bool) ir.Expr {
	t := p.scalar()
	v := b.Temp("v", t)
	a := &ir.Assign{LHS: use(v, ir.Span{}), RHS: convert(y, t)}
	if used {
		b.Within(func() { b.Stand(&a.StmtInfo, b.extent(e)) })
	} else {
		b.Stand(&a.StmtInfo, b.extent(e))
	}
	b.Emit(a)
	b.withinLimits(p)
	b.checkWrite(e, p)
	b.onEach(p, func(q place) { b.write(&q, use(v, ir.Span{})) })
	if !used {
		return nil
	}
	return use(v, b.span(e))
}

// target lowers e as the left side of an assignment to a scalar.
func (b *body) target(e cc.ExpressionNode) (place, bool) {
	if _, ok := scalar(e.Type()); !ok {
		b.unsupported(e, "assignment to a value of type "+e.Type().String(), "use an integer type of up to 64 bits, float or double")
		return place{}, false
	}
	p, ok := b.place(e)
	if !ok || len(p.vars) == 0 && !p.many {
		return p, false
	}
	return p, b.writable(e, p)
}

// writable reports whether p may be assigned to. What is constant is an error
// where e's type says so; where a cast has taken that away it is none until a
// run comes there.
func (b *body) writable(e cc.ExpressionNode, p place) bool {
	if p.obj != nil && p.obj.ref && p.obj.decl != nil {
		b.mem.writes(p.obj.decl)
	}
	if p.konst && !e.Type().Attributes().IsConst() && castAway(e) {
		if b.cfg.Checks.Has(ir.CheckNil) {
			b.checkRule(ir.CheckNil, &ir.Const{Typ: tBool}, b.extent(e), constantWrite)
		}
		return false
	}
	if p.konst {
		b.wrong(e, "assignment of a constant variable")
		return false
	}
	return true
}

// castAway reports whether e is *(T *)…, or ((T *)…)[…].
func castAway(e cc.ExpressionNode) bool {
	var of cc.ExpressionNode
	switch x := unparen(e).(type) {
	case *cc.UnaryExpression:
		if x.Case == cc.UnaryExpressionDeref {
			of = x.CastExpression
		}
	case *cc.PostfixExpression:
		if x.Case == cc.PostfixExpressionIndex {
			of = x.PostfixExpression
		}
	}
	if of == nil {
		return false
	}
	_, ok := unparen(of).(*cc.CastExpression)
	return ok
}

// increment lowers ++ and --. With used its value is returned.
func (b *body) increment(e, x cc.ExpressionNode, op ir.Op, form ir.Form, used bool) ir.Expr {
	if x.Type().Kind() == cc.Ptr {
		if v, ok := b.stepPointer(e, x, op, form, used); ok {
			return v.num
		}
		return zero()
	}
	id := b.site()
	p, ok := b.target(x)
	if !ok {
		return zero()
	}
	b.steady(&p)
	var before, v ir.Expr
	b.together(p, func() {
		x := b.old(p)
		if used && form == ir.Postfix {
			before = b.Save("v", x)
			setSpan(before, b.span(e))
			if x = b.old(p); b.threaded {
				x = ir.CloneExpr(before)
				setSpan(x, p.span)
			}
		}
		y := &ir.Binary{ExprInfo: ir.ExprInfo{ID: id, Pos: b.span(e)}, Op: op, X: x,
			Y: &ir.Const{Val: 1, Typ: b.model.int}, Form: form, Value: used}
		b.operate(y)
		v = b.store(e, p, y, used)
	})
	if before != nil {
		return before
	}
	return v
}

// assignStruct copies a struct leaf by leaf, and returns the left side.
func (b *body) assignStruct(e *cc.AssignmentExpression) (place, bool) {
	p, ok := b.place(e.UnaryExpression)
	if !ok || !b.writable(e.UnaryExpression, p) {
		return p, false
	}
	q := b.sequence()
	q.addPlace(&p)
	y, ok := b.place(e.AssignmentExpression)
	q.done()
	if ok {
		b.copyStruct(b.extent(e), e, p, y)
	}
	return p, ok
}
