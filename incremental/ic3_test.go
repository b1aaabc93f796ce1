package incremental

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/go-amend/amend/incremental/proof"
	"github.com/go-amend/amend/ir/gen"
)

// TestIC3AgainstInterpreter compares the verdicts of IC3 alone with all runs of
// random programs, with and without the proof of a program before an edit.
func TestIC3AgainstInterpreter(t *testing.T) {
	n := uint64(600)
	if testing.Short() {
		n = 200
	}
	count := make(map[Status]int)
	for seed := range n {
		rng := rand.New(rand.NewPCG(seed, 21))
		p := gen.Program(rng, gen.Config{Widths: []int{1, 3, 4}, Checks: allChecks, Free: seed%2 == 0})
		cfg := Config{Engine: IC3, Limits: Limits{SATCalls: 2000}}
		for range 2 {
			r, ok := provable(t, seed, p, cfg)
			if !ok {
				break
			}
			count[r.Status]++
			agrees(t, seed, p, r)
			cfg.Reuse = r.Proof
			p = edited(rng, p)
		}
	}
	t.Log(count)
	if least := int(n / 4); count[Proved] < least || count[Violated] < least || count[Unknown] > int(n/50) {
		t.Errorf("too few answers: %v", count)
	}
}

// machine is a state machine whose proof needs clauses: in state 3 both flags
// are set. It takes nested loops, a call and an array.
const machine = `
checks bounds
proc note(at u8) (result u8) {
	result = at & 3
}
proc main() {
	var log [4]u8
	var state u8 = 0
	var open bool = false
	var ready bool = false
	var go bool
	var at u8 = 0
	havoc go
	while go {
		if state == 0 {
			open = true
			state = 1
		} else if state == 1 {
			ready = open
			state = 3
		} else if state == 3 {
			assert open && ready
			havoc go
			while go {
				at = note(at + 1)
				log[at] = state
				havoc go
			}
			state = 0
		}
		havoc go
	}
}`

// TestClauses proves the state machine by IC3, and that it is wrong if a flag
// is not set.
func TestClauses(t *testing.T) {
	r := proved(t, machine, Config{Engine: IC3})
	if r.Engine != IC3 || !r.Proof.Blocks || r.Stats.Clauses == 0 {
		t.Errorf("proved by %v, %d clauses", r.Engine, r.Stats.Clauses)
	}
	bad, ok := provable(t, 0, parse(t, strings.Replace(machine, "ready = open", "open = ready", 1)), Config{Engine: IC3})
	if !ok || bad.Status != Violated {
		t.Errorf("without the flag: %v %s", bad.Status, bad.Reason)
	}
}

// tokenRing passes a token on from station to station, each of which adds to it.
func tokenRing(stations int, last string) string {
	var b strings.Builder
	b.WriteString("proc main(start i32) {\nvar token i32\nvar local i32 = start\nvar at u8 = 0\nvar more bool\nhavoc more\ntoken = local\nwhile more {\n")
	for n := range stations {
		fmt.Fprintf(&b, "if at == %d { token = token + 1; at = %d } else {\n", n, n+1)
	}
	fmt.Fprintf(&b, "if at == %d { assert token == local + %s; local = token; at = 0 }\n", stations, last)
	b.WriteString(strings.Repeat("}", stations) + "\nhavoc more\n}\n}\n")
	return b.String()
}

// TestTokenRing has ways of the abstraction that only the states on them rule out
// soon: each station needs a predicate of its own.
func TestTokenRing(t *testing.T) {
	if r := proved(t, tokenRing(6, "6"), Config{Engine: IC3}); r.Stats.Predicates < 6 {
		t.Errorf("%d predicates", r.Stats.Predicates)
	}
	if r, ok := provable(t, 0, parse(t, tokenRing(6, "5")), Config{Engine: IC3}); !ok || r.Status != Violated {
		t.Errorf("with a wrong sum: %v %s", r.Status, r.Reason)
	}
}

// TestAlignment needs that sums of multiples of 1,024 are aligned.
func TestAlignment(t *testing.T) {
	const text = `
proc main() {
	var x i32 = 0
	var y i32 = 0
	var in i32
	while true {
		havoc in
		x = x + 1024 * in
		havoc in
		y = y + 2048 * in
		assert 2 * x - y != 1024
	}
}`
	if r := proved(t, text, Config{Engine: IC3}); r.Stats.Predicates > 20 {
		t.Errorf("%d predicates", r.Stats.Predicates)
	}
	if r, ok := provable(t, 0, parse(t, strings.Replace(text, "2 * x", "x", 1)), Config{Engine: IC3}); !ok || r.Status != Violated {
		t.Errorf("x alone: %v %s", r.Status, r.Reason)
	}
}

// TestBlockReuse writes and reads a proof over blocks, and proves the program
// and an edited one with it.
func TestBlockReuse(t *testing.T) {
	r := proved(t, machine, Config{Engine: IC3})
	var file bytes.Buffer
	if err := r.Proof.Write(&file); err != nil {
		t.Fatal(err)
	}
	saved, err := proof.Read(&file)
	if err != nil || !saved.Blocks {
		t.Fatalf("read back: %v, blocks %v", err, saved.Blocks)
	}
	again := proved(t, machine, Config{Reuse: saved})
	if again.Stats.Refinements != 0 || again.Stats.Reused == 0 {
		t.Errorf("%d new automata, %d used again", again.Stats.Refinements, again.Stats.Reused)
	}
	proved(t, strings.Replace(machine, "state = 3", "state = 3; at = 0", 1), Config{Reuse: saved})
	bad, ok := provable(t, 0, parse(t, strings.Replace(machine, "ready = open", "open = ready", 1)), Config{Reuse: saved})
	if !ok || bad.Status != Violated {
		t.Errorf("without the flag: %v %s", bad.Status, bad.Reason)
	}
	if n := proved(t, machine, Config{Reuse: bad.Proof}).Stats.Refinements; n != 0 {
		t.Errorf("after a wrong revision it took %d new automata", n)
	}
}

// TestForgedBlocks has a proof over blocks claim triples that don't hold: it is
// refused, and doesn't mislead the search.
func TestForgedBlocks(t *testing.T) {
	wrong := parse(t, strings.Replace(machine, "ready = open", "open = ready", 1))
	p := proved(t, machine, Config{Engine: IC3}).Proof
	for _, a := range p.Automata {
		for _, l := range p.Letters {
			a.Triples = append(a.Triples, proof.Triple{Letter: l, Post: proof.False})
		}
	}
	if proof.Check(t.Context(), wrong, p, nil) == nil {
		t.Error("a forged proof passes")
	}
	if r, ok := provable(t, 0, wrong, Config{Reuse: p}); !ok || r.Status != Violated {
		t.Errorf("misled by a forged proof: %v %s", r.Status, r.Reason)
	}
	p.Blocks = false
	if proof.Check(t.Context(), wrong, p, nil) == nil {
		t.Error("a proof over blocks passes as one over statements")
	}
}

// TestTurnsRepeat proves twice: the engines take turns at the same points.
func TestTurnsRepeat(t *testing.T) {
	var first Stats
	for i := range 2 {
		r, err := Prove(t.Context(), parse(t, machine), Config{})
		if err != nil || r.Status != Proved {
			t.Fatal(r.Status, err)
		}
		if i == 0 {
			first = r.Stats
		} else if r.Stats != first {
			t.Errorf("%+v, and then %+v", first, r.Stats)
		}
	}
}

// TestEngines proves by each engine alone and says which it was.
func TestEngines(t *testing.T) {
	for _, e := range []Engine{TraceAbstraction, IC3} {
		if r := proved(t, ex2, Config{Engine: e}); r.Engine != e {
			t.Errorf("%v says %v", e, r.Engine)
		}
		r, ok := provable(t, 0, parse(t, ex2bad), Config{Engine: e})
		if !ok || r.Status != Violated || r.Engine != e {
			t.Errorf("%v: %v by %v", e, r.Status, r.Engine)
		}
	}
	if p, err := Prove(t.Context(), parse(t, counter), Config{Limits: Limits{SATCalls: 1}}); p.Status != Unknown || p.Engine != Portfolio || err != nil {
		t.Errorf("without budget: %v by %v, %v", p.Status, p.Engine, err)
	}
}
