package incremental

import (
	"slices"
	"strings"

	"github.com/go-amend/amend/formula"
)

// A Letter is a statement of a control-flow automaton: an assumption, a
// simultaneous assignment, or a havoc, which makes variables free. Letters
// are equal when their meaning is: when their texts are.
type Letter struct {
	// Text is canonical: it holds names and widths of variables, operators
	// with their signs, and no positions.
	Text string

	Guard  formula.Term   // of an assumption, else true
	Vars   []int          // assigned, in increasing order
	Values []formula.Term // what each of Vars gets, over the values before
	Havoc  []int          // made free, in increasing order

	writes set
	subst  map[formula.Term]formula.Term // from variables written to their values
}

// A Var is a variable of a control-flow automaton: a scalar of the program,
// or an element of an array. Names of temporaries that front ends invent are
// shared where they don't interfere.
type Var struct {
	Term   formula.Term
	Name   string // unique; ends with a colon and the width
	Signed bool
}

// newLetter completes l, which has no text yet.
func newLetter(t *terms, p *formula.Printer, l *Letter) *Letter {
	l.Text = letterText(t, p, l)
	l.writes = newSet(len(t.vars))
	l.subst = make(map[formula.Term]formula.Term)
	for i, v := range l.Vars {
		l.writes.add(v)
		l.subst[t.vars[v]] = l.Values[i]
	}
	for _, v := range l.Havoc {
		l.writes.add(v)
		l.subst[t.vars[v]] = t.after(v)
	}
	return l
}

func letterText(t *terms, p *formula.Printer, l *Letter) string {
	var parts []string
	switch {
	case len(l.Vars) > 0:
		for i, v := range l.Vars {
			parts = append(parts, p.Text(t.vars[v])+" := "+p.Text(l.Values[i]))
		}
	case len(l.Havoc) > 0:
		for _, v := range l.Havoc {
			parts = append(parts, p.Text(t.vars[v]))
		}
	default:
		return "assume " + p.Text(l.Guard)
	}
	slices.Sort(parts)
	if len(l.Havoc) > 0 {
		return "havoc " + strings.Join(parts, " ")
	}
	return strings.Join(parts, "; ")
}

// pre returns the condition before l for the proposition q to hold after,
// where l passes: its weakest precondition but for the guard. The values
// that a havoc gives are variables of their own.
func (l *Letter) pre(t *terms, q formula.Term) formula.Term {
	if !t.mentions(q).meets(l.writes) {
		return q
	}
	return t.replace(q, l.subst)
}
