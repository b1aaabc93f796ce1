package relation

import (
	"math/rand/v2"
	"testing"

	"github.com/go-amend/amend/formula"
)

// TestEvaluator compares values of random circuits with those of the terms that
// they are given as.
func TestEvaluator(t *testing.T) {
	for seed := range uint64(50) {
		rng := rand.New(rand.NewPCG(seed, 3))
		s := NewSolver(NewBounds(NewUniverse(1)), nil)
		gs := []Gate{gateTrue}
		for range 6 {
			gs = append(gs, s.c.newVar())
		}
		any := func() Gate { return gs[rng.IntN(len(gs))] ^ Gate(rng.IntN(2)) }
		for range 40 {
			switch rng.IntN(3) {
			case 0:
				gs = append(gs, s.c.and(any(), any()))
			case 1:
				gs = append(gs, s.c.xor(any(), any()))
			default:
				gs = append(gs, s.c.ite(any(), any(), any()))
			}
		}
		g := any()
		st := formula.NewStore()
		vars := make(map[Gate]formula.Term)
		term := s.Terms(st, func(g Gate) formula.Term {
			vars[g] = st.Var(1, "v")
			return vars[g]
		}, g)[0]
		e := s.Evaluator(g)
		for i := range e.Vars() {
			*e.Value(i) = rng.Uint64()
		}
		got := e.Eval()
		for lane := range 64 {
			values := make(map[formula.Term]uint64)
			for i, v := range e.Vars() {
				values[vars[v]] = *e.Value(i) >> lane & 1
			}
			if want := st.Eval(term, func(v formula.Term) uint64 { return values[v] }); got>>lane&1 != want {
				t.Fatalf("seed %d, assignment %d: %d, want %d", seed, lane, got>>lane&1, want)
			}
		}
	}
}
