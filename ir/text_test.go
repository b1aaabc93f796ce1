package ir_test

import (
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/gen"
	"github.com/go-amend/amend/ir/interp"
)

var allChecks = ir.Checks(0).With(ir.CheckBounds, ir.CheckDiv, ir.CheckShift, ir.CheckOverflow, ir.CheckConversion)

// TestRoundTrip prints random programs, parses them back, and compares text
// and runs.
func TestRoundTrip(t *testing.T) {
	programs := uint64(1500)
	if testing.Short() {
		programs = 200
	}
	for seed := range programs {
		p := gen.Program(rand.New(rand.NewPCG(seed, 9)), gen.Config{Checks: allChecks, Free: seed%2 == 0, Widths: []int{1, 3, 8, 32, 64}})
		if err := ir.Check(p); err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, p)
		}
		text := p.String()
		q, err := ir.Parse("p.ir", []byte(text))
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, text)
		}
		if again := q.String(); again != text {
			t.Fatalf("seed %d: printed\n%s\nthen\n%s", seed, text, again)
		}
		if q.NumLocs() != p.NumLocs() || len(q.Sites()) != len(p.Sites()) {
			t.Fatalf("seed %d: %d locations, %d sites; want %d, %d\n%s", seed, q.NumLocs(), len(q.Sites()), p.NumLocs(), len(p.Sites()), text)
		}
		cfg := interp.Config{Input: gen.Input(seed), Unwind: 2}
		x, err := interp.Run(t.Context(), p, cfg)
		if err != nil {
			t.Fatal(err)
		}
		y, err := interp.Run(t.Context(), q, cfg)
		if err != nil {
			t.Fatal(err)
		}
		if x.Outcome != y.Outcome || !reflect.DeepEqual(x.Steps, y.Steps) {
			t.Fatalf("seed %d: another run: %v, want %v\n%s", seed, y.Outcome, x.Outcome, text)
		}
	}
}

// change returns what takes the place of e in the next test, or nil.
func change(rng *rand.Rand, e ir.Expr) func(ir.Expr) ir.Expr {
	switch x := e.(type) {
	case *ir.Const:
		v := ir.Wrap(x.Typ, x.Val+1)
		return func(ir.Expr) ir.Expr { return &ir.Const{Val: v, Typ: x.Typ} }
	case *ir.Binary:
		ops := map[bool][]ir.Op{true: {ir.Lt, ir.Eq, ir.Ge}, false: {ir.Add, ir.Mul, ir.Or, ir.Div}}[x.Op.Relational()]
		if x.Op.Lazy() {
			ops = []ir.Op{ir.LAnd, ir.LOr}
		} else if x.Op == ir.Shl || x.Op == ir.Shr {
			ops = []ir.Op{ir.Shl, ir.Shr}
		} else if _, ok := x.X.Type().(ir.Bool); ok {
			ops = []ir.Op{ir.Eq, ir.Ne}
		}
		op := ops[rng.IntN(len(ops))]
		return func(old ir.Expr) ir.Expr {
			b := *old.(*ir.Binary)
			b.Op, b.ExprInfo = op, ir.ExprInfo{}
			return &b
		}
	}
	return nil
}

// TestEdits compares programs parsed from patched text with programs whose
// expressions were replaced.
func TestEdits(t *testing.T) {
	changed, programs := 0, uint64(800)
	if testing.Short() {
		programs = 100
	}
	for seed := range programs {
		rng := rand.New(rand.NewPCG(seed, 10))
		p := gen.Program(rng, gen.Config{Widths: []int{4, 32}})
		p, err := ir.Parse("p.ir", []byte(p.String()))
		if err != nil {
			t.Fatal(err)
		}
		changes := make(ir.Changes)
		for _, s := range p.Sites() {
			if rng.IntN(6) == 0 {
				if f := change(rng, *s.Occurrences[0]); f != nil {
					changes[s.ID] = f
				}
			}
		}
		patch, err := p.Edits(changes)
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, p)
		}
		files, err := patch.Apply(p.Files)
		if err != nil {
			t.Fatal(err)
		}
		q, err := ir.Parse("p.ir", files[0].Content)
		if err != nil {
			t.Fatalf("seed %d: %v\n%s\n%v", seed, err, files[0].Content, patch)
		}
		changed += len(patch)
		if got, want := q.String(), p.Substitute(changes).String(); got != want {
			t.Fatalf("seed %d: patched\n%s\nwant\n%s\n%v", seed, got, want, patch)
		}
		for _, e := range patch {
			if !strings.Contains(string(p.Files[0].Content), e.Old) {
				t.Errorf("edit of text that isn't there: %v", e)
			}
		}
	}
	if changed < int(programs)*5/8 {
		t.Errorf("only %d edits", changed)
	}
}

// TestInit has initial values that only statements can give, before and
// after those that declarations do.
func TestInit(t *testing.T) {
	const text = `var a i32 = 2
var b i32
var t [2]u8
init {
	t[@0(1)] = u8(3)
	b = a + 1
	a = 7
}

proc main() {
	assert a + b == 10 && t[1] == u8(3)
}
`
	p, err := ir.Parse("init.ir", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if got := p.String(); got != text {
		t.Errorf("printed\n%s", got)
	}
	tr, err := interp.Run(t.Context(), p, interp.Config{})
	if err != nil || tr.Outcome != interp.Ended {
		t.Errorf("%v, %v", tr.Outcome, err)
	}
	for _, bad := range []string{"var x i32", "return", "x = 1"} {
		if _, err := ir.Parse("bad.ir", []byte("init {\n"+bad+"\n}\nproc main() {\n}")); err == nil {
			t.Errorf("%q in init is no error", bad)
		}
	}
}

// TestDeep has texts whose parsing would not fit on the host's stack.
func TestDeep(t *testing.T) {
	n := 200_000
	if testing.Short() {
		n = 20_000
	}
	for _, text := range []string{
		"assert " + strings.Repeat("(", n) + "true" + strings.Repeat(")", n),
		"assert " + strings.Repeat("!", n) + "true",
		"assert x" + strings.Repeat("+ x", n) + " == 0",
		"assert " + strings.Repeat("x == 1 ? true : ", n) + "false",
		strings.Repeat("{", n) + strings.Repeat("}", n),
		strings.Repeat("if x == 1 {} else ", n) + "{}",
	} {
		_, err := ir.Parse("deep.ir", []byte("proc main(x i32) {\n"+text+"\n}"))
		if err == nil || !strings.HasPrefix(err.Error(), "deep.ir:2:") {
			t.Errorf("%.20s…: got error %v", text, err)
		}
	}
}
