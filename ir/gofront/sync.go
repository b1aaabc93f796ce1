package gofront

// Packages sync and sync/atomic with goroutines: each operation is an event,
// on the first numbers that its type has in memory. A Mutex holds 0 or 1; an
// RWMutex -1 for a writer or the number of readers, and then whether a writer
// has come, which new readers wait for; a WaitGroup its counter; a Once 1 while
// its function runs and then 2. A Cond is a pointer to its Mutex and the set
// of threads that wait; nothing wakes them spuriously.

import (
	"fmt"
	"go/ast"
	"go/types"
	"strings"

	"github.com/go-amend/amend/ir"
)

const (
	unlocked        = "unlock of unlocked mutex"
	negativeCounter = "negative counter of a wait group"
)

// A syncCall is a call of a function of these packages, its operands known.
type syncCall struct {
	b    *body
	e    *ast.CallExpr
	v    value // the receiver, or what the first argument points to
	args []ir.Expr
	fn   *function // an argument
}

// syncOps says what methods of package sync do.
var syncOps = map[string]func(c *syncCall) []value{
	"(*sync.Mutex).Lock":       (*syncCall).lock,
	"(*sync.Mutex).TryLock":    (*syncCall).tryLock,
	"(*sync.Mutex).Unlock":     (*syncCall).unlock,
	"(sync.Locker).Lock":       (*syncCall).lock,
	"(sync.Locker).Unlock":     (*syncCall).unlock,
	"(*sync.RWMutex).Lock":     (*syncCall).writeLock,
	"(*sync.RWMutex).TryLock":  (*syncCall).tryWriteLock,
	"(*sync.RWMutex).Unlock":   (*syncCall).writeUnlock,
	"(*sync.RWMutex).RLock":    (*syncCall).readLock,
	"(*sync.RWMutex).TryRLock": (*syncCall).tryReadLock,
	"(*sync.RWMutex).RUnlock":  (*syncCall).readUnlock,
	"(*sync.WaitGroup).Add":    (*syncCall).addCount,
	"(*sync.WaitGroup).Done":   (*syncCall).done,
	"(*sync.WaitGroup).Wait":   (*syncCall).waitCount,
	"(*sync.WaitGroup).Go":     (*syncCall).goCall,
	"(*sync.Once).Do":          (*syncCall).once,
	"(*sync.Cond).Wait":        (*syncCall).waitCond,
	"(*sync.Cond).Signal":      (*syncCall).signal,
	"(*sync.Cond).Broadcast":   (*syncCall).broadcast,
}

// alone lists the methods that mean something different, or more, without
// goroutines: they have models.
func alone(name string) bool {
	return name != "(*sync.WaitGroup).Go" && !strings.HasPrefix(name, "(*sync.Cond).")
}

// prepareSync evaluates the operands of e, if it calls a function of these
// packages, and returns what calls it.
func (b *body) prepareSync(e *ast.CallExpr) (run func() []value, ok bool) {
	name := b.specialName(e)
	if !strings.Contains(name, "sync.") && !strings.Contains(name, "sync/atomic.") {
		return nil, false
	}
	if name == "sync.NewCond" {
		return func() []value { return []value{b.newCond(e)} }, true
	}
	op := syncOps[name]
	if op == nil {
		op = atomicOp(name)
	}
	if op == nil || !b.known.threaded && alone(name) {
		return nil, false
	}
	b.threaded()
	c := &syncCall{b: b, e: e}
	ready := false
	b.Within(func() { ready = c.operands(name) })
	if !ready {
		return func() []value { return b.failedCall(e) }, true
	}
	return func() []value { return op(c) }, true
}

// syncMethod returns the method o of package sync as a function of its receiver,
// if it has neither arguments nor results, and means something with goroutines;
// else nil.
func (b *body) syncMethod(n ast.Node, o *types.Func) *function {
	op, sig := syncOps[o.FullName()], o.Signature()
	if op == nil || sig.Recv() == nil || types.IsInterface(sig.Recv().Type()) || sig.Params().Len() > 0 || sig.Results().Len() > 0 || !b.known.threaded && alone(o.FullName()) {
		return nil
	}
	b.threaded()
	t := sig.Recv().Type()
	call := &ast.CallExpr{Fun: &ast.Ident{NamePos: n.Pos()}, Rparen: n.End() - 1}
	s := &synthetic{params: []*types.Var{parameter("x", t)}, results: types.NewTuple()}
	s.build = func(b *body) {
		v := b.deref(*b.arg(0), t.(*types.Pointer).Elem())
		b.freezePlace(&v)
		op(&syncCall{b: b, e: call, v: v})
	}
	f := b.synthesize(n, o.FullName(), s)
	f.key = fmt.Sprintf("%s at %d", o.FullName(), n.Pos())
	return f
}

// operands evaluates the receiver and arguments.
func (c *syncCall) operands(name string) bool {
	args := c.e.Args
	if strings.HasPrefix(name, "sync/atomic.") {
		p := c.b.val(args[0])
		c.v = c.b.deref(p, p.typ.Underlying().(*types.Pointer).Elem())
		args = args[1:]
	} else if !c.receiver() {
		return false
	}
	if c.v.mem == nil || len(c.v.lay.leaves) == 0 {
		c.b.unsupported(c.e, "call of "+name+" here", "use a variable")
		return false
	}
	c.b.freezePlace(&c.v)
	for _, a := range args {
		if isFunc(c.b.typ(a)) {
			if c.fn = c.b.functionOf(a); c.fn == nil {
				return false
			}
			continue
		}
		c.args = append(c.args, c.b.frozen(c.b.expr(a)))
	}
	return true
}

// receiver evaluates the receiver; of c.L.Lock it is c's mutex.
func (c *syncCall) receiver() bool {
	s, ok := ast.Unparen(c.e.Fun).(*ast.SelectorExpr)
	if !ok {
		c.b.unsupported(c.e, "method value", "call the method in a function literal")
		return false
	}
	sel := c.b.p.info.Selections[s]
	if sel == nil || sel.Kind() != types.MethodVal {
		c.b.unsupported(c.e, "method expression", "call the method")
		return false
	}
	if types.IsInterface(sel.Recv()) {
		return c.locker(s)
	}
	v := c.b.fields(c.b.val(s.X), sel.Index()[:len(sel.Index())-1])
	c.v = c.b.pointee(v)
	return true
}

// pointee returns what v points to, or v if it is no pointer.
func (b *body) pointee(v value) value {
	if p, ok := v.typ.Underlying().(*types.Pointer); ok {
		return b.deref(v, p.Elem())
	}
	return v
}

// locker is the mutex of a sync.Cond, whose field L is s.X.
func (c *syncCall) locker(s *ast.SelectorExpr) bool {
	l, ok := ast.Unparen(s.X).(*ast.SelectorExpr)
	if !ok || !isSync(c.b.pointeeType(l.X), "Cond") {
		c.b.unsupported(c.e, "call of a method of sync.Locker", "use the mutex itself")
		return false
	}
	c.v = c.b.mutexOf(c.b.pointee(c.b.val(l.X)), c.b.pointeeType(l.X))
	return true
}

func (b *body) pointeeType(e ast.Expr) types.Type {
	t := b.typ(e)
	if p, ok := t.Underlying().(*types.Pointer); ok {
		return p.Elem()
	}
	return t
}

// isSync reports whether t is the type of package sync with that name.
func isSync(t types.Type, name string) bool {
	n, ok := types.Unalias(t).(*types.Named)
	return ok && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == "sync" && n.Obj().Name() == name
}

// mutexOf returns the mutex of a condition v of type t.
func (b *body) mutexOf(v value, t types.Type) value {
	m := types.Unalias(t).(*types.Named).Obj().Pkg().Scope().Lookup("Mutex").Type()
	w := value{typ: m, lay: b.layoutOf(m), mem: v.region(0), addr: v.read(0), held: true}
	if w.mem == nil {
		w.mem = b.region("nil")
	}
	return w
}

// layCond lays out sync.Cond.
func layCond(x *layout) {
	x.leaves = []leaf{{path: ".L", typ: tAddr, target: "sync.Mutex"}, {path: ".waiting", typ: tU64, off: 1}}
	x.size = 2
}

// newCond lowers sync.NewCond.
func (b *body) newCond(e *ast.CallExpr) value {
	t := b.typ(e)
	var l value
	b.Within(func() { l = b.val(e.Args[0]) })
	if l.dyn != nil {
		l.typ = l.dyn
	}
	p, ok := l.typ.Underlying().(*types.Pointer)
	if !ok || !isSync(p.Elem(), "Mutex") {
		b.unsupported(e, "condition whose lock is no *sync.Mutex", "use a sync.Mutex")
		return b.refused(e)
	}
	c := value{typ: t.Underlying().(*types.Pointer).Elem(), regs: []*region{l.region(0), nil}}
	c.lay = b.layoutOf(c.typ)
	c.x = []ir.Expr{b.frozen(l.read(0)), num(tU64, 0)}
	return b.newObject(t, c)
}

// word returns number i of the receiver.
func (c *syncCall) word(i int) ir.Expr { return c.v.elem(i, nil) }

// is returns the proposition that number i is n.
func (c *syncCall) is(op ir.Op, i int, n int64) ir.Expr {
	w := c.word(i)
	return &ir.Binary{Op: op, X: w, Y: num(w.Type(), n)}
}

func (c *syncCall) put(i int, n int64) { c.b.Set(c.word(i), num(c.word(i).Type(), n)) }

func (c *syncCall) change(i int, op ir.Op, n ir.Expr) {
	w := c.word(i)
	c.b.Set(w, &ir.Binary{Op: op, X: c.word(i), Y: convert(n, w.Type())})
}

func (c *syncCall) one(i int) ir.Expr { return num(c.word(i).Type(), 1) }

func (c *syncCall) lock() []value {
	c.b.atomic(c.e, c.is(ir.Eq, 0, 0), func() { c.put(0, 1) })
	return nil
}

// try emits an event that stores whether free holds, and acts if so.
func (c *syncCall) try(free func() ir.Expr, act func()) []value {
	ok := c.b.Temp("ok", tBool)
	c.b.atomic(c.e, nil, func() {
		c.b.Set(use(ok), free())
		c.b.branch(use(ok), c.b.Block(act), nil)
	})
	return []value{c.b.scalarValue(types.Typ[types.Bool], use(ok))}
}

func (c *syncCall) tryLock() []value {
	return c.try(func() ir.Expr { return c.is(ir.Eq, 0, 0) }, func() { c.put(0, 1) })
}

func (c *syncCall) unlock() []value {
	c.b.atomic(c.e, nil, func() {
		c.b.misuse(c.e, c.is(ir.Ne, 0, 0), unlocked)
		c.put(0, 0)
	})
	return nil
}

// writeLock is two events: from the first one on new readers wait.
func (c *syncCall) writeLock() []value {
	c.b.atomic(c.e, c.is(ir.Eq, 1, 0), func() { c.put(1, 1) })
	c.b.atomic(c.e, c.is(ir.Eq, 0, 0), func() { c.put(0, -1) })
	return nil
}

func (c *syncCall) tryWriteLock() []value {
	free := func() ir.Expr { return and(c.is(ir.Eq, 0, 0), c.is(ir.Eq, 1, 0)) }
	return c.try(free, func() { c.put(0, -1); c.put(1, 1) })
}

func (c *syncCall) writeUnlock() []value {
	c.b.atomic(c.e, nil, func() {
		c.b.misuse(c.e, c.is(ir.Eq, 0, -1), unlocked)
		c.put(0, 0)
		c.put(1, 0)
	})
	return nil
}

func (c *syncCall) readLock() []value {
	c.b.atomic(c.e, c.is(ir.Eq, 1, 0), func() { c.change(0, ir.Add, c.one(0)) })
	return nil
}

func (c *syncCall) tryReadLock() []value {
	return c.try(func() ir.Expr { return c.is(ir.Eq, 1, 0) }, func() { c.change(0, ir.Add, c.one(0)) })
}

func (c *syncCall) readUnlock() []value {
	c.b.atomic(c.e, nil, func() {
		c.b.misuse(c.e, c.is(ir.Gt, 0, 0), unlocked)
		c.change(0, ir.Sub, c.one(0))
	})
	return nil
}

func (c *syncCall) addCount() []value {
	c.b.atomic(c.e, nil, func() {
		c.change(0, ir.Add, c.args[0])
		c.b.misuse(c.e, &ir.Binary{Op: ir.Ge, X: convert(c.word(0), tInt), Y: num(tInt, 0)}, negativeCounter)
	})
	return nil
}

func (c *syncCall) done() []value {
	c.b.atomic(c.e, nil, func() {
		c.b.misuse(c.e, c.is(ir.Ne, 0, 0), negativeCounter)
		c.change(0, ir.Sub, c.one(0))
	})
	return nil
}

func (c *syncCall) waitCount() []value {
	c.b.atomic(c.e, c.is(ir.Eq, 0, 0), func() {})
	return nil
}

func (c *syncCall) goCall() []value {
	c.b.Within(func() { c.b.atomic(c.e, nil, func() { c.change(0, ir.Add, c.one(0)) }) })
	c.b.spawn(c.e, c.fn, nil, &waitGroup{c.v})
	return nil
}

// once waits while another thread runs the function.
func (c *syncCall) once() []value {
	first := c.b.Temp("first", tBool)
	c.b.atomic(c.e, c.is(ir.Ne, 0, 1), func() {
		c.b.Set(use(first), c.is(ir.Eq, 0, 0))
		c.b.branch(use(first), c.b.Block(func() { c.put(0, 1) }), nil)
	})
	run := c.b.Block(func() {
		c.b.Within(func() {
			c.b.callFunction(c.e, c.fn, nil)
			c.b.atomic(c.e, nil, func() { c.put(0, 2) })
		})
	})
	c.b.Within(func() { c.b.branch(use(first), run, nil) })
	return nil
}

// bit is the bit of this thread.
func bit() ir.Expr { return &ir.Binary{Op: ir.Shl, X: num(tU64, 1), Y: &ir.Self{}} }

// waitCond frees the mutex and takes it again once the thread was woken.
func (c *syncCall) waitCond() []value {
	m := c.condMutex()
	me := &ir.Self{}
	c.b.Within(func() { // later threads have no bit
		c.b.cutWhen(&ir.Binary{Op: ir.Ge, X: me, Y: num(me.Type(), int64(ir.Width(tU64)))})
	})
	c.b.atomic(c.e, nil, func() {
		c.b.misuse(c.e, m.is(ir.Ne, 0, 0), unlocked)
		m.put(0, 0)
		c.b.Set(c.word(1), &ir.Binary{Op: ir.Or, X: c.word(1), Y: bit()})
	})
	woken := &ir.Binary{Op: ir.Eq, X: &ir.Binary{Op: ir.And, X: c.word(1), Y: bit()}, Y: num(tU64, 0)}
	c.b.atomic(c.e, &ir.Binary{Op: ir.LAnd, X: woken, Y: m.is(ir.Eq, 0, 0)}, func() { m.put(0, 1) })
	return nil
}

func (c *syncCall) condMutex() *syncCall {
	m := &syncCall{b: c.b, e: c.e, v: c.b.mutexOf(c.v, c.v.typ)}
	c.b.Within(func() { c.b.freezePlace(&m.v) })
	return m
}

// signal wakes any one of those that wait: the lowest bit of a set of free
// choice or, if none of them is in it, of all.
func (c *syncCall) signal() []value {
	b := c.b
	b.atomic(c.e, nil, func() {
		some, from := b.Temp("some", tU64), b.Temp("from", tU64)
		b.Set(use(some), &ir.Binary{Op: ir.And, X: c.word(1), Y: &ir.Any{Typ: tU64}})
		b.Set(use(from), &ir.Cond{C: &ir.Binary{Op: ir.Ne, X: use(some), Y: num(tU64, 0)}, X: use(some), Y: c.word(1)})
		first := &ir.Binary{Op: ir.And, X: use(from), Y: &ir.Unary{Op: ir.Neg, X: use(from)}}
		b.Set(c.word(1), &ir.Binary{Op: ir.And, X: c.word(1), Y: &ir.Unary{Op: ir.Compl, X: first}})
	})
	return nil
}

func (c *syncCall) broadcast() []value {
	c.b.atomic(c.e, nil, func() { c.put(1, 0) })
	return nil
}

// atomicOp returns what a function or method of package sync/atomic does,
// nil if that is not known.
func atomicOp(name string) func(c *syncCall) []value {
	op := ""
	if rest, ok := strings.CutPrefix(name, "sync/atomic."); ok {
		for _, t := range []string{"Int32", "Int64", "Uint32", "Uint64", "Uintptr"} {
			if o, ok := strings.CutSuffix(rest, t); ok && o != "" && !strings.HasSuffix(o, "U") {
				op = o
			}
		}
	} else if rest, ok := strings.CutPrefix(name, "(*sync/atomic."); ok {
		t, o, _ := strings.Cut(rest, ").")
		switch t {
		case "Int32", "Int64", "Uint32", "Uint64", "Uintptr", "Bool":
			op = o
		}
	}
	return map[string]func(c *syncCall) []value{
		"Load": (*syncCall).load, "Store": (*syncCall).exchange, "Swap": (*syncCall).exchange,
		"Add": (*syncCall).addAtomic, "And": (*syncCall).andAtomic, "Or": (*syncCall).orAtomic,
		"CompareAndSwap": (*syncCall).compareAndSwap,
	}[op]
}

// given returns argument i as the receiver keeps it.
func (c *syncCall) given(i int) ir.Expr { return convert(ir.CloneExpr(c.args[i]), c.word(0).Type()) }

// outcome is x as the result of the call.
func (c *syncCall) outcome(x *ir.Var) []value {
	t := c.b.typ(c.e)
	if tuple, ok := t.(*types.Tuple); ok && tuple.Len() == 0 || t == nil || t == types.Typ[types.Invalid] {
		return nil
	}
	var e ir.Expr = use(x)
	if c.b.layoutOf(t).leaves[0].typ == tBool && x.Type != tBool {
		e = c.b.Save("was", &ir.Binary{Op: ir.Ne, X: e, Y: num(x.Type, 0)})
	}
	return []value{c.b.scalarValue(t, e)}
}

// old emits an event that keeps the number and then does what act does.
func (c *syncCall) old(act func()) []value {
	x := c.b.Temp("old", c.word(0).Type())
	c.b.atomic(c.e, nil, func() {
		c.b.Set(use(x), c.word(0))
		act()
	})
	return c.outcome(x)
}

func (c *syncCall) load() []value     { return c.old(func() {}) }
func (c *syncCall) exchange() []value { return c.old(func() { c.b.Set(c.word(0), c.given(0)) }) }
func (c *syncCall) andAtomic() []value {
	return c.old(func() { c.change(0, ir.And, c.given(0)) })
}
func (c *syncCall) orAtomic() []value {
	return c.old(func() { c.change(0, ir.Or, c.given(0)) })
}

func (c *syncCall) addAtomic() []value {
	x := c.b.Temp("sum", c.word(0).Type())
	c.b.atomic(c.e, nil, func() {
		c.b.Set(use(x), &ir.Binary{Op: ir.Add, X: c.word(0), Y: c.given(0)})
		c.b.Set(c.word(0), use(x))
	})
	return c.outcome(x)
}

func (c *syncCall) compareAndSwap() []value {
	same := func() ir.Expr { return &ir.Binary{Op: ir.Eq, X: c.word(0), Y: c.given(0)} }
	return c.try(same, func() { c.b.Set(c.word(0), c.given(1)) })
}
