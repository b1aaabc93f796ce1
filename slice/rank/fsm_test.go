package rank

import (
	"math"
	"testing"

	"github.com/go-amend/amend/formula/relation"
	"github.com/go-amend/amend/formula/relation/relationtest"
)

// This file builds models without a front end.

var equal, notIn, and = relationtest.Equal, relationtest.NotIn, relationtest.And

// addNodes makes a Node of every compound node of the units.
func addNodes(m *Model) {
	for i, u := range m.Units {
		addNode(m, u.Body, i, -1)
	}
}

func addNode(m *Model, n relation.Node, unit, parent int) {
	if len(relation.Children(n, nil)) == 0 {
		return
	}
	id := len(m.Nodes)
	m.Nodes = append(m.Nodes, Node{Rel: n, Unit: unit, Parent: parent, Text: relation.Format(n)})
	for _, x := range relation.Children(n, nil) {
		addNode(m, x, unit, id)
	}
}

// fsm is the model of Figure 1 of the paper, in a scope of 4 states.
type fsm struct {
	*Model
	*relationtest.FSM
}

func newFSM() *fsm {
	f := &fsm{FSM: relationtest.NewFSM()}
	f.Model = &Model{
		Sigs: []Sig{{Name: "FSM", Relation: f.FSM.FSM, Parent: -1}, {Name: "State", Relation: f.State, Parent: -1}},
		Fields: []Field{
			{Name: "start", Sig: 0, Relation: f.Start}, {Name: "stop", Sig: 0, Relation: f.Stop}, {Name: "transition", Sig: 1, Relation: f.Transition},
		},
		Units: []Unit{
			{Kind: Fact, Name: "OneStartAndStop", Body: f.OneStartAndStop},
			{Kind: Fact, Name: "ValidStartAndStop", Body: f.ValidStartAndStop},
			{Kind: Fact, Name: "Reachability", Body: f.Reachability},
		},
		Check: Command{Bounds: f.Bounds, Implicit: f.Declared, Goal: f.Goal},
	}
	for _, u := range f.Units {
		f.Check.Facts = append(f.Check.Facts, u.Body.(relation.Formula))
	}
	addNodes(f.Model)
	return f
}

// figure2 returns the pair of the paper's Figure 2.
func (f *fsm) figure2() Pair {
	cex := relation.NewInstance(f.Check.Bounds)
	s := f.First
	cex.Put(f.State, relation.SetOfAtoms(s, s+1, s+2, s+3))
	cex.Put(f.Start, relation.NewSet(2, []relation.Atom{f.Machine, s}))
	cex.Put(f.Stop, relation.NewSet(2, []relation.Atom{f.Machine, s + 3}))
	good := relation.NewInstance(f.Check.Bounds)
	for _, r := range []*relation.Relation{f.State, f.Start, f.Stop} {
		good.Put(r, cex.Get(r))
	}
	same := relation.NewSet(2, []relation.Atom{s, s + 1}, []relation.Atom{s, s + 3}, []relation.Atom{s + 1, s + 2}, []relation.Atom{s + 2, s + 3})
	good.Put(f.Transition, same)
	cex.Put(f.Transition, same.Union(relation.NewSet(2, []relation.Atom{s + 3, s + 1})))
	return Pair{cex, good}
}

// TestFigure1 computes Table I of the paper from the instances of Figure 2, with
// the paper's definition of relational scores.
func TestFigure1(t *testing.T) {
	m := newFSM()
	f := newFlack(m.Model)
	f.pairs = []Pair{m.figure2()}
	f.strict = true
	r, err := f.rank()
	if err != nil {
		t.Fatal(err)
	}
	want := []struct {
		text     string
		score    float64
		operator bool
	}{
		{"((s0.transition) = none => s0 in (FSM.stop))", 1.58, true},
		{"(s0.transition) = none", 1.25, false},
		{"s0 in (FSM.stop)", 0.5, false},
		{"(FSM.stop) in (s0.*transition)", 0.5, false},
	}
	if len(r.Entries) != len(want) {
		t.Fatalf("%d entries, want %d", len(r.Entries), len(want))
	}
	for i, w := range want {
		e := r.Entries[i]
		text := m.Nodes[e.Node].Text
		if text != w.text || math.Abs(e.Score-w.score) > 0.005 || e.Operator != w.operator {
			t.Errorf("entry %d: %s, score %.3f, hint %v, want %s, %.2f, %v", i, text, e.Score, e.Operator, w.text, w.score, w.operator)
		}
	}
	if last := r.Entries[3].Ranks; last != [2]int{3, 4} {
		t.Errorf("the last two share ranks %v, want 3 to 4", last)
	}
}
