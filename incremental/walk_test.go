package incremental

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/go-amend/amend/formula"
)

func TestCanonical(t *testing.T) {
	const mask = 1<<16 - 1
	rng := rand.New(rand.NewPCG(1, 4))
	for range 1000 {
		k, c := []uint64{rng.Uint64() | 1, rng.Uint64()}, rng.Uint64()
		if x := inverse(k[0]); x*k[0] != 1 {
			t.Fatalf("inverse(%d) = %d", k[0], x)
		}
		// v2 = k0·v5 + k1·v3 + c, solved for v5.
		x := inverse(k[0])
		a := canonical(2, []int{5, 3}, k, c, mask)
		b := canonical(5, []int{3, 2}, []uint64{-k[1] * x, x}, -c*x, mask)
		if a != b {
			t.Fatalf("%d, %d: %s and %s", k, c, a, b)
		}
		if d := canonical(2, []int{5, 3}, k, c+1, mask); d == a {
			t.Fatalf("%d, %d: another constant, but the same %s", k, c, a)
		}
	}
}

// TestWalks checks that walks find states at all locations of a program, that
// what holds for every run holds in them, and what equations they suggest.
func TestWalks(t *testing.T) {
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
	c, err := NewCFA(p)
	if err != nil {
		t.Fatal(err)
	}
	e := newEngine(p, c, &Config{})
	vars := c.varTerms()
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
		if !slices.ContainsFunc(es, func(x Edge) bool { return x.To == c.Error }) {
			continue // this is not the end
		}
		got := e.unbroken(claims, e.observe()[s])
		for k := range claims {
			if got.has(k) != want[k] {
				t.Errorf("claim %d holds at the end: %v", k, got.has(k))
			}
		}
	}
	for s, states := range e.observe() {
		if s != c.Error && len(states) == 0 {
			t.Errorf("no walk comes to %d", s)
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
		t.Error("no walk suggests that sum == 3 * i + 7")
	}
}
