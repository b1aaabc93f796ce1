package alloy

import (
	"slices"
	"strconv"

	"github.com/go-amend/amend/ir"
)

// This file holds the parser of paragraphs. A syntax error ends its paragraph;
// the rest is still parsed, so that errors are reported together.

// maxDepth limits the nesting of expressions.
const maxDepth = 5000

type parser struct {
	file   string
	src    string
	toks   []token
	lines  []int
	pos    int
	failed bool // since the paragraph's beginning; peek then sees the end
	depth  int
	errs   []error
}

// parse returns the paragraphs of src in their order, and the errors.
func parse(file, src string) ([]paragraph, []error) {
	p := &parser{file: file, src: src}
	p.toks, p.lines = lex(file, src)
	var out []paragraph
	for !p.at("end of file") {
		begin := p.pos
		g := p.paragraph()
		switch {
		case p.failed:
			p.recover(begin)
		case g != nil:
			out = append(out, g)
		}
	}
	return out, p.errs
}

// recover skips to where a paragraph seems to begin.
func (p *parser) recover(begin int) {
	p.failed, p.depth = false, 0
	for p.pos = max(p.pos, begin+1); !p.at("end of file"); p.pos++ {
		switch p.peek().text {
		case "abstract", "var", "sig", "fact", "pred", "fun", "assert", "check", "run", "open", "enum", "let":
			if p.peek().kind == tokKeyword {
				for p.pos > begin+1 && slices.Contains([]string{"abstract", "var", "one", "lone", "some", "private"}, p.toks[p.pos-1].text) {
					p.pos--
				}
				return
			}
		}
	}
}

func (p *parser) peek() token {
	if p.failed {
		return token{kind: tokEOF, text: "end of file"}
	}
	return p.toks[p.pos]
}

// ahead returns the token i after the next.
func (p *parser) ahead(i int) token {
	if p.failed || p.pos+i >= len(p.toks) {
		return token{kind: tokEOF, text: "end of file"}
	}
	return p.toks[p.pos+i]
}

func (t token) is(text string) bool {
	return t.text == text && (t.kind == tokKeyword || t.kind == tokPunct || t.kind == tokEOF)
}

func (p *parser) at(text string) bool { return p.peek().is(text) }

func (p *parser) take() token {
	t := p.peek()
	if t.kind != tokEOF {
		p.pos++
	}
	return t
}

// accept takes the next token if it is text.
func (p *parser) accept(text string) bool {
	if p.at(text) {
		p.take()
		return true
	}
	return false
}

func (p *parser) expect(text string) {
	if !p.accept(text) {
		p.unexpected("'" + text + "'")
	}
}

func (p *parser) unexpected(want string) {
	if p.failed {
		return
	}
	t := p.peek()
	msg := "expected " + want + ", found "
	switch t.kind {
	case tokBad:
		msg = t.text
	case tokEOF:
		msg += t.text
	default:
		msg += strconv.Quote(p.src[t.start:t.end])
	}
	p.fail(spanOf(p.file, p.lines, t.start, t.end), msg)
}

func (p *parser) fail(at ir.Span, msg string) {
	if !p.failed {
		p.errs = append(p.errs, &ir.Error{Span: at, Msg: msg})
		p.failed = true
	}
}

func (p *parser) unsupported(at ir.Span, construct, hint string) {
	if !p.failed {
		p.errs = append(p.errs, &ir.UnsupportedError{Span: at, Construct: construct, Hint: hint})
	}
}

// since returns the span from offset start to the last token taken.
func (p *parser) since(start int) ir.Span {
	end := start
	if p.pos > 0 {
		end = max(end, p.toks[p.pos-1].end)
	}
	return spanOf(p.file, p.lines, start, end)
}

// start returns the offset of the next token.
func (p *parser) start() int { return p.toks[p.pos].start }

func (p *parser) paragraph() paragraph {
	start := p.start()
	private := p.accept("private")
	switch t := p.peek(); {
	case t.is("module"):
		return p.module(start)
	case t.is("open"):
		o := p.open(start)
		o.private = private
		return o
	case t.is("enum"):
		return p.enum(start)
	case t.is("fact"):
		return p.fact(start)
	case t.is("assert"):
		return p.assert(start)
	case t.is("pred"), t.is("fun"):
		return p.fun(start)
	case t.is("check"), t.is("run"):
		return p.command(start)
	case t.is("let"):
		return p.macro(start)
	case t.kind == tokIdent && p.ahead(1).is(":") && (p.ahead(2).is("check") || p.ahead(2).is("run")):
		label := p.take().text
		p.take()
		c := p.command(start)
		c.label = label
		return c
	case private || slices.Contains([]string{"abstract", "var", "sig", "one", "lone", "some"}, t.text) && t.kind == tokKeyword:
		return p.sig(start)
	case t.is("=>"):
		p.unsupported(p.since(start), "command that follows another", "write it on its own")
		p.take()
		return nil
	}
	p.unexpected("a paragraph (sig, fact, pred, fun, assert, check, run)")
	return nil
}

// module takes the model's name and parameters.
func (p *parser) module(start int) paragraph {
	p.take()
	m := &moduleDecl{name: p.name().text}
	if p.accept("[") {
		for !p.at("]") && !p.failed {
			m.params = append(m.params, param{exact: p.accept("exactly"), name: p.name().text})
			if !p.accept(",") {
				break
			}
		}
		p.expect("]")
	}
	if m.span = p.since(start); len(m.params) == 0 {
		return nil
	}
	return m
}

func (p *parser) macro(start int) *macroDecl {
	p.take()
	m := &macroDecl{name: p.name()}
	for _, b := range []string{"[]", "()"} {
		if p.accept(b[:1]) {
			if !p.at(b[1:]) {
				m.params = p.names()
			}
			p.expect(b[1:])
			break
		}
	}
	if p.accept("=") {
		m.body = p.expr()
	} else {
		m.body = p.block()
	}
	m.span = p.since(start)
	return m
}

func (p *parser) open(start int) *openDecl {
	p.take()
	o := &openDecl{path: p.name()}
	if p.accept("[") {
		for !p.at("]") && !p.failed {
			o.args = append(o.args, p.name())
			if !p.accept(",") {
				break
			}
		}
		p.expect("]")
	}
	if p.accept("as") {
		o.alias = p.name().text
	}
	o.span = p.since(start)
	return o
}

func (p *parser) enum(start int) *enumDecl {
	p.take()
	e := &enumDecl{name: p.name()}
	p.expect("{")
	e.names = p.names()
	p.expect("}")
	e.span = p.since(start)
	return e
}

// name takes a name, with its path.
func (p *parser) name() ident {
	start := p.start()
	for {
		t := p.peek()
		qualifier := (t.is("this") || t.is("seq")) && p.ahead(1).is("/")
		builtin := t.is("univ") || t.is("Int") || t.is("none") || t.is("String")
		if t.kind != tokIdent && !qualifier && !builtin {
			p.unexpected("a name")
			return ident{}
		}
		p.take()
		if !p.at("/") {
			break
		}
		p.take()
	}
	s := p.since(start)
	return ident{stripped(p.src[s.Start:s.End]), s}
}

// stripped returns a path without the blanks and comments that it may hold.
func stripped(text string) string {
	toks, _ := lex("", text)
	out := ""
	for _, t := range toks[:len(toks)-1] {
		out += text[t.start:t.end]
	}
	return out
}

func (p *parser) names() []ident {
	out := []ident{p.name()}
	for p.accept(",") {
		out = append(out, p.name())
	}
	return out
}

func (p *parser) fact(start int) *factDecl {
	p.take()
	f := &factDecl{}
	switch t := p.peek(); t.kind {
	case tokIdent, tokString:
		f.name = t.text
		p.take()
	}
	f.body = p.block()
	f.span = p.since(start)
	return f
}

func (p *parser) assert(start int) *assertDecl {
	p.take()
	a := &assertDecl{}
	if p.peek().kind == tokIdent {
		a.name = p.name()
	}
	a.body = p.block()
	a.span = p.since(start)
	return a
}

func (p *parser) fun(start int) *funDecl {
	isFun := p.take().text == "fun"
	f := &funDecl{name: p.name()}
	if p.accept(".") {
		f.receiver = f.name
		f.name = p.name()
	}
	switch {
	case p.accept("["):
		f.params = p.decls("]")
		p.expect("]")
	case p.accept("("):
		f.params = p.decls(")")
		p.expect(")")
	}
	if isFun {
		p.expect(":")
		at := p.start()
		f.result = &decl{}
		p.bound(f.result)
		f.result.span = p.since(at)
	}
	f.body = p.block()
	f.span = p.since(start)
	return f
}

func (p *parser) sig(start int) *sigDecl {
	s := &sigDecl{mult: opName}
	for !p.accept("sig") {
		switch t := p.take(); {
		case t.is("abstract"):
			s.abstract = true
		case t.is("var"):
			s.variable = true
		case t.is("private"):
		case t.is("one"), t.is("lone"), t.is("some"):
			s.mult = multiplicities[t.text]
		default:
			p.unexpected("'sig'")
			return nil
		}
	}
	s.names = p.names()
	switch {
	case p.accept("extends"):
		s.parent = p.name()
	case p.at("in"), p.at("="):
		s.equal = p.take().text == "="
		s.in = []ident{p.name()}
		for p.accept("+") {
			s.in = append(s.in, p.name())
		}
	}
	p.expect("{")
	s.fields = p.decls("}")
	p.expect("}")
	if p.at("{") {
		s.facts = p.block()
	}
	s.span = p.since(start)
	return s
}

// decls takes declarations up to the token before close.
func (p *parser) decls(end string) []*decl {
	var out []*decl
	for !p.at(end) && !p.failed {
		if p.accept(",") {
			continue
		}
		out = append(out, p.decl())
		if !p.accept(",") {
			break
		}
	}
	return out
}

func (p *parser) decl() *decl {
	start := p.start()
	d := &decl{}
	d.variable = p.accept("var")
	d.variable = p.accept("private") && p.accept("var") || d.variable
	d.disj = p.accept("disj")
	d.names = p.names()
	if p.accept("=") {
		d.defined = true
	} else {
		p.expect(":")
	}
	d.boundDis = p.accept("disj")
	p.bound(d)
	d.span = p.since(start)
	return d
}

var multiplicities = map[string]op{"one": opOne, "lone": opLone, "some": opSome, "set": opSet}

// bound takes a declaration's multiplicity and bound.
func (p *parser) bound(d *decl) {
	d.mult = opName
	if m, ok := multiplicities[p.peek().text]; !p.seq() && ok && p.peek().kind == tokKeyword {
		p.take()
		d.mult = m
	}
	d.bound = p.shift()
}

// seq takes the word that makes sequences.
func (p *parser) seq() bool {
	t := p.peek()
	if !t.is("seq") || p.ahead(1).is("/") {
		return false
	}
	p.unsupported(spanOf(p.file, p.lines, t.start, t.end), "seq", "write a relation from Int")
	p.take()
	return true
}

func (p *parser) command(start int) *commandDecl {
	c := &commandDecl{check: p.take().text == "check", overall: -1, expect: -1}
	if !p.at("{") {
		c.target = p.name()
		c.label = c.target.text
		switch {
		case p.at("{"):
			c.target = ident{}
		case p.peek().kind == tokIdent && !p.ahead(1).is(":"):
			c.target = p.name() // the first was a label
		}
	}
	if c.target.text == "" {
		c.body = p.block()
	}
	p.scope(c)
	if p.accept("expect") {
		c.expect = p.number()
	}
	c.span = p.since(start)
	return c
}

func (p *parser) scope(c *commandDecl) {
	if !p.accept("for") {
		return
	}
	if p.peek().kind == tokNumber && !p.scopeNameAt(1) {
		c.overall = p.number()
		if !p.accept("but") {
			return
		}
	}
	for {
		s := scope{exact: p.accept("exactly"), n: p.number()}
		ranged := p.upTo(&s)
		switch t := p.peek(); {
		case t.is("steps"):
			p.take()
			s.steps, s.exact = true, false // longer traces stand for shorter ones
		case ranged:
			p.unsupported(p.since(p.toks[p.pos-1].start), "growing scope", "state its end")
			p.name()
		case t.is("int"), t.is("Int"):
			p.take()
			s.bitwise = true
		case t.is("seq"):
			p.unsupported(spanOf(p.file, p.lines, t.start, t.end), "scope of seq", "leave it away")
			p.take()
		default:
			s.sig = p.name()
		}
		c.scopes = append(c.scopes, s)
		if !p.accept(",") {
			return
		}
	}
}

// upTo takes the rest of "2 .. 5", of which the end counts, and reports whether
// there is any.
func (p *parser) upTo(s *scope) bool {
	if !p.at(".") {
		return false
	}
	start := p.start()
	p.take()
	p.expect(".")
	if p.peek().kind != tokNumber {
		p.unsupported(p.since(start), "scope without an end", "state how many steps a trace may have")
		return true
	}
	s.n = p.number()
	return true
}

// scopeNameAt reports whether the token i after the next names what a scope is
// for, and not the next command's label.
func (p *parser) scopeNameAt(i int) bool {
	t := p.ahead(i)
	return t.kind == tokIdent && !p.ahead(i+1).is(":") || t.is("int") || t.is("Int") || t.is("seq") || t.is("this") || t.is("steps") || t.is(".")
}

func (p *parser) number() int {
	t := p.peek()
	n, err := strconv.Atoi(t.text)
	switch {
	case t.kind != tokNumber:
		p.unexpected("a number")
	case err != nil || n > 1<<20:
		p.fail(spanOf(p.file, p.lines, t.start, t.end), "number out of range")
	}
	p.take()
	return n
}
