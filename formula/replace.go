package formula

// A Replacer copies terms with other terms in the place of variables.
type Replacer struct {
	st   *Store
	by   func(v Term) Term
	memo map[Term]Term
	bare bool // nothing is simplified
}

// NewReplacer returns a Replacer that puts by(v), a term of equal width, in
// the place of each variable v. It asks once for each variable.
func NewReplacer(st *Store, by func(v Term) Term) *Replacer {
	return &Replacer{st: st, by: by, memo: make(map[Term]Term)}
}

// NewRenamer returns a Replacer that puts the variable by(v) in the place of v and
// simplifies nothing: what it returns is built as t is.
func NewRenamer(st *Store, by func(v Term) Term) *Replacer {
	r := NewReplacer(st, by)
	r.bare = true
	return r
}

// Replace returns t with its variables replaced, in time linear in the terms
// below t that were not met before.
func (r *Replacer) Replace(t Term) Term {
	stack := []Term{t}
	for len(stack) > 0 {
		x := stack[len(stack)-1]
		n := len(stack)
		if r.memo[x] == 0 {
			for _, a := range r.st.nodes[x].args {
				if a != 0 && r.memo[a] == 0 {
					stack = append(stack, a)
				}
			}
		}
		if len(stack) > n {
			continue
		}
		stack = stack[:n-1]
		if r.memo[x] == 0 {
			r.memo[x] = r.copy(x)
		}
	}
	return r.memo[t]
}

// copy returns x with its operands, and itself if it is a variable,
// replaced.
func (r *Replacer) copy(x Term) Term {
	n := r.st.nodes[x] // a copy: the store grows
	a, b, c := r.memo[n.args[0]], r.memo[n.args[1]], r.memo[n.args[2]]
	if n.op != OpVar && a == n.args[0] && b == n.args[1] && c == n.args[2] {
		return x
	}
	if n.op == OpVar {
		return r.by(x)
	}
	if r.bare {
		return r.st.mk(n.op, int(n.width), n.aux, a, b, c)
	}
	return r.st.Make(n.op, int(n.width), int(n.aux), a, b, c)
}
