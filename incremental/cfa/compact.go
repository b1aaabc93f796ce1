package cfa

import (
	"cmp"
	"slices"

	"github.com/go-amend/amend/formula"
	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ssa/step"
)

// This file makes an automaton of the control flow that was followed: equal
// letters become one, and edges without a letter and states on no way to the
// error go.

// finish names the variables and letters and leaves out what is never
// reached or does nothing.
func (b *flowBuilder) finish() *Automaton {
	b.thread()
	live := b.liveness()
	b.dropDeadEntries(live)
	names := b.names(live)
	c := &Automaton{Store: b.st, byText: make(map[string]int)}
	number, subst := b.share(c, names)
	text := make(map[formula.Term]string)
	for _, v := range c.Vars {
		text[v.Term] = v.Name
	}
	c.printer = formula.NewPrinter(b.st, func(v formula.Term) string { return text[v] })
	letters := make([]int, len(b.letters))
	for i, l := range b.letters {
		letters[i] = c.letter(l, number, subst)
	}
	b.compact(c, letters, number)
	for _, x := range b.entryInputs() {
		if live[b.start].Has(x.v) {
			x.v = number[x.v]
			c.initial = append(c.initial, x)
		}
	}
	return c
}

// share makes the variables of c: one for each name. It returns their
// numbers, by those of b, and puts them in the place of b's variables.
func (b *flowBuilder) share(c *Automaton, names []string) ([]int, *formula.Replacer) {
	byName := make(map[string]int)
	number := make([]int, len(names))
	subst := make(map[formula.Term]formula.Term)
	for i, name := range names {
		j, ok := byName[name]
		if !ok {
			j = len(c.Vars)
			byName[name] = j
			c.Vars = append(c.Vars, Var{Term: b.vars[i].Term, Name: name, Signed: ir.Signed(b.vars[i].Type), Of: b.written(i), Elem: b.vars[i].Elem})
		}
		number[i] = j
		if t := c.Vars[j].Term; t != b.vars[i].Term {
			subst[b.vars[i].Term] = t
		}
	}
	return number, formula.NewReplacer(b.st, func(v formula.Term) formula.Term { return cmp.Or(subst[v], v) })
}

// written returns the variable of the program's text whose value, or whose
// element's, variable i is; nil if it is none's.
func (b *flowBuilder) written(i int) *ir.Var {
	v := &b.vars[i]
	if v.temp != "" || v.Part != step.PartValue || v.Var.Span.IsZero() {
		return nil
	}
	return v.Var
}

// letter returns the number of the letter that l means.
func (c *Automaton) letter(l *rawLetter, number []int, subst *formula.Replacer) int {
	x := &Letter{Guard: subst.Replace(l.guard)}
	for _, s := range l.sets {
		x.Vars = append(x.Vars, number[s.Var])
	}
	order := sortedOrder(x.Vars)
	for _, i := range order {
		x.Values = append(x.Values, subst.Replace(l.sets[i].Value))
	}
	slices.Sort(x.Vars)
	for _, h := range l.havoc {
		x.Havoc = append(x.Havoc, number[h.v])
	}
	slices.Sort(x.Havoc)
	x.Text = c.letterText(x)
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
func (b *flowBuilder) compact(c *Automaton, letters, number []int) {
	n := len(b.out)
	out, begin := make([][]Edge, n), make([][]ir.Stmt, n)
	for s := range b.out {
		from, path := b.skip(s, nil)
		begin[from] = append(begin[from], b.begin[s]...)
		for _, e := range b.out[from] {
			to, after := b.skip(e.to, append(slices.Clone(path), e.path...))
			x := Edge{Letter: letters[e.letter], To: to, path: after, Cut: e.cut}
			for _, h := range b.letters[e.letter].havoc {
				x.inputs = append(x.inputs, input{h.of, number[h.v], h.typ})
			}
			out[s] = append(out[s], x)
		}
	}
	start, path := b.skip(b.start, nil)
	if len(path) > 0 { // the first state is inside a loop already
		out, begin = append(out, out[b.start]), append(begin, nil)
		start = n
	}
	c.keep(out, begin, start, b.fail)
}

// keep gives c those edges that are on a way from the start to the error, and
// what begins between them.
func (c *Automaton) keep(out [][]Edge, begin [][]ir.Stmt, start, fail int) {
	order, useful := between(out, start, fail)
	state := make([]int, len(out))
	for i, s := range order {
		state[s] = i
	}
	n := max(2, len(order))
	c.Start, c.Error, c.Edges, c.Begin = 0, 1, make([][]Edge, n), make([][]ir.Stmt, n)
	c.Open = make(map[ir.Stmt]bool)
	for s := range out {
		if state[s] == 0 && (len(order) == 0 || order[0] != s) {
			for _, x := range begin[s] {
				c.Open[x] = true
			}
		}
	}
	if len(order) == 0 {
		return
	}
	c.Start, c.Error = state[start], state[fail]
	for _, s := range order {
		c.Begin[state[s]] = begin[s]
		for _, e := range out[s] {
			if useful[e.To] {
				e.To = state[e.To]
				c.Edges[state[s]] = append(c.Edges[state[s]], e)
			}
		}
	}
}

// between returns the states on ways from start to fail, breadth first, and
// as a set.
func between(out [][]Edge, start, fail int) (order []int, useful []bool) {
	in := make([][]int, len(out))
	for s, es := range out {
		for _, e := range es {
			in[e.To] = append(in[e.To], s)
		}
	}
	useful = make([]bool, len(out)) // from which fail is reached
	useful[fail] = true
	for todo := []int{fail}; len(todo) > 0; {
		s := todo[0]
		todo = todo[1:]
		for _, p := range in[s] {
			if !useful[p] {
				useful[p] = true
				todo = append(todo, p)
			}
		}
	}
	if !useful[start] {
		return nil, useful
	}
	seen := make([]bool, len(out))
	seen[start] = true
	order = []int{start}
	for i := 0; i < len(order); i++ {
		for _, e := range out[order[i]] {
			if useful[e.To] && !seen[e.To] {
				seen[e.To] = true
				order = append(order, e.To)
			}
		}
	}
	return order, seen
}

// skip follows the edges without a letter from s. It returns where they
// lead, and path with what they do to it.
func (b *flowBuilder) skip(s int, path []pathOp) (int, []pathOp) {
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
