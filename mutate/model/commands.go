package model

import (
	"context"

	"github.com/go-amend/amend/formula/relation"
)

// This file asks a model's other commands again, for each repair.

// asked is what is known about one of Model.Others.
type asked struct {
	done  bool // the question was put to the model as it is
	keeps bool // its answer is as wanted, so that no repair may change it
	ins   []*relation.Instance
}

// breaks reports whether m changes the answer of another command that was as
// wanted. Only those commands are asked that m concerns.
func (l *explorer) breaks(ctx context.Context, m mutant) (bool, error) {
	for i, q := range l.m.Others {
		if q.Implied {
			continue
		}
		f := l.apply(m, q.Formula)
		if f == q.Formula && !q.Must {
			continue
		}
		a := &l.asked[i]
		if !a.done {
			has, err := l.answer(ctx, i, q.Formula)
			if err != nil && !undecided(err) {
				return false, err
			}
			a.done, a.keeps = true, err == nil && (q.Must || has == q.Want)
		}
		if !a.keeps {
			continue
		}
		if has, err := l.answer(ctx, i, f); err != nil || has != q.Want {
			return true, err
		}
	}
	return false, nil
}

// answer returns whether f, the i-th of the others with or without a repair, has
// an instance: one of those found earlier, or another.
func (l *explorer) answer(ctx context.Context, i int, f relation.Formula) (bool, error) {
	a := &l.asked[i]
	for _, in := range a.ins {
		if ok, err := in.Eval(f, nil); ok && err == nil {
			return true, nil
		}
	}
	l.calls++
	in, err := relation.Find(ctx, l.m.Others[i].Bounds, f, engine(l.cfg))
	if in == nil || err != nil {
		return false, err
	}
	a.ins = append(a.ins, in)
	return true, nil
}
