package cfront

// Threads: create, join, exit. The number of a thread is what pthread_t
// holds.

import (
	"maps"
	"slices"

	"modernc.org/cc/v4"

	"github.com/go-amend/amend/ir"
)

// maxThreads is the number of threads, main included, whose results and
// whose copies of shared local variables have a place.
const maxThreads = 64

// startsThreads reports whether some function starts threads.
func (l *loader) startsThreads() bool {
	for _, f := range l.funcs {
		if f.unit.text.spawns {
			return true
		}
		for _, m := range f.unit.text.calls[f.def] {
			if startNames[m.decl.Name()] && l.lookup(f.unit, m.decl) == nil {
				return true
			}
		}
	}
	return false
}

// threadCall lowers the call n of the undefined function name if that is one
// about threads.
func (b *body) threadCall(n *cc.PostfixExpression, name string) ([]ir.Expr, bool) {
	args := arguments(n)
	c, ok := b.threads[name]
	if !ok {
		return nil, false
	}
	if len(args) != c.args {
		b.wrong(n, "%s called with %d arguments, want %d", name, len(args), c.args)
		return nil, true
	}
	if b.proc == nil {
		b.wrong(n, "initializer is not constant")
		return nil, true
	}
	if b.atomic > 0 && c.waits {
		b.unsupported(n, name+" in an atomic section", "")
		return nil, true
	}
	if !b.fitting(n, args) {
		return nil, true
	}
	return c.lower(b, n, args), true
}

// fitting reports whether pointers among the arguments point at what the
// function's declaration says.
func (b *body) fitting(n *cc.PostfixExpression, args []cc.ExpressionNode) bool {
	t, ok := functionNamed(n.PostfixExpression).Type().(*cc.FunctionType)
	if !ok || len(t.Parameters()) != len(args) {
		return true
	}
	for i, p := range t.Parameters() {
		want := elem(p.Type())
		if want == nil || want.Kind() == cc.Function || want.Kind() == cc.Void {
			continue
		}
		got := elem(args[i].Type())
		if got != nil && got.Kind() == cc.Void {
			b.asked[args[i]] = want
			continue // it may point at anything
		}
		if !b.isZero(args[i]) && (got == nil || !sameShape(want, got)) {
			b.wrong(args[i], "argument of type %s for a parameter of type %s", args[i].Type(), p.Type())
			return false
		}
	}
	return true
}

// A threadFunc lowers the calls of one function.
type threadFunc struct {
	args  int
	waits bool // it may wait, or is more than one event
	lower func(b *body, n *cc.PostfixExpression, args []cc.ExpressionNode) []ir.Expr
}

// threadFuncs returns all functions about threads, by their names.
func threadFuncs() map[string]threadFunc {
	all := map[string]threadFunc{
		"pthread_create": {4, true, (*body).create},
		"pthread_join":   {2, true, (*body).join},
		"pthread_exit":   {1, true, (*body).exitThread},
		"pthread_self":   {0, false, (*body).self},
		"pthread_equal":  {2, false, (*body).equalThreads},
	}
	for _, fs := range []map[string]threadFunc{lockCalls(), semaphoreCalls(), atomicCalls(), modifyCalls(), c11Calls()} {
		maps.Copy(all, fs)
	}
	for name, n := range map[string]int{
		"pthread_detach": 1, "pthread_attr_init": 1, "pthread_attr_destroy": 1, "pthread_attr_setdetachstate": 2,
		"pthread_attr_setstacksize": 2, "pthread_yield": 0, "sched_yield": 0, "sleep": 1, "usleep": 1, "nanosleep": 2,
		"pthread_mutexattr_destroy": 1, "pthread_cond_destroy": 1, "pthread_rwlock_destroy": 1,
		"pthread_barrier_destroy": 1, "pthread_spin_destroy": 1, "sem_destroy": 1,
		"atomic_signal_fence": 1, "__atomic_signal_fence": 1,
	} {
		all[name] = threadFunc{n, false, (*body).nothing}
	}
	for name, n := range map[string]int{"atomic_thread_fence": 1, "__atomic_thread_fence": 1, "__sync_synchronize": 0} {
		all[name] = threadFunc{n, false, (*body).fence}
	}
	return all
}

// nothing evaluates the arguments.
func (b *body) nothing(n *cc.PostfixExpression, args []cc.ExpressionNode) []ir.Expr {
	for _, a := range args {
		if b.acts(a) {
			b.Within(func() { b.effect(a) })
		}
	}
	if mayFail[functionNamed(n.PostfixExpression).Name()] {
		b.Within(b.forgetErrno)
		return nil
	}
	return success()
}

// success is the result of a call that can't fail.
func success() []ir.Expr { return []ir.Expr{&ir.Const{Typ: tInt}} }

// self is pthread_self().
func (b *body) self(n *cc.PostfixExpression, _ []cc.ExpressionNode) []ir.Expr {
	t, _ := scalar(n.Type())
	return []ir.Expr{&ir.Convert{ExprInfo: ir.ExprInfo{Pos: b.span(n)}, To: t, X: &ir.Self{}}}
}

func (b *body) equalThreads(n *cc.PostfixExpression, args []cc.ExpressionNode) []ir.Expr {
	x, y := b.pair(args[0], args[1])
	t := b.model.common(x.Type(), y.Type())
	return []ir.Expr{b.binary(n, 0, ir.Eq, convert(x, t), convert(y, t))}
}

// create is pthread_create(&t, attr, f, arg).
func (b *body) create(n *cc.PostfixExpression, args []cc.ExpressionNode) []ir.Expr {
	d := functionNamed(routine(args[2]))
	if d == nil {
		return b.createComputed(n, args)
	}
	f := b.lookup(b.u, d)
	if f == nil {
		b.wrong(args[2], "thread runs %s, which is not defined", d.Name())
		return nil
	}
	return b.createOf(n, args, f)
}

// createOf is create for the function f.
func (b *body) createOf(n *cc.PostfixExpression, args []cc.ExpressionNode, f *function) []ir.Expr {
	b.procedure(f)
	s := &ir.Spawn{Proc: f.proc}
	if len(f.params) > 1 {
		b.wrong(n, "%s has %d parameters, a thread's function has one", f.sym.name, len(f.params))
		return nil
	}
	for _, p := range f.params {
		switch p.kind {
		case scalarParam:
			v := b.asStored(args[3], place{typ: p.typ, vars: p.vars, obj: p.obj})
			s.Args = append(s.Args, convert(v, p.vars[0].Type))
		case arrayParam:
			b.mem.notReference(p.obj.decl)
			return success()
		case ignoredParam, unnamedParam:
			b.ignored(args[3])
		default:
			b.unsupported(n, "thread with a struct as its argument", "pass a pointer")
		}
	}
	if b.mem.returns {
		s.Proc = b.keepingResult(f)
	}
	p, ok := b.threadPlace(args[0])
	if !ok {
		return nil
	}
	b.setThread(n, s, p)
	return success()
}

// routine is e without casts and & around it.
func routine(e cc.ExpressionNode) cc.ExpressionNode {
	x := unparen(e)
	for {
		if c, ok := x.(*cc.CastExpression); ok && c.Case == cc.CastExpressionCast {
			x = unparen(c.CastExpression)
		} else if u, ok := x.(*cc.UnaryExpression); ok && u.Case == cc.UnaryExpressionAddrof {
			x = unparen(u.CastExpression)
		} else {
			return x
		}
	}
}

// threadPlace is the place for the number of a new thread.
func (b *body) threadPlace(e cc.ExpressionNode) (*place, bool) {
	if b.isZero(e) {
		return nil, true
	}
	p, ok := b.pointee(e)
	if !ok {
		return nil, false
	}
	t, ok := scalar(p.typ)
	if _, isInt := t.(ir.Int); !ok || !isInt {
		b.wrong(e, "%s where a pthread_t is needed", p.typ)
		return nil, false
	}
	return &p, true
}

// setThread emits s with the number of the thread stored in p.
func (b *body) setThread(n cc.Node, s *ir.Spawn, p *place) {
	indirect := p != nil && (p.many || p.raw != nil)
	if p != nil && !indirect {
		s.Thread = b.expr(*p, 0, false)
	}
	var t *ir.Var
	if indirect {
		t = b.Temp("t", leafType(p.typ, 0))
		s.Thread = use(t, ir.Span{})
	}
	b.event(&s.StmtInfo, n)
	b.Emit(s)
	if t == nil {
		return
	}
	b.onEach(*p, func(q place) { b.write(&q, use(t, ir.Span{})) })
}

// event makes i that of the statement that the call n becomes, or one of
// several.
func (b *body) event(i *ir.StmtInfo, n cc.Node) {
	if b.Stands() {
		b.Derive(i)
		i.Pos = b.extent(n)
		return
	}
	b.Stand(i, b.extent(n))
}

// set emits x = y, a further statement of the location.
func (b *body) set(x, y ir.Expr) {
	a := &ir.Assign{LHS: x, RHS: convert(y, x.Type())}
	b.Derive(&a.StmtInfo)
	b.Emit(a)
}

// pointee is what the argument e of a call points at.
func (b *body) pointee(e cc.ExpressionNode) (place, bool) {
	if b.isZero(e) {
		b.wrong(e, "null where an object is needed")
		return place{}, false
	}
	v, ok := b.pointer(e, b.asked[e])
	if !ok {
		return place{}, false
	}
	if t := b.asked[e]; t != nil {
		v.elem = t
	}
	p, ok := b.deref(e, v)
	if ok {
		b.steady(&p)
	}
	return p, ok
}

// steady makes indices that other threads may change temporaries.
func (b *body) steady(p *place) {
	if !b.threaded {
		return
	}
	p.each(func(q *place) {
		for i, s := range q.idx {
			if readsGlobal(s.index) {
				q.idx[i].index = b.Save("i", s.index)
			}
		}
	})
}

func readsGlobal(e ir.Expr) bool {
	if u, ok := e.(*ir.Use); ok && u.Var.Kind == ir.Global {
		return true
	}
	for _, o := range e.Operands(nil) {
		if readsGlobal(*o) {
			return true
		}
	}
	return false
}

// keepingResult is a procedure that calls f and keeps its result for who joins
// the thread.
func (b *body) keepingResult(f *function) *ir.Proc {
	if f.thread != nil {
		return f.thread
	}
	p := &ir.Proc{Name: f.sym.name + ".thread", Body: &ir.Block{}, Hard: true}
	f.thread = p
	w := b.newBody(f.unit, f, p)
	c := &ir.Call{Proc: f.proc}
	for _, v := range f.proc.Params {
		q := &ir.Var{Name: v.Name, Type: v.Type, Kind: ir.Param}
		p.Params = append(p.Params, q)
		c.Args = append(c.Args, use(q, ir.Span{}))
	}
	var r *ir.Var
	for _, v := range f.proc.Results {
		r = w.Temp("result", v.Type)
		c.Results = append(c.Results, use(r, ir.Span{}))
	}
	w.Stand(&c.StmtInfo, ir.Span{})
	w.Emit(c)
	if len(f.proc.Results) == 1 && r.Type == tPtr {
		b.mem.flow(cell{resultsKey{}, 0}, b.mem.holds(cell{resultKey{f.sym}, 0}))
	}
	if len(f.proc.Results) == 1 {
		if _, isInt := r.Type.(ir.Int); isInt {
			w.set(w.resultOf(&ir.Self{}), use(r, ir.Span{}))
		}
	}
	p.Body.List = w.List
	b.wrappers = append(b.wrappers, p)
	return p
}

// resultsKey is the key of the array of the threads' results.
type resultsKey struct{}

// resultOf is the result of thread t.
func (l *loader) resultOf(t ir.Expr) ir.Expr {
	if l.results == nil {
		l.results = &ir.Var{Name: "results", Type: ir.Array{Elem: tPtr, Len: maxThreads}, Kind: ir.Global}
		l.prog.Globals = append(l.prog.Globals, l.results)
	}
	return &ir.Index{X: use(l.results, ir.Span{}), I: t}
}

// join is pthread_join(t, &result).
func (b *body) join(n *cc.PostfixExpression, args []cc.ExpressionNode) []ir.Expr {
	return b.joinInto(n, args, func(p place, result ir.Expr) {
		if !p.isPointer() {
			b.wrong(args[1], "%s where a pointer is needed", p.typ)
			return
		}
		b.flowInto(p, 0, b.mem.holds(cell{resultsKey{}, 0}))
		b.onEach(p, func(q place) { b.write(&q, result) })
	})
}

// joinInto is a join that stores the thread's result, if that is wanted, as store
// does.
func (b *body) joinInto(n *cc.PostfixExpression, args []cc.ExpressionNode, store func(p place, result ir.Expr)) []ir.Expr {
	t := b.integer(args[0])
	wanted := !b.isZero(args[1])
	if wanted {
		b.mem.wantResults()
		t = b.Save("t", t)
	}
	var p place
	ok := true
	if wanted {
		p, ok = b.pointee(args[1])
	}
	s := &ir.Join{Thread: t}
	b.event(&s.StmtInfo, n)
	b.Emit(s)
	if !wanted || !ok {
		return success()
	}
	store(p, b.Save("result", b.resultOf(ir.CloneExpr(t))))
	return success()
}

func (m *memory) wantResults() {
	if !m.returns {
		m.returns, m.grown = true, true
	}
}

// exitThread is pthread_exit(v), in main or in the function of a thread.
func (b *body) exitThread(n *cc.PostfixExpression, args []cc.ExpressionNode) []ir.Expr {
	r := &ir.Return{}
	b.leavesCleanup(n)
	switch {
	case b.f == b.entry() && !b.entered:
		if b.atThreadEnd != nil {
			b.runEnd(b.atThreadEnd)
		}
		j := &ir.Join{}
		b.event(&j.StmtInfo, n)
		b.Emit(j)
		b.endProgram()
		b.Derive(&r.StmtInfo)
		b.Emit(r)
		return nil
	case b.isCalledDirectly(b.f):
		b.unsupported(n, "pthread_exit in a function that is called", "return to the thread's function")
		return nil
	}
	_, isNumber := scalar(args[0].Type())
	if isNumber && len(b.f.results) == 1 && b.f.results[0].Type != tPtr {
		r.Values = []ir.Expr{b.as(args[0], b.f.results[0].Type)}
	} else if len(b.f.results) == 1 && b.f.results[0].Type == tPtr {
		o := &object{key: resultKey{b.f.sym}}
		r.Values = []ir.Expr{b.asStored(args[0], place{typ: b.f.typ.Result(), vars: b.f.results, obj: o})}
	}
	b.endThread()
	b.event(&r.StmtInfo, n)
	b.Emit(r)
	return nil
}

// isCalledDirectly reports whether some function calls f other than as a
// thread.
func (l *loader) isCalledDirectly(f *function) bool {
	for _, g := range l.funcs {
		if slices.Contains(l.called(g), f) {
			return true
		}
	}
	return false
}

// runsOnce reports whether f runs at most once. One whose address is a value, which
// may be so outside of all functions, may be called anywhere.
func (l *loader) runsOnce(f *function) bool { return l.runs(f, map[*function]bool{}) }

func (l *loader) runs(f *function, open map[*function]bool) bool {
	if open[f] || l.pointed[f] {
		return false
	}
	open[f] = true
	defer delete(open, f)
	n := 0
	for _, g := range l.inOrder() {
		for _, m := range g.unit.text.calls[g.def] {
			if l.callee(g.unit, m.decl) != f || !l.reachable(g) {
				continue
			}
			if n++; m.loop || !l.runs(g, open) {
				return false
			}
		}
	}
	return f == l.entry() && n == 0 || f != l.entry() && n <= 1
}

// reachable reports whether the entry reaches f.
func (l *loader) reachable(f *function) bool { return f == l.entry() || l.reaches(l.entry(), f) }

// reaches reports whether running f may run or start g.
func (l *loader) reaches(f, g *function) bool { return leads(l.mentioned, f, g) }

// leads reports whether g follows f, at some distance.
func leads(next func(*function) []*function, f, g *function) bool {
	seen := map[*function]bool{}
	var visit func(f *function) bool
	visit = func(f *function) bool {
		for _, h := range next(f) {
			if seen[h] {
				continue
			}
			if seen[h] = true; h == g || visit(h) {
				return true
			}
		}
		return false
	}
	return visit(f)
}

// oneThread reports whether two threads never run f.
func (l *loader) oneThread(f *function) bool {
	n := 0
	if f == l.entry() || l.calls(l.entry(), f) {
		n++
	}
	for _, g := range l.inOrder() {
		if !l.isStarted(g) || g != f && !l.calls(g, f) {
			continue
		}
		if n++; !l.runsOnce(g) {
			n++
		}
	}
	return n <= 1
}

// calls reports whether running f may run g in the same thread.
func (l *loader) calls(f, g *function) bool { return leads(l.called, f, g) }

// isStarted reports whether f is the function of a thread.
func (l *loader) isStarted(f *function) bool {
	if l.anyStarted && l.pointed[f] {
		return true
	}
	for _, g := range l.funcs {
		for _, m := range g.unit.text.calls[g.def] {
			if m.starts && l.lookup(g.unit, m.decl) == f {
				return true
			}
		}
	}
	return false
}
