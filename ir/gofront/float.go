package gofront

// Floating-point numbers. Each operation is rounded: what the specification
// allows, one rounding for x*y + z, compilers for amd64 do from GOAMD64=v3 on
// only.

import (
	"go/ast"
	"go/constant"
	"go/types"

	"github.com/go-amend/amend/ir"
)

var tDouble = ir.Float{Width: 64}

func isFloat(t types.Type) bool {
	u, ok := t.Underlying().(*types.Basic)
	return ok && u.Info()&types.IsFloat != 0
}

// floatBits returns the bits of v, a constant, in type t.
func floatBits(t ir.Float, v constant.Value) uint64 {
	v = constant.ToFloat(v)
	if t == tDouble {
		f, _ := constant.Float64Val(v)
		return t.Bits(f)
	}
	f, _ := constant.Float32Val(v)
	return t.Bits(float64(f))
}

// one is the number 1 of type t.
func one(t ir.Type) *ir.Const {
	if f, ok := t.(ir.Float); ok {
		return &ir.Const{Typ: t, Val: f.Bits(1)}
	}
	return num(t, 1)
}

// mathFns are the functions of package math that are operations. The others
// are read as they are written in Go, or models.
var mathFns = map[string]ir.Fn{
	"math.Sqrt": ir.Sqrt, "math.Floor": ir.Floor, "math.Ceil": ir.Ceil, "math.Trunc": ir.Trunc,
	"math.Round": ir.Round, "math.RoundToEven": ir.RoundEven, "math.Mod": ir.Mod, "math.Remainder": ir.Remainder, "math.FMA": ir.FMA,
}

// mathBits are those that give or take bits, by the type that they give, and
// what package strconv has in their place.
var mathBits = map[string]ir.Type{
	"math.Float64bits": tU64, "math.Float64frombits": tDouble,
	"math.Float32bits": ir.Int{Width: 32}, "math.Float32frombits": ir.Float{Width: 32},
	"internal/strconv.float64bits": tU64, "internal/strconv.float64frombits": tDouble,
	"internal/strconv.float32bits": ir.Int{Width: 32}, "internal/strconv.float32frombits": ir.Float{Width: 32},
}

// mathCall lowers e if it calls a function of package math that is an
// operation.
func (b *body) mathCall(e *ast.CallExpr) (value, bool) {
	name := b.specialName(e)
	to, bits := mathBits[name]
	fn, ok := mathFns[name]
	if !ok && !bits || e.Ellipsis.IsValid() {
		return value{}, false
	}
	var args []ir.Expr
	for _, a := range e.Args {
		x := b.expr(a)
		if len(e.Args) > 1 { // before what the others do
			x = b.saveOperand("x", x)
		}
		args = append(args, x)
	}
	info := ir.ExprInfo{Pos: b.span(e)}
	if bits {
		return b.scalarValue(b.typ(e), &ir.Convert{ExprInfo: info, To: to, X: args[0], Bits: true}), true
	}
	return b.scalarValue(b.typ(e), &ir.Math{ExprInfo: info, Fn: fn, Args: args}), true
}

// extremeFloat is min or max of x and y, floating-point numbers of type t.
func (b *body) extremeFloat(e *ast.CallExpr, name string, t types.Type, x, y ir.Expr) ir.Expr {
	model := map[string]string{"min": "FloatMin", "max": "FloatMax"}[name]
	double := types.Typ[types.Float64]
	args := []value{b.scalarValue(double, convert(x, tDouble)), b.scalarValue(double, convert(y, tDouble))}
	r := b.callFunction(e, b.ps.model(model), args)
	return convert(r[0].read(0), b.scalarType(e, t))
}
