package mutate

import (
	"context"

	"github.com/go-amend/amend/formula"
	"github.com/go-amend/amend/ir"
)

// This file finds the values around that of a hole that do too.

// An openHole is a hole whose values of an interval are to be proved at once.
type openHole struct {
	t         ir.Type
	index     int // in space.holes
	low, high uint64
	term      formula.Term // in the store of the proof
	kept      [][]uint64   // results on Config.Keep
}

// in returns the proposition that the hole is in its interval.
func (o *openHole) in(st *formula.Store) formula.Term {
	le, t, w := st.Ule, o.value(st), ir.Width(o.t)
	if ir.Signed(o.t) {
		le = st.Sle
	}
	return st.And(le(st.Const(w, ir.Wrap(o.t, o.low)), t), le(t, st.Const(w, ir.Wrap(o.t, o.high))))
}

// value returns the hole's value in the store of the proof.
func (o *openHole) value(st *formula.Store) formula.Term {
	if o.term == 0 {
		o.term = st.Var(ir.Width(o.t), "hole")
	}
	return o.term
}

// intervals finds the values around those of the holes that do too, if they
// are asked for.
func (r *run) intervals(cand candidate, x *Repair) (err error) {
	if !r.cfg.Intervals {
		return nil
	}
	for i := range x.Changes {
		for j := range x.Changes[i].Holes {
			v := &x.Changes[i].Holes[j]
			if v.Low, v.High, err = r.interval(cand, v.nth); err != nil {
				return err
			}
		}
	}
	return nil
}

// interval returns the largest interval around v, the n-th value of cand,
// all of whose values make a repair. Its ends are found by bisection, so it
// takes proofs in the number of the type's bits.
func (r *run) interval(cand candidate, n int) (low, high uint64, err error) {
	index := 0
	for _, k := range cand.alts {
		a := r.sp.alts[k]
		if n < a.holes {
			index = a.hole + n
			break
		}
		n -= a.holes
	}
	t := r.sp.holes[index].Var.Type
	v := r.sp.values(cand)[index]
	least, most := bounds(t)
	if h := r.sp.holes[index]; h.Low != 0 || h.High != 0 {
		least, most = ir.Wrap(t, uint64(h.Low)), ir.Wrap(t, uint64(h.High))
	}
	if high, err = r.extend(cand, &openHole{t: t, index: index, low: v, high: most}, v, most); err != nil {
		return v, v, err
	}
	low, err = r.extend(cand, &openHole{t: t, index: index, low: least, high: v}, v, least)
	return low, high, err
}

// bounds returns the least and the largest value of t.
func bounds(t ir.Type) (least, most uint64) {
	if ir.Signed(t) {
		most = ir.Wrap(t, ^uint64(0)) >> 1
		return most + 1, most
	}
	return 0, ir.Wrap(t, ^uint64(0))
}

// extend returns the value closest to end such that all from v to it make a
// repair.
func (r *run) extend(cand candidate, o *openHole, v, end uint64) (uint64, error) {
	t := o.t
	good, limit := v, end // what is proved, and what isn't refuted
	next := end
	for good != limit {
		step := *o
		if o.low == v {
			step.low, step.high = good, next
		} else {
			step.low, step.high = next, good
		}
		d, bad, err := r.decideOpen(r.ctx, cand, &step)
		if err != nil {
			return v, err
		}
		if d.good(&r.cfg) {
			good = next
		} else if o.low == v {
			limit = ir.Wrap(t, bad-1)
		} else {
			limit = ir.Wrap(t, bad+1)
		}
		// The distance is that of the bit patterns, whatever the sign.
		if o.low == v {
			next = ir.Wrap(t, good+(ir.Wrap(t, limit-good)+1)/2)
		} else {
			next = ir.Wrap(t, good-(ir.Wrap(t, good-limit)+1)/2)
		}
	}
	return good, nil
}

// decideOpen decides cand for all values of an open hole at once. If it
// fails, bad is a value for which it does.
func (r *run) decideOpen(ctx context.Context, cand candidate, o *openHole) (verdict, uint64, error) {
	d := newDecision(ctx, &r.cfg)
	d.open = o
	o.kept = r.kept
	err := d.run(r.sp.fixed(r.cfg.build, cand, o))
	r.calls += d.v.calls
	return d.v, d.bad, err
}
