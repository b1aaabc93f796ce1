package formula

// A Replacer copies terms with other terms in the place of variables.
type Replacer struct {
	st   *Store
	by   func(v Term) Term
	memo map[Term]Term
}

// NewReplacer returns a Replacer that puts by(v), a term of equal width, in
// the place of each variable v. It asks once for each variable.
func NewReplacer(st *Store, by func(v Term) Term) *Replacer {
	return &Replacer{st: st, by: by, memo: make(map[Term]Term)}
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
	s := r.st
	switch n.op {
	case OpVar:
		return r.by(x)
	case OpNot:
		return s.Not(a)
	case OpAnd:
		return s.And(a, b)
	case OpXor:
		return s.Xor(a, b)
	case OpAdd:
		return s.Add(a, b)
	case OpMul:
		return s.Mul(a, b)
	case OpUDiv:
		return s.UDiv(a, b)
	case OpURem:
		return s.URem(a, b)
	case OpSDiv:
		return s.SDiv(a, b)
	case OpSRem:
		return s.SRem(a, b)
	case OpShl:
		return s.Shl(a, b)
	case OpLshr:
		return s.Lshr(a, b)
	case OpAshr:
		return s.Ashr(a, b)
	case OpEq:
		return s.Eq(a, b)
	case OpUlt:
		return s.Ult(a, b)
	case OpSlt:
		return s.Slt(a, b)
	case OpIte:
		return s.Ite(a, b, c)
	case OpConcat:
		return s.Concat(a, b)
	case OpZext:
		return s.Zext(int(n.width), a)
	case OpSext:
		return s.Sext(int(n.width), a)
	case OpExtract:
		return s.Extract(a, int(n.aux)+int(n.width)-1, int(n.aux))
	}
	panic("formula: Replace of an unknown operator")
}
