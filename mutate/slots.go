package mutate

import (
	"fmt"
	"maps"
	"slices"

	"github.com/go-amend/amend/ir"
)

// Statements about threads come and go: each has a slot, a latent statement
//
//	if false { lock m }   one that may be inserted
//	if true { lock m }    one that may be left out
//
// and a change sets some of them together. If none is set, there are no events
// but those of the program.

// A slot is a latent statement about threads.
type slot struct {
	latent
	slotName
	site ir.SiteID
	stmt ir.Stmt
}

// A slotName says where a slot is, and for what.
type slotName struct {
	sec  *section
	item int // before which it is, or which it is
	form string
}

// The order of what is inserted at one place.
const (
	freeing = iota
	joining
	taking
)

// slotAt returns the slot of a name, which new makes if there is none.
func (k *locking) slotAt(n slotName, new func() *slot) *slot {
	s, ok := k.slots[n]
	if !ok {
		if s = new(); s != nil {
			s.slotName = n
			k.slotOf[s.site] = s
		}
		k.slots[n] = s
	}
	return s
}

// condition makes the condition of a slot.
func (k *locking) condition(l latent, on bool) (*slot, *ir.Const) {
	l.role = Locking
	info := k.newSite(l)
	return &slot{latent: l, site: info.ID}, &ir.Const{ExprInfo: info, Val: bit(on), Typ: ir.Bool{}}
}

// newLoc returns the number of a new statement.
func (k *locking) newLoc() ir.LocID {
	k.loc++
	return k.loc
}

// latentIf returns the statement of the slot s.
func (k *locking) latentIf(s *slot, c ir.Expr, list []ir.Stmt) *ir.If {
	l := k.newLoc()
	k.added[l] = k.at[s.site]
	return &ir.If{StmtInfo: ir.StmtInfo{ID: l}, Cond: c, Then: &ir.Block{List: list}}
}

// insert returns the slot for a copy of f before the i-th item of sec, or
// after all.
func (k *locking) insert(sec *section, i, order int, f form, name string) *slot {
	return k.slotAt(slotName{sec, i, name}, func() *slot {
		it, after := sec.anchor(i, order == freeing)
		if it == nil {
			return nil
		}
		at := it.text
		if after {
			at.Start = at.End
		}
		if !k.nameable(f.list, sec.proc, at) {
			return nil
		}
		s, c := k.condition(latent{
			text: it.text, after: after, bare: sec.bare, depth: sec.depth, order: order, words: f.text, moved: f.span,
		}, false)
		s.stmt = k.latentIf(s, c, k.copied(f))
		n := sec.offset(i)
		sec.at[n] = append(sec.at[n], s)
		slices.SortStableFunc(sec.at[n], func(a, b *slot) int { return a.order - b.order })
		return s
	})
}

// copied returns a new copy of f's statements. What is moved keeps its sites.
func (k *locking) copied(f form) []ir.Stmt {
	list := cloned(f.list)
	ids := make(map[ir.LocID]ir.LocID)
	each := func(visit func(*ir.StmtInfo)) {
		eachStmt(&ir.Block{List: list}, func(s ir.Stmt) { visit(ir.StmtOf(s)) })
	}
	each(func(i *ir.StmtInfo) {
		l := k.newLoc()
		if i.ID != 0 {
			ids[i.ID] = l
		}
		i.ID, i.Pos, i.Whole = l, ir.Span{}, ir.Span{}
	})
	each(func(i *ir.StmtInfo) {
		if i.Of != 0 && ids[i.Of] != 0 {
			i.Of = ids[i.Of]
		}
	})
	eachStmt(&ir.Block{List: list}, func(s ir.Stmt) {
		ir.EachExpr(s, func(e *ir.Expr) {
			i := ir.ExprOf(*e)
			i.Pos = ir.Span{}
			if f.span.IsZero() {
				i.ID = 0
			}
		})
	})
	return list
}

// leave returns the slot of the i-th item of sec, a plain statement: whether it
// stays.
func (k *locking) leave(sec *section, i int) *slot {
	return k.slotAt(slotName{sec, i, "stays"}, func() *slot {
		it := sec.items[i]
		s, c := k.condition(latent{text: it.text, bare: sec.bare, depth: sec.depth, own: true}, true)
		s.stmt = k.latentIf(s, c, nil)
		sec.gone[it.first] = s
		return s
	})
}

// take returns the slot that takes m before the i-th item of sec, and free that
// which frees it.
func (k *locking) take(sec *section, i int, m *mutex) *slot { return k.put(sec, i, taking, m, m.take) }

func (k *locking) free(sec *section, i int, m *mutex) *slot { return k.put(sec, i, freeing, m, m.free) }

// put returns the slot for a form of m, if m can be named there.
func (k *locking) put(sec *section, i, order int, m *mutex, f form) *slot {
	if m.proc != nil && m.proc != sec.proc {
		return nil
	}
	return k.insert(sec, i, order, f, formName(order, m.key))
}

// formName returns a name for a form of one of the orders.
func formName(order int, key string) string { return fmt.Sprintf("%d %s", order, key) }

// rounds returns list, of which the last statement is an If, as a loop that is
// left after its first round unless the slot s is set.
func (k *locking) rounds(list []ir.Stmt, s *slot) []ir.Stmt {
	last := len(list) - 1
	c := list[last].(*ir.If)
	body := &ir.Block{StmtInfo: c.Then.StmtInfo, List: append(slices.Clone(c.Then.List), s.stmt)}
	k.again[c.ID] = true
	return []ir.Stmt{&ir.Loop{StmtInfo: c.StmtInfo, Head: &ir.Block{List: list[:last:last]}, Cond: c.Cond, Body: body}}
}

// once returns what the loop s was made of, if it is left after its first
// round.
func (k *locking) once(s *ir.Loop) ([]ir.Stmt, bool) {
	last := len(s.Body.List) - 1
	if _, ok := s.Body.List[last].(*ir.Break); !ok || !k.again[s.ID] {
		return nil, false
	}
	then := &ir.Block{StmtInfo: s.Body.StmtInfo, List: s.Body.List[:last:last]}
	return append(slices.Clone(s.Head.List), &ir.If{StmtInfo: s.StmtInfo, Cond: s.Cond, Then: then}), true
}

// slotsAt returns what may be inserted before the statement of b at an index.
func (k *locking) slotsAt(b *ir.Block, at int) (out []ir.Stmt) {
	if k == nil || k.bySec[b] == nil {
		return nil
	}
	for _, s := range k.bySec[b].at[at] {
		out = append(out, s.stmt)
	}
	return out
}

// optional returns list, which begins at an index of b, as what stands for it.
func (k *locking) optional(b *ir.Block, at int, list []ir.Stmt) []ir.Stmt {
	if k == nil || k.bySec[b] == nil {
		return list
	}
	sec := k.bySec[b]
	if s := sec.again[at]; s != nil {
		list = k.rounds(list, s)
	}
	if s := sec.gone[at]; s != nil {
		s.stmt.(*ir.If).Then.List = list
		list = []ir.Stmt{s.stmt}
	}
	return list
}

// onceAtLeast gives the statements that became loops the round that they always
// had, if loops have none.
func (r *run) onceAtLeast() {
	if r.sp.locking == nil || r.cfg.Unwind > 0 {
		return
	}
	loops := maps.Clone(r.cfg.Loops)
	if loops == nil {
		loops = make(map[ir.LocID]int)
	}
	for l := range r.sp.locking.again {
		loops[l] = 1
	}
	r.cfg.Loops = loops
}
