package gofront

// Switches. The clauses become nested blocks, as in package cfront, with a
// dispatch in the innermost one that evaluates the cases in order:
//
//	switch1: { case2: { case1: {
//	    t = e
//	    if (t == A) break case1
//	    if (t == B) break case2
//	    break switch1
//	} statements of case A; break switch1 } statements of case B }

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/go-amend/amend/ir"
)

func (b *body) switchStmt(s *ast.SwitchStmt) {
	x := b.enter(false)
	if s.Init != nil {
		b.stmt(s.Init)
	}
	clauses := make([]*ast.CaseClause, len(s.Body.List))
	labels := make([]string, len(clauses))
	for i, c := range s.Body.List {
		clauses[i] = c.(*ast.CaseClause)
		labels[i] = b.Label("case")
	}
	inner := b.Block(func() { b.dispatch(s, clauses, labels, x.label) })
	b.exits = append(b.exits, x)
	for i, c := range clauses {
		inner.Label = labels[i]
		before := inner
		inner = b.Block(func() {
			b.Emit(before)
			b.stmts(c.Body)
			if !fallsThrough(c) && i < len(clauses)-1 {
				b.Locate(ir.Span{}, func() { b.goTo(x.label) })
			}
		})
	}
	b.exits = b.exits[:len(b.exits)-1]
	inner.Label = x.label
	b.Emit(inner)
}

func fallsThrough(c *ast.CaseClause) bool {
	if len(c.Body) == 0 {
		return false
	}
	j, ok := c.Body[len(c.Body)-1].(*ast.BranchStmt)
	return ok && j.Tok == token.FALLTHROUGH
}

func (b *body) goTo(label string) {
	j := &ir.Break{Label: label}
	b.Derive(&j.StmtInfo)
	b.Emit(j)
}

// dispatch selects the clause.
func (b *body) dispatch(s *ast.SwitchStmt, clauses []*ast.CaseClause, labels []string, end string) {
	var tag *value
	if s.Tag != nil {
		b.Locate(b.span(s.Tag), func() { tag = b.switchTag(s) })
	}
	other := end
	for i, c := range clauses {
		if c.List == nil {
			other = labels[i]
		}
		for _, e := range c.List {
			b.caseTest(tag, s, e, labels[i])
		}
	}
	b.Locate(ir.Span{}, func() { b.goTo(other) })
}

// switchTag evaluates the tag once; the assignment stands for it.
func (b *body) switchTag(s *ast.SwitchStmt) *value {
	t := b.typ(s.Tag)
	v := b.convertTo(s.Tag, b.val(s.Tag), types.Default(t))
	if len(v.lay.leaves) != 1 || v.fn != nil || v.lay.size != 1 {
		v = b.snapshot(v)
		return &v
	}
	w := b.Temp("switch", v.lay.leaves[0].typ)
	a := &ir.Assign{LHS: use(w), RHS: b.marked(s.Tag, v)}
	b.Stand(&a.StmtInfo, b.span(s.Tag))
	b.Emit(a)
	v.regs = []*region{v.region(0)}
	v.x, v.mem, v.held = []ir.Expr{use(w)}, nil, false
	return &v
}

// caseTest leaves for the clause at label if e selects it. With a tag the
// cases are no sites: constants must stay different.
func (b *body) caseTest(tag *value, s *ast.SwitchStmt, e ast.Expr, label string) {
	span := b.span(e)
	b.Locate(span, func() {
		var c ir.Expr
		if tag == nil {
			c = b.expr(e)
		} else {
			b.Unchanged(func() { c = b.equal(e, *tag, b.convertTo(e, b.val(e), tag.typ)) })
		}
		i := &ir.If{Cond: c, Then: b.Block(func() { b.goTo(label) })}
		b.Stand(&i.StmtInfo, span)
		b.Emit(i)
	})
}

// selectType returns the clause for type t.
func (b *body) selectType(s *ast.TypeSwitchStmt, t types.Type) *ast.CaseClause {
	var other *ast.CaseClause
	for _, c := range s.Body.List {
		c := c.(*ast.CaseClause)
		if c.List == nil {
			other = c
		}
		for _, e := range c.List {
			if b.p.info.Types[e].IsNil() {
				continue
			}
			if b.assignable(t, b.typ(e)) {
				return c
			}
		}
	}
	return other
}

// assignable reports whether a value of dynamic type t has type to.
func (b *body) assignable(t, to types.Type) bool {
	if i, ok := to.Underlying().(*types.Interface); ok {
		return implements(t, i)
	}
	return typeKey(t) == typeKey(to)
}
