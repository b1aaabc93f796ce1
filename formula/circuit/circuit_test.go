package circuit_test

import (
	"bytes"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/go-air/gini"
	"github.com/go-air/gini/logic"
	"github.com/go-air/gini/logic/aiger"
	"github.com/go-air/gini/z"

	"github.com/go-amend/amend/formula"
	"github.com/go-amend/amend/formula/circuit"
	"github.com/go-amend/amend/formula/sat"
)

// operators make terms of width w of two others.
var operators = []struct {
	name string
	make func(st *formula.Store, w int, x, y formula.Term) formula.Term
}{
	{"add", func(st *formula.Store, w int, x, y formula.Term) formula.Term { return st.Add(x, y) }},
	{"mul", func(st *formula.Store, w int, x, y formula.Term) formula.Term { return st.Mul(x, y) }},
	{"mulconst", func(st *formula.Store, w int, x, y formula.Term) formula.Term { return st.Mul(x, st.Const(w, 0xb7)) }},
	{"square", func(st *formula.Store, w int, x, y formula.Term) formula.Term { return st.Mul(x, x) }},
	{"udiv", func(st *formula.Store, w int, x, y formula.Term) formula.Term { return st.UDiv(x, y) }},
	{"srem", func(st *formula.Store, w int, x, y formula.Term) formula.Term { return st.SRem(x, y) }},
	{"shl", func(st *formula.Store, w int, x, y formula.Term) formula.Term { return st.Shl(x, y) }},
	{"ashr", func(st *formula.Store, w int, x, y formula.Term) formula.Term { return st.Ashr(x, y) }},
	{"slt", func(st *formula.Store, w int, x, y formula.Term) formula.Term { return st.Zext(w, st.Slt(x, y)) }},
	{"ult", func(st *formula.Store, w int, x, y formula.Term) formula.Term { return st.Zext(w, st.Ult(x, y)) }},
	{"eq", func(st *formula.Store, w int, x, y formula.Term) formula.Term { return st.Zext(w, st.Eq(x, y)) }},
	{"ite", func(st *formula.Store, w int, x, y formula.Term) formula.Term {
		return st.Ite(st.Extract(x, 0, 0), st.Xor(x, y), st.And(x, y))
	}},
}

// TestEquivalent is the standing cross-check of the emitter of clauses: for
// each operator and width its bits equal those of the circuit, emitted to the
// same solver, whatever the inputs are.
func TestEquivalent(t *testing.T) {
	for _, op := range operators {
		for w := 1; w <= 5; w++ {
			st := formula.NewStore()
			x, y := st.Var(w, "x"), st.Var(w, "y")
			term := op.make(st, w, x, y)
			s := sat.New()
			f := formula.NewSolver(st, s)
			c := circuit.New()
			b, e := formula.NewBlaster(st, c), circuit.NewEmitter(c, s)
			for _, v := range []formula.Term{x, y} {
				for i, m := range b.Bits(v) {
					equate(s, e.Lit(m), f.Bits(v)[i])
				}
			}
			for i, m := range b.Bits(term) {
				p, q := e.Lit(m), f.Bits(term)[i]
				for sign := range sat.Lit(2) {
					if status, err := s.Solve(t.Context(), p^sign, q^sign^1); status != sat.Unsat || err != nil {
						t.Errorf("%s, width %d: bit %d differs (%v, %v)", op.name, w, i, status, err)
					}
				}
			}
		}
	}
}

func equate(s sat.Solver, a, b sat.Lit) {
	s.AddClause(a, b.Not())
	s.AddClause(a.Not(), b)
}

// TestAIGER reads what was written, in both variants, with the reader of
// another package, and evaluates it.
func TestAIGER(t *testing.T) {
	for _, op := range operators {
		const w = 4
		st := formula.NewStore()
		x, y := st.Var(w, "x"), st.Var(w, "y")
		term := op.make(st, w, x, y)
		c := circuit.New()
		b := formula.NewBlaster(st, c)
		inputs := append(append([]sat.Lit(nil), b.Bits(x)...), b.Bits(y)...)
		outputs := []circuit.Signal{{Name: "yes", Lit: c.True()}, {Lit: c.True().Not()}, {Name: "in", Lit: inputs[3].Not()}}
		for i, m := range b.Bits(term) {
			outputs = append(outputs, circuit.Signal{Name: fmt.Sprintf("%s[%d]", op.name, i), Lit: m})
		}
		names := func(m sat.Lit) string { return fmt.Sprintf("in%d", m>>1) }
		var ascii, binary bytes.Buffer
		if err := c.WriteASCII(&ascii, outputs, names); err != nil {
			t.Fatal(err)
		}
		if err := c.WriteBinary(&binary, outputs, names); err != nil {
			t.Fatal(err)
		}
		fromASCII, err := aiger.ReadAscii(&ascii)
		if err != nil {
			t.Fatalf("%s: %v", op.name, err)
		}
		fromBinary, err := aiger.ReadBinary(&binary)
		if err != nil {
			t.Fatalf("%s: %v", op.name, err)
		}
		for a := range uint64(1 << (2 * w)) {
			want := st.Eval(term, func(v formula.Term) uint64 {
				if v == y {
					return a >> w
				}
				return a & (1<<w - 1)
			})
			want = want<<3 | 1 | (^a >> 3 & 1 << 2)
			for _, r := range []*aiger.T{fromASCII, fromBinary} {
				if got := outputsOf(r, a); got != want {
					t.Fatalf("%s: inputs %b: outputs %b, want %b", op.name, a, got, want)
				}
			}
		}
		if name, _ := fromASCII.OutputName(3); name != op.name+"[0]" {
			t.Errorf("output 3 is called %q", name)
		}
	}
}

// outputsOf returns the outputs of a where its inputs have the bits of in.
func outputsOf(a *aiger.T, in uint64) (out uint64) {
	vs := make([]bool, a.Len())
	for i, m := range a.Inputs {
		vs[m.Var()] = (in>>i&1 == 1) == m.IsPos()
	}
	a.C.Eval(vs)
	for i, m := range a.Outputs {
		if vs[m.Var()] == m.IsPos() {
			out |= 1 << i
		}
	}
	return out
}

// TestForeignInput writes what depends on an input that is none.
func TestForeignInput(t *testing.T) {
	g := logic.NewCCap(101)
	a, b := g.Lit(), g.Lit()
	c := circuit.On(g, sat.Lit(a))
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	c.WriteASCII(&bytes.Buffer{}, []circuit.Signal{{Lit: sat.Lit(g.And(a, b))}}, nil)
}

// TestAtMost counts by gini's sorting networks, through an emitter.
func TestAtMost(t *testing.T) {
	for n := 0; n <= 6; n++ {
		c := circuit.New()
		var ms []sat.Lit
		for range n {
			ms = append(ms, c.Input())
		}
		s := sat.New()
		e := circuit.NewEmitter(c, s)
		bounds := c.AtMost(ms)
		for in := range 1 << n {
			assume := make([]sat.Lit, n)
			for i, m := range ms {
				assume[i] = e.Lit(m) ^ sat.Lit(^in>>i&1)
			}
			for k, m := range bounds {
				status, err := s.Solve(t.Context(), append(assume[:n:n], e.Lit(m))...)
				if (status == sat.Sat) != (bits.OnesCount(uint(in)) <= k) || err != nil {
					t.Errorf("%b: at most %d: %v, %v", in, k, status, err)
				}
			}
		}
	}
}

// TestEmitter emits random parts of one graph in random order.
func TestEmitter(t *testing.T) {
	for seed := range uint64(100) {
		rng := rand.New(rand.NewPCG(seed, 1))
		c := circuit.New()
		ms := []sat.Lit{c.True(), c.Input(), c.Input(), c.Input()}
		for range 30 {
			pick := func() sat.Lit { return ms[rng.IntN(len(ms))] ^ sat.Lit(rng.IntN(2)) }
			ms = append(ms, []sat.Lit{c.And(pick(), pick()), c.Xor(pick(), pick()), c.Mux(pick(), pick(), pick()), c.Majority(pick(), pick(), pick())}[rng.IntN(4)])
		}
		s := sat.New()
		e := circuit.NewEmitter(c, s)
		for in := range 8 {
			value := func(m sat.Lit) bool {
				for i, x := range c.Inputs() {
					if x == m {
						return in>>i&1 == 1
					}
				}
				panic("no input")
			}
			var assume []sat.Lit
			for i, m := range c.Inputs() {
				assume = append(assume, e.Lit(m)^sat.Lit(^in>>i&1))
			}
			want := c.Eval(value, ms...)
			for i := range 10 {
				i = (i*7 + in) % len(ms)
				m := e.Lit(ms[i]) // may add clauses
				if status, err := s.Solve(t.Context(), assume...); status != sat.Sat || err != nil {
					t.Fatalf("seed %d: %v, %v", seed, status, err)
				}
				if s.Value(m) != want[i] {
					t.Fatalf("seed %d: inputs %03b: gate %d is %t", seed, in, i, s.Value(m))
				}
			}
		}
	}
}

// A circuit of the sum of two numbers, in the AIGER format.
func ExampleCircuit_WriteASCII() {
	st := formula.NewStore()
	x, y := st.Var(1, "x"), st.Var(1, "y")
	c := circuit.New()
	b := formula.NewBlaster(st, c)
	names := map[sat.Lit]string{b.Bits(x)[0]: "x", b.Bits(y)[0]: "y"}
	sum := b.Bits(st.Add(x, y))
	c.WriteASCII(os.Stdout, []circuit.Signal{{Name: "sum", Lit: sum[0]}}, func(m sat.Lit) string { return names[m] })
	// Output:
	// aag 5 2 0 1 3
	// 2
	// 4
	// 11
	// 6 4 3
	// 8 5 2
	// 10 9 7
	// i0 x
	// i1 y
	// o0 sum
}

// Terms beside a circuit that a program with gini has already.
func ExampleOn() {
	graph := logic.NewCCap(1009)
	button := graph.Lit()

	st := formula.NewStore()
	c := circuit.On(graph, sat.Lit(button))
	light := formula.NewBlaster(st, c).Bits(st.Ult(st.Var(8, "level"), st.Const(8, 10)))[0]
	dark := graph.And(button.Not(), z.Lit(light))

	g := gini.New()
	graph.ToCnfFrom(g, dark)
	g.Assume(dark, button)
	fmt.Println(g.Solve())
	// Output: -1
}

// TestLong writes a circuit so deep that recursion would not do.
func TestLong(t *testing.T) {
	c := circuit.New()
	m := c.Input()
	for range 300_000 {
		m = c.And(m.Not(), c.Input())
	}
	var text strings.Builder
	if err := c.WriteASCII(&text, []circuit.Signal{{Lit: m}}, nil); err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(text.String(), "aag 600001 300001 0 1 300000\n") {
		t.Errorf("begins with %.40q", text.String())
	}
}
