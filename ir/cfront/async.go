package cfront

// Labels that start threads, as CBMC has them: __CPROVER_ASYNC_1: f(x); runs
// f(x) in a thread of its own.

import (
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

// startLabeled lowers s. The arguments are evaluated here, not in the thread,
// so that they may read nothing that another one changes.
func (b *body) startLabeled(s *cc.LabeledStatement) {
	n := startedCall(s)
	var f *function
	if n != nil {
		f = b.lookup(b.u, functionNamed(unstarred(n)))
	}
	if f == nil || b.atomic > 0 || f.typ.IsVariadic() {
		b.unsupported(s, "label that starts a thread here", "label the call of a function that is defined")
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
			if p.kind != scalarParam || b.acts(nodes[i]) {
				b.unsupported(nodes[i], "argument of this kind for a thread", "use a variable")
				return
			}
			v := b.asStored(nodes[i], place{typ: p.typ, vars: p.vars, obj: p.obj})
			if readsGlobal(v) {
				b.unsupported(nodes[i], "argument for a thread that others may change", "copy it to a local variable first")
				return
			}
			t.Args = append(t.Args, convert(v, p.vars[0].Type))
		}
		b.Stand(&t.StmtInfo, b.extent(n))
		b.Emit(t)
	})
}
