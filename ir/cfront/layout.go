package cfront

// Sizes. Those of cc are gcc's but where attributes or pragmas change a layout in
// ways that cc passes over: bitfields.go knows what is packed. No value depends on a
// layout but by sizeof, _Alignof and numbers of bytes; where other attributes change it,
// and where cc itself made use of a size, these are refused.

import (
	"regexp"

	"modernc.org/cc/v4"

	"github.com/go-amend/amend/ir"
)

var (
	attributes = regexp.MustCompile(`\b__attribute(?:__)?\s*\(\(([^;{}]*)`)
	unknown    = regexp.MustCompile(`\b(?:ms_struct|__ms_struct__|mode|__mode__|vector_size|__vector_size__)\b`)
	packed     = regexp.MustCompile(`\b(?:packed|__packed__|` + packWord + `)\b`)
	bitField   = regexp.MustCompile(`\b(?:int|unsigned|signed|char|short|long|_Bool|\w+_t)\s+\w*\s*:`)
	aligned    = regexp.MustCompile(`\b(?:aligned|__aligned__)\b\s*(\(?)`)
)

// layoutPragmas are the pragmas about the layout of types.
var layoutPragmas = map[string]bool{"pack": true, "ms_struct": true, "scalar_storage_order": true}

// repacks reports whether text, preprocessed, has attributes about the layout
// of types that cc passes over: it knows aligned(n) only.
func repacks(text []byte) bool {
	for _, a := range attributes.FindAllSubmatch(text, -1) {
		if unknown.Match(a[1]) {
			return true
		}
		for _, m := range aligned.FindAllSubmatch(a[1], -1) {
			if len(m[1]) == 0 {
				return true
			}
		}
	}
	return false
}

// sizeof is a constant, no site.
func (b *body) sizeof(e *cc.UnaryExpression) ir.Expr {
	n, ok := literal(e.Value())
	switch t := measured(e); {
	case isRow(t) && !variableSize(unitOf(t)):
		return b.variableSizeof(e, t)
	case !ok || variableSize(t):
		b.unsupported(e, "sizeof of a variable length", "use the length")
	case e.Case == cc.UnaryExpressionSizeofExpr && assignsBits(e.UnaryExpression):
		b.unsupported(e, "size of the value of a bit-field", "name the type")
	case lastOf(e) != nil:
		return b.sizeOfLast(e, lastOf(e).Type())
	case b.holdsStatements(e):
		b.unsupported(e, "sizeof of statement expressions in an expression", "name the type")
	case b.u.repacked && !isPlain(t):
		b.unsupported(e, "size of "+t.String()+" in a file with packed types", "write the number")
	}
	if t := measured(e); differs(t) {
		n = uint64(sizeOf(t))
		if e.Case == cc.UnaryExpressionAlignofExpr || e.Case == cc.UnaryExpressionAlignofType {
			n = uint64(alignOf(t))
		}
	}
	return &ir.Const{ExprInfo: ir.ExprInfo{Pos: b.span(e)}, Val: n, Typ: b.model.size}
}

// lastOf is the last expression of the ({ … }) that e is the size of, nil if that
// has none.
func lastOf(e *cc.UnaryExpression) cc.ExpressionNode {
	if e.Case != cc.UnaryExpressionSizeofExpr {
		return nil
	}
	p, ok := unparen(e.UnaryExpression).(*cc.PrimaryExpression)
	if !ok || p.Case != cc.PrimaryExpressionStmt {
		return nil
	}
	_, last := splitLast(p)
	return last
}

// sizeOfLast is the size of a value of type t, which arrays and functions turn into
// pointers for.
func (b *body) sizeOfLast(e *cc.UnaryExpression, t cc.Type) ir.Expr {
	n := int64(b.model.pointer / 8)
	if t = t.Undecay(); t.Kind() != cc.Array && t.Kind() != cc.Function {
		n = sizeOf(t)
	}
	return &ir.Const{ExprInfo: ir.ExprInfo{Pos: b.span(e)}, Val: uint64(n), Typ: b.model.size}
}

// assignsBits reports whether e is a bit-field, or an assignment to one, whose type
// compilers take for different ones.
func assignsBits(e cc.ExpressionNode) bool {
	switch x := unparen(e).(type) {
	case *cc.AssignmentExpression:
		return assignsBits(x.UnaryExpression)
	case *cc.UnaryExpression:
		return (x.Case == cc.UnaryExpressionInc || x.Case == cc.UnaryExpressionDec) && assignsBits(x.UnaryExpression)
	case *cc.ExpressionList:
		for x.ExpressionList != nil {
			x = x.ExpressionList
		}
		return assignsBits(x.AssignmentExpression)
	case *cc.PostfixExpression:
		switch x.Case {
		case cc.PostfixExpressionInc, cc.PostfixExpressionDec:
			return assignsBits(x.PostfixExpression)
		case cc.PostfixExpressionSelect, cc.PostfixExpressionPSelect:
			return x.Field() != nil && x.Field().IsBitfield()
		}
	}
	return false
}

// nullOffset is the number of e if it is &((T *)0)->member…, which is how
// offsetof says it.
func (b *body) nullOffset(e cc.ExpressionNode) (int64, bool) {
	u, ok := unparen(e).(*cc.UnaryExpression)
	if !ok || u.Case != cc.UnaryExpressionAddrof {
		return 0, false
	}
	off, ok := b.offsetFrom(unparen(u.CastExpression), isNull)
	if ok && b.u.repacked {
		b.unsupported(e, "offset of a member in a file with packed types", "write the number")
	}
	return off, ok
}

// memberDistance is x - y, if that is (char *)&p->member… - (char *)p, which is
// how offsetof is said where there is no name for the type: p may be null then.
func (b *body) memberDistance(x, y cc.ExpressionNode) (int64, bool) {
	x, y = ofBytes(x), ofBytes(y)
	if x == nil || y == nil {
		return 0, false
	}
	u, ok := x.(*cc.UnaryExpression)
	if !ok || u.Case != cc.UnaryExpressionAddrof || variableNamed(y) == nil {
		return 0, false
	}
	off, ok := b.offsetFrom(unparen(u.CastExpression), func(p cc.ExpressionNode) bool { return variableNamed(unparen(p)) == variableNamed(y) })
	return off, ok && !b.u.repacked
}

// ofBytes is what e casts to a pointer to characters, nil if it doesn't.
func ofBytes(e cc.ExpressionNode) cc.ExpressionNode {
	c, ok := unparen(e).(*cc.CastExpression)
	if !ok || c.Case != cc.CastExpressionCast || elem(c.Type()) == nil || stepOf(elem(c.Type())) != 1 {
		return nil
	}
	return unparen(c.CastExpression)
}

// variableNamed is the variable that e names, or nil.
func variableNamed(e cc.ExpressionNode) *cc.Declarator {
	if p, ok := e.(*cc.PrimaryExpression); ok {
		if d, ok := p.ResolvedTo().(*cc.Declarator); ok && d.Type().Kind() == cc.Ptr {
			return d
		}
	}
	return nil
}

// offsetFrom is how far the member that e names lies behind what a pointer leads to
// that is says.
func (b *body) offsetFrom(e cc.ExpressionNode, is func(cc.ExpressionNode) bool) (int64, bool) {
	x, ok := e.(*cc.PostfixExpression)
	if !ok {
		return 0, false
	}
	var base int64
	switch x.Case {
	case cc.PostfixExpressionPSelect:
		ok = is(x.PostfixExpression) && elem(x.PostfixExpression.Type()) != nil
	case cc.PostfixExpressionSelect, cc.PostfixExpressionIndex:
		base, ok = b.offsetFrom(unparen(x.PostfixExpression), is)
	default:
		ok = false
	}
	if !ok {
		return 0, false
	}
	if x.Case == cc.PostfixExpressionIndex {
		i, ok := literal(x.ExpressionList.Value())
		return base + int64(i)*sizeOf(x.Type()), ok && x.ExpressionList.Pure()
	}
	f := x.Field()
	if f == nil || f.IsBitfield() || variableSize(f.ParentType()) {
		return 0, false
	}
	t, ok := f.ParentType().Undecay().(record)
	return base + bitOffset(t, f)/8, ok
}

// measured is the type whose size or alignment e is.
func measured(e *cc.UnaryExpression) cc.Type {
	switch e.Case {
	case cc.UnaryExpressionSizeofType, cc.UnaryExpressionAlignofType:
		return e.TypeName.Type().Undecay()
	}
	return e.UnaryExpression.Type().Undecay()
}

func isSize(e *cc.UnaryExpression) bool {
	switch e.Case {
	case cc.UnaryExpressionSizeofExpr, cc.UnaryExpressionSizeofType, cc.UnaryExpressionAlignofExpr, cc.UnaryExpressionAlignofType:
		return true
	}
	return false
}

// isPlain reports whether t is a scalar, but for an enum, or an array of
// those: no attribute of a struct changes its size.
func isPlain(t cc.Type) bool {
	if a, ok := t.Undecay().(*cc.ArrayType); ok {
		return isPlain(a.Elem())
	}
	return t.Kind() == cc.Ptr || t.Kind() == cc.Void || cc.IsArithmeticType(t) && t.Kind() != cc.Enum
}

// variableSize reports whether t is or has an array of computed length.
func variableSize(t cc.Type) bool {
	switch t := t.Undecay().(type) {
	case *cc.ArrayType:
		return t.IsVLA() || variableSize(t.Elem())
	case *cc.StructType:
		return variableField(t)
	case *cc.UnionType:
		return variableField(t)
	}
	return false
}

func variableField(t interface {
	NumFields() int
	FieldByIndex(int) *cc.Field
}) bool {
	for i := range t.NumFields() {
		if f := t.FieldByIndex(i); f != nil && variableSize(f.Type()) {
			return true
		}
	}
	return false
}

// holdsStatements reports whether e has a statement expression in it.
func (b *body) holdsStatements(e cc.Node) bool {
	if p, ok := e.(*cc.PrimaryExpression); ok && p.Case == cc.PrimaryExpressionStmt {
		return true
	}
	found := false
	b.u.text.tree.children(e, func(c cc.Node) { found = found || b.holdsStatements(c) })
	return found
}

// measures reports whether e has a sizeof in it.
func (b *body) measures(e cc.Node) bool {
	if u, ok := e.(*cc.UnaryExpression); ok && isSize(u) {
		return true
	}
	found := false
	b.u.text.tree.children(e, func(c cc.Node) { found = found || b.measures(c) })
	return found
}

// strange reports whether cc may give types of u another size than they have.
func (u *unit) strange() bool { return u.repacked || u.bits || u.packs }

// checkSizes refuses the sizes in u that cc itself made use of, if they may
// be wrong: in lengths of arrays, enumerators, and the like.
func (l *loader) checkSizes(u *unit) {
	if u.strange() {
		l.sizesIn(u, u.ast.TranslationUnit, false)
	}
}

func (l *loader) sizesIn(u *unit, n cc.Node, constant bool) {
	switch e := n.(type) {
	case *cc.DirectDeclarator, *cc.DirectAbstractDeclarator, *cc.Enumerator, *cc.Designator, *cc.StructDeclarator:
		constant = true
	case *cc.LabeledStatement:
		constant = false
		if e.Case != cc.LabeledStatementLabel {
			l.sizesIn(u, e.ConstantExpression, true)
			l.sizesIn(u, e.ConstantExpression2, true)
		}
	case *cc.UnaryExpression:
		if constant && isSize(e) && (u.repacked && !isPlain(measured(e)) || differs(measured(e))) {
			l.fail(&ir.UnsupportedError{Span: u.text.extent(e), Construct: "size of " + measured(e).String() + " as a constant", Hint: "write the number"})
		}
	}
	u.text.tree.children(n, func(c cc.Node) { l.sizesIn(u, c, constant) })
}
