package mutate

import (
	"slices"

	"github.com/go-amend/amend/formula"
	"github.com/go-amend/amend/ir"
)

// A Value is what was found for a hole.
type Value struct {
	Type ir.Type
	Bits uint64

	nth int // among the holes of the candidate

	// Low and High are the ends of the largest interval around the value
	// that was proved to consist of values that make the repair one, all
	// else being equal. Without Config.Intervals both are the value.
	Low, High uint64
}

// found returns the constants among the values of a's holes, of which the
// first is the candidate's n-th.
func (sp *space) found(a alternative, values []uint64, n int) []Value {
	var out []Value
	for i, v := range values {
		if h := sp.holes[a.hole+i]; !h.choice {
			out = append(out, Value{Type: h.Var.Type, Bits: v, nth: n + i, Low: v, High: v})
		}
	}
	return out
}

// holed returns an operator that makes holes.
func (sp *space) holed() *Operator {
	for _, a := range sp.alts {
		if a.holes > 0 {
			return a.op
		}
	}
	return nil
}

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

func (h *hole) constant(st *formula.Store, v uint64) formula.Term {
	return st.Const(st.Width(h.term), ir.Wrap(h.Var.Type, v))
}

// between returns the proposition that low <= h <= high, in the order of
// its type.
func (h *hole) between(st *formula.Store, low, high uint64) formula.Term {
	le := st.Ule
	if ir.Signed(h.Var.Type) {
		le = st.Sle
	}
	return st.And(le(h.constant(st, low), h.term), le(h.term, h.constant(st, high)))
}

// preferred returns values from the best to the worst, those that h may
// not take among them.
func (h *hole) preferred() []uint64 {
	t := h.Var.Type
	w := ir.Width(t)
	all := append(slices.Clone(h.Prefer), 0, 1, ^uint64(0))
	for i := 1; i < w; i++ {
		all = append(all, 1<<i)
	}
	all = append(all, 1<<(w-1)-1, ^uint64(0))
	var out []uint64
	for _, v := range all {
		if v = ir.Wrap(t, v); !slices.Contains(out, v) {
			out = append(out, v)
		}
	}
	return out
}

// distanceFrom0 returns the absolute value of v.
func distanceFrom0(t ir.Type, v uint64) uint64 {
	if n := ir.SignedValue(t, v); ir.Signed(t) && n < 0 {
		return -uint64(n)
	}
	return v
}

// within returns the proposition that h's distance from 0 is at most d, which
// is less than that of some value.
func (h *hole) within(st *formula.Store, d uint64) formula.Term {
	if ir.Signed(h.Var.Type) {
		return h.between(st, -d, d)
	}
	return st.Ule(h.term, h.constant(st, d))
}
