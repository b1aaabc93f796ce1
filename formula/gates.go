package formula

import (
	"slices"

	"github.com/go-amend/amend/formula/sat"
)

// Gates build Boolean functions, for a [Blaster]. [sat.Lit.Not] is negation.
type Gates interface {
	True() sat.Lit
	Input() sat.Lit
	And(a, b sat.Lit) sat.Lit
	Xor(a, b sat.Lit) sat.Lit
	Mux(c, a, b sat.Lit) sat.Lit      // a where c holds, b elsewhere
	Parity(a, b, c sat.Lit) sat.Lit   // the sum of a full adder
	Majority(a, b, c sat.Lit) sat.Lit // its carry
	All(ms []sat.Lit) sat.Lit         // the conjunction; may reorder ms
	Lemma(ms ...sat.Lit)              // says that one of ms holds, which it does anyway
}

// clauseGates turns gates into clauses of a solver, at once. Equal gates
// are one, and a gate whose inputs are gates is simplified by one level of
// lookahead: terms meet through definitions only here.
//
// A full adder is a 3-input parity and a majority: direct clauses made gini
// about twice as fast as and-inverter graphs over eleven circuit families
// (geometric mean 1.98). On families of BenchmarkFamilies, five orders of
// the variables each:
//   - A parity as two exclusive ors takes 0.95 of the time (10 families) and
//     a tenth more variables; clauses that tie a parity to its majority take
//     0.86, but up to twice the clauses, and two queries of 50 ran out of
//     time that didn't without. Neither was worth it.
//   - Wide conjunctions save up to a sixth of the variables. Single families
//     got 2.1 times faster to 2.6 times slower, all 20 together 1.04 times
//     faster.
//   - Lookahead saves up to a twentieth of the clauses and no time there;
//     those families have no definitions for it to see through.
//
// With the library's own engine (34 circuits, three seeds; CPU s and conflicts,
// geometric means: 0.043 and 1525 as it is) parities as two exclusive ors take
// 0.045 and 1583, multiplexers without their redundant clauses 0.050 and 1596.
// Clauses that tie a parity to its majority take 0.93 of the conflicts and 1.00
// of the ticks (23 circuits), for a tenth more clauses.
// Only the clauses of the polarity that is asked for, others once they are
// (Plaisted and Greenbaum, 1986), are 0.92 of the clauses, and take 1.02 times
// the conflicts and 1.00 times the ticks (the 22 of BenchmarkFamilies, two
// seeds): the bits of sums and multiplexers are asked for in both. A gate's
// literal would also no longer equal the gate.
type clauseGates struct {
	*Netlist
	s       sat.Solver
	wide    map[string]sat.Lit // conjunctions by their inputs
	key     []byte
	buf     []sat.Lit
	clauses int
	vars    int
}

func newClauseGates(s sat.Solver) *clauseGates {
	g := &clauseGates{s: s, wide: make(map[string]sat.Lit)}
	yes := g.Input()
	g.Netlist = NewNetlist(yes, g.define)
	g.clause(yes)
	return g
}

// clause adds a clause. It copies ms, so that callers' lists stay on the
// stack.
func (g *clauseGates) clause(ms ...sat.Lit) {
	g.clauses++
	g.buf = append(g.buf[:0], ms...)
	g.s.AddClause(g.buf...)
}

// simplified adds the clause ms, which it may reorder, without constants.
func (g *clauseGates) simplified(ms []sat.Lit) {
	ms, ok := g.normalize(ms, g.yes.Not())
	switch {
	case ok && len(ms) == 0:
		g.clause(g.yes.Not())
	case ok:
		g.clause(ms...)
	}
}

func (g *clauseGates) Input() sat.Lit {
	g.vars++
	return g.s.NewVar()
}

// define returns the output of a new gate, with its clauses.
func (g *clauseGates) define(x Gate) sat.Lit {
	z, a, b, c := g.Input(), x.A, x.B, x.C
	switch x.Kind {
	case AndGate:
		g.clause(z.Not(), a)
		g.clause(z.Not(), b)
		g.clause(z, a.Not(), b.Not())
	case XorGate:
		g.clause(z.Not(), a, b)
		g.clause(z.Not(), a.Not(), b.Not())
		g.clause(z, a.Not(), b)
		g.clause(z, a, b.Not())
	case MuxGate:
		g.clause(a.Not(), b.Not(), z)
		g.clause(a.Not(), b, z.Not())
		g.clause(a, c.Not(), z)
		g.clause(a, c, z.Not())
		// Redundant, but they propagate: b and c decide without a.
		g.clause(b.Not(), c.Not(), z)
		g.clause(b, c, z.Not())
	case ParityGate:
		for i := range sat.Lit(8) { // forbid each wrong value of z
			x, y, w := i&1, i>>1&1, i>>2
			g.clause(a^x, b^y, c^w, z^(x^y^w^1))
		}
	case MajorityGate:
		g.clause(a.Not(), b.Not(), z)
		g.clause(a, b, z.Not())
		g.clause(a.Not(), c.Not(), z)
		g.clause(a, c, z.Not())
		g.clause(b.Not(), c.Not(), z)
		g.clause(b, c, z.Not())
	}
	return z
}

func (g *clauseGates) Lemma(ms ...sat.Lit) { g.simplified(append([]sat.Lit(nil), ms...)) }

// narrow is the number of literals up to which a conjunction is a tree of
// gates, which others may share.
const narrow = 3

func (g *clauseGates) All(ms []sat.Lit) sat.Lit {
	ms, ok := g.normalize(ms, g.yes)
	if !ok {
		return g.yes.Not()
	}
	if len(ms) <= narrow {
		r := g.yes
		for _, m := range ms {
			r = g.And(r, m)
		}
		return r
	}
	g.key = g.key[:0]
	for _, m := range ms {
		g.key = appendLit(g.key, m)
	}
	z, ok := g.wide[string(g.key)]
	if ok {
		return z
	}
	z = g.Input()
	g.wide[string(g.key)] = z
	for i, m := range ms {
		g.clause(z.Not(), m)
		ms[i] = m.Not()
	}
	g.clause(append(ms, z)...)
	return z
}

// normalize sorts ms and removes what occurs twice or is the constant unit.
// It returns false if ms holds its complement, or a variable and its
// negation.
func (g *clauseGates) normalize(ms []sat.Lit, unit sat.Lit) ([]sat.Lit, bool) {
	slices.Sort(ms)
	ms = slices.Compact(ms)
	n := 0
	for i, m := range ms {
		if m == unit.Not() || i > 0 && ms[i-1] == m.Not() {
			return nil, false
		}
		if m != unit {
			ms[n] = m
			n++
		}
	}
	return ms[:n], true
}
