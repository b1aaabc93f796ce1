package cfront

// Procedures: parameters, results, bodies; and the program that they make.

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"modernc.org/cc/v4"

	"github.com/go-amend/amend/ir"
)

type paramKind int

const (
	scalarParam  paramKind = iota
	arrayParam             // by reference
	structParam            // by value, one parameter a leaf
	ignoredParam           // can't be used, only passed on
	unnamedParam           // its argument is evaluated
)

// A param is a parameter of C.
type param struct {
	kind paramKind
	typ  cc.Type
	vars []*ir.Var
	obj  *object
}

// lower makes the program of what the entry reaches.
func (l *loader) lower() *ir.Program {
	l.init = l.newBody(nil, nil, nil)
	entry := l.entry()
	l.entered = l.isCalled(entry)
	l.prog.Entry = l.procedure(entry)
	for len(l.queue) > 0 {
		f := l.queue[0]
		l.queue = l.queue[1:]
		l.lowerBody(f)
	}
	sort.Slice(l.procs, func(i, j int) bool { return l.procs[i].before(l.procs[j]) })
	names := map[string]int{}
	for _, f := range l.procs {
		f.proc.Signature = f.signature()
		if names[f.proc.Name]++; names[f.proc.Name] > 1 { // static functions of several files
			f.proc.Name = fmt.Sprintf("%s.%d", f.proc.Name, names[f.proc.Name])
			f.proc.Signature = ""
		}
		l.prog.Procs = append(l.prog.Procs, f.proc)
	}
	l.prog.Procs = append(l.prog.Procs, l.wrappers...)
	l.addGlobals()
	return l.prog
}

// signature returns the type of f, if a call of it differs from one of another
// function of that type in the name alone: what is passed are numbers, and the
// call is no atomic section and returns.
func (f *function) signature() string {
	if f.unit.library || f.exits || f.typ.IsVariadic() || isAtomicFunction(f) {
		return ""
	}
	var b strings.Builder
	number := func(t cc.Type) bool {
		_, ok := scalar(t)
		b.WriteString(" " + t.String())
		return ok
	}
	if t := f.typ.Result(); !number(t) && t.Kind() != cc.Void {
		return ""
	}
	for _, p := range f.params {
		if p.kind != scalarParam || !number(p.typ) {
			return ""
		}
	}
	return b.String()
}

// isCalled reports whether some function names f.
func (l *loader) isCalled(f *function) bool {
	for _, g := range l.funcs {
		if slices.Contains(l.mentioned(g), f) {
			return true
		}
	}
	return false
}

// procedure returns the procedure of f, whose body is lowered later.
func (l *loader) procedure(f *function) *ir.Proc {
	if f.proc != nil {
		return f.proc
	}
	d := f.def.Declarator
	f.proc = &ir.Proc{Name: f.sym.name, Span: f.unit.nameSpan(d), Body: &ir.Block{}}
	f.proc.Hard = f.unit.library || l.cfg.Hard != nil && l.cfg.Hard(f.sym.name)
	l.checkOnce(f)
	f.body = l.newBody(f.unit, f, f.proc)
	if f.proc.Hard {
		f.body.Fixed = 1
	}
	if isAtomicFunction(f) {
		f.body.atomic = 1
	}
	f.body.results()
	f.body.params()
	f.body.rest()
	for _, v := range f.results {
		if isArray(v) {
			f.proc.Params = append(f.proc.Params, v)
		}
	}
	l.procs = append(l.procs, f)
	l.queue = append(l.queue, f)
	return f.proc
}

// checkOnce makes functions hard that have one text, of a header that several
// units include: a change of one would change all.
func (l *loader) checkOnce(f *function) {
	for _, g := range l.procs {
		if g.proc.Span == f.proc.Span && !f.unit.library && !g.unit.library {
			f.proc.Hard, g.proc.Hard = true, true
		}
	}
}

// results makes a result of each scalar of what f returns. Arrays inside a
// struct are parameters, by reference, that follow the others.
func (b *body) results() {
	t := b.f.typ.Result()
	if t.Kind() == cc.Void {
		return
	}
	ls, bad := leaves(t)
	if bad != nil {
		b.unsupported(b.f.def.Declarator, "result of type "+t.String(), "return an integer or a struct of integers")
		ls = []leaf{{typ: tInt}}
	}
	for _, f := range ls {
		v := &ir.Var{Name: "result" + f.path, Type: f.typ, Kind: ir.Result}
		if isArray(v) {
			v.Kind = ir.Param
		} else {
			b.proc.Results = append(b.proc.Results, v)
		}
		b.f.results = append(b.f.results, v)
	}
}

func (b *body) params() {
	ps := b.f.typ.Parameters()
	if len(ps) == 1 && ps[0].Type().Kind() == cc.Void {
		return
	}
	for _, p := range ps {
		q := b.param(p)
		b.f.params = append(b.f.params, q)
		b.proc.Params = append(b.proc.Params, q.vars...)
	}
}

func (b *body) param(p *cc.Parameter) *param {
	d, t := p.Declarator, p.Type()
	switch {
	case d == nil:
		return &param{kind: unnamedParam, typ: t}
	case elem(t) != nil && !b.mem.pointers[d] && elem(t).Kind() != cc.Function:
		return b.arrayParam(p, d, t)
	case elem(t) != nil && b.f == b.entry() && !b.mem.pointers[d]: // to a function
		b.mem.notReference(d)
	}
	o := b.declare(d, t, ir.Param)
	kind := scalarParam
	switch {
	case o.refused:
		kind = ignoredParam
	case isRecord(t):
		kind = structParam
	}
	return &param{kind: kind, typ: t, vars: o.vars, obj: o}
}

// arrayParam is a parameter declared as an array or pointer: one that the
// body indexes or passes on. Others, such as argv, may only be passed on.
func (b *body) arrayParam(p *cc.Parameter, d *cc.Declarator, t cc.Type) *param {
	ls, bad := leaves(elem(t))
	if d.ReadCount()+d.WriteCount() == 0 || b.f == b.entry() && (bad != nil || holdsPointers(ls)) {
		b.scope[d] = nil
		return &param{kind: ignoredParam, typ: t}
	}
	if bad != nil || holdsPointers(ls) || b.f == b.entry() && !hasLength(t) {
		b.mem.notReference(d)
		return b.param(p)
	}
	n := 0
	if b.f == b.entry() {
		n = int(t.Undecay().(*cc.ArrayType).Len())
	}
	o := &object{typ: t, key: d, decl: d, ref: true, konst: refersToConst(d)}
	for _, f := range ls {
		o.vars = append(o.vars, &ir.Var{Name: d.Name() + f.path, Type: ir.Array{Elem: f.typ, Len: n}, Kind: ir.Param, Span: b.u.nameSpan(d)})
	}
	b.scope[d] = o
	return &param{kind: arrayParam, typ: t, vars: o.vars, obj: o}
}

func holdsPointers(ls []leaf) bool {
	for _, f := range ls {
		if t, _ := ir.Scalar(f.typ); t == tPtr || f.raw {
			return true
		}
	}
	return false
}

// hasLength reports whether t, of a parameter, is an array of a stated length.
func hasLength(t cc.Type) bool {
	a, ok := t.Undecay().(*cc.ArrayType)
	return ok && a.Len() > 0 && a.Len() <= maxElems
}

// lowerBody lowers f's body.
func (l *loader) lowerBody(f *function) {
	b := f.body
	if f == l.entry() {
		b.beginOutside()
	}
	b.beginActivation()
	b.copyParams()
	for _, p := range f.typ.Parameters() {
		if t := elem(p.Type()); p.Declarator != nil && t != nil {
			b.measure(p.Declarator, t)
		}
	}
	defer b.enter(f.def.CompoundStatement)()
	b.compound(f.def.CompoundStatement)
	if n := len(b.List); n == 0 || !isJump(b.List[n-1]) {
		b.Locate(ir.Span{}, b.endThread)
		b.Locate(ir.Span{}, b.endProgram)
	}
	b.roomForFrees()
	f.proc.Body.List, f.proc.Body.Pos = b.List, b.span(f.def.CompoundStatement)
}

// copyParams makes the procedure's own what is not: the arrays inside struct
// parameters, which ir passes by reference, and what pointers point at, which
// is global.
func (b *body) copyParams() {
	ps := b.f.typ.Parameters()
	for i, p := range b.f.params {
		if p.kind != structParam && p.kind != scalarParam {
			continue
		}
		o := b.scope[ps[i].Declarator]
		taken := b.mem.taken[o.key]
		if taken {
			o = b.objectOf(o.key)
			b.scope[ps[i].Declarator] = o
			b.Locate(p.vars[0].Span, func() { b.beginLocal(o) })
		}
		if taken && o.raw {
			b.copyToBytes(p, o)
			continue
		}
		vars := append([]*ir.Var(nil), o.vars...)
		for j, v := range p.vars {
			if !taken && !isArray(v) {
				continue
			}
			if !taken {
				vars[j] = &ir.Var{Name: v.Name, Type: v.Type, Kind: ir.Local, Span: v.Span}
				b.local(vars[j])
			}
			own := b.whole(o)
			own.vars = vars
			b.Locate(v.Span, func() { b.copyLeaf(v.Span, b.expr(own, j, false), use(v, ir.Span{})) })
		}
		o.vars = vars
	}
}

// copyToBytes emits the copy of the parameter p to the bytes that pointers
// point at.
func (b *body) copyToBytes(p *param, o *object) {
	if o.refused {
		return
	}
	own := place{typ: p.typ, vars: p.vars, path: true}
	own.obj = &object{typ: p.typ, temporary: true}
	at := p.vars[0].Span
	b.Locate(at, func() { b.copySingle(at, b.whole(o), own) })
}

// globalObject returns the variable of static storage that d, named at e,
// declares.
func (b *body) globalObject(e cc.Node, d *cc.Declarator) *object {
	g := b.globals[b.u.symbolOf(d)]
	if g == nil {
		g = b.declareGlobal(b.u, d, nil)
	}
	if !g.defined && !g.refused && g.isErrno() {
		g.defined = true // the library's
	}
	if !g.defined && !g.refused && !g.isStream() {
		b.mem.extern(g)
	}
	return b.makeGlobal(g)
}

// isErrno reports whether g is what <errno.h> declares.
func (g *global) isErrno() bool {
	return g.sym.name == "errno" && g.ofHeader()
}

// errno is the variable, of this thread, if the program looks at it.
func (b *body) errno() (place, bool) {
	g := b.globals[symbol{name: "errno"}]
	if g == nil || !g.isErrno() || b.proc == nil {
		return place{}, false
	}
	o := b.makeGlobal(g)
	return b.whole(o), !o.refused
}

// setErrno gives errno the value of e, if the program looks at it.
func (b *body) setErrno(e cc.ExpressionNode) {
	if p, ok := b.errno(); ok {
		b.write(&p, b.value(e))
	}
}

// forgetErrno makes errno free, if the program looks at it: a call of the
// library may set it.
func (b *body) forgetErrno() {
	if p, ok := b.errno(); ok {
		b.write(&p, b.freeValue(p.scalar()))
	}
}

// makeGlobal makes the variables of g and their initialization.
func (l *loader) makeGlobal(g *global) *object {
	if g.object != nil {
		return g.object
	}
	u, fixed := l.init.u, l.init.Fixed
	l.init.u, l.init.Fixed = g.unit, g.fixed
	g.object = l.init.declare(g.decl, g.decl.Type(), ir.Global)
	g.object.key = g.sym
	if l.perThread(g) {
		defer l.copyForThreads(g)
	}
	if g.init != nil {
		l.init.u = g.initIn
		g.object.konst = g.object.konst || readOnly(g.init.Declarator)
		g.stmts = l.init.Block(func() { l.init.initialize(g.object, g.init, true) }).List
	}
	if g.isStream() {
		g.stmts = l.init.Block(func() { l.init.openStream(g) }).List
	}
	if l.isHeap(g.sym) {
		l.openHeap(g, g.object)
	}
	l.init.u, l.init.Fixed = u, fixed
	return g.object
}

// nameable reports whether g, which nobody uses, is an integer of the program,
// or holds mutexes, and its initialization takes no more than a constant.
func (l *loader) nameable(g *global) bool {
	t := g.decl.Type()
	if !g.defined || g.unit.text.tokenSpan(g.decl.NameTok()).IsZero() || !cc.IsIntegerType(t) && !holdsMutex(t) || l.perThread(g) {
		return false
	}
	if g.init == nil {
		return true
	}
	e := g.init.Initializer.AssignmentExpression
	if e == nil { // in braces
		return lockOf(t) != "" // PTHREAD_MUTEX_INITIALIZER
	}
	switch e.Value().(type) {
	case cc.Int64Value, cc.UInt64Value:
		return true
	}
	return false
}

// addGlobals adds the globals that were used, and the integers that were not,
// which a repair may name, in the order of the text.
func (l *loader) addGlobals() {
	index := map[*unit]int{}
	for i, u := range slices.Concat(l.units, []*unit{l.library, l.values, l.heap}) {
		index[u] = i
	}
	var gs []*global
	for _, g := range l.globals {
		if g.object != nil || l.nameable(g) {
			gs = append(gs, g)
		}
	}
	sort.Slice(gs, func(i, j int) bool {
		a, b := gs[i], gs[j]
		if a.unit != b.unit {
			return index[a.unit] < index[b.unit]
		}
		s, t := a.decl.NameTok(), b.decl.NameTok()
		if s.Seq() == t.Seq() { // errno of the library's headers
			return a.sym.name < b.sym.name
		}
		return s.Seq() < t.Seq()
	})
	for _, g := range gs {
		l.makeGlobal(g)
	}
	own, init := l.prog.Globals, l.init.List // string literals
	l.prog.Globals = nil
	var stmts []ir.Stmt
	for _, g := range gs {
		l.prog.Globals = append(l.prog.Globals, g.object.vars...)
		stmts = append(stmts, g.stmts...)
	}
	l.prog.Globals = append(l.prog.Globals, own...)
	if l.exited != nil {
		l.prog.Globals = append(l.prog.Globals, l.exited)
	}
	if stmts = append(stmts, init...); len(stmts) > 0 {
		l.prog.Init = &ir.Block{List: stmts}
	}
}
