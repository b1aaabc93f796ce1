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
	Check, Run *alloy.Command // Run may be nil; Check is if there are tests instead
	Model      *rank.Model
	Nodes      []alloy.Node     // by index in Model.Nodes
	Others     []*alloy.Command // by index in Model.Others
	Unasked    []*alloy.Command // commands in whose scope something is wrong

	m    *alloy.Model
	opts Options
	grow int

	joined  []*alloy.Command // checks of opts.With that are part of the model's
	claimed []*alloy.Command // tests that are
}

// Options say what may change. The zero value is the default: all but the oracle.
//
// The oracle of a check is what only its assertion uses and no fact: in P iff Q,
// where P is called, whatever Q uses (of two calls P is the left one, unless its
// name is the other's with more, as in pOK iff p), and what the assertion claims
// to hold, unless that is all there is.
type Options struct {
	// Hard, unless nil, says what must not change besides.
	Hard func(alloy.Unit, alloy.Node) bool

	// Soft, unless nil, says which units may change although they are an oracle.
	// Then they may be copied and called, too.
	Soft func(alloy.Unit) bool

	// With are other checks that fail and are to be mended, too.
	With []*alloy.Command

	tests []test // instead of a check
}

// New returns a subject. What the run demands is no part of the model that may
// be at fault, unless the check is about it, nor is the oracle. No repair copies
// or calls an oracle, nor that of another check. An error is about the scope of a
// command.
func New(m *alloy.Model, check, run *alloy.Command, opts Options) (*Subject, error) {
	return describe(m, check, run, 0, opts)
}

// describe is New in scopes that are larger by grow.
func describe(m *alloy.Model, check, run *alloy.Command, grow int, opts Options) (*Subject, error) {
	s := &Subject{Check: check, Run: run, Model: &rank.Model{}, m: m, opts: opts, grow: grow}
	s.addDeclarations()
	p, err := s.problem()
	if err != nil {
		return nil, err
	}
	s.mendWith(p)
	s.Model.Check = command(p)
	s.addNodes(s.addUnits(p, opts), opts)
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

// problem returns what is to be mended, the other checks apart.
func (s *Subject) problem() (*alloy.Problem, error) {
	if s.Check == nil {
		return s.joinTests()
	}
	return s.m.Problem(s.Check, s.grow)
}

// mendWith joins to the goal of p the checks to be mended that have the same bounds.
func (s *Subject) mendWith(p *alloy.Problem) {
	for _, c := range s.opts.With {
		if q, err := s.m.Problem(c, s.grow); err == nil && same(p.Bounds, q.Bounds) {
			p.Goal = &relation.Connective{Op: relation.And, Xs: []relation.Formula{p.Goal, q.Goal}}
			s.joined = append(s.joined, c)
		}
	}
}

// same reports whether two bounds of a model are equal.
func same(a, b *relation.Bounds) bool {
	to, ok := relation.Match(a, b)
	for r, s := range to {
		ok = ok && r == s
	}
	return ok
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
func (s *Subject) addUnits(p *alloy.Problem, opts Options) map[int]int {
	at := make(map[int]int)
	oracle, used := s.oracle(p), uses(p)
	for i, u := range s.m.Units() {
		if s.Run == nil || u.Kind == alloy.Fact || u.Name != s.Run.Name || used(u.Body) {
			at[i] = len(s.Model.Units)
			hard := oracle[i] && (opts.Soft == nil || !opts.Soft(u))
			s.Model.Units = append(s.Model.Units, rank.Unit{Kind: kinds[u.Kind], Name: u.Name, Params: u.Params, Body: u.Body, Oracle: hard})
		}
	}
	return at
}

// oracle returns which units are the oracle of the check, with the problem p, or of
// another check, whose oracle may be what this one is about. Of tests it is what
// only they name.
func (s *Subject) oracle(p *alloy.Problem) []bool {
	if s.Check == nil {
		tested := s.tested()
		out := make([]bool, len(s.m.Units()))
		for i, u := range s.m.Units() {
			out[i] = u.Kind != alloy.Fact && !tested[u.Body]
		}
		return out
	}
	out := oracles(s.m, p)
	about := uses(p)
	for _, c := range s.m.Commands() {
		if !c.Check || c == s.Check {
			continue
		}
		if q, err := s.m.Problem(c, 0); err == nil {
			for i, is := range oracles(s.m, q) {
				out[i] = out[i] || is && !about(s.m.Units()[i].Body)
			}
		}
	}
	return out
}

// uses returns a function that reports whether a node occurs in the formulas of p.
func uses(p *alloy.Problem) func(relation.Node) bool {
	in := make(map[relation.Node]bool)
	for _, f := range append(slices.Clone(p.Facts), p.Goal) {
		relation.Walk(f, func(n relation.Node) bool { in[n] = true; return true })
	}
	return func(n relation.Node) bool { return in[n] }
}

func (s *Subject) addNodes(units map[int]int, opts Options) {
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
			Hard: opts.Hard != nil && opts.Hard(s.m.Units()[n.Unit], n) || s.Model.Units[u].Oracle,
		})
	}
}

// addOthers adds the commands besides the check and the run.
func (s *Subject) addOthers() {
	for _, c := range s.m.Commands() {
		if c == s.Check || c == s.Run || slices.Contains(s.joined, c) {
			continue
		}
		p, err := s.m.Problem(c, s.grow)
		if err != nil {
			s.Unasked = append(s.Unasked, c)
			continue
		}
		s.Others = append(s.Others, c)
		must := slices.Contains(s.opts.With, c) || slices.ContainsFunc(s.opts.tests, func(x test) bool { return x.command == c })
		s.Model.Others = append(s.Model.Others, rank.Question{
			Bounds: p.Bounds, Formula: p.Formula(c), Want: c.Expected(true), Must: must, Implied: slices.Contains(s.claimed, c),
		})
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
			again, err := describe(m, s.in(m, s.Check), s.in(m, s.Run), grow, s.again(m))
			if err != nil {
				return nil, err
			}
			return again.Model, nil
		},
	}
}

// again returns the options for a changed model, in which nothing changes any more.
func (s *Subject) again(m *alloy.Model) (out Options) {
	for _, c := range s.opts.With {
		out.With = append(out.With, s.in(m, c))
	}
	for _, x := range s.opts.tests {
		out.tests = append(out.tests, test{s.in(m, x.command), x.atoms})
	}
	return out
}

// in returns the command of m, a changed model, that c is.
func (s *Subject) in(m *alloy.Model, c *alloy.Command) *alloy.Command {
	if c == nil {
		return nil
	}
	return m.Commands()[slices.Index(s.m.Commands(), c)]
}

// Repairs yields the repairs of the check, written into the model's text, as
// model.Repairs does; it sets cfg.Text and, as cfg.Grow says, cfg.Larger.
func (s *Subject) Repairs(ctx context.Context, cfg model.Config) iter.Seq2[*model.Repair, error] {
	cfg.Text = s.Text()
	if s.Check == nil {
		cfg.Grow = 0 // a test names its instance
	}
	if cfg.Grow > 0 {
		if larger, err := describe(s.m, s.Check, s.Run, cfg.Grow, s.opts); err == nil {
			cfg.Larger = larger.Model
		}
	}
	return model.Repairs(ctx, s.Model, cfg)
}

// Written returns the model with a repair.
func (s *Subject) Written(r *model.Repair) (*alloy.Model, error) {
	files, err := r.Patch.Apply([]*ir.File{s.m.File()})
	if err != nil {
		return nil, err
	}
	return alloy.Parse(files[0].Name, files[0].Content)
}

// Paragraph says in which paragraph the i-th edit of r's patch is.
func (s *Subject) Paragraph(r *model.Repair, i int) string {
	for _, n := range s.Nodes {
		if e := r.Patch[i].Span; n.Span.Start <= e.Start && e.End <= n.Span.End {
			return paragraph(s.m.Units()[n.Unit])
		}
	}
	return ""
}

// paragraph names u.
func paragraph(u alloy.Unit) string {
	kind := map[alloy.UnitKind]string{alloy.Fact: "fact", alloy.Predicate: "pred", alloy.Function: "fun"}[u.Kind]
	return strings.TrimSpace(kind + " " + u.Name)
}

// Note says in a sentence what was proved of a repair that was asked for in a
// scope larger by 1.
func (s *Subject) Note(r *model.Repair) string {
	out := "the check holds in its scope and in one larger by 1"
	if r.Grown == 0 {
		out = "the check holds in its scope, but not in one larger by 1"
	}
	switch {
	case s.Check == nil:
		out = fmt.Sprintf("all %d tests are as expected", len(s.opts.tests))
	case r.Keeps:
		out += "; all instances with the assertion remain"
	default:
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
