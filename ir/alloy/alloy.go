package alloy

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"github.com/go-amend/amend/formula/relation"
	"github.com/go-amend/amend/ir"
)

// This file holds models: parsing, and what they consist of.

// A Model is a checked model. Its formulas are the same nodes in all problems
// made of it.
type Model struct {
	name       string
	src        string
	paragraphs []paragraph
	sigs       []*sig
	orderings  []*ordering
	asserts    map[string]relation.Formula
	implicit   []relation.Formula // of field declarations
	units      []Unit
	owners     map[int]*sig // of units that are facts after a signature
	commands   []*Command
	open       func(string) (string, []byte, error)
	traces     bool // there are formulas about traces
	user       *module
	bodies     map[relation.Node]*fun
	source     map[relation.Node]*expr
	calls      map[relation.Node]bool
	suspects   []suspect
}

// A Warning is about what is allowed but hardly meant.
type Warning struct {
	Span ir.Span
	Msg  string
}

// A suspect is a node of which a meaning was found that a Warning is about.
type suspect struct {
	node relation.Node
	Warning
}

// Warnings returns what is suspicious in the units, assertions and commands, in
// the order of the source.
func (m *Model) Warnings() []Warning {
	used := map[relation.Node]bool{}
	see := func(n relation.Node) {
		relation.Walk(n, func(n relation.Node) bool { used[n] = true; return true })
	}
	for _, u := range m.units {
		see(u.Body)
	}
	for _, f := range m.implicit {
		see(f)
	}
	for _, c := range m.commands {
		see(c.goal)
	}
	var out []Warning
	for _, s := range m.suspects {
		if used[s.node] {
			out = append(out, s.Warning)
		}
	}
	slices.SortStableFunc(out, func(a, b Warning) int { return cmp.Compare(a.Span.Start, b.Span.Start) })
	return slices.Compact(out)
}

// Parse reads a model and resolves its names. What is not supported is no error in
// functions and predicates that nothing reaches, which Units leaves out, nor is a
// module of Alloy's library of which nothing is used. The error joins *ir.Error and
// *ir.UnsupportedError values, all there are, in the order of the source.
func Parse(filename string, src []byte) (*Model, error) { return Config{}.Parse(filename, src) }

// A Config says how models are read.
type Config struct {
	// Open returns the name and text of the module at a path, such as a/b, that is
	// none of Alloy's library. Without it there are none.
	Open func(path string) (filename string, src []byte, err error)
}

// Parse is like the function of that name.
func (c Config) Parse(filename string, src []byte) (*Model, error) {
	m := &Model{open: c.Open, name: filename, src: string(src), asserts: map[string]relation.Formula{}, owners: map[int]*sig{}, bodies: map[relation.Node]*fun{}}
	ps, errs := parse(filename, m.src)
	m.paragraphs = ps
	if !slices.ContainsFunc(errs, isSyntax) {
		errs = leaveOut(ps, m.src, errs)
		found, modules := m.resolve()
		errs = append(errs, leaveOut(ps, m.src, found)...)
		m.dropUnits()
		if len(errs) > 0 { // what is missing may be of these
			errs = append(errs, modules...)
		}
	}
	if len(errs) > 0 {
		return nil, errors.Join(tidy(errs)...)
	}
	return m, nil
}

// Reread reads a changed text of the model, with the same modules.
func (m *Model) Reread(filename string, src []byte) (*Model, error) {
	return Config{Open: m.open}.Parse(filename, src)
}

// dropUnits takes the functions and predicates that were left out from the units.
func (m *Model) dropUnits() {
	left := map[ir.Span]bool{}
	for _, g := range m.paragraphs {
		if f, ok := g.(*funDecl); ok && f.text != "" {
			left[f.span] = true
		}
	}
	units, owners := m.units, m.owners
	m.units, m.owners = nil, map[int]*sig{}
	for i, u := range units {
		if left[u.Span] {
			continue
		}
		if s, ok := owners[i]; ok {
			m.owners[len(m.units)] = s
		}
		m.units = append(m.units, u)
	}
}

// isSyntax reports whether err left out a part of the model, of which the rest
// can't be told right.
func isSyntax(err error) bool {
	var e *ir.Error
	return errors.As(err, &e)
}

// tidy sorts errors and leaves out repetitions.
func tidy(errs []error) []error {
	slices.SortStableFunc(errs, func(a, b error) int {
		s, t := spanOfError(a), spanOfError(b)
		return cmp.Or(cmp.Compare(s.Start, t.Start), strings.Compare(a.Error(), b.Error()))
	})
	return slices.CompactFunc(errs, func(a, b error) bool { return a.Error() == b.Error() })
}

func spanOfError(err error) ir.Span {
	switch e := err.(type) {
	case *ir.Error:
		return e.Span
	case *ir.UnsupportedError:
		return e.Span
	}
	return ir.Span{}
}

// String returns the model in a canonical form, which Parse reads back.
func (m *Model) String() string {
	p := &printer{}
	for i, g := range m.paragraphs {
		if i > 0 {
			p.WriteByte('\n')
		}
		p.paragraph(g)
	}
	return p.Builder.String()
}

// File returns what Parse was given.
func (m *Model) File() *ir.File { return &ir.File{Name: m.name, Content: []byte(m.src)} }

// Commands returns the commands in the order of the source.
func (m *Model) Commands() []*Command { return m.commands }

// Sigs returns the signatures in the order of the source.
func (m *Model) Sigs() []Sig {
	out := make([]Sig, len(m.sigs))
	for i, s := range m.sigs {
		out[i] = Sig{Name: s.name, Relation: s.rel, Parent: slices.Index(m.sigs, s.parent)}
	}
	return out
}

// Fields returns the fields in the order of the source.
func (m *Model) Fields() []Field {
	var out []Field
	for i, s := range m.sigs {
		for _, f := range s.fields {
			out = append(out, Field{Name: f.name, Sig: i, Relation: f.rel})
		}
	}
	return out
}

// Units returns the facts, also those after a signature, predicates and
// functions in the order of the source.
func (m *Model) Units() []Unit { return m.units }

// Nodes returns the expressions of Units, in the order of the source, outer
// before inner.
func (m *Model) Nodes() []Node {
	w := &nodeWalker{m: m, seen: map[relation.Node]bool{}}
	for _, u := range m.units {
		w.seen[u.Body] = false
	}
	for i, u := range m.units {
		w.unit = i
		w.walk(u.Body, -1, nil)
	}
	return w.nodes
}

type nodeWalker struct {
	m     *Model
	unit  int
	nodes []Node
	seen  map[relation.Node]bool // units' bodies: false until they are walked as such
}

// walk adds n, below the node with index parent and source outer, and what is
// below it.
func (w *nodeWalker) walk(n relation.Node, parent int, outer *expr) {
	if w.seen[n] {
		return
	}
	x := w.m.source[n]
	if x != nil {
		w.seen[n] = true
		if x != outer {
			w.nodes = append(w.nodes, Node{Rel: n, Unit: w.unit, Parent: parent, Span: x.span, Call: w.m.calls[n]})
			parent, outer = len(w.nodes)-1, x
		}
	}
	for _, y := range w.m.below(n) {
		w.walk(y, parent, outer)
	}
}

// below returns the operands of n, but not a called function's body.
func (m *Model) below(n relation.Node) []relation.Node {
	if !m.calls[n] {
		return relation.Children(n, nil)
	}
	var out []relation.Node
	switch n := n.(type) {
	case *relation.LetFormula:
		out = nodes(n.Values)
	case *relation.LetExpr:
		out = nodes(n.Values)
	case *relation.LetInt:
		out = nodes(n.Values)
	}
	return out
}

func nodes(xs []relation.Expr) []relation.Node {
	out := make([]relation.Node, len(xs))
	for i, x := range xs {
		out[i] = x
	}
	return out
}
