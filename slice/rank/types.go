package rank

import "github.com/go-amend/amend/formula/relation"

// This file infers which atoms an expression may hold in each column.

// A Shape is the arity of an expression and for each column the kinds of atoms
// that it may hold, as bits: one for each top-level signature, and IntKind.
type Shape struct {
	Arity int
	Kinds [4]uint64
}

// IntKind is the kind of integers.
const IntKind = 1

// Types infers shapes of the expressions of one model.
type Types struct {
	m    *Model
	kind []uint64 // of atoms
	memo map[relation.Node]Shape
	vars map[*relation.Var]Shape
}

// NewTypes returns the types of m's expressions: of what its units declare.
func NewTypes(m *Model) *Types {
	b := m.Check.Bounds
	t := &Types{m: m, kind: make([]uint64, b.Universe.Len()), memo: map[relation.Node]Shape{}, vars: map[*relation.Var]Shape{}}
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
			t.kind[a] = IntKind
		}
	}
	for _, u := range m.Units {
		t.declare(u.Params)
	}
	for _, u := range m.Units {
		t.Learn(u.Body)
	}
	return t
}

// Atoms returns all tuples of a shape.
func (t *Types) Atoms(s Shape) *relation.Set {
	var set *relation.Set
	for i := range s.Arity {
		var as []relation.Atom
		for a, k := range t.kind {
			if k&s.Kinds[i] != 0 {
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
func (t *Types) declare(ds []relation.Decl) {
	for _, d := range ds {
		for _, v := range d.Vars {
			t.vars[v] = t.Of(d.Bound)
		}
	}
}

// bind gives the variables of a let, which may be calls with different
// arguments, the shapes of their values.
func (t *Types) bind(vs []*relation.Var, xs []relation.Expr) {
	for i, v := range vs {
		s := t.Of(xs[i])
		for j, k := range t.vars[v].Kinds {
			s.Kinds[j] |= k
		}
		t.vars[v] = s
	}
}

// Learn declares the variables bound in n, outer first.
func (t *Types) Learn(n relation.Node) {
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

// Of returns the shape of x.
func (t *Types) Of(x relation.Expr) Shape {
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

func (t *Types) any(Arity int) Shape {
	s := Shape{Arity: Arity}
	for i := range Arity {
		s.Kinds[i] = ^uint64(0)
	}
	return s
}

func (t *Types) constant(x *relation.Const) Shape {
	switch x.Op {
	case relation.None:
		return Shape{Arity: 1}
	case relation.Ints:
		return Shape{1, [4]uint64{IntKind}}
	}
	return t.any(x.Arity())
}

func (t *Types) set(set *relation.Set) Shape {
	s := Shape{Arity: set.Arity()}
	for tu := range set.All() {
		for i, a := range tu {
			s.Kinds[i] |= t.kind[a]
		}
	}
	return s
}

func (t *Types) compute(x relation.Expr) Shape {
	switch x := x.(type) {
	case *relation.Relation:
		if up := t.m.Check.Bounds.Upper(x); up != nil {
			return t.set(up)
		}
	case *relation.ConstSet:
		return t.set(x.Set)
	case *relation.Unary:
		return t.unary(x.Op, t.Of(x.X))
	case *relation.Binary:
		return t.binary(x.Op, t.Of(x.X), t.Of(x.Y))
	case *relation.Comprehension:
		t.declare(x.Decls)
		s := Shape{Arity: x.Arity()}
		i := 0
		for _, d := range x.Decls {
			for range d.Vars {
				s.Kinds[i] = t.Of(d.Bound).Kinds[0]
				i++
			}
		}
		return s
	case *relation.IfExpr:
		return either(t.Of(x.Then), t.Of(x.Else))
	case *relation.LetExpr:
		t.bind(x.Vars, x.Values)
		return t.Of(x.Body)
	case *relation.IntSet:
		return Shape{1, [4]uint64{IntKind}}
	case *relation.AnyExpr:
		return t.Of(x.Upper)
	}
	return t.any(x.Arity())
}

func either(a, b Shape) Shape {
	for i := range a.Kinds {
		a.Kinds[i] |= b.Kinds[i]
	}
	return a
}

func (t *Types) unary(op relation.UnaryOp, s Shape) Shape {
	switch op {
	case relation.Transpose:
		s.Kinds[0], s.Kinds[1] = s.Kinds[1], s.Kinds[0]
	case relation.ReflexiveClosure: // the identity on other Kinds never matters
		s.Kinds[0] |= s.Kinds[1]
		s.Kinds[1] = s.Kinds[0]
	}
	return s
}

func (t *Types) binary(op relation.BinaryOp, a, b Shape) Shape {
	switch op {
	case relation.Union, relation.Override:
		return either(a, b)
	case relation.Intersect:
		for i := range a.Kinds {
			a.Kinds[i] &= b.Kinds[i]
		}
	case relation.Join:
		s := Shape{Arity: a.Arity + b.Arity - 2}
		if a.Kinds[a.Arity-1]&b.Kinds[0] == 0 {
			return s
		}
		copy(s.Kinds[:], a.Kinds[:a.Arity-1])
		copy(s.Kinds[a.Arity-1:], b.Kinds[1:b.Arity])
		return s
	case relation.Product:
		s := Shape{Arity: a.Arity + b.Arity}
		copy(s.Kinds[:], a.Kinds[:a.Arity])
		copy(s.Kinds[a.Arity:], b.Kinds[:b.Arity])
		return s
	case relation.DomRestrict:
		b.Kinds[0] &= a.Kinds[0]
		return b
	case relation.RanRestrict:
		a.Kinds[a.Arity-1] &= b.Kinds[0]
	}
	return a
}

// Meets says that both may have a tuple in common.
func (s Shape) Meets(o Shape) bool {
	if s.Arity != o.Arity {
		return false
	}
	for i := range s.Arity {
		if s.Kinds[i]&o.Kinds[i] == 0 {
			return false
		}
	}
	return true
}
