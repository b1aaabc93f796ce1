package incremental

import (
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
// states, not by substitution, one query for each letter; and the program is
// covered if the plain product of its control flow with all automata never
// gets to the error, without differences, trimming or quotients.

// ErrUncovered is in the error of CheckProof for a proof that doesn't show
// the program to be right.
var ErrUncovered = errors.New("incremental: the proof does not cover the program")

// CheckProof returns nil if proof shows that no run of p violates an
// assertion or check. Every triple is proved anew; those that are not valid,
// or not about p, count for nothing. It takes one query for each letter of p
// at least, and time linear in the product of p with the automata.
func CheckProof(ctx context.Context, p *ir.Program, proof *Proof) error {
	_, err := checkProof(ctx, p, proof, sat.NewGini)
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
	calls, err := checkProof(ctx, e.p, sub, e.cfg.NewSolver)
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
	s      *formula.Solver
	post   []formula.Term // by variable: its value after a letter
	calls  int
	proofs []*checked
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

func checkProof(ctx context.Context, p *ir.Program, proof *Proof, newSolver func() sat.Solver) (calls int, err error) {
	c, err := NewCFA(p)
	if err != nil {
		return 0, err
	}
	k := &checker{c: c, post: make([]formula.Term, len(c.Vars))}
	for i, v := range c.Vars {
		k.post[i] = c.Store.Var(c.Store.Width(v.Term), v.Name+"'")
	}
	vars := c.varTerms()
	for _, a := range proof.Automata {
		k.proofs = append(k.proofs, k.read(a, vars))
	}
	for l := range c.Letters {
		k.s = formula.NewSolver(c.Store, newSolver())
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

// checkLetter proves the triples over letter l, all at once, and drops those
// that are not valid.
func (k *checker) checkLetter(ctx context.Context, l int) error {
	k.s.Assert(k.relation(l))
	for {
		var wrong []formula.Term
		for _, m := range k.proofs {
			for _, t := range m.triples[l] {
				wrong = append(wrong, k.violated(m, l, t))
			}
		}
		some := k.c.Store.OrN(wrong...)
		if some == k.c.Store.False() {
			return nil
		}
		k.calls++
		switch status, err := k.s.Check(ctx, some); status {
		case sat.Unsat:
			return nil
		case sat.Unknown:
			return err
		}
		for _, m := range k.proofs {
			m.triples[l] = slices.DeleteFunc(m.triples[l], func(t checkedTriple) bool {
				return k.s.Value(k.violated(m, l, t)) == 1
			})
		}
	}
}

// relation returns the proposition that letter l leads from the values of
// the variables to those after it; what it doesn't write has no others.
func (k *checker) relation(l int) formula.Term {
	letter, st := k.c.Letters[l], k.c.Store
	r := letter.Guard
	for i, v := range letter.Vars {
		r = st.And(r, st.Eq(k.post[v], letter.Values[i]))
	}
	return r
}

// violated returns the proposition that t's predicates before letter l hold
// and the one after it doesn't.
func (k *checker) violated(m *checked, l int, t checkedTriple) formula.Term {
	st := k.c.Store
	x := st.True()
	t.pre.each(func(i int) { x = st.And(x, m.preds[i]) })
	if t.post == False {
		return x
	}
	after := make(map[formula.Term]formula.Term)
	for _, vs := range [...][]int{k.c.Letters[l].Vars, k.c.Letters[l].Havoc} {
		for _, v := range vs {
			after[k.c.Vars[v].Term] = k.post[v]
		}
	}
	return st.And(x, st.Not(k.c.terms.replace(m.preds[t.post], after)))
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
