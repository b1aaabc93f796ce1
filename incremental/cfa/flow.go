package cfa

import (
	"fmt"
	"regexp"

	"github.com/go-amend/amend/formula"
	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ssa/step"
)

// This file follows the control flow of a program, calls inlined, and makes
// edges of what package ssa says that statements do.

// A rawLetter is a letter over the variables of a flowBuilder.
type rawLetter struct {
	guard formula.Term
	sets  []step.Set
	havoc []input
	entry bool // the havoc of a procedure's entry
}

// A rawEdge reads a letter, or none if that is negative. A state with an
// edge without a letter has no other.
type rawEdge struct {
	letter, to int
	path       []pathOp
	cut        bool // see Edge
}

// A rawVar is a variable of the state, or a temporary of a statement.
type rawVar struct {
	step.Scalar
	temp string // the name for a temporary, else ""
}

type flowBuilder struct {
	st      *formula.Store
	p       *ir.Program
	step    step.Stepper
	vars    []rawVar
	state   []int // from variables of the stepper to vars
	letters []*rawLetter
	out     [][]rawEdge
	begin   [][]ir.Stmt // by state: see Automaton
	start   int
	fail    int // the error state
	dead    int // a state without edges

	frame  *activation
	depth  int // of the path
	active map[*ir.Proc]bool
}

// An activation is a procedure being inlined.
type activation struct {
	frame step.Frame
	exit  int // where its returns lead
	depth int
	jumps []jumpTarget
}

// A jumpTarget is a statement that a Break or Continue may name.
type jumpTarget struct {
	label string
	loop  bool
	exit  int
	again int // where Continue leads
	depth int // of the path outside
}

// failure is what the builder panics with, for flow to return its error.
type failure struct{ err error }

// complete returns an error if p, built by hand, lacks a procedure that it
// calls. What else may be wrong with a program ir.Check finds.
func complete(p *ir.Program) error {
	listed := make(map[*ir.Proc]bool)
	for _, f := range p.Procs {
		listed[f] = true
	}
	if p.Entry == nil || !listed[p.Entry] {
		return &ir.Error{Msg: "the entry is not among the procedures"}
	}
	var err error
	p.Stmts(func(_ *ir.Proc, s ir.Stmt) {
		if c, ok := s.(*ir.Call); ok && !listed[c.Proc] && err == nil {
			err = &ir.Error{Span: c.Span(), Msg: "call of a procedure that is not in the program"}
		}
	})
	return err
}

// flow follows p's control flow. NewStepper makes the stepper that says what
// statements do.
func flow(p *ir.Program, newStepper func(*formula.Store) step.Stepper) (b *flowBuilder, err error) {
	if err := complete(p); err != nil {
		return nil, err
	}
	st := formula.NewStore()
	b = &flowBuilder{st: st, p: p, step: newStepper(st), active: make(map[*ir.Proc]bool)}
	defer func() {
		if r := recover(); r != nil {
			f, ok := r.(failure)
			if !ok {
				panic(r)
			}
			b, err = nil, f.err
		}
	}()
	b.fail, b.dead = b.newState(), b.newState()
	b.start = b.newState()
	b.program()
	if n := len(b.step.Vars()); n > 0 {
		b.raw(n - 1)
	}
	return b, nil
}

func (b *flowBuilder) newState() int {
	b.out, b.begin = append(b.out, nil), append(b.begin, nil)
	return len(b.out) - 1
}

// edge adds an edge that reads l, or no letter if l is nil.
func (b *flowBuilder) edge(from int, l *rawLetter, to int, path ...pathOp) {
	i := -1
	if l != nil {
		i = len(b.letters)
		b.letters = append(b.letters, l)
	}
	b.out[from] = append(b.out[from], rawEdge{letter: i, to: to, path: path})
}

// then adds an edge to a new state, which it returns.
func (b *flowBuilder) then(from int, l *rawLetter) int {
	to := b.newState()
	b.edge(from, l, to)
	return to
}

// assume adds an edge from one state to another, if x is not false.
func (b *flowBuilder) assume(from int, x formula.Term, to int, path ...pathOp) {
	switch v, ok := b.st.Value(x); {
	case !ok:
		b.edge(from, &rawLetter{guard: x}, to, path...)
	case v == 1 && to == b.fail: // error traces are not empty
		b.edge(from, &rawLetter{guard: x}, to, path...)
	case v == 1:
		b.edge(from, nil, to, path...)
	}
}

// passing returns the state after x was assumed at s.
func (b *flowBuilder) passing(s int, x formula.Term) int {
	if x == b.st.True() {
		return s
	}
	to := b.newState()
	b.assume(s, x, to)
	return to
}

func (b *flowBuilder) program() {
	s := b.start
	for _, v := range b.p.Globals {
		s = b.apply(s, b.step.Zero(v))
	}
	if b.p.Init != nil {
		b.frame = &activation{frame: b.step.Init(), exit: b.dead}
		s = b.block(b.p.Init, s)
	}
	b.frame = &activation{frame: b.step.Entry(), exit: b.dead}
	if _, sets := b.step.Locals(b.p.Entry); len(sets) > 0 {
		s = b.then(s, b.assignment(sets))
	}
	b.active[b.p.Entry] = true
	b.block(b.p.Entry.Body, s)
}

// raw returns the number of the i-th variable of the stepper.
func (b *flowBuilder) raw(i int) int {
	for len(b.state) <= i {
		b.state = append(b.state, len(b.vars))
		b.vars = append(b.vars, rawVar{Scalar: b.step.Vars()[len(b.state)-1]})
	}
	return b.state[i]
}

func (b *flowBuilder) assignment(sets []step.Set) *rawLetter {
	l := &rawLetter{guard: b.st.True()}
	for _, x := range sets {
		l.sets = append(l.sets, step.Set{Var: b.raw(x.Var), Value: x.Value})
	}
	return l
}

// apply adds what a statement does at s. It returns the state after it.
func (b *flowBuilder) apply(s int, e *step.Effect) int {
	sets, havoc := b.direct(e)
	if len(havoc) > 0 {
		s = b.then(s, &rawLetter{guard: b.st.True(), havoc: havoc})
	}
	s = b.claims(s, e)
	if len(sets) > 0 {
		s = b.then(s, b.assignment(sets))
	}
	return s
}

// claims adds the edges to the error and the assumption that none of them
// was taken.
func (b *flowBuilder) claims(s int, e *step.Effect) int {
	bad := b.st.False()
	for i := range e.Claims {
		bad = b.st.Or(bad, e.Claims[i].Violated)
	}
	b.assume(s, bad, b.fail)
	s = b.passing(s, b.st.Not(bad))
	n := len(b.out[s])
	b.assume(s, e.Cut, b.fail)
	for i := range b.out[s][n:] {
		b.out[s][n+i].cut = true
	}
	s = b.passing(s, b.st.Not(e.Cut))
	return b.passing(s, e.Pass)
}

// direct returns e's assignments and the choices made before them. Where all
// that happens is that choices are assigned, they are choices of the
// variables themselves; else each is a temporary first.
func (b *flowBuilder) direct(e *step.Effect) (sets []step.Set, havoc []input) {
	at := make(map[formula.Term]int)
	for _, x := range e.Sets {
		at[x.Value] = b.raw(x.Var)
	}
	plain := len(e.Claims) == 0 && len(at) == len(e.Sets) && len(at) == len(e.Inputs)
	for k, in := range e.Inputs {
		v, ok := at[in.Term]
		if !plain || !ok {
			plain = false
			v = len(b.vars)
			b.vars = append(b.vars, rawVar{
				Scalar: step.Scalar{Term: in.Term, Type: in.Type},
				temp:   fmt.Sprintf("%%in%d", k),
			})
		}
		havoc = append(havoc, input{in.Choice, v, in.Type})
	}
	if plain {
		return nil, havoc
	}
	return e.Sets, havoc
}

func (b *flowBuilder) effect(e *step.Effect, err error) *step.Effect {
	if err != nil {
		panic(failure{err})
	}
	return e
}

// block adds l's statements at s. It returns the state after it.
func (b *flowBuilder) block(l *ir.Block, s int) int {
	if l == nil {
		return s
	}
	if l.Label != "" {
		t := jumpTarget{label: l.Label, exit: b.newState(), depth: b.depth}
		b.frame.jumps = append(b.frame.jumps, t)
		s = b.list(l.List, s)
		b.frame.jumps = b.frame.jumps[:len(b.frame.jumps)-1]
		b.edge(s, nil, t.exit)
		return t.exit
	}
	return b.list(l.List, s)
}

func (b *flowBuilder) list(list []ir.Stmt, s int) int {
	for _, x := range list {
		s = b.stmt(x, s)
	}
	return s
}

func (b *flowBuilder) stmt(x ir.Stmt, s int) int {
	switch x := x.(type) {
	case *ir.Block:
		return b.block(x, s)
	case *ir.Loop:
		return b.loop(x, s)
	}
	b.begins(x, s)
	switch x := x.(type) {
	case *ir.If:
		e := b.effect(b.step.Step(b.frame.frame, x))
		s = b.apply(s, e)
		then, els, after := b.newState(), b.newState(), b.newState()
		b.assume(s, e.Value, then)
		b.assume(s, b.st.Not(e.Value), els)
		b.edge(b.block(x.Then, then), nil, after)
		b.edge(b.block(x.Else, els), nil, after)
		return after
	case *ir.Break:
		t := b.target(x.Label, false)
		b.edge(s, nil, t.exit, pathOp{depth: t.depth})
		return b.newState()
	case *ir.Continue:
		t := b.target(x.Label, true)
		b.edge(s, nil, t.again, pathOp{depth: t.depth + 1})
		return b.newState()
	case *ir.Return:
		s = b.apply(s, b.effect(b.step.Step(b.frame.frame, x)))
		b.edge(s, nil, b.frame.exit, pathOp{depth: b.frame.depth})
		return b.newState()
	case *ir.Call:
		return b.call(x, s)
	}
	return b.apply(s, b.effect(b.step.Step(b.frame.frame, x)))
}

// begins notes that x begins at s.
func (b *flowBuilder) begins(x ir.Stmt, s int) { b.begin[s] = append(b.begin[s], x) }

func (b *flowBuilder) target(label string, loop bool) jumpTarget {
	ts := b.frame.jumps
	for i := len(ts) - 1; i >= 0; i-- {
		t := ts[i]
		if label == "" && t.loop || label != "" && t.label == label && (t.loop || !loop) {
			return t
		}
	}
	panic("incremental: jump out of nothing")
}

func (b *flowBuilder) loop(x *ir.Loop, s int) int {
	head, body, post := b.newState(), b.newState(), b.newState()
	t := jumpTarget{label: x.Label, loop: true, exit: b.newState(), again: post, depth: b.depth}
	first, again := head, pathOp{depth: b.depth + 1, next: true}
	if x.TestLast {
		first = body
	}
	b.begins(x, first)
	b.edge(s, nil, first, pathOp{depth: b.depth, key: x.ID, loop: true})
	b.depth++
	b.frame.jumps = append(b.frame.jumps, t)
	b.edge(b.block(x.Body, body), nil, post)
	s = b.block(x.Post, post)
	if x.TestLast {
		b.edge(s, nil, head)
		b.test(x, head, body, t.exit, again)
	} else {
		b.edge(s, nil, head, again)
		b.test(x, head, body, t.exit)
	}
	b.frame.jumps = b.frame.jumps[:len(b.frame.jumps)-1]
	b.depth--
	return t.exit
}

// test adds Head and the condition of x at s.
func (b *flowBuilder) test(x *ir.Loop, s, body, exit int, path ...pathOp) {
	s = b.block(x.Head, s)
	e := b.effect(b.step.Step(b.frame.frame, x))
	s = b.apply(s, e)
	b.assume(s, e.Value, body, path...)
	b.assume(s, b.st.Not(e.Value), exit, pathOp{depth: b.depth - 1})
}

func (b *flowBuilder) call(x *ir.Call, s int) int {
	if b.active[x.Proc] {
		panic(failure{&ir.UnsupportedError{
			Span:      x.Span(),
			Construct: "recursion (" + x.Proc.Name + " calls itself) in a proof for every bound",
			Hint:      "bounded checks allow it",
		}})
	}
	e, callee, err := b.step.Call(b.frame.frame, x)
	s = b.apply(s, b.effect(e, err))
	s = b.enter(x, s)
	outer, depth := b.frame, b.depth
	b.frame = &activation{frame: callee, exit: b.newState(), depth: depth}
	into := b.newState()
	b.edge(s, nil, into, pathOp{depth: depth, key: x.ID})
	b.depth++
	b.active[x.Proc] = true
	s = b.block(x.Proc.Body, into)
	b.active[x.Proc] = false
	b.edge(s, nil, b.frame.exit, pathOp{depth: depth})
	s = b.frame.exit
	b.frame, b.depth = outer, depth
	return b.apply(s, b.effect(b.step.Return(b.frame.frame, callee, x)))
}

// enter adds that the callee's locals and results are free. The path is
// still that of the call: see choicePath.
func (b *flowBuilder) enter(x *ir.Call, s int) int {
	free, sets := b.step.Locals(x.Proc)
	if len(free) > 0 {
		s = b.then(s, &rawLetter{guard: b.st.True(), havoc: b.locals(free, x.ID), entry: true})
	}
	if len(sets) > 0 {
		s = b.then(s, b.assignment(sets))
	}
	return s
}

// locals returns the choices of initial values of variables of the stepper.
func (b *flowBuilder) locals(free []int, call ir.LocID) []input {
	var out []input
	for _, i := range free {
		v := b.step.Vars()[i]
		of := ir.Choice{Var: v.Var.ID, Elem: int32(v.Elem)}
		if call != 0 {
			of.Path = ir.Path("").Call(call)
		}
		out = append(out, input{of, b.raw(i), v.Type})
	}
	return out
}

// entryInputs returns the choices of the variables that are free at the
// start: all that nothing else gives a value.
func (b *flowBuilder) entryInputs() []input {
	var free []int
	for i, v := range b.step.Vars() {
		if v.Proc == b.p.Entry && v.Part == step.PartValue {
			free = append(free, i)
		}
	}
	return b.locals(free, 0)
}

var temporary = regexp.MustCompile(`_[0-9]+$`)

// name returns the name that variable v would have alone, and whether others
// may share it.
func (b *flowBuilder) name(v *rawVar) (name string, shared bool) {
	if v.temp != "" {
		return v.temp, true
	}
	name = formula.Escape(v.Var.Name)
	if shared = v.Var.Span.IsZero(); shared {
		name = "~" + temporary.ReplaceAllString(name, "")
	}
	if v.Proc != nil {
		name = formula.Escape(v.Proc.Name) + "." + name
	}
	switch {
	case v.Part == step.PartLength:
		name += ".len"
	case v.Part == step.PartOffset:
		name += ".off"
	case v.Part == step.PartValid:
		name += ".ok"
	case v.Part == step.PartIndex:
		name = "%watched"
	case v.Part == step.PartWatched:
		name += fmt.Sprintf("[%%%d]", v.Elem)
	case isArray(v.Var.Type):
		name += fmt.Sprintf("[%d]", v.Elem)
	}
	return name, shared
}

func isArray(t ir.Type) bool {
	_, ok := t.(ir.Array)
	return ok
}
