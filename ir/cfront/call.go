package cfront

// Calls of defined functions. Each becomes a statement whose results go to
// temporaries, in the order of evaluation.

import (
	"modernc.org/cc/v4"

	"github.com/go-amend/amend/ir"
)

// unstarred is what n calls, without a * or & before it, which change nothing
// about a function.
func unstarred(n *cc.PostfixExpression) cc.ExpressionNode {
	e := unparen(n.PostfixExpression)
	for {
		u, ok := e.(*cc.UnaryExpression)
		if !ok || u.Case != cc.UnaryExpressionDeref && u.Case != cc.UnaryExpressionAddrof {
			return e
		}
		x := unparen(u.CastExpression)
		if functionNamed(x) == nil && (u.Case == cc.UnaryExpressionAddrof || !isCode(x.Type())) {
			return e
		}
		e = x
	}
}

// isCode reports whether t is a function or a pointer to one.
func isCode(t cc.Type) bool {
	if p := elem(t); p != nil {
		t = p
	}
	return t.Undecay().Kind() == cc.Function
}

func arguments(n *cc.PostfixExpression) []cc.ExpressionNode {
	var es []cc.ExpressionNode
	for a := n.ArgumentExpressionList; a != nil; a = a.ArgumentExpressionList {
		es = append(es, a.AssignmentExpression)
	}
	return es
}

// callValue is a call for its value.
func (b *body) callValue(n *cc.PostfixExpression) ir.Expr {
	var vs []ir.Expr
	failed := b.failed
	b.Within(func() { vs = b.call(n) })
	switch {
	case len(vs) > 0:
		if t, ok := scalar(n.Type()); ok && t == b.model.int && vs[0].Type() == tInt {
			return convert(vs[0], t)
		}
		return vs[0]
	case b.failed > failed:
		return zero()
	}
	return b.resultless(n)
}

// callPlace is a call whose value is a struct.
func (b *body) callPlace(n *cc.PostfixExpression) (place, bool) {
	var vs []ir.Expr
	b.Within(func() { vs = b.call(n) })
	p := place{typ: n.Type(), konst: true}
	if d := functionNamed(n.PostfixExpression); d != nil {
		if f := b.lookup(b.u, d); f != nil {
			p.obj = &object{typ: n.Type(), key: resultKey{f.sym}, temporary: true}
		}
	}
	for _, v := range vs {
		p.vars = append(p.vars, v.(*ir.Use).Var)
	}
	return p, len(vs) > 0
}

// call emits the call n and returns its results, none if there are none or
// after failing.
func (b *body) call(n *cc.PostfixExpression) []ir.Expr {
	if b.proc == nil {
		b.wrong(n, "initializer is not constant")
		return nil
	}
	d := functionNamed(unstarred(n))
	if d == nil {
		vs, _ := b.callThrough(n)
		return vs
	}
	if b.isError(d.Name()) {
		b.claim(n, &ir.Const{Typ: tBool})
		return nil
	}
	if f := b.lookup(b.u, d); f != nil {
		switch {
		case f.unit == b.heap:
			return b.callInLibrary(n, f)
		case b.u.library, !f.unit.library:
			return b.callDefined(n, f)
		}
	}
	return b.callUndefined(n, d)
}

// An argument is a lowered argument: a value, or an array or struct.
type argument struct {
	value ir.Expr
	place place
}

func (b *body) callDefined(n *cc.PostfixExpression, f *function) []ir.Expr {
	b.procedure(f)
	nodes := arguments(n)
	if len(nodes) < len(f.params) || len(nodes) > len(f.params) && !f.typ.IsVariadic() {
		b.wrong(n, "%s called with %d arguments, want %d", f.sym.name, len(nodes), len(f.params))
		return nil
	}
	args := make([]argument, len(nodes))
	ok := true
	q := b.sequence()
	for i, p := range f.params {
		ok = b.argument(p, nodes[i], &args[i], q) && ok
	}
	rest := nodes[len(f.params):]
	var vs []ir.Expr
	var tos []*targets
	if f.rest != nil {
		vs, tos = b.evaluateRest(rest, q)
	} else {
		for _, e := range rest { // for what their evaluation does
			b.Within(func() { b.evaluate(e) })
		}
	}
	q.done()
	if !ok || b.aliased(f, args) {
		return nil
	}
	c := &ir.Call{Proc: f.proc}
	if functionNamed(n.PostfixExpression) != nil {
		c.Callee = b.span(unparen(n.PostfixExpression))
	}
	for i, p := range f.params {
		c.Args = append(c.Args, b.passed(p, args[i])...)
	}
	if f.rest != nil {
		b.Within(func() { b.passRest(n, f, c, rest, vs, tos) })
	}
	return b.emitCall(n, f, c)
}

// asPassed lowers e as the value of the scalar parameter p, which ends before
// whatever e points at.
func (b *body) asPassed(e cc.ExpressionNode, p *param) ir.Expr {
	t, _ := scalarOrPointer(p.typ)
	if t != tPtr {
		return b.as(e, t)
	}
	n, to := b.asPointer(e, p.typ)
	b.mem.flow(cell{key: p.obj.key}, to)
	return n
}

// argument lowers e, the argument for p.
func (b *body) argument(p *param, e cc.ExpressionNode, a *argument, q *sequence) bool {
	switch p.kind {
	case ignoredParam:
		return b.ignored(e)
	case unnamedParam:
		b.Within(func() { b.evaluate(e) })
		return true
	case scalarParam:
		a.value = b.asPassed(e, p)
		q.add(&a.value)
		return true
	}
	var ok bool
	if a.place, ok = b.argumentPlace(p, e); !ok {
		return false
	}
	q.addPlace(&a.place)
	if !p.accepts(a.place) {
		if t := elem(a.place.typ); t != nil && p.kind == arrayParam && (sameTarget(p.typ, e.Type()) || b.libraryParam(p)) {
			b.mem.notReference(p.obj.decl) // what it gets is to be bytes
			return false
		}
		b.mismatch(e, a.place.typ, p)
		return false
	}
	if p.kind == arrayParam && b.mem.written[p.obj.decl] {
		return b.mayBeWritten(p, a.place.obj)
	}
	return true
}

// mayBeWritten notes that the function of p writes into o. A constant is not
// passed by reference: the write is to be a violation.
func (b *body) mayBeWritten(p *param, o *object) bool {
	switch {
	case o == nil:
	case o.konst:
		b.mem.notReference(p.obj.decl)
		return false
	case o.ref:
		b.mem.writes(o.decl)
	}
	return true
}

// argumentPlace is the array or struct that is passed to p.
func (b *body) argumentPlace(p *param, e cc.ExpressionNode) (place, bool) {
	if p.kind == structParam {
		q, ok := b.place(e)
		if !ok || !sameShape(p.typ, q.typ) {
			return q, ok
		}
		b.flowStruct(place{typ: p.typ, vars: p.vars, obj: p.obj}, q)
		return b.dissolved(q), true
	}
	v, ok := b.pointer(e, elem(p.typ))
	switch {
	case !ok:
	case v.first && !v.at.many && !v.at.isRaw():
		return *v.at, true
	case b.libraryParam(p) && elem(e.Type()) != nil:
		b.mem.notReference(p.obj.decl)
	case !sameTarget(p.typ, e.Type()) && !b.isZero(e) && (v.at == nil || !v.at.many):
		b.mismatch(e, e.Type(), p)
	default:
		b.mem.notReference(p.obj.decl)
	}
	return place{}, false
}

func sameTarget(t, u cc.Type) bool {
	return elem(u) != nil && (elem(u).Kind() == cc.Void || sameShape(elem(t), elem(u)))
}

// accepts reports whether the array or struct at q can be passed to p.
func (p *param) accepts(q place) bool {
	if p.kind == structParam {
		return sameShape(p.typ, q.typ)
	}
	t := elem(q.typ)
	return t != nil && len(q.vars) == len(p.vars) && sameShape(elem(p.typ), t)
}

// passed lists what the procedure gets for p.
func (b *body) passed(p *param, a argument) []ir.Expr {
	switch p.kind {
	case ignoredParam, unnamedParam:
		return nil
	case scalarParam:
		return []ir.Expr{a.value}
	}
	var es []ir.Expr
	for i := range a.place.vars {
		es = append(es, b.expr(copyPlace(a.place), i, p.kind == arrayParam && len(p.vars) == 1))
	}
	return es
}

// emitCall emits c, with temporaries for the results.
func (b *body) emitCall(n *cc.PostfixExpression, f *function, c *ir.Call) []ir.Expr {
	var vs []ir.Expr
	for _, r := range f.results {
		t := b.Temp(f.sym.name, r.Type)
		if isArray(r) {
			c.Args = append(c.Args, use(t, ir.Span{}))
		} else {
			c.Results = append(c.Results, use(t, ir.Span{}))
		}
		vs = append(vs, use(t, b.span(n)))
	}
	b.Stand(&c.StmtInfo, b.extent(n))
	b.emitCallOf(n, f, c)
	b.endLocals(f)
	b.endActivation(f)
	b.endsExits(f)
	if f.exits {
		b.leaveIfExited()
	}
	if t, ok := scalar(n.Type()); ok && len(vs) == 1 {
		vs[0] = convert(vs[0], t) // a declaration may say another type
	}
	return vs
}

// emitCallOf emits c, as an atomic section if f is one.
func (b *body) emitCallOf(n cc.Node, f *function, c *ir.Call) {
	section := isAtomicFunction(f) && b.threaded && b.atomic == 0
	if (section || b.atomic > 0) && b.waits(f) {
		b.unsupported(n, f.sym.name+", which may wait, in an atomic section", "")
	}
	if !section {
		b.Emit(c)
		return
	}
	s := &ir.Atomic{Body: &ir.Block{List: []ir.Stmt{c}}}
	b.Derive(&s.StmtInfo)
	b.Emit(s)
}

// ignored evaluates nothing of e, which must have no side effects.
func (b *body) ignored(e cc.ExpressionNode) bool {
	if b.acts(e) {
		b.unsupported(e, "side effect in an argument that is not used", "move it to a statement")
		return false
	}
	return true
}

// acts reports whether e contains a call, an assignment or an increment.
func (b *body) acts(e cc.Node) bool {
	if x, ok := e.(cc.ExpressionNode); ok && isEffect(x) {
		return true
	}
	found := false
	b.u.text.tree.children(e, func(c cc.Node) { found = found || b.acts(c) })
	return found
}

// exit ends the run: in the entry by returning, elsewhere by returning with
// a flag set that every caller looks at. Only what is called exit, as name may
// say, looks for leaks and runs what atexit got.
func (b *body) exit(n *cc.PostfixExpression, name string) {
	for _, a := range arguments(n) {
		b.Within(func() { b.effect(a) })
	}
	cut := b.threaded && (b.f != b.entry() || b.entered || b.atomic > 0)
	if cut && b.atExit != nil && name == "exit" {
		b.unsupported(n, "exit here, in a program with threads and functions to run at exit", "return from the entry")
		return
	}
	if cut || (b.checksLeaks() || b.atExit != nil) && name != "exit" {
		b.stop(n) // nothing happens any more
		return
	}
	if b.f != b.entry() || b.entered {
		a := &ir.Assign{LHS: use(b.exitFlag(), ir.Span{}), RHS: &ir.Const{Val: 1, Typ: tBool}}
		b.Derive(&a.StmtInfo)
		b.Emit(a)
	}
	b.endProgram()
	r := &ir.Return{}
	b.Stand(&r.StmtInfo, b.extent(n))
	b.Emit(r)
}

func (b *body) leaveIfExited() {
	b.branchOn(use(b.exitFlag(), ir.Span{}), b.Block(func() {
		b.endProgram()
		r := &ir.Return{}
		b.Derive(&r.StmtInfo)
		b.Emit(r)
	}), nil)
}

func (l *loader) exitFlag() *ir.Var {
	if l.exited == nil {
		l.exited = &ir.Var{Name: "exited", Type: tBool, Kind: ir.Global}
	}
	return l.exited
}
