package model

import (
	"github.com/go-amend/amend/formula"
	"github.com/go-amend/amend/formula/relation"
	"github.com/go-amend/amend/mutate/cegis"
)

// This file keeps all candidates of at most two changes that no constraint rules out,
// while they are few enough. A constraint is evaluated on 64 of them at once, and the
// search is told who is left for whom, instead of the constraint itself: of those
// there would soon be a hundred.

// A table holds candidates of one or two changes.
type table struct {
	single    []bool    // by alternative: it alone is left
	partner   [][]int32 // by alternative: those of higher number that are left with it
	untold    []bool    // by alternative: the search doesn't know who is left with it
	exclusive [][2]int  // pairs of which each alone is left, that the search has not been told
}

// maxTable limits the pairs in a table.
const maxTable = 3_000_000

// newTable returns a table of what has at most size changes, one or two, and costs
// at most limit, or nil if that is too much.
func newTable(sp *space, size, limit int) *table {
	t := &table{single: make([]bool, len(sp.alts)), partner: make([][]int32, len(sp.alts)), untold: make([]bool, len(sp.alts))}
	pairs := 0
	for i, p := range sp.places {
		for a := p.first; a < p.end; a++ {
			t.untold[a] = true
			t.single[a] = sp.alts[a].cost <= limit
			if size == 1 {
				continue
			}
			for _, q := range sp.places[i+1:] {
				for b := q.first; b < q.end && sp.alts[a].cost+sp.alts[b].cost <= limit; b++ { // they are in order
					t.partner[a] = append(t.partner[a], int32(b))
				}
			}
			if pairs += len(t.partner[a]); pairs > maxTable {
				return nil
			}
		}
	}
	return t
}

// rule takes out of t what a constraint refutes: that g is true, in s's circuits, of
// which the variables are the selectors.
func (t *table) rule(s *relation.Solver, g relation.Gate, selector []relation.Gate) {
	r := &ruling{t: t, e: s.Evaluator(g), index: make([]int, len(selector))}
	at := make(map[relation.Gate]int)
	for i, x := range r.e.Vars() {
		at[x] = i
	}
	for k, x := range selector {
		r.index[k] = -1
		if i, ok := at[x]; ok {
			r.index[k] = i
		}
	}
	r.singles()
	for a := range t.partner {
		r.pairs(a)
	}
}

// A ruling evaluates one constraint.
type ruling struct {
	t      *table
	e      *relation.Evaluator
	index  []int // of variables, by alternative; -1 if there is none
	chosen [64][2]int
}

// eval returns which of the first n chosen pairs the constraint refutes.
func (r *ruling) eval(n int) uint64 {
	for lane, pair := range r.chosen[:n] {
		for _, k := range pair {
			if i := r.index[k]; i >= 0 {
				*r.e.Value(i) |= 1 << lane
			}
		}
	}
	bad := r.e.Eval()
	for _, pair := range r.chosen[:n] {
		for _, k := range pair {
			if i := r.index[k]; i >= 0 {
				*r.e.Value(i) = 0
			}
		}
	}
	return bad
}

// singles rules on single alternatives.
func (r *ruling) singles() {
	for first := 0; first < len(r.t.single); first += 64 {
		n := min(64, len(r.t.single)-first)
		for lane := range n {
			r.chosen[lane] = [2]int{first + lane, first + lane}
		}
		bad := r.eval(n)
		for lane := range n {
			if k := first + lane; bad>>lane&1 == 1 && r.t.single[k] {
				r.t.single[k], r.t.untold[k] = false, true
			}
		}
	}
}

// pairs rules on the pairs of a with alternatives of higher number.
func (r *ruling) pairs(a int) {
	all := r.t.partner[a]
	left := all[:0]
	for len(all) > 0 {
		n := min(64, len(all))
		for lane, b := range all[:n] {
			r.chosen[lane] = [2]int{a, int(b)}
		}
		bad := r.eval(n)
		for lane, b := range all[:n] {
			if bad>>lane&1 == 0 {
				left = append(left, b)
				continue
			}
			r.t.untold[a], r.t.untold[b] = true, true
			if r.t.single[a] && r.t.single[b] {
				r.t.exclusive = append(r.t.exclusive, [2]int{a, int(b)})
			}
		}
		all = all[n:]
	}
	r.t.partner[a] = left
}

// maxTold is up to how many pairs that are left the search is told of.
const maxTold = 60_000

// say returns what the search has not been told: two that are not chosen
// together, and of an alternative that is not left alone that one of its partners
// is chosen, too. It returns false if that is too much.
func (t *table) say(v cegis.Encoding) (formula.Term, bool) {
	st := v.Store
	left := 0
	for _, bs := range t.partner {
		left += len(bs)
	}
	if left > maxTold {
		return st.True(), false
	}
	var out []formula.Term
	for _, pair := range t.exclusive {
		if t.single[pair[0]] && t.single[pair[1]] {
			out = append(out, st.Not(st.And(v.Chosen(pair[0]), v.Chosen(pair[1]))))
		}
	}
	t.exclusive = nil
	for a, bs := range t.partners() {
		if t.single[a] || !t.untold[a] {
			continue
		}
		t.untold[a] = false
		chosen := make([]formula.Term, len(bs))
		for i, b := range bs {
			chosen[i] = v.Chosen(int(b))
		}
		out = append(out, st.Implies(v.Chosen(a), st.OrN(chosen...)))
	}
	return st.AndN(out...), true
}

// partners returns all that are left with each alternative.
func (t *table) partners() [][]int32 {
	out := make([][]int32, len(t.partner))
	for a, bs := range t.partner {
		out[a] = append(out[a], bs...)
		for _, b := range bs {
			out[b] = append(out[b], int32(a))
		}
	}
	return out
}
