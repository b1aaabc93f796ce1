package mutate_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/go-amend/amend/formula"
	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/cfront"
	"github.com/go-amend/amend/mutate"
	"github.com/go-amend/amend/mutate/scheme"
	"github.com/go-amend/amend/slice"
	"github.com/go-amend/amend/ssa"
	"github.com/go-amend/amend/ssa/bmc"
)

// sum is Figure 3.2a of Rothenberg's thesis.
const sum = `#include <assert.h>
int sum(int n) {
	__CPROVER_assume(n >= 1);
	int sum = 0;
	for (int i = 0; i < n; i++) {
		sum += i;
	}
	assert(sum == n * (n + 1) / 2);
	return sum;
}
`

// controller is Figure 1 of Alves, Cordeiro and de Lima Filho, "A Method to
// Localize Faults in Concurrent C Programs" (2017).
const controller = `#include <assert.h>
#define C_0 2
#define C_1 0
#define C_2 0
#define C_3 2

const int A = 1;
const int B = -2; // Incorrect modeling
const int C = 2;

int controller(int t) {
	int output = A * t * t + B * t + C;
	return output;
}

int main() {
	assert(controller(0) == C_0 &&
	       controller(1) == C_1 &&
	       controller(2) == C_2 &&
	       controller(3) == C_3);
	return 0;
}
`

func load(t testing.TB, text string, cfg cfront.Config) *ir.Program {
	t.Helper()
	p, err := cfront.Load([]*ir.File{{Name: "example.c", Content: []byte(text)}}, cfg)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// repairs returns the edits of all repairs, as "line: old -> new".
func repairs(t *testing.T, text string, front cfront.Config, cfg mutate.Config) []string {
	t.Helper()
	cfg.Parse = func(files []*ir.File) (*ir.Program, error) { return cfront.Load(files, front) }
	var out []string
	for r, err := range mutate.Repairs(t.Context(), load(t, text, front), cfg) {
		if err != nil {
			t.Fatal(err)
		}
		s := ""
		for _, e := range r.Patch {
			s += fmt.Sprintf("%d: %s -> %s", e.Span.Line, e.Old, e.New)
		}
		if r.Vacuous {
			s += " (vacuous)"
		}
		out = append(out, s)
	}
	slices.Sort(out)
	return out
}

// TestSum finds the repair, and with cuts allowed what AllRepair reports
// besides, which keeps the loop from ending.
func TestSum(t *testing.T) {
	front := cfront.Config{Entry: "sum"}
	cfg := mutate.Config{Operators: scheme.Level1(), Unwind: 4}
	if got, want := repairs(t, sum, front, cfg), []string{"5: i < n -> i <= n"}; !slices.Equal(got, want) {
		t.Errorf("repairs %q, want %q", got, want)
	}
	cfg.AllowCuts = true
	want := []string{"5: i < n -> i <= n", "5: i++ -> i-- (vacuous)"}
	if got := repairs(t, sum, front, cfg); !slices.Equal(got, want) {
		t.Errorf("with cuts: repairs %q, want %q", got, want)
	}
}

// TestSumForm is Figure 3.2d: nine assignments and conditions for bound 2.
func TestSumForm(t *testing.T) {
	f, err := ssa.Build(formula.NewStore(), load(t, sum, cfront.Config{Entry: "sum"}), ssa.Config{Unwind: 2})
	if err != nil {
		t.Fatal(err)
	}
	origins := make(map[ir.LocID]int)
	for _, d := range f.Defs {
		if d.Origin != 0 {
			origins[d.Origin]++
		}
	}
	// In order: sum = 0; i = 0; i < n (a third test decides the cut);
	// sum += i; i++; return.
	want := map[ir.LocID]int{}
	for i, n := range []int{1, 1, 3, 2, 2, 1} {
		want[slices.Sorted(func(yield func(ir.LocID) bool) {
			for l := range origins {
				if !yield(l) {
					return
				}
			}
		})[i]] = n
	}
	if fmt.Sprint(origins) != fmt.Sprint(want) {
		t.Errorf("definitions by origin %v, want %v", origins, want)
	}
	if len(f.Cuts) != 1 || len(f.Assumes) != 1 || len(f.Claims) != 1 {
		t.Errorf("%d cuts, %d assumptions, %d claims; want one each", len(f.Cuts), len(f.Assumes), len(f.Claims))
	}
}

// TestController finds B at fault and -3 in its place.
func TestController(t *testing.T) {
	p := load(t, controller, cfront.Config{})
	res, err := bmc.Check(t.Context(), p, bmc.Config{})
	if err != nil || len(res.Violations) != 1 || !res.Complete {
		t.Fatalf("Check = %+v, %v", res, err)
	}
	l, err := slice.NewFOSFL(ssa.For(p), ssa.Config{})
	if err != nil {
		t.Fatal(err)
	}
	set, must, err := l.Localize(t.Context(), res.Violations[0].Model)
	if err != nil || !must {
		t.Fatal(err, must)
	}
	found := false
	for loc := range set.All() {
		found = found || p.Text(p.Stmt(loc).Span()) == "B = -2"
	}
	if !found {
		t.Error("the must location set misses B")
	}
	got := repairs(t, controller, cfront.Config{}, mutate.Config{Operators: scheme.Level2()})
	if !slices.Contains(got, "8: -2 -> -3") {
		t.Errorf("repairs %q, want -2 -> -3 among them", got)
	}
}
