package incremental

import (
	"context"
	"math/rand/v2"

	"github.com/go-amend/amend/formula"
)

// This file leaves out predicates that mean the same as others.

// signatures tell most different predicates apart: their values in 256
// random states.
type signature [4]uint64

// signer computes signatures.
type signer struct {
	t      *terms
	states [][]uint64
	ev     *formula.Evaluator
	now    []uint64
}

func newSigner(t *terms) *signer {
	s := &signer{t: t}
	r := rand.New(rand.NewPCG(7, 7))
	for range 256 {
		x := make([]uint64, len(t.vars))
		for i := range x {
			switch r.IntN(4) {
			case 0:
				x[i] = r.Uint64()
			case 1:
				x[i] = uint64(r.IntN(8))
			case 2:
				x[i] = -uint64(r.IntN(8))
			case 3:
				x[i] = uint64(r.IntN(200))
			}
		}
		s.states = append(s.states, x)
	}
	s.ev = formula.NewEvaluator(t.Store, func(v formula.Term) uint64 {
		if i, ok := t.index[v]; ok {
			return s.now[i]
		}
		return 0
	})
	return s
}

// of returns the signatures of ps.
func (s *signer) of(ps []formula.Term) []signature {
	out := make([]signature, len(ps))
	for k, x := range s.states {
		s.now = x
		s.ev.Reset()
		for i, p := range ps {
			out[i][k>>6] |= s.ev.Eval(p) << (k & 63)
		}
	}
	return out
}

// maxAlike is how many predicates of one signature are compared with another:
// equations are false in all states of the signatures, so that many agree.
const maxAlike = 4

// deduplicate returns ps without constants and without those that mean the
// same as one before, as far as that is easy to see.
func (e *engine) deduplicate(ctx context.Context, ps []formula.Term) ([]formula.Term, error) {
	if e.signer == nil {
		e.signer = newSigner(e.t)
	}
	var out []formula.Term
	same := make(map[signature][]formula.Term)
	ones := ^uint64(0)
	signs := e.signer.of(ps)
	for i, p := range ps {
		var redundant bool
		var err error
		switch s := signs[i]; s {
		case signature{}:
			redundant, err = e.empty(ctx, p)
		case signature{ones, ones, ones, ones}:
			redundant, err = e.empty(ctx, e.t.Not(p))
		}
		alike := same[signs[i]]
		for _, q := range alike[max(0, len(alike)-maxAlike):] {
			if redundant || err != nil {
				break
			}
			redundant, err = e.empty(ctx, e.t.Xor(p, q))
		}
		if err != nil {
			return nil, err
		}
		if !redundant {
			same[signs[i]] = append(same[signs[i]], p)
			out = append(out, p)
		}
	}
	return out, nil
}
