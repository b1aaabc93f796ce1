package formula

// ImportantVars appends to dst the variables of a partial model of the
// proposition p, which must hold in the model that ev evaluates: as long as
// they keep their values, p holds.
//
// It is Algorithm A.1 of Rothenberg's thesis: in negation normal form, all
// conjuncts of a conjunction count, the first true disjunct of a
// disjunction, and all variables of an atom, which is a comparison, a bit
// of a bit-vector, or a variable. The normal form is not built: a term and
// the truth value that it has to keep say the same, where a choice c ? a : b
// is (c ∧ a) ∨ (¬c ∧ b) and a ⊕ b is (a ∧ ¬b) ∨ (¬a ∧ b). Each variable is
// appended once. Time is linear in the terms below p.
func ImportantVars(st *Store, p Term, ev *Evaluator, dst []Term) []Term {
	return ev.walk(st, p, dst, true)
}

// Important appends to dst variables whose values in the model that ev
// evaluates fix the value of t: it keeps it however the others change. Each
// is appended once.
//
// It refines Algorithm A.1 to terms of any width. Of a conjunction with a
// false operand only the first such operand counts, of a choice only the
// condition and the chosen branch, of a product or bitwise conjunction with
// 0 only the first operand that is 0; the rule for others is: all operands.
// Time is linear in the terms visited, but for evaluating them.
func Important(st *Store, t Term, ev *Evaluator, dst []Term) []Term {
	return ev.walk(st, t, dst, false)
}

// A walker visits the terms that decide a value. It is a part of the
// Evaluator that it asks, so that its memory is used again.
type walker struct {
	st    *Store
	ev    *Evaluator
	seen  []uint32 // by Term: the epoch of the last visit
	whole []uint32 // by Term: likewise, as a part of an atom
	epoch uint32
	stack []Term
	parts []Term // terms below atoms
	atoms bool   // atoms count as a whole
}

func (e *Evaluator) walk(st *Store, t Term, dst []Term, atoms bool) []Term {
	w := &e.walker
	w.st, w.ev, w.atoms = st, e, atoms
	w.start()
	w.push(t)
	for len(w.stack) > 0 {
		x := w.stack[len(w.stack)-1]
		w.stack = w.stack[:len(w.stack)-1]
		if st.Op(x) == OpVar {
			dst = w.found(dst, x)
			continue
		}
		w.visit(x)
		for len(w.parts) > 0 {
			dst = w.part(dst)
		}
	}
	return dst
}

// start forgets the last walk.
func (w *walker) start() {
	w.seen = grown(w.seen, w.st.Len())
	if w.atoms {
		w.whole = grown(w.whole, w.st.Len())
	}
	w.epoch++
	if w.epoch == 0 {
		clear(w.seen)
		clear(w.whole)
		w.epoch = 1
	}
}

// found appends the variable v to dst, unless it has been found as a part
// of an atom.
func (w *walker) found(dst []Term, v Term) []Term {
	if w.atoms {
		if w.whole[v] == w.epoch {
			return dst
		}
		w.whole[v] = w.epoch
	}
	return append(dst, v)
}

func (w *walker) push(t Term) {
	if w.seen[t] != w.epoch {
		w.seen[t] = w.epoch
		w.stack = append(w.stack, t)
	}
}

func (w *walker) visit(x Term) {
	n := &w.st.nodes[x]
	if w.atoms && atom(n) {
		w.parts = append(w.parts, x)
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
	// All operands, the first on top.
	for i := len(n.args) - 1; i >= 0; i-- {
		if n.args[i] != 0 {
			w.push(n.args[i])
		}
	}
}

// atom reports whether n is no connective of propositions.
func atom(n *node) bool {
	switch n.op {
	case OpNot, OpAnd, OpXor, OpIte:
		return n.width > 1
	}
	return true
}

// part takes one term off parts, all of whose variables count.
func (w *walker) part(dst []Term) []Term {
	x := w.parts[len(w.parts)-1]
	w.parts = w.parts[:len(w.parts)-1]
	if w.whole[x] == w.epoch {
		return dst
	}
	w.whole[x] = w.epoch
	n := &w.st.nodes[x]
	if n.op == OpVar {
		return append(dst, x)
	}
	for i := len(n.args) - 1; i >= 0; i-- {
		if n.args[i] != 0 {
			w.parts = append(w.parts, n.args[i])
		}
	}
	return dst
}
