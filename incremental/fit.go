package incremental

import (
	"slices"

	"github.com/go-amend/amend/formula"
)

// This file fits what sums grow to, where each round of a loop adds a
// variable: products with a counter, and multiples of it.

// maxFit is how many variables a product or multiple may be made of.
const maxFit = 8

// fits returns equations of products and bounds by multiples that hold in all
// simulated states of some location.
func (e *engine) fits(vars []int) []formula.Term {
	sums, counters := e.steps()
	fit := slices.DeleteFunc(slices.Clone(vars), func(v int) bool { return e.t.Width(e.t.vars[v]) == 1 })
	fit = fit[:min(len(fit), maxFit)]
	var out []formula.Term
	seen := make(map[formula.Term]bool)
	add := func(xs ...formula.Term) {
		for _, x := range xs {
			if !seen[x] {
				seen[x] = true
				out = append(out, x)
			}
		}
	}
	for _, states := range e.simulate() {
		for _, v := range sums[:min(len(sums), maxFit)] {
			for _, c := range counters[:min(len(counters), maxFit)] {
				if v == c || e.t.Width(e.t.vars[v]) != e.t.Width(e.t.vars[c]) {
					continue
				}
				add(e.multiples(states, v, c)...)
				add(e.products(states, v, c, fit)...)
			}
		}
	}
	return out
}

// steps returns the variables to which some letter adds something, and those
// to which one adds a constant.
func (e *engine) steps() (sums, counters []int) {
	for v, x := range e.t.vars {
		var sum, counter bool
		for _, l := range e.c.Letters {
			i := slices.Index(l.Vars, v)
			if i < 0 || e.t.Op(l.Values[i]) != formula.OpAdd && e.t.Op(l.Values[i]) != formula.OpNot || !e.t.mentions(l.Values[i]).Has(v) {
				continue
			}
			_, constant := e.t.Value(e.t.Sub(l.Values[i], x))
			sum, counter = sum || !constant, counter || constant
		}
		if sum {
			sums = append(sums, v)
		}
		if counter {
			counters = append(counters, v)
		}
	}
	return sums, counters
}

// products returns equations that hold in all states between v, the counter
// c, the variables fit of the same width and their products with c.
func (e *engine) products(states []valuation, v, c int, fit []int) []formula.Term {
	w := e.t.Width(e.t.vars[v])
	columns := []formula.Term{e.t.vars[v], e.t.vars[c]}
	for _, x := range fit {
		if y := e.t.vars[x]; x != v && x != c && e.t.Width(y) == w {
			columns = append(columns, y)
		}
	}
	for _, y := range columns[1:] {
		columns = append(columns, e.t.Mul(e.t.vars[c], y))
	}
	if len(states) < len(columns)+2 {
		return nil
	}
	return slices.DeleteFunc(e.relations(states, columns, w), func(x formula.Term) bool { return !e.t.Multiplies(x) })
}

// maxSlope is how large the constants are that multiples are made with.
const maxSlope = 1 << 16

// multiples returns bounds of v by multiples of c with the program's constants:
// the tightest that hold in all states.
func (e *engine) multiples(states []valuation, v, c int) []formula.Term {
	w := e.t.Width(e.t.vars[v])
	varies := func(x int) bool {
		return slices.ContainsFunc(states, func(s valuation) bool { return s[x] != states[0][x] })
	}
	if len(states) == 0 || !varies(v) || !varies(c) {
		return nil
	}
	var out []formula.Term
	for _, k := range e.constants(w, 0) {
		if k < 2 || k > maxSlope {
			continue
		}
		for _, slope := range [...]int64{int64(k), -int64(k)} {
			out = append(out, e.slope(states, v, c, slope)...)
		}
	}
	return out
}

// slope returns v <= k·c + high and k·c + low <= v with the tightest multiples
// of k, if they are small.
func (e *engine) slope(states []valuation, v, c int, k int64) []formula.Term {
	x, y := e.t.vars[v], e.t.vars[c]
	w := e.t.Width(x)
	rest := func(s valuation) int64 { return int64(e.extended(s, v)) - k*int64(e.extended(s, c)) }
	low, high := rest(states[0]), rest(states[0])
	for _, s := range states {
		low, high = min(low, rest(s)), max(high, rest(s))
	}
	at := func(d int64) formula.Term {
		return e.t.Add(e.t.Mul(e.t.Const(w, uint64(k)&(^uint64(0)>>(64-w))), y), e.t.Const(w, uint64(d)&(^uint64(0)>>(64-w))))
	}
	// The greatest multiple may not be among the samples.
	n := max(k, -k)
	low, high = -roundUp(-low, n), roundUp(high, n)
	small := func(d int64) bool { return d >= -4*maxSlope && d <= 4*maxSlope }
	var out []formula.Term
	if small(high) {
		out = append(out, e.t.Not(e.less(v, at(high), x)))
	}
	if small(low) {
		out = append(out, e.t.Not(e.less(v, x, at(low))))
	}
	return out
}

// roundUp returns the least multiple of n that is not less than d.
func roundUp(d, n int64) int64 {
	r := d % n
	if r < 0 {
		r += n
	}
	if r == 0 {
		return d
	}
	return d + n - r
}
