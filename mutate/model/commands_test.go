package model

import (
	"context"
	"errors"
	"testing"

	"github.com/go-amend/amend/formula/relation"
	"github.com/go-amend/amend/formula/sat"
	"github.com/go-amend/amend/slice/rank"
)

// twins is a model of two sets b in a and two predicates, some b and some a, that
// the check says to be equal.
func twins() (m *rank.Model, a, b *relation.Relation, units [2]relation.Formula) {
	u := relation.NewUniverse(1)
	bounds := relation.NewBounds(u)
	atoms := relation.SetOfAtoms(u.Add("A0"), u.Add("A1"))
	a, b = &relation.Relation{Name: "a", Width: 1}, &relation.Relation{Name: "b", Width: 1}
	bounds.Bind(a, nil, atoms)
	bounds.Bind(b, nil, atoms)
	someB, someA := &relation.Mult{Op: relation.SomeOf, X: b}, &relation.Mult{Op: relation.SomeOf, X: a}
	p, q := and(someB), and(someA)
	call := func(f relation.Formula) relation.Formula { return &relation.LetFormula{Body: f} }
	same := &relation.Connective{Op: relation.Iff, Xs: []relation.Formula{call(p), call(q)}}
	declared := []relation.Formula{in(b, a)}
	m = &rank.Model{
		Sigs:  []rank.Sig{{Name: "a", Relation: a, Parent: -1}, {Name: "b", Relation: b, Parent: 0}},
		Units: []rank.Unit{{Kind: rank.Predicate, Name: "p", Body: p}, {Kind: rank.Predicate, Name: "q", Body: q}},
		Check: rank.Command{Bounds: bounds, Implicit: declared, Goal: same},
		Run:   &rank.Command{Bounds: bounds, Implicit: declared, Goal: same},
	}
	addNodes(m)
	return m, a, b, [2]relation.Formula{p, q}
}

// repairsOf returns how many repairs each unit has.
func repairsOf(t *testing.T, m *rank.Model) (n [2]int) {
	t.Helper()
	r, err := Localize(context.Background(), m, rank.Config{})
	if err != nil {
		t.Fatal(err)
	}
	checkRepairs(t, m, r)
	for _, x := range r.Repairs {
		n[m.Nodes[x.Node].Unit]++
	}
	return n
}

// TestRepairsOfEachUnit wants the repairs of both of two predicates that become
// equal by either: they mean the same to the check and the run.
func TestRepairsOfEachUnit(t *testing.T) {
	m, _, _, _ := twins()
	if n := repairsOf(t, m); n[0] == 0 || n[1] == 0 {
		t.Errorf("%d and %d repairs of the two predicates", n[0], n[1])
	}
}

// TestOthers wants no repair that breaks another command which was as wanted.
func TestOthers(t *testing.T) {
	m, _, b, units := twins()
	differs := &relation.Not{X: &relation.Connective{Op: relation.Iff, Xs: []relation.Formula{units[0], &relation.Mult{Op: relation.SomeOf, X: b}}}}
	f := and(append(m.Check.Implicit, differs)...)
	m.Others = []rank.Question{{Bounds: m.Check.Bounds, Formula: f}} // p is some b
	if n := repairsOf(t, m); n[0] != 0 || n[1] == 0 {
		t.Errorf("%d and %d repairs, the first break a check", n[0], n[1])
	}
	m.Others = append(m.Others, rank.Question{Bounds: m.Check.Bounds, Formula: and(units[1], &relation.Mult{Op: relation.NoOf, X: b}), Want: true})
	if n := repairsOf(t, m); n != [2]int{} {
		t.Errorf("%d and %d repairs, each breaks a check or a run", n[0], n[1])
	}
	for i := range m.Others { // what is not as wanted may stay so
		m.Others[i].Want = !m.Others[i].Want
	}
	if n := repairsOf(t, m); n[0] == 0 || n[1] == 0 {
		t.Errorf("%d and %d repairs beside commands that fail", n[0], n[1])
	}
}

// TestHard wants neither repairs nor entries of what must not change.
func TestHard(t *testing.T) {
	m, _, _, _ := twins()
	for i := range m.Nodes {
		m.Nodes[i].Hard = m.Nodes[i].Unit == 1
	}
	if n := repairsOf(t, m); n[0] == 0 || n[1] != 0 {
		t.Errorf("%d and %d repairs, the second unit is hard", n[0], n[1])
	}
	for name, method := range map[string]func(context.Context, *rank.Model, rank.Config) (*rank.Result, error){"Localize": Localize, "Flack": rank.Flack} {
		r, err := method(context.Background(), m, rank.Config{})
		if err != nil {
			t.Fatal(err)
		}
		checkRanks(t, r.Entries)
		for _, e := range r.Entries {
			if m.Nodes[e.Node].Hard {
				t.Errorf("%s lists %s, which is hard", name, m.Nodes[e.Node].Text)
			}
		}
	}
}

// TestScopeOfNodeAtTwoPlaces changes a node that is at two places, of which one
// has one variable more in scope.
func TestScopeOfNodeAtTwoPlaces(t *testing.T) {
	m, a, _, _ := twins()
	r := &relation.Relation{Name: "r", Width: 2}
	b := m.Check.Bounds
	b.Bind(r, nil, b.Upper(a).Product(b.Upper(a)))
	m.Fields = []rank.Field{{Name: "r", Sig: 0, Relation: r}}
	f := all(a, 1, func(x ...*relation.Var) relation.Formula {
		image := join(x[0], r)
		return and(in(image, a), all(a, 1, func(y ...*relation.Var) relation.Formula { return in(y[0], image) }))
	})
	m.Units = []rank.Unit{{Kind: rank.Predicate, Name: "p", Body: and(f)}}
	m.Nodes = nil
	seen := map[relation.Node]bool{}
	addNodes(m)
	nodes := m.Nodes[:0]
	for _, n := range m.Nodes {
		if !seen[n.Rel] {
			nodes = append(nodes, n)
		}
		seen[n.Rel] = true
	}
	m.Nodes = nodes
	for i := range m.Nodes {
		m.Nodes[i].Parent = -1
	}
	m.Check.Goal = &relation.Connective{Op: relation.Iff, Xs: []relation.Formula{&relation.LetFormula{Body: m.Units[0].Body.(relation.Formula)}, &relation.Mult{Op: relation.NoOf, X: a}}}
	m.Run = nil
	res, err := Localize(context.Background(), m, rank.Config{})
	if err != nil {
		t.Fatal(err)
	}
	checkRepairs(t, m, res)
}

// A counted solver counts what it is asked.
type counted struct {
	sat.Solver
	calls *int
}

func (c counted) Solve(ctx context.Context, assume ...sat.Lit) (sat.Status, error) {
	*c.calls++
	return c.Solver.Solve(ctx, assume...)
}

// lost is a solver that can't answer.
type lost struct{ sat.Solver }

var errLost = errors.New("lost")

func (lost) Solve(context.Context, ...sat.Lit) (sat.Status, error) { return sat.Unknown, errLost }

// TestNewSolver has all solvers made by Config.NewSolver: each call is counted,
// and none answers where they can't.
func TestNewSolver(t *testing.T) {
	apart := func() *rank.Model { // the run has bounds of its own, and no instance
		m, a, _, _ := twins()
		b := m.Check.Bounds.Clone()
		b.Bind(a, nil, relation.SetOfAtoms(0))
		m.Run = &rank.Command{Bounds: b, Implicit: m.Check.Implicit, Goal: &relation.Not{X: m.Check.Goal}}
		m.Others = []rank.Question{{Bounds: b, Formula: m.Check.Goal, Want: true}}
		return m
	}
	dead := func() *rank.Model {
		m, a, _, units := twins()
		m.Run.Goal = and(units[0], &relation.LetFormula{Body: units[1]}, &relation.Mult{Op: relation.NoOf, X: a})
		return m
	}
	for name, m := range map[string]*rank.Model{"fsm": newFSM().Model, "apart": apart(), "dead": dead()} {
		for method, f := range map[string]func(context.Context, *rank.Model, rank.Config) (*rank.Result, error){"Localize": Localize, "Flack": rank.Flack} {
			calls, made := 0, 0
			r, err := f(context.Background(), m, rank.Config{NewSolver: func() sat.Solver { made++; return counted{sat.NewGini(), &calls} }})
			if err != nil {
				t.Fatalf("%s of %s: %v", method, name, err)
			}
			if made == 0 || calls == 0 || calls < r.Calls {
				t.Errorf("%s of %s: %d solvers, %d calls of %d", method, name, made, calls, r.Calls)
			}
			for good := range made { // the solver that is lost can't be avoided
				n := 0
				_, err := f(context.Background(), m, rank.Config{NewSolver: func() sat.Solver {
					if n++; n > good {
						return lost{sat.NewGini()}
					}
					return sat.NewGini()
				}})
				if !errors.Is(err, errLost) {
					t.Errorf("%s of %s with %d solvers that answer: %v", method, name, good, err)
				}
			}
		}
	}
}
