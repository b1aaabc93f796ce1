package sat

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"
)

// BenchmarkSolve measures what a context costs a short query: a chain of
// implications over n variables, of which ten are assumed.
func BenchmarkSolve(b *testing.B) {
	cancellable, cancel := context.WithCancel(b.Context())
	defer cancel()
	for _, n := range []int{10, 100, 1000} {
		for _, c := range []struct {
			name string
			ctx  context.Context
		}{{"background", context.Background()}, {"cancellable", cancellable}} {
			b.Run(fmt.Sprintf("vars=%d/%s", n, c.name), func(b *testing.B) {
				b.ReportAllocs()
				s := New()
				first := s.NewVar()
				for last := first; last < Lit(2*n); {
					m := s.NewVar()
					s.AddClause(last.Not(), m)
					last = m
				}
				assume := make([]Lit, 10)
				for i := range assume {
					assume[i] = first + Lit(2*i*n/10)
				}
				for b.Loop() {
					if status, err := s.Solve(c.ctx, assume...); status != Sat || err != nil {
						b.Fatal(status, err)
					}
				}
			})
		}
	}
}

// BenchmarkOptions puts eight pigeons into seven holes, with single techniques
// on or off.
func BenchmarkOptions(b *testing.B) {
	for _, c := range []struct {
		name string
		o    Options
	}{
		{"default", Options{}}, {"VMTF", Options{VMTF: true}}, {"Vivify", Options{Vivify: true}},
		{"NoStable", Options{NoStable: true}}, {"NoPlain", Options{NoPlain: true}}, {"NoFocused", Options{NoFocused: true}},
		{"NoTargets", Options{NoTargets: true}}, {"NoRephase", Options{NoRephase: true}},
		{"NoMinimize", Options{NoMinimize: true}}, {"NoReduce", Options{NoReduce: true}},
		{"NoEliminate", Options{NoEliminate: true}}, {"NoSubsume", Options{NoSubsume: true}},
	} {
		b.Run(c.name, func(b *testing.B) {
			var steps Steps
			for b.Loop() {
				s := c.o.New()
				if status, err := s.Solve(b.Context(), pigeons(s, 8, 7)); status != Unsat || err != nil {
					b.Fatal(status, err)
				}
				steps = s.(Counted).Steps()
			}
			b.ReportMetric(float64(steps.Conflicts), "conflicts/op")
			b.ReportMetric(float64(steps.Ticks), "ticks/op")
		})
	}
}

// BenchmarkLoad measures what clauses cost before any search.
func BenchmarkLoad(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		s := New()
		s.(Limited).Limit(Limits{Ticks: 1})
		randomClauses(s, 20_000, 60_000)
		s.Solve(b.Context())
	}
}

// BenchmarkCancel measures how long Solve goes on after its context ended,
// on random clauses that are too hard to decide.
func BenchmarkCancel(b *testing.B) {
	for _, clauses := range []int{10_000, 100_000, 1_000_000} {
		b.Run(fmt.Sprintf("clauses=%d", clauses), func(b *testing.B) {
			s := New()
			randomClauses(s, clauses*10/42, clauses)
			var sum, worst time.Duration
			for b.Loop() {
				d := latency(b, s, 200*time.Millisecond)
				sum += d
				worst = max(worst, d)
			}
			b.ReportMetric(float64(sum.Microseconds())/1e3/float64(b.N), "ms-latency")
			b.ReportMetric(float64(worst.Microseconds())/1e3, "ms-worst")
		})
	}
}

// latency returns how much longer than d a Solve takes that is cancelled
// after d.
func latency(b *testing.B, s Solver, d time.Duration) time.Duration {
	ctx, cancel := context.WithTimeout(b.Context(), d)
	defer cancel()
	if status, err := s.Solve(ctx); status != Unknown || err == nil {
		b.Fatal("not too hard:", status, err)
	}
	end, _ := ctx.Deadline()
	return time.Since(end)
}

// randomClauses adds n random clauses of three literals. About 4.2 for each
// variable can be satisfied, at most.
func randomClauses(s Solver, vars, n int) {
	rng := rand.New(rand.NewPCG(1, 1))
	c := make([]Lit, 3)
	for range n {
		for i := range c {
			c[i] = Lit(2 + rng.IntN(2*vars))
		}
		s.AddClause(c...)
	}
}

func BenchmarkNewVar(b *testing.B) {
	b.ReportAllocs()
	s := New()
	for b.Loop() {
		s.NewVar()
	}
}

func BenchmarkAddClause(b *testing.B) {
	b.ReportAllocs()
	var s Solver
	for i := 0; b.Loop(); i++ {
		if i%100_000 == 0 {
			s = New()
		}
		s.AddClause(Lit(2+i%999), Lit(5+i*7%987), Lit(8+i*13%991))
	}
}

// BenchmarkGrowing adds a clause with a new variable between queries.
func BenchmarkGrowing(b *testing.B) {
	for _, clauses := range []int{1000, 100_000} {
		b.Run(fmt.Sprintf("clauses=%d", clauses), func(b *testing.B) {
			b.ReportAllocs()
			s := New()
			randomClauses(s, clauses, clauses)
			on := Lit(2)
			for b.Loop() {
				s.AddClause(s.NewVar(), on)
				s.Solve(context.Background(), on.Not())
			}
		})
	}
}

// BenchmarkMaxSat finds smallest hitting sets.
func BenchmarkMaxSat(b *testing.B) {
	for _, n := range []int{200, 2000} {
		b.Run(fmt.Sprintf("soft=%d", n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				rng := rand.New(rand.NewPCG(1, 2))
				s := New()
				soft := make([]Lit, n)
				for i := range soft {
					soft[i] = s.NewVar().Not()
				}
				for range 60 {
					set := make([]Lit, n/20)
					for i := range set {
						set[i] = soft[rng.IntN(n)].Not()
					}
					s.AddClause(set...)
				}
				if _, err := MaxSat(context.Background(), s, soft); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
