package alloy

import (
	"github.com/go-amend/amend/formula/relation"
	"github.com/go-amend/amend/ir"
)

// This file holds what the names of a model mean.

type sigKind uint8

const (
	sigPrim sigKind = iota // top-level, or extending another
	sigSubset
	sigUniv
	sigInt
)

type sig struct {
	name     string
	kind     sigKind
	span     ir.Span
	abstract bool
	variable bool
	mult     op
	parent   *sig
	children []*sig
	in       []*sig // of a subset signature
	fields   []*field
	decl     *sigDecl
	module   *module
	rel      *relation.Relation // nil for univ and Int
	this     *relation.Var
	exact    bool // an ordering demands that the scope is exact
	enum     bool // its children are ordered as they are declared
}

// typ returns the type of the set of s's atoms.
func (s *sig) typ() typ {
	if s.kind != sigSubset {
		return typ{arity: 1, products: []product{{s}}}
	}
	t := typ{arity: 1}
	for _, p := range s.in {
		t = unionType(t, p.typ())
	}
	return t
}

type state uint8

const (
	unresolved state = iota
	resolving
	resolved
)

type field struct {
	name  string
	sig   *sig
	decl  *decl
	span  ir.Span
	state state
	rel   *relation.Relation // nil if its declaration is wrong
	typ   typ                // with the signature's column
}

// A fun is a function or predicate, of the model or built in.
type fun struct {
	name     string
	decl     *funDecl
	module   *module
	params   []*local
	relDecls []relation.Decl
	state    state
	body     value
	native   func(args []relation.Int) relation.Int
	arity    int // number of parameters
}

// A local is a variable.
type local struct {
	name string
	v    *relation.Var
	typ  typ
	next *local
	arg  *argument // of a macro, instead of the value
}

func (l *local) find(name string) *local {
	for ; l != nil; l = l.next {
		if l.name == name {
			return l
		}
	}
	return nil
}

// An ordering is an opened util/ordering.
type ordering struct {
	sig         *sig
	name        string
	first, next *relation.Relation
}

// A value is what an expression means: a formula, an integer, or a set of
// tuples with its type.
type value struct {
	f relation.Formula
	i relation.Int
	x relation.Expr
	t typ
}

func (v value) node() relation.Node {
	switch {
	case v.f != nil:
		return v.f
	case v.i != nil:
		return v.i
	case v.x != nil:
		return v.x
	}
	return nil
}

// A Command is a check or run of a model.
type Command struct {
	Check bool
	Name  string // as it is written, "" if it has only a body
	Text  string // the command, without its body
	Span  ir.Span
	decl  *commandDecl
	goal  relation.Formula
}

// Expect returns what the command's "expect" says, 0 for no instance, and
// whether it has one.
func (c *Command) Expect() (n int, ok bool) { return c.decl.expect, c.decl.expect >= 0 }

// Expected reports whether the command is as it should be if it found an instance,
// or not: a check should have no counterexample and a run an instance, unless
// "expect" says otherwise.
func (c *Command) Expected(found bool) bool {
	if n, ok := c.Expect(); ok {
		return found == (n > 0)
	}
	return found != c.Check
}

// A Sig is a signature that a model declares.
type Sig struct {
	Name     string
	Relation *relation.Relation
	Parent   int // index in Model.Sigs of what it extends, or -1
}

// A Field is a field of a signature, whose atoms are its first column.
type Field struct {
	Name     string
	Sig      int // index in Model.Sigs
	Relation *relation.Relation
}

// A UnitKind is what a paragraph is.
type UnitKind uint8

const (
	Fact UnitKind = iota
	Predicate
	Function
)

// A Unit is a paragraph with formulas or an expression.
type Unit struct {
	Kind   UnitKind
	Name   string
	Params []relation.Decl
	// Body is one node for all calls. That of a fact or predicate is a
	// Connective, of as many formulas as there are.
	Body relation.Node
	Span ir.Span
}

// A Node is an expression of a Unit as it is written. Names are none: their
// translations are shared.
type Node struct {
	Rel    relation.Node // its translation; no other Node's
	Unit   int           // index in Model.Units
	Parent int           // index in Model.Nodes of the expression around it, or -1
	Span   ir.Span       // without parentheses around it
	Call   bool          // of a function or predicate
}
