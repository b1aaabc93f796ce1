package rank

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/go-amend/amend/formula/relation"
)

// This file holds FLACK: Zheng et al., "FLACK: Counterexample-Guided Fault
// Localization for Alloy Models", ICSE 2021. What its tool computes departs from
// the paper in many places; comments say which of both is followed.

// Flack ranks the nodes of m by FLACK's scores. The satisfying side is m's run,
// or the assertion itself if there is none. Where the tool's result depends on
// its solver's choices, counterexamples and passing instances with few tuples are
// preferred. If m has no passing instance, the nodes that contradict each other
// are listed, with equal scores. The error is ErrHolds if there is nothing to
// explain.
func Flack(ctx context.Context, m *Model, cfg Config) (*Result, error) {
	cexs, err := failingInstances(ctx, m, cfg)
	if err != nil {
		return nil, err
	}
	return scores(ctx, m, cfg, cexs)
}

// scores computes FLACK's result from counterexamples.
func scores(ctx context.Context, m *Model, cfg Config, cexs []*relation.Instance) (*Result, error) {
	f := newFlack(m)
	f.cfg = cfg
	c := m.Passing()
	n, err := newNearest(ctx, cfg, c, c.Premise(), c.Goal)
	if err != nil {
		return nil, err
	}
	for _, c := range cexs {
		in, err := n.find(ctx, c)
		if errors.Is(err, errNoPassing) {
			break
		}
		if err != nil {
			return nil, err
		}
		f.pairs = append(f.pairs, Pair{c, in})
	}
	if len(f.pairs) == 0 {
		return f.unsat(ctx, cexs)
	}
	return f.rank()
}

// A flack is a run of the method.
type flack struct {
	m     *Model
	cfg   Config
	t     *Types
	pairs []Pair
	kids  [][]int // of nodes
	units []bool  // those reachable from the assertion, and facts
	diffs []diff
	words map[string]bool
	names map[*relation.Relation]string

	bodies map[relation.Node]bool // of units

	boolean  []float64
	relative []float64
	scored   []bool
	bound    map[*relation.Var]relation.Expr
	strict   bool // slicing and relational scores as the paper has them
}

func newFlack(m *Model) *flack {
	f := &flack{
		m: m, t: NewTypes(m), kids: make([][]int, len(m.Nodes)), units: make([]bool, len(m.Units)),
		boolean: make([]float64, len(m.Nodes)), relative: make([]float64, len(m.Nodes)), scored: make([]bool, len(m.Nodes)),
		names: map[*relation.Relation]string{}, bodies: map[relation.Node]bool{},
	}
	for i, n := range m.Nodes {
		if n.Parent >= 0 {
			f.kids[n.Parent] = append(f.kids[n.Parent], i)
		}
	}
	for _, s := range m.Sigs {
		f.names[s.Relation] = s.Name
	}
	for _, fd := range m.Fields {
		f.names[fd.Relation] = fd.Name
	}
	body := map[relation.Node]int{}
	for i, u := range m.Units {
		body[u.Body] = i
		f.bodies[u.Body] = true
		f.units[i] = u.Kind == Fact
		f.t.declare(u.Params)
	}
	relation.Walk(m.Check.Goal, func(n relation.Node) bool {
		if i, ok := body[n]; ok {
			f.units[i] = true
		}
		return true
	})
	return f
}

// A diff is what a pair's instances differ in.
type diff struct {
	atoms   []relation.Atom
	skip    bool // the sets of atoms differ
	insts   []map[string]relation.Atom
	related map[string]bool
	fields  map[string]bool // inferred
}

// rank computes the scores of all nodes from the pairs.
func (f *flack) rank() (*Result, error) {
	f.compare()
	for i := range f.m.Nodes {
		switch {
		case !f.units[f.m.Nodes[i].Unit] || !f.kept(i):
		case f.isFormula(i):
			f.score(i)
		case f.isValue(i):
			f.relative[i] = f.scoreRel(i)
		}
	}
	r := &Result{}
	for _, p := range f.pairs {
		r.Counterexamples = append(r.Counterexamples, p.Failing)
		r.Passing = append(r.Passing, p.Passing)
	}
	for i := range f.m.Nodes {
		if s := f.boolean[i] + f.relative[i]; s > 0 {
			r.Entries = append(r.Entries, Entry{Node: i, Score: s, Boolean: f.boolean[i], Relational: f.relative[i]})
		}
	}
	f.finish(r)
	return r, nil
}

// finish orders entries, leaves out hard ones, merges those of equal text and
// numbers the ranks.
func (f *flack) finish(r *Result) {
	slices.SortStableFunc(r.Entries, func(a, b Entry) int { return cmp.Compare(b.Score, a.Score) })
	seen := map[string]bool{}
	r.Entries = slices.DeleteFunc(r.Entries, func(e Entry) bool {
		text := f.m.Nodes[e.Node].Text
		if seen[text] || f.m.Nodes[e.Node].Hard {
			return true
		}
		seen[text] = true
		return false
	})
	setRanks(r.Entries)
	for i := range r.Entries {
		r.Entries[i].Operator = f.hint(r.Entries[i].Node)
	}
}

// setRanks numbers entries, sorted by score.
func setRanks(es []Entry) {
	number(es, func(e Entry) float64 { return e.Score }, func(e *Entry, r [2]int) { e.Ranks = r })
}

// number gives the elements of xs, sorted by score, their ranks: equal scores
// share a range.
func number[T any](xs []T, score func(T) float64, put func(*T, [2]int)) {
	for i := 0; i < len(xs); {
		j := i
		for j < len(xs) && score(xs[j]) == score(xs[i]) {
			j++
		}
		for k := i; k < j; k++ {
			put(&xs[k], [2]int{i + 1, j})
		}
		i = j
	}
}

// hint returns whether the operator of a connective or comparison may be at
// fault: its operands have different scores.
func (f *flack) hint(i int) bool {
	if _, ok := f.m.Nodes[i].Rel.(*relation.Connective); !ok || len(f.kids[i]) < 2 {
		return false
	}
	first := f.kids[i][0]
	for _, k := range f.kids[i][1:] {
		if f.boolean[k]+f.relative[k] != f.boolean[first]+f.relative[first] {
			return true
		}
	}
	return false
}

// compare finds the differences of all pairs, and the words to slice by.
func (f *flack) compare() {
	f.words = map[string]bool{}
	var inferred map[string]bool
	for _, p := range f.pairs {
		d := f.diff(p)
		f.diffs = append(f.diffs, d)
		for w := range d.related { // the union, where the paper says common
			f.words[w] = true
		}
		if inferred == nil {
			inferred = d.fields
		}
		for w := range inferred {
			if !d.fields[w] {
				delete(inferred, w)
			}
		}
	}
	for w := range inferred {
		f.words[w] = true
	}
}

func (f *flack) diff(p Pair) diff {
	d := diff{related: map[string]bool{}, fields: map[string]bool{}}
	atoms := map[relation.Atom]bool{}
	under := map[string]map[relation.Atom]bool{} // atoms by the name of a signature or field
	note := func(name string, r *relation.Relation, isSig bool) {
		a, b := p.Failing.Get(r), p.Passing.Get(r)
		if a.Equal(b) {
			return
		}
		d.related[name] = true
		d.skip = d.skip || isSig
		for t := range a.Minus(b).Union(b.Minus(a)).All() {
			for _, x := range t {
				atoms[x] = true
				if _, isInt := f.universe().Int(x); isInt {
					add(under, name, x)
					add(under, "Int", x)
				}
			}
		}
	}
	for _, s := range f.m.Sigs {
		note(s.Name, s.Relation, true)
	}
	for _, fd := range f.m.Fields {
		note(fd.Name, fd.Relation, false)
	}
	if len(d.related) == 0 {
		f.witnesses(p, &d, atoms, under)
	}
	for x := range atoms {
		d.atoms = append(d.atoms, x)
		f.sigsOf(x, p, func(name string) { add(under, name, x) })
	}
	slices.Sort(d.atoms)
	f.infer(p, &d, atoms)
	d.insts = instantiations(under)
	return d
}

func add(m map[string]map[relation.Atom]bool, k string, x relation.Atom) {
	if m[k] == nil {
		m[k] = map[relation.Atom]bool{}
	}
	m[k][x] = true
}

func (f *flack) universe() *relation.Universe { return f.m.Check.Bounds.Universe }

// witnesses takes the values of a counterexample's skolem relations for the
// differences of a pair that has none.
func (f *flack) witnesses(p Pair, d *diff, atoms map[relation.Atom]bool, under map[string]map[relation.Atom]bool) {
	for _, r := range p.Failing.Bounds.Relations() {
		if f.m.Check.Bounds.Upper(r) != nil {
			continue
		}
		for t := range p.Failing.Get(r).All() {
			for _, x := range t {
				atoms[x] = true
				f.sigsOf(x, p, func(name string) { d.related[name] = true })
				if _, isInt := f.universe().Int(x); isInt {
					d.related["Int"] = true
					add(under, "Int", x)
				}
			}
		}
	}
}

// sigsOf calls g with the names of the smallest signature that holds x in a
// pair, and of its parent.
func (f *flack) sigsOf(x relation.Atom, p Pair, g func(string)) {
	best := -1
	for i, s := range f.m.Sigs {
		if p.Failing.Get(s.Relation).Has(x) || p.Passing.Get(s.Relation).Has(x) {
			if best < 0 || f.below(i, best) {
				best = i
			}
		}
	}
	if best < 0 {
		return
	}
	g(f.m.Sigs[best].Name)
	if up := f.m.Sigs[best].Parent; up >= 0 {
		g(f.m.Sigs[up].Name)
	}
}

func (f *flack) below(i, j int) bool {
	for ; i >= 0; i = f.m.Sigs[i].Parent {
		if i == j {
			return true
		}
	}
	return false
}

// infer finds the fields that have in the counterexample just one tuple that
// ends in a differing atom.
func (f *flack) infer(p Pair, d *diff, atoms map[relation.Atom]bool) {
	for _, fd := range f.m.Fields {
		count := map[relation.Atom]int{}
		for t := range p.Failing.Get(fd.Relation).All() {
			count[t[len(t)-1]]++
		}
		for x := range atoms {
			if count[x] == 1 {
				d.fields[f.m.Sigs[fd.Sig].Name+"."+fd.Name] = true
			}
		}
	}
}

// instantiations returns each choice of one atom for each name.
func instantiations(under map[string]map[relation.Atom]bool) []map[string]relation.Atom {
	insts := []map[string]relation.Atom{{}}
	for _, name := range sortedKeys(under) {
		var next []map[string]relation.Atom
		for _, in := range insts {
			for _, x := range sortedKeys(under[name]) {
				c := map[string]relation.Atom{name: x}
				for k, v := range in {
					c[k] = v
				}
				next = append(next, c)
			}
		}
		insts = next
	}
	return insts
}

func sortedKeys[K cmp.Ordered, V any](m map[K]V) []K {
	ks := make([]K, 0, len(m))
	for k := range m {
		ks = append(ks, k)
	}
	slices.Sort(ks)
	return ks
}

// isFormula returns whether node i is one of the formulas by which the model is
// sliced: quantified ones and comparisons that are no operands of such, and
// every disjunction, choice and unary formula.
func (f *flack) isFormula(i int) bool {
	switch n := f.m.Nodes[i].Rel.(type) {
	case *relation.Mult, *relation.Not, *relation.IfFormula:
		return true
	case *relation.Connective:
		if n.Op == relation.Or {
			return true
		}
		return n.Op >= relation.Implies && f.isTop(i)
	case *relation.Quant, *relation.Compare, *relation.IntCompare, *relation.Disjoint:
		return f.isTop(i)
	case *relation.LetFormula:
		return f.m.Nodes[i].Call && f.isTop(i)
	}
	return false
}

// isValue returns whether node i is the expression of a function: it has no
// Boolean nodes, and gets a relational score only.
func (f *flack) isValue(i int) bool {
	n := f.m.Nodes[i]
	return f.m.Units[n.Unit].Kind == Function && n.Parent < 0
}

// isTop returns whether only conjunctions are above node i.
func (f *flack) isTop(i int) bool {
	for up := f.m.Nodes[i].Parent; up >= 0; up = f.m.Nodes[up].Parent {
		if c, ok := f.m.Nodes[up].Rel.(*relation.Connective); !ok || c.Op != relation.And {
			return false
		}
	}
	return true
}

// kept returns whether node i shares a word with the differences. The paper
// reads as if it had to contain all.
func (f *flack) kept(i int) bool {
	has := map[string]bool{}
	f.wordsOf(f.m.Nodes[i].Rel, func(w string) { has[w] = has[w] || f.words[w] })
	n := 0
	for _, in := range has {
		n += btoi(in)
	}
	return n > 0 && (!f.strict || n == len(f.words))
}

// wordsOf calls g with the names of signatures and fields in n and in what it
// calls, of its variables' types, and of fields joined to a signature.
func (f *flack) wordsOf(n relation.Node, g func(string)) {
	relation.Walk(n, func(n relation.Node) bool {
		switch n := n.(type) {
		case *relation.Relation:
			g(f.names[n])
		case *relation.Var:
			if s := f.sigOf(f.t.Of(n)); s >= 0 {
				g(f.m.Sigs[s].Name)
			} else if f.t.Of(n).Kinds[0] == IntKind {
				g("Int")
			}
		case *relation.Binary:
			if n.Op == relation.Join {
				f.joined(n, g)
			}
		}
		return true
	})
}

func (f *flack) joined(n *relation.Binary, g func(string)) {
	a, ok := n.X.(*relation.Relation)
	b, isRel := n.Y.(*relation.Relation)
	if ok && isRel {
		g(f.names[a] + "." + f.names[b])
	}
}

// sigOf returns the signature of a shape's last column: the one top-level
// signature that it may hold atoms of, or -1.
func (f *flack) sigOf(s Shape) int {
	k := s.Kinds[max(s.Arity-1, 0)]
	for i, sig := range f.m.Sigs {
		if sig.Parent < 0 && f.t.Of(sig.Relation).Kinds[0] == k {
			return i
		}
	}
	return -1
}

// score adds to the scores of node i and the formulas below.
func (f *flack) score(i int) {
	f.within(i, func(k int) {
		if !f.isBool(k) {
			return
		}
		f.scoreBool(k)
		if !f.scored[k] {
			f.scored[k] = true
			f.relative[k] = f.scoreRel(k)
		}
	})
}

// within calls g for i and the nodes below it.
func (f *flack) within(i int, g func(int)) {
	g(i)
	for _, k := range f.kids[i] {
		f.within(k, g)
	}
}

// isBool returns whether node i is a Boolean node of the method: quantified
// formulas are none.
func (f *flack) isBool(i int) bool {
	switch n := f.m.Nodes[i].Rel.(type) {
	case *relation.Quant, *relation.Bool:
		return false
	case *relation.Connective:
		return len(n.Xs) > 1
	case *relation.LetFormula:
		return f.m.Nodes[i].Call
	case relation.Formula:
		return true
	}
	return false
}

// scoreBool counts the pairs and instantiations in which node i differs. The sum
// is not divided by their numbers.
func (f *flack) scoreBool(i int) {
	n := 0.0
	for j, p := range f.pairs {
		d := &f.diffs[j]
		if d.skip {
			continue
		}
		for _, inst := range d.insts {
			x := f.instantiate(f.m.Nodes[i].Rel, inst).(relation.Formula)
			if f.truth(p.Failing, x) != f.truth(p.Passing, x) {
				n++
			}
		}
	}
	f.boolean[i] += n
	if up := f.m.Nodes[i].Parent; up >= 0 && !f.isList(up) {
		f.boolean[up] += n
	}
}

func (f *flack) isList(i int) bool {
	c, ok := f.m.Nodes[i].Rel.(*relation.Connective)
	return ok && c.Op <= relation.Or
}

// truth is 0 or 1, or 2 if the formula can't be evaluated, which differs from
// both.
func (f *flack) truth(in *relation.Instance, x relation.Formula) int {
	v, err := in.Eval(x, nil)
	if err != nil {
		return 2
	}
	return btoi(v)
}

// instantiate replaces variables and signatures in n by the atoms of inst.
func (f *flack) instantiate(n relation.Node, inst map[string]relation.Atom) relation.Node {
	root := n
	var by func(relation.Node) relation.Node
	by = func(n relation.Node) relation.Node {
		if f.bodies[n] && n != root { // called: it keeps its own variables
			return n
		}
		switch n := n.(type) {
		case *relation.Relation:
			if x, ok := inst[f.names[n]]; ok && n.Width == 1 {
				return &relation.ConstSet{Set: relation.SetOfAtoms(x)}
			}
		case *relation.Const:
			if x, ok := inst["Int"]; ok && n.Op == relation.Ints {
				return &relation.ConstSet{Set: relation.SetOfAtoms(x)}
			}
		case *relation.Var:
			return f.value(n, inst)
		case *relation.Quant: // its variables become atoms
			return relation.Replace(n.Body, by)
		}
		return nil
	}
	return relation.Replace(n, by)
}

// value returns what stands for a variable: the atom of its type if its
// bounding expression has a join, else that expression, instantiated.
func (f *flack) value(v *relation.Var, inst map[string]relation.Atom) relation.Node {
	bound, ok := f.bounds()[v]
	if !ok {
		return nil
	}
	joins := false
	relation.Walk(bound, func(n relation.Node) bool {
		b, ok := n.(*relation.Binary)
		joins = joins || ok && b.Op == relation.Join
		return true
	})
	if !joins {
		return f.instantiate(bound, inst)
	}
	if s := f.sigOf(f.t.Of(v)); s >= 0 {
		if x, ok := inst[f.m.Sigs[s].Name]; ok {
			return &relation.ConstSet{Set: relation.SetOfAtoms(x)}
		}
	}
	if x, ok := inst["Int"]; ok && f.t.Of(v).Kinds[0] == IntKind {
		return &relation.ConstSet{Set: relation.SetOfAtoms(x)}
	}
	return nil
}

// bounds returns the bounding expressions of quantified variables and
// parameters.
func (f *flack) bounds() map[*relation.Var]relation.Expr {
	if f.bound != nil {
		return f.bound
	}
	f.bound = map[*relation.Var]relation.Expr{}
	note := func(ds []relation.Decl) {
		for _, d := range ds {
			for _, v := range d.Vars {
				f.bound[v] = d.Bound
			}
		}
	}
	for _, u := range f.m.Units {
		note(u.Params)
		relation.Walk(u.Body, func(n relation.Node) bool {
			if q, ok := n.(*relation.Quant); ok {
				note(q.Decls)
			}
			return true
		})
	}
	return f.bound
}

// scoreRel is the relational score of node i: the share of the differing atoms
// in the values of its expressions, over instantiations and pairs. The tool
// doesn't make the paper's test that all of them are there.
func (f *flack) scoreRel(i int) float64 {
	total := 0.0
	for j, p := range f.pairs {
		d := &f.diffs[j]
		sum := 0.0
		for _, inst := range d.insts {
			x := f.instantiate(f.m.Nodes[i].Rel, inst)
			sum += (f.share(p.Failing, x, d) + f.share(p.Passing, x, d)) / 2
		}
		total += sum / float64(len(d.insts))
	}
	return total / float64(len(f.pairs))
}

func (f *flack) share(in *relation.Instance, x relation.Node, d *diff) float64 {
	vals := map[string]bool{}
	f.values(in, x, vals)
	if len(vals) == 0 || f.strict && !containsAll(vals, d.atoms) {
		return 0
	}
	return float64(len(d.atoms)) / float64(len(vals))
}

func containsAll(vals map[string]bool, as []relation.Atom) bool {
	return !slices.ContainsFunc(as, func(a relation.Atom) bool { return !vals[fmt.Sprint([]relation.Atom{a})] })
}

// values collects the tuples in the values of the expressions in n, and the
// atoms that were put into them. Operands of joins don't count.
func (f *flack) values(in *relation.Instance, n relation.Node, vals map[string]bool) {
	put := func(s *relation.Set) {
		for t := range s.All() {
			vals[fmt.Sprint(t)] = true
		}
	}
	root := n
	relation.Walk(n, func(n relation.Node) bool {
		if f.bodies[n] && n != root {
			return false
		}
		e, ok := n.(relation.Expr)
		if !ok {
			return true
		}
		if set, err := in.EvalExpr(e, nil); err == nil {
			put(set)
		}
		b, ok := n.(*relation.Binary)
		if !ok || b.Op != relation.Join {
			return true
		}
		relation.Walk(b, func(n relation.Node) bool {
			if c, ok := n.(*relation.ConstSet); ok {
				put(c.Set)
			}
			return true
		})
		return false
	})
}
