package mutate_test

import (
	"math/rand/v2"
	"testing"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/gen"
	"github.com/go-amend/amend/mutate"
	"github.com/go-amend/amend/sequentialize"
	"github.com/go-amend/amend/ssa"
)

// TestThreads repairs random programs with threads. Each repair was proved
// with all alternatives in one formula; here it is checked by itself.
func TestThreads(t *testing.T) {
	programs := uint64(120)
	if testing.Short() {
		programs = 40
	}
	repairs := 0
	for seed := range programs {
		p := gen.Threads(rand.New(rand.NewPCG(seed, 17)))
		p.Checks &^= ir.Checks(0).With(ir.CheckRace)
		cfg := sequentialize.Config{Rounds: 2, Unwind: 2}
		builder := func(p *ir.Program) ssa.Builder { return sequentialize.For(p, cfg) }
		for _, name := range []string{"level2", "variables"} {
			ops, _ := mutate.Scheme(name)
			s, err := mutate.New(p, mutate.Config{
				Schemes: ops, Unwind: 2, MaxSize: 1, Workers: 1, Build: builder(p), Rebuild: builder, Run: cfg.Run,
			})
			if err != nil {
				t.Fatal(err)
			}
			for r, err := range s.Repairs(t.Context()) {
				if err != nil {
					t.Errorf("seed %d, %s: %v\n%s", seed, name, err, p)
					break
				}
				repairs++
				res, err := sequentialize.Check(t.Context(), r.Program, cfg)
				if err != nil || len(res.Violations) > 0 {
					t.Errorf("seed %d, %s: not a repair: %v, %v\n%s", seed, name, err, res.Violations, r.Program)
				}
			}
		}
	}
	if repairs == 0 {
		t.Error("no repairs")
	}
	t.Log(repairs, "repairs")
}
