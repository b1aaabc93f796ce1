package mutate

import (
	"github.com/go-amend/amend/formula"
	"github.com/go-amend/amend/formula/sat"
	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ssa"
)

// This file decides the second half of (b): whether a change hides a run,
// which ended, behind an assumption that comes later. See the package comment.

// stops returns the ways in which an assumption stops a run of form.
func stops(form *ssa.Form) []formula.Term {
	st := form.Store
	var bad []formula.Term
	for _, a := range form.Assumes {
		if t := st.And(a.Guard, st.Not(a.Cond)); t != st.False() {
			bad = append(bad, t)
		}
	}
	return bad
}

// completed returns inputs that are those of orig where its run makes the
// choice before it ends, and rest's otherwise.
func completed(orig *ssa.Form, rest func(c ir.Choice, t ir.Type) formula.Term) *ssa.Inputs {
	st, made := orig.Store, orig.Chosen()
	return ssa.GivenInputs(st, func(c ir.Choice, t ir.Type) formula.Term {
		when := made(c)
		if when == st.False() {
			return rest(c, t)
		}
		x := orig.Inputs.Choice(c, t, "unread") // but it may be read in the changed program
		if when == st.True() {
			return x
		}
		return st.Ite(when, x, rest(c, t))
	})
}

// freely returns inputs that are those of orig where its run makes the
// choice, and variables otherwise; any is set once there is one.
func freely(orig *ssa.Form) (in *ssa.Inputs, any *bool) {
	any = new(bool)
	return completed(orig, func(_ ir.Choice, t ir.Type) formula.Term {
		*any = true
		return orig.Store.Var(ir.Width(t), "later")
	}), any
}

// hiddenRun returns the proposition that the run of a changed program on a
// completion of in does not end, although the original's on in does. If free
// is set, it is about the completion too: a candidate for which no completion
// makes it false only hides that run.
func hiddenRun(in *ssa.Inputs, original, changed func(in *ssa.Inputs) (*ssa.Form, error)) (bad formula.Term, free bool, err error) {
	orig, err := original(in)
	if err != nil {
		return 0, false, err
	}
	later, any := freely(orig)
	form, err := changed(later)
	if err != nil {
		return 0, false, err
	}
	st := orig.Store
	return st.And(orig.Ended(), st.Not(form.End)), *any, nil
}

// rest asks whether a run that ended before is stopped now, whatever the
// choices are that the original's run had not made; s has changed. It asks for
// a run that is stopped on each completion that is known, and then for a
// completion on which it is not.
func (d *decision) rest(s *formula.Solver, build ssa.Builder, orig, changed *ssa.Form) error {
	hidden := d.st.And(orig.Ended(), d.st.OrN(stops(changed)...))
	for n := 0; ; n++ {
		if bad, err := d.possible(s, hidden); err != nil {
			return err
		} else if !bad {
			d.v.stage = passed
			return nil
		}
		m, later, err := d.complete(s, build)
		if later == nil || err != nil {
			return d.fail(hiding, s, err)
		}
		for _, rest := range d.completions(orig, m, later, n) {
			form, err := d.buildOn(build, completed(orig, rest), d.slack)
			if err != nil {
				return err
			}
			if err := d.load(s, form); err != nil {
				return err
			}
			hidden = d.st.And(hidden, d.st.OrN(stops(form)...))
		}
	}
}

// complete returns the input that s found, and a completion of it on which
// the run of the changed program ends; nil if there is none.
func (d *decision) complete(s *formula.Solver, build ssa.Builder) (m, later ssa.Model, err error) {
	m = d.in.Model(s)
	orig, err := d.buildOn(d.cfg.build, ssa.FixedInputs(d.st, m), 0)
	if err != nil {
		return nil, nil, err
	}
	in, _ := freely(orig)
	form, err := d.buildOn(build, in, d.slack)
	if err != nil {
		return nil, nil, err
	}
	ends := d.st.And(orig.Ended(), form.End)
	if d.open != nil {
		x := d.open.value(d.st)
		ends = d.st.And(ends, d.st.Eq(x, d.st.Const(d.st.Width(x), s.Value(x))))
	}
	if ends == d.st.False() {
		return m, nil, nil
	}
	t, err := d.solver(orig) // which says what form's inputs are
	if err == nil {
		err = d.load(t, form)
	}
	if err != nil {
		return nil, nil, err
	}
	d.v.calls++
	status, err := t.Check(d.ctx, ends)
	if status != sat.Sat || err != nil {
		return m, nil, err
	}
	return m, in.Model(t), nil
}

// completions returns ways to complete inputs of which one is that of m by
// later. After some that were constant the others follow a choice that was
// made, at the distance that they have here: where later choices are assumed
// to fit earlier ones, no few constants would do.
func (d *decision) completions(orig *ssa.Form, m, later ssa.Model, n int) []func(ir.Choice, ir.Type) formula.Term {
	const constant, most = 3, 8
	fixed := func(c ir.Choice, t ir.Type) formula.Term { return d.st.Const(ir.Width(t), later.Input(c)) }
	out := []func(ir.Choice, ir.Type) formula.Term{fixed}
	if n < constant {
		return out
	}
	for _, x := range orig.Inputs.All() {
		if len(out) > most {
			break
		}
		if x.Choice.Round != 0 || ir.Width(x.Type) == 1 {
			continue
		}
		out = append(out, func(c ir.Choice, t ir.Type) formula.Term {
			if ir.Width(t) != ir.Width(x.Type) || c.Round != 0 {
				return fixed(c, t)
			}
			return d.st.Add(x.Term, d.st.Const(ir.Width(t), ir.Wrap(t, later.Input(c)-m.Input(x.Choice))))
		})
	}
	return out
}

// allMade reports whether the original's run on m makes all choices that a
// program of the space can.
func (v *validator) allMade(m ssa.Model) (bool, error) {
	orig, err := v.cfg.build(v.st, ssa.Config{
		Unwind: v.cfg.Unwind, Loops: v.cfg.Loops, Flat: true, Inputs: ssa.FixedInputs(v.st, m),
	})
	if err != nil {
		return false, err
	}
	made := orig.Chosen()
	for _, in := range v.in.All() {
		if made(in.Choice) != v.st.True() {
			return false, nil
		}
	}
	return true, nil
}
