package cfront

// Arguments of variable number. Each call of a function that looks at them has an
// object of its own that it stores them in, each at a multiple of 8 bytes, and
// passes a pointer to it as a further argument. A va_list has a pointer to the
// next one: to ask for more than there are, or for another type, violates the bounds
// check.

import (
	"fmt"

	"modernc.org/cc/v4"

	"github.com/go-amend/amend/ir"
)

// A frameKey is the key of what a call passes to f of variable number.
type frameKey struct {
	site *cc.PostfixExpression
	f    *function
}

// restKey is the key of the pointer to such an object that f gets.
type restKey struct{ f *function }

// slot is what the size of an argument is rounded up to.
const slot = 8

// rest makes the parameter of b for the pointer to its further arguments, if it
// looks at them.
func (b *body) rest() {
	if b.mem.variadic[b.f] {
		b.f.rest = &ir.Var{Name: "arguments.rest", Type: tPtr, Kind: ir.Param}
		b.proc.Params = append(b.proc.Params, b.f.rest)
	}
}

// passRest adds to c, the call n of f, the pointer to the further arguments es,
// and emits that these are stored.
func (b *body) passRest(n *cc.PostfixExpression, f *function, c *ir.Call, es []cc.ExpressionNode, vs []ir.Expr, tos []*targets) {
	o, at := b.frame(n, f, es)
	if o == nil {
		c.Args = append(c.Args, number(0, tPtr))
		return
	}
	for i, e := range es {
		x := place{typ: b.passedAs(e), vars: o.vars, obj: o, path: true, raw: &window{off: number(uint64(at[i]), tPtr)}}
		if vs[i] == nil {
			y, ok := b.place(e)
			if ok {
				b.copyStruct(b.extent(e), e, x, y)
			}
			continue
		}
		b.write(&x, b.saved(vs[i]))
		if tos[i] != nil {
			b.flowInto(x, 0, tos[i])
		}
	}
	to := &targets{}
	p := place{typ: o.typ, vars: o.vars, obj: o, raw: &window{off: number(0, tPtr)}}
	c.Args = append(c.Args, b.numberOf(n, &p, to))
	b.stored(cell{restKey{f}, 0}, to)
}

// frame is the object for the further arguments es of the call n of f, and where
// each of them lies in it; nil if there are none, or after failing.
func (b *body) frame(n *cc.PostfixExpression, f *function, es []cc.ExpressionNode) (*object, []int) {
	size := 0
	var at []int
	for _, e := range es {
		at = append(at, size)
		size += (int(sizeOf(b.passedAs(e))) + slot - 1) / slot * slot
	}
	switch {
	case size == 0:
		return nil, nil
	case b.threaded && !b.oneThread(b.f):
		b.unsupported(n, "variable number of arguments in a function that several threads may run", "pass an array")
		return nil, nil
	case b.mayRun(f, b.f):
		b.unsupported(n, "variable number of arguments for a function that may run this call again", "pass an array")
		return nil, nil
	}
	k := frameKey{n, f}
	if b.mem.ancestors[k] == nil {
		name := fmt.Sprintf("%s.%d.rest", f.sym.name, b.extent(n).Line)
		b.mem.ancestors[k] = &ancestor{unit: b.u, site: n, name: name, typ: b.u.ast.Long, n: size, raw: true, passed: b.further(es, at)}
	}
	return b.objectOf(k), at
}

// further lists the arguments es, further ones, which lie at the offsets at, but for
// empty structs: what comes next lies where they do.
func (b *body) further(es []cc.ExpressionNode, at []int) []passed {
	var list []passed
	for i, e := range es {
		if t := b.passedAs(e); sizeOf(t) > 0 {
			list = append(list, passed{t, at[i]})
		}
	}
	return list
}

// passedAs is the type that e has as an argument that no parameter says the type
// of.
func (b *body) passedAs(e cc.ExpressionNode) cc.Type {
	t := e.Type()
	if d, ok := t.Undecay().(*cc.FunctionType); ok {
		return d.Pointer()
	}
	if i, ok := scalar(t); ok {
		switch {
		case i == tFloat:
			return b.u.ast.Double
		case ir.Width(i) < b.model.int.Width || i == tBool:
			return b.u.ast.Int
		}
	}
	return t.Decay()
}

// evaluateRest lowers the further arguments of a call for f, which looks at them:
// their values, nil for a struct, and where pointers lead.
func (b *body) evaluateRest(es []cc.ExpressionNode, q *sequence) (vs []ir.Expr, tos []*targets) {
	vs, tos = make([]ir.Expr, len(es)), make([]*targets, len(es))
	for i, e := range es {
		switch t := b.passedAs(e); {
		case isRecord(t):
		case t.Kind() == cc.Ptr:
			vs[i], tos[i] = b.asPointer(e, t)
			q.add(&vs[i])
		default:
			s, ok := scalar(t)
			if !ok {
				b.unsupported(e, "argument of type "+e.Type().String(), "use an integer, float or double")
				s = tInt
			}
			vs[i] = b.as(e, s)
			q.add(&vs[i])
		}
	}
	return vs, tos
}

// listCall lowers the call n of one of gcc's functions about va_list, if name is
// one that gives nothing.
func (b *body) listCall(n *cc.PostfixExpression, name string) bool {
	args := arguments(n)
	var v pointer
	switch name {
	case "__builtin_va_begin":
		if b.f == b.entry() || !b.f.typ.IsVariadic() {
			b.unsupported(n, "va_start here", "use it in a function with ... that is called")
			return true
		}
		if b.f.rest == nil { // it gets one in the next pass
			b.mem.variadic[b.f], b.mem.grown = true, true
			return true
		}
		v = pointer{num: use(b.f.rest, ir.Span{}), to: b.mem.holds(cell{restKey{b.f}, 0})}
	case "__builtin_va_copy":
		from, ok := b.listPlace(args[1])
		if !ok {
			return true
		}
		v = b.loaded(from)
	case "__builtin_va_end":
		v = pointer{num: number(0, tPtr), to: &targets{}}
	default:
		return false
	}
	if p, ok := b.listPlace(args[0]); ok {
		b.Within(func() { b.storePointer(n, p, v, false) })
	}
	return true
}

// listPlace is where the va_list e has the pointer to what comes next.
func (b *body) listPlace(e cc.ExpressionNode) (place, bool) {
	v, ok := b.pointer(e, nil)
	if !ok {
		return place{}, false
	}
	p, ok := b.deref(e, v)
	if !ok {
		return p, false
	}
	t, isList := p.typ.Undecay().(*cc.StructType)
	if !isList || t.NumFields() == 0 || elem(t.FieldByIndex(0).Type()) == nil {
		b.wrong(e, "%s where a va_list is needed", e.Type())
		return p, false
	}
	return b.member(e, p, t.FieldByIndex(0))
}

// nextArgument is the call n of __builtin_va_next: a pointer to what comes next,
// of as many bytes as it says.
func (b *body) nextArgument(n *cc.PostfixExpression) (v pointer, ok bool) {
	args := arguments(n)
	size, known := b.constantValue(args[1])
	if !known {
		return b.noPointer(n, "va_arg of this type", "use a type of a known size")
	}
	p, ok := b.listPlace(args[0])
	if !ok {
		return v, false
	}
	b.Within(func() {
		old := b.loaded(copyPlace(p))
		old.num, old.elem = b.Save("next", old.num), elem(n.Type())
		setSpan(old.num, ir.Span{})
		if s, ok := unparen(args[1]).(*cc.UnaryExpression); ok && isSize(s) {
			b.checkNext(n, old.num, old.to, measured(s))
		}
		by := number((size+slot-1)/slot*slot, tInt)
		next := b.offset(n, pointer{num: ir.CloneExpr(old.num), to: old.to, elem: old.elem}, by, ir.Span{}, false)
		b.storePointer(n, p, next, false)
		v = old
	})
	return v, true
}
