package relation

import "slices"

// This file holds symmetry breaking and skolemization.

// Symmetry returns a gate that is true in one instance at least of each class of
// instances that differ by a renaming of atoms which the bounds don't tell
// apart: for pairs of such atoms a lexicographic order of length tuples, 0
// meaning 20 as in Kodkod. Formulas that name atoms, by ConstSet or by integers,
// may tell atoms apart that the bounds don't; atoms that stand for integers are
// never renamed.
func (s *Solver) Symmetry(length int) Gate {
	if length == 0 {
		length = 20
	}
	var gs []Gate
	for _, class := range s.classes() {
		for i := range class {
			for j := i + 1; j < len(class) && j <= i+4; j++ {
				gs = append(gs, s.ordered(class[i], class[j], length))
			}
		}
	}
	return s.c.andN(gs)
}

// classes returns the classes of atoms that the bounds don't tell apart.
// Exchanging two atoms of a class exchanges a third with each, hence one member
// stands for all.
func (s *Solver) classes() (classes [][]Atom) {
	for i := range s.u.Len() {
		a := Atom(i)
		if _, isInt := s.u.Int(a); isInt {
			continue
		}
		k := slices.IndexFunc(classes, func(c []Atom) bool { return s.exchangeable(c[0], a) })
		if k < 0 {
			classes = append(classes, []Atom{a})
		} else {
			classes[k] = append(classes[k], a)
		}
	}
	return classes
}

func (s *Solver) exchangeable(a, b Atom) bool {
	for _, r := range s.b.rels {
		for _, set := range []*Set{s.b.lower[r], s.b.upper[r]} {
			for _, t := range set.tuples {
				if x := exchange(t, set.arity, a, b); x != t && !set.has(x) {
					return false
				}
			}
		}
	}
	return true
}

// exchange renames a to b and b to a in the columns of t.
func exchange(t tuple, arity int, a, b Atom) tuple {
	r := t
	for shift := 0; shift < 16*arity; shift += 16 {
		switch Atom(t >> shift) {
		case a:
			r = r&^(0xFFFF<<shift) | tuple(b)<<shift
		case b:
			r = r&^(0xFFFF<<shift) | tuple(a)<<shift
		}
	}
	return r
}

// ordered says that the instance is not smaller than it is with a and b
// exchanged, as far as the first tuples tell.
func (s *Solver) ordered(a, b Atom, length int) Gate {
	var xs, ys []Gate
	for _, r := range s.b.rels {
		for _, m := range s.states(r) {
			for _, c := range m.cells {
				if t := exchange(c.t, m.arity, a, b); t > c.t && len(xs) < length {
					xs, ys = append(xs, c.g), append(ys, m.at(t))
				}
			}
		}
	}
	g := gateTrue
	for i := len(xs) - 1; i >= 0; i-- {
		// x > y, or x = y and the rest is in order
		g = s.c.ite(s.c.xor(xs[i], ys[i]), xs[i], g)
	}
	return g
}

// Skolemize returns a formula that holds in instances of the bounds that it
// returns just if f holds in their part in b: outermost existential quantifiers
// of f have become relations of new bounds, named $ and the variable's name,
// if its scope is under no universal one. The nodes below are f's own.
func Skolemize(f Formula, b *Bounds) (Formula, *Bounds) {
	k := &skolemizer{b: b.Clone()}
	return k.formula(f, true, nil), k.b
}

type skolemizer struct{ b *Bounds }

// A scope is a let around the formula at hand.
type scope struct {
	vars   []*Var
	values []Expr
	outer  *scope
}

func (k *skolemizer) formula(f Formula, positive bool, in *scope) Formula {
	switch f := f.(type) {
	case *Not:
		if x := k.formula(f.X, !positive, in); x != f.X {
			return &Not{x}
		}
	case *Connective:
		return k.connective(f, positive, in)
	case *LetFormula:
		if x := k.formula(f.Body, positive, &scope{f.Vars, f.Values, in}); x != f.Body {
			return &LetFormula{f.Vars, f.Values, x}
		}
	case *Quant:
		switch {
		case f.Op == Some && positive:
			return k.exists(f.Decls, f.Body, true, in)
		case f.Op == No && !positive:
			return &Not{k.exists(f.Decls, f.Body, true, in)}
		case f.Op == All && !positive:
			return &Not{k.exists(f.Decls, f.Body, false, in)}
		}
	}
	return f
}

func (k *skolemizer) connective(f *Connective, positive bool, in *scope) Formula {
	if f.Op == Iff {
		return f
	}
	xs, same := many(f.Xs, func(n Node) Node {
		side := positive != (f.Op == Implies && n == Node(f.Xs[0]))
		return k.formula(n.(Formula), side, in)
	})
	if same || f.Op == Implies && f.Xs[0] == f.Xs[1] {
		return f
	}
	return &Connective{f.Op, xs}
}

// exists replaces the variables of ds by relations in a body that shall hold, or
// not hold.
func (k *skolemizer) exists(ds []Decl, body Formula, holds bool, in *scope) Formula {
	if len(ds) == 0 {
		body = k.formula(body, holds, in)
		if !holds {
			return &Not{body}
		}
		return body
	}
	d := ds[0]
	upper := k.upper(d.Bound, in)
	var values []Expr
	fs := []Formula{}
	for _, v := range d.Vars {
		r := &Relation{"$" + v.Name, v.Width}
		k.b.Bind(r, nil, upper)
		values = append(values, r)
		fs = append(fs, &Compare{In, r, d.Bound}, &Mult{d.Mult, r})
	}
	if d.Disj {
		fs = append(fs, &Disjoint{values})
	}
	inner := k.exists(ds[1:], body, holds, &scope{d.Vars, values, in})
	return &Connective{And, append(fs, &LetFormula{d.Vars, values, inner})}
}

// upper returns the tuples that x may hold inside the lets of in.
func (k *skolemizer) upper(x Expr, in *scope) *Set {
	for ; in != nil; in = in.outer {
		x = &LetExpr{in.vars, in.values, x}
	}
	set := &Set{arity: x.Arity()}
	for _, c := range NewSolver(k.b, nil).expr(x).cells {
		set.tuples = append(set.tuples, c.t)
	}
	return set
}
