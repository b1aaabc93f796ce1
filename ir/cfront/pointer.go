package cfront

// Pointer values.

import (
	"modernc.org/cc/v4"

	"github.com/go-amend/amend/ir"
)

// A pointer is the value of an expression of pointer type. Where it points is
// known from its text (at), or else it is a number.
type pointer struct {
	at    *place
	first bool    // it points at the first element of the array at
	num   ir.Expr // if at is nil
	to    *targets
	elem  cc.Type // what it points at, by its type
}

func (b *body) noPointer(e cc.Node, construct, hint string) (pointer, bool) {
	b.unsupported(e, construct, hint)
	return pointer{}, false
}

// pointer lowers e, of pointer type, or an integer that is stored in a
// pointer. want is the type of what it is to point at, nil if that is not
// known.
func (b *body) pointer(e cc.ExpressionNode, want cc.Type) (pointer, bool) {
	if b.isZero(e) {
		return pointer{num: &ir.Const{ExprInfo: ir.ExprInfo{Pos: b.span(b.bare(e))}, Typ: tPtr}, to: &targets{}, elem: want}, true
	}
	if d := functionNamed(e); d != nil {
		return b.functionPointer(e, d)
	}
	if e.Type().Kind() != cc.Ptr {
		if d := b.undeclared(e); d != nil {
			b.undefined(e, d.Name())
		} else if cc.IsIntegerType(e.Type()) { // compilers only warn of a missing cast
			return b.integerPointer(e, e, want)
		} else {
			b.wrong(e, "value of type %s where a pointer is needed", e.Type())
		}
		return pointer{}, false
	}
	if v, ok := b.given[e]; ok {
		delete(b.given, e)
		return v, true
	}
	switch x := e.(type) {
	case *cc.PrimaryExpression:
		switch x.Case {
		case cc.PrimaryExpressionExpr:
			return b.pointer(x.ExpressionList, want)
		case cc.PrimaryExpressionStmt:
			return b.statementsPointer(x, want)
		case cc.PrimaryExpressionGeneric:
			if y := selected(x); y != nil {
				return b.pointer(y, want)
			}
		}
	case *cc.CastExpression:
		if x.Case == cc.CastExpressionCast {
			return b.castPointer(x)
		}
	case *cc.UnaryExpression:
		switch x.Case {
		case cc.UnaryExpressionAddrof:
			return b.address(x)
		case cc.UnaryExpressionInc:
			return b.stepPointer(x, x.UnaryExpression, ir.Add, ir.Prefix, true)
		case cc.UnaryExpressionDec:
			return b.stepPointer(x, x.UnaryExpression, ir.Sub, ir.Prefix, true)
		case cc.UnaryExpressionLabelAddr:
			return b.noPointer(e, "address of a label", "use a switch")
		}
	case *cc.PostfixExpression:
		switch x.Case {
		case cc.PostfixExpressionCall:
			return b.callPointer(x, want)
		case cc.PostfixExpressionInc:
			return b.stepPointer(x, x.PostfixExpression, ir.Add, ir.Postfix, true)
		case cc.PostfixExpressionDec:
			return b.stepPointer(x, x.PostfixExpression, ir.Sub, ir.Postfix, true)
		}
	case *cc.AdditiveExpression:
		return b.pointerSum(x)
	case *cc.ConditionalExpression:
		return b.conditionalPointer(x, want)
	case *cc.AssignmentExpression:
		return b.assignPointer(x, true)
	case *cc.ExpressionList:
		return b.commaPointer(x, want)
	case *cc.ConstantExpression:
		return b.pointer(x.ConditionalExpression, want)
	}
	return b.storedPointer(e)
}

// isZero reports whether e is a null pointer constant.
func (b *body) isZero(e cc.ExpressionNode) bool {
	if isNull(e) {
		return true
	}
	if _, ok := scalar(e.Type()); !ok || !e.Pure() {
		return false
	}
	n, ok := literal(e.Value())
	return ok && n == 0
}

// storedPointer is an array, or the value of a pointer variable.
func (b *body) storedPointer(e cc.ExpressionNode) (pointer, bool) {
	p, ok := b.place(e)
	if !ok {
		return pointer{}, false
	}
	if p.row != nil {
		return *p.row, true
	}
	if p.isPointer() {
		return b.loaded(p), true
	}
	if elem(p.typ) == nil {
		return b.noPointer(e, "pointer value", "use arrays and indices")
	}
	v := pointer{at: &p, first: true, elem: elem(p.typ)}
	if a, ok := p.typ.Undecay().(*cc.ArrayType); ok && a.Len() <= 0 && p.isRaw() { // as long as the object
		n, to := b.number(e, v)
		v = pointer{num: n, to: to, elem: v.elem}
	}
	return v, true
}

// isPointer reports whether p is a variable that holds a pointer.
func (p *place) isPointer() bool {
	return p.typ.Kind() == cc.Ptr && (p.many || len(p.idx) > 0 || p.obj == nil || !p.obj.ref)
}

// loaded is the pointer in p.
func (b *body) loaded(p place) pointer {
	to := &targets{}
	p.each(func(q *place) {
		if q.stored() {
			to.addAll(b.mem.holds(q.cell(0)))
			if q.raw != nil && b.isMixed(q) {
				to.addAll(&b.mem.exposed)
			}
		}
	})
	num := b.load(p, 0)
	clearPointers(num)
	setSpan(num, p.span)
	return pointer{num: num, to: to, elem: elem(p.typ)}
}

// clearPointers makes no pointer in e a site: what indices compute stays one.
func clearPointers(e ir.Expr) {
	ir.ExprOf(e).ID = 0
	for _, o := range e.Operands(nil) {
		if t, _ := ir.Scalar((*o).Type()); t == ir.Type(tPtr) {
			clearPointers(*o)
		}
	}
}

// number returns v as a number and what it may point at.
func (b *body) number(e cc.Node, v pointer) (ir.Expr, *targets) {
	if v.at == nil {
		return v.num, v.to
	}
	if v.at.row != nil {
		return v.at.row.num, v.at.row.to
	}
	p := copyPlace(*v.at)
	if v.first {
		p = b.element(p, &ir.Const{Typ: tInt})
	}
	to := &targets{}
	n := b.chain(&p, func(q *place) ir.Expr { return b.numberOf(e, q, to) })
	if n == nil {
		n = &ir.Const{Typ: tPtr}
	}
	setSpan(n, b.span(e))
	return n, to
}

// numberOf is the number of the single place q.
func (b *body) numberOf(e cc.Node, q *place, to *targets) ir.Expr {
	o := q.obj
	switch {
	case o == nil, o.temporary:
		b.unsupported(e, "address of a value that is not stored", "store it in a variable")
		return &ir.Const{Typ: tPtr}
	case o.refused:
		return &ir.Const{Typ: tPtr}
	case len(o.vars) == 0:
		b.unsupported(e, "address of a struct without members", "give it one")
		return &ir.Const{Typ: tPtr}
	case o.ref:
		b.mem.notReference(o.decl)
		return &ir.Const{Typ: tPtr}
	case o.variable:
		b.mem.take(o.key)
		return &ir.Const{Typ: tPtr}
	}
	if o.vars[0].Kind != ir.Global {
		b.takeVariable(e, o)
		return &ir.Const{Typ: tPtr}
	}
	if ls, _ := leaves(o.typ); q.raw != nil || holdsRaw(ls) {
		return b.numberInBytes(e, q, to)
	}
	s := shape{key: o.key, from: q.from, to: q.from + len(q.vars), dims: len(q.idx), outer: q.outer}
	if b.mem.types[s] == nil {
		b.mem.types[s] = q.typ
	}
	to.add(s)
	b.mem.noteTarget(s)
	r := b.region(s)
	if r == nil {
		return &ir.Const{Typ: tPtr}
	}
	t := o.vars[q.from].Type
	n := [2]ir.Expr{&ir.Const{Typ: tPtr}, &ir.Const{Typ: tPtr}} // outer, inner
	for i, step := range q.idx {
		a, k := t.(ir.Array), 1
		if t = a.Elem; i < q.outer {
			k = 0
		}
		n[k] = plus(times(n[k], uint64(a.Len)), convertConst(step.index, tPtr))
	}
	return plus(plus(times(n[0], r.stride), n[1]), &ir.Const{Val: r.base, Typ: tPtr})
}

// numberInBytes is numberOf for an object of bytes, or with unions in it.
func (b *body) numberInBytes(e cc.Node, q *place, to *targets) ir.Expr {
	if !q.obj.raw {
		b.asBytes(e, q.obj.key)
		return &ir.Const{Typ: tPtr}
	}
	q.inBytes()
	s := shape{key: q.obj.key, raw: true}
	to.add(s)
	b.mem.noteTarget(s)
	return plus(ir.CloneExpr(q.raw.off), number(b.region(s).base, tPtr))
}

// takeVariable makes the parameter or local variable o a global from the next
// pass on.
func (b *body) takeVariable(e cc.Node, o *object) {
	again := b.f == nil || b.recursive(b.f)
	switch {
	case b.f == nil || again && b.threaded:
		b.unsupported(e, "address of a variable of a recursive function in a program with threads", "pass the value")
		return
	case again && o.decl == nil:
		b.unsupported(e, "address of a compound literal in a recursive function", "use a variable")
		return
	case o.decl == nil: // a compound literal
		b.mem.take(o.key)
		return
	case b.mem.taken[o.key]: // but has not got its value
		b.unsupported(e, "address of a variable in its own initializer", "assign it afterwards")
		return
	}
	a := &ancestor{unit: b.u, decl: o.decl, name: o.decl.Name(), copies: again || b.threaded && !b.oneThread(b.f)}
	if again {
		a.of = b.f
		b.mem.deepen(b.f)
	}
	b.mem.ancestors[o.key] = a
	b.mem.take(o.key)
}

// plus is x + y, of type tPtr, and no site.
func plus(x, y ir.Expr) ir.Expr {
	c, ok := x.(*ir.Const)
	d, ok2 := y.(*ir.Const)
	switch {
	case ok && ok2:
		return &ir.Const{Val: ir.Wrap(tPtr, c.Val+d.Val), Typ: tPtr}
	case ok && c.Val == 0:
		return y
	case ok2 && d.Val == 0:
		return x
	}
	return &ir.Binary{Op: ir.Add, X: x, Y: y}
}

func times(x ir.Expr, n uint64) ir.Expr {
	if c, ok := x.(*ir.Const); ok {
		return &ir.Const{Val: ir.Wrap(tPtr, c.Val*n), Typ: tPtr}
	}
	if n == 1 {
		return x
	}
	return &ir.Binary{Op: ir.Mul, X: x, Y: &ir.Const{Val: n, Typ: tPtr}}
}

// convertConst is convert, for a constant that is no site a constant.
func convertConst(e ir.Expr, t ir.Int) ir.Expr {
	c, ok := e.(*ir.Const)
	if !ok || c.ID != 0 {
		return convert(e, t)
	}
	v := c.Val
	if ir.Signed(c.Typ) {
		v = uint64(ir.SignedValue(c.Typ, v))
	}
	return &ir.Const{Val: ir.Wrap(t, v), Typ: t}
}

// address is &x.
func (b *body) address(e *cc.UnaryExpression) (pointer, bool) {
	x := unparen(e.CastExpression)
	if i, ok := x.(*cc.PostfixExpression); ok && i.Case == cc.PostfixExpressionIndex && i.PostfixExpression.Type().Kind() == cc.Ptr {
		return b.indexAddress(i)
	}
	if d := functionNamed(x); d != nil {
		return b.functionPointer(e, d)
	}
	p, ok := b.place(x)
	return pointer{at: &p, elem: p.typ}, ok
}

// indexAddress is &p[i], which is p + i: it may lead to the end of an object.
func (b *body) indexAddress(e *cc.PostfixExpression) (pointer, bool) {
	p, ok := b.pointer(e.PostfixExpression, nil)
	if !ok || isLiteralZero(e.ExpressionList) {
		return p, ok
	}
	q := b.sequence()
	q.addPointer(&p)
	i := b.integer(e.ExpressionList)
	q.done()
	return b.offset(e, p, i, b.span(e), false), true
}

// functionNamed returns the function that e names, or nil.
func functionNamed(e cc.ExpressionNode) *cc.Declarator {
	if p, ok := unparen(e).(*cc.PrimaryExpression); ok {
		if d, ok := p.ResolvedTo().(*cc.Declarator); ok && d.Type().Kind() == cc.Function {
			return d
		}
	}
	return nil
}

// castPointer is (T *)x.
func (b *body) castPointer(e *cc.CastExpression) (pointer, bool) {
	x, t := e.CastExpression, elem(e.Type())
	if _, ok := scalar(x.Type()); ok && !b.isZero(x) {
		return b.integerPointer(e, x, t)
	}
	if t != nil && isRow(t) {
		b.measureNamed(e, e.TypeName, t)
	}
	v, ok := b.pointer(x, t)
	v.elem = t
	return v, ok
}

// integerPointer is the pointer to a t that the integer x becomes, in e.
func (b *body) integerPointer(e, x cc.ExpressionNode, t cc.Type) (pointer, bool) {
	if b.funcs[symbol{name: "__CPROVER_mm_io_r"}] != nil || b.funcs[symbol{name: "__CPROVER_mm_io_w"}] != nil {
		return b.noPointer(e, "address of a device", "call the functions that read and write it")
	}
	n := b.value(x)
	if b.fitsPointer(n) {
		return pointer{num: convert(n, tPtr), to: &targets{}, elem: t}, true
	}
	to := &targets{}
	to.addAll(&b.mem.exposed)
	return pointer{num: b.fromInteger(n), to: to, elem: t}, true
}

// fitsPointer reports whether n has no more bits than a pointer and no address
// in it: no integer of fewer bits than the target's pointers has one.
func (b *body) fitsPointer(n ir.Expr) bool {
	bits := min(tPtr.Width, b.model.pointer)
	for {
		c, ok := n.(*ir.Convert)
		if !ok {
			break
		}
		if ir.Width(c.To) < bits {
			return true
		}
		n = c.X
	}
	return ir.Width(n.Type()) < bits
}

// pointerSum is p + i, i + p or p - i.
func (b *body) pointerSum(e *cc.AdditiveExpression) (pointer, bool) {
	x, y := e.AdditiveExpression, e.MultiplicativeExpression
	if x.Type().Kind() != cc.Ptr {
		i := b.integer(x)
		q := b.sequence()
		q.add(&i)
		p, ok := b.pointer(y, nil)
		q.done()
		return b.offset(e, p, i, b.span(e), false), ok
	}
	p, ok := b.pointer(x, nil)
	if !ok {
		return p, false
	}
	q := b.sequence()
	q.addPointer(&p)
	i := b.integer(y)
	q.done()
	return b.offset(e, p, i, b.span(e), e.Case == cc.AdditiveExpressionSub), true
}

func (q *sequence) addPointer(p *pointer) {
	if p.at == nil {
		q.add(&p.num)
	} else {
		q.addPlace(p.at)
	}
}

// offset is p + i, or with back p - i, whose text is span.
func (b *body) offset(e cc.Node, p pointer, i ir.Expr, span ir.Span, back bool) pointer {
	c, ok := i.(*ir.Const)
	still := ok && c.Val == 0
	if p.first && !back && (still || stepOf(p.elem) == stepOf(elem(p.at.typ))) {
		at := b.element(*p.at, i)
		at.span = span
		return pointer{at: &at, elem: p.elem}
	}
	if p.at == nil && p.num == nil {
		return p
	}
	if p.elem != nil && isRow(p.elem) {
		return b.offsetRows(e, p, i, span, back)
	}
	n, to := b.number(e, p)
	k := uint64(1)
	if !still {
		b.mem.counts(to)
		k = b.stepIn(e, p.elem, to)
	}
	if k > 1 || to.raw() || b.model.pointer < tPtr.Width {
		i = b.narrowed(i)
	}
	i = times(convertConst(i, tPtr), k)
	op := ir.Add
	if back {
		op = ir.Sub
	}
	return pointer{num: &ir.Binary{ExprInfo: ir.ExprInfo{Pos: span}, Op: op, X: n, Y: i}, to: to, elem: p.elem}
}

// stepIn is what adding 1 to a pointer to t adds to its number, where it points
// into to: numbers count elements or, in bytes, bytes. What the pointer counts
// otherwise than in elements, and what it may also lead to, becomes bytes.
func (b *body) stepIn(e cc.Node, t cc.Type, to *targets) uint64 {
	if t == nil {
		return 1
	}
	size := stepOf(t)
	raw, other := len(to.list) == 0, false
	for _, s := range to.list {
		switch u := b.mem.types[s]; {
		case s.raw:
			raw = true
		case b.region(s) == nil: // of an earlier pass
		default:
			other = other || u != nil && stepOf(u) != size
		}
	}
	if other || raw && size != 1 {
		b.allBytes(e, to)
	}
	if raw || other {
		return uint64(max(size, 1))
	}
	return 1
}

// sameNumbers makes bytes of objects of which tx and ty have different parts:
// their numbers don't compare.
func (b *body) sameNumbers(e cc.Node, tx, ty *targets) {
	for _, s := range tx.list {
		for _, t := range ty.list {
			if s.key == t.key && s != t && !s.raw && !t.raw {
				b.asBytes(e, s.key)
			}
		}
	}
}

// difference is x - y of two pointers with elements of type t, as a number of
// these; x and y are subtracted in v.
func (b *body) difference(e cc.Node, v ir.Expr, t cc.Type, tx, ty *targets) ir.Expr {
	both := &targets{}
	both.addAll(tx)
	both.addAll(ty)
	signed := ir.Int{Width: tPtr.Width, Signed: true}
	v = convert(v, signed)
	if isRow(t) {
		k := b.stepIn(e, unitOf(t), both)
		by := convert(times(convert(b.units(t), tPtr), k), signed)
		return convert(&ir.Binary{Op: ir.Div, X: v, Y: by}, ir.Int{Width: b.model.pointer, Signed: true})
	}
	if k := b.stepIn(e, t, both); k > 1 {
		v = &ir.Binary{Op: ir.Div, X: v, Y: number(k, signed)}
	}
	return convert(v, ir.Int{Width: b.model.pointer, Signed: true})
}

// stepOf is how many bytes adding 1 to a pointer to t adds, as gcc has it.
func stepOf(t cc.Type) int64 {
	if k := t.Kind(); k == cc.Void || k == cc.Function {
		return 1
	}
	return sizeOf(t)
}

// conditionalPointer is c ? x : y.
func (b *body) conditionalPointer(e *cc.ConditionalExpression, want cc.Type) (pointer, bool) {
	if e.ExpressionList == nil {
		return b.pointerOrElse(e, want)
	}
	c := b.cond(e.LogicalOrExpression)
	var x, y ir.Expr
	to := &targets{}
	all := true
	arm := func(n *ir.Expr, a cc.ExpressionNode) *ir.Block {
		return b.Optional(func() {
			v, ok := b.pointer(a, want)
			*n = &ir.Const{Typ: tPtr}
			if all = all && ok; ok {
				var t *targets
				*n, t = b.number(a, v)
				to.addAll(t)
			}
		})
	}
	then := arm(&x, e.ExpressionList)
	els := arm(&y, e.ConditionalExpression)
	if then != nil || els != nil {
		c = b.plain(c)
		b.branchOn(ir.CloneExpr(c), then, els)
	}
	n := &ir.Cond{ExprInfo: ir.ExprInfo{Pos: b.span(e)}, C: c, X: x, Y: y}
	return pointer{num: n, to: to, elem: elem(e.Type())}, all
}

// pointerOrElse is x ?: y.
func (b *body) pointerOrElse(e *cc.ConditionalExpression, want cc.Type) (pointer, bool) {
	v, ok := b.pointer(e.LogicalOrExpression, want)
	if !ok {
		return v, false
	}
	x, to := b.number(e, v)
	x = b.saved(x)
	both := &targets{}
	both.addAll(to)
	y := number(0, tPtr)
	els := b.Optional(func() {
		var w pointer
		if w, ok = b.pointer(e.ConditionalExpression, want); ok {
			var t *targets
			y, t = b.number(e, w)
			both.addAll(t)
		}
	})
	if els != nil {
		b.branchOn(compare(ir.Ne, ir.CloneExpr(x), 0), &ir.Block{}, els)
	}
	n := &ir.Cond{ExprInfo: ir.ExprInfo{Pos: b.span(e)}, C: compare(ir.Ne, ir.CloneExpr(x), 0), X: ir.CloneExpr(x), Y: y}
	return pointer{num: n, to: both, elem: elem(e.Type())}, ok
}

func (b *body) commaPointer(e *cc.ExpressionList, want cc.Type) (pointer, bool) {
	l := e
	for ; l.ExpressionList != nil; l = l.ExpressionList {
		b.Within(func() { b.effect(l.AssignmentExpression) })
	}
	v, ok := b.pointer(l.AssignmentExpression, want)
	if !ok || l == e {
		return v, ok
	}
	n, to := b.number(e, v)
	n = b.Save("v", n)
	setSpan(n, b.span(e))
	return pointer{num: n, to: to, elem: v.elem}, true
}

// callPointer is the call of a function that returns a pointer.
func (b *body) callPointer(e *cc.PostfixExpression, want cc.Type) (pointer, bool) {
	if v, ok, is := b.allocation(e, want); is {
		return v, ok
	}
	d := functionNamed(unstarred(e))
	if d == nil {
		return b.pointerThrough(e)
	}
	if d.Name() == "__builtin_va_next" {
		return b.nextArgument(e)
	}
	if returnsFirst[d.Name()] && b.lookup(b.u, d) == nil {
		return b.callCopying(e)
	}
	var vs []ir.Expr
	b.Within(func() { vs = b.call(e) })
	if len(vs) == 0 {
		return pointer{}, false
	}
	f := b.lookup(b.u, d)
	if f == nil && isNondet(d.Name()) {
		return pointer{num: vs[0], to: b.anywhere(elem(e.Type())), elem: elem(e.Type())}, true
	}
	if _, sorts := sortedArray[d.Name()]; f == nil && sorts {
		f = b.sortFunction(e, d.Name())
	} else if f == nil && b.library != nil {
		f = b.callee(b.u, d)
	}
	if f == nil || vs[0].Type() != tPtr {
		return b.noPointer(e, "pointer value", "use arrays and indices")
	}
	return pointer{num: vs[0], to: b.mem.holds(cell{resultKey{f.sym}, 0}), elem: elem(e.Type())}, true
}

// pointerTarget lowers e as the left side of an assignment of a pointer.
func (b *body) pointerTarget(e cc.ExpressionNode) (place, bool) {
	p, ok := b.place(e)
	switch {
	case !ok:
	case p.obj != nil && p.obj.ref && len(p.idx) == 0:
		b.mem.notReference(p.obj.decl)
		ok = false
	case !p.isPointer():
		b.wrong(e, "assignment to an array")
		ok = false
	}
	return p, ok
}

// assignPointer is p = q, p += i or p -= i.
func (b *body) assignPointer(e *cc.AssignmentExpression, used bool) (pointer, bool) {
	p, ok := b.pointerTarget(e.UnaryExpression)
	if !ok {
		if e.Case == cc.AssignmentExpressionAssign {
			b.pointer(e.AssignmentExpression, elem(e.Type()))
		}
		return pointer{}, false
	}
	b.steady(&p)
	q := b.sequence()
	q.addPlace(&p)
	var v pointer
	switch e.Case {
	case cc.AssignmentExpressionAssign:
		v, ok = b.pointer(e.AssignmentExpression, elem(p.typ))
		q.done()
	case cc.AssignmentExpressionAdd, cc.AssignmentExpressionSub:
		i := b.integer(e.AssignmentExpression)
		q.done()
		v = b.offset(e, b.loaded(copyPlace(p)), i, b.span(e), e.Case == cc.AssignmentExpressionSub)
	default:
		return b.noPointer(e, "operator "+e.Token.SrcStr()+" on a pointer", "")
	}
	if !ok {
		return v, false
	}
	return b.storePointer(e, p, v, used), true
}

// storePointer emits p = v.
func (b *body) storePointer(e cc.ExpressionNode, p place, v pointer, used bool) pointer {
	n, to := b.number(e, v)
	b.flowInto(p, 0, to)
	n = b.store(e, p, n, used)
	return pointer{num: n, to: to, elem: elem(p.typ)}
}

// flowInto notes that leaf i of p gets a pointer into to.
func (b *body) flowInto(p place, i int, to *targets) {
	p.each(func(q *place) {
		if q.stored() {
			b.stored(q.cell(i), to)
		}
	})
}

// flowStruct notes that p gets the value of y, of the same type.
func (b *body) flowStruct(p, y place) {
	ls, _ := leaves(p.typ)
	for i, f := range ls {
		if t, _ := ir.Scalar(f.typ); t != tPtr && !f.raw {
			continue
		}
		y.each(func(q *place) {
			if q.stored() {
				b.flowInto(p, i, b.mem.holds(q.cell(i)))
			}
			if q.stored() && q.raw != nil && b.mem.touched(q.obj.key, -1, 0, false) {
				b.flowInto(p, i, &b.mem.exposed)
			}
		})
	}
}

// stepPointer is e, ++ or -- of the pointer x.
func (b *body) stepPointer(e, x cc.ExpressionNode, op ir.Op, form ir.Form, used bool) (pointer, bool) {
	id, after := b.site(), form == ir.Postfix
	p, ok := b.pointerTarget(x)
	if !ok {
		return pointer{}, false
	}
	b.steady(&p)
	old := b.loaded(copyPlace(p))
	if used && (after || b.threaded) {
		old.num = b.Save("v", old.num)
		setSpan(old.num, b.span(e))
	}
	n := &ir.Const{Val: 1, Typ: tInt}
	moved := b.offset(e, pointer{num: ir.CloneExpr(old.num), to: old.to, elem: old.elem}, n, b.span(e), op == ir.Sub)
	if y, ok := moved.num.(*ir.Binary); ok && y.Op == op {
		setSpan(y.X, b.span(x))
		y.ID, y.Form, y.Value, y.Pointer = id, form, used, true
	}
	v := b.storePointer(e, p, moved, used)
	if after && used {
		return old, true
	}
	return v, true
}

// asPointer lowers e for a pointer whose type is t, and returns its number.
func (b *body) asPointer(e cc.ExpressionNode, t cc.Type) (ir.Expr, *targets) {
	v, ok := b.pointer(e, elem(t))
	if !ok {
		return &ir.Const{Typ: tPtr}, &targets{}
	}
	return b.number(e, v)
}
