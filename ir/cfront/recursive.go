package cfront

// What cc's checker can't stand: structs that contain themselves, which it
// follows until the stack overflows, and initializer lists of structs that
// are not defined, in which it finds no end.

import "modernc.org/cc/v4"

// A containment looks for them in a tree that is parsed but not checked.
type containment struct {
	tree  tree
	open  []string          // tags of the structs being defined
	named map[string]string // the tags of typedefs
	done  map[string]bool   // the tags of structs defined so far
	found cc.Node
	bare  cc.Node // a variable of a struct that is not defined, with a list
}

// newContainment walks ast.
func newContainment(ast *cc.AST) *containment {
	c := &containment{tree: tree{}, named: map[string]string{}, done: map[string]bool{}}
	for u := ast.TranslationUnit; u != nil; u = u.TranslationUnit {
		c.walk(u.ExternalDeclaration)
	}
	return c
}

func (c *containment) walk(n cc.Node) {
	switch n := n.(type) {
	case *cc.StructOrUnionSpecifier:
		if n != nil && n.Case == cc.StructOrUnionSpecifierDef {
			c.open = append(c.open, n.Token.SrcStr())
			defer func() {
				c.open = c.open[:len(c.open)-1]
				c.done[n.Token.SrcStr()] = true
			}()
		}
	case *cc.StructDeclaration:
		c.member(n)
	case *cc.Declaration:
		c.typedef(n)
		defer c.lists(n)
	}
	c.tree.children(n, c.walk)
}

// declared is the tag of the struct that n declares something with, or "".
func (c *containment) declared(n *cc.Declaration) string {
	tag := ""
	if n != nil {
		for s := n.DeclarationSpecifiers; s != nil; s = s.DeclarationSpecifiers {
			if s.Case == cc.DeclarationSpecifiersTypeSpec {
				tag = c.tag(s.TypeSpecifier)
			}
		}
	}
	return tag
}

// lists looks for initializer lists of structs that are not defined.
func (c *containment) lists(n *cc.Declaration) {
	tag := c.declared(n)
	if tag == "" || c.done[tag] {
		return
	}
	for l := n.InitDeclaratorList; l != nil; l = l.InitDeclaratorList {
		i := l.InitDeclarator
		if i.Case == cc.InitDeclaratorInit && i.Initializer.Case == cc.InitializerInitList && !indirect(i.Declarator) {
			c.bare = i.Declarator
		}
	}
}

// typedef notes a name for a struct.
func (c *containment) typedef(n *cc.Declaration) {
	tag := c.declared(n)
	if tag == "" {
		return
	}
	for l := n.InitDeclaratorList; l != nil; l = l.InitDeclaratorList {
		if d := l.InitDeclarator.Declarator; !indirect(d) {
			c.named[d.Name()] = tag
		}
	}
}

// tag returns the tag of the struct that t names, or "".
func (c *containment) tag(t *cc.TypeSpecifier) string {
	switch {
	case t == nil:
	case t.Case == cc.TypeSpecifierStructOrUnion:
		return t.StructOrUnionSpecifier.Token.SrcStr()
	case t.Case == cc.TypeSpecifierTypeName:
		return c.named[t.Token.SrcStr()]
	}
	return ""
}

func (c *containment) member(n *cc.StructDeclaration) {
	if n == nil {
		return
	}
	for s := n.SpecifierQualifierList; s != nil; s = s.SpecifierQualifierList {
		tag := c.tag(s.TypeSpecifier)
		if tag == "" || !c.isOpen(tag) {
			continue
		}
		if n.StructDeclaratorList == nil { // without a name
			c.found = n
		}
		for l := n.StructDeclaratorList; l != nil; l = l.StructDeclaratorList {
			if d := l.StructDeclarator.Declarator; d != nil && !indirect(d) {
				c.found = d
			}
		}
	}
}

func (c *containment) isOpen(tag string) bool {
	for _, t := range c.open {
		if t == tag {
			return true
		}
	}
	return false
}

// indirect reports whether d declares a pointer, or something with one.
func indirect(d *cc.Declarator) bool {
	if d.Pointer != nil {
		return true
	}
	for x := d.DirectDeclarator; x != nil; x = x.DirectDeclarator {
		if x.Case == cc.DirectDeclaratorDecl {
			return indirect(x.Declarator)
		}
	}
	return false
}
