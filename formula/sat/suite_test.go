package sat_test

import (
	"testing"

	"github.com/go-air/gini"

	"github.com/go-amend/amend/formula/sat"
	"github.com/go-amend/amend/formula/sat/lrat"
	"github.com/go-amend/amend/formula/sat/sattest"
)

// hurriedAndProved makes engines in a hurry, whose proofs are checked.
func hurriedAndProved(o sat.Options) *lrat.Certifier {
	return &lrat.Certifier{New: func(p sat.Proof) sat.Solver {
		o := o
		o.Proof = p
		return sat.Hurried(o)
	}}
}

// TestSuite runs the suite for solvers on the package's own.
func TestSuite(t *testing.T) {
	solvers := map[string]func() sat.Solver{
		"gini":     sat.NewGini,
		"recorder": func() sat.Solver { return sat.NewRecorder(sat.New()) },
		"from a gini": func() sat.Solver {
			s, err := sat.NewGiniFrom(gini.New())
			if err != nil {
				panic(err)
			}
			return s
		},
	}
	solvers["own"] = sat.New
	for name, o := range sat.Variants {
		solvers[name+", hurried"] = hurriedAndProved(o).NewSolver
	}
	for name, newSolver := range solvers {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			sattest.Run(t, newSolver)
		})
	}
}

// TestSuiteExternal runs it on a solver in another process.
func TestSuiteExternal(t *testing.T) {
	for name, sort := range map[string][]string{"honest": {"honest"}, "files": {"files", "{cnf}", "--out={model}"}} {
		t.Run(name, func(t *testing.T) {
			for seed := range uint64(4) {
				if err := sattest.Drive(t.Context(), sat.NewDouble(t, sort...), sattest.Program(seed, 100)); err != nil {
					t.Errorf("seed %d: %v", seed, err)
				}
			}
		})
	}
}

// FuzzGini drives gini. It is also what fails, by ending the process, if its
// log.Fatal is reached.
func FuzzGini(f *testing.F) {
	for seed := range uint64(20) {
		f.Add(sattest.Program(seed, 200))
	}
	f.Fuzz(func(t *testing.T, prog []byte) {
		if err := sattest.Drive(t.Context(), sat.NewGini(), prog[:min(len(prog), 4096)]); err != nil {
			t.Error(err)
		}
	})
}

// FuzzEngine drives an engine with techniques switched on and off by the bits
// of a number, in a hurry or not, and checks its proofs.
func FuzzEngine(f *testing.F) {
	for seed := range uint64(20) {
		f.Add(uint16(seed*137), sattest.Program(seed, 300))
	}
	f.Fuzz(func(t *testing.T, bits uint16, prog []byte) {
		on := func(i int) bool { return bits>>i&1 == 1 }
		o := sat.Options{
			Seed: uint64(bits >> 12), True: on(0), NoStable: on(1), NoFocused: on(2) && !on(1), NoTargets: on(3),
			NoRephase: on(4), NoMinimize: on(5), NoReduce: on(6), NoReuse: on(7), Vivify: on(9),
		}
		c := hurriedAndProved(o)
		if on(8) {
			c.New = func(p sat.Proof) sat.Solver { o := o; o.Proof = p; return o.New() }
		}
		if err := sattest.Drive(t.Context(), c.NewSolver(), prog[:min(len(prog), 4096)]); err != nil {
			t.Error(err)
		}
	})
}

// TestEliminateSatisfied eliminates a variable of which a clause becomes true
// by a unit clause that the elimination itself finds: it has no resolvents.
func TestEliminateSatisfied(t *testing.T) {
	s := hurriedAndProved(sat.Options{}).NewSolver()
	a, b, c := s.NewVar(), s.NewVar(), s.NewVar()
	s.AddClause(a.Not(), a)
	sat.ExactlyOne(s, b, c, a.Not(), c.Not(), b.Not())
	s.AddClause(b, c, c)
	if status, err := s.Solve(t.Context()); status != sat.Unsat || err != nil {
		t.Errorf("Solve = %v, %v", status, err)
	}
}
