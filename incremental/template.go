package incremental

import (
	"context"
	"math/bits"
	"slices"

	"github.com/go-amend/amend/formula"
	"github.com/go-amend/amend/incremental/internal/bitset"
)

// This file finds inductive predicates that no single trace suggests, when
// traces go round a loop more and more often. Candidates come from the
// program's text and from simple templates; Houdini (Flanagan, Leino, FME
// 2001) keeps the largest inductive subset; of that only what the error
// edges need is kept. Rounds come late and their queries are capped: where
// they don't help, they were most of the time.

// A templateRound says when a round of templates takes place, and what it
// may cost.
type templateRound struct {
	visits      int // of one location by a trace: so many,
	refinements int // or so many automata before and two visits
	calls       int // queries at most
}

var templateRounds = [...]templateRound{
	{visits: 3, refinements: 5, calls: 400},   // guards, and what was found so far
	{visits: 4, refinements: 7, calls: 1500},  // variables against constants
	{visits: 6, refinements: 12, calls: 4000}, // variables against each other, parity, equations
	{visits: 8, refinements: 14, calls: 6000}, // and products, multiples
}

// maxCandidates is how many candidates one round takes.
const maxCandidates = 600

// withTemplates returns preds and, if it is time for them, inductive
// predicates.
func (e *engine) withTemplates(ctx context.Context, trace []int, preds []formula.Term) ([]formula.Term, error) {
	level := e.stats.Templates
	if level == len(templateRounds) {
		return preds, nil
	}
	if e.cfg.Reuse != nil && level < e.cfg.Reuse.Templates {
		// They helped the last time: no need to wait.
		level = min(e.cfg.Reuse.Templates, len(templateRounds)) - 1
	} else if !e.templatesDue(level, trace) {
		return preds, nil
	}
	if k, _ := e.watched(); k >= 0 {
		level = max(level, 2) // all that there is about arrays
	}
	r := templateRounds[level]
	e.stats.Templates = level + 1
	cands, err := e.deduplicate(ctx, e.candidates(level, preds))
	if err != nil {
		return nil, err
	}
	h := &houdini{e: e, cands: cands[:min(len(cands), maxCandidates)], limit: e.o.calls + r.calls}
	found, err := h.run(ctx)
	e.stats.PredicateCalls += e.o.calls - h.limit + r.calls
	if len(found) == 0 || err != nil {
		return preds, err
	}
	e.helped = level + 1
	// Enough by themselves they are more general, and the others may be about
	// products that solvers take long for.
	if ok, err := e.newHoareAutomaton(found).accepts(ctx, trace); ok || err != nil {
		return found, err
	}
	return append(preds, found...), nil
}

// templatesDue reports whether it is time for a round of templates.
func (e *engine) templatesDue(level int, trace []int) bool {
	r := templateRounds[level]
	n := e.visits(trace)
	return n >= r.visits || n >= 2 && e.stats.Refinements >= r.refinements
}

// visits returns how often a run of trace visits one state at most.
func (e *engine) visits(trace []int) int {
	count := make(map[int]int)
	n := 0
	for _, x := range e.c.Run(trace) {
		count[x.To]++
		n = max(n, count[x.To])
	}
	return n
}

// candidates returns the propositions that a round of templates tries.
func (e *engine) candidates(level int, preds []formula.Term) []formula.Term {
	out := e.elementFacts()
	both := func(x formula.Term) {
		out = append(out, x, e.t.Not(x))
		if level > 0 {
			out = e.orEqual(out, x)
		}
	}
	for _, p := range preds {
		if level < 3 || !e.t.Multiplies(p) {
			out = append(out, p)
			out = append(out, e.t.disjuncts(nil, p)...)
		}
	}
	for _, l := range e.c.Letters {
		for _, x := range e.t.conjuncts(nil, l.Guard) {
			both(x)
			for _, y := range e.t.disjuncts(nil, x) {
				both(y)
			}
		}
	}
	if level == 0 {
		return out
	}
	out = e.conditions(out)
	vars := e.interesting(preds)
	for _, v := range vars {
		out = e.againstConstants(out, v, level)
	}
	if level > 2 {
		out = append(e.fits(vars), out...) // first, since there are many others
	}
	if level > 1 {
		out = e.fromStates(out, vars)
		for i, v := range vars {
			for j, w := range vars {
				if i != j {
					out = e.againstVariable(out, v, w)
				}
			}
		}
	}
	return out
}

// conditions adds what propositional variables, which front ends make of
// conditions, stand for.
func (e *engine) conditions(out []formula.Term) []formula.Term {
	for _, l := range e.c.Letters {
		for i, v := range l.Vars {
			x, y := e.t.vars[v], l.Values[i]
			if _, ok := e.t.Value(y); !ok && e.t.Width(x) == 1 && !e.t.mentions(y).Has(v) {
				out = append(out, e.t.Eq(x, y))
			}
		}
	}
	return out
}

// orEqual adds to a < b, or its negation, that a <= b, which holds where a
// loop with the condition a < b is left.
func (e *engine) orEqual(out []formula.Term, x formula.Term) []formula.Term {
	if e.t.Op(x) == formula.OpNot {
		x = e.t.Not(x)
	}
	op := e.t.Op(x)
	if op != formula.OpUlt && op != formula.OpSlt {
		return out
	}
	var args [2]formula.Term
	for i, a := range e.t.Args(x) {
		args[i] = a
	}
	if op == formula.OpUlt {
		return append(out, e.t.Not(e.t.Ult(args[1], args[0])))
	}
	return append(out, e.t.Not(e.t.Slt(args[1], args[0])))
}

// few is how many numbers a program has at most of which all are interesting.
const few = 10

// interesting returns the variables that the predicates and the claims of the
// program mention, and those that guards mention with them; and all numbers,
// if they are few.
func (e *engine) interesting(preds []formula.Term) []int {
	s := bitset.New(len(e.c.Vars))
	for _, p := range preds {
		s = e.t.union(s, e.t.mentions(p))
	}
	for _, es := range e.c.Edges {
		for _, x := range es {
			if x.To == e.c.Error {
				s = e.t.union(s, e.t.mentions(e.c.Letters[x.Letter].Guard))
			}
		}
	}
	for _, l := range e.c.Letters {
		if x := e.t.mentions(l.Guard); x.Meets(s) {
			s = e.t.union(s, x)
		}
	}
	numbers, n := bitset.New(len(e.c.Vars)), 0
	for v, x := range e.t.vars {
		if e.t.Width(x) > 1 {
			numbers.Add(v)
			n++
		}
	}
	if n <= few {
		s = e.t.union(s, numbers)
	}
	return s.List()
}

// less returns v < w in the sense of v's type.
func (e *engine) less(v int, x, y formula.Term) formula.Term {
	if e.c.Vars[v].Signed {
		return e.t.Slt(x, y)
	}
	return e.t.Ult(x, y)
}

// againstConstants adds comparisons of variable v with the constants that
// the program compares or assigns, and from level 2 on with their
// neighbours, its parity and alignment.
func (e *engine) againstConstants(out []formula.Term, v, level int) []formula.Term {
	x := e.t.vars[v]
	w := e.t.Width(x)
	if w == 1 {
		return append(out, x, e.t.Not(x))
	}
	for _, k := range e.constants(w, level) {
		c := e.t.Const(w, k)
		lt, gt := e.less(v, x, c), e.less(v, c, x)
		out = append(out, e.t.Eq(x, c), lt, gt, e.t.Not(lt), e.t.Not(gt))
		if e.c.Vars[v].Signed {
			out = append(out, e.t.Not(e.t.Ult(c, x)))
		}
	}
	if level > 1 {
		odd := e.t.Extract(x, 0, 0)
		out = append(out, odd, e.t.Not(odd))
		for _, k := range e.alignments(w) {
			out = append(out, e.t.Eq(e.t.Extract(x, k-1, 0), e.t.Const(k, 0)))
		}
	}
	return out
}

// alignments returns the numbers of bits, more than one, that are zero at the end
// of constants and multiples of them in the program, of width w: sums of such end
// so, too.
func (e *engine) alignments(w int) []int {
	var out []int
	note := func(n int) {
		if n > 1 && n < w {
			out = append(out, n)
		}
	}
	e.eachTerm(func(x formula.Term) {
		if e.t.Width(x) != w {
			return
		}
		if k, ok := e.t.Value(x); ok {
			note(bits.TrailingZeros64(k))
		} else if e.t.Op(x) == formula.OpConcat {
			if k, ok := e.t.Value(e.t.Arg(x, 1)); ok && k == 0 {
				note(e.t.Width(e.t.Arg(x, 1)))
			}
		}
	})
	slices.Sort(out)
	return slices.Compact(out)
}

// eachTerm calls visit for each term in the program's letters, once.
func (e *engine) eachTerm(visit func(x formula.Term)) {
	seen := make(map[formula.Term]bool)
	var walk func(x formula.Term)
	walk = func(x formula.Term) {
		if seen[x] {
			return
		}
		seen[x] = true
		visit(x)
		for _, a := range e.t.Args(x) {
			walk(a)
		}
	}
	for _, l := range e.c.Letters {
		walk(l.Guard)
		for _, x := range l.Values {
			walk(x)
		}
	}
}

// constants returns the constants of width w in the program's letters, 0 and
// 1, in increasing order.
func (e *engine) constants(w, level int) []uint64 {
	out := []uint64{0, 1}
	e.eachTerm(func(x formula.Term) {
		if k, ok := e.t.Value(x); ok && e.t.Width(x) == w {
			out = append(out, k)
			if level > 1 {
				out = append(out, k+1, k-1)
			}
		}
	})
	for i := range out {
		out[i] &= ^uint64(0) >> (64 - w)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// againstVariable adds comparisons of variables v and w.
func (e *engine) againstVariable(out []formula.Term, v, w int) []formula.Term {
	x, y := e.t.vars[v], e.t.vars[w]
	if e.t.Width(x) != e.t.Width(y) || e.t.Width(x) == 1 {
		return out
	}
	next := e.t.Add(y, e.t.Const(e.t.Width(y), 1)) // in the middle of a loop body x may be ahead
	return append(out, e.t.Not(e.less(v, x, y)), e.t.Not(e.less(v, next, x)))
}

// A houdini computes which candidates hold whenever a state is reached,
// supposing that they hold at the others: the greatest such sets.
type houdini struct {
	e     *engine
	cands []formula.Term
	limit int          // of the oracle's calls
	at    []bitset.Set // by state; nil: not reached so far
	pres  map[[2]int]formula.Term
}

// run returns those of the candidates that are needed to show that the error
// isn't reached, as far as they do, and what makes them inductive.
func (h *houdini) run(ctx context.Context) ([]formula.Term, error) {
	c := h.e.c
	h.at = make([]bitset.Set, len(c.Edges))
	h.at[c.Start] = bitset.New(len(h.cands))
	h.pres = make(map[[2]int]formula.Term)
	work := []int{c.Start}
	waiting := make([]bool, len(c.Edges))
	for len(work) > 0 {
		s := work[0]
		work = work[1:]
		waiting[s] = false
		for _, x := range c.Edges[s] {
			if x.To == c.Error {
				continue
			}
			if h.e.o.calls > h.limit {
				return nil, nil
			}
			changed, err := h.pass(ctx, s, x.Letter, x.To)
			if err != nil {
				return nil, err
			}
			if changed && !waiting[x.To] {
				waiting[x.To] = true
				work = append(work, x.To)
			}
		}
	}
	return h.needed(ctx)
}

// pre returns the condition before letter l for candidate i after.
func (h *houdini) pre(l, i int) formula.Term {
	k := [2]int{l, i}
	x, ok := h.pres[k]
	if !ok {
		x = h.e.t.precondition(l, h.cands[i])
		h.pres[k] = x
	}
	return x
}

// given returns the candidates that hold at state s, and the guard of l.
func (h *houdini) given(s, l int) []formula.Term {
	out := []formula.Term{h.e.c.Letters[l].Guard}
	h.at[s].Each(func(i int) { out = append(out, h.cands[i]) })
	return out
}

// frame reports whether candidate i holds after l because it held before.
func (h *houdini) frame(s, l, i int) bool {
	return h.at[s].Has(i) && h.e.t.frame(l, h.cands[i])
}

// pass removes at state to what does not hold after letter l is read at s.
func (h *houdini) pass(ctx context.Context, s, l, to int) (changed bool, err error) {
	given := h.given(s, l)
	plain := h.e.t.withoutProducts(given)
	if ok, err := h.e.o.consistent(ctx, plain...); !ok || err != nil {
		return false, err
	}
	if h.at[to] == nil {
		changed = true
		h.at[to] = h.e.surviving(h.cands, h.e.simulate()[to])
	}
	changed = h.products(given, s, l, to) || changed
	for {
		fails := h.e.t.False()
		h.at[to].Each(func(i int) {
			if !h.frame(s, l, i) && !h.e.t.isProduct(h.pre(l, i)) {
				fails = h.e.t.Or(fails, h.e.t.Not(h.pre(l, i)))
			}
		})
		ok, err := h.e.o.consistent(ctx, append(plain, fails)...)
		if !ok || err != nil {
			return changed, err
		}
		changed = true
		h.at[to].Each(func(i int) {
			if h.e.o.value(h.pre(l, i)) == 0 && !h.frame(s, l, i) && !h.e.t.isProduct(h.pre(l, i)) {
				h.at[to].Remove(i)
			}
		})
	}
}

// products removes at state to the equations of products that don't follow by
// algebra after letter l is read at s: solvers take too long for them.
func (h *houdini) products(given []formula.Term, s, l, to int) (changed bool) {
	h.at[to].Each(func(i int) {
		if !h.frame(s, l, i) && h.e.t.isProduct(h.pre(l, i)) && !h.e.t.follows(given, h.pre(l, i)) {
			h.at[to].Remove(i)
			changed = true
		}
	})
	return changed
}

// needed returns the candidates in the cores that exclude the error edges, and
// the edges to states that are not reached, and those that they rest on.
func (h *houdini) needed(ctx context.Context) ([]formula.Term, error) {
	c := h.e.c
	use := bitset.New(len(h.cands))
	var todo []int
	want := func() {
		for _, x := range h.e.o.core {
			if i := slices.Index(h.cands, x); i >= 0 && !use.Has(i) {
				use.Add(i)
				todo = append(todo, i)
			}
		}
	}
	for s, es := range c.Edges {
		for _, x := range es {
			if h.at[s] == nil || x.To != c.Error && h.at[x.To] != nil {
				continue
			}
			no, err := h.e.implies(ctx, h.given(s, x.Letter), h.e.t.False())
			if err != nil {
				return nil, err
			}
			if no {
				want()
			}
		}
	}
	for k := 0; k < len(todo) && h.e.o.calls <= h.limit; k++ {
		if err := h.support(ctx, todo[k], want); err != nil {
			return nil, err
		}
	}
	var out []formula.Term
	use.Each(func(i int) { out = append(out, h.cands[i]) })
	return out, nil
}

// support calls want after each query that shows why candidate i holds.
func (h *houdini) support(ctx context.Context, i int, want func()) error {
	for s, es := range h.e.c.Edges {
		for _, x := range es {
			if h.at[s] == nil || h.at[x.To] == nil || !h.at[x.To].Has(i) || h.frame(s, x.Letter, i) {
				continue
			}
			ok, err := h.e.implies(ctx, h.given(s, x.Letter), h.pre(x.Letter, i))
			if err != nil {
				return err
			}
			if ok {
				want()
			}
		}
	}
	return nil
}
