package gofront

// Tables of tests that are maps. A literal that only range statements in
// tests use is written out, a row an iteration, in the order of the text:
// Go's order is any.

import (
	"go/ast"
	"go/types"

	"github.com/go-amend/amend/ir"
)

func (b *body) rangeTable(s *ast.RangeStmt, t *types.Map) {
	lit, ok := ast.Unparen(s.X).(*ast.CompositeLit)
	if id, isIdent := ast.Unparen(s.X).(*ast.Ident); isIdent {
		lit, ok = b.tableOf(id), true
		if v := b.scope[b.p.info.ObjectOf(id)]; v != nil && v.table != nil {
			lit = v.table
		}
	}
	if !ok || lit == nil || !b.writtenOut(lit) {
		b.rangeMap(s)
		return
	}
	r := &ranging{s: s, x: b.enter(true), span: b.span(s.X), typ: tInt}
	b.unroll(r, len(lit.Elts), func(i ir.Expr) {
		k, _ := plain(i)
		row := lit.Elts[k].(*ast.KeyValueExpr)
		b.bindRange(s, s.Key, func() value { return b.part(row.Key, t.Key()) })
		b.bindRange(s, s.Value, func() value { return b.part(row.Value, t.Elem()) })
	})
}

// writtenOut reports whether ranges over lit are a row an iteration.
func (b *body) writtenOut(lit *ast.CompositeLit) bool {
	return b.unrolls(int64(len(lit.Elts))) && b.rowsStay(lit)
}

// tableOf returns the map literal that is the only value of the variable id,
// nil unless all other uses are ranges over it.
func (b *body) tableOf(id *ast.Ident) *ast.CompositeLit {
	v, ok := b.p.info.ObjectOf(id).(*types.Var)
	if !ok || !b.inTest() {
		return nil
	}
	if _, ok := v.Type().Underlying().(*types.Map); !ok {
		return nil
	}
	ranged := map[*ast.Ident]bool{}
	var lit *ast.CompositeLit
	for _, f := range b.p.files {
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.RangeStmt:
				if x, ok := ast.Unparen(n.X).(*ast.Ident); ok {
					ranged[x] = true
				}
			case *ast.AssignStmt:
				if x, ok := n.Lhs[0].(*ast.Ident); ok && len(n.Lhs) == 1 && b.p.info.Defs[x] == v {
					lit, _ = n.Rhs[0].(*ast.CompositeLit)
				}
			case *ast.ValueSpec:
				if len(n.Names) == 1 && len(n.Values) == 1 && b.p.info.Defs[n.Names[0]] == v {
					lit, _ = n.Values[0].(*ast.CompositeLit)
				}
			}
			return true
		})
	}
	for x, o := range b.p.info.Uses {
		if o == v && !ranged[x] {
			return nil
		}
	}
	if lit == nil || !b.writtenOut(lit) {
		return nil
	}
	return lit
}

// tableArgument returns the map literal e, an argument of f for the parameter v,
// if f is a function of the tests that only ranges over v, which so gets the rows
// themselves.
func (b *body) tableArgument(e ast.Expr, f *function, v *types.Var) *ast.CompositeLit {
	lit, ok := ast.Unparen(e).(*ast.CompositeLit)
	if !ok || f.p != b.p || !b.inTest() || f.decl == nil || f.decl.Body == nil || !b.lowerer.inTest(f.p, f.decl.Pos()) {
		return nil
	}
	if _, ok := b.typ(lit).Underlying().(*types.Map); !ok || !b.writtenOut(lit) || b.mentionsVars(lit) {
		return nil
	}
	ranged := map[*ast.Ident]bool{}
	only := true
	ast.Inspect(f.decl.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit: // the parameter would be captured
			return false
		case *ast.RangeStmt:
			if x, ok := ast.Unparen(n.X).(*ast.Ident); ok {
				ranged[x] = true
			}
		}
		return true
	})
	ast.Inspect(f.decl.Body, func(n ast.Node) bool {
		if x, ok := n.(*ast.Ident); ok && b.p.info.Uses[x] == v {
			only = only && ranged[x]
		}
		return true
	})
	if !only {
		return nil
	}
	return lit
}

// mentionsVars reports whether variables are in the rows of lit.
func (b *body) mentionsVars(lit *ast.CompositeLit) bool {
	found := false
	ast.Inspect(lit, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			v, ok := b.p.info.Uses[id].(*types.Var)
			found = found || ok && !v.IsField()
		}
		return true
	})
	return found
}

// givesSame reports whether e calls a function of the tests that obviously gives
// the same whenever it is called: it has no effects, mentions no variable from
// outside, and calls no function of the package and no method, which might.
func (b *body) givesSame(e *ast.CallExpr) bool {
	id, ok := ast.Unparen(e.Fun).(*ast.Ident)
	if !ok {
		return false
	}
	f, ok := b.p.info.Uses[id].(*types.Func)
	if !ok || f.Pkg() != b.p.types || !b.p.root {
		return false
	}
	d := b.p.declOf(funcKey(f))
	if d == nil || d.Body == nil || d.Type.TypeParams != nil || !b.lowerer.inTest(b.p, d.Pos()) || !b.pure(f, map[types.Type]bool{}) {
		return false
	}
	same := true
	ast.Inspect(d.Body, func(n ast.Node) bool {
		id, _ := n.(*ast.Ident)
		switch o := b.p.info.Uses[id].(type) {
		case *types.Var:
			same = same && (o.IsField() || d.Pos() <= o.Pos() && o.Pos() < d.End())
		case *types.Func:
			same = same && o.Pkg() != b.p.types && o.Signature().Recv() == nil
		}
		return same
	})
	return same
}

// rowsStay reports whether the rows of lit are the same wherever they are
// evaluated.
func (b *body) rowsStay(lit *ast.CompositeLit) bool {
	stay := true
	ast.Inspect(lit, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			stay = stay && (b.p.info.Types[n.Fun].IsType() || b.harmless(n) || b.givesSame(n))
		case *ast.UnaryExpr, *ast.StarExpr, *ast.FuncLit, *ast.IndexExpr:
			stay = stay && b.p.info.Types[n.(ast.Expr)].Value != nil
		case *ast.Ident:
			if v, ok := b.p.info.Uses[n].(*types.Var); ok && !v.IsField() {
				f := b.p.factsOf()
				stay = stay && v.Parent() != v.Pkg().Scope() && f.assigned[v] == 0 && !f.inMemory(v)
			}
		}
		return stay
	})
	return stay
}
