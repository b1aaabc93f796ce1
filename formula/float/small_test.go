package float

import (
	"testing"

	"github.com/go-amend/amend/formula"
)

// small are formats of which every value is tried; with more exponent than
// significand, and the other way round.
var small = []Format{{2, 2}, {4, 2}, {3, 3}}

// triples are those for operations of three numbers.
var triples = []Format{{2, 2}}

var modes = []Mode{NearestEven, NearestAway, TowardPositive, TowardNegative, TowardZero}

// A bench evaluates terms over x, y, z and a mode.
type bench struct {
	a             *Arithmetic
	s             *formula.Store
	x, y, z, mode formula.Term
	value         map[formula.Term]uint64
	ev            *formula.Evaluator
}

func newBench(f Format) *bench {
	s := formula.NewStore()
	b := &bench{a: New(s, f), s: s, value: make(map[formula.Term]uint64)}
	b.x, b.y, b.z = s.Var(f.Width(), "x"), s.Var(f.Width(), "y"), s.Var(f.Width(), "z")
	b.mode = s.Var(ModeWidth, "mode")
	b.ev = formula.NewEvaluator(s, func(v formula.Term) uint64 { return b.value[v] })
	return b
}

func (b *bench) set(m Mode, x, y, z uint64) {
	b.value[b.mode], b.value[b.x], b.value[b.y], b.value[b.z] = uint64(m), x, y, z
	b.ev.Reset()
}

func (b *bench) want(t *testing.T, name string, got formula.Term, want uint64) {
	t.Helper()
	if g := b.ev.Eval(got); g != want {
		t.Fatalf("%v %s(%#x, %#x, %#x) mode %d = %#x, want %#x", b.a.Format, name,
			b.value[b.x], b.value[b.y], b.value[b.z], b.value[b.mode], g, want)
	}
}

func truth(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// TestBinaryOperations compares with the definition on all values of small
// formats, in all modes.
func TestBinaryOperations(t *testing.T) {
	formats := small
	if testing.Short() {
		formats = small[:2]
	}
	for _, f := range formats {
		b := newBench(f)
		a := b.a
		add, sub := a.Add(b.mode, b.x, b.y), a.Sub(b.mode, b.x, b.y)
		product, div := a.Mul(b.mode, b.x, b.y), a.Div(b.mode, b.x, b.y)
		for _, m := range modes {
			for x := range uint64(1) << f.Width() {
				for y := range uint64(1) << f.Width() {
					b.set(m, x, y, 0)
					p, q := decode(f, x), decode(f, y)
					b.want(t, "add", add, refAdd(f, m, p, q))
					b.want(t, "mul", product, refFMA(f, m, p, q, nil))
					b.want(t, "div", div, refDiv(f, m, p, q))
					q.neg = !q.neg
					b.want(t, "sub", sub, refAdd(f, m, p, q))
				}
			}
		}
	}
}

// TestComparisons is TestBinaryOperations for what does not round.
func TestComparisons(t *testing.T) {
	for _, f := range small {
		b := newBench(f)
		a := b.a
		eq, lt, le := a.Eq(b.x, b.y), a.Lt(b.x, b.y), a.Le(b.x, b.y)
		least, most := a.Min(b.x, b.y), a.Max(b.x, b.y)
		minNum, maxNum := a.MinNum(b.x, b.y), a.MaxNum(b.x, b.y)
		mod, rem := a.Mod(b.x, b.y), a.Remainder(b.x, b.y)
		sign := a.CopySign(b.x, b.y)
		for x := range uint64(1) << f.Width() {
			for y := range uint64(1) << f.Width() {
				b.set(0, x, y, 0)
				p, q := decode(f, x), decode(f, y)
				o := refOrder(p, q)
				b.want(t, "eq", eq, truth(o == 0))
				b.want(t, "lt", lt, truth(o == -1))
				b.want(t, "le", le, truth(o <= 0))
				b.want(t, "mod", mod, refRem(f, TowardZero, p, q))
				b.want(t, "rem", rem, refRem(f, NearestEven, p, q))
				b.want(t, "copysign", sign, y>>(f.Width()-1)<<(f.Width()-1)|x%(1<<(f.Width()-1)))
				small, large := x, y
				if o == 1 || o == 0 && q.neg {
					small, large = y, x
				}
				switch {
				case p.nan && q.nan:
					small, large = refNaN(f), refNaN(f)
				case p.nan:
					small, large = y, y
				case q.nan:
					small, large = x, x
				}
				b.want(t, "minnum", minNum, small)
				b.want(t, "maxnum", maxNum, large)
				if o == 2 {
					small, large = refNaN(f), refNaN(f)
				}
				b.want(t, "min", least, small)
				b.want(t, "max", most, large)
			}
		}
	}
}

// TestFMA is TestBinaryOperations for the operation of three.
func TestFMA(t *testing.T) {
	for _, f := range triples {
		b := newBench(f)
		fma := b.a.FMA(b.mode, b.x, b.y, b.z)
		for _, m := range modes {
			for x := range uint64(1) << f.Width() {
				for y := range x + 1 {
					for z := range uint64(1) << f.Width() {
						b.set(m, x, y, z)
						r := decode(f, z)
						b.want(t, "fma", fma, refFMA(f, m, decode(f, x), decode(f, y), &r))
					}
				}
			}
		}
	}
}

// TestUnaryOperations is TestBinaryOperations for those of one.
func TestUnaryOperations(t *testing.T) {
	for _, f := range append(small, Format{5, 3}, Format{3, 7}, Format{2, 4}, Format{2, 8}) {
		b := newBench(f)
		a := b.a
		root, whole := a.Sqrt(b.mode, b.x), a.RoundToIntegral(b.mode, b.x)
		for _, m := range modes {
			for x := range uint64(1) << f.Width() {
				b.set(m, x, 0, 0)
				p := decode(f, x)
				b.want(t, "sqrt", root, refSqrt(f, m, p))
				b.want(t, "integral", whole, refIntegral(f, m, p))
			}
		}
		for x := range uint64(1) << f.Width() {
			b.set(0, x, 0, 0)
			p := decode(f, x)
			normal := p.r != nil && p.r.Cmp(pow(2-1<<(f.Exp-1))) >= 0
			b.want(t, "isnan", a.IsNaN(b.x), truth(p.nan))
			b.want(t, "isinf", a.IsInf(b.x), truth(p.inf))
			b.want(t, "isfinite", a.IsFinite(b.x), truth(p.r != nil))
			b.want(t, "iszero", a.IsZero(b.x), truth(p.zero()))
			b.want(t, "isnormal", a.IsNormal(b.x), truth(normal))
			b.want(t, "issubnormal", a.IsSubnormal(b.x), truth(p.r != nil && !p.zero() && !normal))
			b.want(t, "neg", a.Neg(b.x), x^1<<(f.Width()-1))
			b.want(t, "abs", a.Abs(b.x), x%(1<<(f.Width()-1)))
		}
	}
}

// TestConversions is TestUnaryOperations for those to other types.
func TestConversions(t *testing.T) {
	formats := append(small, Format{5, 3}, Format{3, 7})
	for _, f := range formats {
		b := newBench(f)
		for _, g := range formats {
			to := b.a.To(g, b.mode, b.x)
			for _, m := range modes {
				for x := range uint64(1) << f.Width() {
					b.set(m, x, 0, 0)
					b.want(t, "to", to, refTo(g, m, decode(f, x)))
				}
			}
		}
		for _, n := range []int{1, 2, 4, 7, 64} {
			for _, signed := range []bool{true, false} {
				checkToInt(t, b, n, signed)
				if n < 10 {
					checkFromInt(t, b, n, signed)
				}
			}
		}
	}
}

func checkToInt(t *testing.T, b *bench, n int, signed bool) {
	v, fits := b.a.ToInt(b.mode, b.x, n, signed)
	for _, m := range modes {
		for x := range uint64(1) << b.a.Width() {
			b.set(m, x, 0, 0)
			want, ok := refInt(m, decode(b.a.Format, x), n, signed)
			b.want(t, "toint", v, want)
			b.want(t, "fits", fits, truth(ok))
		}
	}
}

func checkFromInt(t *testing.T, b *bench, n int, signed bool) {
	i := b.s.Var(n, "i")
	r := b.a.FromInt(b.mode, i, signed)
	for _, m := range modes {
		for v := range uint64(1) << n {
			b.value[i] = v
			b.set(m, 0, 0, 0)
			num := int64(v)
			if signed && v>>(n-1) == 1 {
				num -= 1 << n
			}
			b.want(t, "fromint", r, encode(b.a.Format, m, false, rat(num)))
		}
	}
}

// TestConstants shows that operations on constants are constants.
func TestConstants(t *testing.T) {
	f := Format{3, 3}
	s := formula.NewStore()
	a := New(s, f)
	for _, m := range modes {
		for x := uint64(0); x < 64; x += 3 {
			for y := uint64(0); y < 64; y += 5 {
				p, q := decode(f, x), decode(f, y)
				c, d, mode := s.Const(6, x), s.Const(6, y), m.Term(s)
				for i, op := range []struct {
					got  formula.Term
					want uint64
				}{
					{a.Add(mode, c, d), refAdd(f, m, p, q)},
					{a.Mul(mode, c, d), refFMA(f, m, p, q, nil)},
					{a.Div(mode, c, d), refDiv(f, m, p, q)},
					{a.Sqrt(mode, c), refSqrt(f, m, p)},
					{a.FMA(mode, c, d, c), refFMA(f, m, p, q, &p)},
					{a.Mod(c, d), refRem(f, TowardZero, p, q)},
					{a.RoundToIntegral(mode, c), refIntegral(f, m, p)},
				} {
					if v, ok := s.Value(op.got); !ok || v != op.want {
						t.Fatalf("operation %d of %#x, %#x mode %d = %#x, constant: %v, want %#x", i, x, y, m, v, ok, op.want)
					}
				}
			}
		}
	}
}
