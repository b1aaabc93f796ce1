package relation

import (
	"math/bits"
	"slices"
)

// This file holds hash-consed circuits, and their values in up to 64
// remembered assignments at once.
//
// They are not the gates of package formula: those are clauses as soon as they
// are made, in both directions, while here a gate has values and becomes
// clauses in the directions in which it is used. All the laws of those gates
// here too (both operands, exclusive ors, choices) took 0.78 and 0.93 of the
// time of localizing in 76 faulty models, but led to other instances: the
// guilty expression was among the first five in 55, not 56, and among the
// first ten in 58, not 59.

// A Gate is a node of a Solver's circuits, negated if the low bit is set.
// Equal gates are equivalent.
type Gate int32

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

type gateKind uint8

const (
	kindConst gateKind = iota
	kindVar
	kindAnd
	kindXor
	kindIte
)

type gateNode struct {
	kind    gateKind
	done    uint8 // directions that are clauses: 1 if true, 2 if false
	a, b, c Gate
	next    int32 // hash chain
}

// A trit holds 64 truth values: one has a bit where it may be true, zero where
// it may be false, both where it is unknown.
type trit struct{ one, zero uint64 }

func (t trit) not() trit { return trit{t.zero, t.one} }

func (t trit) and(o trit) trit { return trit{t.one & o.one, t.zero | o.zero} }

type circuit struct {
	nodes []gateNode
	table []int32 // heads of hash chains, index of node; 0 ends
	value []trit
}

func newCircuit() *circuit {
	c := &circuit{table: make([]int32, 1<<10)}
	c.push(gateNode{kind: kindConst}, trit{0, ^uint64(0)})
	return c
}

// push appends a node. The slices double, where append's steps of a quarter would
// cost a tenth of the time of small problems.
func (c *circuit) push(n gateNode, v trit) Gate {
	if len(c.nodes) == cap(c.nodes) {
		more := max(len(c.nodes), len(c.table))
		c.nodes, c.value = slices.Grow(c.nodes, more), slices.Grow(c.value, more)
	}
	c.nodes, c.value = append(c.nodes, n), append(c.value, v)
	return Gate(len(c.nodes)-1) << 1
}

func (c *circuit) val(g Gate) trit {
	v := c.value[g>>1]
	if g&1 == 1 {
		return v.not()
	}
	return v
}

// newVar returns a variable that is unknown in all assignments.
func (c *circuit) newVar() Gate {
	return c.push(gateNode{kind: kindVar}, trit{^uint64(0), ^uint64(0)})
}

func (c *circuit) hash(k gateKind, x, y, z Gate) uint32 {
	h := uint64(x)*0x9E3779B97F4A7C15 ^ uint64(y)*0xC2B2AE3D27D4EB4F ^ uint64(z)*0x165667B19E3779F9 ^ uint64(k)
	h ^= h >> 32
	return uint32(h*0x9E3779B1>>7) & uint32(len(c.table)-1)
}

func (c *circuit) node(k gateKind, x, y, z Gate) Gate {
	h := c.hash(k, x, y, z)
	for i := c.table[h]; i != 0; i = c.nodes[i].next {
		if n := &c.nodes[i]; n.kind == k && n.a == x && n.b == y && n.c == z {
			return Gate(i) << 1
		}
	}
	if len(c.nodes) > len(c.table) {
		c.grow()
		h = c.hash(k, x, y, z)
	}
	n := gateNode{kind: k, a: x, b: y, c: z, next: c.table[h]}
	g := c.push(n, c.compute(&n))
	c.table[h] = int32(g >> 1)
	return g
}

func (c *circuit) grow() {
	c.table = make([]int32, 4*len(c.table))
	for i := range c.nodes {
		if n := &c.nodes[i]; n.kind >= kindAnd {
			h := c.hash(n.kind, n.a, n.b, n.c)
			n.next, c.table[h] = c.table[h], int32(i)
		}
	}
}

// compute returns the values of a gate from those of its operands.
func (c *circuit) compute(n *gateNode) trit {
	x, y := c.val(n.a), c.val(n.b)
	switch n.kind {
	case kindAnd:
		return x.and(y)
	case kindXor:
		return trit{x.one&y.zero | x.zero&y.one, x.one&y.one | x.zero&y.zero}
	default:
		z := c.val(n.c)
		return trit{x.one&y.one | x.zero&z.one, x.one&y.zero | x.zero&z.zero}
	}
}

// refresh computes all values anew after those of variables changed.
func (c *circuit) refresh() {
	for i := range c.nodes {
		if n := &c.nodes[i]; n.kind >= kindAnd {
			c.value[i] = c.compute(n)
		}
	}
}

func (c *circuit) and(x, y Gate) Gate {
	if x > y {
		x, y = y, x
	}
	switch {
	case x == gateFalse || x == y.Not():
		return gateFalse
	case x == gateTrue || x == y:
		return y
	}
	// a ∧ (a ∧ b) = a ∧ b; a ∧ ¬(a ∧ b) = a ∧ ¬b; a ∧ (¬a ∧ b) = 0;
	// a ∧ ¬(¬a ∧ b) = a
	if n := &c.nodes[y>>1]; n.kind == kindAnd {
		in, out := n.a == x || n.b == x, n.a == x.Not() || n.b == x.Not()
		switch neg := y&1 == 1; {
		case in && !neg:
			return y
		case in && n.a == x:
			return c.and(x, n.b.Not())
		case in:
			return c.and(x, n.a.Not())
		case out && !neg:
			return gateFalse
		case out:
			return x
		}
	}
	return c.node(kindAnd, x, y, 0)
}

func (c *circuit) or(x, y Gate) Gate { return c.and(x.Not(), y.Not()).Not() }

func (c *circuit) implies(x, y Gate) Gate { return c.and(x, y.Not()).Not() }

func (c *circuit) xor(x, y Gate) Gate {
	neg := (x ^ y) & 1
	x, y = x&^1, y&^1
	if x > y {
		x, y = y, x
	}
	switch {
	case x == gateFalse:
		return y ^ neg
	case x == y:
		return gateFalse ^ neg
	}
	return c.node(kindXor, x, y, 0) ^ neg
}

func (c *circuit) iff(x, y Gate) Gate { return c.xor(x, y).Not() }

func (c *circuit) ite(x, y, z Gate) Gate {
	if x&1 == 1 {
		x, y, z = x.Not(), z, y
	}
	switch {
	case x == gateFalse:
		return z
	case y == z:
		return y
	case y == z.Not():
		return c.iff(x, y)
	case y == gateTrue || y == x:
		return c.or(x, z)
	case y == gateFalse || y == x.Not():
		return c.and(x.Not(), z)
	case z == gateTrue || z == x.Not():
		return c.implies(x, y)
	case z == gateFalse || z == x:
		return c.and(x, y)
	}
	neg := y & 1
	return c.node(kindIte, x, y^neg, z^neg) ^ neg
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
