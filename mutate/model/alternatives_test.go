package model

import (
	"slices"
	"testing"

	"github.com/go-amend/amend/formula/relation"
	"github.com/go-amend/amend/slice/rank"
)

// TestMutants checks that every mutant is of the node's kind and arity, uses no
// variables but those in scope, and differs from the node.
func TestMutants(t *testing.T) {
	m := newFSM()
	g := newGenerator(m.Model, false)
	total := 0
	for i, n := range m.Nodes {
		for _, x := range append(g.plain(i), g.copies(i)...) {
			total++
			if x.node != i || x.cost <= 0 || !alike(n.Rel, x.new) {
				t.Errorf("mutant %s of %s, cost %d", relation.Format(x.new), n.Text, x.cost)
			}
			if relation.Format(x.new) == n.Text {
				t.Errorf("mutant of %s is the same", n.Text)
			}
			for _, v := range relation.FreeVars(x.new) {
				if !slices.Contains(g.scope[n.Rel], v) {
					t.Errorf("mutant %s of %s uses %s, which is not in scope", relation.Format(x.new), n.Text, v.Name)
				}
			}
		}
	}
	if total < 500 {
		t.Errorf("only %d mutants", total)
	}
}

func alike(a, b relation.Node) bool {
	switch a := a.(type) {
	case relation.Formula:
		_, ok := b.(relation.Formula)
		return ok
	case relation.Int:
		_, ok := b.(relation.Int)
		return ok
	case relation.Expr:
		e, ok := b.(relation.Expr)
		return ok && e.Arity() == a.Arity()
	}
	return false
}

// TestPlain lists the changes in place of some formulas, among others.
func TestPlain(t *testing.T) {
	m := newFSM()
	g := newGenerator(m.Model, false)
	for text, want := range map[string][]string{
		"some (FSM.stop)":            {"no (FSM.stop)", "lone (FSM.stop)", "one (FSM.stop)", "!(some (FSM.stop))"},
		"(FSM.start) !in (FSM.stop)": {"(FSM.stop) !in (FSM.start)", "(FSM.start) = (FSM.stop)"},
		"*transition":                {"^transition", "transition"},
		"s0 = s1":                    {"s0 != s1", "s1 = s1"},
		"(all s0: one State | (FSM.start) !in (s0.transition))": {"(no s0: one State | (FSM.start) !in (s0.transition))"},
		"((s0.transition) = none => s0 in (FSM.stop))":          {"((s0.transition) = none <=> s0 in (FSM.stop))", "s0 in (FSM.stop)"},
	} {
		i := slices.IndexFunc(m.Nodes, func(n rank.Node) bool { return n.Text == text })
		var got []string
		for _, x := range g.plain(i) {
			got = append(got, relation.Format(x.new))
		}
		for _, w := range want {
			if !slices.Contains(got, w) {
				t.Errorf("%s lacks the mutant %s: %q", text, w, got)
			}
		}
	}
}
