package gofront

// The clock of package time: each reading is any time later by at most some days,
// and the wall clock shows any time of a century.

import (
	"go/ast"
	"go/types"

	"github.com/go-amend/amend/ir"
)

// nanoseconds reads the clock that only goes on.
func (b *body) nanoseconds(n ast.Node) ir.Expr {
	l := b.lowerer
	if l.clock == nil {
		l.clock = &ir.Var{Name: "clock", Kind: ir.Global, Type: tInt}
	}
	step, x := b.unsignedBits(n, 48), b.Temp("now", tInt)
	next := func() {
		b.Set(use(l.clock), add(use(l.clock), convert(step, tInt)))
		b.Set(use(x), use(l.clock))
	}
	if !b.known.threaded {
		next()
		return add(use(x), num(tInt, 1))
	}
	a := &ir.Atomic{Body: b.Block(next)}
	b.Derive(&a.StmtInfo)
	b.Emit(a)
	return add(use(x), num(tInt, 1))
}

// unsignedBits is a free number of so many bits.
func (b *body) unsignedBits(n ast.Node, bits int) ir.Expr {
	v := b.free(n, types.Typ[types.Uint64])
	return b.Save("free", &ir.Binary{Op: ir.Shr, X: v.read(0), Y: num(tU64, int64(64-bits))})
}

// now lowers time.runtimeNow: seconds and nanoseconds of the wall clock, and what
// the other one shows.
func (b *body) now(e *ast.CallExpr) []value {
	const begin, second = 1_500_000_000, 1_000_000_000
	t := b.typ(e).(*types.Tuple)
	sec := add(convert(b.unsignedBits(e, 32), tInt), num(tInt, begin))
	part := b.unsignedBits(e, 30)
	nsec := &ir.Cond{C: &ir.Binary{Op: ir.Ge, X: part, Y: num(tU64, second)}, X: &ir.Binary{Op: ir.Sub, X: ir.CloneExpr(part), Y: num(tU64, second)}, Y: ir.CloneExpr(part)}
	return []value{
		b.scalarValue(t.At(0).Type(), sec),
		b.scalarValue(t.At(1).Type(), convert(b.Save("nsec", nsec), ir.Int{Width: 32, Signed: true})),
		b.scalarValue(t.At(2).Type(), b.nanoseconds(e)),
	}
}

// after lowers time.After: a goroutine that sends the time at any time.
func (b *body) after(e *ast.CallExpr) []value {
	b.threaded()
	b.sideEffects(e.Args[0])
	now := b.libraryFunction(e, "time", "Now")
	if now == nil {
		return b.failedCall(e)
	}
	f := b.ps.modelFor("After", b.typ(e).Underlying().(*types.Chan).Elem())
	return b.callFunction(e, f, []value{b.modelArgument(f, 0, now)})
}
