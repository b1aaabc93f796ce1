package cfa

import (
	"slices"
	"strings"

	"github.com/go-amend/amend/formula"
	"github.com/go-amend/amend/ir"
)

// This file defines letters and variables.

// A Letter is a statement of a control-flow automaton: an assumption, a
// simultaneous assignment, or a havoc, which makes variables free. Or it is a
// block of them, which is all three at once: where its guard holds, it assigns
// and makes free. Letters are equal when their meaning is: when their texts
// are.
type Letter struct {
	// Text is canonical: it holds names and widths of variables, operators
	// with their signs, and no positions. That of a long block is a digest.
	Text string

	Guard  formula.Term   // over the values before; true if there is none
	Vars   []int          // assigned, in increasing order
	Values []formula.Term // what each of Vars gets, over the values before
	Havoc  []int          // made free, in increasing order; of a block the inputs that it reads
}

// A Var is a variable of a control-flow automaton: a scalar of the program,
// or an element of an array. Names of temporaries that front ends invent are
// shared where they don't interfere.
type Var struct {
	Term   formula.Term
	Name   string // unique; ends with a colon and the width
	Signed bool

	// Of is the variable of the program whose value it is, or that of its
	// Elem-th element, counted row by row. It is nil for what the text of the
	// program doesn't name: temporaries, lengths of arrays.
	Of   *ir.Var
	Elem int

	// Input says that the variable is a choice that a block makes. It is free
	// before and after each block: nothing can be known of it.
	Input bool
}

// Written returns the variables that l assigns or makes free.
func (l *Letter) Written() []int { return slices.Concat(l.Vars, l.Havoc) }

// letterText returns the text of l.
func (c *Automaton) letterText(l *Letter) string {
	var parts []string
	switch {
	case len(l.Vars) > 0:
		for i, v := range l.Vars {
			parts = append(parts, c.Text(c.Vars[v].Term)+" := "+c.Text(l.Values[i]))
		}
	case len(l.Havoc) > 0:
		for _, v := range l.Havoc {
			parts = append(parts, c.Text(c.Vars[v].Term))
		}
	default:
		return "assume " + c.Text(l.Guard)
	}
	slices.Sort(parts)
	if len(l.Havoc) > 0 {
		return "havoc " + strings.Join(parts, " ")
	}
	return strings.Join(parts, "; ")
}
