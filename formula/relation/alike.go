package relation

import (
	"reflect"
	"slices"
)

// This file compares trees.

// Alike reports whether a and b are the same trees but for their pointers, the
// names of the variables that they bind, the grouping of conjunctions and
// disjunctions, and relations: those of a are looked up in to. Such trees mean the
// same; it may be false of others that do. Arbitrary values (AnyExpr and the like)
// are never alike. Very large trees, with shared parts counted each time, are not
// compared: then the result is false.
func Alike(a, b Node, to map[*Relation]*Relation) bool {
	k := &likeness{to: to, there: map[*Var]*Var{}, back: map[*Var]*Var{}, left: 1 << 20}
	return k.nodes(a, b)
}

// Match pairs the relations of two bounds by their order, and reports whether they
// are bound to the same tuples of equal universes and have the same sorts.
func Match(a, b *Bounds) (to map[*Relation]*Relation, ok bool) {
	u, v := a.Universe, b.Universe
	if u.bits != v.bits || !slices.Equal(u.isInt, v.isInt) || !slices.Equal(u.value, v.value) || len(a.rels) != len(b.rels) || a.steps != b.steps {
		return nil, false
	}
	to = map[*Relation]*Relation{}
	for i, r := range a.rels {
		s := b.rels[i]
		if r.Width != s.Width || a.varying[r] != b.varying[s] || !a.upper[r].Equal(b.upper[s]) || !a.lower[r].Equal(b.lower[s]) {
			return nil, false
		}
		to[r] = s
	}
	same := (a.sorts == nil) == (b.sorts == nil) && slices.EqualFunc(a.sorts, b.sorts, func(r, s *Relation) bool { return to[r] == s })
	return to, same
}

type likeness struct {
	to          map[*Relation]*Relation
	there, back map[*Var]*Var // bound variables of a and b
	left        int           // nodes that may still be compared
}

func (k *likeness) nodes(a, b Node) bool {
	if k.left--; k.left < 0 {
		return false
	}
	a, b = ungrouped(a), ungrouped(b)
	switch a := a.(type) {
	case *Relation:
		r, ok := b.(*Relation)
		return ok && k.to[a] == r
	case *Var:
		v, ok := b.(*Var)
		return ok && k.there[a] == v && k.back[v] == a
	case *ConstSet:
		s, ok := b.(*ConstSet)
		return ok && a.Set.Equal(s.Set)
	case *Connective:
		c, ok := b.(*Connective)
		if !ok || a.Op != c.Op {
			return false
		}
		return k.lists(operands(a, nil), operands(c, nil))
	case *AnyExpr, *AnyInt, *AnyFormula:
		return false
	}
	if reflect.TypeOf(a) != reflect.TypeOf(b) || operator(a) != operator(b) {
		return false
	}
	if ds, body, ok := declares(a); ok {
		es, other, _ := declares(b)
		return k.decls(ds, es, body, other)
	}
	if vs, values, body, ok := lets(a); ok {
		ws, others, other, _ := lets(b)
		return k.exprs(values, others) && k.bound(vs, ws, func() bool { return k.nodes(body, other) })
	}
	return k.lists(Children(a, nil), Children(b, nil))
}

// decls compares declarations and what they are for. A bound may use the
// variables of earlier ones.
func (k *likeness) decls(ds, es []Decl, body, other Node) bool {
	if len(ds) == 0 || len(es) == 0 {
		return len(ds) == len(es) && k.nodes(body, other)
	}
	d, e := &ds[0], &es[0]
	return d.Mult == e.Mult && d.Disj == e.Disj && k.nodes(d.Bound, e.Bound) &&
		k.bound(d.Vars, e.Vars, func() bool { return k.decls(ds[1:], es[1:], body, other) })
}

// bound returns what f does where vs and ws are bound.
func (k *likeness) bound(vs, ws []*Var, f func() bool) bool {
	if len(vs) == 0 || len(ws) == 0 {
		return len(vs) == len(ws) && f()
	}
	v, w := vs[0], ws[0]
	oldV, oldW := k.there[v], k.back[w]
	k.there[v], k.back[w] = w, v
	ok := v.Width == w.Width && k.bound(vs[1:], ws[1:], f)
	k.there[v], k.back[w] = oldV, oldW
	return ok
}

func (k *likeness) exprs(xs, ys []Expr) bool {
	return slices.EqualFunc(xs, ys, func(x, y Expr) bool { return k.nodes(x, y) })
}

func (k *likeness) lists(as, bs []Node) bool {
	if len(as) != len(bs) {
		return false
	}
	for i := range as {
		if !k.nodes(as[i], bs[i]) {
			return false
		}
	}
	return true
}

// ungrouped returns what a conjunction or disjunction of one formula is.
func ungrouped(n Node) Node {
	for {
		c, ok := n.(*Connective)
		if !ok || c.Op > Or || len(c.Xs) != 1 {
			return n
		}
		n = c.Xs[0]
	}
}

// operands appends the operands of n, and those of operands with its operator.
func operands(n *Connective, dst []Node) []Node {
	for _, x := range n.Xs {
		y := ungrouped(x)
		if c, ok := y.(*Connective); ok && c.Op == n.Op && c.Op <= Or {
			dst = operands(c, dst)
		} else {
			dst = append(dst, y)
		}
	}
	return dst
}

// declares returns the declarations of a node that has some.
func declares(n Node) ([]Decl, Node, bool) {
	switch n := n.(type) {
	case *Comprehension:
		return n.Decls, n.Body, true
	case *Quant:
		return n.Decls, n.Body, true
	case *SumOver:
		return n.Decls, n.Body, true
	}
	return nil, nil, false
}

// lets returns the parts of a let.
func lets(n Node) ([]*Var, []Expr, Node, bool) {
	switch n := n.(type) {
	case *LetExpr:
		return n.Vars, n.Values, n.Body, true
	case *LetInt:
		return n.Vars, n.Values, n.Body, true
	case *LetFormula:
		return n.Vars, n.Values, n.Body, true
	}
	return nil, nil, nil, false
}

// operator returns what a node is, apart from its type and operands.
func operator(n Node) int {
	switch n := n.(type) {
	case *Const:
		return int(n.Op)
	case *Unary:
		return int(n.Op)
	case *Binary:
		return int(n.Op)
	case *IntConst:
		return n.Value
	case *IntUnary:
		return int(n.Op)
	case *IntBinary:
		return int(n.Op)
	case *Bool:
		if n.Value {
			return 1
		}
	case *Compare:
		return int(n.Op)
	case *IntCompare:
		return int(n.Op)
	case *Mult:
		return int(n.Op)
	case *Quant:
		return int(n.Op)
	case *Temporal:
		return int(n.Op)
	}
	return 0
}
