package sattest

// The suite.

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/go-amend/amend/formula/sat"
)

// Run tests in subtests of t that the solvers which newSolver makes keep what
// [sat.Solver] promises. NewSolver must be safe to call from several
// goroutines. It takes about a CPU second of a good solver, a tenth of it with
// -short.
func Run(t *testing.T, newSolver func() sat.Solver) { Kit{New: newSolver}.Run(t) }

// A Kit is what Run runs, with options.
type Kit struct {
	// New makes a solver. It must be safe to call from several goroutines.
	New func() sat.Solver

	// Slow says that a query costs milliseconds, as with a process for each:
	// there are only few.
	Slow bool
}

// Run is [Run] with the options of k.
func (k Kit) Run(t *testing.T) {
	for _, x := range []struct {
		name string
		test func(Kit, *testing.T)
	}{
		{"Empty", Kit.empty},
		{"RootUnsat", Kit.rootUnsat},
		{"Redundant", Kit.redundant},
		{"Contradiction", Kit.contradiction},
		{"Unmade", Kit.unmade},
		{"NoLiteral", Kit.noLiteral},
		{"Later", Kit.later},
		{"Scopes", Kit.scopes},
		{"Long", Kit.long},
		{"Threshold", Kit.threshold},
		{"Ended", Kit.ended},
		{"Cancel", Kit.cancel},
		{"Random", Kit.random},
		{"Parallel", Kit.parallel},
	} {
		t.Run(x.name, func(t *testing.T) { x.test(k, t) })
	}
}

// few returns n, or less where that would take long.
func (k Kit) few(n int) int {
	if k.Slow {
		n /= 100
	}
	if testing.Short() {
		n /= 10
	}
	return max(n, 2)
}

// want checks that Solve returns status.
func want(t *testing.T, s sat.Solver, status sat.Status, assume ...sat.Lit) {
	t.Helper()
	if got, err := s.Solve(t.Context(), assume...); got != status || err != nil {
		t.Fatalf("Solve(%d) = %v, %v, want %v", assume, got, err, status)
	}
}

// wantCore checks that the core is of assume, and has all of needed.
func wantCore(t *testing.T, s sat.Solver, assume []sat.Lit, needed ...sat.Lit) {
	t.Helper()
	core := s.Core(nil)
	for _, m := range core {
		if !slices.Contains(assume, m) {
			t.Errorf("Core = %d of the assumptions %d", core, assume)
		}
	}
	for _, m := range needed {
		if !slices.Contains(core, m) {
			t.Errorf("Core = %d, without %d", core, m)
		}
	}
}

// empty asks a solver without clauses, and with an empty one.
func (k Kit) empty(t *testing.T) {
	s := k.New()
	if s.Value(2) || !s.Value(3) {
		t.Error("a variable that nobody made is not false")
	}
	want(t, s, sat.Sat)
	want(t, s, sat.Sat, 2, 7)
	if !s.Value(2) || s.Value(3) || s.Value(6) || !s.Value(7) {
		t.Error("the assumptions are not true")
	}
	s.AddClause()
	for range 2 {
		want(t, s, sat.Unsat, 2)
		wantCore(t, s, []sat.Lit{2})
	}
	s.AddClause(s.NewVar())
	want(t, s, sat.Unsat)
	wantCore(t, s, nil)
}

// rootUnsat solves again and again after the clauses are inconsistent.
func (k Kit) rootUnsat(t *testing.T) {
	s := k.New()
	a, b := s.NewVar(), s.NewVar()
	for i := range 4 {
		want(t, s, sat.Sat)
		s.AddClause(a^sat.Lit(i&1), b^sat.Lit(i>>1))
	}
	for range 3 {
		want(t, s, sat.Unsat)
		wantCore(t, s, nil)
		c := s.NewVar()
		want(t, s, sat.Unsat, c, a)
		wantCore(t, s, []sat.Lit{c, a})
		s.AddClause(s.NewVar(), a.Not())
		s.AddClause(b)
	}
}

// redundant adds tautologies, literals twice, and clauses twice.
func (k Kit) redundant(t *testing.T) {
	s := k.New()
	a, b, c := s.NewVar(), s.NewVar(), s.NewVar()
	s.AddClause(a, b, a.Not())
	s.AddClause(c, c.Not())
	want(t, s, sat.Sat, a.Not(), b.Not(), c)
	for range 2 {
		s.AddClause(a, a, b, a)
		s.AddClause(b.Not(), b.Not())
		s.AddClause(c, a.Not(), a.Not(), c)
	}
	want(t, s, sat.Sat)
	if !s.Value(a) || s.Value(b) || !s.Value(c) {
		t.Error("not the only model")
	}
	want(t, s, sat.Unsat, c.Not())
	wantCore(t, s, []sat.Lit{c.Not()}, c.Not())
}

// contradiction assumes a literal and its complement, and literals twice.
func (k Kit) contradiction(t *testing.T) {
	s := k.New()
	a, b := s.NewVar(), s.NewVar()
	want(t, s, sat.Unsat, b, a, a, a.Not())
	wantCore(t, s, []sat.Lit{b, a, a.Not()}, a, a.Not())
	want(t, s, sat.Sat, a, a, b, a)
	s.AddClause(b)
	want(t, s, sat.Unsat, a, b.Not(), a, b.Not())
	wantCore(t, s, []sat.Lit{a, b.Not()}, b.Not())
	want(t, s, sat.Sat, a, b)
	s.AddClause(a.Not(), b.Not())
	want(t, s, sat.Unsat, b, a)
	wantCore(t, s, []sat.Lit{a, b}, a)
}

// unmade uses literals of variables that NewVar has not returned.
func (k Kit) unmade(t *testing.T) {
	s := k.New()
	s.AddClause(200)
	if m := s.NewVar(); m != 202 {
		t.Errorf("NewVar = %d, want 202", m)
	}
	want(t, s, sat.Unsat, 3001, 201)
	wantCore(t, s, []sat.Lit{3001, 201}, 201)
	if m := s.NewVar(); m != 3002 {
		t.Errorf("NewVar = %d, want 3002", m)
	}
	want(t, s, sat.Sat, 3001)
	if !s.Value(200) || s.Value(3000) || s.Value(^sat.Lit(1)) || !s.Value(^sat.Lit(0)) {
		t.Error("wrong values, near or beyond the last variable")
	}
}

// noLiteral uses what is no literal.
func (k Kit) noLiteral(t *testing.T) {
	s := k.New()
	for _, m := range []sat.Lit{0, 1, 1 << 30, ^sat.Lit(0)} {
		mustPanic(t, func() { s.AddClause(2, m) })
		mustPanic(t, func() { s.Solve(t.Context(), m) })
	}
	want(t, s, sat.Sat, 3) // nothing of those clauses is left
	want(t, s, sat.Sat, 2)
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

// later adds clauses and variables after each answer, which stays.
func (k Kit) later(t *testing.T) {
	s := k.New()
	a, b := s.NewVar(), s.NewVar()
	s.AddClause(a, b)
	want(t, s, sat.Sat, b.Not())
	s.AddClause(a.Not())
	c := s.NewVar()
	if !s.Value(a) || s.Value(b) || s.Value(c) || !s.Value(c.Not()) {
		t.Error("the model is gone")
	}
	want(t, s, sat.Unsat, c, b.Not())
	s.AddClause(b.Not(), c)
	s.AddClause(s.NewVar().Not())
	for range 2 {
		wantCore(t, s, []sat.Lit{c, b.Not()}, b.Not())
	}
	want(t, s, sat.Sat)
	if s.Value(a) || !s.Value(b) || !s.Value(c) {
		t.Error("not the only model")
	}
	got := s.Core([]sat.Lit{8})
	if len(got) == 0 || got[0] != 8 {
		t.Errorf("Core doesn't append: %d", got)
	}
}

// scopes opens and closes thousands of scopes, each with clauses behind an
// activation literal, that end as Unsat, Sat, or unasked.
func (k Kit) scopes(t *testing.T) {
	s := k.New()
	n := 12
	vars := make([]sat.Lit, n)
	for i := range vars {
		vars[i] = s.NewVar()
	}
	for i := range n - 1 {
		s.AddClause(vars[i].Not(), vars[i+1]) // each implies the next
	}
	for i := range k.few(3000) {
		on := s.NewVar()
		from, to := i%n, i*7%n
		s.AddClause(on.Not(), vars[from])
		s.AddClause(on.Not(), vars[to].Not(), vars[(to+1)%n].Not())
		switch i % 5 {
		case 0: // not asked
		default:
			status := sat.Sat
			if to == n-1 || from <= to { // the chain makes vars[to] and the one after it true
				status = sat.Unsat
			}
			if to == n-1 && from > 0 { // its second literal is the first of the chain
				status = sat.Sat
			}
			want(t, s, status, on)
			if status == sat.Unsat {
				wantCore(t, s, []sat.Lit{on}, on)
			}
		}
		if i%3 > 0 {
			s.AddClause(on.Not())
		}
	}
	want(t, s, sat.Sat, vars[0])
	want(t, s, sat.Sat, vars[n-1].Not())
}

// pigeons adds that n pigeons sit in m holes, one in each, and returns a
// literal that must be assumed for that.
func pigeons(s sat.Solver, n, m int) sat.Lit {
	on := s.NewVar()
	v := make([][]sat.Lit, n)
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

// long takes enough conflicts to restart, to forget clauses and to move them,
// between queries that were never inconsistent.
func (k Kit) long(t *testing.T) {
	s := k.New()
	var ons []sat.Lit
	holes := 7
	if testing.Short() {
		holes = 6
	}
	for n := range 3 {
		ons = append(ons, pigeons(s, holes+1, holes))
		for i, on := range ons {
			want(t, s, sat.Unsat, append(ons[:i:i], on)...)
			if core := s.Core(nil); len(core) == 0 {
				t.Error("Core is empty, but the clauses are consistent")
			}
			want(t, s, sat.Sat)
			want(t, s, sat.Sat, on.Not())
		}
		s.AddClause(ons[n].Not(), s.NewVar())
	}
	for _, on := range ons {
		s.AddClause(on.Not()) // learned, by now
	}
	want(t, s, sat.Sat)
	s.AddClause(ons...)
	want(t, s, sat.Unsat)
	wantCore(t, s, nil)
}

// threshold checks models and cores on random clauses at the threshold of
// satisfiability, added between queries: each core is solved by a fresh
// solver, which must not depend on what the other one learned.
func (k Kit) threshold(t *testing.T) {
	var count [3]int
	for seed := range uint64(k.few(20)) {
		rng := rand.New(rand.NewPCG(seed, 7))
		s := k.New()
		f := &formula{vars: 100}
		for range 36 {
			f.grow(rng, 14, s)
			assume := []sat.Lit{f.pick(rng), f.pick(rng), f.pick(rng), f.pick(rng)}
			status, err := s.Solve(t.Context(), assume...)
			if err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			count[status]++
			if err := f.confirm(t.Context(), k.New, s, status, assume); err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
		}
	}
	if count[sat.Sat] < 10 || count[sat.Unsat] < 10 {
		t.Errorf("%d sat and %d unsat", count[sat.Sat], count[sat.Unsat])
	}
}

// A formula is a list of random clauses.
type formula struct {
	vars    int
	clauses [][]sat.Lit
}

func (f *formula) pick(rng *rand.Rand) sat.Lit { return sat.Lit(2 + rng.IntN(2*f.vars)) }

// grow adds n clauses of three literals to f and s.
func (f *formula) grow(rng *rand.Rand, n int, s sat.Solver) {
	for range n {
		c := []sat.Lit{f.pick(rng), f.pick(rng), f.pick(rng)}
		f.clauses = append(f.clauses, c)
		s.AddClause(c...)
	}
}

// confirm checks what s says about f.
func (f *formula) confirm(ctx context.Context, fresh func() sat.Solver, s sat.Solver, status sat.Status, assume []sat.Lit) error {
	if status == sat.Sat {
		for _, c := range f.clauses {
			if !slices.ContainsFunc(c, s.Value) {
				return fmt.Errorf("clause %d is not true in the model", c)
			}
		}
		if i := slices.IndexFunc(assume, func(m sat.Lit) bool { return !s.Value(m) }); i >= 0 {
			return fmt.Errorf("%d is assumed, but not true", assume[i])
		}
		return nil
	}
	core := s.Core(nil)
	if i := slices.IndexFunc(core, func(m sat.Lit) bool { return !slices.Contains(assume, m) }); i >= 0 {
		return fmt.Errorf("%d is in the core, but not assumed", core[i])
	}
	again := fresh()
	for _, c := range f.clauses {
		again.AddClause(c...)
	}
	if status, err := again.Solve(ctx, core...); status != sat.Unsat || err != nil {
		return fmt.Errorf("the core %d is %v, %v", core, status, err)
	}
	return nil
}

// ended solves under contexts that have ended.
func (k Kit) ended(t *testing.T) {
	s := k.New()
	a := s.NewVar()
	s.AddClause(a)
	for range 3 {
		ctx, cancel := context.WithCancelCause(t.Context())
		cancel(errEnded)
		if status, err := s.Solve(ctx, a); status != sat.Unknown || err != errEnded {
			t.Errorf("Solve = %v, %v, want unknown, %v", status, err, errEnded)
		}
		want(t, s, sat.Unsat, a.Not())
		want(t, s, sat.Sat)
	}
}

// cancel ends hard queries, and goes on with easy ones.
func (k Kit) cancel(t *testing.T) {
	s := k.New()
	on := pigeons(s, 12, 11)
	for range 2 {
		ctx, cancel := context.WithTimeoutCause(t.Context(), 20*time.Millisecond, errEnded)
		status, err := s.Solve(ctx, on)
		cancel()
		if status != sat.Unknown || err != errEnded {
			t.Fatalf("Solve = %v, %v, want unknown, %v", status, err, errEnded)
		}
		want(t, s, sat.Sat, on.Not())
		s.AddClause(s.NewVar(), on)
		want(t, s, sat.Sat, on.Not())
	}
	s.AddClause(on.Not())
	easy := pigeons(s, 4, 3)
	want(t, s, sat.Unsat, easy)
	wantCore(t, s, []sat.Lit{easy}, easy)
}

// random drives new solvers with random programs. One that fails is shrunk.
func (k Kit) random(t *testing.T) {
	for seed := range uint64(k.few(1000)) {
		prog := Program(seed, 400)
		run := func(prog []byte) error { return Drive(t.Context(), k.New(), prog) }
		if run(prog) != nil {
			prog = Shrink(prog, func(prog []byte) bool { return run(prog) != nil })
			t.Fatalf("seed %d: %v", seed, run(prog))
		}
	}
}

// parallel uses many solvers at once, for the race detector.
func (k Kit) parallel(t *testing.T) {
	for i := range uint64(4) {
		t.Run("", func(t *testing.T) {
			t.Parallel()
			for seed := range uint64(k.few(50)) {
				if err := Drive(t.Context(), k.New(), Program(4*seed+i, 300)); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}
