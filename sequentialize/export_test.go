package sequentialize

import (
	"context"

	"github.com/go-amend/amend/ir"
)

// CheckOrders is Check by all schedules only. It reports false if that takes
// too much.
func CheckOrders(ctx context.Context, p *ir.Program, cfg Config) (*Result, bool, error) {
	cfg = cfg.complete()
	c := &checker{ctx: ctx, p: p, cfg: &cfg, res: &Result{}, found: make(map[property]bool)}
	done, err := c.orders(lastEffort)
	return c.res, done, err
}
