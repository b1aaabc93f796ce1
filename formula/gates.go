package formula

import (
	"math/bits"
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

type gateKind uint32

const (
	input gateKind = iota
	andGate
	xorGate
	muxGate
	parityGate
	majorityGate
)

// A gate says what a variable is the output of.
type gate struct {
	kind    gateKind
	a, b, c sat.Lit
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
// Only the clauses of the polarity that is asked for, others once they are
// (Plaisted and Greenbaum, 1986), are 0.92 of the clauses, and take 1.02 times
// the conflicts and 1.00 times the ticks (the 22 of BenchmarkFamilies, two
// seeds): the bits of sums and multiplexers are asked for in both. A gate's
// literal would also no longer equal the gate.
type clauseGates struct {
	s       sat.Solver
	yes     sat.Lit
	gates   []gate             // by variable
	table   []uint32           // variables of gates, by hash; open addressing
	used    int                // of table
	wide    map[string]sat.Lit // conjunctions by their inputs
	key     []byte
	buf     []sat.Lit
	clauses int
	vars    int
}

func newClauseGates(s sat.Solver) *clauseGates {
	g := &clauseGates{s: s, table: make([]uint32, 1024), wide: make(map[string]sat.Lit)}
	g.yes = g.Input()
	g.clause(g.yes)
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

func (g *clauseGates) True() sat.Lit { return g.yes }

func (g *clauseGates) Input() sat.Lit {
	g.vars++
	m := g.s.NewVar()
	for len(g.gates) <= int(m>>1) {
		g.gates = append(g.gates, gate{})
	}
	return m
}

// gateOf returns the gate whose output is m's variable.
func (g *clauseGates) gateOf(m sat.Lit) gate {
	if int(m>>1) < len(g.gates) {
		return g.gates[m>>1]
	}
	return gate{} // a variable of the caller's own
}

// output returns the output of the gate x, and whether it is new and needs
// clauses.
func (g *clauseGates) output(x gate) (m sat.Lit, fresh bool) {
	if 2*g.used >= len(g.table) {
		g.grow()
	}
	mask := uint32(len(g.table) - 1)
	i := x.hash() & mask
	for ; g.table[i] != 0; i = (i + 1) & mask {
		if g.gates[g.table[i]] == x {
			return sat.Lit(g.table[i] << 1), false
		}
	}
	m = g.Input()
	g.gates[m>>1] = x
	g.table[i] = uint32(m >> 1)
	g.used++
	return m, true
}

func (x gate) hash() uint32 {
	h := uint32(x.kind) * 0x9E3779B1
	h = bits.RotateLeft32((h^uint32(x.a))*0x85EBCA6B, 13)
	h = bits.RotateLeft32((h^uint32(x.b))*0xC2B2AE35, 13)
	h = (h ^ uint32(x.c)) * 0x9E3779B1
	return h ^ h>>15
}

func (g *clauseGates) grow() {
	table := make([]uint32, 2*len(g.table))
	mask := uint32(len(table) - 1)
	for _, v := range g.table {
		if v == 0 {
			continue
		}
		i := g.gates[v].hash() & mask
		for table[i] != 0 {
			i = (i + 1) & mask
		}
		table[i] = v
	}
	g.table = table
}

func (g *clauseGates) And(a, b sat.Lit) sat.Lit {
	yes, no := g.yes, g.yes.Not()
	switch {
	case a == b || b == yes:
		return a
	case a == yes:
		return b
	case a == b.Not() || a == no || b == no:
		return no
	}
	if a > b {
		a, b = b, a
	}
	if m, ok := g.andWith(a, b); ok {
		return m
	}
	if m, ok := g.andWith(b, a); ok {
		return m
	}
	z, fresh := g.output(gate{kind: andGate, a: a, b: b})
	if fresh {
		g.clause(z.Not(), a)
		g.clause(z.Not(), b)
		g.clause(z, a.Not(), b.Not())
	}
	return z
}

// andWith simplifies a ∧ b by the gate that b is the output of.
func (g *clauseGates) andWith(a, b sat.Lit) (sat.Lit, bool) {
	x := g.gateOf(b)
	switch neg := b&1 == 1; {
	case x.kind == andGate && !neg:
		switch {
		case x.a == a || x.b == a: // a ∧ (a ∧ p) = a ∧ p
			return b, true
		case x.a == a.Not() || x.b == a.Not(): // a ∧ (¬a ∧ p) = 0
			return g.yes.Not(), true
		}
	case x.kind == andGate:
		switch {
		case x.a == a.Not() || x.b == a.Not(): // a ∧ ¬(¬a ∧ p) = a
			return a, true
		case x.a == a: // a ∧ ¬(a ∧ p) = a ∧ ¬p
			return g.And(a, x.b.Not()), true
		case x.b == a:
			return g.And(a, x.a.Not()), true
		}
	case x.kind == muxGate:
		switch { // a ∧ (a ? p : q) = a ∧ p
		case x.a == a:
			return g.And(a, x.b^b&1), true
		case x.a == a.Not():
			return g.And(a, x.c^b&1), true
		}
	case x.kind == xorGate: // a ∧ (a ⊕ p) = a ∧ ¬p
		switch {
		case x.a>>1 == a>>1:
			return g.And(a, x.b.Not()^(a^x.a)&1^b&1), true
		case x.b>>1 == a>>1:
			return g.And(a, x.a.Not()^(a^x.b)&1^b&1), true
		}
	}
	return 0, false
}

func (g *clauseGates) or(a, b sat.Lit) sat.Lit { return g.And(a.Not(), b.Not()).Not() }

func (g *clauseGates) Xor(a, b sat.Lit) sat.Lit {
	neg := (a ^ b) & 1
	a, b = a&^1, b&^1
	switch {
	case a == b:
		return g.yes.Not() ^ neg
	case a == g.yes: // g.yes is positive
		return b.Not() ^ neg
	case b == g.yes:
		return a.Not() ^ neg
	}
	if a > b {
		a, b = b, a
	}
	if m, ok := g.xorWith(a, b); ok {
		return m ^ neg
	}
	if m, ok := g.xorWith(b, a); ok {
		return m ^ neg
	}
	z, fresh := g.output(gate{kind: xorGate, a: a, b: b})
	if fresh {
		g.clause(z.Not(), a, b)
		g.clause(z.Not(), a.Not(), b.Not())
		g.clause(z, a.Not(), b)
		g.clause(z, a, b.Not())
	}
	return z ^ neg
}

// xorWith simplifies a ⊕ b by the gate that b is the output of.
func (g *clauseGates) xorWith(a, b sat.Lit) (sat.Lit, bool) {
	x := g.gateOf(b)
	switch {
	case x.kind == xorGate && x.a == a: // a ⊕ (a ⊕ p) = p
		return x.b, true
	case x.kind == xorGate && x.b == a:
		return x.a, true
	case x.kind == andGate && x.a == a: // a ⊕ (a ∧ p) = a ∧ ¬p
		return g.And(a, x.b.Not()), true
	case x.kind == andGate && x.b == a:
		return g.And(a, x.a.Not()), true
	}
	return 0, false
}

func (g *clauseGates) Mux(c, a, b sat.Lit) sat.Lit {
	if c&1 == 1 {
		c, a, b = c.Not(), b, a
	}
	a, b = g.given(c, a), g.given(c.Not(), b)
	if m, ok := g.simpleMux(c, a, b); ok {
		return m
	}
	neg := a & 1
	a, b = a^neg, b^neg
	z, fresh := g.output(gate{muxGate, c, a, b})
	if fresh {
		g.clause(c.Not(), a.Not(), z)
		g.clause(c.Not(), a, z.Not())
		g.clause(c, b.Not(), z)
		g.clause(c, b, z.Not())
		// Redundant, but they propagate: a and b decide without c.
		g.clause(a.Not(), b.Not(), z)
		g.clause(a, b, z.Not())
	}
	return z ^ neg
}

func (g *clauseGates) simpleMux(c, a, b sat.Lit) (sat.Lit, bool) {
	yes, no := g.yes, g.yes.Not()
	switch {
	case c == yes || a == b:
		return a, true
	case a == b.Not():
		return g.Xor(c, b), true
	case a == yes || a == c:
		return g.or(c, b), true
	case a == no || a == c.Not():
		return g.And(c.Not(), b), true
	case b == no || b == c:
		return g.And(c, a), true
	case b == yes || b == c.Not():
		return g.or(c.Not(), a), true
	}
	return 0, false
}

// given returns a simpler literal that equals m wherever c holds, or m.
func (g *clauseGates) given(c, m sat.Lit) sat.Lit {
	x := g.gateOf(m)
	neg := m & 1
	switch x.kind {
	case muxGate:
		switch {
		case x.a == c:
			return x.b ^ neg
		case x.a == c.Not():
			return x.c ^ neg
		}
	case andGate:
		switch {
		case x.a == c:
			return x.b ^ neg
		case x.b == c:
			return x.a ^ neg
		case x.a == c.Not() || x.b == c.Not():
			return g.yes.Not() ^ neg
		}
	case xorGate:
		switch {
		case x.a>>1 == c>>1: // its inputs are positive
			return x.b ^ neg ^ c&1 ^ 1
		case x.b>>1 == c>>1:
			return x.a ^ neg ^ c&1 ^ 1
		}
	}
	return m
}

// degenerate reports whether a gate of these inputs, sorted, has a simpler
// form.
func (g *clauseGates) degenerate(a, b, c sat.Lit) bool {
	return a>>1 == g.yes>>1 || a>>1 == b>>1 || b>>1 == c>>1
}

// sort3 sorts by variable. The constant, the first variable, comes first.
func sort3(a, b, c sat.Lit) (x, y, z sat.Lit) {
	if a > b {
		a, b = b, a
	}
	if b > c {
		b, c = c, b
	}
	if a > b {
		a, b = b, a
	}
	return a, b, c
}

func (g *clauseGates) Parity(a, b, c sat.Lit) sat.Lit {
	a, b, c = sort3(a, b, c)
	if g.degenerate(a, b, c) {
		return g.Xor(g.Xor(a, b), c)
	}
	neg := (a ^ b ^ c) & 1
	a, b, c = a&^1, b&^1, c&^1
	z, fresh := g.output(gate{parityGate, a, b, c})
	if fresh {
		for i := range sat.Lit(8) { // forbid each wrong value of z
			x, y, w := i&1, i>>1&1, i>>2
			g.clause(a^x, b^y, c^w, z^(x^y^w^1))
		}
	}
	return z ^ neg
}

func (g *clauseGates) Majority(a, b, c sat.Lit) sat.Lit {
	a, b, c = sort3(a, b, c)
	switch { // complements are neighbours, so a and c have different variables
	case a == g.yes:
		return g.or(b, c)
	case a == g.yes.Not():
		return g.And(b, c)
	case a == b, b == c.Not(): // maj(a, a, c) = a, maj(a, b, ¬b) = a
		return a
	case b == c, a == b.Not():
		return c
	}
	// maj(¬a,¬b,¬c) = ¬maj(a,b,c)
	neg := a & 1
	a, b, c = a^neg, b^neg, c^neg
	z, fresh := g.output(gate{majorityGate, a, b, c})
	if fresh {
		g.clause(a.Not(), b.Not(), z)
		g.clause(a, b, z.Not())
		g.clause(a.Not(), c.Not(), z)
		g.clause(a, c, z.Not())
		g.clause(b.Not(), c.Not(), z)
		g.clause(b, c, z.Not())
	}
	return z ^ neg
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
