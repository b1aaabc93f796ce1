package incremental

import (
	"cmp"
	"slices"

	"github.com/go-amend/amend/formula"
	"github.com/go-amend/amend/ir"
)

// A CFA is the control-flow automaton of a program: its words are the traces
// of statements from the start to a violated assertion or check. It accepts
// by its one final state, Error, which has no edges.
type CFA struct {
	Store   *formula.Store
	Vars    []Var
	Letters []*Letter
	Start   int
	Error   int
	Edges   [][]Edge // by state

	terms   *terms
	printer *formula.Printer
	byText  map[string]int
	initial []choice // of free variables at Start
}

// An Edge reads a letter.
type Edge struct {
	Letter int
	To     int

	cut     bool     // to the error, for an array longer than its type allows
	path    []pathOp // what happens to the path of the run
	choices []choice // of the letter's Havoc, in its order
}

// A choice says which choice of the program, but for its path, the value of
// a variable is.
type choice struct {
	of  ir.Choice
	v   int
	typ ir.Type
}

// A pathOp changes the unwinding and inlining path of a run: the path is cut
// to depth steps, then next counts up the last one, or key is added.
type pathOp struct {
	depth int
	next  bool
	key   ir.LocID
	loop  bool
}

// NewCFA returns the control-flow automaton of p, which must be well-formed:
// calls inlined, with fresh free locals at every entry; arrays and checks
// lowered by package ssa; each edge one letter. Its size is linear in the
// program with its calls inlined. The error is an *ir.UnsupportedError, for
// recursion and threads.
func NewCFA(p *ir.Program) (*CFA, error) {
	b, err := flow(p)
	if err != nil {
		return nil, err
	}
	return b.finish(), nil
}

// finish names the variables and letters and leaves out what is never
// reached or does nothing.
func (b *flowBuilder) finish() *CFA {
	live := b.liveness()
	b.dropDeadEntries(live)
	names := b.names(live)
	c := &CFA{Store: b.st, byText: make(map[string]int)}
	number, subst := b.share(c, names)
	var terms []formula.Term
	text := make(map[formula.Term]string)
	for _, v := range c.Vars {
		terms = append(terms, v.Term)
		text[v.Term] = v.Name
	}
	c.terms, c.printer = newTerms(b.st, terms), formula.NewPrinter(b.st, func(v formula.Term) string { return text[v] })
	letters := make([]int, len(b.letters))
	for i, l := range b.letters {
		letters[i] = c.letter(l, number, subst)
	}
	b.compact(c, letters, number)
	for _, x := range b.entryChoices() {
		if live[b.start].has(x.v) {
			x.v = number[x.v]
			c.initial = append(c.initial, x)
		}
	}
	return c
}

// share makes the variables of c: one for each name. It returns their
// numbers, by those of b, and what replaces the terms of b's variables.
func (b *flowBuilder) share(c *CFA, names []string) ([]int, map[formula.Term]formula.Term) {
	byName := make(map[string]int)
	number := make([]int, len(names))
	subst := make(map[formula.Term]formula.Term)
	for i, name := range names {
		j, ok := byName[name]
		if !ok {
			j = len(c.Vars)
			byName[name] = j
			c.Vars = append(c.Vars, Var{Term: b.vars[i].Term, Name: name, Signed: ir.Signed(b.vars[i].Type)})
		}
		number[i] = j
		if t := c.Vars[j].Term; t != b.vars[i].Term {
			subst[b.vars[i].Term] = t
		}
	}
	return number, subst
}

// letter returns the number of the letter that l means.
func (c *CFA) letter(l *rawLetter, number []int, subst map[formula.Term]formula.Term) int {
	x := &Letter{Guard: c.terms.replace(l.guard, subst)}
	for _, s := range l.sets {
		x.Vars = append(x.Vars, number[s.Var])
	}
	order := sortedOrder(x.Vars)
	for _, i := range order {
		x.Values = append(x.Values, c.terms.replace(l.sets[i].Value, subst))
	}
	slices.Sort(x.Vars)
	for _, h := range l.havoc {
		x.Havoc = append(x.Havoc, number[h.v])
	}
	slices.Sort(x.Havoc)
	newLetter(c.terms, c.printer, x)
	i, ok := c.byText[x.Text]
	if !ok {
		i = len(c.Letters)
		c.byText[x.Text] = i
		c.Letters = append(c.Letters, x)
	}
	return i
}

// sortedOrder returns the order in which the elements of xs are sorted.
func sortedOrder(xs []int) []int {
	order := make([]int, len(xs))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int { return cmp.Compare(xs[i], xs[j]) })
	return order
}

// compact gives c the edges of b that read letters, between states that can
// be reached and from which the error can.
func (b *flowBuilder) compact(c *CFA, letters, number []int) {
	n := len(b.out)
	out := make([][]Edge, n)
	for s := range b.out {
		from, path := b.settle(s, nil)
		for _, e := range b.out[from] {
			to, after := b.settle(e.to, append(slices.Clone(path), e.path...))
			x := Edge{Letter: letters[e.letter], To: to, path: after, cut: e.cut}
			for _, h := range b.letters[e.letter].havoc {
				x.choices = append(x.choices, choice{h.of, number[h.v], h.typ})
			}
			out[s] = append(out[s], x)
		}
	}
	start, path := b.settle(b.start, nil)
	if len(path) > 0 { // the first state is inside a loop already
		out = append(out, out[b.start])
		start = n
	}
	a := &automaton{start: int32(start), final: int32(b.fail), out: make([][]arc, len(out))}
	for s, es := range out {
		for _, e := range es {
			a.out[s] = append(a.out[s], arc{int32(e.Letter), int32(e.To)})
		}
	}
	live, order := a.useful()
	state := make([]int, len(out))
	for i, s := range order {
		state[s] = i
	}
	c.Start, c.Error, c.Edges = 0, 1, make([][]Edge, max(2, len(order)))
	if len(order) == 0 {
		return
	}
	c.Start, c.Error = state[start], state[b.fail]
	for _, s := range order {
		for _, e := range out[s] {
			if live[e.To] {
				e.To = state[e.To]
				c.Edges[state[s]] = append(c.Edges[state[s]], e)
			}
		}
	}
}

// settle follows the edges without a letter from s. It returns where they
// lead, and path with what they do to it.
func (b *flowBuilder) settle(s int, path []pathOp) (int, []pathOp) {
	for range b.out {
		es := b.out[s]
		if len(es) != 1 || es[0].letter >= 0 {
			return s, path
		}
		path = append(path, es[0].path...)
		s = es[0].to
	}
	return b.dead, path // a loop that does nothing
}

// automaton returns c as an automaton of remaining error traces, with or
// without those that end where an array is longer than its type allows.
func (c *CFA) automaton(cuts bool) *automaton {
	a := &automaton{start: int32(c.Start), final: int32(c.Error), out: make([][]arc, len(c.Edges))}
	for s, es := range c.Edges {
		for _, e := range es {
			if cuts || !e.cut {
				a.out[s] = append(a.out[s], arc{int32(e.Letter), int32(e.To)})
			}
		}
	}
	return a
}

// varTerms returns the variables by name.
func (c *CFA) varTerms() map[string]formula.Term {
	vars := make(map[string]formula.Term, len(c.Vars))
	for _, v := range c.Vars {
		vars[v.Name] = v.Term
	}
	return vars
}
