package gofront

// Specifications: entries of programs.

import (
	"context"
	"fmt"
	"go/ast"
	"go/types"
	"strings"

	"github.com/go-amend/amend/ir"
)

// Config says what to lower and how. The zero Config lowers main.
type Config struct {
	// Run selects tests, fuzz targets, and functions without parameters
	// that call spec.Assert by their names, as go test does: regular
	// expressions separated by slashes. A run is about one of those
	// that match. Subtests whose names are no constants are selected
	// whatever they are called.
	Run string

	// Package, unless empty, is the import path of the only package in which
	// Run selects.
	Package string

	// Entry is the function that a run calls if Run is empty: F, T.M, or
	// path.F for a package of the module. Its parameters are inputs. ""
	// means main.
	Entry string

	// Hard reports whether the code of the function called name must not
	// change. Code in _test.go files and outside the main module is
	// always hard.
	Hard func(name string) bool

	// Soft lists the import paths of packages outside the main module whose
	// code may change as if it were part of it.
	Soft []string

	// MaxLen is the largest length of a slice or string that is an input; a
	// run with a longer one is cut. 0 means DefaultMaxLen.
	MaxLen int

	// AllowRaces says that data races are no violations by themselves.
	AllowRaces bool

	// Fits, unless nil, reports whether a program has room for its runs: one
	// for which it says no is lowered anew with more memory, and with room
	// for longer slices, as long as that helps. bmc.Fits is for programs
	// without inputs.
	Fits func(p *ir.Program) bool

	// Observer, unless nil, is told how many functions were lowered so far:
	// the same number may come again, since lowering goes over them several
	// times.
	Observer func(functions int)
}

// DefaultMaxLen is the meaning of a Config.MaxLen of 0.
const DefaultMaxLen = 4

// A Program is a lowered program and what its inputs are in Go.
type Program struct {
	*ir.Program
	Specs []Spec
}

// A Spec is a test, fuzz target or function that the program calls.
type Spec struct {
	Name string
	Span ir.Span // of the name in its declaration
	Dir  string  // of its package
	Fuzz bool
	Args []Arg // of a fuzz target

	// Known are the names of the known inputs of a fuzz target that have
	// runs of their own since they are not among the inputs: as go test has
	// them, seed#0 for the first call of f.Add, and files of the corpus.
	Known []string

	added  int // calls of f.Add
	seeds  *seeds
	params []*types.Var // of a function that is no test
	names  []string     // of the inputs for them
}

// An Arg is an argument of a fuzz target.
type Arg struct {
	Name string
	Type types.Type
	vars []*ir.Var
}

// Lower makes the program that cfg asks for. The result is numbered and
// well-formed.
//
// The error joins everything that is wrong: an *ir.Error, or an
// *ir.UnsupportedError for each kind of construct outside the subset in code
// that the entry reaches, at its first place. As soon as there is one, code of
// libraries is not looked at any further.
func (ps *Packages) Lower(cfg Config) (*Program, error) {
	return ps.LowerContext(context.Background(), cfg)
}

// LowerContext is Lower until ctx ends; then the error is ctx's cause.
func (ps *Packages) LowerContext(ctx context.Context, cfg Config) (p *Program, err error) {
	defer func() {
		if r := recover(); r != nil { // better no program than no process
			p, err = nil, ir.Panicked("gofront", r)
		}
	}()
	if cfg.MaxLen <= 0 {
		cfg.MaxLen = DefaultMaxLen
	}
	targets, err := ps.targets(cfg)
	if err != nil {
		return nil, err
	}
	var specs []Spec
	run, err := compilePattern(cfg.Run)
	if err != nil {
		return nil, err
	}
	build := func(l *lowerer) {
		l.run = run
		specs = l.program(targets)
	}
	for room := max(ps.room, 1); ; room *= 2 {
		q, err := lower(ctx, ps, cfg, room, build)
		if err != nil {
			return nil, err
		}
		ps.roomFor = room
		if cfg.Fits == nil || room >= maxRoom || cfg.Fits(q) {
			return &Program{Program: q, Specs: specs}, nil
		}
	}
}

// maxRoom is how many times more memory a program may get than is estimated.
const maxRoom = 32

// A target is a function to call.
type target struct {
	p    *pkg
	decl *ast.FuncDecl
}

func (ps *Packages) function(name string) ([]target, error) {
	for _, p := range ps.roots {
		if d := p.declOf(name); d != nil {
			return []target{{p, d}}, nil
		}
	}
	if i := strings.LastIndexByte(name, '/'); strings.Contains(name[i+1:], ".") {
		j := i + 1 + strings.IndexByte(name[i+1:], '.')
		if p := ps.source(name[:j]); p != nil {
			if d := p.declOf(name[j+1:]); d != nil {
				return []target{{p, d}}, nil
			}
		}
	}
	return nil, &ir.Error{Msg: "no function " + name}
}

// program lowers the entry that calls targets.
func (l *lowerer) program(targets []target) []Spec {
	e := &instance{key: "entry", fn: &function{p: targets[0].p, env: env{}}}
	e.proc = &ir.Proc{Name: "entry", Body: &ir.Block{}, Hard: true}
	e.body = l.newBody(targets[0].p, e)
	e.body.Fixed = 1
	l.entry = e
	l.list = append(l.list, e)
	l.prog.Entry = e.proc
	b := e.body
	if len(targets) == 1 {
		e.proc.Name = targets[0].decl.Name.Name + ".inputs"
	}
	var specs []Spec
	b.Locate(ir.Span{}, func() {
		specs = b.runTargets(targets)
	})
	l.drain()
	l.unmentioned()
	calls := b.List
	b.List = nil
	inits := l.initializers()
	b.Locate(ir.Span{}, func() {
		for _, s := range l.literalData() {
			b.Set(s.(*ir.Assign).LHS, s.(*ir.Assign).RHS)
		}
		for _, r := range l.regionList {
			if r.top != nil {
				b.Set(use(r.top), r.start)
			}
		}
		for _, p := range inits {
			c := &ir.Call{Proc: p}
			b.Derive(&c.StmtInfo)
			b.Emit(c)
		}
	})
	e.proc.Body.List = append(append(b.List, l.preparations...), calls...)
	return specs
}

// runTarget calls t, whose parameters become inputs.
func (b *body) runTarget(t target) Spec {
	sig := t.p.info.Defs[t.decl.Name].(*types.Func)
	spec := Spec{Name: t.decl.Name.Name, Span: b.spanOf(t.p, t.decl.Name.Pos(), t.decl.Name.End())}
	if t.p.meta != nil {
		spec.Dir = t.p.meta.Dir
	}
	b.lowerer.spec = &spec
	f := &function{p: t.p, decl: t.decl, name: t.decl.Name.Name, key: t.p.path + "." + funcKey(sig), env: env{}, top: true}
	if t.decl.Recv != nil {
		f.name = recvName(sig.Signature().Recv().Type()) + "." + f.name
	}
	if sig.Signature().TypeParams() != nil || sig.Signature().RecvTypeParams() != nil {
		b.fail(&ir.UnsupportedError{Span: spec.Span, Construct: "generic entry", Hint: "call an instance from a function"})
		return spec
	}
	params, _, _ := f.signature()
	var args []value
	for i, v := range params {
		name := v.Name()
		if name == "" || name == "_" {
			name = fmt.Sprintf("arg%d", i)
		}
		b.inputAt = b.where(t.p, v.Pos(), v.Pos()+tokenLen(v.Name()))
		spec.params, spec.names = append(spec.params, v), append(spec.names, name)
		args = append(args, b.input(name, v.Type(), i == 0 && t.decl.Recv != nil, nil))
	}
	b.emitCall(t, f, args)
	b.drain()
	spec.seeds.finish()
	return spec
}

// emitCall calls t. What it returns becomes the entry's results, but for
// addresses.
func (b *body) emitCall(t target, f *function, args []value) {
	outer := b.p
	b.p = t.p
	vs := b.callFunction(t.decl.Name, f, args)
	b.p = outer
	for k, v := range vs {
		for i := range v.lay.leaves {
			l := &v.lay.leaves[i]
			if l.target != "" || len(l.dims) > 0 || l.typ == tFunc {
				continue
			}
			r := &ir.Var{Name: fmt.Sprintf("result%d%s", k, l.path), Kind: ir.Result, Type: l.typ}
			b.proc.Results = append(b.proc.Results, r)
			b.Set(use(r), v.read(i))
		}
	}
}

// Functions returns the functions without receiver and type parameters that
// the packages declare, in the order of their text.
func (ps *Packages) Functions() []*types.Func {
	var out []*types.Func
	for _, p := range ps.roots {
		for _, f := range p.files {
			for _, d := range f.Decls {
				if d, ok := d.(*ast.FuncDecl); ok && d.Recv == nil && d.Type.TypeParams == nil {
					if o, ok := p.info.Defs[d.Name].(*types.Func); ok {
						out = append(out, o)
					}
				}
			}
		}
	}
	return out
}

// input makes parameters of the entry for a value of type t. record is told
// the variables, if it isn't nil.
func (b *body) input(name string, t types.Type, receiver bool, record func(*ir.Var)) value {
	lay := b.layoutOf(t)
	e := b.lowerer.entry
	if record == nil {
		record = func(*ir.Var) {}
	}
	param := func(suffix string, it ir.Type) *ir.Var {
		v := &ir.Var{Name: name + suffix, Type: it, Kind: ir.Param}
		e.proc.Params = append(e.proc.Params, v)
		record(v)
		return v
	}
	switch u := t.Underlying().(type) {
	case *types.Slice:
		return b.inputSlice(name, param, t, u.Elem(), record)
	case *types.Basic:
		if u.Info()&types.IsString != 0 {
			return b.inputSlice(name, param, t, types.Typ[types.Byte], record)
		}
	case *types.Pointer:
		return b.inputPointer(name, t, u.Elem(), receiver)
	case *types.Struct:
		v := b.zero(t)
		for i := range u.NumFields() {
			from, to, _ := b.fieldRange(u, i)
			w := b.input(name+"."+u.Field(i).Name(), u.Field(i).Type(), false, record)
			copy(v.x[from:to], w.x)
			copy(v.regs[from:to], w.regs)
		}
		return v
	case *types.Interface, *types.Signature:
		b.fail(&ir.UnsupportedError{Span: b.inputAt, Construct: "parameter " + name + " of type " + t.String(), Hint: "call it from a function with concrete arguments"})
		return b.zero(t)
	}
	b.refuse(lay, b.inputAt)
	v := value{typ: t, lay: lay}
	for i := range lay.leaves {
		f := &lay.leaves[i]
		if f.target != "" {
			b.fail(&ir.UnsupportedError{Span: b.inputAt, Construct: "parameter " + name + " of type " + t.String(), Hint: "use slices of integers"})
		}
		v.x = append(v.x, use(param(f.path, f.varType())))
		v.regs = append(v.regs, nil)
	}
	return v
}

var tLen = ir.Int{Width: 16}

// inputSlice is a slice or string of up to MaxLen elements.
func (b *body) inputSlice(name string, param func(string, ir.Type) *ir.Var, t, elem types.Type, record func(*ir.Var)) value {
	lay := b.layoutOf(elem)
	n := b.cfg.MaxLen
	r := b.region(b.varKey(nil))
	at := num(tAddr, int64(r.reserve(max(n*lay.size, 1))))
	length := param(".len", tLen)
	b.cutWhen(&ir.Binary{Op: ir.Gt, X: use(length), Y: num(tLen, int64(n))})
	size := convert(use(length), tInt)
	v := b.sliceOf(t, r, at, size, ir.CloneExpr(size))
	if pointers(lay) {
		b.inputElements(v, name, elem, n, length, record)
		return b.snapshot(v)
	}
	for i := range lay.leaves {
		f := &lay.leaves[i]
		x := param(f.path, ir.Array{Elem: f.varType(), Len: n})
		src := value{typ: t, lay: &layout{leaves: []leaf{*f}}, x: []ir.Expr{use(x)}}
		for k := range n {
			given := b.Block(func() {
				each(f.dims, func(idx []int) {
					to := b.raw(v, num(tInt, int64(k)), elem)
					b.Set(to.elem(i, idx), src.elem(0, append([]int{k}, idx...)))
				})
			})
			b.branch(&ir.Binary{Op: ir.Lt, X: num(tLen, int64(k)), Y: use(length)}, given, nil)
		}
	}
	return b.snapshot(v)
}

// inputElements makes the elements of v one by one: name[0], name[1], …
func (b *body) inputElements(v value, name string, elem types.Type, n int, length *ir.Var, record func(*ir.Var)) {
	if strings.Count(name, "[") >= maxInputDepth {
		b.fail(&ir.UnsupportedError{Span: b.inputAt, Construct: "input of recursive type " + elem.String(), Hint: "build it in a function with simpler parameters"})
		return
	}
	for k := range n {
		given := b.Block(func() {
			b.storeOver(b.raw(v, num(tInt, int64(k)), elem), b.input(fmt.Sprintf("%s[%d]", name, k), elem, false, record))
		})
		b.branch(&ir.Binary{Op: ir.Lt, X: num(tLen, int64(k)), Y: use(length)}, given, nil)
	}
}

// maxInputDepth is how deep pointers in an input may lie.
const maxInputDepth = 4

// inputPointer is nil or points to a new object; a receiver is never nil.
func (b *body) inputPointer(name string, t, elem types.Type, receiver bool) value {
	if isTesting(t) {
		return b.zero(t)
	}
	if strings.Count(name, ".") > maxInputDepth {
		b.fail(&ir.UnsupportedError{Span: b.inputAt, Construct: "input of recursive type " + t.String(), Hint: "build it in a function with simpler parameters"})
		return b.zero(t)
	}
	lay := b.layoutOf(elem)
	r := b.region(b.varKey(nil))
	at := ir.Expr(num(tAddr, int64(r.reserve(max(lay.size, 1)))))
	place := value{typ: elem, lay: lay, mem: r, addr: at, held: true}
	b.storeOver(place, b.input(name, elem, false, nil))
	if !receiver {
		nilVar := &ir.Var{Name: name + ".nil", Type: tBool, Kind: ir.Param}
		b.lowerer.entry.proc.Params = append(b.lowerer.entry.proc.Params, nilVar)
		at = b.Save("p", &ir.Cond{C: use(nilVar), X: num(tAddr, 0), Y: at})
	}
	return value{typ: t, lay: b.layoutOf(t), x: []ir.Expr{at}, regs: []*region{r}}
}

// isTesting reports whether t is *testing.T or a kin of it.
func isTesting(t types.Type) bool {
	p, ok := types.Unalias(t).(*types.Pointer)
	if !ok {
		return false
	}
	n, ok := types.Unalias(p.Elem()).(*types.Named)
	return ok && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == "testing"
}

// entryInput makes inputs of the entry that another procedure reads: they
// pass through global variables.
func (b *body) entryInput(name string, t types.Type, record func(*ir.Var)) value {
	e := b.lowerer.entry.body
	var v value
	outer := e.List
	e.List = nil
	e.Locate(ir.Span{}, func() {
		v = e.input(name, t, false, record)
		v = e.globalCopy(name, v)
	})
	b.lowerer.preparations = append(b.lowerer.preparations, e.List...)
	e.List = outer
	return v
}

// globalCopy stores v in global variables and returns these.
func (b *body) globalCopy(name string, v value) value {
	w := value{typ: v.typ, lay: v.lay, held: true}
	for i := range v.lay.leaves {
		f := &v.lay.leaves[i]
		g := &ir.Var{Name: "input." + name + f.path, Kind: ir.Global, Type: f.varType()}
		b.prog.Globals = append(b.prog.Globals, g)
		w.x = append(w.x, use(g))
		w.regs = append(w.regs, v.region(i))
		each(f.dims, func(idx []int) { b.Set(w.elem(i, idx), v.elem(i, idx)) })
	}
	return w
}

// anyValue lowers spec.Any[T]().
func (b *body) anyValue(e *ast.CallExpr) value {
	t := b.typ(e)
	return b.free(e, t)
}

// free makes a free value of type t, here.
func (b *body) free(n ast.Node, t types.Type) value {
	lay := b.layoutOf(t)
	b.refuse(lay, b.span(n))
	v := value{typ: t, lay: lay}
	for i := range lay.leaves {
		f := &lay.leaves[i]
		if f.target != "" || f.typ == tFunc {
			b.unsupported(n, "free value of type "+t.String(), "use integers, and arrays and structs of them")
			return b.zero(t)
		}
		x := b.Temp("any", f.varType())
		h := &ir.Havoc{LHS: use(x)}
		b.Derive(&h.StmtInfo)
		h.Pos = b.span(n)
		b.Emit(h)
		v.x = append(v.x, use(x))
		v.regs = append(v.regs, nil)
	}
	return v
}

func pointers(lay *layout) bool {
	for _, f := range lay.leaves {
		if f.target != "" {
			return true
		}
	}
	return false
}
