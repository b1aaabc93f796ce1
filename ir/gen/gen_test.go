package gen_test

import (
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/gen"
	"github.com/go-amend/amend/ir/interp"
)

var allChecks = ir.Checks(0).With(ir.CheckBounds, ir.CheckDiv, ir.CheckShift, ir.CheckOverflow, ir.CheckConversion)

// config returns a Config that depends on seed, so that a range of seeds
// has them all.
func config(seed uint64) gen.Config {
	return gen.Config{
		Checks: allChecks, Free: seed%2 == 0, Shared: seed%3 == 0, Forms: seed%5 == 0, Spans: seed%7 == 0,
		Widths: [][]int{nil, {1}, {1, 3, 8, 32, 64}}[seed%3], Depth: int(seed % 4), Statements: int(seed % 6), Inputs: int(seed % 3),
	}
}

func program(seed uint64) *ir.Program {
	return gen.Program(rand.New(rand.NewPCG(seed, 1)), config(seed))
}

func TestProgram(t *testing.T) {
	programs := uint64(3000)
	if testing.Short() {
		programs = 200
	}
	for seed := range programs {
		p := program(seed)
		if err := ir.Check(p); err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, p)
		}
		if again := program(seed).String(); again != p.String() {
			t.Fatalf("seed %d: first\n%s\nthen\n%s", seed, p, again)
		}
		for i, s := range p.Sites() {
			if len(s.Occurrences) == 0 {
				t.Fatalf("seed %d: site %d is nowhere\n%s", seed, i+1, p)
			}
			if !config(seed).Shared && len(s.Occurrences) > 1 {
				t.Fatalf("seed %d: site %d is shared\n%s", seed, i+1, p)
			}
			if span := (*s.Occurrences[0]).Span(); span.IsZero() == config(seed).Spans {
				t.Fatalf("seed %d: site %d has span %v\n%s", seed, i+1, span, p)
			}
		}
	}
}

// TestAssigned checks that without Free nothing is read before it is
// assigned, and with Free now and then something is.
func TestAssigned(t *testing.T) {
	free, programs := 0, uint64(4000)
	if testing.Short() {
		programs = 300
	}
	for seed := range programs {
		cfg := config(seed)
		p := program(seed)
		x, err := interp.Run(t.Context(), p, interp.Config{Unwind: 2, Input: gen.Input(seed)})
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		for _, in := range x.Inputs {
			if c := in.Choice; c.Nth == 0 && !entryParam(p, c.Var) {
				if free++; !cfg.Free {
					t.Fatalf("seed %d: reads %+v\n%s", seed, c, p)
				}
			}
		}
	}
	if free < int(programs)/8 {
		t.Errorf("only %d free values were read", free)
	}
}

func entryParam(p *ir.Program, v ir.VarID) bool {
	for _, x := range p.Entry.Params {
		if x.ID == v {
			return true
		}
	}
	return false
}

// TestOutcomes checks that random programs end in every way, each often
// enough for a test to be worth something.
func TestOutcomes(t *testing.T) {
	n := make(map[interp.Outcome]int)
	violated := make(map[ir.Kind]int)
	const runs = 4000
	for seed := range uint64(runs) {
		p := gen.Program(rand.New(rand.NewPCG(seed, 2)), gen.Config{Checks: allChecks, Free: seed%2 == 0})
		x, err := interp.Run(t.Context(), p, interp.Config{Unwind: 3, Input: gen.Input(seed)})
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if n[x.Outcome]++; x.Outcome == interp.Violated {
			violated[x.Kind]++
		}
	}
	t.Log(n, violated)
	for _, o := range []interp.Outcome{interp.Ended, interp.Violated, interp.Blocked, interp.Cut} {
		if n[o] < runs/25 {
			t.Errorf("%d of %d runs %v", n[o], runs, o)
		}
	}
	for k := ir.CheckAssert; k <= ir.CheckConversion; k++ {
		if violated[k] < 10 {
			t.Errorf("%d of %d runs violate %v", violated[k], runs, k)
		}
	}
}

func TestInput(t *testing.T) {
	choices := []ir.Choice{{}, {Var: 1}, {At: 1}, {Nth: 1}, {Nth: -1}, {Elem: 1}, {Path: "1"}, {Path: "1/2"}, {Path: "1/2#1"}, {Var: 1, At: 1}}
	seen := make(map[uint64]ir.Choice)
	ones := 0
	for seed := range uint64(100) {
		f, again := gen.Input(seed), gen.Input(seed)
		for _, c := range choices {
			v := f(c)
			if again(c) != v {
				t.Fatalf("seed %d: %v has two values", seed, c)
			}
			if d, ok := seen[v]; ok {
				t.Fatalf("seed %d: %v and %v have one value", seed, c, d)
			}
			seen[v] = c
			ones += bits.OnesCount64(v)
		}
	}
	if mean := float64(ones) / float64(len(seen)); mean < 31 || mean > 33 {
		t.Errorf("%v of 64 bits are set", mean)
	}
}

func TestWidths(t *testing.T) {
	p := gen.Program(rand.New(rand.NewPCG(1, 1)), gen.Config{Widths: []int{17}})
	for _, v := range p.Entry.Params {
		if i, ok := v.Type.(ir.Int); ok && i.Width != 17 {
			t.Errorf("%s has type %s", v.Name, v.Type)
		}
	}
	defer func() {
		if r := recover(); r != "gen: width 65" {
			t.Errorf("recovered %v", r)
		}
	}()
	gen.Program(rand.New(rand.NewPCG(1, 1)), gen.Config{Widths: []int{65}})
}

func BenchmarkProgram(b *testing.B) {
	b.ReportAllocs()
	r := rand.New(rand.NewPCG(1, 1))
	for b.Loop() {
		gen.Program(r, gen.Config{Checks: allChecks})
	}
}
