// Package circuit holds Boolean functions as and-inverter graphs of
// gini/logic: for programs that work with gini, to write circuits in the
// AIGER format, and to count literals by its sorting networks.
//
// A [Circuit] is a sort of gates for formula.NewBlaster, which translates
// terms into it:
//
//	c := circuit.New()
//	bits := formula.NewBlaster(store, c).Bits(term)
//
// A literal of package sat stands for the literal z.Lit of the same number in
// the graph. Variable 1 is the constant. An [Emitter] gives parts of the graph
// to any solver.
//
// For deciding terms, formula.Solver is the better way: direct clauses of
// adders and multiplexers made gini about twice as fast as those of graphs,
// and the tests compare the two.
//
// Names in this package: c circuit, m literal, v variable.
package circuit

import (
	"github.com/go-air/gini/logic"
	"github.com/go-air/gini/z"

	"github.com/go-amend/amend/formula/sat"
)

// A Circuit is an and-inverter graph with a list of its inputs. Equal nodes
// are one. It is not safe for concurrent use.
type Circuit struct {
	c      *logic.C
	inputs []sat.Lit
}

// New returns an empty circuit.
func New() *Circuit {
	// An odd capacity: with a power of two, nodes that share an input
	// collide, and building them takes quadratic time.
	return &Circuit{c: logic.NewCCap(1009)}
}

// On returns a circuit that adds to the graph c, which has these inputs.
func On(c *logic.C, inputs ...sat.Lit) *Circuit { return &Circuit{c: c, inputs: inputs} }

// C returns the graph, to which the caller may add.
func (c *Circuit) C() *logic.C { return c.c }

// Inputs returns the inputs, in the order in which they were made. The caller
// must not modify the result.
func (c *Circuit) Inputs() []sat.Lit { return c.inputs }

// True returns the constant.
func (c *Circuit) True() sat.Lit { return sat.Lit(c.c.T) }

// Input makes an input.
func (c *Circuit) Input() sat.Lit {
	m := sat.Lit(c.c.Lit())
	c.inputs = append(c.inputs, m)
	return m
}

// And returns the conjunction of a and b.
func (c *Circuit) And(a, b sat.Lit) sat.Lit { return sat.Lit(c.c.And(z.Lit(a), z.Lit(b))) }

// Xor returns where a and b differ.
func (c *Circuit) Xor(a, b sat.Lit) sat.Lit { return sat.Lit(c.c.Xor(z.Lit(a), z.Lit(b))) }

// Mux returns a where m holds, b elsewhere.
func (c *Circuit) Mux(m, a, b sat.Lit) sat.Lit {
	return sat.Lit(c.c.Choice(z.Lit(m), z.Lit(a), z.Lit(b)))
}

// Parity returns where an odd number of the literals holds.
func (c *Circuit) Parity(x, y, w sat.Lit) sat.Lit { return c.Xor(c.Xor(x, y), w) }

// Majority returns where at least two of the literals hold.
func (c *Circuit) Majority(x, y, w sat.Lit) sat.Lit { return c.Mux(c.Xor(x, y), w, x) }

// All returns the conjunction of ms.
func (c *Circuit) All(ms []sat.Lit) sat.Lit {
	return sat.Lit(c.c.Ands(literals(ms)...))
}

func literals(ms []sat.Lit) []z.Lit {
	zs := make([]z.Lit, len(ms))
	for i, m := range ms {
		zs[i] = z.Lit(m)
	}
	return zs
}

// Lemma does nothing: a graph has no clauses.
func (c *Circuit) Lemma(...sat.Lit) {}

// AtMost returns a literal that is true where at most k of ms are, for each k
// from 0 to len(ms): the outputs of a sorting network of gini, with
// O(n·log²n) gates. A literal that occurs twice counts twice. One that is true
// where at least k are is the complement of AtMost's for k-1.
func (c *Circuit) AtMost(ms []sat.Lit) []sat.Lit {
	sorted := c.c.CardSort(literals(ms))
	out := make([]sat.Lit, len(ms)+1)
	for k := range out {
		out[k] = sat.Lit(sorted.Leq(k))
	}
	return out
}

// Eval returns the values of ms, where input has the values of the inputs.
func (c *Circuit) Eval(input func(m sat.Lit) bool, ms ...sat.Lit) []bool {
	vs := make([]bool, c.c.Len())
	for _, m := range c.inputs {
		vs[m>>1] = input(m)
	}
	c.c.Eval(vs)
	out := make([]bool, len(ms))
	for i, m := range ms {
		out[i] = vs[m>>1] != (m&1 == 1)
	}
	return out
}

// operands returns the inputs of the gate m, or two zeros if m is an input or
// the constant.
func (c *Circuit) operands(m sat.Lit) (a, b sat.Lit) {
	x, y := c.c.Ins(z.Lit(m))
	return sat.Lit(x), sat.Lit(y)
}

// cone returns the variables of the gates that roots depend on, operands
// first, and of those in done none.
func (c *Circuit) cone(done map[sat.Lit]bool, roots ...sat.Lit) (order []sat.Lit) {
	var stack []sat.Lit
	for _, m := range roots {
		stack = append(stack, m>>1)
	}
	for len(stack) > 0 {
		v := stack[len(stack)-1]
		a, b := c.operands(2 * v)
		switch {
		case done[v] || a == 0:
			stack = stack[:len(stack)-1]
		case c.known(done, a) && c.known(done, b):
			stack = stack[:len(stack)-1]
			done[v] = true
			order = append(order, v)
		default:
			stack = append(stack, a>>1, b>>1)
		}
	}
	return order
}

// known tells whether m is no gate, or one of those in done.
func (c *Circuit) known(done map[sat.Lit]bool, m sat.Lit) bool {
	a, _ := c.operands(m)
	return a == 0 || done[m>>1]
}
