package mutate

import (
	"errors"
	"fmt"
	"slices"

	"github.com/go-amend/amend/formula"
	"github.com/go-amend/amend/formula/sat"
	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/interp"
	"github.com/go-amend/amend/ssa"
)

// This file tells repairs apart that assertions don't. Two behave alike if each
// bounded run ends in both or in none, with the same values of what is visible
// then (ir.Program.Visible). Inputs on which some repairs differed are tried first,
// so that a repair takes one query of a solver: with the one that is like it on all of
// these, if there is one.

// A Difference is an input on which two repairs behave differently, both of which
// violate nothing.
type Difference struct {
	Input ssa.Model

	// What this repair does, and the other one, each in the words of
	// ir.FormatValue, "" where the run doesn't end: for the first of the
	// variables in which they differ, or "" if one of them doesn't end.
	Variable   string
	This, That string
}

// A class is a repair and what it does on the inputs of classes.
type class struct {
	*Repair
	does  []behaviour
	reads bool // a run reads an input, or shows one that nothing has set
}

// A behaviour is what is visible at the end of a run, nil if it doesn't end.
type behaviour []uint64

func (b behaviour) is(c behaviour) bool { return (b == nil) == (c == nil) && slices.Equal(b, c) }

// A classifier finds out which repairs behave alike.
type classifier struct {
	r      *run
	inputs []ssa.Model
	all    []*class // one for each behaviour, in the order of the repairs
}

// add reports whether x behaves unlike all repairs before it, or may do so. If it does it
// notes an input that tells it from the one before.
func (k *classifier) add(x *Repair) (bool, error) {
	if k.r.sole && len(k.inputs) == 0 {
		k.inputs = append(k.inputs, k.r.first.model)
	}
	n := &class{Repair: x}
	for _, in := range k.inputs {
		if err := k.note(n, in); err != nil {
			return false, err
		}
	}
	for _, c := range k.all {
		if !slices.EqualFunc(c.does, n.does, behaviour.is) {
			continue
		}
		in, err := k.difference(c, n)
		switch {
		case errors.Is(err, ssa.ErrTooLarge):
			continue // nobody knows
		case err != nil:
			return false, err
		case in == nil:
			return false, nil
		}
		if err := k.learn(in, n); err != nil {
			return false, err
		}
	}
	if len(k.all) > 0 {
		x.Apart = k.apart(n, k.all[len(k.all)-1])
	}
	k.all = append(k.all, n)
	return true, nil
}

// learn runs all, and n, on in.
func (k *classifier) learn(in ssa.Model, n *class) error {
	k.inputs = append(k.inputs, in)
	for _, c := range append(slices.Clone(k.all), n) {
		if err := k.note(c, in); err != nil {
			return err
		}
	}
	return nil
}

// note runs c on in.
func (k *classifier) note(c *class, in ssa.Model) error {
	r := k.r
	unwind, loops, steps := r.limits()
	t, err := r.cfg.Semantics.Run(r.ctx, c.Program, interp.Config{
		Input: func(x ir.Choice) uint64 {
			c.reads = true
			return in.Input(x)
		},
		Unwind: unwind, Loops: loops, MaxSteps: steps, NoSteps: true, Final: true,
	})
	if err != nil {
		return err
	}
	var d behaviour
	if t.Outcome == interp.Ended {
		d = append(behaviour{}, t.Final...)
	}
	c.does = append(c.does, d)
	return nil
}

// difference returns an input on which p and q behave differently, nil if there is
// none.
func (k *classifier) difference(p, q *class) (ssa.Model, error) {
	r := k.r
	switch {
	case !r.sole:
	case !p.reads && !q.reads: // the only run says it all
		return nil, nil
	case isLarge(r.orig):
		return nil, ssa.ErrTooLarge
	}
	st := formula.NewStore()
	inputs := ssa.NewInputs(st)
	var forms [2]*ssa.Form
	for i, x := range []*class{p, q} {
		f, err := r.cfg.Semantics.Builder(x.Program)(st, ssa.Config{
			Unwind: r.cfg.Unwind, Loops: r.cfg.Loops, Slack: r.cfg.Slack, Flat: true, Inputs: inputs, Final: true,
		})
		if err != nil {
			return nil, err
		}
		forms[i] = f
	}
	x, y := forms[0], forms[1]
	if len(x.Final) != len(y.Final) {
		return nil, fmt.Errorf("mutate: the repairs have other variables: %w", ssa.ErrTooLarge)
	}
	ends := func(f *ssa.Form) formula.Term { return st.And(f.End, st.Not(f.Violated())) }
	differ := make([]formula.Term, len(x.Final))
	for i := range x.Final {
		if st.Width(x.Final[i]) != st.Width(y.Final[i]) {
			return nil, fmt.Errorf("mutate: the repairs have variables of other types: %w", ssa.ErrTooLarge)
		}
		differ[i] = st.Not(st.Eq(x.Final[i], y.Final[i]))
	}
	both := st.And(ends(x), ends(y))
	s := formula.NewSolver(st, r.cfg.NewSolver())
	if err := s.Within(r.ctx, func() {
		s.Assert(st.Or(st.Not(st.Eq(ends(x), ends(y))), st.And(both, st.OrN(differ...))))
	}); err != nil {
		return nil, err
	}
	r.calls++
	status, err := s.Check(r.ctx)
	if status != sat.Sat {
		return nil, err
	}
	return x.Model(s), nil // and y's: they share their inputs
}

// apart returns what tells x from y, nil if only their text does.
func (k *classifier) apart(x, y *class) *Difference {
	for i, in := range k.inputs {
		if x.does[i].is(y.does[i]) {
			continue
		}
		d := &Difference{Input: in}
		if x.does[i] == nil || y.does[i] == nil {
			return d
		}
		n := 0
		for _, v := range x.Program.Visible() {
			t, size := ir.Scalar(v.Type)
			for e := range size {
				a, b := x.does[i][n], y.does[i][n]
				if n++; a == b {
					continue
				}
				d.Variable = v.Name
				if size > 1 {
					d.Variable = fmt.Sprintf("%s[%d]", v.Name, e)
				}
				d.This, d.That = ir.FormatValue(t, a), ir.FormatValue(t, b)
				return d
			}
		}
	}
	return nil
}
