package incremental

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/go-amend/amend/formula"
	"github.com/go-amend/amend/formula/sat"
	"github.com/go-amend/amend/ir"
)

// This file checks proofs. It shares the control-flow automaton with the
// search and nothing else: triples are proved as relations between two
// states, not by substitution; and the program is
// covered if the plain product of its control flow with all automata never
// gets to the error, without differences, trimming or quotients.

// ErrUncovered is in the error of CheckProof for a proof that doesn't show
// the program to be right.
var ErrUncovered = errors.New("incremental: the proof does not cover the program")

// CheckProof returns nil if proof shows that no run of p violates an
// assertion or check. Every triple is proved anew; those that are not valid,
// or not about p, count for nothing. It takes one query for each triple, and time
// linear in the product of p with the automata.
func CheckProof(ctx context.Context, p *ir.Program, proof *Proof) error {
	c, err := NewCFA(p)
	if err != nil {
		return err
	}
	_, err = checkProof(ctx, c, proof, sat.New)
	return err
}

// certify has CheckProof look at the proof that res has found. Where it
// fails, triples that came from a file were false: then the search starts
// anew and checks each at its first use.
func (e *engine) certify(ctx context.Context, res *Result) (*Result, error) {
	sub := &Proof{}
	for _, f := range e.used {
		sub.Automata = append(sub.Automata, f.save(true))
	}
	calls, err := checkProof(ctx, e.c, sub, e.cfg.NewSolver)
	e.stats.CheckCalls += calls
	switch {
	case err == nil:
		res.Stats = e.total()
		return res, nil
	case ctx.Err() != nil:
		return &Result{Reason: reasonOf(ctx), Proof: res.Proof, Stats: e.total()}, err
	case !e.trusting:
		return &Result{Reason: "certificate", Proof: res.Proof, Stats: e.total()}, err
	}
	e.hoare = nil
	res, err = e.attempt(ctx, false)
	if res.Status == Proved && err == nil {
		return e.certify(ctx, res)
	}
	return res, err
}

// A checker checks one proof.
type checker struct {
	c      *CFA
	proofs []*checked
	calls  int

	newSolver func() sat.Solver
	s         *formula.Solver

	// The letter that is being checked.
	letter  *Letter
	after   map[formula.Term]formula.Term // the values after it of what it writes
	defined bool                          // in s
}

// A checked is an automaton of which only valid triples count.
type checked struct {
	preds   []formula.Term
	triples [][]checkedTriple // by letter
	states  []set
	number  map[string]int32
	next    []map[int]int32
}

type checkedTriple struct {
	pre  set
	post int
}

func checkProof(ctx context.Context, c *CFA, proof *Proof, newSolver func() sat.Solver) (calls int, err error) {
	k := &checker{c: c, newSolver: newSolver}
	vars := c.varTerms()
	for _, a := range proof.Automata {
		k.proofs = append(k.proofs, k.read(a, vars))
	}
	for l := range c.Letters {
		if err := k.checkLetter(ctx, l); err != nil {
			return k.calls, err
		}
	}
	return k.calls, k.cover(ctx)
}

// read returns a's predicates and triples as far as they are about the
// program.
func (k *checker) read(a *Automaton, vars map[string]formula.Term) *checked {
	m := &checked{
		preds:   make([]formula.Term, len(a.Predicates)),
		triples: make([][]checkedTriple, len(k.c.Letters)),
		number:  make(map[string]int32),
	}
	for i, text := range a.Predicates {
		if x, err := parseTerm(k.c.Store, vars, text); err == nil && k.c.Store.Width(x) == 1 {
			m.preds[i] = x
		}
	}
	has := func(i int) bool { return i >= 0 && i < len(m.preds) && m.preds[i] != 0 }
	for _, x := range a.Triples {
		l, ok := k.c.byText[x.Letter]
		if !ok || x.Post != False && !has(x.Post) || slices.ContainsFunc(x.Pre, func(i int) bool { return !has(i) }) {
			continue
		}
		t := checkedTriple{newSet(len(m.preds)), x.Post}
		for _, i := range x.Pre {
			t.pre.add(i)
		}
		m.triples[l] = append(m.triples[l], t)
	}
	m.state(newSet(len(m.preds)))
	return m
}

func (m *checked) state(s set) int32 {
	key := s.key()
	i, ok := m.number[key]
	if !ok {
		i = int32(len(m.states))
		m.number[key] = i
		m.states = append(m.states, s)
		m.next = append(m.next, make(map[int]int32))
	}
	return i
}

// checkLetter proves the triples over letter l and drops those that are not
// valid. One query for each: a query for all of them took up to twenty times
// as long where arithmetic is involved.
func (k *checker) checkLetter(ctx context.Context, l int) (err error) {
	letter := k.c.Letters[l]
	k.letter, k.defined = letter, false
	k.after = make(map[formula.Term]formula.Term)
	for _, vs := range [...][]int{letter.Vars, letter.Havoc} {
		for _, v := range vs {
			x := k.c.Vars[v]
			k.after[x.Term] = k.c.Store.Var(k.c.Store.Width(x.Term), x.Name+"'")
		}
	}
	for _, m := range k.proofs {
		m.triples[l] = slices.DeleteFunc(m.triples[l], func(t checkedTriple) bool {
			ok := false
			if err == nil {
				ok, err = k.valid(ctx, m, t)
			}
			return !ok
		})
	}
	return err
}

// valid reports whether m's triple t over the letter is valid: no two states
// of which the letter leads from one to the other violate it.
func (k *checker) valid(ctx context.Context, m *checked, t checkedTriple) (bool, error) {
	st := k.c.Store
	before, after := st.True(), st.False()
	t.pre.each(func(i int) { before = st.And(before, m.preds[i]) })
	if t.post != False {
		after = k.c.terms.replace(m.preds[t.post], k.after)
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

// solver returns a solver in which the variables for the values after the
// letter are those that it assigns. Those that a havoc gives are any.
func (k *checker) solver() *formula.Solver {
	if k.s == nil || k.s.Stats().Clauses > reuseLimit {
		k.s, k.defined = formula.NewSolver(k.c.Store, k.newSolver()), false
	}
	if !k.defined {
		k.defined = true
		for i, v := range k.letter.Vars {
			k.s.Define(k.after[k.c.Vars[v].Term], k.letter.Values[i])
		}
	}
	return k.s
}

// step returns the state of m after letter l.
func (k *checker) step(m *checked, q int32, l int) int32 {
	if to, ok := m.next[q][l]; ok {
		return to
	}
	s, letter := m.states[q], k.c.Letters[l]
	to := newSet(len(m.preds))
	s.each(func(i int) {
		if !k.c.terms.mentions(m.preds[i]).meets(letter.writes) {
			to.add(i)
		}
	})
	r := int32(accepting - 1)
	for _, t := range m.triples[l] {
		switch {
		case !t.pre.in(s):
		case t.post == False:
			r = accepting
		default:
			to.add(t.post)
		}
	}
	if r != accepting {
		r = m.state(to)
	}
	m.next[q][l] = r
	return r
}

// maxProduct bounds the states of the product.
const maxProduct = 2_000_000

// cover explores the product of the program with the automata. A trace that
// one of them accepts is infeasible, whatever follows.
func (k *checker) cover(ctx context.Context) error {
	width := 1 + len(k.proofs)
	states := make([]int32, width)
	states[0] = int32(k.c.Start)
	index := map[string]bool{key(states): true}
	for i := 0; i < len(states); i += width {
		if i%(4096*width) == 0 && ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if i/width > maxProduct {
			return fmt.Errorf("%w: the product has more than %d states", ErrUncovered, maxProduct)
		}
	edges:
		for _, e := range k.c.Edges[states[i]] {
			states = append(states, int32(e.To))
			for j, m := range k.proofs {
				q := k.step(m, states[i+1+j], e.Letter)
				if q == accepting {
					states = states[:len(states)-1-j]
					continue edges
				}
				states = append(states, q)
			}
			if e.To == k.c.Error {
				return fmt.Errorf("%w: a trace is left that ends with %s", ErrUncovered, k.c.Letters[e.Letter].Text)
			}
			if x := key(states[len(states)-width:]); index[x] {
				states = states[:len(states)-width]
			} else {
				index[x] = true
			}
		}
	}
	return nil
}

// key returns xs as a key of maps.
func key(xs []int32) string {
	b := make([]byte, 0, 4*len(xs))
	for _, x := range xs {
		b = append(b, byte(x), byte(x>>8), byte(x>>16), byte(x>>24))
	}
	return string(b)
}
