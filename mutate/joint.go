package mutate

import (
	"fmt"
	"runtime/debug"

	"github.com/go-amend/amend/ir"
)

// This file is about alternatives that set several sites: joint ones. The
// alternative is one of the site where an operator yields it; the others take
// what it says there whenever it is chosen.

// A setting is a Setting that was looked at.
type setting struct {
	site ir.SiteID
	expr func(old ir.Expr) (ir.Expr, error)
	new  ir.Expr // at the primary occurrence
}

func (x setting) equal(y setting) bool { return x.site == y.site && ir.EqualExpr(x.new, y.new) }

// A setter is an alternative that sets a site of others.
type setter struct {
	alt int32
	setting
}

// settings returns what a, an alternative of s, sets besides s. It reports
// false if the source can't have that.
func (sp *space) settings(s ir.Site, a made) (out []setting, ok bool, err error) {
	ok = true
	seen := map[ir.SiteID]bool{s.ID: true}
	for _, x := range a.Also {
		if why := sp.settable(x, seen); why != "" {
			return nil, false, sp.fault(a.op, s, why, nil)
		}
		seen[x.Site] = true
		target := sp.all[x.Site-1]
		at := setting{site: x.Site, expr: func(old ir.Expr) (ir.Expr, error) { return sp.joined(a, s, target, x, old) }}
		for i, o := range target.Occurrences {
			e, err := at.expr(*o)
			if err != nil {
				return nil, false, err
			}
			if i == 0 {
				at.new = e
			}
		}
		old := *target.Occurrences[0]
		ok = ok && !ir.EqualExpr(at.new, old) && (sp.at[x.Site] != nil || sp.writable(at.new, old))
		out = append(out, at)
	}
	return out, ok, nil
}

// settable returns why x can't be set, or "".
func (sp *space) settable(x Setting, seen map[ir.SiteID]bool) string {
	switch {
	case x.Site <= 0 || int(x.Site) > len(sp.all) || x.Expr == nil:
		return "sets a site that is none, or to nothing"
	case seen[x.Site]:
		return fmt.Sprintf("sets site %d twice", x.Site)
	case !sp.free[x.Site]:
		return fmt.Sprintf("sets site %d, which must not change", x.Site)
	}
	return ""
}

// joined returns what x, a part of the alternative a of s, makes of old.
func (sp *space) joined(a made, s, target ir.Site, x Setting, old ir.Expr) (e ir.Expr, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = sp.fault(a.op, s, fmt.Sprintf("panicked: %v", r), debug.Stack())
		}
	}()
	m := made{a.op, Alternative{Expr: x.Expr(old), Holes: a.Holes}}
	within := operandsOf(old)
	why := sp.adopt(&m, target, old, within)
	if why == "" {
		why = sp.illFormed(&m, holder(target, old), old, within)
	}
	if why != "" {
		return nil, sp.fault(a.op, s, why, nil)
	}
	return m.Expr, nil
}

// join notes the sites that alternative alt sets.
func (sp *space) join(alt int, also []setting) {
	for _, x := range also {
		sp.joint[x.site] = append(sp.joint[x.site], setter{int32(alt), x})
	}
}

// set returns what x makes of old.
func (sp *space) set(x setting, old ir.Expr) ir.Expr {
	sp.mu.Lock()
	defer sp.mu.Unlock()
	return sp.mustSet(x, old)
}

func (sp *space) mustSet(x setting, old ir.Expr) ir.Expr {
	e, err := x.expr(old)
	if err != nil {
		panic(failure{err})
	}
	return e
}

// withJoint adds to the options for e, an occurrence of a site, what
// alternatives of other sites make of it.
func (sp *space) withJoint(out []option, id ir.SiteID, e ir.Expr) []option {
	const own = 1 << 16 // names of the site's own alternatives come before
next:
	for i, x := range sp.joint[id] {
		n := sp.mustSet(x.setting, e)
		for k := range out {
			if ir.EqualExpr(out[k].expr, n) {
				out[k].alts = append(out[k].alts, x.alt)
				continue next
			}
		}
		out = append(out, option{[]int32{x.alt}, n, sp.loosen(id, n), int32(own + i)})
	}
	return out
}

// touched returns the sites that alternatives of s set.
func (sp *space) touched(s ir.Site, alts []alternative) []ir.Site {
	out := []ir.Site{s}
	seen := make(map[ir.SiteID]bool)
	for _, a := range alts {
		for _, x := range a.also {
			if !seen[x.site] {
				seen[x.site] = true
				out = append(out, sp.all[x.site-1])
			}
		}
	}
	return out
}

// replaced returns what a makes of the sites besides its own.
func (sp *space) replaced(a alternative, changes ir.Changes) []Replaced {
	var out []Replaced
	for _, x := range a.also {
		s := sp.all[x.site-1]
		old := *s.Occurrences[0]
		out = append(out, Replaced{Site: s.ID, Stmt: s.Stmt, Old: old, New: changes[s.ID](old)})
	}
	return out
}

// clash returns the places of two of alts that set one site to different
// expressions, or nil. No candidate has both.
func (sp *space) clash(alts []int) []bool {
	type from struct {
		alt  int
		expr ir.Expr
	}
	set := make(map[ir.SiteID]from)
	for _, k := range alts {
		a := sp.alts[k]
		all := append([]setting{{site: sp.sites[a.site].ID, new: a.expr}}, a.also...)
		for _, x := range all {
			if before, ok := set[x.site]; ok && !ir.EqualExpr(before.expr, x.new) {
				at := make([]bool, len(sp.sites))
				at[a.site], at[sp.alts[before.alt].site] = true, true
				return at
			}
			set[x.site] = from{k, x.new}
		}
	}
	return nil
}
