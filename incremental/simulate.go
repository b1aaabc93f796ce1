package incremental

import (
	"math/rand/v2"
	"slices"

	"github.com/go-amend/amend/formula"
	"github.com/go-amend/amend/incremental/cfa"
	"github.com/go-amend/amend/incremental/internal/bitset"
)

// This file simulates at random: it walks through the control-flow automaton
// and notes the values of the variables on the way. What doesn't hold there is no invariant,
// which saves Houdini most of its queries; and what does, among linear
// equations and bounds, is a good candidate (Ernst et al., Daikon, 2007).

const (
	simulations     = 60
	simulationSteps = 1200 // letters of one
	maxSeen         = 40   // states that are kept of one location
)

// A valuation holds the values of the variables, by number.
type valuation []uint64

// A simulator makes simulations.
type simulator struct {
	e      *engine
	rng    *rand.Rand
	seen   [][]valuation
	passed []int // by location: states met
	ev     *formula.Evaluator
	now    valuation
}

// simulate returns states that can be reached, by location.
func (e *engine) simulate() [][]valuation {
	if e.simulated != nil {
		return e.simulated
	}
	n := len(e.c.Edges)
	w := &simulator{e: e, rng: rand.New(rand.NewPCG(3, 5)), seen: make([][]valuation, n), passed: make([]int, n)}
	w.ev = formula.NewEvaluator(e.t.Store, func(v formula.Term) uint64 {
		if i, ok := e.t.index[v]; ok {
			return w.now[i]
		}
		return 0
	})
	for i := range simulations {
		w.run([...]int{2, 16, 256}[i%3])
	}
	e.simulated = w.seen
	return w.seen
}

// run makes one simulation. Propositions that a havoc makes free are alike but
// for one in odds.
func (w *simulator) run(odds int) {
	w.now = make(valuation, len(w.e.t.vars))
	usual := w.rng.Uint64()
	for i, x := range w.e.t.vars {
		w.now[i] = w.any(w.e.t.Width(x), odds, usual)
	}
	at := w.e.c.Start
	for range simulationSteps {
		w.note(at)
		x, ok := w.choose(at)
		if !ok {
			return
		}
		w.do(w.e.c.Letters[x.Letter], odds, usual)
		at = x.To
	}
}

// any returns a value of a width.
func (w *simulator) any(width, odds int, usual uint64) uint64 {
	if width == 1 {
		if w.rng.IntN(odds) == 0 {
			usual = ^usual
		}
		return usual & 1
	}
	v := w.rng.Uint64()
	switch w.rng.IntN(4) {
	case 0:
	case 1:
		v = w.rng.Uint64N(100)
	default:
		cs := w.e.constants(width, 0)
		v = cs[w.rng.IntN(len(cs))] + w.rng.Uint64N(3) - 1
	}
	return v & (^uint64(0) >> (64 - width))
}

// choose returns an edge from location at that can be taken now, but not to
// the error: there it reports false, as where there is none.
func (w *simulator) choose(at int) (*cfa.Edge, bool) {
	w.ev.Reset()
	var chosen *cfa.Edge
	n := 0
	for i := range w.e.c.Edges[at] {
		x := &w.e.c.Edges[at][i]
		if w.ev.Eval(w.e.c.Letters[x.Letter].Guard) == 0 {
			continue
		}
		if n++; w.rng.IntN(n) == 0 {
			chosen = x
		}
	}
	return chosen, chosen != nil && chosen.To != w.e.c.Error
}

// do executes letter l.
func (w *simulator) do(l *cfa.Letter, odds int, usual uint64) {
	if len(l.Vars) > 0 {
		w.ev.Reset()
		next := append(valuation(nil), w.now...)
		for i, v := range l.Vars {
			next[v] = w.ev.Eval(l.Values[i])
		}
		w.now = next
	}
	if len(l.Havoc) > 0 {
		w.now = append(valuation(nil), w.now...)
		for _, v := range l.Havoc {
			w.now[v] = w.any(w.e.t.Width(w.e.t.vars[v]), odds, usual)
		}
	}
}

// note notes the state at a location: the first ones, and then some.
func (w *simulator) note(at int) {
	w.passed[at]++
	switch n := len(w.seen[at]); {
	case n < maxSeen:
		w.seen[at] = append(w.seen[at], w.now)
	default:
		if i := w.rng.IntN(w.passed[at]); i >= maxSeen/2 && i < maxSeen {
			w.seen[at][i] = w.now
		}
	}
}

// surviving returns which of the candidates hold in all states.
func (e *engine) surviving(cands []formula.Term, states []valuation) bitset.Set {
	out := bitset.New(len(cands))
	for i := range cands {
		out.Add(i)
	}
	var now valuation
	ev := formula.NewEvaluator(e.t.Store, func(v formula.Term) uint64 {
		if i, ok := e.t.index[v]; ok {
			return now[i]
		}
		return 0
	})
	for _, now = range states {
		ev.Reset()
		for i, x := range cands {
			if out.Has(i) && ev.Eval(x) == 0 {
				out.Remove(i)
			}
		}
	}
	return out
}

// fromStates adds equations between variables, and bounds, that hold in all
// the states of some location.
func (e *engine) fromStates(out []formula.Term, vars []int) []formula.Term {
	const enough = 6
	seen := make(map[formula.Term]bool)
	for _, states := range e.simulate() {
		if len(states) < enough {
			continue
		}
		var widths []int
		for i, v := range vars {
			out = e.ranges(out, states, v, -1)
			for _, x := range vars[i+1:] {
				if e.t.Width(e.t.vars[v]) == e.t.Width(e.t.vars[x]) {
					out = e.ranges(out, states, v, x)
				}
			}
			if w := e.t.Width(e.t.vars[v]); w > 1 && !slices.Contains(widths, w) {
				widths = append(widths, w)
			}
		}
		for _, w := range widths {
			fit := slices.DeleteFunc(slices.Clone(vars), func(v int) bool { n := e.t.Width(e.t.vars[v]); return n == 1 || n > w })
			for _, x := range e.equations(states, fit, w) {
				if !seen[x] {
					seen[x] = true
					out = append(out, x)
				}
			}
		}
	}
	return out
}

// maxRange is how large ranges are at most.
const maxRange = 300

// ranges adds the smallest range that holds the values of variable v, or of
// v - x if x isn't negative, in all states.
func (e *engine) ranges(out []formula.Term, states []valuation, v, x int) []formula.Term {
	t := e.t.vars[v]
	w := e.t.Width(t)
	if w == 1 {
		return out
	}
	if x >= 0 {
		t = e.t.Sub(t, e.t.vars[x])
	}
	value := func(s valuation) int64 {
		d := s[v]
		if x >= 0 {
			d -= s[x]
		}
		return int64(d<<(64-w)) >> (64 - w)
	}
	low, high := value(states[0]), value(states[0])
	for _, s := range states {
		low, high = min(low, value(s)), max(high, value(s))
	}
	if uint64(high-low) > maxRange || low == high {
		return out // it is in equations
	}
	// Modulo 2^w this is one comparison.
	return append(out, e.t.Not(e.t.Ult(e.t.Const(w, uint64(high-low)), e.t.Sub(t, e.t.Const(w, uint64(low))))))
}

// equations returns equations between variables, extended to w bits, that hold
// in all the states.
func (e *engine) equations(states []valuation, vars []int, w int) []formula.Term {
	columns := make([]formula.Term, len(vars))
	for i, v := range vars {
		columns[i] = e.extension(v, w)
	}
	return e.relations(states, columns, w)
}

// relations returns linear equations between terms of w bits that hold in all
// the states, and of which all others follow: those of the affine hull (Karr,
// Acta Informatica 1976), but modulo 2^w.
func (e *engine) relations(states []valuation, columns []formula.Term, w int) []formula.Term {
	mask := ^uint64(0) >> (64 - w)
	values := e.evaluate(states, columns)
	rows := make([][]uint64, len(states)-1)
	for i := range rows {
		rows[i] = make([]uint64, len(columns))
		for j := range columns {
			rows[i][j] = (values[i+1][j] - values[0][j]) & mask
		}
	}
	pivots := reduce(rows, len(columns), mask)
	var out []formula.Term
	for f, x := range columns {
		if slices.Contains(pivots, f) {
			continue
		}
		// x depends on the terms with pivots.
		sum, c := e.t.Const(w, 0), values[0][f]
		for i, p := range pivots {
			sum = e.t.Add(sum, e.t.Mul(e.t.Const(w, rows[i][f]), columns[p]))
			c -= rows[i][f] * values[0][p]
		}
		y := e.t.Eq(x, e.t.Add(sum, e.t.Const(w, c&mask)))
		if e.surviving([]formula.Term{y}, states).Has(0) {
			out = append(out, y)
		}
	}
	return out
}

// evaluate returns the values of terms in states.
func (e *engine) evaluate(states []valuation, ts []formula.Term) [][]uint64 {
	var now valuation
	ev := formula.NewEvaluator(e.t.Store, func(v formula.Term) uint64 {
		if i, ok := e.t.index[v]; ok {
			return now[i]
		}
		return 0
	})
	out := make([][]uint64, len(states))
	for i := range states {
		now = states[i]
		ev.Reset()
		for _, x := range ts {
			out[i] = append(out[i], ev.Eval(x))
		}
	}
	return out
}

// extended returns the number that variable v is in a state, modulo 2^64.
func (e *engine) extended(s valuation, v int) uint64 {
	if w := e.t.Width(e.t.vars[v]); e.c.Vars[v].Signed {
		return uint64(int64(s[v]<<(64-w)) >> (64 - w))
	}
	return s[v]
}

// extension returns variable v as a term of w bits.
func (e *engine) extension(v, w int) formula.Term {
	if e.c.Vars[v].Signed {
		return e.t.Sext(w, e.t.vars[v])
	}
	return e.t.Zext(w, e.t.vars[v])
}

// reduce brings a matrix over the numbers modulo a power of 2 into reduced row
// echelon form, as far as there are odd pivots. It returns the columns of the
// pivots; the i-th is in the i-th row.
func reduce(rows [][]uint64, n int, mask uint64) (pivots []int) {
	for col := range n {
		top := len(pivots)
		i := slices.IndexFunc(rows[top:], func(r []uint64) bool { return r[col]&1 == 1 })
		if i < 0 {
			continue
		}
		rows[top], rows[top+i] = rows[top+i], rows[top]
		scale := inverse(rows[top][col])
		for j := range n {
			rows[top][j] = rows[top][j] * scale & mask
		}
		for k := range rows {
			if f := rows[k][col]; k != top && f != 0 {
				for j := range n {
					rows[k][j] = (rows[k][j] - f*rows[top][j]) & mask
				}
			}
		}
		if pivots = append(pivots, col); len(pivots) == len(rows) {
			break
		}
	}
	return pivots
}

// inverse returns the inverse of an odd number modulo 2^64.
func inverse(k uint64) uint64 {
	x := k // right modulo 8; each step doubles the bits
	for range 5 {
		x *= 2 - k*x
	}
	return x
}
