package relation

import "github.com/go-amend/amend/formula"

// This file gives circuits to others.

// Terms returns gs as propositions of st. leaf says what their variables are:
// the tuples of relations and what was arbitrary.
func (s *Solver) Terms(st *formula.Store, leaf func(Gate) formula.Term, gs ...Gate) []formula.Term {
	ts := make([]formula.Term, len(s.c.nodes))
	of := func(g Gate) formula.Term {
		if g&1 == 1 {
			return st.Not(ts[g>>1])
		}
		return ts[g>>1]
	}
	ts[0] = st.False()
	for _, i := range s.c.below(gs) {
		switch n := s.c.nodes[i]; n.kind {
		case kindVar:
			ts[i] = leaf(Gate(i) << 1)
		case kindAnd:
			ts[i] = st.And(of(n.a), of(n.b))
		case kindXor:
			ts[i] = st.Xor(of(n.a), of(n.b))
		case kindIte:
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
	needed := make([]bool, len(c.nodes))
	for _, g := range gs {
		needed[g>>1] = true
	}
	for i := len(c.nodes) - 1; i > 0; i-- {
		if n := &c.nodes[i]; needed[i] && n.kind >= kindAnd {
			needed[n.a>>1], needed[n.b>>1] = true, true
			needed[n.c>>1] = needed[n.c>>1] || n.kind == kindIte
		}
	}
	for i := 1; i < len(c.nodes); i++ {
		if needed[i] {
			out = append(out, int32(i))
		}
	}
	return out
}
