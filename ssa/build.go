package ssa

import (
	"context"
	"errors"

	"github.com/go-amend/amend/formula"
	"github.com/go-amend/amend/ir"
)

// Config says what Build makes. The zero Config executes no loop body.
type Config struct {
	// Unwind is the number of executions of each loop body per entry of
	// its loop, and of recursive activations nested in a procedure's own.
	Unwind int

	// Loops overrides Unwind for the loops with these Keys.
	Loops map[ir.LocID]int

	// Slack is added to all these bounds.
	Slack int

	// Spurious lets threads that wait for a condition wake up without a
	// signal, except in deadlocks.
	Spurious bool

	// Hook offers alternatives; nil offers none.
	Hook Hook

	// NoIdle ends the runs that go round in a loop without an effect, right after
	// that: each violates what a shorter one does. They are no Cuts.
	NoIdle bool

	// Final asks for Form.Final.
	Final bool

	// Shared holds, by VarID, globals that threads share besides those that
	// they mention: alternatives may name them. See ir.Written.
	Shared []bool

	// Fold leaves out the definitions that no alternative can alter: their
	// values stand where their names would. Formulas get smaller; slices
	// hold only locations with alternatives, which is all that a repair
	// from those alternatives can touch.
	Fold bool

	// Memory is the memory model for which BuildThreads says what values shared
	// memory may have.
	Memory ir.Memory

	// Flat makes no definitions at all: each value stands where its name
	// would, so that all that can be simplified is. Slices of such a form
	// are empty; it is for solving. Guarded has no effect then.
	Flat bool

	// HoleValue returns the value of a variable whose Kind is ir.Hole, a
	// symbolic constant in an alternative.
	HoleValue func(v *ir.Var) formula.Term

	// Guarded encodes a site with alternatives by one implication per
	// alternative instead of a choice between circuits: the encoding of
	// AllRepair. See BenchmarkEncoding for how they compare.
	Guarded bool

	// Inputs shares the free choices of other forms over the same store.
	// Nil makes a set of its own.
	Inputs *Inputs

	// Stop, if not nil, is asked every few thousand steps, which are a
	// statement, an operation, or an element of an array that is looked at.
	// Its error ends Build, which returns it. See Builder.Under.
	Stop func() error

	// MaxTerms bounds the terms that Build makes, cells of arrays counted
	// with them: 0 means DefaultMaxTerms, and a negative number none. MaxStatements bounds the copies of statements; 0 means none.
	// Beyond them Build returns ErrTooLarge.
	MaxTerms, MaxStatements int
}

// ErrTooLarge says that a constraint set is larger than its Config allows.
var ErrTooLarge = errors.New("ssa: the constraint set is too large")

// DefaultMaxTerms is the default of Config.MaxTerms. So many terms take some
// 2 GB.
const DefaultMaxTerms = 1 << 25

// A Builder makes the constraint set of one program: [For] for a sequential
// one. Analyses take a Builder so as to work for programs with threads too.
type Builder func(st *formula.Store, cfg Config) (*Form, error)

// Under returns a Builder like b that stops, with ctx's cause, when ctx ends,
// and, as b does, when Config.Stop says so.
func (b Builder) Under(ctx context.Context) Builder {
	return func(st *formula.Store, cfg Config) (*Form, error) {
		stop := cfg.Stop
		cfg.Stop = func() error {
			if err := context.Cause(ctx); err != nil || stop == nil {
				return err
			}
			return stop()
		}
		return b(st, cfg)
	}
}

// For returns the Builder of p.
func For(p *ir.Program) Builder {
	return func(st *formula.Store, cfg Config) (*Form, error) { return Build(st, p, cfg) }
}

// Build returns the constraint set of p, which must be well-formed, within
// the bounds of cfg. Time and size are linear in the number of statements
// executed, times the length of the arrays that are accessed at unknown
// indices. The error is an *ir.UnsupportedError, ErrTooLarge, or what cfg.Stop
// returned.
func Build(st *formula.Store, p *ir.Program, cfg Config) (form *Form, err error) {
	if cfg.Unwind < 0 || cfg.Slack < 0 {
		return nil, errors.New("ssa: negative bound")
	}
	b := newBuilder(st, p, cfg)
	defer b.recover(&err)
	b.program()
	return b.form, nil
}

func newBuilder(st *formula.Store, p *ir.Program, cfg Config) *builder {
	if cfg.Inputs == nil {
		cfg.Inputs = NewInputs(st)
	}
	if cfg.MaxTerms == 0 {
		cfg.MaxTerms = DefaultMaxTerms
	}
	b := &builder{
		Store: st, p: p, cfg: cfg, before: st.Len(),
		form:   &Form{Store: st, Program: p, Inputs: cfg.Inputs},
		spec:   p.Spec(),
		path:   st.True(),
		jumps:  make(map[ir.Stmt]bool),
		depth:  make(map[*ir.Proc]int),
		memo:   make(map[ir.Expr]formula.Term),
		alts:   make(map[ir.Expr][]Alternative),
		places: make(map[ir.Expr]ir.SiteID),
		risky:  make(map[ir.Expr]bool),
	}
	b.mem = private{b}
	return b
}

// recover stores in err the failure that the builder panicked with, if any.
func (b *builder) recover(err *error) {
	switch r := recover().(type) {
	case nil:
	case failure:
		*err = r.err
	default:
		panic(r)
	}
}

// failure is what the builder panics with, for Build to return its error.
type failure struct{ err error }

// A builder holds the state of symbolic execution.
type builder struct {
	*formula.Store
	p    *ir.Program
	cfg  Config
	form *Form

	cells    []cell
	initials []initialValue
	trail    []undo
	stamp    []int32 // by cell: the last rewind that saw it
	epoch    int32

	copies int               // statements executed
	steps  int               // see Config.Stop
	before int               // terms in the store
	spec   map[ir.LocID]bool // see ir.Program.Spec
	path   formula.Term      // the branch conditions on the way here
	ok     int               // cell: assumptions held and nothing was cut
	at     ir.Path

	frame *frame
	depth map[*ir.Proc]int // activations on the stack
	jumps map[ir.Stmt]bool // whether a statement holds a jump

	// While a statement is executed:
	stmt    ir.Stmt
	origin  ir.LocID // 0 if it is hard or part of the specification
	hooked  bool     // some site of it has alternatives
	memo    map[ir.Expr]formula.Term
	alts    map[ir.Expr][]Alternative
	places  map[ir.Expr]ir.SiteID    // of alternatives
	naming  *naming                  // nil outside alternatives
	risky   map[ir.Expr]bool         // whether an expression holds an operation to check
	demands map[ir.Expr]formula.Term // during check

	mem    memory
	allocs map[*ir.Var]bool // arrays whose length some Alloc gives
	watch  *watching        // nil: all elements of arrays are known
}

// A frame is an activation of a procedure.
type frame struct {
	proc     *ir.Proc
	vars     map[*ir.Var]view
	returned int // cell
	targets  []target
}

// A target is a statement that can be left by a jump.
type target struct {
	label     string
	loop      bool
	left      int // cell: a Break left it
	continued int // cell: a Continue left this round of it; loops only
}

func (b *builder) program() {
	b.ok = b.newCell(b.True())
	b.frame = &frame{vars: make(map[*ir.Var]view), returned: b.newCell(b.False())}
	globals := b.frame.vars
	for _, v := range b.p.Globals {
		b.bindZero(v)
	}
	if b.p.Init != nil {
		b.block(b.p.Init)
	}
	f := b.p.Entry
	b.enter(f, globals, "")
	for _, v := range f.Params {
		b.bindFree(v, "")
	}
	b.depth[f]++
	b.block(f.Body)
	b.mem.ended()
	b.form.End = b.reached()
	for _, v := range f.Results {
		b.form.Results = append(b.form.Results, b.read(b.frame.vars[v].base))
	}
	if b.cfg.Final {
		b.form.Final = b.final()
	}
}

// final returns the values of what is visible at the end.
func (b *builder) final() (out []formula.Term) {
	for _, v := range b.p.Visible() {
		_, n := ir.Scalar(v.Type)
		if n > 1 && b.watch != nil {
			continue // not all elements are known
		}
		for i := range n {
			out = append(out, b.read(b.frame.vars[v].base+i))
		}
	}
	return out
}

// enter makes a new activation of f, on path at, the current frame.
func (b *builder) enter(f *ir.Proc, globals map[*ir.Var]view, at ir.Path) {
	fr := &frame{proc: f, vars: make(map[*ir.Var]view), returned: b.newCell(b.False())}
	for _, v := range b.p.Globals {
		fr.vars[v] = globals[v]
	}
	b.frame = fr
	for _, v := range f.Locals {
		b.bindFree(v, at)
	}
	for _, v := range f.Results {
		b.bindFree(v, at)
	}
	b.at = at
}

// bound returns how often the body of s may be executed.
func (b *builder) bound(s *ir.Loop) int {
	n, ok := b.cfg.Loops[s.ID]
	if !ok {
		n = b.cfg.Unwind
	}
	return n + b.cfg.Slack
}

// reached returns the proposition that the run gets here, all assumptions
// held so far and nothing was cut.
func (b *builder) reached() formula.Term {
	return b.And(b.And(b.path, b.read(b.ok)), b.mem.here())
}

// define gives x a name, if the constraint set is to have one for it.
func (b *builder) define(name string, x formula.Term) formula.Term {
	if b.cfg.Flat || b.cfg.Fold && !b.hooked || b.mem.silent() {
		return x
	}
	return b.def(name, x, b.origin, false)
}

// phi gives the choice x between two versions a name, likewise.
func (b *builder) phi(name string, x formula.Term) formula.Term {
	if b.cfg.Flat || b.cfg.Fold {
		return x
	}
	return b.def(name, x, 0, true)
}

func (b *builder) def(name string, x formula.Term, origin ir.LocID, phi bool) formula.Term {
	y := b.Var(b.Width(x), name)
	b.form.Defs = append(b.form.Defs, Def{Name: y, Value: x, Guard: b.path, Origin: origin, Phi: phi})
	return y
}
