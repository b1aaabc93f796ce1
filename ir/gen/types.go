package gen

import "github.com/go-amend/amend/ir"

func isArray(t ir.Type) bool {
	_, ok := t.(ir.Array)
	return ok
}

func (g *generator) integer() ir.Type {
	return ir.Int{Width: pick(g, g.cfg.Widths), Signed: g.one(2)}
}

func (g *generator) scalarType() ir.Type {
	if g.one(6) {
		return ir.Bool{}
	}
	return g.integer()
}

func (g *generator) arrayType() ir.Type {
	t := ir.Array{Elem: g.scalarType(), Len: 1 + g.r.IntN(3)}
	if g.one(3) {
		t = ir.Array{Elem: t, Len: 1 + g.r.IntN(2)}
	}
	return t
}

func (g *generator) scalar(name string, k ir.VarKind) *ir.Var {
	return &ir.Var{Name: g.name(name), Kind: k, Type: g.scalarType()}
}

func (g *generator) variable(name string, k ir.VarKind) *ir.Var {
	v := g.scalar(name, k)
	if g.one(3) {
		v.Type = g.arrayType()
	}
	return v
}
