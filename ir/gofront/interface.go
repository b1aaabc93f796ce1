package gofront

// Interface values. Where the dynamic type is known statically, a value of
// that type stands for the interface value. Elsewhere it is one number of 64
// bits: 0 for nil; negative, the type and the payload, which is the value, if
// that is a pointer or a number, else the address of a copy; or positive, a
// token, a number of its own at each conversion: errors without a text, and
// values of which the program never asks what they are.

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
	if v.fn != nil {
		v = b.funcData(v)
	}
	id := b.typeID(v.typ)
	if id == 0 {
		b.lowerer.opaques = append(b.opaques, v.typ)
		return b.token(t)
	}
	tag := uint64(1)<<63 | uint64(id)<<payload
	if len(v.lay.leaves) == 0 {
		return b.scalarValue(t, &ir.Const{Typ: tInt, Val: tag})
	}
	x := b.content(v)
	whole := &ir.Binary{Op: ir.Or, X: &ir.Const{Typ: tU64, Val: tag}, Y: x}
	return b.scalarValue(t, b.Save("boxed", &ir.Convert{To: tInt, X: whole}))
}

// content is the payload for v: its bits or, of what has more, the address of
// a copy.
func (b *body) content(v value) ir.Expr {
	if !b.direct(v.typ) {
		return convert(b.boxedCopy(v), tU64)
	}
	if r := v.region(0); r != nil {
		b.unify(b.boxed(v.typ, v.lay), r)
	}
	v = untouched(v)
	x := b.frozen(v.read(0))
	switch n := x.Type(); {
	case n == tBool:
		return &ir.Cond{C: x, X: num(tU64, 1), Y: num(tU64, 0)}
	case ir.Width(n) > payload:
		return b.shortened(x)
	default:
		return convert(convert(x, ir.Int{Width: ir.Width(n)}), tU64)
	}
}

// shortened is x, of 64 bits, as a payload. Runs with numbers that are no
// payload are cut.
func (b *body) shortened(x ir.Expr) ir.Expr {
	low := func(e ir.Expr) ir.Expr {
		return &ir.Binary{Op: ir.And, X: convert(e, tU64), Y: num(tU64, 1<<payload-1)}
	}
	if n, ok := plain(x); ok && n<<(64-payload)>>(64-payload) == n {
		return low(x)
	}
	if _, ok := x.(*ir.Const); ok {
		x = b.Save("v", x)
	}
	back := &ir.Binary{Op: ir.Shr, X: &ir.Binary{Op: ir.Shl, X: convert(ir.CloneExpr(x), tInt), Y: num(tU64, 64-payload)}, Y: num(tU64, 64-payload)}
	b.cutWhen(readOnly(&ir.Binary{Op: ir.Ne, X: back, Y: convert(ir.CloneExpr(x), tInt)}))
	return low(x)
}

// boxedCopy allocates memory for a copy of v and returns its address.
func (b *body) boxedCopy(v value) ir.Expr {
	v = b.snapshot(v)
	place := value{typ: v.typ, lay: v.lay, mem: b.region(boxedKey(v.typ)), held: true}
	place.addr = b.alloc(place.mem, v.lay.size)
	b.Within(func() { b.storeFresh(place, v) })
	return place.addr
}

// direct reports whether a value of type t is a payload itself.
func (l *lowerer) direct(t types.Type) bool {
	lay := l.layoutOf(t)
	return len(lay.leaves) == 0 || len(lay.leaves) == 1 && lay.size == 1 && len(lay.leaves[0].dims) == 0 && !isFloat(t) && lay.leaves[0].typ != tFunc
}

func boxedKey(t types.Type) string { return "boxed " + typeKey(t) }

// boxed is the region of pointers of type t in interface values.
func (b *body) boxed(t types.Type, lay *layout) *region {
	return b.leafRegion(boxedKey(t), &lay.leaves[0])
}

// typeID returns the number of type t, 0 if its values are not kept.
func (l *lowerer) typeID(t types.Type) int {
	key := typeKey(t)
	if l.typeIDs[key] != 0 || !l.direct(t) && !l.known.kept[key] || !l.keepable(t) {
		return l.typeIDs[key]
	}
	l.typeIDs[key] = len(l.typeIDs) + 1
	l.kept = append(l.kept, t)
	l.noteBoxed(t, key)
	return l.typeIDs[key]
}

// keepable reports whether values of type t can be kept in interface values.
func (l *lowerer) keepable(t types.Type) bool {
	return l.layoutOf(t).bad == "" && !types.IsInterface(t) && len(l.typeIDs) < maxTypes-1
}

// keep says that values of type t, which take memory, have to be kept in
// interface values. Where they were not, lowering begins anew.
func (l *lowerer) keep(t types.Type) {
	if key := typeKey(t); !l.direct(t) && !l.known.kept[key] {
		l.known.kept[key] = true
		l.known.changed = true
	}
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
	if !b.direct(t) {
		at := &ir.Binary{Op: ir.And, X: ir.CloneExpr(x), Y: num(tInt, 1<<payload-1)}
		return value{typ: t, lay: lay, mem: b.region(boxedKey(t)), addr: b.Save("unboxed", convert(at, tAddr))}
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

// unboxedIf is unboxed where is holds, else the zero value.
func (b *body) unboxedIf(is *ir.Use, x ir.Expr, t types.Type) value {
	w := b.unboxed(x, t)
	switch {
	case w.mem != nil:
		key := typeKey(t)
		if b.blanks[key] == 0 {
			b.blanks[key] = w.mem.reserve(w.lay.size)
		}
		w.addr = b.Save("v", &ir.Cond{C: use(is.Var), X: w.addr, Y: num(tAddr, int64(b.blanks[key]))})
	case len(w.x) == 1:
		w.x[0] = b.Save("v", &ir.Cond{C: use(is.Var), X: w.x[0], Y: zeroOf(w)})
	}
	return w
}

// opaque returns a new error of which nothing is known but that it isn't nil.
func (b *body) opaque(t types.Type) value {
	b.lowerer.nameless = true
	return b.token(t)
}

// token returns a new value of an interface that is no other one.
func (b *body) token(t types.Type) value {
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

// equalInterfaces is x == y, at least one of which is an interface value.
func (b *body) equalInterfaces(n ast.Node, x, y value) ir.Expr {
	tx, ty := concrete(x), concrete(y)
	switch {
	case tx != nil && ty != nil:
		return b.equalConcrete(n, x, y)
	case tx != nil:
		return b.equalErased(n, y, x, tx)
	case ty != nil:
		return b.equalErased(n, x, y, ty)
	}
	b.demands = append(b.demands, demand{span: b.span(n), t: x.typ, what: comparing})
	eq, bad := b.equalNumbers(n, x.read(0), y.read(0))
	b.demand(ir.CheckAssert, &ir.Unary{Op: ir.Not, X: bad}, b.span(n), uncomparable)
	return eq
}

// equalNumbers is the comparison of interface values l and r, and whether it
// panics.
func (b *body) equalNumbers(n ast.Node, l, r ir.Expr) (eq, bad ir.Expr) {
	if !b.known.deep {
		return &ir.Binary{Op: ir.Eq, X: l, Y: r}, truth(false)
	}
	l, r = b.frozen(l), b.frozen(r)
	var vs []value
	b.Within(func() {
		vs = b.callFunction(n, b.equality(n), []value{b.scalarValue(anyType, l), b.scalarValue(anyType, r)})
	})
	return vs[0].read(0), vs[1].read(0)
}

var anyType = types.Universe.Lookup("any").Type()

const (
	comparing    = "comparison of interface values"
	asserting    = "type assertion on interface values"
	uncomparable = "comparing uncomparable type"
)

// equalConcrete is x == y for interface values of known dynamic types.
func (b *body) equalConcrete(n ast.Node, x, y value) ir.Expr {
	tx, ty := concrete(x), concrete(y)
	if typeKey(tx) != typeKey(ty) {
		return truth(false)
	}
	if !types.Comparable(tx) {
		b.demand(ir.CheckAssert, truth(false), b.span(n), uncomparable)
		return truth(false)
	}
	x.typ, x.dyn, y.typ, y.dyn = tx, nil, ty, nil
	return b.equal(n, x, y)
}

// equalErased is x == y, where y alone has a known dynamic type, t.
func (b *body) equalErased(n ast.Node, x, y value, t types.Type) ir.Expr {
	b.demands = append(b.demands, demand{span: b.span(n), t: x.typ, what: comparing})
	y.typ, y.dyn = t, nil
	b.lowerer.keep(t)
	if b.direct(t) || b.typeID(t) == 0 {
		return &ir.Binary{Op: ir.Eq, X: x.read(0), Y: b.number(y, x.typ)}
	}
	number := b.frozen(x.read(0))
	y = b.snapshot(y)
	is := b.Save("is", isType(number, b.typeID(t)))
	if !types.Comparable(t) {
		b.demand(ir.CheckAssert, &ir.Unary{Op: ir.Not, X: use(is.Var)}, b.span(n), uncomparable)
		return truth(false)
	}
	eq := b.Temp("eq", tBool)
	b.Set(use(eq), truth(false))
	b.branch(is, b.Block(func() { b.Set(use(eq), b.equal(n, b.unboxed(number, t), y)) }), nil)
	return use(eq)
}

// number is y as an interface value of type t.
func (b *body) number(y value, t types.Type) ir.Expr {
	v := b.erased(y, t)
	return v.read(0)
}

// equality returns the function that compares interface values; its second
// result says that it can't.
func (b *body) equality(n ast.Node) *function {
	flag := types.Typ[types.Bool]
	s := &synthetic{params: []*types.Var{parameter("x", anyType), parameter("y", anyType)}, results: resultTuple(flag, flag)}
	s.build = func(b *body) {
		x, y := b.arg(0).read(0), b.arg(1).read(0)
		b.eachKept(func(t types.Type) {
			if b.shallow(t) {
				return
			}
			both := and(isType(x, b.typeID(t)), isType(y, b.typeID(t)))
			b.branch(both, b.Block(func() {
				eq, bad := ir.Expr(truth(false)), !types.Comparable(t)
				if !bad {
					eq = b.equal(n, b.unboxed(x, t), b.unboxed(y, t))
				}
				b.yields(b.scalarValue(flag, b.Save("eq", eq)), b.scalarValue(flag, truth(bad)))
			}), nil)
		}, func() {
			b.yields(b.scalarValue(flag, &ir.Binary{Op: ir.Eq, X: ir.CloneExpr(x), Y: ir.CloneExpr(y)}), b.scalarValue(flag, truth(false)))
		})
	}
	return b.synthesize(n, "interface.equal", s)
}

// shallow reports whether values of type t in interface values are equal if
// the numbers are.
func (l *lowerer) shallow(t types.Type) bool { return l.direct(t) && types.Comparable(t) }

// concrete returns the type of v or, if that is an interface, its dynamic
// type, nil if that is not known.
func concrete(v value) types.Type {
	if types.IsInterface(v.typ) {
		return v.dyn
	}
	return v.typ
}

// A demand is a use of values of the interface type t for which their dynamic
// types, and what they hold, have to be known.
type demand struct {
	span ir.Span
	t    types.Type
	what string
	text bool       // errors need their text
	only types.Type // the type that it is about, nil for any
}

// settleDemands notes what interface values have to keep that they don't, and
// refuses what they can't.
func (l *lowerer) settleDemands() {
	for _, d := range l.demands {
		for _, t := range l.opaques {
			switch {
			case !implements(t, d.t) || d.only != nil:
			case l.keepable(t):
				l.keep(t)
			default:
				l.fail(&ir.UnsupportedError{Span: d.span, Construct: d.what + " that hold " + t.String(), Hint: "use concrete values, or pointers"})
			}
		}
		for _, t := range l.lost {
			if implements(t, d.t) && (d.only == nil || typeKey(t) == typeKey(d.only)) {
				l.fail(&ir.UnsupportedError{Span: d.span, Construct: d.what + " that may hold a formatted text", Hint: "it is not known"})
			}
		}
		if d.text {
			l.settleText(d)
		}
		for _, t := range l.kept {
			if d.what == comparing && !l.known.deep && !l.shallow(t) && implements(t, d.t) {
				l.known.deep, l.known.changed = true, true
			}
		}
	}
}

// settleText has errors keep their text, if d is about such.
func (l *lowerer) settleText(d demand) {
	switch {
	case !l.nameless || !implements(errorType, d.t):
	case !l.known.texts:
		l.known.texts, l.known.changed = true, true
	case l.known.changed: // by then they may have one
	default:
		l.fail(&ir.UnsupportedError{Span: d.span, Construct: d.what + ", which may be errors without a text", Hint: "make errors with errors.New, or with types of your own"})
	}
}

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
