package sequentialize

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/interp"
)

// A Map leads from the program that replays a run back to its original.
type Map struct{ origin []ir.LocID }

// Origin returns the location of the original that statement l stands for,
// or 0 for what only replays.
func (m *Map) Origin(l ir.LocID) ir.LocID {
	if int(l) >= len(m.origin) {
		return 0
	}
	return m.origin[l]
}

// Replay returns the sequential program of one run of p, which t records:
// one that ended, or violated something. It does what the threads did, in
// that order, and ends in the same way: the framework of Alves, Cordeiro and
// de Lima Filho (section 3.4), but without their switches, since loops are
// unrolled and calls inlined as the run has them. What the run read as input
// is constant; conditions that it tested are assumptions. A deadlock is an
// assertion that what threads wait for holds.
//
// The program has been run on package interp before it is returned.
func Replay(ctx context.Context, p *ir.Program, t *interp.Trace) (*ir.Program, *Map, error) {
	if t.Outcome != interp.Ended && t.Outcome != interp.Violated {
		return nil, nil, fmt.Errorf("sequentialize: a run that is %v can't be replayed as a program", t.Outcome)
	}
	r := newReplayer(p, t)
	if err := r.replay(); err != nil {
		return nil, nil, err
	}
	m := r.finish()
	if err := ir.Check(r.out); err != nil {
		return nil, nil, ir.Internalf("sequentialize", "the program of a run is not well-formed: %w", err)
	}
	x, err := interp.Run(ctx, r.out, interp.Config{Unwind: -1, MaxSteps: -1})
	if err != nil {
		return nil, nil, err
	}
	if x.Outcome != t.Outcome || x.Kind != t.Kind {
		return nil, nil, ir.Internalf("sequentialize", "the program of a run is %v (%v), the run was %v (%v)", x.Outcome, x.Kind, t.Outcome, t.Kind)
	}
	return r.out, m, nil
}

// A stmtCopy names a copy of a statement.
type stmtCopy struct {
	at   ir.LocID
	path ir.Path
}

// A replayer makes the program of one run. It lets each thread go its way
// alone, as the run's record says, cuts what it does into segments where its
// events are, and then puts the segments in the order of the events.
type replayer struct {
	p       *ir.Program
	t       *interp.Trace
	out     *ir.Program
	main    *ir.Proc
	tested  map[stmtCopy]uint64 // values of conditions, and numbers of threads
	inputs  map[ir.Choice]uint64
	paths   map[ir.Path]int // threads that did something
	threads map[int]*threadReplayer
	order   []*threadReplayer
	origins map[ir.Stmt]ir.LocID
	located map[ir.LocID]bool
	globals map[*ir.Var]*ir.Var
	shared  map[*ir.Var]bool // globals of the program
	names   map[string]bool
	temps   int
}

func newReplayer(p *ir.Program, t *interp.Trace) *replayer {
	r := &replayer{
		p: p, t: t, main: &ir.Proc{Name: p.Entry.Name, Body: &ir.Block{}},
		tested: make(map[stmtCopy]uint64), inputs: make(map[ir.Choice]uint64), paths: make(map[ir.Path]int),
		threads: make(map[int]*threadReplayer), origins: make(map[ir.Stmt]ir.LocID),
		located: make(map[ir.LocID]bool), globals: make(map[*ir.Var]*ir.Var), names: make(map[string]bool), shared: make(map[*ir.Var]bool),
	}
	r.out = &ir.Program{Files: p.Files, Checks: p.Checks, Entry: r.main, Procs: []*ir.Proc{r.main}}
	for _, s := range t.Steps {
		r.tested[stmtCopy{s.At, s.Path}] = s.Value
	}
	for _, in := range t.Inputs {
		r.inputs[in.Choice] = in.Value
	}
	for _, e := range t.Events {
		if e.Stmt == nil && e.Thread != 0 {
			r.paths[e.Path] = e.Thread
		}
	}
	shared := ir.Shared(p)
	for _, v := range p.Globals {
		g := &ir.Var{Name: v.Name, Type: v.Type, Kind: ir.Global, Span: v.Span}
		r.out.Globals, r.globals[v], r.names[v.Name] = append(r.out.Globals, g), g, true
		r.shared[g] = shared[v.ID]
	}
	return r
}

func (r *replayer) replay() error {
	main := r.thread(0, "")
	main.segments = [][]ir.Stmt{nil}
	main.follow(func() {
		main.block(r.p.Init)
		main.enter(r.p.Entry)
		main.returns()
		main.block(r.p.Entry.Body)
		main.begins(func(e *interp.Event) bool { return e.Stmt == nil })
	})
	for i := 1; i < len(r.order); i++ {
		a := r.order[i]
		a.follow(func() {
			if a.begins(func(e *interp.Event) bool { return e.Stmt == nil }) {
				a.block(a.proc.Body)
			}
		})
	}
	body := &r.main.Body.List
	*body = append(*body, main.segments[0]...)
	used := make(map[*threadReplayer]int)
	for _, e := range r.t.Events {
		a := r.threads[e.Thread]
		if a == nil || a.err != nil {
			return ir.Internalf("sequentialize", "thread %d can't be followed", e.Thread)
		}
		if used[a]++; used[a] < len(a.segments) {
			*body = append(*body, a.segments[used[a]]...)
		}
	}
	for _, a := range r.order {
		if a.err != nil {
			return a.err
		}
	}
	r.stuck()
	return nil
}

// finish numbers the program and returns the way back.
func (r *replayer) finish() *Map {
	r.out.Number()
	m := &Map{origin: make([]ir.LocID, r.out.NumLocs()+1)}
	r.out.Stmts(func(_ *ir.Proc, s ir.Stmt) {
		if s.Key() > 0 {
			m.origin[s.Key()] = r.origins[s]
		}
	})
	return m
}

// stuck adds the assertion that a deadlock or race violates.
func (r *replayer) stuck() {
	if r.t.Outcome != interp.Violated || r.t.Kind != ir.CheckDeadlock && r.t.Kind != ir.CheckRace {
		return
	}
	var can ir.Expr = &ir.Const{Typ: ir.Bool{}}
	for _, e := range r.t.Next {
		a := r.threads[e.Thread]
		if g := r.guard(e); g != nil && a != nil && r.t.Kind == ir.CheckDeadlock {
			can = &ir.Binary{Op: ir.LOr, X: can, Y: a.plain(e.Stmt, g)}
		}
	}
	r.main.Body.List = append(r.main.Body.List, &ir.Assert{Cond: can, Kind: r.t.Kind, Text: r.t.Kind.String()})
}

// guard returns what the thread of e, which has not happened, waits for; nil
// if it is no proposition about variables.
func (r *replayer) guard(e interp.Event) ir.Expr {
	s, ok := e.Stmt.(*ir.Atomic)
	if !ok || !e.Waits {
		return nil
	}
	return s.Guard
}

// variable makes a local variable of the program.
func (r *replayer) variable(name string, t ir.Type) *ir.Var {
	for base, n := name, 2; r.names[name]; n++ {
		name = fmt.Sprintf("%s.%d", base, n)
	}
	r.names[name] = true
	v := &ir.Var{Name: name, Type: t, Kind: ir.Local}
	r.main.Locals = append(r.main.Locals, v)
	return v
}

// A threadReplayer follows one thread, alone, as the record of the run says.
type threadReplayer struct {
	*replayer
	number   int
	proc     *ir.Proc
	at       ir.Path
	frame    map[*ir.Var]ir.Expr // what stands for a variable: a Use or Index
	stmt     ir.Stmt
	events   []*interp.Event // still to come
	total    int
	atomic   int
	segments [][]ir.Stmt // before the first event, and from each on
	result   []ir.Expr
	err      error
}

func (r *replayer) thread(n int, at ir.Path) *threadReplayer {
	a := &threadReplayer{replayer: r, number: n, at: at, frame: make(map[*ir.Var]ir.Expr), segments: [][]ir.Stmt{nil}}
	for i := range r.t.Events {
		if e := &r.t.Events[i]; e.Thread == n {
			a.events = append(a.events, e)
		}
	}
	a.total = len(a.events)
	r.threads[n] = a
	r.order = append(r.order, a)
	for v, g := range r.globals {
		a.frame[v] = &ir.Use{Var: g}
	}
	return a
}

// replayEnd is the panic that ends a threadReplayer where the record ends.
type replayEnd struct{}

func (a *threadReplayer) follow(body func()) {
	defer func() {
		switch x := recover().(type) {
		case nil, replayEnd:
		case error:
			a.err = x
		default:
			panic(x)
		}
	}()
	body()
}

// begins begins a segment if the thread's next event is what is says. If it
// isn't, the event did not happen: an operand was not evaluated, or there are
// no other threads yet; or the record ends here.
func (a *threadReplayer) begins(is func(e *interp.Event) bool) bool {
	if a.atomic > 0 {
		return false
	}
	if len(a.events) == 0 {
		if a.total > 0 && !a.fails() {
			panic(replayEnd{})
		}
		return false
	}
	e := a.events[0]
	if !is(e) {
		return false
	}
	a.events = a.events[1:]
	a.segments = append(a.segments, nil)
	return true
}

// fails reports whether the run ends in a statement of a that violates
// something, so that it has executed all up to that.
func (a *threadReplayer) fails() bool {
	return a.t.Outcome == interp.Violated && a.t.Thread == a.number && a.t.Kind != ir.CheckDeadlock && a.t.Kind != ir.CheckRace
}

// here reports whether e is an event of the current statement.
func (a *threadReplayer) here(e *interp.Event) bool {
	return e.Stmt != nil && e.Stmt.Key() == a.stmt.Key() && e.Path == a.at
}

// emit adds s, which stands for the current statement.
func (a *threadReplayer) emit(s ir.Stmt) {
	info := ir.StmtOf(s)
	if a.stmt != nil {
		info.Pos = a.stmt.Span()
		l := a.stmt.Loc()
		if a.origins[s] = l; a.located[l] {
			info.Of = l // Number makes them one
		} else if l != 0 {
			a.located[l], info.ID = true, l
		}
	}
	last := len(a.segments) - 1
	a.segments[last] = append(a.segments[last], s)
}

// enter gives f's variables, but for its parameters, places of their own.
func (a *threadReplayer) enter(f *ir.Proc) {
	for _, v := range f.Results {
		a.bind(f, v)
	}
	for _, v := range f.Locals {
		a.bind(f, v)
	}
	if f == a.p.Entry && a.number == 0 && a.at == "" {
		for _, v := range f.Params {
			a.bind(f, v)
		}
	}
}

// bind makes a variable for v, with the values that the run read from it
// before it wrote any.
func (a *threadReplayer) bind(f *ir.Proc, v *ir.Var) ir.Expr {
	name := f.Name + "." + v.Name
	if a.number > 0 {
		name = fmt.Sprintf("t%d.%s", a.number, name)
	}
	use := &ir.Use{Var: a.variable(name, v.Type)}
	a.frame[v] = use
	a.free(use, ir.Choice{Var: v.ID, Path: a.at})
	return use
}

// free assigns to the parts of e, a variable, what the run read as choices
// of c.
func (a *threadReplayer) free(e ir.Expr, c ir.Choice) {
	elem, n := ir.Scalar(e.Type())
	for i := range n {
		c.Elem = int32(i)
		if v, ok := a.inputs[c]; ok {
			a.emit(&ir.Assign{LHS: part(e, i), RHS: &ir.Const{Val: v, Typ: elem}})
		}
	}
}

// part returns the i-th scalar of e.
func part(e ir.Expr, i int) ir.Expr {
	t, ok := e.Type().(ir.Array)
	if !ok {
		return e
	}
	_, stride := ir.Scalar(t.Elem)
	x := &ir.Index{X: e, I: &ir.Const{Val: uint64(i / stride), Typ: ir.Int{Width: 32}}}
	return part(x, i%stride)
}

// A jump is a jump out of statements.
type jump struct {
	kind  uint8 // 0: none, 1: break, 2: continue, 3: return
	label string
}

func (a *threadReplayer) block(b *ir.Block) jump {
	if b == nil {
		return jump{}
	}
	for _, s := range b.List {
		if j := a.exec(s); j.kind != 0 {
			if j.kind == 1 && b.Label != "" && j.label == b.Label {
				return jump{}
			}
			return j
		}
	}
	return jump{}
}

// last ends the way of a if the run ended in the current statement.
func (a *threadReplayer) last() {
	if a.fails() && a.t.Failed != nil && a.stmt != nil && a.t.Failed.Key() == a.stmt.Key() && a.t.Path == a.at {
		panic(replayEnd{})
	}
}

func (a *threadReplayer) exec(s ir.Stmt) jump {
	if b, ok := s.(*ir.Block); ok {
		return a.block(b)
	}
	a.stmt = s
	switch s := s.(type) {
	case *ir.Assign:
		l := a.place(s.LHS)
		a.store(l, a.value(s.RHS))
	case *ir.Havoc:
		a.havoc(s)
	case *ir.Alloc:
		root := a.frame[s.Var].(*ir.Use)
		a.emit(&ir.Alloc{Var: root.Var, Len: a.value(s.Len)})
		a.free(root, ir.Choice{Var: s.Var.ID, At: s.ID, Path: a.at})
	case *ir.Assume:
		c := a.value(s.Cond)
		a.begins(func(e *interp.Event) bool { return a.here(e) && e.Var == nil })
		a.emit(&ir.Assume{Cond: c})
	case *ir.Assert:
		a.emit(&ir.Assert{Cond: a.value(s.Cond), Kind: s.Kind, Text: s.Text})
	case *ir.If:
		if a.test(s.Cond) {
			return a.block(s.Then)
		}
		return a.block(s.Else)
	case *ir.Loop:
		return a.loop(s)
	case *ir.Break:
		return jump{1, s.Label}
	case *ir.Continue:
		return jump{2, s.Label}
	case *ir.Return:
		values := make([]ir.Expr, len(s.Values))
		for i, e := range s.Values {
			values[i] = a.saved(a.value(e))
		}
		a.last()
		for i, v := range values {
			a.emit(&ir.Assign{LHS: a.result[i], RHS: v})
		}
		return jump{kind: 3}
	case *ir.Call:
		a.call(s)
	default:
		a.concurrent(s)
	}
	a.last()
	return jump{}
}

// test makes an assumption of a condition, which the run decided.
func (a *threadReplayer) test(cond ir.Expr) bool {
	c := a.value(cond)
	v, ok := a.tested[stmtCopy{a.stmt.Key(), a.at}]
	if !ok { // its evaluation violates a check
		a.emit(&ir.Assume{Cond: c})
		panic(replayEnd{})
	}
	if v == 0 {
		c = &ir.Unary{Op: ir.Not, X: c}
	}
	a.emit(&ir.Assume{Cond: c})
	return v == 1
}

func (a *threadReplayer) loop(s *ir.Loop) jump {
	outer := a.at
	defer func() { a.at = outer }()
	for n := 1; ; n++ {
		a.at = outer.Iterate(s.ID, n)
		if !s.TestLast {
			if more, j := a.head(s); !more {
				return j
			}
		}
		j := a.block(s.Body)
		switch here := j.label == "" || j.label == s.Label; {
		case j.kind == 3, j.kind != 0 && !here:
			return j
		case j.kind == 1:
			return jump{}
		}
		if j = a.block(s.Post); j.kind != 0 {
			return j
		}
		if s.TestLast {
			if more, j := a.head(s); !more {
				return j
			}
		}
	}
}

func (a *threadReplayer) head(s *ir.Loop) (more bool, j jump) {
	if j = a.block(s.Head); j.kind != 0 {
		return false, j
	}
	a.stmt = s
	return s.Cond == nil || a.test(s.Cond), jump{}
}

func (a *threadReplayer) havoc(s *ir.Havoc) {
	l := a.place(s.LHS)
	c := ir.Choice{Var: ir.Root(s.LHS).ID, At: s.ID, Path: a.at}
	if _, ok := l.Type().(ir.Array); ok {
		a.begins(a.writing)
		a.free(l, c)
		return
	}
	a.store(l, &ir.Const{Val: a.inputs[c], Typ: l.Type()})
}

// writing reports whether e is a write of the current statement.
func (a *threadReplayer) writing(e *interp.Event) bool { return a.here(e) && e.Write }

// store stores x in l. Another thread may move in between.
func (a *threadReplayer) store(l, x ir.Expr) {
	before := len(a.segments) - 1
	if a.touches(l) && a.begins(a.writing) {
		tmp := a.temp(x.Type())
		s := &ir.Assign{LHS: tmp, RHS: x}
		a.emit(s)
		last := len(a.segments) - 1 // it belongs before the event
		a.segments[last] = a.segments[last][:len(a.segments[last])-1]
		a.segments[before] = append(a.segments[before], s)
		x = tmp
	}
	a.emit(&ir.Assign{LHS: l, RHS: x})
}

// touches reports whether l is a part of what threads share.
func (a *threadReplayer) touches(l ir.Expr) bool { return a.shared[ir.Root(l)] }

// temp returns a new variable.
func (a *threadReplayer) temp(t ir.Type) ir.Expr {
	a.temps++
	return &ir.Use{Var: a.variable(fmt.Sprintf("tmp.%d", a.temps), t)}
}

// saved returns a variable that holds x.
func (a *threadReplayer) saved(x ir.Expr) ir.Expr {
	if _, ok := x.(*ir.Const); ok {
		return x
	}
	tmp := a.temp(x.Type())
	a.emit(&ir.Assign{LHS: tmp, RHS: x})
	return tmp
}

// place returns what e, a Use or Index, means now. Its indices are saved.
func (a *threadReplayer) place(e ir.Expr) ir.Expr {
	switch e := e.(type) {
	case *ir.Use:
		return a.frame[e.Var]
	case *ir.Index:
		x := a.place(e.X)
		return &ir.Index{ExprInfo: e.ExprInfo, X: x, I: a.saved(a.value(e.I))}
	}
	panic(ir.Internalf("sequentialize", "no place: %T", e))
}

// value returns e as the run evaluated it: events have happened, and what
// they read is in variables.
func (a *threadReplayer) value(e ir.Expr) ir.Expr {
	switch x := e.(type) {
	case *ir.Const:
		c := *x
		return &c
	case *ir.Unary:
		return &ir.Unary{ExprInfo: x.ExprInfo, Op: x.Op, X: a.value(x.X)}
	case *ir.Binary:
		l := a.value(x.X)
		y := &ir.Binary{ExprInfo: x.ExprInfo, Op: x.Op, X: l, Y: a.value(x.Y), Form: x.Form, Value: x.Value}
		return a.chosen(e, y)
	case *ir.Cond:
		c := a.value(x.C)
		l := a.value(x.X)
		return &ir.Cond{ExprInfo: x.ExprInfo, C: c, X: l, Y: a.value(x.Y)}
	case *ir.Convert:
		return &ir.Convert{ExprInfo: x.ExprInfo, To: x.To, X: a.value(x.X), Explicit: x.Explicit, Bits: x.Bits}
	case *ir.Math:
		m := &ir.Math{ExprInfo: x.ExprInfo, Fn: x.Fn}
		for _, arg := range x.Args {
			m.Args = append(m.Args, a.value(arg))
		}
		return m
	case *ir.Self:
		return &ir.Const{Val: uint64(a.number), Typ: x.Type()}
	case *ir.Any:
		return a.chosen(e, &ir.Const{Typ: x.Typ})
	case *ir.Ended:
		return a.ended(x)
	case *ir.Use, *ir.Index:
		return a.chosen(e, a.read(e))
	}
	panic(ir.Internalf("sequentialize", "unknown expression %T", e))
}

// chosen returns y, or the choice that the run made in the place of e.
func (a *threadReplayer) chosen(e, y ir.Expr) ir.Expr {
	if v, ok := a.inputs[ir.Choice{At: a.stmt.Key(), Nth: ir.Nth(a.stmt, e), Path: a.at}]; ok && ir.Nth(a.stmt, e) != 0 {
		return &ir.Const{Val: v, Typ: y.Type()}
	}
	return y
}

// read returns e, a Use or Index. If reading it was an event, the value is
// read into a variable then.
func (a *threadReplayer) read(e ir.Expr) ir.Expr {
	var y ir.Expr
	if x, ok := e.(*ir.Index); ok {
		y = &ir.Index{ExprInfo: x.ExprInfo, X: a.indexed(x.X), I: a.value(x.I)}
	} else {
		u := *a.frame[e.(*ir.Use).Var].(*ir.Use)
		u.ExprInfo = *ir.ExprOf(e)
		y = &u
	}
	if a.touches(y) && a.begins(func(ev *interp.Event) bool { return a.here(ev) && ev.Expr == e }) {
		return a.saved(y)
	}
	return y
}

// indexed returns e, which an index is applied to.
func (a *threadReplayer) indexed(e ir.Expr) ir.Expr {
	if x, ok := e.(*ir.Index); ok {
		return &ir.Index{ExprInfo: x.ExprInfo, X: a.indexed(x.X), I: a.value(x.I)}
	}
	return a.frame[e.(*ir.Use).Var]
}

func (a *threadReplayer) ended(x *ir.Ended) ir.Expr {
	a.value(x.Thread)
	if a.atomic > 0 {
		panic(errors.New("sequentialize: an atomic statement that asks whether a thread has ended can't be replayed as a program"))
	}
	v := uint64(0)
	if len(a.events) > 0 {
		v = a.events[0].Value
	}
	a.begins(func(ev *interp.Event) bool { return a.here(ev) && ev.Expr == ir.Expr(x) })
	return &ir.Const{Val: v, Typ: ir.Bool{}}
}

func (a *threadReplayer) call(s *ir.Call) {
	args := make([]ir.Expr, len(s.Args))
	for i, e := range s.Args {
		args[i] = a.argument(s.Proc.Params[i], e)
	}
	outer, at, result := a.frame, a.at, a.result
	a.frame = make(map[*ir.Var]ir.Expr)
	for v, e := range outer {
		a.frame[v] = e
	}
	a.at = at.Call(s.ID)
	a.parameters(s.Proc, args)
	a.enter(s.Proc)
	a.results(s.Proc)
	a.block(s.Proc.Body)
	values := a.result
	a.frame, a.at, a.result, a.stmt = outer, at, result, s
	for i, e := range s.Results {
		if e != nil {
			l := a.place(e)
			a.store(l, values[i])
		}
	}
}

// results notes where f leaves its results.
func (a *threadReplayer) results(f *ir.Proc) {
	a.result = nil
	for _, v := range f.Results {
		a.result = append(a.result, a.frame[v])
	}
}

// returns makes the results of the entry those of the program.
func (a *threadReplayer) returns() {
	a.results(a.p.Entry)
	for _, e := range a.result {
		v := e.(*ir.Use).Var
		v.Kind = ir.Result
		a.main.Results = append(a.main.Results, v)
	}
	a.main.Locals = slices.DeleteFunc(a.main.Locals, func(v *ir.Var) bool { return v.Kind == ir.Result })
}

// argument returns the value of an argument, or the place if it is an array.
func (a *threadReplayer) argument(v *ir.Var, e ir.Expr) ir.Expr {
	if _, ok := v.Type.(ir.Array); ok {
		return a.place(e)
	}
	return a.saved(a.value(e))
}

// parameters binds f's parameters.
func (a *threadReplayer) parameters(f *ir.Proc, args []ir.Expr) {
	for i, v := range f.Params {
		if _, ok := v.Type.(ir.Array); ok {
			a.frame[v] = args[i]
			continue
		}
		a.emit(&ir.Assign{LHS: a.bind(f, v), RHS: args[i]})
	}
}

// concurrent executes a statement about threads.
func (a *threadReplayer) concurrent(s ir.Stmt) {
	switch s := s.(type) {
	case *ir.Yield:
	case *ir.Spawn:
		a.spawn(s)
	case *ir.Join:
		if s.Thread != nil {
			a.value(s.Thread)
		}
		if !a.begins(a.here) && a.fails() {
			return
		}
		if a.fails() && a.t.Failed != nil && a.t.Failed.Key() == s.Key() && a.t.Path == a.at && len(a.events) == 0 {
			a.emit(&ir.Assert{Cond: &ir.Const{Typ: ir.Bool{}}, Kind: a.t.Kind, Text: "join"})
		}
	case *ir.Atomic:
		a.isolated(s)
	default:
		for _, t := range a.p.Expand(s) {
			a.stmt = t
			a.concurrent(t)
		}
	}
}

// isolated executes an atomic statement, which is one event.
func (a *threadReplayer) isolated(s *ir.Atomic) {
	a.begins(a.here)
	a.atomic++
	defer func() { a.atomic-- }()
	if s.Guard != nil {
		a.emit(&ir.Assume{Cond: a.value(s.Guard)})
	}
	a.block(s.Body)
}

func (a *threadReplayer) spawn(s *ir.Spawn) {
	args := make([]ir.Expr, len(s.Args))
	for i, e := range s.Args {
		args[i] = a.argument(s.Proc.Params[i], e)
	}
	var l ir.Expr
	if s.Thread != nil {
		l = a.place(s.Thread)
	}
	a.begins(a.here)
	at := a.at.Call(s.ID)
	if n, ok := a.paths[at]; ok {
		b := a.thread(n, at)
		b.proc = s.Proc
		b.stmt = s
		b.parameters(s.Proc, args)
		b.enter(s.Proc)
		b.results(s.Proc)
		a.segments[len(a.segments)-1] = append(a.segments[len(a.segments)-1], b.segments[0]...)
		b.segments[0] = nil
	}
	if l != nil {
		a.emit(&ir.Assign{LHS: l, RHS: &ir.Const{Val: a.tested[stmtCopy{s.Key(), a.at}], Typ: l.Type()}})
	}
}

// plain returns e, which a thread waits for in s, over the variables of the
// program.
func (a *threadReplayer) plain(s ir.Stmt, e ir.Expr) ir.Expr {
	a.stmt = s
	a.atomic++
	defer func() { a.atomic-- }()
	return a.value(e)
}
