package incremental

import (
	"context"

	"github.com/go-amend/amend/incremental/proof"
	"github.com/go-amend/amend/ir"
)

// This file carries proofs from program to program.

// A Series proves one program after another: revisions, or the candidates
// for a repair, each with what was learned from those before. It is not safe
// for concurrent use.
type Series struct {
	cfg Config
}

// NewSeries returns a Series that proves by cfg, whose Reuse is what the
// first proof takes hints from.
func NewSeries(cfg Config) *Series { return &Series{cfg: cfg} }

// Prove is the function Prove with the proof so far.
func (s *Series) Prove(ctx context.Context, p *ir.Program) (*Result, error) {
	r, err := Prove(ctx, p, s.cfg)
	if len(r.Proof.Letters) > 0 {
		s.cfg.Reuse = r.Proof
	}
	return r, err
}

// Proof returns what was learned so far, to be saved.
func (s *Series) Proof() *proof.Proof {
	if s.cfg.Reuse == nil {
		return &proof.Proof{}
	}
	return s.cfg.Reuse
}
