package alloy

import (
	"slices"
	"strings"
)

// This file holds types: which signatures' atoms a tuple's columns may hold.

// A product is a signature for each column: top-level or extending ones, Int
// or univ.
type product []*sig

// A typ is a union of products of one arity. The binary types of iden and of
// reflexive closures also hold each atom with itself, which is kept apart:
// n.*link is a Node if n is one, although *link relates all atoms.
type typ struct {
	arity    int
	products []product
	iden     bool
}

func (t typ) add(p product) typ {
	if !slices.ContainsFunc(t.products, func(q product) bool { return slices.Equal(p, q) }) {
		t.products = append(slices.Clip(t.products), p)
	}
	return t
}

func (t typ) empty() bool { return len(t.products) == 0 && !t.iden }

// plain returns t without iden.
func (t typ) plain(univ *sig) typ {
	if t.iden {
		t = t.add(product{univ, univ})
		t.iden = false
	}
	return t
}

func (t typ) String() string {
	var out []string
	for _, p := range t.products {
		var cols []string
		for _, s := range p {
			cols = append(cols, s.name)
		}
		out = append(out, strings.Join(cols, "->"))
	}
	if t.iden {
		out = append(out, "iden")
	}
	if len(out) == 0 {
		return "none"
	}
	return strings.Join(out, " + ")
}

// meet returns the signature of the atoms that are of both, or nil.
func meet(a, b *sig) *sig {
	switch {
	case a.kind == sigUniv:
		return b
	case b.kind == sigUniv:
		return a
	}
	for s := a; s != nil; s = s.parent {
		if s == b {
			return a
		}
	}
	for s := b; s != nil; s = s.parent {
		if s == a {
			return b
		}
	}
	return nil
}

func meetAll(p, q product) product {
	r := make(product, len(p))
	for i := range p {
		if r[i] = meet(p[i], q[i]); r[i] == nil {
			return nil
		}
	}
	return r
}

func unionType(a, b typ) typ {
	for _, p := range b.products {
		a = a.add(p)
	}
	a.iden = a.iden || b.iden
	return a
}

func intersectType(a, b typ) typ {
	r := typ{arity: a.arity, iden: a.iden && b.iden}
	for _, p := range a.products {
		for _, q := range b.products {
			if m := meetAll(p, q); m != nil {
				r = r.add(m)
			}
		}
	}
	for _, x := range []struct{ iden, other typ }{{a, b}, {b, a}} {
		for _, p := range x.other.products {
			if m := meet(p[0], p[len(p)-1]); x.iden.iden && m != nil {
				r = r.add(product{m, m})
			}
		}
	}
	return r
}

func joinType(a, b typ) typ {
	r := typ{arity: a.arity + b.arity - 2, iden: a.iden && b.iden}
	for _, p := range a.products {
		for _, q := range b.products {
			if meet(p[len(p)-1], q[0]) != nil {
				r = r.add(slices.Concat(p[:len(p)-1], q[1:]))
			}
		}
	}
	if a.iden {
		r = unionType(r, typ{products: b.products})
	}
	if b.iden {
		r = unionType(r, typ{products: a.products})
	}
	return r
}

func productType(a, b typ, univ *sig) typ {
	a, b = a.plain(univ), b.plain(univ)
	r := typ{arity: a.arity + b.arity}
	for _, p := range a.products {
		for _, q := range b.products {
			r = r.add(slices.Concat(p, q))
		}
	}
	return r
}

func transposeType(a typ) typ {
	r := typ{arity: 2, iden: a.iden}
	for _, p := range a.products {
		r = r.add(product{p[1], p[0]})
	}
	return r
}

func closureType(a typ) typ {
	for {
		next := unionType(a, joinType(a, a))
		if len(next.products) == len(a.products) {
			return a
		}
		a = next
	}
}

// restrictType returns the type of b's tuples whose column col is of a.
func restrictType(a, b typ, col int, univ *sig) typ {
	b = b.plain(univ)
	r := typ{arity: b.arity}
	for _, p := range a.products {
		for _, q := range b.products {
			i := col
			if i < 0 {
				i = len(q) - 1
			}
			if m := meet(p[0], q[i]); m != nil {
				n := slices.Clone(q)
				n[i] = m
				r = r.add(n)
			}
		}
	}
	return r
}

// A fit says how well two operands' types go together in an operator. Of the
// meanings of an overloaded name, Alloy takes those that are relevant where the
// name stands: the tuples of which can make a difference.
type fit uint8

const (
	fitsNever    fit = iota // the result is always empty
	fitsIden                // only the identity in iden or in a reflexive closure makes a difference
	fitsRelation            // others do
)

// fitOf returns the fit of two operands of an operator with the type f.
func fitOf(a, b typ, f func(a, b typ) typ) fit {
	bare := func(t typ) typ { return typ{arity: t.arity, products: t.products} }
	switch {
	case !f(bare(a), bare(b)).empty():
		return fitsRelation
	case !f(a, b).empty():
		return fitsIden
	}
	return fitsNever
}

// fitting returns the choices of two operands' meanings that fit best.
func fitting(ps []pair, f func(a, b typ) typ) []pair {
	best := fitsNever
	for _, p := range ps {
		best = max(best, fitOf(p.a.t, p.b.t, f))
	}
	return slices.DeleteFunc(slices.Clone(ps), func(p pair) bool { return fitOf(p.a.t, p.b.t, f) < best })
}

// overlap reports whether a tuple may be of both types.
func overlap(a, b typ) bool {
	return a.arity == b.arity && (a.empty() || b.empty() || !intersectType(a, b).empty())
}
