package cfront

// The end of local variables. One that some pointer may lead to which outlives
// the run of its function, or its block, has a variable that says that it is gone, set after
// the call. Whether a pointer does is known from where it is stored: a pointer
// that only callees hold is never left behind. See scopes.go for blocks.

import (
	"modernc.org/cc/v4"

	"github.com/go-amend/amend/ir"
)

// owner is the function that the object with key k ends with: of a variable
// whose address is taken, a compound literal, or what alloca makes; else nil.
func (l *loader) owner(k key) *function {
	switch k := k.(type) {
	case *cc.Declarator:
		return l.mem.owners[k]
	case heapKey:
		if l.mem.ancestors[k] != nil && !l.isFreed(k) {
			return l.mem.owners[heapKey{site: k.site}]
		}
	}
	return nil
}

// own notes that the object with key k ends with the function that b is.
func (b *body) own(k key) {
	if b.f != nil && b.mem.owners[k] == nil {
		b.mem.owners[k] = b.f
	}
}

// ending gives o, called name, what says that it is gone, if it may be.
func (l *loader) ending(o *object, name string) {
	if o.runs {
		l.endingRun(o)
		return
	}
	leaks := l.checksLeaks() && l.isFreed(o.key)
	if !l.mem.freed[o.key] && !l.mem.left[o.key] && !leaks {
		return
	}
	o.gone = &ir.Var{Name: name + ".gone", Type: tBool, Kind: ir.Global}
	l.prog.Globals = append(l.prog.Globals, o.gone)
	if leaks {
		l.init.Locate(ir.Span{}, func() { l.init.set(use(o.gone, ir.Span{}), number(1, tBool)) })
	}
}

// stored notes that what is in t is stored in c.
func (l *loader) stored(c cell, t *targets) {
	l.mem.flow(c, t)
	l.outlives(c.key, t)
}

// outlives notes which of the objects in t end before c, in which pointers to
// them are stored.
func (l *loader) outlives(c key, t *targets) {
	if l.threaded {
		return
	}
	for _, s := range t.list {
		if f := l.owner(s.key); f != nil && (f != l.entry() && l.endsLater(c, f) || l.outlivesBlock(c, s.key, f)) {
			l.leave(s.key, f)
		}
	}
}

// leave notes that pointers to the object with key k, of f, may be left behind.
func (l *loader) leave(k key, f *function) {
	if !l.mem.left[k] {
		l.mem.left[k], l.mem.grown = true, true
		l.mem.leaves[f] = append(l.mem.leaves[f], k)
	}
}

// endsLater reports whether what k names may be there when f has returned.
func (l *loader) endsLater(k key, f *function) bool {
	var g *function
	switch k := k.(type) {
	case resultKey:
		if g = l.funcs[k.sym]; g == f {
			return true
		}
	case *cc.Declarator:
		g = l.mem.owners[k]
	}
	return g == nil || g != f && !l.mayRun(f, g)
}

// mayRun is reaches, asked once.
func (l *loader) mayRun(f, g *function) bool {
	pair := [2]*function{f, g}
	is, known := l.mem.reached[pair]
	if !known {
		is = l.reaches(f, g)
		l.mem.reached[pair] = is
	}
	return is
}

// endLocals emits that f has returned.
func (b *body) endLocals(f *function) {
	for _, k := range b.mem.leaves[f] {
		if o := b.objectOf(k); o != nil && o.gone != nil {
			b.set(use(o.gone, ir.Span{}), number(1, tBool))
		}
	}
}

// beginLocal emits that o, a variable of the function being lowered, is there.
func (b *body) beginLocal(o *object) {
	if o.gone != nil {
		b.set(use(o.gone, ir.Span{}), number(0, tBool))
	}
}
