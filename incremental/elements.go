package incremental

import (
	"slices"
	"strings"

	"github.com/go-amend/amend/formula"
	"github.com/go-amend/amend/incremental/internal/bitset"
)

// This file makes candidates for invariants about all elements of an array, in
// programs whose arrays are abstracted: what an assertion claims of the elements
// that are watched holds up to a counter, or from it on; perhaps only while a
// flag is set or not.

// watched returns the variable that holds the index of the watched elements,
// or -1, and the elements' variables.
func (e *engine) watched() (index int, elements bitset.Set) {
	index, elements = -1, bitset.New(len(e.c.Vars))
	for i, v := range e.c.Vars {
		if strings.HasPrefix(v.Name, "%watched:") {
			index = i
		} else if strings.Contains(v.Name, "[%") {
			elements.Add(i)
		}
	}
	return index, elements
}

// What is combined: so many claims and flags, and so many positions.
const (
	maxElementFacts = 4
	maxPositions    = 6
)

// elementFacts returns candidates about the elements that are watched.
func (e *engine) elementFacts() []formula.Term {
	k, elements := e.watched()
	if k < 0 {
		return nil
	}
	claims := e.elementClaims(k, elements)
	where := e.around(k)
	var flags []formula.Term
	for i, x := range e.t.vars {
		if e.t.Width(x) == 1 && !strings.Contains(e.c.Vars[i].Name, "~") {
			flags = append(flags, x, e.t.Not(x))
		}
	}
	flags = flags[:min(len(flags), 2*maxElementFacts)]
	var out []formula.Term
	for _, claim := range claims {
		for _, x := range where {
			out = append(out, e.t.Or(x, claim))
		}
	}
	for _, claim := range claims {
		for _, x := range where {
			for _, flag := range flags {
				out = append(out, e.t.Or(flag, e.t.Or(x, claim)))
			}
		}
	}
	out = append(append(out, where...), claims...)
	return e.flaggedGuards(out, flags)
}

// flaggedGuards adds the comparisons of variables in guards, or a flag is set:
// what held when a loop was left that set it.
func (e *engine) flaggedGuards(out, flags []formula.Term) []formula.Term {
	for _, l := range e.c.Letters {
		x := l.Guard
		if e.t.Op(x) == formula.OpNot {
			x = e.t.Not(x)
		}
		switch e.t.Op(x) {
		case formula.OpUlt, formula.OpSlt, formula.OpEq:
			for _, flag := range flags {
				out = append(out, e.t.Or(flag, x), e.t.Or(flag, e.t.Not(x)))
			}
		}
	}
	return out
}

// elementClaims returns what the assertions claim of the elements that are
// watched, wherever the elements are.
func (e *engine) elementClaims(k int, elements bitset.Set) []formula.Term {
	var out []formula.Term
	for _, es := range e.c.Edges {
		for _, x := range es {
			guard := e.c.Letters[x.Letter].Guard
			if x.To != e.c.Error || !e.t.mentions(guard).Meets(elements) {
				continue
			}
			for _, c := range e.t.conjuncts(nil, e.atWatched(guard, k)) {
				for _, d := range e.t.conjuncts(nil, e.t.Not(c)) {
					if e.t.mentions(d).Meets(elements) && !slices.Contains(out, d) {
						out = append(out, d)
					}
				}
			}
		}
	}
	return out[:min(len(out), maxElementFacts)]
}

// atWatched returns guard for the index k that is watched, where it compares it
// with another.
func (e *engine) atWatched(guard formula.Term, k int) formula.Term {
	x := e.t.vars[k]
	for _, c := range e.atoms(guard) {
		if e.t.Op(c) == formula.OpEq && e.t.mentions(c).Has(k) {
			if y, ok := e.solved(c, x, k); ok {
				return e.t.replace(guard, map[formula.Term]formula.Term{x: y})
			}
		}
	}
	return guard
}

// atoms returns the propositions that x is made of by and and not.
func (e *engine) atoms(x formula.Term) []formula.Term {
	if e.t.Width(x) == 1 {
		switch e.t.Op(x) {
		case formula.OpAnd:
			return append(e.atoms(e.t.Arg(x, 0)), e.atoms(e.t.Arg(x, 1))...)
		case formula.OpNot:
			return e.atoms(e.t.Arg(x, 0))
		}
	}
	return []formula.Term{x}
}

// positions returns counters of at most w bits, and the variables that guards
// compare with them.
func (e *engine) positions(w int) []int {
	_, counters := e.steps()
	out := slices.Clone(counters)
	for _, l := range e.c.Letters {
		over := e.t.mentions(l.Guard).List()
		if len(over) == 2 && (slices.Contains(counters, over[0]) || slices.Contains(counters, over[1])) {
			out = append(out, over...)
		}
	}
	out = slices.DeleteFunc(out, func(v int) bool { return e.t.Width(e.t.vars[v]) > w || e.t.Width(e.t.vars[v]) == 1 })
	slices.Sort(out)
	out = slices.Compact(out)
	return out[:min(len(out), maxPositions)]
}

// around returns comparisons of the index k that is watched with positions and
// their neighbours: unsigned ones, since no index is negative.
func (e *engine) around(k int) []formula.Term {
	x := e.t.vars[k]
	w := e.t.Width(x)
	var out []formula.Term
	for _, v := range e.positions(w) {
		for _, d := range [...]uint64{0, 1, ^uint64(0)} {
			y := e.t.Add(e.extension(v, w), e.t.Const(w, d&(^uint64(0)>>(64-w))))
			out = append(out, e.t.Not(e.t.Ult(x, y)), e.t.Not(e.t.Ult(y, x)))
		}
	}
	return out
}
