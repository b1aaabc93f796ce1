package rank

import (
	"fmt"
	"math"
	"testing"

	"github.com/go-amend/amend/formula/relation"
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
	f.Model = &Model{
		Sigs: []Sig{{"FSM", f.FSM, -1}, {"State", f.State, -1}},
		Fields: []Field{
			{"start", 0, f.start}, {"stop", 0, f.stop}, {"transition", 1, f.transition},
		},
		Units: []Unit{
			{Kind: Fact, Name: "OneStartAndStop", Body: and(
				atMostOne(f.start), atMostOne(f.stop),
				&relation.Mult{Op: relation.SomeOf, X: join(f.FSM, f.stop)})},
			{Kind: Fact, Name: "ValidStartAndStop", Body: and(
				notIn(join(f.FSM, f.start), join(f.FSM, f.stop)),
				all(f.State, 1, func(s ...*relation.Var) relation.Formula {
					return notIn(join(f.FSM, f.start), join(s[0], f.transition))
				}),
				all(f.State, 1, func(s ...*relation.Var) relation.Formula {
					return &relation.Connective{Op: relation.Implies, Xs: []relation.Formula{
						equal(join(s[0], f.transition), none), in(s[0], join(f.FSM, f.stop))}}
				}))},
			{Kind: Fact, Name: "Reachability", Body: and(
				equal(f.State, join(join(f.FSM, f.start), star(f.transition))),
				all(f.State, 1, func(s ...*relation.Var) relation.Formula {
					return in(join(f.FSM, f.stop), join(s[0], star(f.transition)))
				}))},
		},
		Check: Command{
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

// figure2 returns the pair of the paper's Figure 2.
func (f *fsm) figure2() Pair {
	cex := relation.NewInstance(f.Check.Bounds)
	s := f.state
	cex.Put(f.State, relation.SetOfAtoms(s, s+1, s+2, s+3))
	cex.Put(f.start, relation.NewSet(2, []relation.Atom{f.fsm, s}))
	cex.Put(f.stop, relation.NewSet(2, []relation.Atom{f.fsm, s + 3}))
	good := relation.NewInstance(f.Check.Bounds)
	for _, r := range []*relation.Relation{f.State, f.start, f.stop} {
		good.Put(r, cex.Get(r))
	}
	same := relation.NewSet(2, []relation.Atom{s, s + 1}, []relation.Atom{s, s + 3}, []relation.Atom{s + 1, s + 2}, []relation.Atom{s + 2, s + 3})
	good.Put(f.transition, same)
	cex.Put(f.transition, same.Union(relation.NewSet(2, []relation.Atom{s + 3, s + 1})))
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
