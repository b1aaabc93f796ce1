package formula

// ImportantVars appends to dst the variables of a partial model of the
// proposition p, which must hold in the model that ev evaluates: as long as
// they keep their values, p holds.
//
// It is Algorithm A.1 of Rothenberg's thesis: in negation normal form, all
// conjuncts of a conjunction count, the first true disjunct of a
// disjunction, and all variables of an atom. The normal form is not built:
// a term and the truth value that it has to keep say the same. Time is
// linear in the terms below p.
func ImportantVars(st *Store, p Term, ev *Evaluator, dst []Term) []Term {
	ev.walker.atoms = true
	return ev.walk(st, p, dst)
}

// Important appends to dst variables whose values in the model that ev
// evaluates fix the value of t: it keeps it however the others change.
//
// It refines Algorithm A.1 to terms of any width. Of a conjunction with a
// false operand only the first such operand counts, of a choice only the
// condition and the chosen branch, of a product or bitwise conjunction with
// 0 only the first operand that is 0; the rule for others is: all operands.
// Time is linear in the terms visited.
func Important(st *Store, t Term, ev *Evaluator, dst []Term) []Term {
	ev.walker.atoms = false
	return ev.walk(st, t, dst)
}

// A walker visits the terms that decide a value. It is a part of the
// Evaluator that it asks, so that its memory is used again.
type walker struct {
	st    *Store
	ev    *Evaluator
	seen  []uint32 // by Term: the epoch of the last visit
	epoch uint32
	stack []Term
	atoms bool // look into propositions only
}

func (e *Evaluator) walk(st *Store, t Term, dst []Term) []Term {
	w := &e.walker
	w.st, w.ev = st, e
	if n := st.Len(); len(w.seen) < n {
		w.seen = append(w.seen, make([]uint32, n+n/4-len(w.seen))...)
	}
	w.epoch++
	w.push(t)
	for len(w.stack) > 0 {
		x := w.stack[len(w.stack)-1]
		w.stack = w.stack[:len(w.stack)-1]
		if w.st.Op(x) == OpVar {
			dst = append(dst, x)
			continue
		}
		w.visit(x)
	}
	return dst
}

func (w *walker) push(t Term) {
	if w.seen[t] != w.epoch {
		w.seen[t] = w.epoch
		w.stack = append(w.stack, t)
	}
}

func (w *walker) visit(x Term) {
	n := &w.st.nodes[x]
	if w.atoms && n.width > 1 {
		w.all(n)
		return
	}
	switch n.op {
	case OpAnd, OpMul:
		for _, a := range n.args[:2] {
			if w.ev.Eval(a) == 0 {
				w.push(a)
				return
			}
		}
	case OpIte:
		if w.ev.Eval(n.args[0]) == 1 {
			w.push(n.args[1])
		} else {
			w.push(n.args[2])
		}
		w.push(n.args[0])
		return
	}
	w.all(n)
}

// all pushes all operands, the first on top.
func (w *walker) all(n *node) {
	for i := len(n.args) - 1; i >= 0; i-- {
		if n.args[i] != 0 {
			w.push(n.args[i])
		}
	}
}
