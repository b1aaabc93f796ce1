package gofront

// Function values that are known statically, and the functions that calls
// mean.

import (
	"fmt"
	"go/ast"
	"go/types"

	"github.com/go-amend/amend/ir"
)

func (b *body) funcValue(e ast.Expr, f *function) value {
	t := b.typ(e)
	return value{typ: t, lay: b.layoutOf(t), fn: f}
}

// closure makes the function of a literal. self is the variable that it is
// assigned to, which it may call.
func (b *body) closure(lit *ast.FuncLit, self types.Object) *function {
	f := &function{
		key: fmt.Sprintf("%s.func@%d", b.inst.key, lit.Pos()), p: b.p, lit: lit, env: b.inst.fn.env,
		statics: map[types.Object]*variable{},
	}
	f.name = fmt.Sprintf("%s.func%d", b.proc.Name, b.litNumber(lit))
	b.captureFree(f, lit, self)
	return f
}

// captureFree finds what the function f, whose text is n, uses from outside.
func (b *body) captureFree(f *function, n ast.Node, self types.Object) {
	lit, _ := n.(*ast.FuncLit)
	if self != nil {
		f.statics[self] = &variable{value: value{typ: b.p.info.TypeOf(lit), lay: b.layoutOf(b.p.info.TypeOf(lit)), fn: f}}
	}
	seen := map[types.Object]bool{self: true}
	for _, v := range b.p.factsOf().free[n] {
		b.captureInto(f, v, seen)
	}
}

func (b *body) litNumber(lit *ast.FuncLit) int {
	if b.lits == nil {
		b.lowerer.lits = map[*ast.FuncLit]int{}
	}
	if b.lits[lit] == 0 {
		b.lits[lit] = len(b.lits) + 1
	}
	return b.lits[lit]
}

func (b *body) captureInto(f *function, o *types.Var, seen map[types.Object]bool) {
	if seen[o] {
		return
	}
	seen[o] = true
	v := b.scope[o]
	switch {
	case v == nil:
		return // declared later, or refused; a use will say so
	case v.fn != nil:
		f.statics[o] = v
		for _, c := range v.fn.caps {
			b.captureInto(f, c, seen)
		}
		for s, w := range v.fn.statics {
			if f.statics[s] == nil {
				f.statics[s] = w
			}
		}
	case v.dyn != nil:
		f.statics[o] = v // without leaves
	default:
		f.caps = append(f.caps, o)
		if f.kept == nil {
			f.kept = map[*types.Var]types.Type{}
		}
		f.kept[o] = v.typ
	}
}

// callee returns the function that e calls, and its receiver, if it is a
// method. It returns nil after failing.
func (b *body) callee(e *ast.CallExpr) (*function, *value) {
	fun := ast.Unparen(e.Fun)
	if s, ok := fun.(*ast.SelectorExpr); ok {
		if sel := b.p.info.Selections[s]; sel != nil && sel.Kind() == types.MethodVal {
			return b.method(s, sel)
		}
	}
	if tv := b.p.info.Types[fun]; isFunc(tv.Type) && !b.namesFunc(fun) {
		return b.calledValue(e, b.val(fun))
	}
	return b.functionOf(fun), nil
}

// namesFunc reports whether e names a declared function.
func (b *body) namesFunc(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.Ident:
		_, ok := b.p.info.Uses[e].(*types.Func)
		return ok
	case *ast.SelectorExpr:
		return b.namesFunc(e.Sel)
	case *ast.IndexExpr:
		return b.namesFunc(ast.Unparen(e.X))
	case *ast.IndexListExpr:
		return b.namesFunc(ast.Unparen(e.X))
	}
	return false
}

// functionOf returns the function that e, which is no method call, denotes.
func (b *body) functionOf(e ast.Expr) *function {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return b.funcNamed(e)
	case *ast.SelectorExpr:
		sel := b.p.info.Selections[e]
		if sel == nil {
			return b.funcNamed(e.Sel)
		}
		switch sel.Kind() {
		case types.MethodExpr:
			return b.methodExpr(e, sel)
		case types.MethodVal:
			if f, recv := b.method(e, sel); f != nil {
				return b.bound(e, f, *recv)
			}
			return nil
		}
	case *ast.IndexExpr:
		if b.namesFunc(ast.Unparen(e.X)) {
			return b.functionOf(e.X)
		}
	case *ast.IndexListExpr:
		return b.functionOf(e.X)
	case *ast.FuncLit:
		return b.closure(e, nil)
	}
	return b.functionIn(e, b.val(e))
}

// functionIn returns the function that v, the value of e, is.
func (b *body) functionIn(e ast.Expr, v value) *function {
	f, recv := b.calledValue(e, v)
	if f == nil || recv == nil {
		return f
	}
	return b.bound(e, f, *recv)
}

// methodExpr returns the function T.M.
func (b *body) methodExpr(e *ast.SelectorExpr, sel *types.Selection) *function {
	m, t := sel.Obj().(*types.Func), b.typ(e.X)
	if types.IsInterface(t) {
		b.demands = append(b.demands, demand{span: b.span(e), t: t, what: "call of method " + m.Name() + " of interface values", text: true})
		return b.methodCall(e, t, m)
	}
	_, wantPtr := types.Unalias(m.Signature().Recv().Type()).(*types.Pointer)
	_, isPtr := t.Underlying().(*types.Pointer)
	if len(sel.Index()) > 1 || wantPtr != isPtr {
		b.unsupported(e, "method expression for a promoted method", "use a function literal")
		return nil
	}
	return b.declaredFunc(e, m, t, nil)
}

func (b *body) funcNamed(id *ast.Ident) *function {
	switch o := b.p.info.ObjectOf(id).(type) {
	case *types.Func:
		var args []types.Type
		if inst, ok := b.p.info.Instances[id]; ok {
			for t := range inst.TypeArgs.Types() {
				args = append(args, b.inst.fn.env.subst(t))
			}
		}
		return b.declaredFunc(id, o, nil, args)
	case *types.Var:
		if v := b.lookup(id, o); v != nil {
			return b.functionIn(id, v.value)
		}
	}
	return nil
}

// declaredFunc returns the function that is declared as o, for type arguments
// args or, if it is a method, those of its receiver type recv.
func (b *body) declaredFunc(n ast.Node, o *types.Func, recv types.Type, args []types.Type) *function {
	if o.Pkg() == nil {
		b.unsupported(n, "method "+o.Name()+" of an interface", "use a concrete type")
		return nil
	}
	p := b.ps.source(o.Pkg().Path())
	var d *ast.FuncDecl
	if p != nil {
		d = p.declOf(funcKey(o))
	}
	if d == nil {
		b.unsupported(n, "function "+o.FullName(), "its source is not there")
		return nil
	}
	if f := b.syncMethod(n, o); f != nil {
		return f
	}
	if f := b.ownPool(o); f != nil {
		return f
	}
	if b.known.threaded && (p.path == "sync" || p.path == "sync/atomic") {
		b.unsupported(n, "call of "+o.FullName()+" in a program with goroutines", "use Mutex, RWMutex, WaitGroup, Once, Cond, atomic integers or channels")
		return nil
	}
	if q, m := b.ps.modelOf(p.path, funcKey(o)); m != nil {
		p, d = q, m
	}
	f := &function{p: p, decl: d, name: d.Name.Name}
	own := p.info.Defs[d.Name].(*types.Func).Signature()
	if recv != nil && own.Recv() != nil { // models are no methods
		f.name = recvName(own.Recv().Type()) + "." + f.name
	}
	f.env = bindTypes(own, recv, args)
	if !p.root {
		f.name = p.types.Name() + "." + f.name
	}
	for i, t := range args {
		sep := ","
		if i == 0 {
			sep = "["
		}
		f.name += sep + types.TypeString(t, func(*types.Package) string { return "" })
		if i == len(args)-1 {
			f.name += "]"
		}
	}
	f.key = p.path + "." + funcKey(o)
	for _, t := range args {
		f.key += "," + typeKey(t)
	}
	if recv != nil {
		f.key += "@" + typeKey(recv)
	}
	return f
}

// bindTypes gives the type parameters of sig their arguments.
func bindTypes(sig *types.Signature, recv types.Type, args []types.Type) env {
	e := env{}
	if ps := sig.TypeParams(); ps != nil {
		for i := range min(ps.Len(), len(args)) {
			e[ps.At(i)] = args[i]
		}
	}
	if ps := sig.RecvTypeParams(); ps != nil && recv != nil {
		if p, ok := recv.(*types.Pointer); ok {
			recv = p.Elem()
		}
		if n, ok := types.Unalias(recv).(*types.Named); ok && n.TypeArgs() != nil {
			for i := range min(ps.Len(), n.TypeArgs().Len()) {
				e[ps.At(i)] = n.TypeArgs().At(i)
			}
		}
	}
	return e
}

// method returns the method that s selects and the receiver that it gets.
func (b *body) method(s *ast.SelectorExpr, sel *types.Selection) (*function, *value) {
	v := b.val(s.X)
	m := sel.Obj().(*types.Func)
	index := sel.Index()
	v = b.fields(v, index[:len(index)-1])
	if types.IsInterface(m.Signature().Recv().Type()) && !types.IsInterface(v.typ) {
		v.dyn = v.typ // a type argument
	}
	if v.dyn != nil || types.IsInterface(v.typ) {
		if v.dyn == nil {
			return b.interfaceMethod(s, v, m)
		}
		return b.dynamicMethod(s, v, m)
	}
	return b.methodOf(s, v, m)
}

// dynamicMethod resolves method m of an interface value with a known type.
func (b *body) dynamicMethod(n ast.Node, v value, m *types.Func) (*function, *value) {
	v.typ, v.dyn = v.dyn, nil
	o, index, _ := types.LookupFieldOrMethod(v.typ, true, m.Pkg(), m.Name())
	own, ok := o.(*types.Func)
	if !ok {
		b.unsupported(n, "method "+m.Name(), "")
		return nil, nil
	}
	v = b.fields(v, index[:len(index)-1])
	if types.IsInterface(v.typ) {
		return b.interfaceMethod(n, v, own)
	}
	return b.methodOf(n, v, own)
}

// interfaceMethod returns the function that calls method m of v, an interface
// value of unknown dynamic type.
func (b *body) interfaceMethod(n ast.Node, v value, m *types.Func) (*function, *value) {
	b.demands = append(b.demands, demand{span: b.span(n), t: v.typ, what: "call of method " + m.Name() + " of interface values", text: true})
	v = b.scalarValue(v.typ, b.frozen(v.read(0)))
	b.demand(ir.CheckBounds, &ir.Binary{Op: ir.Ne, X: v.read(0), Y: num(tInt, 0)}, b.span(n), "")
	return b.methodCall(n, v.typ, m), &v
}

// methodOf returns m as a function, with v or its address as receiver.
func (b *body) methodOf(n ast.Node, v value, m *types.Func) (*function, *value) {
	recv := m.Signature().Recv().Type()
	if tp, ok := v.typ.(*types.TypeParam); ok {
		b.unsupported(n, "method of type parameter "+tp.String(), "")
		return nil, nil
	}
	_, wantPtr := types.Unalias(recv).(*types.Pointer)
	ptr, isPtr := v.typ.Underlying().(*types.Pointer)
	base := v.typ
	if isPtr {
		base = ptr.Elem()
	}
	if own := ownMethod(base, m); own != nil {
		m = own
	}
	switch {
	case wantPtr && !isPtr:
		if v.mem == nil {
			if v.lay.size == 0 {
				v = b.zero(types.NewPointer(v.typ))
				break
			}
			b.unsupported(n, "method "+m.Name()+" on a value without an address", "use a variable")
			return nil, nil
		}
		v = b.pointerTo(types.NewPointer(v.typ), v)
	case !wantPtr && isPtr:
		v = b.deref(v, ptr.Elem())
	}
	return b.declaredFunc(n, m, base, nil), &v
}

// ownMethod returns the declaration of method m in base, which may be a type
// argument of which m only says the name.
func ownMethod(base types.Type, m *types.Func) *types.Func {
	o, _, _ := types.LookupFieldOrMethod(base, true, m.Pkg(), m.Name())
	f, _ := o.(*types.Func)
	return f
}

// libraryFunction returns a function of the standard library.
func (b *body) libraryFunction(n ast.Node, path, name string) *function {
	p := b.ps.source(path)
	if p == nil {
		if b.ps.addLibrary(path) {
			p = b.ps.source(path)
		}
	}
	if p != nil && p.types != nil {
		if o, ok := p.types.Scope().Lookup(name).(*types.Func); ok {
			return b.declaredFunc(n, o, nil, nil)
		}
	}
	b.unsupported(n, "use of "+path+"."+name, "its source is not there")
	return nil
}

func (b *body) arguments(e *ast.CallExpr, f *function, recv *value) []value {
	params, _, variadic := f.signature()
	var args []value
	if recv != nil {
		args = append(args, *recv)
	}
	first := len(args)
	if len(e.Args) == 1 && len(params)-first > 1 {
		if _, ok := b.typ(e.Args[0]).(*types.Tuple); ok {
			vs := b.results(e.Args[0])
			for i, v := range vs {
				args = append(args, b.convertTo(e.Args[0], v, f.env.subst(params[first+i].Type())))
			}
			return args
		}
	}
	for i, p := range params[first:] {
		t := f.env.subst(p.Type())
		if variadic && first+i == len(params)-1 && !e.Ellipsis.IsValid() {
			args = append(args, b.variadic(e, t, e.Args[i:]))
			break
		}
		if i >= len(e.Args) {
			break
		}
		if lit := b.tableArgument(e.Args[i], f, p); lit != nil {
			v := b.zero(t)
			v.table = lit
			args = append(args, v)
			continue
		}
		args = append(args, b.argument(e.Args[i], t))
	}
	return args
}

// argument lowers e, the argument for a parameter of type t.
func (b *body) argument(e ast.Expr, t types.Type) value {
	return b.convertTo(e, b.operand(e), t)
}

// variadic makes the slice of type t of arguments.
func (b *body) variadic(e *ast.CallExpr, t types.Type, args []ast.Expr) value {
	elem := t.Underlying().(*types.Slice).Elem()
	if len(args) == 0 {
		return b.zero(t)
	}
	lay := b.layoutOf(elem)
	r := b.region(b.varKey(nil))
	ptr := b.alloc(r, max(len(args)*lay.size, 1))
	n := num(tInt, int64(len(args)))
	v := b.sliceOf(t, r, ptr, n, n)
	for i, a := range args {
		w := b.data(b.argument(a, elem))
		to := b.raw(v, num(tInt, int64(i)), elem)
		b.Within(func() { b.storeFresh(to, b.snapshot(w)) })
	}
	return v
}
