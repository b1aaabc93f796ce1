package gofront

// Functions: their instances as procedures, parameters, results, bodies,
// calls.

import (
	"fmt"
	"go/ast"
	"go/types"
	"strconv"
	"strings"

	"github.com/go-amend/amend/ir"
)

// A function is a function value that is known statically.
type function struct {
	key     string
	name    string
	p       *pkg
	decl    *ast.FuncDecl
	lit     *ast.FuncLit
	body    *rangeBody // of a range over a function
	made    *synthetic // no text is
	at      ast.Node   // where it was made
	env     env
	caps    []*types.Var              // captured variables
	kept    map[*types.Var]types.Type // of these, where env does not say it
	statics map[types.Object]*variable
	top     bool // a test, or the function of a fuzz target
	subtest bool
	level   int // of subtests
}

func (f *function) syntax() (*ast.FuncType, *ast.BlockStmt) {
	switch {
	case f.lit != nil:
		return f.lit.Type, f.lit.Body
	case f.body != nil:
		return nil, f.body.s.Body
	case f.made != nil:
		return nil, nil
	}
	return f.decl.Type, f.decl.Body
}

func (f *function) node() ast.Node {
	switch {
	case f.lit != nil:
		return f.lit
	case f.body != nil:
		return f.body.s
	case f.made != nil:
		return f.at
	}
	return f.decl.Name
}

// signature returns the types of f, receiver included as first parameter.
func (f *function) signature() (params []*types.Var, results *types.Tuple, variadic bool) {
	var sig *types.Signature
	if f.made != nil {
		return f.made.params, f.made.results, f.made.variadic
	}
	if f.body != nil {
		return f.body.params, f.body.yield.Results(), false
	}
	if f.lit != nil {
		sig = f.p.info.TypeOf(f.lit).(*types.Signature)
	} else {
		sig = f.p.info.Defs[f.decl.Name].(*types.Func).Signature()
	}
	if r := sig.Recv(); r != nil {
		params = append(params, r)
	}
	for v := range sig.Params().Variables() {
		params = append(params, v)
	}
	return params, sig.Results(), sig.Variadic()
}

// A param is a parameter of Go: ir parameters for its leaves, or something
// static.
type param struct {
	obj    *types.Var
	typ    types.Type
	lay    *layout
	vars   []*ir.Var
	key    string // of the regions of pointers in it
	fn     *function
	dyn    types.Type
	memory bool // it is the address of a captured variable
	table  *ast.CompositeLit
}

// A result is a result of Go: scalar leaves are results of ir, arrays
// parameters.
type result struct {
	obj  *types.Var
	typ  types.Type
	lay  *layout
	vars []*ir.Var
	key  string
	dyn  types.Type
}

// static describes what is static about an argument, "" for nothing.
func (v *value) static() string {
	switch {
	case v.fn != nil:
		return "func " + v.fn.key
	case v.dyn != nil:
		return "dyn " + typeKey(v.dyn)
	case v.table != nil:
		return fmt.Sprintf("table %d", v.table.Pos())
	}
	return ""
}

const maxKey = 4000

// bigPath is a package whose functions have one instance for all callers: nearly
// all its values are of a few types, and there would be no end of instances.
const bigPath = "math/big"

// instance returns the instance of f for these arguments.
func (b *body) instance(n ast.Node, f *function, args []value, m mode) *instance {
	key := f.key + m.String()
	for i := range args {
		if s := args[i].static(); s != "" {
			key += fmt.Sprintf("|%d %s", i, s)
		}
	}
	statics := key
	if f.made == nil && b.isLibrary(f) && f.p.path != bigPath || f.made != nil && f.made.apart {
		if i := b.inst.recursive(statics); i != nil {
			return i
		}
		for i := range args { // regions apart: callers have nothing to do with each other
			for j := range args[i].lay.leaves {
				if r := args[i].region(j); r != nil {
					key += "|" + r.key
				}
			}
		}
	}
	if i := b.instances[key]; i != nil {
		return i
	}
	if len(key) > maxKey {
		b.unsupported(n, "functions that make functions, recursively", "call them by name")
		return nil
	}
	if !b.variant(f.key+m.String(), statics) {
		b.unsupported(n, "more than "+strconv.Itoa(maxVariants)+" kinds of functions or dynamic types passed to "+f.name, "call it with values of fewer types")
		return nil
	}
	i := &instance{key: key, statics: statics, from: b.inst, fn: f, mode: m}
	if b.isLibrary(f) {
		if i.origin = b.inst.origin; i.origin.span.IsZero() {
			i.origin = origin{b.span(n), "call of " + f.name}
		}
	}
	b.instances[key] = i
	b.list = append(b.list, i)
	outer := b.origin
	b.lowerer.origin = i.origin
	b.lowerer.setup(i, args)
	b.lowerer.origin = outer
	b.queue = append(b.queue, i)
	return i
}

// recursive returns the instance with these static arguments among i and what
// led to it: the regions of a call from within are those of the outer call, or
// recursion would have no end of instances.
func (i *instance) recursive(statics string) *instance {
	for i != nil && i.statics != statics {
		i = i.from
	}
	return i
}

// maxVariants is how many instances a function may have for different static
// arguments: a function that passes new ones to itself would have no end of
// them.
const maxVariants = 64

// variant notes an instance of the function called key, and reports whether
// that is not one too many.
func (l *lowerer) variant(key, statics string) bool {
	if key == statics {
		return true
	}
	if l.variants[key] == nil {
		l.variants[key] = map[string]bool{}
	}
	l.variants[key][statics] = true
	return len(l.variants[key]) <= maxVariants
}

// isLibrary reports whether f belongs to a package that is not being
// analyzed.
func (l *lowerer) isLibrary(f *function) bool { return l.lib(f.p) }

func (l *lowerer) lib(p *pkg) bool { return !p.root && !l.inModule(p) }

func (l *lowerer) setup(i *instance, args []value) {
	f := i.fn
	i.proc = &ir.Proc{Name: f.name, Span: l.spanOf(f.p, f.node().Pos(), f.node().End()), Body: &ir.Block{}}
	switch {
	case f.lit != nil:
		i.proc.Span.End = i.proc.Span.Start + len("func")
	case f.body != nil:
		i.proc.Span.End = i.proc.Span.Start + len("for")
	case f.made != nil:
		i.proc.Span = ir.Span{}
	}
	i.proc.Hard = f.made != nil || l.hard(f.p, f.node().Pos(), f.name)
	i.proc.Signature = l.callType(f)
	b := l.newBody(f.p, i)
	i.body = b
	if i.proc.Hard {
		b.Fixed = 1
	}
	params, results, _ := f.signature()
	for k, v := range params {
		var arg *value
		if k < len(args) {
			arg = &args[k]
		}
		b.param(v, arg)
	}
	for o, v := range f.statics {
		b.scope[o] = v
	}
	for _, v := range f.caps {
		b.capture(v, f)
	}
	for _, a := range args {
		if a.fn != nil {
			for _, v := range a.fn.caps {
				b.capture(v, a.fn)
			}
			for o, v := range a.fn.statics {
				b.scope[o] = v
			}
		}
	}
	for k := range results.Len() {
		b.result(results.At(k), k)
	}
}

// param makes the parameter v.
func (b *body) param(v *types.Var, arg *value) {
	p := param{obj: v, typ: b.inst.fn.env.subst(v.Type())}
	p.lay = b.layoutOf(p.typ)
	if arg != nil {
		p.fn, p.dyn, p.table = arg.fn, arg.dyn, arg.table
		if p.dyn != nil {
			p.lay = b.layoutOf(p.dyn)
		}
	}
	b.refuse(p.lay, b.where(b.p, v.Pos(), v.Pos()))
	name := v.Name()
	if name == "" || name == "_" {
		name = fmt.Sprintf("arg%d", len(b.inst.params))
	}
	p.key = b.inst.key + " param " + fmt.Sprint(len(b.inst.params))
	if p.fn == nil {
		b.paramVars(&p, name)
	}
	b.inst.params = append(b.inst.params, p)
}

func (b *body) paramVars(p *param, name string) {
	span := ir.Span{}
	if p.obj != nil && p.obj.Name() != "" {
		span = b.spanOf(b.p, p.obj.Pos(), p.obj.Pos()+tokenLen(p.obj.Name()))
	}
	for i := range p.lay.leaves {
		f := &p.lay.leaves[i]
		x := &ir.Var{Name: name + f.path, Type: f.varType(), Kind: ir.Param, Span: span, Address: f.target != ""}
		p.vars = append(p.vars, x)
		b.proc.Params = append(b.proc.Params, x)
	}
}

// typeOf returns the type of a captured variable. It may be one of another
// generic function's: a parameter that is a function has its variables, too.
func (f *function) typeOf(o *types.Var) types.Type {
	if t := f.kept[o]; t != nil {
		return t
	}
	return f.env.subst(o.Type())
}

// capture makes the parameter for a variable that f captured: its address if it
// is in memory, else its value.
func (b *body) capture(v *types.Var, f *function) {
	for _, p := range b.inst.params {
		if p.obj == v {
			return
		}
	}
	p := param{obj: v, typ: f.typeOf(v)}
	p.lay = b.layoutOf(p.typ)
	p.key = b.inst.key + " captured " + v.Name() + fmt.Sprint(v.Pos())
	if b.ownerOf(v).factsOf().inMemory(v) {
		p.memory = true
		x := &ir.Var{Name: v.Name() + ".addr", Type: tAddr, Kind: ir.Param}
		p.vars = []*ir.Var{x}
		b.proc.Params = append(b.proc.Params, x)
		b.scope[v] = &variable{value: value{typ: p.typ, lay: p.lay, mem: b.region(p.key), addr: use(x), held: true}}
	} else {
		b.paramVars(&p, v.Name())
		b.scope[v] = &variable{value: b.paramValue(&p)}
	}
	b.inst.params = append(b.inst.params, p)
}

// ownerOf returns the package that declares v.
func (l *lowerer) ownerOf(v *types.Var) *pkg {
	if v.Pkg() != nil {
		if p := l.ps.loaded[v.Pkg().Path()]; p != nil {
			return p
		}
	}
	return &pkg{facts: &facts{}, info: newInfo()}
}

func (b *body) paramValue(p *param) value {
	v := value{typ: p.typ, lay: p.lay, held: true, fn: p.fn, dyn: p.dyn, table: p.table}
	for i, x := range p.vars {
		v.x = append(v.x, use(x))
		v.regs = append(v.regs, b.leafRegion(p.key, &p.lay.leaves[i]))
	}
	return v
}

func (b *body) result(v *types.Var, k int) {
	r := result{obj: v, typ: b.inst.fn.env.subst(v.Type()), key: fmt.Sprintf("%s result %d", b.inst.key, k)}
	r.lay = b.layoutOf(r.typ)
	if t := b.known.results[r.key]; t != nil {
		r.dyn, r.lay = t, b.layoutOf(t)
	}
	b.refuse(r.lay, b.where(b.p, b.inst.fn.node().Pos(), b.inst.fn.node().End()))
	name := v.Name()
	if name == "" || name == "_" {
		name = "result"
		if k > 0 {
			name = fmt.Sprintf("result%d", k)
		}
	}
	for i := range r.lay.leaves {
		f := &r.lay.leaves[i]
		x := &ir.Var{Name: name + f.path, Type: f.varType(), Kind: ir.Result}
		if len(f.dims) > 0 {
			x.Kind = ir.Param
			b.proc.Params = append(b.proc.Params, x)
		} else {
			b.proc.Results = append(b.proc.Results, x)
		}
		r.vars = append(r.vars, x)
	}
	b.inst.results = append(b.inst.results, r)
}

func (b *body) resultValue(r *result) value {
	v := value{typ: r.typ, lay: r.lay, held: true, dyn: r.dyn}
	for i, x := range r.vars {
		v.x = append(v.x, use(x))
		v.regs = append(v.regs, b.leafRegion(r.key, &r.lay.leaves[i]))
	}
	return v
}

// lowerBody lowers the text of the function.
func (b *body) lowerBody() {
	_, block := b.inst.fn.syntax()
	b.guards = b.inst.mode.guarded || block != nil && b.catches(block)
	if b.guards && b.known.threaded && !b.inst.mode.guarded {
		f := b.inst.fn
		b.fail(&ir.UnsupportedError{Span: b.where(f.p, f.node().Pos(), f.node().End()), Construct: "recover in a program with goroutines", Hint: "call the function that panics in a test without"})
		return
	}
	if s := b.inst.fn.made; s != nil {
		b.prologue()
		b.Locate(ir.Span{}, func() { s.build(b) })
		b.proc.Body.List = b.List
		return
	}
	if block == nil {
		f := b.inst.fn
		b.fail(&ir.UnsupportedError{Span: b.where(f.p, f.node().Pos(), f.node().End()), Construct: "function " + f.name + " without a body", Hint: "it is not written in Go"})
		return
	}
	b.prologue()
	if b.needsEpilogue(block) {
		b.leave = b.Label("body")
	}
	if defersInLoop(block) {
		b.Locate(ir.Span{}, func() { b.stack = b.newDeferStack() })
	}
	if r := b.inst.fn.body; r != nil {
		b.rangeBody(r)
	} else {
		b.stmts(block.List)
	}
	if b.leave != "" {
		inner := &ir.Block{Label: b.leave, List: b.List}
		b.List = nil
		start := &ir.Block{} // flags of defers are cleared first
		for _, d := range b.defers {
			start.List = append(start.List, &ir.Assign{LHS: use(d.flag), RHS: truth(false)})
		}
		b.List = append(start.List, inner)
		b.epilogue()
	}
	b.proc.Body.List = b.List
}

// prologue gives parameters a place of their own where they need one, and
// named results their zero values.
func (b *body) prologue() {
	for i := range b.inst.params {
		p := &b.inst.params[i]
		if b.scope[p.obj] != nil && p.memory || b.isCapture(p.obj) {
			continue
		}
		v := b.paramValue(p)
		if p.fn != nil && (p.dyn != nil || b.p.factsOf().fixed(p.obj)) {
			b.scope[p.obj] = &variable{value: v}
			continue
		}
		b.bindParam(p, v)
	}
	for i := range b.inst.results {
		r := &b.inst.results[i]
		if r.obj.Name() == "" || r.obj.Name() == "_" {
			if b.guards { // what is returned after a panic
				b.Locate(ir.Span{}, func() { b.clear(ir.Span{}, known(b.resultValue(r))) })
			}
			continue
		}
		if b.p.factsOf().inMemory(r.obj) {
			v := b.declare(r.obj, r.obj.Name(), r.typ, ir.Span{})
			b.Locate(ir.Span{}, func() { b.allocate(v) })
			continue
		}
		v := &variable{value: b.resultValue(r)}
		b.scope[r.obj] = v
		b.Locate(ir.Span{}, func() { b.clear(ir.Span{}, v.value) })
	}
}

func (b *body) isCapture(o *types.Var) bool {
	if b.inst.fn.caps == nil {
		return false
	}
	for _, c := range b.inst.fn.caps {
		if c == o {
			return true
		}
	}
	return false
}

func (b *body) bindParam(p *param, v value) {
	memory := b.p.factsOf().inMemory(p.obj)
	array := false
	for _, f := range p.lay.leaves {
		array = array || len(f.dims) > 0
	}
	if f := b.p.factsOf(); p.dyn != nil {
		memory = memory || f.assigned[p.obj] > 0 || f.captured[p.obj] && len(p.lay.leaves) > 0
		array = false // nothing changes it
	}
	if !memory && !array && (p.fn == nil || p.dyn != nil) {
		b.scope[p.obj] = &variable{value: v}
		return
	}
	own := b.declare(p.obj, p.obj.Name(), p.typ, ir.Span{})
	b.Locate(ir.Span{}, func() {
		b.allocate(own)
		b.Unchanged(func() { b.store(ir.Span{}, own.value, v) })
	})
}

// needsEpilogue reports whether returns have something left to do.
func (b *body) needsEpilogue(block *ast.BlockStmt) bool {
	for _, r := range b.inst.results {
		if r.obj.Name() != "" && b.p.factsOf().inMemory(r.obj) {
			return true
		}
	}
	found := false
	ast.Inspect(block, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.DeferStmt:
			found = true
		}
		return true
	})
	return found
}

// epilogue runs the deferred calls and stores results.
func (b *body) epilogue() {
	if b.guards {
		b.Locate(ir.Span{}, b.unwind)
	} else {
		b.runDeferred(func(run func()) { run() })
	}
	for i := range b.inst.results {
		r := &b.inst.results[i]
		if v := b.scope[r.obj]; v != nil && v.mem != nil {
			b.Locate(ir.Span{}, func() { b.store(ir.Span{}, b.resultValue(r), v.value) })
		}
	}
}

// callFunction emits the call of f and returns its results.
func (b *body) callFunction(n ast.Node, f *function, args []value) []value {
	params, results, _ := f.signature()
	if len(args) != len(params) {
		b.unsupported(n, "call with other arguments than parameters", "")
		return nil
	}
	m := mode{guarded: b.guards, deferred: b.guards && (b.defersCall || b.inst.mode.deferred && b.inst.fn.made != nil)}
	b.defersCall = false
	i := b.instance(n, f, args, m)
	if i == nil {
		return b.zeros(f.env, results)
	}
	i.callers = append(i.callers, call{b.inst, b.loops})
	c := &ir.Call{Proc: i.proc, Callee: b.nameOf(n, f)}
	own := len(params)
	for k := range i.params {
		p := &i.params[k]
		switch {
		case k < own:
			c.Args = append(c.Args, b.passed(p, args[k])...)
		default:
			c.Args = append(c.Args, b.passedCapture(n, p)...)
		}
	}
	var out []value
	for k := range i.results {
		out = append(out, b.received(c, &i.results[k]))
	}
	b.Stand(&c.StmtInfo, b.span(n))
	b.Emit(c)
	b.afterCall()
	return out
}

// nameOf returns where n, a call of f, names it.
func (b *body) nameOf(n ast.Node, f *function) ir.Span {
	e, ok := n.(*ast.CallExpr)
	if !ok || f.decl == nil {
		return ir.Span{}
	}
	id, ok := ast.Unparen(e.Fun).(*ast.Ident)
	if !ok || b.p.info.Uses[id] != f.p.info.Defs[f.decl.Name] {
		return ir.Span{}
	}
	return b.span(id)
}

// callType returns the type of f, if a call of it differs from one of another
// function of that type and package in the name alone: what is passed are
// numbers.
func (l *lowerer) callType(f *function) string {
	if f.decl == nil || f.decl.Recv != nil || f.decl.Type.TypeParams != nil || l.isLibrary(f) || f.name != f.decl.Name.Name {
		return ""
	}
	number := func(t types.Type) bool {
		b, ok := t.Underlying().(*types.Basic)
		return ok && b.Info()&(types.IsInteger|types.IsBoolean) != 0
	}
	sig := f.p.info.Defs[f.decl.Name].(*types.Func).Signature()
	var b strings.Builder
	b.WriteString(f.p.path)
	for _, list := range []*types.Tuple{sig.Params(), sig.Results()} {
		b.WriteString(" (")
		for v := range list.Variables() {
			if !number(v.Type()) {
				return ""
			}
			b.WriteString(" " + v.Type().String())
		}
		b.WriteString(")")
	}
	return b.String()
}

func (b *body) zeros(e env, results *types.Tuple) []value {
	var out []value
	for v := range results.Variables() {
		out = append(out, b.zero(e.subst(v.Type())))
	}
	return out
}

// passed lists what p's procedure gets for argument v.
func (b *body) passed(p *param, v value) []ir.Expr {
	if p.fn != nil {
		return nil
	}
	if v.fn != nil || v.dyn != nil && p.dyn == nil {
		v = b.data(v)
	}
	if len(v.lay.leaves) != len(p.lay.leaves) {
		v = b.zero(p.typ)
	}
	var es []ir.Expr
	for i := range p.lay.leaves {
		f := &p.lay.leaves[i]
		b.unify(b.leafRegion(p.key, f), v.region(i))
		if len(f.dims) == 0 {
			es = append(es, convert(v.read(i), f.typ))
			continue
		}
		es = append(es, b.arrayRef(v, i))
	}
	return es
}

// arrayRef returns leaf i of v, an array, as a variable.
func (b *body) arrayRef(v value, i int) ir.Expr {
	if v.mem == nil && v.x[i] != nil && !hasSites(v.x[i]) {
		return ir.CloneExpr(v.x[i])
	}
	f := &v.lay.leaves[i]
	t := b.Temp("a", f.varType())
	w := value{typ: v.typ, lay: &layout{leaves: []leaf{*f}}, x: []ir.Expr{use(t)}}
	each(f.dims, func(idx []int) { b.Set(w.elem(0, idx), v.elem(i, idx)) })
	return use(t)
}

func hasSites(e ir.Expr) bool {
	if e.Site() != 0 {
		return true
	}
	for _, o := range e.Operands(nil) {
		if hasSites(*o) {
			return true
		}
	}
	return false
}

// passedCapture lists what p's procedure gets for a captured variable.
func (b *body) passedCapture(n ast.Node, p *param) []ir.Expr {
	v := b.lookup(n, p.obj)
	if v == nil {
		return nil
	}
	if !p.memory {
		return b.passed(p, v.value)
	}
	if v.mem == nil {
		b.unsupported(n, "captured variable "+p.obj.Name()+" here", "")
		return []ir.Expr{num(tAddr, 0)}
	}
	b.unify(b.region(p.key), v.mem)
	return []ir.Expr{add(ir.CloneExpr(v.addr), num(tAddr, int64(v.off)))}
}

// received adds temporaries for r to c.
func (b *body) received(c *ir.Call, r *result) value {
	v := value{typ: r.typ, lay: r.lay, dyn: r.dyn}
	name := strings.Map(func(c rune) rune {
		if c == '.' || c == '(' || c == ')' || c == '*' || c == '[' || c == ']' || c == '/' {
			return '_'
		}
		return c
	}, c.Proc.Name)
	for i := range r.lay.leaves {
		f := &r.lay.leaves[i]
		t := b.Temp(name, f.varType())
		if len(f.dims) > 0 {
			c.Args = append(c.Args, use(t))
		} else {
			c.Results = append(c.Results, use(t))
		}
		v.x = append(v.x, use(t))
		v.regs = append(v.regs, b.leafRegion(r.key, f))
	}
	return v
}
