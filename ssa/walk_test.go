package ssa_test

import (
	"math/rand/v2"
	"testing"

	"github.com/go-amend/amend/formula"
	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/gen"
	"github.com/go-amend/amend/ir/interp"
	"github.com/go-amend/amend/ssa"
	"github.com/go-amend/amend/ssa/step"
)

// TestStepperWalks follows the control flow of random programs, and lets a
// Stepper say what each statement does.
func TestStepperWalks(t *testing.T) {
	n := uint64(1500)
	if testing.Short() {
		n = 300
	}
	outcomes := make(map[interp.Outcome]int)
	for seed := range n {
		p := gen.Program(rand.New(rand.NewPCG(seed, 13)), gen.Config{Checks: allChecks, Free: seed%2 == 0})
		st := formula.NewStore()
		step := ssa.NewStepper(st, p)
		for k := range uint64(4) {
			w := walk(t, st, step, p, seed*100+k)
			if w != nil {
				outcomes[w.outcome]++
			}
			if t.Failed() {
				t.Fatalf("seed %d, run %d of\n%s", seed, k, p)
			}
		}
	}
	t.Log(outcomes)
	for _, o := range []interp.Outcome{interp.Ended, interp.Violated, interp.Blocked, interp.Cut} {
		if outcomes[o] < 20 {
			t.Errorf("only %d runs %v", outcomes[o], o)
		}
	}
}

// TestStepperRows passes rows of a matrix, whose place is known only when the
// program runs.
func TestStepperRows(t *testing.T) {
	p := parse(t, `
proc first(a []i8) (r i8) { r = a[0] + a[1]; a[1] = r }
proc both(a [][2]i8, i u8) (r i8) { var x i8; var y i8; x = first(a[i]); y = first(a[1]); r = x - y }
proc main(i u2, j u2, k u1) (r i8) {
	var m [3][2][2]i8
	var x i8
	var y i8
	x = first(m[i][k])
	y = both(m[j], u8(k))
	r = x ^ y ^ m[1][1][1]
}`)
	for _, checks := range []ir.Checks{0, p.Checks.With(ir.CheckBounds)} {
		p.Checks = checks
		st := formula.NewStore()
		step := ssa.NewStepper(st, p)
		for seed := range uint64(40) {
			walk(t, st, step, p, seed)
		}
	}
}

// walk compares a run of p on random inputs by step with the interpreter's. It
// returns nil for recursion, which a Stepper can't tell from a new activation.
func walk(t *testing.T, st *formula.Store, step step.Stepper, p *ir.Program, seed uint64) *walker {
	t.Helper()
	input := func(c ir.Choice) uint64 {
		c.Path = "" // which a Stepper doesn't know
		return gen.Input(seed)(c)
	}
	want, err := interp.Run(t.Context(), p, interp.Config{Input: input, Unwind: 3})
	if err != nil {
		t.Fatal(err)
	}
	if want.Depth > 0 {
		return nil
	}
	w := &walker{T: t, p: p, st: st, step: step, input: input, values: make(map[formula.Term]uint64)}
	w.run()
	w.same(want)
	return w
}

// A walker executes a program by the effects of its statements.
type walker struct {
	*testing.T
	p       *ir.Program
	st      *formula.Store
	step    step.Stepper
	input   func(ir.Choice) uint64
	values  map[formula.Term]uint64 // of variables of the state, and inputs
	outcome interp.Outcome
	claim   *step.Claim
	at      ir.Stmt // that ended the run
	leaves  string  // label of the jump that is on its way
}

// over ends a run.
type over struct{}

// way is how control leaves a statement.
type way uint8

const (
	goesOn way = iota
	breaks
	continues
	returns
)

func (w *walker) run() {
	defer func() {
		if r := recover(); r != nil && r != (over{}) {
			panic(r)
		}
	}()
	for _, v := range w.p.Globals {
		w.store(w.step.Zero(v).Sets)
	}
	w.block(w.step.Init(), w.p.Init)
	f := w.p.Entry
	for _, x := range w.step.Vars() {
		if x.Proc == f && x.Var.Kind == ir.Param {
			w.free(x)
		}
	}
	w.locals(f)
	w.block(w.step.Entry(), f.Body)
	w.outcome = interp.Ended
}

// free gives x, a variable of the state, an initial value.
func (w *walker) free(x step.Scalar) {
	w.values[x.Term] = ir.Wrap(x.Type, w.input(ir.Choice{Var: x.Var.ID, Elem: int32(x.Elem)}))
}

// locals enters f.
func (w *walker) locals(f *ir.Proc) {
	free, sets := w.step.Locals(f)
	for _, i := range free {
		w.free(w.step.Vars()[i])
	}
	w.store(sets)
}

// end ends the run in s.
func (w *walker) end(o interp.Outcome, s ir.Stmt) {
	w.outcome, w.at = o, s
	panic(over{})
}

func (w *walker) eval(x formula.Term) uint64 {
	return w.st.Eval(x, func(v formula.Term) uint64 { return w.values[v] })
}

// store makes the assignments in sets, all at once.
func (w *walker) store(sets []step.Set) {
	after := make([]uint64, len(sets))
	for i, x := range sets {
		after[i] = w.eval(x.Value)
	}
	for i, x := range sets {
		w.values[w.step.Vars()[x.Var].Term] = after[i]
	}
}

// apply does what s does, and returns the value of its condition, if any.
func (w *walker) apply(e *step.Effect, err error, s ir.Stmt) uint64 {
	if err != nil {
		w.Fatal(err)
	}
	for _, in := range e.Inputs {
		w.values[in.Term] = ir.Wrap(in.Type, w.input(in.Choice))
	}
	for i := range e.Claims {
		if c := &e.Claims[i]; w.eval(c.Violated) == 1 {
			w.claim = c
			w.end(interp.Violated, s)
		}
	}
	if w.eval(e.Pass) == 0 {
		w.end(interp.Blocked, s)
	}
	if w.eval(e.Cut) == 1 {
		w.end(interp.Cut, s)
	}
	v := uint64(0)
	if e.Value != 0 {
		v = w.eval(e.Value)
	}
	w.store(e.Sets)
	return v
}

func (w *walker) block(fr step.Frame, b *ir.Block) way {
	if b == nil {
		return goesOn
	}
	for _, s := range b.List {
		if j := w.exec(fr, s); j == breaks && b.Label != "" && w.leaves == b.Label {
			return goesOn
		} else if j != goesOn {
			return j
		}
	}
	return goesOn
}

func (w *walker) exec(fr step.Frame, s ir.Stmt) way {
	switch s := s.(type) {
	case *ir.Block:
		return w.block(fr, s)
	case *ir.If:
		if w.one(fr, s) == 1 {
			return w.block(fr, s.Then)
		}
		return w.block(fr, s.Else)
	case *ir.Loop:
		return w.loop(fr, s)
	case *ir.Call:
		w.call(fr, s)
		return goesOn
	case *ir.Break:
		w.leaves = s.Label
		return breaks
	case *ir.Continue:
		w.leaves = s.Label
		return continues
	}
	w.one(fr, s)
	if _, ok := s.(*ir.Return); ok {
		return returns
	}
	return goesOn
}

// one executes s, or its condition alone.
func (w *walker) one(fr step.Frame, s ir.Stmt) uint64 {
	e, err := w.step.Step(fr, s)
	return w.apply(e, err, s)
}

func (w *walker) loop(fr step.Frame, s *ir.Loop) way {
	for n := 1; ; n++ {
		if !s.TestLast {
			if j := w.block(fr, s.Head); j != goesOn {
				return j
			}
			if w.one(fr, s) == 0 {
				return goesOn
			}
		}
		if n > 3 {
			w.end(interp.Cut, s)
		}
		switch j := w.block(fr, s.Body); {
		case j == returns, j != goesOn && w.leaves != "" && w.leaves != s.Label:
			return j
		case j == breaks:
			return goesOn
		}
		if j := w.block(fr, s.Post); j != goesOn {
			return j
		}
		if s.TestLast {
			if j := w.block(fr, s.Head); j != goesOn {
				return j
			}
			if w.one(fr, s) == 0 {
				return goesOn
			}
		}
	}
}

func (w *walker) call(fr step.Frame, s *ir.Call) {
	e, callee, err := w.step.Call(fr, s)
	w.apply(e, err, s)
	w.locals(s.Proc)
	w.block(callee, s.Proc.Body)
	e, err = w.step.Return(fr, callee, s)
	w.apply(e, err, s)
}

// same checks that the run ended as want did.
func (w *walker) same(want *interp.Trace) {
	if w.outcome != want.Outcome {
		w.Errorf("%v by steps, %v by the interpreter", w.outcome, want.Outcome)
		return
	}
	if want.Outcome != interp.Ended && w.at.Key() != want.Failed.Key() {
		w.Errorf("%v in statement %d by steps, %d by the interpreter", w.outcome, w.at.Key(), want.Failed.Key())
	}
	if c := w.claim; c != nil && (c.Kind != want.Kind || c.Site != want.Site) {
		w.Errorf("%v at site %d by steps, %v at %d by the interpreter", c.Kind, c.Site, want.Kind, want.Site)
	}
	if want.Outcome != interp.Ended {
		return
	}
	i := 0
	for _, x := range w.step.Vars() {
		if x.Proc != w.p.Entry || x.Var.Kind != ir.Result {
			continue
		}
		if got := w.values[x.Term]; got != want.Results[i] {
			w.Errorf("result %d is %d by steps, %d by the interpreter", i, got, want.Results[i])
		}
		i++
	}
}
