package formula

import (
	"context"
	"testing"

	"github.com/go-amend/amend/formula/sat"
)

// noSolver takes clauses and forgets them: what is left is the cost of
// translation.
type noSolver struct{ vars sat.Lit }

func (n *noSolver) NewVar() sat.Lit {
	n.vars++
	return n.vars << 1
}
func (n *noSolver) AddClause(...sat.Lit) {}
func (n *noSolver) Solve(context.Context, ...sat.Lit) (sat.Status, error) {
	return sat.Unknown, nil
}
func (n *noSolver) Value(sat.Lit) bool           { return false }
func (n *noSolver) Core(dst []sat.Lit) []sat.Lit { return dst }

// loop builds what an unwound loop over 32-bit integers leads to: guards,
// sums, comparisons, and choices between versions.
func loop(s *Store, n int) (x, guard Term) {
	k := func(v uint64) Term { return s.Const(32, v) }
	x, y, guard := s.Var(32, "x"), s.Var(32, "y"), s.True()
	sum := k(0)
	for i := range n {
		c := s.Slt(x, y)
		guard = s.And(guard, c)
		odd := s.Eq(s.And(x, k(1)), k(1))
		then := s.Add(sum, s.Sub(y, k(uint64(i))))
		sum = s.Ite(s.And(guard, odd), then, s.Ite(guard, s.Xor(sum, x), sum))
		x = s.Ite(guard, s.Add(x, k(1)), x)
		guard = s.Or(s.And(guard, odd), s.And(guard, s.Not(odd))) // branches join
	}
	return sum, guard
}

func BenchmarkBuild(b *testing.B) {
	b.ReportAllocs()
	var n int
	for b.Loop() {
		s := NewStore()
		loop(s, 1000)
		n = s.Len()
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/term")
}

// BenchmarkRebuild builds terms that exist, as each further copy of a
// statement does.
func BenchmarkRebuild(b *testing.B) {
	b.ReportAllocs()
	s := NewStore()
	x, y := s.Var(32, "x"), s.Var(32, "y")
	c := s.Ult(x, y)
	for b.Loop() {
		s.Ite(c, s.Add(x, y), s.Mul(x, y))
	}
}

func BenchmarkBlast(b *testing.B) {
	for _, x := range []struct {
		name  string
		build func(s *Store) Term
	}{
		{"add32", func(s *Store) Term { v := vars(s, 2, 32); return s.Add(v[0], v[1]) }},
		{"ult32", func(s *Store) Term { v := vars(s, 2, 32); return s.Ult(v[0], v[1]) }},
		{"eq32", func(s *Store) Term { v := vars(s, 2, 32); return s.Eq(v[0], v[1]) }},
		{"shl32", func(s *Store) Term { v := vars(s, 2, 32); return s.Shl(v[0], v[1]) }},
		{"mul32", func(s *Store) Term { v := vars(s, 2, 32); return s.Mul(v[0], v[1]) }},
		{"mul32const", func(s *Store) Term { return s.Mul(s.Var(32, "x"), s.Const(32, 1000)) }},
		{"udiv32", func(s *Store) Term { v := vars(s, 2, 32); return s.UDiv(v[0], v[1]) }},
		{"sdiv32", func(s *Store) Term { v := vars(s, 2, 32); return s.SDiv(v[0], v[1]) }},
		{"udiv32const", func(s *Store) Term { return s.UDiv(s.Var(32, "x"), s.Const(32, 10)) }},
		{"udiv8in32", func(s *Store) Term {
			v := vars(s, 2, 8)
			return s.UDiv(s.Zext(32, v[0]), s.Zext(32, v[1]))
		}},
		{"loop1000", func(s *Store) Term { x, g := loop(s, 1000); return s.And(g, s.Eq(x, s.Const(32, 9))) }},
		{"index64", func(s *Store) Term { return read(s, vars(s, 64, 32), s.Var(32, "i")) }},
	} {
		b.Run(x.name, func(b *testing.B) {
			s := NewStore()
			t := x.build(s)
			b.ReportAllocs()
			var st Stats
			for b.Loop() {
				f := NewSolver(s, &noSolver{})
				f.Bits(t)
				st = f.Stats()
			}
			b.ReportMetric(float64(st.Clauses), "clauses")
			b.ReportMetric(float64(st.Vars), "vars")
		})
	}
}

func BenchmarkEval(b *testing.B) {
	s := NewStore()
	t, _ := loop(s, 1000)
	ev := NewEvaluator(s, func(v Term) uint64 { return uint64(v) })
	for b.Loop() {
		ev.Reset()
		ev.Eval(t)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*s.Len()), "ns/term")
}

func BenchmarkImportant(b *testing.B) {
	s := NewStore()
	t, _ := loop(s, 1000)
	ev := NewEvaluator(s, func(v Term) uint64 { return uint64(v) })
	var dst []Term
	for b.Loop() {
		dst = Important(s, t, ev, dst[:0])
	}
}

// BenchmarkCheck asks one query after another under assumptions.
func BenchmarkCheck(b *testing.B) {
	s := NewStore()
	t, guard := loop(s, 20)
	f := NewSolver(s, sat.New())
	f.Assert(guard)
	var i uint64
	for b.Loop() {
		i++
		if _, err := f.Check(context.Background(), s.Eq(s.Extract(t, 7, 0), s.Const(8, i))); err != nil {
			b.Fatal(err)
		}
	}
}
