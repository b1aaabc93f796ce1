package sequentialize_test

import (
	"context"
	"fmt"
	"maps"
	"math/bits"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/mutate"
	"github.com/go-amend/amend/mutate/scheme"
	"github.com/go-amend/amend/sequentialize"
	"github.com/go-amend/amend/ssa/bmc"
)

// TestFences compares the repairs of random litmus programs by fences with all
// minimal sets of fences, by a machine with store buffers.
func TestFences(t *testing.T) {
	programs := 12
	if testing.Short() {
		programs = 4
	}
	fencesAgree(t, 3, programs)
}

func fencesAgree(t *testing.T, stream uint64, programs int) {
	sets := 0
	for seed := uint64(0); programs > 0; seed++ {
		rnd := rand.New(rand.NewPCG(seed, stream))
		l := randomLitmus(rnd)
		m := []ir.Memory{ir.TSO, ir.PSO}[seed%2]
		text := strings.Join(l, " ")
		if len(strings.Fields(text)) > 7 || strings.Contains(text, "z=") { // z need not be shared
			continue
		}
		late, ordinary := l.ends(m), l.ends(ir.SC)
		maps.DeleteFunc(late, func(e string, _ bool) bool { return ordinary[e] })
		if len(late) == 0 {
			continue
		}
		programs--
		end := slices.Sorted(maps.Keys(late))[rnd.IntN(len(late))]
		want, got := l.minimal(t, end, m), fenced(t, l.source(end[:len(end)-2], end[len(end)-2:]), m)
		sets += len(want)
		if !maps.Equal(got, want) {
			t.Errorf("seed %d, %v: repairs\n%s\nwant\n%s", seed, m, list(got), list(want))
		}
	}
	if sets == 0 {
		t.Error("no repairs")
	}
	t.Log(sets, "repairs")
}

// ends returns how l may end under m.
func (l litmus) ends(m ir.Memory) map[string]bool {
	machine := &storeBuffers{program: l, model: m, ends: make(map[string]bool), seen: make(map[string]bool)}
	machine.run(newBuffered(len(l)))
	return machine.ends
}

// with returns l with fences after the operations in the set.
func (l litmus) with(set uint) (out litmus) {
	n := 0
	for _, thread := range l {
		var ops []string
		for _, op := range strings.Fields(thread) {
			if ops = append(ops, op); op == "f" {
				continue
			}
			if set>>n&1 == 1 {
				ops = append(ops, "f")
			}
			n++
		}
		out = append(out, strings.Join(ops, " "))
	}
	return out
}

// minimal returns l with each minimal set of up to three fences that rules out the
// end under m.
func (l litmus) minimal(t *testing.T, end string, m ir.Memory) map[string]bool {
	places := len(strings.Fields(strings.ReplaceAll(strings.Join(l, " "), "f", "")))
	var sets []uint
	for n := range 4 {
		for set := range uint(1) << places {
			contains := func(s uint) bool { return s&set == s }
			if bits.OnesCount(set) == n && !slices.ContainsFunc(sets, contains) && !l.with(set).ends(m)[end] {
				sets = append(sets, set)
			}
		}
	}
	out := make(map[string]bool)
	for _, set := range sets {
		p, err := ir.Parse("p.ir", []byte(l.with(set).source(end[:len(end)-2], end[len(end)-2:])))
		if err != nil {
			t.Fatal(err)
		}
		out[p.String()] = true
	}
	return out
}

// fenced returns the repairs of the program by up to three fences.
func fenced(t *testing.T, source string, m ir.Memory) map[string]bool {
	p, err := ir.Parse("p.ir", []byte(source))
	if err != nil {
		t.Fatal(err)
	}
	out := make(map[string]bool)
	for x, err := range mutate.Repairs(t.Context(), p, mutate.Config{
		Operators: scheme.Fences(), MaxSize: 3, Decide: decideUnder(m),
		Hard:  func(s ir.Stmt) bool { return s.Span().Line > mainLine(source) },
		Parse: func(files []*ir.File) (*ir.Program, error) { return ir.Parse("p.ir", files[0].Content) },
	}) {
		if err != nil {
			t.Fatalf("%v\n%s", err, source)
		}
		out[x.Program.String()] = true
	}
	return out
}

func mainLine(source string) int {
	before, _, _ := strings.Cut(source, "proc main")
	return strings.Count(before, "\n") + 1
}

// decideUnder is a mutate.Config.Decide.
func decideUnder(m ir.Memory) func(context.Context, *ir.Program) (*bmc.Result, error) {
	return func(ctx context.Context, p *ir.Program) (*bmc.Result, error) {
		found, err := sequentialize.Check(ctx, p, sequentialize.Config{Memory: m})
		res := &bmc.Result{Decided: found.Decided, Complete: found.Complete, SATCalls: found.SATCalls}
		for i := range found.Violations {
			res.Violations = append(res.Violations, found.Violations[i].Violation)
		}
		return res, err
	}
}

// TestFencesOnly: changes that may add runs are for no search by whole programs.
func TestFencesOnly(t *testing.T) {
	p := parseLines(t, `var x i32 proc main() { x = 1 }`)
	_, err := mutate.New(p, mutate.Config{Operators: scheme.Locks(), Decide: decideUnder(ir.TSO)})
	if err == nil || !strings.Contains(fmt.Sprint(err), "may add runs") {
		t.Errorf("error %v", err)
	}
}
