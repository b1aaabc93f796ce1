package incremental

import (
	"context"
)

func (e *engine) certify(ctx context.Context, res *Result) (*Result, error) { return res, nil }
