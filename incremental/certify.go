package incremental

import (
	"cmp"
	"context"
	"encoding/binary"
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
// covered if nothing of its control flow is left that gets to the error, once
// the traces that each automaton accepts are taken away, one automaton after
// the other. In between, what can't get to the error is left out, and states
// that read the same become one: the product with all automata at once has
// states in the number of theirs multiplied. The search does the same in code
// of its own.

// ErrUncovered is in the error of CheckProof for a proof that doesn't show
// the program to be right.
var ErrUncovered = errors.New("incremental: the proof does not cover the program")

// errTooLarge is in the error of CheckProof for a proof that takes too long to
// check.
var errTooLarge = errors.New("incremental: the proof is too large to be checked")

// CheckProof returns nil if proof shows that no run of p violates an
// assertion or check. Every triple is proved anew; those that are not valid,
// or not about p, count for nothing. It takes one query for each triple, to
// solvers that newSolver makes (nil: sat.New), and time linear in the
// product of p with the automata.
func CheckProof(ctx context.Context, p *ir.Program, proof *Proof, newSolver func() sat.Solver) error {
	if p == nil || proof == nil {
		return errors.New("incremental: CheckProof without a program or a proof")
	}
	if newSolver == nil {
		newSolver = sat.New
	}
	c, err := NewCFA(p)
	if err != nil {
		return err
	}
	k := &checker{c: c, newSolver: newSolver}
	vars := c.varTerms()
	for _, a := range proof.Automata {
		if a != nil {
			k.proofs = append(k.proofs, k.read(a, vars))
		}
	}
	return k.check(ctx)
}

// certify checks the proof that res has found as CheckProof does, but takes
// the predicates as they are: the text of one may be too long to be read
// back. Where that fails, triples that came from a file were false: then the
// search starts anew and checks each at its first use. It would find a proof
// that is too large again.
func (e *engine) certify(ctx context.Context, res *Result) (*Result, error) {
	k := &checker{c: e.c, newSolver: e.cfg.NewSolver}
	for _, f := range e.used {
		k.proofs = append(k.proofs, k.take(f))
	}
	err := k.check(ctx)
	e.stats.CheckCalls += k.calls
	switch {
	case err == nil:
		res.Stats = e.total()
		return res, nil
	case ctx.Err() != nil:
		return &Result{Reason: reasonOf(ctx), Proof: res.Proof, Stats: e.total()}, err
	case errors.Is(err, errTooLarge):
		return &Result{Reason: "certificate size", Proof: res.Proof, Stats: e.total()}, nil
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
	largest   int // states of a product

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

// check proves all triples and that they cover the program.
func (k *checker) check(ctx context.Context) error {
	for l := range k.c.Letters {
		if err := k.checkLetter(ctx, l); err != nil {
			return err
		}
	}
	return k.cover(ctx)
}

// take returns f's predicates and the triples that the search used.
func (k *checker) take(f *floyd) *checked {
	m := k.automaton(len(f.preds))
	copy(m.preds, f.preds)
	for l, facts := range f.facts {
		for _, x := range facts {
			if x.used && x.post >= False {
				m.triples[l] = append(m.triples[l], checkedTriple{x.pre, x.post})
			}
		}
	}
	return m
}

// automaton returns one with n predicates and no triples.
func (k *checker) automaton(n int) *checked {
	m := &checked{
		preds:   make([]formula.Term, n),
		triples: make([][]checkedTriple, len(k.c.Letters)),
		number:  make(map[string]int32),
	}
	m.state(newSet(n))
	return m
}

// read returns a's predicates and triples as far as they are about the
// program.
func (k *checker) read(a *Automaton, vars map[string]formula.Term) *checked {
	m := k.automaton(len(a.Predicates))
	for i, text := range a.Predicates {
		if x, err := k.c.Store.Parse(text, vars); err == nil && k.c.Store.Width(x) == 1 {
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

// maxProduct bounds the states of a product.
const maxProduct = 2_000_000

// A remainder is what is left of the program: states with their edges, 0 the
// start, 1 the error.
type remainder [][]edgeTo

type edgeTo struct {
	letter int
	to     int32
}

// cover takes from the program the traces that each automaton accepts. A
// trace that one accepts is infeasible, whatever follows.
func (k *checker) cover(ctx context.Context) error {
	left := k.program().pruned()
	for i := 0; i < len(k.proofs) && left != nil; i++ {
		var err error
		if left, err = k.without(ctx, left, k.proofs[i]); err != nil {
			return err
		}
	}
	for _, edges := range left {
		for _, e := range edges {
			if e.to == 1 {
				return fmt.Errorf("%w: a trace is left that ends with %s", ErrUncovered, k.c.Letters[e.letter].Text)
			}
		}
	}
	return nil
}

// program returns the control flow of the program.
func (k *checker) program() remainder {
	index := make([]int32, len(k.c.Edges)) // by location
	number := func(q int) int32 {
		switch q {
		case k.c.Start:
			return 0
		case k.c.Error:
			return 1
		}
		return index[q]
	}
	n := int32(2)
	for q := range index {
		if q != k.c.Start && q != k.c.Error {
			index[q] = n
			n++
		}
	}
	out := make(remainder, max(n, 2))
	for q, edges := range k.c.Edges {
		for _, e := range edges {
			out[number(q)] = append(out[number(q)], edgeTo{e.Letter, number(e.To)})
		}
	}
	return out
}

// without returns what is left of f after m: its product with m, whose
// accepting state ends all traces, but for states that don't get to the
// error. It returns nil if nothing is left.
func (k *checker) without(ctx context.Context, f remainder, m *checked) (remainder, error) {
	type pair struct{ f, m int32 }
	pairs := []pair{{0, 0}, {1, 0}}
	index := map[pair]int32{{0, 0}: 0}
	out := make(remainder, 2)
	for i := 0; i < len(pairs); i++ {
		if i%4096 == 0 && ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if i == 1 {
			continue // the error
		}
		if len(pairs) > maxProduct {
			return nil, fmt.Errorf("%w: a product has more than %d states", errTooLarge, maxProduct)
		}
		p := pairs[i]
		for _, e := range f[p.f] {
			q := k.step(m, p.m, e.letter)
			if q == accepting {
				continue
			}
			to, next := int32(1), pair{e.to, q}
			if e.to != 1 {
				var known bool
				if to, known = index[next]; !known {
					to = int32(len(pairs))
					index[next] = to
					pairs, out = append(pairs, next), append(out, nil)
				}
			}
			out[i] = append(out[i], edgeTo{e.letter, to})
		}
	}
	k.largest = max(k.largest, len(pairs))
	return out.pruned().merged(), nil
}

// pruned returns f without the states that don't get to the error, or nil if
// the start doesn't.
func (f remainder) pruned() remainder {
	in := make([][]int32, len(f))
	for q, edges := range f {
		for _, e := range edges {
			in[e.to] = append(in[e.to], int32(q))
		}
	}
	number := make([]int32, len(f)) // of those that do, plus 1
	n := int32(2)
	number[1] = 2
	for todo := []int32{1}; len(todo) > 0; {
		q := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, p := range in[q] {
			if number[p] == 0 {
				if number[p] = 1; p != 0 {
					n++
					number[p] = n
				}
				todo = append(todo, p)
			}
		}
	}
	if number[0] == 0 {
		return nil
	}
	out := make(remainder, n)
	for q, edges := range f {
		if number[q] == 0 {
			continue
		}
		for _, e := range edges {
			if number[e.to] > 0 {
				out[number[q]-1] = append(out[number[q]-1], edgeTo{e.letter, number[e.to] - 1})
			}
		}
	}
	return out
}

// merged returns f with states that read the same, for ever, as one. It begins
// with two classes, the error and the rest, and takes classes apart until the
// states of each read the same letters to the same classes.
func (f remainder) merged() remainder {
	if f == nil {
		return nil
	}
	class, count := make([]int32, len(f)), 2
	class[1] = 1
	for {
		next, index := make([]int32, len(f)), make(map[string]int32)
		for q := range f {
			key := f.reads(q, class)
			c, ok := index[key]
			if !ok {
				c = int32(len(index))
				index[key] = c
			}
			next[q] = c
		}
		if class = next; len(index) == count {
			break
		}
		count = len(index)
	}
	out := make(remainder, count) // the start and the error come first
	for q, edges := range f {
		if out[class[q]] != nil {
			continue
		}
		for _, e := range edges {
			if x := (edgeTo{e.letter, class[e.to]}); !slices.Contains(out[class[q]], x) {
				out[class[q]] = append(out[class[q]], x)
			}
		}
	}
	return out
}

// reads returns the class of q and what it reads to which classes, as a key.
func (f remainder) reads(q int, class []int32) string {
	edges := make([]edgeTo, len(f[q]))
	for i, e := range f[q] {
		edges[i] = edgeTo{e.letter, class[e.to]}
	}
	slices.SortFunc(edges, func(x, y edgeTo) int { return cmp.Or(cmp.Compare(x.letter, y.letter), cmp.Compare(x.to, y.to)) })
	key := binary.LittleEndian.AppendUint32(nil, uint32(class[q]))
	for _, e := range slices.Compact(edges) {
		key = binary.LittleEndian.AppendUint32(key, uint32(e.letter))
		key = binary.LittleEndian.AppendUint32(key, uint32(e.to))
	}
	return string(key)
}
