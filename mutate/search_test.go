package mutate_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/go-amend/amend/formula/sat"
	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/gen"
	"github.com/go-amend/amend/ir/interp"
	"github.com/go-amend/amend/mutate"
	"github.com/go-amend/amend/mutate/cegis"
	"github.com/go-amend/amend/mutate/scheme"
	"github.com/go-amend/amend/slice"
	"github.com/go-amend/amend/ssa"
)

var allChecks = ir.Checks(0).With(ir.CheckBounds, ir.CheckDiv, ir.CheckShift, ir.CheckOverflow, ir.CheckConversion)

// candidates returns random candidates of sp, the empty one first.
func candidates(rng *rand.Rand, sp mutate.Space, n int) [][]int {
	out := [][]int{{}}
	for range n {
		var c []int
		for range 1 + rng.IntN(3) {
			k := rng.IntN(sp.Len())
			if !slices.ContainsFunc(c, func(j int) bool { return sp.Alt(j).Place == sp.Alt(k).Place }) {
				c = append(c, k)
			}
		}
		slices.Sort(c)
		out = append(out, c)
	}
	return out
}

// TestAlternatives compares programs that selectors select with programs
// that Substitute makes, in both encodings; and checks that must location
// sets are: no change outside one repairs the failing run (Theorem 3).
func TestAlternatives(t *testing.T) {
	failing, repaired := 0, 0
	for seed := range fewer(uint64(300)) {
		rng := rand.New(rand.NewPCG(seed, 3))
		p := gen.Program(rng, gen.Config{Checks: allChecks, Free: seed%3 == 0})
		sp, err := mutate.NewSpace(p, scheme.Level2FM2016(), nil)
		if err != nil {
			t.Fatal(err)
		}
		if sp.Len() == 0 {
			continue
		}
		unwind := rng.IntN(3)
		f, err := sp.Build(ssa.Config{Unwind: unwind, Fold: seed%4 != 0, Guarded: seed%5 == 0})
		if err != nil {
			t.Fatal(err)
		}
		g, run := slice.NewGraph(f), ssa.NewRun(f)
		for i, c := range candidates(rng, sp, 8) {
			input := gen.Input(seed*1000 + uint64(i))
			m := make(ssa.Model)
			for _, in := range f.Inputs.All() {
				m[in.Choice] = input(in.Choice)
			}
			run.Start(m, sp.Selectors(c))
			want := runChanged(t, p, sp, c, m, unwind)
			if got := run.Value(f.Violated()) == 1; got != (want.Outcome == interp.Violated) {
				t.Fatalf("seed %d, candidate %v: violated %v, the interpreter %v", seed, c, got, want.Outcome)
			}
			if got := run.Value(f.Ended()) == 1; got != (want.Outcome == interp.Ended || want.Outcome == interp.Violated) {
				t.Fatalf("seed %d, candidate %v: ended %v, the interpreter %v", seed, c, got, want.Outcome)
			}
			if want.Outcome != interp.Violated {
				continue
			}
			failing++
			must := sp.PlacesIn(g.Must(m, sp.Selectors(c)...))
			for _, d := range candidates(rng, sp, 20) {
				if runChanged(t, p, sp, d, m, unwind).Outcome == interp.Violated {
					continue
				}
				if repaired++; agree(sp, c, d, must) {
					t.Fatalf("seed %d: %v fails, %v agrees on the must set and doesn't", seed, c, d)
				}
			}
		}
	}
	if want := fewer(100); failing < want || repaired < want {
		t.Errorf("only %d failing runs, %d repaired", failing, repaired)
	}
}

// agree reports whether c and d select the same at all sites in.
func agree(sp mutate.Space, c, d []int, in []bool) bool {
	at := func(c []int) []int {
		return slices.DeleteFunc(slices.Clone(c), func(k int) bool { return !in[sp.Alt(k).Place] })
	}
	return slices.Equal(at(c), at(d))
}

func runChanged(t *testing.T, p *ir.Program, sp mutate.Space, c []int, m ssa.Model, unwind int) *interp.Trace {
	t.Helper()
	q := sp.Substitute(cegis.Candidate{Alternatives: c})
	trace, err := interp.Run(t.Context(), q, interp.Config{Input: m.Input, Unwind: unwind})
	if err != nil {
		t.Fatal(err)
	}
	return trace
}

// TestSearch compares the modes with brute force: every candidate built and
// solved by itself.
func TestSearch(t *testing.T) {
	found, vacuous, changing := 0, 0, 0
	for seed := range seeds(2000) {
		rng := rand.New(rand.NewPCG(seed, 5))
		p := gen.Program(rng, gen.Config{Checks: allChecks, Statements: 3, Free: seed%4 == 0})
		if seed%10 == 4 {
			p = parsed(t, late(rng))
		}
		cfg := mutate.Config{Operators: scheme.Level2(), Unwind: 1 + rng.IntN(2), MaxSize: 1 + rng.IntN(2), AllowCuts: rng.IntN(3) == 0}
		if seed%4 == 1 {
			cfg.Operators = append(scheme.Level1(), scheme.Statements()[:2]...)
		}
		if seed%3 == 0 {
			cfg.Keep = passing(t, p, cfg.Unwind, seed)
		}
		want, n := bruteForce(t, p, cfg)
		changing += n
		if want == nil {
			continue
		}
		var order []string
		for _, mode := range []mutate.Mode{mutate.Learn, mutate.Slice, mutate.Basic} {
			cfg.Mode, cfg.Workers = mode, rng.IntN(4)
			var got []string
			s, err := mutate.New(p, cfg)
			if err != nil {
				t.Fatal(err)
			}
			s.Postpone(rng.IntN(3)-1, rng.IntN(9)) // -1: all constraints are
			size := 0
			for r, err := range s.Repairs(t.Context()) {
				if err != nil {
					t.Fatalf("seed %d: %v", seed, err)
				}
				if len(r.Changes) < size {
					t.Errorf("seed %d: a repair of %d changes after one of %d", seed, len(r.Changes), size)
				}
				size = len(r.Changes)
				if r.Vacuous {
					vacuous++
				}
				got = append(got, describe(r.Changes))
				found++
			}
			if order == nil {
				order = slices.Clone(got)
			} else if !slices.Equal(got, order) {
				t.Fatalf("seed %d, mode %d: repairs in another order: %v, want %v", seed, mode, got, order)
			}
			slices.Sort(got)
			if !slices.Equal(got, want) {
				t.Fatalf("seed %d, mode %d: %d repairs %v, want %d %v", seed, mode, len(got), got, len(want), want)
			}
			if !s.Stats().Exhausted {
				t.Errorf("seed %d: not exhausted", seed)
			}
		}
	}
	if testing.Short() {
		return
	}
	if found < 100 || vacuous == 0 || changing < 4 {
		t.Errorf("only %d repairs, %d vacuous, %d dropped for changing what is kept", found, vacuous, changing)
	}
}

// passing returns inputs on which p passes.
func passing(t *testing.T, p *ir.Program, unwind int, seed uint64) []ssa.Model {
	t.Helper()
	var out []ssa.Model
	for i := range uint64(10) {
		tr, err := interp.Run(t.Context(), p, interp.Config{Input: gen.Input(seed*100 + i), Unwind: unwind})
		if err != nil {
			t.Fatal(err)
		}
		if tr.Outcome != interp.Ended {
			continue
		}
		m := make(ssa.Model)
		for _, in := range tr.Inputs {
			m[in.Choice] = in.Value
		}
		out = append(out, m)
	}
	return out
}

func describe(cs []mutate.Change) string {
	s := ""
	for _, c := range cs {
		s += fmt.Sprintf("%d:%s ", c.Site, show(c.New))
	}
	return s
}

func show(e ir.Expr) string {
	switch e := e.(type) {
	case *ir.Const:
		return ir.FormatValue(e.Typ, e.Val)
	case *ir.Binary:
		return e.Op.String()
	}
	return "?"
}

// bruteForce returns all minimal repairs, or nil if the space is too large
// or the program correct, and how many candidates fail for what they should
// keep alone.
func bruteForce(t *testing.T, p *ir.Program, cfg mutate.Config) (out []string, changed int) {
	t.Helper()
	s, err := mutate.New(p, cfg)
	if err != nil {
		t.Fatal(err)
	}
	cfg = s.Config()
	sp, err := mutate.NewSpace(p, cfg.Operators, nil)
	if err != nil {
		t.Fatal(err)
	}
	if n := sp.Len(); n == 0 || cfg.MaxSize == 1 && n > 80 || cfg.MaxSize == 2 && n > 25 {
		return nil, 0
	}
	repairs := [][]int{}
	var try func(c []int, from, size int)
	try = func(c []int, from, size int) {
		if len(c) == size {
			for _, r := range repairs {
				if subset(r, c) {
					return
				}
			}
			q := sp.Substitute(cegis.Candidate{Alternatives: c})
			if d, err := mutate.Decide(t.Context(), p, q, cfg); err != nil {
				t.Fatal(err)
			} else if d.Good {
				if keeps, err := mutate.Keeps(t.Context(), p, q, cfg); err != nil {
					t.Fatal(err)
				} else if keeps && !refuted(t, &cfg, sp.Settled(cegis.Candidate{Alternatives: c})) {
					repairs = append(repairs, slices.Clone(c))
				} else if !keeps {
					changed++
				}
			}
			return
		}
		for k := from; k < sp.Len(); k++ {
			if len(c) == 0 || sp.Alt(c[len(c)-1]).Place != sp.Alt(k).Place {
				try(append(c, k), k+1, size)
			}
		}
	}
	for size := range cfg.MaxSize + 1 {
		try(nil, 0, size)
		if size == 0 {
			if violates := len(repairs) == 0; !violates {
				return nil, 0
			}
		}
	}
	out = []string{}
	for _, r := range repairs {
		cs := []mutate.Change{}
		for _, k := range r {
			cs = append(cs, mutate.Change{Site: sp.Alt(k).Site, New: sp.Alt(k).Expr})
		}
		out = append(out, describe(cs))
	}
	slices.Sort(out)
	return out, changed
}

// refuted reports whether cfg.Prove, if any, refutes p.
func refuted(t *testing.T, cfg *mutate.Config, p *ir.Program) bool {
	t.Helper()
	if cfg.Prove == nil {
		return false
	}
	proof, err := cfg.Prove(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	return proof.Reach == mutate.Refuted
}

func subset(a, b []int) bool {
	for _, x := range a {
		if !slices.Contains(b, x) {
			return false
		}
	}
	return true
}

// TestCancel checks that a search stops with its context.
func TestCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	p := gen.Program(rand.New(rand.NewPCG(1, 1)), gen.Config{})
	for r, err := range mutate.Repairs(ctx, p, mutate.Config{Operators: scheme.Level2(), NewSolver: sat.New}) {
		if r != nil || err == nil {
			t.Fatalf("after cancellation: %v, %v", r, err)
		}
		return
	}
	t.Error("no error after cancellation")
}

// TestDecide compares verdicts on random candidates with what the
// interpreter does on every input.
func TestDecide(t *testing.T) {
	stages := make(map[mutate.Stage]int)
	for seed := range seeds(1500) {
		rng := rand.New(rand.NewPCG(seed, 6))
		p := gen.Program(rng, gen.Config{Checks: allChecks, Statements: 3, Widths: []int{2}})
		sp, err := mutate.NewSpace(p, scheme.Level2(), nil)
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
		for _, c := range candidates(rng, sp, 6) {
			q := sp.Substitute(cegis.Candidate{Alternatives: c})
			want, complete, ok := byInterpreter(t, p, q, s.Config())
			if !ok {
				continue
			}
			got, err := mutate.Decide(t.Context(), p, q, s.Config())
			if err != nil {
				t.Fatal(err)
			}
			stages[want]++
			if got.Stage != want || want == mutate.Passed && got.Complete != complete {
				t.Fatalf("seed %d, candidate %v: stage %d, complete %v; want %d, %v", seed, c, got.Stage, got.Complete, want, complete)
			}
		}
	}
	if testing.Short() {
		return
	}
	if stages[mutate.Passed] < 50 || stages[mutate.Fails] < 50 || stages[mutate.NotPreserved] < 20 {
		t.Errorf("stages %v", stages)
	}
}

// byInterpreter runs p and q on every input. It reports not ok where a run
// of q is stopped at an assumption, about which traces say too little.
func byInterpreter(t *testing.T, p, q *ir.Program, cfg mutate.Config) (at mutate.Stage, complete, ok bool) {
	t.Helper()
	complete = true
	bits := 0
	for _, v := range p.Entry.Params {
		bits += ir.Width(v.Type)
	}
	for in := range uint64(1) << bits {
		input := func(c ir.Choice) uint64 {
			x := in
			for _, v := range p.Entry.Params {
				if v.ID == c.Var {
					return x
				}
				x >>= ir.Width(v.Type)
			}
			return 0
		}
		run := func(p *ir.Program, slack int) interp.Outcome {
			tr, err := interp.Run(t.Context(), p, interp.Config{Input: input, Unwind: cfg.Unwind + slack})
			if err != nil {
				t.Fatal(err)
			}
			for _, in := range tr.Inputs {
				ok = ok && slices.ContainsFunc(p.Entry.Params, func(v *ir.Var) bool {
					return in.Choice == ir.Choice{Var: v.ID}
				})
			}
			return tr.Outcome
		}
		ok = true
		orig, short, long := run(p, 0), run(q, 0), run(q, cfg.Slack)
		if short == interp.Blocked || long == interp.Blocked || !ok {
			return 0, false, false
		}
		complete = complete && short != interp.Cut
		switch {
		case short == interp.Violated:
			return mutate.Fails, false, true
		case (orig == interp.Ended || orig == interp.Violated) && long != interp.Ended:
			at = mutate.NotPreserved
		}
	}
	return at, complete, true
}

// TestAssumption checks that a repair may not stop runs at an assumption that
// is certain to hold in the original.
func TestAssumption(t *testing.T) {
	p, err := ir.Parse("p.ir", []byte(`
proc main(n u8) {
	var limit u8
	limit = 9
	assume limit > 3
	assert n < limit
}
`))
	if err != nil {
		t.Fatal(err)
	}
	for _, mode := range []mutate.Mode{mutate.Learn, mutate.Slice, mutate.Basic} {
		for r, err := range mutate.Repairs(t.Context(), p, mutate.Config{Operators: scheme.Level2(), Mode: mode}) {
			t.Errorf("mode %d: %v, %v", mode, r, err)
		}
	}
}
