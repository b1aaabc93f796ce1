package cfront

// Thread-local variables, and errno: arrays with an element for each thread, which all begin
// with the value that the variable is initialized with. In a program without
// threads they are like any others.

import "github.com/go-amend/amend/ir"

// perThread reports whether each thread has a g of its own.
func (l *loader) perThread(g *global) bool {
	return l.threaded && (g.decl.IsThreadLocal() || g.isErrno())
}

// copyForThreads makes g, whose initialization is made, one with a copy for each
// thread.
func (l *loader) copyForThreads(g *global) {
	o := g.object
	if o.refused {
		return
	}
	first := o.vars
	o.vars, o.copies, o.raw = nil, true, false
	for _, v := range first {
		w := &ir.Var{Name: v.Name, Type: ir.Array{Elem: v.Type, Len: maxThreads}, Kind: ir.Global, Span: v.Span, Scope: v.Scope}
		o.vars = append(o.vars, w)
		if len(g.stmts) == 0 {
			continue // zero
		}
		at := v.Span
		v.Name += ".initial"
		v.Span, v.Scope = ir.Span{}, ir.Span{}
		l.prog.Globals = append(l.prog.Globals, v)
		copies := l.init.Block(func() {
			l.init.Locate(at, func() {
				l.init.Within(func() {
					for i := range maxThreads {
						x := &ir.Index{X: use(w, ir.Span{}), I: &ir.Const{Val: uint64(i), Typ: tInt}}
						l.init.copyLeaf(at, x, use(v, ir.Span{}))
					}
				})
			})
		})
		g.stmts = append(g.stmts, copies.List...)
	}
}
