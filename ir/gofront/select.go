package gofront

// Select: an event that waits until some case is ready, chooses one of those,
// and does what it says; then a branch to the clause.

import (
	"go/ast"
	"go/token"

	"github.com/go-amend/amend/ir"
)

// A commCase is a case of a select with a channel.
type commCase struct {
	*channel
	clause *ast.CommClause
	send   *value // what is sent
	to     value  // what is received
	ok     *ir.Var
	index  int
}

func (b *body) selectStmt(s *ast.SelectStmt) {
	x := b.enter(false)
	b.threaded()
	var cases []*commCase
	which := b.Temp("which", tWord)
	b.Locate(b.span(s), func() {
		blocks, ok := true, false
		for i, c := range s.Body.List {
			c := c.(*ast.CommClause)
			if c.Comm == nil {
				blocks = false
				continue
			}
			var k *commCase
			b.Within(func() { k, ok = b.commCase(c, i+1) })
			if !ok {
				return
			}
			cases = append(cases, k)
		}
		for _, k := range cases {
			k.note(b.span(s), blocks)
		}
		b.chooseCase(s, cases, which, blocks)
	})
	b.exits = append(b.exits, x)
	out := b.Block(func() { b.clauses(s, cases, which, x) })
	b.exits = b.exits[:len(b.exits)-1]
	out.Label = x.label
	b.Emit(out)
}

// note tells what kind of channel c's is.
func (c *commCase) note(at ir.Span, blocks bool) {
	l, k := c.b.lowerer, c.kind
	if c.send == nil {
		l.learn(&k.receives)
		if blocks {
			l.learn(&k.waits)
		}
		return
	}
	k.selects = at
	l.learn(&k.sends)
	if blocks {
		l.learn(&k.sendWaits)
	}
}

// commCase evaluates the operands of a case.
func (b *body) commCase(c *ast.CommClause, index int) (*commCase, bool) {
	k := &commCase{clause: c, index: index}
	if s, ok := c.Comm.(*ast.SendStmt); ok {
		if k.channel = b.channel(s, s.Chan); k.channel == nil {
			return nil, false
		}
		v := b.sendValue(s, k.channel)
		k.send = &v
		return k, true
	}
	e := received(c.Comm)
	if k.channel = b.channel(e, e.X); k.channel == nil {
		return nil, false
	}
	k.to, k.ok = k.variables()
	return k, true
}

// received is the receive expression of a clause.
func received(s ast.Stmt) *ast.UnaryExpr {
	var e ast.Expr
	switch s := s.(type) {
	case *ast.ExprStmt:
		e = s.X
	case *ast.AssignStmt:
		e = s.Rhs[0]
	}
	return ast.Unparen(e).(*ast.UnaryExpr)
}

func (c *commCase) ready() ir.Expr {
	if c.send != nil {
		return c.selectable()
	}
	return c.receivable()
}

// chooseCase emits the event. Of the cases that are ready the last one that a
// free choice names is chosen, or the first.
func (b *body) chooseCase(s *ast.SelectStmt, cases []*commCase, which *ir.Var, blocks bool) {
	var guard ir.Expr
	if blocks {
		guard = truth(false)
		for i, c := range cases {
			if i == 0 {
				guard = c.ready()
			} else {
				guard = &ir.Binary{Op: ir.LOr, X: guard, Y: c.ready()}
			}
		}
	}
	b.atomic(s, guard, func() {
		b.Set(use(which), num(tWord, 0))
		for i, c := range cases {
			ready := c.ready()
			if i > 0 {
				chosen := b.Temp("chosen", tBool)
				b.Set(use(chosen), &ir.Any{Typ: tBool})
				first := &ir.Binary{Op: ir.Eq, X: use(which), Y: num(tWord, 0)}
				ready = &ir.Binary{Op: ir.LAnd, X: ready, Y: &ir.Binary{Op: ir.LOr, X: first, Y: use(chosen)}}
			}
			b.branch(ready, b.Block(func() { b.Set(use(which), num(tWord, int64(c.index))) }), nil)
		}
		for _, c := range cases {
			b.branch(c.chosen(which), b.Block(c.do), nil)
		}
	})
}

func (c *commCase) chosen(which *ir.Var) ir.Expr {
	return &ir.Binary{Op: ir.Eq, X: use(which), Y: num(tWord, int64(c.index))}
}

func (c *commCase) do() {
	if c.send != nil {
		c.give(*c.send, guaranteed)
		return
	}
	c.take(c.to, c.ok)
}

// clauses lowers the clauses, one of which is executed.
func (b *body) clauses(s *ast.SelectStmt, cases []*commCase, which *ir.Var, x exit) {
	for _, c := range cases {
		b.Locate(b.span(c.clause.Comm), func() {
			b.branch(c.chosen(which), b.Block(func() {
				c.deliver()
				b.stmts(c.clause.Body)
			}), nil)
		})
	}
	for _, c := range s.Body.List {
		if c := c.(*ast.CommClause); c.Comm == nil {
			b.Locate(b.spanOf(b.p, c.Case, c.Colon), func() {
				none := &ir.Binary{Op: ir.Eq, X: use(which), Y: num(tWord, 0)}
				b.branch(none, b.Block(func() { b.stmts(c.Body) }), nil)
			})
		}
	}
}

// deliver assigns what was received.
func (c *commCase) deliver() {
	s, ok := c.clause.Comm.(*ast.AssignStmt)
	if !ok {
		return
	}
	c.b.give(s.Tok, s.Lhs[0], c.to)
	if len(s.Lhs) > 1 {
		tok := s.Tok
		if tok == token.DEFINE && isBlank(s.Lhs[1]) {
			return
		}
		c.b.give(tok, s.Lhs[1], c.b.scalarValue(c.b.typ(s.Lhs[1]), use(c.ok)))
	}
}
