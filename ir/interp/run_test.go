package interp_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/gen"
	"github.com/go-amend/amend/ir/interp"
)

func parse(t testing.TB, text string) *ir.Program {
	t.Helper()
	p, err := ir.Parse("test.ir", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func run(t testing.TB, p *ir.Program, cfg interp.Config) *interp.Trace {
	t.Helper()
	x, err := interp.Run(t.Context(), p, cfg)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

var allChecks = arithmeticChecks.With(ir.CheckBounds)

// TestRandom checks what holds of all runs: they repeat; the choices that
// they list, each once, are all that they need; Failed and the rest say what
// the outcome is about.
func TestRandom(t *testing.T) {
	programs := uint64(4000)
	if testing.Short() {
		programs = 500
	}
	for seed := range programs {
		rng := rand.New(rand.NewPCG(seed, 1))
		p := gen.Program(rng, gen.Config{Checks: allChecks, Free: seed%2 == 0, Shared: seed%3 == 0, Statements: 6, Depth: 3})
		before := p.String()
		cfg := interp.Config{Unwind: rng.IntN(4), Input: gen.Input(seed), MaxSteps: 2000}
		x := run(t, p, cfg)
		if err := consistent(p, x); err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, p)
		}
		if p.String() != before {
			t.Fatalf("seed %d: Run modified the program", seed)
		}
		listed := make(map[ir.Choice]uint64)
		for _, in := range x.Inputs {
			if _, ok := listed[in.Choice]; ok || in.Value != ir.Wrap(in.Type, in.Value) {
				t.Fatalf("seed %d: reads %v twice, or too wide\n%s", seed, in, p)
			}
			listed[in.Choice] = in.Value
		}
		cfg.Input = func(c ir.Choice) uint64 { return listed[c] }
		if again := run(t, p, cfg); !reflect.DeepEqual(x, again) {
			t.Fatalf("seed %d: played again: %v, want %v\n%s", seed, again, x, p)
		}
		cfg.NoSteps = true
		y := run(t, p, cfg)
		if y.Steps != nil {
			t.Fatalf("seed %d: steps", seed)
		}
		if y.Steps = x.Steps; !reflect.DeepEqual(x, y) {
			t.Fatalf("seed %d: without steps: %v, want %v\n%s", seed, y, x, p)
		}
	}
}

// consistent checks that the fields of x fit each other.
func consistent(p *ir.Program, x *interp.Trace) error {
	if (x.Failed == nil) != (x.Outcome == interp.Ended) {
		return fmt.Errorf("%v at %v", x.Outcome, x.Failed)
	}
	if x.Outcome == interp.Ended && len(x.Results) != len(p.Entry.Results) || x.Outcome != interp.Ended && x.Results != nil {
		return fmt.Errorf("%v with results %v", x.Outcome, x.Results)
	}
	if x.Outcome != interp.Violated {
		if x.Site != 0 || x.Kind != 0 {
			return fmt.Errorf("%v of %v %d", x.Outcome, x.Kind, x.Site)
		}
		return nil
	}
	if s, ok := x.Failed.(*ir.Assert); ok && s.Kind == x.Kind && x.Site == 0 {
		return nil
	}
	if !p.Checks.Has(x.Kind) {
		return fmt.Errorf("violates %v, which is not checked", x.Kind)
	}
	found := x.Site == 0
	ir.EachExpr(x.Failed, func(e *ir.Expr) { found = found || (*e).Site() == x.Site })
	if !found {
		return fmt.Errorf("site %d is not in the statement", x.Site)
	}
	return nil
}

// TestBounds checks that a larger bound cuts less and changes nothing else.
func TestBounds(t *testing.T) {
	more := 0
	for seed := range uint64(3000) {
		p := gen.Program(rand.New(rand.NewPCG(seed, 2)), gen.Config{Checks: allChecks})
		var last *interp.Trace
		for unwind := range 4 {
			x := run(t, p, interp.Config{Unwind: unwind, Input: gen.Input(seed)})
			if last != nil && last.Outcome == interp.Cut {
				if more++; len(x.Steps) < len(last.Steps) || !reflect.DeepEqual(last.Steps, x.Steps[:len(last.Steps)]) {
					t.Fatalf("seed %d: steps %v within %d, then %v\n%s", seed, last.Steps, unwind-1, x.Steps, p)
				}
			} else if last != nil && !reflect.DeepEqual(last, x) {
				t.Fatalf("seed %d: %v within %d, then %v\n%s", seed, last, unwind-1, x, p)
			}
			last = x
		}
	}
	if more < 300 {
		t.Errorf("only %d runs were cut", more)
	}
}

// TestStepLimit checks that fewer steps give the beginning of the same run.
func TestStepLimit(t *testing.T) {
	for seed := range uint64(200) {
		p := gen.Program(rand.New(rand.NewPCG(seed, 3)), gen.Config{Checks: allChecks})
		cfg := interp.Config{Unwind: 3, Input: gen.Input(seed)}
		x := run(t, p, cfg)
		for limit := 1; ; limit++ {
			cfg.MaxSteps = limit
			y := run(t, p, cfg)
			if y.Outcome != interp.OutOfSteps {
				if !reflect.DeepEqual(x, y) {
					t.Fatalf("seed %d: %v in %d steps, want %v\n%s", seed, y, limit, x, p)
				}
				break
			}
			if len(y.Steps) > 0 && !reflect.DeepEqual(y.Steps, x.Steps[:len(y.Steps)]) {
				t.Fatalf("seed %d: %d steps are not the first\n%s", seed, limit, p)
			}
		}
	}
}

func TestDeepRecursion(t *testing.T) {
	p := parse(t, "proc main() { main() }")
	for _, noSteps := range []bool{false, true} {
		x := run(t, p, interp.Config{Unwind: -1, MaxSteps: -1, NoSteps: noSteps})
		if x.Outcome != interp.OutOfSteps || x.Failed == nil || x.Path.Depth() != 9999 {
			t.Errorf("%v on a path of %d calls", x.Outcome, x.Path.Depth())
		}
	}
	x := run(t, p, interp.Config{Unwind: -1, MaxSteps: 10})
	if x.Outcome != interp.OutOfSteps || x.Path.Depth() != 10 {
		t.Errorf("%v on path %s", x.Outcome, x.Path)
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	why := errors.New("enough")
	reads := 0
	cfg := interp.Config{Unwind: -1, MaxSteps: -1, NoSteps: true, Input: func(ir.Choice) uint64 {
		if reads++; reads == 5 {
			cancel(why)
		}
		return 0
	}}
	x, err := interp.Run(ctx, parse(t, "proc main() { loop { var x u8; havoc x } }"), cfg)
	if err != why || x.Outcome != interp.Unfinished {
		t.Errorf("%v, %v", x.Outcome, err)
	}
	if reads < 5 || reads > 2000 {
		t.Errorf("stopped after %d reads", reads)
	}
	x, err = interp.Run(ctx, parse(t, "proc main() { }"), interp.Config{})
	if err != why || x.Outcome != interp.Unfinished {
		t.Errorf("cancelled before the start: %v, %v", x.Outcome, err)
	}
}

func TestInputBits(t *testing.T) {
	p := parse(t, "proc main(x i3) (r i3) { r = x }")
	x := run(t, p, interp.Config{Input: func(ir.Choice) uint64 { return 0xFD }})
	want := []interp.Input{{Choice: ir.Choice{Var: p.Entry.Params[0].ID}, Type: ir.Int{Width: 3, Signed: true}, Value: 5}}
	if !reflect.DeepEqual(x.Inputs, want) || x.Results[0] != 5 {
		t.Errorf("%v, results %v", x.Inputs, x.Results)
	}
	if x := run(t, p, interp.Config{}); x.Results[0] != 0 {
		t.Errorf("without Input: %v", x.Results)
	}
}

// TestUsed checks which choices a run does more with than to move them.
func TestUsed(t *testing.T) {
	p := parse(t, `proc id(x u8) (r u8) { return x }
proc main(a u8, b u8, c u8, d u8) (r u8) {
	var moved [2]u8
	havoc moved
	moved[0] = moved[1]
	var y u8
	var z u8
	var w u8
	y = a
	y = id(y)
	z = b
	z = z + 0
	moved[1] = a == a && false ? c : d
	havoc w
	w = id(w)
	if w > 3 { }
	r = moved[1]
}`)
	x := run(t, p, interp.Config{})
	used := map[string]bool{}
	for _, in := range x.Inputs {
		if v := p.Vars()[in.Choice.Var-1]; in.Used {
			used[v.Name] = true
		}
	}
	if want := map[string]bool{"a": true, "b": true, "w": true}; !reflect.DeepEqual(used, want) || len(x.Inputs) != 5 {
		t.Errorf("uses %v of %d, want %v of 5", used, len(x.Inputs), want)
	}
}

// TestSharedUnknown checks that copies of an operation that share a site in
// one statement make one choice.
func TestSharedUnknown(t *testing.T) {
	p := parse(t, "proc main(x u8) (r u8) { r = @7(x / u8(0)) - @7(x / u8(0)) + @7(x / u8(0)) }")
	x := run(t, p, interp.Config{Input: gen.Input(1)})
	if len(x.Inputs) != 2 || x.Results[0] != x.Inputs[1].Value {
		t.Errorf("reads %v, results %v", x.Inputs, x.Results)
	}
}

func TestOutcomeString(t *testing.T) {
	want := map[interp.Outcome]string{
		interp.Unfinished: "unfinished", interp.Ended: "ended", interp.Violated: "violated",
		interp.Blocked: "blocked", interp.Cut: "cut", interp.OutOfSteps: "out of steps",
		interp.Stuck: "stuck", interp.Paused: "paused",
	}
	for o, w := range want {
		if o.String() != w {
			t.Errorf("%d.String() = %q, want %q", o, o, w)
		}
	}
}

// BenchmarkSmall runs 200 random programs, as property tests do.
func BenchmarkSmall(b *testing.B) {
	b.ReportAllocs()
	var ps []*ir.Program
	for seed := range uint64(200) {
		ps = append(ps, gen.Program(rand.New(rand.NewPCG(seed, 4)), gen.Config{Checks: allChecks}))
	}
	for b.Loop() {
		for i, p := range ps {
			run(b, p, interp.Config{Unwind: 4, Input: gen.Input(uint64(i)), NoSteps: true})
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(ps)), "ns/run")
}

// BenchmarkSteps runs one program of about 45,000 statements.
func BenchmarkSteps(b *testing.B) {
	p := parse(b, `
proc f(n i32) (s i32) {
	var i i32 = 0
	s = 0
	while i < n { s = s + i * 3 % 7; i++ }
}
proc main() {
	var a [100]i32
	var i i32 = 0
	while i < 1000 {
		var x i32 = f(10)
		a[i % 100] = x
		i++
	}
}`)
	for _, noSteps := range []bool{true, false} {
		b.Run(fmt.Sprint("NoSteps=", noSteps), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				run(b, p, interp.Config{Unwind: -1, NoSteps: noSteps})
			}
		})
	}
}
