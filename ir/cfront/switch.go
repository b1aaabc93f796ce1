package cfront

// Switches. The cases become nested blocks that end where the next case
// begins; a dispatch in the innermost one leaves as many of them as lie
// before the case that it selects:
//
//	switch1: { case2: { case1: {
//	    t = e
//	    if (t == A) break case1
//	    if (t == B) break case2
//	    break switch1
//	} statements of case A } statements of case B }

import (
	"modernc.org/cc/v4"

	"github.com/go-amend/amend/ir"
)

func (b *body) switching(s *cc.SelectionStatement) {
	defer b.inBlock(s)()
	l := b.flow.lists[listKey(s.Statement)]
	nodes := nodesOf(s.Statement)
	for _, i := range nodes[:len(nodes)-l.nodes()] {
		b.beforeCases(i)
	}
	for _, x := range l.items {
		if x.inSwitch() {
			x.label = b.Label("case")
		}
	}
	end := b.Label("switch")
	inner := b.Block(func() {
		b.exits = append(b.exits, exit{block: end})
		b.items(l, func() { b.dispatch(s, l, end) })
		b.exits = b.exits[:len(b.exits)-1]
	})
	inner.Label = end
	b.Emit(inner)
	b.endBlocks(func(home cc.Node) bool { return b.within(home, s) })
}

// beforeCases lowers what stands before the first case. Nothing there runs,
// but the names are known: what is declared has no value.
func (b *body) beforeCases(i *cc.BlockItem) {
	if i.Case != cc.BlockItemDecl {
		return
	}
	if i.Declaration.Case == cc.DeclarationAuto {
		b.declaration(i.Declaration)
		return
	}
	for l := i.Declaration.InitDeclaratorList; l != nil; l = l.InitDeclaratorList {
		bare := *l.InitDeclarator
		switch d := bare.Declarator; {
		case !d.IsTypename() && isRow(d.Type()):
			b.wrong(d, "switch jumps over the declaration of %s, whose length is computed", d.Name())
			b.scope[d] = &object{refused: true}
			continue
		case d.StorageDuration() != cc.Static:
			bare.Case = cc.InitDeclaratorDecl
		}
		b.initDeclarator(&bare)
	}
}

// dispatch jumps to the case.
func (b *body) dispatch(s *cc.SelectionStatement, l *list, end string) {
	span := b.extent(s.ExpressionList)
	b.Locate(span, func() {
		v := b.integer(s.ExpressionList)
		t := b.Temp("switch", v.Type())
		a := &ir.Assign{LHS: use(t, ir.Span{}), RHS: v}
		b.Stand(&a.StmtInfo, span)
		b.Emit(a)
		seen := map[uint64]bool{}
		var other *jump
		for _, j := range b.flow.jumps {
			c, ok := j.node.(*cc.LabeledStatement)
			switch {
			case !ok || j.start != l:
			case c.Case != cc.LabeledStatementDefault:
				b.branchOn(b.matches(t, c, seen), b.Block(func() { b.follow(j) }), nil)
			case other != nil:
				b.wrong(s, "switch with two default labels")
			default:
				other = j
			}
		}
		if other != nil {
			b.follow(other)
		} else {
			b.leave(end)
		}
	})
}

// matches is the condition that t selects case c.
func (b *body) matches(t *ir.Var, c *cc.LabeledStatement, seen map[uint64]bool) ir.Expr {
	x := func() ir.Expr { return use(t, ir.Span{}) }
	lo := b.caseValue(c.ConstantExpression, t.Type)
	if c.Case != cc.LabeledStatementRange {
		if seen[lo.Val] {
			b.wrong(c, "case %s is there twice", ir.FormatValue(t.Type, lo.Val))
		}
		seen[lo.Val] = true
		return &ir.Binary{Op: ir.Eq, X: x(), Y: lo}
	}
	hi := b.caseValue(c.ConstantExpression2, t.Type)
	from := &ir.Binary{Op: ir.Ge, X: x(), Y: lo}
	return &ir.Binary{Op: ir.LAnd, X: from, Y: &ir.Binary{Op: ir.Le, X: x(), Y: hi}}
}

// caseValue is no site: cases must stay constant and different.
func (b *body) caseValue(e cc.ExpressionNode, t ir.Type) *ir.Const {
	n, ok := literal(e.Value())
	if !ok || !e.Pure() {
		b.wrong(e, "case is not an integer constant")
	}
	return &ir.Const{ExprInfo: ir.ExprInfo{Pos: b.span(e)}, Val: ir.Wrap(t, n), Typ: t}
}

func (b *body) leave(label string) {
	j := &ir.Break{Label: label}
	b.Derive(&j.StmtInfo)
	b.Emit(j)
}
