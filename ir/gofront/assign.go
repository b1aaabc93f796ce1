package gofront

// Assignments, and composite literals.

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"

	"github.com/go-amend/amend/ir"
)

func (b *body) assign(s *ast.AssignStmt) {
	span := b.span(s)
	switch {
	case s.Tok != token.ASSIGN && s.Tok != token.DEFINE:
		b.compound(s)
	case len(s.Lhs) == 1:
		b.assignOne(span, s, s.Lhs[0], s.Rhs[0])
	case len(s.Rhs) == 1:
		b.assignResults(span, s)
	default:
		b.assignMany(span, s)
	}
}

func (b *body) assignOne(span ir.Span, s *ast.AssignStmt, l, r ast.Expr) {
	id, isIdent := l.(*ast.Ident)
	if s.Tok == token.DEFINE && isIdent && b.p.info.Defs[id] != nil {
		if b.tableOf(id) != nil {
			return // its rows are evaluated where they are used
		}
		b.defineFrom(span, id, b.typ(id), r)
		return
	}
	if isBlank(l) {
		b.evaluate(span, b.val(r))
		return
	}
	if isIdent && b.p.factsOf().settled[b.p.info.ObjectOf(id)] {
		b.assignFunc(id, r)
		return
	}
	to, ok := b.target(l)
	if !ok {
		return
	}
	b.store(span, to, b.convertTo(r, b.operand(r), to.typ))
}

// assignFunc gives a function variable that is declared right before its only
// value.
func (b *body) assignFunc(id *ast.Ident, r ast.Expr) {
	o := b.p.info.ObjectOf(id)
	if g, ok := b.selfReferring(o, r); ok {
		b.scope[o] = &variable{value: value{typ: b.typ(id), lay: b.layoutOf(b.typ(id)), fn: g}}
	}
}

// targets returns what s assigns to, nil for what it declares and for _.
func (b *body) targets(s *ast.AssignStmt) []*value {
	targets := make([]*value, len(s.Lhs))
	for i, l := range s.Lhs {
		if id, ok := l.(*ast.Ident); ok && (isBlank(l) || s.Tok == token.DEFINE && b.p.info.Defs[id] != nil) {
			continue
		}
		if to, ok := b.target(l); ok {
			targets[i] = &to
		}
	}
	return targets
}

// assignResults is x, y = f().
func (b *body) assignResults(span ir.Span, s *ast.AssignStmt) {
	targets := b.targets(s)
	vs := b.results(s.Rhs[0])
	b.freezeTargets(targets)
	for i, l := range s.Lhs {
		switch {
		case i >= len(vs):
		case targets[i] != nil:
			v := b.convertTo(l, vs[i], targets[i].typ)
			b.Within(func() { b.store(span, *targets[i], v) })
		default:
			if id, ok := l.(*ast.Ident); ok && !isBlank(l) {
				b.Within(func() { b.define(span, id, vs[i]) })
			}
		}
	}
}

// assignMany is x, y = e, f: operands first, then the assignments.
func (b *body) assignMany(span ir.Span, s *ast.AssignStmt) {
	targets := b.targets(s)
	vs := make([]value, len(s.Rhs))
	for i, r := range s.Rhs {
		t := b.typ(r)
		switch {
		case targets[i] != nil:
			t = targets[i].typ
		case !isBlank(s.Lhs[i]):
			t = b.typ(s.Lhs[i])
		}
		vs[i] = b.data(b.convertTo(r, b.operand(r), types.Default(t)))
	}
	// Calls are behind; now the other operands are evaluated.
	b.freezeTargets(targets)
	for i := range vs {
		vs[i] = b.snapshot(vs[i])
	}
	for i, l := range s.Lhs {
		switch {
		case targets[i] != nil:
			b.store(span, *targets[i], vs[i])
		default:
			if id, ok := l.(*ast.Ident); ok && !isBlank(l) {
				b.define(span, id, vs[i])
			}
		}
	}
}

// target lowers e as what is assigned to.
func (b *body) target(e ast.Expr) (value, bool) {
	if x, ok := ast.Unparen(e).(*ast.IndexExpr); ok && isMap(b.typ(x.X)) {
		to := b.mapTarget(x)
		return to, to.lay.bad == ""
	}
	v := b.placed(e)
	if v.fn != nil {
		b.unsupported(e, "assignment to this function variable", "call functions by name")
		return v, false
	}
	if v.lay.bad != "" {
		return v, false
	}
	if v.dyn != nil {
		b.unsupported(e, "assignment to an interface whose dynamic type is fixed", "use a variable of a concrete type")
		return v, false
	}
	return v, v.mem != nil || v.held
}

// placed is val for what is assigned to: its last check is made then.
func (b *body) placed(e ast.Expr) value {
	if !b.guards {
		return b.val(e)
	}
	check := &lateCheck{}
	late, depth := b.late, b.lateDepth
	b.late, b.lateDepth = check, b.depth+1
	v := b.val(ast.Unparen(e))
	b.late, b.lateDepth = late, depth
	v.check = check
	return v
}

func (b *body) freezeTargets(targets []*value) {
	for _, to := range targets {
		if to != nil {
			b.freezeIndices(to)
		}
	}
}

// freezeIndices evaluates the address and indices of v now.
func (b *body) freezeIndices(v *value) {
	if v.mem != nil {
		b.freezePlace(v)
		return
	}
	x := make([]ir.Expr, len(v.x))
	for i, e := range v.x {
		x[i] = b.frozenPath(e)
	}
	v.x = x
}

func (b *body) frozenPath(e ir.Expr) ir.Expr {
	x, ok := e.(*ir.Index)
	if !ok {
		return e
	}
	return &ir.Index{ExprInfo: x.ExprInfo, X: b.frozenPath(x.X), I: b.frozen(x.I)}
}

// evaluate evaluates v for what may fail in it.
func (b *body) evaluate(span ir.Span, v value) {
	if v.mem == nil && (!v.held || len(v.x) != 1) && (len(v.x) != 1 || v.x[0] == nil) {
		return
	}
	if len(v.lay.leaves) == 0 || len(v.lay.leaves[0].dims) > 0 {
		return
	}
	x := v.read(0)
	if !checked(x) {
		return
	}
	a := &ir.Assign{LHS: use(b.Temp("unused", x.Type())), RHS: x}
	if b.Stands() {
		b.Derive(&a.StmtInfo)
	} else {
		b.Stand(&a.StmtInfo, span)
	}
	b.Emit(a)
}

// checked reports whether evaluating e may violate a check.
func checked(e ir.Expr) bool {
	switch x := e.(type) {
	case *ir.Index:
		return true
	case *ir.Binary:
		if x.Op == ir.Div || x.Op == ir.Rem || x.Op.Lazy() {
			return true
		}
	}
	for _, o := range e.Operands(nil) {
		if checked(*o) {
			return true
		}
	}
	return false
}

// compound lowers x op= y.
func (b *body) compound(s *ast.AssignStmt) {
	l, r := s.Lhs[0], s.Rhs[0]
	to, ok := b.target(l)
	if !ok {
		return
	}
	old := to
	if to.entry != nil {
		old = to.entry.current()
	}
	if isString(to.typ) {
		b.store(b.span(s), to, b.concat(to.typ, old, b.val(r)))
		return
	}
	if len(to.lay.leaves) != 1 || to.lay.size != 1 {
		b.unsupported(s, kindName(to.typ)+" here", sliceHint)
		return
	}
	b.keepTarget(&to)
	y := b.expr(r)
	to.check.emit()
	tok := s.Tok - token.ADD_ASSIGN + token.ADD
	at := ir.ExprInfo{ID: b.site(s), Pos: b.span(s)}
	x := b.operation(s, at, tok, b.named(l, old), y, r).(*ir.Binary)
	x.Form = ir.Compound
	if to.entry != nil {
		to = to.entry.place()
	}
	b.put(b.span(s), b.named(l, to), x)
}

// named returns the scalar at v with the text of e, no site.
func (b *body) named(e ast.Expr, v value) ir.Expr {
	x := v.read(0)
	ir.ExprOf(x).Pos = b.span(ast.Unparen(e))
	return x
}

func (b *body) increment(s *ast.IncDecStmt) {
	to, ok := b.target(s.X)
	if !ok || len(to.lay.leaves) != 1 || to.lay.size != 1 {
		return
	}
	b.keepTarget(&to)
	to.check.emit()
	op := ir.Add
	if s.Tok == token.DEC {
		op = ir.Sub
	}
	old := to
	if to.entry != nil {
		old = to.entry.current()
		to = to.entry.place()
	}
	x := b.named(s.X, old)
	b.put(b.span(s), b.named(s.X, to), &ir.Binary{
		ExprInfo: ir.ExprInfo{ID: b.site(s), Pos: b.span(s)}, Op: op, X: x, Y: one(x.Type()), Form: ir.Postfix,
	})
}

// initialize stores the value of e in v, a new variable of type t.
func (b *body) initialize(span ir.Span, v *variable, t types.Type, e ast.Expr) {
	if v == nil {
		return
	}
	x := b.convertTo(e, b.operand(e), t)
	b.store(span, v.value, x)
}

// composite lowers the literal e of type t.
func (b *body) composite(e *ast.CompositeLit, t types.Type) value {
	switch u := t.Underlying().(type) {
	case *types.Struct:
		return b.structLiteral(e, t, u)
	case *types.Array:
		return b.arrayLiteral(e, t, u)
	case *types.Slice:
		return b.sliceLiteral(e, t, u)
	case *types.Pointer: // elided &T in a literal
		return b.newObject(t, b.composite(e, u.Elem()))
	case *types.Map:
		return b.mapLiteral(e, t, u)
	}
	b.unsupported(e, "literal of "+kindName(t), "")
	return b.zero(t)
}

// part lowers the element e of a literal, of type t. Its variables are read
// when the literal is used: after all calls in it.
func (b *body) part(e ast.Expr, t types.Type) value {
	var v value
	if lit, ok := e.(*ast.CompositeLit); ok && lit.Type == nil {
		v = b.composite(lit, t)
	} else {
		v = b.data(b.convertTo(e, b.operand(e), t))
	}
	return v
}

func (b *body) structLiteral(e *ast.CompositeLit, t types.Type, u *types.Struct) value {
	v := b.zero(t)
	for i, x := range e.Elts {
		k := i
		if kv, ok := x.(*ast.KeyValueExpr); ok {
			x = kv.Value
			k = fieldIndex(u, kv.Key.(*ast.Ident).Name)
		}
		if k < 0 || k >= u.NumFields() {
			continue
		}
		w := b.part(x, u.Field(k).Type())
		from, to, _ := b.fieldRange(u, k)
		if to-from != len(w.lay.leaves) {
			continue
		}
		b.placeLeaves(v.x[from:to], v.regs[from:to], w)
	}
	return v
}

// placeLeaves puts the leaves of w in x and regs.
func (b *body) placeLeaves(x []ir.Expr, regs []*region, w value) {
	for i := range w.lay.leaves {
		if len(w.lay.leaves[i].dims) > 0 {
			w = b.snapshot(w) // arrays have no form of their own in memory
			break
		}
	}
	for i := range w.lay.leaves {
		regs[i] = w.region(i)
		switch {
		case w.mem != nil:
			x[i] = w.read(i)
		default:
			x[i] = w.x[i]
		}
	}
}

func fieldIndex(t *types.Struct, name string) int {
	for i := range t.NumFields() {
		if t.Field(i).Name() == name {
			return i
		}
	}
	return -1
}

// An element is a part of an array or slice literal.
type element struct {
	index int
	value ast.Expr
}

func (b *body) elements(e *ast.CompositeLit) (list []element, n int) {
	k := 0
	for _, x := range e.Elts {
		if kv, ok := x.(*ast.KeyValueExpr); ok {
			if c := b.p.info.Types[kv.Key].Value; c != nil {
				n, _ := constant.Int64Val(constant.ToInt(c))
				k = int(n)
			}
			x = kv.Value
		}
		list = append(list, element{k, x})
		k++
		n = max(n, k)
	}
	return list, n
}

func (b *body) arrayLiteral(e *ast.CompositeLit, t types.Type, u *types.Array) value {
	list, _ := b.elements(e)
	v := value{typ: t, lay: b.layoutOf(t)}
	if v.lay.bad != "" {
		return b.zero(t)
	}
	for i := range v.lay.leaves {
		f := &v.lay.leaves[i]
		v.x = append(v.x, use(b.Temp("lit", f.varType())))
		v.regs = append(v.regs, b.leafRegion(b.varKey(nil), f))
	}
	given := map[int]bool{}
	for _, el := range list {
		given[el.index] = true
	}
	for i := range int(u.Len()) {
		if !given[i] {
			to := b.index(v, u, num(tInt, int64(i)))
			b.Within(func() { b.store(ir.Span{}, to, b.zero(u.Elem())) })
		}
	}
	ws := make([]value, len(list))
	for i, el := range list {
		ws[i] = b.part(el.value, u.Elem())
	}
	for i, el := range list {
		to := b.index(v, u, num(tInt, int64(el.index)))
		b.Within(func() { b.store(b.span(el.value), to, ws[i]) })
	}
	return v
}

func (b *body) sliceLiteral(e *ast.CompositeLit, t types.Type, u *types.Slice) value {
	list, n := b.elements(e)
	lay := b.layoutOf(u.Elem())
	r := b.region(b.varKey(nil))
	b.refuse(lay, b.span(e))
	ptr := b.alloc(r, max(n*lay.size, 1))
	size := num(tInt, int64(n))
	v := b.sliceOf(t, r, ptr, size, size)
	b.longer(n)
	ws := make([]value, len(list))
	for i, el := range list {
		ws[i] = b.part(el.value, u.Elem())
	}
	for i, el := range list {
		to := b.raw(v, num(tInt, int64(el.index)), u.Elem())
		b.Within(func() { b.storeFresh(to, ws[i]) })
	}
	return v
}

// longer notes a length that the library's loops must reach.
func (l *lowerer) longer(n int) {
	if n > l.known.longest && l.ps.longest == 0 {
		l.known.longest = n
		l.known.changed = true
	}
}
