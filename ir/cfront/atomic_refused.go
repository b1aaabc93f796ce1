package cfront

// Declarations in which cc loses _Atomic: it gives the qualifier to what is
// declared, not to the elements of an array of arrays or what a member's
// pointer points at. A typedef name keeps it.

import (
	"modernc.org/cc/v4"

	"github.com/go-amend/amend/ir"
)

// checkAtomics refuses these declarations, in a program with threads.
func (l *loader) checkAtomics() {
	for _, u := range l.units {
		l.atomicsIn(u, u.ast.TranslationUnit)
	}
}

func (l *loader) atomicsIn(u *unit, n cc.Node) {
	switch d := n.(type) {
	case *cc.StructDeclaration:
		for x := d.StructDeclaratorList; x != nil; x = x.StructDeclaratorList {
			l.checkAtomic(u, d.SpecifierQualifierList, x.StructDeclarator.Declarator, 1)
		}
	case *cc.Declaration:
		for x := d.InitDeclaratorList; x != nil; x = x.InitDeclaratorList {
			l.checkAtomic(u, d.DeclarationSpecifiers, x.InitDeclarator.Declarator, 2)
		}
	case *cc.ParameterDeclaration:
		l.checkAtomic(u, d.DeclarationSpecifiers, d.Declarator, 2)
	}
	u.text.tree.children(n, func(c cc.Node) { l.atomicsIn(u, c) })
}

// qualifiesAtomic reports whether the specifiers at n say _Atomic, which is
// volatile to cc: not inside a struct among them.
func qualifiesAtomic(t tree, n cc.Node) bool {
	switch x := n.(type) {
	case *cc.TypeQualifier:
		return x.Case == cc.TypeQualifierVolatile
	case *cc.TypeSpecifier:
		return false
	}
	found := false
	t.children(n, func(c cc.Node) { found = found || qualifiesAtomic(t, c) })
	return found
}

// checkAtomic refuses d if it is an array of _Atomic pointers, or of a type made
// of what the specifiers say is _Atomic: of arrays nested as deep as that, or for
// a member of pointers.
func (l *loader) checkAtomic(u *unit, specifiers cc.Node, d *cc.Declarator, depth int) {
	if d == nil {
		return
	}
	t, arrays := u.text.tree, arraysOf(d)
	elements := qualifiesAtomic(t, specifiers) && (arrays >= depth || depth == 1 && indirect(d))
	if elements || arrays > 0 && qualifiesAtomic(t, d) {
		l.fail(&ir.UnsupportedError{Span: u.text.extent(d), Construct: "_Atomic elements or targets here", Hint: "make a typedef of the _Atomic type"})
	}
}

// arraysOf is how many arrays are nested in the type of d.
func arraysOf(d *cc.Declarator) int {
	n := 0
	for t := d.Type().Undecay(); t.Kind() == cc.Array; t = t.(*cc.ArrayType).Elem().Undecay() {
		n++
	}
	return n
}
