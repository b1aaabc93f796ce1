package slice_test

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/go-amend/amend/formula/sat"
	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/gen"
	"github.com/go-amend/amend/ir/interp"
	"github.com/go-amend/amend/slice"
	"github.com/go-amend/amend/ssa"
)

// TestAngelic takes random programs and some of their failing runs, and tries all
// values at each site, and pair of sites, in the interpreter: those with values
// that repair all runs are the ones that are found, smallest first.
func TestAngelic(t *testing.T) {
	n := uint64(250)
	if testing.Short() {
		n = 40
	}
	found := make(map[int]int)
	for seed := range n {
		p := gen.Program(rand.New(rand.NewPCG(seed, 61)), gen.Config{
			Widths: []int{1, 2}, Checks: ir.DefaultChecks, Statements: 3, Shared: seed%2 == 0,
		})
		p.Checks = p.Checks.With(ir.CheckBounds, ir.CheckDiv)
		b := &bruteAngels{T: t, p: p, unwind: 2}
		if b.failing(seed, 2); len(b.runs) == 0 {
			continue
		}
		want := b.sets()
		got := make(map[string]bool)
		for _, s := range angelicSets(t, p, b.runs, b.unwind) {
			found[len(s)]++
			got[fmt.Sprint(s)] = true
		}
		if b.gaveUp {
			continue // where want is a part
		}
		for s := range want {
			if !got[s] {
				t.Errorf("seed %d: %s is missing\n%s", seed, s, p)
			}
		}
		for s := range got {
			if !want[s] {
				t.Errorf("seed %d: %s repairs nothing\n%s", seed, s, p)
			}
		}
		if t.Failed() {
			return
		}
	}
	t.Log(found)
	if found[1] < 15 || found[2] < 15 {
		t.Errorf("too few: %v", found)
	}
}

func angelicSets(t *testing.T, p *ir.Program, runs []ssa.Model, unwind int) (out [][]ir.SiteID) {
	t.Helper()
	l, err := slice.NewAngelic(p, ssa.Config{Unwind: unwind}, sat.New)
	if err != nil {
		t.Fatal(err)
	}
	for x, err := range l.Sets(t.Context(), runs, 2) {
		if err != nil {
			t.Fatalf("%v\n%s", err, p)
		}
		if len(x.Values) != len(runs) {
			t.Errorf("values of %d runs, want %d", len(x.Values), len(runs))
		}
		out = append(out, x.Sites)
	}
	return out
}

// bruteAngels tries all values.
type bruteAngels struct {
	*testing.T
	p      *ir.Program
	unwind int
	runs   []ssa.Model
	gaveUp bool // on some set, since there are too many values
}

// failing looks for failing runs, for so many.
func (b *bruteAngels) failing(seed uint64, most int) {
	for k := range uint64(16) {
		m := make(ssa.Model)
		for _, v := range b.p.Entry.Params {
			c := ir.Choice{Var: v.ID}
			m[c] = ir.Wrap(v.Type, gen.Input(seed*100+k)(c))
		}
		x := b.run(b.p, m.Input, b.unwind)
		if x == interp.Violated && len(b.runs) < most {
			b.runs = append(b.runs, m)
		}
	}
}

func (b *bruteAngels) run(p *ir.Program, input func(ir.Choice) uint64, unwind int) interp.Outcome {
	x, err := interp.Run(b.Context(), p, interp.Config{Unwind: unwind, Input: input, NoSteps: true})
	if err != nil {
		b.Fatal(err)
	}
	return x.Outcome
}

// sets returns the sets of at most two sites that are wanted.
func (b *bruteAngels) sets() map[string]bool {
	want := make(map[string]bool)
	var single []ir.SiteID
	var sites []ir.Site
	spec := b.p.Spec()
	for _, s := range b.p.Sites() {
		hard := func(x ir.Stmt) bool { return spec[x.Loc()] }
		if len(s.Occurrences) == 0 || !scalar((*s.Occurrences[0]).Type()) || slices.ContainsFunc(s.Stmts, hard) || b.written(s) {
			continue
		}
		sites = append(sites, s)
		if b.angelic(s) {
			single = append(single, s.ID)
			want[fmt.Sprint([]ir.SiteID{s.ID})] = true
		}
	}
	for i, x := range sites {
		for _, y := range sites[i+1:] {
			if slices.Contains(single, x.ID) || slices.Contains(single, y.ID) {
				continue
			}
			if b.angelic(x, y) {
				want[fmt.Sprint([]ir.SiteID{x.ID, y.ID})] = true
			}
		}
	}
	return want
}

func scalar(t ir.Type) bool {
	_, array := t.(ir.Array)
	return !array
}

// written reports whether s is what a statement writes to, or an array in such.
func (b *bruteAngels) written(s ir.Site) bool {
	for i, o := range s.Occurrences {
		for e := lhs(s.Stmts[i]); e != nil; {
			if e == *o {
				return true
			}
			x, ok := e.(*ir.Index)
			if !ok {
				break
			}
			e = x.X
		}
	}
	return false
}

func lhs(s ir.Stmt) ir.Expr {
	if a, ok := s.(*ir.Assign); ok {
		return a.LHS
	}
	return nil
}

// angelic reports whether some values of sites repair all runs.
func (b *bruteAngels) angelic(sites ...ir.Site) bool {
	changes := make(ir.Changes)
	for _, s := range sites {
		changes[s.ID] = func(old ir.Expr) ir.Expr { return &ir.Any{Typ: old.Type()} }
	}
	p := b.p.Substitute(changes)
	for _, m := range b.runs {
		if !b.repairs(p, m) {
			return false
		}
	}
	return true
}

// repairs reports whether some choices of p make its run on m good: it tries
// them in the order of an odometer whose wheels are the choices that the run makes.
func (b *bruteAngels) repairs(p *ir.Program, m ssa.Model) bool {
	var tape, sizes []uint64
	for tries := 0; ; tries++ {
		if tries == 1<<12 {
			b.gaveUp = true
			return false
		}
		sizes = sizes[:0]
		at := make(map[ir.Choice]bool)
		x := b.run(p, func(c ir.Choice) uint64 {
			if c.At == 0 {
				return m.Input(c)
			}
			if at[c] {
				b.Fatalf("%v is asked for twice", c)
			}
			at[c] = true
			sizes = append(sizes, 4) // of Widths
			if len(sizes) > len(tape) {
				tape = append(tape, 0)
			}
			return tape[len(sizes)-1]
		}, 2*b.unwind)
		if x == interp.Ended {
			return true
		}
		tape = tape[:len(sizes)]
		for len(tape) > 0 && tape[len(tape)-1] == 3 {
			tape = tape[:len(tape)-1]
		}
		if len(tape) == 0 {
			return false
		}
		tape[len(tape)-1]++
	}
}

// What a program with one fault says: y has to be 0, and so has to be what it is
// made of; no value of the other branch matters.
func TestAngelicValues(t *testing.T) {
	p := parse(t, absValue)
	runs := []ssa.Model{input(p, 0xFFFFFFFF), input(p, 0xFFFFFFFF)}
	l, err := slice.NewAngelic(p, ssa.Config{}, sat.New)
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	for x, err := range l.Sets(t.Context(), runs, 1) {
		if err != nil {
			t.Fatal(err)
		}
		for i, vs := range x.Values {
			if len(vs) != 1 {
				t.Errorf("site %d has values %v", x.Sites[0], vs)
			}
			v := vs[0]
			good := interp.Violated
			q := p.Substitute(ir.Changes{v.Site: func(ir.Expr) ir.Expr { return &ir.Const{Typ: v.Type, Val: v.Bits} }})
			if r, err := interp.Run(t.Context(), q, interp.Config{Input: runs[i].Input}); err == nil {
				good = r.Outcome
			}
			fmt.Fprintf(&out, "site %d, run %d: %v\n", x.Sites[0], i, good)
		}
	}
	t.Logf("%s\n%s", p, &out)
	if strings.Contains(out.String(), "violated") || out.Len() == 0 {
		t.Errorf("values:\n%s", &out)
	}
}

func TestAngelicRefuses(t *testing.T) {
	p := parse(t, absValue)
	l, err := slice.NewAngelic(p, ssa.Config{}, sat.New)
	if err != nil {
		t.Fatal(err)
	}
	for _, err := range l.Sets(t.Context(), []ssa.Model{input(p, 1)}, 1) {
		if !errors.Is(err, slice.ErrPasses) {
			t.Errorf("a run that passes: %v", err)
		}
	}
}

// TestFailingRuns looks for failing runs of random programs: each fails, and no
// two are the same.
func TestFailingRuns(t *testing.T) {
	runs := 0
	for seed := range uint64(120) {
		p := gen.Program(rand.New(rand.NewPCG(seed, 67)), gen.Config{Widths: []int{2}, Checks: ir.DefaultChecks})
		p.Checks = p.Checks.With(ir.CheckBounds, ir.CheckDiv)
		b := &bruteAngels{T: t, p: p, unwind: 2}
		if b.failing(seed, 16); len(b.runs) == 0 {
			continue
		}
		all, err := slice.FailingRuns(t.Context(), ssa.For(p), ssa.Config{Unwind: 2}, b.runs[0], 1000, sat.New())
		if err != nil {
			t.Fatal(err)
		}
		for i, m := range all {
			runs++
			if got := b.run(p, m.Input, 2); got != interp.Violated {
				t.Errorf("seed %d: a failing run is %v", seed, got)
			}
			if slices.ContainsFunc(all[:i], func(o ssa.Model) bool { return maps.Equal(o, m) }) {
				t.Errorf("seed %d: two runs are the same", seed)
			}
		}
	}
	if runs < 60 {
		t.Errorf("%d runs", runs)
	}
}
