// Package alloyfix repairs Alloy models: it describes a check of what ir/alloy
// read to mutate/model, which searches for changes, and to slice/rank, which
// orders expressions by how likely they are at fault.
package alloyfix

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/go-amend/amend/formula/relation"
	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/alloy"
	"github.com/go-amend/amend/mutate/model"
	"github.com/go-amend/amend/slice/rank"
)

// A Subject is a check of a model, with the run that must stay possible.
type Subject struct {
	Check, Run *alloy.Command // Run may be nil
	Model      *rank.Model
	Nodes      []alloy.Node     // by index in Model.Nodes
	Others     []*alloy.Command // by index in Model.Others
	Unasked    []*alloy.Command // commands in whose scope something is wrong

	m    *alloy.Model
	grow int
}

// New returns a subject. What the run demands is no part of the model that may
// be at fault, unless the check is about it, nor is what hard, unless nil, says.
// An error is about the scope of a command.
func New(m *alloy.Model, check, run *alloy.Command, hard func(alloy.Unit, alloy.Node) bool) (*Subject, error) {
	return describe(m, check, run, 0, hard)
}

// describe is New in scopes that are larger by grow.
func describe(m *alloy.Model, check, run *alloy.Command, grow int, hard func(alloy.Unit, alloy.Node) bool) (*Subject, error) {
	s := &Subject{Check: check, Run: run, Model: &rank.Model{}, m: m, grow: grow}
	s.addDeclarations()
	p, err := m.Problem(check, grow)
	if err != nil {
		return nil, err
	}
	s.Model.Check = command(p)
	s.addNodes(s.addUnits(p), hard)
	if run != nil {
		p, err := m.Problem(run, grow)
		if err != nil {
			return nil, err
		}
		c := command(p)
		s.Model.Run = &c
	}
	s.addOthers()
	return s, nil
}

func command(p *alloy.Problem) rank.Command {
	return rank.Command{Bounds: p.Bounds, Implicit: p.Implicit, Facts: p.Facts, Goal: p.Goal}
}

func (s *Subject) addDeclarations() {
	for _, x := range s.m.Sigs() {
		s.Model.Sigs = append(s.Model.Sigs, rank.Sig{Name: x.Name, Relation: x.Relation, Parent: x.Parent})
	}
	for _, x := range s.m.Fields() {
		s.Model.Fields = append(s.Model.Fields, rank.Field{Name: x.Name, Sig: x.Sig, Relation: x.Relation})
	}
}

// kinds has what rank calls the kinds of units.
var kinds = map[alloy.UnitKind]rank.UnitKind{alloy.Fact: rank.Fact, alloy.Predicate: rank.Predicate, alloy.Function: rank.Function}

// addUnits adds the units that may be at fault for the check, which has the
// problem p, and returns their indices by those of the model's.
func (s *Subject) addUnits(p *alloy.Problem) map[int]int {
	at := make(map[int]int)
	for i, u := range s.m.Units() {
		if s.Run == nil || u.Kind == alloy.Fact || u.Name != s.Run.Name || uses(p, u.Body) {
			at[i] = len(s.Model.Units)
			s.Model.Units = append(s.Model.Units, rank.Unit{Kind: kinds[u.Kind], Name: u.Name, Params: u.Params, Body: u.Body})
		}
	}
	return at
}

// uses reports whether body occurs in the formulas of p.
func uses(p *alloy.Problem, body relation.Node) bool {
	found := false
	for _, f := range append(slices.Clone(p.Facts), p.Goal) {
		relation.Walk(f, func(n relation.Node) bool {
			found = found || n == body
			return !found
		})
	}
	return found
}

func (s *Subject) addNodes(units map[int]int, hard func(alloy.Unit, alloy.Node) bool) {
	index := map[int]int{-1: -1}
	src := s.m.File().Content
	for i, n := range s.m.Nodes() {
		u, ok := units[n.Unit]
		if !ok {
			continue
		}
		index[i] = len(s.Nodes)
		s.Nodes = append(s.Nodes, n)
		s.Model.Nodes = append(s.Model.Nodes, rank.Node{
			Rel: n.Rel, Unit: u, Parent: index[n.Parent], Call: n.Call, Where: fmt.Sprintf("%s:%d:%d", n.Span.File, n.Span.Line, n.Span.Col),
			Text: strings.Join(strings.Fields(string(src[n.Span.Start:n.Span.End])), " "),
			Hard: hard != nil && hard(s.m.Units()[n.Unit], n),
		})
	}
}

// addOthers adds the commands besides the check and the run.
func (s *Subject) addOthers() {
	for _, c := range s.m.Commands() {
		if c == s.Check || c == s.Run {
			continue
		}
		p, err := s.m.Problem(c, s.grow)
		if err != nil {
			s.Unasked = append(s.Unasked, c)
			continue
		}
		s.Others = append(s.Others, c)
		s.Model.Others = append(s.Model.Others, rank.Question{Bounds: p.Bounds, Formula: p.Formula(c), Want: c.Expected(true)})
	}
}

// Text returns the model as it is written, for model.Config.
func (s *Subject) Text() *model.Text {
	return &model.Text{
		File: s.m.File(),
		Edit: func(node int, n relation.Node) ir.Edit { return s.m.Edit(s.Nodes[node], n) },
		Read: func(f *ir.File, grow int) (*rank.Model, error) {
			m, err := s.m.Reread(f.Name, f.Content)
			if err != nil {
				return nil, err
			}
			again, err := describe(m, s.in(m, s.Check), s.in(m, s.Run), grow, nil)
			if err != nil {
				return nil, err
			}
			return again.Model, nil
		},
	}
}

// in returns the command of m, a changed model, that c is.
func (s *Subject) in(m *alloy.Model, c *alloy.Command) *alloy.Command {
	if c == nil {
		return nil
	}
	return m.Commands()[slices.Index(s.m.Commands(), c)]
}

// Repairs yields the repairs of the check, written into the model's text, as
// model.Repairs does; it sets cfg.Text.
func (s *Subject) Repairs(ctx context.Context, cfg model.Config) iter.Seq2[*model.Repair, error] {
	cfg.Text = s.Text()
	return model.Repairs(ctx, s.Model, cfg)
}

// Note says in a sentence what was proved of a repair that was asked for in a
// scope larger by 1.
func (s *Subject) Note(r *model.Repair) string {
	out := "the check holds in its scope and in one larger by 1"
	if r.Grown == 0 {
		out = "the check holds in its scope, but not in one larger by 1"
	}
	if r.Keeps {
		out += "; all instances with the assertion remain"
	} else {
		out += "; some instances with the assertion are lost"
	}
	if len(r.Failing) > 0 {
		out += "; as before, not as expected: " + s.texts(r.Failing)
	}
	if open := s.open(r); len(open) > 0 {
		out += "; not decided: " + strings.Join(open, "; ")
	}
	return out
}

// open returns the commands that are not decided, in the order of the source.
func (s *Subject) open(r *model.Repair) (out []string) {
	for _, c := range s.m.Commands() {
		i := slices.Index(s.Others, c)
		if slices.Contains(s.Unasked, c) || i >= 0 && slices.Contains(r.Undecided, i) {
			out = append(out, c.Text)
		}
	}
	return out
}

// texts returns the texts of some of the others.
func (s *Subject) texts(of []int) string {
	var out []string
	for _, i := range of {
		out = append(out, s.Others[i].Text)
	}
	return strings.Join(out, "; ")
}
