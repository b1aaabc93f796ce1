package incremental

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/go-amend/amend/formula"
)

// This file walks through the control-flow automaton at random and notes the
// states of the variables on the way. What doesn't hold there is no invariant,
// which saves Houdini most of its queries; and what does, among linear
// equations and bounds, is a good candidate (Ernst et al., Daikon, 2007).

const (
	walks     = 60
	walkSteps = 1200 // letters of one walk
	maxSeen   = 40   // states that are kept of one location
)

// A state holds the values of the variables, by number.
type state []uint64

// walker walks.
type walker struct {
	e      *engine
	rng    *rand.Rand
	seen   [][]state
	passed []int // by location: states met
	ev     *formula.Evaluator
	now    state
}

// observe returns states that can be reached, by location.
func (e *engine) observe() [][]state {
	if e.observed != nil {
		return e.observed
	}
	n := len(e.c.Edges)
	w := &walker{e: e, rng: rand.New(rand.NewPCG(3, 5)), seen: make([][]state, n), passed: make([]int, n)}
	w.ev = formula.NewEvaluator(e.t.Store, func(v formula.Term) uint64 {
		if i, ok := e.t.index[v]; ok {
			return w.now[i]
		}
		return 0
	})
	for i := range walks {
		w.walk([...]int{2, 16, 256}[i%3])
	}
	e.observed = w.seen
	return w.seen
}

// walk makes one walk. Propositions that a havoc makes free are alike but for
// one in odds.
func (w *walker) walk(odds int) {
	w.now = make(state, len(w.e.t.vars))
	usual := w.rng.Uint64()
	for i, x := range w.e.t.vars {
		w.now[i] = w.any(w.e.t.Width(x), odds, usual)
	}
	at := w.e.c.Start
	for range walkSteps {
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
func (w *walker) any(width, odds int, usual uint64) uint64 {
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
func (w *walker) choose(at int) (*Edge, bool) {
	w.ev.Reset()
	var chosen *Edge
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
func (w *walker) do(l *Letter, odds int, usual uint64) {
	if len(l.Vars) > 0 {
		w.ev.Reset()
		next := append(state(nil), w.now...)
		for i, v := range l.Vars {
			next[v] = w.ev.Eval(l.Values[i])
		}
		w.now = next
	}
	if len(l.Havoc) > 0 {
		w.now = append(state(nil), w.now...)
		for _, v := range l.Havoc {
			w.now[v] = w.any(w.e.t.Width(w.e.t.vars[v]), odds, usual)
		}
	}
}

// note notes the state at a location: the first ones, and then some.
func (w *walker) note(at int) {
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

// unbroken returns which of the candidates hold in all states.
func (e *engine) unbroken(cands []formula.Term, states []state) set {
	out := newSet(len(cands))
	for i := range cands {
		out.add(i)
	}
	var now state
	ev := formula.NewEvaluator(e.t.Store, func(v formula.Term) uint64 {
		if i, ok := e.t.index[v]; ok {
			return now[i]
		}
		return 0
	})
	for _, now = range states {
		ev.Reset()
		for i, x := range cands {
			if out.has(i) && ev.Eval(x) == 0 {
				out.remove(i)
			}
		}
	}
	return out
}

// fromStates adds equations between variables, and bounds, that hold in all
// the states of some location.
func (e *engine) fromStates(out []formula.Term, vars []int) []formula.Term {
	const enough = 6
	q := &equations{e: e, out: out, seen: make(map[string]bool)}
	for _, states := range e.observe() {
		if len(states) < enough {
			continue
		}
		for i, v := range vars {
			q.out = e.ranges(q.out, states, v, -1)
			for j, x := range vars {
				if i == j || e.t.Width(e.t.vars[v]) == 1 || e.t.Width(e.t.vars[v]) != e.t.Width(e.t.vars[x]) {
					continue
				}
				if i < j {
					q.out = e.ranges(q.out, states, v, x)
				}
				q.linear(states, v, x)
				for _, y := range vars[j+1:] {
					if y != v && e.t.Width(e.t.vars[y]) == e.t.Width(e.t.vars[x]) {
						q.linear(states, v, x, y)
					}
				}
			}
		}
	}
	return q.out
}

// maxRange is how large ranges are at most.
const maxRange = 300

// ranges adds the smallest range that holds the values of variable v, or of
// v - x if x isn't negative, in all states.
func (e *engine) ranges(out []formula.Term, states []state, v, x int) []formula.Term {
	t := e.t.vars[v]
	w := e.t.Width(t)
	if w == 1 {
		return out
	}
	if x >= 0 {
		t = e.t.Sub(t, e.t.vars[x])
	}
	value := func(s state) int64 {
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

// factors returns the coefficients in equations between numbers of w bits.
func (e *engine) factors(w int) []uint64 {
	out := []uint64{1, ^uint64(0), 2, 3}
	for _, k := range e.constants(w, 0) {
		if k > 3 && k < 1000 && len(out) < 7 {
			out = append(out, k)
		}
	}
	return out
}

// equations collects equations, each once: that two mean the same is hard to
// decide afterwards.
type equations struct {
	e    *engine
	out  []formula.Term
	seen map[string]bool
}

// linear adds the equations v = a·x + b·y + c, for xs x and y, that hold in all
// states.
func (q *equations) linear(states []state, v int, xs ...int) {
	w := q.e.t.Width(q.e.t.vars[v])
	mask := ^uint64(0) >> (64 - w)
	k := make([]uint64, len(xs))
	factors := q.e.factors(w)
	var try func(i int)
	try = func(i int) {
		if i < len(xs) {
			for _, f := range factors {
				k[i] = f
				try(i + 1)
			}
			return
		}
		var c uint64
		for n, s := range states {
			d := s[v]
			for j, x := range xs {
				d -= k[j] * s[x]
			}
			if d &= mask; n > 0 && d != c {
				return
			}
			c = d
		}
		q.add(v, xs, k, c)
	}
	try(0)
}

// add adds the equation v = k·xs + c, unless it is there in another form.
func (q *equations) add(v int, xs []int, k []uint64, c uint64) {
	t := q.e.t
	w := t.Width(t.vars[v])
	mask := ^uint64(0) >> (64 - w)
	if key := canonical(v, xs, k, c, mask); q.seen[key] {
		return
	} else {
		q.seen[key] = true
	}
	sum := t.Const(w, c)
	for j, x := range xs {
		sum = t.Add(sum, t.Mul(t.Const(w, k[j]&mask), t.vars[x]))
	}
	q.out = append(q.out, t.Eq(t.vars[v], sum))
}

// canonical returns a text that equations have in common of which one is the
// other times an odd number: the coefficients, such that the first odd one, in
// the order of the variables, is 1.
func canonical(v int, xs []int, k []uint64, c, mask uint64) string {
	vars, ks := append([]int{v}, xs...), []uint64{1}
	for _, f := range k {
		ks = append(ks, -f)
	}
	order := make([]int, len(vars))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return vars[a] - vars[b] })
	scale := uint64(0)
	for _, i := range order {
		if ks[i]&1 == 1 && scale == 0 {
			scale = inverse(ks[i])
		}
	}
	text := fmt.Sprint(c * scale & mask)
	for _, i := range order {
		text += fmt.Sprint(" ", vars[i], ":", ks[i]*scale&mask)
	}
	return text
}

// inverse returns the inverse of an odd number modulo 2^64.
func inverse(k uint64) uint64 {
	x := k // right modulo 8; each step doubles the bits
	for range 5 {
		x *= 2 - k*x
	}
	return x
}
