package incremental

import (
	"context"

	"github.com/go-amend/amend/formula"
	"github.com/go-amend/amend/incremental/internal/bitset"
	"github.com/go-amend/amend/incremental/proof"
)

// This file defines the Floyd-Hoare automata of the search.

// A hoareAutomaton is a Floyd-Hoare automaton over the letters of one
// program. States are sets of predicates; transitions are computed when they
// are asked for, and are complete: a state goes to all predicates that hold.
// So it is deterministic and total, and its complement is free.
type hoareAutomaton struct {
	e        *engine
	preds    []formula.Term
	from     *proof.Automaton // what it was read from; nil if it is new
	renamed  bool             // from, with other constants: its triples are guesses
	added    Added
	alphabet []bool // by letter: whether it belongs to from's alphabet; nil if all do
	triples  [][]triple
	seen     [][]verdicts // by letter: what counterexamples say
	pres     [][]formula.Term
	states   []bitset.Set
	number   map[string]int32
	succ     []map[int]int32
	memory   []map[int]int32 // of recall
}

// A triple says that after a letter post holds if all of pre held before. It
// is valid once it is checked.
type triple struct {
	pre     bitset.Set
	post    int // or proof.False
	checked bool
	used    bool
}

// A verdicts says which triples a counterexample refutes: those with a
// precondition in holds and a postcondition in fails. proof.False fails always.
type verdicts struct {
	s            *counterexample
	holds, fails bitset.Set
}

func (e *engine) newHoareAutomaton(preds []formula.Term) *hoareAutomaton {
	n := len(e.c.Letters)
	f := &hoareAutomaton{
		e: e, preds: preds, triples: make([][]triple, n), seen: make([][]verdicts, n), pres: make([][]formula.Term, n),
		number: make(map[string]int32),
	}
	f.state(bitset.New(len(preds)))
	return f
}

// state returns the number of the state that s is.
func (f *hoareAutomaton) state(s bitset.Set) int32 {
	k := s.Key()
	i, ok := f.number[k]
	if !ok {
		i = int32(len(f.states))
		f.number[k] = i
		f.states = append(f.states, s)
		f.succ = append(f.succ, make(map[int]int32))
	}
	return i
}

// next returns the state after letter l.
func (f *hoareAutomaton) next(ctx context.Context, q int32, l int) (int32, error) {
	if t, ok := f.succ[q][l]; ok {
		return t, nil
	}
	s := f.states[q]
	t := int32(accepting)
	no, err := f.holds(ctx, s, l, proof.False)
	if err != nil {
		return 0, err
	}
	if !no {
		to := bitset.New(len(f.preds))
		for i := range f.preds {
			ok, err := f.holds(ctx, s, l, i)
			if err != nil {
				return 0, err
			}
			if ok {
				to.Add(i)
			}
		}
		t = f.state(to)
	}
	f.succ[q][l] = t
	return t, nil
}

// accepts reports whether f accepts the trace.
func (f *hoareAutomaton) accepts(ctx context.Context, trace []int) (bool, error) {
	q := int32(0)
	for _, l := range trace {
		var err error
		if q, err = f.next(ctx, q, l); q == accepting || err != nil {
			return q == accepting, err
		}
	}
	return false, nil
}

// holds reports whether the triple (s, l, post) is valid, as far as f may
// say so.
func (f *hoareAutomaton) holds(ctx context.Context, s bitset.Set, l, post int) (bool, error) {
	f.e.stats.Triples++
	letter := f.e.c.Letters[l]
	if f.added == AddNone && f.alphabet != nil && !f.alphabet[l] {
		return false, nil
	}
	if post == proof.False && letter.Guard == f.e.t.True() {
		return false, nil
	}
	if post != proof.False && f.e.t.frame(l, f.preds[post]) {
		// The frame rule: what is not written still holds. What did not hold
		// holds now only if the guard says so, since s holds all that follows
		// from it.
		if s.Has(post) || letter.Guard == f.e.t.True() {
			return s.Has(post), nil
		}
	}
	for i := range f.triples[l] {
		x := &f.triples[l][i]
		if x.post == post && x.pre.In(s) {
			if ok, err := f.trust(ctx, l, x); ok || err != nil {
				x.used = true
				return ok, err
			}
		}
	}
	if f.refuted(s, l, post) || f.added != AddAll && f.alphabet != nil && (f.added == AddNone || f.alphabet[l]) {
		return false, nil
	}
	return f.ask(ctx, s, l, post)
}

// trust reports whether the triple x, which may come from a file, is valid. If
// the proof is certified in the end that is not asked here: a false triple
// then only costs time.
func (f *hoareAutomaton) trust(ctx context.Context, l int, x *triple) (bool, error) {
	if x.checked || f.e.trusting && !f.renamed {
		return true, nil
	}
	ok, err := f.e.prove(ctx, f.conjuncts(x.pre), l, f.post(l, x.post))
	if x.checked = ok; !ok && err == nil {
		x.post = proof.False - 1 // never asked for
	}
	return ok, err
}

func (f *hoareAutomaton) conjuncts(s bitset.Set) []formula.Term {
	var out []formula.Term
	s.Each(func(i int) { out = append(out, f.preds[i]) })
	return out
}

// post returns the condition before letter l for the predicate post after.
func (f *hoareAutomaton) post(l, post int) formula.Term {
	if post == proof.False {
		return f.e.t.False()
	}
	if f.pres[l] == nil {
		f.pres[l] = make([]formula.Term, len(f.preds))
	}
	if f.pres[l][post] == 0 {
		f.pres[l][post] = f.e.t.precondition(l, f.preds[post])
	}
	return f.pres[l][post]
}

// refuted reports whether a counterexample shows that the triple is not valid.
func (f *hoareAutomaton) refuted(s bitset.Set, l, post int) bool {
	all := f.e.counterexamples.all[l]
	for i := len(f.seen[l]); i < len(all); i++ {
		f.seen[l] = append(f.seen[l], f.judge(l, all[i]))
	}
	for i := range f.seen[l] {
		v := &f.seen[l][i]
		if s.In(v.holds) && (post == proof.False || v.fails.Has(post)) {
			v.s.hits++
			return true
		}
	}
	return false
}

// judge evaluates the predicates before and after x, an execution of l.
func (f *hoareAutomaton) judge(l int, x *counterexample) verdicts {
	e := f.e
	e.counterexamples.at(l, x)
	v := verdicts{x, bitset.New(len(f.preds)), bitset.New(len(f.preds))}
	for i, p := range f.preds {
		if e.counterexamples.holds(p) {
			v.holds.Add(i)
		}
		if !e.counterexamples.holds(f.post(l, i)) {
			v.fails.Add(i)
		}
	}
	return v
}

// ask decides the triple by a query and remembers what it learns.
func (f *hoareAutomaton) ask(ctx context.Context, s bitset.Set, l, post int) (bool, error) {
	e := f.e
	if f.from != nil && e.meter.spent > shortTicks {
		if err := e.testShortly(ctx); err != nil {
			return false, err
		}
	}
	if e.hoare != nil {
		q := e.t.False()
		if post != proof.False {
			q = f.preds[post]
		}
		switch v, err := e.hoare.Triple(ctx, e.c, e.t.AndN(f.conjuncts(s)...), l, q); {
		case err != nil:
			return false, err
		case v == Invalid:
			return false, nil
		case v == Valid:
			f.triples[l] = append(f.triples[l], triple{pre: s, post: post, checked: true, used: true})
			return true, nil
		}
	}
	ok, err := e.prove(ctx, f.conjuncts(s), l, f.post(l, post))
	if err != nil {
		return false, err
	}
	if !ok {
		e.learn(l)
		return false, nil
	}
	pre := bitset.New(len(f.preds))
	s.Each(func(i int) {
		for _, c := range e.o.core {
			if c == f.preds[i] {
				pre.Add(i)
			}
		}
	})
	f.triples[l] = append(f.triples[l], triple{pre: pre, post: post, checked: true, used: true})
	return true, nil
}

// prove reports whether, where pre and the guard of letter l hold, post
// holds before it.
func (e *engine) prove(ctx context.Context, pre []formula.Term, l int, post formula.Term) (bool, error) {
	before := e.o.calls
	e.query = append(append(e.query[:0], e.t.Not(post), e.c.Letters[l].Guard), pre...)
	ok, err := e.implies(ctx, e.query[1:], post)
	e.stats.TripleCalls += e.o.calls - before
	return ok, err
}

// learn keeps the model of the last query as an execution of letter l.
func (e *engine) learn(l int) {
	x := e.counterexamples.empty(l)
	x.hits = 1
	for _, t := range e.query {
		e.t.mentions(t).Each(func(i int) { x.before[i] = e.o.value(e.t.vars[i]) })
	}
	for i, h := range e.c.Letters[l].Havoc {
		x.after[i] = e.o.value(e.t.after(h))
	}
	e.counterexamples.add(l, x)
}
