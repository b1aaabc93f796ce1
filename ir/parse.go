package ir

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// maxDepth is how deep statements and operators may be nested. Parser,
// checker and analyses are recursive.
const maxDepth = 1000

// Parse reads a program in the text format, which the package comment
// describes. Spans are exact. The error joins all that is wrong, each an
// *Error with its position; nesting deeper than 1000 is.
func Parse(filename string, src []byte) (p *Program, err error) {
	toks, err := lex(filename, src)
	if err != nil {
		return nil, err
	}
	x := &parser{
		file: filename, toks: toks,
		p:       &Program{Files: []*File{{Name: filename, Content: src}}},
		procs:   make(map[string]*Proc),
		globals: make(map[string]*Var),
	}
	x.program()
	if err := errors.Join(x.errs...); err != nil {
		return nil, err
	}
	x.p.Number()
	x.resolveOf()
	if err := Check(x.p); err != nil {
		return nil, err
	}
	return x.p, nil
}

type parser struct {
	file string
	toks []token
	at   int
	errs []error

	p       *Program
	procs   map[string]*Proc
	globals map[string]*Var
	entry   token

	depth  int // of nesting
	proc   *Proc
	scopes []map[string]*Var
	sited  bool // expressions get sites
	sites  SiteID
	shared map[int]SiteID // by the number of a tag
	of     map[*StmtInfo]int
}

// bail ends the parsing of one declaration.
type bail struct{}

func (x *parser) peek() token { return x.toks[x.at] }
func (x *parser) next() token {
	t := x.toks[x.at]
	if t.kind != 0 {
		x.at++
	}
	return t
}
func (x *parser) is(text string) bool {
	t := x.peek()
	return t.text == text && t.kind != '"'
}
func (x *parser) accept(text string) bool {
	if x.is(text) {
		x.at++
		return true
	}
	return false
}

func (x *parser) fail(s Span, format string, args ...any) {
	x.errs = append(x.errs, &Error{s, fmt.Sprintf(format, args...)})
	panic(bail{})
}

func (x *parser) expect(text string) token {
	t := x.next()
	if t.text != text || t.kind == '"' {
		x.fail(t.span(x.file), "expected %s, found %s", text, t)
	}
	return t
}

func (t token) String() string {
	switch {
	case t.kind == 0:
		return "the end of the text"
	case t.kind == ';' && t.text == ";":
		return "the end of the statement"
	}
	return strconv.Quote(t.text)
}

func (x *parser) name() token {
	t := x.next()
	if t.kind != 'n' || keywords[t.text] {
		x.fail(t.span(x.file), "expected a name, found %s", t)
	}
	return t
}

var keywords = map[string]bool{
	"checks": true, "var": true, "mutex": true, "proc": true, "hard": true, "entry": true, "init": true, "if": true, "else": true,
	"while": true, "for": true, "loop": true, "do": true, "head": true, "post": true, "break": true, "continue": true,
	"return": true, "havoc": true, "alloc": true, "assume": true, "assert": true, "check": true, "spawn": true, "join": true,
	"lock": true, "trylock": true, "unlock": true, "wait": true, "signal": true, "broadcast": true, "atomic": true, "yield": true,
	"cond": true, "when": true, "holder": true, "self": true, "ended": true, "any": true, "wakeup": true,
	"true": true, "false": true, "bool": true,
}

// program parses declarations: first the heads of procedures, so that calls
// can go forward.
func (x *parser) program() {
	x.shared = make(map[int]SiteID)
	x.of = make(map[*StmtInfo]int)
	x.p.Init = &Block{}
	var bodies []func()
	for x.peek().kind != 0 {
		x.recoverTo(func() { bodies = x.declaration(bodies) })
	}
	if len(x.errs) > 0 {
		return
	}
	for _, parse := range bodies {
		x.recoverTo(parse)
	}
	if x.p.Entry = x.procs["main"]; x.entry.text != "" {
		x.p.Entry = x.procs[x.entry.text]
	}
	if x.p.Entry == nil && len(x.errs) == 0 {
		x.errs = append(x.errs, &Error{x.entry.span(x.file), "no procedure " + cmpOr(x.entry.text, "main")})
	}
}

func cmpOr(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// nested parses, with parse, what is inside something else.
func (x *parser) nested(parse func()) {
	if x.depth++; x.depth > maxDepth {
		x.fail(x.peek().span(x.file), "nested deeper than %d", maxDepth)
	}
	parse()
	x.depth--
}

// recoverTo runs parse. After an error it skips the declaration.
func (x *parser) recoverTo(parse func()) {
	defer func() {
		if r := recover(); r == nil {
			return
		} else if _, ok := r.(bail); !ok {
			panic(r)
		}
		x.depth = 0
		for depth := 0; x.peek().kind != 0; {
			t := x.next()
			switch t.text {
			case "{":
				depth++
			case "}":
				depth--
			}
			if depth <= 0 && (t.text == "}" || t.kind == ';') {
				break
			}
		}
	}()
	parse()
}

func (x *parser) end() {
	if x.is("}") {
		return
	}
	if t := x.next(); t.kind != ';' && t.kind != 0 {
		x.fail(t.span(x.file), "expected the end of the statement, found %s", t)
	}
}

func (x *parser) declaration(bodies []func()) []func() {
	t := x.next()
	switch t.text {
	case ";":
	case "checks":
		for more := true; more; more = x.accept(",") {
			n := x.next()
			k, ok := ParseCheck(n.text)
			if !ok {
				x.fail(n.span(x.file), "no check %s", n)
			}
			x.p.Checks = x.p.Checks.With(k)
		}
		x.end()
	case "entry":
		x.entry = x.name()
		x.end()
	case "mutex":
		first := len(x.p.Globals)
		x.globalsOf(Int{Width: 8})
		for _, v := range x.p.Globals[first:] {
			v.Lock = "lock " + v.Name
		}
	case "cond":
		x.globalsOf(Int{Width: 16})
	case "var":
		return append(bodies, x.global())
	case "init":
		return append(bodies, x.init())
	case "hard", "proc":
		if t.text == "hard" {
			x.expect("proc")
		}
		return append(bodies, x.procedure(t.text == "hard"))
	default:
		x.fail(t.span(x.file), "expected a declaration, found %s", t)
	}
	return bodies
}

// skip passes over tokens up to the end of the statement.
func (x *parser) skip() {
	for t := x.peek(); t.kind != ';' && t.kind != 0; t = x.peek() {
		x.next()
	}
}

// globalsOf parses the names of globals of type t.
func (x *parser) globalsOf(t Type) {
	for more := true; more; more = x.accept(",") {
		n := x.name()
		x.declareGlobal(&Var{Name: n.text, Kind: Global, Span: n.span(x.file), Type: t})
	}
	x.end()
}

func (x *parser) declareGlobal(v *Var) {
	if x.globals[v.Name] != nil {
		x.fail(v.Span, "%s is declared twice", v.Name)
	}
	x.globals[v.Name] = v
	x.p.Globals = append(x.p.Globals, v)
}

func (x *parser) global() func() {
	n := x.name()
	v := &Var{Name: n.text, Kind: Global, Span: n.span(x.file), Type: x.typ()}
	x.declareGlobal(v)
	if !x.accept("=") {
		x.end()
		return func() {}
	}
	from := x.at
	x.skip()
	return func() {
		x.at = from
		x.sited = true
		s := &Assign{LHS: &Use{ExprInfo{Pos: v.Span}, v}, RHS: x.typed(v.Type)}
		s.Pos = x.since(n)
		x.p.Init.List = append(x.p.Init.List, s)
	}
}

// init parses statements that are executed before the entry.
func (x *parser) init() func() {
	from := x.at
	x.block0()
	return func() {
		x.at = from
		x.proc, x.sited = nil, true
		x.scopes = []map[string]*Var{x.globals, {}}
		x.p.Init.List = append(x.p.Init.List, x.block().List...)
	}
}

func (x *parser) procedure(hard bool) func() {
	n := x.name()
	f := &Proc{Name: n.text, Hard: hard, Span: n.span(x.file)}
	if x.procs[n.text] != nil {
		x.fail(f.Span, "%s is declared twice", n.text)
	}
	x.procs[n.text] = f
	x.p.Procs = append(x.p.Procs, f)
	f.Params = x.variables(Param)
	switch {
	case x.is("("):
		f.Results = x.variables(Result)
	case !x.is("{"):
		f.Results = []*Var{{Name: "result", Kind: Result, Type: x.typ(), Span: f.Span}}
	}
	f.Signature = signature(f)
	from := x.at
	x.block0()
	return func() {
		x.at = from
		x.proc, x.sited = f, !hard
		x.scopes = []map[string]*Var{x.globals, {}}
		for _, v := range append(append([]*Var(nil), f.Params...), f.Results...) {
			x.declare(v)
		}
		f.Body = x.block()
	}
}

// signature returns the types of f, if none is an array.
func signature(f *Proc) string {
	var b strings.Builder
	for _, list := range [][]*Var{f.Params, f.Results} {
		b.WriteString("(")
		for _, v := range list {
			if _, ok := v.Type.(Array); ok {
				return ""
			}
			b.WriteString(" " + v.Type.String())
		}
		b.WriteString(")")
	}
	return b.String()
}

// block0 passes over a block.
func (x *parser) block0() {
	x.expect("{")
	for depth := 1; depth > 0; {
		t := x.next()
		switch {
		case t.kind == 0:
			x.fail(t.span(x.file), "expected }, found %s", t)
		case t.text == "{" && t.kind == 'o':
			depth++
		case t.text == "}" && t.kind == 'o':
			depth--
		}
	}
}

func (x *parser) variables(k VarKind) []*Var {
	var vs []*Var
	x.expect("(")
	for !x.is(")") {
		n := x.name()
		vs = append(vs, &Var{Name: n.text, Kind: k, Span: n.span(x.file), Type: x.typ()})
		if !x.accept(",") {
			break
		}
	}
	x.expect(")")
	return vs
}

func (x *parser) declare(v *Var) {
	top := x.scopes[len(x.scopes)-1]
	if top[v.Name] != nil {
		x.fail(v.Span, "%s is declared twice", v.Name)
	}
	top[v.Name] = v
}

// typ parses a type.
func (x *parser) typ() Type {
	t := x.next()
	if t.text == "[" {
		n := 0
		if !x.is("]") {
			l := x.next()
			n, _ = strconv.Atoi(l.text)
			if n <= 0 || n > 1<<24 {
				x.fail(l.span(x.file), "bad length %s", l)
			}
		}
		x.expect("]")
		return Array{Elem: x.typ(), Len: n}
	}
	s, ok := scalarType(t.text)
	if !ok {
		x.fail(t.span(x.file), "expected a type, found %s", t)
	}
	return s
}

// scalarType returns the type that is named so: bool, i1 to i64, u1 to u64.
func scalarType(name string) (Type, bool) {
	if name == "bool" {
		return Bool{}, true
	}
	if len(name) < 2 || name[0] != 'i' && name[0] != 'u' || name[1] == '0' {
		return nil, false
	}
	w, err := strconv.Atoi(name[1:])
	if err != nil || w < 1 || w > 64 {
		return nil, false
	}
	return Int{Width: w, Signed: name[0] == 'i'}, true
}

// since returns the span from the start of t to the token before the next.
func (x *parser) since(t token) Span {
	s := t.span(x.file)
	s.End = x.toks[x.at-1].end
	return s
}

func (x *parser) block() *Block {
	around := x.peek().span(x.file)
	x.expect("{")
	from := x.toks[x.at-1]
	x.scopes = append(x.scopes, make(map[string]*Var))
	b := &Block{}
	for !x.accept("}") {
		if x.accept(";") {
			continue
		}
		first := x.peek()
		x.nested(func() { b.List = append(b.List, x.whole()...) })
		at := first.span(x.file)
		last := x.at - 1
		for x.toks[last].text == ";" { // or a new line
			last--
		}
		at.End = x.toks[last].end
		x.p.Outline = append(x.p.Outline, Extent{Span: at, Block: around})
	}
	x.leave()
	b.Pos = x.since(from)
	return b
}

// whole parses a statement and notes its text, unless it declares
// something.
func (x *parser) whole() []Stmt {
	from := x.peek()
	list := x.stmt()
	if from.text == "var" {
		return list
	}
	text := x.since(from)
	if last := x.toks[x.at-1]; last.kind == ';' {
		text.End = x.toks[x.at-2].end
	}
	for _, s := range list {
		s.stmt().Whole = text
	}
	return list
}

// leave ends the innermost scope, with the last token.
func (x *parser) leave() {
	last := len(x.scopes) - 1
	for _, v := range x.scopes[last] {
		if v.Kind == Local {
			v.Scope = v.Span
			v.Scope.End = x.toks[x.at-1].end
		}
	}
	x.scopes = x.scopes[:last]
}

func (x *parser) lookup(t token) *Var {
	for i := len(x.scopes) - 1; i >= 0; i-- {
		if v := x.scopes[i][t.text]; v != nil {
			return v
		}
	}
	if len(x.scopes) == 0 {
		if v := x.globals[t.text]; v != nil {
			return v
		}
	}
	x.fail(t.span(x.file), "%s is not declared", t.text)
	return nil
}

// resolveOf sets the Of fields from the numbers that the text gives.
func (x *parser) resolveOf() {
	for s, n := range x.of {
		s.Of = LocID(n)
	}
}

// quoted returns the content of a string token.
func quoted(t token) string { return strings.Trim(t.text, `"`) }
