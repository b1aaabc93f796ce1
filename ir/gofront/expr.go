package gofront

// Expressions.

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"

	"github.com/go-amend/amend/ir"
)

const maxNesting = 500

// typ returns the type of e, type parameters replaced.
func (b *body) typ(e ast.Expr) types.Type {
	t := b.p.info.TypeOf(e)
	if t == nil {
		return types.Typ[types.Invalid]
	}
	return b.inst.fn.env.subst(t)
}

// scalarType returns the ir type of the scalar type t.
func (b *body) scalarType(n ast.Node, t types.Type) ir.Type {
	lay := b.layoutOf(t)
	if len(lay.leaves) != 1 {
		b.unsupported(n, kindName(t), sliceHint)
		return tInt
	}
	return lay.leaves[0].typ
}

// expr lowers e, of boolean type or a number (or a pointer or opaque value).
func (b *body) expr(e ast.Expr) ir.Expr { return b.marked(e, b.val(e)) }

// marked returns the scalar v as an expression with the text of e, which is
// a site if it is a variable.
func (b *body) marked(e ast.Expr, v value) ir.Expr {
	if len(v.lay.leaves) != 1 || v.fn != nil {
		if v.lay.bad == "" {
			b.unsupported(e, kindName(v.typ)+" here", sliceHint)
		}
		return num(tInt, 0)
	}
	x := v.read(0)
	if !v.held {
		return x
	}
	i := ir.ExprOf(x)
	i.Pos = b.span(ast.Unparen(e))
	if v.lay.leaves[0].target == "" && v.lay.leaves[0].typ != tFunc {
		i.ID = b.site(ast.Unparen(e))
	}
	return x
}

// operand lowers e where its value is used, not its place: a variable is a
// site.
func (b *body) operand(e ast.Expr) value {
	v := b.val(e)
	if v.held && v.fn == nil && len(v.lay.leaves) == 1 && v.lay.size == 1 && v.dyn == nil {
		return value{typ: v.typ, lay: v.lay, x: []ir.Expr{b.marked(e, v)}, regs: []*region{v.region(0)}}
	}
	return v
}

// refused is what stands for an expression that was an error.
func (b *body) refused(e ast.Expr) value { return b.zero(b.typ(e)) }

// val lowers e.
func (b *body) val(e ast.Expr) value {
	b.depth++
	late := b.late
	if b.depth > b.lateDepth {
		b.late = nil
	}
	defer func() { b.depth--; b.late = late }()
	if b.depth > maxNesting {
		b.unsupported(e, "expression nested deeper than 500", "use variables")
		return b.refused(e)
	}
	if tv := b.p.info.Types[e]; tv.Value != nil {
		return b.constant(e, tv)
	}
	switch e := e.(type) {
	case *ast.ParenExpr:
		return b.val(e.X)
	case *ast.Ident:
		return b.ident(e)
	case *ast.SelectorExpr:
		return b.selector(e)
	case *ast.IndexExpr:
		return b.indexExpr(e)
	case *ast.IndexListExpr:
		if f := b.functionOf(e); f != nil {
			return b.funcValue(e, f)
		}
	case *ast.StarExpr:
		t, ok := b.typ(e.X).Underlying().(*types.Pointer)
		if ok {
			return b.deref(b.val(e.X), t.Elem())
		}
	case *ast.SliceExpr:
		return b.sliceExpr(e)
	case *ast.UnaryExpr:
		return b.unary(e)
	case *ast.BinaryExpr:
		return b.binary(e)
	case *ast.CallExpr:
		return b.callValue(e)
	case *ast.CompositeLit:
		return b.composite(e, b.typ(e))
	case *ast.FuncLit:
		return b.funcValue(e, b.closure(e, nil))
	case *ast.TypeAssertExpr:
		return b.typeAssert(e)
	}
	b.unsupported(e, "expression", "")
	return b.refused(e)
}

// constant returns tv, the constant e.
func (b *body) constant(e ast.Expr, tv types.TypeAndValue) value {
	t := b.inst.fn.env.subst(tv.Type)
	u, ok := t.Underlying().(*types.Basic)
	if !ok { // a constant in an interface
		t = types.Default(constType(tv.Value))
		v := b.constant(e, types.TypeAndValue{Type: t, Value: tv.Value})
		return v
	}
	switch {
	case u.Info()&types.IsBoolean != 0:
		c := truth(constant.BoolVal(tv.Value))
		c.ID, c.Pos = b.site(ast.Unparen(e)), b.span(ast.Unparen(e))
		return b.scalarValue(t, c)
	case u.Info()&types.IsString != 0:
		return b.literal(t, constant.StringVal(tv.Value))
	case u.Info()&types.IsFloat != 0:
		f := b.layoutOf(t).leaves[0].typ.(ir.Float)
		c := &ir.Const{Typ: f, Val: floatBits(f, tv.Value)}
		c.ID, c.Pos = b.site(ast.Unparen(e)), b.span(ast.Unparen(e))
		return b.scalarValue(t, c)
	case u.Info()&types.IsInteger != 0:
		n, ok := wholeBits(tv.Value)
		lay := b.layoutOf(t)
		if ok && len(lay.leaves) == 1 {
			c := &ir.Const{Typ: lay.leaves[0].typ, Val: ir.Wrap(lay.leaves[0].typ, n)}
			c.ID, c.Pos = b.site(ast.Unparen(e)), b.span(ast.Unparen(e))
			return b.scalarValue(t, c)
		}
	}
	b.unsupported(e, "constant of type "+u.Name(), "use an integer or floating-point type")
	return b.refused(e)
}

func constType(v constant.Value) types.Type {
	switch v.Kind() {
	case constant.Bool:
		return types.Typ[types.Bool]
	case constant.String:
		return types.Typ[types.String]
	case constant.Int:
		return types.Typ[types.Int]
	}
	return types.Typ[types.Float64]
}

// wholeBits returns the low 64 bits of an integer constant.
func wholeBits(v constant.Value) (uint64, bool) {
	v = constant.ToInt(v)
	if n, ok := constant.Int64Val(v); ok {
		return uint64(n), true
	}
	return constant.Uint64Val(v)
}

func (b *body) ident(e *ast.Ident) value {
	switch o := b.p.info.ObjectOf(e).(type) {
	case *types.Nil:
		return b.zero(b.typ(e))
	case *types.Var:
		v := b.lookup(e, o)
		if v == nil {
			return b.refused(e)
		}
		w := v.value
		w.held = true
		return w
	case *types.Func:
		if f := b.functionOf(e); f != nil {
			return b.funcValue(e, f)
		}
		return b.refused(e)
	}
	b.unsupported(e, "identifier "+e.Name+" here", "")
	return b.refused(e)
}

func (b *body) selector(e *ast.SelectorExpr) value {
	s := b.p.info.Selections[e]
	if s == nil { // package.Name
		if v, ok := b.p.info.Uses[e.Sel].(*types.Var); ok {
			if g := b.lookup(e, v); g != nil {
				w := g.value
				w.held = true
				return w
			}
			return b.refused(e)
		}
		return b.ident(e.Sel)
	}
	if s.Kind() != types.FieldVal {
		if f := b.functionOf(e); f != nil {
			return b.funcValue(e, f)
		}
		return b.refused(e)
	}
	v := b.val(e.X)
	return b.fields(v, s.Index())
}

// fields follows the path index from v, through embedded pointers.
func (b *body) fields(v value, index []int) value {
	for _, i := range index {
		if p, ok := v.typ.Underlying().(*types.Pointer); ok {
			v = b.deref(v, p.Elem())
		}
		t, ok := v.typ.Underlying().(*types.Struct)
		if !ok || i >= t.NumFields() {
			return v
		}
		v = b.field(v, t, i)
	}
	return v
}

func (b *body) indexExpr(e *ast.IndexExpr) value {
	t := b.typ(e.X)
	switch u := t.Underlying().(type) {
	case *types.Signature:
		if f := b.functionOf(e); f != nil {
			return b.funcValue(e, f)
		}
		return b.refused(e)
	case *types.Array:
		v := b.val(e.X)
		return b.spanned(e, b.index(v, u, b.expr(e.Index)))
	case *types.Pointer:
		if a, ok := u.Elem().Underlying().(*types.Array); ok {
			v := b.deref(b.val(e.X), u.Elem())
			return b.index(v, a, b.expr(e.Index))
		}
	case *types.Slice:
		v := b.val(e.X)
		return b.elementOf(v, b.expr(e.Index), u.Elem())
	case *types.Basic:
		if u.Info()&types.IsString != 0 {
			v := b.val(e.X)
			return b.elementOf(v, b.expr(e.Index), types.Typ[types.Byte])
		}
	case *types.Map:
		v, _ := b.mapIndex(e)
		b.showText(&v, e)
		return v
	}
	b.unsupported(e, "index into "+kindName(t), "use arrays or slices")
	return b.refused(e)
}

// spanned gives what lies on the way to element v of an array variable its
// text, so that it can be written anew.
func (b *body) spanned(e *ast.IndexExpr, v value) value {
	if len(v.x) != 1 {
		return v
	}
	if x, ok := v.x[0].(*ir.Index); ok && ir.ExprOf(x.X).Pos.IsZero() {
		ir.ExprOf(x.X).Pos = b.span(e.X)
	}
	return v
}

func (b *body) unary(e *ast.UnaryExpr) value {
	switch e.Op {
	case token.AND:
		return b.addressOf(e)
	case token.ARROW:
		var vs []value
		b.Within(func() { vs = b.receive(e, e.X) })
		if vs == nil {
			return b.zero(b.typ(e))
		}
		return vs[0]
	}
	t := b.typ(e)
	x := b.expr(e.X)
	if !arithmetic(x.Type()) && e.Op != token.NOT {
		return b.refused(e)
	}
	op := map[token.Token]ir.Op{token.SUB: ir.Neg, token.XOR: ir.Compl, token.NOT: ir.Not}[e.Op]
	if op == ir.OpInvalid {
		return b.scalarValue(t, x)
	}
	return b.scalarValue(t, &ir.Unary{ExprInfo: b.mark(e), Op: op, X: x})
}

func arithmetic(t ir.Type) bool {
	_, ok := t.(ir.Int)
	_, float := t.(ir.Float)
	return ok || float
}

// mark is what the expression with the text of e has.
func (b *body) mark(e ast.Expr) ir.ExprInfo { return ir.ExprInfo{ID: b.site(e), Pos: b.span(e)} }

// addressOf lowers &x.
func (b *body) addressOf(e *ast.UnaryExpr) value {
	t := b.typ(e)
	x := ast.Unparen(e.X)
	if lit, ok := x.(*ast.CompositeLit); ok {
		return b.newObject(t, b.composite(lit, b.typ(lit)))
	}
	v := b.val(x)
	if v.mem == nil {
		if len(v.lay.leaves) > 0 {
			b.unsupported(e, "address of this expression", "take the address of a variable")
		}
		return b.refused(e)
	}
	return b.pointerTo(t, v)
}

// pointerTo returns the address of v, a place in memory.
func (b *body) pointerTo(t types.Type, v value) value {
	p := add(ir.CloneExpr(v.addr), num(tAddr, int64(v.off)))
	return value{typ: t, lay: b.layoutOf(t), x: []ir.Expr{p}, regs: []*region{v.mem}}
}

// newObject allocates memory for v and returns its address, of type t.
func (b *body) newObject(t types.Type, v value) value {
	b.anonymous++
	place := value{typ: v.typ, lay: v.lay, mem: b.region(b.varKey(nil)), held: true}
	place.addr = b.alloc(place.mem, max(v.lay.size, 1))
	if n, ok := types.Unalias(v.typ).(*types.Named); ok {
		place.mem.allocs[len(place.mem.allocs)-1].name = n.Obj().Name()
	}
	b.Within(func() { b.storeFresh(place, v) })
	return b.pointerTo(t, place)
}

// storeFresh stores v in memory that holds zero.
func (b *body) storeFresh(to, v value) {
	for i := range v.lay.leaves {
		b.unify(to.region(i), v.region(i))
		each(v.lay.leaves[i].dims, func(idx []int) {
			e := v.elem(i, idx)
			if n, ok := plain(e); ok && n == 0 {
				return
			}
			b.Set(to.elem(i, idx), convert(e, v.lay.leaves[i].typ))
		})
	}
}

var binaryOps = map[token.Token]ir.Op{
	token.ADD: ir.Add, token.SUB: ir.Sub, token.MUL: ir.Mul, token.QUO: ir.Div, token.REM: ir.Rem,
	token.AND: ir.And, token.OR: ir.Or, token.XOR: ir.Xor, token.AND_NOT: ir.And, token.SHL: ir.Shl, token.SHR: ir.Shr,
	token.EQL: ir.Eq, token.NEQ: ir.Ne, token.LSS: ir.Lt, token.LEQ: ir.Le, token.GTR: ir.Gt, token.GEQ: ir.Ge,
	token.LAND: ir.LAnd, token.LOR: ir.LOr,
}

func (b *body) binary(e *ast.BinaryExpr) value {
	t := b.typ(e)
	op := binaryOps[e.Op]
	switch {
	case op.Lazy():
		return b.scalarValue(t, b.lazy(e, op))
	case op.Relational():
		return b.scalarValue(t, b.comparison(e, op))
	case isString(t):
		return b.concat(t, b.val(e.X), b.val(e.Y))
	}
	if _, ok := t.Underlying().(*types.Basic); !ok || b.layoutOf(t).bad != "" {
		b.refuse(b.layoutOf(t), b.span(e))
		return b.refused(e)
	}
	x := b.expr(e.X)
	y := b.expr(e.Y)
	return b.scalarValue(t, b.operation(e, b.mark(e), e.Op, x, y, e.Y))
}

// operation makes x op y, where the text of y is at n.
func (b *body) operation(e ast.Node, at ir.ExprInfo, tok token.Token, x, y ir.Expr, n ast.Expr) ir.Expr {
	op := binaryOps[tok]
	if b.guards && (op == ir.Div || op == ir.Rem) && isInteger(y.Type()) {
		y = b.frozen(y)
		b.demand(ir.CheckDiv, &ir.Binary{Op: ir.Ne, X: ir.CloneExpr(y), Y: num(y.Type(), 0)}, b.span(n), "")
	}
	switch {
	case op == ir.Shl || op == ir.Shr:
		y = b.shiftCount(y, n)
	case tok == token.AND_NOT:
		y = &ir.Unary{Op: ir.Compl, X: convert(y, x.Type())}
	default:
		y = convert(y, x.Type())
	}
	return &ir.Binary{ExprInfo: at, Op: op, X: x, Y: y}
}

// shiftCount checks that a signed count is not negative.
func (b *body) shiftCount(y ir.Expr, n ast.Expr) ir.Expr {
	if !ir.Signed(y.Type()) {
		return y
	}
	if c, ok := y.(*ir.Const); ok && c.ID == 0 && ir.SignedValue(c.Typ, c.Val) >= 0 {
		return y
	}
	if _, ok := y.(*ir.Const); !ok {
		y = b.frozen(y)
	}
	b.demand(ir.CheckShift, &ir.Binary{Op: ir.Ge, X: ir.CloneExpr(y), Y: num(y.Type(), 0)}, b.span(n), "")
	return y
}

func isString(t types.Type) bool {
	u, ok := t.Underlying().(*types.Basic)
	return ok && u.Info()&types.IsString != 0
}

// lazy lowers && and ||. If the second operand emits statements Y, the
// result is, as in package cfront,
//
//	t = x
//	if ((t && false) != (t && true)) { Y }   // t, or for ||, !t
//	… t && y …
func (b *body) lazy(e *ast.BinaryExpr, op ir.Op) ir.Expr {
	at := b.mark(e)
	x := b.expr(e.X)
	var y ir.Expr
	effects := b.Optional(func() { y = b.expr(e.Y) })
	if effects == nil {
		return &ir.Binary{ExprInfo: at, Op: op, X: x, Y: y}
	}
	x = b.frozen(x)
	if c, ok := x.(*ir.Const); ok {
		x = b.Save("c", c)
	}
	b.branch(second(op, at.ID, x), effects, nil)
	return &ir.Binary{ExprInfo: at, Op: op, X: x, Y: y}
}

// second is the condition that the second operand of op is evaluated after
// the first one gave x. It follows a change of op.
func second(op ir.Op, id ir.SiteID, x ir.Expr) ir.Expr {
	switch {
	case id == 0 && op == ir.LAnd:
		return ir.CloneExpr(x)
	case id == 0:
		return &ir.Unary{Op: ir.Not, X: ir.CloneExpr(x)}
	}
	side := func(v bool) ir.Expr {
		return &ir.Binary{ExprInfo: ir.ExprInfo{ID: id}, Op: op, X: ir.CloneExpr(x), Y: truth(v)}
	}
	return &ir.Binary{Op: ir.Ne, X: side(false), Y: side(true)}
}

// comparison lowers a relational operator.
func (b *body) comparison(e *ast.BinaryExpr, op ir.Op) ir.Expr {
	tx, ty := b.typ(e.X), b.typ(e.Y)
	if isString(tx) && op != ir.Eq && op != ir.Ne {
		return b.compareStrings(e, op)
	}
	if isScalar(tx) && isScalar(ty) {
		x := b.expr(e.X)
		y := b.expr(e.Y)
		return &ir.Binary{ExprInfo: b.mark(e), Op: op, X: x, Y: convert(y, x.Type())}
	}
	vx, vy := b.val(e.X), b.val(e.Y)
	if vx.fn != nil || vy.fn != nil {
		return truth(op == ir.Ne) // than nil
	}
	eq := b.equal(e, vx, vy)
	// The operands' text is kept, so that the operator can be replaced.
	i := ir.ExprOf(eq)
	if i.Pos.IsZero() {
		i.Pos = b.span(e.X)
	}
	return &ir.Binary{ExprInfo: b.mark(e), Op: op, X: eq, Y: &ir.Const{ExprInfo: ir.ExprInfo{Pos: b.span(e.Y)}, Typ: tBool, Val: 1}}
}

func isScalar(t types.Type) bool {
	u, ok := t.Underlying().(*types.Basic)
	return ok && u.Info()&(types.IsBoolean|types.IsInteger|types.IsFloat) != 0
}

// equal is x == y for values of any comparable types.
func (b *body) equal(n ast.Node, x, y value) ir.Expr {
	switch {
	case isNilConst(y.typ):
		return b.isNil(n, x)
	case isNilConst(x.typ):
		return b.isNil(n, y)
	case types.IsInterface(x.typ) || types.IsInterface(y.typ):
		return b.equalInterfaces(n, x, y)
	case isString(x.typ):
		return b.equalStrings(x, y)
	}
	if len(x.lay.leaves) != len(y.lay.leaves) {
		return truth(false)
	}
	return b.equalLeaves(n, x, y)
}

func (b *body) equalLeaves(n ast.Node, x, y value) ir.Expr {
	if t := handled(x.typ); t != nil {
		return b.equalHandles(n, x, y, t)
	}
	if s, ok := x.typ.Underlying().(*types.Struct); ok {
		all := ir.Expr(truth(true))
		for i := range s.NumFields() {
			if s.Field(i).Name() != "_" {
				all = and(all, b.equal(n, b.field(x, s, i), b.field(y, s, i)))
			}
		}
		return all
	}
	if a, ok := x.typ.Underlying().(*types.Array); ok {
		all := ir.Expr(truth(true))
		for i := range int(a.Len()) {
			all = and(all, b.equal(n, b.index(x, a, num(tInt, int64(i))), b.index(y, a, num(tInt, int64(i)))))
		}
		return all
	}
	if len(x.lay.leaves) == 0 {
		return truth(true)
	}
	b.unify(x.region(0), y.region(0))
	l := x.read(0)
	return &ir.Binary{Op: ir.Eq, X: l, Y: convert(y.read(0), l.Type())}
}

func isNilConst(t types.Type) bool {
	u, ok := t.(*types.Basic)
	return ok && u.Kind() == types.UntypedNil
}

// isNil is x == nil.
func (b *body) isNil(n ast.Node, x value) ir.Expr {
	switch {
	case x.fn != nil, x.dyn != nil:
		return truth(false)
	case len(x.lay.leaves) == 0:
		return truth(false)
	}
	l := x.read(0)
	return &ir.Binary{Op: ir.Eq, X: l, Y: num(l.Type(), 0)}
}
