package interp

import (
	"context"
	"slices"

	"github.com/go-amend/amend/ir"
)

// A world is the state of one run that its threads share.
type world struct {
	p      *ir.Program
	cfg    Config
	ctx    context.Context // of this run only
	single bool            // there are no threads
	trace  *Trace
	steps  int

	globals  []cell
	origins  []origin // 0 is none
	unknowns map[ir.Choice]uint64
	paths    []path // 0 is that of the entry

	threads  []*machine // by number; some may be nil
	shared   []*ir.Var  // by global cell: nil if it isn't shared
	wakeups  bool       // a wakeup was spurious
	expanded map[ir.Stmt][]ir.Stmt
	counting map[*ir.Loop]*counting // nil for those that do more than count
	turns    int                    // of the schedule that are over
}

// A machine is the state of one thread.
type machine struct {
	*world
	thread  int
	vars    []place // by VarID
	cells   []cell  // its own, which come after the globals
	buffer  []entry // what it wrote that is not in memory
	reading ir.Expr // the Use or Index that is evaluated
	moving  ir.Expr // what is evaluated for a cell to keep
	source  int32   // the choice that it is a copy of, as in a cell
	event   pending
	part    int32       // of the current statement, if it is done in several
	resume  func() bool // runs the thread up to its next event, and tells whether there is one
	kill    func()
	pause   func() bool // in the thread: lets others move
	atomic  int
	ended   bool

	stmt ir.Stmt // whose expressions are evaluated
	at   pathID
	proc *ir.Proc

	hidden  []place
	active  map[*ir.Proc]int
	depth   int
	repeats repetition
	scratch *Scratch
	values  []cell  // scratch
	args    []place // scratch
}

func newMachine(p *ir.Program, cfg Config) *machine {
	n := ir.VarID(0)
	each := func(vs []*ir.Var) {
		for _, v := range vs {
			n = max(n, v.ID)
		}
	}
	each(p.Globals)
	for _, f := range p.Procs {
		each(f.Params)
		each(f.Results)
		each(f.Locals)
	}
	s := cfg.Scratch
	if s == nil {
		s = new(Scratch)
	}
	s.vars = slices.Grow(s.vars[:0], int(n)+1)[:n+1]
	clear(s.vars)
	return &machine{
		world: &world{
			p: p, cfg: cfg, trace: &Trace{Rounds: make(map[ir.LocID]int)},
			origins: make([]origin, 1, 8),
			paths:   append(make([]path, 0, 8), path{known: true}),
		},
		vars:   s.vars,
		cells:  s.globals[:0],
		active: make(map[*ir.Proc]int), scratch: s,
	}
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
	for _, v := range m.p.Globals {
		m.bind(v)
	}
	m.globals, m.cells = m.cells, m.scratch.cells[:0]
	m.block(m.p.Init)
	f := m.p.Entry
	for _, v := range f.Params {
		m.bindFree(v)
	}
	m.activate(f)
	m.before(pending{})
	m.trace.Outcome = Ended
	m.leave()
	for _, v := range f.Results {
		m.trace.Results = append(m.trace.Results, m.load(m.vars[v.ID].base))
	}
	if !m.cfg.Final {
		return
	}
	for _, v := range m.p.Visible() {
		_, n := ir.Scalar(v.Type)
		for i := range n {
			m.trace.Final = append(m.trace.Final, m.load(m.vars[v.ID].base+i))
		}
	}
}

// activate runs f, whose parameters are bound, on the current path.
func (m *machine) activate(f *ir.Proc) {
	outer := m.proc
	m.proc = f
	m.active[f]++
	m.depth++
	for _, v := range f.Results {
		m.bindFree(v)
	}
	for _, v := range f.Locals {
		m.bindFree(v)
	}
	m.block(f.Body)
	m.depth--
	m.active[f]--
	m.proc = outer
}

// end ends the run at the current statement.
func (m *machine) end(o Outcome) {
	m.trace.Outcome, m.trace.Failed, m.trace.Path, m.trace.Thread = o, m.stmt, m.text(m.at), m.thread
	m.leave()
	panic(stop{})
}

func (m *machine) violate(k ir.Kind, site ir.SiteID) {
	m.trace.Kind, m.trace.Site = k, site
	m.end(Violated)
}

// note records a value that the current statement stores or tests.
func (m *machine) note(v uint64) {
	if !m.cfg.NoSteps {
		m.trace.Steps = append(m.trace.Steps, Step{m.stmt.Key(), m.text(m.at), v, m.thread, len(m.trace.Events)})
	}
}

// begin makes s the current statement.
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

func (m *machine) exec(s ir.Stmt) jump {
	if b, ok := s.(*ir.Block); ok {
		return m.block(b)
	}
	m.begin(s)
	switch s := s.(type) {
	case *ir.Assign:
		x := m.place(s.LHS)
		m.move(&x, m.moved(s.RHS))
	case *ir.Havoc:
		m.havoc(s)
	case *ir.Alloc:
		m.alloc(s)
	case *ir.Assume:
		v, _ := m.eval(s.Cond)
		m.before(pending{stmt: s})
		if v == 0 {
			m.end(Blocked)
		}
	case *ir.Assert:
		if v, _ := m.eval(s.Cond); v == 0 && !(m.cfg.PassOver && s.Kind == ir.CheckAssert) {
			m.violate(s.Kind, 0)
		}
	case *ir.If:
		if m.condition(s.Cond) {
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
		m.concurrent(s)
	}
	return jump{}
}

// condition evaluates the condition of an If or Loop.
func (m *machine) condition(e ir.Expr) bool {
	c := m.operand(e)
	m.note(c)
	return c == 1
}

func (m *machine) havoc(s *ir.Havoc) {
	x := m.place(s.LHS)
	if _, ok := x.typ.(ir.Array); ok {
		if x.valid {
			m.access(&x, true)
			m.free(s.LHS.(*ir.Use).Var, &x, s.ID)
		}
		return
	}
	c := ir.Choice{Var: ir.Root(s.LHS).ID, At: s.ID, Path: m.text(m.at)}
	v := m.read(c, x.typ)
	m.move(&x, cell{value: v, input: int32(len(m.trace.Inputs))})
}

func (m *machine) alloc(s *ir.Alloc) {
	n, t := m.eval(s.Len)
	if t.Signed && signed(t, n) < 0 {
		n = 0
	}
	if n > uint64(outerLength(s.Var.Type)) {
		m.end(Cut)
	}
	x := &m.vars[s.Var.ID]
	x.length = int(n)
	m.free(s.Var, x, s.ID)
}

func (m *machine) bound(s *ir.Loop) int {
	if n, ok := m.cfg.Loops[s.ID]; ok {
		return n
	}
	return m.cfg.Unwind
}

func (m *machine) loop(s *ir.Loop) jump {
	outer := m.at
	m.enterLoop()
	j := m.rounds(s, outer)
	m.leaveLoop()
	m.at = outer
	return j
}

// rounds executes s and returns the jump that leads out of it.
func (m *machine) rounds(s *ir.Loop, outer pathID) jump {
	bound, k := m.bound(s), m.mark()
	for n := 1; ; n++ {
		m.reclaim(k, len(m.globals)+len(m.cells))
		m.at = m.extend(outer, s.ID, n)
		m.again(s)
		if !s.TestLast {
			if more, j := m.test(s); !more {
				return j
			}
		}
		if bound >= 0 && n > bound {
			m.stmt = s
			m.end(Cut)
		}
		if n > m.trace.Rounds[s.ID] {
			m.trace.Rounds[s.ID] = n
		}
		if leave, j := m.body(s); leave {
			return j
		}
		if m.cfg.Accelerate && n%plainRounds == 0 {
			n += m.skip(s, max(-1, bound-n))
			m.trace.Rounds[s.ID] = max(n, m.trace.Rounds[s.ID])
			m.at = m.extend(outer, s.ID, n)
		}
		if s.TestLast {
			if more, j := m.test(s); !more {
				return j
			}
		}
	}
}

// body executes Body and Post. It reports whether they leave s, and the jump
// that goes on from there.
func (m *machine) body(s *ir.Loop) (leave bool, j jump) {
	j = m.block(s.Body)
	switch here := j.label == "" || j.label == s.Label; {
	case j.kind == returns, j.kind != none && !here:
		return true, j
	case j.kind == breaks:
		return true, jump{}
	}
	j = m.block(s.Post)
	return j.kind != none, j
}

// test executes Head and Cond. If it is not true that there is more to do, j
// is the jump out of Head, if any. An unlabelled one means an outer loop.
func (m *machine) test(s *ir.Loop) (more bool, j jump) {
	if j = m.block(s.Head); j.kind != none {
		return false, j
	}
	m.begin(s)
	return s.Cond == nil || m.condition(s.Cond), jump{}
}

func (m *machine) ret(s *ir.Return) {
	m.values = m.values[:0]
	for _, e := range s.Values {
		m.values = append(m.values, m.moved(e))
	}
	for i, v := range m.values {
		m.move(&m.vars[m.proc.Results[i].ID], v)
	}
}
