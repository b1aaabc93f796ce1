package float

import (
	"context"
	"fmt"
	"testing"

	"github.com/go-amend/amend/formula"
	"github.com/go-amend/amend/formula/sat"
)

// benchmarks are operations on x and y in [1, 2], and a number that no result
// is below.
var benchmarks = []struct {
	name  string
	op    func(a *Arithmetic, m, x, y formula.Term) formula.Term
	least [2]uint64 // as Binary32 and Binary64
}{
	{"add", (*Arithmetic).Add, [2]uint64{0x40000000, 0x4000000000000000}},
	{"mul", (*Arithmetic).Mul, [2]uint64{0x3f800000, 0x3ff0000000000000}},
	{"div", (*Arithmetic).Div, [2]uint64{0x3f000000, 0x3fe0000000000000}},
	{"sqrt", func(a *Arithmetic, m, x, _ formula.Term) formula.Term { return a.Sqrt(m, x) }, [2]uint64{0x3f800000, 0x3ff0000000000000}},
	{"fma", func(a *Arithmetic, m, x, y formula.Term) formula.Term { return a.FMA(m, x, y, x) }, [2]uint64{0x40000000, 0x4000000000000000}},
}

// BenchmarkProve proves that no result is below that of the least operands;
// BenchmarkFind finds operands in [1, 2] of a given result.
// The package comment has the figures.
func BenchmarkProve(b *testing.B) {
	run(b, func(a *Arithmetic, r formula.Term, least uint64) formula.Term {
		return a.Lt(r, a.s.Const(a.Width(), least))
	}, sat.Unsat)
}

func BenchmarkFind(b *testing.B) {
	run(b, func(a *Arithmetic, r formula.Term, least uint64) formula.Term {
		return a.s.Eq(r, a.s.Const(a.Width(), least+0x123456))
	}, sat.Sat)
}

func run(b *testing.B, query func(a *Arithmetic, r formula.Term, least uint64) formula.Term, want sat.Status) {
	for i, f := range []Format{Binary32, Binary64} {
		for _, q := range benchmarks {
			b.Run(fmt.Sprint(q.name, f.Width()), func(b *testing.B) {
				clauses := 0
				for b.Loop() {
					st := formula.NewStore()
					a := New(st, f)
					x, y := st.Var(f.Width(), "x"), st.Var(f.Width(), "y")
					s := formula.NewSolver(st, sat.New())
					one := st.Const(f.Width(), uint64(f.bias())<<(f.Sig-1))
					two := st.Const(f.Width(), uint64(f.bias()+1)<<(f.Sig-1))
					for _, v := range []formula.Term{x, y} {
						s.Assert(st.And(a.Le(one, v), a.Le(v, two)))
					}
					s.Assert(query(a, q.op(a, NearestEven.Term(st), x, y), q.least[i]))
					if got, err := s.Check(context.Background()); got != want || err != nil {
						b.Fatal(got, err)
					}
					clauses = s.Stats().Clauses
				}
				b.ReportMetric(float64(clauses), "clauses")
			})
		}
	}
}
