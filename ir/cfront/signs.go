package cfront

// Results of the library of which C says only the sign, or that they are not
// 0. Where the program looks at no more than that, any such value will do: the
// call makes no choice, so that a program without inputs stays one.

import (
	"modernc.org/cc/v4"

	"github.com/go-amend/amend/ir"
)

// An openness says how much of a result is left open.
type openness int

const (
	openValue openness = iota + 1 // any of its sign
	openSign                      // any that is not 0
)

// leavesOpen are the functions with such results.
var leavesOpen = map[string]openness{
	"strcmp": openValue, "strcoll": openValue, "strncmp": openValue, "memcmp": openValue, "strcasecmp": openValue, "strncasecmp": openValue,
	"isdigit": openSign, "isalpha": openSign, "isalnum": openSign,
	"isupper": openSign, "islower": openSign, "isspace": openSign,
	"isprint": openSign, "isgraph": openSign, "ispunct": openSign, "iscntrl": openSign, "isblank": openSign, "isxdigit": openSign,
}

// asCondition notes that no more is looked at of e than whether it is 0.
func (b *body) asCondition(e cc.ExpressionNode) { b.looks(e, openSign) }

// looks notes that nothing is looked at of e that a result leaves open which
// is at most as open as most. It reports whether e may be such a result.
func (b *body) looks(e cc.ExpressionNode, most openness) bool {
	switch e := unparen(e).(type) {
	case *cc.PostfixExpression:
		d := functionNamed(unstarred(e))
		if e.Case != cc.PostfixExpressionCall || d == nil || leavesOpen[d.Name()] == 0 || leavesOpen[d.Name()] > most {
			return false
		}
		if f := b.lookup(b.u, d); f != nil && !f.unit.library {
			return false // the program's own
		}
		if b.signs == nil {
			b.signs = map[cc.ExpressionNode]bool{}
		}
		b.signs[e] = true
		return true
	case *cc.ConditionalExpression:
		if e.ExpressionList == nil {
			return false
		}
		x, y := b.looks(e.ExpressionList, most), b.looks(e.ConditionalExpression, most)
		return x || y
	case *cc.ExpressionList:
		for e.ExpressionList != nil {
			e = e.ExpressionList
		}
		return b.looks(e.AssignmentExpression, most)
	}
	return false
}

// signTest reports whether x op y compares a result with 0 of which the sign is
// certain, and which of them that 0 is. It is no site: compared with another
// number, more than the sign would count. A repair may change op, so that tests
// of characters are no such results.
func (b *body) signTest(op ir.Op, x, y cc.ExpressionNode) (zero cc.ExpressionNode) {
	switch {
	case !op.Relational():
	case isLiteralZero(y) && b.looks(x, openValue):
		return y
	case isLiteralZero(x) && b.looks(y, openValue):
		return x
	}
	return nil
}
