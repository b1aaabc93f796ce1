package cfront

// Allocation: each call of malloc or calloc in the text makes a global.

import (
	"fmt"
	"slices"

	"modernc.org/cc/v4"

	"github.com/go-amend/amend/ir"
)

// allocated returns how many bytes the call n of an undefined function d
// allocates, in two factors.
func allocated(n *cc.PostfixExpression, d *cc.Declarator) (size []cc.ExpressionNode, zeroed, is bool) {
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
	size, zeroed, is := allocated(e, d)
	if !is {
		return v, false, false
	}
	n, ok := b.elements(e, size, want)
	if !ok {
		return v, false, true
	}
	if slices.Contains(b.exits, "") || b.f == nil || !b.runsOnce(b.f) {
		b.unsupported(e, "allocation that may run more than once", "allocate once, or use an array")
		return v, false, true
	}
	k := heapKey{site: e}
	if b.mem.ancestors[k] == nil {
		name := fmt.Sprintf("%s.%d", d.Name(), b.extent(e).Line)
		b.mem.ancestors[k] = &ancestor{unit: b.u, site: e, name: name, typ: want, n: n}
	}
	o := b.objectOf(k)
	if o.refused {
		b.unsupported(e, "allocation of type "+want.String(), "")
		return v, false, true
	}
	for _, x := range o.vars {
		b.fill(x, zeroed)
	}
	p := place{typ: want, vars: o.vars, obj: o}
	if n > 1 {
		p.idx = []step{{index: &ir.Const{Typ: tInt}}}
	}
	return pointer{at: &p, elem: want}, true, true
}

// elements returns how many elements of type t have the size that is asked
// for.
func (b *body) elements(e cc.ExpressionNode, size []cc.ExpressionNode, t cc.Type) (int, bool) {
	if t == nil || t.Kind() == cc.Void || t.IsIncomplete() || t.Size() <= 0 {
		b.unsupported(e, "allocation for a pointer without a type", "assign it to a pointer to what it is for")
		return 0, false
	}
	total := int64(1)
	for _, s := range size {
		k, ok := literal(s.Value())
		if !ok || !s.Pure() || k > maxElems*8 {
			b.unsupported(e, "allocation of a size that is not constant", "allocate a constant size")
			return 0, false
		}
		total *= int64(k)
	}
	n := total / t.Size()
	if n <= 0 || n > maxElems || total%t.Size() != 0 {
		b.unsupported(e, fmt.Sprintf("allocation of %d bytes for a pointer to %s", total, t), "allocate a multiple of its size")
		return 0, false
	}
	return int(n), true
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
	l.objects[k] = o
	return o
}

// fill emits the first value of v: zero or a free choice.
func (b *body) fill(v *ir.Var, zeroed bool) {
	if !zeroed {
		h := &ir.Havoc{LHS: use(v, ir.Span{})}
		b.derive(&h.StmtInfo)
		b.emit(h)
		return
	}
	_, n := ir.Scalar(v.Type)
	for i := range n {
		b.setElement(v, i, 0)
	}
}
