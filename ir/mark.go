package ir

// Sites of programs that are built by hand.

// MarkSites makes sites of the expressions of which Parse makes some, and
// calls Number: all but conversions, conditionals, arrays as a whole, what is
// stored to, and what belongs to assertions, assumptions and Hard procedures.
// Those that are sites already stay as they are.
func MarkSites(p *Program) {
	m := marker{}
	p.Stmts(func(_ *Proc, s Stmt) {
		EachExpr(s, func(e *Expr) { m.last = max(m.last, (*e).Site()) })
	})
	p.Stmts(func(f *Proc, s Stmt) {
		if f == nil || !f.Hard {
			m.stmt(s)
		}
	})
	p.Number()
}

type marker struct{ last SiteID }

func (m *marker) stmt(s Stmt) {
	switch s := s.(type) {
	case *Assert, *Assume, *Havoc, *Alloc:
		return
	case *Atomic:
		m.expr(s.Guard)
		return // the holder is no site
	}
	stored := make(map[Expr]bool)
	for _, e := range storedBy(s) {
		stored[e] = true
	}
	for _, e := range s.Operands(nil) {
		if stored[*e] {
			m.place(*e)
		} else {
			m.expr(*e)
		}
	}
}

// storedBy returns the operands of s that are places, not values.
func storedBy(s Stmt) []Expr {
	switch s := s.(type) {
	case *Assign:
		return []Expr{s.LHS}
	case *Call:
		return s.Results
	case *Spawn:
		return []Expr{s.Thread}
	case *Lock:
		return []Expr{s.Mutex, s.OK}
	case *Unlock:
		return []Expr{s.Mutex}
	case *Wait:
		return []Expr{s.Cond, s.Mutex}
	case *Signal:
		return []Expr{s.Cond}
	case *Broadcast:
		return []Expr{s.Cond}
	}
	return nil
}

// place marks the indices of a place.
func (m *marker) place(e Expr) {
	if x, ok := e.(*Index); ok {
		m.place(x.X)
		m.expr(x.I)
	}
}

func (m *marker) expr(e Expr) {
	if e == nil {
		return
	}
	if e.Site() == 0 && markable(e) {
		m.last++
		e.expr().ID = m.last
	}
	for _, o := range e.Operands(nil) {
		m.expr(*o)
	}
}

// markable reports whether Parse makes a site of what is like e.
func markable(e Expr) bool {
	switch e.(type) {
	case *Convert, *Math, *Cond, *Self, *Ended, *Any:
		return false
	case *Use, *Index:
		_, array := e.Type().(Array)
		return !array
	}
	return true
}
