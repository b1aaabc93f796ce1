package sequentialize_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/gen"
	"github.com/go-amend/amend/ir/interp"
	"github.com/go-amend/amend/sequentialize"
)

// writes returns what a run of p assigns to globals, in order: by the
// assignments that, in the original, are some too.
func writes(p *ir.Program, t *interp.Trace, original *ir.Program, origin func(ir.LocID) ir.LocID) []string {
	var out []string
	for _, s := range t.Steps {
		a, ok := p.Stmt(s.At).(*ir.Assign)
		if !ok || rootOf(a.LHS).Kind != ir.Global {
			continue
		}
		if o, ok := original.Stmt(origin(a.Loc())).(*ir.Assign); ok && rootOf(o.LHS).Kind == ir.Global {
			out = append(out, fmt.Sprint(rootOf(a.LHS).Name, "=", s.Value))
		}
	}
	return out
}

func rootOf(e ir.Expr) *ir.Var {
	for {
		x, ok := e.(*ir.Index)
		if !ok {
			return e.(*ir.Use).Var
		}
		e = x.X
	}
}

// TestReplay makes programs of random runs of random programs. They must end
// like the runs, with equal results, also after being printed and parsed.
func TestReplay(t *testing.T) {
	programs := uint64(1500)
	if testing.Short() {
		programs = 300
	}
	seen := make(map[string]int)
	for seed := range programs {
		r := rand.New(rand.NewPCG(seed, 21))
		p := gen.Threads(r)
		x, err := interp.Run(t.Context(), p, interp.Config{
			Unwind:    3,
			Input:     func(ir.Choice) uint64 { return r.Uint64() },
			Scheduler: func(can []int, _ func(int) interp.Event) int { return can[r.IntN(len(can))] },
		})
		if err != nil {
			t.Fatal(err)
		}
		if x.Outcome != interp.Ended && x.Outcome != interp.Violated {
			continue
		}
		q, m, err := sequentialize.Replay(t.Context(), p, x)
		if err != nil {
			if strings.Contains(err.Error(), "whether a thread has ended") {
				continue
			}
			t.Fatalf("seed %d: %v\n%s\n%v", seed, err, p, q)
		}
		if ir.Concurrent(q) {
			t.Fatalf("seed %d: not sequential:\n%s", seed, q)
		}
		q.Stmts(func(_ *ir.Proc, s ir.Stmt) {
			if o := m.Origin(s.Loc()); s.Span() != (ir.Span{}) && (o == 0 || p.Stmt(o) == nil) {
				t.Errorf("seed %d: %s comes from location %d", seed, q.FormatStmt(s), o)
			}
		})
		again, err := ir.Parse("replay.ir", []byte(q.String()))
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, q)
		}
		for _, q := range []*ir.Program{q, again} {
			y, err := interp.Run(t.Context(), q, interp.Config{Unwind: -1})
			if err != nil {
				t.Fatal(err)
			}
			if y.Outcome != x.Outcome || y.Kind != x.Kind || !slices.Equal(x.Results, y.Results) {
				t.Fatalf("seed %d: %v %v %v, but the run was %v %v %v\n%s\n%s", seed, y.Outcome, y.Kind, y.Results, x.Outcome, x.Kind, x.Results, p, q)
			}
		}
		y, err := interp.Run(t.Context(), q, interp.Config{Unwind: -1})
		if err != nil {
			t.Fatal(err)
		}
		same := func(l ir.LocID) ir.LocID { return l }
		if want, got := writes(p, x, p, same), writes(q, y, p, m.Origin); !slices.Equal(got, want) {
			t.Fatalf("seed %d: writes %v, the run's were %v\n%s\n%s", seed, got, want, p, q)
		}
		seen[x.Outcome.String()+" "+x.Kind.String()]++
	}
	t.Log(seen)
	for _, k := range []string{"ended assert", "violated assert", "violated deadlock", "violated locks", "violated bounds", "violated div"} {
		if seen[k] == 0 {
			t.Errorf("no run that %s", k)
		}
	}
}
