package relation

import "slices"

// This file walks and rebuilds trees.

// Children appends n's operands to dst in the order of the source: bounds of
// declarations and values of lets before bodies. The Over of an AnyExpr,
// AnyInt or AnyFormula is no operand.
func Children(n Node, dst []Node) []Node {
	rebuild(n, func(x Node) Node { dst = append(dst, x); return x })
	return dst
}

// Walk calls f for n and the nodes below it, outer first, each once. Where f
// returns false it does not go deeper.
func Walk(n Node, f func(Node) bool) {
	seen := map[Node]bool{}
	var walk func(Node)
	walk = func(n Node) {
		if seen[n] {
			return
		}
		seen[n] = true
		if f(n) {
			for _, x := range Children(n, nil) {
				walk(x)
			}
		}
	}
	walk(n)
}

// Replace returns root with what by says in the place of nodes: by returns the
// replacement of a node, which it does not look into, or nil to keep it.
// A replacement is of the same kind: an Expr of equal arity, an Int or a
// Formula. Nodes above a replaced one are copied, all others shared with root.
func Replace(root Node, by func(Node) Node) Node {
	memo := map[Node]Node{}
	var replace func(Node) Node
	replace = func(n Node) Node {
		if r, ok := memo[n]; ok {
			return r
		}
		r := by(n)
		if r == nil {
			r = rebuild(n, replace)
		}
		memo[n] = r
		return r
	}
	return replace(root)
}

// Rebuild returns n with its operands mapped by f, or n itself if f maps each to
// itself.
func Rebuild(n Node, f func(Node) Node) Node { return rebuild(n, f) }

func rebuild(n Node, f func(Node) Node) Node {
	switch n := n.(type) {
	case *Unary:
		if x := one(n.X, f); x != n.X {
			return &Unary{n.Op, x}
		}
	case *Binary:
		if x, y := one(n.X, f), one(n.Y, f); x != n.X || y != n.Y {
			return &Binary{n.Op, x, y}
		}
	case *Comprehension:
		ds, same := decls(n.Decls, f)
		if b := one(n.Body, f); !same || b != n.Body {
			return &Comprehension{ds, b}
		}
	case *IfExpr:
		if c, x, y := one(n.Cond, f), one(n.Then, f), one(n.Else, f); c != n.Cond || x != n.Then || y != n.Else {
			return &IfExpr{c, x, y}
		}
	case *LetExpr:
		vs, same := many(n.Values, f)
		if b := one(n.Body, f); !same || b != n.Body {
			return &LetExpr{n.Vars, vs, b}
		}
	case *IntSet:
		if x := one(n.X, f); x != n.X {
			return &IntSet{x}
		}
	case *Prime:
		if x := one(n.X, f); x != n.X {
			return &Prime{x}
		}
	case *AnyExpr:
		if x := one(n.Upper, f); x != n.Upper {
			return &AnyExpr{x, n.Over}
		}
	case *Card:
		if x := one(n.X, f); x != n.X {
			return &Card{x}
		}
	case *Sum:
		if x := one(n.X, f); x != n.X {
			return &Sum{x}
		}
	case *IntUnary:
		if x := one(n.X, f); x != n.X {
			return &IntUnary{n.Op, x}
		}
	case *IntBinary:
		if x, y := one(n.X, f), one(n.Y, f); x != n.X || y != n.Y {
			return &IntBinary{n.Op, x, y}
		}
	case *SumOver:
		ds, same := decls(n.Decls, f)
		if b := one(n.Body, f); !same || b != n.Body {
			return &SumOver{ds, b}
		}
	case *IfInt:
		if c, x, y := one(n.Cond, f), one(n.Then, f), one(n.Else, f); c != n.Cond || x != n.Then || y != n.Else {
			return &IfInt{c, x, y}
		}
	case *LetInt:
		vs, same := many(n.Values, f)
		if b := one(n.Body, f); !same || b != n.Body {
			return &LetInt{n.Vars, vs, b}
		}
	case Formula:
		return rebuildFormula(n, f)
	}
	return n
}

func rebuildFormula(n Formula, f func(Node) Node) Formula {
	switch n := n.(type) {
	case *Compare:
		if x, y := one(n.X, f), one(n.Y, f); x != n.X || y != n.Y {
			return &Compare{n.Op, x, y}
		}
	case *IntCompare:
		if x, y := one(n.X, f), one(n.Y, f); x != n.X || y != n.Y {
			return &IntCompare{n.Op, x, y}
		}
	case *Mult:
		if x := one(n.X, f); x != n.X {
			return &Mult{n.Op, x}
		}
	case *Disjoint:
		if xs, same := many(n.Xs, f); !same {
			return &Disjoint{xs}
		}
	case *Not:
		if x := one(n.X, f); x != n.X {
			return &Not{x}
		}
	case *Connective:
		if xs, same := many(n.Xs, f); !same {
			return &Connective{n.Op, xs}
		}
	case *Temporal:
		if xs, same := many(n.Xs, f); !same {
			return &Temporal{n.Op, xs}
		}
	case *IfFormula:
		if c, x, y := one(n.Cond, f), one(n.Then, f), one(n.Else, f); c != n.Cond || x != n.Then || y != n.Else {
			return &IfFormula{c, x, y}
		}
	case *Quant:
		ds, same := decls(n.Decls, f)
		if b := one(n.Body, f); !same || b != n.Body {
			return &Quant{n.Op, ds, b}
		}
	case *LetFormula:
		vs, same := many(n.Values, f)
		if b := one(n.Body, f); !same || b != n.Body {
			return &LetFormula{n.Vars, vs, b}
		}
	}
	return n
}

func one[T Node](x T, f func(Node) Node) T {
	r, ok := f(x).(T)
	if !ok {
		panic("relation: a node replaced by one of another kind")
	}
	return r
}

func many[T interface {
	Node
	comparable
}](xs []T, f func(Node) Node) (ys []T, same bool) {
	ys, same = make([]T, len(xs)), true
	for i, x := range xs {
		ys[i] = one(x, f)
		same = same && ys[i] == x
	}
	if same {
		return xs, true
	}
	return ys, false
}

func decls(ds []Decl, f func(Node) Node) (rs []Decl, same bool) {
	rs, same = slices.Clone(ds), true
	for i, d := range ds {
		rs[i].Bound = one(d.Bound, f)
		same = same && rs[i].Bound == d.Bound
	}
	return rs, same
}

// FreeVars returns the variables that occur in n and are bound outside it, in
// the order of their first occurrence.
func FreeVars(n Node) []*Var {
	f := freeVars{memo: map[Node][]*Var{}}
	return f.of(n)
}

type freeVars struct{ memo map[Node][]*Var }

func (f *freeVars) of(n Node) []*Var {
	if vs, ok := f.memo[n]; ok {
		return vs
	}
	vs := f.compute(n)
	f.memo[n] = vs
	return vs
}

func (f *freeVars) compute(n Node) []*Var {
	switch n := n.(type) {
	case *Var:
		return []*Var{n}
	case *Comprehension:
		return f.scoped(n.Decls, n.Body)
	case *Quant:
		return f.scoped(n.Decls, n.Body)
	case *SumOver:
		return f.scoped(n.Decls, n.Body)
	case *LetExpr:
		return f.let(n.Vars, n.Values, n.Body)
	case *LetInt:
		return f.let(n.Vars, n.Values, n.Body)
	case *LetFormula:
		return f.let(n.Vars, n.Values, n.Body)
	case *AnyExpr:
		return f.any(f.of(n.Upper), n.Over)
	case *AnyInt:
		return f.any(nil, n.Over)
	case *AnyFormula:
		return f.any(nil, n.Over)
	}
	var vs []*Var
	for _, x := range Children(n, nil) {
		vs = merge(vs, f.of(x))
	}
	return vs
}

func (f *freeVars) any(vs []*Var, over Node) []*Var {
	if over == nil {
		return vs
	}
	return merge(vs, f.of(over))
}

func (f *freeVars) scoped(ds []Decl, body Node) []*Var {
	vs := f.of(body)
	for i := len(ds) - 1; i >= 0; i-- {
		vs = merge(f.of(ds[i].Bound), without(vs, ds[i].Vars))
	}
	return vs
}

func (f *freeVars) let(bound []*Var, values []Expr, body Node) []*Var {
	var vs []*Var
	for _, x := range values {
		vs = merge(vs, f.of(x))
	}
	return merge(vs, without(f.of(body), bound))
}

func merge(a, b []*Var) []*Var {
	if len(a) == 0 {
		return b
	}
	r := slices.Clip(a)
	for _, v := range b {
		if !slices.Contains(a, v) {
			r = append(r, v)
		}
	}
	return r
}

func without(a, b []*Var) []*Var {
	var r []*Var
	for _, v := range a {
		if !slices.Contains(b, v) {
			r = append(r, v)
		}
	}
	return r
}
