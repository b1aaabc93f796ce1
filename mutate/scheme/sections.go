package scheme

import (
	"slices"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/mutate"
)

// This file says what the blocks of a program and the statements in them are
// to threads.

// A section is a block of a procedure.
type section struct {
	*mutate.Block
	items []*item
	at    map[int][]*slot // what may be inserted before the item, in order
}

// An item is a statement of the source, with all that it became.
type item struct{ *mutate.Statement }

func newSection(b *mutate.Block) *section {
	sec := &section{Block: b, at: make(map[int][]*slot)}
	for _, s := range b.Stmts {
		sec.items = append(sec.items, &item{s})
	}
	return sec
}

// insert notes what may be inserted.
func (s *section) insert(t *slot) {
	list := append(s.at[t.item], t)
	slices.SortStableFunc(list, func(a, b *slot) int { return int(a.order) - int(b.order) })
	s.at[t.item] = list
}

// ends reports whether it leaves the block.
func (it *item) ends() bool {
	switch it.List[len(it.List)-1].(type) {
	case *ir.Return, *ir.Break, *ir.Continue:
		return true
	}
	return false
}

// beyond reports whether no run gets to what stands before the k-th item.
func (s *section) beyond(k int) bool { return slices.ContainsFunc(s.items[:k], (*item).ends) }

// some reports whether f is true of a statement of it.
func (it *item) some(f func(ir.Stmt) bool) bool { return slices.ContainsFunc(it.All, f) }

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
