package cfront

// Quantifiers over all values of a type, where a single one decides: what is
// asserted of all is asserted of a free one, and what is assumed of some value, too.

import (
	"modernc.org/cc/v4"

	"github.com/go-amend/amend/ir"
)

// markWitnesses notes the quantifiers in the condition e for which a free value
// stands: those over all values if all is set, else those over some, and the
// others below a negation. One that becomes a loop around them has a value for each
// time.
func (b *body) markWitnesses(e cc.ExpressionNode, all bool) {
	switch e := unparen(e).(type) {
	case *cc.LogicalAndExpression:
		b.markWitnesses(e.LogicalAndExpression, all)
		b.markWitnesses(e.InclusiveOrExpression, all)
	case *cc.LogicalOrExpression:
		b.markWitnesses(e.LogicalOrExpression, all)
		b.markWitnesses(e.LogicalAndExpression, all)
	case *cc.UnaryExpression:
		if e.Case == cc.UnaryExpressionNot {
			b.markWitnesses(e.CastExpression, !all)
		}
	case *cc.ConditionalExpression:
		if y := implied(e); y != nil {
			b.markWitnesses(e.LogicalOrExpression, !all)
			b.markWitnesses(y, all)
		}
	case *cc.PrimaryExpression:
		if e.Case != cc.PrimaryExpressionStmt {
			return
		}
		if q, ok := quantifier(e); ok {
			if q.all == all {
				if b.witnesses == nil {
					b.witnesses = map[*cc.PrimaryExpression]bool{}
				}
				b.witnesses[e] = true
			}
			b.markWitnesses(q.of, all)
		}
	}
}

// witness is what q, at e, says of a free value.
func (b *body) witness(e *cc.PrimaryExpression, q quantified) ir.Expr {
	defer b.enter(e.CompoundStatement)()
	defer b.inScope(b.extent(e.CompoundStatement))()
	var v ir.Expr
	b.Within(func() {
		o := b.declare(q.decl, q.decl.Type(), ir.Local)
		b.local(o.vars[0])
		b.fill(o.vars[0], false)
		b.Unchanged(func() { v = b.Save("quantified", b.cond(q.of)) })
	})
	setSpan(v, b.span(e))
	return v
}
