package cfront

// One heap for all that is allocated (Config.Decides): the library's heap.c, whose
// tables say where in it a pointer may be followed. What pointers lead to there is
// one object, of bytes, so that lowering takes no longer the more is allocated.

import (
	_ "embed"
	"fmt"
	"slices"

	"github.com/go-amend/amend/ir"
)

//go:embed library/heap.c
var heapC []byte

const heapName = "<heap>"

// The tables of heap.c: for each granule of 16 bytes the number of its block, and
// for each block the indices of its first byte and of the one past its last, 0 if it
// is no more.
type blocks struct{ owner, start, end *ir.Var }

// useHeap defines the functions that allocate, unless the program does so itself or
// allocates in ways that heap.c doesn't have.
func (l *loader) useHeap() {
	named := func(name string) bool { return l.funcs[symbol{name: name}] != nil }
	if l.heapSize == 0 || l.model.pointer < 32 || l.checksLeaks() || l.cfg.MallocMayFail || l.startsThreads() ||
		slices.ContainsFunc([]string{"malloc", "calloc", "realloc", "free"}, named) {
		return
	}
	content := slices.Concat(fmt.Appendf(nil, "#define HEAP %d\n", l.heapSize), heapC)
	l.sources[heapName] = newSource(heapName, content)
	u := l.translate(heapName, content)
	if u == nil {
		return
	}
	u.library = true
	l.heap = u
	l.mem.bytes[l.heapKey()] = true
	order := 0
	l.declare(u, &order)
}

// allocators are the functions whose memory is in the heap.
var allocators = map[string]bool{"malloc": true, "calloc": true, "realloc": true, "strdup": true, "strndup": true, "asprintf": true, "vasprintf": true}

// looksClosed reports whether the program allocates and has no call of what is known
// to give inputs: then it is likely to have one run.
func (l *loader) looksClosed() bool {
	allocates, reads := false, false
	for _, f := range l.funcs {
		if f.unit.library {
			continue
		}
		for _, m := range f.unit.text.calls[f.def] {
			if l.lookup(f.unit, m.decl) != nil {
				continue
			}
			name := m.decl.Name()
			_, scans := inputNames[name]
			allocates = allocates || allocators[name]
			reads = reads || scans || isNondet(name)
		}
	}
	return allocates && !reads
}

// heapKey is the key of the heap.
func (l *loader) heapKey() symbol { return symbol{unit: l.heap, name: "heap"} }

// isHeap reports whether k is that of the heap.
func (l *loader) isHeap(k key) bool { return l.heap != nil && k == key(l.heapKey()) }

// openHeap makes o, of g, the heap: free, with the tables that say what of it there is.
func (l *loader) openHeap(g *global, o *object) {
	table := func(name string) *ir.Var {
		return l.makeGlobal(l.globals[symbol{unit: l.heap, name: name}]).vars[0]
	}
	o.blocks = &blocks{owner: table("heap_owner"), start: table("heap_start"), end: table("heap_end")}
	g.stmts = l.init.Block(func() { l.init.fill(o.vars[0], false) }).List
}

// entry is the variable in table for the block of byte i of the heap.
func (x *blocks) entry(table *ir.Var, i ir.Expr) ir.Expr {
	granule := &ir.Binary{Op: ir.Shr, X: ir.CloneExpr(i), Y: number(4, tPtr)}
	return &ir.Index{X: use(table, ir.Span{}), I: &ir.Index{X: use(x.owner, ir.Span{}), I: granule}}
}

// in is the value of entry, as that of a pointer.
func (x *blocks) in(table *ir.Var, i ir.Expr) ir.Expr {
	return convert(x.entry(table, i), tPtr)
}

// holds is the condition that w bytes of r from byte i on lie in a block, in which i
// may be the end if w is 0.
func (r *region) holds(i ir.Expr, w uint64) ir.Expr {
	x := r.obj.blocks
	within := &ir.Binary{Op: ir.Lt, X: ir.CloneExpr(i), Y: number(r.size, tPtr)}
	is := compare(ir.Ne, x.in(x.end, i), 0)
	end := plus(ir.CloneExpr(i), number(w, tPtr))
	return both(within, both(is, &ir.Binary{Op: ir.Le, X: end, Y: x.in(x.end, i)}))
}

// begins is the condition that byte i of r is the first of a block, or would be if
// that had any.
func (r *region) begins(i ir.Expr) ir.Expr {
	x := r.obj.blocks
	return both(r.holds(i, 0), &ir.Binary{Op: ir.Eq, X: ir.CloneExpr(i), Y: x.in(x.start, i)})
}
