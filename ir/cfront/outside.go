package cfront

// Pointers from outside: the entry's parameters, and what variables hold that no
// file defines. Each is null or leads to an object with free values that is made
// for it or for another one of its type: there are as many of a type as pointers
// may lead to, up to Config.MaxObjects. Where the program counts on from one
// element, an object has up to Config.MaxLen of them and the pointer may lead to any
// of these. A run that asks for more is cut.

import (
	"fmt"
	"slices"

	"modernc.org/cc/v4"

	"github.com/go-amend/amend/ir"
)

// An outsideKey is the key of an object that pointers from outside lead to.
type outsideKey struct {
	pool, n int
	counted bool // as the pool is
}

// A pool is the objects of one type that pointers from outside lead to.
type pool struct {
	number  int
	unit    *unit
	typ     cc.Type // of an element
	name    string
	opaque  bool // the type says nothing: bytes
	exact   int  // elements of its one object, which is not null, or 0
	vector  bool // its one object is what argv leads to
	strings bool // its objects are what that leads to
	roots   int  // pointers into it but for those in such objects
	counted bool // the program counts on from one element

	count   int  // objects
	endless bool // more pointers than that may lead into it
}

// isOutside reports whether d gets a value that leads somewhere: a pointer of
// the entry that is more than a reference to an array.
func (b *body) isOutside(d *cc.Declarator) bool {
	return b.f == b.entry() && elem(d.Type()) != nil && b.mem.pointers[d]
}

// isOpaque reports whether nothing is known of what a pointer to t leads to.
func isOpaque(t cc.Type) bool {
	if t.Kind() == cc.Void || t.IsIncomplete() || sizeOf(t) <= 0 {
		return true
	}
	_, bad := leaves(t)
	return bad != nil
}

// poolOf is the pool of pointers to t, the first of which is called name.
func (b *body) poolOf(t cc.Type, name string) *pool {
	opaque := isOpaque(t)
	for _, q := range b.mem.pools {
		if !q.own() && q.opaque == opaque && (opaque || sameShape(q.typ, t)) {
			return q
		}
	}
	return b.addPool(&pool{typ: t, name: name, opaque: opaque, counted: opaque})
}

// own reports whether one pointer leads into q, which is not null.
func (q *pool) own() bool { return q.exact > 0 || q.vector || q.strings }

func (b *body) addPool(q *pool) *pool {
	q.number, q.unit = len(b.mem.pools), b.u
	b.mem.pools = append(b.mem.pools, q)
	b.mem.grown = true
	return q
}

// root is the pool that the pointer d from outside leads into, and which of the
// pointers it is that do.
func (b *body) root(d *cc.Declarator) (*pool, int) {
	if r, ok := b.mem.roots[d]; ok {
		return b.mem.pools[r.pool], r.n
	}
	t := d.Type()
	var q *pool
	if b.isArgv(d) {
		b.addPool(&pool{typ: elem(elem(t)), name: d.Name() + ".string", strings: true, roots: b.cfg.MaxObjects})
		q = b.addPool(&pool{typ: elem(t), name: d.Name(), vector: true})
	} else if hasLength(t) && !isOpaque(elem(t)) {
		q = b.addPool(&pool{typ: elem(t), name: d.Name(), exact: int(t.Undecay().(*cc.ArrayType).Len())})
	} else {
		q = b.poolOf(elem(t), d.Name())
	}
	b.mem.roots[d] = outsideKey{pool: q.number, n: q.roots}
	q.roots++
	b.mem.grown = true
	return q, q.roots - 1
}

// beginOutside emits what comes from outside, at the beginning of the entry: of
// a recursive one, the first time.
func (b *body) beginOutside() {
	some := b.noteOutside()
	if b.mem.grown || !some {
		return // it is known in the next pass
	}
	b.Locate(b.proc.Span, func() {
		if !b.recursive(b.f) {
			b.fromOutside()
			return
		}
		begun := &ir.Var{Name: "begun", Type: tBool, Kind: ir.Global}
		b.prog.Globals = append(b.prog.Globals, begun)
		b.when(&ir.Unary{Op: ir.Not, X: use(begun, ir.Span{})}, func() {
			b.set(use(begun, ir.Span{}), number(1, tBool))
			b.fromOutside()
		}, nil)
	})
}

// fromOutside emits the objects that pointers from outside lead to, and then
// the pointers.
func (b *body) fromOutside() {
	for _, q := range b.mem.pools {
		for n := range q.count {
			b.beginObject(q, n)
		}
	}
	for _, g := range b.mem.externs {
		b.beginExtern(g)
	}
	b.eachOutside(b.beginParam)
}

// eachOutside visits the parameters of the entry that lead somewhere.
func (b *body) eachOutside(visit func(*cc.Declarator, *param)) {
	for i, p := range b.f.typ.Parameters() {
		if d := p.Declarator; d != nil && b.isOutside(d) && b.f.params[i].kind == scalarParam {
			visit(d, b.f.params[i])
		}
	}
}

// noteOutside registers all pointers from outside, finds how many objects they
// lead to, and reports whether there is anything from outside.
func (b *body) noteOutside() bool {
	some := len(b.mem.externs) > 0
	b.eachOutside(func(d *cc.Declarator, _ *param) {
		if some = true; !isCode(d.Type()) {
			b.root(d)
		}
	})
	b.countObjects()
	return some
}

// countObjects finds how many objects of each pool pointers may lead to.
func (b *body) countObjects() {
	demand := make([]int, len(b.mem.pools))
	for again := true; again; {
		again = false
		next := make([]int, len(demand))
		for i, q := range b.mem.pools[:len(demand)] {
			if next[i] += q.roots; q.vector {
				continue
			}
			for _, x := range pointersIn(q.typ) {
				if to := b.poolOf(x.to, q.name+x.path); to.number < len(demand) {
					next[to.number] += min(demand[i], b.cfg.MaxObjects) * b.elements(q)
				}
			}
		}
		for _, g := range b.mem.externs {
			for _, x := range pointersIn(g.decl.Type()) {
				if q := b.poolOf(x.to, g.decl.Name()+x.path); q.number < len(demand) {
					next[q.number]++
				}
			}
		}
		for i := range next {
			next[i] = min(next[i], b.cfg.MaxObjects+1)
			again = again || next[i] != demand[i]
		}
		demand = next
	}
	for i, q := range b.mem.pools[:len(demand)] {
		q.count, q.endless = min(demand[i], b.cfg.MaxObjects), demand[i] > b.cfg.MaxObjects
		if q.exact > 0 || q.vector {
			q.count, q.endless = 1, false
		}
	}
}

// An inner is a pointer to data inside a type.
type inner struct {
	path string // after the name of what it is in
	to   cc.Type
}

// pointersIn lists the pointers to data in a t.
func pointersIn(t cc.Type) []inner {
	var all []inner
	switch t := t.Undecay().(type) {
	case *cc.ArrayType:
		for range max(t.Len(), 0) {
			all = append(all, pointersIn(t.Elem())...)
		}
	case *cc.StructType:
		for i := range t.NumFields() {
			f := t.FieldByIndex(i)
			for _, x := range pointersIn(f.Type()) {
				all = append(all, inner{"." + f.Name() + x.path, x.to})
			}
		}
	case *cc.PointerType:
		if !isCode(t) {
			all = append(all, inner{"", t.Elem()})
		}
	}
	return all
}

// elements is how many elements an object of q has at most.
func (b *body) elements(q *pool) int {
	switch {
	case q.exact > 0:
		return q.exact
	case q.counted && q.vector:
		return b.cfg.MaxObjects + 1
	case q.counted:
		return max(b.cfg.MaxLen, 2)
	}
	return 1
}

// outside is the object number n of q, nil after failing.
func (b *body) outside(q *pool, n int) *object {
	k := outsideKey{q.number, n, q.counted}
	raw := q.opaque || b.mem.bytes[outsideKey{pool: q.number}]
	size := b.elements(q)
	switch {
	case q.opaque:
		size = b.bytesFor(q.typ)
	case raw:
		size *= int(sizeOf(q.typ))
	}
	name := q.name + ".object"
	if n > 0 {
		name = fmt.Sprintf("%s.%d", name, n+1)
	}
	b.mem.ancestors[k] = &ancestor{unit: q.unit, name: name, typ: q.typ, n: size, computed: q.counted, raw: raw}
	o := b.objectOf(k)
	switch {
	case o.refused:
		b.unsupported(b.f.def.Declarator, "pointer to "+q.typ.String()+" from outside", "")
	case !raw && holdsMutex(q.typ):
		b.unsupported(b.f.def.Declarator, "mutex from outside", "make it a variable of the program")
	case unionsPointers(q.typ):
		b.unsupported(b.f.def.Declarator, "union with pointers from outside", "use a struct")
	default:
		return o
	}
	return nil
}

// unionsPointers reports whether t has a union in it that has pointers.
func unionsPointers(t cc.Type) bool {
	r, ok := t.Undecay().(record)
	if a, is := t.Undecay().(*cc.ArrayType); is {
		return unionsPointers(a.Elem())
	}
	for i := 0; ok && i < r.NumFields(); i++ {
		u := r.FieldByIndex(i).Type()
		if t.Kind() == cc.Union && mayHoldPointer(u) || unionsPointers(u) {
			return true
		}
	}
	return false
}

func mayHoldPointer(t cc.Type) bool {
	ls, _ := leaves(t)
	return holdsPointers(ls)
}

// beginObject emits the values of object number n of q.
func (b *body) beginObject(q *pool, n int) {
	o := b.outside(q, n)
	if o == nil {
		return
	}
	for _, v := range o.vars {
		b.fill(v, false)
	}
	switch {
	case q.vector:
		b.beginVector(q, o)
		return
	case q.counted:
		b.beginLength(q, o)
	}
	if q.strings && q.counted {
		last := &ir.Binary{Op: ir.Sub, X: use(o.length, ir.Span{}), Y: number(1, tPtr)}
		b.set(&ir.Index{X: use(o.vars[0], ir.Span{}), I: last}, number(0, tByte))
	}
	if q.opaque {
		return
	}
	for i := range b.elements(q) {
		b.leadAll(b.elementOf(q, o, i))
	}
}

// elementOf is the element i of o, an object of q.
func (b *body) elementOf(q *pool, o *object, i int) place {
	p := b.whole(o)
	p.typ = q.typ
	switch {
	case o.raw:
		p.path, p.raw = true, &window{off: number(uint64(int64(i)*sizeOf(q.typ)), tPtr)}
	case b.elements(q) > 1:
		p.idx = []step{{index: number(uint64(i), tInt)}}
	}
	return p
}

// beginLength makes the length of o free: as many elements as it has room for,
// one at least. More are cut.
func (b *body) beginLength(q *pool, o *object) {
	most, by := b.elements(q), 1
	switch {
	case q.opaque:
		most = b.bytesFor(q.typ)
	case o.raw:
		by = int(sizeOf(q.typ))
	}
	b.fill(o.length, false)
	b.assumeThat(&ir.Binary{Op: ir.Ge, X: use(o.length, ir.Span{}), Y: number(1, tPtr)})
	b.atMost(use(o.length, ir.Span{}), most)
	if by > 1 {
		b.set(use(o.length, ir.Span{}), times(use(o.length, ir.Span{}), uint64(by)))
	}
}

// leadAll emits where the pointers in p lead, all of which are free.
func (b *body) leadAll(p place) {
	if !mayHoldPointer(p.typ) {
		return
	}
	for _, x := range b.scalars(p) {
		switch {
		case x.typ.Kind() != cc.Ptr:
		case isCode(x.typ):
			b.flowInto(x, 0, b.allCode(x.typ))
		default:
			q := b.poolOf(elem(x.typ), p.obj.vars[0].Name)
			n := b.leaf(&x, 0)
			if x.raw != nil {
				n = b.freeValue(tPtr)
			}
			to := &targets{}
			v := b.leading(n, q, q.count, to)
			b.write(&x, b.saved(v))
			b.flowInto(x, 0, to)
		}
	}
}

// leading is the pointer into q that the free number n chooses: null, or one of
// the first objects, or a run that is cut.
func (b *body) leading(n ir.Expr, q *pool, first int, to *targets) ir.Expr {
	if q.endless && first == q.count {
		b.atMost(n, first)
	} else if !q.own() {
		b.assumeThat(&ir.Binary{Op: ir.Le, X: ir.CloneExpr(n), Y: number(uint64(first), tPtr)})
	}
	var v ir.Expr
	for k := first - 1; k >= 0; k-- {
		at := b.elementFromOutside(q, k, to)
		if v == nil {
			v = at
		} else {
			v = &ir.Cond{C: compare(ir.Eq, ir.CloneExpr(n), uint64(k+1)), X: at, Y: v}
		}
	}
	switch {
	case v == nil:
		return number(0, tPtr)
	case q.own():
		return v
	}
	return &ir.Cond{C: compare(ir.Eq, ir.CloneExpr(n), 0), X: number(0, tPtr), Y: v}
}

// assumeThat emits that c holds.
func (b *body) assumeThat(c ir.Expr) {
	a := &ir.Assume{Cond: c}
	b.Derive(&a.StmtInfo)
	b.Emit(a)
}

// elementFromOutside is the number of an element of object k of q: the first one,
// if nothing else leads there.
func (b *body) elementFromOutside(q *pool, k int, to *targets) ir.Expr {
	o := b.outside(q, k)
	if o == nil {
		return number(0, tPtr)
	}
	p := allocatedPlace(o, q.typ, b.elements(q))
	base := b.numberOf(nil, &p, to)
	if !q.counted || q.own() || q.count == 1 {
		return base
	}
	name := o.vars[0].Name + ".offset"
	i := &ir.Var{Name: fmt.Sprintf("%s.%d", name, len(b.prog.Globals)), Type: tPtr, Kind: ir.Global}
	b.prog.Globals = append(b.prog.Globals, i)
	b.fill(i, false)
	by := uint64(1)
	if o.raw && !q.opaque {
		by = uint64(sizeOf(q.typ))
	}
	in := &ir.Binary{Op: ir.Lt, X: use(i, ir.Span{}), Y: number(uint64(b.elements(q)), tPtr)}
	in = both(in, &ir.Binary{Op: ir.Lt, X: times(use(i, ir.Span{}), by), Y: use(o.length, ir.Span{})}).(*ir.Binary)
	off := &ir.Cond{C: in, X: times(use(i, ir.Span{}), by), Y: number(0, tPtr)}
	return plus(off, base)
}

// beginParam emits where the parameter d of the entry leads: its value says
// which object it is.
func (b *body) beginParam(d *cc.Declarator, p *param) {
	x := func() ir.Expr { return use(p.vars[0], ir.Span{}) }
	at := place{typ: p.typ, vars: p.vars, obj: p.obj}
	if isCode(d.Type()) {
		b.flowInto(at, 0, b.allCode(d.Type()))
		return
	}
	q, n := b.root(d)
	to := &targets{}
	b.set(x(), b.leading(x(), q, min(n+1, q.count), to))
	b.flowInto(at, 0, to)
}

// allCode are the functions that a pointer of type t from outside may lead to.
func (b *body) allCode(t cc.Type) *targets {
	to := &targets{}
	for _, f := range b.loader.pointees {
		if sameFunction(elem(t), f.typ) {
			to.add(shape{key: codeKey{f}})
		}
	}
	return to
}

// beginExtern emits the value of g, which no file defines.
func (b *body) beginExtern(g *global) {
	o := b.makeGlobal(g)
	if o.refused {
		return
	}
	for _, v := range o.vars {
		b.fill(v, false)
	}
	b.leadAll(b.whole(o))
}

// counts notes that the program counts on from an element of what is in to.
func (m *memory) counts(to *targets) {
	for _, s := range to.list {
		if k, ok := s.key.(outsideKey); ok && m.pools[k.pool].exact == 0 && !m.pools[k.pool].counted {
			m.pools[k.pool].counted, m.grown = true, true
		}
	}
}

// extern notes that no file defines g.
func (m *memory) extern(g *global) {
	if !slices.Contains(m.externs, g) {
		m.externs, m.grown = append(m.externs, g), true
	}
}

// anywhere is what a pointer to t with any value may lead to: what has the type,
// and some pointer leads to.
func (b *body) anywhere(t cc.Type) *targets {
	if isCode(t) {
		return b.allCode(t)
	}
	to := &targets{}
	b.mem.wild = true
	for _, s := range b.mem.all.list {
		if s.raw || b.mem.types[s] != nil && sameShape(b.mem.types[s], t) {
			to.add(s)
		}
	}
	return to
}

// noteTarget notes that some pointer leads to s.
func (m *memory) noteTarget(s shape) {
	if m.all.add(s) && m.wild {
		m.grown = true
	}
}

// outdated reports whether k is a key from before it was known that the program
// counts on in the pool.
func (m *memory) outdated(k key) bool {
	o, ok := k.(outsideKey)
	return ok && o.counted != m.pools[o.pool].counted
}
