package alloyfix

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/go-amend/amend/formula/relation"
	"github.com/go-amend/amend/ir/alloy"
	"github.com/go-amend/amend/mutate/model"
)

// This file makes one claim of tests: of runs that say what to expect, each of
// which describes an instance and says what holds in it, or doesn't.

// errNoTests says that no command can be a test.
var errNoTests = errors.New("alloyfix: no command is a test: none says what to expect")

// A test is a command with atoms of an instance that it describes.
type test struct {
	command *alloy.Command
	atoms   []relation.Atom // of the variables that its goal begins with, or nil
}

// NewTests returns a subject whose check is that tests are as expected: commands of
// m in the bounds of the first. A check claims its assertion, a run with expect 0
// that it has no instance. A run with expect 1 that begins with "some" claims that
// an instance is one in which the facts hold and what it calls, if it is what the
// run says without calls, for some values of the variables: most tests describe a
// single instance. Search uses these claims; what is found has all tests as
// expected. A run that describes no instance is none of the tests.
func NewTests(ctx context.Context, m *alloy.Model, tests []*alloy.Command, opts Options) (*Subject, error) {
	opts.tests = nil
	for _, c := range tests {
		x := test{command: c}
		if n, says := c.Expect(); !c.Check && says {
			atoms, ok, err := described(ctx, m, c)
			if err != nil {
				return nil, err
			}
			if x.atoms = atoms; !ok && n > 0 {
				continue
			}
		}
		opts.tests = append(opts.tests, x)
	}
	if len(opts.tests) == 0 {
		return nil, errNoTests
	}
	return describe(m, nil, nil, 0, opts)
}

// described returns atoms of an instance that c describes, in the order of its
// variables, and whether there is one.
func described(ctx context.Context, m *alloy.Model, c *alloy.Command) ([]relation.Atom, bool, error) {
	p, err := m.Problem(c, 0)
	if err != nil {
		return nil, false, err
	}
	own, _, vars := parted(p.Goal, called(m))
	value := make(map[relation.Node]relation.Node)
	atom := make([]*relation.Relation, len(vars))
	for i, v := range vars {
		atom[i] = &relation.Relation{Name: fmt.Sprintf("$%d", i), Width: 1}
		value[v.v] = atom[i]
		p.Bounds.Bind(atom[i], relation.NewSet(1), atomsOf(p.Bounds.Universe))
	}
	fs := slices.Clone(p.Implicit)
	for i, v := range vars {
		fs = append(fs, &relation.Mult{Op: relation.OneOf, X: atom[i]}, &relation.Compare{Op: relation.In, X: atom[i], Y: with(v.bound, value).(relation.Expr)})
		for _, other := range v.apart {
			fs = append(fs, &relation.Disjoint{Xs: []relation.Expr{value[other].(relation.Expr), atom[i]}})
		}
	}
	in, err := model.Find(ctx, p.Bounds, conjunction(append(fs, with(own, value).(relation.Formula))...), model.Config{})
	if in == nil || err != nil {
		return nil, false, err
	}
	out := make([]relation.Atom, len(vars))
	for i, r := range atom {
		for t := range in.Get(r).All() {
			out[i] = t[0]
		}
	}
	return out, true, nil
}

// with returns n with values in the place of variables.
func with(n relation.Node, value map[relation.Node]relation.Node) relation.Node {
	return relation.Replace(n, func(x relation.Node) relation.Node { return value[x] })
}

// atomsOf returns all atoms of u.
func atomsOf(u *relation.Universe) *relation.Set {
	out := make([]relation.Atom, u.Len())
	for i := range out {
		out[i] = relation.Atom(i)
	}
	return relation.SetOfAtoms(out...)
}

// joinTests makes p's goal that all tests are as expected. The facts are part of
// what a test claims, since they may be at fault.
func (s *Subject) joinTests(p *alloy.Problem) {
	parts := make(map[string]*part)
	var order []*part
	j := &joiner{p: p, called: called(s.m), named: make(map[relation.Atom]*relation.Relation)}
	bounds := p.Bounds.Clone()
	for _, x := range s.opts.tests {
		q, err := s.m.Problem(x.command, s.grow)
		if err != nil || !same(bounds, q.Bounds) {
			continue
		}
		about := s.about(q.Goal, j.called)
		if parts[about] == nil {
			parts[about] = &part{about: about}
			order = append(order, parts[about])
		}
		parts[about].claims = append(parts[about].claims, j.claim(x, q))
	}
	slices.SortStableFunc(order, func(a, b *part) int {
		return cmp.Or(cmp.Compare(len(a.about), len(b.about)), cmp.Compare(a.about, b.about))
	})
	for _, x := range order {
		s.Model.Parts = append(s.Model.Parts, conjunction(x.claims...))
	}
	p.Facts, p.Goal = nil, conjunction(s.Model.Parts...)
}

// A part is what tests claim about the same units.
type part struct {
	about  string // a character for each unit
	claims []relation.Formula
}

// about returns the units that f calls, as a string that is longer for more of them.
func (s *Subject) about(f relation.Formula, called func(relation.Node) bool) string {
	used := make(map[relation.Node]bool)
	relation.Walk(f, func(n relation.Node) bool { used[n] = true; return true })
	var out []rune
	for i, u := range s.m.Units() {
		if used[u.Body] && called(u.Body) {
			out = append(out, rune(i+1))
		}
	}
	return string(out)
}

// A joiner makes claims in the bounds of p.
type joiner struct {
	p      *alloy.Problem
	called func(relation.Node) bool
	named  map[relation.Atom]*relation.Relation // each is that atom
}

// claim returns what x, with the problem q, says that holds.
func (j *joiner) claim(x test, q *alloy.Problem) relation.Formula {
	facts := conjunction(q.Facts...)
	n, says := x.command.Expect()
	switch {
	case x.command.Check:
		return &relation.Connective{Op: relation.Implies, Xs: []relation.Formula{facts, q.Goal}}
	case x.atoms == nil:
		return &relation.Not{X: conjunction(facts, q.Goal)}
	}
	own, rest, vars := parted(q.Goal, j.called)
	value := make(map[relation.Node]relation.Node)
	for i, v := range vars {
		value[v.v] = j.name(x.atoms[i])
	}
	claimed := conjunction(facts, with(rest, value).(relation.Formula))
	if says && n == 0 {
		claimed = &relation.Not{X: claimed}
	}
	return &relation.Connective{Op: relation.Implies, Xs: []relation.Formula{with(own, value).(relation.Formula), claimed}}
}

// name returns the relation that a alone is in. Bounds with it tell a from other
// atoms, so that no symmetry is seen where there is none.
func (j *joiner) name(a relation.Atom) *relation.Relation {
	r := j.named[a]
	if r == nil {
		r = &relation.Relation{Name: "$" + j.p.Bounds.Universe.Name(a), Width: 1}
		j.named[a] = r
		j.p.Bounds.Bind(r, relation.SetOfAtoms(a), relation.SetOfAtoms(a))
	}
	return r
}

// A variable is one that a goal begins with.
type variable struct {
	v     *relation.Var
	bound relation.Expr
	apart []*relation.Var // those before it from which it is to differ
}

// parted returns what f says without calls, what else, and the variables of both.
func parted(f relation.Formula, called func(relation.Node) bool) (own, rest relation.Formula, vars []variable) {
	switch f := f.(type) {
	case *relation.Quant:
		if f.Op != relation.Some || slices.ContainsFunc(f.Decls, func(d relation.Decl) bool { return d.Mult != relation.OneOf }) {
			break
		}
		for _, d := range f.Decls {
			for i, v := range d.Vars {
				x := variable{v: v, bound: d.Bound}
				if d.Disj {
					x.apart = d.Vars[:i]
				}
				vars = append(vars, x)
			}
		}
		own, rest, inner := parted(f.Body, called)
		return own, rest, append(vars, inner...)
	case *relation.Connective:
		if f.Op != relation.And {
			break
		}
		if len(f.Xs) == 1 {
			return parted(f.Xs[0], called)
		}
		var plain, calls []relation.Formula
		for _, x := range f.Xs {
			if contains(x, called) {
				calls = append(calls, x)
			} else {
				plain = append(plain, x)
			}
		}
		return conjunction(plain...), conjunction(calls...), nil
	}
	if contains(f, called) {
		return conjunction(), f, nil
	}
	return f, conjunction(), nil
}

// contains reports whether n, or a node in it, is one of some.
func contains(n relation.Node, some func(relation.Node) bool) bool {
	found := false
	relation.Walk(n, func(x relation.Node) bool {
		found = found || some(x)
		return !found
	})
	return found
}

// called returns a function that reports whether a node is the body of a predicate
// or function that is no command's.
func called(m *alloy.Model) func(relation.Node) bool {
	of := make(map[string]bool)
	for _, c := range m.Commands() {
		of[c.Name] = true
	}
	bodies := make(map[relation.Node]bool)
	for _, u := range m.Units() {
		if u.Kind != alloy.Fact && !of[u.Name] {
			bodies[u.Body] = true
		}
	}
	return func(n relation.Node) bool { return bodies[n] }
}

func conjunction(fs ...relation.Formula) relation.Formula {
	return &relation.Connective{Op: relation.And, Xs: fs}
}

// testUnits returns which units are named by a test and by nothing else that is
// to be kept: they say what is wanted.
func (s *Subject) testUnits() []bool {
	out := make([]bool, len(s.m.Units()))
	for i, u := range s.m.Units() {
		out[i] = u.Kind != alloy.Fact && slices.ContainsFunc(s.opts.tests, func(x test) bool { return x.command.Name == u.Name })
	}
	return out
}
