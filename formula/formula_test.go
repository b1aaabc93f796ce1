package formula

import (
	"context"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"github.com/go-amend/amend/formula/circuit"
	"github.com/go-amend/amend/formula/sat"
)

func TestSizeof(t *testing.T) {
	if n := unsafe.Sizeof(node{}); n != 24 {
		t.Errorf("a node has %d bytes, want 24", n)
	}
}

// An operation is how a test builds a term, and what it should mean.
type operation struct {
	name  string
	build func(s *Store, x, y Term) Term
	want  func(w int, x, y uint64) uint64 // by plain arithmetic on numbers
}

func mod(w int, v int64) uint64 { return uint64(v) & ones(w) }

func num(w int, v uint64) int64 {
	if v>>(w-1) == 1 {
		return int64(v) - 1<<w
	}
	return int64(v)
}

func b2u(b bool) uint64 { return truth(b) }

// The reference is right for widths up to 16.
var operations = []operation{
	{"and", (*Store).And, func(w int, x, y uint64) uint64 { return x & y }},
	{"or", (*Store).Or, func(w int, x, y uint64) uint64 { return x | y }},
	{"xor", (*Store).Xor, func(w int, x, y uint64) uint64 { return x ^ y }},
	{"implies", (*Store).Implies, func(w int, x, y uint64) uint64 { return (ones(w) ^ x) | y }},
	{"add", (*Store).Add, func(w int, x, y uint64) uint64 { return (x + y) % (1 << w) }},
	{"sub", (*Store).Sub, func(w int, x, y uint64) uint64 { return (x + 1<<w - y) % (1 << w) }},
	{"mul", (*Store).Mul, func(w int, x, y uint64) uint64 { return x * y % (1 << w) }},
	{"square", func(s *Store, x, _ Term) Term { return s.Mul(x, x) }, func(w int, x, _ uint64) uint64 { return x * x % (1 << w) }},
	{"udiv", (*Store).UDiv, func(w int, x, y uint64) uint64 {
		if y == 0 {
			return ones(w)
		}
		return x / y
	}},
	{"urem", (*Store).URem, func(w int, x, y uint64) uint64 {
		if y == 0 {
			return x
		}
		return x % y
	}},
	{"sdiv", (*Store).SDiv, func(w int, x, y uint64) uint64 {
		switch {
		case y != 0:
			return mod(w, num(w, x)/num(w, y))
		case num(w, x) < 0:
			return mod(w, 1)
		}
		return mod(w, -1)
	}},
	{"srem", (*Store).SRem, func(w int, x, y uint64) uint64 {
		if y == 0 {
			return x
		}
		return mod(w, num(w, x)%num(w, y))
	}},
	{"shl", (*Store).Shl, func(w int, x, y uint64) uint64 {
		for range min(y, 64) {
			x = x * 2 % (1 << w)
		}
		return x
	}},
	{"lshr", (*Store).Lshr, func(w int, x, y uint64) uint64 {
		for range min(y, 64) {
			x /= 2
		}
		return x
	}},
	{"ashr", (*Store).Ashr, func(w int, x, y uint64) uint64 {
		n := num(w, x)
		for range min(y, 64) {
			n = (n - (n & 1)) / 2
		}
		return mod(w, n)
	}},
	{"eq", (*Store).Eq, func(w int, x, y uint64) uint64 { return b2u(x == y) }},
	{"ult", (*Store).Ult, func(w int, x, y uint64) uint64 { return b2u(x < y) }},
	{"ule", (*Store).Ule, func(w int, x, y uint64) uint64 { return b2u(x <= y) }},
	{"slt", (*Store).Slt, func(w int, x, y uint64) uint64 { return b2u(num(w, x) < num(w, y)) }},
	{"sle", (*Store).Sle, func(w int, x, y uint64) uint64 { return b2u(num(w, x) <= num(w, y)) }},
	{"not", func(s *Store, x, _ Term) Term { return s.Not(x) }, func(w int, x, _ uint64) uint64 { return ones(w) - x }},
	{"neg", func(s *Store, x, _ Term) Term { return s.Neg(x) }, func(w int, x, _ uint64) uint64 { return (1<<w - x) % (1 << w) }},
	{"ite", func(s *Store, x, y Term) Term { return s.Ite(s.Ult(x, y), x, y) }, func(w int, x, y uint64) uint64 { return min(x, y) }},
	{"concat", (*Store).Concat, func(w int, x, y uint64) uint64 { return x<<w + y }},
	{"zext", func(s *Store, x, _ Term) Term { return s.Zext(s.Width(x)+3, x) }, func(w int, x, _ uint64) uint64 { return x }},
	{"sext", func(s *Store, x, _ Term) Term { return s.Sext(s.Width(x)+3, x) }, func(w int, x, _ uint64) uint64 { return mod(w+3, num(w, x)) }},
	{"low", func(s *Store, x, _ Term) Term { return s.Extract(x, (s.Width(x)-1)/2, 0) }, func(w int, x, _ uint64) uint64 { return x % (1 << ((w-1)/2 + 1)) }},
	{"high", func(s *Store, x, _ Term) Term { return s.Extract(x, s.Width(x)-1, s.Width(x)/2) }, func(w int, x, _ uint64) uint64 { return x >> (w / 2) }},
}

// TestOperations compares, for every value at small widths and with either
// operand a variable or a constant: Eval, simplification, and bit-blasting
// by all three kinds of gates.
func TestOperations(t *testing.T) {
	widest := 4
	if testing.Short() {
		widest = 2
	}
	for w := 1; w <= widest; w++ {
		for _, op := range operations {
			for x := range uint64(1) << w {
				for y := range uint64(1) << w {
					for _, constant := range []int{0, 1, 2, 3} {
						checkOperation(t, op, w, x, y, constant)
					}
				}
			}
		}
	}
}

func checkOperation(t *testing.T, op operation, w int, x, y uint64, constant int) {
	t.Helper()
	s := NewStore()
	val := make(map[Term]uint64)
	operand := func(name string, v uint64, constant bool) Term {
		if constant {
			return s.Const(w, v)
		}
		x := s.Var(w, name)
		val[x] = v
		return x
	}
	a, b := operand("x", x, constant&1 != 0), operand("y", y, constant&2 != 0)
	term := op.build(s, a, b)
	want := op.want(w, x, y)
	env := func(v Term) uint64 { return val[v] }
	if got := s.Eval(term, env); got != want {
		t.Fatalf("%s at width %d of %d, %d (constants %b): Eval = %d, want %d", op.name, w, x, y, constant, got, want)
	}
	for name, bits := range allGates(s, term, env) {
		if bits != want {
			t.Fatalf("%s at width %d of %d, %d (constants %b): %s = %d, want %d", op.name, w, x, y, constant, name, bits, want)
		}
	}
}

// allGates returns t's value as each kind of gates computes it.
func allGates(s *Store, t Term, env func(Term) uint64) map[string]uint64 {
	return map[string]uint64{
		"plain gates":  byPlain(s, t, env),
		"circuits":     byCircuit(s, t, env),
		"clause gates": byClauses(s, t, env),
	}
}

// plainGates computes: literal 2 is true and 3 false.
type plainGates struct{ next []sat.Lit }

func lit(b bool) sat.Lit {
	if b {
		return 2
	}
	return 3
}
func (g *plainGates) True() sat.Lit { return 2 }
func (g *plainGates) Input() sat.Lit {
	m := g.next[0]
	g.next = g.next[1:]
	return m
}
func (g *plainGates) And(a, b sat.Lit) sat.Lit { return lit(a == 2 && b == 2) }
func (g *plainGates) Xor(a, b sat.Lit) sat.Lit { return lit(a != b) }
func (g *plainGates) Mux(c, a, b sat.Lit) sat.Lit {
	if c == 2 {
		return a
	}
	return b
}
func (g *plainGates) Parity(a, b, c sat.Lit) sat.Lit   { return lit((a == 2) != (b == 2) != (c == 2)) }
func (g *plainGates) Majority(a, b, c sat.Lit) sat.Lit { return g.Mux(g.Xor(a, b), c, a) }

func (g *plainGates) All(ms []sat.Lit) sat.Lit { return slices.Max(ms) } // 3 if one is

func (g *plainGates) Lemma(ms ...sat.Lit) {
	if !slices.Contains(ms, 2) {
		panic("a lemma is wrong")
	}
}

// variables returns the variables of s, in order.
func variables(s *Store) []Term {
	var vs []Term
	for v := Term(1); int(v) < s.Len(); v++ {
		if s.Op(v) == OpVar {
			vs = append(vs, v)
		}
	}
	return vs
}

func byPlain(s *Store, t Term, env func(Term) uint64) uint64 {
	g := &plainGates{}
	b := NewBlaster(s, g)
	for _, v := range variables(s) {
		for i := range s.Width(v) {
			g.next = append(g.next, lit(env(v)>>i&1 == 1))
		}
		b.Bits(v)
	}
	var v uint64
	for i, m := range b.Bits(t) {
		v |= uint64(m&1^1) << i
	}
	return v
}

func byCircuit(s *Store, t Term, env func(Term) uint64) uint64 {
	c := circuit.New()
	b := NewBlaster(s, c)
	values := make(map[sat.Lit]bool)
	for _, v := range variables(s) {
		for i, m := range b.Bits(v) {
			values[m] = env(v)>>i&1 == 1
		}
	}
	var u uint64
	ms := b.Bits(t)
	for i, x := range c.Eval(func(m sat.Lit) bool { return values[m] }, ms...) {
		if x {
			u |= 1 << i
		}
	}
	return u
}

func byClauses(s *Store, t Term, env func(Term) uint64) uint64 {
	f := NewSolver(s, sat.New())
	f.Bits(t)
	for _, v := range variables(s) {
		for i, m := range f.Bits(v) {
			f.SAT().AddClause(m ^ sat.Lit(^env(v)>>i&1))
		}
	}
	if st, err := f.Check(context.Background()); st != sat.Sat || err != nil {
		panic(fmt.Sprint("circuit without a model: ", st, err))
	}
	var u uint64
	for i, m := range f.Bits(t) {
		if f.SAT().Value(m) {
			u |= 1 << i
		}
	}
	return u
}

// A grower makes random terms, and a copy that is not simplified.
type grower struct {
	s   *Store
	rng *rand.Rand
	ts  []Term
	val []uint64 // by ts: computed step by step
	env map[Term]uint64
}

func newGrower(seed uint64, n int) *grower {
	g := &grower{s: NewStore(), rng: rand.New(rand.NewPCG(seed, 0)), env: make(map[Term]uint64)}
	for len(g.ts) < n {
		g.step()
	}
	return g
}

func (g *grower) add(t Term, v uint64) {
	g.ts = append(g.ts, t)
	g.val = append(g.val, v&ones(g.s.Width(t)))
}

// pick returns a random term of width w, making one if need be.
func (g *grower) pick(w int) (Term, uint64) {
	for range 8 {
		if len(g.ts) > 0 {
			if i := g.rng.IntN(len(g.ts)); g.s.Width(g.ts[i]) == w {
				return g.ts[i], g.val[i]
			}
		}
	}
	if g.rng.IntN(3) == 0 {
		v := g.constant(w)
		g.add(g.s.Const(w, v), v)
	} else {
		x := g.s.Var(w, "v")
		g.env[x] = g.constant(w)
		g.add(x, g.env[x])
	}
	return g.ts[len(g.ts)-1], g.val[len(g.val)-1]
}

func (g *grower) constant(w int) uint64 {
	switch g.rng.IntN(4) {
	case 0:
		return uint64(g.rng.IntN(3)) & ones(w)
	case 1:
		return -uint64(g.rng.IntN(3)) & ones(w)
	case 2:
		return 1 << g.rng.IntN(w)
	}
	return g.rng.Uint64() & ones(w)
}

var widths = []int{1, 1, 1, 2, 3, 7, 8, 16, 32, 33, 63, 64}

func (g *grower) step() {
	s := g.s
	w := widths[g.rng.IntN(len(widths))]
	x, u := g.pick(w)
	y, v := g.pick(w)
	switch k := g.rng.IntN(20); k {
	case 0:
		g.add(s.Not(x), ^u)
	case 1:
		c, cv := g.pick(1)
		if cv == 1 {
			g.add(s.Ite(c, x, y), u)
		} else {
			g.add(s.Ite(c, x, y), v)
		}
	case 2:
		hi := g.rng.IntN(w)
		lo := g.rng.IntN(hi + 1)
		g.add(s.Extract(x, hi, lo), u>>lo)
	case 3:
		if 2*w <= 64 {
			g.add(s.Concat(x, y), u<<w|v)
		}
	case 4:
		g.add(s.Zext(64, x), u)
	case 5:
		g.add(s.Sext(min(64, w+g.rng.IntN(9)), x), signExtend(u, w))
	case 6:
		g.add(s.Sub(x, y), u-v)
	case 7:
		g.add(s.Or(x, y), u|v)
	default:
		op := Op(g.rng.IntN(int(OpSlt-OpAnd)+1)) + OpAnd
		build := map[Op]func(*Store, Term, Term) Term{
			OpAnd: (*Store).And, OpXor: (*Store).Xor, OpAdd: (*Store).Add, OpMul: (*Store).Mul,
			OpUDiv: (*Store).UDiv, OpURem: (*Store).URem, OpSDiv: (*Store).SDiv, OpSRem: (*Store).SRem,
			OpShl: (*Store).Shl, OpLshr: (*Store).Lshr, OpAshr: (*Store).Ashr,
			OpEq: (*Store).Eq, OpUlt: (*Store).Ult, OpSlt: (*Store).Slt,
		}[op]
		g.add(build(s, x, y), apply(op, w, u, v))
	}
}

// TestRandomTerms compares simplified terms with values computed step by
// step, and with their circuits.
func TestRandomTerms(t *testing.T) {
	for seed := range uint64(400) {
		g := newGrower(seed, 60)
		env := func(v Term) uint64 { return g.env[v] }
		for i, x := range g.ts {
			if got := g.s.Eval(x, env); got != g.val[i] {
				t.Fatalf("seed %d: term %d: Eval = %#x, want %#x", seed, i, got, g.val[i])
			}
		}
		if seed%8 == 0 {
			i := len(g.ts) - 1 - int(seed)%7
			for name, v := range allGates(g.s, g.ts[i], env) {
				if v != g.val[i] {
					t.Fatalf("seed %d: term %d: %s = %#x, want %#x", seed, i, name, v, g.val[i])
				}
			}
		}
	}
}

// TestImportant changes all variables that are not important.
func TestImportant(t *testing.T) {
	fewer := 0
	for seed := range uint64(600) {
		g := newGrower(seed, 60)
		ev := NewEvaluator(g.s, func(v Term) uint64 { return g.env[v] })
		for i, x := range g.ts {
			keep := make(map[Term]bool)
			vars := Important(g.s, x, ev, nil)
			if g.val[i] == 1 && g.s.Width(x) == 1 && seed%2 == 0 {
				vars = ImportantVars(g.s, x, ev, nil)
			}
			for _, v := range vars {
				keep[v] = true
			}
			if len(keep) < len(g.env) {
				fewer++
			}
			got := g.s.Eval(x, func(v Term) uint64 {
				if keep[v] {
					return g.env[v]
				}
				return bits.Reverse64(g.env[v]) ^ uint64(v)*0x9E3779B97F4A7C15
			})
			if got != g.val[i] {
				t.Fatalf("seed %d: term %d changes without its important variables", seed, i)
			}
		}
	}
	if fewer == 0 {
		t.Error("all variables are always important")
	}
}

// TestSolver decides random terms and checks models, cores and definitions.
func TestSolver(t *testing.T) {
	for seed := range uint64(150) {
		g := newGrower(seed, 50)
		f := NewSolver(g.s, sat.New())
		name := make(map[Term]Term)
		var ps []Term
		for i, x := range g.ts {
			if w := g.s.Width(x); w <= 8 {
				y := g.s.Var(w, "name")
				f.Define(y, x)
				name[y] = x
				ps = append(ps, g.s.Eq(y, g.s.Const(w, g.val[i])))
			}
		}
		if st, err := f.Check(context.Background(), ps...); st != sat.Sat || err != nil {
			t.Fatalf("seed %d: Check = %v, %v; want sat", seed, st, err)
		}
		for y, x := range name {
			if f.Value(y) != f.Value(x) {
				t.Fatalf("seed %d: a name has another value than its definition", seed)
			}
		}
		for _, p := range ps {
			if f.Value(p) != 1 {
				t.Fatalf("seed %d: the model violates an assumption", seed)
			}
		}
		ps = append(ps, g.s.Not(g.s.AndN(ps...)))
		if st, _ := f.Check(context.Background(), ps...); st != sat.Unsat {
			t.Fatalf("seed %d: Check = %v, want unsat", seed, st)
		}
		if st, _ := f.Check(context.Background(), f.Core(nil)...); st != sat.Unsat {
			t.Fatalf("seed %d: core is none", seed)
		}
	}
}
