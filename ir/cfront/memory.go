package cfront

// What pointers may point at. A pointer is a number: each object that some
// pointer may point at has a range of numbers of its own, one for each
// element, and null is 0. Which objects a pointer may hold, whatever the
// order in which statements run, is found by lowering the program again and
// again until nothing new is stored in any pointer (Andersen, "Program
// Analysis and Specialization for the C Programming Language", 1994, chapter
// 4, with the lowering as the generator of constraints).

import (
	"math/bits"
	"slices"

	"modernc.org/cc/v4"

	"github.com/go-amend/amend/ir"
)

// tPtr is the type of pointers. No integer type of C has its width, which
// is enough for any int that is put into a pointer.
var tPtr = ir.Int{Width: 48}

// An object's key names it in all passes: the symbol of a variable of static
// storage, the declarator of another one, the syntax of a string literal or
// an allocation, or the result of a function.
type key any

// resultKey is the key of the result of a function.
type resultKey struct{ sym symbol }

// heapKey is the key of what an allocation, or a string literal, makes.
type heapKey struct {
	site cc.Node
	time int // that it runs, from 0
}

// A cell is a variable that the objects with a key dissolve into.
type cell struct {
	key  key
	leaf int
}

// An ancestor says what to make of a key that is no symbol: a variable whose
// address is taken, an allocation of n elements, or a string literal.
type ancestor struct {
	unit   *unit
	decl   *cc.Declarator
	site   cc.ExpressionNode
	at     ir.Span // of an allocation
	name   string
	typ    cc.Type   // of an element, nil for a string
	copies bool      // one for each thread
	of     *function // or else for each run of this recursive one
	n      int

	computed bool // its length is: n is the most
	raw      bool // n counts bytes

	passed []passed // the further arguments that it holds
}

// A shape is a part of an object up to its indices: the elements, after dims
// indices, of its leaves from to to. The first outer indices select a thread's
// copy or an element whose member it is: counting on from one element does not
// lead to the next.
type shape struct {
	key                   key
	from, to, dims, outer int

	raw bool // all of its bytes; the rest is 0
}

// A region is a shape in the program being lowered.
type region struct {
	obj  *object
	typ  cc.Type // of an element
	base uint64  // the number of the first one
	size uint64  // elements that counting leads to

	// With outer indices there are count of that, and stride, a power of 2
	// that is more than size, leads from one to the next. Else 1 and 0.
	count, stride uint64
}

// A targets is a set of shapes, in the order in which they were found.
type targets struct {
	list []shape
	has  map[shape]bool
}

func (t *targets) add(s shape) bool {
	if t.has[s] {
		return false
	}
	if t.has == nil {
		t.has = map[shape]bool{}
	}
	t.has[s] = true
	t.list = append(t.list, s)
	return true
}

func (t *targets) addAll(u *targets) bool {
	grown := false
	if u != nil && u != t {
		for _, s := range u.list {
			grown = t.add(s) || grown
		}
	}
	return grown
}

// raw reports whether some of t are bytes.
func (t *targets) raw() bool {
	return slices.ContainsFunc(t.list, func(s shape) bool { return s.raw })
}

// A memory is what the passes so far found.
type memory struct {
	held      map[cell]*targets
	types     map[shape]cc.Type // of an element
	ancestors map[key]*ancestor
	taken     map[key]bool                  // variables that a pointer may point at
	pointers  map[*cc.Declarator]bool       // array parameters that are no references
	written   map[*cc.Declarator]bool       // references through which something is written
	bytes     map[key]bool                  // objects that are arrays of their bytes
	sizes     map[key]int                   // of these, if a list gives a flexible array elements
	measured  map[cc.ExpressionNode]bool    // lengths of arrays that something asks for
	touches   map[touch]bool                // writes to these
	freed     map[key]bool                  // objects that may be given to free
	leaky     []heapKey                     // what must be freed at the end, in order
	allocated map[heapKey]bool              // the same
	exposed   targets                       // whose addresses are integers
	owners    map[key]*function             // which function's run local variables end with
	deep      map[*function]bool            // recursive ones with variables that a pointer may point at
	homes     map[key]cc.Node               // which block of it, unless that is its body
	outer     map[cc.Node]cc.Node           // the block around each
	left      map[key]bool                  // of these, what pointers may lead to after that
	leaves    map[*function][]key           // the same, in order
	reached   map[[2]*function]bool         // whether the first may run the second
	returns   bool                          // some thread's result is asked for
	variadic  map[*function]bool            // functions that look at further arguments
	pools     []*pool                       // what pointers from outside lead to
	roots     map[*cc.Declarator]outsideKey // the pools of parameters, and which pointers of those they are
	all       targets                       // what some pointer leads to
	wild      bool                          // some pointer may lead to any of that
	externs   []*global                     // variables that no file defines
	grown     bool                          // in this pass
}

func newMemory() *memory {
	return &memory{
		held:      map[cell]*targets{},
		types:     map[shape]cc.Type{},
		ancestors: map[key]*ancestor{},
		taken:     map[key]bool{},
		pointers:  map[*cc.Declarator]bool{},
		written:   map[*cc.Declarator]bool{},
		bytes:     map[key]bool{},
		sizes:     map[key]int{},
		freed:     map[key]bool{},
		allocated: map[heapKey]bool{},
		owners:    map[key]*function{},
		deep:      map[*function]bool{},
		homes:     map[key]cc.Node{},
		outer:     map[cc.Node]cc.Node{},
		left:      map[key]bool{},
		leaves:    map[*function][]key{},
		reached:   map[[2]*function]bool{},
		touches:   map[touch]bool{},
		measured:  map[cc.ExpressionNode]bool{},
		variadic:  map[*function]bool{},
		roots:     map[*cc.Declarator]outsideKey{},
	}
}

// holds returns what a pointer in c may point at.
func (m *memory) holds(c cell) *targets {
	if m.held[c] == nil {
		m.held[c] = &targets{}
	}
	return m.held[c]
}

// flow notes that what is in t is stored in c.
func (m *memory) flow(c cell, t *targets) {
	if m.holds(c).addAll(t) {
		m.grown = true
	}
}

// take notes that a pointer may point at the variable k.
func (m *memory) take(k key) {
	if !m.taken[k] {
		m.taken[k], m.grown = true, true
	}
}

// notReference notes that parameter d is more than a reference to an array.
func (m *memory) notReference(d *cc.Declarator) {
	if !m.pointers[d] {
		m.pointers[d], m.grown = true, true
	}
}

// writes notes that something is written through the reference d.
func (m *memory) writes(d *cc.Declarator) {
	if !m.written[d] {
		m.written[d], m.grown = true, true
	}
}

// region returns the numbers of s, nil if its object's declaration was refused
// or if s is a shape that it had in an earlier pass.
func (l *loader) region(s shape) *region {
	if r := l.regions[s]; r != nil {
		return r
	}
	o := l.objectOf(s.key)
	if o == nil || o.refused || o.raw != s.raw {
		return nil
	}
	if s.raw {
		return l.rawRegion(s, o)
	}
	r := &region{obj: o, typ: l.mem.types[s], base: l.nextAddr, size: 1, count: 1}
	v := o.vars[s.from].Type
	for i := range s.dims {
		a := v.(ir.Array)
		if v = a.Elem; i < s.outer {
			r.count *= uint64(a.Len)
		} else {
			r.size *= uint64(a.Len)
		}
	}
	gap := 2*r.size + 14 // what lies between belongs to nothing
	if s.outer > 0 {
		r.stride = uint64(1) << bits.Len64(gap)
		gap = r.count * r.stride
	}
	l.nextAddr += gap
	l.regions[s] = r
	return r
}

// rawBase is where objects of bytes begin: no int of C reaches that where pointers
// are wider. memoryEnd is where memory ends: above are the numbers below 0.
func (m model) rawBase() uint64   { return 1 << (min(m.pointer, tPtr.Width) - 4) }
func (m model) memoryEnd() uint64 { return 1 << (min(m.pointer, tPtr.Width) - 1) }

// rawRegion is region for all bytes of o. It begins as little aligned as its
// type, or malloc, allows, and follows what was made before it.
func (l *loader) rawRegion(s shape, o *object) *region {
	size := uint64(o.vars[0].Type.(ir.Array).Len)
	if l.nextRaw == 0 {
		l.nextRaw = l.model.rawBase()
	}
	align := o.alignment(l.target)
	base := l.nextRaw&^(2*align-1) + 3*align
	r := &region{obj: o, typ: o.typ, base: base, size: size, count: 1}
	l.nextRaw = base + 2*size + 16 // what lies between belongs to nothing
	if l.nextRaw > l.model.memoryEnd() {
		l.fail(&ir.UnsupportedError{Span: ir.Span{File: l.units[0].name}, Construct: "more memory than the target's pointers lead to", Hint: "choose another target"})
	}
	l.regions[s] = r
	return r
}

// alignment is what is certain of where o begins: that of its type, that of what is
// allocated, or, as on x86-64, 16 for arrays of 16 bytes and more.
func (o *object) alignment(t *target) uint64 {
	typ := o.typ.Undecay()
	if o.blocks != nil {
		return t.alloc
	}
	if o.decl == nil || t.arch == "amd64" && typ.Kind() == cc.Array && sizeOf(typ) >= 16 {
		return max(t.alloc, uint64(alignOf(typ)))
	}
	return uint64(max(1, alignOf(typ)))
}

// objectOf returns the object with key k, which some pointer may point at.
func (l *loader) objectOf(k key) *object {
	if o := l.objects[k]; o != nil {
		return o
	}
	if s, ok := k.(symbol); ok {
		if g := l.globals[s]; g != nil {
			return l.makeGlobal(g)
		}
		return nil
	}
	from := l.mem.ancestors[k]
	if from == nil || l.mem.outdated(k) || l.mem.becameBytes(k, from) {
		return nil
	}
	if from.decl != nil && !from.computed {
		return l.sharedObject(k, from)
	}
	if from.typ == nil {
		return l.stringObject(k, from)
	}
	return l.heapObject(k, from)
}

// becameBytes reports whether from, of key k, is what an allocation made before it was
// known that its bytes are looked at.
func (m *memory) becameBytes(k key, from *ancestor) bool {
	h, ok := k.(heapKey)
	if !ok {
		return false
	}
	n, ok := h.site.(*cc.PostfixExpression)
	return ok && n.Case == cc.PostfixExpressionCall && from.raw != m.bytes[heapKey{site: h.site}]
}

// sharedObject is a parameter or local variable that pointers point at. It
// outlives its function's run, so it is a global.
func (l *loader) sharedObject(k key, from *ancestor) *object {
	ls, bad := l.leavesOf(k, from.decl.Type())
	switch {
	case bad == nil && from.of != nil:
		ls, bad = wrap(ls, maxActivations)
	case bad == nil && from.copies:
		ls, bad = wrap(ls, maxThreads)
	}
	o := &object{typ: from.decl.Type(), key: k, decl: from.decl, konst: readOnly(from.decl), refused: bad != nil, copies: from.copies}
	for _, f := range ls {
		v := f.variable(from.name, ir.Global)
		if v.Span = from.unit.nameSpan(from.decl); from.copies {
			v.Lock = "" // which of them the name means depends on the thread
		}
		o.vars = append(o.vars, v)
	}
	o.raw = isBytes(ls) && !from.copies
	if from.of != nil {
		o.runs, o.length = true, l.running(from.of)
	}
	l.ending(o, from.name)
	l.prog.Globals = append(l.prog.Globals, o.vars...)
	l.objects[k] = o
	return o
}

// leavesOf is leaves for the object with key k.
func (l *loader) leavesOf(k key, t cc.Type) ([]leaf, *misfit) {
	if l.isHeap(k) {
		return []leaf{{typ: ir.Array{Elem: tByte, Len: l.heapSize}, raw: true}}, nil
	}
	if l.mem.bytes[k] {
		return bytesOf(max(int(sizeOf(t)), l.mem.sizes[k]))
	}
	return leaves(t)
}

// isBytes reports whether ls are those of a union or of an object of bytes.
func isBytes(ls []leaf) bool {
	return len(ls) == 1 && ls[0].raw && ls[0].path == "" && dims(ls[0].typ) == 1
}
