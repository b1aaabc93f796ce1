package cfront

// Where the jumps of a function lead. The IR has blocks and loops that are
// left or repeated, and no goto. A list of statements becomes blocks that end
// before what a jump forward leads to, and what lies between a label and the
// last jump back to it becomes a loop, a list inside the list. What is left
// are jumps into a statement, or a loop, from outside. They set a flag and go
// to that statement, which leads on to the label, as in Erosa and Hendren,
// Taming Control Flow (ICCL 1994), so that nothing is copied. The cases of a
// switch are labels to which it jumps from before the first of its statements.

import (
	"slices"

	"modernc.org/cc/v4"

	"github.com/go-amend/amend/ir"
)

// A list is one of statements: those of a block, or one alone.
type list struct {
	items  []*item
	around *item // nil for that of a function
	alone  bool
	cases  bool // of a switch
	again  bool // a loop: a jump to its first item repeats it
	loop   *ir.Loop
	into   []*item // the labels inside that its start leads on to, if their flag is set
}

// An item is a statement of a list, with its labels, or a loop of several.
type item struct {
	in    *list
	at    int
	node  *cc.BlockItem
	group *list

	first   *cc.LabeledStatement
	name    string // of its first label
	label   string // of the block that ends before it
	arrived bool   // a jump forward leads to it
	flagged bool   // something jumps into a statement around it to come here
	flag    *ir.Var
}

// A jump leads from an item, or from before the items of a list, to an item.
type jump struct {
	node  cc.Node
	from  *item
	start *list
	to    *item

	// As it was resolved: it goes to hop, of a list that it stands in, forward
	// or by repeating that list, and from there on to to.
	hop  *item
	back bool
}

// A flow is what is known of the jumps in a block.
type flow struct {
	lists  map[cc.Node]*list // by block, or statement alone
	gotos  map[*cc.JumpStatement]*jump
	cases  map[*cc.LabeledStatement]*jump
	jumps  []*jump
	labels map[string]*item
}

func newFlow(s *cc.CompoundStatement) *flow {
	w := &flow{
		lists:  map[cc.Node]*list{},
		gotos:  map[*cc.JumpStatement]*jump{},
		cases:  map[*cc.LabeledStatement]*jump{},
		labels: map[string]*item{},
	}
	w.scan(w.list(s, itemsOf(s), nil), nil)
	known := w.jumps[:0]
	for _, j := range w.jumps {
		if g, ok := j.node.(*cc.JumpStatement); ok {
			j.to = w.labels[g.Token2.SrcStr()]
		}
		if j.to != nil {
			known = append(known, j)
		}
	}
	w.jumps = known
	w.repeat()
	for _, j := range w.jumps {
		j.resolve()
	}
	return w
}

func (w *flow) list(key cc.Node, nodes []*cc.BlockItem, around *item) *list {
	l := &list{around: around}
	w.lists[key] = l
	for n, i := range nodes {
		l.items = append(l.items, &item{in: l, at: n, node: i})
	}
	return l
}

// scan looks for lists, labels and jumps in l. Its cases are those of the
// switch that dispatches to the list cases.
func (w *flow) scan(l, cases *list) {
	for _, i := range l.items {
		if i.node.Case == cc.BlockItemStmt {
			w.statement(w.labelsOf(i, cases), i, cases)
		}
	}
}

// labelsOf notes the labels that i begins with, and returns what they label.
func (w *flow) labelsOf(i *item, cases *list) *cc.Statement {
	s := i.node.Statement
	for ; s.Case == cc.StatementLabeled; s = s.LabeledStatement.Statement {
		l := s.LabeledStatement
		if i.first == nil {
			i.first = l
		}
		if startsThread(l) {
			continue
		}
		if l.Case == cc.LabeledStatementLabel {
			w.label(l, i)
		} else if cases != nil {
			w.cases[l] = &jump{node: l, start: cases, to: i}
			w.jumps = append(w.jumps, w.cases[l])
		}
	}
	return s
}

func (w *flow) label(l *cc.LabeledStatement, i *item) {
	name := l.Token.SrcStr()
	w.labels[name] = i
	if i.name == "" {
		i.name = name
	}
}

// statement looks for lists and jumps in s, a part of i.
func (w *flow) statement(s *cc.Statement, i *item, cases *list) {
	switch s.Case {
	case cc.StatementCompound:
		w.scan(w.part(s, i, 0), cases)
	case cc.StatementSelection:
		x := s.SelectionStatement
		if x.Case == cc.SelectionStatementSwitch {
			l := w.part(x.Statement, i, beforeFirst(nodesOf(x.Statement)))
			l.cases = true
			w.scan(l, l)
			return
		}
		w.scan(w.part(x.Statement, i, 0), cases)
		if x.Statement2 != nil {
			w.scan(w.part(x.Statement2, i, 0), cases)
		}
	case cc.StatementIteration:
		w.scan(w.part(s.IterationStatement.Statement, i, 0), cases)
	case cc.StatementJump:
		if j := s.JumpStatement; j.Case == cc.JumpStatementGoto {
			w.gotos[j] = &jump{node: j, from: i}
			w.jumps = append(w.jumps, w.gotos[j])
		}
	}
}

// part adds the list of s, a statement in i, but for what skip says.
func (w *flow) part(s *cc.Statement, i *item, skip int) *list {
	l := w.list(listKey(s), nodesOf(s)[skip:], i)
	l.alone = s.Case != cc.StatementCompound
	return l
}

func listKey(s *cc.Statement) cc.Node {
	if s.Case == cc.StatementCompound {
		return s.CompoundStatement
	}
	return s
}

// nodesOf are the statements of s, or s alone.
func nodesOf(s *cc.Statement) []*cc.BlockItem {
	if s.Case == cc.StatementCompound {
		return itemsOf(s.CompoundStatement)
	}
	return []*cc.BlockItem{{Case: cc.BlockItemStmt, Statement: s}}
}

// beforeFirst is the number of nodes, of a switch, that never run: those
// before its first case that no label is in.
func beforeFirst(nodes []*cc.BlockItem) int {
	for n, i := range nodes {
		if i.Case == cc.BlockItemStmt && holdsLabel(i.Statement) {
			return n
		}
	}
	return len(nodes)
}

// holdsLabel reports whether a jump may lead into s.
func holdsLabel(s *cc.Statement) bool {
	switch s.Case {
	case cc.StatementLabeled:
		return true
	case cc.StatementCompound:
		return slices.ContainsFunc(nodesOf(s), func(i *cc.BlockItem) bool { return i.Case == cc.BlockItemStmt && holdsLabel(i.Statement) })
	case cc.StatementSelection:
		x := s.SelectionStatement
		return holdsLabel(x.Statement) || x.Statement2 != nil && holdsLabel(x.Statement2)
	case cc.StatementIteration:
		return holdsLabel(s.IterationStatement.Statement)
	}
	return false
}

// lift returns the item of l that x is, or is in; nil if there is none.
func lift(x *item, l *list) *item {
	for x != nil && x.in != l {
		x = x.in.around
	}
	return x
}

// origin is the item that j begins in, or around it.
func (j *jump) origin() *item {
	if j.start != nil {
		return j.start.around
	}
	return j.from
}

// meet returns the innermost list that both ends of j are in, where in it j
// begins, and the item to which it leads there.
func (j *jump) meet() (l *list, from int, to *item) {
	for l = j.to.in; ; l = l.around.in {
		to = lift(j.to, l)
		if j.start == l {
			return l, -1, to
		}
		if x := lift(j.origin(), l); x != nil {
			return l, x.at, to
		}
	}
}

// A stretch is some consecutive items of a list, from first to last.
type stretch struct{ first, last int }

// repeat makes loops of what jumps lead back over.
func (w *flow) repeat() {
	loops := map[*list][]stretch{}
	var order []*list
	for _, j := range w.jumps {
		if l, from, to := j.meet(); from >= to.at {
			if loops[l] == nil {
				order = append(order, l)
			}
			loops[l] = append(loops[l], stretch{to.at, from})
		}
	}
	for _, l := range order {
		items := l.items
		l.items = nil
		l.nest(items, nested(loops[l]))
		l.number()
	}
}

// nested returns stretches with the beginnings of ss of which each two are
// apart, or one is in the other, in the order of their beginnings.
func nested(ss []stretch) []stretch {
	slices.SortFunc(ss, func(a, b stretch) int {
		if a.first != b.first {
			return a.first - b.first
		}
		return b.last - a.last
	})
	ss = slices.CompactFunc(ss, func(a, b stretch) bool { return a.first == b.first })
	for i := len(ss) - 1; i >= 0; i-- {
		for k := i + 1; k < len(ss) && ss[k].first <= ss[i].last; k++ {
			ss[i].last = max(ss[i].last, ss[k].last)
		}
	}
	return ss
}

// nest makes items those of l, with a loop for each of ss.
func (l *list) nest(items []*item, ss []stretch) {
	for len(items) > 0 {
		x := items[0]
		if len(ss) == 0 || x.at != ss[0].first {
			l.items = append(l.items, x)
			items = items[1:]
			continue
		}
		n := ss[0].last - ss[0].first + 1
		inner := 1
		for inner < len(ss) && ss[inner].first <= ss[0].last {
			inner++
		}
		g := &item{group: &list{again: true}}
		g.group.around = g
		g.group.nest(items[:n], ss[1:inner])
		l.items = append(l.items, g)
		items, ss = items[n:], ss[inner:]
	}
}

// number tells the items of l where they are.
func (l *list) number() {
	for n, x := range l.items {
		x.in, x.at = l, n
		if x.group != nil {
			x.group.number()
		}
	}
}

// begins reports whether x is to, or a loop that begins with it.
func (x *item) begins(to *item) bool {
	return x == to || x.group != nil && x.group.items[0].begins(to)
}

// startsWith reports whether x is what runs first in l.
func (l *list) startsWith(x *item) bool { return x.at == 0 && !l.cases }

// resolve finds the way of j.
func (j *jump) resolve() {
	l, from, hop := j.meet()
	j.hop, j.back = hop, from >= hop.at
	hop.arrived = hop.arrived || !j.back
	if hop.begins(j.to) {
		return
	}
	j.to.flagged = true
	for in := j.to.in; in != l; in = in.around.in {
		if !slices.Contains(in.into, j.to) {
			in.into = append(in.into, j.to)
		}
		if x := lift(j.to, in); !in.startsWith(x) {
			x.arrived = true
		}
	}
}

// over returns the arrays of computed length that j jumps over.
func (j *jump) over() []*cc.Declarator {
	var ds []*cc.Declarator
	l, from, _ := j.meet()
	for in := j.to.in; ; in = in.around.in {
		first := 0
		if in == l {
			first = from + 1
		}
		for n := first; n < lift(j.to, in).at; n++ {
			ds = append(ds, variableArrays(in.items[n].node)...)
		}
		if in == l {
			return ds
		}
	}
}

// variableArrays are the arrays of computed length that i declares.
func variableArrays(i *cc.BlockItem) []*cc.Declarator {
	if i == nil || i.Case != cc.BlockItemDecl {
		return nil
	}
	var ds []*cc.Declarator
	for l := i.Declaration.InitDeclaratorList; l != nil; l = l.InitDeclaratorList {
		if d := l.InitDeclarator.Declarator; !d.IsTypename() && isRow(d.Type()) {
			ds = append(ds, d)
		}
	}
	return ds
}

// goesBack reports whether some jump in s leads back, so that what is in it
// may run again.
func goesBack(s *cc.CompoundStatement) bool {
	return slices.ContainsFunc(newFlow(s).jumps, func(j *jump) bool { return j.back })
}
