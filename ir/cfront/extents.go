package cfront

// CBMC's predicates about memory: whether a pointer leads into an object, how
// far that goes, and where in it.

import (
	"modernc.org/cc/v4"

	"github.com/go-amend/amend/ir"
)

// An extent is an object that a pointer may lead into.
type extent struct {
	region    *region
	in        ir.Expr // that it leads there or to its end, while the object is there
	off, size ir.Expr // of the pointer and of the object, in bytes, of type size_t
}

// extents are the objects that num, a number in to, may lead into. What it does
// not count in elements of the whole object becomes bytes.
func (b *body) extents(e cc.Node, num ir.Expr, to *targets) []extent {
	b.mem.counts(to)
	var list []extent
	for _, s := range to.list {
		r := b.region(s)
		switch {
		case r == nil:
		case !s.raw && (s.from > 0 || s.to < len(r.obj.vars) || s.outer > 0 || s.dims > 1 && r.obj.length != nil):
			b.asBytes(e, s.key)
		default:
			list = append(list, r.extent(num, s.raw, b.model.size))
		}
	}
	return list
}

// extent is what lies in r, which counts bytes if raw is set, as numbers of type t.
func (r *region) extent(num ir.Expr, raw bool, t ir.Int) extent {
	if x := r.obj.blocks; x != nil {
		i := indexIn(num, r)
		from := func(n ir.Expr) ir.Expr { return convert(&ir.Binary{Op: ir.Sub, X: n, Y: x.in(x.start, i)}, t) }
		return extent{r, r.holds(i, 0), from(ir.CloneExpr(i)), from(x.in(x.end, i))}
	}
	unit := uint64(1)
	if !raw {
		unit = uint64(max(sizeOf(r.typ), 1))
	}
	count := number(r.size, tPtr)
	if r.obj.length != nil {
		count = use(r.obj.length, ir.Span{})
	}
	in := &ir.Binary{Op: ir.Le, X: indexIn(num, r), Y: count}
	bytes := func(n ir.Expr) ir.Expr {
		n = convertConst(ir.CloneExpr(n), t)
		if unit == 1 {
			return n
		}
		return &ir.Binary{Op: ir.Mul, X: n, Y: number(unit, t)}
	}
	return extent{r, r.alive(in), bytes(indexIn(num, r)), bytes(count)}
}

// memoryPredicates are the predicates, with how many arguments they have at most.
var memoryPredicates = map[string]int{
	"__CPROVER_r_ok": 2, "__CPROVER_w_ok": 2, "__CPROVER_rw_ok": 2, "__CPROVER_same_object": 2,
	"__CPROVER_OBJECT_SIZE": 1, "__CPROVER_DYNAMIC_OBJECT": 1, "__CPROVER_POINTER_OFFSET": 1, "__CPROVER_POINTER_OBJECT": 1,
}

// aboutMemory lowers the call n of a predicate about memory.
func (b *body) aboutMemory(n *cc.PostfixExpression, name string) ([]ir.Expr, bool) {
	most := memoryPredicates[name]
	if most == 0 {
		return nil, false
	}
	args := arguments(n)
	switch {
	case len(args) < 1 || len(args) > most || elem(args[0].Type()) == nil && !b.isZero(args[0]):
		b.wrong(n, "%s called with other arguments than a pointer and what belongs to it", name)
		return nil, true
	case b.proc == nil:
		b.wrong(n, "initializer is not constant")
		return nil, true
	}
	v := b.predicate(n, name, args)
	if v == nil {
		return nil, true
	}
	if t, ok := scalar(n.Type()); ok {
		v = convert(v, t)
	}
	return []ir.Expr{v}, true
}

// predicate is the value of the call n, nil after failing.
func (b *body) predicate(n *cc.PostfixExpression, name string, args []cc.ExpressionNode) ir.Expr {
	switch name {
	case "__CPROVER_r_ok":
		return b.accessible(n, false)
	case "__CPROVER_OBJECT_SIZE":
		return b.objectSize(n)
	case "__CPROVER_DYNAMIC_OBJECT":
		return b.isDynamic(n)
	case "__CPROVER_POINTER_OFFSET":
		return b.offsetInObject(n)
	case "__CPROVER_POINTER_OBJECT":
		return b.objectNumber(n, args[0])
	case "__CPROVER_same_object":
		return b.sameObject(n)
	}
	return b.accessible(n, true)
}

// leadsTo lowers e, a pointer, and returns its number, a constant or a
// temporary, and what it may lead into.
func (b *body) leadsTo(e cc.ExpressionNode) (num ir.Expr, list []extent, ok bool) {
	v, ok := b.pointer(e, nil)
	if !ok {
		return nil, nil, false
	}
	num, to := b.number(e, v)
	clearSites(num)
	num = b.saved(num)
	return num, b.extents(e, num, to), true
}

// certain emits the check that num is null or leads into one of list: of other
// pointers the predicate at n says nothing.
func (b *body) certain(n cc.Node, num ir.Expr, list []extent) {
	if !b.cfg.Checks.Has(ir.CheckNil) {
		return
	}
	c := compare(ir.Eq, ir.CloneExpr(num), 0)
	for _, x := range list {
		c = either(c, ir.CloneExpr(x.in))
	}
	b.check(ir.CheckNil, c, b.extent(n))
}

// choose is what value gives for the object that the pointer leads into, or
// other.
func choose(list []extent, value func(extent) ir.Expr, other ir.Expr) ir.Expr {
	for i := len(list) - 1; i >= 0; i-- {
		other = &ir.Cond{C: ir.CloneExpr(list[i].in), X: value(list[i]), Y: other}
	}
	return other
}

// accessible is __CPROVER_r_ok(p, size), or, of what may be written, w_ok. Without
// a size it is that of what p points at.
func (b *body) accessible(n *cc.PostfixExpression, written bool) ir.Expr {
	args := arguments(n)
	num, list, ok := b.leadsTo(args[0])
	if !ok {
		return nil
	}
	var size ir.Expr
	switch t := elem(args[0].Type()); {
	case len(args) > 1:
		b.Unchanged(func() { size = b.saved(b.as(args[1], b.model.size)) })
	case t == nil || sizeOf(t) <= 0 || t.Kind() == cc.Void:
		b.unsupported(n, "access to a whole "+args[0].Type().String(), "say how many bytes")
		return nil
	default:
		size = number(uint64(sizeOf(t)), b.model.size)
	}
	b.certain(n, num, list)
	return choose(list, func(x extent) ir.Expr {
		if written && x.region.obj.konst {
			return truth(false)
		}
		return x.hasRoom(size)
	}, truth(false))
}

// hasRoom is the condition that size bytes from the pointer on lie in x, where
// the pointer leads.
func (x extent) hasRoom(size ir.Expr) ir.Expr {
	rest := &ir.Binary{Op: ir.Sub, X: ir.CloneExpr(x.size), Y: ir.CloneExpr(x.off)}
	return &ir.Binary{Op: ir.Le, X: ir.CloneExpr(size), Y: rest}
}

// objectSize is __CPROVER_OBJECT_SIZE(p), 0 of null.
func (b *body) objectSize(n *cc.PostfixExpression) ir.Expr {
	num, list, ok := b.leadsTo(arguments(n)[0])
	if !ok {
		return nil
	}
	b.certain(n, num, list)
	return choose(list, func(x extent) ir.Expr { return ir.CloneExpr(x.size) }, b.ofNull(num, b.model.size))
}

// isDynamic is __CPROVER_DYNAMIC_OBJECT(p), false of null.
func (b *body) isDynamic(n *cc.PostfixExpression) ir.Expr {
	num, list, ok := b.leadsTo(arguments(n)[0])
	if !ok {
		return nil
	}
	b.certain(n, num, list)
	return choose(list, func(x extent) ir.Expr { return truth(b.isFreed(x.region.obj.key)) }, b.ofNull(num, tBool))
}

// offsetInObject is __CPROVER_POINTER_OFFSET(p), 0 of null.
func (b *body) offsetInObject(n *cc.PostfixExpression) ir.Expr {
	num, list, ok := b.leadsTo(arguments(n)[0])
	if !ok {
		return nil
	}
	return choose(list, func(x extent) ir.Expr { return ir.CloneExpr(x.off) }, b.ofNull(num, b.model.size))
}

// ofNull is 0 where num is null, and free elsewhere.
func (b *body) ofNull(num ir.Expr, t ir.Type) ir.Expr {
	if c, ok := num.(*ir.Const); ok && c.Val == 0 {
		return number(0, t)
	}
	return &ir.Cond{C: compare(ir.Eq, ir.CloneExpr(num), 0), X: number(0, t), Y: b.freeValue(t)}
}

// objectNumber is __CPROVER_POINTER_OBJECT(e): 0 of null, a number above 1 of an
// object that is there, and free of others.
func (b *body) objectNumber(n *cc.PostfixExpression, e cc.ExpressionNode) ir.Expr {
	num, list, ok := b.leadsTo(e)
	if !ok {
		return nil
	}
	return choose(list, func(x extent) ir.Expr { return number(b.objectID(x.region.obj.key), b.model.size) }, b.ofNull(num, b.model.size))
}

// objectID numbers the objects that were asked for, from 2 on.
func (l *loader) objectID(k key) uint64 {
	if l.objectIDs[k] == 0 {
		l.objectIDs[k] = uint64(len(l.objectIDs)) + 2
	}
	return l.objectIDs[k]
}

// sameObject is __CPROVER_same_object(p, q).
func (b *body) sameObject(n *cc.PostfixExpression) ir.Expr {
	args := arguments(n)
	if len(args) != 2 {
		b.wrong(n, "__CPROVER_same_object called with %d arguments, want 2", len(args))
		return nil
	}
	x := b.objectNumber(n, args[0])
	if x == nil {
		return nil
	}
	x = b.saved(x)
	y := b.objectNumber(n, args[1])
	if y == nil {
		return nil
	}
	return &ir.Binary{Op: ir.Eq, X: x, Y: y}
}
