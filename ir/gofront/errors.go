package gofront

// Functions of package errors, on errors as numbers (see interface.go): what
// fmt.Errorf wraps with %w is in an array by its token, other errors have a
// method Unwrap. Chains longer than maxChain are cut.

import (
	"go/ast"
	"go/constant"
	"go/types"

	"github.com/go-amend/amend/ir"
)

const (
	maxChain   = 4
	maxWrapped = 64 // tokens of errors that wrap others
)

// noteBoxed notes a type of values in interfaces. If errors are unwrapped
// already, that has to begin anew.
func (l *lowerer) noteBoxed(t types.Type, key string) {
	for _, u := range l.known.boxed {
		if typeKey(u) == key {
			return
		}
	}
	l.known.boxed = append(l.known.boxed, t)
	l.known.changed = l.known.changed || len(l.unwraps) > 0
}

// errorNumber lowers e, an error, as a number.
func (b *body) errorNumber(e ast.Expr) ir.Expr { return b.numberOfError(b.val(e)) }

func (b *body) numberOfError(v value) ir.Expr {
	switch {
	case isNilConst(v.typ):
		return num(tInt, 0)
	case v.dyn != nil:
		v = b.forget(v)
	case !types.IsInterface(v.typ):
		v = b.erased(v, errorType)
	}
	return b.frozen(v.read(0))
}

// errorf lowers fmt.Errorf.
func (b *body) errorf(e *ast.CallExpr) value {
	wrapped, n := b.wrappedArg(e)
	if n > 1 {
		b.unsupported(e, "error that wraps several", "wrap one")
	}
	if b.known.texts {
		return b.errorText(e, wrapped, n)
	}
	b.formatted(e)
	var inner ir.Expr
	for _, a := range e.Args {
		if a == wrapped {
			inner = b.errorNumber(a)
			continue
		}
		b.printed(a)
	}
	v := b.opaque(b.typ(e))
	if inner != nil {
		b.cutWhen(&ir.Binary{Op: ir.Ge, X: v.read(0), Y: num(tInt, maxWrapped)})
		b.Set(&ir.Index{X: use(b.wrapsArray()), I: v.read(0)}, inner)
	}
	return v
}

// errorText lowers fmt.Errorf where programs ask for the texts of errors: to
// errors.New, or to what keeps the argument wrapped.
func (b *body) errorText(e *ast.CallExpr, wrapped ast.Expr, wraps int) value {
	if e.Ellipsis.IsValid() {
		b.unsupported(e, "formatting of a slice of arguments", "name them in the call")
		return b.refused(e)
	}
	values := b.printedValues(e.Args[1:])
	s := b.sprintf(e.Args[0], e.Args[1:], values, wraps)
	if wrapped == nil {
		v := b.library(e, "errors", "New", s)
		v.typ = b.typ(e)
		return v
	}
	var inner ir.Expr
	for i, a := range e.Args[1:] {
		if a == wrapped {
			inner = b.numberOfError(values[i])
		}
	}
	return b.modelCall(e, "Wrap", s, b.scalarValue(errorType, inner))
}

func (l *lowerer) wrapsArray() *ir.Var {
	if l.wraps == nil {
		l.wraps = &ir.Var{Name: "wraps", Kind: ir.Global, Type: ir.Array{Elem: tInt, Len: maxWrapped}}
	}
	return l.wraps
}

// wrappedArg returns the argument of fmt.Errorf that the verb %w is about,
// and how many there are.
func (b *body) wrappedArg(e *ast.CallExpr) (arg ast.Expr, n int) {
	v := b.p.info.Types[e.Args[0]].Value
	if v == nil || v.Kind() != constant.String {
		return nil, 0
	}
	format, k := constant.StringVal(v), 0
	for i := 0; i < len(format); i++ {
		if format[i] != '%' {
			continue
		}
		for i++; i < len(format) && (format[i] < 'A' || format[i] == '[') && format[i] != '%'; i++ {
			if format[i] == '*' {
				k++
			}
		}
		if i >= len(format) || format[i] == '%' {
			continue
		}
		if k++; format[i] == 'w' && k < len(e.Args) {
			arg = e.Args[k]
			n++
		}
	}
	return arg, n
}

// unwrapped is what the error x wraps, 0 for nothing.
func (b *body) unwrapped(n ast.Node, x ir.Expr) ir.Expr {
	b.lowerer.unwraps = append(b.unwraps, b.span(n))
	next := b.Temp("wrapped", tInt)
	in := and(&ir.Binary{Op: ir.Gt, X: ir.CloneExpr(x), Y: num(tInt, 0)}, &ir.Binary{Op: ir.Lt, X: ir.CloneExpr(x), Y: num(tInt, maxWrapped)})
	b.Set(use(next), &ir.Index{X: use(b.wrapsArray()), I: &ir.Cond{C: in, X: ir.CloneExpr(x), Y: num(tInt, 0)}})
	for _, t := range b.known.boxed {
		m := methodNamed(t, "Unwrap")
		if m == nil || m.Signature().Params().Len() > 0 || m.Signature().Results().Len() != 1 || !isError(m.Signature().Results().At(0).Type()) {
			continue
		}
		then := b.Block(func() {
			f, recv := b.methodOf(n, b.unboxed(x, t), m)
			if f == nil {
				return
			}
			b.Within(func() {
				if rs := b.callFunction(n, f, []value{*recv}); len(rs) == 1 {
					b.Set(use(next), rs[0].read(0))
				}
			})
		})
		b.branch(isType(x, b.typeID(t)), then, nil)
	}
	return use(next)
}

func methodNamed(t types.Type, name string) *types.Func {
	o, _, _ := types.LookupFieldOrMethod(t, false, nil, name)
	m, _ := o.(*types.Func)
	return m
}

// chain visits the error x and those that it wraps: visit emits what is done
// with the one in cur, unless found, which it may set, is true.
func (b *body) chain(n ast.Node, x ir.Expr, found *ir.Var, visit func(cur ir.Expr)) {
	cur := b.Temp("err", tInt)
	b.Set(use(cur), ir.CloneExpr(x))
	visit(use(cur))
	more := func() ir.Expr {
		return and(&ir.Binary{Op: ir.Ne, X: use(cur), Y: num(tInt, 0)}, &ir.Unary{Op: ir.Not, X: use(found)})
	}
	for range maxChain {
		b.branch(more(), b.Block(func() {
			b.Set(use(cur), b.unwrapped(n, use(cur)))
			b.branch(more(), b.Block(func() { visit(use(cur)) }), nil)
		}), nil)
	}
	b.branch(more(), b.Block(func() {
		b.cutWhen(&ir.Binary{Op: ir.Ne, X: b.unwrapped(n, use(cur)), Y: num(tInt, 0)})
	}), nil)
}

// errorsIs is errors.Is of the errors x and target.
func (b *body) errorsIs(e ast.Node, x, target ir.Expr) ir.Expr {
	b.demands = append(b.demands, demand{span: b.span(e), t: errorType, what: comparing})
	found := b.Temp("is", tBool)
	equal := func(cur ir.Expr) {
		eq, _ := b.equalNumbers(e, cur, ir.CloneExpr(target)) // what can't be compared is not the same
		b.Set(use(found), eq)
	}
	equal(x)
	b.branch(&ir.Binary{Op: ir.Ne, X: ir.CloneExpr(target), Y: num(tInt, 0)}, b.Block(func() { b.chain(e, x, found, equal) }), nil)
	return use(found)
}

// errorsAs lowers errors.As(err, &target).
func (b *body) errorsAs(e *ast.CallExpr) value {
	p, ok := b.typ(e.Args[1]).Underlying().(*types.Pointer)
	x := b.errorNumber(e.Args[0])
	to := b.snapshot(b.val(e.Args[1]))
	if !ok || isLibraryError(p.Elem()) {
		b.unsupported(e.Args[1], "target of errors.As of this type", "use a pointer to a pointer or to a number")
		return b.refused(e)
	}
	found := b.Temp("is", tBool)
	b.Set(use(found), truth(false))
	b.chain(e, x, found, func(cur ir.Expr) {
		v, is, ok := b.asserted(e, b.scalarValue(errorType, cur), p.Elem())
		if !ok {
			return
		}
		b.Set(use(found), is)
		b.branch(use(found), b.Block(func() { b.storeOver(b.deref(to, p.Elem()), v) }), nil)
	})
	return b.scalarValue(b.typ(e), use(found))
}

// checkUnwraps refuses to unwrap errors that have a say in it.
func (l *lowerer) checkUnwraps() {
	if len(l.unwraps) == 0 {
		return
	}
	own := func(t types.Type) bool {
		if !types.Implements(t, errorType.Underlying().(*types.Interface)) {
			return false
		}
		m := methodNamed(t, "Unwrap")
		if m != nil && l.typeID(t) == 0 {
			l.keep(t)
		}
		return methodNamed(t, "Is") != nil || methodNamed(t, "As") != nil || m != nil && !isError(m.Signature().Results().At(0).Type())
	}
	for _, list := range [][]types.Type{l.opaques, l.known.boxed} {
		for _, t := range list {
			if own(t) {
				l.fail(&ir.UnsupportedError{Span: l.unwraps[0], Construct: "unwrapping of errors, some of which are of type " + t.String(), Hint: "its methods Is, As or Unwrap are not followed"})
				return
			}
		}
	}
}
