package cfront

// The end of blocks: a variable that is left behind is gone wherever its block
// may just have ended (after it, at each turn of a loop around it, after a loop
// or switch that break leaves, at labels), and there where a jump enters the block.
// Statement expressions are no blocks of their own here.

import (
	"modernc.org/cc/v4"

	"github.com/go-amend/amend/ir"
)

// inBlock makes n the block that is being lowered, until what it returns is
// called.
func (b *body) inBlock(n cc.Node) func() {
	outer := b.block
	b.mem.outer[n], b.block = outer, n
	return func() { b.block = outer }
}

// dwell notes that the object with key k ends with the block being lowered.
func (b *body) dwell(k key) {
	if b.block != nil && b.mem.outer[b.block] != nil {
		b.mem.homes[k] = b.block
	}
}

// within reports whether the block n is outer or in it.
func (l *loader) within(n, outer cc.Node) bool {
	for n != nil && n != outer {
		n = l.mem.outer[n]
	}
	return n != nil
}

// outlivesBlock reports whether what c names may be there when the block of
// the object with key k, of f, has ended.
func (l *loader) outlivesBlock(c, k key, f *function) bool {
	home := l.mem.homes[k]
	if home == nil {
		return false
	}
	if d, ok := c.(*cc.Declarator); ok {
		switch g := l.mem.owners[d]; {
		case g != nil && l.changedByOthers(d, f, g):
			return true
		case g == f:
			return !l.within(l.mem.homes[d], home)
		}
	}
	return l.endsLater(c, f)
}

// endBlocks emits that the objects are gone whose blocks are those that ended.
func (b *body) endBlocks(ended func(home cc.Node) bool) {
	b.eachHome(func(o *object, home cc.Node) {
		if ended(home) {
			b.set(use(o.gone, ir.Span{}), number(1, tBool))
		}
	})
}

// landInBlock emits what is there where a jump arrives.
func (b *body) landInBlock() {
	b.eachHome(func(o *object, home cc.Node) {
		gone := uint64(1)
		if b.within(b.block, home) {
			gone = 0
		}
		b.set(use(o.gone, ir.Span{}), number(gone, tBool))
	})
}

// eachHome runs do for each object of the function that may be left behind by a
// block of it.
func (b *body) eachHome(do func(o *object, home cc.Node)) {
	for _, k := range b.mem.leaves[b.f] {
		home := b.mem.homes[k]
		if home == nil {
			continue
		}
		if o := b.objectOf(k); o != nil && o.gone != nil {
			b.Locate(ir.Span{}, func() { do(o, home) })
		}
	}
}

// isJump reports whether nothing runs after s.
func isJump(s ir.Stmt) bool {
	switch s.(type) {
	case *ir.Return, *ir.Break, *ir.Continue:
		return true
	}
	return false
}
