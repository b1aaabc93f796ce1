package slice

import (
	"context"

	"github.com/go-amend/amend/formula"
	"github.com/go-amend/amend/ssa"
)

// A Localizer says which locations may be at fault for the failing run on
// m. If must is true, every repair of that run touches one of them. The error
// is ErrPasses if that run violates nothing.
type Localizer interface {
	Localize(ctx context.Context, m ssa.Model) (set Set, must bool, err error)
}

// FOSFL is Algorithm 5.2 as a [Localizer], for the scheme that may put any
// expression over any variables in the place of any other: the arbitrary
// scheme of the thesis, of which every scheme of changes to expressions is
// a part.
type FOSFL struct{ graph *Graph }

// NewFOSFL returns the localizer for the program that build builds, within
// the bounds of cfg, whose Hook and Fold it ignores.
func NewFOSFL(build ssa.Builder, cfg ssa.Config) (*FOSFL, error) {
	cfg.Hook, cfg.Fold = nil, false
	form, err := build(formula.NewStore(), cfg)
	if err != nil {
		return nil, err
	}
	return &FOSFL{NewGraph(form)}, nil
}

// Localize returns a must location set. It solves nothing and ignores ctx.
func (f *FOSFL) Localize(_ context.Context, m ssa.Model) (Set, bool, error) {
	c, err := f.graph.start(m, nil)
	if err != nil {
		return Set{}, false, err
	}
	return f.graph.Slice(c.Violated(f.graph.form.Store)), true, nil
}
