package gen

import "github.com/go-amend/amend/ir"

// clone returns a copy of p that shares no variable, statement or expression
// with it, so that the copy can be renumbered.
func clone(p *ir.Program) *ir.Program {
	q := p.Clone() // shares variables, and statements without expressions
	vars := make(map[*ir.Var]*ir.Var)
	q.Globals = copyVars(q.Globals, vars)
	for _, f := range q.Procs {
		f.Params, f.Results, f.Locals = copyVars(f.Params, vars), copyVars(f.Results, vars), copyVars(f.Locals, vars)
	}
	eachBlock(q, func(b *ir.Block) {
		for i, s := range b.List {
			b.List[i] = copyPlain(s)
		}
	})
	q.Stmts(func(_ *ir.Proc, s ir.Stmt) {
		if a, ok := s.(*ir.Alloc); ok {
			a.Var = vars[a.Var]
		}
		ir.EachExpr(s, func(e *ir.Expr) {
			if u, ok := (*e).(*ir.Use); ok {
				u.Var = vars[u.Var]
			}
		})
	})
	return q
}

// copyVars returns copies of vs, and notes in vars which is whose.
func copyVars(vs []*ir.Var, vars map[*ir.Var]*ir.Var) []*ir.Var {
	out := make([]*ir.Var, len(vs))
	for i, v := range vs {
		c := *v
		out[i], vars[v] = &c, &c
	}
	return out
}

// copyPlain returns a copy of s if it holds neither expressions nor blocks,
// else s.
func copyPlain(s ir.Stmt) ir.Stmt {
	switch s := s.(type) {
	case *ir.Break:
		c := *s
		return &c
	case *ir.Continue:
		c := *s
		return &c
	case *ir.Yield:
		c := *s
		return &c
	}
	return s
}

// eachBlock calls visit for all blocks of p, outer ones first.
func eachBlock(p *ir.Program, visit func(*ir.Block)) {
	var walk func(b *ir.Block)
	walk = func(b *ir.Block) {
		visit(b)
		for _, s := range b.List {
			if inner, ok := s.(*ir.Block); ok {
				walk(inner)
				continue
			}
			for _, inner := range s.Blocks(nil) {
				walk(inner)
			}
		}
	}
	if p.Init != nil {
		walk(p.Init)
	}
	for _, f := range p.Procs {
		walk(f.Body)
	}
}
