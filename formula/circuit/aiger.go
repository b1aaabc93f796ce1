package circuit

// Writing circuits in the AIGER format.

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/go-amend/amend/formula/sat"
)

// A Signal is a literal with a name.
type Signal struct {
	Name string // without line breaks; "" for none
	Lit  sat.Lit
}

// WriteASCII writes the outputs, as functions of the inputs, in the ASCII
// variant of the AIGER format (Biere, Heljanko and Wieringa, 2011). The inputs
// are those of c, in their order; names says how they are called, as far as it
// does. Gates that no output depends on are left out. It panics if an output
// depends on what is not among the inputs.
func (c *Circuit) WriteASCII(w io.Writer, outputs []Signal, names func(input sat.Lit) string) error {
	a := c.number(outputs)
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "aag %s\n", a.header(len(outputs)))
	for i := range c.inputs {
		fmt.Fprintf(b, "%d\n", 2*(i+1))
	}
	for _, s := range outputs {
		fmt.Fprintf(b, "%d\n", a.lit(s.Lit))
	}
	for _, v := range a.gates {
		z, x, y := a.gate(v)
		fmt.Fprintf(b, "%d %d %d\n", z, x, y)
	}
	c.symbols(b, outputs, names)
	return b.Flush()
}

// WriteBinary is WriteASCII for the binary variant.
func (c *Circuit) WriteBinary(w io.Writer, outputs []Signal, names func(input sat.Lit) string) error {
	a := c.number(outputs)
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "aig %s\n", a.header(len(outputs)))
	for _, s := range outputs {
		fmt.Fprintf(b, "%d\n", a.lit(s.Lit))
	}
	for _, v := range a.gates {
		z, x, y := a.gate(v)
		writeDelta(b, z-x)
		writeDelta(b, x-y)
	}
	c.symbols(b, outputs, names)
	return b.Flush()
}

// numbering holds the numbers that variables have in the format: the inputs
// first, then the gates, operands before what they are operands of.
type numbering struct {
	c     *Circuit
	gates []sat.Lit // their variables
	by    map[sat.Lit]uint32
}

func (c *Circuit) number(outputs []Signal) *numbering {
	roots := make([]sat.Lit, len(outputs))
	for i, s := range outputs {
		roots[i] = s.Lit
	}
	a := &numbering{c, c.cone(make(map[sat.Lit]bool), roots...), make(map[sat.Lit]uint32)}
	for i, m := range c.inputs {
		a.by[m>>1] = uint32(i + 1)
	}
	for i, v := range a.gates {
		a.by[v] = uint32(len(c.inputs) + i + 1)
	}
	return a
}

// header says the largest variable, and how many inputs, latches, outputs and
// gates there are.
func (a *numbering) header(outputs int) string {
	n := len(a.c.inputs)
	return fmt.Sprintf("%d %d 0 %d %d", n+len(a.gates), n, outputs, len(a.gates))
}

// lit returns m's number: 0 is false and 1 true.
func (a *numbering) lit(m sat.Lit) uint32 {
	if t := a.c.True(); m>>1 == t>>1 {
		return uint32(m&1 ^ t&1 ^ 1)
	}
	v := a.by[m>>1]
	if v == 0 {
		panic("circuit: a literal that depends on what is not among the inputs")
	}
	return 2*v + uint32(m&1)
}

// gate returns the numbers of a gate and its operands, the larger one first.
func (a *numbering) gate(v sat.Lit) (z, x, y uint32) {
	p, q := a.c.operands(2 * v)
	x, y = a.lit(p), a.lit(q)
	if x < y {
		x, y = y, x
	}
	return 2 * a.by[v], x, y
}

// writeDelta writes n in groups of seven bits, the lowest first.
func writeDelta(b *bufio.Writer, n uint32) {
	for ; n >= 0x80; n >>= 7 {
		b.WriteByte(byte(n | 0x80))
	}
	b.WriteByte(byte(n))
}

// symbols writes the names.
func (c *Circuit) symbols(b *bufio.Writer, outputs []Signal, names func(sat.Lit) string) {
	line := func(kind string, i int, name string) {
		if name != "" {
			fmt.Fprintf(b, "%s%d %s\n", kind, i, strings.ReplaceAll(name, "\n", " "))
		}
	}
	for i, m := range c.inputs {
		if names != nil {
			line("i", i, names(m))
		}
	}
	for i, s := range outputs {
		line("o", i, s.Name)
	}
}
