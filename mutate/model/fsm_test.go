package model

import (
	"context"
	"fmt"
	"testing"

	"github.com/go-amend/amend/formula/relation"
	"github.com/go-amend/amend/slice/rank"
)

// This file builds models without a front end.

func join(x, y relation.Expr) relation.Expr {
	return &relation.Binary{Op: relation.Join, X: x, Y: y}
}

func star(x relation.Expr) relation.Expr {
	return &relation.Unary{Op: relation.ReflexiveClosure, X: x}
}

func in(x, y relation.Expr) relation.Formula {
	return &relation.Compare{Op: relation.In, X: x, Y: y}
}

func notIn(x, y relation.Expr) relation.Formula {
	return &relation.Compare{Op: relation.NotIn, X: x, Y: y}
}

func equal(x, y relation.Expr) relation.Formula {
	return &relation.Compare{Op: relation.Equal, X: x, Y: y}
}

func and(xs ...relation.Formula) relation.Formula {
	return &relation.Connective{Op: relation.And, Xs: xs}
}

func all(bound relation.Expr, n int, body func(vs ...*relation.Var) relation.Formula) relation.Formula {
	d := relation.Decl{Mult: relation.OneOf, Bound: bound}
	for i := range n {
		d.Vars = append(d.Vars, &relation.Var{Name: fmt.Sprintf("s%d", i), Width: 1})
	}
	return &relation.Quant{Op: relation.All, Decls: []relation.Decl{d}, Body: body(d.Vars...)}
}

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
	fsm, state              relation.Atom
	FSM, State              *relation.Relation
	start, stop, transition *relation.Relation
}

func newFSM() *fsm {
	u := relation.NewUniverse(1)
	f := &fsm{fsm: u.Add("FSM0"), state: u.Add("State0")}
	states := relation.SetOfAtoms(f.state, u.Add("State1"), u.Add("State2"), u.Add("State3"))
	machine := relation.SetOfAtoms(f.fsm)
	f.FSM, f.State = &relation.Relation{Name: "FSM", Width: 1}, &relation.Relation{Name: "State", Width: 1}
	f.start, f.stop = &relation.Relation{Name: "start", Width: 2}, &relation.Relation{Name: "stop", Width: 2}
	f.transition = &relation.Relation{Name: "transition", Width: 2}
	b := relation.NewBounds(u)
	b.Bind(f.FSM, machine, machine)
	b.Bind(f.State, nil, states)
	b.Bind(f.start, nil, machine.Product(states))
	b.Bind(f.stop, nil, machine.Product(states))
	b.Bind(f.transition, nil, states.Product(states))
	typed := func(r, from, to *relation.Relation) relation.Formula {
		return in(r, &relation.Binary{Op: relation.Product, X: from, Y: to})
	}
	none := &relation.Const{Op: relation.None}
	atMostOne := func(r *relation.Relation) relation.Formula {
		return all(join(f.FSM, r), 2, func(s ...*relation.Var) relation.Formula { return equal(s[0], s[1]) })
	}
	f.Model = &rank.Model{
		Sigs: []rank.Sig{{Name: "FSM", Relation: f.FSM, Parent: -1}, {Name: "State", Relation: f.State, Parent: -1}},
		Fields: []rank.Field{
			{Name: "start", Sig: 0, Relation: f.start}, {Name: "stop", Sig: 0, Relation: f.stop}, {Name: "transition", Sig: 1, Relation: f.transition},
		},
		Units: []rank.Unit{
			{Kind: rank.Fact, Name: "OneStartAndStop", Body: and(
				atMostOne(f.start), atMostOne(f.stop),
				&relation.Mult{Op: relation.SomeOf, X: join(f.FSM, f.stop)})},
			{Kind: rank.Fact, Name: "ValidStartAndStop", Body: and(
				notIn(join(f.FSM, f.start), join(f.FSM, f.stop)),
				all(f.State, 1, func(s ...*relation.Var) relation.Formula {
					return notIn(join(f.FSM, f.start), join(s[0], f.transition))
				}),
				all(f.State, 1, func(s ...*relation.Var) relation.Formula {
					return &relation.Connective{Op: relation.Implies, Xs: []relation.Formula{
						equal(join(s[0], f.transition), none), in(s[0], join(f.FSM, f.stop))}}
				}))},
			{Kind: rank.Fact, Name: "Reachability", Body: and(
				equal(f.State, join(join(f.FSM, f.start), star(f.transition))),
				all(f.State, 1, func(s ...*relation.Var) relation.Formula {
					return in(join(f.FSM, f.stop), join(s[0], star(f.transition)))
				}))},
		},
		Check: rank.Command{
			Bounds:   b,
			Implicit: []relation.Formula{typed(f.start, f.FSM, f.State), typed(f.stop, f.FSM, f.State), typed(f.transition, f.State, f.State)},
			Goal:     &relation.Mult{Op: relation.NoOf, X: join(join(f.FSM, f.stop), f.transition)},
		},
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
