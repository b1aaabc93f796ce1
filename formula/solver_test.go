package formula

import (
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/go-amend/amend/formula/sat"
)

func check(t *testing.T, f *Solver, want sat.Status, assume ...Term) {
	t.Helper()
	got, err := f.Check(context.Background(), assume...)
	if got != want || err != nil {
		t.Fatalf("Check = %v, %v; want %v", got, err, want)
	}
}

// TestAssert compares Assert, which looks into its argument, with an
// assumption, which doesn't, on all inputs of random propositions.
func TestAssert(t *testing.T) {
	count := make(map[sat.Status]int)
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 3))
		s := NewStore()
		ps := vars(s, 4, 1)
		xs := append([]Term(nil), ps...)
		defs := make(map[Term]Term)
		for range 12 {
			x, y := xs[rng.IntN(len(xs))], xs[rng.IntN(len(xs))]
			z := s.And(s.Xor(x, s.Const(1, rng.Uint64())), s.Xor(y, s.Const(1, rng.Uint64())))
			if rng.IntN(3) == 0 {
				name := s.Var(1, "name")
				defs[name], z = z, name
			}
			xs = append(xs, s.Xor(z, s.Const(1, rng.Uint64())))
		}
		asserts := []Term{xs[len(xs)-1], xs[len(xs)-2], xs[len(xs)-3]}
		f := NewSolver(s, sat.New())
		for name, value := range defs {
			f.Define(name, value)
		}
		for i, p := range asserts {
			if i == 1 && seed%2 == 0 {
				f.Lit(asserts[2]) // now it has gates
			}
			f.Assert(p)
		}
		var ev *Evaluator
		in := uint64(0)
		ev = NewEvaluator(s, func(v Term) uint64 {
			if d := defs[v]; d != 0 {
				return s.Eval(d, ev.env)
			}
			return in >> (v - ps[0]) & 1
		})
		for in = range uint64(16) {
			ev.Reset()
			want := sat.Unsat
			if ev.Eval(s.AndN(asserts...)) == 1 {
				want = sat.Sat
			}
			var assume []Term
			for _, p := range ps {
				assume = append(assume, s.Eq(p, s.Const(1, ev.Eval(p))))
			}
			if got, err := f.Check(context.Background(), assume...); got != want || err != nil {
				t.Fatalf("seed %d: inputs %04b: %v, %v; want %v", seed, in, got, err, want)
			}
			count[want]++
		}
	}
	if count[sat.Sat] == 0 || count[sat.Unsat] == 0 {
		t.Errorf("answers %v", count)
	}
}

// TestDefine checks that definitions cost nothing and hide nothing.
func TestDefine(t *testing.T) {
	s := NewStore()
	x, y := s.Var(16, "x"), s.Var(16, "y")
	f := NewSolver(s, sat.New())
	f.Bits(s.Mul(x, y))
	before := f.Stats()
	name := vars(s, 3, 16)
	f.Define(name[0], x)
	f.Define(name[1], y)
	f.Define(name[2], s.Mul(name[1], name[0]))
	f.Bits(name[2])
	if after := f.Stats(); after != before {
		t.Errorf("an equal product under other names costs %+v, before %+v", after, before)
	}
	c := s.Var(16, "c")
	f.Define(c, s.Const(16, 8))
	f.Bits(s.UDiv(s.Mul(c, c), c))
	f.Bits(s.Eq(s.UDiv(x, c), s.URem(y, c)))
	if after := f.Stats(); after.Vars > before.Vars+40 {
		t.Errorf("constants are not seen through names: %+v, before %+v", after, before)
	}
	check(t, f, sat.Unsat, s.Not(s.Eq(name[2], s.Mul(x, y))))
	f.Assert(s.Eq(name[2], s.Const(16, 77)))
	f.Assert(s.Ult(c, x))
	check(t, f, sat.Sat)
	if p := f.Value(x) * f.Value(y) & 0xffff; p != 77 || f.Value(name[2]) != 77 || f.Value(c) != 8 {
		t.Errorf("model: x×y = %d, name %d, c %d", p, f.Value(name[2]), f.Value(c))
	}
	// The model survives what is added after it.
	u := f.Value(x)
	f.Assert(s.Ult(x, s.Const(16, 9)))
	z := s.Var(16, "z")
	f.Define(z, s.Add(x, s.Const(16, 1)))
	f.Bits(s.Mul(z, y))
	if f.Value(x) != u || f.Value(z) != u+1 {
		t.Errorf("model after additions: x = %d, was %d; x+1 = %d", f.Value(x), u, f.Value(z))
	}
}

func TestDefineTwice(t *testing.T) {
	for name, misuse := range map[string]func(s *Store, f *Solver, x, y Term){
		"defined":  func(s *Store, f *Solver, x, y Term) { f.Define(x, y); f.Define(x, y) },
		"used":     func(s *Store, f *Solver, x, y Term) { f.Bits(x); f.Define(x, y) },
		"term":     func(s *Store, f *Solver, x, y Term) { f.Define(s.Not(x), y) },
		"width":    func(s *Store, f *Solver, x, y Term) { f.Define(x, s.Zext(9, y)) },
		"guarded":  func(s *Store, f *Solver, x, y Term) { f.DefineGuarded(x, nil, nil); f.Define(x, y) },
		"asserted": func(s *Store, f *Solver, x, y Term) { f.Assert(x) },
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if r, ok := recover().(string); !ok || !strings.HasPrefix(r, "formula: ") {
					t.Errorf("panic %v", r)
				}
			}()
			s := NewStore()
			misuse(s, NewSolver(s, sat.New()), s.Var(8, "x"), s.Var(8, "y"))
		})
	}
}

// TestDefineGuarded chooses among alternatives in both encodings.
func TestDefineGuarded(t *testing.T) {
	s := NewStore()
	x, y := s.Var(8, "x"), s.Var(8, "y")
	on := vars(s, 3, 1)
	values := []Term{s.Add(x, y), s.Sub(x, y), s.Mul(x, y)}
	f := NewSolver(s, sat.New())
	guarded, shared := s.Var(8, "guarded"), s.Var(8, "shared")
	f.DefineGuarded(guarded, on, values)
	f.Define(shared, s.Ite(on[0], values[0], s.Ite(on[1], values[1], values[2])))
	for i := range on {
		check(t, f, sat.Unsat, on[i], s.Not(s.Eq(guarded, values[i])))
		check(t, f, sat.Sat, on[i], s.Eq(guarded, s.Const(8, 200)))
		if f.Value(guarded) != 200 || f.Value(values[i]) != 200 {
			t.Errorf("alternative %d: %d = %d, want 200", i, f.Value(guarded), f.Value(values[i]))
		}
	}
	check(t, f, sat.Sat, s.Not(on[0]), s.Not(on[1]), s.Not(on[2]), s.Eq(guarded, s.Add(shared, s.Const(8, 1))))
	check(t, f, sat.Unsat, on[1], s.Not(on[0]), s.Not(s.Eq(guarded, shared)))
}

// TestCore checks that a core suffices and holds each literal once.
func TestCore(t *testing.T) {
	s := NewStore()
	x, name, free := s.Var(8, "x"), s.Var(1, "name"), s.Var(1, "free")
	f := NewSolver(s, sat.New())
	p := s.Ult(x, s.Const(8, 5))
	f.Define(name, p)
	f.Assert(s.Ult(s.Const(8, 4), x))
	check(t, f, sat.Unsat, free, p, name)
	if core := f.Core(nil); len(core) != 1 || core[0] != p {
		t.Errorf("core %v, want only %d", core, p)
	}
	check(t, f, sat.Sat, free)
	check(t, f, sat.Unsat, p, free)
}

func TestCancelled(t *testing.T) {
	s := NewStore()
	f := NewSolver(s, sat.New())
	cause := errors.New("enough")
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(cause)
	if got, err := f.Check(ctx, s.Var(1, "p")); got != sat.Unknown || !errors.Is(err, cause) {
		t.Errorf("Check = %v, %v; want unknown, %v", got, err, cause)
	}
	check(t, f, sat.Sat)
}

// TestDeep builds, evaluates, translates and decides terms, chains of
// definitions among them, that are deeper than recursion would bear.
func TestDeep(t *testing.T) {
	n := 50_000
	if testing.Short() {
		n = 10_000
	}
	s := NewStore()
	p, x := s.Var(1, "p"), s.Var(8, "x")
	f := NewSolver(s, sat.New())
	y, q := x, p
	for i := range n {
		c := s.Var(1, "c")
		f.Define(c, s.Xor(q, s.Extract(y, 3, 3)))
		q = c
		switch i % 4 {
		case 0:
			y = s.Add(y, s.Zext(8, q))
		case 1:
			y = s.Ite(q, y, s.Const(8, uint64(i)))
		case 2:
			y = s.Xor(y, x)
		case 3:
			name := s.Var(8, "name")
			f.Define(name, s.And(y, s.Sext(8, q)))
			y = s.Not(s.Add(x, name))
		}
	}
	if w := s.Width(s.Extract(s.Eq(y, s.Const(8, 5)), 0, 0)); w != 1 {
		t.Error(w)
	}
	check(t, f, sat.Sat, p, s.Eq(x, s.Const(8, 0x3b)))
	u, v := f.Value(y), f.Value(q)
	check(t, f, sat.Unsat, p, s.Eq(x, s.Const(8, 0x3b)), s.Not(s.And(s.Eq(y, s.Const(8, u)), s.Eq(q, s.Const(1, v)))))
	conj := s.True()
	for range n {
		conj = s.And(conj, s.Var(1, "v"))
	}
	f.Assert(conj)
	f.Assert(s.Not(s.And(conj, s.Not(p))))
	check(t, f, sat.Unsat, s.Not(p))
	ev := NewEvaluator(s, func(Term) uint64 { return 1 })
	if got := len(Important(s, conj, ev, nil)); got != n {
		t.Errorf("%d important variables of %d", got, n)
	}
}
