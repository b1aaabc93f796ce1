package gofront

// Small expressions of ir, folded where that is obvious.

import "github.com/go-amend/amend/ir"

func use(v *ir.Var) *ir.Use { return &ir.Use{Var: v} }

func num(t ir.Type, n int64) *ir.Const { return &ir.Const{Typ: t, Val: ir.Wrap(t, uint64(n))} }

func truth(c bool) *ir.Const {
	if c {
		return &ir.Const{Typ: tBool, Val: 1}
	}
	return &ir.Const{Typ: tBool}
}

// plain reports whether e is a constant that nothing changes.
func plain(e ir.Expr) (int64, bool) {
	c, ok := e.(*ir.Const)
	if !ok || c.ID != 0 {
		return 0, false
	}
	if ir.Signed(c.Typ) {
		return ir.SignedValue(c.Typ, c.Val), true
	}
	return int64(c.Val), true
}

func add(x, y ir.Expr) ir.Expr {
	m, okx := plain(x)
	n, oky := plain(y)
	switch {
	case okx && oky:
		return num(x.Type(), m+n)
	case okx && m == 0:
		return y
	case oky && n == 0:
		return x
	}
	if s, ok := x.(*ir.Binary); ok && oky && s.Op == ir.Add && s.ID == 0 && s.Pos.IsZero() {
		if k, ok := plain(s.Y); ok {
			return add(s.X, num(x.Type(), k+n))
		}
	}
	return &ir.Binary{Op: ir.Add, X: x, Y: y}
}

func sub(x, y ir.Expr) ir.Expr {
	m, okx := plain(x)
	n, oky := plain(y)
	switch {
	case okx && oky:
		return num(x.Type(), m-n)
	case oky && n == 0:
		return x
	}
	return &ir.Binary{Op: ir.Sub, X: x, Y: y}
}

func mul(x ir.Expr, k int) ir.Expr {
	if n, ok := plain(x); ok {
		return num(x.Type(), n*int64(k))
	}
	if k == 1 {
		return x
	}
	return &ir.Binary{Op: ir.Mul, X: x, Y: num(x.Type(), int64(k))}
}

func and(x, y ir.Expr) ir.Expr {
	if n, ok := plain(x); ok {
		if n == 0 {
			return x
		}
		return y
	}
	if n, ok := plain(y); ok && n == 1 {
		return x
	}
	return &ir.Binary{Op: ir.LAnd, X: x, Y: y}
}

func or(x, y ir.Expr) ir.Expr {
	if n, ok := plain(x); ok {
		if n != 0 {
			return x
		}
		return y
	}
	if n, ok := plain(y); ok && n == 0 {
		return x
	}
	return &ir.Binary{Op: ir.LOr, X: ir.CloneExpr(x), Y: ir.CloneExpr(y)}
}

func compare(op ir.Op, x, y ir.Expr) ir.Expr {
	m, okx := plain(x)
	n, oky := plain(y)
	if okx && oky {
		if x.Type() == tU64 || y.Type() == tU64 {
			if m >= 0 && n >= 0 && op == ir.Lt {
				return truth(m < n)
			}
		} else if ir.Signed(x.Type()) {
			switch op {
			case ir.Lt:
				return truth(m < n)
			case ir.Le:
				return truth(m <= n)
			case ir.Gt:
				return truth(m > n)
			case ir.Ge:
				return truth(m >= n)
			case ir.Eq:
				return truth(m == n)
			case ir.Ne:
				return truth(m != n)
			}
		}
	}
	return &ir.Binary{Op: op, X: x, Y: y}
}

// convert converts e to t, if it isn't of that type.
func convert(e ir.Expr, t ir.Type) ir.Expr {
	if e.Type() == t {
		return e
	}
	if n, ok := plain(e); ok && isInteger(t) && isInteger(e.Type()) {
		return num(t, n)
	}
	return &ir.Convert{To: t, X: e}
}

func isInteger(t ir.Type) bool {
	_, ok := t.(ir.Int)
	return ok
}

// readOnly returns e with nothing in it a site.
func readOnly(e ir.Expr) ir.Expr {
	e = ir.CloneExpr(e)
	clearSites(e)
	return e
}

func clearSites(e ir.Expr) {
	ir.ExprOf(e).ID = 0
	for _, o := range e.Operands(nil) {
		clearSites(*o)
	}
}
