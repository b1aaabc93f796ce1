package cfront

// Allocation: each call of malloc or calloc in the text makes a global.

import (
	"fmt"

	"modernc.org/cc/v4"

	"github.com/go-amend/amend/ir"
)

// allocationSize returns how many bytes the call n of an undefined function d
// allocates, in two factors.
func allocationSize(n *cc.PostfixExpression, d *cc.Declarator) (size []cc.ExpressionNode, zeroed, is bool) {
	args := arguments(n)
	switch {
	case d.Name() == "malloc" && len(args) == 1:
		return args, false, true
	case d.Name() == "calloc" && len(args) == 2:
		return args, true, true
	}
	return nil, false, false
}

// allocation lowers e if it is a call of malloc or calloc, for objects of
// type want.
func (b *body) allocation(e *cc.PostfixExpression, want cc.Type) (v pointer, ok, is bool) {
	d := functionNamed(e.PostfixExpression)
	if d == nil || b.lookup(b.u, d) != nil {
		return v, false, false
	}
	size, zeroed, is := allocationSize(e, d)
	if !is {
		return v, false, false
	}
	n, length, ok := b.elements(e, size, want)
	if !ok {
		return v, false, true
	}
	if b.loops > 0 || b.f == nil || !b.runsOnce(b.f) {
		v, ok = b.allocateAgain(e, want, n, length, zeroed)
		return v, ok, true
	}
	o := b.allocated(e, 0, want, n, length != nil)
	if o == nil {
		return v, false, true
	}
	if !zeroed { // else it is zero from the start
		for _, x := range o.vars {
			b.fill(x, false)
		}
	}
	p := allocatedPlace(o, want, n)
	if length == nil {
		return pointer{at: &p, elem: want}, true, true
	}
	b.set(use(o.length, ir.Span{}), length)
	v = pointer{to: &targets{}, elem: want}
	v.num = b.numberOf(e, &p, v.to)
	return v, true, true
}

// allocated is the object that e makes when it runs for the kth time: n
// elements of type t, or of a length that is computed, up to n. It is nil after
// failing.
func (b *body) allocated(e *cc.PostfixExpression, k int, t cc.Type, n int, computed bool) *object {
	id := heapKey{site: e, time: k}
	if b.mem.ancestors[id] == nil {
		name := fmt.Sprintf("%s.%d", functionNamed(e.PostfixExpression).Name(), b.extent(e).Line)
		if k > 0 {
			name = fmt.Sprintf("%s.%d", name, k+1)
		}
		b.mem.ancestors[id] = &ancestor{unit: b.u, site: e, name: name, typ: t, n: n, computed: computed}
	}
	o := b.objectOf(id)
	if o.refused {
		_, bad := leaves(t)
		if bad == nil {
			bad = &misfit{"allocation of this size", ""}
		}
		b.unsupported(e, bad.construct, bad.hint)
		return nil
	}
	return o
}

func allocatedPlace(o *object, t cc.Type, n int) place {
	p := place{typ: t, vars: o.vars, obj: o}
	if n > 1 {
		p.idx = []step{{index: &ir.Const{Typ: tInt}}}
	}
	return p
}

// allocateAgain is an allocation that may run more than once: there is an
// object for each of the first Config.MaxObjects times, and a run that asks
// for more is cut.
func (b *body) allocateAgain(e *cc.PostfixExpression, t cc.Type, n int, length ir.Expr, zeroed bool) (pointer, bool) {
	count := b.counter(e)
	k := b.Temp("nth", count.Type)
	next := func() {
		b.set(use(k, ir.Span{}), use(count, ir.Span{}))
		b.set(use(count, ir.Span{}), plusOne(use(k, ir.Span{})))
	}
	if b.atomic == 0 {
		b.emitAtomic(e, nil, nil, next)
	} else {
		next()
	}
	room := b.Temp("room", ir.Array{Elem: tBool, Len: b.cfg.MaxObjects})
	a := &ir.Alloc{Var: room, Len: plusOne(use(k, ir.Span{}))}
	b.Derive(&a.StmtInfo)
	b.Emit(a)
	v := pointer{num: &ir.Const{Typ: tPtr}, to: &targets{}, elem: t}
	for i := range b.cfg.MaxObjects {
		o := b.allocated(e, i, t, n, length != nil)
		if o == nil {
			return v, false
		}
		nth := compare(ir.Eq, use(k, ir.Span{}), uint64(i))
		b.when(nth, func() {
			for _, x := range o.vars {
				b.fill(x, zeroed)
			}
			if length != nil {
				b.set(use(o.length, ir.Span{}), ir.CloneExpr(length))
			}
		}, nil)
		p := allocatedPlace(o, t, n)
		at := b.numberOf(e, &p, v.to)
		v.num = &ir.Cond{C: ir.CloneExpr(nth), X: at, Y: v.num}
	}
	return v, true
}

// counter counts how often e has run.
func (b *body) counter(e *cc.PostfixExpression) *ir.Var {
	if b.counters[e] == nil {
		name := fmt.Sprintf("%s.%d.count", functionNamed(e.PostfixExpression).Name(), b.extent(e).Line)
		b.counters[e] = &ir.Var{Name: name, Type: ir.Int{Width: 16}, Kind: ir.Global}
		b.prog.Globals = append(b.prog.Globals, b.counters[e])
	}
	return b.counters[e]
}

// elements returns how many elements of type t have the size that is asked
// for. If it is computed, length is that number, and n the most that there is
// room for.
func (b *body) elements(e cc.ExpressionNode, size []cc.ExpressionNode, t cc.Type) (n int, length ir.Expr, ok bool) {
	if t == nil || t.Kind() == cc.Void || t.IsIncomplete() || t.Size() <= 0 {
		b.unsupported(e, "allocation for a pointer without a type", "assign it to a pointer to what it is for")
		return 0, nil, false
	}
	total, sized, computed := int64(1), false, false
	for _, s := range size {
		k, ok := literal(s.Value())
		if !ok || !s.Pure() {
			computed = true
			continue
		}
		if k > maxElems*8 {
			b.unsupported(e, "allocation of so many bytes", "allocate less")
			return 0, nil, false
		}
		total *= int64(k)
		sized = sized || b.measures(s)
	}
	if b.u.repacked && (computed || !sized) && !isPlain(t) {
		b.unsupported(e, "allocation of a number of bytes in a file with packed types", "use sizeof")
		return 0, nil, false
	}
	if computed {
		return b.computedElements(e, size, t)
	}
	k := total / t.Size()
	if k <= 0 || k > maxElems {
		b.unsupported(e, fmt.Sprintf("allocation of %d bytes for a pointer to %s", total, t), "allocate a multiple of its size")
		return 0, nil, false
	}
	return int(k), nil, true
}

// computedElements is elements for a size that is computed. A run that asks for
// more than Config.MaxLen elements is cut.
func (b *body) computedElements(e cc.ExpressionNode, size []cc.ExpressionNode, t cc.Type) (int, ir.Expr, bool) {
	if b.threaded || b.proc == nil {
		b.unsupported(e, "allocation of a size that is not constant in a program with threads", "allocate a constant size")
		return 0, nil, false
	}
	n := max(b.cfg.MaxLen, 2)
	var bytes ir.Expr
	for _, s := range size {
		var x ir.Expr
		b.Unchanged(func() { x = b.Save("size", b.as(s, tULong)) })
		setSpan(x, ir.Span{})
		if bytes == nil {
			bytes = x
			continue
		}
		b.atMost(x, n*int(t.Size())) // so that the product is exact
		b.atMost(bytes, n*int(t.Size()))
		bytes = &ir.Binary{Op: ir.Mul, X: ir.CloneExpr(bytes), Y: x}
	}
	k := b.Save("len", &ir.Binary{Op: ir.Div, X: ir.CloneExpr(bytes), Y: number(uint64(t.Size()), tULong)})
	b.atMost(k, n)
	return n, convert(ir.CloneExpr(k), tPtr), true
}

// atMost cuts runs in which x is more than n.
func (b *body) atMost(x ir.Expr, n int) {
	a := &ir.Alloc{Var: b.Temp("room", ir.Array{Elem: tBool, Len: n}), Len: ir.CloneExpr(x)}
	b.Derive(&a.StmtInfo)
	b.Emit(a)
}

// heapObject is what an allocation makes: an array if it has more than one
// element.
func (l *loader) heapObject(k key, from *ancestor) *object {
	ls, bad := leaves(from.typ)
	if bad == nil && from.n > 1 {
		ls, bad = wrap(ls, from.n)
	}
	o := &object{typ: from.typ, key: k, refused: bad != nil}
	for _, f := range ls {
		o.vars = append(o.vars, &ir.Var{Name: from.name + f.path, Type: f.typ, Kind: ir.Global})
	}
	l.prog.Globals = append(l.prog.Globals, o.vars...)
	if from.computed {
		o.length = &ir.Var{Name: from.name + ".length", Type: tPtr, Kind: ir.Global}
		l.prog.Globals = append(l.prog.Globals, o.length)
	}
	l.objects[k] = o
	return o
}

// fill emits the first value of v: zero or a free choice.
func (b *body) fill(v *ir.Var, zeroed bool) {
	if !zeroed {
		h := &ir.Havoc{LHS: use(v, ir.Span{})}
		b.Derive(&h.StmtInfo)
		b.Emit(h)
		return
	}
	_, n := ir.Scalar(v.Type)
	for i := range n {
		b.setElement(v, i, 0)
	}
}
