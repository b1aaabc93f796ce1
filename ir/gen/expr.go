package gen

import "github.com/go-amend/amend/ir"

func isScalar(t ir.Type) bool { return !isArray(t) }

// place returns a variable in scope, or a part of one, whose type satisfies
// ok; nil if a few attempts find none. It is no site, its indices are.
func (g *generator) place(ok func(ir.Type) bool) ir.Expr {
	if len(g.vars) == 0 {
		return nil
	}
	for range 8 {
		v := pick(g, g.vars)
		t := v.Type
		for isArray(t) && !ok(t) {
			t = t.(ir.Array).Elem
		}
		if ok(t) {
			return g.part(v, t)
		}
	}
	return nil
}

// part returns a random part of v whose type is t.
func (g *generator) part(v *ir.Var, t ir.Type) ir.Expr {
	var e ir.Expr = use(v)
	for e.Type() != t {
		e = &ir.Index{X: e, I: g.indexOf(e.Type().(ir.Array))}
	}
	return e
}

func (g *generator) placeOf(t ir.Type) ir.Expr {
	return g.place(func(u ir.Type) bool { return u == t })
}

// index returns an index, likely to be small. Indices nest twice at most:
// where most variables are arrays there would be no end to them.
func (g *generator) index() ir.Expr {
	if g.indices == 2 || g.one(2) {
		return &ir.Const{ExprInfo: g.newSite(), Val: uint64(g.r.IntN(3)), Typ: ir.Int{Width: 3, Signed: true}}
	}
	g.indices++
	defer func() { g.indices-- }()
	return g.expr(g.integer(), 1)
}

// indexOf returns an index of an array of type t.
func (g *generator) indexOf(t ir.Array) ir.Expr {
	if g.cfg.Pin > 0 && t.Len > 0 && !g.one(16) { // most runs shall go on
		return &ir.Const{ExprInfo: g.newSite(), Val: uint64(g.r.IntN(int(t.Len))), Typ: ir.Int{Width: 8}}
	}
	return g.index()
}

func (g *generator) newSite() ir.ExprInfo {
	if g.hard {
		return ir.ExprInfo{}
	}
	g.site++
	return ir.ExprInfo{ID: g.site}
}

func use(v *ir.Var) *ir.Use { return &ir.Use{Var: v} }

func (g *generator) constant(t ir.Type) ir.Expr {
	return &ir.Const{ExprInfo: g.newSite(), Val: ir.Wrap(t, g.r.Uint64()), Typ: t}
}

// leaf returns a variable, element or constant of type t.
func (g *generator) leaf(t ir.Type) ir.Expr {
	if g.one(4) {
		return g.constant(t)
	}
	switch e := g.placeOf(t).(type) {
	case *ir.Use:
		e.ExprInfo = g.newSite()
		return e
	case *ir.Index:
		e.ExprInfo = g.newSite()
		return e
	}
	if g.cfg.Pin > 0 { // rather what depends on inputs
		if e := g.place(isScalar); e != nil {
			return &ir.Convert{To: t, X: e, Explicit: true}
		}
	}
	return g.constant(t)
}

var (
	arithmetic = []ir.Op{ir.Add, ir.Add, ir.Sub, ir.Sub, ir.Mul, ir.Div, ir.Rem, ir.And, ir.Or, ir.Xor, ir.Shl, ir.Shr}
	relational = []ir.Op{ir.Eq, ir.Ne, ir.Lt, ir.Le, ir.Gt, ir.Ge}
)

// right returns a right operand of op if the left one's type is t.
func (g *generator) right(op ir.Op, t ir.Type, depth int) ir.Expr {
	shift, quotient := op == ir.Shl || op == ir.Shr, op == ir.Div || op == ir.Rem
	switch {
	case g.cfg.Pin > 0 && (shift || quotient) && !g.one(8): // more than 0 comes out, and runs go on
		n := ir.Width(t)
		if quotient && n < 16 {
			n = 1 << n / 2
		}
		return &ir.Const{ExprInfo: g.newSite(), Val: uint64(1 + g.r.IntN(max(n-1, 1))), Typ: t}
	case shift:
		t = g.integer()
	}
	return g.expr(t, depth)
}

func (g *generator) expr(t ir.Type, depth int) ir.Expr {
	if depth <= 0 || g.one(4) {
		return g.leaf(t)
	}
	d := depth - 1
	if g.one(8) {
		return &ir.Cond{ExprInfo: g.newSite(), C: g.expr(ir.Bool{}, d), X: g.expr(t, d), Y: g.expr(t, d)}
	}
	if t == ir.Type(ir.Bool{}) {
		return g.proposition(d)
	}
	switch g.r.IntN(6) {
	case 0:
		return &ir.Unary{ExprInfo: g.newSite(), Op: pick(g, []ir.Op{ir.Neg, ir.Compl}), X: g.expr(t, d)}
	case 1:
		return &ir.Convert{ExprInfo: g.newSite(), To: t, X: g.expr(g.scalarType(), d), Explicit: true}
	}
	op := pick(g, arithmetic)
	return &ir.Binary{ExprInfo: g.newSite(), Op: op, X: g.expr(t, d), Y: g.right(op, t, d)}
}

func (g *generator) proposition(d int) ir.Expr {
	switch g.r.IntN(7) {
	case 0:
		return &ir.Unary{ExprInfo: g.newSite(), Op: ir.Not, X: g.expr(ir.Bool{}, d)}
	case 1:
		return &ir.Convert{ExprInfo: g.newSite(), To: ir.Bool{}, X: g.expr(g.integer(), d), Explicit: true}
	case 2, 3:
		return g.binary(pick(g, []ir.Op{ir.LOr, ir.LAnd}), ir.Bool{}, d)
	case 4:
		return g.binary(pick(g, []ir.Op{ir.Eq, ir.Ne}), ir.Bool{}, d)
	}
	return g.binary(pick(g, relational), g.integer(), d)
}

// binary returns an operation of two operands of type t.
func (g *generator) binary(op ir.Op, t ir.Type, d int) ir.Expr {
	return &ir.Binary{ExprInfo: g.newSite(), Op: op, X: g.expr(t, d), Y: g.expr(t, d)}
}
