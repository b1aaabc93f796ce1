package model

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/go-amend/amend/formula/relation"
	"github.com/go-amend/amend/formula/relation/relationtest"
	"github.com/go-amend/amend/slice/rank"
)

// A maker makes random models of a set a with a subset b and a relation r.
type maker struct {
	rng     *rand.Rand
	a, b, r *relation.Relation
	vars    []*relation.Var
	calls   []relation.Formula // bodies of predicates
}

func (k *maker) set(depth int) relation.Expr {
	if n := len(k.vars); n > 0 && k.rng.IntN(2) == 0 {
		return k.vars[k.rng.IntN(n)]
	}
	if depth == 0 || k.rng.IntN(3) == 0 {
		return []relation.Expr{k.a, k.b}[k.rng.IntN(2)]
	}
	if k.rng.IntN(2) == 0 {
		return join(k.set(depth-1), k.pairs(depth-1))
	}
	op := []relation.BinaryOp{relation.Union, relation.Intersect, relation.Difference}[k.rng.IntN(3)]
	return &relation.Binary{Op: op, X: k.set(depth - 1), Y: k.set(depth - 1)}
}

func (k *maker) pairs(depth int) relation.Expr {
	if depth > 0 && k.rng.IntN(3) == 0 {
		return &relation.Unary{Op: relation.UnaryOp(k.rng.IntN(3)), X: k.r}
	}
	return k.r
}

func (k *maker) formula(depth int) relation.Formula {
	if depth == 0 {
		switch k.rng.IntN(4) {
		case 0:
			return &relation.Compare{Op: relation.CompareOp(k.rng.IntN(4)), X: k.set(1), Y: k.set(1)}
		case 1:
			if len(k.calls) > 0 {
				return &relation.LetFormula{Body: k.calls[k.rng.IntN(len(k.calls))]}
			}
		}
		return &relation.Mult{Op: relation.MultOp(k.rng.IntN(4)), X: k.set(1)}
	}
	switch k.rng.IntN(4) {
	case 0:
		return &relation.Not{X: k.formula(depth - 1)}
	case 1:
		op := relation.QuantOp(k.rng.IntN(5))
		v := &relation.Var{Name: fmt.Sprintf("v%d", len(k.vars)), Width: 1}
		bound := k.set(0)
		k.vars = append(k.vars, v)
		q := &relation.Quant{Op: op, Decls: []relation.Decl{{Vars: []*relation.Var{v}, Mult: relation.OneOf, Bound: bound}}, Body: k.formula(depth - 1)}
		k.vars = k.vars[:len(k.vars)-1]
		return q
	}
	op := relation.ConnectiveOp(k.rng.IntN(4))
	return &relation.Connective{Op: op, Xs: []relation.Formula{k.formula(depth - 1), k.formula(depth - 1)}}
}

// randomModel returns a model with a fact, two predicates and commands that use
// them, in a scope of so many atoms.
func randomModel(seed uint64, atoms int) *rank.Model {
	u := relation.NewUniverse(1)
	set := relation.SetOfAtoms()
	for i := range atoms {
		set = set.Union(relation.SetOfAtoms(u.Add(fmt.Sprint("A", i))))
	}
	k := &maker{rng: rand.New(rand.NewPCG(seed, 7))}
	k.a, k.b = &relation.Relation{Name: "a", Width: 1}, &relation.Relation{Name: "b", Width: 1}
	k.r = &relation.Relation{Name: "r", Width: 2}
	b := relation.NewBounds(u)
	b.Bind(k.a, nil, set)
	b.Bind(k.b, nil, set)
	b.Bind(k.r, nil, set.Product(set))
	declared := []relation.Formula{in(k.b, k.a), in(k.r, &relation.Binary{Op: relation.Product, X: k.a, Y: k.a})}
	p := and(k.formula(1))
	k.calls = []relation.Formula{p}
	q := and(k.formula(1))
	k.calls = append(k.calls, q)
	fact := and(k.formula(0))
	call := func(f relation.Formula) relation.Formula { return &relation.LetFormula{Body: f} }
	goal := &relation.Connective{Op: relation.ConnectiveOp(2 + k.rng.IntN(2)), Xs: []relation.Formula{call(q), k.formula(1)}}
	command := func(goal relation.Formula) rank.Command {
		return rank.Command{Bounds: b, Implicit: declared, Facts: []relation.Formula{fact}, Goal: goal}
	}
	m := &rank.Model{
		Sigs:   []rank.Sig{{Name: "a", Relation: k.a, Parent: -1}, {Name: "b", Relation: k.b, Parent: 0}},
		Fields: []rank.Field{{Name: "r", Sig: 0, Relation: k.r}},
		Units: []rank.Unit{
			{Kind: rank.Predicate, Name: "p", Body: p}, {Kind: rank.Predicate, Name: "q", Body: q}, {Kind: rank.Fact, Name: "f", Body: fact},
		},
		Check: command(goal),
	}
	if k.rng.IntN(3) > 0 {
		run := command(and(call(p), k.formula(0)))
		if k.rng.IntN(3) == 0 { // in a scope of its own
			run.Bounds = b.Clone()
			run.Bounds.Bind(k.a, nil, relation.SetOfAtoms(0))
		}
		m.Run = &run
	}
	for range k.rng.IntN(2) {
		m.Others = append(m.Others, rank.Question{Bounds: b, Formula: and(and(declared...), fact, k.formula(1)), Want: k.rng.IntN(2) == 0})
	}
	addNodes(m)
	return m
}

// instances returns all instances of bounds.
func instances(b *relation.Bounds) []*relation.Instance {
	out := []*relation.Instance{relation.NewInstance(b)}
	for _, r := range b.Relations() {
		var more []*relation.Instance
		for _, in := range out {
			for _, s := range relationtest.Subsets(b.Upper(r)) {
				x := relation.NewInstance(b)
				for _, q := range b.Relations() {
					if set := in.Get(q); set != nil {
						x.Put(q, set)
					}
				}
				x.Put(r, s)
				more = append(more, x)
			}
		}
		out = more
	}
	return out
}

// An enumerator decides candidates by evaluation on all instances.
type enumerator struct {
	sp   *space
	all  map[*relation.Bounds][]*relation.Instance
	keep []rank.Question // the check, the run, and the others that are as wanted
}

func newEnumerator(t *testing.T, sp *space) *enumerator {
	m := sp.m
	e := &enumerator{sp: sp, all: make(map[*relation.Bounds][]*relation.Instance)}
	e.keep = []rank.Question{
		{Bounds: m.Check.Bounds, Formula: and(m.Check.Premise(), &relation.Not{X: m.Check.Goal})},
		{Bounds: m.Passing().Bounds, Formula: and(m.Passing().Premise(), m.Passing().Goal), Want: true},
	}
	for _, q := range m.Others {
		if e.has(t, q.Bounds, q.Formula) == q.Want {
			e.keep = append(e.keep, q)
		}
	}
	return e
}

// has reports whether f has an instance.
func (e *enumerator) has(t *testing.T, b *relation.Bounds, f relation.Formula) bool {
	if e.all[b] == nil {
		e.all[b] = instances(b)
	}
	for _, in := range e.all[b] {
		ok, err := in.Eval(f, nil)
		if err != nil {
			t.Fatal(err)
		}
		if ok {
			return true
		}
	}
	return false
}

func (e *enumerator) good(t *testing.T, alts ...int) bool {
	c := e.sp.with(alts)
	return !slices.ContainsFunc(e.keep, func(q rank.Question) bool { return e.has(t, q.Bounds, c.formula(q.Formula)) != q.Want })
}

// minimal returns all minimal repairs of at most size changes.
func (e *enumerator) minimal(t *testing.T, size int) (out []string) {
	var found [][]int
	var extend func(alts []int, from, n int)
	extend = func(alts []int, from, n int) {
		if n > 0 {
			for k := from; k < len(e.sp.alts); k++ {
				if len(alts) == 0 || e.sp.alts[alts[len(alts)-1]].node != e.sp.alts[k].node {
					extend(append(alts[:len(alts):len(alts)], k), k+1, n-1)
				}
			}
			return
		}
		for _, f := range found {
			if !slices.ContainsFunc(f, func(k int) bool { return !slices.Contains(alts, k) }) {
				return
			}
		}
		if e.good(t, alts...) {
			found, out = append(found, alts), append(out, fmt.Sprint(alts))
		}
	}
	for n := 1; n <= size; n++ {
		extend(nil, 0, n)
	}
	slices.Sort(out)
	return out
}

// newCombiner searches sp, without writing what it finds.
func newCombiner(sp *space, size int) (*combiner, error) {
	qs, err := newQuestions(context.Background(), sp, rank.Config{})
	if err != nil {
		return nil, err
	}
	s := &searcher{Certifier: NewCertifier(sp.m, Config{}), combination: &combination{qs: qs}}
	return s.newCombiner(context.Background(), sp, size, math.MaxInt16)
}

// testRandom compares the repairs of at most size changes of random models with
// all that there are, in spaces of about as many alternatives as are said. It
// returns how many there are of each size.
func testRandom(t *testing.T, seeds uint64, alternatives, size int) (n [4]int) {
	for seed := range seeds {
		m := randomModel(seed, 2)
		sp := newSpace(m, newGenerator(m, false))
		stride := max(1, len(sp.alts)/alternatives)
		sp = sp.only(func(k int) bool { return k%stride == 0 })
		c, err := newCombiner(sp, size)
		if errors.Is(err, rank.ErrHolds) {
			continue
		}
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if seed%2 == 1 { // as with more changes than two
			c.o.table = nil
		}
		var got []string
		for k := 1; k <= size; k++ {
			found, err := c.s.Size(context.Background(), k)
			if err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			for _, x := range found {
				got = append(got, fmt.Sprint(x.Alternatives))
				n[len(x.Alternatives)]++
			}
		}
		slices.Sort(got)
		if want := newEnumerator(t, sp).minimal(t, size); !slices.Equal(got, want) {
			t.Fatalf("seed %d: got %d %v\nwant %d %v", seed, len(got), got, len(want), want)
		}
	}
	return n
}

// TestRandomModels compares with enumeration.
func TestRandomModels(t *testing.T) {
	if testing.Short() {
		if n := testRandom(t, 8, 35, 2); n[1] == 0 || n[2] == 0 {
			t.Errorf("only %v repairs of each size", n)
		}
		return
	}
	if n := testRandom(t, 30, 35, 2); n[1] < 30 || n[2] < 60 {
		t.Errorf("only %v repairs of each size", n)
	}
	if n := testRandom(t, 12, 16, 3); n[3] < 2 {
		t.Errorf("only %v repairs of each size", n)
	}
}

// TestAll compares all single changes that Repairs yields with enumeration.
func TestAll(t *testing.T) {
	n := 0
	for seed := range uint64(15) {
		m := randomModel(seed, 2)
		var got []string
		var err error
		for r, e := range Repairs(t.Context(), m, Config{All: true}) {
			if err = e; err == nil {
				got = append(got, fmt.Sprint(r.alts))
			}
		}
		if errors.Is(err, rank.ErrHolds) {
			continue
		}
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		n += len(got)
		slices.Sort(got)
		if want := newEnumerator(t, newSpace(m, newGenerator(m, false))).minimal(t, 1); !slices.Equal(got, want) {
			t.Errorf("seed %d: got %d %v\nwant %d %v", seed, len(got), got, len(want), want)
		}
	}
	if n < 50 {
		t.Errorf("only %d repairs", n)
	}
}
