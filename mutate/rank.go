package mutate

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"unicode/utf8"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/interp"
	"github.com/go-amend/amend/ssa"
)

// This file puts repairs of one size in order.

// A Rank says how plausible a repair is beside others of its size. All are
// right by what is asserted; people want the likely one first. What counts
// is, in this order: the kind of change, how many sampled runs that passed
// before keep their results, how many keep their path, for how few events
// threads hold mutexes, and how little of the text changes.
//
// The samples are inputs on which the original's run ends without a
// violation: those that differ from the failing input in one choice, and
// random ones. They don't depend on the search.
type Rank struct {
	Cost     int // of all operators
	Samples  int // sampled passing runs
	Results  int // of these, those with the same results
	Paths    int // of these, those that execute the same statements too
	Held     int // events in sampled runs whose thread holds a mutex
	Distance int // edit distance between the changed text and what it was
}

// Compare returns a negative number if a is more plausible than b, and a
// positive one if it is less.
func (a Rank) Compare(b Rank) int {
	return cmp.Or(a.Cost-b.Cost, b.Results-a.Results, b.Paths-a.Paths, a.Held-b.Held, a.Distance-b.Distance)
}

// Over says why a is more plausible than b, or "" if it isn't.
func (a Rank) Over(b Rank) string {
	switch {
	case a.Compare(b) >= 0:
		return ""
	case a.Cost != b.Cost:
		return "a plainer kind of change"
	case a.Results != b.Results:
		return fmt.Sprintf("%d of %d sampled passing runs keep their results", a.Results, a.Samples)
	case a.Paths != b.Paths:
		return fmt.Sprintf("%d of %d sampled passing runs keep their path", a.Paths, a.Samples)
	case a.Held != b.Held:
		return "threads hold mutexes for fewer events"
	}
	return "less text changes"
}

const (
	maxSamples  = 24
	sampleTries = 200
	sampleSteps = 100_000
)

// A ranker ranks the repairs of one program.
type ranker struct {
	r       *run
	samples []sample
}

// A sample is a run of the original that passes.
type sample struct {
	input func(ir.Choice) uint64
	trace *interp.Trace
}

// newRanker samples runs of r's program.
func newRanker(r *run) (*ranker, error) {
	k := &ranker{r: r}
	trace, err := k.run(r.orig, r.first.model.Input, 0)
	if err != nil {
		return nil, err
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for i := 0; i < sampleTries && len(k.samples) < maxSamples; i++ {
		m := make(ssa.Model)
		for j, in := range trace.Inputs {
			m[in.Choice] = in.Value
			if i%2 == 1 || j == i/2%len(trace.Inputs) {
				m[in.Choice] = randomValue(rng, in)
			}
		}
		t, err := k.run(r.orig, m.Input, 0)
		if err != nil {
			return nil, err
		}
		if t.Outcome == interp.Ended {
			k.samples = append(k.samples, sample{m.Input, t})
		}
		if len(trace.Inputs) == 0 {
			break
		}
	}
	return k, nil
}

// randomValue returns a value for in, small ones and those close to in's
// rather than others.
func randomValue(rng *rand.Rand, in interp.Input) uint64 {
	switch v := in.Value; rng.IntN(4) {
	case 0:
		return ir.Wrap(in.Type, v+rng.Uint64N(5)-2)
	case 1:
		return ir.Wrap(in.Type, rng.Uint64N(8)-2)
	case 2:
		return ir.Wrap(in.Type, rng.Uint64()>>rng.IntN(64))
	}
	return ir.Wrap(in.Type, rng.Uint64())
}

func (k *ranker) run(p *ir.Program, input func(ir.Choice) uint64, slack int) (*interp.Trace, error) {
	return k.r.cfg.Semantics.Run(k.r.ctx, p, interp.Config{
		Input: input, Unwind: k.r.cfg.Unwind + slack, Loops: k.r.loops(slack), MaxSteps: sampleSteps, Schedule: k.r.numbering(),
	})
}

// rank fills in x's Rank.
func (k *ranker) rank(x *Repair) error {
	x.Rank = Rank{Samples: len(k.samples)}
	for _, c := range x.Changes {
		x.Rank.Cost += c.cost
	}
	for _, e := range x.Patch {
		x.Rank.Distance += distance(e.Old, e.New)
	}
	for _, s := range k.samples {
		t, err := k.run(x.Program, s.input, k.r.cfg.Slack)
		if err != nil {
			return err
		}
		x.Rank.Held += heldEvents(x.Program, t)
		if t.Outcome != interp.Ended || !slices.Equal(t.Results, s.trace.Results) {
			continue
		}
		x.Rank.Results++
		if samePath(t.Steps, s.trace.Steps) {
			x.Rank.Paths++
		}
	}
	return nil
}

// heldEvents returns how many events of t, a run of p, belong to a thread that holds
// a mutex, but for taking and freeing it.
func heldEvents(p *ir.Program, t *interp.Trace) int {
	if len(t.Events) == 0 {
		return 0
	}
	stmts := make(map[ir.LocID]ir.Stmt) // what an event of a lock is a part of
	p.Stmts(func(_ *ir.Proc, s ir.Stmt) { stmts[s.Key()] = s })
	held, waits := make(map[int]int), make(map[int]bool)
	n := 0
	for i := range t.Events {
		e := &t.Events[i]
		if e.Stmt == nil {
			continue
		}
		switch s := stmts[e.Stmt.Key()].(type) {
		case *ir.Lock:
			if !s.Try {
				held[e.Thread]++
			}
		case *ir.Unlock:
			held[e.Thread]--
		case *ir.Wait: // two events
			if waits[e.Thread] = !waits[e.Thread]; waits[e.Thread] {
				held[e.Thread]--
			} else {
				held[e.Thread]++
			}
		default:
			if held[e.Thread] > 0 {
				n++
			}
		}
	}
	return n
}

func samePath(a, b []interp.Step) bool {
	return slices.EqualFunc(a, b, func(x, y interp.Step) bool { return x.At == y.At && x.Path == y.Path })
}

// distance returns the edit distance of two texts, in characters.
func distance(a, b string) int {
	row := make([]int, utf8.RuneCountInString(b)+1)
	for j := range row {
		row[j] = j
	}
	for _, x := range a {
		left := row[0]
		row[0]++
		j := 0
		for _, y := range b {
			up := left
			left = row[j+1]
			if x != y {
				up++
			}
			row[j+1] = min(up, left+1, row[j]+1)
			j++
		}
	}
	return row[len(row)-1]
}
