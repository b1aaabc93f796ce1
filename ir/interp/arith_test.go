package interp_test

import (
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/interp"
)

// The reference computes with unbounded numbers, and then asks whether the
// result fits.

var arithmeticChecks = ir.Checks(0).With(ir.CheckDiv, ir.CheckShift, ir.CheckOverflow, ir.CheckConversion)

// unknownValue is what choices that operations make are in these tests.
const unknownValue = 0x5A5A5A5A5A5A5A5A

func number(t ir.Type, v uint64) *big.Int {
	n := new(big.Int).SetUint64(v)
	if ir.Signed(t) && n.Bit(ir.Width(t)-1) == 1 {
		n.Sub(n, new(big.Int).Lsh(big.NewInt(1), uint(ir.Width(t))))
	}
	return n
}

// bits returns n modulo 2^width.
func bits(t ir.Type, n *big.Int) uint64 {
	modulus := new(big.Int).Lsh(big.NewInt(1), uint(ir.Width(t)))
	return new(big.Int).Mod(n, modulus).Uint64() // Euclidean: never negative
}

// A result is what an operation gives: a number, which may not fit, or an
// unknown value; and the check that it violates if that is made.
type result struct {
	n        *big.Int
	unknown  bool
	violates ir.Kind // CheckAssert: none
}

func number01(b bool) *big.Int {
	if b {
		return big.NewInt(1)
	}
	return new(big.Int)
}

// exact returns the result n of an operation of type t that may overflow.
func exact(t ir.Type, n *big.Int) result {
	if ir.Signed(t) && number(t, bits(t, n)).Cmp(n) != 0 {
		return result{n: n, violates: ir.CheckOverflow}
	}
	return result{n: n}
}

func unary(op ir.Op, t ir.Type, x *big.Int) result {
	switch op {
	case ir.Not:
		return result{n: number01(x.Sign() == 0)}
	case ir.Compl: // -x-1
		return result{n: new(big.Int).Sub(new(big.Int).Neg(x), big.NewInt(1))}
	}
	return exact(t, new(big.Int).Neg(x))
}

func binary(op ir.Op, t ir.Type, x, y *big.Int) result {
	n := new(big.Int)
	switch op {
	case ir.Add:
		return exact(t, n.Add(x, y))
	case ir.Sub:
		return exact(t, n.Sub(x, y))
	case ir.Mul:
		return exact(t, n.Mul(x, y))
	case ir.Div, ir.Rem:
		if y.Sign() == 0 {
			return result{unknown: true, violates: ir.CheckDiv}
		}
		r := exact(t, n.Quo(x, y))
		if op == ir.Rem {
			r.n = new(big.Int).Rem(x, y)
		}
		return r
	case ir.And, ir.LAnd:
		return result{n: n.And(x, y)}
	case ir.Or, ir.LOr:
		return result{n: n.Or(x, y)}
	case ir.Xor:
		return result{n: n.Xor(x, y)}
	case ir.Shl, ir.Shr:
		return shift(op, t, x, y)
	}
	c := x.Cmp(y)
	holds := map[ir.Op]bool{ir.Eq: c == 0, ir.Ne: c != 0, ir.Lt: c < 0, ir.Le: c <= 0, ir.Gt: c > 0, ir.Ge: c >= 0}
	return result{n: number01(holds[op])}
}

func shift(op ir.Op, t ir.Type, x, count *big.Int) result {
	k, out := big.NewInt(int64(ir.Width(t))), true
	if count.Sign() >= 0 && count.Cmp(k) < 0 {
		k, out = count, false
	}
	factor := new(big.Int).Exp(big.NewInt(2), k, nil)
	r := result{n: new(big.Int).Div(x, factor)} // rounds down, as factor > 0
	if op == ir.Shl {
		r = exact(t, new(big.Int).Mul(x, factor))
	}
	if out {
		r.violates = ir.CheckShift
	}
	return r
}

func convert(to, from ir.Type, x *big.Int) result {
	if to == ir.Type(ir.Bool{}) {
		return result{n: number01(x.Sign() != 0)}
	}
	r := result{n: x}
	if from != ir.Type(ir.Bool{}) && number(to, bits(to, x)).Cmp(x) != 0 {
		r.violates = ir.CheckConversion
	}
	return r
}

// An operation is a program that computes one expression of its inputs.
type operation struct {
	p *ir.Program
	e ir.Expr
}

func newOperation(make func(x, y ir.Expr) ir.Expr, s, t ir.Type) *operation {
	x := &ir.Var{Name: "x", Kind: ir.Param, Type: s}
	y := &ir.Var{Name: "y", Kind: ir.Param, Type: t}
	e := make(&ir.Use{Var: x}, &ir.Use{Var: y})
	r := &ir.Var{Name: "r", Kind: ir.Result, Type: e.Type()}
	f := &ir.Proc{
		Name: "main", Params: []*ir.Var{x, y}, Results: []*ir.Var{r},
		Body: &ir.Block{List: []ir.Stmt{&ir.Assign{LHS: &ir.Use{Var: r}, RHS: e}}},
	}
	p := &ir.Program{Procs: []*ir.Proc{f}, Entry: f}
	p.Number()
	return &operation{p, e}
}

// compare runs o on x and y, with checks and without.
func (o *operation) compare(t *testing.T, x, y uint64, want result) {
	t.Helper()
	params := o.p.Entry.Params
	input := func(c ir.Choice) uint64 {
		switch c.Var {
		case params[0].ID:
			return x
		case params[1].ID:
			return y
		}
		return unknownValue
	}
	for _, checks := range []ir.Checks{0, arithmeticChecks} {
		o.p.Checks = checks
		got, err := interp.Run(t.Context(), o.p, interp.Config{Input: input})
		if err != nil {
			t.Fatal(err)
		}
		if checks.Has(want.violates) {
			if got.Outcome != interp.Violated || got.Kind != want.violates {
				t.Fatalf("%s with x %d, y %d: %v %v, want a violation of %v", o.p, x, y, got.Outcome, got.Kind, want.violates)
			}
			continue
		}
		value := ir.Wrap(o.e.Type(), unknownValue)
		if !want.unknown {
			value = bits(o.e.Type(), want.n)
		}
		if got.Outcome != interp.Ended || got.Results[0] != value {
			t.Fatalf("%s with x %d, y %d: %v %v %v, want %d", o.p, x, y, got.Outcome, got.Kind, got.Results, value)
		}
	}
}

// scalars returns Bool and all integer types of the widths.
func scalars(widths ...int) []ir.Type {
	ts := []ir.Type{ir.Bool{}}
	for _, w := range widths {
		ts = append(ts, ir.Int{Width: w}, ir.Int{Width: w, Signed: true})
	}
	return ts
}

// eachOperation calls visit for every operation on types of the widths.
func eachOperation(widths []int, visit func(o *operation, want func(x, y *big.Int) result)) {
	ts := scalars(widths...)
	for _, s := range ts {
		boolean := s == ir.Type(ir.Bool{})
		for op := ir.Not; op <= ir.LOr; op++ {
			switch {
			case op <= ir.Compl && (op == ir.Not) == boolean:
				visit(newOperation(func(x, _ ir.Expr) ir.Expr { return &ir.Unary{Op: op, X: x} }, s, s),
					func(x, _ *big.Int) result { return unary(op, s, x) })
			case op == ir.Shl || op == ir.Shr:
				for _, u := range ts[1:] {
					if !boolean {
						visit(newBinary(op, s, u), func(x, y *big.Int) result { return binary(op, s, x, y) })
					}
				}
			case op > ir.Compl && (!boolean || op == ir.Eq || op == ir.Ne || op.Lazy()) && (boolean || !op.Lazy()):
				visit(newBinary(op, s, s), func(x, y *big.Int) result { return binary(op, s, x, y) })
			}
		}
		for _, to := range ts {
			visit(newOperation(func(x, _ ir.Expr) ir.Expr { return &ir.Convert{To: to, X: x} }, s, s),
				func(x, _ *big.Int) result { return convert(to, s, x) })
		}
	}
}

func newBinary(op ir.Op, s, t ir.Type) *operation {
	return newOperation(func(x, y ir.Expr) ir.Expr { return &ir.Binary{Op: op, X: x, Y: y} }, s, t)
}

// TestArithmetic compares every operation on all values of small types.
func TestArithmetic(t *testing.T) {
	n := 0
	eachOperation([]int{1, 2, 3, 4}, func(o *operation, want func(x, y *big.Int) result) {
		s, u := o.p.Entry.Params[0].Type, o.p.Entry.Params[1].Type
		for x := range uint64(1) << ir.Width(s) {
			for y := range uint64(1) << ir.Width(u) {
				o.compare(t, x, y, want(number(s, x), number(u, y)))
				n++
			}
		}
	})
	t.Log(n, "operations")
	if n < 10_000 {
		t.Errorf("only %d operations", n)
	}
}

// TestWideArithmetic compares every operation on random and extreme values
// of large types.
func TestWideArithmetic(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	some := func(ty ir.Type) uint64 {
		v := []uint64{0, 1, 2, 1 << 31, 1 << 32, 1 << 62, 1 << 63, 31, 63, 64, rng.Uint64(), rng.Uint64() >> rng.IntN(64)}[rng.IntN(12)]
		return ir.Wrap(ty, v-rng.Uint64N(3)) // and one or two less
	}
	pairs := 100
	if testing.Short() {
		pairs = 20
	}
	eachOperation([]int{8, 31, 32, 33, 63, 64}, func(o *operation, want func(x, y *big.Int) result) {
		s, u := o.p.Entry.Params[0].Type, o.p.Entry.Params[1].Type
		for range pairs {
			x, y := some(s), some(u)
			o.compare(t, x, y, want(number(s, x), number(u, y)))
		}
	})
}
