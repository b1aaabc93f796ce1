package incremental

import (
	"context"
	"errors"

	"github.com/go-amend/amend/incremental/proof"
)

// This file has package proof check what the search has found.

// certify checks the proof that res has found as proof.Check does, but gives
// it the predicates as they are: the text of one may be too long to be read
// back. Where that fails, triples that came from a file were false: then the
// search starts anew and checks each at its first use. It would find a proof
// that is too large again.
func (e *engine) certify(ctx context.Context, res *Result) (*Result, error) {
	err := e.check(ctx)
	switch {
	case err == nil:
		res.Stats = e.total()
		return res, nil
	case ctx.Err() != nil:
		return &Result{Reason: reasonOf(ctx), Proof: res.Proof, Stats: e.total()}, err
	case errors.Is(err, proof.ErrTooLarge):
		return &Result{Reason: "certificate size", Proof: res.Proof, Stats: e.total()}, nil
	case !e.trusting:
		return &Result{Reason: "certificate", Proof: res.Proof, Stats: e.total()}, err
	}
	e.hoare = nil
	res, err = e.attempt(ctx, false)
	if res.Status == Proved && err == nil {
		return e.certify(ctx, res)
	}
	return res, err
}

// check has package proof check the automata used.
func (e *engine) check(ctx context.Context) error {
	k := proof.NewChecker(e.c, e.cfg.NewSolver)
	for _, f := range e.used {
		k.Add(f.preds, f.export(false))
	}
	err := k.Check(ctx)
	e.stats.CheckCalls += k.Calls()
	return err
}
