package gofront

// Ranges over maps. Each iteration takes any entry that is there and was not
// taken: the first one from a slot on that is a free choice. Entries that are
// made meanwhile may be left out. With a choice of 0 the order is that of
// insertion, as long as nothing is deleted.

import (
	"go/ast"

	"github.com/go-amend/amend/ir"
)

// A mapRange is a range statement over a map.
type mapRange struct {
	*mapping
	taken *ir.Var // by slot: the serial number that was taken
	last  *ir.Var // the serial number before the loop
	next  *ir.Var // the slot of the next iteration, or -1
}

func (b *body) rangeMap(s *ast.RangeStmt) {
	x := b.enter(true)
	l := &ir.Loop{Label: x.label}
	span := b.span(s.X)
	var r *mapRange
	b.Locate(span, func() {
		b.Within(func() { r = b.newMapRange(s) })
		l.Cond = &ir.Binary{Op: ir.Ge, X: use(r.next), Y: num(tInt, 0)}
		b.Stand(&l.StmtInfo, span)
		l.Head = b.Block(r.choose)
	})
	l.Body = b.inLoop(x, s.Body.List, func() {
		b.Locate(span, func() {
			slot := r.take()
			b.bindRange(s, s.Key, func() value { return r.part(slot, 1) })
			b.bindRange(s, s.Value, func() value { return r.part(slot, 2) })
		})
	})
	b.Emit(l)
}

func (b *body) newMapRange(s *ast.RangeStmt) *mapRange {
	n := b.width()
	r := &mapRange{mapping: b.mapping(s.X, b.val(s.X)), last: b.Temp("last", tInt), next: b.Temp("next", tInt)}
	r.taken = b.Temp("taken", ir.Array{Elem: tInt, Len: max(n, 1)})
	for i := range n {
		b.Set(r.takenAt(num(tInt, int64(i))), num(tInt, 0))
	}
	b.Set(use(r.last), num(tInt, 0))
	b.branch(r.notNil(), b.Block(func() { b.Set(use(r.last), r.serial()) }), nil)
	return r
}

func (r *mapRange) takenAt(i ir.Expr) ir.Expr { return &ir.Index{X: use(r.taken), I: i} }

// choose sets the slot of the next iteration.
func (r *mapRange) choose() {
	b := r.b
	from, stop := r.choice("order", tByte), r.choice("stop", tBool)
	old := b.Temp("old", tBool) // some entry was there before the loop
	b.Set(use(r.next), num(tInt, -1))
	b.Set(use(old), truth(false))
	b.branch(r.notNil(), b.Block(func() {
		r.reads()
		left := r.left(old)
		for _, late := range []bool{true, false} {
			for i, c := range left {
				free := and(&ir.Binary{Op: ir.Lt, X: use(r.next), Y: num(tInt, 0)}, ir.CloneExpr(c))
				if late {
					free = and(free, &ir.Binary{Op: ir.Ge, X: num(tByte, int64(i)), Y: use(from)})
				}
				b.branch(free, b.Block(func() { b.Set(use(r.next), num(tInt, int64(i))) }), nil)
			}
		}
	}), nil)
	b.branch(and(use(stop), &ir.Unary{Op: ir.Not, X: use(old)}), b.Block(func() { b.Set(use(r.next), num(tInt, -1)) }), nil)
}

// left returns, by slot, whether it holds an entry that was not taken, and
// sets old if some of them was there before the loop.
func (r *mapRange) left(old *ir.Var) (left []ir.Expr) {
	b := r.b
	r.each(func(i int, slot value) {
		s := r.part(slot, 0)
		c := b.Save("left", and(r.used(slot), &ir.Binary{Op: ir.Ne, X: s.read(0), Y: r.takenAt(num(tInt, int64(i)))}))
		b.branch(and(ir.CloneExpr(c), &ir.Binary{Op: ir.Le, X: s.read(0), Y: use(r.last)}), b.Block(func() { b.Set(use(old), truth(true)) }), nil)
		left = append(left, c)
	})
	return left
}

// choice is a free value that is no input.
func (r *mapRange) choice(name string, t ir.Type) *ir.Var {
	v := r.b.Temp(name, t)
	v.Loose = true
	h := &ir.Havoc{LHS: use(v)}
	r.b.Derive(&h.StmtInfo)
	r.b.Emit(h)
	return v
}

// take notes that the next slot is taken, and returns it.
func (r *mapRange) take() value {
	b := r.b
	at := b.Save("slot", add(add(ir.CloneExpr(r.addr), num(tAddr, mapHeader)), mul(convert(use(r.next), tAddr), r.lay.size)))
	slot := r.at(at)
	s := r.part(slot, 0)
	b.Set(r.takenAt(use(r.next)), s.read(0))
	return slot
}
