package main

// From a file to what slice/rank takes.

import (
	"fmt"
	"os"
	"strings"

	"github.com/go-amend/amend/ir/alloy"
	"github.com/go-amend/amend/slice/rank"
)

// A subject is a model with a check and a run to be ranked.
type subject struct {
	src   []byte
	model *rank.Model
	nodes []alloy.Node // by index in model.Nodes
}

// paired says that a name is of the commands to take: the models hold other
// checks beside "check repair_assert_1" with "run repair_pred_1". What these two
// demand is no part of the model that may be at fault.
func paired(name string) bool { return strings.HasPrefix(name, "repair_") }

func load(file string) (*subject, error) {
	src, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	m, err := alloy.Parse(file, src)
	if err != nil {
		return nil, err
	}
	s := &subject{src: src, model: &rank.Model{}}
	for _, x := range m.Sigs() {
		s.model.Sigs = append(s.model.Sigs, rank.Sig{Name: x.Name, Relation: x.Relation, Parent: x.Parent})
	}
	for _, x := range m.Fields() {
		s.model.Fields = append(s.model.Fields, rank.Field{Name: x.Name, Sig: x.Sig, Relation: x.Relation})
	}
	s.addNodes(m)
	return s, s.addCommands(m)
}

// kinds has the constants of rank at the indices of those of alloy.
var kinds = map[alloy.UnitKind]rank.UnitKind{alloy.Fact: rank.Fact, alloy.Predicate: rank.Predicate, alloy.Function: rank.Function}

func (s *subject) addNodes(m *alloy.Model) {
	units := make(map[int]int)
	for i, u := range m.Units() {
		if !paired(u.Name) {
			units[i] = len(s.model.Units)
			s.model.Units = append(s.model.Units, rank.Unit{Kind: kinds[u.Kind], Name: u.Name, Params: u.Params, Body: u.Body})
		}
	}
	index := map[int]int{-1: -1}
	for i, n := range m.Nodes() {
		u, ok := units[n.Unit]
		if !ok {
			continue
		}
		index[i] = len(s.model.Nodes)
		text := strings.Join(strings.Fields(string(s.src[n.Span.Start:n.Span.End])), " ")
		s.model.Nodes = append(s.model.Nodes, rank.Node{Rel: n.Rel, Unit: u, Parent: index[n.Parent], Text: text, Call: n.Call,
			Where: fmt.Sprintf("%d:%d", n.Span.Line, n.Span.Col)})
		s.nodes = append(s.nodes, n)
	}
}

func (s *subject) addCommands(m *alloy.Model) error {
	for _, c := range m.Commands() {
		if !paired(c.Name) {
			continue
		}
		p, err := m.Problem(c, 0)
		if err != nil {
			return err
		}
		cmd := rank.Command{Bounds: p.Bounds, Implicit: p.Implicit, Facts: p.Facts, Goal: p.Goal}
		if c.Check {
			s.model.Check = cmd
		} else {
			s.model.Run = &cmd
		}
	}
	return nil
}
