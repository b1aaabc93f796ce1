package ssa

import (
	"github.com/go-amend/amend/formula"
	"github.com/go-amend/amend/ir"
)

// A Model is the input of one run: the values of its free choices. One that
// is not mentioned is 0.
type Model map[ir.Choice]uint64

// Input returns the value of c. It serves as interp.Config.Input.
func (m Model) Input(c ir.Choice) uint64 { return m[c] }

// Model returns the values of the form's inputs in the model that s found.
// It is defined only after a Check that returned sat.
func (f *Form) Model(s *formula.Solver) Model { return f.Inputs.Model(s) }

// Model returns the values of the inputs in the model that s found.
func (in *Inputs) Model(s *formula.Solver) Model {
	m := make(Model)
	for _, x := range in.all {
		if v := s.Value(x.Term); v != 0 {
			m[x.Choice] = v
		}
	}
	return m
}

// A Run gives every term of a form its value in one run.
type Run struct {
	form *Form
	ev   *formula.Evaluator
	vars []uint64 // by Term: values of inputs, selectors and names
}

// NewRun returns a Run for f. It can be reused for one model after another.
func NewRun(f *Form) *Run {
	r := &Run{form: f}
	r.ev = formula.NewEvaluator(f.Store, func(v formula.Term) uint64 {
		if int(v) < len(r.vars) {
			return r.vars[v]
		}
		return 0
	})
	return r
}

// Start computes the run on input m with the selectors for which selected
// returns true (nil: none). It takes time linear in the form.
func (r *Run) Start(m Model, selected []formula.Term) {
	r.vars = append(r.vars[:0], make([]uint64, r.form.Store.Len())...)
	for _, x := range r.form.Inputs.all {
		r.vars[x.Term] = m[x.Choice]
	}
	for _, s := range selected {
		r.vars[s] = 1
	}
	for r.pass() {
	}
}

// pass computes all definitions, and reports whether it must be done again:
// a late one changed. What happened in a run before the n-th read of memory
// stays as it is after n passes.
func (r *Run) pass() bool {
	again := false
	r.ev.Reset()
	for i := range r.form.Defs {
		d := &r.form.Defs[i]
		v := r.ev.Eval(d.Value)
		again = again || d.Late && r.vars[d.Name] != v
		r.vars[d.Name] = v
	}
	return again
}

// Value returns the value of t.
func (r *Run) Value(t formula.Term) uint64 { return r.ev.Eval(t) }

// Evaluator returns the evaluator of the run, for formula.Important.
func (r *Run) Evaluator() *formula.Evaluator { return r.ev }
