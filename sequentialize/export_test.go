package sequentialize

import (
	"context"

	"github.com/go-amend/amend/formula/sat"
	"github.com/go-amend/amend/ir"
)

// CheckOrders is Check by all schedules only. It reports false if that takes
// too much.
func CheckOrders(ctx context.Context, p *ir.Program, cfg Config) (*Result, bool, error) {
	cfg = cfg.complete()
	c := newChecker(ctx, p, &cfg)
	done, err := c.orders(sat.Limits{Conflicts: lastEffort})
	return c.res, done, err
}
