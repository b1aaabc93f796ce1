package mutate

import (
	"slices"

	"github.com/go-amend/amend/ir"
)

// This file is about sites with occurrences in several procedures: copies of
// one function, each with variables of its own.

// procOf returns the procedure of stmt, which holds an occurrence of s.
func procOf(s ir.Site, stmt ir.Stmt) *ir.Proc {
	if i := slices.Index(s.Stmts, stmt); i >= 0 {
		return s.Procs[i]
	}
	return s.Proc
}

// occurrence returns the number of the occurrence e of s, or -1.
func occurrence(s ir.Site, e ir.Expr) int {
	return slices.IndexFunc(s.Occurrences, func(o *ir.Expr) bool { return *o == e })
}

// holder returns the procedure of e, an occurrence of s.
func holder(s ir.Site, e ir.Expr) *ir.Proc {
	if i := occurrence(s, e); i >= 0 {
		return s.Procs[i]
	}
	return s.Proc
}

// scope returns what can be named at the occurrence of s in stmt: what all
// copies have.
func (sp *space) scope(s ir.Site, stmt ir.Stmt) []*ir.Var {
	vars := sp.unaffected(s.Stmt.Loc(), sp.inScope(s.Stmt))
	if !slices.ContainsFunc(s.Procs, func(f *ir.Proc) bool { return f != s.Proc }) {
		return vars
	}
	f := procOf(s, stmt)
	var out []*ir.Var
	for _, v := range vars {
		missing := func(g *ir.Proc) bool { return sp.counterpart(g, v) == nil }
		if !slices.ContainsFunc(s.Procs, missing) {
			out = append(out, sp.counterpart(f, v))
		}
	}
	return out
}

// counterpart returns what v is in f, of which its own procedure is a copy; nil
// if it is nothing there.
func (sp *space) counterpart(f *ir.Proc, v *ir.Var) *ir.Var {
	if f == nil || sp.reaches(f, v) {
		return v
	}
	for _, list := range [][]*ir.Var{f.Params, f.Results, f.Locals} {
		for _, w := range list {
			if w.Span == v.Span && w.Name == v.Name && w.Type == v.Type {
				return w
			}
		}
	}
	return nil
}
