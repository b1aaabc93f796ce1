package cfront

// Inline assembly that holds for the compiler alone: it does nothing.

import (
	"strings"

	"modernc.org/cc/v4"
)

// assembly passes over s if it has no instructions, as what keeps a compiler from
// moving accesses, which stay where they are here, or nop.
func (b *body) assembly(s *cc.Statement) {
	a := s.AsmStatement.Asm
	code := strings.Trim(a.Token3.SrcStr(), "\" \t;")
	if code != "" && code != "nop" || b.changesOperands(a.AsmArgList) {
		b.unsupported(s, "inline assembly", "")
	}
}

// changesOperands reports whether some operand in l, such as "=r"(x), is written
// without being read, or acts.
func (b *body) changesOperands(l *cc.AsmArgList) bool {
	for ; l != nil; l = l.AsmArgList {
		for e := l.AsmExpressionList; e != nil; e = e.AsmExpressionList {
			n, ok := e.AssignmentExpression.(*cc.PostfixExpression) // cc takes it for a call
			if !ok {
				continue
			}
			if strings.Contains(cc.NodeSource(n.PostfixExpression), "=") {
				return true
			}
			for _, x := range arguments(n) {
				if b.acts(x) {
					return true
				}
			}
		}
	}
	return false
}
