package ir

import "slices"

// EqualExpr reports whether x and y are built alike, from the same
// variables. Spans and SiteIDs don't count.
func EqualExpr(x, y Expr) bool {
	switch x := x.(type) {
	case *Use:
		y, ok := y.(*Use)
		return ok && x.Var == y.Var
	case *Const:
		y, ok := y.(*Const)
		return ok && x.Val == y.Val && x.Typ == y.Typ
	case *Unary:
		y, ok := y.(*Unary)
		return ok && x.Op == y.Op && EqualExpr(x.X, y.X)
	case *Binary:
		y, ok := y.(*Binary)
		return ok && x.Op == y.Op && EqualExpr(x.X, y.X) && EqualExpr(x.Y, y.Y)
	case *Cond:
		y, ok := y.(*Cond)
		return ok && EqualExpr(x.C, y.C) && EqualExpr(x.X, y.X) && EqualExpr(x.Y, y.Y)
	case *Index:
		y, ok := y.(*Index)
		return ok && EqualExpr(x.X, y.X) && EqualExpr(x.I, y.I)
	case *Self:
		_, ok := y.(*Self)
		return ok
	case *Ended:
		y, ok := y.(*Ended)
		return ok && EqualExpr(x.Thread, y.Thread)
	case *Any:
		y, ok := y.(*Any)
		return ok && x.Typ == y.Typ && x.Wake == y.Wake
	case *Convert:
		y, ok := y.(*Convert)
		return ok && x.To == y.To && x.Bits == y.Bits && EqualExpr(x.X, y.X)
	case *Math:
		y, ok := y.(*Math)
		return ok && x.Fn == y.Fn && slices.EqualFunc(x.Args, y.Args, EqualExpr)
	}
	return false
}
