package scheme

import (
	"fmt"
	"slices"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/mutate"
)

// This file plans changes of what else threads wait for, or let others go on
// by: statements of the source that are events and neither take nor free a
// mutex, as sends, receives, and what counts who has ended. They are moved, left
// out, or done at another place, too.

// eventOf returns the event that it is, if it is nothing else.
func (k *locking) eventOf(it *item) *ir.Atomic {
	if it.Hard || !it.Whole || chooses(&ir.Block{List: it.List}) {
		return nil
	}
	a, _ := k.main(it, func(s ir.Stmt) bool {
		a, ok := s.(*ir.Atomic)
		return ok && !k.isLock(a)
	}).(*ir.Atomic)
	return a
}

// events changes the events of sec.
func (k *locking) events(sec *section) {
	k.unguard(sec)
	for i, it := range sec.items {
		if k.eventOf(it) != nil {
			k.add("omit", 3, k.leave(sec, i))
			k.moveEvent(sec, i)
			k.moveOut(sec, i)
			k.repeat(sec, i)
		} else if i > 0 && it.assigns() && it.Whole && !it.Hard && sec.items[i-1].Whole && sec.items[i-1].unnamed() {
			k.add("move", 3, k.leave(sec, i), k.moved(sec, i, i-1, "move"))
		}
	}
}

// unguard leaves out critical sections of sec: the mutex may be held already.
func (k *locking) unguard(sec *section) {
	for i, it := range sec.items {
		m, takes := k.about(sec.Proc, it)
		if _, event := k.main(it, k.isLock).(*ir.Atomic); m == nil || !takes || !event {
			continue
		}
		for j := i + 1; j < len(sec.items); j++ {
			if other, takes := k.about(sec.Proc, sec.items[j]); other == m {
				if !takes {
					k.add("omit", 4, k.leave(sec, i), k.leave(sec, j))
				}
				break
			}
		}
	}
}

// assigns reports whether it does nothing but assign.
func (it *item) assigns() bool {
	return !it.some(func(s ir.Stmt) bool {
		_, ok := s.(*ir.Assign)
		return !ok
	})
}

// unnamed reports whether it starts a thread that nothing can wait for by name:
// what it needs comes before.
func (it *item) unnamed() bool {
	return it.some(func(s ir.Stmt) bool {
		spawn, ok := s.(*ir.Spawn)
		return ok && spawn.Thread == nil
	})
}

// moveEvent moves the i-th item of sec, an event, within its block.
func (k *locking) moveEvent(sec *section, i int) {
	for at := range len(sec.items) + 1 {
		if at != i && at != i+1 && !sec.beyond(at) {
			k.add("move", 3+max(i-at, at-i-1), k.leave(sec, i), k.moved(sec, i, at, k.eventKey(sec, i)))
		}
	}
}

// moveOut moves the i-th item of sec, an event, before or after the statement
// that the block belongs to.
func (k *locking) moveOut(sec *section, i int) {
	outer, at := k.around(sec)
	if outer == nil || outer.items[at].Hard || !outer.items[at].Whole {
		return
	}
	f := mutate.Fragment{Stmts: sec.items[i].List, Text: k.words(sec.items[i]), Moved: sec.items[i].Text, Order: mutate.Stands}
	name := formName(f.Order, k.eventKey(sec, i))
	k.add("move", 3+len(sec.items)-i, k.leave(sec, i), k.insert(outer, at+1, f, name))
	k.add("move", 4+i, k.leave(sec, i), k.insert(outer, at, f, name))
}

// around returns the section around sec, and the item there that holds it; nil
// if there is none.
func (k *locking) around(sec *section) (outer *section, at int) {
	first := sec.items[0].List[0]
	for _, o := range k.sections {
		if o == sec || o.Proc != sec.Proc {
			continue
		}
		for i, it := range o.items {
			if slices.Contains(it.All, first) && !slices.Contains(it.List, first) {
				outer, at = o, i // the last one is the innermost: outer ones come first
			}
		}
	}
	return outer, at
}

// repeat does what the i-th item of sec does at the end of other
// blocks of the procedure, too.
func (k *locking) repeat(sec *section, i int) {
	it := sec.items[i]
	f := mutate.Fragment{Stmts: it.List, Text: k.words(it), Order: mutate.Stands}
	for _, o := range k.sections {
		if o.Proc != sec.Proc || o == sec {
			continue
		}
		last := len(o.items)
		if o.items[last-1].ends() {
			last--
		}
		k.add("repeat", 4, k.insert(o, last, f, formName(f.Order, k.words(it))))
	}
}

// eventKey tells what the i-th item of sec is from others that are moved.
func (k *locking) eventKey(sec *section, i int) string {
	return fmt.Sprintf("event %d", sec.items[i].List[0].Key())
}
