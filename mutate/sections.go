package mutate

import (
	"slices"

	"github.com/go-amend/amend/ir"
)

// This file says where statements about threads may come and go: between the
// whole statements of the blocks of the source, declarations among them.

// A section is a block of a procedure.
type section struct {
	proc  *ir.Proc
	block *ir.Block
	items []*item
	bare  bool // one statement, without brackets around it
	depth int
	at    map[int][]*slot // by index into block.List: what may be inserted there
	gone  map[int]*slot   // likewise: whether the statement there stays
	again map[int]*slot   // likewise: whether its condition is tested again
}

// An item is a statement of the source, with all that it became.
type item struct {
	list  []ir.Stmt // a part of the block's
	first int       // where it begins
	all   []ir.Stmt // list, and what is inside
	text  ir.Span
	known bool // text is its own
	hard  bool
}

// sections returns the blocks of the procedures that may change.
func (x *latents) sections(hard func(ir.Stmt) bool) []*section {
	c := &sectioner{latents: x, hard: hard, texts: make(map[ir.Span]int), spans: make(map[ir.LocID]ir.Span)}
	x.p.Stmts(func(_ *ir.Proc, s ir.Stmt) { c.spans[s.Key()] = s.Span() })
	for _, f := range x.p.Procs {
		if !f.Hard {
			c.proc = f
			c.block(f.Body, ir.Span{}, 0)
		}
	}
	for _, s := range c.out {
		for _, it := range s.items {
			it.known = len(x.orig.Files) == 0 || !it.text.IsZero() && c.texts[it.text] == 1
		}
	}
	return c.out
}

type sectioner struct {
	*latents
	hard  func(ir.Stmt) bool
	proc  *ir.Proc
	texts map[ir.Span]int // items that a text became
	spans map[ir.LocID]ir.Span
	out   []*section
}

// block adds b, which is inside of the statement at around, and its blocks.
func (c *sectioner) block(b *ir.Block, around ir.Span, depth int) {
	if b == nil || len(b.List) == 0 {
		return
	}
	s := &section{
		proc: c.proc, block: b, depth: depth, bare: c.bare(b),
		at: make(map[int][]*slot), gone: make(map[int]*slot), again: make(map[int]*slot),
	}
	c.out = append(c.out, s)
	for i, t := range b.List {
		text := c.textOf(t, around)
		last := len(s.items) - 1
		if last < 0 || text.IsZero() || s.items[last].text != text {
			s.items = append(s.items, &item{first: i, text: text})
			last++
		}
		it := s.items[last]
		it.list = append(it.list, t)
		eachStmt(&ir.Block{List: []ir.Stmt{t}}, func(t ir.Stmt) {
			it.all = append(it.all, t)
			it.hard = it.hard || c.hard != nil && c.hard(t)
		})
	}
	for _, it := range s.items {
		c.texts[it.text]++
		c.inner(it, around, depth)
	}
}

// inner adds the blocks of it.
func (c *sectioner) inner(it *item, around ir.Span, depth int) {
	if !it.text.IsZero() {
		around = it.text
	}
	for _, t := range it.list {
		switch t := t.(type) {
		case *ir.Block:
			c.block(t, around, depth+1)
		case *ir.Atomic: // no waiting in there
		default:
			for _, b := range t.Blocks(nil) {
				c.block(b, around, depth+1)
			}
		}
	}
}

// textOf returns the text of the smallest statement of the source that s was
// made for, inside around; zero if there is none.
func (c *sectioner) textOf(s ir.Stmt, around ir.Span) ir.Span {
	if w := ir.StmtOf(s).Whole; !w.IsZero() {
		return w
	}
	at := s.Span()
	if at.IsZero() {
		at = c.spans[s.Loc()]
	}
	var found ir.Span
	for _, x := range c.orig.Outline {
		if !at.IsZero() && inside(at, x.Span) && (around.IsZero() || x.Span != around && inside(x.Span, around)) && (found.IsZero() || inside(x.Span, found)) {
			found = x.Span
		}
	}
	return found
}

// bare reports whether b is a statement without brackets around it.
func (x *latents) bare(b *ir.Block) bool {
	return b.Pos.IsZero() && len(x.orig.Files) > 0 && ir.SyntaxOf(x.orig).Words().Bare
}

// anchor returns the statement beside which something may be put before the
// k-th item of s, or after the last one: before it, or after it. It returns nil
// if neither has a place in the source. What ends something stands after a
// statement, if it can.
func (s *section) anchor(k int, ends bool) (it *item, after bool) {
	before := k < len(s.items) && s.items[k].known
	switch {
	case k > 0 && s.items[k-1].known && (ends || !before):
		return s.items[k-1], true
	case before:
		return s.items[k], false
	}
	return nil, false
}

// offset returns where in the block the k-th item begins.
func (s *section) offset(k int) int {
	if k == len(s.items) {
		return len(s.block.List)
	}
	return s.items[k].first
}

// ends reports whether it leaves the block.
func (it *item) ends() bool {
	switch it.list[len(it.list)-1].(type) {
	case *ir.Return, *ir.Break, *ir.Continue:
		return true
	}
	return false
}

// beyond reports whether no run gets to what stands before the k-th item.
func (s *section) beyond(k int) bool { return slices.ContainsFunc(s.items[:k], (*item).ends) }

// some reports whether f is true of a statement of it.
func (it *item) some(f func(ir.Stmt) bool) bool { return slices.ContainsFunc(it.all, f) }

// jumps reports whether some of it leads elsewhere than to what stands after
// it, where a mutex would be held for good.
func (it *item) jumps() bool {
	return it.some(func(s ir.Stmt) bool {
		switch s.(type) {
		case *ir.Return, *ir.Break, *ir.Continue:
			return true
		}
		return false
	})
}

// starts reports whether some of it starts a thread.
func (it *item) starts() bool {
	return it.some(func(s ir.Stmt) bool {
		_, ok := s.(*ir.Spawn)
		return ok
	})
}

// sited reports whether some of it may change.
func (it *item) sited() bool {
	return it.some(func(s ir.Stmt) bool {
		found := false
		ir.EachExpr(s, func(e *ir.Expr) { found = found || (*e).Site() != 0 })
		return found
	})
}
