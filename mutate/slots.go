package mutate

import (
	"maps"
	"slices"
	"strings"

	"github.com/go-amend/amend/ir"
)

// This file makes edit slots: room for statements that come and go, as
// operators with a Plan ask for it. A slot is a statement that does
// nothing until it is changed:
//
//	if false { s }            one that may be inserted
//	if true { s }             one that may be left out
//	if false { t } else { s } one that t may take the place of
//	while c { s; if !false { break } }   an if, whose condition may be tested again
//
// Its condition is a site, and a change sets the conditions of some together.

// A Plan makes room in a program for changes of statements that operators
// can't describe site by site. Operators with one Plan share its slots.
type Plan struct {
	// Make adds slots to s, and the changes that set them. It is called once,
	// before any Apply, and must add the same each time. If it panics, or asks
	// for what can't be, the search ends with an *OperatorError.
	Make func(s *Slots)

	// Synchronizes says that the changes are about how threads wait for each
	// other. Repairs of a program with threads then misuse no lock, leave no
	// thread stuck and bring no data race if there is none, and what was
	// violated can still be reached; so can the end, if it could.
	Synchronizes bool

	// Restricts says that the changes only take runs away, whatever the memory
	// model, and let all others end as they did: see Config.Decide.
	Restricts bool
}

// Slots are the edit slots of one program, and the changes that set them.
type Slots struct {
	x       *instrumented
	blocks  []*Block
	of      map[*ir.Block]*Block
	inside  map[ir.Stmt]bool           // statements of blocks
	swaps   map[ir.Stmt][]*ir.If       // what may take the place of them
	changes map[ir.SiteID][]slotChange // by the slot that comes first
	looped  map[ir.LocID]bool          // statements that became loops
	spec    map[ir.LocID]bool
	hard    func(ir.Stmt) bool
	plan    *Plan     // that made slots last
	by      *Operator // whose it is
}

// A Slot is the condition of an edit slot; 0 is none.
type Slot ir.SiteID

// A Fragment is statements that may be put somewhere.
type Fragment struct {
	Stmts []ir.Stmt // copied, without their sites unless they are moved
	Text  string    // of the source, without what ends a statement
	Order Order     // among what is inserted at one place

	// Moved, unless zero, is the text of the statement of the source that is
	// moved. It is written as other changes make it, instead of Text.
	Moved ir.Span

	// At, unless zero, is what Text takes the place of, instead of standing where
	// the statements do: a variable's name in its declaration, say.
	At ir.Span
}

// An Order is a place among what is inserted at one place: what ends something
// comes before what begins something. What ends something is written after a
// statement rather than before the next one.
type Order uint8

const (
	Ends   Order = iota // it ends something: a mutex is freed
	Stands              // it does neither
	Begins              // it begins something: a mutex is taken
)

// A slotChange is a change of a Plan: its slots become what they are not.
type slotChange struct {
	plan     *Plan
	operator string
	cost     int
	slots    []Slot
}

// An insertion is a statement that stands in the program for a slot.
type insertion struct {
	order Order
	stmt  *ir.If
}

// newSlots lets the plans of ops make slots in x's program.
func newSlots(x *instrumented, ops []*Operator, hard func(ir.Stmt) bool) (*Slots, error) {
	s := &Slots{
		x: x, blocks: x.blocks(hard), of: make(map[*ir.Block]*Block),
		inside: make(map[ir.Stmt]bool), swaps: make(map[ir.Stmt][]*ir.If), spec: x.p.Spec(), hard: hard,
		changes: make(map[ir.SiteID][]slotChange), looped: make(map[ir.LocID]bool),
	}
	for _, b := range s.blocks {
		s.of[b.block] = b
		for _, t := range b.block.List {
			s.inside[t] = true
		}
	}
	seen := make(map[*Plan]bool)
	for _, op := range ops {
		if op.Plan == nil || seen[op.Plan] {
			continue
		}
		s.plan, s.by = op.Plan, op
		seen[op.Plan] = true
		if err := planning(op, func() { op.Plan.Make(s) }); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// Program returns the program, which must not be changed. Its statements are
// those of Blocks.
func (s *Slots) Program() *ir.Program { return s.x.p }

// Blocks returns the blocks of the procedures that may change, outer ones
// first.
func (s *Slots) Blocks() []*Block { return s.blocks }

// Change adds a change, of the operator of that name among those of the plan:
// each of the slots becomes what it is not. If one of them is 0, for which there
// was no place, there is no such change.
func (s *Slots) Change(operator string, cost int, slots ...Slot) {
	if len(slots) == 0 {
		panic("mutate: a change without slots")
	}
	for _, t := range slots {
		if t == 0 {
			return
		}
		if s.x.at[ir.SiteID(t)] == nil {
			panic("mutate: a slot that Slots didn't make")
		}
	}
	first := ir.SiteID(slots[0])
	s.changes[first] = append(s.changes[first], slotChange{s.plan, operator, cost, slots})
}

// Insert makes a slot for f before the i-th statement of b, or after the last
// one. It returns 0 if the source has no place for it, or something in f can't
// be named there.
func (s *Slots) Insert(b *Block, i int, f Fragment) Slot {
	if f.Order > Begins {
		panic("mutate: no such Order")
	}
	it, after := b.anchor(i, f.Order == Ends)
	if it == nil {
		return 0
	}
	at := it.Text
	if after {
		at.Start = at.End
	}
	if !s.nameable(f.Stmts, b.Proc, at) {
		return 0
	}
	slot, c := s.condition(slot{
		text: it.Text, after: after, bare: b.bare, depth: b.depth, order: int(f.Order), words: f.Text, moved: f.Moved, swapped: f.At,
	}, false)
	n := b.offset(i)
	b.at[n] = append(b.at[n], insertion{f.Order, s.conditional(slot, c, s.copied(f.Stmts, !f.Moved.IsZero()))})
	slices.SortStableFunc(b.at[n], func(x, y insertion) int { return int(x.order) - int(y.order) })
	return slot
}

// Remove makes the slot in which the i-th statement of b is: it may be left
// out. It must be Whole. It returns 0 if it must not change.
func (s *Slots) Remove(b *Block, i int) Slot {
	it := b.whole(i)
	switch {
	case s.fixed(it):
		return 0
	case b.gone[it.first] != nil:
		panic("mutate: a statement has two slots to leave it out")
	}
	slot, c := s.condition(slot{text: it.Text, bare: b.bare, depth: b.depth, own: true}, true)
	b.gone[it.first] = s.conditional(slot, c, nil)
	return slot
}

// fixed reports whether it holds what must not change.
func (s *Slots) fixed(it *Statement) bool {
	demands := func(t ir.Stmt) bool {
		a, ok := t.(*ir.Assert)
		_, assumes := t.(*ir.Assume)
		return assumes || ok && a.Kind == ir.CheckAssert
	}
	return it.Hard || slices.ContainsFunc(it.All, demands)
}

// Retest makes a slot that makes a loop of the i-th statement of b, an if
// without an else: its condition is tested again after what it guards. It
// returns 0 if it must not change, or the source has no word for that.
func (s *Slots) Retest(b *Block, i int) Slot {
	it := b.whole(i)
	c, ok := it.List[len(it.List)-1].(*ir.If)
	if !ok || c.Else != nil && len(c.Else.List) > 0 {
		panic("mutate: what is to be tested again is no if without an else")
	}
	if b.again[it.first] != nil {
		panic("mutate: a statement has two slots to test it again")
	}
	if it.Hard || len(s.x.orig.Files) > 0 && !s.x.tests(it.Text) {
		return 0
	}
	slot, on := s.condition(slot{text: it.Text, bare: b.bare, depth: b.depth, retest: true}, false)
	leave := []ir.Stmt{&ir.Break{StmtInfo: ir.StmtInfo{ID: s.x.newLoc()}}}
	b.again[it.first] = s.conditional(slot, &ir.Unary{Op: ir.Not, X: on}, leave)
	return slot
}

// Replace makes a slot by which t is executed instead of old, a statement
// without others in it, wherever in a block it is. It keeps the sites of old in
// t. In the source, text takes the place of what is at a span. It returns 0 if
// old must not change.
func (s *Slots) Replace(old, t ir.Stmt, at ir.Span, text string) Slot {
	if len(old.Blocks(nil)) > 0 || len(t.Blocks(nil)) > 0 {
		panic("mutate: a statement with others in it can't be replaced")
	}
	if !s.inside[old] || s.spec[old.Loc()] || s.hard != nil && s.hard(old) || at.IsZero() && len(s.x.orig.Files) > 0 {
		return 0
	}
	slot, c := s.condition(slot{swapped: at, words: text}, false)
	list := s.copied([]ir.Stmt{t}, true)
	ir.StmtOf(list[0]).Of = old.Loc()
	s.swaps[old] = append(s.swaps[old], s.conditional(slot, c, list))
	return slot
}

// swapped returns list with what may take the place of its statements.
func (s *Slots) swapped(list []ir.Stmt) []ir.Stmt {
	out := slices.Clone(list)
	for i, t := range list {
		for _, other := range s.swaps[t] {
			other.Else = &ir.Block{List: []ir.Stmt{out[i]}}
			out[i] = other
		}
	}
	return out
}

// condition makes the condition of a slot.
func (s *Slots) condition(l slot, on bool) (Slot, *ir.Const) {
	l.role = inPlan
	info := s.x.newSite(l)
	return Slot(info.ID), &ir.Const{ExprInfo: info, Val: bit(on), Typ: ir.Bool{}}
}

// tests reports whether the statement at text begins with the word that tests a
// condition once, which another makes a loop.
func (x *instrumented) tests(text ir.Span) bool {
	w := ir.SyntaxOf(x.orig).Words()
	return w.Test != "" && strings.HasPrefix(unended(w, x.orig.Text(text)), w.Test)
}

// newLoc returns the number of a new statement.
func (x *instrumented) newLoc() ir.LocID {
	x.loc++
	return x.loc
}

// conditional returns the statement of a slot.
func (s *Slots) conditional(slot Slot, c ir.Expr, list []ir.Stmt) *ir.If {
	l := s.x.newLoc()
	s.x.added[l] = s.x.at[ir.SiteID(slot)]
	return &ir.If{StmtInfo: ir.StmtInfo{ID: l}, Cond: c, Then: &ir.Block{List: list}}
}

// copied returns a new copy of statements, with their sites or without.
func (s *Slots) copied(list []ir.Stmt, sites bool) []ir.Stmt {
	list = ir.CloneStmts(list)
	ids := make(map[ir.LocID]ir.LocID)
	each := func(visit func(*ir.StmtInfo)) {
		ir.EachStmt(&ir.Block{List: list}, func(s ir.Stmt) { visit(ir.StmtOf(s)) })
	}
	each(func(i *ir.StmtInfo) {
		l := s.x.newLoc()
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
	ir.EachStmt(&ir.Block{List: list}, func(s ir.Stmt) {
		ir.EachExpr(s, func(e *ir.Expr) {
			i := ir.ExprOf(*e)
			i.Pos = ir.Span{}
			if !sites {
				i.ID = 0
			}
		})
	})
	return list
}

// nameable reports whether what list names means the same at a place of f.
func (s *Slots) nameable(list []ir.Stmt, f *ir.Proc, at ir.Span) bool {
	ok := true
	ir.EachStmt(&ir.Block{List: list}, func(t ir.Stmt) {
		ir.EachExpr(t, func(e *ir.Expr) {
			if u, is := (*e).(*ir.Use); is && named(u.Var) && len(s.x.orig.Files) > 0 {
				ok = ok && s.x.orig.Nameable(f, u.Var, at)
			}
		})
	})
	return ok
}

// rounds returns list, of which the last statement is an If, as a loop that is
// left after its first round unless its slot is set.
func (s *Slots) rounds(list []ir.Stmt, leave *ir.If) []ir.Stmt {
	last := len(list) - 1
	c := list[last].(*ir.If)
	body := &ir.Block{StmtInfo: c.Then.StmtInfo, List: append(slices.Clone(c.Then.List), leave)}
	s.looped[c.ID] = true
	return []ir.Stmt{&ir.Loop{StmtInfo: c.StmtInfo, Head: &ir.Block{List: list[:last:last]}, Cond: c.Cond, Body: body}}
}

// once returns what the loop l was made of, if it is left after its first
// round.
func (s *Slots) once(l *ir.Loop) ([]ir.Stmt, bool) {
	last := len(l.Body.List) - 1
	if last < 0 || !s.looped[l.ID] {
		return nil, false
	}
	if _, ok := l.Body.List[last].(*ir.Break); !ok {
		return nil, false
	}
	then := &ir.Block{StmtInfo: l.Body.StmtInfo, List: l.Body.List[:last:last]}
	return append(slices.Clone(l.Head.List), &ir.If{StmtInfo: l.StmtInfo, Cond: l.Cond, Then: then}), true
}

// before returns what may be inserted before the statement of b at an index.
func (s *Slots) before(b *ir.Block, at int) (out []ir.Stmt) {
	if s == nil || s.of[b] == nil {
		return nil
	}
	for _, i := range s.of[b].at[at] {
		out = append(out, i.stmt)
	}
	return out
}

// slotted returns list, which begins at an index of b, as what stands for it.
func (s *Slots) slotted(b *ir.Block, at int, list []ir.Stmt) []ir.Stmt {
	if s == nil || s.of[b] == nil {
		return list
	}
	in := s.of[b]
	list = s.swapped(list)
	if leave := in.again[at]; leave != nil {
		list = s.rounds(list, leave)
	}
	if on := in.gone[at]; on != nil {
		on.Then.List = list
		list = []ir.Stmt{on}
	}
	return list
}

// yields returns what the changes of op, which begin at the site of e, make of
// it. Where one of their sites must not change there is no such change.
func (s *Slots) yields(op *Operator, id ir.SiteID, e ir.Expr, free []bool) (out []Alternative) {
	for _, c := range s.changes[id] {
		must := func(t Slot) bool { return !free[t] }
		if c.plan != op.Plan || c.operator != op.Name || slices.ContainsFunc(c.slots, must) {
			continue
		}
		a := Alternative{Expr: flipped(e), Cost: c.cost}
		for _, t := range c.slots[1:] {
			a.Also = append(a.Also, Setting{Site: ir.SiteID(t), Expr: flipped})
		}
		out = append(out, a)
	}
	return out
}

// flipped returns what e, true or false, is not.
func flipped(e ir.Expr) ir.Expr {
	on, _ := truth(e)
	return &ir.Const{Val: bit(!on), Typ: ir.Bool{}}
}

// check returns what is wrong with the program that the plans made.
func (s *Slots) check() error {
	if s == nil {
		return nil
	}
	if err := ir.Check(s.x.p); err != nil {
		return &OperatorError{Operator: s.by, Why: "has a Plan by which the program is ill-formed: " + err.Error()}
	}
	return nil
}

// moves reports whether cand puts text of the source elsewhere. It may mean
// something else there, as far as front ends know: a pointer points at what was
// assigned to it before.
func (sp *space) moves(cand candidate) bool {
	return slices.ContainsFunc(cand.alts, func(k int) bool { return sp.alts[k].op.Plan != nil })
}

// onceAtLeast gives the statements that became loops the round that they always
// had, if loops have none.
func (r *run) onceAtLeast() {
	if r.sp.slots == nil || r.cfg.Unwind > 0 {
		return
	}
	loops := maps.Clone(r.cfg.Loops)
	if loops == nil {
		loops = make(map[ir.LocID]int)
	}
	for l := range r.sp.slots.looped {
		loops[l] = 1
	}
	r.cfg.Loops = loops
}
