package incremental

import (
	"slices"
	"testing"

	"github.com/go-amend/amend/incremental/cfa"
	"github.com/go-amend/amend/incremental/proof"
)

// The programs of Rothenberg's thesis, chapter 4.
const (
	ex1 = `
proc main(n i32, p i32) {
	assume p != 0
	while n >= 0 {
		assert p != 0
		if n == 0 { p = 0 }
		n--
	}
}` // Figure 4.1
	ex2 = `
proc main(n i32, p i32) {
	if p == 0 { n = -2 }
	while n >= 0 {
		assert p != 0
		if n == 0 { p = 0 }
		n--
	}
}` // Figure 4.7
	ex2bad = `
proc main(n i32, p i32) {
	if p == 0 { n = 2 }
	while n >= 0 {
		assert p != 0
		if n == 0 { p = 0 }
		n--
	}
}`
)

func proved(t *testing.T, text string, cfg Config) *Result {
	t.Helper()
	r, ok := provable(t, 0, parse(t, text), cfg)
	if !ok || r.Status != Proved {
		t.Fatalf("not proved: %+v", r)
	}
	return r
}

// TestThesis is Example 4.3.2 and 4.4.4. The predicates found here cover
// n := -2 by themselves.
func TestThesis(t *testing.T) {
	first := proved(t, ex1, Config{})
	if n := first.Stats.Refinements; n != 2 {
		t.Errorf("P_ex1 took %d automata, want 2", n)
	}
	if n := proved(t, ex2, Config{}).Stats.Refinements; n > 3 {
		t.Errorf("P_ex2 alone took %d automata, want at most 3", n)
	}
	for _, s := range []Strategy{Lazy, Eager} {
		for _, a := range []Added{AddAll, AddUnseen} {
			r := proved(t, ex2, Config{Reuse: first.Proof, Strategy: s, Added: a})
			if r.Stats.Refinements != 0 || r.Stats.Reused != 2 {
				t.Errorf("P_ex2 after P_ex1, %v and %v: %d new automata, %d reused", s, a, r.Stats.Refinements, r.Stats.Reused)
			}
		}
		bad, ok := provable(t, 0, parse(t, ex2bad), Config{Reuse: first.Proof, Strategy: s})
		if !ok || bad.Status != Violated {
			t.Errorf("P_ex2 with n := 2: %v", bad.Status)
		}
		// Nothing that serves the next revision is lost.
		if n := proved(t, ex2, Config{Reuse: bad.Proof, Strategy: s}).Stats.Refinements; n != 0 {
			t.Errorf("P_ex2 after a wrong revision took %d new automata", n)
		}
	}
}

// figure43 is the trace abstraction of Figure 4.3.
func figure43(t *testing.T) *proof.Proof {
	c, err := cfa.New(parse(t, ex1))
	if err != nil {
		t.Fatal(err)
	}
	p := &proof.Proof{Automata: []*proof.Automaton{
		{Predicates: []string{"(not (eq 0:32 main.p:32))"}},
		{Predicates: []string{"(eq 0:32 main.n:32)", "(eq -1:32 main.n:32)"}},
	}}
	for _, l := range c.Letters {
		p.Letters = append(p.Letters, l.Text)
	}
	return p
}

// TestFigure48 loads the automata of Figure 4.3, whose predicates n = 0 and
// n = -1 say nothing of n := -2: exactly one more is needed.
func TestFigure48(t *testing.T) {
	for _, s := range []Strategy{Lazy, Eager} {
		if n := proved(t, ex1, Config{Reuse: figure43(t), Strategy: s}).Stats.Refinements; n != 0 {
			t.Errorf("P_ex1 with its own proof took %d new automata", n)
		}
		r := proved(t, ex2, Config{Reuse: figure43(t), Strategy: s})
		if r.Stats.Refinements != 1 || r.Stats.Reused != 2 {
			t.Errorf("%v: %d new automata and %d reused, want 1 and 2", s, r.Stats.Refinements, r.Stats.Reused)
		}
	}
}

// TestLetters compares letters of the two programs: only n := -2, and the
// branch around it, are new.
func TestLetters(t *testing.T) {
	var texts [2][]string
	for i, p := range []string{ex1, ex2} {
		c, err := cfa.New(parse(t, p))
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range c.Letters {
			texts[i] = append(texts[i], l.Text)
		}
	}
	var added []string
	for _, x := range texts[1] {
		if !slices.Contains(texts[0], x) {
			added = append(added, x)
		}
	}
	if want := []string{"main.n:32 := -2:32"}; !slices.Equal(added, want) {
		t.Errorf("new letters %q, want %q", added, want)
	}
}
