package cfront

// Statements.

import (
	"modernc.org/cc/v4"

	"github.com/go-amend/amend/ir"
)

func (b *body) compound(s *cc.CompoundStatement) {
	defer b.inScope(b.extent(s))()
	defer b.inBlock(s)()
	b.items(b.flow.lists[s], nil)
	if n := len(b.List); n == 0 || !isJump(b.List[n-1]) {
		b.endBlocks(func(home cc.Node) bool { return home == s })
	}
}

// items lowers those of l. What comes before one that something jumps to
// becomes a block, and the jump leaves it. A switch jumps in dispatch.
func (b *body) items(l *list, dispatch func()) {
	outer := b.List
	b.List = nil
	b.labelBlocks(l)
	b.leadOn(l)
	if dispatch != nil {
		dispatch()
	}
	for n := 0; n < len(l.items); n++ {
		x := l.items[n]
		b.arrive(x)
		if x.first != nil && x.group == nil {
			b.landInBlock()
		}
		if b.threaded && b.atomic == 0 && !l.alone && x.group == nil && b.marks(x.node, sectionBegins) {
			n = b.section(l, n)
		} else {
			b.itemOf(l, x)
		}
	}
	b.List = append(outer, b.List...)
}

// itemOf lowers x, of l.
func (b *body) itemOf(l *list, x *item) {
	switch {
	case x.group != nil:
		b.repeat(x.group)
	case l.alone:
		b.statement(x.node.Statement)
	case x.inSwitch():
		b.statement(x.labeled())
	default:
		b.item(x.node)
	}
}

func itemsOf(s *cc.CompoundStatement) []*cc.BlockItem {
	var items []*cc.BlockItem
	for l := s.BlockItemList; l != nil; l = l.BlockItemList {
		items = append(items, l.BlockItem)
	}
	return items
}

// inScope makes block the block that is being lowered, until what it returns
// is called.
func (b *body) inScope(block ir.Span) func() {
	outer := b.blockSpan
	b.blockSpan = block
	return func() { b.blockSpan = outer }
}

// scopeOf returns where the name that is declared at name is visible.
func (b *body) scopeOf(name ir.Span) ir.Span {
	if name.IsZero() || b.blockSpan.File != name.File {
		return ir.Span{}
	}
	name.End = b.blockSpan.End
	return name
}

func (b *body) item(i *cc.BlockItem) {
	b.outline(i)
	switch {
	case injected(i):
		b.functionName(i)
	case i.Case == cc.BlockItemDecl:
		b.declaration(i.Declaration)
	case i.Case == cc.BlockItemStmt:
		b.statement(i.Statement)
	case i.Case == cc.BlockItemFuncDef:
		b.unsupported(i, "nested function", "define it outside")
	default:
		b.unsupported(i, "label declaration", "")
	}
}

// outline notes where i stands, once.
func (b *body) outline(i *cc.BlockItem) {
	x := ir.Extent{Span: b.extent(i), Block: b.blockSpan}
	if !injected(i) && !x.Span.IsZero() && x.Span.File == x.Block.File && !b.outlined[x] {
		b.outlined[x] = true
		b.prog.Outline = append(b.prog.Outline, x)
	}
}

// statement lowers s. What becomes of it is one text.
func (b *body) statement(s *cc.Statement) {
	first := len(b.List)
	b.lowerStatement(s)
	if s.Case == cc.StatementCompound || s.Case == cc.StatementLabeled {
		return
	}
	for _, x := range b.List[first:] {
		if i := ir.StmtOf(x); i.Whole.IsZero() {
			i.Whole = b.span(s)
		}
	}
}

// arm lowers s, a part of another statement.
func (b *body) arm(s *cc.Statement) *ir.Block {
	list := b.Block(func() {
		if l := b.flow.lists[s]; l != nil { // not a block
			b.items(l, nil)
		} else {
			b.statement(s)
		}
	})
	if s.Case == cc.StatementCompound {
		list.Pos = b.span(s)
	}
	return list
}

func (b *body) lowerStatement(s *cc.Statement) {
	switch s.Case {
	case cc.StatementCompound:
		b.compound(s.CompoundStatement)
	case cc.StatementExpr:
		if e := s.ExpressionStatement.ExpressionList; e != nil {
			b.Locate(b.extent(e), func() { b.effect(e) })
		}
	case cc.StatementSelection:
		b.selection(s.SelectionStatement)
	case cc.StatementIteration:
		b.iteration(s.IterationStatement)
	case cc.StatementJump:
		b.jump(s.JumpStatement)
	case cc.StatementLabeled:
		b.labeled(s.LabeledStatement)
	case cc.StatementAsm:
		b.assembly(s)
	}
}

// labeled lowers what a label stands before.
func (b *body) labeled(s *cc.LabeledStatement) {
	switch {
	case startsThread(s):
		b.startLabeled(s)
	case s.Case != cc.LabeledStatementLabel && b.flow.cases[s] == nil:
		b.wrong(s, "case outside of a switch")
	default:
		b.statement(s.Statement)
	}
}

func (b *body) selection(s *cc.SelectionStatement) {
	if s.Case == cc.SelectionStatementSwitch {
		b.switching(s)
		return
	}
	i := &ir.If{}
	span := b.extent(s.ExpressionList)
	b.Locate(span, func() {
		i.Cond = b.branchCond(s.ExpressionList, s.Statement, s.Statement2)
		b.Stand(&i.StmtInfo, span)
	})
	i.Then = b.arm(s.Statement)
	if s.Statement2 != nil {
		if arm := b.arm(s.Statement2); len(arm.List) > 0 {
			i.Else = arm
		}
	}
	b.Emit(i)
}

func (b *body) iteration(s *cc.IterationStatement) {
	defer b.inBlock(s)()
	switch s.Case {
	case cc.IterationStatementWhile:
		b.loop(s, s.ExpressionList, nil, false)
	case cc.IterationStatementDo:
		b.loop(s, s.ExpressionList, nil, true)
	case cc.IterationStatementFor:
		if e := s.ExpressionList; e != nil {
			b.unlessInto(s.Statement, func() { b.Locate(b.extent(e), func() { b.effect(e) }) })
		}
		b.loop(s, s.ExpressionList2, s.ExpressionList3, false)
	case cc.IterationStatementForDecl:
		defer b.inScope(b.extent(s))()
		b.unlessInto(s.Statement, func() { b.declaration(s.Declaration) })
		b.loop(s, s.ExpressionList, s.ExpressionList2, false)
	}
}

// loop lowers the loop s; cond and post may be nil.
func (b *body) loop(s *cc.IterationStatement, cond, post cc.ExpressionNode, last bool) {
	l := &ir.Loop{TestLast: last}
	span := b.loopSpan(s, cond)
	inside := func(home cc.Node) bool { return home != s && b.within(home, s) }
	b.Locate(span, func() {
		b.Stand(&l.StmtInfo, span)
		l.Head = b.Optional(func() {
			b.endBlocks(inside)
			switch {
			case cond == nil:
			case last:
				l.Cond = b.cond(cond)
			default:
				l.Cond = b.branchCond(cond, s.Statement, nil)
			}
		})
	})
	b.loops++
	b.exits = append(b.exits, exit{loop: l, loops: b.loops})
	l.Body = b.arm(s.Statement)
	b.exits = b.exits[:len(b.exits)-1]
	b.loops--
	if post != nil {
		l.Post = b.Optional(func() {
			b.endBlocks(inside)
			b.Locate(b.extent(post), func() { b.effect(post) })
		})
	}
	b.Emit(l)
	b.endBlocks(func(home cc.Node) bool { return b.within(home, s) })
}

// loopSpan is the text of the condition, or of for(…) without one.
func (b *body) loopSpan(s *cc.IterationStatement, cond cc.ExpressionNode) ir.Span {
	if cond != nil {
		return b.extent(cond)
	}
	span := b.extent(s)
	if src := b.sources[span.File]; src != nil && !span.IsZero() {
		if end := closing(src.text, blanks(src.text, span.Start+len("for"))); end > 0 {
			return src.span(span.Start, end)
		}
	}
	return span
}

func (b *body) jump(s *cc.JumpStatement) {
	switch s.Case {
	case cc.JumpStatementBreak:
		if b.inSection() && len(b.exits) == b.barrier {
			b.leavesSection(s)
			return
		}
		j := &ir.Break{Label: b.labelOf(b.exits[len(b.exits)-1])}
		b.Locate(b.extent(s), func() { b.Stand(&j.StmtInfo, b.extent(s)) })
		b.Emit(j)
	case cc.JumpStatementContinue:
		n := len(b.exits) - 1
		for b.exits[n].loop == nil {
			n--
		}
		if b.inSection() && n < b.barrier {
			b.leavesSection(s)
			return
		}
		j := &ir.Continue{Label: b.labelOf(b.exits[n])}
		b.Locate(b.extent(s), func() { b.Stand(&j.StmtInfo, b.extent(s)) })
		b.Emit(j)
	case cc.JumpStatementReturn:
		if b.inSection() {
			b.leavesSection(s)
			return
		}
		b.Locate(b.returnSpan(s), func() { b.returning(s) })
	case cc.JumpStatementGoto:
		b.jumpTo(s)
	default:
		b.unsupported(s, "goto to a computed label", "use a switch")
	}
}

// inSection reports whether the statement stands in an atomic section of its
// function.
func (b *body) inSection() bool { return b.atomic > 0 && !isAtomicFunction(b.f) }

func (b *body) leavesSection(s *cc.JumpStatement) {
	b.unsupported(s, "jump out of an atomic section", "end the section before")
}

// returnSpan is the text of s without the semicolon.
func (b *body) returnSpan(s *cc.JumpStatement) ir.Span {
	span := b.extent(s)
	src := b.sources[span.File]
	if src == nil || s.ExpressionList == nil {
		if n := len("return"); span.End-span.Start > n {
			span.End = span.Start + n
		}
		return span
	}
	if e := b.extent(s.ExpressionList); e.File == span.File && e.End > span.Start {
		span.End = e.End
	}
	return span
}

func (b *body) returning(s *cc.JumpStatement) {
	r := &ir.Return{}
	e := s.ExpressionList
	switch {
	case e == nil:
	case len(b.f.results) == 0:
		b.Within(func() { b.effect(e) })
	case isRecord(b.f.typ.Result()):
		r.Values = b.structValues(e)
	default:
		o := &object{key: resultKey{b.f.sym}}
		if b.isTruth(b.f) {
			b.asCondition(e)
		}
		r.Values = []ir.Expr{b.asStored(e, place{typ: b.f.typ.Result(), vars: b.f.results, obj: o})}
	}
	b.leavesCleanup(s)
	b.endThread()
	b.endProgram()
	b.Stand(&r.StmtInfo, b.returnSpan(s))
	b.Emit(r)
}

// structValues lists the scalars of the struct e; the arrays in it are copied
// to the parameters that are there for them.
func (b *body) structValues(e cc.ExpressionNode) []ir.Expr {
	p, ok := b.place(e)
	if !ok {
		return nil
	}
	if !sameShape(p.typ, b.f.typ.Result()) || !p.many && p.raw == nil && len(p.vars) != len(b.f.results) {
		b.wrong(e, "return of %s from a function of type %s", p.typ, b.f.typ.Result())
		return nil
	}
	b.flowStruct(place{typ: p.typ, obj: &object{key: resultKey{b.f.sym}}}, p)
	p = b.dissolved(p)
	b.freeze(&p)
	var vs []ir.Expr
	for i, r := range b.f.results {
		v := b.expr(copyPlace(p), i, false)
		if isArray(r) {
			b.Within(func() { b.copyLeaf(b.extent(e), use(r, ir.Span{}), v) })
		} else {
			vs = append(vs, v)
		}
	}
	return vs
}
