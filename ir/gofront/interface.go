package gofront

// Interface values. Where the dynamic type is known statically, a value of
// that type stands for the interface value. Elsewhere it is one number of 64
// bits: 0 for nil; negative, the type and the value, if that is a pointer or
// a number; else positive, a number of its own at each conversion.

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/go-amend/amend/ir"
)

// payload is the number of bits for the value; those above, but for the
// sign, tell the type.
const payload = 48

const maxTypes = 1 << (63 - payload)

// box makes v a value of the interface type t, with a dynamic type that is
// known.
func (b *body) box(v value, t types.Type) value {
	if isUntyped(v.typ) {
		v.typ = types.Default(v.typ)
	}
	if isError(t) {
		return b.erased(v, t)
	}
	v = untouched(v)
	v.dyn = v.typ
	v.typ = t
	return v
}

// untouched returns v, no site if it is a constant of a named type: another
// constant in its place would have another type.
func untouched(v value) value {
	if _, basic := v.typ.(*types.Basic); basic || len(v.x) != 1 {
		return v
	}
	if c, ok := v.x[0].(*ir.Const); ok && c.ID != 0 {
		v.x = []ir.Expr{readOnly(c)}
	}
	return v
}

// forget makes v, an interface value with a known dynamic type, one without.
func (b *body) forget(v value) value {
	if v.dyn == nil {
		return v
	}
	t := v.typ
	v.typ, v.dyn = v.dyn, nil
	return b.erased(v, t)
}

// erased makes v, of a concrete type, a value of the interface type t as a
// number.
func (b *body) erased(v value, t types.Type) value {
	id := b.typeID(v.typ)
	if id == 0 || v.fn != nil {
		b.lowerer.opaques = append(b.opaques, v.typ)
		return b.opaque(t)
	}
	tag := uint64(1)<<63 | uint64(id)<<payload
	if len(v.lay.leaves) == 0 {
		return b.scalarValue(t, &ir.Const{Typ: tInt, Val: tag})
	}
	if r := v.region(0); r != nil {
		b.unify(b.boxed(v.typ, v.lay), r)
	}
	v = untouched(v)
	x := b.frozen(v.read(0))
	n := x.Type()
	switch {
	case n == tBool:
		x = &ir.Cond{C: x, X: num(tU64, 1), Y: num(tU64, 0)}
	case ir.Width(n) > payload:
		back := &ir.Binary{Op: ir.Shr, X: &ir.Binary{Op: ir.Shl, X: convert(ir.CloneExpr(x), tInt), Y: num(tU64, 64-payload)}, Y: num(tU64, 64-payload)}
		if _, ok := x.(*ir.Const); !ok { // constants of that size are not for types of errors
			b.cutWhen(readOnly(&ir.Binary{Op: ir.Ne, X: back, Y: convert(ir.CloneExpr(x), tInt)}))
		}
		x = &ir.Binary{Op: ir.And, X: convert(x, tU64), Y: num(tU64, 1<<payload-1)}
	default:
		x = convert(convert(x, ir.Int{Width: ir.Width(n)}), tU64)
	}
	whole := &ir.Binary{Op: ir.Or, X: &ir.Const{Typ: tU64, Val: tag}, Y: x}
	return b.scalarValue(t, b.Save("boxed", &ir.Convert{To: tInt, X: whole}))
}

// boxed is the region of pointers of type t in interface values.
func (b *body) boxed(t types.Type, lay *layout) *region {
	return b.leafRegion("boxed "+types.TypeString(t, nil), &lay.leaves[0])
}

// typeID returns the number of type t, 0 if its values are not kept.
func (l *lowerer) typeID(t types.Type) int {
	lay := l.layoutOf(t)
	if len(lay.leaves) > 1 || lay.size > 1 || lay.bad != "" || isFunc(t) || types.IsInterface(t) {
		return 0
	}
	if len(lay.leaves) == 1 && (len(lay.leaves[0].dims) > 0 || isFloat(t)) {
		return 0
	}
	key := types.TypeString(t, nil)
	if l.typeIDs[key] == 0 {
		if len(l.typeIDs) >= maxTypes-1 {
			return 0
		}
		l.typeIDs[key] = len(l.typeIDs) + 1
		l.noteBoxed(t, key)
	}
	return l.typeIDs[key]
}

// isType is the condition that x, an interface value as a number, has the
// type with this id.
func isType(x ir.Expr, id int) ir.Expr {
	top := &ir.Binary{Op: ir.Shr, X: &ir.Convert{To: tU64, X: ir.CloneExpr(x)}, Y: num(tU64, payload)}
	return &ir.Binary{Op: ir.Eq, X: top, Y: &ir.Const{Typ: tU64, Val: 1<<(63-payload) | uint64(id)}}
}

// unboxed is the value of type t in x, an interface value as a number of
// that type.
func (b *body) unboxed(x ir.Expr, t types.Type) value {
	lay := b.layoutOf(t)
	if len(lay.leaves) == 0 {
		return b.zero(t)
	}
	f := &lay.leaves[0]
	var e ir.Expr
	switch {
	case f.typ == tBool:
		low := &ir.Binary{Op: ir.And, X: ir.CloneExpr(x), Y: num(tInt, 1)}
		e = &ir.Binary{Op: ir.Ne, X: low, Y: num(tInt, 0)}
	case ir.Width(f.typ) > payload:
		e = convert(&ir.Binary{Op: ir.Shr, X: &ir.Binary{Op: ir.Shl, X: ir.CloneExpr(x), Y: num(tU64, 64-payload)}, Y: num(tU64, 64-payload)}, f.typ)
	default:
		e = convert(ir.CloneExpr(x), f.typ)
	}
	v := value{typ: t, lay: lay, x: []ir.Expr{b.Save("unboxed", e)}, regs: []*region{nil}}
	if f.target != "" {
		v.regs[0] = b.boxed(t, lay)
	}
	return v
}

// opaque returns a new value of an interface of which nothing is known but
// that it isn't nil.
func (b *body) opaque(t types.Type) value {
	if b.tokens == nil {
		b.lowerer.tokens = &ir.Var{Name: "tokens", Kind: ir.Global, Type: tInt}
	}
	x := b.Temp("token", tInt)
	next := func() {
		b.Set(use(b.tokens), add(use(b.tokens), num(tInt, 1)))
		b.Set(use(x), use(b.tokens))
	}
	if b.known.threaded {
		a := &ir.Atomic{Body: b.Block(next)}
		b.Derive(&a.StmtInfo)
		b.Emit(a)
	} else {
		next()
	}
	return b.scalarValue(t, use(x))
}

var errorType = types.Universe.Lookup("error").Type()

func isError(t types.Type) bool {
	i, ok := t.Underlying().(*types.Interface)
	if !ok {
		return false
	}
	return types.Identical(t, errorType) || i.NumMethods() == 1 && i.Method(0).Name() == "Error"
}

// A comparison is one of two values of the interface type t.
type comparison struct {
	span ir.Span
	t    *types.Interface
}

// equalInterfaces is x == y, at least one of which is an interface value.
func (b *body) equalInterfaces(n ast.Node, x, y value) ir.Expr {
	tx, ty := concrete(x), concrete(y)
	if tx != nil && ty != nil {
		if types.TypeString(tx, nil) != types.TypeString(ty, nil) {
			return truth(false)
		}
		if !types.Comparable(tx) {
			b.unsupported(n, "comparison of interface values that panics", "compare concrete values")
			return truth(false)
		}
		x.typ, x.dyn, y.typ, y.dyn = tx, nil, ty, nil
		return b.equal(n, x, y)
	}
	t := x.typ
	if !types.IsInterface(t) {
		t = y.typ
	}
	number := func(v value, of types.Type) ir.Expr {
		switch {
		case v.dyn != nil:
			v = b.forget(v)
		case of != nil:
			v = b.erased(v, t)
		}
		return v.read(0)
	}
	b.lowerer.compared = append(b.compared, comparison{b.span(n), t.Underlying().(*types.Interface)})
	return &ir.Binary{Op: ir.Eq, X: number(x, tx), Y: number(y, ty)}
}

// concrete returns the type of v or, if that is an interface, its dynamic
// type, nil if that is not known.
func concrete(v value) types.Type {
	if types.IsInterface(v.typ) {
		return v.dyn
	}
	return v.typ
}

// checkComparisons refuses comparisons of interface values some of which are
// not kept.
func (l *lowerer) checkComparisons() {
	for _, c := range l.compared {
		for _, t := range l.opaques {
			if types.Implements(t, c.t) {
				l.fail(&ir.UnsupportedError{Span: c.span, Construct: "comparison of interface values that hold " + t.String(), Hint: "compare concrete values, or pointers"})
				break
			}
		}
	}
}

// asserted is x.(t), and whether x has that type. It returns false after
// failing.
func (b *body) asserted(n ast.Node, v value, t types.Type) (value, ir.Expr, bool) {
	if v.dyn != nil {
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
	id := 0
	if !types.IsInterface(t) && !isLibraryError(t) {
		id = b.typeID(t)
	}
	if id == 0 || len(v.lay.leaves) != 1 {
		b.unsupported(n, "type assertion on a value whose type is not known statically", "assert a pointer or a number, or use a concrete type")
		return b.zero(t), truth(false), false
	}
	x := b.frozen(v.read(0))
	ok := b.Save("is", isType(x, id))
	w := b.unboxed(x, t)
	if len(w.x) == 1 {
		w.x[0] = b.Save("v", &ir.Cond{C: use(ok.Var), X: w.x[0], Y: zeroOf(w)})
	}
	return w, ok, true
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
	if v.dyn == nil {
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
