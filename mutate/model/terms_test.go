package model

import (
	"math/rand/v2"
	"testing"

	"github.com/go-amend/amend/formula/relation"
	"github.com/go-amend/amend/slice/rank"
)

// TestTerms compares the values of terms and atoms, also with a variable, with what
// the evaluator says in each remembered instance.
func TestTerms(t *testing.T) {
	u := relation.NewUniverse(3)
	var as []relation.Atom
	for _, name := range []string{"a0", "a1", "a2", "b0", "b1"} {
		as = append(as, u.Add(name))
	}
	a, b := relation.SetOfAtoms(as[:3]...), relation.SetOfAtoms(as[3:]...)
	sigA, sigB, part := &relation.Relation{Name: "A", Width: 1}, &relation.Relation{Name: "B", Width: 1}, &relation.Relation{Name: "P", Width: 1}
	r, s, q := &relation.Relation{Name: "r", Width: 2}, &relation.Relation{Name: "s", Width: 2}, &relation.Relation{Name: "q", Width: 3}
	bounds := relation.NewBounds(u)
	for x, upper := range map[*relation.Relation]*relation.Set{sigA: a, sigB: b, part: a, r: a.Product(a), s: a.Product(b), q: b.Product(a).Product(b)} {
		bounds.Bind(x, relation.NewSet(x.Width), upper)
	}
	bounds.SetSorts(sigA, sigB)
	m := &rank.Model{
		Sigs:   []rank.Sig{{Name: "A", Relation: sigA, Parent: -1}, {Name: "B", Relation: sigB, Parent: -1}, {Name: "P", Relation: part, Parent: 0}},
		Fields: []rank.Field{{Name: "r", Relation: r}, {Name: "s", Relation: s}, {Name: "q", Sig: 1, Relation: q}},
		Check:  rank.Command{Bounds: bounds},
	}
	node := &relation.Mult{Op: relation.SomeOf, X: r}
	m.Units = []rank.Unit{{Kind: rank.Fact, Body: node}}
	m.Nodes = []rank.Node{{Rel: node, Parent: -1}}
	m.Check.Facts, m.Check.Goal = []relation.Formula{node}, &relation.Bool{Value: true}

	p := &problem{m: m, s: relation.NewSolver(bounds, nil)}
	rng := rand.New(rand.NewPCG(1, 2))
	var ins []*relation.Instance
	for range 20 {
		in := relation.NewInstance(bounds)
		for _, x := range bounds.Relations() {
			set := relation.NewSet(x.Width)
			for tu := range bounds.Upper(x).All() {
				if rng.IntN(3) == 0 {
					set = set.Union(relation.NewSet(x.Width, tu))
				}
			}
			in.Put(x, set)
		}
		in.Put(part, in.Get(part).Intersect(in.Get(sigA)))
		ins = append(ins, in)
		p.s.Remember(in)
	}
	h, err := p.s.Open(node, nil, nil, node)
	if err != nil {
		t.Fatal(err)
	}
	l := &explorer{problem: p, gen: newGenerator(m, false), holes: []*relation.Hole{h}}
	y := &synthesizer{l: l, n: node, h: h, ds: &domains{t: l.gen.t, known: make(map[uint64]*domain)}}
	y.stage(maxWords)
	if err := y.fill(); err != nil {
		t.Fatal(err)
	}
	v := &relation.Var{Name: "v", Width: 1}
	with := y.bank.with(v, l.gen.t.Of(sigA), 3000, &y.left)
	compareBank(t, rng, y.ds, y.bank, ins, func(int) *relation.Env { return nil })
	compareBank(t, rng, y.ds, with, ins, func(k int) *relation.Env { return (*relation.Env)(nil).With(v, relation.SetOfAtoms(as[k])) })
}

// compareBank looks at some terms and atoms of a bank; env has the k-th binding.
func compareBank(t *testing.T, rng *rand.Rand, ds *domains, b *bank, ins []*relation.Instance, env func(int) *relation.Env) {
	t.Helper()
	b.grow(3)
	if b.count < 300 {
		t.Errorf("only %d terms", b.count)
	}
	for range 300 {
		xs := b.shape[b.order[rng.IntN(len(b.order))]]
		x := xs[rng.IntN(len(xs))]
		k, i := rng.IntN(b.n), rng.IntN(len(ins))
		want, err := ins[i].EvalExpr(x.x, env(k))
		if err != nil {
			t.Fatal(err)
		}
		got := relation.NewSet(x.shape.Arity)
		n, w := 0, ds.all(x.shape)
		for tu := range ds.t.Atoms(x.shape).All() {
			if x.v[k*w+n]>>i&1 == 1 {
				got = got.Union(relation.NewSet(x.shape.Arity, tu))
			}
			n++
		}
		if u := ins[i].Bounds.Universe; !got.Equal(want) && !reflexive(x.x) {
			t.Errorf("%s is %s, want %s", relation.Format(x.x), got.Format(u), want.Format(u))
		}
	}
	as := b.atoms(4, 2000, nil).atoms
	for range 300 {
		a := as[rng.IntN(len(as))]
		k, i := rng.IntN(b.n), rng.IntN(len(ins))
		want, err := ins[i].Eval(a.f, env(k))
		if err != nil {
			t.Fatal(err)
		}
		if got := a.v[k]>>i&1 == 1; got != want && !reflexive(a.f) {
			t.Errorf("%s is %v, want %v", relation.Format(a.f), got, want)
		}
	}
}

// reflexive reports whether n has a reflexive closure, of which a bank knows the
// part of its operand's kind.
func reflexive(n relation.Node) (found bool) {
	relation.Walk(n, func(x relation.Node) bool {
		u, ok := x.(*relation.Unary)
		found = found || ok && u.Op == relation.ReflexiveClosure
		return !found
	})
	return found
}
