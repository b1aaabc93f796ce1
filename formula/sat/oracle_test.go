package sat

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// A set is a set of assignments to numVars variables: the definition of
// what clauses, assumptions and counters mean. Variable i is true in
// assignment a if bit i of a is set.
type set [1 << numVars / 64]uint64

const numVars = 8

func (x set) has(a int) bool { return x[a/64]>>(a%64)&1 == 1 }

func where(p func(a int) bool) (x set) {
	for a := range 1 << numVars {
		if p(a) {
			x[a/64] |= 1 << (a % 64)
		}
	}
	return x
}

func (x set) and(y set) set {
	for i := range x {
		x[i] &= y[i]
	}
	return x
}

// A driver reads calls from bytes, makes them, and compares what it gets
// with enumeration.
type driver struct {
	s    Solver
	prog []byte
	log  []string

	vars     []Lit // those of the sets
	holds    set   // where all clauses hold
	counters []count

	// What the last Solve said, and must not change.
	last   Status
	assume []assumption
	model  []bool // of the vars made before it
	core   []Lit
}

// An assumption is a literal and where it may hold.
type assumption struct {
	m  Lit
	in set
}

type count struct {
	t *Totalizer
	n func(a int) int // true literals
}

// drive runs prog on s, which must be new. The error is the first surprise.
func drive(ctx context.Context, s Solver, prog []byte) error {
	d := &driver{s: s, prog: prog, holds: where(func(int) bool { return true })}
	for len(d.prog) > 0 {
		err := d.step(ctx)
		if err == nil {
			err = d.stable()
		}
		if err != nil {
			return fmt.Errorf("%w, after %s", err, strings.Join(d.log, "; "))
		}
	}
	return nil
}

// next returns a number below n.
func (d *driver) next(n int) int {
	if len(d.prog) == 0 {
		return 0
	}
	b := d.prog[0]
	d.prog = d.prog[1:]
	return int(b) % n
}

func (d *driver) step(ctx context.Context) error {
	op := d.next(16)
	switch {
	case op < 3 || len(d.vars) == 0:
		d.newVar()
	case op < 8:
		d.addClause()
	case op == 8:
		d.exactlyOne()
	case op == 9:
		d.count()
	case op == 10:
		return d.maxSat(ctx)
	case op == 11:
		return d.minCore(ctx)
	case op == 12:
		return d.ended()
	default:
		return d.solve(ctx, d.assumptions())
	}
	return nil
}

func (d *driver) logf(format string, args ...any) {
	d.log = append(d.log, fmt.Sprintf(format, args...))
}

func (d *driver) newVar() {
	if len(d.vars) == numVars {
		return
	}
	d.vars = append(d.vars, d.s.NewVar())
	d.logf("NewVar() = %d", d.vars[len(d.vars)-1])
}

// pick returns a literal.
func (d *driver) pick() assumption {
	i, sign := d.next(len(d.vars)), d.next(2)
	in := where(func(a int) bool { return a>>i&1 != sign })
	return assumption{d.vars[i] ^ Lit(sign), in}
}

func (d *driver) picks(n int) ([]assumption, []Lit) {
	as, ms := make([]assumption, n), make([]Lit, n)
	for i := range as {
		as[i] = d.pick()
		ms[i] = as[i].m
	}
	return as, ms
}

// trues returns how many of as hold in a.
func trues(as []assumption, a int) (n int) {
	for _, x := range as {
		if x.in.has(a) {
			n++
		}
	}
	return n
}

func (d *driver) restrict(p func(a int) bool) { d.holds = d.holds.and(where(p)) }

func (d *driver) addClause() {
	n := d.next(5)
	if n == 0 { // rarely empty
		n = min(1, d.next(8))
	}
	as, ms := d.picks(n)
	d.logf("AddClause(%d)", ms)
	d.s.AddClause(ms...)
	d.restrict(func(a int) bool { return trues(as, a) > 0 })
}

func (d *driver) exactlyOne() {
	as, ms := d.picks(1 + d.next(9))
	d.logf("ExactlyOne(%d)", ms)
	ExactlyOne(d.s, ms...)
	d.restrict(func(a int) bool { return trues(as, a) == 1 })
}

func (d *driver) count() {
	as, ms := d.picks(d.next(8))
	d.logf("NewTotalizer(%d)", ms)
	d.counters = append(d.counters, count{NewTotalizer(d.s, ms...), func(a int) int { return trues(as, a) }})
}

func (d *driver) assumptions() (as []assumption) {
	for range d.next(6) {
		if len(d.counters) == 0 || d.next(3) > 0 {
			as = append(as, d.pick())
			continue
		}
		c := d.counters[d.next(len(d.counters))]
		k := d.next(9) - 1
		as = append(as, assumption{c.t.AtMost(k), where(func(a int) bool { return c.n(a) <= k })})
	}
	return as
}

func (d *driver) allowed(as []assumption) set {
	x := d.holds
	for _, a := range as {
		x = x.and(a.in)
	}
	return x
}

func lits(as []assumption) (ms []Lit) {
	for _, a := range as {
		ms = append(ms, a.m)
	}
	return ms
}

func (d *driver) solve(ctx context.Context, as []assumption) error {
	d.logf("Solve(%d)", lits(as))
	status, err := d.s.Solve(ctx, lits(as)...)
	if err != nil {
		return err
	}
	if want := d.allowed(as) != (set{}); (status == Sat) != want || status == Unknown {
		return fmt.Errorf("Solve = %v, want sat: %v", status, want)
	}
	return d.answered(status, as)
}

// answered checks the model or core of the last Solve, and keeps it.
func (d *driver) answered(status Status, as []assumption) error {
	d.last, d.assume, d.model = status, as, d.model[:0]
	if status == Sat {
		a := 0
		for i, m := range d.vars {
			d.model = append(d.model, d.s.Value(m))
			if d.model[i] {
				a |= 1 << i
			}
		}
		if !d.allowed(as).has(a) {
			return fmt.Errorf("%v is no model", d.model)
		}
		return nil
	}
	d.core = d.s.Core(nil)
	return d.isCore(d.core)
}

func (d *driver) isCore(core []Lit) error {
	var as []assumption
	for _, m := range core {
		i := slices.IndexFunc(d.assume, func(x assumption) bool { return x.m == m })
		if i < 0 {
			return fmt.Errorf("core %d is not of the assumptions", core)
		}
		as = append(as, d.assume[i])
	}
	if d.allowed(as) != (set{}) {
		return fmt.Errorf("%d is no core", core)
	}
	return nil
}

// stable checks that the last model or core still is what it was.
func (d *driver) stable() error {
	switch d.last {
	case Sat:
		for i, m := range d.vars {
			want := i < len(d.model) && d.model[i]
			if d.s.Value(m) != want || d.s.Value(m.Not()) == want {
				return fmt.Errorf("Value(%d) = %v, Value(%d) = %v, want %v and its complement",
					m, d.s.Value(m), m.Not(), d.s.Value(m.Not()), want)
			}
		}
	case Unsat:
		if core := d.s.Core([]Lit{0}); core[0] != 0 || !slices.Equal(core[1:], d.core) {
			return fmt.Errorf("Core = %d, was %d", core[1:], d.core)
		}
	}
	return nil
}

func (d *driver) maxSat(ctx context.Context) error {
	as, ms := d.picks(d.next(10))
	weight := make([]int, len(as))
	for i := range weight {
		weight[i] = d.next(4)
	}
	d.logf("WeightedMaxSat(%d, %d)", ms, weight)
	cost := func(a int) (c int) {
		for i, x := range as {
			if !x.in.has(a) {
				c += weight[i]
			}
		}
		return c
	}
	best := -1
	for a := range 1 << numVars {
		if d.holds.has(a) && (best < 0 || cost(a) < best) {
			best = cost(a)
		}
	}
	d.last = Unknown
	switch got, err := WeightedMaxSat(ctx, d.s, ms, weight); {
	case best < 0:
		if !errors.Is(err, ErrUnsat) {
			return fmt.Errorf("WeightedMaxSat = %d, %v, want ErrUnsat", got, err)
		}
		return nil
	case err != nil || got != best:
		return fmt.Errorf("WeightedMaxSat = %d, %v, want %d", got, err, best)
	}
	optimal := where(func(a int) bool { return cost(a) == best })
	return d.answered(Sat, []assumption{{in: optimal}})
}

func (d *driver) minCore(ctx context.Context) error {
	if d.last != Unsat {
		return nil
	}
	d.logf("MinCore(%d)", d.core)
	d.last = Unknown
	core, err := MinCore(ctx, d.s, d.core)
	if err == nil {
		err = d.isCore(core)
	}
	if err != nil {
		return err
	}
	for i, m := range core {
		if err := d.isCore(slices.Delete(slices.Clone(core), i, i+1)); err == nil {
			return fmt.Errorf("MinCore = %d, which doesn't need %d", core, m)
		}
	}
	return nil
}

// ended solves under a context that has ended.
func (d *driver) ended() error {
	d.logf("Solve(ended)")
	d.last = Unknown
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(errEnded)
	if status, err := d.s.Solve(ctx, lits(d.assumptions())...); status != Unknown || err != errEnded {
		return fmt.Errorf("Solve = %v, %v, want unknown, %v", status, err, errEnded)
	}
	return nil
}

var errEnded = errors.New("ended")

// driveRandom drives new solvers with random programs of up to size bytes.
// A program that fails is shrunk.
func driveRandom(t *testing.T, newSolver func() Solver, seeds uint64, size int) {
	for seed := range seeds {
		prog := randomProgram(seed, size)
		run := func(prog []byte) error { return drive(t.Context(), newSolver(), prog) }
		if run(prog) != nil {
			prog = shrink(prog, func(prog []byte) bool { return run(prog) != nil })
			t.Fatalf("seed %d: %v", seed, run(prog))
		}
	}
}

func randomProgram(seed uint64, size int) []byte {
	rng := rand.New(rand.NewPCG(seed, 0))
	prog := make([]byte, 1+rng.IntN(size))
	for i := range prog {
		prog[i] = byte(rng.Uint32())
	}
	return prog
}

// shrink returns a shorter program that fails, by dropping parts of it.
func shrink(prog []byte, fails func([]byte) bool) []byte {
	for n := len(prog) / 2; n > 0; n /= 2 {
		for i := 0; i+n <= len(prog); {
			if less := slices.Delete(slices.Clone(prog), i, i+n); fails(less) {
				prog = less
			} else {
				i += n
			}
		}
	}
	return prog
}
