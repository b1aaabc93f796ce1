package gofront

// Goto statements. A jump ahead leaves a block that ends at the label, a jump
// back goes on with a loop that begins there. Go forbids jumps into blocks
// and over declarations, so the rest is jumps between the two kinds.

import (
	"go/ast"
	"go/token"
	"slices"

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
	if i := between(list, end); i > 0 {
		b.aheadAndBack(list, i, end)
		return true
	}
	b.upTo(name, func() { b.stmts(list[:end]) })
	b.stmts(list[end:])
	return true
}

// upTo emits what build does, in which jumps to name leave.
func (b *body) upTo(name string, build func()) {
	label := b.Label("goto")
	inner := b.landing(name, landing{label: label}, build)
	inner.Label = label
	b.Emit(inner)
}

// between returns the index of a label before end to which a statement from there
// on jumps back, or 0.
func between(list []ast.Stmt, end int) int {
	for i, s := range list[:end] {
		if l, ok := s.(*ast.LabeledStmt); ok && i > 0 && slices.ContainsFunc(list[end:], func(t ast.Stmt) bool { return jumpsTo(t, l.Label.Name) }) {
			return i
		}
	}
	return 0
}

// aheadAndBack lowers list, of which the first statement jumps ahead to the label
// at end, and later ones back to the label at i, before that: as a loop, of which
// only the first iteration does what is before i.
func (b *body) aheadAndBack(list []ast.Stmt, i, end int) {
	first := b.Temp("first", tBool)
	b.Set(use(first), truth(true))
	l := &ir.Loop{Label: b.Label("goto")}
	b.Derive(&l.StmtInfo)
	b.loops++
	l.Body = b.landing(list[i].(*ast.LabeledStmt).Label.Name, landing{l.Label, true}, func() {
		b.upTo(list[end].(*ast.LabeledStmt).Label.Name, func() {
			now := b.Save("now", use(first))
			b.Set(use(first), truth(false))
			b.branch(now, b.Block(func() { b.stmts(list[:i]) }), nil)
			b.stmts(list[i:end])
		})
		b.stmts(list[end:])
		b.Locate(ir.Span{}, func() { b.goTo(l.Label) })
	})
	b.loops--
	b.Emit(l)
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
