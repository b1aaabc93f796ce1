package cfront

// Expressions of arithmetic type. A value keeps the ir type of its operator:
// what C calls an int of value 0 or 1 is a Bool until it is used as an int.

import (
	"modernc.org/cc/v4"

	"github.com/go-amend/amend/ir"
)

// maxNesting is the largest depth of an expression.
const maxNesting = maxRun + maxDepth

// value lowers e, of arithmetic type.
func (b *body) value(e cc.ExpressionNode) ir.Expr {
	b.depth++
	defer func() { b.depth-- }()
	if b.depth > maxNesting {
		b.unsupported(e, "expression nested so deep", "use variables")
		return zero()
	}
	if _, ok := scalar(e.Type()); !ok {
		return b.otherValue(e)
	}
	switch e := e.(type) {
	case *cc.PrimaryExpression:
		return b.primary(e)
	case *cc.PostfixExpression:
		return b.postfix(e)
	case *cc.UnaryExpression:
		return b.unary(e)
	case *cc.CastExpression:
		return b.cast(e)
	case *cc.MultiplicativeExpression:
		return b.arithmetic(e, mulOps[e.Case], e.MultiplicativeExpression, e.CastExpression)
	case *cc.AdditiveExpression:
		return b.arithmetic(e, addOps[e.Case], e.AdditiveExpression, e.MultiplicativeExpression)
	case *cc.ShiftExpression:
		return b.shift(e)
	case *cc.RelationalExpression:
		return b.arithmetic(e, relOps[e.Case], e.RelationalExpression, e.ShiftExpression)
	case *cc.EqualityExpression:
		return b.arithmetic(e, eqOps[e.Case], e.EqualityExpression, e.RelationalExpression)
	case *cc.AndExpression:
		return b.arithmetic(e, ir.And, e.AndExpression, e.EqualityExpression)
	case *cc.ExclusiveOrExpression:
		return b.arithmetic(e, ir.Xor, e.ExclusiveOrExpression, e.AndExpression)
	case *cc.InclusiveOrExpression:
		return b.arithmetic(e, ir.Or, e.InclusiveOrExpression, e.ExclusiveOrExpression)
	case *cc.LogicalAndExpression:
		return b.lazy(e, ir.LAnd, e.LogicalAndExpression, e.InclusiveOrExpression)
	case *cc.LogicalOrExpression:
		return b.lazy(e, ir.LOr, e.LogicalOrExpression, e.LogicalAndExpression)
	case *cc.ConditionalExpression:
		return b.conditional(e)
	case *cc.AssignmentExpression:
		return b.assignment(e, true)
	case *cc.ExpressionList:
		return b.comma(e)
	case *cc.ConstantExpression:
		return b.value(e.ConditionalExpression)
	}
	b.unsupported(e, "expression", "")
	return zero()
}

var (
	mulOps = map[cc.MultiplicativeExpressionCase]ir.Op{
		cc.MultiplicativeExpressionMul: ir.Mul,
		cc.MultiplicativeExpressionDiv: ir.Div,
		cc.MultiplicativeExpressionMod: ir.Rem,
	}
	addOps = map[cc.AdditiveExpressionCase]ir.Op{
		cc.AdditiveExpressionAdd: ir.Add,
		cc.AdditiveExpressionSub: ir.Sub,
	}
	shiftOps = map[cc.ShiftExpressionCase]ir.Op{
		cc.ShiftExpressionLsh: ir.Shl,
		cc.ShiftExpressionRsh: ir.Shr,
	}
	relOps = map[cc.RelationalExpressionCase]ir.Op{
		cc.RelationalExpressionLt:  ir.Lt,
		cc.RelationalExpressionGt:  ir.Gt,
		cc.RelationalExpressionLeq: ir.Le,
		cc.RelationalExpressionGeq: ir.Ge,
	}
	eqOps = map[cc.EqualityExpressionCase]ir.Op{
		cc.EqualityExpressionEq:  ir.Eq,
		cc.EqualityExpressionNeq: ir.Ne,
	}
)

// zero stands for what was refused.
func zero() ir.Expr { return &ir.Const{Typ: tInt} }

// otherValue is value for an e that isn't of integer type.
func (b *body) otherValue(e cc.ExpressionNode) ir.Expr {
	switch k := e.Type().Kind(); {
	case isNull(e):
		return &ir.Const{ExprInfo: ir.ExprInfo{ID: b.site(), Pos: b.span(b.bare(e))}, Typ: tInt}
	case isString(e):
		return &ir.Const{ExprInfo: ir.ExprInfo{Pos: b.span(b.bare(e))}, Val: 1, Typ: tBool}
	case k == cc.Ptr:
		b.wrong(e, "pointer where an integer is needed")
	case cc.IsArithmeticType(e.Type()):
		b.unsupported(e, "value of type "+e.Type().String(), "use an integer type of up to 64 bits, float or double")
	case k == cc.Void:
		b.wrong(e, "void value where a value is needed")
	default:
		b.wrong(e, "value of type %s where an integer is needed", e.Type())
	}
	return zero()
}

// bare returns e without the parentheses that the text has around it.
func (b *body) bare(e cc.ExpressionNode) cc.ExpressionNode {
	for {
		p, ok := e.(*cc.PrimaryExpression)
		if !ok || p.Case != cc.PrimaryExpressionExpr || b.u.text.inMacro(p) {
			return e
		}
		e = p.ExpressionList
	}
}

// isString reports whether e is a string literal, which as a condition is
// true: assert(x && "text").
func isString(e cc.ExpressionNode) bool {
	p, ok := unparen(e).(*cc.PrimaryExpression)
	return ok && (p.Case == cc.PrimaryExpressionString || p.Case == cc.PrimaryExpressionLString)
}

// isNull reports whether e is a null pointer constant of pointer type.
func isNull(e cc.ExpressionNode) bool {
	if e.Type().Kind() != cc.Ptr {
		return false
	}
	c, ok := unparen(e).(*cc.CastExpression)
	if !ok || c.Case != cc.CastExpressionCast {
		return false
	}
	n, ok := literal(c.CastExpression.Value())
	return ok && n == 0 && c.CastExpression.Pure()
}

// literal returns the bits of an integer value.
func literal(v cc.Value) (uint64, bool) {
	switch v := v.(type) {
	case cc.Int64Value:
		return uint64(v), true
	case cc.UInt64Value:
		return uint64(v), true
	}
	return 0, false
}

// integer lowers e, a value that is used as an integer.
func (b *body) integer(e cc.ExpressionNode) ir.Expr { return b.model.promote(b.value(e)) }

// cond lowers e as a condition.
func (b *body) cond(e cc.ExpressionNode) ir.Expr {
	if e.Type().Kind() == cc.Ptr && !isNull(e) && !isString(e) {
		n, _ := b.asPointer(e, e.Type())
		return convert(n, tBool)
	}
	b.asCondition(e)
	return convert(b.value(e), tBool)
}

// as lowers e and converts it to t.
func (b *body) as(e cc.ExpressionNode, t ir.Type) ir.Expr {
	if t == tBool {
		return b.cond(e)
	}
	return convert(b.assigned(e, t), t)
}

// assigned is the value of e for what is of type t: a pointer becomes an integer
// without a cast, of which compilers only warn.
func (b *body) assigned(e cc.ExpressionNode, t ir.Type) ir.Expr {
	_, inexact := t.(ir.Float)
	if e.Type().Kind() == cc.Ptr && !isNull(e) && !isString(e) && !inexact {
		return b.castToInteger(e, e, t)
	}
	return b.value(e)
}

// constant returns v as the constant with the text of e.
func (b *body) constant(e cc.ExpressionNode, v cc.Value) ir.Expr {
	t, _ := scalar(e.Type())
	n, ok := literal(v)
	if !ok {
		b.unsupported(e, "constant of type "+e.Type().String(), "")
		return zero()
	}
	return &ir.Const{ExprInfo: ir.ExprInfo{ID: b.site(), Pos: b.span(e)}, Val: ir.Wrap(t, n), Typ: t}
}

// enumerator is an int if it fits, as in C, whatever the enum's type.
func (b *body) enumerator(e *cc.PrimaryExpression, c *cc.Enumerator) ir.Expr {
	v := b.constant(e, c.Value()).(*ir.Const)
	if n, _ := literal(c.Value()); int64(n) == ir.SignedValue(b.model.int, ir.Wrap(b.model.int, n)) {
		v.Val, v.Typ = ir.Wrap(b.model.int, n), b.model.int
	}
	return v
}

func (b *body) primary(e *cc.PrimaryExpression) ir.Expr {
	switch e.Case {
	case cc.PrimaryExpressionExpr:
		return b.parenthesized(e)
	case cc.PrimaryExpressionInt, cc.PrimaryExpressionChar, cc.PrimaryExpressionLChar:
		return b.constant(e, e.Value())
	case cc.PrimaryExpressionFloat:
		return b.floatLiteral(e, e, false)
	case cc.PrimaryExpressionIdent:
		if c, ok := e.ResolvedTo().(*cc.Enumerator); ok {
			return b.enumerator(e, c)
		}
		return b.read(e)
	case cc.PrimaryExpressionStmt:
		return b.statementsValue(e)
	case cc.PrimaryExpressionGeneric:
		if x := selected(e); x != nil {
			return b.value(x)
		}
		b.unsupported(e, "_Generic", "write the selected expression")
	default:
		b.unsupported(e, "expression", "")
	}
	return zero()
}

// parenthesized gives what is inside the text of a macro use if that has
// parentheses of its own.
func (b *body) parenthesized(e *cc.PrimaryExpression) ir.Expr {
	if c := b.systemConstant(e); c != nil {
		return c
	}
	x := b.value(e.ExpressionList)
	if b.u.text.inMacro(e) && x.Span().IsZero() {
		setSpan(x, b.span(e))
	}
	return x
}

// systemConstant is the use of a macro of the system's headers, such as
// INT_MIN, as one constant. It returns nil if e isn't one.
func (b *body) systemConstant(e cc.ExpressionNode) ir.Expr {
	s := b.span(e)
	if s.IsZero() || !b.u.text.inMacro(e) {
		return nil
	}
	m := b.u.text.macros[string(b.sources[s.File].text[s.Start:s.End])]
	if m == nil || b.sources[m.Position().Filename] != nil || !e.Pure() {
		return nil
	}
	if _, ok := literal(e.Value()); !ok {
		return nil
	}
	return b.constant(e, e.Value())
}

// setSpan gives e, and what it implicitly converts, a text.
func setSpan(e ir.Expr, s ir.Span) {
	ir.ExprOf(e).Pos = s
	if c, ok := e.(*ir.Convert); ok && !c.Explicit {
		setSpan(c.X, s)
	}
}

// read is the value of the object that e denotes.
func (b *body) read(e cc.ExpressionNode) ir.Expr {
	p, ok := b.place(e)
	if !ok || len(p.vars) == 0 && !p.many {
		return zero()
	}
	v := b.load(p, 0)
	if _, ok := v.Type().(ir.Array); ok {
		b.wrong(e, "array where an integer is needed")
		return zero()
	}
	return v
}

func (b *body) postfix(e *cc.PostfixExpression) ir.Expr {
	switch e.Case {
	case cc.PostfixExpressionCall:
		return b.callValue(e)
	case cc.PostfixExpressionInc:
		return b.increment(e, e.PostfixExpression, ir.Add, ir.Postfix, true)
	case cc.PostfixExpressionDec:
		return b.increment(e, e.PostfixExpression, ir.Sub, ir.Postfix, true)
	}
	return b.read(e)
}

func (b *body) unary(e *cc.UnaryExpression) ir.Expr {
	switch e.Case {
	case cc.UnaryExpressionInc:
		return b.increment(e, e.UnaryExpression, ir.Add, ir.Prefix, true)
	case cc.UnaryExpressionDec:
		return b.increment(e, e.UnaryExpression, ir.Sub, ir.Prefix, true)
	case cc.UnaryExpressionPlus:
		return b.integer(e.CastExpression)
	case cc.UnaryExpressionMinus:
		return b.negate(e)
	case cc.UnaryExpressionCpl:
		id := b.site()
		x := b.integer(e.CastExpression)
		b.ofIntegers(e, ir.Compl, x.Type())
		return b.unaryOp(e, id, ir.Compl, x)
	case cc.UnaryExpressionNot:
		id := b.site()
		return b.unaryOp(e, id, ir.Not, b.cond(e.CastExpression))
	case cc.UnaryExpressionDeref:
		return b.read(e)
	case cc.UnaryExpressionSizeofExpr, cc.UnaryExpressionSizeofType,
		cc.UnaryExpressionAlignofExpr, cc.UnaryExpressionAlignofType:
		return b.sizeof(e)
	}
	b.unsupported(e, "operator "+e.Token.SrcStr(), "")
	return zero()
}

func (b *body) unaryOp(e *cc.UnaryExpression, id ir.SiteID, op ir.Op, x ir.Expr) ir.Expr {
	return &ir.Unary{ExprInfo: ir.ExprInfo{ID: id, Pos: b.span(e)}, Op: op, X: x}
}

// negate is -x; with a literal it is one constant.
func (b *body) negate(e *cc.UnaryExpression) ir.Expr {
	if p, ok := e.CastExpression.(*cc.PrimaryExpression); ok && p.Case == cc.PrimaryExpressionInt {
		whole := !b.span(e).IsZero() || b.u.text.sameUse(e.Token, p.Token)
		if _, ok := literal(e.Value()); ok && whole && cc.IsSignedInteger(e.Type()) {
			return b.constant(e, e.Value())
		}
	}
	if p := isFloatLiteral(e.CastExpression); p != nil && (!b.span(e).IsZero() || b.u.text.sameUse(e.Token, p.Token)) {
		return b.floatLiteral(e, p, true)
	}
	id := b.site()
	return b.unaryOp(e, id, ir.Neg, b.integer(e.CastExpression))
}

// cast is a conversion, no site.
func (b *body) cast(e *cc.CastExpression) ir.Expr {
	t, _ := scalar(e.Type())
	if x := e.CastExpression; x.Type().Kind() == cc.Ptr && !isNull(x) && !isString(x) {
		return b.castToInteger(e, x, t)
	}
	x := b.value(e.CastExpression)
	if i, ok := t.(ir.Int); ok && b.u.library && b.cfg.Checks.Has(ir.CheckConversion) {
		if _, ok := x.Type().(ir.Int); ok {
			return b.wrapped(b.Save("x", x), i) // the library means what it casts
		}
	}
	return &ir.Convert{ExprInfo: ir.ExprInfo{Pos: b.span(e)}, To: t, X: x, Explicit: true}
}

// castToInteger is the integer of type t that the pointer x becomes, in e, as in
// (long)p; an address needs all of its bits.
func (b *body) castToInteger(e, x cc.ExpressionNode, t ir.Type) ir.Expr {
	if off, ok := b.nullOffset(x); ok {
		return &ir.Const{ExprInfo: ir.ExprInfo{Pos: b.span(e)}, Val: ir.Wrap(t, uint64(off)), Typ: t}
	}
	n, to := b.asPointer(x, x.Type())
	if len(to.list) > 0 && t != tBool {
		if ir.Width(t) < b.model.pointer {
			b.unsupported(e, "address as a narrow integer", "use uintptr_t, or compare pointers")
		}
		b.expose(e, to)
	}
	signed := &ir.Convert{To: ir.Int{Width: tPtr.Width, Signed: true}, X: n}
	return &ir.Convert{ExprInfo: ir.ExprInfo{Pos: b.span(e)}, To: t, X: signed, Explicit: true}
}

// pair lowers two operands.
func (b *body) pair(x, y cc.ExpressionNode) (vx, vy ir.Expr) {
	vx = b.value(x)
	q := b.sequence()
	q.add(&vx)
	vy = b.value(y)
	q.done()
	return vx, vy
}

func (b *body) binary(e cc.ExpressionNode, id ir.SiteID, op ir.Op, x, y ir.Expr) ir.Expr {
	return &ir.Binary{ExprInfo: ir.ExprInfo{ID: id, Pos: b.span(e)}, Op: op, X: x, Y: y}
}

func (b *body) arithmetic(e cc.ExpressionNode, op ir.Op, x, y cc.ExpressionNode) ir.Expr {
	id := b.site()
	if x.Type().Kind() == cc.Ptr || y.Type().Kind() == cc.Ptr {
		return b.pointers(e, id, op, x, y)
	}
	null := b.signTest(op, x, y)
	vx, vy := b.pair(x, y)
	switch null {
	case nil:
	case x:
		clearSites(vx)
	case y:
		clearSites(vy)
	}
	t := b.model.common(vx.Type(), vy.Type())
	b.ofIntegers(e, op, t)
	return b.binary(e, id, op, convert(vx, t), convert(vy, t))
}

// pointers compares two pointers or subtracts them.
func (b *body) pointers(e cc.ExpressionNode, id ir.SiteID, op ir.Op, x, y cc.ExpressionNode) ir.Expr {
	if isNull(x) && y.Type().Kind() != cc.Ptr || isNull(y) && x.Type().Kind() != cc.Ptr {
		vx, vy := b.pair(x, y) // NULL as an integer
		t := b.model.common(vx.Type(), vy.Type())
		return b.binary(e, id, op, convert(vx, t), convert(vy, t))
	}
	if off, ok := b.memberDistance(x, y); ok && op == ir.Sub {
		return &ir.Const{ExprInfo: ir.ExprInfo{Pos: b.span(e)}, Val: uint64(off), Typ: ir.Int{Width: b.model.pointer, Signed: true}}
	}
	vx, tx := b.asPointer(x, x.Type())
	q := b.sequence()
	q.add(&vx)
	vy, ty := b.asPointer(y, y.Type())
	q.done()
	b.sameNumbers(e, tx, ty)
	if op == ir.Sub {
		return b.difference(e, b.binary(e, 0, op, vx, vy), elem(x.Type()), tx, ty)
	}
	return b.binary(e, id, op, vx, vy)
}

func (b *body) shift(e *cc.ShiftExpression) ir.Expr {
	id := b.site()
	vx, vy := b.pair(e.ShiftExpression, e.AdditiveExpression)
	b.ofIntegers(e, ir.Shl, vx.Type())
	b.ofIntegers(e, ir.Shl, vy.Type())
	return b.binary(e, id, shiftOps[e.Case], b.model.promote(vx), b.model.promote(vy))
}

// comma evaluates all of e for its effects but the last. A temporary with the
// text of all of them keeps the value: who writes the source anew must not
// lose the others.
func (b *body) comma(e *cc.ExpressionList) ir.Expr {
	l := e
	for ; l.ExpressionList != nil; l = l.ExpressionList {
		b.Within(func() { b.effect(l.AssignmentExpression) })
	}
	v := b.Save("v", b.value(l.AssignmentExpression))
	setSpan(v, b.span(e))
	return v
}

// effect evaluates e for its side effects.
func (b *body) effect(e cc.ExpressionNode) {
	switch x := unparen(e).(type) {
	case *cc.AssignmentExpression:
		b.assignment(x, false)
		return
	case *cc.ExpressionList:
		for ; x != nil; x = x.ExpressionList {
			b.effect(x.AssignmentExpression)
		}
		return
	case *cc.PostfixExpression:
		if b.postfixEffect(x) {
			return
		}
	case *cc.UnaryExpression:
		if b.unaryEffect(x) {
			return
		}
	case *cc.CastExpression:
		if x.Type().Kind() == cc.Void {
			b.effect(x.CastExpression)
			return
		}
	case *cc.ConditionalExpression:
		b.branch(x)
		return
	case *cc.PrimaryExpression:
		if x.Case == cc.PrimaryExpressionStmt {
			b.statementsEffect(x)
			return
		}
	}
	switch e.Type().Kind() {
	case cc.Struct, cc.Union:
		if p, ok := b.place(e); ok {
			b.forget(e, b.firstScalar(p))
		}
		return
	case cc.Ptr:
		if functionNamed(e) == nil {
			if v, ok := b.pointer(e, nil); ok && v.at == nil {
				b.forget(e, v.num)
			}
		}
		return
	}
	b.forget(e, b.value(e))
}

func (b *body) postfixEffect(e *cc.PostfixExpression) bool {
	switch e.Case {
	case cc.PostfixExpressionCall:
		b.asCondition(e)
		b.call(e)
	case cc.PostfixExpressionInc:
		b.increment(e, e.PostfixExpression, ir.Add, ir.Postfix, false)
	case cc.PostfixExpressionDec:
		b.increment(e, e.PostfixExpression, ir.Sub, ir.Postfix, false)
	default:
		return false
	}
	return true
}

func (b *body) unaryEffect(e *cc.UnaryExpression) bool {
	switch e.Case {
	case cc.UnaryExpressionInc:
		b.increment(e, e.UnaryExpression, ir.Add, ir.Prefix, false)
	case cc.UnaryExpressionDec:
		b.increment(e, e.UnaryExpression, ir.Sub, ir.Prefix, false)
	case cc.UnaryExpressionDeref:
		if e.Type().Kind() != cc.Void {
			return false
		}
		b.derefVoid(e)
	default:
		return false
	}
	return true
}

// derefVoid is *p for a p that points at void: nothing is read, but p must point
// into an object.
func (b *body) derefVoid(e *cc.UnaryExpression) {
	num, list, ok := b.leadsTo(e.CastExpression)
	if !ok || !b.cfg.Checks.Has(ir.CheckNil) {
		return
	}
	one := number(1, b.model.size)
	inside := choose(list, func(x extent) ir.Expr { return x.hasRoom(one) }, truth(false))
	b.check(ir.CheckNil, both(compare(ir.Ne, num, 0), inside), b.extent(e))
}

// firstScalar is some scalar of the struct p: to read it is to read p, as far
// as checks are concerned.
func (b *body) firstScalar(p place) ir.Expr {
	if p.many && len(p.options) == 0 || !p.many && len(p.vars) == 0 {
		return zero()
	}
	return b.chain(&p, func(q *place) ir.Expr {
		if q.raw != nil {
			return q.byteAt(0)
		}
		e := b.expr(copyPlace(*q), 0, false)
		for isArrayType(e.Type()) {
			e = &ir.Index{X: e, I: &ir.Const{Typ: tInt}}
		}
		return e
	})
}

// forget drops v, the value of e, but not the checks in it.
func (b *body) forget(e cc.ExpressionNode, v ir.Expr) {
	if !checked(v) {
		return
	}
	t := b.Temp("unused", v.Type())
	a := &ir.Assign{LHS: use(t, ir.Span{}), RHS: v}
	b.Stand(&a.StmtInfo, b.extent(e))
	b.Emit(a)
}

// checked reports whether evaluating e may violate a check, or decides what
// else is evaluated.
func checked(e ir.Expr) bool {
	switch x := e.(type) {
	case *ir.Index, *ir.Cond:
		return true
	case *ir.Binary:
		if x.Op == ir.Div || x.Op == ir.Rem || x.Op.Lazy() {
			return true
		}
	}
	for _, o := range e.Operands(nil) {
		if checked(*o) {
			return true
		}
	}
	return false
}
