package incremental

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/go-amend/amend/incremental/proof"
	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/gen"
	"github.com/go-amend/amend/ir/interp"
)

var allChecks = ir.Checks(0).With(ir.CheckBounds, ir.CheckDiv, ir.CheckShift, ir.CheckOverflow, ir.CheckConversion)

// violable runs p on inputs, all of them if there are not too many, and
// reports whether one violates something; and whether these were all runs.
func violable(t *testing.T, p *ir.Program, runs, steps int) (violated, all bool) {
	t.Helper()
	all = true
	var values, sizes []uint64 // of the choices, in the order in which they are read
	for range runs {
		n := 0
		trace, err := interp.Run(t.Context(), p, interp.Config{Unwind: -1, MaxSteps: steps, NoSteps: true, Input: func(ir.Choice) uint64 {
			if n == len(values) {
				values = append(values, 0)
			}
			n++
			return values[n-1]
		}})
		if err != nil {
			t.Fatal(err)
		}
		sizes = sizes[:0]
		for _, in := range trace.Inputs {
			sizes = append(sizes, 1<<min(ir.Width(in.Type), 16))
		}
		switch trace.Outcome {
		case interp.Violated:
			return true, all
		case interp.OutOfSteps, interp.Cut:
			all = false
		}
		values = values[:n]
		for len(values) > 0 && values[len(values)-1]+1 == sizes[len(values)-1] {
			values = values[:len(values)-1]
		}
		if len(values) == 0 {
			return false, all
		}
		values[len(values)-1]++
	}
	return false, false
}

// quick are budgets for random programs.
var quick = Limits{Refinements: 12, SATCalls: 4000, States: 5000, Bound: 20, Steps: 20_000}

// provable proves p and checks the result. It returns false for recursion.
func provable(t *testing.T, seed uint64, p *ir.Program, cfg Config) (*Result, bool) {
	t.Helper()
	r, err := Prove(t.Context(), p, cfg)
	if _, ok := errors.AsType[*ir.UnsupportedError](err); ok {
		return nil, false
	}
	if err != nil {
		t.Fatalf("seed %d: %v\n%s", seed, err, p)
	}
	switch r.Status {
	case Violated:
		if r.Trace.Outcome != interp.Violated {
			t.Fatalf("seed %d: the counterexample does not replay\n%s", seed, p)
		}
	case Proved:
		if err := proof.Check(t.Context(), p, r.Proof, nil); err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, p)
		}
	}
	return r, true
}

// agrees compares the verdict of r with runs of p.
func agrees(t *testing.T, seed uint64, p *ir.Program, r *Result) (exhaustive bool) {
	t.Helper()
	bad, all := violable(t, p, 1200, 1000)
	if bad && r.Status == Proved || !bad && all && r.Status == Violated {
		t.Fatalf("seed %d: %v, but violated %v\n%s", seed, r.Status, bad, p)
	}
	return all || bad
}

// TestAgainstInterpreter compares verdicts about random programs with all
// their runs.
func TestAgainstInterpreter(t *testing.T) {
	n := uint64(300)
	if testing.Short() {
		n = 150
	}
	count := make(map[Status]int)
	exhaustive := 0
	for seed := range n {
		rng := rand.New(rand.NewPCG(seed, 11))
		widths := []int{4}
		if seed%3 == 0 {
			widths = []int{1, 2, 3}
		}
		p := gen.Program(rng, gen.Config{Widths: widths, Checks: allChecks, Free: seed%2 == 0})
		if seed%4 > 1 {
			likeTemporaries(p)
		}
		r, ok := provable(t, seed, p, Config{Limits: quick})
		if !ok {
			continue
		}
		count[r.Status]++
		if agrees(t, seed, p, r) {
			exhaustive++
		}
	}
	t.Log(count, "exhaustive", exhaustive)
	if least := int(n / 8); count[Proved] < least || count[Violated] < least || exhaustive < 3*least {
		t.Errorf("too few: %v, %d exhaustive", count, exhaustive)
	}
}

// likeTemporaries names the variables of p as front ends name temporaries, so
// that those that don't interfere share a name.
func likeTemporaries(p *ir.Program) {
	for i, v := range p.Vars() {
		v.Name, v.Span = fmt.Sprintf("t_%d", i), ir.Span{}
	}
}

// edited returns p with constants and operators changed at random.
func edited(rng *rand.Rand, p *ir.Program) *ir.Program {
	sites := p.Sites()
	if len(sites) == 0 {
		return p.Clone()
	}
	changes := make(ir.Changes)
	for range 1 + rng.IntN(2) {
		id := ir.SiteID(1 + rng.IntN(len(sites)))
		delta := 1 + rng.Uint64N(3)
		changes[id] = func(old ir.Expr) ir.Expr {
			switch e := old.(type) {
			case *ir.Const:
				c := *e
				c.Val = ir.Wrap(c.Typ, c.Val+delta)
				return &c
			case *ir.Binary:
				b := *e
				if other, ok := map[ir.Op]ir.Op{
					ir.Add: ir.Sub, ir.Sub: ir.Add, ir.Lt: ir.Le, ir.Le: ir.Lt, ir.Gt: ir.Ge, ir.Ge: ir.Gt,
					ir.Eq: ir.Ne, ir.Ne: ir.Eq, ir.LAnd: ir.LOr, ir.LOr: ir.LAnd, ir.Div: ir.Mul,
				}[e.Op]; ok {
					b.Op = other
				}
				return &b
			}
			return old
		}
	}
	return p.Substitute(changes)
}

// TestReuse carries proofs through random edits, in every mode, and compares
// the verdicts with the runs.
func TestReuse(t *testing.T) {
	n := uint64(80)
	if testing.Short() {
		n = 30
	}
	count := make(map[Status]int)
	reused := 0
	for seed := range n {
		rng := rand.New(rand.NewPCG(seed, 12))
		p := gen.Program(rng, gen.Config{Widths: []int{2, 4}, Checks: allChecks})
		mode := Config{Limits: quick, Strategy: Strategy(rng.IntN(2)), Added: Added(rng.IntN(3)), NoCertify: rng.IntN(4) == 0}
		for range 4 {
			r, ok := provable(t, seed, p, mode)
			if !ok {
				break
			}
			count[r.Status]++
			reused += r.Stats.Reused
			agrees(t, seed, p, r)
			mode.Reuse = r.Proof
			p = edited(rng, p)
		}
	}
	t.Log(count, "reused", reused)
	if reused < int(n)/4 {
		t.Errorf("only %d automata were reused", reused)
	}
}

// TestFiles writes and reads proofs.
func TestFiles(t *testing.T) {
	for seed := range uint64(40) {
		p := gen.Program(rand.New(rand.NewPCG(seed, 13)), gen.Config{Checks: allChecks})
		r, ok := provable(t, seed, p, Config{Limits: quick})
		if !ok {
			continue
		}
		var a, b bytes.Buffer
		if err := r.Proof.Write(&a); err != nil {
			t.Fatal(err)
		}
		again, err := proof.Read(bytes.NewReader(a.Bytes()))
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, a.Bytes())
		}
		if err := again.Write(&b); err != nil || !bytes.Equal(a.Bytes(), b.Bytes()) {
			t.Fatalf("seed %d: read and written again the file is another (%v):\n%s\n%s", seed, err, a.Bytes(), b.Bytes())
		}
		if r.Status == Proved {
			s, _ := provable(t, seed, p, Config{Limits: quick, Reuse: again})
			if s.Status != Proved || s.Stats.Refinements > 0 {
				t.Errorf("seed %d: %v with %d new automata from its own proof", seed, s.Status, s.Stats.Refinements)
			}
		}
	}
}

func TestCancelled(t *testing.T) {
	p := parse(t, counter)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	r, err := Prove(ctx, p, Config{})
	if r.Status != Unknown || r.Reason != "cancelled" || !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, %q, %v", r.Status, r.Reason, err)
	}
}

// counter is right for every bound.
const counter = `
proc main(n i32) {
	var i i32 = 0
	assume n >= 0
	while i < n {
		i = i + 1
	}
	assert i == n "i == n"
}`

func parse(t testing.TB, text string) *ir.Program {
	t.Helper()
	p, err := ir.Parse("test.ir", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return p
}
