package main

// What tells a repair from the one before, with -distinct.

import (
	"context"
	"fmt"
	"strings"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/interp"
	"github.com/go-amend/amend/mutate"
)

// A difference is an input on which a repair behaves unlike the one before.
type difference struct {
	Inputs   inputs `json:"inputs"`
	Variable string `json:"variable,omitempty"` // that ends with other values; none: only one of the runs ends
	This     string `json:"this,omitempty"`
	That     string `json:"that,omitempty"` // in the repair before
}

// differenceOf returns what tells r from the repair before, nil if nothing is known to.
func differenceOf(ctx context.Context, r *mutate.Repair) (*difference, error) {
	d := r.Apart
	if d == nil {
		return nil, nil
	}
	t, err := interp.Run(ctx, r.Program, interp.Config{Input: d.Input.Input, Unwind: -1, NoSteps: true})
	if err != nil {
		return nil, err
	}
	return &difference{inputsOf(ir.NewNames(r.Program), t), d.Variable, d.This, d.That}, nil
}

func (a *difference) String() string {
	in := strings.Join(a.Inputs.words(), " ")
	if a.Variable == "" {
		return "unlike the one before " + in + ": only one of these runs ends within the bound"
	}
	return fmt.Sprintf("unlike the one before %s: %s ends as %s, not %s", in, a.Variable, a.This, a.That)
}
