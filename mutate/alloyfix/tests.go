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

// NewTests returns a subject whose check is that tests are as expected, which are
// commands of m. A check claims its assertion, a run with expect 0 that it has no
// instance. A run with expect 1 that begins with "some" claims that in an instance
// which it describes, by what it says without calls, the facts hold and what it
// calls: most tests describe a single instance. The search uses these claims; what
// is found has all tests as expected. A run that expects nothing or describes no
// instance is no test, nor is a check that expects a counterexample.
func NewTests(ctx context.Context, m *alloy.Model, tests []*alloy.Command, opts Options) (*Subject, error) {
	opts.tests = nil
	tested := bodies(m, tests)
	for _, c := range tests {
		n, says := c.Expect()
		x, ok := test{command: c}, c.Check && n <= 0
		if !c.Check && says {
			var err error
			if x.atoms, ok, err = described(ctx, m, c, tested); err != nil {
				return nil, err
			}
			ok = ok || n == 0
		}
		if ok {
			opts.tests = append(opts.tests, x)
		}
	}
	if len(opts.tests) == 0 {
		return nil, errNoTests
	}
	return describe(m, nil, nil, 0, opts)
}

// described returns atoms of an instance that c describes, in the order of its
// variables, and whether there is one.
func described(ctx context.Context, m *alloy.Model, c *alloy.Command, tested map[relation.Node]bool) ([]relation.Atom, bool, error) {
	p, err := m.Problem(c, 0)
	if err != nil {
		return nil, false, err
	}
	own, _, vars := parted(p.Goal, tested)
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
	if errors.Is(err, relation.ErrHigherOrder) || errors.Is(err, relation.ErrTooLarge) {
		return nil, false, nil
	}
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

// joinTests returns the problem that all tests are as expected that have the bounds
// of most. The facts are part of what a test claims, since they may be at fault.
func (s *Subject) joinTests() (*alloy.Problem, error) {
	tests, problems, err := s.alike()
	if err != nil {
		return nil, err
	}
	p := *problems[0]
	p.Bounds = p.Bounds.Clone()
	parts := make(map[string]*part)
	var order []*part
	j := &joiner{p: &p, tested: s.tested(), named: make(map[relation.Atom]*relation.Relation)}
	for i, x := range tests {
		q := problems[i]
		s.claimed = append(s.claimed, x.command)
		about := s.about(q.Goal, j.tested)
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
	return &p, nil
}

// alike returns the tests that have the bounds of most, with their problems.
func (s *Subject) alike() (tests []test, problems []*alloy.Problem, err error) {
	var groups [][]int
	for i, x := range s.opts.tests {
		p, err := s.m.Problem(x.command, s.grow)
		if err != nil {
			return nil, nil, err
		}
		problems = append(problems, p)
		k := slices.IndexFunc(groups, func(g []int) bool { return same(problems[g[0]].Bounds, p.Bounds) })
		if k < 0 {
			groups = append(groups, []int{i})
		} else {
			groups[k] = append(groups[k], i)
		}
	}
	most := slices.MaxFunc(groups, func(a, b []int) int { return cmp.Compare(len(a), len(b)) })
	of := make([]*alloy.Problem, len(most))
	for k, i := range most {
		tests, of[k] = append(tests, s.opts.tests[i]), problems[i]
	}
	return tests, of, nil
}

// tested returns the bodies of what is tested.
func (s *Subject) tested() map[relation.Node]bool {
	tests := make([]*alloy.Command, len(s.opts.tests))
	for i, x := range s.opts.tests {
		tests[i] = x.command
	}
	return bodies(s.m, tests)
}

// A part is what tests claim about the same units.
type part struct {
	about  string // a character for each unit
	claims []relation.Formula
}

// about returns the units that f calls, as a string that is longer for more of them.
func (s *Subject) about(f relation.Formula, tested map[relation.Node]bool) string {
	used := make(map[relation.Node]bool)
	relation.Walk(f, func(n relation.Node) bool { used[n] = true; return true })
	var out []rune
	for i, u := range s.m.Units() {
		if used[u.Body] && tested[u.Body] {
			out = append(out, rune(i+1))
		}
	}
	return string(out)
}

// A joiner makes claims in the bounds of p.
type joiner struct {
	p      *alloy.Problem
	tested map[relation.Node]bool               // bodies
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
	own, rest, vars := parted(q.Goal, j.tested)
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
func parted(f relation.Formula, tested map[relation.Node]bool) (own, rest relation.Formula, vars []variable) {
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
		own, rest, inner := parted(f.Body, tested)
		return own, rest, append(vars, inner...)
	case *relation.Connective:
		if f.Op != relation.And {
			break
		}
		if len(f.Xs) == 1 {
			return parted(f.Xs[0], tested)
		}
		var plain, calls []relation.Formula
		for _, x := range f.Xs {
			if contains(x, tested) {
				calls = append(calls, x)
			} else {
				plain = append(plain, x)
			}
		}
		return conjunction(plain...), conjunction(calls...), nil
	}
	if contains(f, tested) {
		return conjunction(), f, nil
	}
	return f, conjunction(), nil
}

// contains reports whether n, or a node in it, is one of some.
func contains(n relation.Node, some map[relation.Node]bool) bool {
	found := false
	relation.Walk(n, func(x relation.Node) bool {
		found = found || some[x]
		return !found
	})
	return found
}

// bodies returns those of predicates and functions that are what is tested: not
// those that a test alone names.
func bodies(m *alloy.Model, tests []*alloy.Command) map[relation.Node]bool {
	out, unit := make(map[relation.Node]bool), make(map[relation.Node]bool)
	for _, u := range m.Units() {
		unit[u.Body] = u.Kind != alloy.Fact
		out[u.Body] = unit[u.Body] && !slices.ContainsFunc(tests, func(c *alloy.Command) bool { return c.Name == u.Name })
	}
	uses := func(root, but relation.Node) {
		relation.Walk(root, func(n relation.Node) bool {
			out[n] = out[n] || n != but && unit[n]
			return true
		})
	}
	for _, u := range m.Units() {
		uses(u.Body, u.Body)
	}
	for _, c := range tests {
		if p, err := m.Problem(c, 0); err == nil && (c.Check || c.Name == "") {
			uses(p.Goal, nil)
		}
	}
	return out
}

func conjunction(fs ...relation.Formula) relation.Formula {
	return &relation.Connective{Op: relation.And, Xs: fs}
}
