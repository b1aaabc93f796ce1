package cfront

// CBMC's uninterpreted functions, __CPROVER_uninterpreted_…: any functions, which
// give the same value for the same arguments. What they gave is kept in arrays, in
// which each call looks for its arguments.

import (
	"fmt"
	"strings"

	"modernc.org/cc/v4"

	"github.com/go-amend/amend/ir"
)

// maxApplications is for how many different arguments a run may call an
// uninterpreted function. A run that calls it for more is cut.
const maxApplications = 16

// An application is what an uninterpreted function gave so far.
type application struct {
	args   []*ir.Var // arrays of the arguments
	result *ir.Var   // and of the results
	count  *ir.Var
}

// uninterpreted lowers the call n of d if that is such a function.
func (b *body) uninterpreted(n *cc.PostfixExpression, d *cc.Declarator) ([]ir.Expr, bool) {
	rest, is := strings.CutPrefix(d.Name(), "__CPROVER_uninterpreted_")
	if !is || rest == "" {
		return nil, false
	}
	t, ok := scalar(n.Type())
	xs := b.operands(arguments(n))
	var ps []*cc.Parameter
	if f, isFunction := d.Type().(*cc.FunctionType); isFunction {
		ps = parameters(f)
	}
	for i := range xs {
		if i < len(ps) {
			to, isScalar := scalar(ps[i].Type())
			if ok = ok && isScalar; ok {
				xs[i] = convert(xs[i], to)
			}
		}
		xs[i] = b.Save("x", xs[i])
	}
	a := b.applied[d.Name()]
	if a == nil && ok {
		a = b.newApplication(d.Name(), xs, t)
	}
	if !ok || !a.takes(xs) {
		b.unsupported(n, "uninterpreted function of these types", "declare its parameters as integers")
		return nil, true
	}
	r := b.Temp("result", t)
	b.emitAtomic(n, nil, nil, func() { b.apply(a, xs, r) })
	return []ir.Expr{use(r, b.span(n))}, true
}

// newApplication makes the arrays of the function called name.
func (l *loader) newApplication(name string, xs []ir.Expr, result ir.Type) *application {
	array := func(suffix string, t ir.Type) *ir.Var {
		return &ir.Var{Name: name + suffix, Type: ir.Array{Elem: t, Len: maxApplications}, Kind: ir.Global}
	}
	a := &application{result: array(".results", result), count: &ir.Var{Name: name + ".count", Type: ir.Int{Width: 16}, Kind: ir.Global}}
	for i, x := range xs {
		a.args = append(a.args, array(fmt.Sprintf(".argument%d", i+1), x.Type()))
	}
	l.prog.Globals = append(append(l.prog.Globals, a.args...), a.result, a.count)
	l.applied[name] = a
	return a
}

// takes reports whether xs have the types of its arguments.
func (a *application) takes(xs []ir.Expr) bool {
	if len(xs) != len(a.args) {
		return false
	}
	for i, x := range xs {
		if _, isFloat := x.Type().(ir.Float); isFloat || a.args[i].Type.(ir.Array).Elem != x.Type() {
			return false // the same number is not the same value
		}
	}
	return true
}

// apply emits that r gets what a gives for xs.
func (b *body) apply(a *application, xs []ir.Expr, r *ir.Var) {
	element := func(v *ir.Var, i ir.Expr) ir.Expr { return &ir.Index{X: use(v, ir.Span{}), I: i} }
	count := func() ir.Expr { return use(a.count, ir.Span{}) }
	known := b.Temp("known", tBool)
	b.set(use(known, ir.Span{}), truth(false))
	b.fill(r, false)
	for i := range uint64(maxApplications) {
		same := compare(ir.Gt, count(), i)
		for k, x := range xs {
			same = both(same, &ir.Binary{Op: ir.Eq, X: element(a.args[k], number(i, tInt)), Y: ir.CloneExpr(x)}).(*ir.Binary)
		}
		b.when(same, func() {
			b.set(use(known, ir.Span{}), truth(true))
			b.set(use(r, ir.Span{}), element(a.result, number(i, tInt)))
		}, nil)
	}
	b.when(&ir.Unary{Op: ir.Not, X: use(known, ir.Span{})}, func() {
		b.atMost(plusOne(count()), maxApplications)
		for k, x := range xs {
			b.set(element(a.args[k], count()), ir.CloneExpr(x))
		}
		b.set(element(a.result, count()), use(r, ir.Span{}))
		b.set(count(), plusOne(count()))
	}, nil)
}
