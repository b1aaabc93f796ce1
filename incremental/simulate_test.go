package incremental

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/go-amend/amend/formula"
	"github.com/go-amend/amend/formula/sat"
	"github.com/go-amend/amend/incremental/cfa"
)

// TestReduce checks that reduced matrices have pivots, and the same rows in
// their span: what the first rows annihilate, the others do.
func TestReduce(t *testing.T) {
	const mask = 1<<16 - 1
	rng := rand.New(rand.NewPCG(1, 4))
	for range 300 {
		if k := rng.Uint64() | 1; inverse(k)*k != 1 {
			t.Fatalf("inverse(%d) = %d", k, inverse(k))
		}
		// The third and fifth column depend on the others.
		k := []uint64{rng.Uint64N(9), rng.Uint64(), rng.Uint64N(5)}
		rows := make([][]uint64, 2+rng.IntN(20))
		for i := range rows {
			a, b, c := rng.Uint64(), rng.Uint64N(4), rng.Uint64N(100)
			rows[i] = []uint64{a & mask, b, (a + k[0]*b) & mask, c, (k[1]*a + k[2]*c) & mask}
		}
		pivots := reduce(rows, 5, mask)
		for i, p := range pivots {
			for j := range rows {
				if want := map[bool]uint64{true: 1}[i == j]; rows[j][p] != want {
					t.Fatalf("pivot %d in row %d: %d, want %d", p, j, rows[j][p], want)
				}
			}
		}
		if len(pivots) > 3 {
			t.Fatalf("%d pivots of rank 3", len(pivots))
		}
		for _, r := range rows {
			if (r[0]+k[0]*r[1])&mask != r[2] || (k[1]*r[0]+k[2]*r[3])&mask != r[4] {
				t.Fatal("another span")
			}
		}
	}
}

// TestSimulation checks that simulations find states at all locations of a
// program, that what holds for every run holds in them, and what equations
// they suggest.
func TestSimulation(t *testing.T) {
	p := parse(t, `
proc main(n u8) {
	var i u8 = 0
	var sum u8 = 7
	while i < n {
		i++
		sum += 3
	}
	assert sum == 3 * i + 7
}`)
	c, err := cfa.New(p)
	if err != nil {
		t.Fatal(err)
	}
	e := newEngine(p, c, &Config{NewSolver: sat.New}, &meter{store: c.Store})
	vars := c.Names()
	i, n, sum := vars["main.i:8"], vars["main.n:8"], vars["main.sum:8"]
	st := c.Store
	claims := []formula.Term{
		st.Eq(sum, st.Add(st.Mul(i, st.Const(8, 3)), st.Const(8, 7))), // in the end
		st.Not(st.Ult(n, i)),             // in the end
		st.Eq(i, st.Const(8, 0)),         // not in the end
		st.Not(st.Eq(n, st.Const(8, 0))), // no
	}
	want := []bool{true, true, false, false}
	for s, es := range c.Edges {
		if !slices.ContainsFunc(es, func(x cfa.Edge) bool { return x.To == c.Error }) {
			continue // this is not the end
		}
		got := e.surviving(claims, e.simulate()[s])
		for k := range claims {
			if got.Has(k) != want[k] {
				t.Errorf("claim %d holds at the end: %v", k, got.Has(k))
			}
		}
	}
	for s, states := range e.simulate() {
		if s != c.Error && len(states) == 0 {
			t.Errorf("no simulation comes to %d", s)
		}
	}
	found := e.fromStates(nil, []int{0, 1, 2})
	ok := false
	for _, x := range found {
		empty, err := e.empty(t.Context(), st.Xor(x, claims[0]))
		if err != nil {
			t.Fatal(err)
		}
		ok = ok || empty
	}
	if !ok {
		t.Error("no simulation suggests that sum == 3 * i + 7")
	}
}
