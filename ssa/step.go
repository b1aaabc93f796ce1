package ssa

import (
	"github.com/go-amend/amend/formula"
	"github.com/go-amend/amend/ir"
)

// A Stepper translates statements one by one, each to what it does to the
// state, for analyses that follow the control flow themselves and unwind
// nothing. It lowers arrays, checks and calls exactly as Build does.
//
// The state is a list of scalar variables: see StateVar. One activation of
// each procedure has a place in it, so that recursion can't be told from a
// new activation: the caller must refuse it.
type Stepper struct {
	b     *builder
	vars  []StateVar
	index map[int]int         // from cells to vars
	parts map[*ir.Var][2]int  // the offset and bounds cells of array parameters
	procs map[*ir.Proc]*frame // without array parameters
	init  *frame              // of Init, which sees the globals only
}

// A Part says what of a variable a StateVar is.
type Part uint8

const (
	PartValue  Part = iota // the value of a scalar or element
	PartLength             // the length of an array that an Alloc made
	PartOffset             // where, in the array passed, an array parameter begins
	PartValid              // whether that is in bounds
)

// A StateVar is a scalar of the state.
type StateVar struct {
	Term formula.Term // a variable: the value before a statement
	Var  *ir.Var
	Proc *ir.Proc // whose variable it is; nil for globals
	Part Part
	Elem int     // flat index, for PartValue
	Type ir.Type // scalar
}

// A Set is an assignment to the i-th variable of the state.
type Set struct {
	Var   int
	Value formula.Term
}

// An Effect is what a statement does, over the state before it and Inputs.
type Effect struct {
	Inputs []Input      // the free choices made; their paths are empty
	Claims []Claim      // where all hold, the statement is executed
	Pass   formula.Term // assumptions: where it is false, the run stops
	Cut    formula.Term // where it holds, an Alloc is too large
	Value  formula.Term // the condition of an If or Loop
	Sets   []Set        // simultaneous; others keep their values
}

// A Frame is a procedure as one call activates it.
type Frame struct{ f *frame }

// NewStepper returns a Stepper for p, which must be well-formed.
func NewStepper(st *formula.Store, p *ir.Program) *Stepper {
	s := &Stepper{
		index: make(map[int]int), parts: make(map[*ir.Var][2]int),
		procs: make(map[*ir.Proc]*frame),
	}
	s.b = &builder{
		Store: st, p: p, cfg: Config{Flat: true, Fold: true},
		path: st.True(), jumps: make(map[ir.Stmt]bool), memo: make(map[ir.Expr]formula.Term),
		alts: make(map[ir.Expr][]Alternative), places: make(map[ir.Expr]ir.SiteID),
		risky: make(map[ir.Expr]bool), spec: p.Spec(),
	}
	s.b.mem = private{s.b}
	s.b.ok = s.b.newCell(st.True())
	s.init = s.frame(nil)
	for _, v := range p.Globals {
		s.init.vars[v] = s.bind(nil, v)
	}
	for _, f := range p.Procs {
		s.procs[f] = s.frame(f)
		for _, v := range f.Params {
			if a, ok := v.Type.(ir.Array); !ok || a.Len != 0 && f == p.Entry {
				s.procs[f].vars[v] = s.bind(f, v)
			}
		}
		for _, vs := range [...][]*ir.Var{f.Results, f.Locals} {
			for _, v := range vs {
				s.procs[f].vars[v] = s.bind(f, v)
			}
		}
	}
	return s
}

func (s *Stepper) frame(f *ir.Proc) *frame {
	fr := &frame{proc: f, vars: make(map[*ir.Var]view), returned: s.b.newCell(s.b.False())}
	if s.init != nil {
		for _, v := range s.b.p.Globals {
			fr.vars[v] = s.init.vars[v]
		}
	}
	return fr
}

// bind makes the state variables of v.
func (s *Stepper) bind(f *ir.Proc, v *ir.Var) view {
	elem, n := ir.Scalar(v.Type)
	w := view{base: len(s.b.cells), size: n, typ: v.Type, n: outer(v.Type)}
	for i := range n {
		s.newVar(StateVar{Var: v, Proc: f, Elem: i, Type: elem})
	}
	if s.b.allocated(v) {
		w.length = s.newVar(StateVar{Var: v, Proc: f, Part: PartLength, Type: ir.Int{Width: 64}})
	}
	return w
}

// newVar returns the cell of a new state variable.
func (s *Stepper) newVar(x StateVar) int {
	x.Term = s.b.Var(ir.Width(x.Type), x.Var.Name)
	c := s.b.newCell(x.Term)
	s.index[c] = len(s.vars)
	s.vars = append(s.vars, x)
	return c
}

// Vars returns the variables of the state. Calls may add some: those for
// offsets into arrays that are passed. The caller must not modify the result.
func (s *Stepper) Vars() []StateVar { return s.vars }

// Init returns the frame of the program's Init.
func (s *Stepper) Init() *Frame { return &Frame{s.init} }

// Entry returns the frame of the program's entry.
func (s *Stepper) Entry() *Frame { return &Frame{s.procs[s.b.p.Entry]} }

// Zero returns what makes all of v, a global, zero.
func (s *Stepper) Zero(v *ir.Var) *Effect {
	e := &Effect{Pass: s.b.True(), Cut: s.b.False()}
	w := s.init.vars[v]
	for i := range w.size {
		x := s.index[w.base+i]
		e.Sets = append(e.Sets, Set{x, s.b.Const(ir.Width(s.vars[x].Type), 0)})
	}
	return e
}

// Locals returns the variables of f that are free at an entry, and what an
// entry sets.
func (s *Stepper) Locals(f *ir.Proc) (free []int, sets []Set) {
	fr := s.procs[f]
	for _, vs := range [...][]*ir.Var{f.Results, f.Locals} {
		for _, v := range vs {
			w := fr.vars[v]
			for i := range w.size {
				free = append(free, s.index[w.base+i])
			}
			if w.length != 0 {
				sets = append(sets, Set{s.index[w.length], s.b.Const(64, uint64(w.n))})
			}
		}
	}
	return free, sets
}

// Step translates x, executed in frame fr: an Assign, Havoc, Alloc, Assume,
// Assert or Return, or the condition of an If or Loop. The error is an
// *ir.UnsupportedError.
func (s *Stepper) Step(fr *Frame, x ir.Stmt) (*Effect, error) {
	return s.run(fr.f, func(e *Effect) {
		switch x := x.(type) {
		case *ir.If:
			s.b.begin(x)
			e.Value = s.b.eval(x.Cond)
		case *ir.Loop:
			s.b.begin(x)
			if e.Value = s.b.True(); x.Cond != nil {
				e.Value = s.b.eval(x.Cond)
			}
		default:
			s.b.exec(x)
		}
	})
}

// Call translates the arguments of x, a call made in frame fr. It returns
// the frame of the callee too.
func (s *Stepper) Call(fr *Frame, x *ir.Call) (*Effect, *Frame, error) {
	callee := s.frame(x.Proc)
	for v, w := range s.procs[x.Proc].vars {
		callee.vars[v] = w
	}
	e, err := s.run(fr.f, func(*Effect) {
		s.b.begin(x)
		for i, v := range x.Proc.Params {
			if _, ok := v.Type.(ir.Array); ok {
				callee.vars[v] = s.pass(x.Proc, v, x.Args[i])
			} else {
				s.b.set(callee.vars[v].base, s.b.eval(x.Args[i]))
			}
		}
	})
	return e, &Frame{callee}, err
}

// pass returns the view that parameter v has of the array e.
func (s *Stepper) pass(f *ir.Proc, v *ir.Var, e ir.Expr) view {
	w := s.b.viewOf(e, s.b.operand)
	s.b.check(e)
	if w.off == 0 {
		return w
	}
	c, ok := s.parts[v]
	if !ok {
		c[0] = s.newVar(StateVar{Var: v, Proc: f, Part: PartOffset, Type: ir.Int{Width: offsetWidth}})
		c[1] = s.newVar(StateVar{Var: v, Proc: f, Part: PartValid, Type: ir.Bool{}})
		s.parts[v] = c
	}
	for i, t := range []*formula.Term{&w.off, &w.valid} {
		if _, ok := s.b.Value(*t); *t != 0 && !ok {
			s.b.set(c[i], *t)
			*t = s.vars[s.index[c[i]]].Term
		}
	}
	return w
}

// Return translates how the results of x, a call made in frame fr, are
// stored when callee, its frame, is left.
func (s *Stepper) Return(fr, callee *Frame, x *ir.Call) (*Effect, error) {
	return s.run(fr.f, func(*Effect) {
		s.b.begin(x)
		var results []formula.Term
		for _, v := range x.Proc.Results {
			results = append(results, s.b.read(callee.f.vars[v].base))
		}
		for i, e := range x.Results {
			if e != nil {
				s.b.store(s.b.lvalue(e), results[i])
			}
		}
	})
}

// run returns the effect of do, and undoes it.
func (s *Stepper) run(fr *frame, do func(*Effect)) (e *Effect, err error) {
	b := s.b
	b.frame = fr
	b.cfg.Inputs = NewInputs(b.Store)
	b.form = &Form{Store: b.Store, Program: b.p, Inputs: b.cfg.Inputs}
	e = &Effect{Pass: b.True(), Cut: b.False()}
	defer func() {
		if r := recover(); r != nil {
			f, ok := r.(failure)
			if !ok {
				panic(r)
			}
			b.rewind(0, len(b.cells))
			e, err = nil, f.err
		}
	}()
	do(e)
	for _, c := range b.form.Cuts {
		e.Cut = b.Or(e.Cut, c.Guard)
	}
	for _, a := range b.form.Assumes {
		e.Pass = b.And(e.Pass, b.Implies(a.Guard, a.Cond))
	}
	e.Inputs, e.Claims = b.cfg.Inputs.All(), b.form.Claims
	for _, c := range b.rewind(0, len(b.cells)) {
		if i, ok := s.index[c.cell]; ok && c.term != s.vars[i].Term {
			e.Sets = append(e.Sets, Set{i, c.term})
		}
	}
	return e, nil
}
