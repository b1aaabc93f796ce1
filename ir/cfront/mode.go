package cfront

// gcc's attribute mode, which cc passes over: it gives what is declared the
// size that it names, whatever the type says. It is refused where that is
// another size, but for typedefs that nothing mentions: the system's headers
// have some.

import (
	"strings"

	"modernc.org/cc/v4"

	"github.com/go-amend/amend/ir"
)

// modes are the sizes of integers by the names of their modes.
var modes = map[string]int64{
	"QI": 1, "HI": 2, "SI": 4, "DI": 8, "byte": 1,
}

// ofWords are those that have the size of a pointer.
var ofWords = map[string]bool{"word": true, "pointer": true, "unwind_word": true}

// checkModes refuses the modes in u that make a difference.
func (l *loader) checkModes(u *unit) { l.modesIn(u, u.ast.TranslationUnit, nil) }

// modesIn is checkModes for n in the declaration around.
func (l *loader) modesIn(u *unit, n cc.Node, around cc.Node) {
	switch x := n.(type) {
	case *cc.Declaration, *cc.StructDeclaration, *cc.ParameterDeclaration:
		around = x
	case *cc.AttributeValue:
		if strings.Trim(x.Token.SrcStr(), "_") == "mode" && !l.harmless(u, x, around) {
			l.fail(&ir.UnsupportedError{Span: u.text.extent(x), Construct: "attribute mode", Hint: "use a type of that size"})
		}
	}
	u.text.tree.children(n, func(c cc.Node) { l.modesIn(u, c, around) })
}

// harmless reports whether what is declared has the size of mode m anyway, or
// is a type that nothing mentions.
func (l *loader) harmless(u *unit, m *cc.AttributeValue, around cc.Node) bool {
	d, ok := around.(*cc.Declaration)
	if !ok || d.Case != cc.DeclarationDecl || m.ArgumentExpressionList == nil {
		return false
	}
	size := int64(-1)
	if p, ok := m.ArgumentExpressionList.AssignmentExpression.(*cc.PrimaryExpression); ok {
		name := strings.Trim(p.Token.SrcStr(), "_")
		if size = modes[name]; ofWords[name] {
			size = int64(l.model.pointer / 8)
		}
	}
	for i := d.InitDeclaratorList; i != nil; i = i.InitDeclaratorList {
		x := i.InitDeclarator.Declarator
		_, isScalar := scalar(x.Type())
		if (!isScalar || x.Type().Size() != size) && (!x.IsTypename() || mentionsType(u.text.tree, u.ast.TranslationUnit, x.Name())) {
			return false
		}
	}
	return true
}

// mentionsType reports whether something in n is declared with the type name.
func mentionsType(t tree, n cc.Node, name string) bool {
	if s, ok := n.(*cc.TypeSpecifier); ok && s.Case == cc.TypeSpecifierTypeName && s.Token.SrcStr() == name {
		return true
	}
	found := false
	t.children(n, func(c cc.Node) { found = found || mentionsType(t, c, name) })
	return found
}
