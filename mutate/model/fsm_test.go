package model

import (
	"context"
	"testing"

	"github.com/go-amend/amend/formula/relation"
	"github.com/go-amend/amend/formula/relation/relationtest"
	"github.com/go-amend/amend/slice/rank"
)

// This file builds models without a front end.

var join, in, notIn = relationtest.Join, relationtest.In, relationtest.NotIn

var equal, and, all = relationtest.Equal, relationtest.And, relationtest.All

// addNodes makes a Node of every compound node of the units.
func addNodes(m *rank.Model) {
	bodies := make(map[relation.Node]bool)
	for _, u := range m.Units {
		bodies[u.Body] = true
	}
	var add func(n relation.Node, unit, parent int)
	add = func(n relation.Node, unit, parent int) {
		if isLeaf(n) || parent >= 0 && bodies[n] {
			return
		}
		id := len(m.Nodes)
		m.Nodes = append(m.Nodes, rank.Node{Rel: n, Unit: unit, Parent: parent, Text: relation.Format(n)})
		for _, x := range relation.Children(n, nil) {
			add(x, unit, id)
		}
	}
	for i, u := range m.Units {
		add(u.Body, i, -1)
	}
}

// fsm is the model of Figure 1 of the paper, in a scope of 4 states.
type fsm struct {
	*rank.Model
	*relationtest.FSM
}

func newFSM() *fsm {
	f := &fsm{FSM: relationtest.NewFSM()}
	f.Model = &rank.Model{
		Sigs: []rank.Sig{{Name: "FSM", Relation: f.FSM.FSM, Parent: -1}, {Name: "State", Relation: f.State, Parent: -1}},
		Fields: []rank.Field{
			{Name: "start", Sig: 0, Relation: f.Start}, {Name: "stop", Sig: 0, Relation: f.Stop}, {Name: "transition", Sig: 1, Relation: f.Transition},
		},
		Units: []rank.Unit{
			{Kind: rank.Fact, Name: "OneStartAndStop", Body: f.OneStartAndStop},
			{Kind: rank.Fact, Name: "ValidStartAndStop", Body: f.ValidStartAndStop},
			{Kind: rank.Fact, Name: "Reachability", Body: f.Reachability},
		},
		Check: rank.Command{Bounds: f.Bounds, Implicit: f.Declared, Goal: f.Goal},
	}
	for _, u := range f.Units {
		f.Check.Facts = append(f.Check.Facts, u.Body.(relation.Formula))
	}
	addNodes(f.Model)
	return f
}

// TestRepairs wants the faulty implication alone at the top, with the two
// repairs of the paper's footnote.
func TestRepairs(t *testing.T) {
	m := newFSM()
	r, err := Localize(context.Background(), m.Model, rank.Config{})
	if err != nil {
		t.Fatal(err)
	}
	top := r.Entries[0]
	want := "((s0.transition) = none => s0 in (FSM.stop))"
	if got := m.Nodes[top.Node].Text; got != want || top.Ranks != [2]int{1, 1} {
		t.Errorf("first is %s with ranks %v, want %s alone", got, top.Ranks, want)
	}
	for i, want := range []string{
		"((s0.transition) = none <=> s0 in (FSM.stop))",
		"(s0 in (FSM.stop) => (s0.transition) = none)",
	} {
		if got := relation.Format(r.Repairs[i].New); got != want {
			t.Errorf("repair %d is %s, want %s", i, got, want)
		}
	}
}
