package cfront

// Copies between overlapping objects, which C leaves undefined, in the functions
// of the library that copy strings.

import (
	"strings"

	"modernc.org/cc/v4"

	"github.com/go-amend/amend/ir"
)

// overlap is what these checks rule out.
const overlap = "copy between overlapping objects"

// apart lowers what the library asks of its own parameters, of elements of one
// byte: __apart(d, i, s), that d + i isn't s and s + i isn't d, or __apart(d, m, s, n),
// that m bytes from d on and n from s on don't overlap. If all callers give
// whole arrays, these are different ones: see aliased.
func (b *body) apart(n *cc.PostfixExpression) {
	args := arguments(n)
	x, y, ok := b.met(n, args[0], args[2])
	if !ok {
		return
	}
	m := b.saved(convert(b.integer(args[1]), tPtr))
	if len(args) == 3 {
		b.checkRule(ir.CheckBounds, both(compared(ir.Ne, sum(x, m), y), compared(ir.Ne, sum(y, m), x)), b.extent(n), overlap)
		return
	}
	k := b.saved(convert(b.integer(args[3]), tPtr))
	none := either(compare(ir.Eq, ir.CloneExpr(m), 0), compare(ir.Eq, ir.CloneExpr(k), 0))
	b.checkRule(ir.CheckBounds, either(none, either(compared(ir.Le, sum(x, m), y), compared(ir.Le, sum(y, k), x))), b.extent(n), overlap)
}

// disjoint lowers __disjoint(d, d + m, s, s + n), that what lies between these
// pointers doesn't overlap. Elements may have several bytes: pointers count
// either, as the object has it.
func (b *body) disjoint(n *cc.PostfixExpression) {
	args := arguments(n)
	x, y, ok := b.met(n, args[0], args[2])
	if !ok {
		return
	}
	ends := [2]ir.Expr{}
	for i, e := range []cc.ExpressionNode{args[1], args[3]} {
		v, ok := b.pointer(e, nil)
		if !ok {
			return
		}
		num, _ := b.number(n, v)
		ends[i] = b.saved(num)
	}
	b.checkRule(ir.CheckBounds, either(compared(ir.Eq, x, ends[0]), either(compared(ir.Le, ends[0], y), compared(ir.Le, ends[1], x))), b.extent(n), overlap)
}

// met are two pointers as numbers, unless what they point into can't overlap or
// nobody asks.
func (b *body) met(n *cc.PostfixExpression, to, from cc.ExpressionNode) (x, y ir.Expr, ok bool) {
	d, known := b.pointer(to, nil)
	s, also := b.pointer(from, nil)
	if !known || !also || b.references(d, s) || !b.cfg.Checks.Has(ir.CheckBounds) {
		return nil, nil, false
	}
	x, in := b.number(n, d)
	y, of := b.number(n, s)
	if !in.meets(of) {
		return nil, nil, false
	}
	return b.saved(x), b.saved(y), true
}

func compared(op ir.Op, x, y ir.Expr) ir.Expr {
	return &ir.Binary{Op: op, X: ir.CloneExpr(x), Y: ir.CloneExpr(y)}
}

func sum(p, i ir.Expr) ir.Expr {
	return &ir.Binary{Op: ir.Add, X: ir.CloneExpr(p), Y: ir.CloneExpr(i)}
}

// references reports whether v or w is a parameter that stands for a whole array.
// If only one is, both are pointers from the next pass on.
func (b *body) references(v, w pointer) bool {
	x, y := isReference(v), isReference(w)
	if x && !y {
		b.mem.notReference(v.at.obj.decl)
	}
	if y && !x {
		b.mem.notReference(w.at.obj.decl)
	}
	return x || y
}

func isReference(v pointer) bool { return v.at != nil && v.at.obj != nil && v.at.obj.ref }

// meets reports whether t and u have an object in common.
func (t *targets) meets(u *targets) bool {
	for _, s := range t.list {
		if u.has[s] {
			return true
		}
	}
	return false
}

// aliased reports whether two parameters of f, one of which may be written
// through, get parts of one array. They are pointers from the next pass on: as
// references nobody could tell that they overlap.
func (b *body) aliased(f *function, args []argument) bool {
	if f.unit == b.library && strings.HasPrefix(f.sym.name, "copy_") {
		return false // it is for arrays that are the same
	}
	found := false
	for j, q := range f.params {
		for i, p := range f.params[:j] {
			if p.kind != arrayParam || q.kind != arrayParam || args[i].place.obj != args[j].place.obj || elem(p.typ).Attributes().IsConst() && elem(q.typ).Attributes().IsConst() {
				continue
			}
			b.mem.notReference(p.obj.decl)
			b.mem.notReference(q.obj.decl)
			found = true
		}
	}
	return found
}
