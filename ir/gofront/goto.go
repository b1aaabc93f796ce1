package gofront

// Goto statements. A jump ahead leaves a block that ends at the label, a jump
// back goes on with a loop that begins there. Go forbids jumps into blocks
// and over declarations, so the rest is jumps between the two kinds.

import (
	"go/ast"
	"go/token"

	"github.com/go-amend/amend/ir"
)

// A landing is where jumps to a label go: the end of a block, or the next
// iteration of a loop.
type landing struct {
	label string
	loop  bool
}

// ahead lowers list if its first statement jumps to a label in it.
func (b *body) ahead(list []ast.Stmt) bool {
	end, name := 1, ""
	for i := 0; i < end; i++ {
		for k := end; k < len(list); k++ {
			if l, ok := list[k].(*ast.LabeledStmt); ok && jumpsTo(list[i], l.Label.Name) {
				end, name = k, l.Label.Name
			}
		}
		if i == 0 && name == "" {
			return false
		}
	}
	label := b.Label("goto")
	inner := b.landing(name, landing{label: label}, func() { b.stmts(list[:end]) })
	inner.Label = label
	b.Emit(inner)
	b.stmts(list[end:])
	return true
}

// back lowers list if its first statement has a label that a later one jumps
// back to.
func (b *body) back(list []ast.Stmt) bool {
	s, ok := list[0].(*ast.LabeledStmt)
	if !ok || b.gotos[s.Label.Name].label != "" {
		return false
	}
	found := false
	for _, t := range list {
		found = found || jumpsTo(t, s.Label.Name)
	}
	if !found {
		return false
	}
	l := &ir.Loop{Label: b.Label("goto")}
	b.Derive(&l.StmtInfo)
	b.loops++
	l.Body = b.landing(s.Label.Name, landing{l.Label, true}, func() {
		b.stmts(list)
		b.Locate(ir.Span{}, func() { b.goTo(l.Label) })
	})
	b.loops--
	b.Emit(l)
	return true
}

// landing returns what build emits, where jumps to name go to x.
func (b *body) landing(name string, x landing, build func()) *ir.Block {
	if b.gotos == nil {
		b.gotos = map[string]landing{}
	}
	b.gotos[name] = x
	inner := b.Block(build)
	delete(b.gotos, name)
	return inner
}

// jumpsTo reports whether s holds a jump to the label.
func jumpsTo(s ast.Stmt, label string) bool {
	found := false
	ast.Inspect(s, func(n ast.Node) bool {
		if j, ok := n.(*ast.BranchStmt); ok && j.Tok == token.GOTO && j.Label.Name == label {
			found = true
		}
		_, lit := n.(*ast.FuncLit)
		return !lit
	})
	return found
}

func (b *body) jumpTo(s *ast.BranchStmt) {
	x := b.gotos[s.Label.Name]
	switch {
	case x.label == "":
		b.unsupported(s, "goto here", "use a loop, break, continue or return")
	case x.loop:
		j := &ir.Continue{Label: x.label}
		b.Stand(&j.StmtInfo, b.span(s))
		b.Emit(j)
	default:
		j := &ir.Break{Label: x.label}
		b.Stand(&j.StmtInfo, b.span(s))
		b.Emit(j)
	}
}
