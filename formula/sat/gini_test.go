package sat

import (
	"context"
	"errors"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"
)

// TestRootUnsat solves again and again after the clauses are inconsistent.
func TestRootUnsat(t *testing.T) {
	s := NewGini()
	a, b := s.NewVar(), s.NewVar()
	for i := range 4 {
		s.AddClause(a^Lit(i&1), b^Lit(i>>1))
	}
	for range 5 {
		check(t, s, false)
		check(t, s, false, a)
		if core := s.Core(nil); len(core) != 0 {
			t.Errorf("Core = %v, want none", core)
		}
		s.AddClause(s.NewVar(), a.Not())
	}
}

// TestContradiction checks cores of assumptions that contradict each other.
func TestContradiction(t *testing.T) {
	s := NewGini()
	a, b := s.NewVar(), s.NewVar()
	check(t, s, false, b, a, a, a.Not())
	core := s.Core(nil)
	slices.Sort(core)
	if want := []Lit{a, a.Not()}; !slices.Equal(core, want) {
		t.Errorf("Core = %v, want %v", core, want)
	}
	s.AddClause(b.Not(), b, b)
	s.AddClause(b, b)
	check(t, s, false, a, b.Not(), a)
	if core := s.Core(nil); !slices.Equal(core, []Lit{b.Not()}) {
		t.Errorf("Core = %v, want %v", core, b.Not())
	}
}

// TestUnmade uses literals of variables that NewVar has not returned, and
// what is no literal.
func TestUnmade(t *testing.T) {
	for name, s := range map[string]Solver{"gini": NewGini(), "external": NewExternal("none")} {
		if s.Value(1000) || !s.Value(1001) || len(s.Core(nil)) > 0 {
			t.Errorf("%s: Value or Core of nothing", name)
		}
		s.AddClause(2000)
		if m := s.NewVar(); m != 2002 {
			t.Errorf("%s: NewVar = %d, want 2002", name, m)
		}
		s.Solve(t.Context(), 30001)
		if m := s.NewVar(); m != 30002 {
			t.Errorf("%s: NewVar = %d, want 30002", name, m)
		}
		if s.Value(^Lit(1)) || !s.Value(^Lit(0)) {
			t.Errorf("%s: Value beyond capacity", name)
		}
		for _, m := range []Lit{0, 1, 1 << 30, ^Lit(0)} {
			mustPanic(t, func() { s.AddClause(2, m) })
			mustPanic(t, func() { s.Solve(t.Context(), m) })
		}
		if name == "gini" { // nothing of those clauses is left
			check(t, s, true, 3)
			check(t, s, true, 2)
		}
	}
}

func mustPanic(t *testing.T, f func()) {
	t.Helper()
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	f()
}

// pigeons adds that n pigeons sit in m holes, one in each, and returns a
// literal that must be assumed for that.
func pigeons(s Solver, n, m int) Lit {
	on := s.NewVar()
	v := make([][]Lit, n)
	for i := range v {
		for range m {
			v[i] = append(v[i], s.NewVar())
		}
		s.AddClause(append(v[i], on.Not())...)
	}
	for j := range m {
		for i := range n {
			for k := range i {
				s.AddClause(v[i][j].Not(), v[k][j].Not())
			}
		}
	}
	return on
}

// TestLong takes enough conflicts for gini to restart, to forget clauses
// and to move them, between queries that were never inconsistent.
func TestLong(t *testing.T) {
	s := NewGini()
	var ons []Lit
	for n := range 3 {
		ons = append(ons, pigeons(s, 8, 7))
		for i, on := range ons {
			check(t, s, false, append(ons[:i:i], on)...)
			if core := s.Core(nil); len(core) == 0 {
				t.Error("Core is empty, but the clauses are consistent")
			}
			check(t, s, true)
			check(t, s, true, on.Not())
		}
		s.AddClause(ons[n].Not(), s.NewVar())
	}
	for _, on := range ons {
		s.AddClause(on.Not()) // learned, by now
	}
	check(t, s, true)
	s.AddClause(ons...)
	check(t, s, false)
}

// TestHard checks models and cores on random clauses at the threshold of
// satisfiability: each core is solved by a fresh solver, which must not
// depend on what the other one learned.
func TestHard(t *testing.T) {
	count := [3]int{}
	for seed := range uint64(4) {
		rng := rand.New(rand.NewPCG(seed, 7))
		s := NewGini()
		vars := make([]Lit, 120)
		for i := range vars {
			vars[i] = s.NewVar()
		}
		pick := func() Lit { return vars[rng.IntN(len(vars))] ^ Lit(rng.IntN(2)) }
		var clauses [][]Lit
		for range 52 {
			for range 12 {
				c := []Lit{pick(), pick(), pick()}
				clauses = append(clauses, c)
				s.AddClause(c...)
			}
			assume := []Lit{pick(), pick(), pick(), pick()}
			status, err := s.Solve(t.Context(), assume...)
			if err != nil {
				t.Fatal(err)
			}
			count[status]++
			ms := assume
			if status == Unsat {
				ms = s.Core(nil)
			}
			if !confirms(t, clauses, s, status, ms) {
				t.Fatalf("seed %d: %v, but not confirmed", seed, status)
			}
		}
	}
	if count[Sat] < 20 || count[Unsat] < 20 {
		t.Errorf("%d sat and %d unsat", count[Sat], count[Unsat])
	}
}

func confirms(t *testing.T, clauses [][]Lit, s Solver, status Status, ms []Lit) bool {
	if status == Sat {
		return !slices.ContainsFunc(clauses, func(c []Lit) bool { return !slices.ContainsFunc(c, s.Value) }) &&
			!slices.ContainsFunc(ms, func(m Lit) bool { return !s.Value(m) })
	}
	fresh := NewGini()
	for _, c := range clauses {
		fresh.AddClause(c...)
	}
	got, err := fresh.Solve(t.Context(), ms...)
	return got == Unsat && err == nil
}

// TestCancel checks that Solve ends with its context, says why, leaves no
// goroutine behind, and can be called again.
func TestCancel(t *testing.T) {
	before := runtime.NumGoroutine()
	s := NewGini()
	on := pigeons(s, 14, 13)
	for range 3 {
		ctx, cancel := context.WithTimeoutCause(context.Background(), 20*time.Millisecond, errEnded)
		if status, err := s.Solve(ctx, on); status != Unknown || err != errEnded {
			t.Errorf("Solve = %v, %v, want unknown, %v", status, err, errEnded)
		}
		cancel()
		check(t, s, true, on.Not())
		check(t, s, false, on.Not(), on)
		s.AddClause(on.Not(), s.NewVar())
	}
	for tries := 0; runtime.NumGoroutine() > before; tries++ {
		if tries == 1000 {
			t.Fatalf("%d goroutines, were %d", runtime.NumGoroutine(), before)
		}
		time.Sleep(time.Millisecond)
	}
}

// TestCancelRace ends contexts while queries end by themselves: either the
// answer is right or there is none.
func TestCancelRace(t *testing.T) {
	answers := [3]int{}
	rng := rand.New(rand.NewPCG(3, 0))
	queries := 200
	if testing.Short() {
		queries = 40
	}
	for i := range queries {
		s := NewGini()
		on := pigeons(s, 7, 6) // some milliseconds
		for sign := range Lit(2) {
			ctx, cancel := context.WithCancelCause(context.Background())
			time.AfterFunc(time.Duration(rng.IntN(5000))*time.Microsecond>>(6*sign), func() { cancel(errEnded) })
			status, err := s.Solve(ctx, on^sign)
			if status == Unknown && err != errEnded ||
				status == Sat && (err != nil || sign == 0 || s.Value(on)) ||
				status == Unsat && (err != nil || sign == 1 || !slices.Equal(s.Core(nil), []Lit{on})) {
				t.Fatalf("query %d: Solve = %v, %v", i, status, err)
			}
			answers[status]++
			cancel(nil)
		}
	}
	t.Logf("unknown, sat, unsat: %v", answers)
}

// TestForeignContext solves under a context that is not of package context.
func TestForeignContext(t *testing.T) {
	s := NewGini()
	on := pigeons(s, 14, 13)
	ctx := &foreign{Context: context.Background(), done: make(chan struct{})}
	time.AfterFunc(5*time.Millisecond, ctx.end)
	if status, err := s.Solve(ctx, on); status != Unknown || !errors.Is(err, errEnded) {
		t.Errorf("Solve = %v, %v, want unknown, %v", status, err, errEnded)
	}
}

type foreign struct {
	context.Context
	mu   sync.Mutex
	err  error
	done chan struct{}
}

func (c *foreign) Done() <-chan struct{} { return c.done }

func (c *foreign) Err() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.err
}

func (c *foreign) end() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.err = errEnded
	close(c.done)
}

// TestDeterministic checks that equal calls have equal answers.
func TestDeterministic(t *testing.T) {
	var first []bool
	for range 3 {
		s := NewGini()
		on := pigeons(s, 7, 7)
		check(t, s, true, on)
		var model []bool
		for m := Lit(2); m <= 2*50; m += 2 {
			model = append(model, s.Value(m))
		}
		if first == nil {
			first = model
		} else if !slices.Equal(model, first) {
			t.Errorf("model %v, was %v", model, first)
		}
	}
}

var errEnded = errors.New("ended")
