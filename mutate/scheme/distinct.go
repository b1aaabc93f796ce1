package scheme

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/go-amend/amend/mutate"
)

// A statement goes past another one, or the other past it: changes of the
// scheme Locks may come to the same program. This file tells which do.

// distinct returns, of changes that come to the same program, the likeliest;
// of two that are as likely, the one whose first slot comes first.
func (k *locking) distinct() []lockChange {
	slices.SortStableFunc(k.changes, func(a, b lockChange) int { return cmp.Compare(a.slots[0].id, b.slots[0].id) })
	best := make(map[string]int)
	names := make([]string, len(k.changes))
	for i, c := range k.changes {
		n := k.outcome(c)
		if b, ok := best[n]; !ok || c.cost < k.changes[b].cost {
			best[n] = i
		}
		names[i] = n
	}
	var out []lockChange
	for i, c := range k.changes {
		if slices.Equal(k.changes[best[names[i]]].slots, c.slots) {
			out = append(out, c)
		}
	}
	return out
}

// outcome returns a name for what c makes of the sections that it touches.
func (k *locking) outcome(c lockChange) string {
	var b strings.Builder
	for i, sec := range k.sections {
		if !slices.ContainsFunc(c.slots, func(t *slot) bool { return t.sec == sec }) {
			continue
		}
		fmt.Fprintln(&b, "section", i)
		for n := range len(sec.items) + 1 {
			for _, t := range sec.at[n] {
				if slices.Contains(c.slots, t) {
					fmt.Fprintln(&b, t.form)
				}
			}
			if n < len(sec.items) {
				k.itemIn(&b, sec, n, c.slots)
			}
		}
	}
	return b.String()
}

// itemIn writes a name for what becomes of the n-th item of sec if slots are
// set.
func (k *locking) itemIn(b *strings.Builder, sec *section, n int, slots []*slot) {
	it := sec.items[n]
	set := func(form string) bool {
		t := k.slots[slotName{sec, n, form}]
		return t != nil && slices.Contains(slots, t)
	}
	if set(stays) {
		return
	}
	if set(again) {
		fmt.Fprint(b, "again ")
	}
	if m, takes := k.about(sec.Proc, it); m != nil && !it.sited() {
		order := mutate.Ends
		if takes {
			order = mutate.Begins
		}
		fmt.Fprintln(b, formName(order, m.key))
		return
	}
	fmt.Fprintln(b, n)
}
