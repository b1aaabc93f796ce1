package cfront

// Arrays of computed length. One that is only indexed is a local array that gets
// its length where it is declared. One that pointers point at, and one of several
// computed lengths, is an object as an allocation of computed size makes it; a row of
// such an array is known by the number of its first element. Lengths are kept in
// temporaries from where the type is written to where it is used.

import (
	"modernc.org/cc/v4"

	"github.com/go-amend/amend/ir"
)

// isVariable reports whether t is an array whose length is computed.
func isVariable(t cc.Type) bool {
	a, ok := t.Undecay().(*cc.ArrayType)
	return ok && a.Len() < 0 && a.IsVLA()
}

// isRow reports whether t is an array with a computed length, or one of those.
func isRow(t cc.Type) bool {
	a, ok := t.Undecay().(*cc.ArrayType)
	return ok && (isVariable(t) || isRow(a.Elem()))
}

// unitOf is the type of what rows of a t are made of, which has a known size.
func unitOf(t cc.Type) cc.Type {
	for isRow(t) {
		t = elem(t)
	}
	return t
}

// variableArray declares an array whose length is computed.
func (b *body) variableArray(d *cc.Declarator) {
	a := d.Type().Undecay().(*cc.ArrayType)
	if isRow(a.Elem()) {
		b.mem.take(b.keyOf(d))
	}
	if b.mem.taken[b.keyOf(d)] {
		b.sharedVariable(d)
		return
	}
	ls, bad := leaves(a.Elem())
	n := b.cfg.MaxLen
	known, isKnown := b.knownLength(a.SizeExpression())
	if isKnown {
		n = known
	}
	if bad == nil {
		ls, bad = wrap(ls, n)
	}
	if bad != nil {
		b.unsupported(d, bad.construct, bad.hint)
		b.scope[d] = &object{refused: true}
		return
	}
	o := &object{typ: d.Type(), key: b.keyOf(d), decl: d, variable: true, konst: readOnly(d)}
	b.scope[d] = o
	for _, f := range ls {
		v := &ir.Var{Name: d.Name() + f.path, Type: f.typ, Kind: ir.Local, Span: b.u.nameSpan(d)}
		v.Scope = b.scopeOf(v.Span)
		o.vars = append(o.vars, v)
		b.local(v)
	}
	if !isKnown {
		b.allocate(d, o, a.SizeExpression())
	}
}

func (b *body) allocate(d *cc.Declarator, o *object, size cc.ExpressionNode) {
	span := b.extent(d)
	b.Locate(span, func() {
		n := b.newLength(d, size, len(o.vars) > 1)
		for i, v := range o.vars {
			s := &ir.Alloc{Var: v, Len: n}
			if i == 0 {
				b.Stand(&s.StmtInfo, span)
			} else {
				s.Len = ir.CloneExpr(n)
				b.Derive(&s.StmtInfo)
			}
			b.Emit(s)
		}
	})
}

// newLength is the length that size, in the declaration d, gives; it is kept in a
// temporary if that is said, or if somebody asks for it.
func (b *body) newLength(d cc.Node, size cc.ExpressionNode, keep bool) ir.Expr {
	if v := b.lengths[size]; v != nil { // of a typedef
		return use(v, ir.Span{})
	}
	var n ir.Expr
	b.Unchanged(func() { n = b.integer(size) })
	checked := b.cfg.Checks.Has(ir.CheckBounds)
	if keep || checked || b.mem.measured[size] {
		v := b.Save("n", n)
		b.keepLength(size, v.Var)
		n = v
	}
	if checked {
		some := &ir.Binary{Op: ir.Gt, X: n, Y: number(0, n.Type().(ir.Int))}
		b.check(ir.CheckBounds, some, b.extent(d))
		n = ir.CloneExpr(n)
	}
	return n
}

func (b *body) keepLength(size cc.ExpressionNode, v *ir.Var) {
	if b.lengths == nil {
		b.lengths = map[cc.ExpressionNode]*ir.Var{}
	}
	b.lengths[size] = v
}

// sizesOf lists what the computed lengths in t are.
func sizesOf(t cc.Type) []cc.ExpressionNode {
	var es []cc.ExpressionNode
	for u := t; elem(u) != nil; u = elem(u) {
		if isVariable(u) {
			es = append(es, u.Undecay().(*cc.ArrayType).SizeExpression())
		}
	}
	return es
}

// measure emits the lengths in t, which is written at d, unless they were
// before, as those of a typedef were.
func (b *body) measure(d cc.Node, t cc.Type) {
	for _, size := range sizesOf(t) {
		if b.lengths[size] == nil {
			b.Locate(b.extent(d), func() { b.newLength(d, size, true) })
		}
	}
}

// lengthOf is the length of t, an array, as it was where t was declared.
func (b *body) lengthOf(t cc.Type) ir.Expr {
	a := t.Undecay().(*cc.ArrayType)
	if !isVariable(t) {
		return number(uint64(a.Len()), b.model.size)
	}
	size := a.SizeExpression()
	if v := b.lengths[size]; v != nil {
		return convert(use(v, ir.Span{}), b.model.size)
	}
	if b.mem.measured[size] { // and still nothing keeps it: a member, say
		b.refuse(nil, "computed length of an array that no declaration gives", "use a variable for the length")
	} else {
		b.mem.measured[size], b.mem.grown = true, true
	}
	return number(1, b.model.size)
}

// units is how many of unitOf(t) a t has.
func (b *body) units(t cc.Type) ir.Expr {
	var n ir.Expr
	for ; isRow(t); t = elem(t) {
		l := b.lengthOf(t)
		switch c, ok := l.(*ir.Const); {
		case n == nil:
			n = l
		case ok:
			n = &ir.Binary{Op: ir.Mul, X: n, Y: c}
		default:
			n = &ir.Binary{Op: ir.Mul, X: n, Y: l}
		}
	}
	if n == nil {
		return number(1, b.model.size)
	}
	return n
}

// variableSizeof is the value of e, the size of t, whose length is computed.
func (b *body) variableSizeof(e *cc.UnaryExpression, t cc.Type) ir.Expr {
	if e.TypeName != nil {
		b.measureNamed(e, e.TypeName, t)
	}
	n := &ir.Binary{Op: ir.Mul, X: b.units(t), Y: number(uint64(sizeOf(unitOf(t))), b.model.size)}
	var v ir.Expr
	b.Within(func() { v = b.Save("size", n) })
	setSpan(v, b.span(e))
	return v
}

// measureNamed is measure for the type t that name says, inside the expression e.
func (b *body) measureNamed(e cc.Node, name *cc.TypeName, t cc.Type) {
	b.Within(func() {
		for _, size := range sizesOf(t) {
			if b.lengths[size] == nil || b.u.text.holds(name, size) {
				delete(b.lengths, size)
				b.newLength(e, size, true)
			}
		}
	})
}

// holds reports whether x is n or in it.
func (x *text) holds(n, inner cc.Node) bool {
	if n == inner {
		return true
	}
	found := false
	x.tree.children(n, func(c cc.Node) { found = found || x.holds(c, inner) })
	return found
}

// sharedVariable declares an array of computed length that pointers point at.
func (b *body) sharedVariable(d *cc.Declarator) {
	k := b.keyOf(d)
	unit := unitOf(d.Type())
	_, bad := leaves(unit)
	switch {
	case b.threaded && !b.oneThread(b.f):
		bad = &misfit{"pointer to an array of computed length in a function that several threads run", "give it a constant length"}
	case b.recursive(b.f):
		bad = &misfit{"pointer to an array of computed length in a recursive function", "give it a constant length"}
	}
	if bad != nil {
		b.unsupported(d, bad.construct, bad.hint)
		b.scope[d] = &object{refused: true}
		return
	}
	most := max(b.cfg.MaxLen, 2)
	if isRow(elem(d.Type())) {
		most *= 4
	}
	raw, n := b.mem.bytes[k], most
	if raw {
		n *= int(sizeOf(unit))
	}
	b.mem.ancestors[k] = &ancestor{unit: b.u, decl: d, name: d.Name(), typ: unit, n: n, computed: true, raw: raw}
	o := b.objectOf(k)
	b.scope[d] = o
	b.own(k)
	b.dwell(k)
	b.Locate(b.extent(d), func() {
		for _, size := range sizesOf(d.Type()) {
			b.atMost(convert(b.newLength(d, size, true), tULong), most) // so that the product is exact
		}
		total := b.Save("n", b.units(d.Type()))
		b.atMost(total, most)
		for _, v := range o.vars {
			b.fill(v, false)
		}
		length := convert(ir.CloneExpr(total), tPtr)
		if raw {
			length = times(length, uint64(sizeOf(unit)))
		}
		b.set(use(o.length, ir.Span{}), length)
		b.beginLocal(o)
	})
}

// firstOf is the pointer to the first element of o, which sharedVariable
// declared as a t.
func (b *body) firstOf(e cc.Node, o *object, t cc.Type) pointer {
	unit := unitOf(t)
	p := place{typ: unit, vars: o.vars, obj: o, konst: o.konst}
	if o.raw {
		p.inBytes()
	} else {
		p.idx = []step{{index: &ir.Const{Typ: tInt}}}
	}
	to := &targets{}
	return pointer{num: b.numberOf(e, &p, to), to: to, elem: elem(t)}
}

// offsetRows is p + i or, with back, p - i, where p points at rows.
func (b *body) offsetRows(e cc.Node, p pointer, i ir.Expr, span ir.Span, back bool) pointer {
	n, to := b.number(e, p)
	b.mem.counts(to)
	k := b.stepIn(e, unitOf(p.elem), to)
	by := times(convert(b.units(p.elem), tPtr), k)
	op := ir.Add
	if back {
		op = ir.Sub
	}
	by = &ir.Binary{Op: ir.Mul, X: convertConst(b.narrowed(i), tPtr), Y: by}
	num := &ir.Binary{ExprInfo: ir.ExprInfo{Pos: span}, Op: op, X: n, Y: by}
	return pointer{num: num, to: to, elem: p.elem}
}

// rowAt is the row that v points at.
func (b *body) rowAt(e cc.ExpressionNode, v pointer) (place, bool) {
	n, to := b.number(e, v)
	return place{typ: v.elem, span: b.span(e), row: &pointer{num: n, to: to, elem: elem(v.elem)}}, true
}
