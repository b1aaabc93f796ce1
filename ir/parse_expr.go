package ir

import (
	"strconv"
	"strings"
)

// Expressions are parsed with Const.Typ nil for literals that name no type;
// fix gives them one by what is around them.

// typed parses an expression of type t; nil stands for any integer type.
func (x *parser) typed(t Type) Expr {
	e := x.expr(0)
	if untyped(e) {
		x.fix(e, orInt(t))
	}
	if t != nil && e.Type() != t {
		x.fail(e.Span(), "expected %s, found %s (convert with %s(…))", t, e.Type(), t)
	}
	return e
}

func orInt(t Type) Type {
	if _, ok := t.(Int); ok {
		return t
	}
	return Int{Width: 32, Signed: true}
}

// untyped reports whether e is made of literals alone.
func untyped(e Expr) bool {
	switch e := e.(type) {
	case *Const:
		return e.Typ == nil
	case *Unary:
		return untyped(e.X)
	case *Binary:
		return !e.Op.Relational() && !e.Op.Lazy() && untyped(e.X)
	case *Cond:
		return untyped(e.X)
	}
	return false
}

// fix gives the literals of e the type t.
func (x *parser) fix(e Expr, t Type) {
	switch e := e.(type) {
	case *Const:
		if _, ok := t.(Int); !ok {
			x.fail(e.Pos, "expected %s, found a number", t)
		}
		if v := Wrap(t, e.Val); v != e.Val && SignedValue(t, v) != int64(e.Val) {
			x.fail(e.Pos, "the number does not fit %s", t)
		}
		e.Typ, e.Val = t, Wrap(t, e.Val)
	case *Unary:
		x.fix(e.X, t)
	case *Binary:
		x.fix(e.X, t)
		if untyped(e.Y) {
			x.fix(e.Y, t)
		}
	case *Cond:
		x.fix(e.X, t)
		if untyped(e.Y) {
			x.fix(e.Y, t)
		}
	}
}

// unify gives literals on one side the type of the other.
func (x *parser) unify(a, b Expr) {
	switch {
	case untyped(a) && !untyped(b):
		x.fix(a, b.Type())
	case untyped(b) && !untyped(a):
		x.fix(b, a.Type())
	case !untyped(a) && a.Type() != b.Type():
		x.fail(b.Span(), "operands of types %s and %s", a.Type(), b.Type())
	}
}

func (x *parser) site() SiteID {
	if !x.sited {
		return 0
	}
	x.sites++
	return -x.sites // tags are positive
}

func binaryOp(text string) (Op, bool) {
	for op := Add; op < numOps; op++ {
		if opTokens[op] == text {
			return op, true
		}
	}
	return 0, false
}

// expr parses an expression whose operators bind at least as strongly as
// min: 0 allows a conditional.
func (x *parser) expr(min int) (e Expr) {
	x.nested(func() { e = x.binary(min) })
	return e
}

func (x *parser) binary(min int) Expr {
	from := x.peek()
	e := x.unary()
	for n := 0; ; n++ {
		t := x.peek()
		if n > maxDepth {
			x.fail(t.span(x.file), "more than %d operators in a row", maxDepth)
		}
		op, ok := binaryOp(t.text)
		if !ok || t.kind != 'o' || precedence(op) < max(min, 1) {
			break
		}
		x.next()
		b := &Binary{Op: op, X: e}
		b.ID = x.site()
		b.Y = x.expr(precedence(op) + 1)
		x.operands(b)
		b.Pos = x.around(from, e, b.Y)
		e = b
	}
	if min == 0 && x.accept("?") {
		c := &Cond{C: e}
		c.X = x.expr(0)
		x.expect(":")
		c.Y = x.expr(0)
		x.unify(c.X, c.Y)
		if c.C.Type() != Type(Bool{}) {
			x.fail(c.C.Span(), "expected bool, found %s", c.C.Type())
		}
		c.Pos = x.around(from, e, c.Y)
		return c
	}
	return e
}

// around returns the span from from to the last token: that of an operator
// expression, with the parentheses of its operands.
func (x *parser) around(from token, _, _ Expr) Span { return x.since(from) }

// operands checks the operand types of b.
func (x *parser) operands(b *Binary) {
	switch {
	case b.Op.Lazy():
		for _, e := range []Expr{b.X, b.Y} {
			if untyped(e) || e.Type() != Type(Bool{}) {
				x.fail(e.Span(), "expected bool (compare with != 0)")
			}
		}
		return
	case b.Op == Shl || b.Op == Shr:
		if untyped(b.Y) {
			x.fix(b.Y, orInt(nil))
		}
		x.integer(b.Y)
	default:
		x.unify(b.X, b.Y)
	}
	if b.Op.Relational() && untyped(b.X) {
		x.fix(b.X, orInt(nil))
		x.fix(b.Y, orInt(nil))
	}
	if !untyped(b.X) && b.Op != Eq && b.Op != Ne {
		x.integer(b.X)
	}
}

func (x *parser) unary() Expr {
	t := x.peek()
	if t.kind != 'o' {
		return x.primary()
	}
	switch t.text {
	case "-":
		if n := x.toks[x.at+1]; n.kind == '0' {
			x.next()
			return x.number(t, true)
		}
		fallthrough
	case "!", "~":
		x.next()
		u := &Unary{Op: map[string]Op{"-": Neg, "!": Not, "~": Compl}[t.text]}
		u.ID = x.site()
		x.nested(func() { u.X = x.unary() })
		switch {
		case u.Op == Not && (untyped(u.X) || u.X.Type() != Type(Bool{})):
			x.fail(u.X.Span(), "expected bool (compare with == 0)")
		case u.Op != Not && !untyped(u.X):
			x.integer(u.X)
		}
		u.Pos = x.since(t)
		return u
	case "@": // @N(e): site N; @0(e): no site
		x.next()
		n, err := strconv.Atoi(x.next().text)
		if err != nil || n < 0 {
			x.fail(t.span(x.file), "bad site")
		}
		x.expect("(")
		e := x.expr(0)
		x.expect(")")
		e.expr().ID, e.expr().Pos = SiteID(n), x.since(t)
		return e
	}
	return x.primary()
}

// number parses a literal whose first token, maybe its sign, is from.
func (x *parser) number(from token, negative bool) Expr {
	t := x.next()
	v, err := strconv.ParseUint(strings.ReplaceAll(t.text, "_", ""), 0, 64)
	if err != nil {
		x.fail(t.span(x.file), "bad number %s", t)
	}
	if negative {
		v = -v
	}
	c := &Const{Val: v}
	c.ID, c.Pos = x.site(), x.since(from)
	return c
}

func (x *parser) primary() Expr {
	t := x.peek()
	switch {
	case t.kind == '0':
		return x.number(t, false)
	case t.text == "(":
		x.next()
		e := x.expr(0)
		x.expect(")")
		return e
	case t.text == "true" || t.text == "false":
		x.next()
		c := &Const{Typ: Bool{}}
		if t.text == "true" {
			c.Val = 1
		}
		c.ID, c.Pos = x.site(), t.span(x.file)
		return c
	}
	if t.kind == 'n' {
		switch t.text {
		case "self", "ended", "any", "wakeup":
			return x.threads(t)
		}
	}
	if to, ok := scalarType(t.text); ok && x.toks[x.at+1].text == "(" {
		return x.conversion(t, to)
	}
	if x.procs[t.text] != nil && t.kind == 'n' {
		x.fail(t.span(x.file), "a call is a statement: y = %s(…)", t.text)
	}
	e := x.place()
	if _, ok := e.Type().(Array); ok {
		x.fail(e.Span(), "an array is not a value")
	}
	return e
}

// threads parses an expression that only programs with threads need.
func (x *parser) threads(t token) Expr {
	x.next()
	var e Expr
	switch t.text {
	case "self":
		e = &Self{}
	case "ended":
		x.expect("(")
		e = &Ended{Thread: x.typed(nil)}
		x.expect(")")
	case "any":
		n := x.next()
		typ, ok := scalarType(n.text)
		if !ok {
			x.fail(n.span(x.file), "expected a scalar type, found %s", n)
		}
		e = &Any{Typ: typ}
	default:
		e = &Any{Typ: Bool{}, Wake: true}
	}
	e.expr().Pos = x.since(t)
	return e
}

// conversion parses to(e). Of a literal it makes a literal of that type.
func (x *parser) conversion(t token, to Type) Expr {
	x.at += 2
	lit := x.peek().kind == '0' || x.is("-") && x.toks[x.at+1].kind == '0'
	e := x.expr(0)
	x.expect(")")
	if c, ok := e.(*Const); ok && lit && to != Type(Bool{}) {
		x.fix(c, to)
		c.Pos = x.since(t)
		return c
	}
	if untyped(e) {
		x.fix(e, orInt(nil))
	}
	c := &Convert{To: to, X: e, Explicit: true}
	c.Pos = x.since(t)
	return c
}

// lvalue parses a scalar to store to; "_" stands for none.
func (x *parser) lvalue() Expr {
	if x.is("_") {
		x.next()
		return nil
	}
	e := x.place()
	if _, ok := e.Type().(Array); ok {
		x.fail(e.Span(), "an array cannot be assigned (havoc it, or assign elements)")
	}
	// What is stored to is no site; its indices are.
	e.expr().ID = 0
	return e
}

// place parses a variable or element.
func (x *parser) place() Expr {
	t := x.name()
	u := &Use{Var: x.lookup(t)}
	u.Pos = t.span(x.file)
	var e Expr = u
	for x.accept("[") {
		if _, ok := e.Type().(Array); !ok {
			x.fail(e.Span(), "%s is not an array", e.Type())
		}
		i := &Index{X: e, I: x.typed(nil)}
		x.integer(i.I)
		x.expect("]")
		i.Pos = x.since(t)
		e = i
	}
	if _, ok := e.Type().(Array); !ok {
		e.expr().ID = x.site()
	}
	return e
}
