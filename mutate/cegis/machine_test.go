package cegis_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/go-amend/amend/formula"
	"github.com/go-amend/amend/mutate/cegis"
)

// A machine is a finite automaton over the letters a and b in a table.
type machine struct {
	next   [][2]int // by state and letter; 0 is the initial state
	accept []bool
}

// A table is the space of a machine's repairs: at each entry of its table, in
// order, another state, and after them for each state whether it accepts. With
// holes an entry has one alternative, the state being a hole of it.
type table struct {
	machine
	holes bool
	want  func(word string) bool
	words []string

	how int // the way in which refutations generalize
}

// The ways in which a refuted candidate generalizes.
const (
	constraints = iota // by a proposition on its counterexample
	entries            // to what agrees with it where its run was
	itself
	silent // by a proposition that the oracle doesn't have
	ways
)

func (m *table) space() cegis.Space {
	var out cegis.Space
	for q := range m.next {
		for letter := range 2 {
			if m.holes {
				out = append(out, cegis.Place{Alternatives: []cegis.Alternative{{Holes: []cegis.Hole{{
					Width: 3, High: int64(len(m.next) - 1), Not: []uint64{uint64(m.next[q][letter])},
				}}}}})
			} else {
				out = append(out, cegis.Place{Alternatives: make([]cegis.Alternative, len(m.next)-1)})
			}
		}
	}
	for range m.accept {
		out = append(out, cegis.Place{Alternatives: make([]cegis.Alternative, 1)})
	}
	return out
}

// entry returns the first alternative of an entry of the table, and how many
// there are.
func (m *table) entry(q, letter int) (first, n int) {
	if n = len(m.next) - 1; m.holes {
		n = 1
	}
	return (2*q + letter) * n, n
}

// flip returns the alternative that changes whether q accepts.
func (m *table) flip(q int) int {
	first, _ := m.entry(len(m.next), 0)
	return first + q
}

// apply returns the machine that c stands for.
func (m *table) apply(c cegis.Candidate) machine {
	out := machine{slices.Clone(m.next), slices.Clone(m.accept)}
	values := c.Values
	for _, k := range c.Alternatives {
		if q := k - m.flip(0); q >= 0 {
			out.accept[q] = !out.accept[q]
			continue
		}
		_, n := m.entry(0, 0)
		at, to := k/n, k%n
		if m.holes {
			to, values = int(values[0]), values[1:]
		} else if to >= m.next[at/2][at%2] {
			to++
		}
		out.next[at/2][at%2] = to
	}
	return out
}

// run returns whether m accepts a word, and which places its run depends on.
func (m machine) run(word string) (accepts bool, places []bool) {
	places = make([]bool, 3*len(m.next))
	q := 0
	for _, letter := range word {
		places[2*q+int(letter-'a')] = true
		q = m.next[q][letter-'a']
	}
	places[2*len(m.next)+q] = true
	return m.accept[q], places
}

// Refute looks for a word on which the machine is wrong.
func (m *table) Refute(_ context.Context, c cegis.Candidate) (cegis.Verdict, error) {
	changed := m.apply(c)
	for _, word := range m.words {
		accepts, places := changed.run(word)
		switch {
		case accepts == m.want(word):
		case m.how == entries:
			return cegis.Verdict{Agree: places}, nil
		case m.how == itself:
			return cegis.Verdict{}, nil
		default:
			return cegis.Verdict{Counterexample: word}, nil
		}
	}
	return cegis.Verdict{Good: true}, nil
}

// Good runs all machines of the view on a word: there is a term for each state
// that says that a machine is in it.
func (m *table) Good(_ context.Context, v cegis.Encoding, x cegis.Counterexample) (cegis.Constraint, error) {
	if m.how == silent {
		return cegis.Constraint{}, cegis.ErrNoConstraint
	}
	st := v.Store
	in := make([]formula.Term, len(m.next))
	for q := range in {
		in[q] = st.False()
	}
	in[0] = st.True()
	for _, letter := range x.(string) {
		after := make([]formula.Term, len(in))
		for to := range after {
			after[to] = st.False()
			for q := range in {
				after[to] = st.Or(after[to], st.And(in[q], m.leads(v, q, int(letter-'a'), to)))
			}
		}
		in = after
	}
	accepts := st.False()
	for q := range in {
		yes := v.Chosen(m.flip(q))
		if m.accept[q] {
			yes = st.Not(yes)
		}
		accepts = st.Or(accepts, st.And(in[q], yes))
	}
	if !m.want(x.(string)) {
		accepts = st.Not(accepts)
	}
	return cegis.Constraint{Good: accepts}, nil
}

// leads returns the proposition that an entry of the table is the state to.
func (m *table) leads(v cegis.Encoding, q, letter, to int) formula.Term {
	st := v.Store
	first, n := m.entry(q, letter)
	changed := st.False()
	for k := first; k < first+n; k++ {
		changed = st.Or(changed, v.Chosen(k))
	}
	switch now := m.next[q][letter]; {
	case to == now:
		return st.Not(changed)
	case changed == st.False():
		return changed
	case m.holes:
		return st.And(changed, st.Eq(v.Value(first), st.Const(3, uint64(to)))) // its hole has its number
	case to > now:
		return v.Chosen(first + to - 1)
	default:
		return v.Chosen(first + to)
	}
}

// words returns all words of at most n letters.
func words(n int) []string {
	out := []string{""}
	for i := 0; len(out[i]) < n; i++ {
		out = append(out, out[i]+"a", out[i]+"b")
	}
	return out
}

// A machine that should accept the words with an odd number of b loses count
// when it reads an a.
func ExampleSolve() {
	m := &table{
		machine: machine{next: [][2]int{{0, 1}, {0, 0}}, accept: []bool{false, true}},
		words:   words(6),
		want:    func(word string) bool { return strings.Count(word, "b")%2 == 1 },
	}
	refuted, _ := m.Refute(context.Background(), cegis.Candidate{})
	for c, err := range cegis.Solve(context.Background(), cegis.Config{Space: m.space(), Oracle: m, Original: refuted}, 2) {
		fmt.Println(m.apply(c).next, err)
	}
	// Output: [[0 1] [1 0]] <nil>
}

// TestMachines compares repairs of random machines with all that there are.
func TestMachines(t *testing.T) {
	found, dropped := 0, 0
	for seed := range uint64(150) {
		m := randomTable(seed)
		var order []string
		for m.how = range ways {
			accept := func(c cegis.Candidate) bool { return seed%3 > 0 || c.Alternatives[0]%3 > 0 }
			cfg := cegis.Config{
				Space: m.space(), Oracle: m, Workers: int(seed % 4), LazyWeight: []int{0, -1}[seed%2], LazyLimit: int(seed % 5), Pairs: seed%7 < 4,
				Accept: func(_ context.Context, c cegis.Candidate, _ cegis.Verdict) (bool, error) {
					if !accept(c) {
						dropped++
					}
					return accept(c), nil
				},
			}
			original, err := m.Refute(t.Context(), cegis.Candidate{})
			if cfg.Original = original; err != nil || original.Good {
				break
			}
			var got []string
			for c, err := range cegis.Solve(t.Context(), cfg, 2) {
				if err != nil {
					t.Fatalf("seed %d, way %d: %v", seed, m.how, err)
				}
				got = append(got, fmt.Sprint(c))
			}
			found += len(got)
			slices.Sort(got)
			if order == nil {
				order = bruteForce(m, accept)
			}
			if !slices.Equal(got, order) {
				t.Fatalf("seed %d, way %d: got %v, want %v", seed, m.how, got, order)
			}
		}
	}
	if found < 200 || dropped < 50 {
		t.Errorf("only %d repairs, %d dropped", found, dropped)
	}
}

// randomTable returns a machine of which up to two entries were changed.
func randomTable(seed uint64) *table {
	rng := rand.New(rand.NewPCG(seed, 1))
	m := &table{holes: seed%2 == 1, words: words(7)}
	n := 2 + rng.IntN(2)
	for range n {
		m.next = append(m.next, [2]int{rng.IntN(n), rng.IntN(n)})
		m.accept = append(m.accept, rng.IntN(2) == 0)
	}
	meant := machine{slices.Clone(m.next), slices.Clone(m.accept)}
	m.want = func(word string) bool {
		accepts, _ := meant.run(word)
		return accepts
	}
	for range 1 + rng.IntN(2) {
		q := rng.IntN(n)
		if rng.IntN(3) == 0 {
			m.accept[q] = !m.accept[q]
		} else {
			m.next[q][rng.IntN(2)] = rng.IntN(n)
		}
	}
	return m
}

// bruteForce returns the minimal repairs of at most two changes that are
// accepted, by trying all.
func bruteForce(m *table, accept func(cegis.Candidate) bool) []string {
	var found []cegis.Candidate
	var out []string
	try := func(alts ...int) {
		for _, c := range found {
			if !slices.ContainsFunc(c.Alternatives, func(k int) bool { return !slices.Contains(alts, k) }) {
				return
			}
		}
		for _, values := range m.fillings(alts) {
			c := cegis.Candidate{Alternatives: alts, Values: values}
			if m.right(c) {
				if accept(c) {
					found = append(found, c)
					out = append(out, fmt.Sprint(c))
				}
				return
			}
		}
	}
	n := m.flip(len(m.next))
	for k := range n {
		try(k)
	}
	_, of := m.entry(0, 0)
	for k := range n {
		for j := k + 1; j < n; j++ {
			if j >= m.flip(0) || j/of != k/of {
				try(k, j)
			}
		}
	}
	slices.Sort(out)
	return out
}

// fillings returns the values that the holes of alternatives may have, the
// simplest first.
func (m *table) fillings(alts []int) [][]uint64 {
	out := [][]uint64{nil}
	for _, k := range alts {
		if !m.holes || k >= m.flip(0) {
			continue
		}
		var longer [][]uint64
		for _, values := range out {
			for to := range m.next {
				if to != m.next[k/2][k%2] {
					longer = append(longer, append(slices.Clone(values), uint64(to)))
				}
			}
		}
		out = longer
	}
	return out
}

// right reports whether the machine that c stands for is right on all words.
func (m *table) right(c cegis.Candidate) bool {
	changed := m.apply(c)
	return !slices.ContainsFunc(m.words, func(word string) bool {
		accepts, _ := changed.run(word)
		return accepts != m.want(word)
	})
}
