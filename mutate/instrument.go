package mutate

import (
	"slices"

	"github.com/go-amend/amend/ir"
)

// This file makes room for changes of statements. These are changes of
// expressions, in a program with edit slots: a statement s becomes
//
//	v = v; w = w; …      an assignment that may be inserted, for each variable
//	                     that s reads: elsewhere it might as well come later
//	if false { s₂ }      the next statement, if it may be moved here
//	if true { s }        a condition that may guard s, or leave it out
//
// and the end of a block may have assignments too. Each of these slots is a
// location, and its expression a site, that does nothing until it is changed.
// So a must location set holds the places where something is missing, copies of
// a statement change together, and the search needs to know nothing of all this.
// In the source there is no slot; a patch says what becomes of those that were
// changed.

// A Role says what a site is part of.
type Role uint8

const (
	// Expression is an expression of the program.
	Expression Role = iota

	// Guard is the condition under which a statement is executed: true.
	// An alternative false leaves the statement out.
	Guard

	// Insertion is what is assigned to a variable: its own value. It comes
	// before a statement or at the end of a block.
	Insertion

	// Exchange says whether two neighbouring statements change places:
	// false.
	Exchange

	inPlan // the slot of a Plan
)

// instrumented is a program with edit slots for the roles that a scheme
// asks for.
type instrumented struct {
	orig  *ir.Program
	p     *ir.Program // orig itself if there are none
	at    map[ir.SiteID]*slot
	added map[ir.LocID]*slot // by Key of its statement

	roles    map[Role]bool
	scope    map[ir.LocID][]*ir.Var // of orig
	threaded bool
	texts    map[ir.Span]int // groups that a source statement became
	first    ir.SiteID       // of the sites of slots
	site     ir.SiteID
	loc      ir.LocID
	assigned map[*ir.Proc]*assignments
	mayHide  map[*ir.Proc]bool // it holds what says what is demanded
	slots    *Slots            // nil if no operator has a Plan
}

// assignments are what the statements of a procedure assign.
type assignments struct {
	vars   map[*ir.Var]bool // scalar
	values []ir.Expr        // simple ones
}

// A slot is room for one change of statements.
type slot struct {
	role  Role
	vars  []*ir.Var // in scope, with a value
	exprs []ir.Expr // that the procedure assigns
	text  ir.Span   // of the statement; of the first one for Exchange
	next  ir.Span   // Exchange: of the second one
	after bool      // Insertion: after text, not before it
	bare  bool      // text stands alone, without brackets around it
	depth int       // of blocks around

	own    bool    // inPlan: text itself, which stays
	retest bool    // inPlan: text, an if, is a loop
	order  int     // inPlan: among those at one place
	words  string  // inPlan: what is inserted
	moved  ir.Span // inPlan: where that stands now, if it does

	swapped ir.Span // inPlan: words takes the place of this text
}

// newLatents returns p with room for what ops do. What hard, which may be nil,
// reports true for must not change.
func instrument(p *ir.Program, ops []*Operator, hard func(ir.Stmt) bool) (*instrumented, error) {
	x := &instrumented{orig: p, p: p, roles: make(map[Role]bool), scope: p.InScope()}
	for _, op := range ops {
		if on := op.role(); on != Expression {
			x.roles[on] = true
		}
	}
	if len(x.roles) == 0 {
		return x, nil
	}
	x.p = p.Clone()
	x.at, x.added = make(map[ir.SiteID]*slot), make(map[ir.LocID]*slot)
	x.assigned, x.mayHide = make(map[*ir.Proc]*assignments), make(map[*ir.Proc]bool)
	x.texts = make(map[ir.Span]int)
	x.site, x.loc = ir.SiteID(len(p.Sites())), ir.LocID(p.NumLocs())
	x.first = x.site + 1
	for _, f := range x.p.Procs {
		x.count(f.Body)
	}
	if x.roles[inPlan] {
		var err error
		if x.slots, err = newSlots(x, ops, hard); err != nil {
			return nil, err
		}
	}
	for _, f := range x.p.Procs {
		if !f.Hard {
			x.assigned[f] = x.assignments(f)
			x.block(f, f.Body, 0)
		}
	}
	return x, x.slots.check()
}

// A group is the statements that one statement of the source became.
type group struct {
	list []ir.Stmt
	text ir.Span
}

// groups cuts a list into groups.
func groups(list []ir.Stmt) []group {
	var out []group
	for _, s := range list {
		text := ir.StmtOf(s).Whole
		if n := len(out); n > 0 && !text.IsZero() && out[n-1].text == text {
			out[n-1].list = append(out[n-1].list, s)
		} else {
			out = append(out, group{[]ir.Stmt{s}, text})
		}
	}
	return out
}

// count counts the groups of each text in b.
func (x *instrumented) count(b *ir.Block) {
	for _, g := range groups(b.List) {
		x.texts[g.text]++
		for _, s := range g.list {
			if inner, ok := s.(*ir.Block); ok {
				x.count(inner)
			}
			for _, inner := range s.Blocks(nil) {
				x.count(inner)
			}
			_, spawn := s.(*ir.Spawn)
			x.threaded = x.threaded || spawn
		}
	}
}

// known reports whether g is a whole statement, not part of one, a copy, or a
// declaration.
func (x *instrumented) known(g group) bool {
	if _, ok := g.list[0].(*ir.Block); ok {
		return false // without a number of its own
	}
	return len(x.orig.Files) == 0 || !g.text.IsZero() && x.texts[g.text] == 1
}

// block adds slots to b, a block of f.
func (x *instrumented) block(f *ir.Proc, b *ir.Block, depth int) {
	gs := groups(b.List)
	var out, moved []ir.Stmt // moved: what stands for the group, if it may have been
	l := slot{bare: x.bare(b), depth: depth}
	at := 0 // where g begins
	for i, g := range gs {
		for _, s := range g.list {
			x.inside(f, s, depth+1)
		}
		out = append(out, x.slots.before(b, at)...)
		list := x.slots.slotted(b, at, g.list)
		at += len(g.list)
		if !x.known(g) {
			out = append(out, list...)
			continue
		}
		l.text = g.text
		l.vars, l.exprs = x.inScope(g.list[0]), x.assigned[f].values
		out = append(out, x.insertions(f, l, g.list[0], g.reads())...)
		stays := list
		if moved != nil {
			stays, moved = moved, nil
		}
		if i+1 < len(gs) && x.exchangeable(g, gs[i+1]) {
			var copied ir.Stmt
			copied, moved = x.exchange(l, gs[i+1])
			out = append(out, copied)
		}
		out = append(out, x.guard(f, l, g, stays)...)
	}
	if n := len(gs); n > 0 && x.known(gs[n-1]) {
		out = append(out, x.ending(f, l, gs[n-1])...)
	}
	b.List = append(out, x.slots.before(b, at)...)
}

// inScope returns what can be named at s. The parts of a statement of the source
// have no place there.
func (x *instrumented) inScope(s ir.Stmt) []*ir.Var {
	if s.Span().IsZero() {
		return x.scope[s.Loc()]
	}
	return x.scope[s.Key()]
}

// ending returns the insertions after g, the last statement of a block.
func (x *instrumented) ending(f *ir.Proc, l slot, g group) []ir.Stmt {
	last := g.list[len(g.list)-1]
	switch last.(type) {
	case *ir.Break, *ir.Continue, *ir.Return, *ir.Block:
		return nil
	}
	l.after, l.text = true, g.text
	l.vars = x.scope[last.Key()]
	if a, ok := last.(*ir.Assign); ok {
		if u, ok := a.LHS.(*ir.Use); ok && named(u.Var) && !u.Var.Address && !slices.Contains(l.vars, u.Var) {
			l.vars = append(slices.Clip(l.vars), u.Var)
		}
	}
	return x.insertions(f, l, last, func(v *ir.Var) bool {
		return l.depth > 0 || v.Kind == ir.Global || v.Kind == ir.Result
	})
}

// inside adds slots to the blocks of s.
func (x *instrumented) inside(f *ir.Proc, s ir.Stmt, depth int) {
	if b, ok := s.(*ir.Block); ok {
		x.block(f, b, depth)
		return
	}
	for _, b := range s.Blocks(nil) {
		x.block(f, b, depth)
	}
}

// assignments returns what the statements of f assign.
func (x *instrumented) assignments(f *ir.Proc) *assignments {
	out := &assignments{vars: make(map[*ir.Var]bool)}
	add := func(e ir.Expr) {
		u, ok := e.(*ir.Use)
		if !ok || u.Var.Address || len(x.orig.Files) > 0 && !named(u.Var) {
			return
		}
		if _, ok := u.Type().(ir.Array); !ok {
			out.vars[u.Var] = true
		}
	}
	ir.EachStmt(f.Body, func(s ir.Stmt) {
		if !x.known(group{[]ir.Stmt{s}, ir.StmtOf(s).Whole}) {
			return // a declaration, of a constant perhaps
		}
		switch s := s.(type) {
		case *ir.Assign:
			add(s.LHS)
			if same := func(e ir.Expr) bool { return ir.EqualExpr(e, s.RHS) }; simple(s.RHS) && !slices.ContainsFunc(out.values, same) {
				out.values = append(out.values, s.RHS)
			}
		case *ir.Call:
			for _, e := range s.Results {
				add(e)
			}
		}
	})
	return out
}

// named reports whether v is a variable of the source, not a part of one.
func named(v *ir.Var) bool { return !v.Span.IsZero() }

// simple reports whether e is an operation on variables and constants whose
// text says all that it does, and which no check can stop.
func simple(e ir.Expr) bool {
	b, ok := e.(*ir.Binary)
	if !ok || b.Form != ir.Infix || b.Op == ir.Div || b.Op == ir.Rem || b.Op.Lazy() {
		return false
	}
	for _, o := range []ir.Expr{b.X, b.Y} {
		switch o := o.(type) {
		case *ir.Use:
			if !named(o.Var) {
				return false
			}
		case *ir.Const:
		default:
			return false
		}
	}
	return true
}

// newSite returns a site for l.
func (x *instrumented) newSite(l slot) ir.ExprInfo {
	x.site++
	x.at[x.site] = &l
	return ir.ExprInfo{ID: x.site}
}

// newStmt returns what the statement of the slot l is, put beside s.
func (x *instrumented) newStmt(l *slot, s ir.Stmt) ir.StmtInfo {
	x.loc++
	x.added[x.loc] = l
	return ir.StmtInfo{ID: x.loc, Pos: s.Span()}
}

// reads returns a function that reports whether g reads a variable, or may: a
// call may read any global.
func (g group) reads() func(*ir.Var) bool {
	calls, read := false, make(map[*ir.Var]bool)
	ir.EachStmt(&ir.Block{List: g.list}, func(s ir.Stmt) {
		if _, ok := s.(*ir.Call); ok {
			calls = true
		}
		var written ir.Expr
		if a, ok := s.(*ir.Assign); ok {
			written = a.LHS
		}
		ir.EachExpr(s, func(e *ir.Expr) {
			if u, ok := (*e).(*ir.Use); ok && *e != written {
				read[u.Var] = true
			}
		})
	})
	return func(v *ir.Var) bool { return read[v] || calls && v.Kind == ir.Global }
}

// insertions returns an assignment for each variable that may be assigned at
// l, beside s, and is wanted there.
func (x *instrumented) insertions(f *ir.Proc, l slot, s ir.Stmt, wanted func(*ir.Var) bool) []ir.Stmt {
	if !x.roles[Insertion] {
		return nil
	}
	l.role = Insertion
	var out []ir.Stmt
	for _, v := range l.vars {
		// Writing a shared variable is a step of its own, even if it writes
		// what is there.
		if x.assigned[f].vars[v] && wanted(v) && (!x.threaded || v.Kind != ir.Global) {
			e := &ir.Use{ExprInfo: x.newSite(l), Var: v}
			out = append(out, &ir.Assign{StmtInfo: x.newStmt(x.at[e.ID], s), LHS: &ir.Use{Var: v}, RHS: e})
		}
	}
	return out
}

// guard returns list, which stands for g, under a condition, if it may have
// one.
func (x *instrumented) guard(f *ir.Proc, l slot, g group, list []ir.Stmt) []ir.Stmt {
	if !x.roles[Guard] || !x.optional(f, g) {
		return list
	}
	l.role = Guard
	e := &ir.Const{ExprInfo: x.newSite(l), Val: 1, Typ: ir.Bool{}}
	return []ir.Stmt{&ir.If{StmtInfo: x.newStmt(x.at[e.ID], g.list[0]), Cond: e, Then: &ir.Block{List: list}}}
}

// optional reports whether g may be left out: it demands nothing, makes no
// choice of the environment, starts and ends no thread, and is not what
// gives f its results in the end.
func (x *instrumented) optional(f *ir.Proc, g group) bool {
	for _, s := range g.list {
		switch s.(type) {
		case *ir.Havoc, *ir.Alloc:
			return false
		case *ir.Return:
			body := f.Body.List
			last, ok := body[len(body)-1].(*ir.Return)
			if len(f.Results) > 0 && (!ok || last == s) {
				return false
			}
		}
		if x.demands(s) {
			return false
		}
	}
	return true
}

// demands reports whether s holds an assertion, assumption or operation on
// threads, or calls a procedure that does.
func (x *instrumented) demands(s ir.Stmt) bool {
	switch s := s.(type) {
	case *ir.Assign, *ir.If, *ir.Loop, *ir.Block, *ir.Havoc, *ir.Alloc, *ir.Break, *ir.Continue, *ir.Return:
	case *ir.Assert:
		return s.Kind == ir.CheckAssert
	case *ir.Call:
		return x.procDemands(s.Proc)
	default:
		return true
	}
	blocks := s.Blocks(nil)
	if b, ok := s.(*ir.Block); ok {
		blocks = []*ir.Block{b}
	}
	for _, b := range blocks {
		if slices.ContainsFunc(b.List, x.demands) {
			return true
		}
	}
	return false
}

func (x *instrumented) procDemands(f *ir.Proc) bool {
	d, ok := x.mayHide[f]
	if !ok {
		x.mayHide[f] = false // if it calls itself
		d = slices.ContainsFunc(f.Body.List, x.demands)
		x.mayHide[f] = d
	}
	return d
}

// exchangeable reports whether g and h, which follows it, are assignments
// whose order may matter, and which make no choice.
func (x *instrumented) exchangeable(g, h group) bool {
	if !x.roles[Exchange] || x.threaded || len(g.list) != 1 || len(h.list) != 1 || !x.known(h) {
		return false
	}
	a, ok := g.list[0].(*ir.Assign)
	b, ok2 := h.list[0].(*ir.Assign)
	return ok && ok2 && !x.chooses(b) && (mentions(a, ir.Root(b.LHS)) || mentions(b, ir.Root(a.LHS)))
}

func mentions(s ir.Stmt, v *ir.Var) bool {
	found := false
	ir.EachExpr(s, func(e *ir.Expr) {
		u, ok := (*e).(*ir.Use)
		found = found || ok && u.Var == v
	})
	return found
}

// chooses reports whether s may make a choice, because a check is off.
func (x *instrumented) chooses(s ir.Stmt) bool {
	found := false
	ir.EachExpr(s, func(e *ir.Expr) {
		switch e := (*e).(type) {
		case *ir.Index:
			found = found || !x.orig.Checks.Has(ir.CheckBounds)
		case *ir.Binary:
			found = found || (e.Op == ir.Div || e.Op == ir.Rem) && !x.orig.Checks.Has(ir.CheckDiv)
		}
	})
	return found
}

// exchange returns a copy of h's statement, to stand before the statement at
// l, and the statement where it was. The exchange turns one on and the other
// off: the two conditions are copies of one site.
func (x *instrumented) exchange(l slot, h group) (copied ir.Stmt, stays []ir.Stmt) {
	l.role, l.next = Exchange, h.text
	s := h.list[0].(*ir.Assign)
	info := x.newSite(l)
	at := x.at[info.ID]
	c := &ir.Assign{StmtInfo: x.newStmt(at, s), LHS: copyOf(s.LHS), RHS: copyOf(s.RHS)}
	c.Of, c.Pos = s.Loc(), ir.Span{}
	on := &ir.If{StmtInfo: x.newStmt(at, s), Cond: &ir.Const{ExprInfo: info, Typ: ir.Bool{}}, Then: &ir.Block{List: []ir.Stmt{c}}}
	off := &ir.If{StmtInfo: x.newStmt(at, s), Cond: &ir.Unary{Op: ir.Not, X: &ir.Const{ExprInfo: info, Typ: ir.Bool{}}}, Then: &ir.Block{List: h.list}}
	return on, []ir.Stmt{off}
}

// copyOf returns a copy of e, with the same sites but no text.
func copyOf(e ir.Expr) ir.Expr {
	c := ir.CloneNode(e)
	ir.ExprOf(c).Pos = ir.Span{}
	for _, o := range c.Operands(nil) {
		*o = copyOf(*o)
	}
	return c
}

// instantiated returns q, made of x's program by substitution, without what has
// not been changed.
func (x *instrumented) instantiated(q *ir.Program) *ir.Program {
	if x.p == x.orig {
		return q
	}
	for _, f := range q.Procs {
		x.instantiate(f.Body)
	}
	return q
}

func (x *instrumented) instantiate(b *ir.Block) {
	if b == nil {
		return
	}
	var out []ir.Stmt
	for _, s := range b.List {
		if inner, ok := s.(*ir.Block); ok {
			x.instantiate(inner)
		}
		for _, inner := range s.Blocks(nil) {
			x.instantiate(inner)
		}
		if loop, ok := s.(*ir.Loop); ok && x.slots != nil {
			if list, ok := x.slots.once(loop); ok {
				out = append(out, list...)
				continue
			}
		}
		if x.added[s.Key()] == nil {
			out = append(out, s)
			continue
		}
		switch s := s.(type) {
		case *ir.Assign:
			if !ir.EqualExpr(s.LHS, s.RHS) {
				out = append(out, s)
			}
		case *ir.If:
			switch on, known := truth(s.Cond); {
			case !known:
				out = append(out, s)
			case on:
				out = append(out, s.Then.List...)
			case s.Else != nil:
				out = append(out, s.Else.List...)
			}
		}
	}
	b.List = out
}

// truth returns the value of a constant condition.
func truth(e ir.Expr) (value, known bool) {
	switch e := e.(type) {
	case *ir.Const:
		return e.Val == 1, true
	case *ir.Unary:
		value, known = truth(e.X)
		return !value, known
	}
	return false, false
}
