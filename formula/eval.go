package formula

// An Evaluator computes values of terms for one assignment of variables
// after another. It remembers the value of each term until Reset.
type Evaluator struct {
	st    *Store
	env   func(v Term) uint64
	value []uint64 // by Term
	known []uint32 // by Term: the epoch of value
	epoch uint32
	stack []Term

	defs   *definitions // what variables stand for; nil for no definitions
	walker walker
}

// NewEvaluator returns an Evaluator for the terms of st. It asks env for
// the value of a variable, at most once between two Resets; bits above the
// variable's width are ignored.
func NewEvaluator(st *Store, env func(v Term) uint64) *Evaluator {
	return &Evaluator{st: st, env: env, epoch: 1}
}

// Reset forgets all values, in constant time.
func (e *Evaluator) Reset() {
	e.epoch++
	if e.epoch == 0 {
		clear(e.known)
		e.epoch = 1
	}
}

// Eval returns the value of t, in time linear in the terms below it that
// were not evaluated since Reset.
func (e *Evaluator) Eval(t Term) uint64 {
	if n := e.st.Len(); len(e.known) < n {
		e.known, e.value = grown(e.known, n), grown(e.value, n)
	}
	if e.known[t] == e.epoch {
		return e.value[t]
	}
	e.stack = append(e.stack[:0], t)
	for len(e.stack) > 0 {
		x := e.stack[len(e.stack)-1]
		if e.known[x] == e.epoch || e.ready(x) {
			e.stack = e.stack[:len(e.stack)-1]
		}
	}
	return e.value[t]
}

// ready computes the value of x if those of its operands are known, and
// puts them on the stack if not.
func (e *Evaluator) ready(x Term) bool {
	n := &e.st.nodes[x]
	if d := e.defs.of(x); d != 0 {
		if e.known[d] != e.epoch {
			e.stack = append(e.stack, d)
			return false
		}
		e.value[x], e.known[x] = e.value[d], e.epoch
		return true
	}
	ok := true
	for _, a := range n.args {
		if a != 0 && e.known[a] != e.epoch {
			e.stack = append(e.stack, a)
			ok = false
		}
	}
	if !ok {
		return false
	}
	var v uint64
	switch n.op {
	case OpConst:
		v = e.st.consts[n.aux]
	case OpVar:
		v = e.env(x) & ones(int(n.width))
	case OpIte:
		if v = e.value[n.args[2]]; e.value[n.args[0]] == 1 {
			v = e.value[n.args[1]]
		}
	case OpExtract:
		v = e.value[n.args[0]] >> n.aux & ones(int(n.width))
	case OpConcat:
		v = e.value[n.args[0]]<<e.st.Width(n.args[1]) | e.value[n.args[1]]
	case OpZext:
		v = e.value[n.args[0]]
	case OpSext:
		v = signExtend(e.value[n.args[0]], e.st.Width(n.args[0])) & ones(int(n.width))
	case OpNot:
		v = ^e.value[n.args[0]] & ones(int(n.width))
	default:
		v = apply(n.op, e.st.Width(n.args[0]), e.value[n.args[0]], e.value[n.args[1]])
	}
	e.value[x], e.known[x] = v, e.epoch
	return true
}

// Eval returns the value of t where each variable v has the value env(v).
// It defines the operators. It takes time linear in the terms below t.
func (s *Store) Eval(t Term, env func(v Term) uint64) uint64 {
	return NewEvaluator(s, env).Eval(t)
}

// apply returns x op y for a binary operator on values of width w.
func apply(op Op, w int, x, y uint64) uint64 {
	sx, sy := int64(signExtend(x, w)), int64(signExtend(y, w))
	var v uint64
	switch op {
	case OpAnd:
		v = x & y
	case OpXor:
		v = x ^ y
	case OpAdd:
		v = x + y
	case OpMul:
		v = x * y
	case OpUDiv:
		if v = ^uint64(0); y != 0 {
			v = x / y
		}
	case OpURem:
		if v = x; y != 0 {
			v = x % y
		}
	case OpSDiv:
		switch {
		case y != 0 && sy == -1:
			v = -x
		case y != 0:
			v = uint64(sx / sy)
		case sx < 0:
			v = 1
		default:
			v = ^uint64(0)
		}
	case OpSRem:
		switch {
		case y != 0 && sy == -1:
			v = 0
		case y != 0:
			v = uint64(sx % sy)
		default:
			v = x
		}
	case OpShl:
		if y < uint64(w) {
			v = x << y
		}
	case OpLshr:
		if y < uint64(w) {
			v = x >> y
		}
	case OpAshr:
		v = uint64(sx >> min(y, 63))
	case OpEq:
		return truth(x == y)
	case OpUlt:
		return truth(x < y)
	case OpSlt:
		return truth(sx < sy)
	default:
		panic("formula: no binary operator")
	}
	return v & ones(w)
}

func truth(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}
