package gofront

// Type assertions and type switches.

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/go-amend/amend/ir"
)

// asserted is x.(t), and whether x has that type. It returns false after
// failing.
func (b *body) asserted(n ast.Node, v value, t types.Type) (value, ir.Expr, bool) {
	switch {
	case v.dyn != nil:
		return b.assertedStatically(v, t)
	case len(v.lay.leaves) != 1 || isLibraryError(t):
		b.unsupported(n, "type assertion on this value", "use a concrete type")
		return b.zero(t), truth(false), false
	case types.IsInterface(t):
		return b.assertedInterface(n, v, t)
	}
	b.refuse(b.layoutOf(t), b.span(n))
	b.lowerer.keep(t)
	b.demands = append(b.demands, demand{span: b.span(n), t: v.typ, what: asserting, only: t})
	if b.typeID(t) == 0 && !b.known.changed {
		b.unsupported(n, "type assertion to "+t.String(), "use a pointer or a number")
		return b.zero(t), truth(false), false
	}
	x := b.frozen(v.read(0))
	ok := b.Save("is", isType(x, b.typeID(t)))
	return b.unboxedIf(ok, x, t), ok, true
}

func (b *body) assertedStatically(v value, t types.Type) (value, ir.Expr, bool) {
	ok := b.assignable(v.dyn, t)
	switch {
	case !ok:
		v = b.zero(t)
	case types.IsInterface(t):
		v.typ = t
	default:
		v.typ, v.dyn = t, nil
	}
	return v, truth(ok), true
}

// assertedInterface is asserted for an interface type.
func (b *body) assertedInterface(n ast.Node, v value, t types.Type) (value, ir.Expr, bool) {
	b.demands = append(b.demands, demand{span: b.span(n), t: v.typ, what: asserting})
	x := b.frozen(v.read(0))
	var vs []value
	b.Within(func() { vs = b.callFunction(n, b.implementing(n, t), []value{b.scalarValue(v.typ, x)}) })
	ok := b.Save("is", vs[0].read(0))
	return b.scalarValue(t, b.Save("v", &ir.Cond{C: use(ok.Var), X: x, Y: num(tInt, 0)})), ok, true
}

// implementing returns the function that tells whether an interface value
// implements t. Tokens are errors.
func (b *body) implementing(n ast.Node, t types.Type) *function {
	flag := types.Typ[types.Bool]
	s := &synthetic{params: []*types.Var{parameter("x", anyType)}, results: resultTuple(flag)}
	s.build = func(b *body) {
		x := b.arg(0).read(0)
		b.eachKept(func(dyn types.Type) {
			if implements(dyn, t) {
				b.branch(isType(x, b.typeID(dyn)), b.Block(func() { b.yields(b.scalarValue(flag, truth(true))) }), nil)
			}
		}, func() {
			b.yields(b.scalarValue(flag, and(truth(implements(errorType, t)), &ir.Binary{Op: ir.Gt, X: ir.CloneExpr(x), Y: num(tInt, 0)})))
		})
	}
	f := b.synthesize(n, "implements "+types.TypeString(t, nil), s)
	f.key = "implements " + typeKey(t)
	return f
}

func zeroOf(v value) ir.Expr { return num(v.x[0].Type(), 0) }

// isLibraryError reports whether values of type t come from functions that
// are not lowered.
func isLibraryError(t types.Type) bool {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	n, ok := types.Unalias(t).(*types.Named)
	return ok && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == "testing/quick"
}

// commaOk lowers x.(T) with two results.
func (b *body) commaOk(x ast.Expr) []value {
	if t, ok := ast.Unparen(x).(*ast.TypeAssertExpr); ok {
		v, is, ok := b.asserted(t, b.val(t.X), b.typ(t.Type))
		if ok {
			return []value{v, b.scalarValue(types.Typ[types.Bool], is)}
		}
	} else if m, ok := ast.Unparen(x).(*ast.IndexExpr); ok && isMap(b.typ(m.X)) {
		v, ok := b.mapIndex(m)
		return []value{v, b.scalarValue(types.Typ[types.Bool], ok)}
	} else if u, ok := ast.Unparen(x).(*ast.UnaryExpr); ok && u.Op == token.ARROW {
		var vs []value
		b.Within(func() { vs = b.receive(u, u.X) })
		if vs != nil {
			return vs
		}
	} else {
		b.unsupported(x, "expression with two results", "")
	}
	if t, ok := b.typ(x).(*types.Tuple); ok {
		return b.zeros(nil, t)
	}
	return nil
}

// typeAssert lowers x.(T).
func (b *body) typeAssert(e *ast.TypeAssertExpr) value {
	v, is, ok := b.asserted(e, b.val(e.X), b.typ(e.Type))
	if !ok {
		return b.refused(e)
	}
	b.demand(ir.CheckAssert, is, b.span(e), "")
	b.showText(&v, e)
	return v
}

// typeSwitch lowers a type switch.
func (b *body) typeSwitch(s *ast.TypeSwitchStmt) {
	x := b.enter(false)
	if s.Init != nil {
		b.stmt(s.Init)
	}
	var e ast.Expr
	switch a := s.Assign.(type) {
	case *ast.ExprStmt:
		e = a.X.(*ast.TypeAssertExpr).X
	case *ast.AssignStmt:
		e = a.Rhs[0].(*ast.TypeAssertExpr).X
	}
	var v value
	b.Locate(b.span(e), func() { v = b.val(e) })
	if v.dyn == nil && types.IsInterface(v.typ) {
		b.typeCases(s, x, e, v)
		return
	}
	c := b.selectType(s, v.dyn)
	if c == nil {
		return
	}
	if o := b.p.info.Implicits[c]; o != nil {
		w := v
		if len(c.List) == 1 && !types.IsInterface(b.typ(c.List[0])) {
			w.typ, w.dyn = v.dyn, nil
		}
		b.scope[o] = &variable{value: w}
	}
	b.exits = append(b.exits, x)
	inner := b.Block(func() { b.stmts(c.Body) })
	b.exits = b.exits[:len(b.exits)-1]
	inner.Label = x.label
	b.Emit(inner)
}

// typeCases tells the clauses of s apart when it runs:
//
//	switch1: { case1: { if (v is not T) break case1; …; break switch1 } …; default }
func (b *body) typeCases(s *ast.TypeSwitchStmt, x exit, e ast.Expr, v value) {
	b.Locate(b.span(e), func() { v = b.snapshot(v) })
	b.exits = append(b.exits, x)
	outer := b.Block(func() {
		var other *ast.CaseClause
		for _, c := range s.Body.List {
			c := c.(*ast.CaseClause)
			if c.List == nil {
				other = c
				continue
			}
			b.typeCase(c, x, v)
		}
		if other != nil {
			b.bindCase(other, v)
			b.stmts(other.Body)
		}
	})
	b.exits = b.exits[:len(b.exits)-1]
	outer.Label = x.label
	b.Emit(outer)
}

func (b *body) typeCase(c *ast.CaseClause, x exit, v value) {
	label := b.Label("case")
	inner := b.Block(func() {
		w, any := v, ir.Expr(truth(false))
		b.Locate(b.span(c.List[0]), func() {
			for _, t := range c.List {
				is := ir.Expr(&ir.Binary{Op: ir.Eq, X: v.read(0), Y: num(tInt, 0)})
				if !b.p.info.Types[t].IsNil() {
					var u value
					if u, is, _ = b.asserted(t, v, b.typ(t)); len(c.List) == 1 {
						w = u
					}
				}
				any = b.Save("is", &ir.Cond{C: any, X: truth(true), Y: is})
			}
			b.branch(&ir.Unary{Op: ir.Not, X: any}, b.Block(func() { b.goTo(label) }), nil)
		})
		b.bindCase(c, w)
		b.stmts(c.Body)
		b.Locate(ir.Span{}, func() { b.goTo(x.label) })
	})
	inner.Label = label
	b.Emit(inner)
}

// bindCase gives the variable of clause c, if it has one, the value v.
func (b *body) bindCase(c *ast.CaseClause, v value) {
	o := b.p.info.Implicits[c]
	if o == nil {
		return
	}
	b.Locate(ir.Span{}, func() {
		w := b.declare(o, o.Name(), v.typ, ir.Span{})
		b.allocate(w)
		b.store(ir.Span{}, w.value, v)
	})
}
