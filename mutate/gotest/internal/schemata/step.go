package schemata

import (
	"fmt"
	"go/ast"
)

// This file numbers statements, for the record of which tests execute them.

// step numbers s, a statement of a list.
func (f *finder) step(s ast.Stmt) {
	f.file.insert(insert{at: f.offset(s.Pos()), order: marking, text: fmt.Sprintf("amendStep(%d); ", f.steps), step: true})
	f.steps++
}
