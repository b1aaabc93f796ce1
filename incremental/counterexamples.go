package incremental

import (
	"slices"

	"github.com/go-amend/amend/formula"
	"github.com/go-amend/amend/incremental/cfa"
	"github.com/go-amend/amend/incremental/proof"
)

// This file keeps counterexamples to triples.

// A counterexample is an execution of one letter, which refutes triples:
// those whose precondition it satisfies before and whose postcondition it
// violates after. Unlike a list of invalid triples it needs no trust, since it is
// evaluated, and it tells something about predicates that are found later.
type counterexample struct {
	before []uint64 // by variable
	after  []uint64 // by position in the letter's Havoc
	hits   int      // triples refuted
}

// counterexamples holds, by letter, the executions known.
type counterexamples struct {
	t       *terms
	c       *cfa.Automaton
	all     [][]*counterexample
	ev      *formula.Evaluator
	current *counterexample
	letter  *cfa.Letter
}

func newCounterexamples(t *terms) *counterexamples {
	c := t.c
	s := &counterexamples{t: t, c: c, all: make([][]*counterexample, len(c.Letters))}
	s.ev = formula.NewEvaluator(c.Store, func(v formula.Term) uint64 {
		if i, ok := t.index[v]; ok {
			return s.current.before[i]
		}
		for i, h := range s.letter.Havoc {
			if t.prime[h] == v {
				return s.current.after[i]
			}
		}
		return 0
	})
	return s
}

// at prepares to evaluate terms where x executes letter l.
func (s *counterexamples) at(l int, x *counterexample) {
	s.current, s.letter = x, s.c.Letters[l]
	s.ev.Reset()
}

func (s *counterexamples) holds(t formula.Term) bool { return s.ev.Eval(t) == 1 }

// add adds an execution of letter l, if it is one.
func (s *counterexamples) add(l int, x *counterexample) bool {
	s.at(l, x)
	if !s.holds(s.letter.Guard) {
		return false
	}
	s.all[l] = append(s.all[l], x)
	return true
}

// load adds the counterexamples of a proof. Those of letters that the program
// doesn't have are ignored, as are variables; one that is no execution is
// ignored too.
func (s *counterexamples) load(xs []proof.Counterexample) {
	number := make(map[string]int)
	for i, v := range s.c.Vars {
		number[v.Name] = i
	}
	for _, x := range xs {
		l, ok := s.c.Letter(x.Letter)
		if !ok || len(s.all[l]) >= maxCounterexamples {
			continue
		}
		y := s.empty(l)
		for name, v := range x.Before {
			if i, ok := number[name]; ok {
				y.before[i] = v
			}
		}
		for i, h := range s.c.Letters[l].Havoc {
			y.after[i] = x.After[s.c.Vars[h].Name]
		}
		s.add(l, y)
	}
}

func (s *counterexamples) empty(l int) *counterexample {
	return &counterexample{before: make([]uint64, len(s.c.Vars)), after: make([]uint64, len(s.c.Letters[l].Havoc))}
}

// maxCounterexamples is how many of one letter are kept in a proof.
const maxCounterexamples = 40

// save returns those worth keeping: for each letter the most useful.
func (s *counterexamples) save() []proof.Counterexample {
	var out []proof.Counterexample
	for l, xs := range s.all {
		order := slices.Clone(xs)
		slices.SortStableFunc(order, func(x, y *counterexample) int { return y.hits - x.hits })
		order = order[:min(len(order), maxCounterexamples)]
		for _, x := range order {
			if x.hits > 0 {
				out = append(out, s.text(l, x))
			}
		}
	}
	return out
}

// text returns x, an execution of letter l, in the form of proofs.
func (s *counterexamples) text(l int, x *counterexample) proof.Counterexample {
	letter := s.c.Letters[l]
	y := proof.Counterexample{Letter: letter.Text, Before: make(map[string]uint64), After: make(map[string]uint64)}
	for i, v := range x.before {
		if v != 0 {
			y.Before[s.c.Vars[i].Name] = v
		}
	}
	for i, h := range letter.Havoc {
		if x.after[i] != 0 {
			y.After[s.c.Vars[h].Name] = x.after[i]
		}
	}
	return y
}
