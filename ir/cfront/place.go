package cfront

// Places: what can stand left of an assignment, or be passed by reference.

import (
	"modernc.org/cc/v4"

	"github.com/go-amend/amend/ir"
)

// A place is an object or a part of one: the elements that idx selects of
// each of vars. It is a single one unless many is set.
type place struct {
	typ   cc.Type
	vars  []*ir.Var
	path  bool    // a field was selected: vars are named after it
	last  bool    // it is the last member of a struct
	obj   *object // that it is a part of
	from  int     // number of vars[0] among the object's
	idx   []step
	outer int // how many of idx select what it is a member of
	span  ir.Span
	base  ir.Span // of the variable's name
	konst bool

	raw    *window // if vars is an array of bytes, of all of which typ is a view
	limits []limit

	// What a pointer points at is one of several places: many is set, and
	// vars, obj and idx are not.
	many    bool
	options []option

	row *pointer // to its first element, if it is an array with a computed length, and a part of one
}

// A step selects an element.
type step struct {
	index ir.Expr
	span  ir.Span // of the text up to the bracket's end
}

// place lowers e, which denotes an object. It reports false after failing.
func (b *body) place(e cc.ExpressionNode) (place, bool) {
	switch e := e.(type) {
	case *cc.PrimaryExpression:
		return b.primaryPlace(e)
	case *cc.PostfixExpression:
		return b.postfixPlace(e)
	case *cc.ExpressionList:
		if e.ExpressionList != nil {
			return b.commaPlace(e)
		}
		return b.place(e.AssignmentExpression)
	case *cc.UnaryExpression:
		switch e.Case {
		case cc.UnaryExpressionDeref:
			return b.derefPlace(e)
		}
	case *cc.AssignmentExpression:
		if isRecord(e.Type()) {
			return b.assignStruct(e)
		}
	}
	return b.noPlace(e)
}

func (b *body) noPlace(e cc.ExpressionNode) (place, bool) {
	switch e.Type().Kind() {
	case cc.Struct, cc.Union:
		b.unsupported(e, "struct expression of this form", "assign it to a variable first")
	default:
		b.unsupported(e, "expression of this form as an object", "")
	}
	return place{}, false
}

func (b *body) primaryPlace(e *cc.PrimaryExpression) (place, bool) {
	switch e.Case {
	case cc.PrimaryExpressionExpr:
		p, ok := b.place(e.ExpressionList)
		if ok && p.span.IsZero() && b.u.text.inMacro(e) {
			p.span = b.span(e)
		}
		return p, ok
	case cc.PrimaryExpressionString, cc.PrimaryExpressionLString:
		return b.stringPlace(e)
	case cc.PrimaryExpressionIdent:
		o := b.object(e)
		if o == nil || o.refused {
			return place{}, false
		}
		p := b.whole(o)
		if t := e.Type().Undecay(); isRow(t) && b.mem.taken[o.key] {
			first := b.firstOf(e, o, t)
			p = place{typ: t, row: &first}
		}
		p.span = b.span(e)
		p.base, p.konst = p.span, o.konst
		if o.copies {
			p.idx[0].span = p.span
		}
		return p, true
	case cc.PrimaryExpressionGeneric:
		if x := selected(e); x != nil {
			return b.place(x)
		}
	case cc.PrimaryExpressionStmt:
		if isRecord(e.Type()) {
			return b.statementsPlace(e)
		}
	}
	return b.noPlace(e)
}

// object returns the variable that identifier e names, nil after failing.
func (b *body) object(e *cc.PrimaryExpression) *object {
	d, ok := e.ResolvedTo().(*cc.Declarator)
	if !ok {
		b.unsupported(e, "identifier "+e.Token.SrcStr()+" here", "")
		return nil
	}
	if o, ok := b.scope[d]; ok {
		if o == nil { // of the entry, and more than passed on
			b.mem.notReference(d)
		}
		return o
	}
	switch {
	case d.Type().Kind() == cc.Function:
		b.unsupported(e, "function as a value", "call it by its name")
	case d.StorageDuration() == cc.Static:
		return b.globalObject(e, d)
	default:
		b.unsupported(e, "variable "+d.Name()+" here", "")
	}
	return nil
}

func (b *body) postfixPlace(e *cc.PostfixExpression) (place, bool) {
	switch e.Case {
	case cc.PostfixExpressionIndex:
		return b.indexPlace(e)
	case cc.PostfixExpressionSelect:
		return b.fieldPlace(e)
	case cc.PostfixExpressionCall:
		if isRecord(e.Type()) {
			return b.callPlace(e)
		}
	case cc.PostfixExpressionPSelect:
		return b.fieldPlace(e)
	case cc.PostfixExpressionComplit:
		return b.literalPlace(e)
	}
	return b.noPlace(e)
}

// indexPlace is x[i].
func (b *body) indexPlace(e *cc.PostfixExpression) (place, bool) {
	if e.PostfixExpression.Type().Kind() != cc.Ptr {
		return b.indexFirst(e)
	}
	p, ok := b.pointer(e.PostfixExpression, nil)
	if !ok {
		return place{}, false
	}
	q := b.sequence()
	q.addPointer(&p)
	i := b.integer(e.ExpressionList)
	q.done()
	return b.deref(e, b.offset(e, p, i, ir.Span{}, false))
}

// indexFirst is i[x].
func (b *body) indexFirst(e *cc.PostfixExpression) (place, bool) {
	i := b.integer(e.PostfixExpression)
	q := b.sequence()
	q.add(&i)
	p, ok := b.pointer(e.ExpressionList, nil)
	q.done()
	if !ok {
		return place{}, false
	}
	return b.deref(e, b.offset(e, p, i, ir.Span{}, false))
}

// derefPlace is *x.
func (b *body) derefPlace(e *cc.UnaryExpression) (place, bool) {
	p, ok := b.pointer(e.CastExpression, nil)
	if !ok {
		return place{}, false
	}
	return b.deref(e, p)
}

func isLiteralZero(e cc.ExpressionNode) bool {
	p, ok := unparen(e).(*cc.PrimaryExpression)
	return ok && p.Case == cc.PrimaryExpressionInt && p.Value() == cc.Int64Value(0)
}

// fieldPlace is x.f or x->f.
func (b *body) fieldPlace(e *cc.PostfixExpression) (place, bool) {
	p, ok := b.structPlace(e)
	if !ok {
		return p, false
	}
	t, ok := p.typ.Undecay().(record)
	if !ok || e.Field() == nil {
		b.unsupported(e, "member of "+p.typ.String(), "use a struct")
		return p, false
	}
	path := fieldPath(t, e.Field().Name())
	if path == nil {
		b.wrong(e, "%s has no member %s", t, e.Field().Name())
		return p, false
	}
	for _, f := range path {
		if p, ok = b.member(e, p, f); !ok {
			return p, false
		}
	}
	p.span = b.span(e)
	return p, ok
}

func (b *body) structPlace(e *cc.PostfixExpression) (place, bool) {
	if e.Case == cc.PostfixExpressionSelect {
		return b.place(e.PostfixExpression)
	}
	v, ok := b.pointer(e.PostfixExpression, nil)
	if !ok {
		return place{}, false
	}
	return b.derefUpTo(e, v, memberEnd(v.elem, e.Field()))
}

// memberEnd is how many bytes of a t an access to its member f needs; 0 if
// that is not known.
func memberEnd(t cc.Type, f *cc.Field) int64 {
	if t == nil || f == nil {
		return 0
	}
	r, ok := t.Undecay().(record)
	if !ok {
		return 0
	}
	end, bits := int64(0), int64(0)
	var in record = r
	for _, g := range fieldPath(r, f.Name()) {
		bits += bitOffset(in, g)
		if end = (bits + sizeOf(g.Type())*8 + 7) / 8; isFlexible(g) {
			end = bits / 8
		}
		in, _ = g.Type().Undecay().(record)
	}
	return min(end, sizeOf(t))
}

// expr returns leaf i of p. With read it is a value: a scalar is a site.
func (b *body) expr(p place, i int, read bool) ir.Expr {
	info := ir.ExprInfo{Pos: p.span}
	if t := p.vars[i].Type; read && dims(t) == len(p.idx) {
		info.ID = b.site()
	}
	if len(p.idx) == 0 {
		return &ir.Use{ExprInfo: info, Var: p.vars[i]}
	}
	e := ir.Expr(&ir.Use{Var: p.vars[i]})
	if !p.path { // else the name of the ir variable isn't in the text
		e = use(p.vars[i], p.base)
	}
	for k, s := range p.idx {
		x := &ir.Index{X: e, I: s.index}
		if k == len(p.idx)-1 {
			x.ExprInfo = info
		} else if !p.path {
			x.Pos = s.span
		}
		e = x
	}
	return e
}

// dims returns the number of indices to a scalar of t.
func dims(t ir.Type) int {
	n := 0
	for {
		a, ok := t.(ir.Array)
		if !ok {
			return n
		}
		n++
		t = a.Elem
	}
}

// copyPlace returns p with expressions of its own, the sites shared.
func copyPlace(p place) place {
	steps := make([]step, len(p.idx))
	for i, s := range p.idx {
		steps[i] = step{ir.CloneExpr(s.index), s.span}
	}
	p.idx = steps
	os := p.options
	p.options = nil
	for _, o := range os {
		p.options = append(p.options, option{o.cond, copyPlace(o.place), o.is})
	}
	return p
}

// unparen returns e without parentheses around it.
func unparen(e cc.ExpressionNode) cc.ExpressionNode {
	for {
		p, ok := e.(*cc.PrimaryExpression)
		if !ok || p.Case != cc.PrimaryExpressionExpr {
			return e
		}
		e = p.ExpressionList
	}
}
