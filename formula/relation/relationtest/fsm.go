package relationtest

import "github.com/go-amend/amend/formula/relation"

// An FSM is the finite-state machine of Figure 1 of Zheng et al., "FLACK:
// Counterexample-Guided Fault Localization for Alloy Models", ICSE 2021, in a
// scope of four states: an implication should be an equivalence, so that the
// goal does not follow.
type FSM struct {
	Machine, First          relation.Atom // the others follow the first state
	FSM, State              *relation.Relation
	Start, Stop, Transition *relation.Relation
	Bounds                  *relation.Bounds

	Declared           []relation.Formula // of the fields
	OneStartAndStop    relation.Formula   // the facts
	ValidStartAndStop  relation.Formula   // which holds the fault
	Reachability, Goal relation.Formula
}

// NewFSM returns it. Each has nodes of its own.
func NewFSM() *FSM {
	u := relation.NewUniverse(1)
	f := &FSM{Machine: u.Add("FSM0"), First: u.Add("State0"), Bounds: relation.NewBounds(u)}
	states := relation.SetOfAtoms(f.First, u.Add("State1"), u.Add("State2"), u.Add("State3"))
	machine := relation.SetOfAtoms(f.Machine)
	f.FSM, f.State = &relation.Relation{Name: "FSM", Width: 1}, &relation.Relation{Name: "State", Width: 1}
	f.Start, f.Stop = &relation.Relation{Name: "start", Width: 2}, &relation.Relation{Name: "stop", Width: 2}
	f.Transition = &relation.Relation{Name: "transition", Width: 2}
	f.Bounds.Bind(f.FSM, machine, machine)
	f.Bounds.Bind(f.State, nil, states)
	f.Bounds.Bind(f.Start, nil, machine.Product(states))
	f.Bounds.Bind(f.Stop, nil, machine.Product(states))
	f.Bounds.Bind(f.Transition, nil, states.Product(states))
	f.facts()
	typed := func(r, from, to *relation.Relation) relation.Formula {
		return In(r, &relation.Binary{Op: relation.Product, X: from, Y: to})
	}
	f.Declared = []relation.Formula{typed(f.Start, f.FSM, f.State), typed(f.Stop, f.FSM, f.State), typed(f.Transition, f.State, f.State)}
	f.Goal = &relation.Mult{Op: relation.NoOf, X: Join(Join(f.FSM, f.Stop), f.Transition)}
	return f
}

func (f *FSM) facts() {
	atMostOne := func(r *relation.Relation) relation.Formula {
		return All(Join(f.FSM, r), 2, func(s ...*relation.Var) relation.Formula { return Equal(s[0], s[1]) })
	}
	f.OneStartAndStop = And(
		atMostOne(f.Start), atMostOne(f.Stop),
		&relation.Mult{Op: relation.SomeOf, X: Join(f.FSM, f.Stop)})
	f.ValidStartAndStop = And(
		NotIn(Join(f.FSM, f.Start), Join(f.FSM, f.Stop)),
		All(f.State, 1, func(s ...*relation.Var) relation.Formula {
			return NotIn(Join(f.FSM, f.Start), Join(s[0], f.Transition))
		}),
		All(f.State, 1, func(s ...*relation.Var) relation.Formula {
			return &relation.Connective{Op: relation.Implies, Xs: []relation.Formula{
				Equal(Join(s[0], f.Transition), &relation.Const{Op: relation.None}), In(s[0], Join(f.FSM, f.Stop))}}
		}))
	f.Reachability = And(
		Equal(f.State, Join(Join(f.FSM, f.Start), Star(f.Transition))),
		All(f.State, 1, func(s ...*relation.Var) relation.Formula {
			return In(Join(f.FSM, f.Stop), Join(s[0], Star(f.Transition)))
		}))
}
