// Package interp runs programs on given inputs. It is the oracle for all
// other packages: a counterexample counts once it has been replayed here.
//
// It follows the comments of package ir to the letter, and shares no code
// with package ssa, with which it is compared on random programs.
package zzold

import (
	"context"
	"fmt"

	"github.com/go-amend/amend/ir"
)

// DefaultSteps is the step limit where Config.MaxSteps is 0.
const DefaultSteps = 1_000_000

// Config says what a run reads and how long it may take.
type Config struct {
	// Input returns the bits of a free value; those above its width are
	// ignored. Nil: all are 0.
	Input func(ir.Choice) uint64

	// Unwind is the number of executions of each loop body per entry of
	// its loop, and of recursive activations nested in a procedure's own.
	// Negative: no limit.
	Unwind int

	// Loops overrides Unwind for the loops with these Keys.
	Loops map[ir.LocID]int

	// MaxSteps limits the statements executed; 0 means DefaultSteps.
	MaxSteps int
}

// Outcome is how a run ended.
type Outcome uint8

const (
	Ended      Outcome = iota // normally
	Violated                  // an assertion or check was false
	Blocked                   // an assumption was false
	Cut                       // it went beyond Unwind, or an Alloc beyond its type
	OutOfSteps                // it went beyond MaxSteps
)

var outcomes = [...]string{"ended", "violated", "blocked", "cut", "out of steps"}

func (o Outcome) String() string { return outcomes[o] }

// A Step is a value that a run computed: what a statement stored, or the
// condition that it tested.
type Step struct {
	At    ir.LocID // Key of the statement
	Path  ir.Path
	Value uint64
}

// An Input is a choice that a run read.
type Input struct {
	Choice ir.Choice
	Type   ir.Type // scalar
	Value  uint64
}

// A Trace is what a run did.
type Trace struct {
	Outcome Outcome
	Steps   []Step
	Inputs  []Input // in the order in which they were first read

	// Failed is the statement that ended the run, unless Ended; Path is
	// that of its copy.
	Failed ir.Stmt
	Path   ir.Path

	// Kind and Site say which check of Failed was violated; Site is 0 for
	// an assertion.
	Kind ir.Kind
	Site ir.SiteID
}

// Run executes p, which must be well-formed. The error is an
// *ir.UnsupportedError for a statement of threads, or ctx's cause.
func Run(ctx context.Context, p *ir.Program, cfg Config) (t *Trace, err error) {
	if cfg.MaxSteps == 0 {
		cfg.MaxSteps = DefaultSteps
	}
	m := &machine{p: p, cfg: &cfg, ctx: ctx, trace: &Trace{}, read: make(map[ir.Choice]uint64), depth: make(map[*ir.Proc]int)}
	defer func() {
		switch r := recover().(type) {
		case nil:
			t = m.trace
		case stop:
			t, err = m.trace, r.err
		default:
			panic(r)
		}
	}()
	m.program()
	return m.trace, nil
}

// stop ends a run from the inside.
type stop struct{ err error }

type machine struct {
	p     *ir.Program
	cfg   *Config
	ctx   context.Context
	trace *Trace
	read  map[ir.Choice]uint64
	depth map[*ir.Proc]int
	steps int

	frame *frame
	at    ir.Path
	stmt  ir.Stmt
}

// A store is a variable of one activation.
type store struct {
	v      *ir.Var
	typ    ir.Type // of an element
	cells  []uint64
	known  []bool    // the cell was written, or read before
	from   ir.Choice // where unknown cells come from; Elem is theirs
	length int       // outermost length
}

// A ref is a variable or a part of it.
type ref struct {
	*store
	off    int
	typ    ir.Type
	length int // outermost, of this part
	ok     bool
}

type frame struct {
	proc *ir.Proc
	vars map[*ir.Var]ref
}

// A jump is what a statement leaves behind: nothing, or a way out.
type jump struct {
	kind  jumpKind
	label string
}

type jumpKind uint8

const (
	none jumpKind = iota
	breaks
	continues
	returns
)

func (m *machine) program() {
	m.frame = &frame{vars: make(map[*ir.Var]ref)}
	for _, v := range m.p.Globals {
		r := m.fresh(v, ir.Choice{})
		for i := range r.known {
			r.known[i] = true
		}
	}
	if m.p.Init != nil {
		m.block(m.p.Init)
	}
	f := m.p.Entry
	m.enter(f, "")
	for _, v := range f.Params {
		m.fresh(v, ir.Choice{Var: v.ID})
	}
	m.depth[f]++
	m.block(f.Body)
}

// fresh binds v to new cells, whose values come from the choice from.
func (m *machine) fresh(v *ir.Var, from ir.Choice) ref {
	elem, n := ir.Scalar(v.Type)
	s := &store{v: v, typ: elem, cells: make([]uint64, n), known: make([]bool, n), from: from}
	r := ref{store: s, typ: v.Type, ok: true, length: 1}
	if a, ok := v.Type.(ir.Array); ok {
		r.length = a.Len
	}
	s.length = r.length
	m.frame.vars[v] = r
	return r
}

// enter makes a new activation of f, on path at, the current one.
func (m *machine) enter(f *ir.Proc, at ir.Path) {
	outer := m.frame
	m.frame = &frame{proc: f, vars: make(map[*ir.Var]ref)}
	for _, v := range m.p.Globals {
		m.frame.vars[v] = outer.vars[v]
	}
	m.at = at
	for _, vs := range [][]*ir.Var{f.Results, f.Locals} {
		for _, v := range vs {
			m.fresh(v, ir.Choice{Var: v.ID, Path: at})
		}
	}
}

// choose returns the value of the choice c.
func (m *machine) choose(c ir.Choice, t ir.Type) uint64 {
	if v, ok := m.read[c]; ok {
		return v
	}
	var v uint64
	if m.cfg.Input != nil {
		v = ir.Wrap(t, m.cfg.Input(c))
	}
	m.read[c] = v
	m.trace.Inputs = append(m.trace.Inputs, Input{c, t, v})
	return v
}

// end ends the run at the current statement.
func (m *machine) end(o Outcome) {
	m.trace.Outcome, m.trace.Failed, m.trace.Path = o, m.stmt, m.at
	panic(stop{})
}

func (m *machine) violate(k ir.Kind, site ir.SiteID) {
	m.trace.Kind, m.trace.Site = k, site
	m.end(Violated)
}

func (m *machine) note(v uint64) {
	m.trace.Steps = append(m.trace.Steps, Step{m.stmt.Key(), m.at, v})
}

func (m *machine) block(b *ir.Block) jump {
	if b == nil {
		return jump{}
	}
	for _, s := range b.List {
		if j := m.exec(s); j.kind != none {
			if j.kind == breaks && b.Label != "" && j.label == b.Label {
				return jump{}
			}
			return j
		}
	}
	return jump{}
}

func (m *machine) begin(s ir.Stmt) {
	m.stmt = s
	m.steps++
	if m.steps > m.cfg.MaxSteps {
		m.end(OutOfSteps)
	}
	if m.steps%1024 == 0 && m.ctx.Err() != nil {
		panic(stop{context.Cause(m.ctx)})
	}
}

func (m *machine) exec(s ir.Stmt) jump {
	if b, ok := s.(*ir.Block); ok {
		return m.block(b)
	}
	m.begin(s)
	switch s := s.(type) {
	case *ir.Assign:
		r := m.lvalue(s.LHS)
		m.store(r, m.eval(s.RHS))
	case *ir.Havoc:
		m.havoc(s)
	case *ir.Alloc:
		m.alloc(s)
	case *ir.Assume:
		if v := m.eval(s.Cond); v == 0 {
			m.end(Blocked)
		}
	case *ir.Assert:
		if v := m.eval(s.Cond); v == 0 {
			m.violate(s.Kind, 0)
		}
	case *ir.If:
		c := m.eval(s.Cond)
		m.note(c)
		if c == 1 {
			return m.block(s.Then)
		}
		return m.block(s.Else)
	case *ir.Loop:
		return m.loop(s)
	case *ir.Break:
		return jump{breaks, s.Label}
	case *ir.Continue:
		return jump{continues, s.Label}
	case *ir.Return:
		m.ret(s)
		return jump{kind: returns}
	case *ir.Call:
		m.call(s)
	default:
		panic(stop{&ir.UnsupportedError{
			Span:      s.Span(),
			Construct: fmt.Sprintf("%T in a sequential program", s)[len("*ir."):],
			Hint:      "package sequentialize translates programs with threads",
		}})
	}
	return jump{}
}

func (m *machine) havoc(s *ir.Havoc) {
	if u, ok := s.LHS.(*ir.Use); ok {
		r := m.frame.vars[u.Var]
		_, n := ir.Scalar(r.typ)
		for i := range n {
			r.set(i, m.choose(ir.Choice{Var: u.Var.ID, At: s.ID, Elem: int32(i), Path: m.at}, r.store.typ))
		}
		return
	}
	r := m.lvalue(s.LHS)
	c := ir.Choice{Var: root(s.LHS).ID, At: s.ID, Path: m.at}
	m.store(r, m.choose(c, s.LHS.Type()))
}

// root returns the variable that e, a Use or Index, names.
func root(e ir.Expr) *ir.Var {
	if u, ok := e.(*ir.Use); ok {
		return u.Var
	}
	return root(e.(*ir.Index).X)
}

func (m *machine) alloc(s *ir.Alloc) {
	n, r := m.eval(s.Len), m.frame.vars[s.Var]
	if ir.Signed(s.Len.Type()) && ir.SignedValue(s.Len.Type(), n) < 0 {
		n = 0
	}
	if n > uint64(s.Var.Type.(ir.Array).Len) {
		m.end(Cut)
	}
	r.store.length = int(n)
	r.store.from = ir.Choice{Var: s.Var.ID, At: s.ID, Path: m.at}
	clear(r.store.known)
}

func (m *machine) bound(s *ir.Loop) int {
	if n, ok := m.cfg.Loops[s.ID]; ok {
		return n
	}
	return m.cfg.Unwind
}

func (m *machine) loop(s *ir.Loop) jump {
	at, bound := m.at, m.bound(s)
	defer func() { m.at = at }()
	for n := 1; ; n++ {
		m.at = at.Iterate(s.ID, n)
		if !s.TestLast && !m.test(s) {
			return jump{}
		}
		m.begin(s)
		if bound >= 0 && n > bound {
			m.end(Cut)
		}
		switch j := m.block(s.Body); {
		case j.kind == returns, j.label != "" && j.label != s.Label:
			return j
		case j.kind == breaks:
			return jump{}
		}
		m.block(s.Post)
		if s.TestLast && !m.test(s) {
			return jump{}
		}
	}
}

func (m *machine) test(s *ir.Loop) bool {
	m.block(s.Head)
	m.begin(s)
	if s.Cond == nil {
		return true
	}
	c := m.eval(s.Cond)
	m.note(c)
	return c == 1
}

func (m *machine) ret(s *ir.Return) {
	values := make([]uint64, len(s.Values))
	for i, e := range s.Values {
		values[i] = m.eval(e)
	}
	for i, v := range values {
		m.store(m.frame.vars[m.frame.proc.Results[i]], v)
	}
}

func (m *machine) call(s *ir.Call) {
	f, caller, at := s.Proc, m.frame, m.at
	args := make([]ref, len(f.Params))
	values := make([]uint64, len(f.Params))
	for i, v := range f.Params {
		if _, ok := v.Type.(ir.Array); ok {
			args[i] = m.ref(s.Args[i])
		} else {
			values[i] = m.eval(s.Args[i])
		}
	}
	if m.cfg.Unwind >= 0 && m.depth[f] > m.cfg.Unwind {
		m.end(Cut)
	}
	m.depth[f]++
	m.enter(f, at.Call(s.ID))
	for i, v := range f.Params {
		if _, ok := v.Type.(ir.Array); ok {
			m.frame.vars[v] = args[i]
		} else {
			m.fresh(v, ir.Choice{}).set(0, values[i])
		}
	}
	m.block(f.Body)
	m.depth[f]--
	callee := m.frame
	m.frame, m.at, m.stmt = caller, at, s
	results := make([]uint64, len(f.Results))
	for i, v := range f.Results {
		if i < len(s.Results) && s.Results[i] != nil {
			results[i] = m.load(callee.vars[v])
		}
	}
	for i, e := range s.Results {
		if e != nil {
			m.store(m.lvalue(e), results[i])
		}
	}
}
