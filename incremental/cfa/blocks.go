package cfa

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/go-amend/amend/formula"
	"github.com/go-amend/amend/incremental/internal/bitset"
)

// This file makes one letter of all the code between two places that has no
// loop, branches included: large-block encoding (Beyer, Cimatti, Griggio,
// Keremoglu, Sebastiani, FMCAD 2009). The weakest precondition of a block is
// one proposition where single statements need one for each branch at each
// place.

// Blocks returns the automaton of c's program whose letters are blocks. Its
// states are the start, the error, one on each cycle of c, whose letters are
// statements, and where the ways from different ones of these meet. A trace of blocks stands for all the traces of statements
// through them.
//
// The choices that a block makes are variables of their own, after those of
// c, with Var.Input set.
func (c *Automaton) Blocks() *Automaton {
	b := &Automaton{Store: c.Store, Vars: slices.Clone(c.Vars), byText: make(map[string]int), initial: c.initial, statements: c}
	x := &blockBuilder{c: c, b: b, live: c.Live(), inputs: make(map[string]int)}
	x.findCuts()
	out := make([][]Edge, len(c.Edges))
	for _, s := range x.order {
		if x.cut[s] && s != c.Error {
			out[s] = x.from(s)
		}
	}
	b.keep(out, c.Begin, c.Start, c.Error)
	names := make(map[formula.Term]string)
	for _, v := range b.Vars {
		names[v.Term] = v.Name
	}
	b.printer = formula.NewPrinter(b.Store, func(v formula.Term) string { return names[v] })
	return b
}

// A blockBuilder makes blocks.
type blockBuilder struct {
	c, b   *Automaton
	cut    []bool
	order  []int // of the states: edges that go back in it lead to cuts
	live   []bitset.Set
	inputs map[string]int // of b, by name
}

// findCuts chooses the states that blocks begin and end at: where depth-first
// search meets a cycle.
func (x *blockBuilder) findCuts() {
	x.cut = make([]bool, len(x.c.Edges))
	x.cut[x.c.Start], x.cut[x.c.Error] = true, true
	for s := range x.c.Edges {
		x.cut[s] = x.cut[s] || !x.exclusive(s)
	}
	const open, done = 1, 2
	seen := make([]int8, len(x.c.Edges))
	var visit func(s int)
	visit = func(s int) {
		seen[s] = open
		for _, e := range x.c.Edges[s] {
			switch seen[e.To] {
			case 0:
				visit(e.To)
			case open:
				x.cut[e.To] = true
			}
		}
		seen[s] = done
		x.order = append(x.order, s)
	}
	visit(x.c.Start)
	slices.Reverse(x.order)
	x.cutJoins()
}

// exclusive reports whether no run can take two edges of s. Joins of passages
// rely on that.
func (x *blockBuilder) exclusive(s int) bool {
	st := x.c.Store
	for i, e := range x.c.Edges[s] {
		for _, d := range x.c.Edges[s][:i] {
			if st.And(x.c.Letters[e.Letter].Guard, x.c.Letters[d.Letter].Guard) != st.False() {
				return false
			}
		}
	}
	return true
}

// cutJoins makes cuts of the states at which ways from different cuts meet.
// So no statement belongs to blocks with different heads.
func (x *blockBuilder) cutJoins() {
	head := make([]int, len(x.c.Edges))
	for i := range head {
		head[i] = -1
	}
	for _, s := range x.order {
		if x.cut[s] {
			head[s] = s
		}
		for _, e := range x.c.Edges[s] {
			if head[e.To] < 0 {
				head[e.To] = head[s]
			}
			x.cut[e.To] = x.cut[e.To] || head[e.To] != head[s]
		}
	}
}

// A block is the code on the ways from one state to another that meet no cut
// in between.
type block struct {
	head   int
	inside []int             // the head and the states in between, in their order
	edges  map[int][]int     // of each, those that stay on the ways
	ends   func(e Edge) bool // at the target
	inputs map[[2]int][]int  // by state and edge: what holds its letter's choices
}

// from returns the edges of b that are blocks with a head.
func (x *blockBuilder) from(head int) []Edge {
	inside := x.region(head)
	type target struct {
		to  int
		cut bool
	}
	var targets []target
	for _, s := range inside {
		for _, e := range x.c.Edges[s] {
			if t := (target{e.To, e.Cut}); x.cut[e.To] && !slices.Contains(targets, t) {
				targets = append(targets, t)
			}
		}
	}
	var out []Edge
	for _, first := range x.beginnings(head) {
		for _, t := range targets {
			k := x.ways(head, first, inside, func(e Edge) bool { return e.To == t.to && e.Cut == t.cut })
			if l, ok := x.letter(k); ok {
				out = append(out, Edge{Letter: l, To: t.to, Cut: t.cut, block: k})
			}
		}
	}
	return out
}

// beginnings returns the edges of head that blocks begin with: all in one
// block, or each in its own if a run can take several.
func (x *blockBuilder) beginnings(head int) [][]int {
	var all []int
	var each [][]int
	for i := range x.c.Edges[head] {
		all, each = append(all, i), append(each, []int{i})
	}
	if x.exclusive(head) {
		return [][]int{all}
	}
	return each
}

// region returns head and the states that blocks from it pass, in order.
func (x *blockBuilder) region(head int) []int {
	in := make([]bool, len(x.c.Edges))
	in[head] = true
	todo := []int{head}
	for len(todo) > 0 {
		s := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, e := range x.c.Edges[s] {
			if !x.cut[e.To] && !in[e.To] {
				in[e.To] = true
				todo = append(todo, e.To)
			}
		}
	}
	var out []int
	for _, s := range x.order {
		if in[s] {
			out = append(out, s)
		}
	}
	return out
}

// ways returns the block of those states of inside from which edges that end
// it are reached, with some edges of head only.
func (x *blockBuilder) ways(head int, first, inside []int, ends func(e Edge) bool) *block {
	k := &block{head: head, edges: make(map[int][]int), ends: ends, inputs: make(map[[2]int][]int)}
	for _, s := range slices.Backward(inside) {
		for i, e := range x.c.Edges[s] {
			if s == head && !slices.Contains(first, i) {
				continue
			}
			if ends(e) || !x.cut[e.To] && k.edges[e.To] != nil {
				k.edges[s] = append(k.edges[s], i)
			}
		}
	}
	for _, s := range inside {
		if k.edges[s] != nil {
			k.inside = append(k.inside, s)
		}
	}
	return k
}

// A passage is what happened to the variables, from the head of a block on,
// where the condition to come so far holds.
type passage struct {
	when   formula.Term
	values map[int]formula.Term // of variables that changed
}

// letter returns the letter of b that k is, unless nothing gets through it.
func (x *blockBuilder) letter(k *block) (int, bool) {
	at := map[int]*passage{k.head: {x.c.Store.True(), nil}}
	var end *passage
	seen := make(map[int]int) // havocs of a variable
	for _, s := range k.inside {
		for _, i := range k.edges[s] {
			e := x.c.Edges[s][i]
			l := x.c.Letters[e.Letter]
			for _, v := range l.Havoc {
				k.inputs[[2]int{s, i}] = append(k.inputs[[2]int{s, i}], x.input(v, seen[v]))
				seen[v]++
			}
			p := x.after(at[s], l, k.inputs[[2]int{s, i}], e.To)
			switch {
			case p.when == x.c.Store.False():
			case k.ends(e):
				end = x.join(end, p)
			default:
				at[e.To] = x.join(at[e.To], p)
			}
		}
	}
	if end == nil {
		return 0, false
	}
	l := x.made(end)
	l.Text = x.text(k, l)
	i, ok := x.b.byText[l.Text]
	if !ok {
		i = len(x.b.Letters)
		x.b.byText[l.Text] = i
		x.b.Letters = append(x.b.Letters, l)
	}
	return i, true
}

// input returns the variable of b that holds what the havoc of v gives that
// comes after n others in a block.
func (x *blockBuilder) input(v, n int) int {
	name := fmt.Sprintf("%%%d.%s", n, x.c.Vars[v].Name)
	i, ok := x.inputs[name]
	if !ok {
		i = len(x.b.Vars)
		x.inputs[name] = i
		t := x.c.Store.Var(x.c.Store.Width(x.c.Vars[v].Term), name)
		x.b.Vars = append(x.b.Vars, Var{Term: t, Name: name, Signed: x.c.Vars[v].Signed, Input: true})
	}
	return i
}

// after returns p continued by the letter l, on an edge to a state. Inputs
// are what its Havoc gets. Only variables that are read again are of interest.
func (x *blockBuilder) after(p *passage, l *Letter, inputs []int, to int) *passage {
	st := x.c.Store
	if p == nil {
		return &passage{when: st.False()}
	}
	now := formula.NewReplacer(st, x.reader(p))
	y := &passage{st.And(p.when, now.Replace(l.Guard)), make(map[int]formula.Term)}
	set := func(v int, t formula.Term) {
		if x.live[to].Has(v) {
			y.values[v] = t
		}
	}
	for v, t := range p.values {
		set(v, t)
	}
	for i, v := range l.Vars {
		set(v, now.Replace(l.Values[i]))
	}
	for i, v := range l.Havoc {
		set(v, x.b.Vars[inputs[i]].Term)
	}
	return y
}

// reader returns what stands for variables where p has got to.
func (x *blockBuilder) reader(p *passage) func(v formula.Term) formula.Term {
	m := make(map[formula.Term]formula.Term, len(p.values))
	for v, t := range p.values {
		m[x.c.Vars[v].Term] = t
	}
	return func(v formula.Term) formula.Term {
		if t, ok := m[v]; ok {
			return t
		}
		return v
	}
}

// join returns the passage by p or q, of which no run takes both.
func (x *blockBuilder) join(p, q *passage) *passage {
	if p == nil || q == nil {
		if p == nil {
			return q
		}
		return p
	}
	st := x.c.Store
	value := func(y *passage, v int) formula.Term {
		if t, ok := y.values[v]; ok {
			return t
		}
		return x.c.Vars[v].Term
	}
	changed := make(map[int]formula.Term, len(p.values))
	maps.Copy(changed, p.values)
	maps.Copy(changed, q.values)
	for _, v := range slices.Sorted(maps.Keys(changed)) {
		changed[v] = st.Ite(q.when, value(q, v), value(p, v))
	}
	return &passage{st.Or(p.when, q.when), changed}
}

// made returns the letter of a passage, without its text.
func (x *blockBuilder) made(p *passage) *Letter {
	l := &Letter{Guard: p.when}
	for _, v := range slices.Sorted(maps.Keys(p.values)) {
		if t := p.values[v]; t != x.c.Vars[v].Term {
			l.Vars, l.Values = append(l.Vars, v), append(l.Values, t)
		}
	}
	reads := make(map[formula.Term]bool)
	for _, v := range x.c.Store.Vars(nil, append(slices.Clone(l.Values), l.Guard)...) {
		reads[v] = true
	}
	for i := len(x.c.Vars); i < len(x.b.Vars); i++ {
		if reads[x.b.Vars[i].Term] {
			l.Havoc = append(l.Havoc, i)
		}
	}
	return l
}

// maxBlockText is how long the text of a block may be; of others it is a
// digest.
const maxBlockText = 200

// text returns the text of a block's letter l: its statements, with the places
// that they lead to, and what of their effect is read again. So an edit
// changes the texts of the blocks that it touches, and no others.
func (x *blockBuilder) text(k *block, l *Letter) string {
	number := make(map[int]int)
	for i, s := range k.inside {
		number[s] = i
	}
	var b strings.Builder
	for _, s := range k.inside {
		for _, i := range k.edges[s] {
			e := x.c.Edges[s][i]
			to := "end"
			if !k.ends(e) {
				to = fmt.Sprint(number[e.To])
			}
			fmt.Fprintf(&b, "%d-%s: %s\n", number[s], to, x.c.Letters[e.Letter].Text)
		}
	}
	b.WriteString("writes")
	for _, v := range l.Vars {
		b.WriteString(" " + x.c.Vars[v].Name)
	}
	if b.Len() > maxBlockText {
		d := sha256.Sum256([]byte(b.String()))
		return "block " + hex.EncodeToString(d[:16])
	}
	return "block " + strings.ReplaceAll(b.String(), "\n", "; ")
}

// Live returns, by state, the variables whose values may still be read.
func (c *Automaton) Live() []bitset.Set {
	number := make(map[formula.Term]int)
	for i, v := range c.Vars {
		number[v.Term] = i
	}
	reads, writes := make([]bitset.Set, len(c.Letters)), make([]bitset.Set, len(c.Letters))
	for i, l := range c.Letters {
		reads[i], writes[i] = bitset.New(len(c.Vars)), bitset.New(len(c.Vars))
		for _, v := range c.Store.Vars(nil, append(slices.Clone(l.Values), l.Guard)...) {
			reads[i].Add(number[v])
		}
		for _, v := range l.Written() {
			writes[i].Add(v)
		}
	}
	in := make([][]int, len(c.Edges))
	live := make([]bitset.Set, len(c.Edges))
	todo := make([]int, len(c.Edges))
	for s, es := range c.Edges {
		live[s], todo[s] = bitset.New(len(c.Vars)), s
		for _, e := range es {
			in[e.To] = append(in[e.To], s)
		}
	}
	for len(todo) > 0 {
		s := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		changed := false
		for _, e := range c.Edges[s] {
			for i, w := range live[e.To] {
				w = w&^writes[e.Letter][i] | reads[e.Letter][i]
				changed = changed || w&^live[s][i] != 0
				live[s][i] |= w
			}
		}
		if changed {
			todo = append(todo, in[s]...)
		}
	}
	return live
}
