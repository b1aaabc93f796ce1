package mutate_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/interp"
	"github.com/go-amend/amend/mutate"
	"github.com/go-amend/amend/mutate/cegis"
	"github.com/go-amend/amend/mutate/scheme"
	"github.com/go-amend/amend/ssa"
)

// late returns a random program without procedures that makes choices between
// assertions and assumptions. An if before each assumption shows its value.
func late(rng *rand.Rand) string {
	g := &lateText{rng: rng, out: new(strings.Builder), left: 3}
	g.out.WriteString("proc main(a u2) {\n\tvar x u2 = 0\n\tvar y u2 = 1\n")
	for range 3 + rng.IntN(3) {
		g.statement(1)
	}
	g.line(1, "assert %s != %s", g.one("x", "y"), g.one("0", "1", "2"))
	for range 1 + rng.IntN(2) {
		g.statement(1)
		g.assume(1)
	}
	g.out.WriteString("}\n")
	return g.out.String()
}

type lateText struct {
	rng  *rand.Rand
	out  *strings.Builder
	left int // how many more choices there may be
}

func (g *lateText) line(depth int, format string, args ...any) {
	g.out.WriteString(strings.Repeat("\t", depth))
	fmt.Fprintf(g.out, format+"\n", args...)
}

func (g *lateText) one(of ...string) string { return of[g.rng.IntN(len(of))] }

func (g *lateText) expr() string {
	if g.rng.IntN(2) == 0 {
		return g.one("a", "x", "y", "0", "1", "2", "3")
	}
	return g.one("a", "x", "y") + g.one(" + ", " - ", " * ", " ^ ") + g.one("a", "x", "y", "1", "2")
}

func (g *lateText) cond() string {
	return g.one("a", "x", "y") + g.one(" < ", " <= ", " == ", " != ", " > ") + g.one("a", "x", "y", "1", "2")
}

func (g *lateText) assume(depth int) {
	c := g.cond()
	g.line(depth, "if %s {", c)
	g.line(depth, "}")
	g.line(depth, "assume %s", c)
}

func (g *lateText) statement(depth int) {
	switch n := g.rng.IntN(9); {
	case n < 3 && g.left > 0:
		g.left--
		g.line(depth, "havoc %s", g.one("x", "y"))
	case n < 5:
		g.line(depth, "%s = %s", g.one("x", "y"), g.expr())
	case n < 6 && depth < 3:
		g.line(depth, "if %s {", g.cond())
		g.statement(depth + 1)
		g.line(depth, "} else {")
		g.statement(depth + 1)
		g.line(depth, "}")
	case n < 7:
		g.line(depth, "while x < y {")
		g.line(depth+1, "x = x + 1")
		g.line(depth, "}")
	case n < 8 && g.rng.IntN(3) == 0:
		g.line(depth, "assert %s != %s", g.one("x", "y"), g.one("a", "1", "2"))
	default:
		g.assume(depth)
	}
}

func parsed(t *testing.T, text string) *ir.Program {
	t.Helper()
	p, err := ir.Parse("p.ir", []byte(text))
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	return p
}

// TestHide compares verdicts on random candidates of programs with late
// assumptions with what the interpreter does on every input and completion.
func TestHide(t *testing.T) {
	stages := make(map[mutate.Stage]int)
	chosen := 0
	for seed := range seeds(200) {
		rng := rand.New(rand.NewPCG(seed, 31))
		text := late(rng)
		p := parsed(t, text)
		sp, err := mutate.NewSpace(p, append(scheme.Level2(), scheme.Variables()...), nil)
		if err != nil {
			t.Fatal(err)
		}
		if sp.Len() == 0 {
			continue
		}
		s, err := mutate.New(p, mutate.Config{Operators: scheme.Level2(), Unwind: 1 + rng.IntN(2)})
		if err != nil {
			t.Fatal(err)
		}
		all := newEnumeration(t, p, s.Config())
		for _, c := range candidates(rng, sp, 5) {
			q := sp.Substitute(cegis.Candidate{Alternatives: c})
			want, filtered := all.stage(q)
			got, err := mutate.Decide(t.Context(), p, q, s.Config())
			if err != nil {
				t.Fatal(err)
			}
			stages[want]++
			if want == mutate.Passed && filtered {
				chosen++
			}
			if got.Stage != want {
				t.Fatalf("seed %d, candidate %v: stage %d, want %d\n%s\n%s", seed, c, got.Stage, want, text, q)
			}
		}
	}
	t.Log(stages, chosen)
	if testing.Short() {
		return
	}
	if stages[mutate.Passed] < 100 || stages[mutate.Fails] < 100 || stages[mutate.NotPreserved] < 20 || stages[mutate.Hides] < 8 || chosen < 2 {
		t.Errorf("only %v, and %d that pass and filter later inputs", stages, chosen)
	}
}

// An enumeration is all runs of a program of late: by input, one value for
// the parameter and each Havoc.
type enumeration struct {
	t       *testing.T
	cfg     mutate.Config
	choices []ir.Choice
	shows   map[ir.LocID]ir.LocID // by Assume: the If before it
	inputs  []oneInput
}

// A oneInput is an input on which the original ends.
type oneInput struct {
	model  ssa.Model
	made   string // the choices that the original makes
	passed map[string]bool
}

func newEnumeration(t *testing.T, p *ir.Program, cfg mutate.Config) *enumeration {
	x := &enumeration{t: t, cfg: cfg, choices: []ir.Choice{{Var: p.Entry.Params[0].ID}}, shows: make(map[ir.LocID]ir.LocID)}
	havocs := make(map[ir.LocID]ir.Choice)
	var before ir.Stmt
	p.Stmts(func(_ *ir.Proc, s ir.Stmt) {
		switch s := s.(type) {
		case *ir.Havoc:
			havocs[s.ID] = ir.Choice{Var: s.LHS.(*ir.Use).Var.ID, At: s.ID}
			x.choices = append(x.choices, havocs[s.ID])
		case *ir.Assume:
			x.shows[s.Key()] = before.Key()
		}
		before = s
	})
	x.each(func(m ssa.Model) {
		tr := x.run(p, m, 0)
		if tr.Outcome != interp.Ended && tr.Outcome != interp.Violated {
			return
		}
		in := oneInput{model: m, passed: make(map[string]bool), made: fmt.Sprint(m[x.choices[0]])}
		for _, s := range tr.Steps {
			in.passed[fmt.Sprint(s.At, s.Path)] = true
			if c, ok := havocs[s.At]; ok {
				in.made += fmt.Sprint(",", s.At, "=", m[c])
			}
		}
		x.inputs = append(x.inputs, in)
	})
	return x
}

// each calls f with all inputs.
func (x *enumeration) each(f func(ssa.Model)) {
	for n := range 1 << (2 * len(x.choices)) {
		m := make(ssa.Model)
		for i, c := range x.choices {
			m[c] = uint64(n>>(2*i)) & 3
		}
		f(m)
	}
}

func (x *enumeration) run(p *ir.Program, m ssa.Model, slack int) *interp.Trace {
	tr, err := interp.Run(x.t.Context(), p, interp.Config{Input: m.Input, Unwind: x.cfg.Unwind + slack})
	if err != nil {
		x.t.Fatal(err)
	}
	return tr
}

// stage returns what q is, and whether it ever filters inputs that the
// original had not read.
func (x *enumeration) stage(q *ir.Program) (at mutate.Stage, filtered bool) {
	x.each(func(m ssa.Model) {
		if x.run(q, m, 0).Outcome == interp.Violated {
			at = mutate.Fails
		}
	})
	if at == mutate.Fails {
		return at, false
	}
	ends, stopped := make(map[string]bool), make(map[string]bool)
	for _, in := range x.inputs {
		switch tr := x.run(q, in.model, x.cfg.Slack); {
		case tr.Outcome == interp.Ended:
			ends[in.made] = true
		case tr.Outcome == interp.Blocked && !in.passed[fmt.Sprint(x.shows[tr.Failed.Key()], tr.Path)]:
			stopped[in.made] = true
		default:
			return mutate.NotPreserved, false
		}
	}
	for made := range stopped {
		if !ends[made] {
			return mutate.Hides, false
		}
	}
	return mutate.Passed, len(stopped) > 0
}

// TestFalseAssumption checks that no change is a repair that replaces the
// failure by an assumption that is false whatever comes later, and that one
// is where some later input passes.
func TestFalseAssumption(t *testing.T) {
	for _, x := range []struct {
		name, text string
		want       int
	}{
		{"no run is left", "x = 1 - 1\nassert x != 0\nassume x > 5", 0},
		{"one is left", "x = 1 - 1\nassert x != 0\nassume x == 2", 2},
		{"a later input passes", "x = 1 - 1\nassert x != 0\nhavoc y\nassume y == x * 3", 8},
		{"an earlier input has to pass", "havoc y\nx = 1 - 1\nassert x != 0\nassume y == x", 0},
		{"an earlier input that nothing needs has to pass", "x = 1 - 1\nassert x != 0\nassume n == x", 0},
		{"a later input passes in one branch", "x = 1 - 1\nassert x != 0\nif x == 2 {\nhavoc y\n}\nassume y == 7", 2},
		{"many later inputs pass one each", "x = 1 - 1\nassert x != 0\nhavoc y\nassume y == n + 7", 8},
	} {
		p := parsed(t, "proc main(n i32) {\nvar x i32\nvar y i32 = 0\n"+x.text+"\n}")
		hard := func(s ir.Stmt) bool { _, ok := s.(*ir.Assign); return !ok || s.Span().Line != 4 && s.Span().Line != 5 }
		for _, mode := range []mutate.Mode{mutate.Learn, mutate.Slice, mutate.Basic} {
			n := 0
			for r, err := range mutate.Repairs(t.Context(), p, mutate.Config{Operators: scheme.Level2(), Mode: mode, Hard: hard}) {
				if err != nil {
					t.Fatalf("%s, mode %d: %v", x.name, mode, err)
				}
				if n++; r.Vacuous {
					t.Errorf("%s, mode %d: vacuous without AllowCuts", x.name, mode)
				}
			}
			if n != x.want {
				t.Errorf("%s, mode %d: %d repairs, want %d", x.name, mode, n, x.want)
			}
		}
	}
}
