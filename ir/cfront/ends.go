package cfront

// What runs when the program or a thread ends: the functions that atexit got, and
// the destructors of what threads have under keys. Both are loops in the library,
// which nothing in the text calls.

import (
	"modernc.org/cc/v4"

	"github.com/go-amend/amend/ir"
)

// findEnds notes which of these loops the program has.
func (l *loader) findEnds() {
	if l.library != nil {
		l.atExit = l.funcs[symbol{unit: l.library, name: "run_at_exit"}]
		l.atThreadEnd = l.funcs[symbol{unit: l.library, name: "end_of_thread"}]
	}
}

// ends are the loops that may run where f returns.
func (l *loader) ends(f *function) []*function {
	var fs []*function
	if l.atExit != nil && f == l.entry() {
		fs = append(fs, l.atExit)
	}
	if l.atThreadEnd != nil && (f == l.entry() || l.isStarted(f)) {
		fs = append(fs, l.atThreadEnd)
	}
	return fs
}

// runAtExit emits the calls of the functions that atexit got.
func (b *body) runAtExit() {
	if b.atExit == nil {
		return
	}
	if b.entered {
		b.unsupported(b.f.def.Declarator, "call of the entry, with functions to run at exit", "call another function")
		return
	}
	b.runEnd(b.atExit)
}

// endThread emits the calls of destructors where the function of a thread returns.
func (b *body) endThread() {
	switch {
	case b.atThreadEnd == nil || !b.isStarted(b.f):
	case b.anyStarted:
		b.unsupported(b.f.def.Declarator, "key of thread-specific data, with threads whose function is computed", "name the function")
	case b.isCalledDirectly(b.f):
		b.unsupported(b.f.def.Declarator, "call of the function of a thread, with thread-specific data", "call another function")
	default:
		b.runEnd(b.atThreadEnd)
	}
}

// runEnd emits the call of f, in whose statements nothing stands in the program's text but
// where this function does.
func (b *body) runEnd(f *function) {
	if f.at.IsZero() {
		f.at = b.u.nameSpan(b.f.def.Declarator)
	}
	b.procedure(f)
	c := &ir.Call{Proc: f.proc}
	b.Derive(&c.StmtInfo)
	b.Emit(c)
}

// endsExits refuses the call n of f if it may end the run while the functions that atexit
// got run: C leaves open what follows.
func (b *body) endsExits(f *function) {
	if b.f == b.atExit && f.exits {
		b.fail(&ir.UnsupportedError{Span: f.unit.nameSpan(f.def.Declarator), Construct: "exit in a function that runs at exit", Hint: "return"})
	}
}

// cleanupName is what pthread_cleanup_push of this package declares.
const cleanupName = "__cleanup_routine"

// leavesCleanup refuses n if it ends the function between pthread_cleanup_push and
// its pop.
func (b *body) leavesCleanup(n cc.Node) {
	uses := false
	for d := range b.scope {
		uses = uses || d.Name() == cleanupName
	}
	if uses && b.isInCleanup(b.f.def.CompoundStatement, n, false) {
		b.unsupported(n, "end of a function between pthread_cleanup_push and pthread_cleanup_pop", "jump to the latter")
	}
}

// isInCleanup reports whether n is in x, and in a block that pthread_cleanup_push
// opens; inside says that x is in one.
func (b *body) isInCleanup(x, n cc.Node, inside bool) bool {
	if x == n {
		return inside
	}
	if c, ok := x.(*cc.CompoundStatement); ok {
		inside = inside || declares(c, cleanupName)
	}
	found := false
	b.u.text.tree.children(x, func(c cc.Node) { found = found || b.isInCleanup(c, n, inside) })
	return found
}

// declares reports whether the block c itself declares name.
func declares(c *cc.CompoundStatement, name string) bool {
	for i := c.BlockItemList; i != nil; i = i.BlockItemList {
		if i.BlockItem.Case != cc.BlockItemDecl {
			continue
		}
		for d := i.BlockItem.Declaration.InitDeclaratorList; d != nil; d = d.InitDeclaratorList {
			if d.InitDeclarator.Declarator.Name() == name {
				return true
			}
		}
	}
	return false
}
