package gofront

// Timers of time.AfterFunc: goroutines that do something at any time, unless they
// are stopped before. How long a timer is said to take doesn't count.

import (
	"go/ast"
	"go/types"

	"github.com/go-amend/amend/ir"
)

func isTimer(t types.Type) bool {
	n, ok := types.Unalias(t).(*types.Named)
	return ok && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == "time" && n.Obj().Name() == "Timer"
}

// layTimer lays out time.Timer: its fields, and whether it is over.
func (l *lowerer) layTimer(x *layout, u *types.Struct) {
	for f := range u.Fields() {
		l.layField(x, f)
	}
	x.leaves = append(x.leaves, leaf{path: ".over", typ: tBool, off: x.size})
	x.size++
}

// timerState returns whether the timer at v was made by AfterFunc, and whether it
// is over.
func timerState(v value) (made, over ir.Expr) {
	n := len(v.lay.leaves)
	return v.elem(n-2, nil), v.elem(n-1, nil)
}

// afterFunc lowers time.AfterFunc.
func (b *body) afterFunc(e *ast.CallExpr) value {
	b.threaded()
	t := b.typ(e)
	b.sideEffects(e.Args[0])
	f := b.functionOf(e.Args[1])
	if f == nil {
		return b.refused(e)
	}
	elem := t.Underlying().(*types.Pointer).Elem()
	p := b.newObject(t, b.snapshot(b.zero(elem)))
	made, _ := timerState(b.deref(p, elem))
	b.Set(made, truth(true))
	call := b.funcValue(e.Args[1], f)
	s := &synthetic{params: []*types.Var{parameter("t", t), parameter("f", call.typ)}, results: types.NewTuple()}
	s.build = func(b *body) {
		b.unlessOver(e, b.deref(*b.arg(0), elem), func() {
			if f, recv := b.calledValue(e, *b.arg(1)); f != nil {
				args := []value{}
				if recv != nil {
					args = append(args, *recv)
				}
				b.callFunction(e, f, args)
			}
		})
	}
	b.spawn(e, b.synthesize(e, "time.AfterFunc", s), []value{p, call}, nil)
	return p
}

// unlessOver makes the timer at v over, in one event, and does what act does if it
// wasn't.
func (b *body) unlessOver(n ast.Node, v value, act func()) *ir.Var {
	first := b.Temp("first", tBool)
	_, over := timerState(v)
	b.atomic(n, nil, func() {
		b.Set(use(first), &ir.Unary{Op: ir.Not, X: over})
		b.Set(ir.CloneExpr(over), truth(true))
	})
	if act != nil {
		run := b.Block(func() { b.Within(act) })
		b.Within(func() { b.branch(use(first), run, nil) })
	}
	return first
}

// stopTimer evaluates the receiver of a call of a timer's method Stop, and returns
// what makes the call.
func (b *body) stopTimer(e *ast.CallExpr) func() value {
	b.threaded()
	s, ok := ast.Unparen(e.Fun).(*ast.SelectorExpr)
	if !ok || b.p.info.Selections[s] == nil || len(b.p.info.Selections[s].Index()) > 1 {
		b.unsupported(e, "such a call of a timer's method", "call it by a variable")
		return func() value { return b.refused(e) }
	}
	var v value
	b.Within(func() {
		v = b.pointee(b.val(s.X))
		b.freezePlace(&v)
	})
	return func() value {
		made, _ := timerState(v)
		b.demand(ir.CheckAssert, made, b.span(e), "")
		return b.scalarValue(b.typ(e), use(b.unlessOver(e, v, nil)))
	}
}
