package cfront

// What is packed. cc drops the attributes of a struct where a pointer to it is
// declared: so what they say is noted in the syntax of its first member that has a
// name, which all copies of the type lead to.

import (
	"bytes"

	"modernc.org/cc/v4"
)

// packing is the largest alignment that members of t have, in bits, 0 if nothing
// says which.
func packing(t record) int64 {
	for i := range t.NumFields() {
		d := t.FieldByIndex(i).Declarator()
		if d == nil {
			continue
		}
		if n, ok := nameOf(d).AssignmentExpression.(*packNote); ok {
			return n.limit
		}
		return 0
	}
	return 0
}

// A packNote says how far members are aligned, in bits, where a declarator has
// no expression.
type packNote struct {
	cc.ExpressionNode
	limit int64
}

// nameOf is where d has the name that it declares.
func nameOf(d *cc.Declarator) *cc.DirectDeclarator {
	n := d.DirectDeclarator
	for n.Case != cc.DirectDeclaratorIdent {
		if n.Case == cc.DirectDeclaratorDecl {
			n = n.Declarator.DirectDeclarator
		} else {
			n = n.DirectDeclarator
		}
	}
	return n
}

// packedTo is what the attributes l say about the alignment of members, in bits, 0
// for nothing.
func packedTo(l *cc.AttributeSpecifierList) int64 {
	to := int64(0)
	for ; l != nil; l = l.AttributeSpecifierList {
		for v := l.AttributeSpecifier.AttributeValueList; v != nil; v = v.AttributeValueList {
			switch a := v.AttributeValue; {
			case a == nil:
			case a.Token.SrcStr() == packWord && a.ArgumentExpressionList != nil:
				n, _ := literal(a.ArgumentExpressionList.AssignmentExpression.Value())
				to = int64(n) * 8
			case packed.MatchString(a.Token.SrcStr()):
				return 8
			}
		}
	}
	return to
}

// A packer keeps the attributes of what is packed, and looks for those that say
// so of anything else than the definition of a struct or union.
type packer struct {
	tree      tree
	misplaced bool
}

// pack keeps what is packed in u. It reports false if something is that isn't
// known here, or if something is aligned, too.
func (u *unit) pack(text []byte) bool {
	p := &packer{tree: u.text.tree}
	p.walk(u.ast.TranslationUnit, nil)
	return !p.misplaced && !aligned.Match(text) && !bytes.Contains(text, []byte("_Alignas"))
}

// walk looks in n, which is among the attributes of, if that is not nil.
func (p *packer) walk(n cc.Node, of *cc.StructOrUnionSpecifier) {
	switch x := n.(type) {
	case *cc.StructOrUnionSpecifier:
		of = x
		p.keep(x)
	case *cc.StructDeclarationList, *cc.Declaration, *cc.StructDeclarator:
		of = nil
	case *cc.AttributeValue:
		// Where a struct is only mentioned its definition says what it is, also that of
		// struct itself being a macro.
		if packed.MatchString(x.Token.SrcStr()) && of == nil {
			p.misplaced = true
		}
	}
	p.tree.children(n, func(c cc.Node) { p.walk(c, of) })
}

// keep keeps the attributes of s at its first member that has a name.
func (p *packer) keep(s *cc.StructOrUnionSpecifier) {
	limit := packedTo(s.AttributeSpecifierList)
	if limit == 0 {
		limit = packedTo(s.AttributeSpecifierList2)
	}
	if limit == 0 || s.Case != cc.StructOrUnionSpecifierDef {
		return
	}
	t, ok := s.Type().Undecay().(record)
	for i := 0; ok && i < t.NumFields(); i++ {
		if d := t.FieldByIndex(i).Declarator(); d != nil {
			nameOf(d).AssignmentExpression = &packNote{limit: limit}
			return
		}
	}
	p.misplaced = true
}
