package formula

import (
	"math/bits"

	"github.com/go-amend/amend/formula/sat"
)

// This file holds circuits: gates that are one where they are equal, and simpler
// where laws say so. What they become is up to the owner.

// A Netlist is a circuit over literals of variables that its owner numbers: the
// outputs of gates, and inputs. A gate whose inputs are gates is simplified by
// one level of lookahead.
type Netlist struct {
	yes   sat.Lit
	gates []Gate   // by variable
	table []uint32 // variables of gates, by hash; open addressing
	used  int      // of table
	fresh func(Gate) sat.Lit
}

// NewNetlist returns an empty circuit. The literal yes, of the first variable, is
// the constant true; fresh returns a new variable, positive and not 0, as the output
// of the gate x.
func NewNetlist(yes sat.Lit, fresh func(x Gate) sat.Lit) *Netlist {
	return &Netlist{yes: yes, table: make([]uint32, 1024), fresh: fresh}
}

// True returns the constant.
func (n *Netlist) True() sat.Lit { return n.yes }

// A Gate says what a variable is the output of. The zero Gate is an input.
type Gate struct {
	Kind    GateKind
	A, B, C sat.Lit
}

// GateKind says which function of its inputs a Gate is.
type GateKind uint32

const (
	InputGate GateKind = iota
	AndGate
	XorGate
	MuxGate      // B where A holds, C elsewhere
	ParityGate   // the sum of a full adder
	MajorityGate // its carry
)

// Gate returns the gate whose output is the variable of m.
func (n *Netlist) Gate(m sat.Lit) Gate {
	if int(m>>1) < len(n.gates) {
		return n.gates[m>>1]
	}
	return Gate{} // a variable of the caller's own
}

// output returns the output of the gate x.
func (n *Netlist) output(x Gate) sat.Lit {
	if 2*n.used >= len(n.table) {
		n.grow()
	}
	mask := uint32(len(n.table) - 1)
	i := x.hash() & mask
	for ; n.table[i] != 0; i = (i + 1) & mask {
		if n.gates[n.table[i]] == x {
			return sat.Lit(n.table[i] << 1)
		}
	}
	m := n.fresh(x)
	for len(n.gates) <= int(m>>1) {
		n.gates = append(n.gates, Gate{})
	}
	n.gates[m>>1] = x
	n.table[i] = uint32(m >> 1)
	n.used++
	return m
}

func (x Gate) hash() uint32 {
	h := uint32(x.Kind) * 0x9E3779B1
	h = bits.RotateLeft32((h^uint32(x.A))*0x85EBCA6B, 13)
	h = bits.RotateLeft32((h^uint32(x.B))*0xC2B2AE35, 13)
	h = (h ^ uint32(x.C)) * 0x9E3779B1
	return h ^ h>>15
}

func (n *Netlist) grow() {
	table := make([]uint32, 2*len(n.table))
	mask := uint32(len(table) - 1)
	for _, v := range n.table {
		if v == 0 {
			continue
		}
		i := n.gates[v].hash() & mask
		for table[i] != 0 {
			i = (i + 1) & mask
		}
		table[i] = v
	}
	n.table = table
}

// And returns a ∧ b.
func (n *Netlist) And(a, b sat.Lit) sat.Lit {
	yes, no := n.yes, n.yes.Not()
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
	if m, ok := n.andWith(a, b); ok {
		return m
	}
	if m, ok := n.andWith(b, a); ok {
		return m
	}
	return n.output(Gate{Kind: AndGate, A: a, B: b})
}

// andWith simplifies a ∧ b by the gate that b is the output of.
func (n *Netlist) andWith(a, b sat.Lit) (sat.Lit, bool) {
	x := n.Gate(b)
	switch neg := b&1 == 1; {
	case x.Kind == AndGate && !neg:
		switch {
		case x.A == a || x.B == a: // a ∧ (a ∧ p) = a ∧ p
			return b, true
		case x.A == a.Not() || x.B == a.Not(): // a ∧ (¬a ∧ p) = 0
			return n.yes.Not(), true
		}
	case x.Kind == AndGate:
		switch {
		case x.A == a.Not() || x.B == a.Not(): // a ∧ ¬(¬a ∧ p) = a
			return a, true
		case x.A == a: // a ∧ ¬(a ∧ p) = a ∧ ¬p
			return n.And(a, x.B.Not()), true
		case x.B == a:
			return n.And(a, x.A.Not()), true
		}
	case x.Kind == MuxGate:
		switch { // a ∧ (a ? p : q) = a ∧ p
		case x.A == a:
			return n.And(a, x.B^b&1), true
		case x.A == a.Not():
			return n.And(a, x.C^b&1), true
		}
	case x.Kind == XorGate: // a ∧ (a ⊕ p) = a ∧ ¬p
		switch {
		case x.A>>1 == a>>1:
			return n.And(a, x.B.Not()^(a^x.A)&1^b&1), true
		case x.B>>1 == a>>1:
			return n.And(a, x.A.Not()^(a^x.B)&1^b&1), true
		}
	}
	return 0, false
}

func (n *Netlist) or(a, b sat.Lit) sat.Lit { return n.And(a.Not(), b.Not()).Not() }

// Xor returns a ⊕ b.
func (n *Netlist) Xor(a, b sat.Lit) sat.Lit {
	neg := (a ^ b) & 1
	a, b = a&^1, b&^1
	switch {
	case a == b:
		return n.yes.Not() ^ neg
	case a>>1 == n.yes>>1:
		return b ^ n.yes&1 ^ 1 ^ neg
	case b>>1 == n.yes>>1:
		return a ^ n.yes&1 ^ 1 ^ neg
	}
	if a > b {
		a, b = b, a
	}
	if m, ok := n.xorWith(a, b); ok {
		return m ^ neg
	}
	if m, ok := n.xorWith(b, a); ok {
		return m ^ neg
	}
	return n.output(Gate{Kind: XorGate, A: a, B: b}) ^ neg
}

// xorWith simplifies a ⊕ b by the gate that b is the output of.
func (n *Netlist) xorWith(a, b sat.Lit) (sat.Lit, bool) {
	x := n.Gate(b)
	switch {
	case x.Kind == XorGate && x.A == a: // a ⊕ (a ⊕ p) = p
		return x.B, true
	case x.Kind == XorGate && x.B == a:
		return x.A, true
	case x.Kind == AndGate && x.A == a: // a ⊕ (a ∧ p) = a ∧ ¬p
		return n.And(a, x.B.Not()), true
	case x.Kind == AndGate && x.B == a:
		return n.And(a, x.A.Not()), true
	}
	return 0, false
}

// Mux returns a where c holds, and b elsewhere.
func (n *Netlist) Mux(c, a, b sat.Lit) sat.Lit {
	if c&1 == 1 {
		c, a, b = c.Not(), b, a
	}
	a, b = n.given(c, a), n.given(c.Not(), b)
	if m, ok := n.simpleMux(c, a, b); ok {
		return m
	}
	neg := a & 1
	a, b = a^neg, b^neg
	return n.output(Gate{MuxGate, c, a, b}) ^ neg
}

func (n *Netlist) simpleMux(c, a, b sat.Lit) (sat.Lit, bool) {
	yes, no := n.yes, n.yes.Not()
	switch {
	case c == yes || a == b:
		return a, true
	case a == b.Not():
		return n.Xor(c, b), true
	case a == yes || a == c:
		return n.or(c, b), true
	case a == no || a == c.Not():
		return n.And(c.Not(), b), true
	case b == no || b == c:
		return n.And(c, a), true
	case b == yes || b == c.Not():
		return n.or(c.Not(), a), true
	}
	return 0, false
}

// given returns a simpler literal that equals m wherever c holds, or m.
func (n *Netlist) given(c, m sat.Lit) sat.Lit {
	x := n.Gate(m)
	neg := m & 1
	switch x.Kind {
	case MuxGate:
		switch {
		case x.A == c:
			return x.B ^ neg
		case x.A == c.Not():
			return x.C ^ neg
		}
	case AndGate:
		switch {
		case x.A == c:
			return x.B ^ neg
		case x.B == c:
			return x.A ^ neg
		case x.A == c.Not() || x.B == c.Not():
			return n.yes.Not() ^ neg
		}
	case XorGate:
		switch {
		case x.A>>1 == c>>1: // its inputs are positive
			return x.B ^ neg ^ c&1 ^ 1
		case x.B>>1 == c>>1:
			return x.A ^ neg ^ c&1 ^ 1
		}
	}
	return m
}

// degenerate reports whether a gate of these inputs, sorted, has a simpler
// form.
func (n *Netlist) degenerate(a, b, c sat.Lit) bool {
	return a>>1 == n.yes>>1 || a>>1 == b>>1 || b>>1 == c>>1
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

// Parity returns a ⊕ b ⊕ c, the sum of a full adder.
func (n *Netlist) Parity(a, b, c sat.Lit) sat.Lit {
	a, b, c = sort3(a, b, c)
	if n.degenerate(a, b, c) {
		return n.Xor(n.Xor(a, b), c)
	}
	neg := (a ^ b ^ c) & 1
	a, b, c = a&^1, b&^1, c&^1
	return n.output(Gate{ParityGate, a, b, c}) ^ neg
}

// Majority returns what two of a, b and c are, the carry of a full adder.
func (n *Netlist) Majority(a, b, c sat.Lit) sat.Lit {
	a, b, c = sort3(a, b, c)
	switch { // complements are neighbours, so a and c have different variables
	case a == n.yes:
		return n.or(b, c)
	case a == n.yes.Not():
		return n.And(b, c)
	case a == b, b == c.Not(): // maj(a, a, c) = a, maj(a, b, ¬b) = a
		return a
	case b == c, a == b.Not():
		return c
	}
	// maj(¬a,¬b,¬c) = ¬maj(a,b,c)
	neg := a & 1
	a, b, c = a^neg, b^neg, c^neg
	return n.output(Gate{MajorityGate, a, b, c}) ^ neg
}
