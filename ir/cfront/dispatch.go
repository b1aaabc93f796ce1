package cfront

// Pointers to functions. Each function whose address is a value has a number
// of its own, as objects have; which of them a pointer may hold follows from
// the whole program as for objects, and a call chooses among these by the
// number. Any other value violates the nil check.

import (
	"modernc.org/cc/v4"

	"github.com/go-amend/amend/ir"
)

// codeKey is the key of a function as what a pointer points at.
type codeKey struct{ f *function }

// findPointed notes the functions whose address is a value.
func (l *loader) findPointed() {
	l.pointed = map[*function]bool{}
	for _, u := range append(l.units[:len(l.units):len(l.units)], l.library) {
		if u == nil {
			continue
		}
		for _, d := range u.text.taken {
			if f := l.asValue(u, d); f != nil && !l.pointed[f] {
				l.pointed[f] = true
				l.pointees = append(l.pointees, f)
			}
		}
	}
}

// mentioned are the functions that running f may run or start.
func (l *loader) mentioned(f *function) []*function {
	fs := l.named(f, func(mention) bool { return true })
	if f.startsAny() {
		fs = append(fs, l.pointees...)
	}
	return fs
}

// called are the functions that running f may run in the same thread.
func (l *loader) called(f *function) []*function {
	return l.named(f, func(m mention) bool { return m.called })
}

// named are the functions of those mentions in f that count, and what it may
// call through pointers.
func (l *loader) named(f *function, counts func(mention) bool) []*function {
	var fs []*function
	for _, m := range f.unit.text.calls[f.def] {
		if g := l.callee(f.unit, m.decl); g != nil && counts(m) {
			fs = append(fs, g)
		}
	}
	if f.unit.text.indirect[f.def] {
		fs = append(fs, l.pointees...)
	}
	return append(fs, l.ends(f)...)
}

// functionPointer is the function that d declares as a value.
func (b *body) functionPointer(e cc.Node, d *cc.Declarator) (pointer, bool) {
	f := b.asValue(b.u, d)
	if f == nil {
		return b.noPointer(e, "function "+d.Name()+", which is not defined, as a value", "define it")
	}
	if f.unit.library && f.at.IsZero() {
		f.at = b.extent(e)
	}
	s := shape{key: codeKey{f}}
	to := &targets{}
	to.add(s)
	n := number(b.codeNumber(f), tPtr)
	n.(*ir.Const).Pos = b.span(e)
	return pointer{num: n, to: to, elem: d.Type()}, true
}

// codeNumber is the number of f.
func (l *loader) codeNumber(f *function) uint64 {
	if l.codes[f] == 0 {
		l.codes[f] = l.nextAddr
		l.nextAddr += 16
	}
	return l.codes[f]
}

// callThrough is the call n of what a pointer points at. Its arguments are
// lowered for each function that this may be, of which one runs: they are no
// sites.
func (b *body) callThrough(n *cc.PostfixExpression) ([]ir.Expr, *targets) {
	v, ok := b.pointer(unstarred(n), nil)
	if !ok {
		return nil, nil
	}
	num, to := b.number(n, v)
	num = b.plain(num)
	fs, ok := b.candidates(n, num, to)
	if !ok {
		return nil, nil
	}
	b.checkCode(n, num, fs)
	result, ok := scalarOrPointer(n.Type())
	if !ok && n.Type().Kind() != cc.Void {
		b.unsupported(n, "call through a pointer to a function that returns "+n.Type().String(), "return a scalar")
		return nil, nil
	}
	var vs []ir.Expr
	if ok {
		t := b.Temp("result", result)
		b.fill(t, false)
		vs = []ir.Expr{use(t, b.span(n))}
	}
	held := &targets{}
	b.Unchanged(func() { b.dispatchTo(n, num, fs, vs, held) })
	return vs, held
}

// checkCode emits the check that num, which n runs, is the number of one of fs.
func (b *body) checkCode(n cc.Node, num ir.Expr, fs []*function) {
	known := ir.Expr(&ir.Const{Typ: tBool})
	for i, f := range fs {
		if is := b.isCode(num, f); i == 0 {
			known = is
		} else {
			known = either(known, is)
		}
	}
	if b.cfg.Checks.Has(ir.CheckNil) {
		b.check(ir.CheckNil, known, b.extent(n))
	}
}

// dispatchTo emits the call of the one of fs that num is the number of, and
// keeps its result.
func (b *body) dispatchTo(n *cc.PostfixExpression, num ir.Expr, fs []*function, results []ir.Expr, held *targets) {
	if len(fs) == 0 {
		return
	}
	f := fs[0]
	then := b.Block(func() {
		b.Within(func() {
			vs := b.callDefined(n, f)
			if len(results) == 1 && len(vs) == 1 {
				b.set(use(results[0].(*ir.Use).Var, ir.Span{}), vs[0])
				held.addAll(b.mem.holds(cell{resultKey{f.sym}, 0}))
			}
		})
	})
	els := b.Optional(func() { b.dispatchTo(n, num, fs[1:], results, held) })
	b.branchOn(b.isCode(num, f), then, els)
}

func (b *body) isCode(num ir.Expr, f *function) ir.Expr {
	return &ir.Binary{Op: ir.Eq, X: ir.CloneExpr(num), Y: number(b.codeNumber(f), tPtr)}
}

// candidates are the functions among to, one of which num is the number of. It
// reports false after refusing one of another type than the call n says; if that
// can be left to runs that call it, only they are refused.
func (b *body) candidates(n *cc.PostfixExpression, num ir.Expr, to *targets) ([]*function, bool) {
	var fs []*function
	for _, s := range to.list {
		k, ok := s.key.(codeKey)
		if !ok {
			continue
		}
		if !b.suits(n, k.f) {
			refuse := func() {
				b.unsupported(n, "call of "+k.f.sym.name+" through a pointer to another type", "give them one type")
			}
			if !b.defers() {
				refuse()
				return nil, false
			}
			b.when(b.isCode(num, k.f), refuse, nil)
			continue
		}
		fs = append(fs, k.f)
	}
	return fs, true
}

// suits reports whether f has the type that the call n says.
func (b *body) suits(n *cc.PostfixExpression, f *function) bool {
	t := unstarred(n).Type().Undecay()
	if p := elem(t); p != nil {
		t = p
	}
	want, ok := t.(*cc.FunctionType)
	if ok && len(parameters(want)) == 0 && len(arguments(n)) == len(parameters(f.typ)) { // no prototype
		if !sameResult(want.Result(), f.typ.Result()) || want.IsVariadic() != f.typ.IsVariadic() {
			return false
		}
		for i, a := range arguments(n) {
			if p := parameters(f.typ)[i].Type(); !sameResult(a.Type(), p) && !becomes(a.Type(), p, b.u.ast.Int) {
				return false
			}
		}
		return true
	}
	return sameFunction(t, f.typ)
}

// becomes reports whether a t is passed as a u where no prototype says its type, and
// an int is one of those.
func becomes(t, u, integer cc.Type) bool {
	switch {
	case cc.IsIntegerType(t):
		return cc.IsIntegerType(u) && u.Kind() != cc.Bool && u.Size() == max(t.Size(), integer.Size())
	case t.Kind() == cc.Float:
		return u.Kind() == cc.Double
	}
	return false
}

// sameFunction reports whether t is a function type whose functions are called
// and return as those of type u do.
func sameFunction(t cc.Type, u *cc.FunctionType) bool {
	f, ok := t.Undecay().(*cc.FunctionType)
	if !ok || !sameResult(f.Result(), u.Result()) || f.IsVariadic() != u.IsVariadic() {
		return false
	}
	ps, qs := parameters(f), parameters(u)
	if len(ps) != len(qs) {
		return false
	}
	for i := range ps {
		if !sameResult(ps[i].Type(), qs[i].Type()) {
			return false
		}
	}
	return true
}

func parameters(t *cc.FunctionType) []*cc.Parameter {
	ps := t.Parameters()
	if len(ps) == 1 && ps[0].Type().Kind() == cc.Void {
		return nil
	}
	return ps
}

// sameResult reports whether t and u are passed alike: integers of one size are,
// whatever their signs.
func sameResult(t, u cc.Type) bool {
	if cc.IsIntegerType(t) && cc.IsIntegerType(u) {
		return t.Size() == u.Size() && (t.Kind() == cc.Bool) == (u.Kind() == cc.Bool)
	}
	if t.Kind() == cc.Void || u.Kind() == cc.Void {
		return t.Kind() == u.Kind()
	}
	return sameShape(t, u)
}

// pointerThrough is callThrough for a function that returns a pointer.
func (b *body) pointerThrough(e *cc.PostfixExpression) (pointer, bool) {
	var vs []ir.Expr
	var to *targets
	b.Within(func() { vs, to = b.callThrough(e) })
	if len(vs) == 0 {
		return pointer{}, false
	}
	return pointer{num: vs[0], to: to, elem: elem(e.Type())}, true
}
