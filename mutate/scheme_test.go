package mutate_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/gen"
	"github.com/go-amend/amend/ir/interp"
	"github.com/go-amend/amend/mutate"
	"github.com/go-amend/amend/mutate/cegis"
	"github.com/go-amend/amend/mutate/scheme"
)

// TestSchemesAsText makes random changes of each scheme in the source text,
// parses it, and compares it with the program with the changes made: text,
// and runs.
func TestSchemesAsText(t *testing.T) {
	for _, name := range append(scheme.Names(), "calls,level2,statements") {
		t.Run(name, func(t *testing.T) {
			ops, _ := scheme.Parse(name)
			used := make(map[string]int)
			for seed := range fewer(uint64(60)) {
				p := reparsed(t, seed, name)
				sp, err := mutate.NewSpace(p, ops, nil)
				if err != nil {
					t.Fatal(err)
				}
				if sp.Len() == 0 {
					continue
				}
				rng := rand.New(rand.NewPCG(seed, 4))
				for i, alts := range candidates(rng, sp, 8)[1:] {
					c := randomFill(rng, sp, alts)
					for _, k := range alts {
						used[sp.Alt(k).By.Name]++
					}
					asText(t, seed*100+uint64(i), p, sp, c)
				}
			}
			if testing.Short() || strings.Contains(name, ",") || name == "memory" { // whose operators TestMemory has
				return
			}
			for _, op := range ops {
				if n := used[op.Name]; n < 3 && (op.Plan == nil || n == 0 && !elsewhere[op.Name]) {
					t.Errorf("operator %s was used %d times only", op.Name, used[op.Name])
				}
			}
		})
	}
}

// elsewhere are operators that random programs have no use for: TestLocks has
// them, and the tests of kernels in examples/amend.
var elsewhere = map[string]bool{"while": true, "repeat": true, "omit": true}

// reparsed returns a random program that has a source, in which a scheme has
// something to change.
func reparsed(t *testing.T, seed uint64, named string) *ir.Program {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 2))
	var text string
	switch {
	case named == "locks":
		text = string(gen.Threads(rng).Files[0].Content)
	case strings.HasPrefix(named, "calls"):
		text = calling(rng)
	default:
		text = gen.Program(rng, gen.Config{Checks: allChecks, Statements: 4, Free: seed%3 == 0}).String()
	}
	p, err := ir.Parse("p.ir", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// calling returns a random program whose procedures call each other.
func calling(rng *rand.Rand) string {
	var b strings.Builder
	pick := func(options ...string) string { return options[rng.IntN(len(options))] }
	callee := "f0"
	body := func() {
		for range 1 + rng.IntN(4) {
			call := fmt.Sprintf("%s = %s(%s, %s)\n", pick("a", "b"), callee, pick("a", "b + 1", "7 - a"), pick("b", "a * b", "3"))
			b.WriteString(pick(call, "if a < b {\n"+call+"}\n", "while a < 5 {\n"+call+"a = a + 1\n}\n", "a = a - b\nb = a\n"+call))
			callee = fmt.Sprintf("f%d", rng.IntN(3))
		}
	}
	for i, op := range []string{"+", "-", "^"} {
		callee = fmt.Sprintf("f%d", rng.IntN(i+1))
		fmt.Fprintf(&b, "proc f%d(a u3, b u3) u3 {\nif a == 0 { return b %s 1 }\n", i, op)
		if i > 0 {
			body()
		}
		fmt.Fprintf(&b, "assume a != 6\nreturn a %s b\n}\n", op)
	}
	b.WriteString("proc main(a u3, b u3) u3 {\n")
	body()
	b.WriteString("assert a != b\nreturn a\n}\nentry main\n")
	return b.String()
}

// randomFill returns the candidate with alts and random values, which the
// holes may take.
func randomFill(rng *rand.Rand, sp mutate.Space, alts []int) cegis.Candidate {
	c := cegis.Candidate{Alternatives: alts}
	for _, k := range alts {
		for _, h := range sp.Alt(k).Holes {
			v := rng.Uint64()
			if h.Low != 0 || h.High != 0 {
				v = uint64(h.Low + rng.Int64N(h.High-h.Low+1))
			}
			c.Values = append(c.Values, ir.Wrap(h.Var.Type, v))
		}
	}
	return c
}

func asText(t *testing.T, seed uint64, p *ir.Program, sp mutate.Space, c cegis.Candidate) {
	t.Helper()
	q := sp.Settled(c)
	if err := ir.Check(q); err != nil {
		t.Fatalf("seed %d: %v\n%s", seed, err, q)
	}
	patch, err := sp.Patch(c)
	if err != nil && len(c.Alternatives) > 1 && strings.Contains(err.Error(), "no source text") {
		return // a change inside what another one drops
	}
	if err != nil {
		t.Fatalf("seed %d: %v\n%s", seed, err, q)
	}
	files, err := patch.Apply(p.Files)
	if err != nil {
		t.Fatalf("seed %d: %v\n%s", seed, err, q)
	}
	r, err := ir.Parse("p.ir", files[0].Content)
	if err != nil {
		t.Fatalf("seed %d: %v\n%s", seed, err, files[0].Content)
	}
	same := !sp.Instrumented() && p.NumLocs() == r.NumLocs()
	if !same {
		p.Align(r, patch)
	}
	for i := range uint64(5) {
		input := gen.Input(seed*10 + i)
		x, err := interp.Run(t.Context(), q, interp.Config{Input: input, Unwind: 2})
		if err != nil {
			t.Fatal(err)
		}
		y, err := interp.Run(t.Context(), r, interp.Config{Input: input, Unwind: 2})
		if err != nil {
			t.Fatal(err)
		}
		if !sameRuns(x, y, same) {
			t.Fatalf("seed %d: the changed program %v, its text %v\n%s\n%s", seed, x.Outcome, y.Outcome, patch.Diff(p.Files), files[0].Content)
		}
	}
}

// sameRuns reports whether the runs of a changed program and of its text are
// the same, step by step if they have the same statements.
func sameRuns(x, y *interp.Trace, steps bool) bool {
	return x.Outcome == y.Outcome && slices.Equal(x.Results, y.Results) &&
		(!steps || mutate.SamePath(x.Steps, y.Steps))
}

// TestNoSites searches where nothing may change: that is not exhausted.
func TestNoSites(t *testing.T) {
	p, err := ir.Parse("none.ir", []byte("proc main(x u8) { assert x != 3 }"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := mutate.New(p, mutate.Config{Unwind: 1}); !errors.Is(err, mutate.ErrNoSites) {
		t.Errorf("no schemes: %v", err)
	}
	s, err := mutate.New(p, mutate.Config{Operators: scheme.Level1(), Unwind: 1})
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range s.Repairs(t.Context()) {
		err = e
	}
	if !errors.Is(err, mutate.ErrNoSites) || s.Stats().Exhausted {
		t.Errorf("got %v, exhausted %v", err, s.Stats().Exhausted)
	}
}
