package cfront

// Expressions that hold statements or objects: gcc's statement expressions,
// compound literals, _Generic, and structs after a comma.

import (
	"fmt"
	"strings"

	"modernc.org/cc/v4"

	"github.com/go-amend/amend/ir"
)

// selected is the expression that _Generic selects; nil if that is not known:
// the checker compares qualifiers too, which no value has.
func selected(e *cc.PrimaryExpression) cc.ExpressionNode {
	for l := e.GenericSelection.GenericAssociationList; l != nil; l = l.GenericAssociationList {
		if n := l.GenericAssociation.TypeName; n != nil && qualified(n) {
			return nil
		}
	}
	if a := e.GenericSelection.Associated(); a != nil {
		return a.AssignmentExpression
	}
	return nil
}

// qualified reports whether the type that n names is itself const or volatile,
// as far as its words tell: what a pointer points at is another matter.
func qualified(n *cc.TypeName) bool {
	words := cc.NodeSource(n.SpecifierQualifierList)
	if n.AbstractDeclarator != nil {
		words = cc.NodeSource(n.AbstractDeclarator)
	}
	return strings.Contains(words, "const") || strings.Contains(words, "volatile")
}

// splitLast returns what is in ({ … }) before its last expression, and that; nil if
// it doesn't end with one.
func splitLast(e *cc.PrimaryExpression) ([]*cc.BlockItem, cc.ExpressionNode) {
	items := itemsOf(e.CompoundStatement)
	n := len(items) - 1
	if n < 0 || items[n].Case != cc.BlockItemStmt || items[n].Statement.Case != cc.StatementExpr {
		return items, nil
	}
	return items[:n], items[n].Statement.ExpressionStatement.ExpressionList
}

// statements lowers all of ({ … }) but its last expression, which use gets. It
// reports false after failing. No jump but a return may leave it, which is all that
// then happens.
func (b *body) statements(e *cc.PrimaryExpression, use func(cc.ExpressionNode)) bool {
	items, last := splitLast(e)
	if b.proc == nil || b.atomic > 0 || b.jumps(e.CompoundStatement) {
		b.unsupported(e, "jump, label or atomic section in a statement expression", "use statements and variables")
		return false
	}
	b.Within(func() {
		defer b.inScope(b.extent(e.CompoundStatement))()
		defer b.enter(e.CompoundStatement)()
		for _, i := range items {
			b.item(i)
		}
		if last != nil {
			use(last)
		}
	})
	if last == nil {
		use(nil)
	}
	return true
}

// jumps reports whether n has a jump out of it in it, other than a return, or a
// label.
func (b *body) jumps(n cc.Node) bool { return b.escapes(n, false, false) }

// escapes reports whether n has a label in it, a goto, or a break or continue
// unless it stands in what these leave.
func (b *body) escapes(n cc.Node, breaks, continues bool) bool {
	switch s := n.(type) {
	case *cc.JumpStatement:
		if s == nil {
			return false
		}
		switch s.Case {
		case cc.JumpStatementReturn:
		case cc.JumpStatementBreak:
			return !breaks
		case cc.JumpStatementContinue:
			return !continues
		default:
			return true
		}
	case *cc.LabeledStatement:
		if s != nil && s.Case == cc.LabeledStatementLabel {
			return true
		}
	case *cc.IterationStatement:
		breaks, continues = true, true
	case *cc.SelectionStatement:
		breaks = breaks || s != nil && s.Case == cc.SelectionStatementSwitch
	}
	found := false
	b.u.text.tree.children(n, func(c cc.Node) { found = found || b.escapes(c, breaks, continues) })
	return found
}

// returns reports whether n has a return in it.
func (b *body) returns(n cc.Node) bool {
	if s, ok := n.(*cc.JumpStatement); ok && s != nil && s.Case == cc.JumpStatementReturn {
		return true
	}
	found := false
	b.u.text.tree.children(n, func(c cc.Node) { found = found || b.returns(c) })
	return found
}

// statementsValue is ({ …; x; }) for the integer x.
func (b *body) statementsValue(e *cc.PrimaryExpression) ir.Expr {
	if q, ok := quantifier(e); ok {
		return b.quantify(e, q)
	}
	v := zero()
	b.statements(e, func(last cc.ExpressionNode) {
		if last == nil {
			b.wrong(e, "void value where a value is needed")
			return
		}
		v = b.Save("v", b.value(last))
	})
	setSpan(v, b.span(e))
	return v
}

// statementsEffect is ({ … }) for what it does.
func (b *body) statementsEffect(e *cc.PrimaryExpression) {
	b.statements(e, func(last cc.ExpressionNode) {
		if last != nil {
			b.effect(last)
		}
	})
}

func (b *body) statementsPointer(e *cc.PrimaryExpression, want cc.Type) (v pointer, ok bool) {
	done := b.statements(e, func(last cc.ExpressionNode) {
		if last == nil {
			b.wrong(e, "void value where a pointer is needed")
			return
		}
		if v, ok = b.pointer(last, want); ok {
			n, to := b.number(last, v)
			v = pointer{num: b.Save("p", n), to: to, elem: v.elem}
		}
	})
	return v, ok && done
}

// statementsPlace is ({ …; x; }) for a struct x, of which it is a copy.
func (b *body) statementsPlace(e *cc.PrimaryExpression) (p place, ok bool) {
	done := b.statements(e, func(last cc.ExpressionNode) {
		if last == nil {
			b.wrong(e, "void value where a struct is needed")
			return
		}
		var x place
		if x, ok = b.place(last); ok {
			if ls, bad := leaves(x.typ); bad != nil || holdsPointers(ls) {
				b.unsupported(e, "statement expression of a struct with pointers", "use a variable")
				ok = false
				return
			}
			p = b.copied(x)
		}
	})
	return p, ok && done
}

// copied is a copy of x, a struct without pointers.
func (b *body) copied(x place) place {
	ls, _ := leaves(x.typ)
	o := &object{typ: x.typ, temporary: true}
	for _, f := range ls {
		o.vars = append(o.vars, b.Temp("s", f.typ))
	}
	p := place{typ: x.typ, vars: o.vars, obj: o, path: true, konst: true}
	b.copyStruct(ir.Span{}, nil, p, x)
	return p
}

// conditionalPlace is c ? x : y for structs x and y: one of these places.
func (b *body) conditionalPlace(e *cc.ConditionalExpression) (place, bool) {
	c := b.plain(b.cond(e.LogicalOrExpression))
	p := place{typ: e.Type(), span: b.span(e), many: true, konst: true}
	all := true
	arm := func(x cc.ExpressionNode, taken ir.Expr) *ir.Block {
		return b.Optional(func() {
			q, ok := b.place(x)
			if all = all && ok; !ok {
				return
			}
			b.freeze(&q)
			if !q.many {
				p.options = append(p.options, option{cond: taken, place: q})
			}
			for _, o := range q.options {
				if taken != nil && o.cond != nil {
					o.cond = both(ir.CloneExpr(taken), o.cond)
				} else if taken != nil {
					o.cond = taken
				}
				p.options = append(p.options, o)
			}
		})
	}
	then := arm(e.ExpressionList, c)
	els := arm(e.ConditionalExpression, nil)
	if then != nil || els != nil {
		b.branchOn(ir.CloneExpr(c), then, els)
	}
	return p, all
}

// commaPlace is (x, y) for a struct y.
func (b *body) commaPlace(e *cc.ExpressionList) (place, bool) {
	for ; e.ExpressionList != nil; e = e.ExpressionList {
		b.Within(func() { b.effect(e.AssignmentExpression) })
	}
	return b.place(e.AssignmentExpression)
}

// literalPlace is (T){…}: a variable, of the block around it or of static
// storage, that gets its value where it stands.
func (b *body) literalPlace(e *cc.PostfixExpression) (place, bool) {
	t := e.TypeName.Type()
	if _, bad := leaves(t); bad != nil {
		b.unsupported(e, bad.construct, bad.hint)
		return place{}, false
	}
	o := b.literalObject(e, t)
	if o.refused {
		b.unsupported(e, "compound literal of this size", "use a smaller one")
		return place{}, false
	}
	var parts []part
	listed := map[element]bool{}
	ok := true
	if e.InitializerList != nil {
		each(&cc.Initializer{Case: cc.InitializerInitList, InitializerList: e.InitializerList}, func(in *cc.Initializer) {
			p, found := b.locatePart(o, in)
			if ok = ok && found && in.Len() <= 1; !ok {
				return
			}
			parts = append(parts, p)
			p.elements(func(x element) { listed[x] = true })
		})
	}
	if !ok {
		b.unsupported(e, "compound literal of this form", "declare a variable")
		return place{}, false
	}
	b.Within(func() {
		if b.proc != nil {
			b.clear(o, b.extent(e), listed, parts)
		}
		for _, p := range parts {
			b.initPart(p, b.proc == nil)
		}
	})
	p := b.whole(o)
	p.path = true
	return p, true
}

// literalObject is the variable of the compound literal e: a global, if a
// pointer may point at it or if it is of static storage.
func (b *body) literalObject(e *cc.PostfixExpression, t cc.Type) *object {
	k := heapKey{site: e}
	if b.proc == nil || b.mem.taken[k] {
		if b.mem.ancestors[k] == nil {
			b.mem.ancestors[k] = &ancestor{unit: b.u, site: e, name: fmt.Sprintf("literal.%d", b.extent(e).Line), typ: t, n: 1}
		}
		o := b.objectOf(k)
		if b.proc != nil {
			b.own(k)
			b.dwell(k)
			b.beginLocal(o)
		}
		return o
	}
	ls, _ := leaves(t)
	o := &object{typ: t, key: k, raw: isBytes(ls)}
	for _, f := range ls {
		v := b.Temp("literal", f.typ)
		v.Name += f.path
		o.vars = append(o.vars, v)
	}
	return o
}
