package mutate

import (
	"context"
	"errors"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/mutate/cegis"
	"github.com/go-amend/amend/ssa"
)

// This file decides candidates: it is the oracle of the space of a program.

// An oracle decides whether changes of a program are a repair.
type oracle struct{ *run }

// A detail is what an oracle knows of a candidate.
type detail struct {
	verdict
	repair *Repair // once it is certified
}

// A failingRun is a counterexample: an input.
type failingRun struct {
	model ssa.Model
	rest  bool // candidates are stopped on it and what it can be completed to
	deep  bool // it takes slack more than the bound
	slack int
}

// A keptResult is a counterexample: an input of Config.Keep, by index, for
// candidates that change its result.
type keptResult int

// places returns the space as the search sees it.
func (sp *space) places() cegis.Space {
	out := make(cegis.Space, len(sp.sites))
	for i, s := range sp.sites {
		for _, a := range sp.alts[s.first:s.end] {
			var holes []cegis.Hole
			for _, h := range sp.holes[a.hole : a.hole+a.holes] {
				t := h.Var.Type
				holes = append(holes, cegis.Hole{
					Width: ir.Width(t), Signed: ir.Signed(t), Low: h.Low, High: h.High,
					Not: h.Not, Prefer: h.Prefer, Form: h.choice,
				})
			}
			out[i].Alternatives = append(out[i].Alternatives, cegis.Alternative{Holes: holes})
		}
	}
	return out
}

// Refute looks for a run of the changed program that makes it no repair.
func (o *oracle) Refute(ctx context.Context, c cegis.Candidate) (out cegis.Verdict, err error) {
	defer caught(&err)
	cand := candidate{c.Alternatives, c.Values}
	if at := o.sp.clash(cand.alts); at != nil {
		return cegis.Verdict{Agree: at}, nil
	}
	var v verdict
	decided := false
	if o.sole {
		v, decided, err = o.onlyRunOf(ctx, cand)
	}
	switch {
	case decided || err != nil:
	case o.cfg.Decide != nil:
		v, err = o.decideWhole(o.p.Substitute(o.sp.changes(cand))) // with its slots, which runs pass
	case o.v != nil:
		v, err = o.v.validate(ctx, cand)
	case o.sole:
		v, err = o.decideSole(ctx, o.sp.fixed(o.cfg.build, cand, nil), o.sp.fixed(o.cfg.probe, cand, nil))
	default:
		v, err = decide(ctx, &o.cfg, o.sp.fixed(o.cfg.build, cand, nil), o.sp.fixed(o.cfg.probe, cand, nil))
	}
	if o.sole && !decided && len(cand.values) == 0 { // the constraint may be too weak
		v.alone = o.byLength
	}
	if err == nil && v.good(&o.cfg) {
		err = o.keep(cand, &v)
	}
	return o.explain(v), err
}

// keep looks at the results that are to be kept.
func (o *oracle) keep(cand candidate, v *verdict) error {
	switch keeps, err := o.keeps(o.program(cand)); {
	case err != nil || keeps:
		return err
	case o.cfg.Mode == Learn && len(cand.values) == 0:
		return &InternalError{Why: "a candidate that changes what is to be kept was proposed"}
	}
	v.stage = changesKept
	return nil
}

// explain returns v as the search sees it: in mode Learn with what refutes the
// candidate, in the others with how far that goes.
func (o *oracle) explain(v verdict) cegis.Verdict {
	out := cegis.Verdict{Good: v.good(&o.cfg), Calls: v.calls, Detail: &detail{verdict: v}}
	switch {
	case v.stage == unknown:
		out.Undecided = true
	case out.Good || v.stage == changesKept || v.stage == unreachable, o.sole && v.alone:
	case o.cfg.Decide != nil:
		out.Agree = o.sp.sitesIn(v.must)
	case o.cfg.Mode == Learn:
		out.Own = v.stage == unsafeBeyond
		out.Counterexample = failingRun{model: v.model, rest: v.stage == hiding, deep: out.Own, slack: v.slack}
	case o.cfg.Mode == Slice && !v.alone:
		out.Agree = o.sp.sitesIn(v.must)
	}
	return out
}

// refuteOriginal returns the verdict of the program itself.
func (o *oracle) refuteOriginal() (cegis.Verdict, error) {
	v := o.first
	switch {
	case o.sole:
		out := o.explain(v)
		var err error
		out.Agree, err = o.reached()
		return out, err
	case o.v == nil:
	case v.stage == unsafeBeyond:
		if err := o.mustBeyond(candidate{}, &v); err != nil {
			return cegis.Verdict{}, err
		}
	default:
		o.v.short.learn(v.model)
		must, ok := o.v.short.refute(nil)
		switch {
		case ok:
			v.must = must
		case ir.Concurrent(o.p): // a schedule may mean less for all alternatives together
			v.alone = true
		default:
			panic("mutate: the original's failing run does not fail")
		}
	}
	return o.explain(v), nil
}

// mustBeyond finds out how far a refutation beyond the bound goes.
func (o *oracle) mustBeyond(cand candidate, v *verdict) (err error) {
	v.alone = true
	if o.cfg.Mode == Slice {
		var ok bool
		v.must, ok, err = o.v.deepen(cand, v)
		v.alone = !ok
	}
	return err
}

// certify makes the repair of a candidate that was proved to be one. It
// returns false if the source can't have it.
func (o *oracle) certify(_ context.Context, c cegis.Candidate, v *cegis.Verdict) (ok bool, err error) {
	defer caught(&err)
	d := v.Detail.(*detail)
	x := &Repair{Vacuous: d.vacuous(), Complete: d.complete, Single: d.single}
	calls, err := o.finish(candidate{c.Alternatives, c.Values}, &d.verdict, x)
	d.decision = nil // which holds terms
	v.Calls += calls
	if _, no := errors.AsType[*unwritten](err); no {
		return false, nil
	}
	d.repair = x
	return err == nil, err
}

// prove asks Config.Prove of what turned out to be a bounded repair.
func (o *oracle) prove(_ context.Context, c cegis.Candidate, v *cegis.Verdict) (err error) {
	defer caught(&err)
	d, cand := *v.Detail.(*detail), candidate{c.Alternatives, c.Values}
	var p *ir.Program
	if d.repair != nil {
		p = d.repair.Program
	} else {
		p = o.program(cand)
	}
	if err := o.run.prove(p, &d.verdict); err != nil {
		return err
	}
	if d.stage == unsafeBeyond && o.v != nil {
		if err := o.mustBeyond(cand, &d.verdict); err != nil {
			return err
		}
	}
	*v = o.explain(d.verdict)
	v.Detail = &d
	return nil
}

// accept asks Config.Accept of a repair, and adds it to those of its size.
func (o *oracle) accept(ctx context.Context, c cegis.Candidate, v cegis.Verdict) (ok bool, err error) {
	defer caught(&err)
	d := v.Detail.(*detail)
	x := d.repair
	x.Proof = d.proof
	if err := o.intervals(candidate{c.Alternatives, c.Values}, x); err != nil {
		return false, err
	}
	if ok, err := o.cfg.accepts(ctx, x); !ok || err != nil {
		return false, err
	}
	return true, o.add(x, c.Alternatives)
}
