package model

import (
	"fmt"
	"slices"

	"github.com/go-amend/amend/formula/relation"
	"github.com/go-amend/amend/slice/rank"
)

// This file makes single mutations of nodes.

// A mutant replaces a node of the model by another expression of its kind.
type mutant struct {
	node   int // index in Model.Nodes
	new    relation.Node
	cost   int
	copied relation.Node // the part of new that is a copy from elsewhere, or nil
	wish   bool          // of the oracle
	exact  bool          // it must keep all good instances
}

// Costs of mutations. Those that say less about the author's intent cost more.
const (
	costOperator = 2 // another operator, quantifier or multiplicity
	costOperand  = 3 // another variable, relation or number
	costWrap     = 3 // a closure, transposition or increment around an expression
	costDrop     = 4 // an operand dropped
	costNegate   = 4
	costCopy     = 3 // an expression of elsewhere, plus how much it differs
	costGuard    = 5 // a condition of elsewhere joined to a formula, plus its size
)

// A generator makes the mutants of one model.
type generator struct {
	m            *rank.Model
	t            *rank.Types
	isNode       map[relation.Node]int
	bodies       map[relation.Node]bool
	oracle       map[relation.Node]bool          // bodies that must not be called
	bound        map[*relation.Var]relation.Expr // of what is declared in quantifiers and comprehensions
	names        map[string]bool                 // of signatures, fields, units and variables
	identities   map[*relation.Relation]relation.Expr
	scope        map[relation.Node][]*relation.Var // at nodes of the model and synthetic ones below
	ingredients  []ingredient
	size         map[relation.Node]int
	symbolCounts map[relation.Node]map[string]int
	copied       map[renaming]relation.Node
	texts        map[relation.Node]string
}

// An ingredient is an expression of the model or of a command that may be copied.
type ingredient struct {
	n     relation.Node
	free  []*relation.Var
	shape rank.Shape
	size  int
	atom  bool // a formula without connective or quantifier
	wish  bool // the oracle says it
}

// newGenerator returns a generator whose copies are of the model and, if wishes is
// set, of what its oracle says, too.
func newGenerator(m *rank.Model, wishes bool) *generator {
	g := &generator{
		m: m, t: rank.NewTypes(m), isNode: map[relation.Node]int{}, bodies: map[relation.Node]bool{}, oracle: map[relation.Node]bool{},
		bound: map[*relation.Var]relation.Expr{}, names: map[string]bool{}, identities: map[*relation.Relation]relation.Expr{},
		scope: map[relation.Node][]*relation.Var{}, size: map[relation.Node]int{},
		symbolCounts: map[relation.Node]map[string]int{}, copied: map[renaming]relation.Node{}, texts: map[relation.Node]string{},
	}
	for i, n := range m.Nodes {
		g.isNode[n.Rel] = i
	}
	for _, u := range m.Units {
		g.bodies[u.Body] = true
		g.oracle[u.Body] = u.Oracle
	}
	g.t.Learn(m.Check.Goal)
	for _, u := range m.Units {
		var vs []*relation.Var
		for _, d := range u.Params {
			g.declares(d)
			vs = append(vs, d.Vars...)
		}
		g.scopes(u.Body, vs)
	}
	g.collectDonors(wishes)
	g.collectNames()
	return g
}

// declares notes what d declares.
func (g *generator) declares(d relation.Decl) {
	for _, v := range d.Vars {
		g.names[v.Name] = true
		if d.Mult == relation.OneOf {
			g.bound[v] = d.Bound
		}
	}
}

func (g *generator) collectNames() {
	for _, s := range g.m.Sigs {
		g.names[s.Name] = true
	}
	for _, f := range g.m.Fields {
		g.names[f.Name] = true
	}
	for _, u := range g.m.Units {
		g.names[u.Name] = true
	}
}

// scopes notes the variables in scope at n and below, but not in the bodies of
// called units: of a node at several places, as in what x in a one -> one b says,
// those that all places have.
func (g *generator) scopes(n relation.Node, vs []*relation.Var) {
	if old, ok := g.scope[n]; ok {
		vs = slices.DeleteFunc(slices.Clone(old), func(v *relation.Var) bool { return !slices.Contains(vs, v) })
		if len(vs) == len(old) {
			return
		}
	}
	g.scope[n] = vs
	vs = vs[:len(vs):len(vs)]
	in := func(x relation.Node, vs []*relation.Var) {
		if !g.bodies[x] {
			g.scopes(x, vs)
		}
	}
	decls := func(ds []relation.Decl, body relation.Node) {
		for _, d := range ds {
			in(d.Bound, vs)
			g.declares(d)
			vs = append(vs, d.Vars...)
		}
		in(body, vs)
	}
	let := func(bound []*relation.Var, xs []relation.Expr, body relation.Node) {
		for _, x := range xs {
			in(x, vs)
		}
		in(body, append(vs, bound...))
	}
	switch n := n.(type) {
	case *relation.Quant:
		decls(n.Decls, n.Body)
	case *relation.Comprehension:
		decls(n.Decls, n.Body)
	case *relation.LetExpr:
		let(n.Vars, n.Values, n.Body)
	case *relation.LetInt:
		let(n.Vars, n.Values, n.Body)
	case *relation.LetFormula:
		let(n.Vars, n.Values, n.Body)
	default:
		for _, x := range relation.Children(n, nil) {
			in(x, vs)
		}
	}
}

func (g *generator) sizeOf(n relation.Node) int {
	if s, ok := g.size[n]; ok {
		return s
	}
	s := 1
	for _, x := range relation.Children(n, nil) {
		if g.bodies[x] {
			continue // a call
		}
		s += g.sizeOf(x)
	}
	g.size[n] = s
	return s
}

// distance counts the symbols that only one of a and b has, or has more often.
func (g *generator) distance(a, b relation.Node) int {
	x, y := g.symbols(a), g.symbols(b)
	n := 0
	for k, v := range x {
		n += max(v-y[k], 0)
	}
	for k, v := range y {
		n += max(v-x[k], 0)
	}
	return n
}

func (g *generator) text(n relation.Node) string {
	s, ok := g.texts[n]
	if !ok {
		s = relation.Format(n)
		g.texts[n] = s
	}
	return s
}

// symbols counts those in n.
func (g *generator) symbols(n relation.Node) map[string]int {
	if b, ok := g.symbolCounts[n]; ok {
		return b
	}
	b := map[string]int{symbol(n): 1}
	for _, x := range relation.Children(n, nil) {
		if g.bodies[x] {
			b[fmt.Sprintf("call %p", x)]++
			continue
		}
		for k, v := range g.symbols(x) {
			b[k] += v
		}
	}
	g.symbolCounts[n] = b
	return b
}

// symbol names what n is, apart from its operands. All variables are alike.
func symbol(n relation.Node) string {
	switch n := n.(type) {
	case *relation.Relation:
		return n.Name
	case *relation.Unary:
		return fmt.Sprint("u", n.Op)
	case *relation.Binary:
		return fmt.Sprint("b", n.Op)
	case *relation.Compare:
		return fmt.Sprint("c", n.Op)
	case *relation.IntCompare:
		return fmt.Sprint("i", n.Op)
	case *relation.Mult:
		return fmt.Sprint("m", n.Op)
	case *relation.Connective:
		return fmt.Sprint("k", n.Op)
	case *relation.Quant:
		return fmt.Sprint("q", n.Op)
	case *relation.IntConst:
		return fmt.Sprint(n.Value)
	}
	return fmt.Sprintf("%T", n)
}

// collectDonors finds the expressions that can be copied: of the model's units,
// and of the oracle, which tells what is wanted, if wishes is set.
func (g *generator) collectDonors(wishes bool) {
	seen := map[string]bool{}
	add := func(root relation.Node, wish bool) {
		relation.Walk(root, func(n relation.Node) bool {
			if g.oracle[n] && !wishes {
				return false
			}
			d := ingredient{n: n, size: g.sizeOf(n), wish: wish || g.callsOracle(n)}
			switch n := n.(type) {
			case relation.Expr:
				d.shape = g.t.Of(n)
			case *relation.Compare, *relation.IntCompare, *relation.Mult:
				d.atom = true
			}
			if text := g.text(n); !seen[text] && d.size <= 24 && (wishes || !d.wish) {
				seen[text] = true
				d.free = relation.FreeVars(n)
				g.ingredients = append(g.ingredients, d)
			}
			return true
		})
	}
	if wishes {
		add(g.m.Check.Goal, true)
	}
	for _, u := range g.m.Units {
		add(u.Body, u.Oracle)
	}
}

// callsOracle reports whether n calls what must not be called.
func (g *generator) callsOracle(n relation.Node) (found bool) {
	relation.Walk(n, func(x relation.Node) bool {
		found = found || g.oracle[x]
		return !found && (x == n || !g.bodies[x])
	})
	return found
}

// plain returns the mutants of a node that change its own operator or operands
// in place.
func (g *generator) plain(i int) (ms []mutant) {
	n := g.m.Nodes[i].Rel
	g.variants(n, func(x relation.Node, cost int) { ms = append(ms, mutant{node: i, new: x, cost: cost}) })
	return ms
}

// variants calls f for changed forms of n: another operator, other leaves, and
// the same of synthetic nodes below.
func (g *generator) variants(n relation.Node, f func(relation.Node, int)) {
	g.operators(n, f)
	for i, x := range relation.Children(n, nil) {
		if _, ok := g.isNode[x]; ok || g.bodies[x] {
			continue
		}
		put := func(y relation.Node, cost int) { f(withChild(n, i, y), cost) }
		if isLeaf(x) {
			g.leaves(n, x, put)
		} else {
			g.variants(x, put)
		}
	}
}

// withChild returns n with its i-th operand replaced.
func withChild(n relation.Node, i int, by relation.Node) relation.Node {
	k := -1
	return relation.Rebuild(n, func(x relation.Node) relation.Node {
		if k++; k == i {
			return by
		}
		return x
	})
}

func isLeaf(n relation.Node) bool {
	switch n.(type) {
	case *relation.Relation, *relation.Var, *relation.Const, *relation.IntConst:
		return true
	}
	return false
}

// leaves calls f with what may stand for the leaf x below n.
func (g *generator) leaves(n, x relation.Node, f func(relation.Node, int)) {
	if c, ok := x.(*relation.IntConst); ok {
		for _, v := range []int{c.Value + 1, c.Value - 1, 0, 1, -c.Value} {
			if v != c.Value {
				f(&relation.IntConst{Value: v}, costOperand)
			}
		}
		return
	}
	e := x.(relation.Expr)
	want := g.t.Of(e)
	for _, v := range g.scope[n] {
		if v != x && g.t.Of(v).Meets(want) {
			f(v, costOperand)
		}
	}
	for _, fd := range g.m.Fields {
		if fd.Relation != x && g.t.Of(fd.Relation).Meets(want) {
			f(fd.Relation, costOperand)
		}
	}
	for _, s := range g.m.Sigs {
		if s.Relation != x && g.t.Of(s.Relation).Meets(want) {
			f(s.Relation, costOperand+1)
		}
	}
	g.wraps(e, f)
}

// wraps calls f with x under a closure or transposition.
func (g *generator) wraps(x relation.Expr, f func(relation.Node, int)) {
	s := g.t.Of(x)
	if s.Arity != 2 {
		return
	}
	if s.Kinds[0]&s.Kinds[1] == 0 {
		return
	}
	for _, op := range []relation.UnaryOp{relation.Closure, relation.ReflexiveClosure, relation.Transpose} {
		if u, ok := x.(*relation.Unary); !ok || u.Op != op {
			f(&relation.Unary{Op: op, X: x}, costWrap)
		}
	}
}

// operators calls f for n with another operator, with an operand dropped, and
// wrapped.
func (g *generator) operators(n relation.Node, f func(relation.Node, int)) {
	switch n := n.(type) {
	case relation.Formula:
		g.formulas(n, f)
		if _, ok := n.(*relation.Not); !ok {
			f(&relation.Not{X: n}, costNegate)
		}
	case relation.Int:
		g.ints(n, f)
	case relation.Expr:
		g.exprs(n, f)
		g.wraps(n, f)
	}
}

func (g *generator) exprs(n relation.Expr, f func(relation.Node, int)) {
	switch n := n.(type) {
	case *relation.Unary:
		for op := relation.Transpose; op <= relation.ReflexiveClosure; op++ {
			if op != n.Op {
				f(&relation.Unary{Op: op, X: n.X}, costOperator)
			}
		}
		f(n.X, costDrop)
	case *relation.Binary:
		g.binaries(n, f)
	case *relation.Comprehension:
		f(&relation.Comprehension{Decls: n.Decls, Body: &relation.Not{X: n.Body}}, costNegate)
	case *relation.IfExpr:
		f(&relation.IfExpr{Cond: n.Cond, Then: n.Else, Else: n.Then}, costNegate)
	}
}

func (g *generator) binaries(n *relation.Binary, f func(relation.Node, int)) {
	switch n.Op {
	case relation.Union, relation.Intersect, relation.Difference:
		for op := relation.Union; op <= relation.Difference; op++ {
			if op != n.Op {
				f(&relation.Binary{Op: op, X: n.X, Y: n.Y}, costOperator)
			}
		}
		f(n.X, costDrop)
		f(n.Y, costDrop)
		if s := g.t.Of(n); n.Op != relation.Intersect && s.Arity == 1 && s.Kinds[0] == rank.IntKind {
			op := relation.Plus // Alloy 4.2: a + b and a - b are sets
			if n.Op == relation.Difference {
				op = relation.Minus
			}
			f(&relation.IntSet{X: &relation.IntBinary{Op: op, X: &relation.Sum{X: n.X}, Y: &relation.Sum{X: n.Y}}}, costOperator)
		}
	case relation.Join:
		// x.y without y, or without x, is there only if the arity stays
		for _, x := range []relation.Expr{n.X, n.Y} {
			if x.Arity() == n.Arity() && g.t.Of(x).Meets(g.t.Of(n)) {
				f(x, costDrop)
			}
		}
	case relation.Product:
		if g.t.Of(n).Arity == 2 {
			f(&relation.Binary{Op: relation.Product, X: n.Y, Y: n.X}, costOperator)
		}
	}
}

func (g *generator) ints(n relation.Int, f func(relation.Node, int)) {
	switch n := n.(type) {
	case *relation.IntBinary:
		for op := relation.Plus; op <= relation.Times; op++ {
			if op != n.Op {
				f(&relation.IntBinary{Op: op, X: n.X, Y: n.Y}, costOperator)
			}
		}
		f(n.X, costDrop)
		f(n.Y, costDrop)
	case *relation.IntUnary:
		f(n.X, costDrop)
	case *relation.IntConst:
		g.leaves(n, n, f)
		return
	}
	for _, v := range []int{1, -1} {
		f(&relation.IntBinary{Op: relation.Plus, X: n, Y: &relation.IntConst{Value: v}}, costWrap)
	}
}

func (g *generator) formulas(n relation.Formula, f func(relation.Node, int)) {
	switch n := n.(type) {
	case *relation.Compare:
		for op := relation.In; op <= relation.NotEqual; op++ {
			if op != n.Op {
				f(&relation.Compare{Op: op, X: n.X, Y: n.Y}, costOperator)
			}
			if op <= relation.NotIn && n.Op <= relation.NotIn {
				f(&relation.Compare{Op: op, X: n.Y, Y: n.X}, costOperator+btoi(op != n.Op))
			}
		}
	case *relation.IntCompare:
		for op := relation.IntEqual; op <= relation.GreaterEqual; op++ {
			if op != n.Op {
				f(&relation.IntCompare{Op: op, X: n.X, Y: n.Y}, costOperator)
			}
		}
	case *relation.Mult:
		for op := relation.NoOf; op <= relation.OneOf; op++ {
			if op != n.Op {
				f(&relation.Mult{Op: op, X: n.X}, costOperator)
			}
		}
	case *relation.Not:
		f(n.X, costNegate)
	case *relation.Connective:
		g.connectives(n, f)
	case *relation.IfFormula:
		f(&relation.IfFormula{Cond: n.Cond, Then: n.Else, Else: n.Then}, costNegate)
	case *relation.Quant:
		g.quants(n, f)
	}
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

func (g *generator) connectives(n *relation.Connective, f func(relation.Node, int)) {
	if len(n.Xs) == 2 {
		for op := relation.And; op <= relation.Iff; op++ {
			if op != n.Op {
				f(&relation.Connective{Op: op, Xs: n.Xs}, costOperator)
			}
		}
		if n.Op == relation.Implies {
			f(&relation.Connective{Op: n.Op, Xs: []relation.Formula{n.Xs[1], n.Xs[0]}}, costOperator)
		}
	}
	if n.Op == relation.And && len(n.Xs) > 2 {
		f(&relation.Connective{Op: relation.Or, Xs: n.Xs}, costOperator)
	}
	if n.Op == relation.Or && len(n.Xs) > 2 {
		f(&relation.Connective{Op: relation.And, Xs: n.Xs}, costOperator)
	}
	for i := range n.Xs {
		if len(n.Xs) < 2 && n.Op != relation.And {
			break
		}
		var rest []relation.Formula
		rest = append(append(rest, n.Xs[:i]...), n.Xs[i+1:]...)
		if n.Op >= relation.Implies || len(rest) == 1 {
			f(rest[0], costDrop)
		} else {
			f(&relation.Connective{Op: n.Op, Xs: rest}, costDrop)
		}
	}
}

func (g *generator) quants(n *relation.Quant, f func(relation.Node, int)) {
	for op := relation.All; op <= relation.One; op++ {
		if op != n.Op {
			f(&relation.Quant{Op: op, Decls: n.Decls, Body: n.Body}, costOperator)
		}
	}
	for i, d := range n.Decls {
		if len(d.Vars) > 1 {
			ds := append([]relation.Decl(nil), n.Decls...)
			ds[i].Disj = !d.Disj
			f(&relation.Quant{Op: n.Op, Decls: ds, Body: n.Body}, costOperator)
		}
	}
}

// rename calls f with d with its variables renamed to those in scope at n.
func (g *generator) rename(k int, n relation.Node, f func(relation.Node)) {
	d := g.ingredients[k]
	scope := g.scope[n]
	if len(d.free) > maxRenamed {
		return
	}
	key := renaming{ingredient: k}
	var next func(i int)
	next = func(i int) {
		if i == len(d.free) {
			f(g.renamed(key))
			return
		}
		for _, w := range scope {
			if g.t.Of(w).Meets(g.t.Of(d.free[i])) {
				key.to[i] = w
				next(i + 1)
			}
		}
	}
	next(0)
}

// maxRenamed limits the free variables of a copied expression.
const maxRenamed = 3

// A renaming is an ingredient with variables for its free ones. Equal ones share
// their nodes, and so their circuits.
type renaming struct {
	ingredient int
	to         [maxRenamed]*relation.Var
}

func (g *generator) renamed(key renaming) relation.Node {
	if n, ok := g.copied[key]; ok {
		return n
	}
	d := g.ingredients[key.ingredient]
	n := relation.Replace(d.n, func(x relation.Node) relation.Node {
		if v, ok := x.(*relation.Var); ok {
			for i, w := range d.free {
				if v == w {
					return key.to[i]
				}
			}
		}
		return nil
	})
	g.copied[key] = n
	return n
}

// copies returns the mutants of a node that put a copied expression in its
// place or join a copied condition to it.
func (g *generator) copies(i int) (ms []mutant) {
	n := g.m.Nodes[i].Rel
	for k, d := range g.ingredients {
		g.rename(k, n, func(x relation.Node) {
			if g.text(x) == g.text(n) {
				return
			}
			g.copy(n, x, d, func(y relation.Node, cost int) {
				ms = append(ms, mutant{node: i, new: y, cost: cost, copied: x, wish: d.wish})
			})
		})
	}
	return ms
}

func (g *generator) copy(n, x relation.Node, d ingredient, add func(relation.Node, int)) {
	switch n := n.(type) {
	case relation.Formula:
		if y, ok := x.(relation.Formula); ok {
			g.conditions(n, y, d, add)
		}
	case relation.Int:
		switch x := x.(type) {
		case relation.Int:
			add(x, costCopy+g.distance(n, d.n))
		case relation.Expr:
			if d.shape.Arity == 1 && d.shape.Kinds[0] == rank.IntKind {
				add(&relation.Sum{X: x}, costCopy+g.distance(n, d.n))
			}
		}
	case relation.Expr:
		switch x := x.(type) {
		case relation.Expr:
			if d.shape.Meets(g.t.Of(n)) {
				add(x, costCopy+g.distance(n, d.n))
				add(&relation.Binary{Op: relation.Union, X: n, Y: x}, costGuard+d.size)
				add(&relation.Binary{Op: relation.Difference, X: n, Y: x}, costGuard+d.size)
				add(&relation.Binary{Op: relation.Intersect, X: n, Y: x}, costGuard+d.size)
			}
		case relation.Int:
			if s := g.t.Of(n); s.Arity == 1 && s.Kinds[0] == rank.IntKind {
				add(&relation.IntSet{X: x}, costCopy+g.distance(n, d.n))
			}
		}
	}
}

// conditions puts y, a copy of d, in the place of n or joins it to n.
func (g *generator) conditions(n, y relation.Formula, d ingredient, add func(relation.Node, int)) {
	add(y, costCopy+g.distance(n, d.n))
	join := func(op relation.ConnectiveOp, xs ...relation.Formula) {
		add(&relation.Connective{Op: op, Xs: xs}, costGuard+d.size)
	}
	join(relation.And, n, y)
	join(relation.Or, n, y)
	if d.atom {
		join(relation.Implies, y, n)
	}
}
