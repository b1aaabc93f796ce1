package model

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/go-amend/amend/formula/relation"
	"github.com/go-amend/amend/formula/sat"
	"github.com/go-amend/amend/slice/rank"
)

// checkRepairs checks a result apart from the search: counterexamples and
// passing instances by evaluation, repairs by new solvers.
func checkRepairs(t *testing.T, m *rank.Model, r *rank.Result) {
	t.Helper()
	ctx := context.Background()
	for _, in := range r.Counterexamples {
		for _, f := range append(m.Check.Facts, &relation.Not{X: m.Check.Goal}) {
			if err := relation.Confirm(in, f); err != nil {
				t.Errorf("counterexample: %v", err)
			}
		}
	}
	for i, x := range r.Repairs {
		if in, err := recheck(m, x); in != nil || err != nil {
			t.Errorf("repair %d: the check has counterexample %v, %v", i, in, err)
		}
		c := m.Passing()
		f := x.Apply(&relation.Connective{Op: relation.And, Xs: []relation.Formula{c.Premise(), c.Goal}})
		if in, err := relation.Find(ctx, c.Bounds, f, sat.New()); in == nil || err != nil {
			t.Errorf("repair %d: the run has no instance, %v", i, err)
		}
		if x.Keeps != keeps(t, m, x) {
			t.Errorf("repair %d: Keeps = %v is wrong", i, x.Keeps)
		}
	}
	checkRanks(t, r.Entries)
}

// checkRanks wants entries in order, and equal ranks for equal scores.
func checkRanks(t *testing.T, es []rank.Entry) {
	t.Helper()
	for i, e := range es {
		if e.Ranks[0] > i+1 || e.Ranks[1] < i+1 || e.Ranks[1] > len(es) {
			t.Errorf("entry %d has ranks %v", i, e.Ranks)
		}
		if i == 0 {
			continue
		}
		up := es[i-1]
		if up.Score < e.Score || (up.Score == e.Score) != (up.Ranks == e.Ranks) || up.Ranks != e.Ranks && up.Ranks[1] >= e.Ranks[0] {
			t.Errorf("entries of scores %v and %v have ranks %v and %v", up.Score, e.Score, up.Ranks, e.Ranks)
		}
	}
}

// recheck returns a counterexample of m's check with x, or nil.
func recheck(m *rank.Model, x rank.Repair) (*relation.Instance, error) {
	f := &relation.Connective{Op: relation.And, Xs: []relation.Formula{m.Check.Premise(), &relation.Not{X: m.Check.Goal}}}
	return relation.Find(context.Background(), m.Check.Bounds, x.Apply(f), sat.New())
}

// keeps asks whether an instance of the facts and the assertion violates the
// changed facts.
func keeps(t *testing.T, m *rank.Model, x rank.Repair) bool {
	t.Helper()
	before := m.Check.Premise()
	f := &relation.Connective{Op: relation.And, Xs: []relation.Formula{before, m.Check.Goal, &relation.Not{X: x.Apply(before)}}}
	in, err := relation.Find(context.Background(), m.Check.Bounds, f, sat.New())
	if err != nil {
		t.Fatal(err)
	}
	return in == nil
}

// TestRepairsHold checks the repairs of Figure 1, also with a run in bounds of
// its own.
func TestRepairsHold(t *testing.T) {
	for _, apart := range []bool{false, true} {
		m := newFSM()
		if apart {
			run := m.Check
			run.Bounds = m.Check.Bounds.Clone()
			run.Bounds.Bind(m.State, nil, relation.SetOfAtoms(m.First, m.First+1, m.First+2))
			run.Goal = &relation.Mult{Op: relation.SomeOf, X: m.Transition}
			m.Run = &run
		}
		r, err := Localize(context.Background(), m.Model, rank.Config{})
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Repairs) < 2 || len(r.Counterexamples) == 0 {
			t.Errorf("%d repairs, %d counterexamples", len(r.Repairs), len(r.Counterexamples))
		}
		checkRepairs(t, m.Model, r)
	}
}

// replaceBody changes the i-th unit's body, which is a fact.
func (f *fsm) replaceBody(i int, body relation.Formula) {
	f.Units[i].Body = body
	f.Check.Facts[i] = body
	f.Nodes = nil
	addNodes(f.Model)
}

// TestMissing drops the faulty constraint: only an addition repairs it.
func TestMissing(t *testing.T) {
	m := newFSM()
	kept := m.Units[1].Body.(*relation.Connective).Xs[:2]
	m.replaceBody(1, and(kept...))
	r, err := Localize(context.Background(), m.Model, rank.Config{})
	if err != nil {
		t.Fatal(err)
	}
	checkRepairs(t, m.Model, r)
	if len(r.Repairs) == 0 || !r.Repairs[0].Keeps {
		t.Errorf("no repair that keeps what is good: %+v", r.Repairs)
	}
}

// overconstrained is the model with the implication repaired, but without
// instances that have a stop state: every state needs a transition.
func overconstrained() *fsm {
	m := newFSM()
	first := m.Units[1].Body.(*relation.Connective).Xs[0]
	m.replaceBody(1, and(first, all(m.State, 1, func(s ...*relation.Var) relation.Formula {
		return notIn(join(s[0], m.Transition), join(m.FSM.FSM, m.Start))
	}), all(m.State, 1, func(s ...*relation.Var) relation.Formula {
		none := equal(join(s[0], m.Transition), &relation.Const{Op: relation.None})
		return &relation.Connective{Op: relation.Iff, Xs: []relation.Formula{none, in(s[0], join(m.FSM.FSM, m.Stop))}}
	})))
	return m
}

// TestImpossible wants the constraint at fault for which the run has no
// instance: the paper's example of its unsat analysis.
func TestImpossible(t *testing.T) {
	m := overconstrained()
	m.Run = &rank.Command{Bounds: m.Check.Bounds, Implicit: m.Check.Implicit, Facts: m.Check.Facts,
		Goal: and(m.Check.Goal, &relation.Mult{Op: relation.SomeOf, X: join(m.FSM.FSM, m.Stop)})}
	r, err := Localize(context.Background(), m.Model, rank.Config{})
	if err != nil {
		t.Fatal(err)
	}
	checkRepairs(t, m.Model, r)
	first := m.Nodes[r.Entries[0].Node].Text
	if want := "(s0.transition) !in (FSM.start)"; first != want {
		t.Errorf("first is %s, want %s", first, want)
	}
	f, err := rank.Flack(context.Background(), m.Model, rank.Config{})
	if err != nil {
		t.Fatal(err)
	}
	found := false
	for _, e := range f.Entries {
		found = found || m.Nodes[e.Node].Text == "(all s0: one State | (s0.transition) !in (FSM.start))"
	}
	if !found || f.Entries[0].Ranks != [2]int{1, len(f.Entries)} {
		t.Errorf("FLACK lists %v", f.Entries)
	}
}

// TestSets localizes in an assertion about all sets, which fails for a witness:
// a predicate should hold of every set that r doesn't leave, also where it leads
// nowhere.
func TestSets(t *testing.T) {
	u := relation.NewUniverse(1)
	atoms := relation.SetOfAtoms(u.Add("A"), u.Add("B"), u.Add("C"))
	b := relation.NewBounds(u)
	a, r := &relation.Relation{Name: "A", Width: 1}, &relation.Relation{Name: "r", Width: 2}
	b.Bind(a, atoms, atoms)
	b.Bind(r, nil, atoms.Product(atoms))
	param := &relation.Var{Name: "s", Width: 1}
	after := join(param, r)
	body := and(&relation.Mult{Op: relation.SomeOf, X: after}, in(after, param))
	about := func(q relation.QuantOp, f func(call relation.Formula, s *relation.Var) relation.Formula) rank.Command {
		s := &relation.Var{Name: "s", Width: 1}
		d := relation.Decl{Vars: []*relation.Var{s}, Mult: relation.SetOf, Bound: a}
		call := &relation.LetFormula{Vars: []*relation.Var{param}, Values: []relation.Expr{s}, Body: body}
		return rank.Command{Bounds: b, Goal: &relation.Quant{Op: q, Decls: []relation.Decl{d}, Body: f(call, s)}}
	}
	run := about(relation.Some, func(call relation.Formula, _ *relation.Var) relation.Formula { return call })
	m := &rank.Model{
		Sigs: []rank.Sig{{Name: "A", Relation: a, Parent: -1}}, Fields: []rank.Field{{Name: "r", Sig: 0, Relation: r}},
		Units: []rank.Unit{{Kind: rank.Predicate, Name: "closed", Body: body, Params: []relation.Decl{{Vars: []*relation.Var{param}, Mult: relation.SetOf, Bound: a}}}},
		Check: about(relation.All, func(call relation.Formula, s *relation.Var) relation.Formula {
			return &relation.Connective{Op: relation.Iff, Xs: []relation.Formula{call, in(join(s, r), s)}}
		}),
		Run: &run,
	}
	addNodes(m)
	got, err := Localize(context.Background(), m, rank.Config{})
	if err != nil {
		t.Fatal(err)
	}
	checkRanks(t, got.Entries)
	if len(got.Repairs) == 0 || len(got.Counterexamples) == 0 {
		t.Errorf("%d repairs, %d counterexamples", len(got.Repairs), len(got.Counterexamples))
	}
	for _, x := range got.Repairs {
		if in, err := recheck(m, x); in != nil || err != nil {
			t.Errorf("%s is no repair: %v, %v", relation.Format(x.New), in, err)
		}
	}
	if _, err := rank.Flack(context.Background(), m, rank.Config{}); err != nil {
		t.Errorf("Flack = %v", err)
	}
}

// TestHolds wants ErrHolds of a model whose check holds.
func TestHolds(t *testing.T) {
	m := newFSM()
	m.Check.Goal = &relation.Mult{Op: relation.SomeOf, X: join(m.FSM.FSM, m.Stop)}
	if _, err := Localize(context.Background(), m.Model, rank.Config{}); !errors.Is(err, rank.ErrHolds) {
		t.Errorf("Localize = %v, want ErrHolds", err)
	}
	if _, err := rank.Flack(context.Background(), m.Model, rank.Config{}); !errors.Is(err, rank.ErrHolds) {
		t.Errorf("Flack = %v, want ErrHolds", err)
	}
}

// TestCancelled wants the context's error.
func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	m := newFSM()
	if _, err := Localize(ctx, m.Model, rank.Config{}); !errors.Is(err, context.Canceled) {
		t.Errorf("Localize = %v, want %v", err, context.Canceled)
	}
	if _, err := rank.Flack(ctx, m.Model, rank.Config{}); !errors.Is(err, context.Canceled) {
		t.Errorf("Flack = %v, want %v", err, context.Canceled)
	}
}

// A countdown is a context that ends after a number of looks at it.
type countdown struct {
	context.Context
	left int
}

func (c *countdown) Err() error {
	if c.left--; c.left < 0 {
		return context.Canceled
	}
	return nil
}

// TestPartial ends the context at various points: what there is then is valid.
func TestPartial(t *testing.T) {
	m := newFSM()
	for left := 0; ; left += 37 {
		r, err := Localize(&countdown{context.Background(), left}, m.Model, rank.Config{})
		if err == nil {
			break
		}
		if !errors.Is(err, context.Canceled) || r != nil && len(r.Entries) != len(m.Nodes) {
			t.Errorf("after %d looks: %v, %+v", left, err, r)
		}
		if r != nil {
			checkRepairs(t, m.Model, r)
		}
	}
}

// TestDeterministic compares the results of two runs.
func TestDeterministic(t *testing.T) {
	texts := func() (out []string) {
		m := newFSM()
		r, err := Localize(context.Background(), m.Model, rank.Config{})
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range r.Entries {
			out = append(out, m.Nodes[e.Node].Text)
		}
		for _, x := range r.Repairs {
			out = append(out, relation.Format(x.New))
		}
		return out
	}
	if a, b := texts(), texts(); !reflect.DeepEqual(a, b) {
		t.Errorf("two runs differ:\n%v\n%v", a, b)
	}
}

// TestOrder reverses the source: the ranks of nodes with repairs stay, up to
// ties that the instances which the solver happens to find break or don't.
func TestOrder(t *testing.T) {
	ranks := func(m *rank.Model) map[string][2]int {
		out := map[string][2]int{}
		r, err := Localize(context.Background(), m, rank.Config{})
		if err != nil {
			t.Fatal(err)
		}
		checkRepairs(t, m, r)
		for _, e := range r.Entries {
			if e.Repair != nil {
				out[m.Nodes[e.Node].Text] = e.Ranks
			}
		}
		return out
	}
	back := newFSM()
	for _, u := range back.Units {
		slices.Reverse(u.Body.(*relation.Connective).Xs)
	}
	slices.Reverse(back.Units)
	slices.Reverse(back.Check.Facts)
	back.Nodes = nil
	addNodes(back.Model)
	got, want := ranks(back.Model), ranks(newFSM().Model)
	for text, r := range want {
		if !strings.Contains(text, "&&") && (got[text][0] > r[1] || got[text][1] < r[0]) { // the text of a conjunction is reversed, too
			t.Errorf("%s has ranks %v, and %v with the source reversed", text, r, got[text])
		}
	}
	if len(got) != len(want) || len(got) < 3 {
		t.Errorf("%d nodes with repairs, and %d with the source reversed", len(want), len(got))
	}
}
