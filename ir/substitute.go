package ir

import "slices"

// Changes says what takes the place of the expressions at sites. A function
// is called for each occurrence of its site with the expression there, as
// it is in the original program. It returns a new node, which may reuse what
// is below that expression by pointer, or one of the expressions below it
// itself; changes inside them are made too.
type Changes map[SiteID]func(old Expr) Expr

// Substitute returns a copy of p with changes made. Variables, files and
// IDs are those of p; a new expression that takes the place of another takes
// its SiteID too. The result shares variables with p but no statements.
func (p *Program) Substitute(changes Changes) *Program {
	c := &copier{changes: changes, procs: make(map[*Proc]*Proc)}
	q := *p
	q.Procs = make([]*Proc, len(p.Procs))
	for i, f := range p.Procs {
		g := *f
		c.procs[f] = &g
		q.Procs[i] = &g
	}
	for i, f := range p.Procs {
		q.Procs[i].Body = c.block(f.Body)
	}
	q.Init = c.block(p.Init)
	q.Entry = c.procs[p.Entry]
	return &q
}

// Clone returns a copy of p, as Substitute does, without changes.
func (p *Program) Clone() *Program { return p.Substitute(nil) }

// SubstituteBlock returns a copy of b with changes, as Substitute makes of a
// program. Its calls are of the same procedures.
func SubstituteBlock(b *Block, changes Changes) *Block { return (&copier{changes: changes}).block(b) }

// CloneStmts returns copies of statements, with the same IDs and text. Their
// calls are of the same procedures.
func CloneStmts(list []Stmt) []Stmt { return new(copier).block(&Block{List: list}).List }

type copier struct {
	changes Changes
	procs   map[*Proc]*Proc // nil: calls stay what they are
}

// proc returns what is called instead of f.
func (c *copier) proc(f *Proc) *Proc {
	if c.procs == nil {
		return f
	}
	return c.procs[f]
}

func (c *copier) block(b *Block) *Block {
	if b == nil {
		return nil
	}
	d := *b
	d.List = make([]Stmt, len(b.List))
	for i, s := range b.List {
		d.List[i] = c.stmt(s)
	}
	return &d
}

func (c *copier) stmt(s Stmt) Stmt {
	var t Stmt
	switch s := s.(type) {
	case *Block:
		return c.block(s)
	case *Assign:
		d := *s
		t = &d
	case *Havoc:
		d := *s
		t = &d
	case *Alloc:
		d := *s
		t = &d
	case *Assume:
		d := *s
		t = &d
	case *Assert:
		d := *s
		t = &d
	case *If:
		d := *s
		d.Then, d.Else = c.block(s.Then), c.block(s.Else)
		t = &d
	case *Loop:
		d := *s
		d.Head, d.Body, d.Post = c.block(s.Head), c.block(s.Body), c.block(s.Post)
		t = &d
	case *Return:
		d := *s
		d.Values = append([]Expr(nil), s.Values...)
		t = &d
	case *Call:
		d := *s
		d.Proc = c.proc(s.Proc)
		d.Args = append([]Expr(nil), s.Args...)
		d.Results = append([]Expr(nil), s.Results...)
		t = &d
	case *Spawn:
		d := *s
		d.Proc = c.proc(s.Proc)
		d.Args = append([]Expr(nil), s.Args...)
		t = &d
	case *Join:
		d := *s
		t = &d
	case *Lock:
		d := *s
		t = &d
	case *Unlock:
		d := *s
		t = &d
	case *Wait:
		d := *s
		t = &d
	case *Signal:
		d := *s
		t = &d
	case *Broadcast:
		d := *s
		t = &d
	case *Atomic:
		d := *s
		d.Body = c.block(s.Body)
		t = &d
	default: // without expressions or blocks, never modified
		return s
	}
	for _, e := range t.Operands(nil) {
		*e = c.expr(*e)
	}
	return t
}

// expr returns a copy of e with the changes made.
func (c *copier) expr(e Expr) Expr {
	if f := c.changes[e.Site()]; f != nil && e.Site() != 0 {
		n := f(e)
		if below(e, n) {
			return c.expr(n)
		}
		n = c.inner(n)
		n.expr().ID = e.Site()
		return n
	}
	return c.inner(e)
}

// below reports whether n is one of the expressions below e.
func below(e, n Expr) bool {
	for _, o := range e.Operands(nil) {
		if *o == n || below(*o, n) {
			return true
		}
	}
	return false
}

// inner returns a copy of e whose operands have the changes made.
func (c *copier) inner(e Expr) Expr {
	d := CloneNode(e)
	for _, o := range d.Operands(nil) {
		*o = c.expr(*o)
	}
	return d
}

// Unsited returns a copy of the node e, with e's operands, that is no site
// and has no place in the source.
func Unsited(e Expr) Expr {
	d := CloneNode(e)
	*d.expr() = ExprInfo{}
	return d
}

// CloneExpr returns a copy of all of e, with the same sites and text.
func CloneExpr(e Expr) Expr {
	d := CloneNode(e)
	for _, o := range d.Operands(nil) {
		*o = CloneExpr(*o)
	}
	return d
}

// CloneNode returns a copy of the node e alone: its operands are those of e.
func CloneNode(e Expr) Expr {
	switch e := e.(type) {
	case *Use:
		d := *e
		return &d
	case *Const:
		d := *e
		return &d
	case *Unary:
		d := *e
		return &d
	case *Binary:
		d := *e
		return &d
	case *Cond:
		d := *e
		return &d
	case *Index:
		d := *e
		return &d
	case *Convert:
		d := *e
		return &d
	case *Math:
		d := *e
		d.Args = slices.Clone(e.Args)
		return &d
	case *Self:
		d := *e
		return &d
	case *Ended:
		d := *e
		return &d
	case *Any:
		d := *e
		return &d
	}
	panic("ir: unknown expression")
}

// SameNode reports whether a and b are the same operation on the same
// operands, by pointer, or the same variable or constant.
func SameNode(a, b Expr) bool {
	x, y := a.Operands(nil), b.Operands(nil)
	if len(x) != len(y) {
		return false
	}
	for i := range x {
		if *x[i] != *y[i] {
			return false
		}
	}
	return EqualExpr(a, b)
}
