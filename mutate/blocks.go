package mutate

import (
	"github.com/go-amend/amend/ir"
)

// This file cuts the blocks of a program into statements of the source,
// between which there is room for others.

// A Block is a block of a procedure, cut into statements of the source,
// declarations among them.
type Block struct {
	Proc  *ir.Proc
	Stmts []*Statement

	block *ir.Block
	bare  bool // one statement, without brackets around it
	depth int
	at    map[int][]insertion // by index into block.List: what may be inserted there
	gone  map[int]*ir.If      // likewise: the slot that the statement there is in
	again map[int]*ir.If      // likewise: what leaves the loop that it becomes
}

// A Statement is one of the source, with all that it became.
type Statement struct {
	List  []ir.Stmt // a part of the block's
	All   []ir.Stmt // List, and what is inside
	Text  ir.Span
	Whole bool // Text is its own: it can be left out, and something put beside it
	Hard  bool // some of it must not change

	first int // where List begins in the block's
}

// blocks returns the blocks of the procedures that may change.
func (x *instrumented) blocks(hard func(ir.Stmt) bool) []*Block {
	c := &cutter{instrumented: x, hard: hard, texts: make(map[ir.Span]int), spans: make(map[ir.LocID]ir.Span)}
	x.p.Stmts(func(_ *ir.Proc, s ir.Stmt) { c.spans[s.Key()] = s.Span() })
	for _, f := range x.p.Procs {
		if !f.Hard {
			c.proc = f
			c.block(f.Body, ir.Span{}, 0)
		}
	}
	for _, b := range c.out {
		for _, it := range b.Stmts {
			it.Whole = len(x.orig.Files) == 0 || !it.Text.IsZero() && c.texts[it.Text] == 1
		}
	}
	return c.out
}

type cutter struct {
	*instrumented
	hard  func(ir.Stmt) bool
	proc  *ir.Proc
	texts map[ir.Span]int // statements that a text became
	spans map[ir.LocID]ir.Span
	out   []*Block
}

// block adds b, which is inside of the statement at around, and its blocks.
func (c *cutter) block(b *ir.Block, around ir.Span, depth int) {
	if b == nil || len(b.List) == 0 {
		return
	}
	s := &Block{
		Proc: c.proc, block: b, depth: depth, bare: c.bare(b),
		at: make(map[int][]insertion), gone: make(map[int]*ir.If), again: make(map[int]*ir.If),
	}
	c.out = append(c.out, s)
	for i, t := range b.List {
		text := c.textOf(t, around)
		last := len(s.Stmts) - 1
		if last < 0 || text.IsZero() || s.Stmts[last].Text != text {
			s.Stmts = append(s.Stmts, &Statement{first: i, Text: text})
			last++
		}
		it := s.Stmts[last]
		it.List = append(it.List, t)
		ir.EachStmt(&ir.Block{List: []ir.Stmt{t}}, func(t ir.Stmt) {
			it.All = append(it.All, t)
			it.Hard = it.Hard || c.hard != nil && c.hard(t)
		})
	}
	for _, it := range s.Stmts {
		c.texts[it.Text]++
		c.inner(it, around, depth)
	}
}

// inner adds the blocks of it.
func (c *cutter) inner(it *Statement, around ir.Span, depth int) {
	if !it.Text.IsZero() {
		around = it.Text
	}
	for _, t := range it.List {
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
func (c *cutter) textOf(s ir.Stmt, around ir.Span) ir.Span {
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
func (x *instrumented) bare(b *ir.Block) bool {
	return b.Pos.IsZero() && len(x.orig.Files) > 0 && ir.SyntaxOf(x.orig).Words().Bare
}

// anchor returns the statement beside which something may be put before the
// k-th statement of s, or after the last one: before it, or after it. It returns nil
// if neither has a place in the source. What ends something stands after a
// statement, if it can.
func (s *Block) anchor(k int, ends bool) (it *Statement, after bool) {
	before := k < len(s.Stmts) && s.Stmts[k].Whole
	switch {
	case k > 0 && s.Stmts[k-1].Whole && (ends || !before):
		return s.Stmts[k-1], true
	case before:
		return s.Stmts[k], false
	}
	return nil, false
}

// offset returns where in the block the k-th statement begins.
func (s *Block) offset(k int) int {
	if k == len(s.Stmts) {
		return len(s.block.List)
	}
	return s.Stmts[k].first
}

// whole returns the i-th statement of s, which must be Whole.
func (s *Block) whole(i int) *Statement {
	if !s.Stmts[i].Whole {
		panic("mutate: a statement without a text of its own can't have a slot")
	}
	return s.Stmts[i]
}
