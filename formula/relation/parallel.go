package relation

import "github.com/go-amend/amend/formula"

// This file evaluates circuits under many assignments.

// An Evaluator evaluates a circuit under 64 assignments of its variables at once.
type Evaluator struct {
	vars  []Gate     // the circuit's variables
	nodes []gateNode // the circuit, operands first, by places in value
	root  Gate       // likewise
	value []uint64   // false, the variables, the nodes
}

// Evaluator returns an evaluator of g.
func (s *Solver) Evaluator(g Gate) *Evaluator {
	e := &Evaluator{}
	below := s.c.below([]Gate{g})
	place := make([]Gate, s.c.len()) // of nodes, as gates
	for _, i := range below {
		if s.c.node(int(i)).kind == formula.InputGate {
			e.vars = append(e.vars, Gate(i)<<1)
			place[i] = Gate(len(e.vars)) << 1
		}
	}
	of := func(g Gate) Gate { return place[g>>1] | g&1 }
	for _, i := range below {
		if n := s.c.node(int(i)); n.kind != formula.InputGate {
			e.nodes = append(e.nodes, gateNode{kind: n.kind, a: of(n.a), b: of(n.b), c: of(n.c)})
			place[i] = Gate(len(e.vars)+len(e.nodes)) << 1
		}
	}
	e.root = of(g)
	e.value = make([]uint64, 1+len(e.vars)+len(e.nodes))
	return e
}

// Vars returns the circuit's variables.
func (e *Evaluator) Vars() []Gate { return e.vars }

// Value returns the values of the i-th variable, of which each assignment has a
// bit. They are the caller's to change.
func (e *Evaluator) Value(i int) *uint64 { return &e.value[1+i] }

// Eval returns the values of the circuit.
func (e *Evaluator) Eval() uint64 {
	at := 1 + len(e.vars)
	for i := range e.nodes {
		n := &e.nodes[i]
		switch n.kind {
		case formula.AndGate:
			e.value[at+i] = e.of(n.a) & e.of(n.b)
		case formula.XorGate:
			e.value[at+i] = e.of(n.a) ^ e.of(n.b)
		default:
			x := e.of(n.a)
			e.value[at+i] = x&e.of(n.b) | ^x&e.of(n.c)
		}
	}
	return e.of(e.root)
}

func (e *Evaluator) of(g Gate) uint64 { return e.value[g>>1] ^ -uint64(g&1) }
