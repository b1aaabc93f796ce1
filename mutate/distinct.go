package mutate

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/go-amend/amend/ir"
)

// A statement goes past another one, or the other past it: changes of the
// scheme Locks may come to the same program. This file tells which do.

// distinct keeps, of changes that come to the same program, the likeliest.
func (k *locking) distinct() {
	best := make(map[string]lockChange)
	for _, site := range slices.Sorted(maps.Keys(k.changes)) {
		for _, c := range k.changes[site] {
			n := k.outcome(c)
			if b, ok := best[n]; !ok || c.cost < b.cost {
				best[n] = c
			}
		}
	}
	for site, list := range k.changes {
		k.changes[site] = slices.DeleteFunc(list, func(c lockChange) bool { return !slices.Equal(best[k.outcome(c)].sites, c.sites) })
	}
}

// outcome returns a name for what c makes of the sections that it touches.
func (k *locking) outcome(c lockChange) string {
	set := make(map[ir.SiteID]bool)
	for _, id := range c.sites {
		set[id] = true
	}
	var b strings.Builder
	for i, sec := range k.sections {
		if !slices.ContainsFunc(c.sites, func(id ir.SiteID) bool { return k.slotOf[id].sec == sec }) {
			continue
		}
		fmt.Fprintln(&b, "section", i)
		for n := range len(sec.items) + 1 {
			for _, s := range sec.at[sec.offset(n)] {
				if set[s.site] {
					fmt.Fprintln(&b, s.form)
				}
			}
			if n < len(sec.items) {
				k.itemIn(&b, sec, n, set)
			}
		}
	}
	return b.String()
}

// itemIn writes a name for what becomes of the n-th item of sec.
func (k *locking) itemIn(b *strings.Builder, sec *section, n int, set map[ir.SiteID]bool) {
	it := sec.items[n]
	if s := sec.gone[it.first]; s != nil && set[s.site] {
		return
	}
	if s := sec.again[it.first]; s != nil && set[s.site] {
		fmt.Fprint(b, "again ")
	}
	if m, takes := k.about(sec.proc, it); m != nil && !it.sited() {
		order := freeing
		if takes {
			order = taking
		}
		fmt.Fprintln(b, formName(order, m.key))
		return
	}
	fmt.Fprintln(b, n)
}
