package cfront

// What specifications say in CBMC's C: x ==> y, and quantifiers over ranges,
//
//	__CPROVER_forall { int i; (0 <= i && i < n) ==> a[i] == 0 }
//
// which become loops over the range, subject to unwinding; without one see
// witness.go.

import (
	"bytes"
	"regexp"

	"modernc.org/cc/v4"

	"github.com/go-amend/amend/ir"
)

// implies stands in the text that cc gets for what ==> has there: x ?$: y.
const implies = "$"

// specifications is the part of the prelude that is about them.
const specifications = `extern int $;
#define __CPROVER_forall(variable, ...) ({ variable; __CPROVER_forall_((__VA_ARGS__)); })
#define __CPROVER_exists(variable, ...) ({ variable; __CPROVER_exists_((__VA_ARGS__)); })
`

var quantifierBegin = regexp.MustCompile(`^__CPROVER_(?:forall|exists)\s*\{`)

// bareSpecifications returns text, of the same length, in which implications
// and quantifiers have a form that is C.
func bareSpecifications(text []byte) []byte {
	if !bytes.Contains(text, []byte("==>")) && !bytes.Contains(text, []byte("__CPROVER_forall")) && !bytes.Contains(text, []byte("__CPROVER_exists")) {
		return text
	}
	out := bytes.Clone(text)
	for off := 0; off < len(text); off++ {
		if next := skip(text, off); next > off {
			off = next - 1
			continue
		}
		if bytes.HasPrefix(text[off:], []byte("==>")) {
			copy(out[off:], "?"+implies+":")
			off += 2
		} else if m := quantifierBegin.Find(text[off:]); m != nil && (off == 0 || !isWord(text[off-1])) {
			bareQuantifier(text, out, off+len(m)-1)
		}
	}
	return out
}

// bareQuantifier writes that whose { is at off as a call.
func bareQuantifier(text, out []byte, off int) {
	depth, semicolon := 0, 0
	for at := off; at < len(text); at++ {
		if next := skip(text, at); next > at {
			at = next - 1
			continue
		}
		switch text[at] {
		case '{':
			depth++
		case ';':
			if depth == 1 && semicolon == 0 {
				semicolon = at
			}
		case '}':
			if depth--; depth == 0 {
				if semicolon > 0 {
					out[off], out[semicolon], out[at] = '(', ',', ')'
				}
				return
			}
		}
	}
}

// implied returns y if e is x ==> y, nil otherwise.
func implied(e *cc.ConditionalExpression) cc.ExpressionNode {
	x, ok := e.ExpressionList.(*cc.PrimaryExpression)
	if !ok || x.Case != cc.PrimaryExpressionIdent || x.Token.SrcStr() != implies {
		return nil
	}
	return e.ConditionalExpression
}

// implication lowers x ==> y, no site.
func (b *body) implication(x, y cc.ExpressionNode) ir.Expr {
	c := b.cond(x)
	var d ir.Expr
	if effects := b.Optional(func() { d = b.cond(y) }); effects != nil {
		c = b.plain(c)
		b.branchOn(ir.CloneExpr(c), effects, nil)
	}
	return either(&ir.Unary{Op: ir.Not, X: c}, d)
}

// A quantified expression.
type quantified struct {
	all  bool
	decl *cc.Declarator
	of   cc.ExpressionNode
}

// quantifier returns what e is, if it is a quantified expression.
func quantifier(e *cc.PrimaryExpression) (q quantified, ok bool) {
	items := itemsOf(e.CompoundStatement)
	if len(items) != 2 || items[0].Case != cc.BlockItemDecl || items[1].Case != cc.BlockItemStmt || items[1].Statement.Case != cc.StatementExpr {
		return q, false
	}
	call, ok := items[1].Statement.ExpressionStatement.ExpressionList.(*cc.PostfixExpression)
	if !ok || call.Case != cc.PostfixExpressionCall {
		return q, false
	}
	d := functionNamed(call.PostfixExpression)
	if d == nil || d.Name() != "__CPROVER_forall_" && d.Name() != "__CPROVER_exists_" {
		return q, false
	}
	q = quantified{all: d.Name() == "__CPROVER_forall_", of: unparen(arguments(call)[0])}
	if l := items[0].Declaration.InitDeclaratorList; l != nil && l.InitDeclaratorList == nil && l.InitDeclarator.Case == cc.InitDeclaratorDecl {
		q.decl = l.InitDeclarator.Declarator
	}
	return q, true
}

// guard returns the condition that is false, or true, for all values outside of
// the range of q, and which of both all of q then is.
func (q quantified) guard() (guard cc.ExpressionNode, outside bool) {
	switch e := q.of.(type) {
	case *cc.ConditionalExpression:
		if implied(e) != nil {
			return e.LogicalOrExpression, true
		}
	case *cc.LogicalOrExpression: // !guard || …
		if n, ok := unparen(e.LogicalOrExpression).(*cc.UnaryExpression); ok && n.Case == cc.UnaryExpressionNot {
			return n.CastExpression, true
		}
	}
	return q.of, false
}

// An interval is what a guard leaves: from low on, and up to high, which op says
// is in it or not. What is nil was not said.
type interval struct {
	low, high cc.ExpressionNode
	op        ir.Op
}

// narrow adds what e says of d.
func (r *interval) narrow(e cc.ExpressionNode, d *cc.Declarator) {
	switch e := unparen(e).(type) {
	case *cc.LogicalAndExpression:
		if e.Case == cc.LogicalAndExpressionLAnd {
			r.narrow(e.LogicalAndExpression, d)
			r.narrow(e.InclusiveOrExpression, d)
		}
	case *cc.RelationalExpression:
		op := relOps[e.Case]
		switch x, y := unparen(e.RelationalExpression), unparen(e.ShiftExpression); {
		case names(x, d) && !names(y, d):
			r.bound(op, y)
		case names(y, d) && !names(x, d):
			r.bound(mirrored[op], x)
		}
	}
}

var mirrored = map[ir.Op]ir.Op{ir.Lt: ir.Gt, ir.Le: ir.Ge, ir.Gt: ir.Lt, ir.Ge: ir.Le}

func (r *interval) bound(op ir.Op, end cc.ExpressionNode) {
	switch {
	case (op == ir.Gt || op == ir.Ge) && r.low == nil:
		r.low = end
	case (op == ir.Lt || op == ir.Le) && r.high == nil:
		r.high, r.op = end, op
	}
}

// names reports whether e is the variable d.
func names(e cc.ExpressionNode, d *cc.Declarator) bool {
	x, ok := e.(*cc.PrimaryExpression)
	return ok && x.ResolvedTo() == cc.Node(d)
}

// quantify lowers q, at e. Values outside of its range are looked at, too,
// where the loop comes by; what q is for the others follows from its form.
func (b *body) quantify(e *cc.PrimaryExpression, q quantified) ir.Expr {
	fail := func(hint string) ir.Expr {
		b.unsupported(e, "quantifier", hint)
		return &ir.Const{Typ: tBool}
	}
	if q.decl == nil {
		return fail("declare one variable of integer type")
	}
	t, ok := scalar(q.decl.Type())
	typ, isInt := t.(ir.Int)
	if !ok || !isInt || b.mem.taken[b.keyOf(q.decl)] || b.proc == nil {
		return fail("declare one variable of integer type")
	}
	guard, outside := q.guard()
	var r interval
	r.narrow(guard, q.decl)
	if r.high == nil || r.low == nil && typ.Signed {
		if b.witnesses[e] {
			return b.witness(e, q)
		}
		return fail("begin with a range, as in 0 <= i && i < n ==> …")
	}
	counter, ok := b.counterOf(r, typ)
	switch {
	case ok:
	case b.witnesses[e]:
		return b.witness(e, q)
	default:
		return fail("compare with integers of the type of the variable")
	}
	defer b.enter(e.CompoundStatement)()
	defer b.inScope(b.extent(e.CompoundStatement))()
	var v ir.Expr
	b.Within(func() { b.Unchanged(func() { v = b.overRange(q, r, typ, counter, outside) }) })
	setSpan(v, b.span(e))
	return v
}

// counterOf is the type in which the ends of r, of a variable of type t, are
// numbers. It reports false where a comparison means something else for some
// value: one of another sign.
func (b *body) counterOf(r interval, t ir.Int) (ir.Int, bool) {
	c := ir.Int{Width: 64, Signed: true}
	for _, end := range []cc.ExpressionNode{r.low, r.high} {
		if end == nil {
			continue
		}
		u, ok := scalar(end.Type())
		if !ok {
			return c, false
		}
		in := b.model.common(t, u)
		if in == ir.Type(tULong) {
			c = tULong
		}
		if !t.Signed || in.(ir.Int).Signed {
			continue
		}
		// As an unsigned number i is less than n only if it isn't negative.
		if n, ok := literal(r.low.Value()); end == r.low || !ok || int64(n) < 0 {
			return c, false
		}
	}
	return c, true
}

// overRange emits the loop, and returns its result.
func (b *body) overRange(q quantified, r interval, t, counter ir.Int, outside bool) ir.Expr {
	o := b.declare(q.decl, q.decl.Type(), ir.Local)
	b.local(o.vars[0])
	end := func(e cc.ExpressionNode) ir.Expr {
		if e == nil {
			return number(0, counter)
		}
		v := b.value(e)
		return b.Save("end", convert(convert(v, b.model.common(t, v.Type())), counter))
	}
	low, high := end(r.low), end(r.high)
	least, most := uint64(0), uint64(1)<<(t.Width-1)<<1-1
	if t.Signed {
		least, most = -(uint64(1) << (t.Width - 1)), uint64(1)<<(t.Width-1)-1
	}
	others := func() ir.Expr { // some value is outside of the range
		if t.Signed && !counter.Signed {
			return truth(true)
		}
		not := ir.Le
		if r.op == ir.Le {
			not = ir.Lt
		}
		return either(apply(ir.Gt, low, number(least, counter)), apply(not, high, number(most, counter)))
	}
	result := truth(q.all)
	switch {
	case q.all && !outside:
		result = &ir.Unary{Op: ir.Not, X: others()}
	case !q.all && outside:
		result = others()
	}
	v, k := b.Save("quantified", result), b.Save("k", low)
	l := &ir.Loop{Cond: both(apply(r.op, k, high), apply(ir.Le, k, number(most, counter)))}
	b.Derive(&l.StmtInfo)
	b.loops++
	l.Body = b.Block(func() {
		b.Set(use(o.vars[0], ir.Span{}), convert(ir.CloneExpr(k), t))
		c := b.cond(q.of)
		if q.all {
			c = both(ir.CloneExpr(v), c)
		} else {
			c = either(ir.CloneExpr(v), c)
		}
		b.Set(ir.CloneExpr(v), c)
	})
	b.loops--
	l.Post = b.Block(func() { b.Set(ir.CloneExpr(k), apply(ir.Add, k, number(1, counter))) })
	b.Emit(l)
	return v
}
