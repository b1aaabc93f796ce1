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

// A segment is the part of a switch that begins at one or more labels.
type segment struct {
	label  string
	values []*cc.LabeledStatement
	deflt  bool
	stmts  []*cc.BlockItem
	first  *cc.Statement // the one after the labels
}

func (b *body) switching(s *cc.SelectionStatement) {
	if s.Statement.Case != cc.StatementCompound {
		b.unsupported(s.Statement, "switch without a block", "write { … }")
		return
	}
	before, segs := b.segments(s.Statement.CompoundStatement)
	for _, i := range before {
		b.beforeCases(i)
	}
	end := b.Label("switch")
	inner := b.Block(func() { b.dispatch(s, segs, end) })
	b.exits = append(b.exits, end)
	for _, g := range segs {
		inner = b.Block(func() {
			b.Emit(&ir.Block{Label: g.label, List: inner.List})
			b.statement(g.first)
			for _, i := range g.stmts {
				b.item(i)
			}
		})
	}
	b.exits = b.exits[:len(b.exits)-1]
	inner.Label = end
	b.Emit(inner)
}

// beforeCases lowers what stands before the first case. Nothing there runs,
// but the names are known: what is declared has no value.
func (b *body) beforeCases(i *cc.BlockItem) {
	if i.Case != cc.BlockItemDecl {
		b.refuseLabels(i)
		return
	}
	if i.Declaration.Case == cc.DeclarationAuto {
		b.declaration(i.Declaration)
		return
	}
	for l := i.Declaration.InitDeclaratorList; l != nil; l = l.InitDeclaratorList {
		bare := *l.InitDeclarator
		switch d := bare.Declarator; {
		case !d.IsTypename() && isVariable(d.Type()):
			b.wrong(d, "switch jumps over the declaration of %s, whose length is computed", d.Name())
			b.scope[d] = &object{refused: true}
			continue
		case d.StorageDuration() != cc.Static:
			bare.Case = cc.InitDeclaratorDecl
		}
		b.initDeclarator(&bare)
	}
}

// refuseLabels refuses a statement that can be entered though nothing leads
// to its beginning.
func (b *body) refuseLabels(n cc.Node) {
	switch s := n.(type) {
	case *cc.LabeledStatement:
		if s != nil {
			b.unsupported(s, "label in a statement before the first case", "put it right inside the switch, after a case")
			return
		}
	case *cc.SelectionStatement:
		if s != nil && s.Case == cc.SelectionStatementSwitch {
			b.unsupported(s, "switch before the first case", "leave it out, it never runs")
			return
		}
	}
	b.u.text.tree.children(n, b.refuseLabels)
}

// segments cuts the switch's block at its labels.
func (b *body) segments(s *cc.CompoundStatement) (before []*cc.BlockItem, segs []*segment) {
	for l := s.BlockItemList; l != nil; l = l.BlockItemList {
		i := l.BlockItem
		if i.Case == cc.BlockItemStmt && isCase(i.Statement) {
			segs = append(segs, b.segment(i.Statement))
			continue
		}
		if len(segs) == 0 {
			before = append(before, i)
			continue
		}
		g := segs[len(segs)-1]
		g.stmts = append(g.stmts, i)
	}
	return before, segs
}

func isCase(s *cc.Statement) bool {
	return s.Case == cc.StatementLabeled && s.LabeledStatement.Case != cc.LabeledStatementLabel
}

func (b *body) segment(s *cc.Statement) *segment {
	g := &segment{label: b.Label("case")}
	for ; isCase(s); s = s.LabeledStatement.Statement {
		if s.LabeledStatement.Case == cc.LabeledStatementDefault {
			g.deflt = true
		} else {
			g.values = append(g.values, s.LabeledStatement)
		}
	}
	g.first = s
	return g
}

// dispatch selects the segment.
func (b *body) dispatch(s *cc.SelectionStatement, segs []*segment, end string) {
	span := b.extent(s.ExpressionList)
	b.Locate(span, func() {
		v := b.integer(s.ExpressionList)
		t := b.Temp("switch", v.Type())
		a := &ir.Assign{LHS: use(t, ir.Span{}), RHS: v}
		b.Stand(&a.StmtInfo, span)
		b.Emit(a)
		seen := map[uint64]bool{}
		other, defaults := end, 0
		for _, g := range segs {
			for _, c := range g.values {
				b.leaveFor(g.label, b.matches(t, c, seen))
			}
			if g.deflt {
				other = g.label
				if defaults++; defaults == 2 {
					b.wrong(s, "switch with two default labels")
				}
			}
		}
		b.leave(other)
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

func (b *body) leaveFor(label string, cond ir.Expr) {
	b.branchOn(cond, b.Block(func() { b.leave(label) }), nil)
}

func (b *body) leave(label string) {
	j := &ir.Break{Label: label}
	b.Derive(&j.StmtInfo)
	b.Emit(j)
}
