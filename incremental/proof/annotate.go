package proof

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"github.com/go-amend/amend/formula"
	"github.com/go-amend/amend/formula/sat"
	"github.com/go-amend/amend/incremental/cfa"
	"github.com/go-amend/amend/ir"
)

// This file says what a proof annotates locations with: a Floyd-Hoare proof of
// the whole program, in the place of one for each set of traces.

// An Annotated is a control-flow automaton with what a proof says of its states.
type Annotated struct {
	C *cfa.Automaton

	// Cases holds, by state, conjunctions of propositions over C's variables:
	// whenever a run is at the state, those of one case all hold. A state that no
	// run reaches has none. The cases together are inductive, and no case leads to
	// the error.
	Cases [][][]formula.Term
}

// ErrTooManyCases is in the error of Annotate for a proof whose automata can't be
// made one that is small enough to be read.
var ErrTooManyCases = errors.New("incremental: the proof has too many cases")

// maxCases bounds the cases of all states together.
const maxCases = 20_000

// Annotate returns what a proof says of p's locations, once Check's checks have
// found it to be one.
func Annotate(ctx context.Context, p *ir.Program, proof *Proof, newSolver func() sat.Solver) (*Annotated, error) {
	k, err := checkerOf(p, proof, newSolver)
	if err != nil {
		return nil, err
	}
	if err := k.Check(ctx); err != nil {
		return nil, err
	}
	return k.annotate(ctx)
}

// A together is a state of the product of all automata.
type together struct {
	at     int
	states []int32 // of the automata
}

func (x *together) key() string {
	key := binary.LittleEndian.AppendUint32(nil, uint32(x.at))
	for _, q := range x.states {
		key = binary.LittleEndian.AppendUint32(key, uint32(q))
	}
	return string(key)
}

// annotate returns the cases of all states: those of the product of all
// automata. A state in which one of them accepts is not reached by any run.
func (k *Checker) annotate(ctx context.Context) (*Annotated, error) {
	out := &Annotated{C: k.c, Cases: make([][][]formula.Term, len(k.c.Edges))}
	if k.annotateSingly(out) {
		return out, nil
	}
	first := &together{k.c.Start, make([]int32, len(k.automata))}
	seen := map[string]bool{first.key(): true}
	number := make(map[formula.Term]int)
	for todo := []*together{first}; len(todo) > 0; {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		x := todo[0]
		todo = todo[1:]
		out.Cases[x.at] = append(out.Cases[x.at], k.held(x, number))
		for _, e := range k.c.Edges[x.at] {
			y, ok := k.stepAll(x, e)
			if !ok || seen[y.key()] {
				continue
			}
			if y.at == k.c.Error {
				return nil, ErrUncovered
			}
			if seen[y.key()] = true; len(seen) > maxCases {
				return nil, fmt.Errorf("%w: more than %d", ErrTooManyCases, maxCases)
			}
			todo = append(todo, y)
		}
	}
	for s := range out.Cases {
		out.Cases[s] = weakest(out.Cases[s])
	}
	return out, nil
}

// annotateSingly reports whether it suffices to know for each state what holds in
// all cases, and gives each its only case if so.
func (k *Checker) annotateSingly(out *Annotated) bool {
	held := make([]*together, len(k.c.Edges))
	held[k.c.Start] = &together{k.c.Start, make([]int32, len(k.automata))}
	for todo := []int{k.c.Start}; len(todo) > 0; {
		x := held[todo[len(todo)-1]]
		todo = todo[:len(todo)-1]
		for _, e := range k.c.Edges[x.at] {
			y, ok := k.stepAll(x, e)
			switch {
			case !ok:
				continue
			case e.To == k.c.Error:
				return false
			case held[e.To] == nil:
				held[e.To] = y
			case !k.weaken(held[e.To], y):
				continue
			}
			todo = append(todo, e.To)
		}
	}
	number := make(map[formula.Term]int)
	for s, x := range held {
		if x != nil {
			out.Cases[s] = [][]formula.Term{k.held(x, number)}
		}
	}
	return true
}

// weaken takes from x what doesn't hold in y, and reports whether that was
// anything.
func (k *Checker) weaken(x, y *together) bool {
	less := false
	for i, m := range k.automata {
		if a, b := m.states[x.states[i]], m.states[y.states[i]]; !a.In(b) {
			x.states[i] = m.state(a.Intersect(b))
			less = true
		}
	}
	return less
}

// held returns the predicates that hold in x, in order and each once.
func (k *Checker) held(x *together, number map[formula.Term]int) []formula.Term {
	var out []formula.Term
	for i, m := range k.automata {
		m.states[x.states[i]].Each(func(j int) {
			if number[m.preds[j]] == 0 {
				number[m.preds[j]] = len(number) + 1
			}
			out = append(out, m.preds[j])
		})
	}
	slices.SortFunc(out, func(a, b formula.Term) int { return number[a] - number[b] })
	return slices.Compact(out)
}

// stepAll returns the state after x by e, unless an automaton accepts.
func (k *Checker) stepAll(x *together, e cfa.Edge) (*together, bool) {
	y := &together{e.To, make([]int32, len(k.automata))}
	for i, m := range k.automata {
		if y.states[i] = k.step(m, x.states[i], e.Letter); y.states[i] == accepting {
			return nil, false
		}
	}
	return y, true
}

// weakest returns cases without those that say more than another.
func weakest(cases [][]formula.Term) [][]formula.Term {
	in := func(a, b []formula.Term) bool {
		return !slices.ContainsFunc(a, func(x formula.Term) bool { return !slices.Contains(b, x) })
	}
	var out [][]formula.Term
	for i, c := range cases {
		stronger := slices.ContainsFunc(out, func(d []formula.Term) bool { return in(d, c) }) ||
			slices.ContainsFunc(cases[i+1:], func(d []formula.Term) bool { return len(d) < len(c) && in(d, c) })
		if !stronger {
			out = append(out, c)
		}
	}
	return out
}
