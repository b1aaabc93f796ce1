package model

import (
	"github.com/go-amend/amend/formula/relation"
	"github.com/go-amend/amend/slice/rank"
)

// This file enumerates relational expressions, small ones first, of those with
// equal values in all remembered instances only the first.

// A term is an expression with its values: under each binding of the variables in
// scope a word for each tuple of its shape, with a bit for each instance.
type term struct {
	x     relation.Expr
	shape rank.Shape
	size  int
	v     []uint64
}

// A domain holds the atoms of a column.
type domain struct {
	atoms []relation.Atom
	index map[relation.Atom]int
}

// domains numbers the atoms of columns by their kinds.
type domains struct {
	t     *rank.Types
	known map[uint64]*domain
}

func (ds *domains) of(kinds uint64) *domain {
	d := ds.known[kinds]
	if d == nil {
		d = &domain{index: make(map[relation.Atom]int)}
		for t := range ds.t.Atoms(rank.Shape{Arity: 1, Kinds: [4]uint64{kinds}}).All() {
			d.index[t[0]] = len(d.atoms)
			d.atoms = append(d.atoms, t[0])
		}
		ds.known[kinds] = d
	}
	return d
}

func (ds *domains) len(kinds uint64) int { return len(ds.of(kinds).atoms) }

// width returns the number of tuples of some columns.
func (ds *domains) width(kinds []uint64) int {
	n := 1
	for _, k := range kinds {
		n *= ds.len(k)
	}
	return n
}

// all returns how many tuples of a shape there are.
func (ds *domains) all(s rank.Shape) int { return ds.width(s.Kinds[:s.Arity]) }

// pairs returns for the atoms of one domain their indices in another, -1 where they
// have none.
func (ds *domains) pairs(a, b uint64) []int {
	out := make([]int, ds.len(a))
	for i, x := range ds.of(a).atoms {
		out[i] = -1
		if k, ok := ds.of(b).index[x]; ok {
			out[i] = k
		}
	}
	return out
}

// A bank holds terms of one scope.
type bank struct {
	ds    *domains
	n     int      // bindings
	care  []uint64 // by binding: instances in which its variables have values
	size  [][]*term
	shape map[rank.Shape][]*term // in order of size
	order []rank.Shape           // in which they came
	wants map[rank.Shape]bool    // shapes of products
	seen  map[valueKey]bool
	left  *int // words that may be calculated
	count int
	most  int
}

type valueKey struct {
	shape rank.Shape
	hash  [2]uint64
}

func newBank(ds *domains, n, most int, left *int) *bank {
	b := &bank{ds: ds, n: n, most: most, left: left, shape: make(map[rank.Shape][]*term), wants: make(map[rank.Shape]bool), seen: make(map[valueKey]bool)}
	b.size = make([][]*term, 2)
	for range n {
		b.care = append(b.care, ^uint64(0))
	}
	return b
}

// add puts a term into the bank, unless one means the same.
func (b *bank) add(t *term) {
	if b.count >= b.most {
		return
	}
	key := valueKey{t.shape, digest(t.v, b.care)}
	if b.seen[key] {
		return
	}
	b.seen[key] = true
	b.count++
	for len(b.size) <= t.size {
		b.size = append(b.size, nil)
	}
	b.size[t.size] = append(b.size[t.size], t)
	if b.shape[t.shape] == nil {
		b.order = append(b.order, t.shape)
	}
	b.shape[t.shape] = append(b.shape[t.shape], t)
}

// digest returns what is equal for equal values, and hardly for others: what is
// found by it is verified. A word of care belongs to len(v)/len(care) of v.
func digest(v, care []uint64) (h [2]uint64) {
	w := len(v) / len(care)
	h = [2]uint64{0x9e3779b97f4a7c15, 0xc2b2ae3d27d4eb4f}
	for i, c := range care {
		for _, x := range v[i*w : (i+1)*w] {
			h[0] = (h[0] ^ x&c) * 0xff51afd7ed558ccd
			h[0] ^= h[0] >> 32
			h[1] = (h[1] + x&c + 1) * 0xc4ceb9fe1a85ec53
			h[1] ^= h[1] >> 29
		}
	}
	return h
}

// grow adds all terms of the next sizes up to most.
func (b *bank) grow(most int) {
	for s := 2; s <= most; s++ {
		for _, x := range b.ofSize(s - 1) {
			b.unaries(x)
		}
		for i := 1; i < s; i++ {
			for _, x := range b.ofSize(i) {
				for _, y := range b.ofSize(s - i) {
					if *b.left < 0 || b.count >= b.most {
						return
					}
					b.binaries(x, y)
				}
			}
		}
	}
}

func (b *bank) ofSize(s int) []*term {
	if s < len(b.size) {
		return b.size[s]
	}
	return nil
}

// values returns room for those of a shape, and counts them as work.
func (b *bank) values(s rank.Shape) []uint64 {
	n := b.n * b.ds.all(s)
	*b.left -= n + 20
	return make([]uint64, n)
}

func (b *bank) unaries(x *term) {
	if x.shape.Arity != 2 || *b.left < 0 || identity(x.x) {
		return
	}
	rows, cols := b.ds.len(x.shape.Kinds[0]), b.ds.len(x.shape.Kinds[1])
	t := x.shape
	t.Kinds[0], t.Kinds[1] = t.Kinds[1], t.Kinds[0]
	v := b.values(t)
	for k := 0; k < len(v); k += rows * cols {
		for i := range rows {
			for j := range cols {
				v[k+j*rows+i] = x.v[k+i*cols+j]
			}
		}
	}
	b.unary(relation.Transpose, x, t, v)
	if x.shape.Kinds[0] != x.shape.Kinds[1] {
		return
	}
	v = b.values(t)
	copy(v, x.v)
	for k := 0; k < len(v); k += rows * rows {
		closure(v[k:k+rows*rows], rows)
	}
	b.unary(relation.Closure, x, t, v)
	v = append([]uint64(nil), v...)
	for k := 0; k < len(v); k += rows * rows {
		for i := range rows {
			v[k+i*rows+i] = ^uint64(0)
		}
	}
	b.unary(relation.ReflexiveClosure, x, t, v)
}

func (b *bank) unary(op relation.UnaryOp, x *term, s rank.Shape, v []uint64) {
	b.add(&term{&relation.Unary{Op: op, X: x.x}, s, x.size + 1, v})
}

// closure makes a square matrix transitive.
func closure(v []uint64, n int) {
	for k := range n {
		for i := range n {
			if x := v[i*n+k]; x != 0 {
				for j := range n {
					v[i*n+j] |= x & v[k*n+j]
				}
			}
		}
	}
}

func (b *bank) binaries(x, y *term) {
	if x.shape == y.shape {
		b.sets(x, y)
	}
	b.join(x, y)
	b.product(x, y)
	if x.shape.Arity == 1 && y.shape.Arity > 1 && x.shape.Kinds[0] == y.shape.Kinds[0] {
		b.restrict(relation.DomRestrict, x, y)
	}
	if y.shape.Arity == 1 && x.shape.Arity > 1 && y.shape.Kinds[0] == x.shape.Kinds[x.shape.Arity-1] {
		b.restrict(relation.RanRestrict, x, y)
	}
}

func (b *bank) binary(op relation.BinaryOp, x, y *term, s rank.Shape, v []uint64) {
	left, right := x.x, y.x
	switch op {
	case relation.Intersect:
		left, right = wide(left), wide(right)
	case relation.Difference:
		right = wide(right)
	}
	b.add(&term{&relation.Binary{Op: op, X: left, Y: right}, s, x.size + y.size, v})
}

// identity reports whether x is a part of iden: what it would be joined to can be
// intersected instead.
func identity(x relation.Expr) bool {
	r, ok := x.(*relation.Binary)
	if ok && (r.Op == relation.DomRestrict && identity(r.Y) || r.Op == relation.RanRestrict && identity(r.X)) {
		return true
	}
	return wide(x) != x
}

// wide returns all of iden for a part of it, where the other operand limits it.
func wide(x relation.Expr) relation.Expr {
	if r, ok := x.(*relation.Binary); ok && r.Op == relation.DomRestrict {
		if c, ok := r.Y.(*relation.Const); ok && c.Op == relation.Iden {
			return c
		}
	}
	return x
}

// sets adds union, intersection and difference.
func (b *bank) sets(x, y *term) {
	v := b.values(x.shape)
	for i := range v {
		v[i] = x.v[i] &^ y.v[i]
	}
	b.binary(relation.Difference, x, y, x.shape, v)
	if x.size < y.size {
		return // the others are symmetric
	}
	v = b.values(x.shape)
	for i := range v {
		v[i] = x.v[i] & y.v[i]
	}
	b.binary(relation.Intersect, x, y, x.shape, v)
	v = b.values(x.shape)
	for i := range v {
		v[i] = x.v[i] | y.v[i]
	}
	b.binary(relation.Union, x, y, x.shape, v)
}

func (b *bank) join(x, y *term) {
	a, c := x.shape.Arity-1, y.shape.Arity-1
	if a+c < 1 || a+c > 3 || identity(x.x) || identity(y.x) || x.shape.Kinds[a]&y.shape.Kinds[0] == 0 {
		return
	}
	s := rank.Shape{Arity: a + c}
	copy(s.Kinds[:], x.shape.Kinds[:a])
	copy(s.Kinds[a:], y.shape.Kinds[1:y.shape.Arity])
	v := b.values(s)
	match := b.ds.pairs(x.shape.Kinds[a], y.shape.Kinds[0])
	rows, cols := b.ds.width(x.shape.Kinds[:a]), b.ds.width(y.shape.Kinds[1:y.shape.Arity])
	height := b.ds.len(y.shape.Kinds[0])
	*b.left -= len(v) * len(match) / 2
	for k := range b.n {
		vx, vy, vv := x.v[k*rows*len(match):], y.v[k*height*cols:], v[k*rows*cols:]
		for i := range rows {
			for m, to := range match {
				in := vx[i*len(match)+m]
				if in == 0 || to < 0 {
					continue
				}
				for j := range cols {
					vv[i*cols+j] |= in & vy[to*cols+j]
				}
			}
		}
	}
	b.binary(relation.Join, x, y, s, v)
}

// product adds x -> y, if that can be compared with a field.
func (b *bank) product(x, y *term) {
	a, c := x.shape.Arity, y.shape.Arity
	if a+c > 3 {
		return
	}
	s := rank.Shape{Arity: a + c}
	copy(s.Kinds[:], x.shape.Kinds[:a])
	copy(s.Kinds[a:], y.shape.Kinds[:c])
	if !b.wants[s] {
		return
	}
	v := b.values(s)
	rows, cols := b.ds.all(x.shape), b.ds.all(y.shape)
	for k := range b.n {
		for i := range rows {
			for j := range cols {
				v[(k*rows+i)*cols+j] = x.v[k*rows+i] & y.v[k*cols+j]
			}
		}
	}
	b.binary(relation.Product, x, y, s, v)
}

// restrict adds x <: y or x :> y.
func (b *bank) restrict(op relation.BinaryOp, x, y *term) {
	s := x.shape
	if op == relation.DomRestrict {
		s = y.shape
	}
	v := b.values(s)
	all := b.ds.all(s)
	if op == relation.DomRestrict {
		rows := b.ds.len(s.Kinds[0])
		for i := range v {
			v[i] = y.v[i] & x.v[i/all*rows+i%all/(all/rows)]
		}
	} else {
		cols := b.ds.len(s.Kinds[s.Arity-1])
		for i := range v {
			v[i] = x.v[i] & y.v[i/all*cols+i%cols]
		}
	}
	b.binary(op, x, y, s, v)
}
