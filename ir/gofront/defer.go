package gofront

// Deferred calls. A function in which no loop defers has a flag for each defer
// statement; in others the calls, as functions without parameters, are on a
// stack.

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"github.com/go-amend/amend/ir"
)

// runDeferred has do make the deferred calls, the last one first.
func (b *body) runDeferred(do func(run func())) {
	if b.stack != nil {
		b.runStack(do)
	}
	for i := len(b.defers) - 1; i >= 0; i-- {
		d := b.defers[i]
		b.Locate(d.span, func() {
			call := b.Block(func() { do(d.run) })
			b.branch(use(d.flag), call, nil)
		})
	}
}

// A deferred is a deferred call.
type deferred struct {
	flag *ir.Var
	span ir.Span
	run  func()
}

// defersCalls reports whether the function has deferred calls so far.
func (b *body) defersCalls() bool { return len(b.defers) > 0 || b.stack != nil }

// deferCall lowers defer f(args): the operands now, the call at the end.
func (b *body) deferCall(s *ast.DeferStmt) {
	if b.stack != nil {
		b.deferOnStack(s.Call)
		return
	}
	if b.loops > 0 {
		b.unsupported(s, "defer between a label and a jump back to it", "move it to a function")
		return
	}
	flag := b.Temp("deferred", tBool)
	run := b.prepare(s.Call)
	if run == nil {
		return
	}
	b.Set(use(flag), truth(true))
	b.defers = append(b.defers, deferred{flag, b.span(s.Call), run})
}

// deferOnStack defers the call e in a function where a loop does so.
func (b *body) deferOnStack(e *ast.CallExpr) {
	_, special := b.special(e)
	if special || b.p.info.Types[e.Fun].IsBuiltin() || strings.Contains(b.specialName(e), "sync.") && b.known.threaded {
		b.unsupported(e, "defer of this function where a loop defers calls", "call it in a function literal")
		return
	}
	f, recv := b.callee(e)
	if f == nil {
		return
	}
	args := b.arguments(e, f, recv)
	for i := range args {
		args[i] = b.snapshot(args[i])
	}
	b.push(b.later(e, f, args))
}

// prepare evaluates the operands of a call and returns what makes the call.
func (b *body) prepare(e *ast.CallExpr) func() {
	if kind, ok := b.special(e); ok {
		if kind == "ignore" {
			b.discarded = e
			b.ignored(e)
			return func() {}
		}
		if kind == "stopTimer" {
			stop := b.stopTimer(e)
			return func() { stop() }
		}
		b.unsupported(e, "defer of "+kind, "call it in a function literal")
		return nil
	}
	if run, ok := b.prepareSync(e); ok {
		return func() { run() }
	}
	if id, ok := ast.Unparen(e.Fun).(*ast.Ident); ok && id.Name == "close" && b.p.info.Types[e.Fun].IsBuiltin() {
		return b.closeChan(e)
	}
	f, recv := b.callee(e)
	if f == nil {
		return nil
	}
	args := b.arguments(e, f, recv)
	for i := range args {
		args[i] = b.snapshot(args[i])
	}
	return func() { b.callFunction(e, f, args) }
}

// A deferStack holds the calls that a function with a defer in a loop defers,
// as function values.
type deferStack struct{ calls, count *ir.Var }

// defersInLoop reports whether a loop in block defers a call.
func defersInLoop(block *ast.BlockStmt) bool {
	found, loops := false, 0
	var visit func(n ast.Node) bool
	visit = func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.DeferStmt:
			found = found || loops > 0
		case *ast.ForStmt, *ast.RangeStmt:
			loops++
			ast.Inspect(n, func(m ast.Node) bool { return m == n || visit(m) })
			loops--
			return false
		}
		return true
	}
	ast.Inspect(block, visit)
	return found
}

func (b *body) newDeferStack() *deferStack {
	s := &deferStack{b.Temp("deferred", ir.Array{Elem: tFunc, Len: max(b.width(), 1)}), b.Temp("defers", tInt)}
	b.Set(use(s.count), num(tInt, 0))
	return s
}

// push defers the call of f.
func (b *body) push(f *function) {
	s := b.stack
	full := &ir.Binary{Op: ir.Ge, X: use(s.count), Y: num(tInt, int64(b.width()))}
	b.cutWhen(full)
	v := b.data(value{typ: noArguments, lay: b.layoutOf(noArguments), fn: f})
	b.Set(&ir.Index{X: use(s.calls), I: use(s.count)}, v.read(0))
	b.Set(use(s.count), add(use(s.count), num(tInt, 1)))
}

var noArguments = types.NewSignatureType(nil, nil, nil, nil, nil, false)

// later returns a function without parameters that calls f with args, which
// are what they are now.
func (b *body) later(n ast.Node, f *function, args []value) *function {
	g := b.synthesize(n, f.name+".deferred", &synthetic{})
	g.key = fmt.Sprintf("%s.deferred@%d %s", b.inst.key, n.Pos(), f.key)
	for i, v := range args {
		v = b.data(v)
		o := types.NewVar(n.Pos(), b.p.types, fmt.Sprintf("arg%d", i), v.typ)
		w := b.declare(o, o.Name(), v.typ, ir.Span{})
		b.storeOver(w.value, v)
		g.caps = append(g.caps, o)
	}
	caps := g.caps
	g.caps = append(slices.Clip(g.caps), f.caps...)
	g.kept = f.kept
	g.made.build = func(b *body) {
		var args []value
		for _, o := range caps {
			args = append(args, b.scope[o].value)
		}
		b.Within(func() { b.callFunction(n, f, args) })
		b.yields()
	}
	return g
}

// runStack has do make the calls on the stack of deferred ones.
func (b *body) runStack(do func(run func())) {
	for k := b.width() - 1; k >= 0; k-- {
		v := b.scalarValue(noArguments, &ir.Index{X: use(b.stack.calls), I: num(tInt, int64(k))})
		b.Locate(ir.Span{}, func() {
			call := b.Block(func() {
				do(func() {
					at := b.inst.fn.node()
					b.callFunction(at, b.funcCall(at, noArguments), []value{b.snapshot(v)})
				})
			})
			b.branch(&ir.Binary{Op: ir.Lt, X: num(tInt, int64(k)), Y: use(b.stack.count)}, call, nil)
		})
	}
}
