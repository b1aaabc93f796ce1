package rank

import "github.com/go-amend/amend/formula/relation"

// This file infers which atoms an expression may hold in each column.

// A shape is the arity of an expression and for each column the kinds of atoms
// that it may hold, as bits: one for each top-level signature, and one for
// integers, the lowest.
type shape struct {
	arity int
	kinds [3]uint64
}

const intKind = 1

type typer struct {
	m    *Model
	kind []uint64 // of atoms
	memo map[relation.Node]shape
	vars map[*relation.Var]shape
}

func newTyper(m *Model) *typer {
	b := m.Check.Bounds
	t := &typer{m: m, kind: make([]uint64, b.Universe.Len()), memo: map[relation.Node]shape{}, vars: map[*relation.Var]shape{}}
	next := uint64(2)
	for _, s := range m.Sigs {
		if s.Parent >= 0 {
			continue
		}
		for a := range b.Upper(s.Relation).All() {
			t.kind[a[0]] |= next
		}
		if next < 1<<62 {
			next <<= 1
		}
	}
	for a := range t.kind {
		if _, ok := b.Universe.Int(relation.Atom(a)); ok {
			t.kind[a] = intKind
		}
	}
	return t
}

// atoms returns all tuples of a shape.
func (t *typer) atoms(s shape) *relation.Set {
	var set *relation.Set
	for i := range s.arity {
		var as []relation.Atom
		for a, k := range t.kind {
			if k&s.kinds[i] != 0 {
				as = append(as, relation.Atom(a))
			}
		}
		if set == nil {
			set = relation.SetOfAtoms(as...)
		} else {
			set = set.Product(relation.SetOfAtoms(as...))
		}
	}
	return set
}

// declare gives the variables of ds their shapes.
func (t *typer) declare(ds []relation.Decl) {
	for _, d := range ds {
		for _, v := range d.Vars {
			t.vars[v] = t.of(d.Bound)
		}
	}
}

// bind gives the variables of a let, which may be calls with different
// arguments, the shapes of their values.
func (t *typer) bind(vs []*relation.Var, xs []relation.Expr) {
	for i, v := range vs {
		s := t.of(xs[i])
		for j, k := range t.vars[v].kinds {
			s.kinds[j] |= k
		}
		t.vars[v] = s
	}
}

// learn declares the variables bound in n, outer first.
func (t *typer) learn(n relation.Node) {
	relation.Walk(n, func(n relation.Node) bool {
		switch n := n.(type) {
		case *relation.Quant:
			t.declare(n.Decls)
		case *relation.Comprehension:
			t.declare(n.Decls)
		case *relation.LetExpr:
			t.bind(n.Vars, n.Values)
		case *relation.LetInt:
			t.bind(n.Vars, n.Values)
		case *relation.LetFormula:
			t.bind(n.Vars, n.Values)
		}
		return true
	})
}

func (t *typer) of(x relation.Expr) shape {
	switch x := x.(type) {
	case *relation.Var:
		if s, ok := t.vars[x]; ok {
			return s
		}
		return t.any(x.Width)
	case *relation.Const:
		return t.constant(x)
	}
	s, ok := t.memo[x]
	if !ok {
		s = t.compute(x)
		t.memo[x] = s
	}
	return s
}

func (t *typer) any(arity int) shape {
	s := shape{arity: arity}
	for i := range arity {
		s.kinds[i] = ^uint64(0)
	}
	return s
}

func (t *typer) constant(x *relation.Const) shape {
	switch x.Op {
	case relation.None:
		return shape{arity: 1}
	case relation.Ints:
		return shape{1, [3]uint64{intKind}}
	}
	return t.any(x.Arity())
}

func (t *typer) set(set *relation.Set) shape {
	s := shape{arity: set.Arity()}
	for tu := range set.All() {
		for i, a := range tu {
			s.kinds[i] |= t.kind[a]
		}
	}
	return s
}

func (t *typer) compute(x relation.Expr) shape {
	switch x := x.(type) {
	case *relation.Relation:
		if up := t.m.Check.Bounds.Upper(x); up != nil {
			return t.set(up)
		}
	case *relation.ConstSet:
		return t.set(x.Set)
	case *relation.Unary:
		return t.unary(x.Op, t.of(x.X))
	case *relation.Binary:
		return t.binary(x.Op, t.of(x.X), t.of(x.Y))
	case *relation.Comprehension:
		t.declare(x.Decls)
		s := shape{arity: x.Arity()}
		i := 0
		for _, d := range x.Decls {
			for range d.Vars {
				s.kinds[i] = t.of(d.Bound).kinds[0]
				i++
			}
		}
		return s
	case *relation.IfExpr:
		return either(t.of(x.Then), t.of(x.Else))
	case *relation.LetExpr:
		t.bind(x.Vars, x.Values)
		return t.of(x.Body)
	case *relation.IntSet:
		return shape{1, [3]uint64{intKind}}
	case *relation.AnyExpr:
		return t.of(x.Upper)
	}
	return t.any(x.Arity())
}

func either(a, b shape) shape {
	for i := range a.kinds {
		a.kinds[i] |= b.kinds[i]
	}
	return a
}

func (t *typer) unary(op relation.UnaryOp, s shape) shape {
	switch op {
	case relation.Transpose:
		s.kinds[0], s.kinds[1] = s.kinds[1], s.kinds[0]
	case relation.ReflexiveClosure: // the identity on other kinds never matters
		s.kinds[0] |= s.kinds[1]
		s.kinds[1] = s.kinds[0]
	}
	return s
}

func (t *typer) binary(op relation.BinaryOp, a, b shape) shape {
	switch op {
	case relation.Union, relation.Override:
		return either(a, b)
	case relation.Intersect:
		for i := range a.kinds {
			a.kinds[i] &= b.kinds[i]
		}
	case relation.Join:
		s := shape{arity: a.arity + b.arity - 2}
		if a.kinds[a.arity-1]&b.kinds[0] == 0 {
			return s
		}
		copy(s.kinds[:], a.kinds[:a.arity-1])
		copy(s.kinds[a.arity-1:], b.kinds[1:b.arity])
		return s
	case relation.Product:
		s := shape{arity: a.arity + b.arity}
		copy(s.kinds[:], a.kinds[:a.arity])
		copy(s.kinds[a.arity:], b.kinds[:b.arity])
		return s
	case relation.DomRestrict:
		b.kinds[0] &= a.kinds[0]
		return b
	case relation.RanRestrict:
		a.kinds[a.arity-1] &= b.kinds[0]
	}
	return a
}

// meets says that both may have a tuple in common.
func (s shape) meets(o shape) bool {
	if s.arity != o.arity {
		return false
	}
	for i := range s.arity {
		if s.kinds[i]&o.kinds[i] == 0 {
			return false
		}
	}
	return true
}
