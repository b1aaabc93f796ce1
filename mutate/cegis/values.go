package cegis

import (
	"slices"

	"github.com/go-amend/amend/formula"
)

// This file says which values holes may have, and which of them are simple.

// allowed returns the proposition that h has a value that it may take.
func (h *hole) allowed(st *formula.Store) formula.Term {
	ok := st.True()
	if h.Low != 0 || h.High != 0 {
		ok = h.between(st, uint64(h.Low), uint64(h.High))
	}
	for _, v := range h.Not {
		ok = st.And(ok, st.Not(st.Eq(h.term, h.constant(st, v))))
	}
	return ok
}

// wrap returns v without the bits that h doesn't have.
func (h *hole) wrap(v uint64) uint64 { return v << (64 - h.Width) >> (64 - h.Width) }

// negative reports whether v is less than 0.
func (h *hole) negative(v uint64) bool { return h.Signed && v>>(h.Width-1)&1 == 1 }

func (h *hole) constant(st *formula.Store, v uint64) formula.Term {
	return st.Const(h.Width, h.wrap(v))
}

// between returns the proposition that low <= h <= high.
func (h *hole) between(st *formula.Store, low, high uint64) formula.Term {
	le := st.Ule
	if h.Signed {
		le = st.Sle
	}
	return st.And(le(h.constant(st, low), h.term), le(h.term, h.constant(st, high)))
}

// preferred returns values from the best to the worst, those that h may
// not take among them.
func (h *hole) preferred() []uint64 {
	all := append(slices.Clone(h.Prefer), 0, 1, ^uint64(0))
	for i := 1; i < h.Width; i++ {
		all = append(all, 1<<i)
	}
	all = append(all, 1<<(h.Width-1)-1, ^uint64(0))
	var out []uint64
	for _, v := range all {
		if v = h.wrap(v); !slices.Contains(out, v) {
			out = append(out, v)
		}
	}
	return out
}

// distanceFrom0 returns the absolute value of v.
func (h *hole) distanceFrom0(v uint64) uint64 {
	if h.negative(v) {
		return h.wrap(-v)
	}
	return v
}

// within returns the proposition that h's distance from 0 is at most d, which
// is less than that of some value.
func (h *hole) within(st *formula.Store, d uint64) formula.Term {
	if h.Signed {
		return h.between(st, -d, d)
	}
	return st.Ule(h.term, h.constant(st, d))
}
