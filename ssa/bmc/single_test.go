package bmc_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/interp"
	"github.com/go-amend/amend/ssa/bmc"
)

// programs without inputs are decided by their one run, though it is longer
// than -unwind 5; those with inputs are not.
var programs = []struct {
	name, text string
	want       string
	rounds     int // of the only loop
}{
	{"sum", `proc main() { var i i32 = 0; while i < 8 { i = i + 1 } assert i == 9 }`, "violated", 8},
	{"sum right", `proc main() { var i i32 = 0; while i < 8 { i = i + 1 } assert i == 8 }`, "holds", 8},
	{"short", `proc main() { var i i32 = 0; while i < 2 { i = i + 1 } assert i == 2 }`, "holds", 0},
	{"assumption", `proc main() { var i i32 = 0; while i < 8 { i = i + 1 } assume i == 9; assert false }`, "holds", 8},
	{"unread input", `proc main(n i32) { var i i32 = 0; while i < 8 { i = i + 1 } assert i == 9 }`, "violated", 8},
	{"unset result", `proc main() (r i32) { var i i32 = 0; while i < 8 { i = i + 1 } assert i == 8 }`, "holds", 8},
	{"free result", `proc main() (r i32) { var i i32 = 0; while i < 8 { i = i + 1 } assert r == 8 }`, "inputs", 0},
	{"input", `proc main(n i32) { var i i32 = 0; while i < n { i = i + 1 } assert i < 8 }`, "inputs", 0},
	{"choice", `proc main() { var i i32 = 0; var n i32; havoc n; while i < n { i = i + 1 } assert i < 8 }`, "inputs", 0},
	{"room", `proc main() { var a [4]u8; alloc a, 5; assert false }`, "cut", 0},
	{"for ever", `proc main() { var i i32 = 0; while true { i = i + 1 } }`, "out of steps", 0},
}

func TestProgramsWithoutInputsAreDecidedByTheirRun(t *testing.T) {
	for _, x := range programs {
		p, err := ir.Parse("p.ir", []byte(x.text))
		if err != nil {
			t.Fatalf("%s: %v", x.name, err)
		}
		res, err := bmc.Check(t.Context(), p, bmc.Config{Unwind: 5, MaxSteps: 1000})
		if got := verdict(res, err); got != x.want {
			t.Errorf("%s: %s (%v), want %s", x.name, got, err, x.want)
		}
		for _, n := range res.Loops {
			if n != x.rounds && x.rounds > 0 {
				t.Errorf("%s: bound of %d rounds, want %d", x.name, n, x.rounds)
			}
		}
		if x.rounds > 0 && len(res.Loops) != 1 {
			t.Errorf("%s: bounds %v, want one", x.name, res.Loops)
		}
		if x.want == "out of steps" {
			continue
		}
		if fits := bmc.Fits(t.Context(), p); fits != (x.want != "cut") {
			t.Errorf("%s: Fits = %v", x.name, fits)
		}
		if decides := bmc.Decides(t.Context(), p); decides != (x.want != "cut" && x.want != "inputs") {
			t.Errorf("%s: Decides = %v", x.name, decides)
		}
	}
}

// verdict says what Check found.
func verdict(res *bmc.Result, err error) string {
	u, undecided := errors.AsType[*bmc.UndecidedError](err)
	switch {
	case undecided && !res.Decided && !res.Complete:
		return u.Outcome.String()
	case err != nil:
		return err.Error()
	case !res.Single:
		return "inputs"
	case len(res.Violations) > 0 && res.Violations[0].Trace.Outcome == interp.Violated:
		return "violated"
	case res.Decided && res.Complete:
		return "holds"
	}
	return "nothing"
}

// Recursion takes the bound of all of the program.
func TestBoundOfRecursion(t *testing.T) {
	p, err := ir.Parse("p.ir", []byte(`proc f(n i32) i32 { var r i32 = 0; if n > 0 { r = f(n - 1) } return r + 1 }
proc main() { var r i32 = f(8); assert r == 8 }`))
	if err != nil {
		t.Fatal(err)
	}
	res, err := bmc.Check(t.Context(), p, bmc.Config{Unwind: 5})
	if err != nil || len(res.Violations) != 1 || res.Unwind != 8 {
		t.Errorf("%d violations with Unwind %d, %v, want one with 8", len(res.Violations), res.Unwind, err)
	}
}

// Several tests in one: those that read no further input are decided by their
// runs and set the bounds for the others.
func TestTestsInOne(t *testing.T) {
	for want, text := range map[string]string{
		"violated": `proc main(test u2) { var i i32 = 0; if test == 1 { while i < 8 { i = i + 1 } assert i == 9 } if test == 2 { assert true } }`,
		"holds":    `proc main(test u2) { var i i32 = 0; if test == 1 { while i < 8 { i = i + 1 } assert i == 8 } if test == 2 { assert true } }`,
		"inputs":   `proc main(test u2, n u8) { var i i32 = 0; if test == 1 { while i < 8 { i = i + 1 } assert i == 9 } if test == 2 { assert n < 7 } }`,
		"cut":      `proc main(test u2, n u8) { var a [4]u8; if test == 1 { alloc a, 5 } if test == 2 { assert n + 1 > 0 || n == 255 } }`,
	} {
		p, err := ir.Parse("p.ir", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		p.Entry.Params[0].Selects = true
		res, err := bmc.Check(t.Context(), p, bmc.Config{Unwind: 5, All: true})
		if got := verdict(res, err); got != want {
			t.Errorf("%s: %s (%v), want %s", text, got, err, want)
		}
		if want == "inputs" && len(res.Violations) != 2 {
			t.Errorf("%d violations, want that of each test", len(res.Violations))
		}
		if want != "cut" && !res.Raised {
			t.Errorf("%s: the bounds are those given", text)
		}
	}
}

// A loose choice is no input: the bounds are those that the usual run needs,
// and a formula looks at the other values of the choice. A violation that needs
// none is told with its usual value.
func TestLooseChoices(t *testing.T) {
	for want, claim := range map[string]string{
		"holds":         `i == 8`,
		"violated by 0": `i == 9`,
		"violated by 3": `i == 8 && l != 3`,
	} {
		p, err := ir.Parse("p.ir", []byte(`proc main() { var l i32; havoc l; var k i32 = l & 0; var i i32 = k; while i < 8 { i = i + 1 } assert `+claim+` }`))
		if err != nil {
			t.Fatal(err)
		}
		p.Entry.Locals[0].Loose = true
		res, err := bmc.Check(t.Context(), p, bmc.Config{Unwind: 5})
		if err != nil || res.Single || !res.Raised || !res.Complete {
			t.Errorf("%s: %v, single %v, raised %v, complete %v", claim, err, res.Single, res.Raised, res.Complete)
		}
		got := "holds"
		for _, v := range res.Violations {
			got = fmt.Sprintf("violated by %d", v.Trace.Inputs[len(v.Trace.Inputs)-1].Value)
		}
		if got != want {
			t.Errorf("%s: %s, want %s", claim, got, want)
		}
	}
}

// What is never more than moved from variable to variable makes no other run.
func TestUnusedInputs(t *testing.T) {
	for text, want := range map[string]string{
		`proc main() { var a [4]u8; var b [4]u8; havoc a; var i i32 = 0; while i < 4 { b[i] = a[i]; i = i + 1 } b[2] = 3; assert b[2] == 3 }`: "holds",
		`proc main() { var a [4]u8; var b [4]u8; havoc a; var i i32 = 0; while i < 4 { b[i] = a[i]; i = i + 1 } b[2] = 3; assert b[1] == 3 }`: "inputs",
		`proc main() { var n u8; havoc n; var m i8 = i8(n); m = 3; assert m == 3 }`:                                                           "holds",
		`proc main() { var n u8; havoc n; var m i16 = i16(n); m = 3; assert m == 3 }`:                                                         "inputs",
		`proc main() { var n u8; havoc n; var m u8 = n; if m > 3 { m = 2 } assert true }`:                                                     "inputs",
		`proc main() { var n u8; havoc n; assert false }`:                                                                                     "violated",
	} {
		p, err := ir.Parse("p.ir", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		res, err := bmc.Check(t.Context(), p, bmc.Config{Unwind: 5})
		if got := verdict(res, err); got != want {
			t.Errorf("%s: %s (%v), want %s", text, got, err, want)
		}
	}
}

// A run that gets to what is not supported is an error, unless another one is
// violated, which goes before it.
func TestUnsupported(t *testing.T) {
	const text = `proc main(n u8) { if n > %d { check unsupported false "this" } assert n < %d }`
	for _, x := range []struct {
		above, below int
		all          bool
		violations   int
		refused      bool
	}{
		{255, 255, false, 1, false},
		{3, 255, false, 0, true},
		{3, 2, false, 1, false},
		{3, 2, true, 1, true},
		{3, 100, false, 0, true}, // what comes behind it is never reached
	} {
		p, err := ir.Parse("p.ir", fmt.Appendf(nil, text, x.above, x.below))
		if err != nil {
			t.Fatal(err)
		}
		res, err := bmc.Check(t.Context(), p, bmc.Config{All: x.all})
		e, refused := errors.AsType[*ir.UnsupportedError](err)
		if len(res.Violations) != x.violations || refused != x.refused || refused && (e.Construct != "this" || res.Decided || res.Complete) {
			t.Errorf("%+v: %d violations, decided %v, complete %v, %v", x, len(res.Violations), res.Decided, res.Complete, err)
		}
	}
}
