package incremental

import (
	"cmp"
	"context"
	"errors"

	"github.com/go-amend/amend/formula"
	"github.com/go-amend/amend/formula/sat"
)

// This file asks SAT solvers, within budgets.

// A budgetError says which budget was used up. It is the Reason of a result.
type budgetError string

func (e budgetError) Error() string { return "incremental: budget used up: " + string(e) }

// The reasons for Unknown, beside what a context says.
const (
	outOfRefinements = budgetError("refinements")
	outOfCalls       = budgetError("SAT calls")
	outOfStates      = budgetError("states")
	outOfTerms       = budgetError("term size")
	outOfTrace       = budgetError("trace length")
	outOfPredicates  = budgetError("projection")
	allocTooLarge    = budgetError("an array may be longer than its type allows")
)

// reuseLimit is the number of clauses that a SAT solver may hold before the
// next query gets a new one. Solvers that live on save translating terms,
// but gini assigns every gate that it ever saw. CPU seconds for 36 revisions
// in six series, without and with reuse: limit 0, 2.1 and 0.7; 1,000, 1.5 and
// 0.6; 3,000, 0.62 and 0.20; 8,000, 0.77 and 0.28; 30,000, 0.75 and 0.27.
const reuseLimit = 3000

var errGaveUp = errors.New("incremental: the SAT solver gave up")

// An oracle decides conjunctions of terms.
type oracle struct {
	t         *terms
	newSolver func() sat.Solver
	limit     int // calls; 0: none
	calls     int
	maxTerms  int
	s         *formula.Solver
	keep      int // clauses that it may hold; 0: reuseLimit
	core      []formula.Term
	query     []formula.Term
}

// check decides the conjunction of ts. After Unsat, core is a subset of ts
// that is inconsistent by itself. The error says why the status is Unknown.
func (o *oracle) check(ctx context.Context, ts ...formula.Term) (sat.Status, error) {
	o.core, o.query = o.core[:0], o.query[:0]
	for _, x := range ts {
		if v, ok := o.t.Value(x); ok && v == 0 {
			o.core = append(o.core, x)
			return sat.Unsat, nil
		} else if !ok {
			o.query = append(o.query, x)
		}
	}
	switch {
	case o.limit > 0 && o.calls >= o.limit:
		return sat.Unknown, outOfCalls
	case o.t.Len() > o.maxTerms:
		return sat.Unknown, outOfTerms
	}
	o.calls++
	if o.s == nil || o.s.Stats().Clauses > cmp.Or(o.keep, reuseLimit) {
		o.s = formula.NewSolver(o.t.Store, o.newSolver())
	}
	status, err := o.s.Check(ctx, o.query...)
	switch status {
	case sat.Unsat:
		o.core = o.s.Core(o.core)
	case sat.Unknown:
		o.s = nil
		if err == nil {
			err = errGaveUp
		}
	}
	return status, err
}

// consistent reports whether the conjunction of ts has a model.
func (o *oracle) consistent(ctx context.Context, ts ...formula.Term) (bool, error) {
	status, err := o.check(ctx, ts...)
	return status == sat.Sat, err
}

// value returns the value of variable x in the last model.
func (o *oracle) value(x formula.Term) uint64 { return o.s.Value(x) }
