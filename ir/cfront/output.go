package cfront

// Output: calls of printf and its kin. Nothing is printed, but the arguments
// are evaluated like any others, with their checks and accesses; what the
// calls return is a free value. The characters that %s, puts and fputs read
// are not looked at.

import (
	"regexp"

	"modernc.org/cc/v4"

	"github.com/go-amend/amend/ir"
)

// outputNames maps the functions to where their argument is that says where
// to print, -1 if there is none.
var outputNames = map[string]int{
	"printf": -1, "puts": -1, "putchar": -1, "perror": -1,
	"vprintf": -1, "vdprintf": -1, "vfprintf": 0,
	"fprintf": 0, "fflush": 0, "fputs": 1, "putc": 1, "fputc": 1,
}

// output evaluates the arguments of n.
func (b *body) output(n *cc.PostfixExpression, name string) {
	args := arguments(n)
	b.refuseWriting(args)
	for i, a := range args {
		if i != outputNames[name] || b.acts(a) {
			b.Within(func() { b.evaluate(a) })
		}
	}
	b.Within(b.forgetErrno)
}

// writing matches a format that writes through an argument.
var writing = regexp.MustCompile(`%[-+ #0-9.*]*(hh|h|ll|l|q|L|j|z|Z|t)?n`)

func (b *body) refuseWriting(args []cc.ExpressionNode) {
	for _, a := range args {
		if s, ok := a.Value().(cc.StringValue); ok && isString(a) && writing.MatchString(string(s)) {
			b.unsupported(a, "%n in a format", "count the characters otherwise")
		}
	}
}

// evaluate evaluates e and forgets its value: its checks stay, and its reads
// of what threads share.
func (b *body) evaluate(e cc.ExpressionNode) {
	switch k := e.Type().Kind(); {
	case isString(e), b.isProgramName(e):
	case k == cc.Ptr && functionNamed(e) == nil:
		b.evaluatePointer(e)
	case isArithmetic(e) && !isEffect(e):
		if v := b.value(e); b.observable(v) {
			b.drop(e, v)
		}
	default:
		b.effect(e)
	}
}

// isProgramName reports whether e is a parameter of the entry that may only be
// passed on, such as argv, or its first element: what a usage message prints.
func (b *body) isProgramName(e cc.ExpressionNode) bool {
	switch x := unparen(e).(type) {
	case *cc.PostfixExpression:
		return x.Case == cc.PostfixExpressionIndex && isLiteralZero(x.ExpressionList) && b.isProgramName(x.PostfixExpression)
	case *cc.UnaryExpression:
		return x.Case == cc.UnaryExpressionDeref && b.isProgramName(x.CastExpression)
	case *cc.PrimaryExpression:
		d, ok := x.ResolvedTo().(*cc.Declarator)
		if !ok || b.f != b.entry() || !d.IsParam() {
			return false
		}
		o, known := b.scope[d]
		return known && o == nil
	}
	return false
}

// isEffect reports whether e is a call, an assignment or an increment.
func isEffect(e cc.ExpressionNode) bool {
	switch x := unparen(e).(type) {
	case *cc.AssignmentExpression:
		return true
	case *cc.PostfixExpression:
		return x.Case == cc.PostfixExpressionCall || x.Case == cc.PostfixExpressionInc || x.Case == cc.PostfixExpressionDec
	case *cc.UnaryExpression:
		return x.Case == cc.UnaryExpressionInc || x.Case == cc.UnaryExpressionDec
	}
	return false
}

func isArithmetic(e cc.ExpressionNode) bool {
	_, ok := scalar(e.Type())
	return ok
}

func (b *body) evaluatePointer(e cc.ExpressionNode) {
	v, ok := b.pointer(e, nil)
	switch {
	case !ok:
	case v.at == nil:
		if v.num != nil && b.observable(v.num) {
			b.drop(e, v.num)
		}
	default:
		v.at.each(func(q *place) {
			for _, s := range q.idx {
				if b.observable(s.index) {
					b.drop(e, s.index)
				}
			}
		})
	}
}

// ofOperators are the checks that any operator or variable may violate.
var ofOperators = ir.Checks(0).With(ir.CheckShift, ir.CheckOverflow, ir.CheckConversion,
	ir.CheckFloatOverflow, ir.CheckNaN)

// observable reports whether it matters that v is evaluated.
func (b *body) observable(v ir.Expr) bool {
	if _, ok := v.(*ir.Const); ok {
		return false
	}
	return checked(v) || b.threaded && readsGlobal(v) || b.cfg.Checks&ofOperators != 0
}

// drop emits the evaluation of v, the value of e.
func (b *body) drop(e cc.ExpressionNode, v ir.Expr) {
	t := b.Temp("unused", v.Type())
	a := &ir.Assign{LHS: use(t, ir.Span{}), RHS: v}
	b.Stand(&a.StmtInfo, b.extent(e))
	b.Emit(a)
}
