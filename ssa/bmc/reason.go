package bmc

// Why a check ended without an answer.

import (
	"context"
	"errors"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/interp"
	"github.com/go-amend/amend/ssa"
)

// Reason returns one word for why err, of this package or sequentialize, ended
// a check in ctx: "deadline" or "cancelled", as ctx says; "bound" where the
// program wants more memory than it has, "budget" where steps or terms did not
// suffice, "unsupported", "internal", else "solver". It is "" without an error.
func Reason(ctx context.Context, err error) string {
	undecided, _ := errors.AsType[*UndecidedError](err)
	_, internal := errors.AsType[*ir.InternalError](err)
	_, unsupported := errors.AsType[*ir.UnsupportedError](err)
	switch {
	case err == nil:
		return ""
	case internal:
		return "internal"
	case errors.Is(context.Cause(ctx), context.DeadlineExceeded), errors.Is(ctx.Err(), context.DeadlineExceeded):
		return "deadline"
	case ctx.Err() != nil:
		return "cancelled"
	case undecided != nil && undecided.Outcome == interp.Cut:
		return "bound"
	case undecided != nil, errors.Is(err, ssa.ErrTooLarge):
		return "budget"
	case unsupported:
		return "unsupported"
	}
	return "solver"
}
