package sat

import (
	"math/bits"
	"slices"
	"testing"
)

// TestCounting compares ExactlyOne, AtMostOne and Totalizer with counting,
// for all values of up to ten literals.
func TestCounting(t *testing.T) {
	for n := range 11 {
		s := NewGini()
		ms := make([]Lit, n)
		for i := range ms {
			ms[i] = s.NewVar()
		}
		size := NewTotalizer(s, ms...)
		one, most := guarded(s, ms, ExactlyOne), guarded(s, ms, AtMostOne)
		for k := -1; k <= n+1; k++ { // growing
			for set := range 1 << n {
				assume := []Lit{size.AtMost(k)}
				for i, m := range ms {
					assume = append(assume, m^Lit(^set>>i&1))
				}
				trues := bits.OnesCount(uint(set))
				check(t, s, trues <= k, assume...)
				if k == -1 {
					check(t, s, trues == 1, append(assume[1:], one)...)
					check(t, s, trues <= 1, append(assume[1:], most)...)
				}
			}
		}
	}
}

// guarded adds a constraint that holds under the literal it returns.
func guarded(s Solver, ms []Lit, add func(Solver, ...Lit)) Lit {
	g := &guard{Solver: s, on: s.NewVar()}
	add(g, ms...)
	return g.on
}

type guard struct {
	Solver
	on Lit
}

func (g *guard) AddClause(ms ...Lit) { g.Solver.AddClause(append(slices.Clone(ms), g.on.Not())...) }

func check(t *testing.T, s Solver, want bool, assume ...Lit) {
	t.Helper()
	got, err := s.Solve(t.Context(), assume...)
	if err != nil || (got == Sat) != want {
		t.Fatalf("Solve(%v) = %v, %v; want sat: %v", assume, got, err, want)
	}
}

// TestTotalizerFull asks for bounds that add nothing, or nothing new.
func TestTotalizerFull(t *testing.T) {
	var r Recorder
	ms := make([]Lit, 20)
	for i := range ms {
		ms[i] = r.NewVar()
	}
	size := NewTotalizer(&r, ms...)
	if m := size.AtMost(20); m != size.AtMost(99) || m != size.AtMost(-3).Not() || r.f.clauses != 1 {
		t.Errorf("constant bounds take %d clauses, want 1", r.f.clauses)
	}
	three := size.AtMost(3)
	clauses := r.f.clauses
	if m := size.AtMost(3); m != three || size.AtMost(0) == three || r.f.clauses != clauses {
		t.Errorf("AtMost(3) = %d, was %d; %d clauses, were %d", m, three, r.f.clauses, clauses)
	}
}

// TestSizes pins how many clauses constraints take.
func TestSizes(t *testing.T) {
	for _, n := range []int{10, 100, 1000} {
		var one, size Recorder
		ms := make([]Lit, n)
		for i := range ms {
			ms[i] = one.NewVar()
			size.NewVar()
		}
		AtMostOne(&one, ms...)
		if one.f.clauses > 4*n || int(one.f.vars) > n+n/4 {
			t.Errorf("AtMostOne of %d takes %d clauses, %d variables", n, one.f.clauses, int(one.f.vars)-n)
		}
		NewTotalizer(&size, ms...).AtMost(0) // one literal above each two
		if vars := int(size.f.vars) - n; vars != n-1 || size.f.clauses != 2*vars {
			t.Errorf("AtMost(0) of %d takes %d clauses, %d variables", n, size.f.clauses, vars)
		}
		NewTotalizer(&size, ms...).AtMost(4)
		if size.f.clauses > 17*n || int(size.f.vars) > 6*n {
			t.Errorf("AtMost(4) of %d takes %d clauses, %d variables", n, size.f.clauses, int(size.f.vars)-n)
		}
	}
}
