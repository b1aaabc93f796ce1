package gofront

// Slices and strings: slicing, append, copy, make, literals, comparison.
// Work on all elements is done by procedures that are written out up to
// lowerer.width elements; runs that need more are cut.

import (
	"fmt"
	"go/ast"
	"go/types"
	"sort"

	"github.com/go-amend/amend/ir"
)

// width is the number of elements up to which the library works.
func (l *lowerer) width() int { return l.known.longest }

func (b *body) sliceExpr(e *ast.SliceExpr) value {
	t := b.typ(e)
	src := b.typ(e.X)
	var v value
	elem := 1
	switch u := src.Underlying().(type) {
	case *types.Array:
		v = b.wholeArray(e.X, u, b.val(e.X))
		elem = b.layoutOf(u.Elem()).size
	case *types.Pointer:
		a := u.Elem().Underlying().(*types.Array)
		v = b.wholeArray(e.X, a, b.deref(b.val(e.X), u.Elem()))
		elem = b.layoutOf(a.Elem()).size
	case *types.Slice:
		v = b.val(e.X)
		elem = b.layoutOf(u.Elem()).size
	default:
		v = b.val(e.X)
	}
	if len(v.lay.leaves) < 2 {
		return b.refused(e)
	}
	return b.slicing(e, t, v, elem)
}

// wholeArray is the slice of all elements of the array v, in memory.
func (b *body) wholeArray(e ast.Expr, t *types.Array, v value) value {
	st := types.NewSlice(t.Elem())
	if v.mem == nil {
		b.unsupported(e, "slicing of an array without an address", "use a variable")
		return b.zero(st)
	}
	n := num(tInt, t.Len())
	if _, ok := plain(v.addr); !ok { // through a pointer that may be nil
		a := b.frozen(v.addr)
		b.demand(ir.CheckBounds, &ir.Binary{Op: ir.Ne, X: ir.CloneExpr(a), Y: num(tAddr, 0)}, b.span(e), "")
		v.addr = a
	}
	return b.sliceOf(st, v.mem, add(ir.CloneExpr(v.addr), num(tAddr, int64(v.off))), n, n)
}

// slicing is v[lo:hi:max].
func (b *body) slicing(e *ast.SliceExpr, t types.Type, v value, stride int) value {
	v = b.snapshot(v)
	bound := func(x ast.Expr, other ir.Expr) ir.Expr {
		if x == nil {
			return ir.CloneExpr(other)
		}
		i := b.expr(x)
		if ir.Width(i.Type()) < 64 || ir.Signed(i.Type()) {
			i = convert(i, tInt)
		}
		return b.frozen(i)
	}
	lo := bound(e.Low, num(tInt, 0))
	hi := bound(e.High, v.length())
	limit := bound(e.Max, v.capacity())
	c := b.within64(lo, plus1(hi))
	b.demand(ir.CheckBounds, and(and(
		notAbove(limit, v.capacity(), e.Max != nil),
		notAbove(hi, limit, e.High != nil)),
		c), b.span(e), "")
	lo, hi, limit = convert(lo, tInt), convert(hi, tInt), convert(limit, tInt)
	n, capacity := sub(ir.CloneExpr(hi), ir.CloneExpr(lo)), sub(ir.CloneExpr(limit), ir.CloneExpr(lo))
	p := v.ptr()
	if e.Low != nil {
		// A slice without capacity keeps its pointer, so as to stay inside.
		at := add(ir.CloneExpr(p), mul(convert(ir.CloneExpr(lo), tAddr), stride))
		p = &ir.Cond{C: compare(ir.Eq, ir.CloneExpr(capacity), num(tInt, 0)), X: p, Y: at}
	}
	w := b.sliceOf(t, v.region(0), p, n, capacity)
	b.freezeLeaves(&w)
	return w
}

// plus1 is x+1, for a bound that is no larger than a capacity where it
// counts.
func plus1(x ir.Expr) ir.Expr { return add(ir.CloneExpr(x), num(x.Type(), 1)) }

func notAbove(x, limit ir.Expr, given bool) ir.Expr {
	if !given {
		return truth(true)
	}
	if m, ok := plain(x); ok {
		if n, ok := plain(limit); ok {
			return truth(m >= 0 && m <= n)
		}
	}
	return &ir.Binary{Op: ir.Le, X: unsigned(ir.CloneExpr(x)), Y: unsigned(ir.CloneExpr(limit))}
}

// region of a slice that may be nil only.
func (b *body) regionOf(v value) *region {
	if r := v.region(0); r != nil {
		return r
	}
	return b.region("nil " + targetName(v.typ))
}

func elemOf(t types.Type) types.Type {
	switch u := t.Underlying().(type) {
	case *types.Slice:
		return u.Elem()
	case *types.Basic:
		return types.Typ[types.Byte]
	}
	return types.Typ[types.Invalid]
}

// changeRoom is the number of elements that a constant length may grow by
// when a repair changes it.
const changeRoom = 8

// makeSlice lowers make([]T, n, c).
func (b *body) makeSlice(e *ast.CallExpr) value {
	t := b.typ(e)
	u, ok := t.Underlying().(*types.Slice)
	if !ok {
		hint := "use arrays or slices"
		switch t.Underlying().(type) {
		case *types.Chan:
			return b.makeChan(e)
		case *types.Map:
			return b.makeMap(e)
		}
		b.unsupported(e, "make of "+kindName(t), hint)
		return b.refused(e)
	}
	lay := b.layoutOf(u.Elem())
	b.refuse(lay, b.span(e))
	n := b.frozen(convert(b.expr(e.Args[1]), tInt))
	c := n
	if len(e.Args) > 2 {
		c = b.frozen(convert(b.expr(e.Args[2]), tInt))
	}
	ok1 := compare(ir.Ge, ir.CloneExpr(n), num(tInt, 0))
	b.demand(ir.CheckBounds, and(ok1, compare(ir.Le, ir.CloneExpr(n), ir.CloneExpr(c))), b.span(e), "")
	limit := b.width()
	if k, ok := plain(c); ok {
		limit = int(k)
	} else if k, ok := c.(*ir.Const); ok {
		limit = int(ir.SignedValue(k.Typ, k.Val))
		b.longer(min(limit, 256))
		limit += changeRoom
	} else {
		if b.room > 1 {
			limit = max(limit, maxRegion/16*b.room)
		}
		b.cutWhen(&ir.Binary{Op: ir.Gt, X: ir.CloneExpr(c), Y: num(tInt, int64(limit))})
	}
	limit = max(min(limit, maxElems), 0)
	r := b.region(b.varKey(nil))
	size := max(lay.size, 1)
	ptr := b.allocUpTo(r, add(mul(convert(ir.CloneExpr(c), tAddr), size), num(tAddr, 1)), limit*size+1)
	w := b.sliceOf(t, r, ptr, ir.CloneExpr(n), ir.CloneExpr(c))
	b.freezeLeaves(&w)
	return w
}

// appendTo lowers append(s, x…).
func (b *body) appendTo(e *ast.CallExpr) value {
	t := b.typ(e)
	v := b.convertTo(e.Args[0], b.val(e.Args[0]), t)
	elem := elemOf(t)
	lay := b.layoutOf(elem)
	b.refuse(lay, b.span(e))
	r := b.region(b.varKey(nil))
	b.unify(r, v.region(0))
	v = b.snapshot(v)
	if e.Ellipsis.IsValid() {
		src := b.snapshot(b.val(e.Args[1]))
		if isNilConst(src.typ) {
			return v
		}
		w := b.grow(v, r, src.length(), lay)
		for i := range lay.leaves {
			if lay.leaves[i].target != "" {
				b.unify(r.sub(lay.leaves[i].target), b.regionOf(src).sub(lay.leaves[i].target))
			}
		}
		b.move(r, lay, add(w.ptr(), mul(convert(v.length(), tAddr), lay.size)), b.regionOf(src), src.ptr(), src.length())
		return w
	}
	args := make([]value, len(e.Args)-1)
	for i, a := range e.Args[1:] {
		args[i] = b.part(a, elem)
	}
	for i := range args {
		args[i] = b.snapshot(args[i]) // before elements are overwritten
	}
	w := b.grow(v, r, num(tInt, int64(len(args))), lay)
	for i, a := range args {
		to := b.raw(w, add(v.length(), num(tInt, int64(i))), elem)
		b.storeOver(to, a)
	}
	return w
}

// storeOver stores v in memory, in derived statements.
func (b *body) storeOver(to, v value) {
	if len(v.lay.leaves) != len(to.lay.leaves) {
		return
	}
	b.freezePlace(&to)
	for i := range to.lay.leaves {
		b.unify(to.region(i), v.region(i))
		each(to.lay.leaves[i].dims, func(idx []int) {
			b.Set(to.elem(i, idx), convert(v.elem(i, idx), to.lay.leaves[i].typ))
		})
	}
}

// grow returns v with n more elements, in a new array with room for more if
// its capacity isn't enough.
func (b *body) grow(v value, r *region, n ir.Expr, lay *layout) value {
	p := b.lowerer.growProc(r, lay)
	room := b.width() * max(lay.size, 1)
	r.allocs = append(r.allocs, allocation{in: b.inst, loops: b.loops, cells: room})
	c := &ir.Call{Proc: p, Args: []ir.Expr{v.ptr(), v.length(), v.capacity(), n}}
	w := value{typ: v.typ, lay: v.lay, regs: []*region{r, nil, nil}}
	for i := range w.lay.leaves {
		t := b.Temp("append", w.lay.leaves[i].typ)
		c.Results = append(c.Results, use(t))
		w.x = append(w.x, use(t))
	}
	b.Derive(&c.StmtInfo)
	b.Emit(c)
	return w
}

// growProc is
//
//	proc grow(ptr, len, cap, n) (ptr', len', cap')
//
// Its new arrays have room for width elements: more than the Go
// implementation usually gives, which the language leaves open. Programs that
// need more memory than was estimated have room for twice the elements.
func (l *lowerer) growProc(r *region, lay *layout) *ir.Proc {
	name := fmt.Sprintf("append%d.%d%s", r.id, lay.size, lay.signature())
	if p := r.lib[name]; p != nil {
		return p
	}
	param := func(n string, t ir.Type) *ir.Var { return &ir.Var{Name: n, Kind: ir.Param, Type: t} }
	result := func(n string, t ir.Type) *ir.Var { return &ir.Var{Name: n, Kind: ir.Result, Type: t} }
	ptr, length, capacity, n := param("ptr", tAddr), param("len", tInt), param("cap", tInt), param("n", tInt)
	ptr2, len2, cap2 := result("ptr2", tAddr), result("len2", tInt), result("cap2", tInt)
	full := &ir.Var{Name: "full", Kind: ir.Local, Type: ir.Array{Elem: tBool, Len: 1}}
	g := l.libraryProc(name, []*ir.Var{ptr, length, capacity, n}, []*ir.Var{ptr2, len2, cap2}, full)
	r.lib[name] = g.proc
	g.set(ptr2, use(ptr))
	g.set(cap2, use(capacity))
	g.set(len2, add(use(length), use(n)))
	w := l.width()
	size := max(lay.size, 1)
	g.when(&ir.Binary{Op: ir.Gt, X: use(len2), Y: use(capacity)}, func() {
		g.cut(full, &ir.Binary{Op: ir.Gt, X: use(len2), Y: num(tInt, int64(w))})
		g.set(cap2, num(tInt, int64(w)))
		if l.room > 1 { // width is large: most slices don't need that much
			g.when(&ir.Binary{Op: ir.Lt, X: use(len2), Y: num(tInt, int64(w/2))}, func() { g.set(cap2, add(use(len2), use(len2))) })
		}
		var cells ir.Expr = num(tAddr, int64(w*size))
		if l.room > 1 {
			cells = mul(convert(use(cap2), tAddr), size)
		}
		g.emit(&ir.Call{Results: []ir.Expr{use(ptr2)}, Proc: r.allocator(), Args: []ir.Expr{cells}})
		for k := range w {
			g.when(&ir.Binary{Op: ir.Lt, X: num(tInt, int64(k)), Y: use(length)}, func() {
				g.moveElement(r, r, lay, use(ptr2), use(ptr), k)
			})
		}
	})
	return g.proc
}

// signature tells layouts apart.
func (x *layout) signature() string {
	s := ""
	for _, f := range x.leaves {
		s += "_" + f.typ.String() + fmt.Sprint(f.dims)
	}
	if len(s) > 40 {
		s = fmt.Sprintf("%s%d", s[:30], len(s))
	}
	return s
}

// moveElement copies element k.
func (g *libBody) moveElement(to, from *region, lay *layout, dst, src ir.Expr, k int) {
	for i := range lay.leaves {
		f := &lay.leaves[i]
		each(f.dims, func(idx []int) {
			off := k*lay.size + f.off - bias
			for j, n := range idx {
				off += n * f.strides[j]
			}
			g.store(cell(to, f.typ, add(ir.CloneExpr(dst), num(tAddr, int64(off)))), cell(from, f.typ, add(ir.CloneExpr(src), num(tAddr, int64(off)))))
		})
	}
}

func cell(r *region, t ir.Type, at ir.Expr) ir.Expr { return &ir.Index{X: use(r.memory(t)), I: at} }

// move emits the copy of n elements that don't overlap with where they go,
// or are copied as if they were all read first.
func (b *body) move(to *region, lay *layout, dst ir.Expr, from *region, src, n ir.Expr) {
	c := &ir.Call{Proc: b.lowerer.moveProc(to, from, lay), Args: []ir.Expr{dst, src, n}}
	b.Derive(&c.StmtInfo)
	b.Emit(c)
}

func (l *lowerer) moveProc(to, from *region, lay *layout) *ir.Proc {
	name := fmt.Sprintf("copy%d.%d.%d%s", to.id, from.id, lay.size, lay.signature())
	if p := to.lib[name]; p != nil {
		return p
	}
	dst := &ir.Var{Name: "dst", Kind: ir.Param, Type: tAddr}
	src := &ir.Var{Name: "src", Kind: ir.Param, Type: tAddr}
	n := &ir.Var{Name: "n", Kind: ir.Param, Type: tInt}
	full := &ir.Var{Name: "full", Kind: ir.Local, Type: ir.Array{Elem: tBool, Len: 1}}
	g := l.libraryProc(name, []*ir.Var{dst, src, n}, nil, full)
	to.lib[name] = g.proc
	w := l.width()
	g.cut(full, &ir.Binary{Op: ir.Gt, X: use(n), Y: num(tInt, int64(w))})
	more := func(k int) ir.Expr { return &ir.Binary{Op: ir.Lt, X: num(tInt, int64(k)), Y: use(n)} }
	if to != from {
		for k := range w {
			g.when(more(k), func() { g.moveElement(to, from, lay, use(dst), use(src), k) })
		}
		return g.proc
	}
	g.moveOverlapping(to, lay, dst, src, w, more)
	return g.proc
}

// moveOverlapping reads all elements before it writes the first.
func (g *libBody) moveOverlapping(r *region, lay *layout, dst, src *ir.Var, w int, more func(int) ir.Expr) {
	var locals []*ir.Var
	at := func(v *ir.Var, f *leaf, k int, idx []int) ir.Expr {
		off := k*lay.size + f.off - bias
		for j, n := range idx {
			off += n * f.strides[j]
		}
		return cell(r, f.typ, add(use(v), num(tAddr, int64(off))))
	}
	for k := range w {
		g.when(more(k), func() {
			for i := range lay.leaves {
				f := &lay.leaves[i]
				each(f.dims, func(idx []int) {
					t := g.local(fmt.Sprintf("t%d", len(locals)), f.typ)
					locals = append(locals, t)
					g.set(t, at(src, f, k, idx))
				})
			}
		})
	}
	next := 0
	for k := range w {
		g.when(more(k), func() {
			for i := range lay.leaves {
				f := &lay.leaves[i]
				each(f.dims, func(idx []int) {
					g.store(at(dst, f, k, idx), use(locals[next]))
					next++
				})
			}
		})
	}
}

// copyElements lowers copy(dst, src).
func (b *body) copyElements(e *ast.CallExpr) value {
	dst := b.snapshot(b.val(e.Args[0]))
	src := b.snapshot(b.val(e.Args[1]))
	lay := b.layoutOf(elemOf(dst.typ))
	n := b.Save("n", &ir.Cond{C: &ir.Binary{Op: ir.Lt, X: dst.length(), Y: src.length()}, X: dst.length(), Y: src.length()})
	to, from := b.regionOf(dst), b.regionOf(src)
	for i := range lay.leaves {
		if t := lay.leaves[i].target; t != "" {
			b.unify(to.sub(t), from.sub(t))
		}
	}
	b.move(to, lay, dst.ptr(), from, src.ptr(), ir.CloneExpr(n))
	return b.scalarValue(types.Typ[types.Int], ir.CloneExpr(n))
}

func (b *body) clearElements(e *ast.CallExpr) {
	v := b.snapshot(b.val(e.Args[0]))
	if isMap(v.typ) {
		b.mapping(e, v).clear()
		return
	}
	if len(v.lay.leaves) < 3 {
		b.unsupported(e, "clear of "+kindName(v.typ), "use slices")
		return
	}
	lay := b.layoutOf(elemOf(v.typ))
	b.cutWhen(&ir.Binary{Op: ir.Gt, X: v.length(), Y: num(tInt, int64(b.width()))})
	for k := range b.width() {
		then := b.Block(func() {
			b.storeOver(b.raw(v, num(tInt, int64(k)), elemOf(v.typ)), b.zero(elemOf(v.typ)))
		})
		b.branch(&ir.Binary{Op: ir.Lt, X: num(tInt, int64(k)), Y: v.length()}, then, nil)
	}
	_ = lay
}

// literal is the string constant s. Equal ones share their cells.
func (b *body) literal(t types.Type, s string) value {
	if len(s) == 0 {
		return b.zero(t)
	}
	key := s
	if v, ok := b.strings[key]; ok {
		v.typ = t
		return v
	}
	r := b.region("literals")
	at := r.reserve(len(s))
	v := b.sliceOf(t, r, num(tAddr, int64(at)), num(tInt, int64(len(s))), num(tInt, int64(len(s))))
	b.strings[key] = v
	return v
}

// literalData emits the contents of all string constants.
func (l *lowerer) literalData() []ir.Stmt {
	var keys []string
	for k := range l.strings {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	var out []ir.Stmt
	for _, k := range keys {
		v := l.strings[k]
		at, _ := plain(v.x[0])
		for i := range len(k) {
			out = append(out, &ir.Assign{LHS: cell(v.regs[0], tByte, num(tAddr, at+int64(i)-bias)), RHS: num(tByte, int64(k[i]))})
		}
	}
	return out
}

// equalStrings is x == y.
func (b *body) equalStrings(x, y value) ir.Expr {
	if s, ok := b.literalText(y); ok {
		return b.equalLiteral(x, s)
	}
	if s, ok := b.literalText(x); ok {
		return b.equalLiteral(y, s)
	}
	x, y = b.snapshot(x), b.snapshot(y)
	return b.libCall(b.lowerer.equalProc(b.regionOf(x), b.regionOf(y)), x, y)
}

// literalText returns the text of v if that is a constant.
func (b *body) literalText(v value) (string, bool) {
	if v.mem != nil || len(v.x) < 2 {
		return "", false
	}
	n, ok := plain(v.x[1])
	if !ok {
		return "", false
	}
	if n == 0 {
		return "", true
	}
	for s, w := range b.strings {
		if p, _ := plain(w.x[0]); len(s) == int(n) {
			if q, ok := plain(v.x[0]); ok && p == q && w.regs[0] == v.regs[0] {
				return s, true
			}
		}
	}
	return "", false
}

func (b *body) equalLiteral(x value, s string) ir.Expr {
	x = b.snapshot(x)
	c := ir.Expr(&ir.Binary{Op: ir.Eq, X: x.length(), Y: num(tInt, int64(len(s)))})
	for i := range len(s) {
		e := b.raw(x, num(tInt, int64(i)), types.Typ[types.Byte])
		c = and(c, &ir.Binary{Op: ir.Eq, X: e.read(0), Y: num(tByte, int64(s[i]))})
	}
	return c
}

// libCall calls a procedure on two strings for its result.
func (b *body) libCall(p *ir.Proc, x, y value) ir.Expr {
	t := b.Temp("r", p.Results[0].Type)
	c := &ir.Call{Proc: p, Results: []ir.Expr{use(t)}, Args: []ir.Expr{x.ptr(), x.length(), y.ptr(), y.length()}}
	b.Derive(&c.StmtInfo)
	b.Emit(c)
	return use(t)
}

func (l *lowerer) stringParams() (ps []*ir.Var) {
	for i, n := range []string{"p", "m", "q", "n"} {
		t := ir.Type(tAddr)
		if i%2 == 1 {
			t = tInt
		}
		ps = append(ps, &ir.Var{Name: n, Kind: ir.Param, Type: t})
	}
	return ps
}

// equalProc compares two strings.
func (l *lowerer) equalProc(x, y *region) *ir.Proc {
	name := fmt.Sprintf("equal%d.%d", x.id, y.id)
	if p := x.lib[name]; p != nil {
		return p
	}
	ps := l.stringParams()
	r := &ir.Var{Name: "eq", Kind: ir.Result, Type: tBool}
	full := &ir.Var{Name: "full", Kind: ir.Local, Type: ir.Array{Elem: tBool, Len: 1}}
	g := l.libraryProc(name, ps, []*ir.Var{r}, full)
	x.lib[name] = g.proc
	g.set(r, &ir.Binary{Op: ir.Eq, X: use(ps[1]), Y: use(ps[3])})
	g.when(use(r), func() {
		g.cut(full, &ir.Binary{Op: ir.Gt, X: use(ps[1]), Y: num(tInt, int64(l.width()))})
		for k := range l.width() {
			g.when(&ir.Binary{Op: ir.Lt, X: num(tInt, int64(k)), Y: use(ps[1])}, func() {
				at := num(tAddr, int64(k-bias))
				g.set(r, and(use(r), &ir.Binary{Op: ir.Eq, X: cell(x, tByte, add(use(ps[0]), at)), Y: cell(y, tByte, add(use(ps[2]), at))}))
			})
		}
	})
	return g.proc
}

// compareStrings lowers < and its kin.
func (b *body) compareStrings(e *ast.BinaryExpr, op ir.Op) ir.Expr {
	x := b.snapshot(b.val(e.X))
	y := b.snapshot(b.val(e.Y))
	c := b.libCall(b.lowerer.orderProc(b.regionOf(x), b.regionOf(y)), x, y).(*ir.Use)
	c.Pos = b.span(e.X)
	return &ir.Binary{ExprInfo: b.mark(e), Op: op, X: c, Y: &ir.Const{ExprInfo: ir.ExprInfo{Pos: b.span(e.Y)}, Typ: tInt}}
}

// orderProc gives -1, 0 or 1 as x is before, at or after y.
func (l *lowerer) orderProc(x, y *region) *ir.Proc {
	name := fmt.Sprintf("order%d.%d", x.id, y.id)
	if p := x.lib[name]; p != nil {
		return p
	}
	ps := l.stringParams()
	r := &ir.Var{Name: "order", Kind: ir.Result, Type: tInt}
	full := &ir.Var{Name: "full", Kind: ir.Local, Type: ir.Array{Elem: tBool, Len: 1}}
	g := l.libraryProc(name, ps, []*ir.Var{r}, full)
	x.lib[name] = g.proc
	m, n := func() ir.Expr { return use(ps[1]) }, func() ir.Expr { return use(ps[3]) }
	sign := func(lt, gt ir.Expr) ir.Expr {
		return &ir.Cond{C: lt, X: num(tInt, -1), Y: &ir.Cond{C: gt, X: num(tInt, 1), Y: num(tInt, 0)}}
	}
	cmp := func(op ir.Op, a, b ir.Expr) ir.Expr { return &ir.Binary{Op: op, X: a, Y: b} }
	g.set(r, num(tInt, 0))
	shorter := &ir.Cond{C: cmp(ir.Lt, m(), n()), X: m(), Y: n()}
	g.cut(full, cmp(ir.Gt, shorter, num(tInt, int64(l.width()))))
	for k := range l.width() {
		c := and(cmp(ir.Eq, use(r), num(tInt, 0)), and(cmp(ir.Lt, num(tInt, int64(k)), m()), cmp(ir.Lt, num(tInt, int64(k)), n())))
		g.when(c, func() {
			at := num(tAddr, int64(k-bias))
			a := func() ir.Expr { return cell(x, tByte, add(use(ps[0]), at)) }
			d := func() ir.Expr { return cell(y, tByte, add(use(ps[2]), at)) }
			g.set(r, sign(cmp(ir.Lt, a(), d()), cmp(ir.Gt, a(), d())))
		})
	}
	g.when(cmp(ir.Eq, use(r), num(tInt, 0)), func() {
		g.set(r, sign(cmp(ir.Lt, m(), n()), cmp(ir.Gt, m(), n())))
	})
	return g.proc
}

// fresh makes a new string or slice of bytes with room for n elements.
func (b *body) fresh(t types.Type, n ir.Expr, size int) value {
	r := b.region(b.varKey(nil))
	limit := b.width()
	b.cutWhen(&ir.Binary{Op: ir.Gt, X: ir.CloneExpr(n), Y: num(tInt, int64(limit))})
	ptr := b.allocUpTo(r, add(mul(convert(ir.CloneExpr(n), tAddr), size), num(tAddr, 1)), limit*size+1)
	return b.sliceOf(t, r, ptr, n, ir.CloneExpr(n))
}

var byteLayout = &layout{leaves: []leaf{{typ: tByte}}, size: 1}

// concat is x + y.
func (b *body) concat(t types.Type, x, y value) value {
	x, y = b.snapshot(x), b.snapshot(y)
	n := b.Save("n", add(x.length(), y.length()))
	w := b.fresh(t, n, 1)
	b.move(w.regs[0], byteLayout, w.ptr(), b.regionOf(x), x.ptr(), x.length())
	b.move(w.regs[0], byteLayout, add(w.ptr(), convert(x.length(), tAddr)), b.regionOf(y), y.ptr(), y.length())
	return w
}

// textOf is string(v) for a slice.
func (b *body) textOf(e ast.Expr, t types.Type, v value) value {
	elem := elemOf(v.typ)
	lay := b.layoutOf(elem)
	switch {
	case len(v.lay.leaves) != 3 || len(lay.leaves) != 1:
		b.unsupported(e, "conversion of "+kindName(v.typ)+" to a string", "use bytes")
		return b.zero(t)
	case lay.leaves[0].typ != ir.Type(tByte):
		return b.modelled(e, "TextOfRunes", t, v)
	}
	return b.copied(t, v)
}

// bytesOf is []byte(s).
func (b *body) bytesOf(e ast.Expr, t types.Type, v value) value {
	if lay := b.layoutOf(elemOf(t)); len(lay.leaves) != 1 || lay.leaves[0].typ != ir.Type(tByte) {
		return b.modelled(e, "RunesOfText", t, v)
	}
	return b.copied(t, v)
}

func (b *body) copied(t types.Type, v value) value {
	v = b.snapshot(v)
	w := b.fresh(t, v.length(), 1)
	b.move(w.regs[0], byteLayout, w.ptr(), b.regionOf(v), v.ptr(), v.length())
	return w
}

// modelled is the conversion of v to t that the model called name does.
func (b *body) modelled(e ast.Expr, name string, t types.Type, v value) value {
	var vs []value
	b.Within(func() { vs = b.callFunction(e, b.ps.model(name), []value{b.snapshot(v)}) })
	w := vs[0]
	w.typ = t
	return w
}

// runeString is string(r). What is no character becomes U+FFFD.
func (b *body) runeString(e *ast.CallExpr, v value) value {
	encode := b.libraryFunction(e, "unicode/utf8", "AppendRune")
	if encode == nil {
		return b.refused(e)
	}
	tRune := ir.Int{Width: 32, Signed: true}
	x := b.frozen(b.marked(e.Args[0], v))
	r := convert(ir.CloneExpr(x), tRune)
	if ir.Width(x.Type()) > 32 {
		r = &ir.Cond{C: &ir.Binary{Op: ir.Eq, X: convert(r, x.Type()), Y: ir.CloneExpr(x)}, X: ir.CloneExpr(r), Y: num(tRune, -1)}
	}
	c := b.scalarValue(types.Typ[types.Rune], b.Save("r", readOnly(r)))
	var vs []value
	b.Within(func() {
		vs = b.callFunction(e, encode, []value{b.zero(types.NewSlice(types.Typ[types.Byte])), c})
	})
	w := vs[0]
	return b.sliceOf(b.typ(e), w.region(0), w.ptr(), w.length(), w.length())
}
