package cfront

// Jumps, as blocks that are left, loops that are repeated, and flags.

import (
	"modernc.org/cc/v4"

	"github.com/go-amend/amend/ir"
)

// An exit is what break may leave: a loop, or the block of a switch.
type exit struct {
	block string
	loop  *ir.Loop
	loops int // around its body, itself among them
}

// labelOf is how a break or continue names x.
func (b *body) labelOf(x exit) string {
	if x.loop == nil {
		return x.block
	}
	if x.loops < b.loops && x.loop.Label == "" { // a loop of jumps is in it
		x.loop.Label = b.Label("loop")
	}
	if x.loops < b.loops {
		return x.loop.Label
	}
	return ""
}

// enter makes the jumps of s those that are lowered, until what it returns is
// called. No flag is set at its start.
func (b *body) enter(s *cc.CompoundStatement) func() {
	outer := b.flow
	b.flow = newFlow(s)
	for _, j := range b.flow.jumps {
		for _, d := range j.over() {
			b.wrong(j.node, "jump over the declaration of %s, whose length is computed", d.Name())
		}
		if j.to.flagged && j.to.flag == nil {
			j.to.flag = b.Temp("goto", tBool)
			b.Locate(ir.Span{}, func() { b.Set(use(j.to.flag, ir.Span{}), truth(false)) })
		}
	}
	return func() { b.flow = outer }
}

func truth(v bool) ir.Expr {
	c := &ir.Const{Typ: tBool}
	if v {
		c.Val = 1
	}
	return c
}

// jumpTo lowers goto.
func (b *body) jumpTo(s *cc.JumpStatement) {
	switch j := b.flow.gotos[s]; {
	case j == nil || j.to == nil:
		b.wrong(s, "goto to a label %s that is not there", s.Token2.SrcStr())
	case b.inSection() && !b.around.holds(j.to):
		b.leavesSection(s)
	default:
		b.Locate(b.extent(s), func() {
			b.setFlag(j)
			to := j.way()
			b.Stand(ir.StmtOf(to), b.extent(s))
			b.Emit(to)
		})
	}
}

// follow emits j as derived statements.
func (b *body) follow(j *jump) {
	b.setFlag(j)
	to := j.way()
	b.Derive(ir.StmtOf(to))
	b.Emit(to)
}

// setFlag sets the flag of j's label, if it leads on to it.
func (b *body) setFlag(j *jump) {
	if !j.hop.begins(j.to) {
		b.Set(use(j.to.flag, ir.Span{}), truth(true))
	}
}

// way is the statement that j is.
func (j *jump) way() ir.Stmt {
	if j.back {
		return &ir.Continue{Label: j.hop.in.loop.Label}
	}
	return &ir.Break{Label: j.hop.label}
}

// labelBlocks names the blocks that l is to have.
func (b *body) labelBlocks(l *list) {
	for _, x := range l.items {
		switch {
		case !x.arrived || x.label != "":
		case x.name != "":
			x.label = "to_" + x.name
		case x.inSwitch():
			x.label = b.Label("case")
		default:
			x.label = b.Label("into")
		}
	}
}

// leadOn emits the jumps from the start of l to labels inside that another
// jump was for.
func (b *body) leadOn(l *list) {
	for _, x := range l.into {
		if to := lift(x, l); !l.startsWith(to) {
			b.Locate(ir.Span{}, func() { b.branchOn(use(x.flag, ir.Span{}), b.Block(func() { b.leave(to.label) }), nil) })
		}
	}
}

// arrive ends the jumps to x.
func (b *body) arrive(x *item) {
	if x.arrived {
		b.List = []ir.Stmt{&ir.Block{Label: x.label, List: b.List}}
	}
	if x.flag != nil {
		b.Locate(ir.Span{}, func() { b.Set(use(x.flag, ir.Span{}), truth(false)) })
	}
}

// repeat lowers l, which jumps go back to, as a loop.
func (b *body) repeat(l *list) {
	l.loop = &ir.Loop{Label: b.Label("again")}
	at := b.labelSpan(l)
	b.Locate(at, func() { b.Stand(&l.loop.StmtInfo, at) })
	b.loops++
	l.loop.Body = b.Block(func() {
		b.items(l, nil)
		b.Locate(ir.Span{}, func() { b.leave(l.loop.Label) })
	})
	b.loops--
	b.Emit(l.loop)
}

// labelSpan is that of the label that l, a loop, begins with.
func (b *body) labelSpan(l *list) ir.Span {
	x := l.items[0]
	for x.group != nil {
		x = x.group.items[0]
	}
	if x.first == nil || b.u.library {
		return b.extent(x.node)
	}
	return b.u.text.tokenSpan(x.first.Token)
}

// flags is the condition that a jump leads into s; nil if none does.
func (b *body) flags(s *cc.Statement) ir.Expr {
	if s == nil {
		return nil
	}
	l := b.flow.lists[listKey(s)]
	if l == nil {
		return nil
	}
	var any ir.Expr
	for _, x := range l.into {
		any = or(any, use(x.flag, ir.Span{}))
	}
	return any
}

// or is x || y; they may be nil.
func or(x, y ir.Expr) ir.Expr {
	switch {
	case x == nil:
		return y
	case y == nil:
		return x
	}
	return either(x, y)
}

// branchCond is the condition e, which is not evaluated where a jump leads into
// then, or into els.
func (b *body) branchCond(e cc.ExpressionNode, then, els *cc.Statement) ir.Expr {
	in, past := b.flags(then), b.flags(els)
	var c ir.Expr
	effects := b.Optional(func() { c = b.cond(e) })
	switch jumped := or(in, past); {
	case jumped == nil && effects != nil:
		b.List = append(b.List, effects.List...)
		return c
	case effects != nil:
		b.branchOn(&ir.Unary{Op: ir.Not, X: ir.CloneExpr(jumped)}, effects, nil)
	}
	if past != nil {
		c = both(&ir.Unary{Op: ir.Not, X: ir.CloneExpr(past)}, c)
	}
	return or(in, c)
}

// unlessInto emits what build does, not to be run where a jump leads into s.
func (b *body) unlessInto(s *cc.Statement, build func()) {
	jumped := b.flags(s)
	if jumped == nil {
		build()
		return
	}
	block := b.Block(build)
	b.Locate(ir.Span{}, func() { b.branchOn(&ir.Unary{Op: ir.Not, X: jumped}, block, nil) })
}

// inSwitch reports whether a case is among the labels of x.
func (x *item) inSwitch() bool {
	for l := x.first; l != nil; l = l.Statement.LabeledStatement {
		if l.Case != cc.LabeledStatementLabel {
			return true
		}
	}
	return false
}

// labeled is the statement after the labels of x, nil if x is none.
func (x *item) labeled() *cc.Statement {
	if x.group != nil || x.node.Case != cc.BlockItemStmt {
		return nil
	}
	s := x.node.Statement
	for s.Case == cc.StatementLabeled {
		s = s.LabeledStatement.Statement
	}
	return s
}

// nodes is the number of statements in l, those in loops among them.
func (l *list) nodes() int {
	n := 0
	for _, x := range l.items {
		if n++; x.group != nil {
			n += x.group.nodes() - 1
		}
	}
	return n
}
