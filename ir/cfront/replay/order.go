package replay

import (
	"fmt"
	"strings"

	"github.com/go-amend/amend/ir"
)

// This file gives operands the order of the run: C has none.

// order makes left operands be evaluated first, where what both do shows.
func (w *writer) order() {
	done := make(map[ir.Span]bool)
	visit := func(s ir.Stmt) {
		ir.EachExpr(s, func(x *ir.Expr) {
			b, ok := (*x).(*ir.Binary)
			if !ok || b.Form != ir.Infix || done[b.Span()] || !w.matters(b) {
				return
			}
			done[b.Span()] = true
			at, left := b.Span(), b.X.Span()
			w.replace(at, func(inner func(int, int) string) string {
				return fmt.Sprintf("({ __auto_type amend_l = (%s); %samend_l%s; })",
					inner(left.Start, left.End), inner(at.Start, left.Start), inner(left.End, at.End))
			})
		})
	}
	for _, f := range w.p.Procs {
		ir.EachStmt(f.Body, visit)
	}
}

// matters reports whether b evaluates both operands, and both have points, or
// calls that may have some.
func (w *writer) matters(b *ir.Binary) bool {
	at, x, y := b.Span(), b.X.Span(), b.Y.Span()
	if at.File != w.file.Name || !within(x, at) || !within(y, at) || x.End > y.Start || x == at {
		return false
	}
	between := string(w.file.Content[x.End:y.Start])
	if strings.ContainsAny(between, "&|") && (strings.Contains(between, "&&") || strings.Contains(between, "||")) || w.macro(at) {
		return false
	}
	return w.busy(x) && w.busy(y)
}

// busy reports whether the text at has points or calls.
func (w *writer) busy(at ir.Span) bool {
	for i := range w.edits {
		if within(w.edits[i].at, at) {
			return true
		}
	}
	return calls.MatchString(w.p.Text(at))
}
