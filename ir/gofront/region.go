package gofront

// Memory. What pointers, slices and strings point to lies in regions, each
// an array of cells for each scalar type in it, indexed by address. Pointers
// that may point to the same thing point into the same region: regions are
// the classes of Steensgaard's analysis ("Points-to Analysis in Almost
// Linear Time", POPL 1996), found while lowering. When two regions turn out
// to be one after code that tells them apart was made, lowering starts anew
// with what is known by then.
//
// The value of a pointer is bias plus the index of its cell; nil is 0. So an
// access through nil, plus any offset, is out of bounds.

import (
	"fmt"
	"sort"
	"strings"

	"github.com/go-amend/amend/ir"
)

const bias = 1 << 24

// classes is a union-find structure over the names of regions.
type classes struct {
	parent map[string]string
	subs   map[string]map[string]bool // by root: the names of what its pointers point to
	merged bool                       // since it was last set to false
}

func newClasses() *classes {
	return &classes{parent: map[string]string{}, subs: map[string]map[string]bool{}}
}

func (c *classes) find(k string) string {
	p, ok := c.parent[k]
	if !ok || p == k {
		return k
	}
	r := c.find(p)
	c.parent[k] = r
	return r
}

// sub returns the class of what target pointers in class k point to.
func (c *classes) sub(k, target string) string {
	k = c.find(k)
	if c.subs[k] == nil {
		c.subs[k] = map[string]bool{}
	}
	c.subs[k][target] = true
	return c.find(k + "/" + target)
}

// union makes a and b one class.
func (c *classes) union(a, b string) {
	a, b = c.find(a), c.find(b)
	if a == b {
		return
	}
	c.merged = true
	if len(b) < len(a) || len(a) == len(b) && b < a {
		a, b = b, a
	}
	c.parent[b] = a
	names := make([]string, 0, len(c.subs[b]))
	for t := range c.subs[b] {
		names = append(names, t)
	}
	sort.Strings(names)
	for _, t := range names {
		c.union(c.sub(a, t), b+"/"+t)
	}
}

// A region is an area of memory.
type region struct {
	l      *lowerer
	key    string
	id     int
	cells  map[ir.Type]*ir.Var
	order  []*ir.Var
	static int      // cells of globals and constants, from 0
	names  []string // of globals in them, "" for what has none
	allocs []allocation
	top    *ir.Var // the next free cell, as an address
	start  *ir.Const
	limit  *ir.Const
	proc   *ir.Proc // allocates
	lib    map[string]*ir.Proc
}

// An allocation is a place in the program that allocates memory.
type allocation struct {
	in    *instance
	loops int
	cells int
	name  string // of the variable that it is for, or of the type
}

func (l *lowerer) region(key string) *region {
	key = l.classes.find(key)
	r := l.regions[key]
	if r == nil {
		r = &region{l: l, key: key, id: len(l.regionList) + 1, cells: map[ir.Type]*ir.Var{}, lib: map[string]*ir.Proc{}}
		l.regions[key] = r
		l.regionList = append(l.regionList, r)
	}
	return r
}

func (r *region) sub(target string) *region { return r.l.region(r.l.classes.sub(r.key, target)) }

// unify says that pointers into x may point into y, too.
func (l *lowerer) unify(x, y *region) {
	if x != nil && y != nil && x != y {
		l.classes.union(x.key, y.key)
	}
}

// memory returns the cells of type t.
func (r *region) memory(t ir.Type) *ir.Var {
	v := r.cells[t]
	if v == nil {
		v = &ir.Var{Name: fmt.Sprintf("mem%d.%s", r.id, t), Kind: ir.Global, Type: ir.Array{Elem: t, Len: 1}}
		r.cells[t] = v
		r.order = append(r.order, v)
	}
	return v
}

// reserve returns the address of n new cells that live as long as the
// program.
func (r *region) reserve(n int) int {
	at := r.static
	r.static += n
	r.names = append(r.names, "")
	return bias + at
}

// maxRegion is the largest number of cells of a region that allocations at
// run time get.
const maxRegion = 1024

// finish gives the variables of r their lengths.
func (r *region) finish() {
	dynamic := 0
	for _, a := range r.allocs {
		n := a.cells * a.in.weight * r.l.room
		for range a.loops {
			n *= loopWeight
		}
		dynamic = min(dynamic+n, max(maxRegion*r.l.room, a.cells))
	}
	for _, v := range r.order {
		v.Type = ir.Array{Elem: v.Type.(ir.Array).Elem, Len: max(r.static+dynamic, 1)}
	}
	if r.top != nil {
		r.start.Val = uint64(bias + r.static)
		r.limit.Val = uint64(bias + r.static + dynamic)
	}
}

// allocator returns the procedure new(n) that allocates n cells. They hold
// zero: no cell is used twice.
func (r *region) allocator() *ir.Proc {
	if r.proc != nil {
		return r.proc
	}
	r.top = &ir.Var{Name: fmt.Sprintf("top%d", r.id), Kind: ir.Global, Type: tAddr}
	r.start = &ir.Const{Typ: tAddr}
	r.limit = &ir.Const{Typ: tAddr}
	n := &ir.Var{Name: "n", Kind: ir.Param, Type: tAddr}
	p := &ir.Var{Name: "p", Kind: ir.Result, Type: tAddr}
	full := &ir.Var{Name: "full", Kind: ir.Local, Type: ir.Array{Elem: tBool, Len: 1}}
	g := r.l.libraryProc(fmt.Sprintf("new%d", r.id), []*ir.Var{n}, []*ir.Var{p}, full)
	if r.l.known.threaded {
		g.emit(&ir.Atomic{Body: &ir.Block{List: []ir.Stmt{
			&ir.Assign{LHS: use(p), RHS: use(r.top)},
			&ir.Assign{LHS: use(r.top), RHS: add(use(r.top), use(n))},
		}}})
		g.cut(full, &ir.Binary{Op: ir.Gt, X: add(use(p), use(n)), Y: r.limit})
	} else {
		g.set(p, use(r.top))
		g.set(r.top, add(use(r.top), use(n)))
		g.cut(full, &ir.Binary{Op: ir.Gt, X: use(r.top), Y: r.limit})
	}
	r.proc = g.proc
	return r.proc
}

// A libBody builds a procedure that stands for no source text.
type libBody struct {
	proc *ir.Proc
	out  *[]ir.Stmt
}

func (l *lowerer) libraryProc(name string, params, results []*ir.Var, locals ...*ir.Var) *libBody {
	p := &ir.Proc{Name: strings.ReplaceAll(name, " ", ""), Params: params, Results: results, Locals: locals, Body: &ir.Block{}, Hard: true}
	l.library = append(l.library, p)
	return &libBody{proc: p, out: &p.Body.List}
}

func (g *libBody) emit(s ir.Stmt) { *g.out = append(*g.out, s) }

func (g *libBody) set(v *ir.Var, e ir.Expr) { g.emit(&ir.Assign{LHS: use(v), RHS: e}) }

func (g *libBody) store(to, e ir.Expr) { g.emit(&ir.Assign{LHS: to, RHS: e}) }

// cut ends the run where c holds.
func (g *libBody) cut(full *ir.Var, c ir.Expr) { g.emit(cutIf(full, c)) }

func cutIf(full *ir.Var, c ir.Expr) *ir.Alloc {
	return &ir.Alloc{Var: full, Len: &ir.Cond{C: c, X: num(tAddr, 2), Y: num(tAddr, 0)}}
}

// when builds an if.
func (g *libBody) when(c ir.Expr, then func()) {
	s := &ir.If{Cond: c, Then: &ir.Block{}}
	outer := g.out
	g.out = &s.Then.List
	then()
	g.out = outer
	g.emit(s)
}

func (g *libBody) local(name string, t ir.Type) *ir.Var {
	v := &ir.Var{Name: name, Kind: ir.Local, Type: t}
	g.proc.Locals = append(g.proc.Locals, v)
	return v
}
