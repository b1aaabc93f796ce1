package main

// The names of free choices, as the contract has them: x, a[2], x@FUNC#PATH
// for variables, nondet@LINE:COL#PATH for what statements choose.

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/interp"
)

// inputs are the choices that a run read, in that order.
type inputs []input

type input struct {
	name, value string
	label       string // the name for people
	shown       string // the value for people
}

// A namer names the choices of one program.
type namer struct {
	p     *ir.Program
	vars  map[ir.VarID]*ir.Var
	procs map[*ir.Var]*ir.Proc
	stmts map[ir.LocID]ir.Stmt
	in    map[ir.LocID]*ir.Proc       // where the statements are
	same  map[*ir.Proc]map[string]int // variables of a procedure by name
	taken map[string]ir.Choice
}

func newNamer(p *ir.Program) *namer {
	n := &namer{
		p:     p,
		vars:  make(map[ir.VarID]*ir.Var),
		procs: make(map[*ir.Var]*ir.Proc),
		stmts: make(map[ir.LocID]ir.Stmt),
		in:    make(map[ir.LocID]*ir.Proc),
		same:  make(map[*ir.Proc]map[string]int),
		taken: make(map[string]ir.Choice),
	}
	n.same[nil] = make(map[string]int)
	for _, v := range p.Globals {
		n.vars[v.ID] = v
		n.same[nil][v.Name]++
	}
	for _, f := range p.Procs {
		n.same[f] = make(map[string]int)
		for _, vs := range [][]*ir.Var{f.Params, f.Results, f.Locals} {
			for _, v := range vs {
				n.vars[v.ID], n.procs[v] = v, f
				n.same[f][v.Name]++
			}
		}
	}
	p.Stmts(func(f *ir.Proc, s ir.Stmt) {
		if s.Key() != 0 {
			n.stmts[s.Key()], n.in[s.Key()] = s, f
		}
	})
	return n
}

// inputs returns the choices that t's run read, but for those that nobody
// asked for and nothing depends on: what a variable held before the program
// wrote it.
func (n *namer) inputs(t *interp.Trace) inputs {
	in := make(inputs, 0, len(t.Inputs))
	for _, x := range t.Inputs {
		name := n.unique(x.Choice) // which counts them all
		if !x.Used && n.unasked(x.Choice) {
			continue
		}
		in = append(in, input{
			name: name, value: ir.FormatValue(x.Type, x.Value),
			label: n.label(x.Choice), shown: shown(x.Type, x.Value),
		})
	}
	return in
}

// unasked reports whether c is what a variable holds from the start.
func (n *namer) unasked(c ir.Choice) bool {
	v := n.vars[c.Var]
	if c.At == 0 {
		return v.Kind != ir.Param
	}
	return n.declares(c)
}

// declares reports whether c is made where its variable is, and not by what
// the source calls.
func (n *namer) declares(c ir.Choice) bool {
	switch n.stmts[c.At].(type) {
	case *ir.Havoc, *ir.Alloc:
	default:
		return false
	}
	at, name := n.stmts[c.At].Span(), n.vars[c.Var].Span
	return at.IsZero() || at.File == name.File && at.Start <= name.Start && name.End <= at.End && !name.IsZero()
}

// named reports whether c bears its variable's name.
func (n *namer) named(c ir.Choice) bool {
	v := n.vars[c.Var]
	return c.At == 0 || n.declares(c) && (v.Kind == ir.Global || !v.Span.IsZero())
}

// unique returns the name of c, with the key of its statement or variable
// where the contract's name is ambiguous: positions don't say which file.
func (n *namer) unique(c ir.Choice) string {
	name := n.name(c)
	if d, ok := n.taken[name]; ok && d != c {
		name = fmt.Sprintf("%s~%d.%d.%d", name, c.At, c.Var, c.Nth)
	}
	n.taken[name] = c
	return name
}

func (n *namer) name(c ir.Choice) string {
	if !n.named(c) || c.Path != "" {
		return n.base(c) + "#" + string(c.Path)
	}
	return n.base(c)
}

// label is name for people: lines instead of keys.
func (n *namer) label(c ir.Choice) string {
	if c.Path == "" {
		return n.base(c)
	}
	return n.base(c) + " [" + n.way(c.Path) + "]"
}

// base returns c's name without its path.
func (n *namer) base(c ir.Choice) string {
	if !n.named(c) {
		at := n.chosenAt(c)
		return fmt.Sprintf("nondet@%d:%d%s", at.Line, at.Col, n.element(c))
	}
	v := n.vars[c.Var]
	f := n.procs[v]
	name := v.Name + n.element(c)
	if n.same[f][v.Name] > 1 && !v.Span.IsZero() {
		name += fmt.Sprintf("@%d:%d", v.Span.Line, v.Span.Col)
	}
	if f == nil {
		f = n.in[c.At] // a local variable that pointers point at
	}
	if c.Path != "" && f != nil {
		name += "@" + f.Name
	}
	return name
}

// way returns a path in words.
func (n *namer) way(p ir.Path) string {
	steps := strings.Split(string(p), "/")
	for i, s := range steps {
		key, round, loop := strings.Cut(s, "#")
		line := 0
		if k, err := strconv.Atoi(key); err == nil && n.stmts[ir.LocID(k)] != nil {
			line = n.stmts[ir.LocID(k)].Span().Line
		}
		steps[i] = fmt.Sprintf("call on line %d", line)
		if loop {
			steps[i] = fmt.Sprintf("round %s of line %d", round, line)
		}
	}
	return strings.Join(steps, ", ")
}

// chosenAt returns the source of the statement, or of its operation, that
// makes c.
func (n *namer) chosenAt(c ir.Choice) ir.Span {
	s := n.stmts[c.At]
	at := spanOf(n.p, s)
	if !inFiles(n.p, at) {
		at = callAt(n.p, c.Path)
	}
	ir.EachExpr(s, func(e *ir.Expr) {
		if c.Nth != 0 && ir.Nth(s, *e) == c.Nth && !(*e).Span().IsZero() {
			at = (*e).Span()
		}
	})
	return at
}

// element returns the indices of c in its variable: "" for a scalar.
func (n *namer) element(c ir.Choice) string {
	v := n.vars[c.Var]
	if v == nil {
		return ""
	}
	if s, ok := n.stmts[c.At].(*ir.Havoc); ok {
		if _, whole := s.LHS.(*ir.Use); !whole {
			return "" // Havoc of one element: the place says it all
		}
	}
	return indices(v.Type, int(c.Elem))
}

// indices returns the element at a flat index of an array as a[i][j] has it.
func indices(t ir.Type, flat int) string {
	a, ok := t.(ir.Array)
	if !ok {
		return ""
	}
	_, n := ir.Scalar(a.Elem)
	return fmt.Sprintf("[%d]", flat/max(n, 1)) + indices(a.Elem, flat%max(n, 1))
}

// shown returns a value as people like to see it: characters too.
func shown(t ir.Type, v uint64) string {
	s := ir.FormatValue(t, v)
	if ir.Width(t) == 8 && v > ' ' && v <= '~' {
		s += fmt.Sprintf(" '%c'", rune(v))
	}
	return s
}

// words returns a phrase about the inputs, in parts to stay on a line.
func (in inputs) words() []string {
	if len(in) == 0 {
		return []string{"whatever the inputs"}
	}
	words := make([]string, len(in))
	for i, x := range in {
		words[i] = x.label + " = " + x.shown + ","
	}
	words[0] = "with " + words[0]
	last := len(words) - 1
	words[last] = strings.TrimSuffix(words[last], ",")
	return words
}
