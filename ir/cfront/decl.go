package cfront

// Declarations inside functions, and initializers.

import (
	"regexp"

	"modernc.org/cc/v4"

	"github.com/go-amend/amend/ir"
)

func (b *body) declaration(d *cc.Declaration) {
	if d.Case == cc.DeclarationAuto {
		b.localVariable(d.Declarator, &cc.InitDeclarator{Case: cc.InitDeclaratorInit, Declarator: d.Declarator, Initializer: d.Initializer})
		return
	}
	for l := d.InitDeclaratorList; l != nil; l = l.InitDeclaratorList {
		b.initDeclarator(l.InitDeclarator)
	}
}

func (b *body) initDeclarator(i *cc.InitDeclarator) {
	d := i.Declarator
	switch {
	case d.IsTypename():
		b.measure(d, d.Type())
	case d.Type().Kind() == cc.Function:
	case d.IsExtern():
		b.declareGlobal(b.u, d, nil)
	case d.IsStatic():
		g := b.globals[b.u.symbolOf(d)]
		if g == nil {
			g = b.declareGlobal(b.u, d, i)
			g.fixed = b.Fixed
		}
		for _, v := range b.makeGlobal(g).vars {
			v.Scope = b.scopeOf(v.Span)
		}
	case isRow(d.Type()):
		b.variableArray(d)
	default:
		b.measure(d, d.Type())
		b.localVariable(d, i)
	}
}

// localVariable declares an automatic variable.
func (b *body) localVariable(d *cc.Declarator, i *cc.InitDeclarator) {
	o := b.declare(d, d.Type(), ir.Local)
	taken := b.mem.taken[o.key] && !o.refused
	var shared *object
	if taken {
		shared = b.objectOf(o.key)
	}
	if taken && !shared.copies {
		o = shared
		b.scope[d] = o
		b.Locate(b.extent(i), func() { b.beginLocal(o) })
	} else {
		for _, v := range o.vars {
			b.local(v)
		}
	}
	switch {
	case i.Case == cc.InitDeclaratorInit:
		b.initialize(o, i, false)
	case taken && !shared.copies:
		b.Locate(b.extent(i), func() {
			for _, v := range o.vars {
				b.fill(v, false)
			}
		})
	}
	if taken && shared.copies {
		b.Locate(b.extent(i), func() { b.copySingle(b.extent(i), b.whole(shared), b.whole(o)) })
		b.scope[d] = shared
	}
}

// knownLength is the value of a constant variable that e names.
func (b *body) knownLength(e cc.ExpressionNode) (int, bool) {
	p, ok := unparen(e).(*cc.PrimaryExpression)
	if !ok {
		return 0, false
	}
	d, ok := p.ResolvedTo().(*cc.Declarator)
	if !ok || b.scope[d] == nil || !b.scope[d].konst {
		return 0, false
	}
	o := b.scope[d]
	if o.value > 0 {
		clearSites(o.init) // a change would change the array's type
	}
	return o.value, o.value > 0
}

// initialize emits the initialization of o by i.
func (b *body) initialize(o *object, i *cc.InitDeclarator, static bool) {
	if o.refused {
		return
	}
	span := b.extent(i)
	in := i.Initializer
	if _, ok := scalarOrPointer(o.typ); ok {
		e := onlyExpr(in)
		if e == nil {
			b.unsupported(i, "initializer of this form", "")
			return
		}
		b.Locate(span, func() { o.init = b.initScalar(span, b.whole(o), e, static) })
		if n, ok := b.constantValue(e); ok && e.Pure() && o.konst && n <= maxElems {
			o.value = int(n)
		}
		return
	}
	if in.Case == cc.InitializerExpr && isRecord(in.AssignmentExpression.Type()) {
		b.Locate(span, func() { b.initStruct(span, b.whole(o), in.AssignmentExpression) })
		return
	}
	b.aggregate(o, i, static)
}

// onlyExpr is the expression of an initializer of a scalar.
func onlyExpr(in *cc.Initializer) cc.ExpressionNode {
	for in.Case == cc.InitializerInitList {
		if in.InitializerList == nil || in.InitializerList.InitializerList != nil {
			return nil
		}
		in = in.InitializerList.Initializer
	}
	return in.AssignmentExpression
}

// whole is all of o, this thread's or run's copy if there are several.
func (b *body) whole(o *object) place {
	p := place{typ: o.typ, vars: o.vars, obj: o}
	if o.raw {
		p.inBytes()
	}
	if o.copies {
		p.idx, p.outer = []step{{index: b.copyOf(o)}}, 1
	}
	return p
}

func (b *body) initScalar(span ir.Span, p place, e cc.ExpressionNode, static bool) ir.Expr {
	if p.raw != nil {
		return b.initBytes(span, p, e, static)
	}
	a := &ir.Assign{LHS: b.expr(p, 0, false), RHS: b.asStored(e, p)}
	a.RHS = convert(a.RHS, a.LHS.Type())
	if static && !isConstant(a.RHS) {
		b.wrong(e, "initializer is not constant")
	}
	b.Stand(&a.StmtInfo, span)
	b.Emit(a)
	return a.RHS
}

// initBytes is initScalar for what lies in bytes. A constant needs no
// temporary, and static storage has nothing else.
func (b *body) initBytes(span ir.Span, p place, e cc.ExpressionNode, static bool) ir.Expr {
	v := convert(b.asStored(e, p), p.scalar())
	switch {
	case static && !isConstant(v):
		b.wrong(e, "initializer is not constant")
	case !static:
		t := b.Temp("v", v.Type())
		a := &ir.Assign{LHS: use(t, ir.Span{}), RHS: v}
		b.Stand(&a.StmtInfo, span)
		b.Emit(a)
		b.write(&p, use(t, ir.Span{}))
		return v
	}
	b.write(&p, v)
	return v
}

// asStored lowers e as the value of the scalar p.
func (b *body) asStored(e cc.ExpressionNode, p place) ir.Expr {
	t, _ := scalarOrPointer(p.typ)
	if t != tPtr {
		return b.as(e, t)
	}
	n, to := b.asPointer(e, p.typ)
	b.flowInto(p, 0, to)
	return n
}

func isConstant(e ir.Expr) bool {
	if _, ok := e.(*ir.Use); ok {
		return false
	}
	for _, o := range e.Operands(nil) {
		if !isConstant(*o) {
			return false
		}
	}
	return true
}

func (b *body) initStruct(span ir.Span, p place, e cc.ExpressionNode) {
	if y, ok := b.place(e); ok {
		b.copyStruct(span, e, p, y)
	}
}

// aggregate emits the initialization of an array or struct: zero for what
// the list leaves out (static storage is zero), then the list.
func (b *body) aggregate(o *object, i *cc.InitDeclarator, static bool) {
	var parts []part
	listed := map[element]bool{}
	each(i.Initializer, func(in *cc.Initializer) {
		if in.Len() > 1 {
			b.unsupported(in, "range of elements in an initializer", "list them")
			return
		}
		p, ok := b.locatePart(o, in)
		if !ok {
			b.unsupported(in, "initializer of this form", "assign the elements")
			return
		}
		parts = append(parts, p)
		p.elements(func(e element) { listed[e] = true })
	})
	b.lengthen(o, i.Initializer)
	if !static {
		b.clear(o, b.extent(i), listed, parts)
	}
	for _, p := range parts {
		b.initPart(p, static)
	}
}

// lengthen makes o one of as many bytes as in fills, if that is more than its
// type has: a flexible array member gets elements so.
func (b *body) lengthen(o *object, in *cc.Initializer) {
	size := int64(0)
	each(in, func(x *cc.Initializer) { size = max(size, x.Offset()+x.Type().Size()) })
	if size <= o.typ.Size() || b.mem.sizes[o.key] == int(size) {
		return
	}
	b.asBytes(in, o.key)
	b.mem.sizes[o.key], b.mem.grown = int(size), true
}

// each visits the expressions of an initializer.
func each(in *cc.Initializer, visit func(*cc.Initializer)) {
	if in.Case == cc.InitializerExpr {
		visit(in)
		return
	}
	for l := in.InitializerList; l != nil; l = l.InitializerList {
		each(l.Initializer, visit)
	}
}

// A part is what one expression initializes.
type part struct {
	in    *cc.Initializer
	place place
	flat  int // number of its first element in each of its variables
}

// An element is a scalar of a variable, by its flat index.
type element struct {
	v *ir.Var
	n int
}

func (p part) elements(visit func(element)) {
	if p.place.raw != nil {
		p.bytes(visit)
		return
	}
	for _, v := range p.place.vars {
		t := v.Type
		for range p.place.idx {
			t = t.(ir.Array).Elem
		}
		_, n := ir.Scalar(t)
		for i := range n {
			visit(element{v, p.flat*n + i})
		}
	}
}

// locatePart finds by its offset what in initializes.
func (b *body) locatePart(o *object, in *cc.Initializer) (part, bool) {
	p := part{in: in, place: b.whole(o)}
	want, off := in.Type(), in.Offset()
	bits := in.Field()
	if bits != nil && !bits.IsBitfield() {
		bits = nil
	}
	for {
		t := p.place.typ
		if t.Kind() == cc.Union {
			p.place.inBytes()
		}
		if p.place.raw != nil {
			if !agrees(t) {
				if isAll(t, want) && off == 0 && bits == nil {
					return p, true
				}
				if !p.place.goInside(&off, bits) {
					return p, false
				}
				if p.place.raw.width > 0 {
					return p, true
				}
				continue
			}
			p.place.raw, p.place.typ = p.place.raw.moved(number(uint64(off), tPtr)), want
			if bits != nil {
				bit := bits.OffsetBits()
				p.place.raw = p.place.raw.moved(number(uint64(bit/8), tPtr))
				p.place.raw.at, p.place.raw.width = bit%8, int(bits.ValueBits())
			}
			return p, true
		}
		if bits != nil && t.Kind() == cc.Struct && bits.ParentType() == t.Undecay() {
			from, to := fieldRange(t.Undecay().(*cc.StructType), bits)
			p.place.vars, p.place.path, p.place.typ = p.place.vars[from:to], true, bits.Type()
			p.place.from += from
			return p, true
		}
		if bits == nil && off == 0 && isAll(t, want) {
			return p, true
		}
		switch t := t.Undecay().(type) {
		case *cc.ArrayType:
			size := t.Elem().Size()
			if size <= 0 {
				return p, false
			}
			p.place.idx = append(p.place.idx, step{index: &ir.Const{Val: uint64(off / size), Typ: tInt}})
			p.flat = p.flat*int(t.Len()) + int(off/size)
			p.place.typ, off = t.Elem(), off%size
		case *cc.StructType:
			f := fieldAt(t, off)
			if f == nil {
				return p, false
			}
			from, to := fieldRange(t, f)
			if to > len(p.place.vars) {
				return p, false
			}
			p.place.vars, p.place.path, p.place.typ = p.place.vars[from:to], true, f.Type()
			p.place.from += from
			off -= f.Offset()
		default:
			return p, false
		}
	}
}

// goInside makes the raw place p the part of it that lies at off, as cc counts, or
// that is the bit-field bits, and off what remains. It reports false if that is
// none or in a union.
func (p *place) goInside(off *int64, bits *cc.Field) bool {
	switch t := p.typ.Undecay().(type) {
	case *cc.ArrayType:
		size := t.Elem().Size()
		if size <= 0 {
			return false
		}
		p.raw = p.raw.moved(number(uint64(*off/size*sizeOf(t.Elem())), tPtr))
		p.typ, *off = t.Elem(), *off%size
		return true
	case *cc.StructType:
		f := bits
		if f == nil || f.ParentType() != p.typ.Undecay() {
			f = fieldAt(t, *off)
		}
		if f == nil {
			return false
		}
		p.raw, p.typ = p.raw.field(t, f), f.Type()
		*off -= f.Offset()
		return p.raw.at+p.raw.width <= 64
	}
	return false
}

// isAll reports whether what initializes a want initializes all of a t: not
// its only member.
func isAll(t, want cc.Type) bool {
	if t.Kind() != want.Kind() || t.Size() != want.Size() {
		return false
	}
	return !isRecord(t) || sameShape(t, want)
}

// bytes are the elements of p in bytes; of a bit-field none, since it shares
// its bytes with others.
func (p part) bytes(visit func(element)) {
	if p.place.raw.width > 0 {
		return
	}
	at := p.place.firstByte()
	for k := range int(sizeOf(p.place.typ)) {
		visit(element{at.v, at.n + k})
	}
}

// firstByte is the first byte of the raw place p, which lies at constant indices.
func (p *place) firstByte() element {
	at := element{v: p.vars[0]}
	t := at.v.Type.(ir.Array)
	for _, s := range p.idx {
		at.n = at.n*t.Len + int(s.index.(*ir.Const).Val)
		t = t.Elem.(ir.Array)
	}
	at.n = at.n*t.Len + int(p.raw.off.(*ir.Const).Val)
	return at
}

// clearBytes is clear for an object with bytes in it: those that belong to no
// member, or to no more than a further one of a union, are free.
func (b *body) clearBytes(o *object, listed map[element]bool, parts []part) {
	for _, v := range o.vars {
		if t, _ := ir.Scalar(v.Type); t == tByte {
			b.fill(v, false)
		}
	}
	zero := func(e element) {
		if !listed[e] {
			b.setElement(e.v, e.n, 0)
		}
	}
	for _, q := range b.scalars(b.whole(o)) {
		if q.typ.Kind() == cc.Union {
			q.inBytes()
		}
		if q.raw == nil {
			(part{place: q, flat: q.flat()}).elements(zero)
			continue
		}
		used := make([]bool, sizeOf(q.typ))
		if q.raw.width > 0 {
			used = make([]bool, q.size())
			mark(used, 0, int64(len(used)))
		} else {
			covered(b.initialized(q, parts), 0, used, false)
		}
		at := q.firstByte()
		for k, u := range used {
			if u {
				zero(element{at.v, at.n + k})
			}
		}
	}
}

// initialized is the type of q, or, of a union, that of the member that one of
// the parts is or is in, else the first one.
func (b *body) initialized(q place, parts []part) cc.Type {
	if q.typ.Kind() != cc.Union {
		return q.typ
	}
	from := q.firstByte()
	for _, p := range parts {
		if p.place.raw == nil {
			continue
		}
		if at := p.place.firstByte(); at.v != from.v || at.n < from.n || at.n >= from.n+int(sizeOf(q.typ)) {
			continue
		}
		var t cc.Type
		for in := p.in; in != nil; in = in.Parent() {
			if f := in.Field(); f != nil && f.ParentType() != nil && f.ParentType().Kind() == cc.Union {
				t = f.Type()
			}
		}
		if t != nil {
			return t
		}
	}
	return q.typ
}

// flat is the number of the element at the constant indices of p.
func (p *place) flat() int {
	n := 0
	t := p.vars[0].Type
	for _, s := range p.idx {
		a := t.(ir.Array)
		n, t = n*a.Len+int(s.index.(*ir.Const).Val), a.Elem
	}
	return n
}

func fieldAt(t *cc.StructType, off int64) *cc.Field {
	for i := range t.NumFields() {
		if f := t.FieldByIndex(i); off >= f.Offset() && off < f.Offset()+f.Type().Size() {
			return f
		}
	}
	return nil
}

// clear emits zero for the elements of o that are not listed.
func (b *body) clear(o *object, span ir.Span, listed map[element]bool, parts []part) {
	if ls, _ := leaves(o.typ); o.raw || holdsRaw(ls) {
		b.Locate(span, func() { b.clearBytes(o, listed, parts) })
		return
	}
	b.Locate(span, func() {
		for _, v := range o.vars {
			_, n := ir.Scalar(v.Type)
			for i := range n {
				if !listed[element{v, i}] {
					b.setElement(v, i, 0)
				}
			}
		}
	})
}

// setElement emits the assignment of a constant to an element of v.
func (b *body) setElement(v *ir.Var, flat int, value uint64) {
	t, _ := ir.Scalar(v.Type)
	a := &ir.Assign{LHS: elementOf(v, flat), RHS: &ir.Const{Val: ir.Wrap(t, value), Typ: t}}
	b.Derive(&a.StmtInfo)
	b.Emit(a)
}

// elementOf is the scalar of v with a flat index.
func elementOf(v *ir.Var, flat int) ir.Expr {
	e := ir.Expr(use(v, ir.Span{}))
	for t := v.Type; ; {
		a, ok := t.(ir.Array)
		if !ok {
			return e
		}
		_, n := ir.Scalar(a.Elem)
		e = &ir.Index{X: e, I: &ir.Const{Val: uint64(flat / n), Typ: tInt}}
		flat %= n
		t = a.Elem
	}
}

// initPart emits one element of the list, a location of its own.
func (b *body) initPart(p part, static bool) {
	e := p.in.AssignmentExpression
	span := b.extent(e)
	b.Locate(span, func() {
		switch t := p.place.typ; t.Kind() {
		case cc.Array:
			b.initString(p, static)
		case cc.Struct, cc.Union:
			b.initStruct(span, p.place, e)
		default:
			b.initScalar(span, p.place, e, static)
		}
	})
}

// initString emits the characters of a string literal, no sites.
func (b *body) initString(p part, static bool) {
	s, _, ok := characters(p.in.AssignmentExpression)
	if !ok {
		b.unsupported(p.in, "initializer of this form", "assign the elements")
		return
	}
	n := 0
	p.elements(func(e element) {
		var c uint64
		if n < len(s) {
			c = s[n]
		}
		if n++; !static || c != 0 {
			b.setElement(e.v, e.n, c)
		}
	})
}

// stringPlace is a string literal as an array: a global of its own.
func (b *body) stringPlace(e *cc.PrimaryExpression) (place, bool) {
	if _, _, ok := characters(e); !ok {
		b.unsupported(e, "string literal of this kind", "")
		return place{}, false
	}
	k := heapKey{site: e}
	if b.mem.ancestors[k] == nil {
		b.mem.ancestors[k] = &ancestor{unit: b.u, site: e}
	}
	p := b.whole(b.objectOf(k))
	p.span, p.base, p.konst = b.span(e), b.span(e), true
	return p, true
}

func (l *loader) stringObject(k key, from *ancestor) *object {
	s, c, _ := characters(from.site)
	l.strings++
	raw := l.mem.bytes[k]
	if raw {
		s, c = bytesIn(s, c.Width/8), tByte
	}
	t := ir.Array{Elem: c, Len: len(s)}
	v := &ir.Var{Name: stringName(l.strings), Type: t, Kind: ir.Global}
	var extent ir.Span
	if !from.unit.library {
		v.Span, extent = from.unit.text.span(from.site), from.unit.text.extent(from.site)
	}
	o := &object{typ: from.site.Type().Undecay(), vars: []*ir.Var{v}, key: k, konst: true, raw: raw}
	l.objects[k] = o
	l.prog.Globals = append(l.prog.Globals, v)
	l.init.Locate(extent, func() {
		for i := range len(s) {
			if s[i] != 0 {
				l.init.setElement(v, i, s[i])
			}
		}
	})
	return o
}

// numeric matches what cc takes for bytes in wide strings.
var numeric = regexp.MustCompile(`\\[xuU0-7]`)

// characters are those of a string literal, with the one at the end, and their
// type.
func characters(e cc.ExpressionNode) (s []uint64, t ir.Int, ok bool) {
	if _, narrow := e.Value().(cc.StringValue); !narrow && numeric.MatchString(cc.NodeSource(e)) {
		return nil, t, false
	}
	t, ok = typeOfElements(e)
	if !ok {
		return nil, t, false
	}
	switch v := e.Value().(type) {
	case cc.StringValue:
		for i := range len(v) {
			s = append(s, uint64(v[i]))
		}
	case cc.UTF16StringValue:
		for _, c := range v {
			s = append(s, uint64(c))
		}
	case cc.UTF32StringValue:
		for _, c := range v {
			if uint64(c)>>t.Width != 0 {
				return nil, t, false
			}
			s = append(s, uint64(c))
		}
	}
	return s, t, len(s) > 0
}

// typeOfElements is the type of the characters of the string literal e.
func typeOfElements(e cc.ExpressionNode) (ir.Int, bool) {
	s, ok := scalar(elem(e.Type()))
	t, isInt := s.(ir.Int)
	return t, ok && isInt
}

// bytesIn are the bytes of the numbers s, of n bytes each.
func bytesIn(s []uint64, n int) []uint64 {
	var all []uint64
	for _, c := range s {
		for k := range n {
			all = append(all, c>>(8*k)&0xff)
		}
	}
	return all
}
