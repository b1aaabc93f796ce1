package alloy

import "github.com/go-amend/amend/ir"

// This file holds the syntax tree.

type op uint8

const (
	opName   op = iota // name, or @name if raw
	opText             // name holds text of the source
	opNumber           // value
	opTrue             // a block without formulas

	opNot
	opNo // of here: formulas; in declarations: multiplicities
	opSome
	opLone
	opOne
	opSet
	opCard
	opSum // int e, sum e
	opTranspose
	opClosure
	opReflexive
	opPrime

	opJoin
	opBox // args[0][args[1], ...]
	opProduct
	opIntersect
	opUnion
	opMinus
	opOverride
	opShiftLeft
	opShiftRight // >>, which keeps the sign
	opShiftZero
	opDomain
	opRange

	opIn
	opNotIn
	opEqual
	opNotEqual
	opLess
	opLessEqual
	opGreater
	opGreaterEqual
	opNotLess
	opNotLessEqual
	opNotGreater
	opNotGreaterEqual

	opAlways // temporal connectives, in the order of relation.TemporalOp
	opEventually
	opAfter
	opUntil
	opReleases
	opHistorically
	opOnce
	opBefore
	opSince
	opTriggered

	opAnd // of two or more; flat
	opOr  // of two or more; flat
	opImplies
	opIff
	opElse  // args: condition, then, else
	opBlock // of one or more formulas

	opAll // quantifiers: decls and args[0]
	opNoOf
	opSomeOf
	opLoneOf
	opOneOf
	opComprehension // args[0] may be missing
	opLet           // lets and args[0]
)

// An expr is an expression or a formula.
type expr struct {
	op          op
	span        ir.Span
	name        string
	raw         bool // @name
	value       int
	left, right op  // multiplicities of an opProduct, or opName without
	level       int // of opText
	args        []*expr
	decls       []*decl
	lets        []let
}

// A decl declares names, of a field, parameter or variable.
type decl struct {
	names    []ident
	disj     bool
	variable bool // var
	mult     op   // opOne, opLone, opSome, opSet, or opName if none is written
	bound    *expr
	span     ir.Span
	defined  bool // f = bound
	boundDis bool // names: disj bound
}

type let struct {
	name  ident
	value *expr
}

type ident struct {
	text string
	span ir.Span
}

type paragraph interface{}

// A sigDecl is one "sig A, B extends C { fields } { facts }".
type sigDecl struct {
	names    []ident
	abstract bool
	variable bool // var
	mult     op   // opOne, opLone, opSome or opName
	parent   ident
	in       []ident // "in A + B"
	equal    bool    // "= A + B"
	fields   []*decl
	facts    *expr // or nil
	span     ir.Span
}

type enumDecl struct {
	name  ident
	names []ident
	span  ir.Span
}

type factDecl struct {
	name string
	body *expr
	span ir.Span
}

type assertDecl struct {
	name ident
	body *expr
	span ir.Span
}

// A funDecl is a function or, without a result, a predicate.
type funDecl struct {
	name     ident
	receiver ident // "pred A.p"
	params   []*decl
	result   *decl
	body     *expr
	span     ir.Span
	text     string // of one that is left out: see leaveOut
}

// A macroDecl is a "let name[params] = body" outside of paragraphs.
type macroDecl struct {
	name   ident
	params []ident
	body   *expr
	span   ir.Span
}

// A moduleDecl is the name of the model and its parameters.
type moduleDecl struct {
	name   string
	params []param
	span   ir.Span
}

type param struct {
	name  string
	exact bool
}

type openDecl struct {
	path    ident
	args    []ident
	alias   string
	private bool
	span    ir.Span
}

// A scope is an entry of a command's "for": of a sig, or of ints' bits.
type scope struct {
	sig     ident
	exact   bool
	n       int
	bitwise bool // int, Int
	steps   bool // of a trace
}

// A commandDecl is a check or run of a name or a body.
type commandDecl struct {
	check   bool
	label   string
	target  ident
	body    *expr // or nil
	overall int   // -1 without
	scopes  []scope
	expect  int // -1 without
	span    ir.Span
}
