package invariant

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/go-amend/amend/incremental"
	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/gen"
	"github.com/go-amend/amend/ir/interp"
)

func parse(t *testing.T, text string) *ir.Program {
	t.Helper()
	p, err := ir.Parse("test.ir", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// places proves p and returns what the proof says.
func places(t *testing.T, p *ir.Program, cfg incremental.Config) []*Place {
	t.Helper()
	r, err := incremental.Prove(t.Context(), p, cfg)
	if err != nil || r.Status != incremental.Proved {
		t.Fatalf("%v (%s) %v", r.Status, r.Reason, err)
	}
	out, err := Places(t.Context(), p, r.Proof, nil)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

const counter = `
proc main(n u8) {
	var i u8 = 0
	while i < n {
		i++
	}
	assert i <= n
}
`

// TestLoop writes the invariant of a loop, of which both engines know one.
func TestLoop(t *testing.T) {
	p := parse(t, counter)
	for _, e := range []incremental.Engine{incremental.TraceAbstraction, incremental.IC3} {
		list := places(t, p, incremental.Config{Engine: e})
		patch, left := Annotate(p, list, Style{Assert: func(c string) string { return "assert " + c }})
		files, err := patch.Apply(p.Files)
		if err != nil || left > 0 {
			t.Fatal(err, left)
		}
		if text := string(files[0].Content); !strings.Contains(text, "while i < n {\n\t\tassert i <= n\n\t\ti++") {
			t.Errorf("%v: %s", e, text)
		}
	}
}

// TestCopies calls a procedure with a loop twice, the second time where no
// assertion follows: of what holds then the proof says nothing.
func TestCopies(t *testing.T) {
	p := parse(t, `
var top u8
proc grow(n u8) {
	var i u8 = 0
	while i < n { i++ }
	top = i
}
proc main() {
	grow(3)
	assert top == 3
	grow(200)
}`)
	for _, x := range places(t, p, incremental.Config{}) {
		if x.Loop() {
			t.Errorf("an invariant of %s for one of two calls", p.Source(x.Cond()))
		}
	}
}

// TestAgainstInterpreter asserts what proofs of random programs say, before each
// statement, and runs the programs: no assertion fails.
func TestAgainstInterpreter(t *testing.T) {
	n := uint64(600)
	if testing.Short() {
		n = 200
	}
	said := 0
	for seed := range n {
		rng := rand.New(rand.NewPCG(seed, 31))
		p := parse(t, gen.Program(rng, gen.Config{Widths: []int{8}, Free: seed%2 == 0}).String())
		cfg := incremental.Config{Limits: incremental.Limits{Refinements: 12, SATCalls: 4000, States: 5000, Bound: 20, Steps: 20_000}}
		if seed%2 == 1 {
			cfg.Engine = incremental.IC3
		}
		r, err := incremental.Prove(t.Context(), p, cfg)
		if err != nil || r.Status != incremental.Proved {
			continue
		}
		list, err := Places(t.Context(), p, r.Proof, nil)
		if err != nil {
			t.Fatal(err)
		}
		before := p.String()
		said += instrument(p, list)
		for range 20 {
			tr, err := interp.Run(t.Context(), p, interp.Config{Input: func(ir.Choice) uint64 { return rng.Uint64N(256) >> rng.IntN(8) }, MaxSteps: 2000})
			if err == nil && tr.Outcome == interp.Violated {
				t.Fatalf("seed %d: %s fails in\n%s", seed, p.FormatStmt(tr.Failed), before)
			}
		}
	}
	if said < int(n)/5 {
		t.Errorf("only %d assertions", said)
	}
}

// instrument adds assertions of what is known at places, and returns how many.
func instrument(p *ir.Program, list []*Place) int {
	asserts := make(map[ir.Stmt]*ir.Assert)
	for _, x := range list {
		if c := x.Cond(); c != nil {
			asserts[x.Stmt] = &ir.Assert{Cond: c}
		}
	}
	var visit func(b *ir.Block)
	visit = func(b *ir.Block) {
		var out []ir.Stmt
		for _, s := range b.List {
			for _, inner := range s.Blocks(nil) {
				visit(inner)
			}
			if inner, ok := s.(*ir.Block); ok {
				visit(inner)
			}
			a := asserts[s]
			switch l, loop := s.(*ir.Loop); {
			case a == nil:
			case loop && l.TestLast:
				l.Body.List = append([]ir.Stmt{a}, l.Body.List...)
			case loop:
				if l.Head == nil {
					l.Head = &ir.Block{}
				}
				l.Head.List = append([]ir.Stmt{a}, l.Head.List...)
			default:
				out = append(out, a)
			}
			out = append(out, s)
		}
		b.List = out
	}
	for _, f := range p.Procs {
		visit(f.Body)
	}
	p.Number()
	return len(asserts)
}
