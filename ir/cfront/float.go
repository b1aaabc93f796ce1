package cfront

// Floating-point numbers: constants, and the functions of math.h that are
// operations of ir. Those that follow from others are in library/math.c, and
// so are the transcendental ones, whose results are free within their range.

import (
	_ "embed"
	"math"
	"slices"
	"strings"

	"modernc.org/cc/v4"

	"github.com/go-amend/amend/ir"
)

var (
	tFloat  = ir.Float{Width: 32}
	tDouble = ir.Float{Width: 64} // long double too
)

// floatType is the type of arithmetic on values of types a and b, if one is a
// floating-point type.
func floatType(a, b ir.Type) (ir.Type, bool) {
	x, isFloat := a.(ir.Float)
	y, too := b.(ir.Float)
	switch {
	case isFloat && too && y.Width > x.Width, !isFloat:
		return y, too
	}
	return x, true
}

// floatLiteral is the constant e, negative or not, as the constant with the
// text of at.
func (b *body) floatLiteral(at cc.ExpressionNode, e *cc.PrimaryExpression, negative bool) ir.Expr {
	text := strings.ToLower(e.Token.SrcStr())
	suffixes := "fl"
	if strings.HasPrefix(text, "0x") { // f is a digit, but not of the exponent
		if i := strings.IndexByte(text, 'p'); i < 0 {
			suffixes = ""
		}
	}
	t, ok := scalar(e.Type())
	f, isFloat := t.(ir.Float)
	v, err := f.Parse(strings.TrimRight(text, suffixes))
	if long := e.Type().Kind() == cc.LongDouble; !ok || !isFloat || err != nil || long && math.IsInf(f.Value(v), 0) { // LDBL_MAX is no double
		b.unsupported(e, "constant "+e.Token.SrcStr(), "use one within the range of double")
		return zero()
	}
	if negative {
		v = f.Bits(-f.Value(v))
	}
	return &ir.Const{ExprInfo: ir.ExprInfo{ID: b.site(), Pos: b.span(at)}, Val: v, Typ: f}
}

// isFloatLiteral returns e as a floating-point constant of the text, or nil.
func isFloatLiteral(e cc.ExpressionNode) *cc.PrimaryExpression {
	if p, ok := e.(*cc.PrimaryExpression); ok && p.Case == cc.PrimaryExpressionFloat {
		return p
	}
	return nil
}

// ofIntegers refuses e if op, with operands of type t, is only for integers.
func (b *body) ofIntegers(e cc.Node, op ir.Op, t ir.Type) {
	_, float := t.(ir.Float)
	if float && !op.Relational() && op != ir.Add && op != ir.Sub && op != ir.Mul && op != ir.Div {
		b.wrong(e, "operator %s of floating-point numbers", op)
	}
}

// roundedFns are the functions that are one operation; those that follow the
// rounding mode round to the nearest, since nothing changes it.
var roundedFns = map[string]ir.Fn{
	"sqrt": ir.Sqrt, "floor": ir.Floor, "ceil": ir.Ceil, "trunc": ir.Trunc, "round": ir.Round,
	"rint": ir.RoundEven, "nearbyint": ir.RoundEven, "roundeven": ir.RoundEven,
	"fmod": ir.Mod, "remainder": ir.Remainder, "drem": ir.Remainder, "fma": ir.FMA,
}

// toLong are the functions that round to a long.
var toLong = map[string]ir.Fn{"lround": ir.Round, "llround": ir.Round, "lrint": ir.RoundEven, "llrint": ir.RoundEven}

// comparing are the macros that compare and object to no NaN.
var comparing = map[string]ir.Op{"isgreater": ir.Gt, "isgreaterequal": ir.Ge, "isless": ir.Lt, "islessequal": ir.Le}

// aboutBits are the functions that look at the bits of a number.
var aboutBits = map[string]func(b *body, x floatBits) ir.Expr{
	"fabs":   func(_ *body, x floatBits) ir.Expr { return x.float(x.magnitude()) },
	"isnan":  func(_ *body, x floatBits) ir.Expr { return x.compare(ir.Gt, x.infinity()) },
	"finite": isFinite, "isfinite": isFinite,
	"isinf":      isInfinite,
	"isnormal":   isNormal,
	"signbit":    func(_ *body, x floatBits) ir.Expr { return x.negative() },
	"fpclassify": classify,
}

// floatConstants are the functions that give a constant.
var floatConstants = map[string]float64{"inf": math.Inf(1), "huge_val": math.Inf(1), "nan": math.NaN()}

// ofDouble returns the function of doubles that name is for another type, and
// that type; of what is no such function, name and double.
func ofDouble(name string, known func(name string) bool) (string, ir.Float) {
	name = strings.TrimPrefix(name, "__builtin_")
	if known(name) {
		return name, tDouble
	}
	if base, ok := strings.CutSuffix(name, "f"); ok && known(base) {
		return base, tFloat
	}
	if base, ok := strings.CutSuffix(name, "l"); ok && known(base) {
		return base, tDouble
	}
	return name, tDouble
}

func isMath(name string) bool {
	_, constant := floatConstants[name]
	return constant || name == "copysign" || roundedFns[name] != 0 || toLong[name] != 0 || comparing[name] != 0 || aboutBits[name] != nil
}

// callMath lowers the call of a function of math.h that is an expression.
func (b *body) callMath(n *cc.PostfixExpression, name string) ([]ir.Expr, bool) {
	f, t := ofDouble(name, isMath)
	if !isMath(f) {
		return nil, false
	}
	if v, ok := floatConstants[f]; ok {
		return b.floatConstant(n, t, v), true
	}
	want := max(roundedFns[f].Arity(), 1)
	if comparing[f] != 0 || f == "copysign" {
		want = 2
	}
	args := arguments(n)
	if len(args) != want {
		b.wrong(n, "%s called with %d arguments, want %d", name, len(args), want)
		return nil, true
	}
	xs := b.operands(args)
	info := ir.ExprInfo{Pos: b.span(n)}
	switch {
	case comparing[f] != 0:
		both := b.model.common(xs[0].Type(), xs[1].Type())
		return []ir.Expr{&ir.Binary{ExprInfo: info, Op: comparing[f], X: convert(xs[0], both), Y: convert(xs[1], both)}}, true
	case strings.HasPrefix(f, "is") || f == "signbit" || f == "fpclassify": // of any type
		if own, ok := xs[0].Type().(ir.Float); ok {
			t = own
		}
	}
	for i := range xs {
		xs[i] = convert(xs[i], t)
	}
	var e ir.Expr
	switch {
	case f == "copysign":
		e = copySign(t, xs[0], xs[1])
	case aboutBits[f] != nil:
		e = aboutBits[f](b, bitsOf(t, xs[0]))
	case toLong[f] != 0:
		e = &ir.Convert{To: ir.Int{Width: 64, Signed: true}, X: &ir.Math{Fn: toLong[f], Args: xs}}
	default:
		e = &ir.Math{Fn: roundedFns[f], Args: xs}
	}
	ir.ExprOf(e).Pos = info.Pos
	return []ir.Expr{e}, true
}

// operands lowers args from left to right.
func (b *body) operands(args []cc.ExpressionNode) []ir.Expr {
	xs := make([]ir.Expr, len(args))
	q := b.sequence()
	for i, a := range args {
		xs[i] = b.value(a)
		q.add(&xs[i])
	}
	q.done()
	return xs
}

// floatConstant is the call n of a function that gives v, whatever string it is
// given.
func (b *body) floatConstant(n *cc.PostfixExpression, t ir.Float, v float64) []ir.Expr {
	for _, a := range arguments(n) {
		if s, ok := a.Value().(cc.StringValue); !isString(a) || !ok || strings.TrimRight(string(s), "\x00") != "" {
			b.unsupported(a, "NaN with a payload", `write ""`)
		}
	}
	return []ir.Expr{&ir.Const{ExprInfo: ir.ExprInfo{Pos: b.span(n)}, Val: t.Bits(v), Typ: t}}
}

// floatBits are the bits of a number of type t.
type floatBits struct {
	t    ir.Float
	bits ir.Expr
}

func bitsOf(t ir.Float, x ir.Expr) floatBits {
	return floatBits{t, &ir.Convert{To: ir.Int{Width: t.Width}, X: x, Bits: true}}
}

// saved is x, which is used more than once.
func (b *body) savedBits(x floatBits) floatBits {
	v := b.Save("bits", x.bits)
	setSpan(v, ir.Span{})
	return floatBits{x.t, v}
}

func (x floatBits) number(v uint64) ir.Expr {
	return &ir.Const{Val: v, Typ: ir.Int{Width: x.t.Width}}
}

func (x floatBits) sign() uint64 { return 1 << (x.t.Width - 1) }

// magnitude is all but the sign.
func (x floatBits) magnitude() ir.Expr {
	return &ir.Binary{Op: ir.And, X: ir.CloneExpr(x.bits), Y: x.number(x.sign() - 1)}
}

// infinity is the magnitude of an infinity, above which are those of NaN.
func (x floatBits) infinity() uint64 { return x.t.Bits(math.Inf(1)) }

// smallest is the magnitude of the smallest normal number.
func (x floatBits) smallest() uint64 {
	if x.t.Width == 32 {
		return 1 << 23
	}
	return 1 << 52
}

func (x floatBits) compare(op ir.Op, v uint64) ir.Expr {
	return &ir.Binary{Op: op, X: x.magnitude(), Y: x.number(v)}
}

func (x floatBits) negative() ir.Expr {
	return &ir.Binary{Op: ir.Ge, X: ir.CloneExpr(x.bits), Y: x.number(x.sign())}
}

// float is the number with these bits.
func (x floatBits) float(bits ir.Expr) ir.Expr { return &ir.Convert{To: x.t, X: bits, Bits: true} }

func copySign(t ir.Float, x, y ir.Expr) ir.Expr {
	p, q := bitsOf(t, x), bitsOf(t, y)
	sign := &ir.Binary{Op: ir.And, X: q.bits, Y: q.number(q.sign())}
	return p.float(&ir.Binary{Op: ir.Or, X: p.magnitude(), Y: sign})
}

func isFinite(_ *body, x floatBits) ir.Expr { return x.compare(ir.Lt, x.infinity()) }

// isInfinite is -1 for the negative one, as gcc has it.
func isInfinite(b *body, x floatBits) ir.Expr {
	x = b.savedBits(x)
	sign := &ir.Cond{C: x.negative(), X: number(ir.Wrap(tInt, ^uint64(0)), tInt), Y: number(1, tInt)}
	return &ir.Cond{C: x.compare(ir.Eq, x.infinity()), X: sign, Y: number(0, tInt)}
}

func isNormal(b *body, x floatBits) ir.Expr {
	x = b.savedBits(x)
	return both(x.compare(ir.Ge, x.smallest()), x.compare(ir.Lt, x.infinity()))
}

// classify gives the numbers that math.h has.
func classify(b *body, x floatBits) ir.Expr {
	x = b.savedBits(x)
	e := number(0, tInt) // FP_NAN
	for _, c := range []struct {
		op    ir.Op
		v, is uint64
	}{
		{ir.Eq, x.infinity(), 1}, {ir.Lt, x.infinity(), 4}, {ir.Lt, x.smallest(), 3}, {ir.Eq, 0, 2},
	} {
		e = &ir.Cond{C: x.compare(c.op, c.v), X: number(c.is, tInt), Y: e}
	}
	return e
}

// mathC is read only where it is called.
//
//go:embed library/math.c
var mathC []byte

// mathNames are the functions of math.c, which are about doubles but for the last ones.
var mathNames = append(definedIn(mathC), "modf", "modff", "modfl", "power_of_int", "power_of_intf")

func isInMathC(name string) bool { return slices.Contains(mathNames, name) }

// inLibrary returns what the library calls the function name, "" if it has
// none.
func (l *loader) inLibrary(name string) string {
	if target := l.model.libraryNames()[name]; target != "" {
		return target
	}
	if target := libraryNames[name]; target != "" {
		return target
	}
	if slices.Contains(ownNames, name) {
		return name
	}
	if base, _ := ofDouble(name, isInMathC); isInMathC(base) {
		return base
	}
	return ""
}
