package ir

// Number gives every statement but blocks its ID, every site its SiteID and
// every variable its VarID: dense, in the order of the program text (Init,
// then the procedures). Front ends call it last. IDs that were there before
// only say what belongs together: statements that are Of another, and
// expressions that share a nonzero SiteID.
func (p *Program) Number() {
	locs := make(map[LocID]LocID)
	sites := make(map[SiteID]SiteID)
	next := LocID(0)
	p.Stmts(func(_ *Proc, s Stmt) {
		if _, ok := s.(*Block); ok {
			return
		}
		next++
		if old := s.stmt().ID; old != 0 {
			locs[old] = next
		}
		s.stmt().ID = next
		EachExpr(s, func(e *Expr) {
			x := (*e).expr()
			if x.ID == 0 {
				return
			}
			if sites[x.ID] == 0 {
				sites[x.ID] = SiteID(len(sites) + 1)
			}
			x.ID = sites[x.ID]
		})
	})
	p.Stmts(func(_ *Proc, s Stmt) {
		if of := s.stmt().Of; of != 0 {
			s.stmt().Of = locs[of]
		}
	})
	for i, v := range p.Vars() {
		v.ID = VarID(i + 1)
	}
}

// Vars returns all variables: globals, then those of each procedure.
func (p *Program) Vars() []*Var {
	vs := append([]*Var(nil), p.Globals...)
	for _, f := range p.Procs {
		vs = append(append(append(vs, f.Params...), f.Results...), f.Locals...)
	}
	return vs
}

// EachStmt calls visit for every statement in b, those inside others included,
// in the order of the program text, an outer one before those inside it.
func EachStmt(b *Block, visit func(Stmt)) {
	for _, s := range b.List {
		if s == nil {
			continue // of which Check tells
		}
		visit(s)
		if inner, ok := s.(*Block); ok {
			EachStmt(inner, visit)
			continue
		}
		for _, inner := range s.Blocks(nil) {
			EachStmt(inner, visit)
		}
	}
}

// Visible returns the variables that stand in the program's text and are there when
// a run ends, scalars and arrays: the globals, and the parameters, results and locals
// of the entry.
func (p *Program) Visible() []*Var {
	var vs []*Var
	for _, list := range [][]*Var{p.Globals, p.Entry.Params, p.Entry.Results, p.Entry.Locals} {
		for _, v := range list {
			if !v.Span.IsZero() {
				vs = append(vs, v)
			}
		}
	}
	return vs
}

// Stmts calls visit for every statement as EachStmt does. The procedure is nil
// in Init.
func (p *Program) Stmts(visit func(f *Proc, s Stmt)) {
	walk := func(f *Proc, b *Block) { EachStmt(b, func(s Stmt) { visit(f, s) }) }
	if p.Init != nil {
		walk(nil, p.Init)
	}
	for _, f := range p.Procs {
		if f.Body != nil {
			walk(f, f.Body)
		}
	}
}

// EachExpr calls visit for the address of each expression of s itself, an
// outer one before its operands.
func EachExpr(s Stmt, visit func(e *Expr)) {
	var walk func(e *Expr)
	walk = func(e *Expr) {
		if *e == nil {
			return // of which Check tells
		}
		visit(e)
		for _, o := range (*e).Operands(nil) {
			walk(o)
		}
	}
	for _, e := range s.Operands(nil) {
		walk(e)
	}
}

// A Site is a place that a repair may change.
type Site struct {
	ID   SiteID
	Proc *Proc // of the primary occurrence, nil in Init
	Stmt Stmt  // the statement of the primary occurrence

	// Occurrences are the addresses of the expressions that a change
	// replaces together, and Stmts and Procs where they are: several
	// procedures may be copies of one function. The first is the
	// primary one: the one that stands for the source text, if any does.
	Occurrences []*Expr
	Stmts       []Stmt
	Procs       []*Proc
}

// Sites returns the sites of p, by SiteID from 1, in time linear in p.
func (p *Program) Sites() []Site {
	var sites []Site
	p.Stmts(func(f *Proc, s Stmt) {
		EachExpr(s, func(e *Expr) {
			id := (*e).Site()
			if id == 0 {
				return
			}
			for len(sites) < int(id) {
				sites = append(sites, Site{ID: SiteID(len(sites) + 1)})
			}
			sites[id-1].add(f, s, e)
		})
	})
	return sites
}

func (x *Site) add(f *Proc, s Stmt, e *Expr) {
	x.Occurrences = append(x.Occurrences, e)
	x.Stmts = append(x.Stmts, s)
	x.Procs = append(x.Procs, f)
	last := len(x.Stmts) - 1
	if first := *x.Occurrences[0]; first.Span().IsZero() && !(*e).Span().IsZero() {
		x.Occurrences[0], x.Occurrences[last] = e, x.Occurrences[0]
		x.Stmts[0], x.Stmts[last] = s, x.Stmts[0]
		x.Procs[0], x.Procs[last] = f, x.Procs[0]
	}
	x.Proc, x.Stmt = x.Procs[0], x.Stmts[0]
}

// Stmt returns the statement whose Key is l, or nil. It takes time linear
// in p.
func (p *Program) Stmt(l LocID) Stmt {
	var found Stmt
	p.Stmts(func(_ *Proc, s Stmt) {
		if s.Key() == l {
			found = s
		}
	})
	return found
}

// Spec returns the LocIDs of assertions and assumptions. They and the
// statements that belong to them say what is demanded: they are no
// locations, nothing in them may change.
func (p *Program) Spec() map[LocID]bool {
	spec := make(map[LocID]bool)
	p.Stmts(func(_ *Proc, s Stmt) {
		switch s.(type) {
		case *Assert, *Assume:
			spec[s.Loc()] = true
		}
	})
	return spec
}

// NumLocs returns the largest LocID of p.
func (p *Program) NumLocs() int {
	n := 0
	p.Stmts(func(_ *Proc, s Stmt) { n = max(n, int(s.Key())) })
	return n
}

// NumVars returns the largest VarID of p.
func (p *Program) NumVars() int { return len(p.Vars()) }

// File returns the file that is named so, or nil.
func (p *Program) File(name string) *File {
	for _, f := range p.Files {
		if f.Name == name {
			return f
		}
	}
	return nil
}

// Position returns the line and byte column, both from 1, of an offset.
func (f *File) Position(offset int) (line, col int) {
	line, col = 1, 1
	for _, c := range f.Content[:offset] {
		col++
		if c == '\n' {
			line, col = line+1, 1
		}
	}
	return line, col
}

// Text returns the source text of s, or "" if there is none.
func (p *Program) Text(s Span) string {
	f := p.File(s.File)
	if f == nil || s.IsZero() {
		return ""
	}
	return string(f.Content[s.Start:s.End])
}
