package cfront

// Allocation: each call of malloc or calloc in the text makes a global.

import (
	"fmt"
	"slices"

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
	case d.Name() == "__CPROVER_allocate" && len(args) == 2:
		z, ok := literal(args[1].Value())
		return args[:1], z != 0, ok
	case d.Name() == "mmap" && len(args) == 6:
		flags, ok := literal(args[3].Value())
		return args[1:2], flags&mapAnonymous != 0, ok && flags&mapFixed == 0
	case (onStack[d.Name()] || d.Name() == lasting) && len(args) == 1:
		return args, false, true
	}
	return nil, false, false
}

// The flags of mmap that matter.
const (
	mapFixed     = 16
	mapAnonymous = 32
)

// onStack are the functions whose result goes when the function returns.
var onStack = map[string]bool{"alloca": true, "__builtin_alloca": true}

// lasting is the function of the library whose result, as of those, may not be
// given to free, and stays.
const lasting = "__lasting"

// onFailure are the results, on failure, of the functions of which
// Config.MallocMayFail speaks.
var onFailure = map[string]uint64{"malloc": 0, "calloc": 0, "realloc": 0, "mmap": ^uint64(0)}

// allocation lowers e if it is a call of malloc or calloc, for objects of
// type want.
func (b *body) allocation(e *cc.PostfixExpression, want cc.Type) (v pointer, ok, is bool) {
	d := functionNamed(e.PostfixExpression)
	if d == nil || b.lookup(b.u, d) != nil {
		return v, false, false
	}
	if d.Name() == "realloc" && len(arguments(e)) == 2 {
		v, ok = b.reallocation(e, want)
		return v, ok, true
	}
	size, zeroed, is := allocationSize(e, d)
	if !is {
		return v, false, false
	}
	if d.Name() == "mmap" {
		b.evaluateOthers(e, size)
	}
	failure, may := onFailure[d.Name()]
	if !b.cfg.MallocMayFail || !may {
		v, ok = b.newObject(e, size, zeroed, want, func(*object) {})
		return v, ok, true
	}
	fails := b.freeValue(tBool)
	v, ok = b.newObject(e, size, zeroed, want, func(o *object) { b.goneIf(o, fails) })
	if ok {
		v = b.unlessFailing(e, v, ir.CloneExpr(fails), failure)
	}
	return v, ok, true
}

// evaluateOthers evaluates the arguments of e but for those in some.
func (b *body) evaluateOthers(e *cc.PostfixExpression, some []cc.ExpressionNode) {
	for _, a := range arguments(e) {
		if !slices.Contains(some, a) && b.acts(a) {
			b.Within(func() { b.effect(a) })
		}
	}
}

// newObject is the allocation of what size asks for, by e; begin emits what the
// object has at first, other than zero or free values.
func (b *body) newObject(e *cc.PostfixExpression, size []cc.ExpressionNode, zeroed bool, want cc.Type, begin func(*object)) (v pointer, ok bool) {
	if want == nil {
		want = elem(e.Type())
	}
	if id := (heapKey{site: e}); !b.mem.bytes[id] && b.needsBytes(size, want) {
		b.mem.bytes[id], b.mem.grown = true, true
	}
	if b.becomesBytes(e) {
		return pointer{num: number(0, tPtr), to: &targets{}, elem: want}, true
	}
	n, length, ok := b.room(e, size, want)
	if !ok {
		return v, false
	}
	if onStack[functionNamed(e.PostfixExpression).Name()] {
		b.own(heapKey{site: e})
	}
	if b.loops > 0 || b.f == nil || !b.runsOnce(b.f) {
		v, ok = b.allocateAgain(e, want, n, length, zeroed, begin)
		return v, ok
	}
	o := b.allocated(e, 0, want, n, length != nil)
	if o == nil {
		return v, false
	}
	if !zeroed { // else it is zero from the start
		for _, x := range o.vars {
			b.fill(x, false)
		}
	}
	b.beginAllocated(o)
	begin(o)
	p := allocatedPlace(o, want, n)
	if length == nil && !o.raw {
		return pointer{at: &p, elem: want}, true
	}
	if length != nil {
		b.set(use(o.length, ir.Span{}), length)
	}
	v = pointer{to: &targets{}, elem: want}
	v.num = b.numberOf(e, &p, v.to)
	return v, true
}

// becomesBytes reports whether what e makes is bytes from the next pass on, and was
// looked at as what it is not in this one.
func (b *body) becomesBytes(e cc.ExpressionNode) bool {
	for i := range max(b.cfg.MaxObjects, 1) {
		if o := b.objects[heapKey{site: e, time: i}]; o != nil && o.raw != b.mem.bytes[heapKey{site: e}] {
			return true
		}
	}
	return false
}

// unlessFailing is v, or the number failure, which leads nowhere, if fails holds.
func (b *body) unlessFailing(e cc.Node, v pointer, fails ir.Expr, failure uint64) pointer {
	n, to := b.number(e, v)
	return pointer{num: &ir.Cond{C: fails, X: number(failure, tPtr), Y: n}, to: to, elem: v.elem}
}

// allocated is the object that e makes when it runs for the kth time: n
// elements of type t, or of a length that is computed, up to n. It is nil after
// failing.
func (b *body) allocated(e *cc.PostfixExpression, k int, t cc.Type, n int, computed bool) *object {
	id := heapKey{site: e, time: k}
	raw := b.mem.bytes[heapKey{site: e}]
	if a := b.mem.ancestors[id]; a == nil || a.raw != raw {
		b.mem.grown = b.mem.grown || a != nil
		at := b.extent(e)
		name := fmt.Sprintf("%s.%d", functionNamed(e.PostfixExpression).Name(), at.Line)
		if b.u.library {
			at, name = b.f.at, b.f.sym.name
		}
		if k > 0 {
			name = fmt.Sprintf("%s.%d", name, k+1)
		}
		b.mem.ancestors[id] = &ancestor{unit: b.u, site: e, at: at, name: name, typ: t, n: n, computed: computed, raw: raw}
	}
	o := b.objectOf(id)
	if o.refused {
		_, bad := leaves(t)
		if bad == nil || raw {
			bad = &misfit{"allocation of this size", ""}
		}
		b.unsupported(e, bad.construct, bad.hint)
		return nil
	}
	b.mayLeak(e, id)
	return o
}

func allocatedPlace(o *object, t cc.Type, n int) place {
	p := place{typ: t, vars: o.vars, obj: o}
	if o.raw {
		p.inBytes()
		return p
	}
	if n > 1 {
		p.idx = []step{{index: &ir.Const{Typ: tInt}}}
	}
	return p
}

// allocateAgain is an allocation that may run more than once: there is an
// object for each of the first Config.MaxObjects times, and a run that asks
// for more is cut.
func (b *body) allocateAgain(e *cc.PostfixExpression, t cc.Type, n int, length ir.Expr, zeroed bool, begin func(*object)) (pointer, bool) {
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
			b.beginAllocated(o)
			begin(o)
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

// needsBytes reports whether what size asks for is no number of objects of type
// t that dissolve.
func (b *body) needsBytes(size []cc.ExpressionNode, t cc.Type) bool {
	if t.Kind() == cc.Void || t.Kind() == cc.Function || t.IsIncomplete() || sizeOf(t) <= 0 {
		return true
	}
	ls, bad := leaves(t)
	if hasFlexible(t) || bad != nil || holdsRaw(ls) {
		return true
	}
	total, known := b.constantSize(size)
	return known && (total == 0 || total%sizeOf(t) != 0) || endsInOne(t) && slices.ContainsFunc(size, isSum)
}

// endsInOne reports whether t is a struct that ends in an array of one element:
// before C99 that was the way to write a flexible array member.
func endsInOne(t cc.Type) bool {
	s, ok := t.Undecay().(*cc.StructType)
	if !ok || s.NumFields() == 0 {
		return false
	}
	last := s.FieldByIndex(s.NumFields() - 1).Type()
	a, ok := last.Undecay().(*cc.ArrayType)
	return ok && a.Len() == 1 || endsInOne(last)
}

func isSum(e cc.ExpressionNode) bool {
	a, ok := unparen(e).(*cc.AdditiveExpression)
	return ok && a.Case == cc.AdditiveExpressionAdd
}

// constantSize is the product of what size lists, if that is known.
func (b *body) constantSize(size []cc.ExpressionNode) (total int64, known bool) {
	total = 1
	for _, s := range size {
		k, ok := b.constantValue(s)
		if !ok || !s.Pure() {
			return 0, false
		}
		total *= int64(min(k, maxElems*8+1))
	}
	return total, true
}

// constantValue is the value of e, if that is known.
func (b *body) constantValue(e cc.ExpressionNode) (uint64, bool) {
	switch x := unparen(e).(type) {
	case *cc.UnaryExpression:
		if isSize(x) && differs(measured(x)) {
			return uint64(sizeOf(measured(x))), x.Case == cc.UnaryExpressionSizeofExpr || x.Case == cc.UnaryExpressionSizeofType
		}
	case *cc.MultiplicativeExpression:
		if n, k, ok := b.constantValues(x.MultiplicativeExpression, x.CastExpression); ok && x.Case == cc.MultiplicativeExpressionMul {
			return n * k, true
		}
	case *cc.AdditiveExpression:
		if n, k, ok := b.constantValues(x.AdditiveExpression, x.MultiplicativeExpression); ok && x.Case == cc.AdditiveExpressionAdd {
			return n + k, true
		}
	}
	if b.measuresOdd(e) {
		return 0, false
	}
	return literal(e.Value())
}

// constantValues are the values of x and y, if both are known and small. y comes
// first: of a long chain it is the short end.
func (b *body) constantValues(x, y cc.ExpressionNode) (n, k uint64, ok bool) {
	k, ok = b.constantValue(y)
	if !ok || k >= 1<<31 {
		return 0, 0, false
	}
	n, ok = b.constantValue(x)
	return n, k, ok && n < 1<<31
}

// measuresOdd reports whether e has the size of a type in it that cc gives
// another one.
func (b *body) measuresOdd(e cc.Node) bool {
	if !b.u.strange() {
		return false
	}
	if u, ok := e.(*cc.UnaryExpression); ok && isSize(u) {
		return differs(measured(u))
	}
	found := false
	b.u.text.tree.children(e, func(c cc.Node) { found = found || b.measuresOdd(c) })
	return found
}

// room returns how many objects of type t, or how many bytes if e makes such,
// have the size that is asked for. If it is computed, length is that number,
// and n the most that there is room for.
func (b *body) room(e cc.ExpressionNode, size []cc.ExpressionNode, t cc.Type) (n int, length ir.Expr, ok bool) {
	unit, most := int64(1), int64(b.bytesFor(t))
	if !b.mem.bytes[heapKey{site: e}] {
		unit, most = sizeOf(t), int64(max(b.cfg.MaxLen, 2))
	}
	total, known := b.constantSize(size)
	switch {
	case b.u.repacked && !(known && b.anyMeasures(size)) && !isPlain(t):
		b.unsupported(e, "allocation of a number of bytes in a file with packed types", "use sizeof")
		return 0, nil, false
	case !known:
		return b.computedRoom(e, size, unit, int(most))
	case total > maxElems*8 || total/unit > maxElems:
		b.unsupported(e, "allocation of so many bytes", "allocate less")
		return 0, nil, false
	case total == 0:
		return 1, number(0, tPtr), true
	}
	return int(total / unit), nil, true
}

func (b *body) anyMeasures(size []cc.ExpressionNode) bool {
	return slices.ContainsFunc(size, func(s cc.ExpressionNode) bool { return b.measures(s) })
}

// bytesFor is how many bytes an allocation of computed size has at most:
// Config.MaxLen objects of type t, of 8 bytes each if nothing says which.
func (b *body) bytesFor(t cc.Type) int {
	n := max(b.cfg.MaxLen, 2)
	if s, ok := t.(*cc.StructType); ok && hasFlexible(s) {
		return int(sizeOf(s)) + n*int(sizeOf(elem(s.FieldByIndex(s.NumFields()-1).Type())))
	}
	if t.Kind() == cc.Void || t.Kind() == cc.Function || t.IsIncomplete() || sizeOf(t) <= 0 {
		return 8 * n
	}
	return n * int(sizeOf(t))
}

// computedRoom is room for a size that is computed. A run that asks for more
// than most is cut.
func (b *body) computedRoom(e cc.ExpressionNode, size []cc.ExpressionNode, unit int64, most int) (int, ir.Expr, bool) {
	if b.proc == nil {
		b.unsupported(e, "allocation of a size that is not constant here", "allocate a constant size")
		return 0, nil, false
	}
	var bytes ir.Expr
	for _, s := range size {
		x := b.Save("size", b.as(s, b.model.size))
		setSpan(x, ir.Span{})
		if bytes == nil {
			bytes = x
			continue
		}
		b.atMost(x, most*int(unit)) // so that the product is exact
		b.atMost(bytes, most*int(unit))
		bytes = &ir.Binary{Op: ir.Mul, X: ir.CloneExpr(bytes), Y: x}
	}
	if !b.mem.bytes[heapKey{site: e}] || len(size) > 1 {
		bytes = b.Save("len", &ir.Binary{Op: ir.Div, X: ir.CloneExpr(bytes), Y: number(uint64(unit), b.model.size)})
	}
	b.atMost(bytes, most)
	return most, convert(ir.CloneExpr(bytes), tPtr), true
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
	switch {
	case from.raw:
		ls, bad = bytesOf(from.n)
	case l.mem.bytes[k]: // a compound literal
		ls, bad = bytesOf(int(sizeOf(from.typ)))
	case bad == nil && from.n > 1:
		ls, bad = wrap(ls, from.n)
	}
	o := &object{typ: from.typ, key: k, decl: from.decl, refused: bad != nil, raw: isBytes(ls)}
	for _, f := range ls {
		o.vars = append(o.vars, &ir.Var{Name: from.name + f.path, Type: f.typ, Kind: ir.Global})
	}
	l.prog.Globals = append(l.prog.Globals, o.vars...)
	if from.computed {
		o.length = &ir.Var{Name: from.name + ".length", Type: tPtr, Kind: ir.Global}
		l.prog.Globals = append(l.prog.Globals, o.length)
	}
	l.ending(o, from.name)
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
