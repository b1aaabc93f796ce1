package relation

import (
	"math/bits"
	"slices"

	"github.com/go-amend/amend/formula"
	"github.com/go-amend/amend/formula/sat"
)

// This file holds the values of circuits, in up to 64 remembered assignments at
// once. The circuits are those of package formula; clauses.go makes clauses of
// them, each gate in the directions in which it is used.
//
// Laws of gates decide which instances are found, and those which of 76 faulty
// models' expressions rank first. While the engine tried false first all the laws
// of formula's gates cost a rank in the first five and ten; since it tries true
// first, none of twelve sets of them changes a figure (68, 72 and 73 hits in the
// first one, five and ten), nor the time, by more than it varies.

// A Gate is a node of a Solver's circuits, negated if the low bit is set.
// Equal gates are equivalent.
type Gate sat.Lit

const (
	gateFalse Gate = 0
	gateTrue  Gate = 1
)

// Not returns the complement.
func (g Gate) Not() Gate { return g ^ 1 }

func constGate(v bool) Gate {
	if v {
		return gateTrue
	}
	return gateFalse
}

// A trit holds 64 truth values: one has a bit where it may be true, zero where
// it may be false, both where it is unknown.
type trit struct{ one, zero uint64 }

func (t trit) not() trit { return trit{t.zero, t.one} }

func (t trit) and(o trit) trit { return trit{t.one & o.one, t.zero | o.zero} }

// A gateNode says what a node is. One of kind InputGate is a variable, or the
// constant, node 0.
type gateNode struct {
	kind    formula.GateKind
	a, b, c Gate
}

type circuit struct {
	net   *formula.Netlist
	value []trit  // by node
	done  []uint8 // directions that are clauses: 1 if true, 2 if false
}

func newCircuit() *circuit {
	c := new(circuit)
	c.net = formula.NewNetlist(sat.Lit(gateTrue), func(x formula.Gate) sat.Lit {
		return sat.Lit(c.push(c.compute(nodeOf(x))))
	})
	c.push(trit{0, ^uint64(0)})
	return c
}

func nodeOf(x formula.Gate) gateNode { return gateNode{x.Kind, Gate(x.A), Gate(x.B), Gate(x.C)} }

// node returns the i-th node.
func (c *circuit) node(i int) gateNode { return nodeOf(c.net.Gate(sat.Lit(i << 1))) }

func (c *circuit) len() int { return len(c.value) }

// push appends a node. The slices double, where append's steps of a quarter would
// cost a tenth of the time of small problems.
func (c *circuit) push(v trit) Gate {
	if len(c.value) == cap(c.value) {
		more := max(len(c.value), 1<<10)
		c.value, c.done = slices.Grow(c.value, more), slices.Grow(c.done, more)
	}
	c.value, c.done = append(c.value, v), append(c.done, 0)
	return Gate(len(c.value)-1) << 1
}

func (c *circuit) val(g Gate) trit {
	v := c.value[g>>1]
	if g&1 == 1 {
		return v.not()
	}
	return v
}

// fix sets the value of g, a variable or its negation, in the assignments of bits.
func (c *circuit) fix(g Gate, bits uint64, value bool) {
	v := &c.value[g>>1]
	if value != (g&1 == 1) {
		v.zero &^= bits
	} else {
		v.one &^= bits
	}
}

// newVar returns a variable that is unknown in all assignments.
func (c *circuit) newVar() Gate { return c.push(trit{^uint64(0), ^uint64(0)}) }

// compute returns the values of a gate from those of its operands.
func (c *circuit) compute(n gateNode) trit {
	x, y := c.val(n.a), c.val(n.b)
	switch n.kind {
	case formula.AndGate:
		return x.and(y)
	case formula.XorGate:
		return trit{x.one&y.zero | x.zero&y.one, x.one&y.one | x.zero&y.zero}
	default:
		z := c.val(n.c)
		return trit{x.one&y.one | x.zero&z.one, x.one&y.zero | x.zero&z.zero}
	}
}

// refresh computes all values anew after those of variables changed.
func (c *circuit) refresh() {
	for i := range c.value {
		if n := c.node(i); n.kind != formula.InputGate {
			c.value[i] = c.compute(n)
		}
	}
}

func (c *circuit) and(x, y Gate) Gate { return Gate(c.net.And(sat.Lit(x), sat.Lit(y))) }

func (c *circuit) or(x, y Gate) Gate { return c.and(x.Not(), y.Not()).Not() }

func (c *circuit) implies(x, y Gate) Gate { return c.and(x, y.Not()).Not() }

func (c *circuit) xor(x, y Gate) Gate { return Gate(c.net.Xor(sat.Lit(x), sat.Lit(y))) }

func (c *circuit) iff(x, y Gate) Gate { return c.xor(x, y).Not() }

func (c *circuit) ite(x, y, z Gate) Gate {
	return Gate(c.net.Mux(sat.Lit(x), sat.Lit(y), sat.Lit(z)))
}

// andN is the conjunction of gs, as a balanced tree. It overwrites gs.
func (c *circuit) andN(gs []Gate) Gate {
	for len(gs) > 1 {
		k := 0
		for i := 0; i < len(gs); i += 2 {
			g := gs[i]
			if i+1 < len(gs) {
				g = c.and(g, gs[i+1])
			}
			gs[k] = g
			k++
		}
		gs = gs[:k]
	}
	if len(gs) == 0 {
		return gateTrue
	}
	return gs[0]
}

// orN is the disjunction of gs. It overwrites gs.
func (c *circuit) orN(gs []Gate) Gate {
	for i := range gs {
		gs[i] = gs[i].Not()
	}
	return c.andN(gs).Not()
}

// atMostOne says that at most one of gs is true.
func (c *circuit) atMostOne(gs []Gate) Gate {
	seen, twice := gateFalse, gateFalse
	for _, g := range gs {
		twice = c.or(twice, c.and(seen, g))
		seen = c.or(seen, g)
	}
	return twice.Not()
}

// add returns the sum and the carry of three bits.
func (c *circuit) add(x, y, z Gate) (sum, carry Gate) {
	xy := c.xor(x, y)
	return c.xor(xy, z), c.ite(xy, z, x)
}

// sum adds columns of bits of equal weight, lowest first, modulo 2^len(cols).
func (c *circuit) sum(cols [][]Gate) []Gate {
	out := make([]Gate, len(cols))
	for i := range cols {
		col := cols[i]
		for len(col) > 1 {
			z, n := gateFalse, 2
			if len(col) > 2 {
				z, n = col[2], 3
			}
			s, carry := c.add(col[0], col[1], z)
			col = append(col[n:], s)
			if i+1 < len(cols) && carry != gateFalse {
				cols[i+1] = append(cols[i+1], carry)
			}
		}
		if len(col) == 1 {
			out[i] = col[0]
		}
	}
	return out
}

func log2ceil(n int) int { return bits.Len(uint(max(n-1, 0))) }
