package gofront

// Package variables that nothing reached mentions: repairs may name them.

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/go-amend/amend/ir"
)

// unmentioned adds the package variables that code which may change can name
// though nothing reached mentions them: booleans and integers whose
// initialization calls nothing and can't panic, and that nothing else
// initializes.
func (l *lowerer) unmentioned() {
	seen := map[*pkg]bool{}
	for _, i := range slices.Clone(l.list) {
		if p := i.fn.p; !i.proc.Hard && !seen[p] {
			seen[p] = true
			for _, v := range l.scalars(p) {
				key := p.path + "." + v.Name()
				if l.globals[key] == nil && !l.touched(v, key) {
					l.declareGlobal(p, v, key)
				}
			}
		}
	}
}

// sortGlobals puts package variables into the order of the text, before others:
// a change that mentions one does not move it.
func (l *lowerer) sortGlobals() {
	of := map[*ir.Var]*global{}
	for _, g := range l.inits {
		for _, x := range g.x {
			if u, ok := x.(*ir.Use); ok {
				of[u.Var] = g
			}
		}
	}
	slices.SortStableFunc(l.prog.Globals, func(v, w *ir.Var) int {
		a, b := of[v], of[w]
		switch {
		case a != nil && b != nil:
			return cmp.Or(cmp.Compare(a.p.path, b.p.path), cmp.Compare(a.obj.Pos(), b.obj.Pos()))
		case a != nil:
			return -1
		case b != nil:
			return 1
		}
		return 0
	})
}

// scalars returns the variables of p that unmentioned may add, in the order of
// their text.
func (l *lowerer) scalars(p *pkg) []*types.Var {
	init := map[*types.Var]ast.Expr{}
	for _, in := range p.info.InitOrder {
		for _, v := range in.Lhs {
			if init[v] = in.Rhs; len(in.Lhs) > 1 {
				init[v] = &ast.BadExpr{}
			}
		}
	}
	var out []*types.Var
	scope := p.types.Scope()
	for _, name := range scope.Names() {
		if v, ok := scope.Lookup(name).(*types.Var); ok && p.plain(v, init) && !l.inTest(p, v.Pos()) {
			out = append(out, v)
		}
	}
	slices.SortFunc(out, func(v, w *types.Var) int { return cmp.Compare(v.Pos(), w.Pos()) })
	return out
}

// plain reports whether v is a boolean or an integer that has no address, and
// so are the variables in its initialization, which does nothing but compute.
func (p *pkg) plain(v *types.Var, init map[*types.Var]ast.Expr) bool {
	if !isScalar(v.Type()) || p.factsOf().address[v] {
		return false
	}
	return init[v] == nil || p.computes(init[v], func(w *types.Var) bool { return w.Pkg() == p.types && p.plain(w, init) })
}

// inTest reports whether pos lies in a test file of p.
func (l *lowerer) inTest(p *pkg, pos token.Pos) bool {
	s := p.sources[p.names[l.ps.fset.PositionFor(pos, false).Filename]]
	return s == nil || s.test
}

// computes reports whether e is a constant, or consists of variables for which
// plain holds and of operators that can't panic.
func (p *pkg) computes(e ast.Expr, plain func(*types.Var) bool) bool {
	tv := p.info.Types[e]
	if tv.Value != nil {
		return true
	}
	if tv.Type == nil || !isScalar(tv.Type) {
		return false
	}
	switch e := e.(type) {
	case *ast.ParenExpr:
		return p.computes(e.X, plain)
	case *ast.Ident:
		v, ok := p.info.Uses[e].(*types.Var)
		return ok && plain(v)
	case *ast.UnaryExpr:
		return e.Op != token.ARROW && p.computes(e.X, plain)
	case *ast.BinaryExpr:
		switch e.Op {
		case token.QUO, token.REM, token.SHL, token.SHR:
			return false
		}
		return p.computes(e.X, plain) && p.computes(e.Y, plain)
	case *ast.CallExpr:
		return p.info.Types[e.Fun].IsType() && p.computes(e.Args[0], plain)
	}
	return false
}
