package mutate

import "github.com/go-amend/amend/ir"

// This file is about holes: choices that operators make with them, the values
// that were found, and what these make of an expression.

// A Value is what was found for a hole.
type Value struct {
	Type ir.Type
	Bits uint64

	nth int // among the holes of the candidate

	// Low and High are the ends of the largest interval around the value
	// that was proved to consist of values that make the repair one, all
	// else being equal. Without Config.Intervals both are the value.
	Low, High uint64
}

// found returns the constants among the values of a's holes, of which the
// first is the candidate's n-th.
func (sp *space) found(a alternative, values []uint64, n int) []Value {
	var out []Value
	for i, v := range values {
		if h := sp.holes[a.hole+i]; !h.choice {
			out = append(out, Value{Type: h.Var.Type, Bits: v, nth: n + i, Low: v, High: v})
		}
	}
	return out
}

// holed returns an operator that makes holes.
func (sp *space) holed() *Operator {
	for _, a := range sp.alts {
		if a.holes > 0 {
			return a.op
		}
	}
	return nil
}

// Choose returns an expression that is one of options, which have one type,
// and the hole that says which. The first is the simplest. In the source a
// repair has the chosen one alone.
func Choose(options ...ir.Expr) (ir.Expr, Hole) {
	h := NewHole(ir.Int{Width: 16})
	h.choice = true
	h.High = int64(len(options) - 1)
	for i := range options {
		h.Prefer = append(h.Prefer, uint64(i))
	}
	if len(options) == 1 {
		h.Not = []uint64{1} // a bound of 0 to 0 would be none
		h.High = 1
	}
	return h.Choose(options...), h
}

// Filled returns what a repair puts at the site if values are in a's holes, in
// order: with the choices made, as a person would write it.
func (a Alternative) Filled(values ...uint64) ir.Expr { return filled(a.Expr, a.Holes, values) }

// Choose returns an expression that is the one of options that h says, which
// the function Choose made for as many: two choices that go together.
func (h Hole) Choose(options ...ir.Expr) ir.Expr {
	last := len(options) - 1
	e := options[last]
	for i := last - 1; i >= 0; i-- {
		is := &ir.Binary{Op: ir.Eq, X: h.Use(), Y: &ir.Const{Val: uint64(i), Typ: h.Var.Type}}
		e = &ir.Cond{C: is, X: options[i], Y: e}
	}
	return e
}

// simplified returns e, in which holes have become constants, as a person would
// write it: with the choice made, without adding 0, and with x - 1 for
// x + -1.
func simplified(e ir.Expr) ir.Expr {
	switch e := e.(type) {
	case *ir.Cond:
		if c, ok := e.C.(*ir.Const); ok {
			if c.Val != 0 {
				return e.X
			}
			return e.Y
		}
	case *ir.Binary:
		y, ok := e.Y.(*ir.Const)
		if !ok {
			break
		}
		if x, ok := e.X.(*ir.Const); ok && e.Op == ir.Eq {
			return &ir.Const{Val: bit(x.Val == y.Val), Typ: ir.Bool{}}
		}
		if e.Op == ir.Add {
			return plus(e, y)
		}
	}
	return e
}

func bit(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// plus returns e, the sum of e.X and c.
func plus(e *ir.Binary, c *ir.Const) ir.Expr {
	switch n := ir.SignedValue(c.Typ, c.Val); {
	case c.Val == 0:
		return e.X
	case ir.Signed(c.Typ) && n < 0 && n != -n:
		return &ir.Binary{Op: ir.Sub, X: e.X, Y: &ir.Const{Val: ir.Wrap(c.Typ, -c.Val), Typ: c.Typ}}
	}
	return e
}
