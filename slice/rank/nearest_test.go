package rank

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/go-amend/amend/formula"
	"github.com/go-amend/amend/formula/sat"
	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/gen"
	"github.com/go-amend/amend/ir/interp"
	"github.com/go-amend/amend/slice"
	"github.com/go-amend/amend/ssa"
	"github.com/go-amend/amend/ssa/bmc"
)

const unwind = 2

// compareRuns finds a failing run of p and the passing one nearest to it; it
// returns nil if none fails.
func compareRuns(t *testing.T, p *ir.Program) (ssa.Model, *Comparison) {
	t.Helper()
	res, err := bmc.Check(t.Context(), p, bmc.Config{Unwind: unwind, MaxSteps: 10_000})
	if _, endless := errors.AsType[*bmc.UndecidedError](err); endless || err == nil && (len(res.Violations) == 0 || len(res.Loops) > 0 || res.Unwind > unwind) {
		return nil, nil
	}
	if err != nil {
		t.Fatal(err)
	}
	m := res.Violations[0].Model
	c, err := Nearest(t.Context(), ssa.For(p), ssa.Config{Unwind: unwind}, m, sat.New())
	if err != nil {
		t.Fatal(err)
	}
	return m, c
}

func passes(t *testing.T, p *ir.Program, m ssa.Model) bool {
	t.Helper()
	tr, err := interp.Run(t.Context(), p, interp.Config{Input: m.Input, Unwind: unwind, MaxSteps: -1})
	if err != nil {
		t.Fatal(err)
	}
	return tr.Outcome == interp.Ended
}

// distance counts what differs between the runs on two inputs.
func distance(f *ssa.Form, a, b ssa.Model) int {
	x, y := ssa.NewRun(f), ssa.NewRun(f)
	x.Start(a, nil)
	y.Start(b, nil)
	n := 0
	for _, in := range f.Inputs.All() {
		n += btoi(a[in.Choice] != b[in.Choice])
	}
	for _, d := range f.Defs {
		if d.Origin == 0 {
			continue
		}
		both := x.Value(d.Guard) == 1 && y.Value(d.Guard) == 1
		n += btoi(x.Value(d.Guard) != y.Value(d.Guard) || both && x.Value(d.Name) != y.Value(d.Name))
	}
	return n
}

// models calls f with each input of form, if they have at most limit bits
// together.
func models(form *ssa.Form, limit int, f func(ssa.Model)) bool {
	bits := 0
	for _, in := range form.Inputs.All() {
		bits += form.Store.Width(in.Term)
	}
	if bits > limit {
		return false
	}
	for v := range uint64(1) << bits {
		m := make(ssa.Model)
		for _, in := range form.Inputs.All() {
			w := form.Store.Width(in.Term)
			m[in.Choice] = v & (1<<w - 1)
			v >>= w
		}
		f(m)
	}
	return true
}

// checkNearestRun compares c with all runs of p.
func checkNearestRun(t *testing.T, p *ir.Program, m ssa.Model, c *Comparison) bool {
	t.Helper()
	form, err := ssa.Build(formula.NewStore(), p, ssa.Config{Unwind: unwind})
	if err != nil {
		t.Fatal(err)
	}
	best := -1
	complete := models(form, 10, func(in ssa.Model) {
		if d := distance(form, m, in); (best < 0 || d < best) && passes(t, p, in) {
			best = d
		}
	})
	switch {
	case !complete:
		return false
	case c.Passing == nil:
		if best >= 0 {
			t.Errorf("a run at distance %d passes, none was found", best)
		}
	case !passes(t, p, c.Passing):
		t.Errorf("the run on %v does not pass", c.Passing)
	case c.Distance != best || distance(form, m, c.Passing) != best:
		t.Errorf("distance %d, by the values %d, want %d", c.Distance, distance(form, m, c.Passing), best)
	}
	checkSuspects(t, slice.NewGraph(form).Must(m), c)
	return true
}

// checkSuspects wants the locations of the must set, in order.
func checkSuspects(t *testing.T, must slice.Set, c *Comparison) {
	t.Helper()
	if len(c.Suspects) != must.Len() {
		t.Errorf("%d suspects of a must set of %d", len(c.Suspects), must.Len())
	}
	for i, s := range c.Suspects {
		if !must.Has(s.At) || s.Score < 0 || s.Score > 2 || s.Ranks[0] > i+1 || s.Ranks[1] < i+1 {
			t.Errorf("suspect %d is %+v", i, s)
		}
		if i > 0 && (c.Suspects[i-1].Score < s.Score || (c.Suspects[i-1].Score == s.Score) != (c.Suspects[i-1].Ranks == s.Ranks)) {
			t.Errorf("suspects %+v and %+v", c.Suspects[i-1], s)
		}
	}
}

// TestNearestRun compares the nearest passing run of random programs with all
// of their runs.
func TestNearestRun(t *testing.T) {
	programs := 3000
	if testing.Short() {
		programs = 150
	}
	compared, none, far := 0, 0, 0
	for seed := range uint64(programs) {
		p := gen.Program(rand.New(rand.NewPCG(seed, 0)), gen.Config{Free: seed%2 == 0, Checks: ir.Checks(0).With(ir.CheckBounds, ir.CheckDiv)})
		m, c := compareRuns(t, p)
		if c == nil || !checkNearestRun(t, p, m, c) {
			continue
		}
		if compared++; c.Passing == nil {
			none++
		} else if c.Distance > 3 {
			far++
		}
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
	if compared < programs/10 || none == 0 || far < programs/200 {
		t.Errorf("of %d programs only %d were compared, %d without passing run, %d with a distant one", programs, compared, none, far)
	}
}

// TestNearestOrder wants the wrong guard of a discount first: in the nearest
// passing run it reads something else and says the same.
func TestNearestOrder(t *testing.T) {
	p, err := ir.Parse("discount.ir", []byte(`
proc pay(price u8, member bool) u8 {
	var to u8 = price
	if member && price > 100 {
		to = price - 10
	}
	return to
}

hard proc right(price u8, member bool) u8 {
	if member && price >= 100 {
		return price - 10
	}
	return price
}

hard proc main(price u8, member bool) {
	var a u8
	var b u8
	a = pay(price, member)
	b = right(price, member)
	assert a == b
}
`))
	if err != nil {
		t.Fatal(err)
	}
	_, c := compareRuns(t, p)
	// Only being a member differs: all else is as it was.
	if !passes(t, p, c.Passing) || c.Distance != 1 {
		t.Errorf("distance %d to %v", c.Distance, c.Passing)
	}
	first := c.Suspects[0]
	if line := p.Stmt(first.At).Span().Line; line != 4 || first.Score != 0.5 || first.Ranks != [2]int{1, 1} {
		t.Errorf("first is line %d, %+v", line, first)
	}
}

// TestNoPassingRun wants all locations to share a rank.
func TestNoPassingRun(t *testing.T) {
	p, err := ir.Parse("never.ir", []byte("proc main(a u8) {\n\tvar b u8 = a & 1\n\tvar c u8 = 2\n\tassert b == c\n}\n"))
	if err != nil {
		t.Fatal(err)
	}
	_, c := compareRuns(t, p)
	if c.Passing != nil || c.Distance != 0 || len(c.Suspects) != 2 || c.Suspects[0].Ranks != [2]int{1, 2} {
		t.Errorf("comparison %+v", c)
	}
}

// TestNearestCancelled wants the context's error.
func TestNearestCancelled(t *testing.T) {
	p, err := ir.Parse("x.ir", []byte("proc main(a u8) {\n\tassert a > 0\n}\n"))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Nearest(ctx, ssa.For(p), ssa.Config{}, nil, sat.New()); !errors.Is(err, context.Canceled) {
		t.Errorf("Nearest = %v, want %v", err, context.Canceled)
	}
}
