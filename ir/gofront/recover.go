package gofront

// Panics that a deferred function may recover from. Functions that defer such
// a one, and all that they call, are lowered so that a panic is no violation:
// they note it and leave, and so do their callers, up to a function with
// deferred calls, which runs them and then goes on as they say. Other
// functions are not concerned.
//
// What a deferred function that calls recover sees is in three variables of
// the program, which a function with deferred calls sets for its own and then
// gives back.

import (
	"go/ast"
	"go/types"

	"github.com/go-amend/amend/ir"
)

// A mode is how a function is called.
type mode struct {
	guarded  bool // a panic of it is no violation
	deferred bool // it may recover
}

func (m mode) String() string {
	switch {
	case m.deferred:
		return "|deferred"
	case m.guarded:
		return "|guarded"
	}
	return ""
}

// A panicState is three variables of the program: whether there is a panic,
// where it began, and its value.
type panicState struct{ active, place, value *ir.Var }

func newPanicState(name string) *panicState {
	v := func(part string, t ir.Type) *ir.Var { return &ir.Var{Name: name + part, Kind: ir.Global, Type: t} }
	return &panicState{v(".active", tBool), v(".place", tInt), v(".value", tInt)}
}

func (s *panicState) vars() []*ir.Var { return []*ir.Var{s.active, s.place, s.value} }

// A panicPlace is where a panic may begin.
type panicPlace struct {
	kind ir.Kind
	span ir.Span
	text string
}

// copyState emits to = from.
func (b *body) copyState(to, from *panicState) {
	for i, v := range to.vars() {
		b.Set(use(v), use(from.vars()[i]))
	}
}

// savedState returns the state s as it is now.
func (b *body) savedState(s *panicState) *panicState {
	return &panicState{b.Save("active", use(s.active)).Var, b.Save("place", use(s.place)).Var, b.Save("value", use(s.value)).Var}
}

// raise begins a panic with a value, and leaves.
func (b *body) raise(p panicPlace, v value) {
	x := b.frozen(v.read(0))
	b.lowerer.panicPlaces = append(b.panicPlaces, p)
	b.Set(use(b.panicking.active), truth(true))
	b.Set(use(b.panicking.place), num(tInt, int64(len(b.panicPlaces))))
	b.Set(use(b.panicking.value), x)
	b.depart()
}

// runtimeError is the value of a panic that no call of panic began.
func (b *body) runtimeError() value {
	t := b.ps.models().types.Scope().Lookup("RuntimeError").Type()
	return b.erased(b.scalarValue(t, num(tInt, int64(len(b.panicPlaces)))), anyType)
}

// depart leaves the function for its deferred calls, or its caller.
func (b *body) depart() {
	if b.leave != "" {
		b.goTo(b.leave)
		return
	}
	r := &ir.Return{}
	b.Derive(&r.StmtInfo)
	b.Emit(r)
}

// demandOr panics unless c holds.
func (b *body) demandOr(k ir.Kind, c ir.Expr, span ir.Span, text string) {
	b.branch(&ir.Unary{Op: ir.Not, X: c}, b.Block(func() {
		b.raise(panicPlace{k, span, text}, b.runtimeError())
	}), nil)
}

// guard is demand where panics are no violations and c is what the operation
// itself checks elsewhere.
func (b *body) guard(k ir.Kind, span ir.Span, c func() ir.Expr) {
	if !b.guards {
		return
	}
	if b.late != nil {
		b.late.emit()
		*b.late = lateCheck{b: b, kind: k, span: span, c: c()}
		return
	}
	b.demand(k, c(), span, "")
}

// A lateCheck is one of a place that is assigned to: it is made when that
// happens.
type lateCheck struct {
	b    *body
	kind ir.Kind
	span ir.Span
	c    ir.Expr
}

func (c *lateCheck) emit() {
	if c != nil && c.c != nil {
		x := c.c
		c.c = nil
		c.b.demand(c.kind, x, c.span, "")
	}
}

// afterCall leaves if the call that was made panicked.
func (b *body) afterCall() {
	if b.guards {
		b.branch(use(b.panicking.active), b.Block(b.depart), nil)
	}
}

// panicCall lowers panic(v) where it is no violation.
func (b *body) panicCall(e *ast.CallExpr) {
	place := panicPlace{ir.CheckAssert, b.span(e), b.textAt(b.span(e))}
	b.Within(func() {
		if b.p.info.Types[e.Args[0]].IsNil() || b.ofRuntime(e.Args[0]) {
			b.raise(place, b.runtimeError())
			return
		}
		b.raise(place, b.panicValue(e.Args[0]))
	})
}

// ofRuntime reports whether e is one of the runtime's errors, which package
// math/bits gets from the linker: its variables have no values.
func (b *body) ofRuntime(e ast.Expr) bool {
	id, ok := ast.Unparen(e).(*ast.Ident)
	if !ok || b.p.path != "math/bits" {
		return false
	}
	v, ok := b.p.info.Uses[id].(*types.Var)
	return ok && v.Parent() == b.p.types.Scope() && isError(v.Type())
}

// panicValue is the value of a panic as an interface value. A formatted text
// is not known.
func (b *body) panicValue(e ast.Expr) value {
	if c, ok := ast.Unparen(e).(*ast.CallExpr); ok && b.harmless(c) {
		if kind, _ := b.special(c); kind != "error" && kind != "errorf" {
			b.formatted(c)
			b.printed(e)
			b.lowerer.lost = append(b.lost, b.typ(e))
			return b.token(anyType)
		}
	}
	return b.data(b.convertTo(e, b.operand(e), anyType))
}

// recovered lowers recover().
func (b *body) recovered() value {
	if !b.known.recovers {
		b.known.recovers, b.known.changed = true, true
	}
	if !b.inst.mode.deferred {
		return b.zero(anyType)
	}
	s := b.deferring
	v := b.Save("recovered", &ir.Cond{C: use(s.active), X: use(s.value), Y: num(tInt, 0)})
	b.Set(use(s.active), truth(false))
	return b.scalarValue(anyType, v)
}

// catches reports whether the function with this body defers a call that may
// recover.
func (b *body) catches(block *ast.BlockStmt) bool {
	found := false
	ast.Inspect(block, func(n ast.Node) bool {
		if d, ok := n.(*ast.DeferStmt); ok && b.mayRecover(d.Call) {
			found = true
		}
		_, lit := n.(*ast.FuncLit)
		return !lit
	})
	return found
}

// mayRecover reports whether the function that e calls may call recover.
func (b *body) mayRecover(e *ast.CallExpr) bool {
	if _, special := b.special(e); special || b.p.info.Types[e.Fun].IsBuiltin() {
		return false
	}
	switch f := ast.Unparen(e.Fun).(type) {
	case *ast.FuncLit:
		return b.p.recovers(f.Body)
	case *ast.Ident, *ast.SelectorExpr:
		id, ok := f.(*ast.Ident)
		if !ok {
			id = f.(*ast.SelectorExpr).Sel
		}
		o, ok := b.p.info.Uses[id].(*types.Func)
		if !ok || o.Pkg() == nil || types.IsInterface(recvType(o)) {
			break
		}
		if p := b.ps.source(o.Pkg().Path()); p != nil {
			d := p.declOf(funcKey(o))
			return d != nil && d.Body != nil && p.recovers(d.Body)
		}
		return false
	}
	return b.known.recovers
}

// recvType is the type of f's receiver, or some type that is no interface.
func recvType(f *types.Func) types.Type {
	if r := f.Signature().Recv(); r != nil {
		return r.Type()
	}
	return types.Typ[types.Invalid]
}

// recovers reports whether a function with this body calls recover itself.
func (p *pkg) recovers(body *ast.BlockStmt) bool {
	found := false
	ast.Inspect(body, func(n ast.Node) bool {
		if c, ok := n.(*ast.CallExpr); ok && p.info.Types[c.Fun].IsBuiltin() {
			id, ok := ast.Unparen(c.Fun).(*ast.Ident)
			found = found || ok && id.Name == "recover"
		}
		_, lit := n.(*ast.FuncLit)
		return !lit
	})
	return found
}

// unwind runs the deferred calls, each of which may recover or panic, and
// leaves a panic that is left to the caller. Without one that can handle it, it
// is a violation.
func (b *body) unwind() {
	outer := b.savedState(b.deferring)
	b.copyState(b.deferring, b.panicking)
	b.Set(use(b.panicking.active), truth(false))
	b.runDeferred(func(run func()) {
		label := b.Label("deferred")
		before := b.leave
		b.leave = label
		inner := b.Block(func() { b.running(run) })
		b.leave = before
		inner.Label = label
		b.Emit(inner)
		b.branch(use(b.panicking.active), b.Block(func() {
			b.copyState(b.deferring, b.panicking)
			b.Set(use(b.panicking.active), truth(false))
		}), nil)
	})
	b.copyState(b.panicking, b.deferring)
	b.copyState(b.deferring, outer)
	if !b.inst.mode.guarded {
		b.guards = false
		b.branch(use(b.panicking.active), b.Block(func() { b.callFunction(b.inst.fn.node(), b.escape(), nil) }), nil)
	}
}

// running runs a deferred call, the function of which may recover.
func (b *body) running(run func()) {
	b.defersCall = b.guards
	run()
	b.defersCall = false
}

// escape returns the function that says which panic nobody recovered from.
func (b *body) escape() *function {
	return b.synthesize(b.inst.fn.node(), "panic", &synthetic{build: func(b *body) {
		b.grows(func() bool { return false }, func() {
			for i, p := range b.panicPlaces {
				s := &ir.Assert{Cond: &ir.Binary{Op: ir.Ne, X: use(b.panicking.place), Y: num(tInt, int64(i+1))}, Kind: p.kind, Text: p.text}
				b.Alone(&s.StmtInfo, p.span)
				b.Emit(s)
			}
		})
	}})
}
