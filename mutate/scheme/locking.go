package scheme

import (
	"fmt"
	"slices"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/mutate"
)

// This file plans the changes of the scheme Locks: which statements about
// threads may come and go, and which of them together. Each has a slot.

// A locking is what a program with slots may change about threads.
type locking struct {
	s        *mutate.Slots
	p        *ir.Program
	syntax   ir.ThreadSyntax
	sections []*section
	mutexes  []*mutex
	locked   map[*ir.Var]bool // statements take them, or a part of them
	shared   map[*ir.Var]bool // what threads share, but mutexes and the like
	slots    map[slotName]*slot
	changes  []lockChange
}

// A lockChange is a change of the scheme, by the slots that it sets.
type lockChange struct {
	kind  string
	cost  int
	slots []*slot
}

// A slot is one of the program, for something of the scheme.
type slot struct {
	slotName
	id    mutate.Slot
	order mutate.Order
}

// A slotName says where a slot is, and for what.
type slotName struct {
	sec  *section
	item int // before which it is, or which it is
	form string
}

// The forms of the slots of statements that are there.
const (
	stays = "stays"
	again = "again"
)

// planLocks adds the changes of the scheme to a program with threads, if its
// language writes them.
func planLocks(s *mutate.Slots) {
	p := s.Program()
	syntax, ok := ir.SyntaxOf(p).(ir.ThreadSyntax)
	if !ok || !ir.Concurrent(p) {
		return
	}
	k := &locking{s: s, p: p, syntax: syntax, shared: make(map[*ir.Var]bool), slots: make(map[slotName]*slot)}
	for _, b := range s.Blocks() {
		k.sections = append(k.sections, newSection(b))
	}
	k.variables()
	k.mutexes = k.declared()
	k.named()
	for _, sec := range k.sections {
		k.retests(sec)
		k.moves(sec)
		k.joins(sec)
		k.protect(sec)
		k.events(sec)
	}
	k.reorder()
	k.unlocks()
	for _, c := range k.distinct() {
		var ids []mutate.Slot
		for _, t := range c.slots {
			ids = append(ids, t.id)
		}
		s.Change(c.kind, c.cost, ids...)
	}
}

// variables finds out what threads share.
func (k *locking) variables() {
	shared := ir.Shared(k.p)
	handles := k.p.Handles()
	for _, v := range k.p.Globals {
		k.shared[v] = shared[v.ID] && !handles[v] && v.Lock == ""
	}
}

// add adds a change, unless there is no place for one of its slots.
func (k *locking) add(kind string, cost int, slots ...*slot) {
	if !slices.Contains(slots, nil) {
		k.changes = append(k.changes, lockChange{kind, cost, slots})
	}
}

// slotAt returns the slot of a name, which make makes if there is none. It
// returns nil if there is no place for it.
func (k *locking) slotAt(n slotName, order mutate.Order, make func() mutate.Slot) *slot {
	t, ok := k.slots[n]
	if !ok {
		if id := make(); id != 0 {
			t = &slot{n, id, order}
			if n.form != stays && n.form != again {
				n.sec.insert(t)
			}
		}
		k.slots[n] = t
	}
	return t
}

// insert returns the slot for f before the i-th item of sec, or after all.
func (k *locking) insert(sec *section, i int, f mutate.Fragment, name string) *slot {
	return k.slotAt(slotName{sec, i, name}, f.Order, func() mutate.Slot { return k.s.Insert(sec.Block, i, f) })
}

// leave returns the slot of the i-th item of sec, a plain statement: whether it
// stays.
func (k *locking) leave(sec *section, i int) *slot {
	return k.slotAt(slotName{sec, i, stays}, mutate.Stands, func() mutate.Slot { return k.s.Remove(sec.Block, i) })
}

// take returns the slot that takes m before the i-th item of sec, and free that
// which frees it.
func (k *locking) take(sec *section, i int, m *mutex) *slot { return k.put(sec, i, m, m.take) }

func (k *locking) free(sec *section, i int, m *mutex) *slot { return k.put(sec, i, m, m.free) }

// put returns the slot for a form of m, if m can be named there.
func (k *locking) put(sec *section, i int, m *mutex, f mutate.Fragment) *slot {
	if m.proc != nil && m.proc != sec.Proc {
		return nil
	}
	return k.insert(sec, i, f, formName(f.Order, m.key))
}

// formName returns a name for a form of one of the orders.
func formName(order mutate.Order, key string) string { return fmt.Sprintf("%d %s", order, key) }

// moves moves the ends of the critical sections of sec, and joins two.
func (k *locking) moves(sec *section) {
	for i, it := range sec.items {
		m, takes := k.about(sec.Proc, it)
		if m == nil {
			continue
		}
		k.up(sec, i, m, takes)
		k.down(sec, i, m, takes)
	}
}

// bars reports whether the end of a critical section of m can't be moved past
// it.
func (k *locking) bars(sec *section, it *item, m *mutex) bool {
	return it.Hard || it.jumps() || k.concerns(sec.Proc, it, m)
}

// up moves what takes or frees m up, from the i-th item of sec, and down likewise.
func (k *locking) up(sec *section, i int, m *mutex, takes bool) {
	for at := i - 1; at >= 0 && !k.bars(sec, sec.items[at], m); at-- {
		if at > 0 && !takes && k.concerns(sec.Proc, sec.items[at-1], m) {
			return // nothing would be left in the section
		}
		k.move(sec, i, at, m, takes)
	}
}

func (k *locking) down(sec *section, i int, m *mutex, takes bool) {
	for at := i + 1; at < len(sec.items); at++ {
		it := sec.items[at]
		if other, locks := k.about(sec.Proc, it); other == m && locks && !takes {
			k.add("widen", 4, k.leave(sec, i), k.leave(sec, at))
		}
		if k.bars(sec, it, m) || at+1 < len(sec.items) && takes && k.concerns(sec.Proc, sec.items[at+1], m) {
			return
		}
		k.move(sec, i, at+1, m, !takes)
	}
}

// move moves the i-th item of sec, which takes or frees m, before the at-th.
func (k *locking) move(sec *section, i, at int, m *mutex, widens bool) {
	if sec.beyond(at) {
		return
	}
	kind, distance := "narrow", at-i-1
	if at < i {
		distance = i - at
	}
	if widens {
		kind = "widen"
	}
	k.add(kind, 3+distance, k.leave(sec, i), k.moved(sec, i, at, m.key))
}

// moved returns the slot for the i-th item of sec before the at-th.
func (k *locking) moved(sec *section, i, at int, key string) *slot {
	it := sec.items[i]
	order := mutate.Stands
	switch k.main(it, k.isLock).(type) {
	case *ir.Lock:
		order = mutate.Begins
	case *ir.Unlock:
		order = mutate.Ends
	}
	if it.sited() { // which change with it
		key += fmt.Sprintf(" from %d", it.List[0].Key())
	}
	return k.insert(sec, at, mutate.Fragment{Stmts: it.List, Text: k.words(it), Moved: it.Text, Order: order}, formName(order, key))
}

// reorder exchanges two locks of a procedure.
func (k *locking) reorder() {
	type place struct {
		sec *section
		i   int
		m   *mutex
	}
	by := make(map[*ir.Proc][]place)
	for _, sec := range k.sections {
		for i, it := range sec.items {
			m, takes := k.about(sec.Proc, it)
			if m == nil || !takes {
				continue
			}
			for _, p := range by[sec.Proc] {
				if p.m != m {
					k.add("reorder", 1, k.leave(p.sec, p.i), k.take(p.sec, p.i, m), k.leave(sec, i), k.take(sec, i, p.m))
				}
			}
			by[sec.Proc] = append(by[sec.Proc], place{sec, i, m})
		}
	}
}

// joins adds and moves joins in sec.
func (k *locking) joins(sec *section) {
	for i, it := range sec.items {
		if k.joinOf(it) != nil {
			k.moveJoin(sec, i)
		}
		if it.Hard {
			continue
		}
		for _, s := range it.List {
			if s, ok := s.(*ir.Spawn); ok && s.Thread != nil && !sec.waitsFor(s) {
				k.addJoin(sec, i, s)
			}
		}
	}
}

// joinOf returns the statement that waits for one thread, if it is nothing
// else.
func (k *locking) joinOf(it *item) *ir.Join {
	if it.Hard || !it.Whole {
		return nil
	}
	s, _ := k.main(it, func(s ir.Stmt) bool {
		j, ok := s.(*ir.Join)
		return ok && j.Thread != nil
	}).(*ir.Join)
	return s
}

// sequential is what it costs more to let one thread wait before another
// starts.
const sequential = 10

// moveJoin moves the i-th item of sec, which waits for a thread.
func (k *locking) moveJoin(sec *section, i int) {
	for at := range len(sec.items) + 1 {
		if at == i || at == i+1 || sec.beyond(at) {
			continue
		}
		cost := 3 + max(i-at, at-i)
		if slices.ContainsFunc(sec.items[min(i, at):max(i, at)], (*item).starts) {
			cost += sequential
		}
		k.add("join", cost, k.leave(sec, i), k.moved(sec, i, at, k.p.Source(k.joinOf(sec.items[i]).Thread)))
	}
}

// addJoin adds what waits for the thread that s, in the i-th item of sec,
// starts.
func (k *locking) addJoin(sec *section, i int, s *ir.Spawn) {
	f := mutate.Fragment{Stmts: []ir.Stmt{&ir.Join{Thread: s.Thread}}, Order: mutate.Stands}
	if len(k.p.Files) > 0 {
		var ok bool
		if f.Text, ok = k.syntax.Joining(k.p.Text(s.Span()), k.p.Source(s.Thread)); !ok {
			return
		}
	}
	for at := i + 1; at <= len(sec.items) && !sec.items[at-1].ends(); at++ {
		cost := 2 + at - i
		if slices.ContainsFunc(sec.items[i+1:], (*item).starts) && !slices.ContainsFunc(sec.items[i+1:at], (*item).starts) {
			cost += sequential
		}
		k.add("join", cost, k.insert(sec, at, f, formName(f.Order, k.p.Source(s.Thread))))
	}
}

// waitsFor reports whether a statement of sec waits for the thread that spawn
// starts.
func (sec *section) waitsFor(spawn *ir.Spawn) bool {
	return slices.ContainsFunc(sec.items, func(it *item) bool {
		return slices.ContainsFunc(it.List, func(s ir.Stmt) bool {
			j, ok := s.(*ir.Join)
			return ok && j.Thread != nil && ir.EqualExpr(j.Thread, spawn.Thread)
		})
	})
}

// protect makes critical sections of statements of sec that begin and end with
// one that uses what threads share.
func (k *locking) protect(sec *section) {
	for _, m := range k.mutexes {
		for i, first := range sec.items {
			if !k.uses(first) {
				continue
			}
			for last := i; last < len(sec.items) && !k.barred(sec, sec.items[last], m); last++ {
				if k.uses(sec.items[last]) {
					k.add("protect", 5+last-i, k.take(sec, i, m), k.free(sec, last+1, m))
				}
			}
		}
	}
}

// uses reports whether it uses what threads share.
func (k *locking) uses(it *item) bool {
	return it.some(func(s ir.Stmt) bool {
		found := false
		ir.EachExpr(s, func(e *ir.Expr) {
			u, ok := (*e).(*ir.Use)
			found = found || ok && k.shared[u.Var]
		})
		return found
	})
}

// barred reports whether it can't be in a critical section of m that is new.
func (k *locking) barred(sec *section, it *item, m *mutex) bool {
	return k.bars(sec, it, m) || it.ends() || it.some(func(s ir.Stmt) bool {
		switch s.(type) {
		case *ir.Join, *ir.Spawn:
			return true
		}
		return false
	})
}

// unlocks frees mutexes, somewhere after they are taken.
func (k *locking) unlocks() {
	for _, m := range k.mutexes {
		from := make(map[*ir.Proc]ir.LocID) // the first lock
		for _, sec := range k.sections {
			for _, it := range sec.items {
				if other, takes := k.about(sec.Proc, it); other == m && takes && from[sec.Proc] == 0 {
					from[sec.Proc] = it.List[0].Key()
				}
			}
		}
		for _, sec := range k.sections {
			if l := from[sec.Proc]; l != 0 {
				k.unlocksIn(sec, m, l)
			}
		}
	}
}

// unlocksIn frees m in sec, after the lock at l.
func (k *locking) unlocksIn(sec *section, m *mutex, l ir.LocID) {
	for i, it := range sec.items {
		if key := it.All[0].Key(); key > l && !it.Hard {
			k.add("unlock", 2, k.free(sec, i, m))
		}
		if i == len(sec.items)-1 && it.All[len(it.All)-1].Key() >= l && !it.ends() && !it.Hard {
			k.add("unlock", 2, k.free(sec, i+1, m))
		}
	}
}

// retests lets conditions of sec be tested again after a wait.
func (k *locking) retests(sec *section) {
	for i, it := range sec.items {
		s, ok := it.List[len(it.List)-1].(*ir.If)
		if !ok || it.Hard || !it.Whole || s.Else != nil && len(s.Else.List) > 0 || !waits(s.Then) || chooses(s.Then) {
			continue
		}
		k.add("while", 0, k.slotAt(slotName{sec, i, again}, mutate.Stands, func() mutate.Slot { return k.s.Retest(sec.Block, i) }))
	}
}

// waits reports whether b holds a wait.
func waits(b *ir.Block) bool {
	found := false
	ir.EachStmt(b, func(s ir.Stmt) {
		_, ok := s.(*ir.Wait)
		found = found || ok
	})
	return found
}

// chooses reports whether b may make choices of the environment, or stop a run:
// what these are called depends on the loops around.
func chooses(b *ir.Block) bool {
	found := false
	ir.EachStmt(b, func(s ir.Stmt) {
		switch s.(type) {
		case *ir.Havoc, *ir.Alloc, *ir.Assume, *ir.Call, *ir.Spawn:
			found = true
		}
		ir.EachExpr(s, func(e *ir.Expr) {
			_, ok := (*e).(*ir.Any)
			found = found || ok
		})
	})
	return found
}
