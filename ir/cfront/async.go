package cfront

// Labels that start threads, as CBMC has them: __CPROVER_ASYNC_1: f(x); runs
// f(x) in a thread of its own, and so for other statements.

import (
	"fmt"
	"slices"
	"strings"

	"modernc.org/cc/v4"

	"github.com/go-amend/amend/ir"
)

func startsThread(s *cc.LabeledStatement) bool {
	return s != nil && s.Case == cc.LabeledStatementLabel && strings.HasPrefix(s.Token.SrcStr(), "__CPROVER_ASYNC_")
}

// startedCall is the call that the label of s starts as a thread, or nil.
func startedCall(s *cc.LabeledStatement) *cc.PostfixExpression {
	if !startsThread(s) || s.Statement.Case != cc.StatementExpr || s.Statement.ExpressionStatement.ExpressionList == nil {
		return nil
	}
	n, ok := unparen(s.Statement.ExpressionStatement.ExpressionList).(*cc.PostfixExpression)
	if !ok || n.Case != cc.PostfixExpressionCall || functionNamed(unstarred(n)) == nil {
		return nil
	}
	return n
}

// startLabeled lowers s. The arguments of a call are evaluated here, not in the
// thread, so that they may read nothing that another one changes.
func (b *body) startLabeled(s *cc.LabeledStatement) {
	n := startedCall(s)
	var f *function
	if n != nil {
		f = b.lookup(b.u, functionNamed(unstarred(n)))
	}
	switch {
	case b.atomic > 0:
		b.unsupported(s, "label that starts a thread here", "start it outside of the atomic section")
		return
	case f == nil || f.typ.IsVariadic():
		b.startStatement(s)
		return
	}
	b.procedure(f)
	nodes := arguments(n)
	if len(nodes) != len(f.params) {
		b.wrong(n, "%s called with %d arguments, want %d", f.sym.name, len(nodes), len(f.params))
		return
	}
	b.Locate(b.extent(n), func() {
		t := &ir.Spawn{Proc: f.proc}
		for i, p := range f.params {
			v, ok := b.threadArgument(p, nodes[i])
			if !ok {
				return
			}
			if v != nil {
				t.Args = append(t.Args, convert(v, p.vars[0].Type))
			}
		}
		b.Stand(&t.StmtInfo, b.extent(n))
		b.Emit(t)
	})
}

// threadArgument is e as the argument for p of a thread's function, nil if that
// ignores it.
func (b *body) threadArgument(p *param, e cc.ExpressionNode) (ir.Expr, bool) {
	switch {
	case b.acts(e):
	case p.kind == ignoredParam, p.kind == unnamedParam:
		return nil, true
	case p.kind == arrayParam:
		b.mem.notReference(p.obj.decl)
		return nil, false
	case p.kind == scalarParam:
		v := b.asStored(e, place{typ: p.typ, vars: p.vars, obj: p.obj})
		if readsGlobal(v) {
			b.unsupported(e, "argument for a thread that others may change", "copy it to a local variable first")
			return nil, false
		}
		return v, true
	}
	b.unsupported(e, "argument of this kind for a thread", "use a variable")
	return nil, false
}

// startStatement starts a thread that runs what s labels. It has the values of
// local variables, and changes none of them.
func (b *body) startStatement(s *cc.LabeledStatement) {
	if b.jumps(s.Statement) || b.returns(s.Statement) || b.declares(s.Statement) {
		b.unsupported(s, "label that starts a thread here", "label a statement without jumps and declarations")
		return
	}
	p := &ir.Proc{Name: fmt.Sprintf("%s.async.%d", b.f.sym.name, b.extent(s).Line), Body: &ir.Block{}, Hard: b.proc.Hard}
	w := b.newBody(b.u, b.f, p)
	w.flow, w.Fixed, w.loops = b.flow, b.Fixed, b.loops
	b.Locate(b.extent(s), func() {
		t := &ir.Spawn{Proc: p}
		for _, d := range b.localsIn(s.Statement) {
			o := b.scope[d]
			x := *o
			x.vars = nil
			for _, v := range o.vars {
				if v.Kind == ir.Global {
					x.vars = append(x.vars, v)
					continue
				}
				if isArray(v) {
					b.unsupported(s, "array "+d.Name()+" in the statement of a thread", "make it global")
					return
				}
				y := &ir.Var{Name: v.Name, Type: v.Type, Kind: ir.Param, Span: v.Span}
				x.vars = append(x.vars, y)
				p.Params = append(p.Params, y)
				t.Args = append(t.Args, use(v, ir.Span{}))
			}
			w.scope[d] = &x
		}
		b.Stand(&t.StmtInfo, b.extent(s))
		b.Emit(t)
	})
	w.statement(s.Statement)
	p.Body.List = w.List
	if writesAny(w.List, p.Params) {
		b.unsupported(s, "assignment to a local variable in the statement of a thread", "make it global")
	}
	b.wrappers = append(b.wrappers, p)
}

// declares reports whether n has a declaration in it.
func (b *body) declares(n cc.Node) bool {
	if d, ok := n.(*cc.Declaration); ok && d != nil {
		return true
	}
	found := false
	b.u.text.tree.children(n, func(c cc.Node) { found = found || b.declares(c) })
	return found
}

// localsIn lists the local variables that n names.
func (b *body) localsIn(n cc.Node) []*cc.Declarator {
	var ds []*cc.Declarator
	if p, ok := n.(*cc.PrimaryExpression); ok && p != nil {
		if d, ok := p.ResolvedTo().(*cc.Declarator); ok && b.scope[d] != nil {
			ds = append(ds, d)
		}
	}
	b.u.text.tree.children(n, func(c cc.Node) {
		for _, d := range b.localsIn(c) {
			if !slices.Contains(ds, d) {
				ds = append(ds, d)
			}
		}
	})
	return ds
}

// writesAny reports whether stmts may write one of vars.
func writesAny(stmts []ir.Stmt, vars []*ir.Var) bool {
	return slices.ContainsFunc(vars, func(v *ir.Var) bool { return changes(stmts, use(v, ir.Span{})) })
}
