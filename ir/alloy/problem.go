package alloy

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-amend/amend/formula/relation"
	"github.com/go-amend/amend/ir"
)

// This file makes a relational problem of a command: scopes, the universe,
// bounds, and what the declarations of signatures demand.

// A Problem is a command in its scope: a check has a counterexample in an
// instance of the bounds in which Implicit and Facts hold and Goal doesn't, a
// run an instance in which all hold.
type Problem struct {
	Bounds   *relation.Bounds
	Implicit []relation.Formula // what declarations and scopes say
	Facts    []relation.Formula // the bodies of the Units that are facts
	Goal     relation.Formula
}

// Formula returns what a counterexample of a check, or an instance of a run,
// satisfies.
func (p *Problem) Formula(c *Command) relation.Formula {
	fs := slices.Concat(p.Implicit, p.Facts)
	if c.Check {
		return and(append(fs, &relation.Not{X: p.Goal})...)
	}
	return and(append(fs, p.Goal)...)
}

// Problem returns c's problem, in a scope that is larger by grow: that of each
// signature that is neither one, lone nor ordered or exact. The formulas are the
// same whatever the scope, but for those of Implicit that state it. An error is
// about the scope.
func (m *Model) Problem(c *Command, grow int) (*Problem, error) {
	b := &bounder{m: m, cmd: c.decl, scope: map[*sig]int{}, exact: map[*sig]bool{}, lower: map[*sig][]relation.Atom{}, upper: map[*sig][]relation.Atom{}}
	if err := b.scopes(grow); err != nil {
		return nil, err
	}
	if err := b.universe(); err != nil {
		return nil, err
	}
	if err := b.bind(); err != nil {
		return nil, err
	}
	b.traces()
	p := &Problem{Bounds: b.bounds, Goal: c.goal, Implicit: slices.Concat(b.implicit, m.implicit)}
	for _, u := range m.units {
		if u.Kind == Fact {
			p.Facts = append(p.Facts, u.Body.(relation.Formula))
		}
	}
	return p, nil
}

type bounder struct {
	m            *Model
	cmd          *commandDecl
	scope        map[*sig]int
	exact        map[*sig]bool
	width, steps int
	lower, upper map[*sig][]relation.Atom
	u            *relation.Universe
	bounds       *relation.Bounds
	implicit     []relation.Formula
}

func (b *bounder) errorf(at ir.Span, format string, args ...any) error {
	return &ir.Error{Span: at, Msg: fmt.Sprintf(format, args...)}
}

// scopes finds the scope of each signature by Alloy's rules.
func (b *bounder) scopes(grow int) error {
	b.width, b.steps = 4, defaultSteps
	for _, s := range b.cmd.scopes {
		if err := b.stated(s, grow); err != nil {
			return err
		}
	}
	for _, s := range b.m.sigs {
		if err := b.fixed(s); err != nil {
			return err
		}
	}
	overall := b.cmd.overall
	if overall < 0 && len(b.cmd.scopes) == 0 {
		overall = 3
	}
	if overall >= 0 {
		overall += grow
	}
	for b.ofAbstract() || b.ofTop(overall) || b.ofParent() {
	}
	for _, s := range b.m.sigs {
		if _, ok := b.scope[s]; !ok && s.kind == sigPrim {
			return b.errorf(b.cmd.span, "the scope of %s is missing", s.name)
		}
	}
	return nil
}

// stated enters a scope that the command states.
func (b *bounder) stated(s scope, grow int) error {
	if s.bitwise {
		if b.width = s.n; s.n < 1 || s.n > 8 {
			return b.errorf(b.cmd.span, "the bit width of integers must be 1 to 8")
		}
		return nil
	}
	if s.steps {
		if b.steps = s.n; s.n < 1 || s.n > maxSteps {
			return b.errorf(b.cmd.span, "a trace must have 1 to %d steps", maxSteps)
		}
		return nil
	}
	for _, t := range b.m.sigs {
		if !b.m.names(s.sig.text, t) {
			continue
		}
		switch _, twice := b.scope[t]; {
		case twice:
			return b.errorf(s.sig.span, "%s has two scopes", t.name)
		case t.kind == sigSubset:
			return b.errorf(s.sig.span, "the scope of a subset signature can't be stated")
		case t.variable && t.parent != nil:
			return b.errorf(s.sig.span, "%s varies and extends another: its scope can't be stated", t.name)
		case t.variable && s.exact:
			return b.errorf(s.sig.span, "%s varies: its scope can't be exact", t.name)
		case t.variable && t.mult == opOne && s.n > 0, t.variable && t.mult == opLone:
		case t.mult == opOne && s.n != 1, t.mult == opLone && s.n > 1, t.mult == opSome && s.n < 1:
			return b.errorf(s.sig.span, "the scope of %s can't be %d", t.name, s.n)
		}
		b.scope[t] = s.n
		if b.exact[t] = s.exact; !s.exact && t.mult != opOne && t.mult != opLone {
			b.scope[t] += grow
		}
		return nil
	}
	return b.errorf(s.sig.span, "%s is no signature", s.sig.text)
}

// names reports whether a scope for name is one for t.
func (m *Model) names(name string, t *sig) bool {
	path, isPath := strings.CutSuffix(name, t.name)
	return isPath && (path == "" || path == "this/" && t.module == m.user || path == t.module.name+"/")
}

// fixed enters the scope that a multiplicity stands for.
func (b *bounder) fixed(s *sig) error {
	if s.kind != sigPrim {
		return nil
	}
	b.exact[s] = b.exact[s] || s.exact
	n, stated := b.scope[s]
	switch {
	case s.variable:
	case s.mult == opOne:
		b.scope[s], b.exact[s] = 1, true
	case s.mult == opLone && (!stated || n > 1):
		b.scope[s] = 1
	}
	return nil
}

// ofAbstract derives the scopes of abstract signatures from their children's,
// or that of an only child without one from the rest.
func (b *bounder) ofAbstract() bool {
	for _, s := range b.m.sigs {
		if !s.abstract || len(s.children) == 0 {
			continue
		}
		sum := 0
		var missing []*sig
		for _, c := range s.children {
			if n, ok := b.scope[c]; ok {
				sum += n
			} else {
				missing = append(missing, c)
			}
		}
		switch n, ok := b.scope[s]; {
		case !ok && len(missing) == 0:
			b.scope[s] = sum
			return true
		case ok && len(missing) == 1:
			b.scope[missing[0]] = max(n-sum, 0)
			return true
		}
	}
	return false
}

// ofTop gives top-level signatures the overall scope.
func (b *bounder) ofTop(overall int) (changed bool) {
	for _, s := range b.m.sigs {
		if _, ok := b.scope[s]; !ok && s.kind == sigPrim && s.parent == nil && overall >= 0 {
			b.scope[s] = overall
			changed = true
		}
	}
	return changed
}

// ofParent gives extending signatures their parents' scopes.
func (b *bounder) ofParent() (changed bool) {
	for _, s := range b.m.sigs {
		if _, ok := b.scope[s]; ok || s.parent == nil {
			continue
		}
		if n, ok := b.scope[s.parent]; ok {
			b.scope[s] = n
			changed = true
		}
	}
	return changed
}

// maxSteps limits the states of a trace.
const maxSteps = 100

// maxAtoms limits the universe.
const maxAtoms = 1 << 10

// universe makes the atoms, and gives signatures their lower bounds and
// top-level ones their upper bounds.
func (b *bounder) universe() error {
	b.u = relation.NewUniverse(b.width)
	total := 0
	for _, s := range b.m.sigs {
		if total += b.scope[s]; total > maxAtoms {
			return b.errorf(b.cmd.span, "the scope has more than %d atoms", maxAtoms)
		}
	}
	for _, s := range b.m.sigs {
		if s.kind == sigPrim && s.parent == nil {
			b.atoms(s)
		}
	}
	for _, s := range b.m.sigs {
		if s.kind == sigPrim && s.parent == nil {
			b.spread(s)
		}
	}
	b.u.AddInts()
	return nil
}

// atoms makes the atoms of s that its children don't have.
func (b *bounder) atoms(s *sig) {
	var must []relation.Atom
	for _, c := range s.children {
		b.atoms(c)
		must = append(must, b.lower[c]...)
	}
	b.scope[s] = max(b.scope[s], len(must))
	may := slices.Clone(must)
	if b.exact[s] || s.parent == nil {
		for i := range b.scope[s] - len(must) {
			a := b.u.Add(fmt.Sprintf("%s$%d", s.name, i))
			may = append(may, a)
			if b.exact[s] {
				must = append(must, a)
			}
		}
	}
	b.lower[s], b.upper[s] = must, may
}

// spread gives the children of s the atoms that they may hold.
func (b *bounder) spread(s *sig) {
	free := slices.Clone(b.upper[s])
	for _, c := range s.children {
		free = slices.DeleteFunc(free, func(a relation.Atom) bool { return slices.Contains(b.lower[c], a) })
	}
	for _, c := range s.children {
		if b.scope[c] > len(b.lower[c]) {
			b.upper[c] = append(b.upper[c], free...)
		}
		b.spread(c)
	}
}

// bind binds the relations and says what the signatures' declarations demand.
func (b *bounder) bind() error {
	b.bounds = relation.NewBounds(b.u)
	var top []*relation.Relation
	for _, s := range b.m.sigs {
		if s.kind != sigPrim {
			continue
		}
		b.bounds.Bind(s.rel, relation.SetOfAtoms(b.lower[s]...), relation.SetOfAtoms(b.upper[s]...))
		if s.parent == nil {
			top = append(top, s.rel)
		}
	}
	b.bounds.SetSorts(top...)
	for _, s := range b.m.sigs {
		if s.kind == sigSubset {
			b.bounds.Bind(s.rel, nil, b.atomsOf(s.typ()))
			b.implicit = append(b.implicit, b.m.always(&relation.Compare{Op: b.subset(s), X: s.rel, Y: unionOf(s.in)}))
		}
		b.size(s)
		b.hierarchy(s)
		b.rigid(s)
	}
	for i, o := range b.m.orderings {
		b.order(o, slices.ContainsFunc(b.m.orderings[:i], func(p *ordering) bool { return p.sig == o.sig }))
	}
	for _, s := range b.m.sigs {
		for _, f := range s.fields {
			if b.tuples(f.typ) > maxTuples {
				return b.errorf(b.cmd.span, "%s may hold more than %d tuples in this scope", f.rel.Name, maxTuples)
			}
			b.bounds.Bind(f.rel, nil, b.atomsOf(f.typ))
		}
	}
	return nil
}

// subset returns how a subset signature lies in the others: those that it is
// declared to be, or part of.
func (b *bounder) subset(s *sig) relation.CompareOp {
	if s.decl.equal {
		return relation.Equal
	}
	return relation.In
}

// maxTuples limits how many tuples a field may hold.
const maxTuples = 1 << 20

// tuples returns how many tuples may be of type t, at most.
func (b *bounder) tuples(t typ) (n int) {
	for _, p := range t.products {
		k := 1
		for _, s := range p {
			k *= len(b.mayHold(s))
		}
		n += k
	}
	return n
}

func unionOf(ss []*sig) relation.Expr {
	var x relation.Expr
	for _, s := range ss {
		y := relation.Expr(s.rel)
		switch s.kind {
		case sigUniv:
			y = &relation.Const{Op: relation.Univ}
		case sigInt:
			y = &relation.Const{Op: relation.Ints}
		}
		if x == nil {
			x = y
		} else {
			x = &relation.Binary{Op: relation.Union, X: x, Y: y}
		}
	}
	return x
}

// atomsOf returns the tuples that may be of type t.
func (b *bounder) atomsOf(t typ) *relation.Set {
	all := relation.NewSet(t.arity)
	for _, p := range t.products {
		var set *relation.Set
		for _, s := range p {
			col := relation.SetOfAtoms(b.mayHold(s)...)
			if set == nil {
				set = col
			} else {
				set = set.Product(col)
			}
		}
		all = all.Union(set)
	}
	return all
}

func (b *bounder) mayHold(s *sig) (as []relation.Atom) {
	switch s.kind {
	case sigUniv, sigInt:
		for i := range b.u.Len() {
			if _, isInt := b.u.Int(relation.Atom(i)); isInt || s.kind == sigUniv {
				as = append(as, relation.Atom(i))
			}
		}
		return as
	}
	return b.upper[s]
}

// size states how many atoms s has, unless the bounds do.
func (b *bounder) size(s *sig) {
	lower, upper := b.bounds.Lower(s.rel).Len(), b.bounds.Upper(s.rel).Len()
	switch {
	case s.mult == opOne && (lower != 1 || upper != 1),
		s.mult == opSome && lower < 1,
		s.mult == opLone && upper > 1:
		b.implicit = append(b.implicit, b.m.always(&relation.Mult{Op: multOps[s.mult], X: s.rel}))
	}
	if n := b.scope[s]; s.kind == sigPrim && (s.mult != opOne || s.variable) && (upper > n || b.exact[s] && lower != n) {
		b.implicit = append(b.implicit, b.m.atMost(s.rel, n))
		if b.exact[s] {
			b.implicit = append(b.implicit, atLeast(s.rel, n))
		}
	}
}

// unnamed is the name of variables that no text has.
const unnamed = ""

func distinct(n int, bound relation.Expr) (d relation.Decl, sum relation.Expr) {
	d = relation.Decl{Disj: n > 1, Mult: relation.OneOf, Bound: bound}
	for range n {
		v := &relation.Var{Name: unnamed, Width: 1}
		d.Vars = append(d.Vars, v)
		if sum == nil {
			sum = v
		} else {
			sum = &relation.Binary{Op: relation.Union, X: sum, Y: v}
		}
	}
	return d, sum
}

// atMost says that r has at most n atoms: cardinalities would wrap around.
// In all states of a trace they are the same.
func (m *Model) atMost(r *relation.Relation, n int) relation.Formula {
	if n == 0 {
		return m.always(&relation.Mult{Op: relation.NoOf, X: r})
	}
	d, sum := distinct(n, &relation.Const{Op: relation.Atoms}) // univ may hold too few
	d.Disj = false
	in := m.always(&relation.Compare{Op: relation.In, X: r, Y: sum})
	return &relation.Quant{Op: relation.Some, Decls: []relation.Decl{d}, Body: in}
}

func atLeast(r *relation.Relation, n int) relation.Formula {
	if n == 0 {
		return &relation.Bool{Value: true}
	}
	d, _ := distinct(n, r)
	return &relation.Quant{Op: relation.Some, Decls: []relation.Decl{d}, Body: &relation.Bool{Value: true}}
}

// hierarchy says that the children of s are disjoint parts of it, and if it is
// abstract all of it.
func (b *bounder) hierarchy(s *sig) {
	if len(s.children) == 0 {
		return
	}
	all := unionOf(s.children)
	o := relation.In
	if s.abstract {
		o = relation.Equal
	}
	b.implicit = append(b.implicit, b.m.always(&relation.Compare{Op: o, X: all, Y: s.rel}))
	if len(s.children) > 1 {
		n := &relation.Disjoint{}
		for _, c := range s.children {
			n.Xs = append(n.Xs, c.rel)
		}
		b.implicit = append(b.implicit, b.m.always(n))
	}
}

// order binds an ordering: to the order of the names of an enum, or of the atoms
// if they are alike but for it, which breaks their symmetry; else to any order.
func (b *bounder) order(o *ordering, again bool) {
	as := b.upper[o.sig]
	if o.sig.enum {
		as = nil
		for _, c := range o.sig.children {
			as = append(as, b.lower[c]...)
		}
		b.chain(o, as)
		return
	}
	alike := !again && o.sig.parent == nil && len(o.sig.children) == 0 && len(b.lower[o.sig]) == len(as)
	if alike {
		b.chain(o, as)
		return
	}
	set := relation.SetOfAtoms(as...)
	b.bounds.Bind(o.first, nil, set)
	b.bounds.Bind(o.next, nil, set.Product(set))
	b.implicit = append(b.implicit, totalOrder(o)...)
}

// chain binds an ordering to that of the atoms.
func (b *bounder) chain(o *ordering, as []relation.Atom) {
	first := relation.SetOfAtoms(as[:min(1, len(as))]...)
	var pairs [][]relation.Atom
	for i := 1; i < len(as); i++ {
		pairs = append(pairs, as[i-1:i+1])
	}
	next := relation.NewSet(2, pairs...)
	b.bounds.Bind(o.first, first, first)
	b.bounds.Bind(o.next, next, next)
}

// totalOrder says that o.next is a chain of all atoms of o.sig from o.first.
func totalOrder(o *ordering) []relation.Formula {
	elem := relation.Expr(o.sig.rel)
	join := func(x, y relation.Expr) relation.Expr { return &relation.Binary{Op: relation.Join, X: x, Y: y} }
	is := func(m relation.MultOp, x relation.Expr) relation.Formula { return &relation.Mult{Op: m, X: x} }
	v := &relation.Var{Name: "e", Width: 1}
	all := &relation.Unary{Op: relation.ReflexiveClosure, X: o.next}
	each := []relation.Decl{{Vars: []*relation.Var{v}, Mult: relation.OneOf, Bound: elem}}
	return []relation.Formula{
		is(relation.LoneOf, o.first),
		&relation.Compare{Op: relation.In, X: o.first, Y: elem},
		&relation.Compare{Op: relation.In, X: o.next, Y: &relation.Binary{Op: relation.Product, X: elem, Y: elem}},
		&relation.Compare{Op: relation.In, X: elem, Y: join(o.first, all)},
		is(relation.NoOf, join(o.next, o.first)),
		&relation.Quant{Op: relation.All, Decls: each, Body: and(is(relation.LoneOf, join(v, o.next)), is(relation.LoneOf, join(o.next, v)))},
	}
}
