package incremental

import (
	"math/rand/v2"
	"testing"

	"github.com/go-amend/amend/formula"
	"github.com/go-amend/amend/formula/sat"
	"github.com/go-amend/amend/incremental/cfa"
	"github.com/go-amend/amend/incremental/internal/bitset"
	"github.com/go-amend/amend/incremental/proof"
)

// walk calls f with all traces of c to its error of at most n letters.
func walk(c *cfa.Automaton, at int, trace []int, n int, f func([]int)) {
	if at == c.Error {
		f(trace)
		return
	}
	if n == 0 {
		return
	}
	for _, e := range c.Edges[at] {
		walk(c, e.To, append(trace, e.Letter), n-1, f)
	}
}

// infeasible reports whether the triples of f that it uses, and the frame rule,
// say that trace is infeasible.
func infeasible(f *hoareAutomaton, trace []int) bool {
	held := make([]bool, len(f.preds))
	for _, l := range trace {
		next := make([]bool, len(f.preds))
		for i := range held {
			next[i] = held[i] && f.e.t.frame(l, f.preds[i])
		}
		for _, x := range f.triples[l] {
			all := x.used
			for _, i := range x.pre.List() {
				all = all && held[i]
			}
			switch {
			case all && x.post == proof.False:
				return true
			case all:
				next[x.post] = true
			}
		}
		held = next
	}
	return false
}

// TestNeedOnly takes triples made at random from automata, and wants them to
// accept the traces of a program that they accepted, by a look at each.
func TestNeedOnly(t *testing.T) {
	p := parse(t, `
proc main(n u8) {
	var i u8 = 0
	var k u8 = 7
	while i < n {
		i++
		if k > i { k = 3 }
		assert k != 5
	}
	assert i == n
}`)
	c, err := cfa.New(p)
	if err != nil {
		t.Fatal(err)
	}
	e := newEngine(p, c, &Config{NewSolver: sat.New}, &meter{store: c.Store})
	rng := rand.New(rand.NewPCG(3, 1))
	before, after, traces := 0, 0, 0
	for range 200 {
		var preds []formula.Term
		for range 6 {
			v := e.t.vars[rng.IntN(len(e.t.vars))]
			preds = append(preds, c.Store.Eq(v, c.Store.Const(c.Store.Width(v), uint64(rng.IntN(2)))))
		}
		f := e.newHoareAutomaton(preds)
		for l := range c.Letters {
			for range 3 + rng.IntN(3) {
				x := triple{pre: bitset.New(len(preds)), post: rng.IntN(len(preds)+1) - 1, used: true}
				for range rng.IntN(3) {
					x.pre.Add(rng.IntN(len(preds)))
				}
				f.triples[l] = append(f.triples[l], x)
			}
		}
		accepted := make(map[string]bool)
		key := func(trace []int) string {
			var b []byte
			for _, l := range trace {
				b = append(b, byte(l))
			}
			return string(b)
		}
		walk(c, c.Start, nil, 14, func(trace []int) { accepted[key(trace)] = infeasible(f, trace) })
		before += f.uses()
		f.needOnly(errorTraces(c, true).trim(), maxDemands)
		after += f.uses()
		walk(c, c.Start, nil, 14, func(trace []int) {
			traces++
			if got := infeasible(f, trace); got != accepted[key(trace)] {
				t.Fatalf("%v: accepted is %v, want %v", trace, got, !got)
			}
		})
	}
	t.Logf("%d triples, %d needed; %d traces", before, after, traces)
	if 2*after > before || traces == 0 {
		t.Errorf("%d of %d triples are needed, of %d traces", after, before, traces)
	}
}
