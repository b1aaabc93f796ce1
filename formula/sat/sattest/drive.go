package sattest

// Random sequences of calls, compared with enumeration; after mobical, the
// fuzzer of CaDiCaL's interface.

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/go-amend/amend/formula/sat"
)

// Drive makes the calls that prog encodes on s, which must be new, and
// compares each answer with enumeration. Any bytes are a program; [Program]
// makes random ones. The error is the first surprise, with all calls before
// it.
func Drive(ctx context.Context, s sat.Solver, prog []byte) error {
	d := &driver{s: s, prog: prog, holds: everywhere()}
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

// Program returns a random program for Drive of at most size bytes.
func Program(seed uint64, size int) []byte {
	rng := rand.New(rand.NewPCG(seed, 0))
	prog := make([]byte, 1+rng.IntN(size))
	for i := range prog {
		prog[i] = byte(rng.Uint32())
	}
	return prog
}

// Shrink returns a shorter program that fails, too, by dropping parts of prog,
// for which fails must be true.
func Shrink(prog []byte, fails func(prog []byte) bool) []byte {
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

// A driver reads calls from bytes, makes them, and compares what it gets with
// enumeration.
type driver struct {
	s    sat.Solver
	prog []byte
	log  []string

	vars     []sat.Lit // those of the sets
	holds    set       // where all clauses hold
	counters []counter
	scopes   []assumption // clauses that hold where a literal does, by that literal

	// What the last Solve said, and must not change.
	last   sat.Status
	assume []assumption
	model  []bool // of the vars made before it
	core   []sat.Lit
}

// A counter counts true literals.
type counter struct {
	t *sat.Totalizer
	n func(a int) int
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
	op := d.next(20)
	switch {
	case op < 3 || len(d.vars) == 0:
		d.newVar()
	case op < 8:
		d.addClause()
	case op == 8:
		d.addMany()
	case op == 9:
		d.exactlyOne()
	case op == 10:
		d.count()
	case op == 11:
		return d.maxSat(ctx)
	case op == 12:
		return d.minCore(ctx)
	case op == 13:
		return d.ended()
	case op == 14:
		d.scope()
	case op == 15:
		d.retire()
	default:
		return d.solve(ctx, d.assumptions())
	}
	return nil
}

func (d *driver) logf(format string, args ...any) {
	d.log = append(d.log, fmt.Sprintf(format, args...))
}

// newVar makes a variable, or uses one that NewVar has not returned.
func (d *driver) newVar() {
	if len(d.vars) == numVars {
		return
	}
	m := d.s.NewVar()
	d.logf("NewVar() = %d", m)
	if d.next(4) == 0 {
		m += sat.Lit(2 * d.next(5)) // which the next clause makes, if at all
		d.logf("use %d", m)
		d.s.AddClause(m, m.Not())
	}
	d.vars = append(d.vars, m)
}

// pick returns a literal.
func (d *driver) pick() assumption {
	i, sign := d.next(len(d.vars)), d.next(2)
	in := where(func(a int) bool { return a>>i&1 != sign })
	return assumption{d.vars[i] ^ sat.Lit(sign), in}
}

func (d *driver) picks(n int) ([]assumption, []sat.Lit) {
	as := make([]assumption, n)
	for i := range as {
		as[i] = d.pick()
	}
	return as, lits(as)
}

func (d *driver) addClause() {
	n := d.next(5)
	if n == 0 { // rarely empty
		n = min(1, d.next(8))
	}
	as, ms := d.picks(n)
	d.logf("AddClause(%d)", ms)
	d.s.AddClause(ms...)
	d.holds = d.holds.and(union(as))
}

// addMany adds clauses of three literals, enough to need conflicts.
func (d *driver) addMany() {
	rng := rand.New(rand.NewPCG(uint64(d.next(256)), 1))
	for range 2 * len(d.vars) {
		var as []assumption
		for range 3 {
			i, sign := rng.IntN(len(d.vars)), rng.IntN(2)
			as = append(as, assumption{d.vars[i] ^ sat.Lit(sign), where(func(a int) bool { return a>>i&1 != sign })})
		}
		d.logf("AddClause(%d)", lits(as))
		d.s.AddClause(lits(as)...)
		d.holds = d.holds.and(union(as))
	}
}

func (d *driver) exactlyOne() {
	as, ms := d.picks(1 + d.next(9))
	d.logf("ExactlyOne(%d)", ms)
	sat.ExactlyOne(d.s, ms...)
	d.holds = d.holds.and(where(func(a int) bool { return trues(as, a) == 1 }))
}

func (d *driver) count() {
	as, ms := d.picks(d.next(8))
	d.logf("NewTotalizer(%d)", ms)
	d.counters = append(d.counters, counter{sat.NewTotalizer(d.s, ms...), func(a int) int { return trues(as, a) }})
}

// scope adds a clause that holds where an activation literal does: a new one,
// or that of the last scope.
func (d *driver) scope() {
	as, ms := d.picks(1 + d.next(3))
	if len(d.scopes) == 0 || d.next(2) == 0 {
		d.scopes = append(d.scopes, assumption{d.s.NewVar(), everywhere()})
	}
	x := &d.scopes[len(d.scopes)-1]
	ms = append(ms, x.m.Not())
	d.logf("AddClause(%d)", ms)
	d.s.AddClause(ms...)
	d.narrow(x, x.in.and(union(as)))
}

// narrow says that a scope holds in no more than in, also where it was assumed
// before.
func (d *driver) narrow(x *assumption, in set) {
	x.in = in
	for i := range d.assume {
		if d.assume[i].m == x.m {
			d.assume[i].in = in
		}
	}
}

// retire ends a scope.
func (d *driver) retire() {
	if len(d.scopes) > 0 {
		x := &d.scopes[d.next(len(d.scopes))]
		d.logf("AddClause(%d)", x.m.Not())
		d.s.AddClause(x.m.Not())
		d.narrow(x, set{})
	}
}

// assumptions returns literals, bounds of counters and scopes.
func (d *driver) assumptions() (as []assumption) {
	for range d.next(6) {
		switch k := d.next(6); {
		case k == 0 && len(d.scopes) > 0:
			as = append(as, d.scopes[d.next(len(d.scopes))])
		case k < 3 && len(d.counters) > 0:
			c, n := d.counters[d.next(len(d.counters))], d.next(9)-1
			as = append(as, assumption{c.t.AtMost(n), where(func(a int) bool { return c.n(a) <= n })})
		default:
			as = append(as, d.pick())
		}
	}
	return as
}

// allowed returns where all clauses and as hold.
func (d *driver) allowed(as []assumption) set {
	x := d.holds
	for _, a := range as {
		x = x.and(a.in)
	}
	return x
}

func (d *driver) solve(ctx context.Context, as []assumption) error {
	d.logf("Solve(%d)", lits(as))
	status, err := d.s.Solve(ctx, lits(as)...)
	if err != nil {
		return err
	}
	if want := d.allowed(as) != (set{}); (status == sat.Sat) != want || status == sat.Unknown {
		return fmt.Errorf("the answer is %v, want sat: %v", status, want)
	}
	return d.answered(status, as)
}

// answered checks the model or core of the last Solve, and keeps it.
func (d *driver) answered(status sat.Status, as []assumption) error {
	d.last, d.assume, d.model = status, as, d.model[:0]
	if status == sat.Sat {
		return d.isModel(as)
	}
	d.core = d.s.Core(nil)
	return d.isCore(d.core)
}

func (d *driver) isModel(as []assumption) error {
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
	for _, x := range as {
		if x.m != 0 && !d.s.Value(x.m) {
			return fmt.Errorf("%d is assumed, but not true", x.m)
		}
	}
	return nil
}

func (d *driver) isCore(core []sat.Lit) error {
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
	case sat.Sat:
		for i, m := range d.vars {
			want := i < len(d.model) && d.model[i]
			if d.s.Value(m) != want || d.s.Value(m.Not()) == want {
				return fmt.Errorf("value of %d is %v, of %d %v, want %v and its complement",
					m, d.s.Value(m), m.Not(), d.s.Value(m.Not()), want)
			}
		}
	case sat.Unsat:
		if core := d.s.Core([]sat.Lit{0}); core[0] != 0 || !slices.Equal(core[1:], d.core) {
			return fmt.Errorf("the core is %d, was %d", core[1:], d.core)
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
	d.last = sat.Unknown
	switch got, err := sat.WeightedMaxSat(ctx, d.s, ms, weight); {
	case best < 0:
		if !errors.Is(err, sat.ErrUnsat) {
			return fmt.Errorf("WeightedMaxSat = %d, %v, want ErrUnsat", got, err)
		}
		return nil
	case err != nil || got != best:
		return fmt.Errorf("WeightedMaxSat = %d, %v, want %d", got, err, best)
	}
	optimal := where(func(a int) bool { return cost(a) == best })
	return d.answered(sat.Sat, []assumption{{in: optimal}})
}

func (d *driver) minCore(ctx context.Context) error {
	if d.last != sat.Unsat {
		return nil
	}
	d.logf("MinCore(%d)", d.core)
	d.last = sat.Unknown
	core, err := sat.MinCore(ctx, d.s, d.core)
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
	d.last = sat.Unknown
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(errEnded)
	if status, err := d.s.Solve(ctx, lits(d.assumptions())...); status != sat.Unknown || err != errEnded {
		return fmt.Errorf("the answer is %v, %v, want unknown, %v", status, err, errEnded)
	}
	return nil
}

var errEnded = errors.New("ended")
