package invariant

import (
	"slices"

	"github.com/go-amend/amend/formula"
	"github.com/go-amend/amend/incremental/cfa"
	"github.com/go-amend/amend/incremental/internal/bitset"
	"github.com/go-amend/amend/ir"
)

// This file writes terms as expressions. Arithmetic is that of unsigned numbers,
// which wraps in C too; comparisons are of the sign that they have.

// A writer writes terms at a place.
type writer struct {
	p    *ir.Program
	c    *cfa.Automaton
	at   *Place
	vars map[formula.Term]int
}

// lives reports whether all variables of x are live.
func (w *writer) lives(x formula.Term, live bitset.Set) bool {
	return !slices.ContainsFunc(w.c.Store.Vars(nil, x), func(v formula.Term) bool { return !live.Has(w.vars[v]) })
}

// proposition returns the proposition x, or its negation if not yes.
func (w *writer) proposition(x formula.Term, yes bool) (ir.Expr, bool) {
	st := w.c.Store
	switch op := st.Op(x); op {
	case formula.OpNot:
		return w.proposition(st.Arg(x, 0), !yes)
	case formula.OpAnd:
		if yes {
			return w.both(ir.LAnd, x, true)
		}
		return w.both(ir.LOr, x, false)
	case formula.OpEq:
		return w.equal(x, yes)
	case formula.OpXor:
		return w.bits(map[bool]ir.Op{true: ir.Ne, false: ir.Eq}[yes], x)
	case formula.OpUlt, formula.OpSlt:
		signed := op == formula.OpSlt
		if yes {
			return w.numbers(ir.Lt, st.Arg(x, 0), st.Arg(x, 1), signed)
		}
		return w.numbers(ir.Le, st.Arg(x, 1), st.Arg(x, 0), signed)
	case formula.OpVar:
		return w.flag(x, yes)
	case formula.OpExtract:
		if y := st.Arg(x, 0); st.Low(x) == st.Width(y)-1 {
			return w.numbers(map[bool]ir.Op{true: ir.Lt, false: ir.Ge}[yes], y, st.Const(st.Width(y), 0), true)
		}
		e, ok := w.value(st.Arg(x, 0), false)
		if !ok {
			return nil, false
		}
		bit := &ir.Binary{Op: ir.And, X: w.shifted(e, st.Low(x)), Y: number(1, e.Type())}
		return compare(map[bool]ir.Op{true: ir.Ne, false: ir.Eq}[yes], bit, number(0, e.Type())), true
	}
	return nil, false
}

// both returns the operands of the proposition x, or their negations, joined.
func (w *writer) both(op ir.Op, x formula.Term, yes bool) (ir.Expr, bool) {
	a, ok := w.proposition(w.c.Store.Arg(x, 0), yes)
	b, ok2 := w.proposition(w.c.Store.Arg(x, 1), yes)
	if !ok || !ok2 {
		return nil, false
	}
	list := operands(op, operands(op, nil, a), b)
	for i := range list {
		for j := range list {
			if e := orEqual(op, list[i], list[j]); e != nil {
				list[min(i, j)] = e
				return joined(op, slices.Delete(list, max(i, j), max(i, j)+1)), true
			}
		}
	}
	return joined(op, list), true
}

// operands appends the operands of e that op joins to dst.
func operands(op ir.Op, dst []ir.Expr, e ir.Expr) []ir.Expr {
	if b, ok := e.(*ir.Binary); ok && b.Op == op {
		return operands(op, operands(op, dst, b.X), b.Y)
	}
	return append(dst, e)
}

// orEqual returns x < y || x == y, or x <= y && x != y, as one comparison; nil for
// anything else.
func orEqual(op ir.Op, a, b ir.Expr) ir.Expr {
	x, ok := a.(*ir.Binary)
	y, ok2 := b.(*ir.Binary)
	if !ok || !ok2 {
		return nil
	}
	same := ir.EqualExpr(x.X, y.X) && ir.EqualExpr(x.Y, y.Y) || ir.EqualExpr(x.X, y.Y) && ir.EqualExpr(x.Y, y.X)
	switch {
	case !same:
	case op == ir.LOr && x.Op == ir.Lt && y.Op == ir.Eq:
		return compare(ir.Le, x.X, x.Y)
	case op == ir.LAnd && x.Op == ir.Le && y.Op == ir.Ne:
		return compare(ir.Lt, x.X, x.Y)
	}
	return nil
}

// bits returns the operands of x, propositions, compared.
func (w *writer) bits(op ir.Op, x formula.Term) (ir.Expr, bool) {
	a, ok := w.proposition(w.c.Store.Arg(x, 0), true)
	b, ok2 := w.proposition(w.c.Store.Arg(x, 1), true)
	return compare(op, a, b), ok && ok2
}

// equal returns the equation x, or that it doesn't hold. A constant comes second.
func (w *writer) equal(x formula.Term, yes bool) (ir.Expr, bool) {
	st := w.c.Store
	op := map[bool]ir.Op{true: ir.Eq, false: ir.Ne}[yes]
	a, b := st.Arg(x, 0), st.Arg(x, 1)
	if st.Width(a) == 1 {
		return w.bits(op, x)
	}
	if _, ok := st.Value(a); ok {
		a, b = b, a
	}
	return w.numbers(op, a, b, w.signed(a) || w.signed(b))
}

// signed reports whether the term x is a variable of a signed type.
func (w *writer) signed(x formula.Term) bool {
	i, ok := w.vars[x]
	return ok && w.c.Vars[i].Signed
}

// numbers returns a comparison of x and y.
func (w *writer) numbers(op ir.Op, x, y formula.Term, signed bool) (ir.Expr, bool) {
	a, ok := w.value(x, signed)
	b, ok2 := w.value(y, signed)
	if !ok || !ok2 {
		return nil, false
	}
	return compare(op, a, b), true
}

func compare(op ir.Op, a, b ir.Expr) ir.Expr { return &ir.Binary{Op: op, X: a, Y: b} }

// flag returns the variable x of width 1, or its negation.
func (w *writer) flag(x formula.Term, yes bool) (ir.Expr, bool) {
	e, ok := w.use(x)
	switch {
	case !ok:
		return nil, false
	case e.Type() != ir.Type(ir.Bool{}):
		return compare(map[bool]ir.Op{true: ir.Ne, false: ir.Eq}[yes], e, number(0, e.Type())), true
	case yes:
		return e, true
	}
	return &ir.Unary{Op: ir.Not, X: e}, true
}

// use returns the variable x, if it has a name at the place.
func (w *writer) use(x formula.Term) (ir.Expr, bool) {
	i, ok := w.vars[x]
	if !ok || w.c.Vars[i].Of == nil {
		return nil, false
	}
	v := w.c.Vars[i].Of
	if v.Address || !w.p.Nameable(w.at.Proc, v, w.at.Stmt.Span()) || !w.owns(v) {
		return nil, false
	}
	return element(&ir.Use{Var: v}, v.Type, w.c.Vars[i].Elem), true
}

// owns reports whether v is a global or a variable of the place's procedure.
func (w *writer) owns(v *ir.Var) bool {
	f := w.at.Proc
	for _, list := range [][]*ir.Var{w.p.Globals, f.Params, f.Results, f.Locals} {
		for _, u := range list {
			if u == v {
				return true
			}
		}
	}
	return false
}

// element returns the element of e, of type t, that has a number, counted row
// by row.
func element(e ir.Expr, t ir.Type, n int) ir.Expr {
	a, ok := t.(ir.Array)
	if !ok {
		return e
	}
	size := 1
	for u, ok := a.Elem.(ir.Array); ok; u, ok = u.Elem.(ir.Array) {
		size *= u.Len
	}
	i := number(uint64(n/size), ir.Int{Width: 32, Signed: true})
	return element(&ir.Index{X: e, I: i}, a.Elem, n%size)
}

func number(v uint64, t ir.Type) ir.Expr { return &ir.Const{Val: v, Typ: t} }

// value returns the bits of x as a number, signed or not.
func (w *writer) value(x formula.Term, signed bool) (ir.Expr, bool) {
	st := w.c.Store
	t := ir.Int{Width: st.Width(x), Signed: signed}
	if !hasType(t) {
		return nil, false
	}
	if k, ok := st.Value(x); ok {
		return number(k, t), true
	}
	e, ok := w.node(x)
	if !ok {
		return nil, false
	}
	if _, float := e.Type().(ir.Float); float {
		return nil, false
	}
	return converted(e, t), true
}

// hasType reports whether languages have a type of t's width.
func hasType(t ir.Int) bool {
	return t.Width == 8 || t.Width == 16 || t.Width == 32 || t.Width == 64
}

// converted returns e as a number of type t.
func converted(e ir.Expr, t ir.Int) ir.Expr {
	if e.Type() == ir.Type(t) {
		return e
	}
	return &ir.Convert{To: t, X: e, Explicit: true}
}

// arithmetic are the operators that need no more than a name.
var arithmetic = map[formula.Op]ir.Op{
	formula.OpAdd: ir.Add, formula.OpMul: ir.Mul, formula.OpAnd: ir.And, formula.OpXor: ir.Xor,
}

// node returns the number x, no constant, with a sign that is at hand.
func (w *writer) node(x formula.Term) (ir.Expr, bool) {
	st := w.c.Store
	switch op := st.Op(x); op {
	case formula.OpVar:
		return w.use(x)
	case formula.OpAdd, formula.OpMul, formula.OpAnd, formula.OpXor:
		return w.operation(arithmetic[op], x)
	case formula.OpNot:
		e, ok := w.value(st.Arg(x, 0), false)
		if !ok {
			return nil, false
		}
		return converted(&ir.Unary{Op: ir.Compl, X: w.promoted(e)}, ir.Int{Width: st.Width(x)}), true
	case formula.OpZext, formula.OpSext:
		return w.extended(x)
	case formula.OpExtract:
		e, ok := w.value(st.Arg(x, 0), false)
		if !ok {
			return nil, false
		}
		return converted(w.shifted(e, st.Low(x)), ir.Int{Width: st.Width(x)}), true
	case formula.OpIte:
		c, ok := w.proposition(st.Arg(x, 0), true)
		a, ok2 := w.value(st.Arg(x, 1), false)
		b, ok3 := w.value(st.Arg(x, 2), false)
		if !ok || !ok2 || !ok3 {
			return nil, false
		}
		return &ir.Cond{C: c, X: a, Y: b}, true
	}
	return nil, false
}

// operation returns x, an operation on unsigned numbers. An addition of a
// negative constant is a subtraction.
func (w *writer) operation(op ir.Op, x formula.Term) (ir.Expr, bool) {
	st := w.c.Store
	a, b := st.Arg(x, 0), st.Arg(x, 1)
	if _, ok := st.Value(a); ok {
		a, b = b, a
	}
	e, ok := w.value(a, false)
	f, ok2 := w.value(b, false)
	if !ok || !ok2 {
		return nil, false
	}
	if k, constant := st.Value(b); constant && op == ir.Add && k>>(st.Width(b)-1) == 1 {
		op, f = ir.Sub, number(-k&(^uint64(0)>>(64-st.Width(b))), f.Type())
	}
	return converted(&ir.Binary{Op: op, X: w.promoted(e), Y: w.promoted(f)}, ir.Int{Width: st.Width(x)}), true
}

// extended returns x, an extension of a number or proposition.
func (w *writer) extended(x formula.Term) (ir.Expr, bool) {
	st := w.c.Store
	to := ir.Int{Width: st.Width(x), Signed: st.Op(x) == formula.OpSext}
	y := st.Arg(x, 0)
	if st.Width(y) > 1 {
		e, ok := w.value(y, to.Signed)
		return &ir.Convert{To: to, X: e, Explicit: true}, ok
	}
	e, ok := w.proposition(y, true)
	return &ir.Convert{To: to, X: e, Explicit: true}, ok && !to.Signed
}

// promoted returns e in a type that the language computes in.
func (w *writer) promoted(e ir.Expr) ir.Expr {
	if ir.SyntaxOf(w.p).Computes(e.Type()) {
		return e
	}
	return &ir.Convert{To: ir.Int{Width: 32, Signed: true}, X: e}
}

// shifted returns e shifted to the right.
func (w *writer) shifted(e ir.Expr, by int) ir.Expr {
	if by == 0 {
		return e
	}
	t := ir.Int{Width: ir.Width(e.Type())}
	return converted(&ir.Binary{Op: ir.Shr, X: w.promoted(e), Y: number(uint64(by), ir.Int{Width: 32, Signed: true})}, t)
}
