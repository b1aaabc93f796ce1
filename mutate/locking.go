package mutate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-amend/amend/ir"
)

// This file makes the changes of the scheme Locks: which statements about
// threads may come and go, and which of them together. Each has a slot.

// A locking is a program with slots.
type locking struct {
	*latents
	syntax   ir.ThreadSyntax
	spelling ir.Words
	sections []*section
	mutexes  []*mutex
	locked   map[*ir.Var]bool // statements take them, or a part of them
	shared   map[*ir.Var]bool // what threads share, but mutexes and the like
	bySec    map[*ir.Block]*section
	slots    map[slotName]*slot
	slotOf   map[ir.SiteID]*slot
	changes  map[ir.SiteID][]lockChange // by the site that comes first
	again    map[ir.LocID]bool          // statements that became loops
}

// A lockChange is a change of the scheme: the sites are set to what they are
// not.
type lockChange struct {
	kind  string
	cost  int
	sites []ir.SiteID
}

// newLocking plans the changes of statements about threads in x's program. Nil:
// its language writes none.
func newLocking(x *latents, hard func(ir.Stmt) bool) *locking {
	syntax, ok := ir.SyntaxOf(x.orig).(ir.ThreadSyntax)
	if !ok {
		return nil
	}
	k := &locking{
		latents: x, syntax: syntax, spelling: syntax.Words(), shared: make(map[*ir.Var]bool),
		slots: make(map[slotName]*slot), changes: make(map[ir.SiteID][]lockChange),
		slotOf: make(map[ir.SiteID]*slot), bySec: make(map[*ir.Block]*section), again: make(map[ir.LocID]bool),
	}
	k.sections = x.sections(hard)
	for _, sec := range k.sections {
		k.bySec[sec.block] = sec
	}
	k.variables()
	k.mutexes = k.declared()
	k.named()
	for _, sec := range k.sections {
		k.retests(sec)
		k.moves(sec)
		k.joins(sec)
		k.protect(sec)
	}
	k.reorder()
	k.unlocks()
	k.distinct()
	return k
}

// variables finds out what threads share.
func (k *locking) variables() {
	shared := ir.Shared(k.p)
	handles := k.p.Handles()
	for _, v := range k.p.Globals {
		k.shared[v] = shared[v.ID] && !handles[v] && v.Lock == ""
	}
}

// add adds a change.
func (k *locking) add(kind string, cost int, slots ...*slot) {
	c := lockChange{kind: kind, cost: cost}
	for _, s := range slots {
		if s == nil {
			return // there is no place for it
		}
		c.sites = append(c.sites, s.site)
	}
	k.changes[c.sites[0]] = append(k.changes[c.sites[0]], c)
}

// moves moves the ends of the critical sections of sec, and joins two.
func (k *locking) moves(sec *section) {
	for i, it := range sec.items {
		m, takes := k.about(sec.proc, it)
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
	return it.hard || it.jumps() || k.concerns(sec.proc, it, m)
}

// up moves what takes or frees m up, from the i-th item of sec, and down likewise.
func (k *locking) up(sec *section, i int, m *mutex, takes bool) {
	for at := i - 1; at >= 0 && !k.bars(sec, sec.items[at], m); at-- {
		if at > 0 && !takes && k.concerns(sec.proc, sec.items[at-1], m) {
			return // nothing would be left in the section
		}
		k.move(sec, i, at, m, takes)
	}
}

func (k *locking) down(sec *section, i int, m *mutex, takes bool) {
	for at := i + 1; at < len(sec.items); at++ {
		it := sec.items[at]
		if other, locks := k.about(sec.proc, it); other == m && locks && !takes {
			k.add("widen", 4, k.leave(sec, i), k.leave(sec, at))
		}
		if k.bars(sec, it, m) || at+1 < len(sec.items) && takes && k.concerns(sec.proc, sec.items[at+1], m) {
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
	order := joining
	switch k.main(it, k.isLock).(type) {
	case *ir.Lock:
		order = taking
	case *ir.Unlock:
		order = freeing
	}
	if it.sited() { // which change with it
		key += fmt.Sprintf(" from %d", it.list[0].Key())
	}
	return k.insert(sec, at, order, form{list: it.list, text: k.words(it), span: it.text}, formName(order, key))
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
			m, takes := k.about(sec.proc, it)
			if m == nil || !takes {
				continue
			}
			for _, p := range by[sec.proc] {
				if p.m != m {
					k.add("reorder", 1, k.leave(p.sec, p.i), k.take(p.sec, p.i, m), k.leave(sec, i), k.take(sec, i, p.m))
				}
			}
			by[sec.proc] = append(by[sec.proc], place{sec, i, m})
		}
	}
}

// joins adds and moves joins in sec.
func (k *locking) joins(sec *section) {
	for i, it := range sec.items {
		if k.joinOf(it) != nil {
			k.moveJoin(sec, i)
		}
		if it.hard {
			continue
		}
		for _, s := range it.list {
			if s, ok := s.(*ir.Spawn); ok && s.Thread != nil && !sec.waitsFor(s) {
				k.addJoin(sec, i, s)
			}
		}
	}
}

// joinOf returns the statement that waits for one thread, if it is nothing
// else.
func (k *locking) joinOf(it *item) *ir.Join {
	if it.hard || !it.known {
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
		k.add("join", cost, k.leave(sec, i), k.moved(sec, i, at, k.orig.Source(k.joinOf(sec.items[i]).Thread)))
	}
}

// addJoin adds what waits for the thread that s, in the i-th item of sec,
// starts.
func (k *locking) addJoin(sec *section, i int, s *ir.Spawn) {
	f := form{list: []ir.Stmt{&ir.Join{Thread: s.Thread}}}
	if len(k.orig.Files) > 0 {
		var ok bool
		if f.text, ok = k.syntax.Joining(k.orig.Text(s.Span()), k.orig.Source(s.Thread)); !ok {
			return
		}
	}
	for at := i + 1; at <= len(sec.items) && !sec.items[at-1].ends(); at++ {
		cost := 2 + at - i
		if slices.ContainsFunc(sec.items[i+1:], (*item).starts) && !slices.ContainsFunc(sec.items[i+1:at], (*item).starts) {
			cost += sequential
		}
		k.add("join", cost, k.insert(sec, at, joining, f, formName(joining, k.orig.Source(s.Thread))))
	}
}

// waitsFor reports whether a statement of sec waits for the thread that spawn
// starts.
func (sec *section) waitsFor(spawn *ir.Spawn) bool {
	return slices.ContainsFunc(sec.items, func(it *item) bool {
		return slices.ContainsFunc(it.list, func(s ir.Stmt) bool {
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
			for last := i; last < len(sec.items) && !k.apart(sec, sec.items[last], m); last++ {
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

// apart reports whether it can't be in a critical section of m that is new.
func (k *locking) apart(sec *section, it *item, m *mutex) bool {
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
				if other, takes := k.about(sec.proc, it); other == m && takes && from[sec.proc] == 0 {
					from[sec.proc] = it.list[0].Key()
				}
			}
		}
		for _, sec := range k.sections {
			if l := from[sec.proc]; l != 0 {
				k.unlocksIn(sec, m, l)
			}
		}
	}
}

// unlocksIn frees m in sec, after the lock at l.
func (k *locking) unlocksIn(sec *section, m *mutex, l ir.LocID) {
	for i, it := range sec.items {
		if key := it.all[0].Key(); key > l && !it.hard {
			k.add("unlock", 2, k.free(sec, i, m))
		}
		if i == len(sec.items)-1 && it.all[len(it.all)-1].Key() >= l && !it.ends() && !it.hard {
			k.add("unlock", 2, k.free(sec, i+1, m))
		}
	}
}

// retests lets conditions of sec be tested again after a wait.
func (k *locking) retests(sec *section) {
	for i, it := range sec.items {
		s, ok := it.list[len(it.list)-1].(*ir.If)
		if !ok || it.hard || !it.known || s.Else != nil && len(s.Else.List) > 0 || !waits(s.Then) || chooses(s.Then) ||
			len(k.orig.Files) > 0 && !k.tests(it) {
			continue
		}
		k.add("while", 0, k.slotAt(slotName{sec, i, "again"}, func() *slot {
			s, c := k.condition(latent{text: it.text, bare: sec.bare, depth: sec.depth, retest: true}, false)
			s.stmt = k.latentIf(s, &ir.Unary{Op: ir.Not, X: c}, []ir.Stmt{&ir.Break{StmtInfo: ir.StmtInfo{ID: k.newLoc()}}})
			sec.again[it.first] = s
			return s
		}))
	}
}

// tests reports whether it begins with the word that tests a condition once,
// which another makes a loop.
func (k *locking) tests(it *item) bool {
	return k.spelling.Test != "" && strings.HasPrefix(k.words(it), k.spelling.Test)
}

// waits reports whether b holds a wait.
func waits(b *ir.Block) bool {
	found := false
	eachStmt(b, func(s ir.Stmt) {
		_, ok := s.(*ir.Wait)
		found = found || ok
	})
	return found
}

// chooses reports whether b may make choices of the environment, or stop a run:
// what these are called depends on the loops around.
func chooses(b *ir.Block) bool {
	found := false
	eachStmt(b, func(s ir.Stmt) {
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
