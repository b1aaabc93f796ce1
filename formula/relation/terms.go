package relation

import "github.com/go-amend/amend/formula"

// This file gives circuits to others.

// Terms returns gs as propositions of st. leaf says what their variables are:
// the tuples of relations and what was arbitrary.
func (s *Solver) Terms(st *formula.Store, leaf func(Gate) formula.Term, gs ...Gate) []formula.Term {
	ts := make([]formula.Term, s.c.len())
	of := func(g Gate) formula.Term {
		if g&1 == 1 {
			return st.Not(ts[g>>1])
		}
		return ts[g>>1]
	}
	ts[0] = st.False()
	for _, i := range s.c.below(gs) {
		switch n := s.c.node(int(i)); n.kind {
		case formula.InputGate:
			ts[i] = leaf(Gate(i) << 1)
		case formula.AndGate:
			ts[i] = st.And(of(n.a), of(n.b))
		case formula.XorGate:
			ts[i] = st.Xor(of(n.a), of(n.b))
		case formula.MuxGate:
			ts[i] = st.Ite(of(n.a), of(n.b), of(n.c))
		}
	}
	out := make([]formula.Term, len(gs))
	for i, g := range gs {
		out[i] = of(g)
	}
	return out
}

// below returns the nodes of gs and below them, operands first.
func (c *circuit) below(gs []Gate) (out []int32) {
	needed := make([]bool, c.len())
	for _, g := range gs {
		needed[g>>1] = true
	}
	for i := c.len() - 1; i > 0; i-- {
		if n := c.node(i); needed[i] && n.kind != formula.InputGate {
			needed[n.a>>1], needed[n.b>>1] = true, true
			needed[n.c>>1] = needed[n.c>>1] || n.kind == formula.MuxGate
		}
	}
	for i := 1; i < c.len(); i++ {
		if needed[i] {
			out = append(out, int32(i))
		}
	}
	return out
}
