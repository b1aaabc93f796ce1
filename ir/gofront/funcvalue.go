package gofront

// Function values that are not known statically: numbers, 0 for nil, else the
// number of a function and the address of what it captures. Calls go through
// a procedure that has a case for each function of the type.

import (
	"fmt"
	"go/ast"
	"go/types"

	"github.com/go-amend/amend/ir"
)

// envBits is the number of bits for the address of what a function captures.
const envBits = 32

// data is v as it can be stored: nothing about it is known statically.
func (b *body) data(v value) value {
	switch {
	case v.dyn != nil:
		return b.forget(v)
	case v.fn != nil:
		return b.funcData(v)
	}
	return v
}

// funcData makes v, a function that is known statically, a number.
func (b *body) funcData(v value) value {
	f := v.fn
	w := value{typ: v.typ, lay: b.layoutOf(v.typ), regs: []*region{nil}}
	tag := num(tFunc, int64(b.funcID(f, v.typ))<<envBits)
	w.x = []ir.Expr{tag}
	if len(f.caps) == 0 {
		return w
	}
	env := b.envOf(f)
	env.addr = b.alloc(env.mem, env.size)
	for _, o := range f.caps {
		if v := b.lookup(f.node(), o); v != nil {
			env.keep(o, v)
		}
	}
	w.x[0] = b.Save("closure", &ir.Binary{Op: ir.Or, X: tag, Y: convert(env.addr, tFunc)})
	return w
}

// funcID returns the number of f, a value of the function type t.
func (l *lowerer) funcID(f *function, t types.Type) int {
	if id := l.funcIDs[f.key]; id != 0 {
		return id
	}
	l.funcs = append(l.funcs, funcOf{f, signatureKey(t.Underlying().(*types.Signature))})
	l.funcIDs[f.key] = len(l.funcs)
	return len(l.funcs)
}

// A funcOf is a function and the name of its type.
type funcOf struct {
	*function
	sig string
}

// An environment is the memory that holds what a function captures: the
// address of a variable that lies in memory, the value of another.
type environment struct {
	b       *body
	mem     *region
	addr    ir.Expr
	size    int
	offsets map[*types.Var]int
	memory  map[*types.Var]bool
	f       *function
}

func (b *body) envOf(f *function) *environment {
	e := &environment{b: b, mem: b.region("captured by " + f.key), f: f, offsets: map[*types.Var]int{}, memory: map[*types.Var]bool{}}
	for _, o := range f.caps {
		e.offsets[o] = e.size
		if e.memory[o] = b.ownerOf(o).factsOf().inMemory(o); e.memory[o] {
			e.size++
			continue
		}
		e.size += b.layoutOf(f.typeOf(o)).size
	}
	e.size = max(e.size, 1)
	return e
}

// place is where the captured variable o, or its address, is.
func (e *environment) place(o *types.Var) value {
	t := e.f.typeOf(o)
	if e.memory[o] {
		t = types.NewPointer(t)
	}
	return value{typ: t, lay: e.b.layoutOf(t), mem: e.mem, addr: e.addr, off: e.offsets[o], held: true}
}

// keep stores the value or address of o, which is v.
func (e *environment) keep(o *types.Var, v *variable) {
	place, w := e.place(o), v.value
	if e.memory[o] {
		if w.mem == nil {
			e.b.unsupported(e.f.node(), "captured variable "+o.Name()+" here", "")
			return
		}
		w = e.b.pointerTo(place.typ, w)
	}
	w = e.b.snapshot(e.b.data(w))
	e.b.Within(func() { e.b.storeFresh(place, w) })
}

// captured returns the captured variable o.
func (e *environment) captured(o *types.Var) *variable {
	v := e.place(o)
	if e.memory[o] {
		v = e.b.deref(v, e.f.typeOf(o))
	}
	return &variable{value: v}
}

// funcCall returns the function that calls a function value of type t, its
// first parameter.
func (b *body) funcCall(n ast.Node, t types.Type) *function {
	sig := t.Underlying().(*types.Signature)
	key := signatureKey(sig)
	s := &synthetic{params: []*types.Var{parameter("f", t)}, results: sig.Results(), variadic: sig.Variadic()}
	for v := range sig.Params().Variables() {
		s.params = append(s.params, parameter(v.Name(), v.Type()))
	}
	s.build = func(b *body) {
		next := 0
		b.grows(func() bool {
			before := next
			for ; next < len(b.funcs); next++ {
				if b.funcs[next].sig == key {
					b.funcCase(n, next)
				}
			}
			return next > before
		}, b.unreachable)
	}
	return b.synthesize(n, key, s)
}

// funcCase adds the call of function i.
func (b *body) funcCase(n ast.Node, i int) {
	f := b.funcs[i].function
	x := b.arg(0).read(0)
	is := &ir.Binary{Op: ir.Eq, X: &ir.Binary{Op: ir.Shr, X: x, Y: num(tFunc, envBits)}, Y: num(tFunc, int64(i+1))}
	b.branch(is, b.Block(func() {
		if env := b.envOf(f); len(f.caps) > 0 {
			env.addr = b.Save("env", &ir.Convert{To: tAddr, X: b.arg(0).read(0)})
			for _, o := range f.caps {
				b.scope[o] = env.captured(o)
			}
		}
		var args []value
		for i := range b.inst.params[1:] {
			args = append(args, *b.arg(i + 1))
		}
		b.Within(func() { b.yields(b.callFunction(n, f, args)...) })
	}), nil)
}

// calledValue returns the function that calls v, a function value, and v for
// its first parameter, if v is not known statically.
func (b *body) calledValue(n ast.Node, v value) (*function, *value) {
	if v.fn != nil {
		return v.fn, nil
	}
	if !isFunc(v.typ) || len(v.lay.leaves) != 1 {
		b.unsupported(n, "call through this function value", "call functions by name")
		return nil, nil
	}
	x := b.frozen(v.read(0))
	b.demand(ir.CheckBounds, &ir.Binary{Op: ir.Ne, X: ir.CloneExpr(x), Y: num(tFunc, 0)}, b.span(n), "")
	v = b.scalarValue(v.typ, x)
	return b.funcCall(n, v.typ), &v
}

// bound returns the function that calls f with recv, which is evaluated now,
// as its first argument.
func (b *body) bound(n ast.Node, f *function, recv value) *function {
	o := types.NewVar(n.Pos(), b.p.types, "receiver", recv.typ)
	v := b.declare(o, o.Name(), recv.typ, ir.Span{})
	b.store(ir.Span{}, v.value, recv)
	params, results, variadic := f.signature()
	s := &synthetic{results: f.env.substTuple(results), variadic: variadic}
	for _, p := range params[1:] {
		s.params = append(s.params, parameter(p.Name(), f.env.subst(p.Type())))
	}
	s.build = func(b *body) {
		args := []value{b.scope[o].value}
		for i := range s.params {
			args = append(args, *b.arg(i))
		}
		b.Within(func() { b.yields(b.callFunction(n, f, args)...) })
	}
	g := b.synthesize(n, f.name+".bound", s)
	g.key = fmt.Sprintf("%s.bound@%d %s", b.inst.key, n.Pos(), f.key)
	g.caps = []*types.Var{o}
	return g
}
