package incremental

import (
	"math/rand/v2"
	"testing"
)

// accepts reports whether a, which may be nil, accepts the word.
func (a *automaton) accepts(word []int) bool {
	if a == nil {
		return false
	}
	states := map[int32]bool{a.start: true}
	for _, l := range word {
		next := make(map[int32]bool)
		for s := range states {
			for _, e := range a.out[s] {
				if int(e.letter) == l {
					next[e.to] = true
				}
			}
		}
		states = next
	}
	return states[a.final]
}

// eachWord calls f with all words over n letters up to the length given.
func eachWord(n, length int, f func(word []int)) {
	var word []int
	var extend func()
	extend = func() {
		f(word)
		if len(word) < length {
			for l := range n {
				word = append(word, l)
				extend()
				word = word[:len(word)-1]
			}
		}
	}
	extend()
}

// TestAutomata compares trimming, quotients, differences and shortest words
// with the languages of random automata, word by word.
func TestAutomata(t *testing.T) {
	empty := 0
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 1))
		n := 2 + rng.IntN(6)
		a := &automaton{final: int32(1 + rng.IntN(n-1)), out: make([][]arc, n)}
		for range rng.IntN(3 * n) {
			s := int32(rng.IntN(n))
			if s != a.final {
				a.out[s] = append(a.out[s], arc{int32(rng.IntN(3)), int32(rng.IntN(n))})
			}
		}
		table := make([][3]int32, 1+rng.IntN(3))
		for q := range table {
			for l := range 3 {
				table[q][l] = int32(rng.IntN(len(table)+1)) - 1 // accepting, or a state
			}
		}
		b := func(q int32, l int) (int32, error) { return table[q][l], nil }
		trimmed := a.trim()
		diff, err := a.minus(b, 1000)
		if err != nil {
			t.Fatal(err)
		}
		shortest := -1
		eachWord(3, 6, func(word []int) {
			in := a.accepts(word)
			if in && (shortest < 0 || len(word) < shortest) {
				shortest = len(word)
			}
			if trimmed.accepts(word) != in {
				t.Fatalf("seed %d: trimmed, the automaton differs on %v", seed, word)
			}
			q := int32(0)
			for _, l := range word {
				if q != accepting {
					q, _ = b(q, l)
				}
			}
			if diff.accepts(word) != (in && q != accepting) {
				t.Fatalf("seed %d: the difference is wrong on %v", seed, word)
			}
		})
		if trimmed == nil {
			empty++
		} else if w := trimmed.shortest(); !a.accepts(w) || shortest >= 0 && len(w) != shortest {
			t.Fatalf("seed %d: shortest word %v, want length %d", seed, w, shortest)
		}
	}
	if empty == 0 || empty > 200 {
		t.Errorf("%d of 300 languages are empty", empty)
	}
}
