package invariant

import (
	"fmt"
	"io"
	"strings"

	"github.com/go-amend/amend/ir"
)

// This file prints what is known of each statement.

// Fprint writes, for each place, its position, the first line of its text, and
// what holds there: a line for each case.
func Fprint(w io.Writer, p *ir.Program, places []*Place) error {
	var b strings.Builder
	loops := make(map[ir.Span]bool)
	for _, x := range places {
		if x.Loop() {
			loops[x.Stmt.Span()] = true
		}
	}
	for _, x := range places {
		s := x.Stmt.Span()
		text, _, _ := strings.Cut(p.Text(s), "\n")
		if x.Loop() {
			text = "loop " + text
		} else if loops[s] {
			continue // what makes its condition
		}
		fmt.Fprintf(&b, "%s:%d:%d: %s\n", s.File, s.Line, s.Col, strings.TrimSpace(text))
		for _, line := range x.Lines(p) {
			fmt.Fprintf(&b, "    %s\n", line)
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// Lines returns what holds at x as text: a line for each case.
func (x *Place) Lines(p *ir.Program) []string {
	if len(x.Cases) == 0 {
		return []string{"(never reached)"}
	}
	var out []string
	for i, c := range x.Cases {
		line := ""
		if i > 0 {
			line = "or "
		}
		if len(c) == 0 {
			line += "(nothing)"
		}
		for k, e := range c {
			if k > 0 {
				line += ", "
			}
			line += p.Source(e)
		}
		out = append(out, line)
	}
	if x.Weaker {
		out = append(out, "(and what has no words here)")
	}
	return out
}
