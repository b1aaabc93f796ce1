package gofront

// The state of one lowering: procedures, globals, errors.

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"sort"
	"strings"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/build"
)

// A lowerer holds the state of one attempt at lowering.
type lowerer struct {
	ps           *Packages
	cfg          Config
	room         int // times the memory that is estimated
	ctx          context.Context
	lowered      int                        // functions
	variants     map[string]map[string]bool // by key of a function: static arguments of its instances
	classes      *classes
	known        *knowledge
	regions      map[string]*region
	regionList   []*region
	layouts      map[types.Type]*layout
	instances    map[string]*instance
	list         []*instance
	queue        []*instance
	library      []*ir.Proc
	libs         map[string]*ir.Proc
	globals      map[string]*global
	inits        []*global
	effects      []*effect
	prog         *ir.Program
	tokens       *ir.Var // counts opaque values
	clock        *ir.Var // nanoseconds, of package time
	wraps        *ir.Var // by token: the error that it wraps
	unwraps      []ir.Span
	typeIDs      map[string]int
	kept         []types.Type // by number
	opaques      []types.Type // of values of which no more than that is kept
	nameless     bool         // there are errors without a text
	demands      []demand
	blanks       map[string]int           // by type: the address of its zero value, among boxed ones
	slotTypes    map[string]*types.Struct // of maps, by type
	panicking    *panicState              // of the panic that functions leave for
	deferring    *panicState              // of the one that a deferred call may recover from
	panicPlaces  []panicPlace
	lost         []types.Type // of values in interface values that are not known
	growings     []*growing
	funcs        []funcOf       // that function values may be, by number
	funcIDs      map[string]int // from 1, by key
	run          pattern
	subtests     bool          // there are some
	skips        []skipping    // calls of t.Skip in functions that tests call
	numbers      build.Counter // of locations
	siteIDs      map[ast.Node]ir.SiteID
	anonymous    int
	strings      map[string]value
	errs         []error
	seen         map[string]bool
	origin       origin // of the code that is being lowered
	entry        *instance
	lits         map[*ast.FuncLit]int
	spec         *Spec
	inputAt      ir.Span   // of the parameter that becomes an input
	preparations []ir.Stmt // of inputs, before the targets are called
}

// knowledge is what one attempt at lowering tells the next.
type knowledge struct {
	longest  int                   // length that library loops must reach
	results  map[string]types.Type // dynamic types of interface results, by instance and index
	boxed    []types.Type          // of values kept in interface values
	kept     map[string]bool       // types that take memory of which values are kept there
	deep     bool                  // some of them are compared
	texts    bool                  // errors have their text
	recovers bool                  // recover is called
	threaded bool                  // there are goroutines or channels
	chans    map[string]*chanKind  // by type of elements
	changed  bool
}

// loopWeight is how often a loop is taken to allocate.
const loopWeight = 4

// maxWeight limits how often a function is taken to be called.
const maxWeight = 32

// An instance is a function to be lowered, for certain type arguments and
// static arguments.
type instance struct {
	key     string
	statics string    // the key without regions
	from    *instance // whose call made it
	fn      *function
	proc    *ir.Proc
	params  []param
	results []result
	body    *body
	weight  int    // an estimate of how often it is called
	origin  origin // of a function of a library
	callers []call
	mode    mode
}

type call struct {
	from  *instance
	loops int
}

// A global is a package variable.
type global struct {
	*variable
	p    *pkg
	obj  *types.Var
	init *types.Initializer
	rank int
	done bool

	origin origin // of a variable of a library
}

const maxAttempts = 40

// lower runs attempts until regions are settled.
func lower(ctx context.Context, ps *Packages, cfg Config, room int, build func(l *lowerer)) (*ir.Program, error) {
	cl := newClasses()
	known := &knowledge{longest: max(2*cfg.MaxLen*room, ps.longest), results: map[string]types.Type{}, chans: map[string]*chanKind{}, kept: map[string]bool{}}
	for range maxAttempts {
		l := &lowerer{
			ps: ps, cfg: cfg, room: room, ctx: ctx, variants: map[string]map[string]bool{}, classes: cl, known: known,
			regions: map[string]*region{}, layouts: map[types.Type]*layout{}, instances: map[string]*instance{},
			libs: map[string]*ir.Proc{}, globals: map[string]*global{}, strings: map[string]value{},
			prog: &ir.Program{Syntax: syntax{}}, siteIDs: map[ast.Node]ir.SiteID{}, seen: map[string]bool{}, typeIDs: map[string]int{}, blanks: map[string]int{}, slotTypes: map[string]*types.Struct{}, panicking: newPanicState("panicking"), deferring: newPanicState("deferring"), funcIDs: map[string]int{},
		}
		l.prog.Checks = ir.Checks(0).With(ir.CheckBounds, ir.CheckDiv)
		cl.merged, known.changed = false, false
		threaded := known.threaded
		if known.threaded {
			l.prog.Checks = l.prog.Checks.With(ir.CheckDeadlock)
			if !cfg.AllowRaces {
				l.prog.Checks = l.prog.Checks.With(ir.CheckRace)
			}
		}
		build(l)
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		l.endGrowth()
		l.settleDemands()
		l.checkUnwraps()
		l.checkSkips()
		l.checkChans()
		if err := l.err(); err != nil && known.threaded == threaded {
			return nil, err
		}
		if !cl.merged && !known.changed {
			ps.reached = known.longest
			return l.finish()
		}
	}
	return nil, ir.Internalf("gofront", "lowering does not settle")
}

// finish makes the program.
func (l *lowerer) finish() (*ir.Program, error) {
	l.weigh()
	l.sortGlobals()
	names := map[string]int{}
	for _, r := range l.regionList {
		r.finish()
		if l.known.threaded {
			r.rename(names)
		}
		l.prog.Globals = append(l.prog.Globals, r.order...)
		if r.top != nil {
			l.prog.Globals = append(l.prog.Globals, r.top)
		}
	}
	for _, v := range []*ir.Var{l.tokens, l.clock, l.wraps} {
		if v != nil {
			l.prog.Globals = append(l.prog.Globals, v)
		}
	}
	if len(l.panicPlaces) > 0 || l.known.recovers {
		l.prog.Globals = append(append(l.prog.Globals, l.panicking.vars()...), l.deferring.vars()...)
	}
	clear(names)
	for _, i := range l.list {
		if names[i.proc.Name]++; names[i.proc.Name] > 1 {
			i.proc.Name = fmt.Sprintf("%s.%d", i.proc.Name, names[i.proc.Name])
		}
		l.prog.Procs = append(l.prog.Procs, i.proc)
	}
	l.prog.Procs = append(l.prog.Procs, l.library...)
	l.files()
	l.prog.Number()
	if err := ir.Check(l.prog); err != nil {
		return nil, &ir.InternalError{In: "gofront", Err: err}
	}
	return l.prog, nil
}

// weigh estimates how often each instance is called.
func (l *lowerer) weigh() {
	for _, i := range l.list {
		i.weight = 1
	}
	for range 6 {
		for _, i := range l.list {
			w := 0
			for _, c := range i.callers {
				n := c.from.weight
				for range c.loops {
					n *= loopWeight
				}
				w = min(w+n, maxWeight)
			}
			i.weight = max(w, 1)
		}
	}
}

// files lists the files of the roots, and those that hold what was lowered.
func (l *lowerer) files() {
	used := map[*ir.File]bool{}
	add := func(p *pkg) {
		var names []string
		for n := range p.sources {
			names = append(names, n)
		}
		sort.Strings(names)
		for _, n := range names {
			if f := p.sources[n].file; !used[f] && (p.root || l.mentions(n)) {
				used[f] = true
				l.prog.Files = append(l.prog.Files, f)
			}
		}
	}
	for _, p := range l.ps.roots {
		add(p)
	}
	var paths []string
	for path, p := range l.ps.loaded {
		if p != nil && !p.root && path != modelPath {
			paths = append(paths, path)
		}
	}
	sort.Strings(paths)
	for _, path := range paths {
		add(l.ps.loaded[path])
	}
}

// mentions reports whether some procedure comes from the file.
func (l *lowerer) mentions(file string) bool {
	return slices.ContainsFunc(l.list, func(i *instance) bool { return i.proc.Span.File == file })
}

// An origin is what, in code that is analyzed, leads to the text of a library:
// the call of a function, or the use of a variable.
type origin struct {
	span ir.Span
	what string
}

// called returns err, if that is about the text of a library, as one about
// the call that leads there.
func (l *lowerer) called(err error) error {
	u, ok := err.(*ir.UnsupportedError)
	if !ok || l.origin.span.IsZero() {
		return err
	}
	for _, p := range l.ps.loaded {
		if p != nil && (p.root || l.inModule(p)) && p.sources[u.Span.File] != nil {
			return err
		}
	}
	return &ir.UnsupportedError{Span: l.origin.span, Construct: l.origin.what + ", which needs: " + u.Construct, Hint: u.Hint}
}

// fail records an error once.
func (l *lowerer) fail(err error) {
	err = l.called(err)
	if u, ok := err.(*ir.UnsupportedError); ok && l.origin.span == u.Span && !u.Span.IsZero() { // one for each call
		if key := fmt.Sprint("call ", u.Span); l.seen[key] {
			return
		} else {
			l.seen[key] = true
		}
	}
	if !l.seen[err.Error()] {
		l.seen[err.Error()] = true
		l.errs = append(l.errs, err)
	}
}

// err joins what was recorded, in the order of the files' text.
func (l *lowerer) err() error {
	sort.SliceStable(l.errs, func(i, j int) bool {
		a, b := errorSpan(l.errs[i]), errorSpan(l.errs[j])
		switch {
		case a.File != b.File:
			return a.File < b.File
		case a.Line != b.Line:
			return a.Line < b.Line
		}
		return a.Col < b.Col
	})
	return errors.Join(counted(l.errs)...)
}

// counted returns errs with each unsupported construct once, at its first
// place, with the number of the others.
func counted(errs []error) []error {
	var out []error
	first := map[string]*ir.UnsupportedError{}
	more := map[string]int{}
	for _, err := range errs {
		u, ok := err.(*ir.UnsupportedError)
		if ok && first[u.Construct] != nil {
			more[u.Construct]++
			continue
		}
		if ok {
			u = &ir.UnsupportedError{Span: u.Span, Construct: u.Construct, Hint: u.Hint}
			first[u.Construct], err = u, u
		}
		out = append(out, err)
	}
	for what, n := range more {
		first[what].Construct += fmt.Sprintf(" (and %s)", places(n))
	}
	return out
}

func places(n int) string {
	if n == 1 {
		return "in 1 more place"
	}
	return fmt.Sprintf("in %d more places", n)
}

func errorSpan(err error) ir.Span {
	switch err := err.(type) {
	case *ir.Error:
		return err.Span
	case *ir.UnsupportedError:
		return err.Span
	}
	return ir.Span{}
}

// spanOf returns the text from pos to end in p's file.
func (l *lowerer) spanOf(p *pkg, pos, end token.Pos) ir.Span { return l.ps.spanOf(p, pos, end) }

func (ps *Packages) spanOf(p *pkg, pos, end token.Pos) ir.Span {
	if !pos.IsValid() || !end.IsValid() {
		return ir.Span{}
	}
	a, z := ps.fset.PositionFor(pos, false), ps.fset.PositionFor(end, false)
	name, ok := p.names[a.Filename]
	if !ok {
		name = a.Filename
	}
	return ir.Span{File: name, Start: a.Offset, End: z.Offset, Line: a.Line, Col: a.Column}
}

// where is spanOf for errors.
func (l *lowerer) where(p *pkg, pos, end token.Pos) ir.Span { return l.spanOf(p, pos, end) }

// hard reports whether the text of function name at pos in p must not change.
func (l *lowerer) hard(p *pkg, pos token.Pos, name string) bool {
	if !p.root && !l.inModule(p) {
		return true
	}
	if l.inTest(p, pos) {
		return true
	}
	return l.cfg.Hard != nil && l.cfg.Hard(name)
}

// inModule reports whether p belongs to the module of a root.
func (l *lowerer) inModule(p *pkg) bool {
	m := p.meta
	if slices.Contains(l.cfg.Soft, p.path) {
		return true
	}
	return m != nil && m.Module != nil && m.Module.Main
}

// global returns the package variable v.
func (b *body) global(n ast.Node, v *types.Var) *variable {
	key := v.Pkg().Path() + "." + v.Name()
	if g := b.globals[key]; g != nil {
		return g.variable
	}
	p := b.ps.source(v.Pkg().Path())
	if p == nil || p.types == nil {
		b.unsupported(n, "variable of package "+v.Pkg().Path(), "its source is not there")
		return nil
	}
	own, ok := p.types.Scope().Lookup(v.Name()).(*types.Var)
	if !ok {
		b.unsupported(n, "variable "+v.Name(), "")
		return nil
	}
	g := b.lowerer.declareGlobal(p, own, key)
	if g.origin = b.origin; b.lib(p) && g.origin.span.IsZero() {
		g.origin = origin{b.span(n), "use of " + v.Pkg().Name() + "." + v.Name()}
	}
	return g.variable
}

func (l *lowerer) declareGlobal(p *pkg, v *types.Var, key string) *global {
	g := &global{p: p, obj: v, variable: &variable{}, rank: len(p.info.InitOrder)}
	l.globals[key] = g
	l.inits = append(l.inits, g)
	for i, in := range p.info.InitOrder {
		if slices.Contains(in.Lhs, v) {
			g.init, g.rank = in, i
		}
	}
	span := l.spanOf(p, v.Pos(), v.Pos()+token.Pos(len(v.Name())))
	lay := l.layoutOf(v.Type())
	l.refuse(lay, span)
	g.value = value{typ: v.Type(), lay: lay, held: true}
	if p.factsOf().address[v] {
		g.mem = l.region("global " + key)
		g.addr = num(tAddr, int64(g.mem.reserve(max(lay.size, 1))))
		g.mem.names[len(g.mem.names)-1] = v.Name()
		return g
	}
	for i := range lay.leaves {
		f := &lay.leaves[i]
		x := &ir.Var{Name: v.Name() + f.path, Type: f.varType(), Kind: ir.Global, Span: span, Address: f.target != ""}
		l.prog.Globals = append(l.prog.Globals, x)
		g.x = append(g.x, use(x))
		g.regs = append(g.regs, l.leafRegion("global "+key, f))
	}
	return g
}

// initializers makes the procedures that initialize package variables, one a
// package, and returns them in order. Only variables that are used count, and
// what may change these.
func (l *lowerer) initializers() []*ir.Proc {
	procs := map[*pkg]*initializer{}
	var order []*pkg
	of := func(p *pkg) *initializer {
		if procs[p] == nil {
			procs[p] = l.newInitializer(p)
			order = append(order, p)
		}
		return procs[p]
	}
	for i := 0; i < len(l.inits) || l.perform(of); { // both grow
		if i == len(l.inits) {
			continue
		}
		g := l.inits[i]
		i++
		if len(l.errs) > 0 && l.lib(g.p) {
			continue // see drain
		}
		in := of(g.p)
		l.origin = g.origin
		in.add(l, g)
		l.origin = origin{}
		l.drain()
	}
	sort.SliceStable(order, func(i, j int) bool { return dependsOn(order[j], order[i]) })
	var out []*ir.Proc
	for _, p := range order {
		out = append(out, procs[p].finish())
	}
	return out
}

// dependsOn reports whether p imports q, directly or not.
func dependsOn(p, q *pkg) bool {
	if p == q || p.types == nil || q.types == nil {
		return false
	}
	seen := map[string]bool{}
	var reach func(t *types.Package) bool
	reach = func(t *types.Package) bool {
		if t.Path() == q.path {
			return true
		}
		if seen[t.Path()] {
			return false
		}
		seen[t.Path()] = true
		return slices.ContainsFunc(t.Imports(), reach)
	}
	return slices.ContainsFunc(p.types.Imports(), reach)
}

// An initializer is the procedure for a package's variables.
type initializer struct {
	inst  *instance
	parts []initPart
}

type initPart struct {
	rank  int
	stmts []ir.Stmt
}

func (l *lowerer) newInitializer(p *pkg) *initializer {
	inst := &instance{key: "init " + p.path, fn: &function{p: p}}
	inst.proc = &ir.Proc{Name: "init." + p.path[strings.LastIndexByte(p.path, '/')+1:], Body: &ir.Block{}, Hard: l.hard(p, p.files[0].Pos(), "init")}
	inst.callers = []call{{from: l.entry}}
	inst.body = l.newBody(p, inst)
	if inst.proc.Hard {
		inst.body.Fixed = 1
	}
	l.list = append(l.list, inst)
	return &initializer{inst: inst}
}

func (in *initializer) add(l *lowerer, g *global) {
	if g.init == nil || g.done {
		return
	}
	b := in.inst.body
	for _, v := range g.init.Lhs {
		if o := l.globals[v.Pkg().Path()+"."+v.Name()]; o != nil {
			o.done = true
		}
	}
	stmts := b.Block(func() { b.initGlobal(g.init) })
	in.parts = append(in.parts, initPart{g.rank, stmts.List})
}

func (b *body) initGlobal(in *types.Initializer) {
	span := b.span(in.Rhs)
	b.Locate(span, func() {
		if len(in.Lhs) == 1 {
			v := in.Lhs[0]
			if v.Name() == "_" {
				return
			}
			b.initialize(span, b.lookup(in.Rhs, v), v.Type(), in.Rhs)
			return
		}
		vs := b.results(in.Rhs)
		for i, v := range in.Lhs {
			if v.Name() != "_" && i < len(vs) {
				b.store(span, b.lookup(in.Rhs, v).value, b.convertTo(in.Rhs, vs[i], v.Type()))
			}
		}
	})
}

func (in *initializer) finish() *ir.Proc {
	sort.SliceStable(in.parts, func(i, j int) bool { return in.parts[i].rank < in.parts[j].rank })
	for _, p := range in.parts {
		in.inst.proc.Body.List = append(in.inst.proc.Body.List, p.stmts...)
	}
	return in.inst.proc
}

// drain lowers the bodies of all instances that wait for it. Once something
// is not supported those of libraries are left out: the answer is known, but
// for what else the analyzed code says that is not.
func (l *lowerer) drain() {
	l.lowerQueue()
	for l.grow() {
		l.lowerQueue()
	}
}

func (l *lowerer) lowerQueue() {
	for len(l.queue) > 0 {
		i := l.queue[0]
		l.queue = l.queue[1:]
		if l.ctx.Err() != nil || len(l.errs) > 0 && l.isLibrary(i.fn) {
			continue
		}
		if l.lowered++; l.cfg.Observer != nil {
			l.cfg.Observer(l.lowered)
		}
		l.origin = i.origin
		i.body.lowerBody()
		l.origin = origin{}
	}
}
