package gofront

// Statements.

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/go-amend/amend/ir"
)

func tokenLen(s string) token.Pos { return token.Pos(len(s)) }

func (b *body) stmts(list []ast.Stmt) {
	for i, s := range list {
		if b.back(list[i:]) || b.ahead(list[i:]) {
			return
		}
		b.stmt(s)
	}
}

// stmt lowers s. What becomes of it is one text.
func (b *body) stmt(s ast.Stmt) {
	first := len(b.List)
	b.lowerStmt(s)
	if !whole(s) {
		return
	}
	for _, x := range b.List[min(first, len(b.List)):] {
		if i := ir.StmtOf(x); i.Whole.IsZero() {
			i.Whole = b.span(s)
		}
	}
}

// whole reports whether s may be put in a block or left out: it declares
// nothing.
func whole(s ast.Stmt) bool {
	switch s := s.(type) {
	case *ast.ExprStmt, *ast.SendStmt, *ast.GoStmt, *ast.IncDecStmt, *ast.IfStmt, *ast.ForStmt, *ast.RangeStmt, *ast.SwitchStmt,
		*ast.BranchStmt, *ast.ReturnStmt:
		return true
	case *ast.AssignStmt:
		return s.Tok != token.DEFINE
	}
	return false
}

func (b *body) lowerStmt(s ast.Stmt) {
	switch s := s.(type) {
	case *ast.BlockStmt:
		b.Emit(b.Block(func() { b.stmts(s.List) }))
	case *ast.ExprStmt:
		b.Locate(b.span(s.X), func() { b.effect(s.X) })
	case *ast.AssignStmt:
		b.Locate(b.span(s), func() { b.assign(s) })
	case *ast.IncDecStmt:
		b.Locate(b.span(s), func() { b.increment(s) })
	case *ast.DeclStmt:
		b.declStmt(s.Decl.(*ast.GenDecl))
	case *ast.IfStmt:
		b.ifStmt(s)
	case *ast.ForStmt:
		b.forStmt(s)
	case *ast.RangeStmt:
		b.rangeStmt(s)
	case *ast.SwitchStmt:
		b.switchStmt(s)
	case *ast.BranchStmt:
		b.jump(s)
	case *ast.ReturnStmt:
		b.Locate(b.span(s), func() { b.returning(s) })
	case *ast.LabeledStmt:
		b.pending = s.Label.Name
		b.stmt(s.Stmt)
		b.pending = ""
	case *ast.DeferStmt:
		b.Locate(b.span(s), func() { b.deferCall(s) })
	case *ast.EmptyStmt:
	case *ast.GoStmt:
		b.Locate(b.span(s), func() { b.goStmt(s) })
	case *ast.SelectStmt:
		b.selectStmt(s)
	case *ast.SendStmt:
		b.Locate(b.span(s), func() { b.sendStmt(s) })
	case *ast.TypeSwitchStmt:
		b.typeSwitch(s)
	default:
		b.unsupported(s, "statement", "")
	}
}

// An exit is a statement that break or continue leaves.
type exit struct {
	goLabel string
	label   string // of the ir statement
	row     string // of the block that is one iteration, where the loop is written out
	loop    bool
	plain   bool // break without a label leaves it
}

// enter returns the exit for the loop or switch that begins here.
func (b *body) enter(loop bool) exit {
	hint := "switch"
	if loop {
		hint = "loop"
	}
	x := exit{goLabel: b.pending, label: b.Label(hint), loop: loop, plain: true}
	b.pending = ""
	return x
}

func (b *body) jump(s *ast.BranchStmt) {
	b.Locate(b.span(s), func() {
		switch s.Tok {
		case token.BREAK, token.CONTINUE:
			x := b.findExit(s)
			if x == nil {
				b.unsupported(s, s.Tok.String()+" here", "")
				return
			}
			if s.Tok == token.BREAK {
				j := &ir.Break{Label: x.label}
				b.Stand(&j.StmtInfo, b.span(s))
				b.Emit(j)
				return
			}
			b.continues(s, x)
		case token.GOTO:
			b.jumpTo(s)
		case token.FALLTHROUGH:
			// The next case follows.
		}
	})
}

func (b *body) continues(s *ast.BranchStmt, x *exit) {
	if x.row != "" {
		j := &ir.Break{Label: x.row}
		b.Stand(&j.StmtInfo, b.span(s))
		b.Emit(j)
		return
	}
	j := &ir.Continue{Label: x.label}
	b.Stand(&j.StmtInfo, b.span(s))
	b.Emit(j)
}

func (b *body) findExit(s *ast.BranchStmt) *exit {
	for i := len(b.exits) - 1; i >= 0; i-- {
		x := &b.exits[i]
		switch {
		case s.Label != nil && x.goLabel != s.Label.Name:
		case s.Label == nil && !x.plain:
		case s.Tok == token.CONTINUE && !x.loop:
		default:
			return x
		}
	}
	return nil
}

func (b *body) declStmt(d *ast.GenDecl) {
	if d.Tok != token.VAR {
		return
	}
	for _, s := range d.Specs {
		s := s.(*ast.ValueSpec)
		b.Locate(b.span(s), func() { b.varSpec(s) })
	}
}

func (b *body) varSpec(s *ast.ValueSpec) {
	if len(s.Values) == 1 && len(s.Names) > 1 {
		vs := b.results(s.Values[0])
		for i, id := range s.Names {
			if i < len(vs) {
				b.define(b.span(s), id, vs[i])
			}
		}
		return
	}
	var vs []value
	for i, id := range s.Names {
		o := b.p.info.Defs[id]
		if i >= len(s.Values) {
			b.declareZero(id, o)
			continue
		}
		t := b.typ(id)
		if len(s.Names) == 1 {
			b.defineFrom(b.span(s), id, t, s.Values[i])
			return
		}
		vs = append(vs, b.snapshot(b.convertTo(s.Values[i], b.operand(s.Values[i]), t)))
	}
	for i := range vs {
		b.define(b.span(s), s.Names[i], vs[i])
	}
}

func (b *body) declareZero(id *ast.Ident, o types.Object) {
	if o == nil {
		return // _
	}
	t := b.typ(id)
	if b.p.factsOf().settled[o] {
		b.scope[o] = &variable{value: b.zero(t)}
		return
	}
	v := b.declare(o, id.Name, t, b.span(id))
	b.allocate(v)
	if v.mem == nil {
		b.clear(b.span(id), v.value)
	}
}

// define makes the variable id with value v.
func (b *body) define(span ir.Span, id *ast.Ident, v value) {
	o := b.p.info.Defs[id]
	if o == nil || id.Name == "_" {
		b.evaluate(span, v)
		return
	}
	t := b.typ(id)
	if v.fn != nil && isFunc(t) && b.p.factsOf().fixed(o) {
		b.scope[o] = &variable{value: v}
		return
	}
	v = b.convertTo(id, v, t)
	if v.dyn != nil {
		b.declareDynamic(span, o, id, v)
		return
	}
	w := b.declare(o, id.Name, t, b.span(id))
	b.allocate(w)
	b.store(span, w.value, v)
}

// declareDynamic makes an interface variable whose dynamic type is known and
// that keeps its value.
func (b *body) declareDynamic(span ir.Span, o types.Object, id *ast.Ident, v value) {
	f := b.p.factsOf()
	if f.assigned[o] > 0 || f.inMemory(o) || f.captured[o] && len(v.lay.leaves) > 0 || v.fn != nil {
		b.declared(span, o, id, b.forget(v))
		return
	}
	w := b.declare(nil, id.Name, v.dyn, b.span(id))
	known := v
	known.typ, known.dyn = v.dyn, nil
	b.store(span, w.value, known)
	w.typ, w.dyn = v.typ, v.dyn
	b.scope[o] = w
}

func (b *body) declared(span ir.Span, o types.Object, id *ast.Ident, v value) {
	w := b.declare(o, id.Name, b.typ(id), b.span(id))
	b.allocate(w)
	b.store(span, w.value, v)
}

// defineFrom is define with the value of e.
func (b *body) defineFrom(span ir.Span, id *ast.Ident, t types.Type, e ast.Expr) {
	o := b.p.info.Defs[id]
	if f, ok := b.selfReferring(o, e); ok && isFunc(t) && b.p.factsOf().fixed(o) {
		b.scope[o] = &variable{value: value{typ: t, lay: b.layoutOf(t), fn: f}}
		return
	}
	b.define(span, id, b.convertTo(e, b.operand(e), t))
}

// selfReferring returns the function of a literal that is the only value of
// the variable o.
func (b *body) selfReferring(o types.Object, e ast.Expr) (*function, bool) {
	lit, ok := ast.Unparen(e).(*ast.FuncLit)
	if !ok || o == nil {
		return nil, false
	}
	return b.closure(lit, o), true
}

func (b *body) ifStmt(s *ast.IfStmt) {
	if s.Init != nil {
		b.stmt(s.Init)
	}
	i := &ir.If{}
	span := b.span(s.Cond)
	b.Locate(span, func() {
		i.Cond = b.expr(s.Cond)
		b.Stand(&i.StmtInfo, span)
	})
	i.Then = b.Block(func() { b.stmts(s.Body.List) })
	if s.Else != nil {
		i.Else = b.Block(func() { b.stmt(s.Else) })
	}
	b.Emit(i)
}

// inLoop lowers the body of a loop that x stands for.
func (b *body) inLoop(x exit, list []ast.Stmt, before func()) *ir.Block {
	b.exits = append(b.exits, x)
	b.loops++
	body := b.Block(func() {
		if before != nil {
			before()
		}
		b.stmts(list)
	})
	b.loops--
	b.exits = b.exits[:len(b.exits)-1]
	return body
}

func (b *body) forStmt(s *ast.ForStmt) {
	x := b.enter(true)
	if s.Init != nil {
		b.stmt(s.Init)
	}
	l := &ir.Loop{Label: x.label}
	span := b.spanOf(b.p, s.For, s.For+3)
	if s.Cond != nil {
		span = b.span(s.Cond)
	}
	b.loops++
	b.Locate(span, func() {
		b.Stand(&l.StmtInfo, span)
		if s.Cond != nil {
			l.Head = b.Optional(func() { l.Cond = b.expr(s.Cond) })
		}
	})
	b.loops--
	l.Body = b.inLoop(x, s.Body.List, nil)
	b.loops++
	l.Post = b.Optional(func() {
		b.renewLoopVars(s.Init)
		if s.Post != nil {
			b.stmt(s.Post)
		}
	})
	b.loops--
	b.Emit(l)
}

// renewLoopVars gives the variables of a for statement that live in memory a
// new place for the next iteration.
func (b *body) renewLoopVars(init ast.Stmt) {
	a, ok := init.(*ast.AssignStmt)
	if !ok || a.Tok != token.DEFINE {
		return
	}
	for _, x := range a.Lhs {
		id, ok := x.(*ast.Ident)
		if !ok {
			continue
		}
		v := b.scope[b.p.info.Defs[id]]
		if v == nil || v.ptr == nil {
			continue
		}
		b.Locate(ir.Span{}, func() {
			old := v.value
			old.addr = b.Save("old", use(v.ptr))
			b.allocate(v)
			b.Unchanged(func() { b.store(ir.Span{}, v.value, old) })
		})
	}
}

func (b *body) returning(s *ast.ReturnStmt) {
	span := b.span(s)
	var vs []value
	switch n := len(b.inst.results); {
	case len(s.Results) == 0:
	case len(s.Results) == 1 && n > 1:
		b.Within(func() { vs = b.results(s.Results[0]) })
	default:
		for i, e := range s.Results {
			vs = append(vs, b.returned(e, &b.inst.results[i]))
		}
	}
	for i := range vs {
		if i < len(b.inst.results) {
			vs[i] = b.settle(s, vs[i], &b.inst.results[i])
		}
	}
	b.giveBack(span, vs)
}

func (b *body) returned(e ast.Expr, r *result) value {
	return b.convertTo(e, b.operand(e), r.typ)
}

// settle makes v a value for r, whose dynamic type is to be known.
func (b *body) settle(n ast.Node, v value, r *result) value {
	if !types.IsInterface(r.typ) || isError(r.typ) {
		return b.data(v)
	}
	if v.fn != nil {
		v = b.data(v)
	}
	t, seen := b.known.results[r.key]
	switch {
	case v.dyn == nil && !seen, v.dyn != nil && t != nil && types.Identical(t, v.dyn):
		return v
	case v.dyn != nil && !seen:
		b.known.results[r.key] = v.dyn
		b.known.changed = true
		return b.zero(r.typ)
	case t != nil: // nil, another type, or something unknown
		b.known.results[r.key] = nil
		b.known.changed = true
		return b.zero(r.typ)
	}
	if v.dyn != nil {
		return b.forget(v)
	}
	return v
}

func (b *body) giveBack(span ir.Span, vs []value) {
	rs := b.inst.results
	if b.leave != "" {
		b.storeResults(span, vs)
		j := &ir.Break{Label: b.leave}
		if len(vs) == 0 {
			b.Stand(&j.StmtInfo, span)
		} else {
			b.Derive(&j.StmtInfo)
		}
		b.Emit(j)
		return
	}
	r := &ir.Return{}
	for i := range vs {
		if i >= len(rs) {
			break
		}
		to := b.resultValue(&rs[i])
		v := vs[i]
		if len(v.lay.leaves) != len(to.lay.leaves) {
			v = b.zero(to.typ)
			v.lay, v.x = to.lay, b.zeroLeaves(to.lay)
		}
		for k := range to.lay.leaves {
			b.unify(to.region(k), v.region(k))
			if f := &to.lay.leaves[k]; len(f.dims) == 0 {
				r.Values = append(r.Values, convert(v.read(k), f.typ))
			} else {
				each(f.dims, func(idx []int) { b.Set(to.elem(k, idx), v.elem(k, idx)) })
			}
		}
	}
	b.Stand(&r.StmtInfo, span)
	b.Emit(r)
}

func (b *body) zeroLeaves(lay *layout) []ir.Expr {
	var x []ir.Expr
	for _, f := range lay.leaves {
		if len(f.dims) > 0 {
			x = append(x, nil)
		} else {
			x = append(x, num(f.typ, 0))
		}
	}
	return x
}

// storeResults stores vs where the epilogue finds them.
func (b *body) storeResults(span ir.Span, vs []value) {
	if len(vs) > 1 {
		for i := range vs {
			vs[i] = b.snapshot(vs[i])
		}
	}
	for i := range vs {
		r := &b.inst.results[i]
		to := b.resultValue(r)
		if v := b.scope[r.obj]; v != nil && v.mem != nil {
			to = v.value
		}
		b.store(span, to, vs[i])
	}
}
