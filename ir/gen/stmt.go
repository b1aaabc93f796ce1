package gen

import (
	"slices"

	"github.com/go-amend/amend/ir"
)

// block returns a block of statements, which a few more than Statements may
// be, where one comes with others.
func (g *generator) block(depth int) *ir.Block {
	b := &ir.Block{}
	for range 1 + g.r.IntN(g.cfg.Statements) {
		b.List = append(b.List, g.stmt(depth)...)
	}
	return b
}

func (g *generator) stmt(depth int) []ir.Stmt {
	k := g.r.IntN(20)
	switch {
	case k < 3 && depth > 0:
		s := &ir.If{Cond: g.expr(ir.Bool{}, depth), Then: g.block(depth - 1)}
		if g.one(2) {
			s.Else = g.block(depth - 1)
		}
		return []ir.Stmt{s}
	case k == 3 && depth > 0 && (g.cfg.Pin == 0 || g.one(4)):
		return []ir.Stmt{g.loop(depth)}
	case k == 4 && depth > 0:
		return g.counted(depth)
	case (k == 5 || k == 6) && g.cfg.Pin > 0: // what would keep runs from the end
	case k == 5:
		return []ir.Stmt{g.assert()}
	case k == 6:
		return []ir.Stmt{&ir.Assume{Cond: g.siteless(ir.Bool{})}}
	case k < 9:
		if s := g.call(); s != nil {
			return []ir.Stmt{s}
		}
	case k == 9 && depth < g.cfg.Depth:
		return []ir.Stmt{g.jump()}
	case k == 10 && g.cfg.Free:
		return []ir.Stmt{g.free()}
	case k == 11 && depth > 0:
		return []ir.Stmt{g.labelled(depth)}
	case k == 12 && g.cfg.Shared:
		if s := g.copied(); s != nil {
			return []ir.Stmt{s}
		}
	}
	return []ir.Stmt{g.assign(depth)}
}

func (g *generator) assign(depth int) ir.Stmt {
	l := g.place(isScalar)
	if l == nil {
		return g.assert()
	}
	if u, ok := l.(*ir.Use); ok && g.cfg.Forms && g.one(4) && u.Type() != ir.Type(ir.Bool{}) {
		return &ir.Assign{LHS: l, RHS: g.update(u, depth)}
	}
	s := &ir.Assign{LHS: l, RHS: g.expr(l.Type(), depth)}
	if !g.hard {
		g.copies = append(g.copies, s)
	}
	return s
}

// update returns the right-hand side of x += e, x++ or the like.
func (g *generator) update(l *ir.Use, depth int) ir.Expr {
	b := &ir.Binary{ExprInfo: g.newSite(), X: use(l.Var), Form: ir.Compound}
	if g.one(2) {
		b.Op = pick(g, []ir.Op{ir.Add, ir.Sub})
		b.Form = pick(g, []ir.Form{ir.Prefix, ir.Postfix})
		b.Y = &ir.Const{Val: 1, Typ: l.Type()}
		return b
	}
	b.Op = pick(g, arithmetic)
	b.Y = g.right(b.Op, l.Type(), depth-1)
	return b
}

// copied returns an assignment of the right-hand side of another one, sites
// included, or nil if that isn't in scope.
func (g *generator) copied() ir.Stmt {
	if len(g.copies) == 0 || g.hard {
		return nil
	}
	e := pick(g, g.copies).RHS
	l := g.placeOf(e.Type())
	if l == nil || !g.inScope(e) {
		return nil
	}
	return &ir.Assign{LHS: l, RHS: ir.CloneExpr(e)}
}

func (g *generator) inScope(e ir.Expr) bool {
	if u, ok := e.(*ir.Use); ok {
		return slices.Contains(g.vars, u.Var)
	}
	for _, o := range e.Operands(nil) {
		if !g.inScope(*o) {
			return false
		}
	}
	return true
}

func (g *generator) assert() ir.Stmt {
	s := &ir.Assert{Cond: g.siteless(ir.Bool{})}
	if g.one(8) {
		s.Kind, s.Text = ir.CheckNil, "not nil"
	}
	return s
}

// siteless returns an expression of type t for what is no location.
func (g *generator) siteless(t ir.Type) ir.Expr {
	old := g.hard
	g.hard = true
	e := g.expr(t, 2)
	g.hard = old
	return e
}

// labelled returns a block that its statements may leave.
func (g *generator) labelled(depth int) ir.Stmt {
	label := g.name("b")
	g.blocks = append(g.blocks, label)
	b := g.block(depth - 1)
	b.Label = label
	g.blocks = g.blocks[:len(g.blocks)-1]
	return b
}

func (g *generator) loop(depth int) ir.Stmt {
	s := &ir.Loop{Label: g.name("l"), TestLast: g.one(4)}
	if !g.one(8) {
		s.Cond = g.expr(ir.Bool{}, 1)
	}
	if g.one(4) {
		s.Head = g.straight(depth - 1)
	}
	if g.one(2) {
		s.Post = g.straight(depth - 1)
	}
	g.inside(s, depth)
	return s
}

// straight returns a block without jumps, for a Head or Post.
func (g *generator) straight(depth int) *ir.Block {
	b := &ir.Block{List: []ir.Stmt{g.assign(1)}}
	if g.one(4) {
		if s := g.call(); s != nil {
			b.List = append(b.List, s)
		}
	}
	if g.one(4) && depth > 0 {
		b.List = append(b.List, &ir.If{Cond: g.expr(ir.Bool{}, 1), Then: &ir.Block{List: []ir.Stmt{g.assign(1)}}})
	}
	return b
}

// inside makes the body of s.
func (g *generator) inside(s *ir.Loop, depth int) {
	g.loops, g.blocks = append(g.loops, s.Label), append(g.blocks, s.Label)
	s.Body = g.block(depth - 1)
	g.loops, g.blocks = g.loops[:len(g.loops)-1], g.blocks[:len(g.blocks)-1]
}

// counted returns a loop that counts to a small number, and the assignment
// before it. Its body may change the counter.
func (g *generator) counted(depth int) []ir.Stmt {
	t := ir.Int{Width: 3}
	v := &ir.Var{Name: g.name("n"), Kind: ir.Local, Type: t}
	g.proc.Locals = append(g.proc.Locals, v)
	g.vars = append(g.vars, v)
	step := &ir.Binary{ExprInfo: g.newSite(), Op: ir.Add, X: use(v), Y: &ir.Const{Val: 1, Typ: t}}
	if g.cfg.Forms {
		step.Form = ir.Postfix
	}
	last := &ir.Const{ExprInfo: g.newSite(), Val: uint64(1 + g.r.IntN(3)), Typ: t}
	s := &ir.Loop{
		Label:    g.name("l"),
		Cond:     &ir.Binary{ExprInfo: g.newSite(), Op: ir.Lt, X: &ir.Use{ExprInfo: g.newSite(), Var: v}, Y: last},
		Post:     &ir.Block{List: []ir.Stmt{&ir.Assign{LHS: use(v), RHS: step}}},
		TestLast: g.one(6),
	}
	g.inside(s, depth)
	return []ir.Stmt{&ir.Assign{LHS: use(v), RHS: &ir.Const{ExprInfo: g.newSite(), Typ: t}}, s}
}

func (g *generator) jump() ir.Stmt {
	switch k := g.r.IntN(6); {
	case k < 2 && len(g.loops) > 0:
		return &ir.Break{Label: g.loopLabel()}
	case k < 4 && len(g.loops) > 0:
		return &ir.Continue{Label: g.loopLabel()}
	case k == 4 && len(g.blocks) > 0:
		return &ir.Break{Label: pick(g, g.blocks)}
	}
	if g.proc == g.p.Entry && g.cfg.Pin > 0 {
		return g.assign(1)
	}
	s := &ir.Return{}
	if g.one(4) {
		return s
	}
	for _, v := range g.proc.Results {
		s.Values = append(s.Values, g.expr(v.Type, 1))
	}
	return s
}

// loopLabel returns the label of a loop around, or "" for the innermost.
func (g *generator) loopLabel() string {
	if g.one(2) {
		return ""
	}
	return pick(g, g.loops)
}

// free returns a statement that makes choices.
func (g *generator) free() ir.Stmt {
	old := g.hard
	g.hard = true
	defer func() { g.hard = old }()
	var whole, local []*ir.Var
	for _, v := range g.vars {
		if a, ok := v.Type.(ir.Array); ok && a.Len != 0 {
			whole = append(whole, v)
			if v.Kind == ir.Local {
				local = append(local, v)
			}
		}
	}
	switch k := g.r.IntN(4); {
	case k == 0 && len(local) > 0:
		return &ir.Alloc{Var: pick(g, local), Len: g.index()}
	case k == 1 && len(whole) > 0:
		return &ir.Havoc{LHS: use(pick(g, whole))}
	}
	if l := g.place(isScalar); l != nil {
		return &ir.Havoc{LHS: l}
	}
	return g.assert()
}

// call returns a call of a procedure, or nil if the one it thinks of can't
// be called here.
func (g *generator) call() ir.Stmt {
	if len(g.p.Procs) == 0 || g.alone {
		return nil
	}
	s := &ir.Call{Proc: pick(g, g.p.Procs)}
	for _, v := range s.Proc.Params {
		e := g.argument(v.Type)
		if e == nil {
			return nil
		}
		s.Args = append(s.Args, e)
	}
	for _, v := range s.Proc.Results {
		var l ir.Expr
		if !g.one(4) {
			l = g.placeOf(v.Type)
		}
		s.Results = append(s.Results, l)
	}
	return s
}

// argument returns an argument for a parameter of type t, or nil.
func (g *generator) argument(t ir.Type) ir.Expr {
	a, ok := t.(ir.Array)
	if !ok {
		return g.expr(t, 1)
	}
	return g.place(func(t ir.Type) bool {
		b, ok := t.(ir.Array)
		return ok && b.Elem == a.Elem && (a.Len == 0 || a.Len == b.Len)
	})
}
