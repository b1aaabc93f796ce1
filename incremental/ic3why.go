package incremental

import (
	"slices"

	"github.com/go-amend/amend/formula"
	"github.com/go-amend/amend/incremental/internal/bitset"
)

// This file says why a block leads from one state to another: which
// predicates of the state before matter.

// predecessor returns the obligation to exclude the state that the last query
// has found before o, with others for the same reason.
func (s *step) predecessor(o *obligation) *obligation {
	w := &why{s: s, seen: make(map[formula.Term]bool), plain: make(map[formula.Term]formula.Term), vague: s.p.e.t.none}
	w.holds(s.l.Guard)
	for _, x := range o.cube {
		w.holds(s.post(x))
	}
	w.finish()
	return &obligation{at: s.from, cube: w.cube, level: o.level - 1, steps: o.steps + 1, next: o, by: s}
}

// A why collects what keeps the values of propositions in the last model of
// a step: like formula.Important, but predicates, not variables.
type why struct {
	s     *step
	seen  map[formula.Term]bool
	plain map[formula.Term]formula.Term // what terms are without their choices
	todo  []formula.Term
	cube  cube
	vague bitset.Set // the variables of propositions that are no predicates
}

// holds adds why the proposition x has the value that it has.
func (w *why) holds(x formula.Term) {
	st, ask := w.s.p.e.t.Store, w.s.ask
	w.todo = append(w.todo, x)
	for len(w.todo) > 0 {
		y := w.todo[len(w.todo)-1]
		w.todo = w.todo[:len(w.todo)-1]
		if w.seen[y] {
			continue
		}
		w.seen[y] = true
		switch op := st.Op(y); {
		case op == formula.OpConst:
		case op == formula.OpAnd && ask.Value(y) == 0:
			w.todo = append(w.todo, w.failing(y))
		case op == formula.OpIte:
			w.todo = append(w.todo, st.Arg(y, 0), st.Arg(y, 2-int(ask.Value(st.Arg(y, 0)))))
		case w.s.p.connects(y):
			for _, a := range st.Args(y) {
				w.todo = append(w.todo, a)
			}
		default:
			if z := w.resolved(y); z != y {
				w.todo = append(w.todo, z)
			} else {
				w.atom(y)
			}
		}
	}
}

// failing returns an operand of the conjunction x that is false: one that
// counts already, if there is one.
func (w *why) failing(x formula.Term) formula.Term {
	st := w.s.p.e.t.Store
	a, b := st.Arg(x, 0), st.Arg(x, 1)
	if w.s.ask.Value(a) == 1 || w.s.ask.Value(b) == 0 && w.seen[b] && !w.seen[a] {
		return b
	}
	return a
}

// resolved returns x with its choices decided, whose conditions count then.
func (w *why) resolved(x formula.Term) formula.Term {
	if y, ok := w.plain[x]; ok {
		return y
	}
	st := w.s.p.e.t.Store
	y := x
	if st.Op(x) == formula.OpIte {
		c := st.Arg(x, 0)
		w.todo = append(w.todo, c)
		y = w.resolved(st.Arg(x, 2-int(w.s.ask.Value(c))))
	} else if st.NumArgs(x) > 0 {
		var args []formula.Term
		same := true
		for _, a := range st.Args(x) {
			b := w.resolved(a)
			same = same && a == b
			args = append(args, b)
		}
		if !same {
			y = st.Make(st.Op(x), st.Width(x), st.Low(x), args...)
		}
	}
	w.plain[x] = y
	return y
}

// atom adds that the proposition x, which is no connection of others, has
// its value, if it is about variables of the program.
func (w *why) atom(x formula.Term) {
	p := w.s.p
	if i, ok := p.number[x]; ok {
		w.cube = append(w.cube, literal(2*i+1-int(w.s.ask.Value(x))))
		return
	}
	over := bitset.New(len(p.e.c.Vars))
	p.e.t.mentions(x).Each(func(v int) {
		if !p.e.c.Vars[v].Input {
			over.Add(v)
		}
	})
	w.vague = p.e.t.union(w.vague, over)
}

// finish adds all predicates about the variables of what is not one: the
// abstraction knows nothing else about it.
func (w *why) finish() {
	p := w.s.p
	if p.connected {
		w.connect()
	}
	for i, x := range p.preds {
		if p.e.t.mentions(x).Meets(w.vague) {
			w.cube = append(w.cube, literal(2*i+1-int(w.s.ask.Value(x))))
		}
	}
	slices.Sort(w.cube)
	w.cube = slices.Compact(w.cube)
}

// connect adds to the variables those that predicates compare them with, and so
// on: what is known of these says something about the others.
func (w *why) connect() {
	p := w.s.p
	for grown := true; grown; {
		grown = false
		for _, x := range p.preds {
			if over := p.e.t.mentions(x); over.Meets(w.vague) && !over.In(w.vague) {
				w.vague = p.e.t.union(w.vague, over)
				grown = true
			}
		}
	}
}
