package incremental

import (
	"strings"
	"testing"

	"github.com/go-amend/amend/incremental/cfa"
	"github.com/go-amend/amend/incremental/proof"
)

// helper is a program with a procedure, arrays and several variables.
const helper = `
checks bounds
proc put(buf [4]u8, at u8) (next u8) {
	buf[at] = 1
	next = at + 1
	if next == 4 { next = 0 }
}
proc main() {
	var ring [4]u8
	var front u8 = 0
	var held i32 = 0
	var more bool
	havoc more
	while more {
		if held < 4 {
			front = put(ring, front)
			held++
		}
		havoc more
		if more && held > 0 { held-- }
		havoc more
		assert held >= 0 && held <= 4
	}
}`

// TestRenamedVariables renames variables and procedures of a program: its proof
// stands as it is.
func TestRenamedVariables(t *testing.T) {
	first := proved(t, helper, Config{})
	if first.Stats.Refinements == 0 {
		t.Fatal("nothing to reuse")
	}
	again := proved(t, helper, Config{Reuse: first.Proof}).Stats
	for _, pairs := range [][]string{
		{"held", "level"}, {"front", "first"}, {"ring", "a"}, {"put", "store"}, {"held", "zz", "front", "b"},
		{"put", "zput", "next", "following", "at", "where", "held", "count"}, {"front", "held", "held", "front"},
	} {
		text := strings.NewReplacer(pairs...).Replace(helper)
		for _, s := range []Strategy{Lazy, Eager} {
			r := proved(t, text, Config{Reuse: first.Proof, Strategy: s})
			if pairs[0] == "front" && pairs[1] == "held" {
				continue // no name is new, so that none is matched
			}
			if r.Stats.Refinements > 0 || r.Stats.Reused == 0 || r.Stats.TripleCalls > again.TripleCalls {
				t.Errorf("%v, strategy %v: %+v", pairs, s, r.Stats)
			}
			if err := proof.Check(t.Context(), parse(t, text), r.Proof, nil); err != nil {
				t.Error(err)
			}
		}
	}
}

// TestRenamedAndWrong renames a variable and breaks the program.
func TestRenamedAndWrong(t *testing.T) {
	first := proved(t, helper, Config{})
	text := strings.Replace(strings.ReplaceAll(helper, "held", "level"), "level < 4", "level < 5", 1)
	if r, _ := provable(t, 0, parse(t, text), Config{Reuse: first.Proof}); r.Status != Violated {
		t.Errorf("%v", r.Status)
	}
}

// TestAlignmentOfLies matches variables that have nothing to do with each other:
// false triples stay without effect.
func TestAlignmentOfLies(t *testing.T) {
	p := lies(t, strings.NewReplacer("p i32", "q i32", "p ==", "q ==", "p !=", "q !=", "p =", "q =").Replace(ex1))
	if r, _ := provable(t, 0, parse(t, ex2bad), Config{Reuse: p}); r.Status != Violated {
		t.Errorf("%v of a wrong program", r.Status)
	}
}

// TestOldNameReturns leaves an automaton as it is that knows the name which a
// variable gets, so that no two variables of it become one.
func TestOldNameReturns(t *testing.T) {
	c, err := cfa.New(parse(t, "proc main(x i32) { assume x > 0; assert x != 0 }"))
	if err != nil {
		t.Fatal(err)
	}
	p := &proof.Proof{
		Letters: []string{"assume (eq 0:32 main.y:32)", "assume (slt 0:32 main.y:32)"},
		Automata: []*proof.Automaton{
			{Predicates: []string{"(slt main.x:32 main.y:32)"}},
			{Predicates: []string{"(slt 0:32 main.y:32)"}, Unused: 1},
		},
		Counterexamples: []proof.Counterexample{{Letter: "assume (eq 0:32 main.y:32)", Before: map[string]uint64{"main.y:32": 7}}},
	}
	q := aligned(p, c)
	if got := q.Automata[0].Predicates[0]; got != p.Automata[0].Predicates[0] {
		t.Errorf("the first predicate is %s", got)
	}
	if a := q.Automata[1]; a.Predicates[0] != "(slt 0:32 main.x:32)" || a.Unused != 1 {
		t.Errorf("the second automaton is %+v", a)
	}
	if q.Letters[0] != "assume (eq 0:32 main.x:32)" || q.Counterexamples[0].Before["main.x:32"] != 7 {
		t.Errorf("letters %v, counterexamples %v", q.Letters, q.Counterexamples)
	}
	if p.Letters[0] != "assume (eq 0:32 main.y:32)" {
		t.Error("the proof that was given has changed")
	}
}

func TestCanonical(t *testing.T) {
	for in, want := range map[string]string{
		"havoc b:1 a:1":                              "havoc a:1 b:1",
		"assume (and (not z:1) (eq y:8 1:8))":        "assume (and (eq 1:8 y:8) (not z:1))",
		"b:8 := (sub b:8 a:8); a:8 := (add z:8 1:8)": "a:8 := (add 1:8 z:8); b:8 := (sub b:8 a:8)",
		"assume !0123":                               "assume !0123",
		"":                                           "",
	} {
		if got := canonical(in); got != want {
			t.Errorf("%q becomes %q, want %q", in, got, want)
		}
	}
}

// TestScalarForArray has a damaged proof name a variable where the program has an
// array: none of the elements is the variable.
func TestScalarForArray(t *testing.T) {
	set := func(name string) map[string]bool { return map[string]bool{name: true} }
	if x := words(map[string]string{"main.x:8": "main.a[]:8"}, set("main.x:8"), set("main.a[0]:8")); len(x) > 0 {
		t.Errorf("got %v", x)
	}
	if x := words(map[string]string{"main.b[]:8": "main.a[]:8"}, set("main.b[0]:8"), set("main.a[0]:8")); x["main.b[0]:8"] != "main.a[0]:8" {
		t.Errorf("got %v", x)
	}
}
