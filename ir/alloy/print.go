package alloy

import (
	"fmt"
	"strconv"
	"strings"
)

// This file holds the printer.

// Levels of precedence, loosest first, as the parser's functions.
const (
	levelBind = iota
	levelOr
	levelIff
	levelImplies
	levelAnd
	levelUntil
	levelNot
	levelCompare
	levelShift
	levelUnion
	levelCard
	levelOverride
	levelIntersect
	levelProduct
	levelDomain
	levelRange
	levelPostfix
	levelClosure
	levelPrimary
)

type notation struct {
	text              string
	level, left, rght int
}

var infix = map[op]notation{
	opProduct:         {"->", levelProduct, levelDomain, levelProduct},
	opIntersect:       {"&", levelIntersect, levelIntersect, levelProduct},
	opUnion:           {"+", levelUnion, levelUnion, levelCard},
	opMinus:           {"-", levelUnion, levelUnion, levelCard},
	opShiftLeft:       {"<<", levelShift, levelShift, levelUnion},
	opShiftRight:      {">>", levelShift, levelShift, levelUnion},
	opShiftZero:       {">>>", levelShift, levelShift, levelUnion},
	opOverride:        {"++", levelOverride, levelOverride, levelIntersect},
	opDomain:          {"<:", levelDomain, levelDomain, levelRange},
	opRange:           {":>", levelRange, levelRange, levelPostfix},
	opIn:              {"in", levelCompare, levelCompare, levelShift},
	opNotIn:           {"!in", levelCompare, levelCompare, levelShift},
	opEqual:           {"=", levelCompare, levelCompare, levelShift},
	opNotEqual:        {"!=", levelCompare, levelCompare, levelShift},
	opLess:            {"<", levelCompare, levelCompare, levelShift},
	opLessEqual:       {"<=", levelCompare, levelCompare, levelShift},
	opGreater:         {">", levelCompare, levelCompare, levelShift},
	opGreaterEqual:    {">=", levelCompare, levelCompare, levelShift},
	opNotLess:         {"!<", levelCompare, levelCompare, levelShift},
	opNotLessEqual:    {"!<=", levelCompare, levelCompare, levelShift},
	opNotGreater:      {"!>", levelCompare, levelCompare, levelShift},
	opNotGreaterEqual: {"!>=", levelCompare, levelCompare, levelShift},
	opAnd:             {"and", levelAnd, levelUntil, levelUntil},
	opUntil:           {"until", levelUntil, levelUntil, levelNot},
	opReleases:        {"releases", levelUntil, levelUntil, levelNot},
	opSince:           {"since", levelUntil, levelUntil, levelNot},
	opTriggered:       {"triggered", levelUntil, levelUntil, levelNot},
	opOr:              {"or", levelOr, levelIff, levelIff},
	opIff:             {"iff", levelIff, levelIff, levelImplies},
	opImplies:         {"implies", levelImplies, levelAnd, levelImplies},
}

var prefix = map[op]notation{
	opNot:          {"not ", levelNot, 0, levelNot},
	opAlways:       {"always ", levelNot, 0, levelNot},
	opEventually:   {"eventually ", levelNot, 0, levelNot},
	opAfter:        {"after ", levelNot, 0, levelNot},
	opHistorically: {"historically ", levelNot, 0, levelNot},
	opOnce:         {"once ", levelNot, 0, levelNot},
	opBefore:       {"before ", levelNot, 0, levelNot},
	opNo:           {"no ", levelCompare, 0, levelShift},
	opSome:         {"some ", levelCompare, 0, levelShift},
	opLone:         {"lone ", levelCompare, 0, levelShift},
	opOne:          {"one ", levelCompare, 0, levelShift},
	opSet:          {"set ", levelCompare, 0, levelShift},
	opCard:         {"#", levelCard, 0, levelCard},
	opSum:          {"sum ", levelCard, 0, levelCard},
	opTranspose:    {"~", levelClosure, 0, levelClosure},
	opClosure:      {"^", levelClosure, 0, levelClosure},
	opReflexive:    {"*", levelClosure, 0, levelClosure},
}

var quantifiers = map[op]string{opAll: "all", opNoOf: "no", opSomeOf: "some", opLoneOf: "lone", opOneOf: "one", opSum: "sum"}

// isBind reports whether x is a quantifier or let.
func isBind(x *expr) bool { return x.lets != nil || x.decls != nil && x.op != opComprehension }

func levelOf(x *expr) int {
	if isBind(x) {
		return levelBind
	}
	if n, ok := infix[x.op]; ok {
		return n.level
	}
	if n, ok := prefix[x.op]; ok {
		return n.level
	}
	switch x.op {
	case opText:
		return x.level
	case opElse:
		return levelImplies
	case opJoin, opBox:
		return levelPostfix
	case opPrime:
		return levelClosure
	}
	return levelPrimary
}

type printer struct {
	strings.Builder
	indent int
}

// String returns x as source text of one line.
func (x *expr) String() string {
	p := &printer{}
	p.at(x, levelBind)
	return p.Builder.String()
}

// at prints x where level is needed.
func (p *printer) at(x *expr, level int) {
	if levelOf(x) < level {
		p.WriteByte('(')
		defer p.WriteByte(')')
	}
	p.expr(x)
}

func (p *printer) expr(x *expr) {
	if isBind(x) {
		p.bind(x)
		return
	}
	if n, ok := infix[x.op]; ok {
		p.infix(x, n)
		return
	}
	if n, ok := prefix[x.op]; ok {
		p.WriteString(n.text)
		p.at(x.args[0], n.rght)
		return
	}
	switch x.op {
	case opText:
		p.WriteString(x.name)
	case opName:
		if x.raw {
			p.WriteByte('@')
		}
		p.WriteString(x.name)
	case opNumber:
		p.WriteString(strconv.Itoa(x.value))
	case opTrue:
		p.WriteString("{}")
	case opJoin:
		p.at(x.args[0], levelPostfix)
		p.WriteByte('.')
		p.at(x.args[1], levelClosure)
	case opPrime:
		p.at(x.args[0], levelPrimary)
		p.WriteByte('\'')
	case opBox:
		p.at(x.args[0], levelPostfix)
		p.WriteByte('[')
		for i, y := range x.args[1:] {
			p.sep(i, ", ")
			p.at(y, levelBind)
		}
		p.WriteByte(']')
	case opElse:
		p.at(x.args[0], levelAnd)
		p.WriteString(" implies ")
		p.at(x.args[1], levelAnd)
		p.WriteString(" else ")
		p.at(x.args[2], levelImplies)
	case opBlock:
		p.WriteString("{ ")
		p.formulas(x, func() { p.WriteByte(' ') })
		p.WriteString(" }")
	case opComprehension:
		p.WriteByte('{')
		p.decls(x.decls)
		if len(x.args) > 0 {
			p.WriteString(" | ")
			p.at(x.args[0], levelBind)
		}
		p.WriteByte('}')
	}
}

// formulas prints those of a block. One that begins with a minus would be
// taken for the rest of the one before.
func (p *printer) formulas(x *expr, between func()) {
	for i, y := range x.args {
		if i > 0 {
			between()
		}
		if strings.HasPrefix(y.String(), "-") {
			p.WriteString("(" + y.String() + ")")
			continue
		}
		p.at(y, levelBind)
	}
}

func (p *printer) sep(i int, s string) {
	if i > 0 {
		p.WriteString(s)
	}
}

func (p *printer) infix(x *expr, n notation) {
	for i, y := range x.args {
		level := n.left
		if i > 0 {
			p.WriteByte(' ')
			if x.op == opProduct {
				p.multiplicity(x.left)
			}
			p.WriteString(n.text)
			p.WriteByte(' ')
			if x.op == opProduct {
				p.multiplicity(x.right)
			}
			level = n.rght
		}
		p.at(y, level)
	}
}

func (p *printer) multiplicity(m op) {
	if m != opName {
		p.WriteString(prefix[m].text)
	}
}

func (p *printer) bind(x *expr) {
	if x.op == opLet {
		p.WriteString("let ")
		for i, l := range x.lets {
			p.sep(i, ", ")
			p.WriteString(l.name.text + " = ")
			p.at(l.value, levelBind)
		}
	} else {
		p.WriteString(quantifiers[x.op] + " ")
		p.decls(x.decls)
	}
	p.WriteString(" | ")
	p.at(x.args[0], levelBind)
}

func (p *printer) decls(ds []*decl) {
	for i, d := range ds {
		p.sep(i, ", ")
		p.decl(d)
	}
}

func (p *printer) decl(d *decl) {
	if d.variable {
		p.WriteString("var ")
	}
	if d.disj {
		p.WriteString("disj ")
	}
	for i, n := range d.names {
		p.sep(i, ", ")
		p.WriteString(n.text)
	}
	if d.defined {
		p.WriteString(" = ")
	} else {
		p.WriteString(": ")
	}
	if d.boundDis {
		p.WriteString("disj ")
	}
	p.boundOf(d)
}

func (p *printer) boundOf(d *decl) {
	p.multiplicity(d.mult)
	p.at(d.bound, levelShift)
}

func (p *printer) line() {
	p.WriteByte('\n')
	for range p.indent {
		p.WriteByte('\t')
	}
}

// body prints a paragraph's block over several lines.
func (p *printer) body(x *expr) {
	if x.op != opBlock {
		p.WriteString("{}")
		return
	}
	p.WriteByte('{')
	p.indent++
	p.line()
	p.formulas(x, p.line)
	p.indent--
	p.line()
	p.WriteByte('}')
}

func (p *printer) paragraph(g paragraph) {
	switch g := g.(type) {
	case *moduleDecl:
		p.module(g)
	case *macroDecl:
		p.macro(g)
	case *openDecl:
		p.open(g)
	case *enumDecl:
		fmt.Fprintf(p, "enum %s { %s }", g.name.text, texts(g.names))
	case *sigDecl:
		p.sig(g)
	case *factDecl:
		p.WriteString(strings.TrimSpace("fact "+g.name) + " ")
		p.body(g.body)
	case *assertDecl:
		p.WriteString(strings.TrimSpace("assert "+g.name.text) + " ")
		p.body(g.body)
	case *funDecl:
		if g.text != "" {
			p.WriteString(g.text)
			break
		}
		p.fun(g)
	case *commandDecl:
		p.command(g)
	}
	p.WriteByte('\n')
}

func texts(names []ident) string {
	out := make([]string, len(names))
	for i, n := range names {
		out[i] = n.text
	}
	return strings.Join(out, ", ")
}

func (p *printer) module(g *moduleDecl) {
	p.WriteString("module " + g.name + "[")
	for i, a := range g.params {
		p.sep(i, ", ")
		if a.exact {
			p.WriteString("exactly ")
		}
		p.WriteString(a.name)
	}
	p.WriteString("]")
}

func (p *printer) macro(g *macroDecl) {
	p.WriteString("let " + g.name.text)
	if len(g.params) > 0 {
		p.WriteString("[" + texts(g.params) + "]")
	}
	p.WriteString(" = ")
	p.at(g.body, levelBind)
}

func (p *printer) open(g *openDecl) {
	if g.private {
		p.WriteString("private ")
	}
	p.WriteString("open " + g.path.text)
	if len(g.args) > 0 {
		p.WriteString("[" + texts(g.args) + "]")
	}
	if g.alias != "" {
		p.WriteString(" as " + g.alias)
	}
}

func (p *printer) sig(g *sigDecl) {
	if g.variable {
		p.WriteString("var ")
	}
	if g.abstract {
		p.WriteString("abstract ")
	}
	p.multiplicity(g.mult)
	p.WriteString("sig " + texts(g.names))
	if g.parent.text != "" {
		p.WriteString(" extends " + g.parent.text)
	}
	for i, n := range g.in {
		word := " in "
		switch {
		case i > 0:
			word = " + "
		case g.equal:
			word = " = "
		}
		p.WriteString(word + n.text)
	}
	p.WriteString(" {")
	p.indent++
	for i, d := range g.fields {
		p.sep(i, ",")
		p.line()
		p.decl(d)
	}
	p.indent--
	if len(g.fields) > 0 {
		p.line()
	}
	p.WriteString("}")
	if g.facts != nil {
		p.WriteByte(' ')
		p.body(g.facts)
	}
}

func (p *printer) fun(g *funDecl) {
	kind := "pred "
	if g.result != nil {
		kind = "fun "
	}
	p.WriteString(kind)
	if g.receiver.text != "" {
		p.WriteString(g.receiver.text + ".")
	}
	p.WriteString(g.name.text + "[")
	p.decls(g.params)
	p.WriteString("] ")
	if g.result != nil {
		p.WriteString(": ")
		p.boundOf(g.result)
		p.WriteByte(' ')
	}
	p.body(g.body)
}

func (p *printer) command(g *commandDecl) {
	kind := "run"
	if g.check {
		kind = "check"
	}
	p.WriteString(kind)
	if g.label != "" && g.label != g.target.text {
		p.WriteString(" " + g.label)
	}
	if g.body != nil {
		p.WriteByte(' ')
		p.body(g.body)
	} else {
		p.WriteString(" " + g.target.text)
	}
	p.scopes(g)
	if g.expect >= 0 {
		fmt.Fprintf(p, " expect %d", g.expect)
	}
}

func (p *printer) scopes(g *commandDecl) {
	if g.overall >= 0 {
		fmt.Fprintf(p, " for %d", g.overall)
	}
	for i, s := range g.scopes {
		switch {
		case i > 0:
			p.WriteString(",")
		case g.overall >= 0:
			p.WriteString(" but")
		default:
			p.WriteString(" for")
		}
		if s.exact {
			p.WriteString(" exactly")
		}
		name := s.sig.text
		switch {
		case s.bitwise:
			name = "int"
		case s.steps:
			name = "steps"
		}
		fmt.Fprintf(p, " %d %s", s.n, name)
	}
}
