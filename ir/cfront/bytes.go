package cfront

// Objects as bytes. An object that the program looks at as what it was not
// declared as, and a union, is an array of its bytes, little endian, laid out
// as gcc does; an access joins the bytes that it reads, or writes them one by
// one. A pointer into one counts bytes. Which objects these are is found as
// what pointers hold is: in passes.

import (
	"modernc.org/cc/v4"

	"github.com/go-amend/amend/ir"
)

// A window is where a place lies in an array of bytes: from off on. Of a
// bit-field it is width bits, from bit at of there.
type window struct {
	off       ir.Expr // a constant or a temporary, of type tPtr
	at, width int     // width is 0 if it is none
}

// A limit is the length of an array inside an object of bytes, and an index of
// which nothing else says that it is below.
type limit struct {
	index  ir.Expr
	length int64
}

// bytesOf are n bytes as the leaves of an object.
func bytesOf(n int) ([]leaf, *misfit) {
	if n <= 0 || n > maxElems {
		return nil, &misfit{"bytes of an object of this size", "use a smaller one"}
	}
	return []leaf{{typ: ir.Array{Elem: tByte, Len: n}, raw: true}}, nil
}

// asBytes makes the object with key k one of bytes from the next pass on.
func (b *body) asBytes(e cc.Node, k key) {
	if h, ok := k.(heapKey); ok {
		k = heapKey{site: h.site} // whenever it runs
	}
	if o, ok := k.(outsideKey); ok {
		k = outsideKey{pool: o.pool} // all of one type
	}
	if b.mem.bytes[k] {
		return
	}
	o := b.objectOf(k)
	switch {
	case o == nil || o.refused || o.raw:
		return
	case o.runs:
		b.refuse(e, "access to the bytes of a variable of a recursive function", "use one type")
		return
	case o.copies:
		b.refuse(e, "access to the bytes of an object in a program with threads", "use one type")
		return
	case b.hidesEvents() != "":
		b.refuse(e, "access to the bytes of an object in a program with threads, "+b.hidesEvents(), "use one type")
		return
	case holdsMutex(o.typ):
		b.refuse(e, "access to the bytes of a mutex", "")
		return
	}
	b.mem.bytes[k], b.mem.grown = true, true
}

// refuse is unsupported at e, or where the statement is if that is nil.
func (b *body) refuse(e cc.Node, construct, hint string) {
	switch at := b.Span(); {
	case e != nil:
		b.unsupported(e, construct, hint)
	case b.u.library && b.f != nil:
		b.fail(&ir.UnsupportedError{Span: b.f.at, Construct: construct, Hint: hint})
	default:
		b.fail(&ir.UnsupportedError{Span: at, Construct: construct, Hint: hint})
	}
}

// allBytes is asBytes for what is in to, but for functions.
func (b *body) allBytes(e cc.Node, to *targets) {
	for _, s := range to.list {
		if _, code := s.key.(codeKey); !code && !s.raw {
			b.asBytes(e, s.key)
		}
	}
}

// inBytes makes p, which is all of a union, a place in its bytes.
func (p *place) inBytes() {
	if p.raw == nil {
		p.raw = &window{off: number(0, tPtr)}
	}
}

// isRaw reports whether p, or what it may be, lies in bytes.
func (p *place) isRaw() bool {
	raw := false
	p.each(func(q *place) { raw = raw || q.raw != nil })
	return raw
}

// moved is w, n bytes further.
func (w *window) moved(n ir.Expr) *window { return &window{off: plus(n, ir.CloneExpr(w.off))} }

// byteAt is byte k of the raw place p.
func (p *place) byteAt(k int) ir.Expr {
	e := ir.Expr(&ir.Use{Var: p.vars[0]})
	for _, s := range p.idx {
		e = &ir.Index{X: e, I: ir.CloneExpr(s.index)}
	}
	return &ir.Index{X: e, I: plus(ir.CloneExpr(p.raw.off), number(uint64(k), tPtr))}
}

// scalar is the type of the scalar p.
func (p *place) scalar() ir.Type {
	if p.many && len(p.options) > 0 {
		return p.options[0].place.scalar()
	}
	t, _ := scalarOrPointer(p.typ)
	switch {
	case p.many:
	case p.raw != nil && p.raw.width > 0:
		t = ofWidth(t, p.raw.width)
	case p.raw == nil && len(p.vars) > 0:
		t = p.vars[0].Type
		for range p.idx {
			t = t.(ir.Array).Elem
		}
	}
	return t
}

// size is how many bytes an access to the scalar p touches.
func (p *place) size() int {
	if p.raw.width > 0 {
		return (p.raw.at + p.raw.width + 7) / 8
	}
	return int(sizeOf(p.typ))
}

// unsigned is the type of n bytes.
func unsigned(n int) ir.Int { return ir.Int{Width: 8 * n} }

// join is the value of the first n bytes of p.
func (p *place) join(n int) ir.Expr {
	t := unsigned(n)
	v := convert(p.byteAt(0), t)
	for k := 1; k < n; k++ {
		high := &ir.Binary{Op: ir.Shl, X: convert(p.byteAt(k), t), Y: number(uint64(8*k), t)}
		v = &ir.Binary{Op: ir.Or, X: v, Y: high}
	}
	return v
}

// loadBytes is the value of the raw scalar p.
func (b *body) loadBytes(p *place) ir.Expr {
	t := p.scalar()
	if t != tPtr {
		b.readBytes(p, p.size())
	}
	float, isFloat := t.(ir.Float)
	switch {
	case isFloat && b.isOverlong(p, float):
		return &ir.Const{Typ: t}
	case isFloat:
		return &ir.Convert{To: t, X: p.join(p.size()), Bits: true}
	case t == tPtr:
		return p.joinPointer()
	case p.raw.width > 0:
		v := p.join(p.size())
		if p.raw.at > 0 {
			v = &ir.Binary{Op: ir.Shr, X: v, Y: number(uint64(p.raw.at), v.Type().(ir.Int))}
		}
		return convert(convert(v, ir.Int{Width: p.raw.width}), t)
	}
	return convert(p.join(p.size()), t)
}

// joinPointer is the pointer whose bytes p has. Of an address of more bits than a
// pointer has here, the rest is 0; one of fewer is a number with a sign, see
// fromInteger.
func (p *place) joinPointer() ir.Expr {
	n := p.size()
	if 8*n >= tPtr.Width {
		return p.join(tPtr.Width / 8)
	}
	return convert(convert(p.join(n), ir.Int{Width: 8 * n, Signed: true}), tPtr)
}

// storeBytes emits p = v for the raw scalar p. v is a constant or a temporary.
func (b *body) storeBytes(p *place, v ir.Expr) {
	n := p.size()
	t := unsigned(n)
	if float, ok := v.Type().(ir.Float); ok {
		if b.isOverlong(p, float) {
			return
		}
		v = bitsOfFloat(v, t)
	}
	if v.Type() == tPtr {
		v = convertConst(v, ir.Int{Width: tPtr.Width, Signed: true})
	}
	v = convertConst(v, t)
	if p.raw.width > 0 {
		v = p.withBits(v)
	}
	b.atOnce(p, func() {
		for k := range n {
			b.set(p.byteAt(k), byteOf(v, k))
		}
	})
}

// isOverlong refuses p, a floating-point number of type t, if C stores more bytes
// of it than t has.
func (b *body) isOverlong(p *place, t ir.Float) bool {
	over := p.size() != t.Width/8
	if over {
		b.refuse(nil, "bytes of a long double", "use double")
	}
	return over
}

// bitsOfFloat is the bits of v, a floating-point number, in type t.
func bitsOfFloat(v ir.Expr, t ir.Int) ir.Expr {
	if c, ok := v.(*ir.Const); ok {
		return number(c.Val, t)
	}
	return &ir.Convert{To: t, X: v, Bits: true}
}

// withBits is what the bytes of the bit-field p become when it gets the value
// v, of as many bytes.
func (p *place) withBits(v ir.Expr) ir.Expr {
	t := v.Type().(ir.Int)
	mask := ir.Wrap(ir.Int{Width: p.raw.width}, ^uint64(0)) << p.raw.at
	old := &ir.Binary{Op: ir.And, X: p.join(p.size()), Y: number(^mask, t)}
	shifted := &ir.Binary{Op: ir.Shl, X: v, Y: number(uint64(p.raw.at), t)}
	return &ir.Binary{Op: ir.Or, X: old, Y: &ir.Binary{Op: ir.And, X: shifted, Y: number(mask, t)}}
}

// byteOf is byte k of v.
func byteOf(v ir.Expr, k int) ir.Expr {
	if c, ok := v.(*ir.Const); ok {
		return number(c.Val>>(8*k), tByte)
	}
	v = ir.CloneExpr(v)
	if k > 0 {
		v = &ir.Binary{Op: ir.Shr, X: v, Y: number(uint64(8*k), v.Type().(ir.Int))}
	}
	return convert(v, tByte)
}

// write emits p = v for the single scalar p. v is a constant or a temporary.
func (b *body) write(p *place, v ir.Expr) {
	if p.raw != nil {
		b.wroteBytes(p)
		b.storeBytes(p, v)
		return
	}
	lhs := b.expr(copyPlace(*p), 0, false)
	b.set(lhs, convert(ir.CloneExpr(v), lhs.Type()))
}

// withinLimits emits the bounds checks of the indices inside p that are not
// known to be in their arrays.
func (b *body) withinLimits(p place) {
	if !b.cfg.Checks.Has(ir.CheckBounds) {
		return
	}
	for _, l := range p.limits {
		if c, ok := l.index.(*ir.Const); ok && c.Val < uint64(l.length) {
			continue
		}
		in := &ir.Binary{Op: ir.Lt, X: ir.CloneExpr(l.index), Y: number(uint64(l.length), tPtr)}
		b.check(ir.CheckBounds, in, p.span)
	}
}
