package circuit

// From circuits to clauses.

import "github.com/go-amend/amend/formula/sat"

// An Emitter gives gates of a circuit to a solver, each once, when they are
// first needed.
type Emitter struct {
	c    *Circuit
	s    sat.Solver
	done map[sat.Lit]bool    // gates, by variable
	lits map[sat.Lit]sat.Lit // what they and the inputs are in s, by variable
}

// NewEmitter returns an Emitter of gates of c to s.
func NewEmitter(c *Circuit, s sat.Solver) *Emitter {
	return &Emitter{c, s, make(map[sat.Lit]bool), make(map[sat.Lit]sat.Lit)}
}

// Lit returns the literal of the solver that equals m, a literal of the
// circuit. It adds what m depends on and the solver doesn't have: one variable
// for each gate or input, and three clauses for each gate (Tseitin).
func (e *Emitter) Lit(m sat.Lit) sat.Lit {
	for _, v := range e.c.cone(e.done, m) {
		x, y := e.c.operands(2 * v)
		z, a, b := e.leaf(2*v), e.leaf(x), e.leaf(y)
		e.s.AddClause(z.Not(), a)
		e.s.AddClause(z.Not(), b)
		e.s.AddClause(z, a.Not(), b.Not())
	}
	return e.leaf(m)
}

// leaf returns the literal that equals m, all of whose operands are there.
func (e *Emitter) leaf(m sat.Lit) sat.Lit {
	z, ok := e.lits[m>>1]
	if !ok {
		z = e.s.NewVar()
		e.lits[m>>1] = z
		if m>>1 == e.c.True()>>1 {
			e.s.AddClause(z ^ e.c.True()&1)
		}
	}
	return z ^ m&1
}
