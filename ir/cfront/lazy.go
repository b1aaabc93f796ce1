package cfront

// Lazy operators whose operands have side effects. The operator stays one
// node that a repair may change; what its operands do before their values
// are known becomes a branch whose condition follows such a change, because
// it is made of copies of the operator with the same site.

import (
	"modernc.org/cc/v4"

	"github.com/go-amend/amend/ir"
)

// lazy lowers x && y and x || y. If y emits statements Y, the result is
//
//	t = x
//	if ((t && false) != (t && true)) { Y }   // t, or for ||, !t
//	… t && y …
func (b *body) lazy(e cc.ExpressionNode, op ir.Op, x, y cc.ExpressionNode) ir.Expr {
	id := b.site()
	vx := b.cond(x)
	var vy ir.Expr
	effects := b.Optional(func() { vy = b.cond(y) })
	if effects == nil {
		return b.binary(e, id, op, vx, vy)
	}
	if inner, ok := vx.(*ir.Binary); ok && inner.Op.Lazy() {
		vx = b.saveOperand("c", vx)
	}
	vx = b.plain(vx)
	b.branchOn(b.second(op, id, vx), effects, nil)
	return b.binary(e, id, op, vx, vy)
}

// second is the condition that the second operand of op is evaluated after
// the first one gave x.
func (b *body) second(op ir.Op, id ir.SiteID, x ir.Expr) ir.Expr {
	switch {
	case id == 0 && op == ir.LAnd:
		return ir.CloneExpr(x)
	case id == 0:
		return &ir.Unary{Op: ir.Not, X: ir.CloneExpr(x)}
	}
	side := func(v uint64) ir.Expr {
		return &ir.Binary{ExprInfo: ir.ExprInfo{ID: id}, Op: op, X: ir.CloneExpr(x), Y: &ir.Const{Val: v, Typ: tBool}}
	}
	return &ir.Binary{Op: ir.Ne, X: side(0), Y: side(1)}
}

// plain returns e as a use of a temporary, which nothing changes.
func (b *body) plain(e ir.Expr) ir.Expr {
	x := e
	if c, ok := x.(*ir.Convert); ok && !c.Explicit {
		x = c.X
	}
	if u, ok := x.(*ir.Use); ok && u.ID == 0 && u.Var.Kind == ir.Local && u.Var.Span.IsZero() {
		return e
	}
	return b.Save("c", e)
}

func (b *body) branchOn(c ir.Expr, then, els *ir.Block) {
	if then == nil {
		then = &ir.Block{}
	}
	s := &ir.If{Cond: c, Then: then, Else: els}
	b.Derive(&s.StmtInfo)
	b.Emit(s)
}

// conditional lowers c ? x : y, no site itself. If x or y emit statements,
// the result is
//
//	t = c
//	if (t) { X } else { Y }
//	… t ? x : y …
func (b *body) conditional(e *cc.ConditionalExpression) ir.Expr {
	if e.ExpressionList == nil {
		return b.orElse(e)
	}
	if y := implied(e); y != nil {
		return b.implication(e.LogicalOrExpression, y)
	}
	c := b.cond(e.LogicalOrExpression)
	var x, y ir.Expr
	then := b.Optional(func() { x = b.value(e.ExpressionList) })
	els := b.Optional(func() { y = b.value(e.ConditionalExpression) })
	if x.Type() != tBool || y.Type() != tBool {
		t := b.model.common(x.Type(), y.Type())
		x, y = convert(x, t), convert(y, t)
	}
	if then != nil || els != nil {
		c = b.plain(c)
		b.branchOn(ir.CloneExpr(c), then, els)
	}
	return &ir.Cond{ExprInfo: ir.ExprInfo{Pos: b.span(e)}, C: c, X: x, Y: y}
}

// orElse is c ?: y. A temporary keeps c, which is evaluated once.
func (b *body) orElse(e *cc.ConditionalExpression) ir.Expr {
	x := ir.Expr(b.Save("c", b.value(e.LogicalOrExpression)))
	setSpan(x, ir.Span{})
	c := convert(ir.CloneExpr(x), tBool)
	var y ir.Expr
	if els := b.Optional(func() { y = b.value(e.ConditionalExpression) }); els != nil {
		b.branchOn(ir.CloneExpr(c), nil, els)
	}
	if x.Type() != tBool || y.Type() != tBool {
		t := b.model.common(x.Type(), y.Type())
		x, y = convert(x, t), convert(y, t)
	}
	return &ir.Cond{ExprInfo: ir.ExprInfo{Pos: b.span(e)}, C: c, X: x, Y: y}
}

// branch is c ? x : y for its side effects.
func (b *body) branch(e *cc.ConditionalExpression) {
	if e.ExpressionList == nil || implied(e) != nil {
		b.forget(e, b.value(e))
		return
	}
	s := &ir.If{Cond: b.cond(e.LogicalOrExpression)}
	b.Stand(&s.StmtInfo, b.extent(e.LogicalOrExpression))
	arm := func(x cc.ExpressionNode) func() {
		return func() { b.Locate(b.extent(x), func() { b.effect(x) }) }
	}
	s.Then = b.Block(arm(e.ExpressionList))
	s.Else = b.Optional(arm(e.ConditionalExpression))
	b.Emit(s)
}
