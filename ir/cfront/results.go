package cfront

// What calls of the library give: those that return their first argument, and
// calls for a value of functions that give none.

import (
	"slices"

	"modernc.org/cc/v4"

	"github.com/go-amend/amend/ir"
)

// errorNames are the functions whose call is a violation, whatever a
// definition in the program does: that is how benchmarks say what must not
// be reached.
var errorNames = map[string]bool{
	"__VERIFIER_error": true, "__VERIFIER_fail": true, "reach_error": true,
	"__assert_fail": true, "__assert_func": true, "__assert_rtn": true, "__builtin_trap": true, "__builtin_unreachable": true,
}

// isError reports whether a call of the function called name is a violation.
func (l *loader) isError(name string) bool {
	if l.cfg.Errors != nil {
		return slices.Contains(l.cfg.Errors, name)
	}
	return errorNames[name]
}

// returnsFirst are the functions of the library that return their first
// argument.
var returnsFirst = map[string]bool{
	"strcpy": true, "strncpy": true, "strcat": true, "strncat": true,
	"memset": true, "memcpy": true, "memmove": true,
}

// callCopying is the call of such a function for its result: the first
// argument is evaluated once, passed on, and kept.
func (b *body) callCopying(n *cc.PostfixExpression) (pointer, bool) {
	args := arguments(n)
	if len(args) == 0 {
		b.wrong(n, "%s called without arguments", functionNamed(n.PostfixExpression).Name())
		return pointer{}, false
	}
	failed := b.failed
	v, ok := b.pointer(args[0], nil)
	if !ok {
		return v, false
	}
	v = b.kept(v)
	if b.given == nil {
		b.given = map[cc.ExpressionNode]pointer{}
	}
	b.given[args[0]] = v
	b.Within(func() { b.call(n) })
	if _, unused := b.given[args[0]]; unused && b.acts(args[0]) && b.failed == failed {
		b.unsupported(args[0], "side effect in what is copied to", "move it to a statement")
	}
	delete(b.given, args[0])
	v.elem = elem(n.Type())
	return v, b.failed == failed
}

// kept is v, which nothing changes that happens later.
func (b *body) kept(v pointer) pointer {
	if v.at != nil {
		at := copyPlace(*v.at)
		at.each(b.freeze)
		v.at = &at
		return v
	}
	if _, ok := v.num.(*ir.Const); !ok {
		v.num = b.Save("p", v.num)
	}
	return v
}

// resultless is the value of the call n of a function that gives none: a free
// one for output, else an error.
func (b *body) resultless(n *cc.PostfixExpression) ir.Expr {
	d := functionNamed(unstarred(n))
	if d == nil {
		b.wrong(n, "value of a call through a pointer to functions that return nothing")
		return zero()
	}
	name := d.Name()
	_, isOutput := outputNames[name]
	switch {
	case errorNames[name], exitNames[name]:
		return zero() // never used
	case isOutput:
		return b.anyResult(n, "printed", tInt)
	case mayFail[name]:
		fails := b.anyResult(n, "fails", tBool)
		return &ir.Cond{C: fails, X: &ir.Const{Val: ir.Wrap(tInt, ^uint64(0)), Typ: tInt}, Y: zero()}
	case returnsFirst[name]:
		b.unsupported(n, "result of "+name+" where it is not declared", "include <string.h>")
	default:
		b.wrong(n, "value of a call of %s, which returns nothing", name)
	}
	return zero()
}

// mayFail are the functions that return 0, or -1 for reasons that are not
// modelled.
var mayFail = map[string]bool{"usleep": true, "nanosleep": true}

// anyResult is a free result, of type t, of the call n.
func (b *body) anyResult(n *cc.PostfixExpression, name string, t ir.Type) ir.Expr {
	v := b.Temp(name, t)
	h := &ir.Havoc{LHS: use(v, ir.Span{})}
	b.Stand(&h.StmtInfo, b.extent(n))
	b.Emit(h)
	return use(v, b.span(n))
}

// mismatch refuses e, of type t, as the argument for p. Those of the library
// are no names that the program knows.
func (b *body) mismatch(e cc.ExpressionNode, t cc.Type, p *param) {
	if b.f != nil && b.libraryParam(p) {
		b.unsupported(e, "memory of type "+t.String()+" here", "copy, set and compare arrays of one type of integers, or use a loop")
		return
	}
	b.wrong(e, "argument of type %s for a parameter of type %s", t, p.typ)
}

// libraryParam reports whether p is a parameter of a function of the library.
func (l *loader) libraryParam(p *param) bool {
	for _, f := range l.procs {
		for _, q := range f.params {
			if p == q {
				return f.unit.library
			}
		}
	}
	return false
}

// functionName declares __func__, whose declaration i cc puts into each
// function; its array is made where it is used.
func (b *body) functionName(i *cc.BlockItem) {
	x := i.Declaration.InitDeclaratorList.InitDeclarator
	if b.globals[b.u.symbolOf(x.Declarator)] == nil {
		b.declareGlobal(b.u, x.Declarator, x).fixed = 1
	}
}
