package ssa

import (
	"github.com/go-amend/amend/formula"
	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ssa/step"
)

// A stepper is a step.Stepper: symbolic execution of single statements, each from
// a state of variables.
type stepper struct {
	b      *builder
	vars   []step.Scalar
	index  map[int]int         // from cells to vars
	parts  map[*ir.Var][2]int  // the offset and bounds cells of array parameters
	procs  map[*ir.Proc]*frame // without array parameters
	init   *frame              // of Init, which sees the globals only
	frames []*frame            // by step.Frame
}

// NewStepper returns a Stepper for p, which must be well-formed: see package
// ssa/step.
func NewStepper(st *formula.Store, p *ir.Program) step.Stepper { return newStepper(st, p, nil) }

func newStepper(st *formula.Store, p *ir.Program, watch *watching) *stepper {
	s := &stepper{
		index: make(map[int]int), parts: make(map[*ir.Var][2]int),
		procs: make(map[*ir.Proc]*frame),
	}
	s.b = &builder{
		Store: st, p: p, cfg: Config{Flat: true, Fold: true},
		path: st.True(), jumps: make(map[ir.Stmt]bool), memo: make(map[ir.Expr]formula.Term),
		alts: make(map[ir.Expr][]Alternative), places: make(map[ir.Expr]ir.SiteID),
		risky: make(map[ir.Expr]bool), spec: p.Spec(), watch: watch,
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
	s.frames = []*frame{s.init, s.procs[p.Entry]}
	return s
}

func (s *stepper) frame(f *ir.Proc) *frame {
	fr := &frame{proc: f, vars: make(map[*ir.Var]view), returned: s.b.newCell(s.b.False())}
	if s.init != nil {
		for _, v := range s.b.p.Globals {
			fr.vars[v] = s.init.vars[v]
		}
	}
	return fr
}

// bind makes the state variables of v.
func (s *stepper) bind(f *ir.Proc, v *ir.Var) view {
	if s.b.watch != nil && s.b.allocated(v) {
		return s.bindWatched(f, v)
	}
	elem, n := ir.Scalar(v.Type)
	w := view{base: len(s.b.cells), size: n, typ: v.Type, n: outer(v.Type)}
	for i := range n {
		s.newVar(step.Scalar{Var: v, Proc: f, Elem: i, Type: elem})
	}
	if s.b.allocated(v) {
		w.length = s.newVar(step.Scalar{Var: v, Proc: f, Part: step.PartLength, Type: ir.Int{Width: 64}})
	}
	return w
}

// newVar returns the cell of a new state variable.
func (s *stepper) newVar(x step.Scalar) int {
	x.Term = s.b.Var(ir.Width(x.Type), x.Var.Name)
	c := s.b.newCell(x.Term)
	s.index[c] = len(s.vars)
	s.vars = append(s.vars, x)
	return c
}

func (s *stepper) Vars() []step.Scalar { return s.vars }

func (s *stepper) Init() step.Frame { return 0 }

func (s *stepper) Entry() step.Frame { return 1 }

func (s *stepper) Zero(v *ir.Var) *step.Effect {
	e := &step.Effect{Pass: s.b.True(), Cut: s.b.False()}
	w := s.init.vars[v]
	for i := range w.size {
		x := s.index[w.base+i]
		e.Sets = append(e.Sets, step.Set{Var: x, Value: s.b.Const(ir.Width(s.vars[x].Type), 0)})
	}
	return e
}

func (s *stepper) Locals(f *ir.Proc) (free []int, sets []step.Set) {
	fr := s.procs[f]
	for _, vs := range [...][]*ir.Var{f.Results, f.Locals} {
		for _, v := range vs {
			w := fr.vars[v]
			for i := range w.size {
				free = append(free, s.index[w.base+i])
			}
			if w.length != 0 {
				sets = append(sets, step.Set{Var: s.index[w.length], Value: s.b.Const(64, uint64(w.n))})
			}
		}
	}
	return free, sets
}

func (s *stepper) Step(fr step.Frame, x ir.Stmt) (*step.Effect, error) {
	return s.run(s.frames[fr], func(e *step.Effect) {
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

func (s *stepper) Call(fr step.Frame, x *ir.Call) (*step.Effect, step.Frame, error) {
	callee := s.frame(x.Proc)
	for v, w := range s.procs[x.Proc].vars {
		callee.vars[v] = w
	}
	e, err := s.run(s.frames[fr], func(*step.Effect) {
		s.b.begin(x)
		for i, v := range x.Proc.Params {
			if _, ok := v.Type.(ir.Array); ok {
				callee.vars[v] = s.pass(x.Proc, v, x.Args[i])
			} else {
				s.b.set(callee.vars[v].base, s.b.eval(x.Args[i]))
			}
		}
	})
	s.frames = append(s.frames, callee)
	return e, step.Frame(len(s.frames) - 1), err
}

// pass returns the view that parameter v has of the array e.
func (s *stepper) pass(f *ir.Proc, v *ir.Var, e ir.Expr) view {
	w := s.b.viewOf(e, s.b.operand)
	s.b.check(e)
	if w.off == 0 {
		return w
	}
	c, ok := s.parts[v]
	if !ok {
		c[0] = s.newVar(step.Scalar{Var: v, Proc: f, Part: step.PartOffset, Type: ir.Int{Width: offsetWidth}})
		c[1] = s.newVar(step.Scalar{Var: v, Proc: f, Part: step.PartValid, Type: ir.Bool{}})
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

func (s *stepper) Return(fr, callee step.Frame, x *ir.Call) (*step.Effect, error) {
	return s.run(s.frames[fr], func(*step.Effect) {
		s.b.begin(x)
		var results []formula.Term
		for _, v := range x.Proc.Results {
			results = append(results, s.b.read(s.frames[callee].vars[v].base))
		}
		for i, e := range x.Results {
			if e != nil {
				s.b.store(s.b.lvalue(e), results[i])
			}
		}
	})
}

// run returns the effect of do, and undoes it.
func (s *stepper) run(fr *frame, do func(*step.Effect)) (e *step.Effect, err error) {
	b := s.b
	b.frame = fr
	b.cfg.Inputs = NewInputs(b.Store)
	if b.watch != nil {
		b.watch.reads = nil
	}
	b.form = &Form{Store: b.Store, Program: b.p, Inputs: b.cfg.Inputs}
	e = &step.Effect{Pass: b.True(), Cut: b.False()}
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
	for _, in := range b.cfg.Inputs.All() {
		e.Inputs = append(e.Inputs, step.Input{Choice: in.Choice, Term: in.Term, Type: in.Type})
	}
	for i := range b.form.Claims {
		c := &b.form.Claims[i]
		violated := c.Violated(b.Store)
		if b.watch != nil {
			violated = b.watchedClaim(violated)
		}
		e.Claims = append(e.Claims, step.Claim{Kind: c.Kind, Site: c.Site, Violated: violated})
	}
	for _, c := range b.rewind(0, len(b.cells)) {
		if i, ok := s.index[c.cell]; ok && c.term != s.vars[i].Term {
			e.Sets = append(e.Sets, step.Set{Var: i, Value: c.term})
		}
	}
	return e, nil
}
