package ssa

import (
	"math"
	"slices"

	"github.com/go-amend/amend/formula"
	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ssa/step"
)

// This file abstracts arrays whose length is only known at run time: of each
// only some elements are in the state, those at indices that are chosen once
// for a run and are never changed; reading another gives any value. (Monniaux
// and Gonnord, SAS 2016, call this distinguished cells.) What is proved of such
// a state is proved for all elements: "the element watched is sorted in" means
// that all are.
//
// A claim fails only where the elements it reads are the watched ones. That
// loses no failing run: it fails with the choice of those indices too.

// A watching is what a stepper knows of the elements that are watched.
type watching struct {
	elements int
	apart    uint64         // the distance of the second from the first
	indices  []formula.Term // the first is a variable that nothing sets
	reads    []watchedRead  // of the statement that is translated
	needs    []step.Watched // of each claim so far
}

// A watchedRead is an element that a statement reads.
type watchedRead struct {
	base   int // of the array
	off    formula.Term
	any    formula.Term // its value if it isn't watched
	value  formula.Term
	passed bool // since then something was stored
}

// NewAbstractStepper returns a Stepper for p in whose states arrays whose length
// an Alloc gives are abstracted: only some elements are known. All runs of p
// are runs of what it makes, and those of length up to 2^31-1 too, which are
// cut in p. Claims read the elements that w says; what they would need is what
// the second result returns once all statements were translated.
func NewAbstractStepper(st *formula.Store, p *ir.Program, w step.Watched) (step.Stepper, func() step.Watched) {
	watch := &watching{elements: w.Elements, apart: w.Apart}
	s := newStepper(st, p, watch)
	return s, watch.needed
}

// needed returns what most claims need.
func (x *watching) needed() step.Watched {
	var out step.Watched
	for _, n := range x.needs {
		if n.Elements > out.Elements {
			out = n
		}
	}
	return out
}

// watchIndices makes the variable of the index that is watched.
func (s *stepper) watchIndices() {
	x := s.b.watch
	if len(x.indices) > 0 || x.elements == 0 {
		return
	}
	v := &ir.Var{Name: "watched", Type: ir.Int{Width: offsetWidth}}
	k := s.vars[s.index[s.newVar(step.Scalar{Var: v, Part: step.PartIndex, Type: v.Type})]].Term
	x.indices = []formula.Term{k, s.b.Add(k, s.b.Const(offsetWidth, x.apart))}[:x.elements]
}

// bindWatched makes the state variables of v, an array of which elements are
// watched.
func (s *stepper) bindWatched(f *ir.Proc, v *ir.Var) view {
	elem, _ := ir.Scalar(v.Type)
	s.watchIndices()
	w := view{base: len(s.b.cells), size: s.b.watch.elements, typ: v.Type, n: outer(v.Type), watched: true}
	for i := range w.size {
		s.newVar(step.Scalar{Var: v, Proc: f, Part: step.PartWatched, Elem: i, Type: elem})
	}
	w.length = s.newVar(step.Scalar{Var: v, Proc: f, Part: step.PartLength, Type: ir.Int{Width: 64}})
	return w
}

// loadWatched returns the scalar w of an array that is watched.
func (b *builder) loadWatched(w view) formula.Term {
	for _, r := range b.watch.reads {
		if r.base == w.base && r.off == w.off && !r.passed {
			return r.value
		}
	}
	// The choice is named by its number: it is no choice of the program.
	r := watchedRead{base: w.base, off: w.off, any: b.cfg.Inputs.get(ir.Choice{Elem: int32(-1 - len(b.watch.reads))}, w.typ, "read")}
	r.value = r.any
	for i, k := range b.watch.indices {
		r.value = b.Ite(b.Eq(w.off, k), b.read(w.base+i), r.value)
	}
	b.watch.reads = append(b.watch.reads, r)
	return r.value
}

// putWatched stores x in element off of w, where valid holds.
func (b *builder) putWatched(w view, off, valid, x formula.Term) {
	for i := range b.watch.reads {
		b.watch.reads[i].passed = true
	}
	for i, k := range b.watch.indices {
		b.mem.update(w.base+i, b.And(valid, b.Eq(off, k)), x)
	}
}

// freeWatched makes the elements of w that are watched choices of statement s.
func (b *builder) freeWatched(s ir.Stmt, v *ir.Var, w view) {
	for i := range b.watch.reads {
		b.watch.reads[i].passed = true
	}
	elem, _ := ir.Scalar(w.typ)
	for i := range w.size {
		b.set(w.base+i, b.made(ir.Choice{Var: v.ID, At: s.Key(), Elem: int32(i), Path: b.at}, elem, v.Name))
	}
}

// longest returns the greatest length that w, a whole array, may get.
func (b *builder) longest(w view) uint64 {
	if !w.watched {
		return uint64(w.n)
	}
	_, n := ir.Scalar(w.typ)
	return math.MaxInt32 / uint64(max(1, n/max(1, w.n))) // offsets have 32 bits
}

// watchedClaim returns violated where the elements that it reads are watched.
func (b *builder) watchedClaim(violated formula.Term) formula.Term {
	if len(b.watch.reads) == 0 {
		return violated
	}
	vars := b.Vars(nil, violated)
	var offs []formula.Term
	for _, r := range b.watch.reads {
		if slices.Contains(vars, r.any) && !slices.Contains(offs, r.off) {
			offs = append(offs, r.off)
		}
	}
	need := step.Watched{Elements: min(len(offs), 1)}
	if len(offs) > 1 {
		if d, ok := b.Value(b.Sub(offs[1], offs[0])); ok {
			need = step.Watched{Elements: 2, Apart: d}
		}
	}
	b.watch.needs = append(b.watch.needs, need)
	if need.Elements > 0 && len(b.watch.indices) > 0 {
		violated = b.And(violated, b.Eq(offs[0], b.watch.indices[0]))
	}
	return violated
}
