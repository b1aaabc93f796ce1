package formula

import (
	"maps"
	"slices"
)

// This file decides equations between products and sums by algebra: that
// x·(i+1) is x·i + x takes a SAT solver hours at 32 bits.

// An Equation says that two terms of one width are equal.
type Equation [2]Term

// What polynomials may grow to.
const (
	maxMonomials = 64
	maxDegree    = 4
	maxExpanded  = 4096 // terms, each as often as it occurs
)

// Entails reports whether goal follows from eqs by the algebra of polynomials
// modulo 2^w: variables that an equation solves are replaced, and multiples of
// what is left are added up. It is quick and asks no solver; false means
// nothing.
func (s *Store) Entails(eqs []Equation, goal Equation) bool {
	a := &algebra{s: s, mask: ones(s.Width(goal[0]))}
	g, ok := a.difference(goal)
	if !ok {
		return false
	}
	var given []polynomial
	for _, e := range eqs {
		if s.Width(e[0]) != s.Width(goal[0]) {
			continue
		}
		if p, ok := a.difference(e); ok && len(p) > 0 {
			given = append(given, p)
		}
	}
	given = append(given, g)
	for range eqs {
		if len(given[len(given)-1]) == 0 {
			return true
		}
		if !a.substitute(&given) && !a.eliminate(&given) {
			return false
		}
	}
	return len(given[len(given)-1]) == 0
}

// An algebra computes with polynomials over the terms that are no sums or
// products.
type algebra struct {
	s     *Store
	mask  uint64
	steps int // terms expanded
}

// A monomial is a product of terms, in increasing order; 0 fills the rest.
type monomial [maxDegree]Term

// A polynomial maps monomials to coefficients, none of which is 0.
type polynomial map[monomial]uint64

// add adds c times m to p.
func (a *algebra) add(p polynomial, m monomial, c uint64) {
	if c = (p[m] + c) & a.mask; c == 0 {
		delete(p, m)
	} else {
		p[m] = c
	}
}

// plus returns p + c·q.
func (a *algebra) plus(p, q polynomial, c uint64) polynomial {
	out := make(polynomial, len(p)+len(q))
	maps.Copy(out, p)
	for m, d := range q {
		a.add(out, m, c*d)
	}
	return out
}

// times returns p·q, and false if that is too large.
func (a *algebra) times(p, q polynomial) (polynomial, bool) {
	out := make(polynomial)
	for m, c := range p {
		for n, d := range q {
			mn, ok := m.times(n)
			if !ok || len(out) > maxMonomials {
				return nil, false
			}
			a.add(out, mn, c*d)
		}
	}
	return out, true
}

// times returns m·n, and false if the degree is too large.
func (m monomial) times(n monomial) (monomial, bool) {
	k := slices.Index(m[:], 0)
	for _, t := range n {
		switch {
		case t == 0:
			continue
		case k < 0 || k == maxDegree:
			return m, false
		}
		m[k] = t
		k++
	}
	if k > 0 {
		slices.Sort(m[:k])
	}
	return m, true
}

// difference returns the polynomial of e's sides, one less the other.
func (a *algebra) difference(e Equation) (polynomial, bool) {
	p, ok := a.of(e[0])
	q, ok2 := a.of(e[1])
	return a.plus(p, q, a.mask), ok && ok2
}

// of returns a polynomial that is congruent to x, modulo 2 to the width of x.
func (a *algebra) of(x Term) (polynomial, bool) {
	if v, ok := a.s.Value(x); ok {
		return a.plus(nil, polynomial{{}: v}, 1), true
	}
	if a.steps++; a.steps > maxExpanded {
		return nil, false
	}
	switch a.s.Op(x) {
	case OpAdd, OpMul:
		p, ok := a.of(a.s.Arg(x, 0))
		q, ok2 := a.of(a.s.Arg(x, 1))
		if !ok || !ok2 || len(p)+len(q) > maxMonomials {
			return nil, false
		}
		if a.s.Op(x) == OpAdd {
			return a.plus(p, q, 1), true
		}
		return a.times(p, q)
	case OpNot: // ¬x = -x - 1
		p, ok := a.of(a.s.Arg(x, 0))
		return a.plus(polynomial{{}: a.mask}, p, a.mask), ok
	case OpExtract:
		if a.s.Low(x) == 0 { // it is congruent to x, modulo 2 to its width
			return a.of(a.s.Arg(x, 0))
		}
	case OpConcat:
		if low, ok := a.s.Value(a.s.Arg(x, 1)); ok && low == 0 { // a multiple of a power of 2
			p, ok := a.of(a.s.Arg(x, 0))
			return a.plus(nil, p, 1<<a.s.Width(a.s.Arg(x, 1))), ok
		}
	}
	return polynomial{{x}: 1}, true
}

// substitute takes an equation that is solved for a variable out of given, of
// which the last one stays, and replaces the variable in the others.
func (a *algebra) substitute(given *[]polynomial) bool {
	all := *given
	for i, p := range all[:len(all)-1] {
		v, ok := p.solvable()
		if !ok {
			continue
		}
		value := a.plus(nil, p, -inverse(p[monomial{v}]))
		a.add(value, monomial{v}, 1)
		rest := slices.Delete(slices.Clone(all), i, i+1)
		for j, q := range rest {
			if rest[j], ok = a.replace(q, v, value); !ok {
				break
			}
		}
		if ok {
			*given = rest
			return true
		}
	}
	return false
}

// inverse returns the inverse of an odd number modulo 2^64.
func inverse(k uint64) uint64 {
	x := k // right modulo 8; each step doubles the bits
	for range 5 {
		x *= 2 - k*x
	}
	return x
}

// solvable returns a term that p has alone, with an odd coefficient, and in no
// product.
func (p polynomial) solvable() (Term, bool) {
	for _, m := range p.monomials() {
		if m[0] == 0 || m[1] != 0 || p[m]&1 == 0 {
			continue
		}
		alone := true
		for n := range p {
			alone = alone && (n == m || !slices.Contains(n[:], m[0]))
		}
		if alone {
			return m[0], true
		}
	}
	return 0, false
}

// monomials returns the monomials of p, always in the same order.
func (p polynomial) monomials() []monomial {
	return slices.SortedFunc(maps.Keys(p), func(m, n monomial) int { return slices.Compare(m[:], n[:]) })
}

// replace returns p with value for v.
func (a *algebra) replace(p polynomial, v Term, value polynomial) (polynomial, bool) {
	out := make(polynomial)
	for m, c := range p {
		q := polynomial{{}: c}
		for _, t := range m {
			if t == 0 {
				break
			}
			x, ok := polynomial{{t}: 1}, true
			if t == v {
				x = value
			}
			if q, ok = a.times(q, x); !ok {
				return nil, false
			}
		}
		out = a.plus(out, q, 1)
	}
	return out, len(out) <= maxMonomials
}

// eliminate takes an equation out of given, of which the last one stays, and
// adds a multiple of it to each other, so that one of its monomials vanishes.
func (a *algebra) eliminate(given *[]polynomial) bool {
	all := *given
	for i, p := range all[:len(all)-1] {
		for _, m := range p.monomials() {
			if m[0] == 0 || p[m]&1 == 0 {
				continue
			}
			rest := slices.Delete(slices.Clone(all), i, i+1)
			for j, q := range rest {
				rest[j] = a.plus(q, p, -q[m]*inverse(p[m]))
			}
			*given = rest
			return true
		}
	}
	return false
}

// Equations appends the equations among the conjuncts of the proposition x.
func (s *Store) Equations(dst []Equation, x Term) []Equation {
	switch s.Op(x) {
	case OpAnd:
		return s.Equations(s.Equations(dst, s.Arg(x, 0)), s.Arg(x, 1))
	case OpEq:
		return append(dst, Equation{s.Arg(x, 0), s.Arg(x, 1)})
	}
	return dst
}

// Multiplies reports whether x contains a product of terms that are not
// constant.
func (s *Store) Multiplies(x Term) bool {
	found := false
	seen := make(map[Term]bool)
	var visit func(x Term)
	visit = func(x Term) {
		if found || seen[x] {
			return
		}
		seen[x] = true
		free := 0
		for _, y := range s.Args(x) {
			if _, ok := s.Value(y); !ok {
				free++
			}
			visit(y)
		}
		found = found || s.Op(x) == OpMul && free > 1
	}
	visit(x)
	return found
}
