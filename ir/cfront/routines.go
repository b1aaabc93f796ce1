package cfront

// Threads whose function is computed: a pointer chooses it among those whose
// address the program takes, as dispatch.go has it for calls.

import (
	"modernc.org/cc/v4"

	"github.com/go-amend/amend/ir"
)

// startsAny reports whether f starts threads that run what a pointer points at.
func (f *function) startsAny() bool { return f.unit.text.startsAny[f.def] }

// findRoutines notes whether threads may run any function whose address is taken.
func (l *loader) findRoutines() {
	for _, f := range l.funcs {
		l.anyStarted = l.anyStarted || f.startsAny()
	}
}

// createComputed is create for a function that is computed. The other arguments
// are lowered for each function that this may be.
func (b *body) createComputed(n *cc.PostfixExpression, args []cc.ExpressionNode) []ir.Expr {
	v, ok := b.pointer(args[2], nil)
	if !ok {
		return nil
	}
	num, to := b.number(args[2], v)
	num = b.plain(num)
	var fs []*function
	for _, s := range to.list {
		k, ok := s.key.(codeKey)
		if !ok {
			continue
		}
		if !isRoutine(k.f.typ) {
			b.unsupported(args[2], "thread that runs "+k.f.sym.name+", which has another type", "give it that of pthread_create")
			return nil
		}
		fs = append(fs, k.f)
	}
	b.checkCode(n, num, fs)
	b.Unchanged(func() { b.startOneOf(n, args, num, fs) })
	return success()
}

// startOneOf emits that the one of fs starts that num is the number of.
func (b *body) startOneOf(n *cc.PostfixExpression, args []cc.ExpressionNode, num ir.Expr, fs []*function) {
	if len(fs) == 0 {
		return
	}
	then := b.Block(func() { b.Within(func() { b.createOf(n, args, fs[0]) }) })
	els := b.Optional(func() { b.startOneOf(n, args, num, fs[1:]) })
	b.branchOn(b.isCode(num, fs[0]), then, els)
}

// isRoutine reports whether functions of type t are void *f(void *), or the same
// of pointers to other types.
func isRoutine(t *cc.FunctionType) bool {
	ps := parameters(t)
	return len(ps) == 1 && ps[0].Type().Kind() == cc.Ptr && t.Result().Kind() == cc.Ptr && !t.IsVariadic()
}
