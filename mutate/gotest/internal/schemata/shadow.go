package schemata

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// This file assigns to variables that a definition shadows: = for :=. All that
// follows in the block means other variables then, so that it can't stand beside
// the original.

// shared makes s an assignment to the variables that it shadows. Those that are
// new are declared before it.
func (m *maker) shared(s *ast.AssignStmt) {
	var declared strings.Builder
	found := false
	for _, e := range s.Lhs {
		id, ok := e.(*ast.Ident)
		if !ok || id.Name == "_" || m.p.Info.Defs[id] == nil {
			continue
		}
		v := m.p.Info.Defs[id]
		if shadowed := m.shadowed(v); shadowed {
			found = true
			continue
		}
		name, ok := m.p.typeName(m.file, v.Type())
		if !ok || !m.pl.inList {
			return
		}
		declared.WriteString("var " + id.Name + " " + name + "; ")
	}
	if !found {
		return
	}
	at := m.offset(s.TokPos)
	edits := []Edit{{at, at + len(token.DEFINE.String()), token.ASSIGN.String()}}
	if declared.Len() > 0 {
		edits = append([]Edit{{m.pl.Start, m.pl.Start, declared.String()}}, edits...)
	}
	m.edit(edits, Fixes, costDelete)
}

// shadowed reports whether v hides a variable of the function with its type.
func (m *maker) shadowed(v types.Object) bool {
	if v.Parent() == nil || v.Parent().Parent() == nil {
		return false
	}
	s, o := v.Parent().Parent().LookupParent(v.Name(), v.Pos())
	outer, ok := o.(*types.Var)
	return ok && s != m.p.Types.Scope() && s != types.Universe && types.Identical(outer.Type(), v.Type())
}
