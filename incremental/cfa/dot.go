package cfa

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
)

// This file draws control-flow automata.

// WriteDot writes c for Graphviz: the start is bold, the error is drawn
// twice.
func (c *Automaton) WriteDot(w io.Writer) error {
	b := bufio.NewWriter(w)
	fmt.Fprintln(b, "digraph cfa {\n\tnode [shape=circle]")
	fmt.Fprintf(b, "\t%d [style=bold]\n\t%d [shape=doublecircle, label=error]\n", c.Start, c.Error)
	for s, es := range c.Edges {
		for _, e := range es {
			fmt.Fprintf(b, "\t%d -> %d [label=%s]\n", s, e.To, strconv.Quote(c.Letters[e.Letter].Text))
		}
	}
	fmt.Fprintln(b, "}")
	return b.Flush()
}
