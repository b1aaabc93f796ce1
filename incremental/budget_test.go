package incremental

import (
	"context"
	"errors"
	"testing"

	"github.com/go-amend/amend/formula"
	"github.com/go-amend/amend/incremental/cfa"
	"github.com/go-amend/amend/ir/interp"
)

// TestBudgets uses up each budget: each has a reason of its own, and what was
// found before may be used later.
func TestBudgets(t *testing.T) {
	for reason, cfg := range map[string]Config{
		"refinements":  {Limits: Limits{Refinements: 1}},
		"SAT calls":    {Limits: Limits{SATCalls: 20}},
		"states":       {Limits: Limits{States: 5}},
		"trace length": {Limits: Limits{Trace: 4}},
		"term size":    {Limits: Limits{Terms: 10}},
		"projection":   {Annotator: useless{}},
	} {
		cfg.Engine = TraceAbstraction
		r, ok := provable(t, 0, parse(t, ex1), cfg)
		if !ok || r.Status != Unknown || r.Reason != reason {
			t.Errorf("%s: got %v, %q", reason, r.Status, r.Reason)
			continue
		}
		proved(t, ex1, Config{Reuse: r.Proof})
	}
}

// useless annotates traces by what doesn't help.
type useless struct{}

func (useless) Annotate(_ context.Context, c *cfa.Automaton, _ []int) ([]formula.Term, error) {
	return []formula.Term{c.Store.Eq(c.Vars[0].Term, c.Store.Const(32, 77))}, nil
}

// TestAllocations has a run that needs a longer array than its type allows:
// that is no violation, but no proof either, where elements matter that an
// abstraction doesn't know.
func TestAllocations(t *testing.T) {
	r, _ := provable(t, 0, parse(t, `
checks bounds
proc main(n u8) {
	var a [4]u8
	alloc a, n
	a[0] = 1
}`), Config{})
	if r.Status != Violated {
		t.Errorf("%v, though n may be 0", r.Status)
	}
	r, _ = provable(t, 0, parse(t, `
checks bounds
proc main(n u8) {
	var a [4]u8
	assume n > 0
	alloc a, n
	a[0] = 1
	var x u8 = a[0]
	a[0] = 2
	var y u8 = a[0]
	assert x + 1 == y
}`), Config{})
	if r.Status != Unknown || r.Reason != string(allocTooLarge) {
		t.Errorf("got %v, %q", r.Status, r.Reason)
	}
	proved(t, `
checks bounds
proc main(n u8) {
	var a [4]u8
	assume n > 0 && n <= 4
	alloc a, n
	a[n - 1] = 1
}`, Config{})
}

// TestDeep needs 200 rounds for a violation: random tests find the first one,
// and the bounded check the second, for which an input is needed that nobody
// thinks of.
func TestDeep(t *testing.T) {
	for _, claim := range []string{"i < 200", "i < 200 || m != 12345"} {
		r, _ := provable(t, 0, parse(t, `
proc main(n u8, m u16) {
	var i u8 = 0
	while i < n { i++ }
	assert `+claim+`
}`), Config{})
		if r.Status != Violated || r.Trace.Outcome != interp.Violated {
			t.Errorf("%s: got %v, %q", claim, r.Status, r.Reason)
		}
		if bounded := r.Stats.BoundedCalls > 0; bounded != (claim != "i < 200") {
			t.Errorf("%s: %d calls of the bounded check", claim, r.Stats.BoundedCalls)
		}
	}
}

// TestRandomTests gives up where no run ends, soon, and finds what needs a large
// value.
func TestRandomTests(t *testing.T) {
	for text, want := range map[string]bool{
		"proc main(n i32) { while true { n++ } }":                                                    false,
		"proc main(n i64) { assert n < 1000000000000 }":                                              true,
		"proc main(n i64) { assert n > -1000000000000 }":                                             true,
		"proc main(n u8) { assume n > 3; assert n != 2 }":                                            false,
		"proc main() { var i i32 = 0; var b bool; havoc b; while b { i++; havoc b }; assert i < 3 }": true,
	} {
		p := parse(t, text)
		tests := &randomTests{p: p, limit: 100_000}
		m, err := tests.run(t.Context(), 0)
		if err != nil || (m != nil) != want {
			t.Errorf("%s: %v, %v", text, m, err)
		}
		if m != nil {
			if _, err := replay(t.Context(), p, m); err != nil {
				t.Errorf("%s: %v", text, err)
			}
		}
	}
}

// TestPlugIns proves with an annotator and a checker of one's own, and finds
// out a checker that lies.
func TestPlugIns(t *testing.T) {
	a := &invariant{}
	if r := proved(t, counter, Config{Annotator: a}); r.Stats.Refinements != 1 || a.asked != 1 {
		t.Errorf("%d automata, asked %d times", r.Stats.Refinements, a.asked)
	}
	h := &hoare{answer: Unproved}
	if proved(t, counter, Config{Hoare: h}); h.asked == 0 {
		t.Error("the checker was not asked")
	}
	for _, answer := range []Validity{Valid, Invalid} {
		if r, err := Prove(t.Context(), parse(t, ex2bad), Config{Hoare: &hoare{answer: answer}, Limits: quick}); r.Status == Proved {
			t.Errorf("a checker that says %v proves a wrong program (%v)", answer, err)
		}
	}
	failing := errors.New("out of order")
	if r, err := Prove(t.Context(), parse(t, ex1), Config{Hoare: &hoare{err: failing}}); r.Status != Unknown || !errors.Is(err, failing) {
		t.Errorf("got %v, %v", r.Status, err)
	}
}

// invariant knows that i <= n in counter.
type invariant struct{ asked int }

func (a *invariant) Annotate(_ context.Context, c *cfa.Automaton, _ []int) ([]formula.Term, error) {
	a.asked++
	v := c.Names()
	i, n := v["main.i:32"], v["main.n:32"]
	return []formula.Term{c.Store.Sle(i, n), c.Store.Eq(i, n), c.Store.Slt(i, n), c.Store.Sle(c.Store.Const(32, 0), n), c.Store.Eq(i, c.Store.Const(32, 0))}, nil
}

type hoare struct {
	answer Validity
	err    error
	asked  int
}

func (h *hoare) Triple(context.Context, *cfa.Automaton, formula.Term, int, formula.Term) (Validity, error) {
	h.asked++
	return h.answer, h.err
}

// TestShortRuns finds a violation of a revision by a short run, whichever engine
// asks, and of a program without an earlier proof by none.
func TestShortRuns(t *testing.T) {
	right := parse(t, "proc main(n u8) { var i u8 = 0; while i < n { i++ }; assert i == n }")
	wrong := parse(t, "proc main(n u8) { var i u8 = 1; while i < n { i++ }; assert i == n }")
	for _, by := range []Engine{TraceAbstraction, IC3} {
		old, err := Prove(t.Context(), right, Config{Engine: by})
		if err != nil || old.Status != Proved {
			t.Fatalf("%v: %v, %v", by, old.Status, err)
		}
		c, err := cfa.New(wrong)
		if err != nil {
			t.Fatal(err)
		}
		s := newPortfolio(wrong, c, &Config{Reuse: old.Proof, Engine: by})
		s.meter.spend(2 * shortTicks)
		r, err := s.run(t.Context())
		if err != nil || r.Status != Violated || r.Trace.Outcome != interp.Violated {
			t.Errorf("%v: %v (%s), %v", by, r.Status, r.Reason, err)
		}
		if e := newEngine(wrong, c, &Config{}, &meter{store: c.Store}); e.testShortly(t.Context()) != nil {
			t.Error("a test without an earlier proof")
		}
	}
}
