package proof

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/go-amend/amend/formula"
	"github.com/go-amend/amend/formula/sat"
	"github.com/go-amend/amend/incremental/cfa"
	"github.com/go-amend/amend/incremental/internal/bitset"
	"github.com/go-amend/amend/ir"
)

// This file proves the triples of proofs: as relations between two states,
// not by substitution as the search does.

// ErrUncovered is in the error of Check for a proof that doesn't show the
// program to be right.
var ErrUncovered = errors.New("incremental: the proof does not cover the program")

// ErrTooLarge is in the error of Check for a proof that takes too long to
// check.
var ErrTooLarge = errors.New("incremental: the proof is too large to be checked")

var errGaveUp = errors.New("incremental: the SAT solver gave up")

// Check returns nil if proof shows that no run of p violates an assertion or
// check. Every triple is proved anew; those that are not valid, or not about
// p, count for nothing. It takes one query for each triple, to solvers that
// newSolver makes (nil: sat.New), and time linear in the product of p with
// the automata.
func Check(ctx context.Context, p *ir.Program, proof *Proof, newSolver func() sat.Solver) error {
	k, err := checkerOf(p, proof, newSolver)
	if err != nil {
		return err
	}
	return k.Check(ctx)
}

// checkerOf returns a checker of a proof about p.
func checkerOf(p *ir.Program, proof *Proof, newSolver func() sat.Solver) (*Checker, error) {
	if p == nil || proof == nil {
		return nil, errors.New("incremental: a check without a program or a proof")
	}
	automaton := cfa.New
	if proof.Abstract {
		automaton = cfa.NewAbstract
	}
	c, err := automaton(p)
	if err != nil {
		return nil, err
	}
	if proof.Blocks {
		c = c.Blocks()
	}
	k := NewChecker(c, newSolver)
	vars := c.Names()
	for _, a := range proof.Automata {
		if a != nil {
			k.Add(k.predicates(a, vars), a.Triples)
		}
	}
	return k, nil
}

// A Checker checks one proof about a control-flow automaton, whose predicates
// are given as terms.
type Checker struct {
	c        *cfa.Automaton
	automata []*automaton
	calls    int

	newSolver func() sat.Solver
	s         *formula.Solver
	first     int // clauses of its first query
	largest   int // states of a product

	number  map[formula.Term]int // of variables
	written []bitset.Set         // by letter: what it writes

	// The letter that is being checked.
	letter  *cfa.Letter
	after   map[formula.Term]formula.Term // the values after it of what it writes
	renamed *formula.Replacer             // by after
	defined bool                          // in s
}

// An automaton is one of a proof, of which only valid triples count.
type automaton struct {
	preds   []formula.Term // 0: not about the program
	over    []bitset.Set   // the variables of each
	triples [][]triple     // by letter
	states  []bitset.Set
	index   map[string]int32
	next    []map[int]int32
}

type triple struct {
	pre  bitset.Set
	post int
}

// NewChecker returns a checker of a proof without automata. NewSolver makes
// the solvers (nil: sat.New).
func NewChecker(c *cfa.Automaton, newSolver func() sat.Solver) *Checker {
	if newSolver == nil {
		newSolver = sat.New
	}
	k := &Checker{c: c, newSolver: newSolver, number: make(map[formula.Term]int)}
	for i, v := range c.Vars {
		k.number[v.Term] = i
	}
	for _, l := range c.Letters {
		s := bitset.New(len(c.Vars))
		for _, v := range l.Written() {
			s.Add(v)
		}
		k.written = append(k.written, s)
	}
	return k
}

// Add adds an automaton with predicates, propositions over the variables of
// the control-flow automaton. A predicate that is 0, and triples that are
// about one or about letters that the program doesn't have, count for
// nothing.
func (k *Checker) Add(preds []formula.Term, triples []Triple) {
	m := &automaton{preds: preds, triples: make([][]triple, len(k.c.Letters)), index: make(map[string]int32)}
	for _, p := range preds {
		over := bitset.New(len(k.c.Vars))
		if p != 0 {
			for _, v := range k.c.Store.Vars(nil, p) {
				if i, ok := k.number[v]; ok {
					over.Add(i)
				}
			}
		}
		m.over = append(m.over, over)
	}
	m.state(bitset.New(len(preds)))
	for _, x := range triples {
		if l, ok := k.c.Letter(x.Letter); ok && m.about(x) {
			t := triple{bitset.New(len(preds)), x.Post}
			for _, i := range x.Pre {
				t.pre.Add(i)
			}
			m.triples[l] = append(m.triples[l], t)
		}
	}
	k.automata = append(k.automata, m)
}

// about reports whether m has the predicates of x.
func (m *automaton) about(x Triple) bool {
	has := func(i int) bool { return i >= 0 && i < len(m.preds) && m.preds[i] != 0 }
	return (x.Post == False || has(x.Post)) && !slices.ContainsFunc(x.Pre, func(i int) bool { return !has(i) })
}

// predicates returns a's predicates as far as they are about the program.
func (k *Checker) predicates(a *Automaton, vars map[string]formula.Term) []formula.Term {
	out := make([]formula.Term, len(a.Predicates))
	for i, text := range a.Predicates {
		if x, err := k.c.Store.Parse(text, vars); err == nil && k.c.Store.Width(x) == 1 {
			out[i] = x
		}
	}
	return out
}

// Calls returns the number of queries so far.
func (k *Checker) Calls() int { return k.calls }

// Check proves all triples and that they cover the program, as the function
// Check does.
func (k *Checker) Check(ctx context.Context) error {
	for l := range k.c.Letters {
		if err := k.checkLetter(ctx, l); err != nil {
			return err
		}
	}
	return k.cover(ctx)
}

// checkLetter proves the triples over letter l and drops those that are not
// valid. One query for each: a query for all of them took up to twenty times
// as long where arithmetic is involved.
func (k *Checker) checkLetter(ctx context.Context, l int) (err error) {
	k.enter(k.c.Letters[l])
	for _, m := range k.automata {
		m.triples[l] = slices.DeleteFunc(m.triples[l], func(t triple) bool {
			ok := false
			if err == nil {
				ok, err = k.valid(ctx, m, t)
			}
			return !ok
		})
	}
	return err
}

// enter makes variables for the values after letter l of what it writes.
func (k *Checker) enter(l *cfa.Letter) {
	k.letter, k.defined = l, false
	k.after = make(map[formula.Term]formula.Term)
	for _, v := range l.Written() {
		x := k.c.Vars[v]
		k.after[x.Term] = k.c.Store.Var(k.c.Store.Width(x.Term), x.Name+"'")
	}
	k.renamed = formula.NewReplacer(k.c.Store, func(v formula.Term) formula.Term { return cmp.Or(k.after[v], v) })
}

// valid reports whether m's triple t over the letter is valid: no two states
// of which the letter leads from one to the other violate it.
func (k *Checker) valid(ctx context.Context, m *automaton, t triple) (bool, error) {
	st := k.c.Store
	before, after := st.True(), st.False()
	t.pre.Each(func(i int) { before = st.And(before, m.preds[i]) })
	if t.post != False {
		after = k.renamed.Replace(m.preds[t.post])
	}
	if k.byAlgebra(before, after) {
		return true, nil
	}
	k.calls++
	switch status, err := k.solver().Check(ctx, k.letter.Guard, before, st.Not(after)); status {
	case sat.Unsat:
		return true, nil
	case sat.Sat:
		return false, nil
	default:
		return false, cmp.Or(err, errGaveUp)
	}
}

// maxClauses is how many clauses a solver may hold, beside those of its first
// query, before the next one gets a new solver; solvers that live on save
// translating terms.
const maxClauses = 3000

// solver returns a solver in which the variables for the values after the
// letter are those that it assigns. Those that a havoc gives are any.
func (k *Checker) solver() *formula.Solver {
	switch {
	case k.s == nil || k.s.Stats().Clauses > 2*k.first+maxClauses:
		k.s, k.defined, k.first = formula.NewSolver(k.c.Store, k.newSolver()), false, 0
	case k.s.Stats().Checks == 1:
		k.first = k.s.Stats().Clauses
	}
	if !k.defined {
		k.defined = true
		for i, v := range k.letter.Vars {
			k.s.Define(k.after[k.c.Vars[v].Term], k.letter.Values[i])
		}
	}
	return k.s
}
