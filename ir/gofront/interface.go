package gofront

// Interface values. Where the dynamic type is known statically, a value of
// that type stands for the interface value. Elsewhere it is one number of 64
// bits: 0 for nil; negative, the type and the payload, which is the value, if
// that is a pointer or a number, else the address of a copy; or positive, a
// token, a number of its own at each conversion: errors without a text, and
// values of which the program never asks what they are.

import (
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
