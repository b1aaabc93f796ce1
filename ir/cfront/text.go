package cfront

// From syntax to source text. cc gives tokens an offset and nodes neither an
// end nor a text; the tokens of a macro expansion all have the offset of the
// macro's name at its use.

import (
	"bytes"
	"reflect"
	"sort"
	"strings"

	"modernc.org/cc/v4"

	"github.com/go-amend/amend/ir"
)

// A source is the text of one file with its lines.
type source struct {
	name  string
	text  []byte
	lines []int // offsets of the lines' first bytes
}

func newSource(name string, content []byte) *source {
	s := &source{name: name, text: content, lines: []int{0}}
	for i, c := range content {
		if c == '\n' {
			s.lines = append(s.lines, i+1)
		}
	}
	return s
}

func (s *source) span(start, end int) ir.Span {
	line := sort.SearchInts(s.lines, start+1) // the first line after start
	return ir.Span{File: s.name, Start: start, End: end, Line: line, Col: start - s.lines[line-1] + 1}
}

// end is the end of the text.
func (s *source) end() ir.Span { return s.span(len(s.text), len(s.text)) }

// offset is where line and column are, or the nearest place in the text.
func (s *source) offset(line, col int) int {
	if line < 1 || line > len(s.lines) {
		return 0
	}
	return min(s.lines[line-1]+max(col, 1)-1, len(s.text))
}

// A token is a token of a program's file.
type token struct {
	seq     int
	src     *source
	off     int
	len     int
	text    string
	literal bool // the text has this very token here
}

// A text maps the syntax of one unit to source text.
type text struct {
	macros  map[string]*cc.Macro
	sources map[string]*source
	tokens  []token // in the order of the token stream
	ranges  map[cc.Node][2]int
	words   map[int]word       // of tokens that are arguments of macros or beside them
	copies  map[ir.Span]copies // of arguments of macros
	tree    tree
	calls   map[*cc.FunctionDefinition][]mention // functions named in a body
	current *cc.FunctionDefinition
	loops   int                            // around what is scanned
	async   int                            // the same of statements that start as threads
	callees map[*cc.PrimaryExpression]bool // names that are called
	threads map[*cc.PrimaryExpression]bool // names that pthread_create gets, or that labels start
	started map[*cc.PostfixExpression]bool // calls that labels start
	spawns  bool                           // there are some

	indirect map[*cc.FunctionDefinition]bool // bodies that call through a pointer

	startsAny map[*cc.FunctionDefinition]bool // bodies that start what a pointer points at
	taken     []*cc.Declarator                // functions whose address is a value
}

// A mention is where a function's body names a function.
type mention struct {
	decl   *cc.Declarator
	called bool
	starts bool // as a thread
	loop   bool // inside a loop
}

// newText reads all declarations of ast that stand in sources.
func newText(sources map[string]*source, ast *cc.AST) *text {
	x := &text{
		macros:  ast.Macros,
		sources: sources,
		ranges:  map[cc.Node][2]int{},
		words:   map[int]word{},
		copies:  map[ir.Span]copies{},
		tree:    tree{},
		calls:   map[*cc.FunctionDefinition][]mention{},
		callees: map[*cc.PrimaryExpression]bool{},
		threads: map[*cc.PrimaryExpression]bool{},
		started: map[*cc.PostfixExpression]bool{},

		indirect: map[*cc.FunctionDefinition]bool{},

		startsAny: map[*cc.FunctionDefinition]bool{},
	}
	for u := ast.TranslationUnit; u != nil; u = u.TranslationUnit {
		d := u.ExternalDeclaration
		if sources[d.Position().Filename] != nil {
			x.scanDeclaration(d)
		}
	}
	sort.Slice(x.tokens, func(i, j int) bool { return x.tokens[i].seq < x.tokens[j].seq })
	for i := range x.tokens {
		t := &x.tokens[i]
		t.literal = t.literal && !x.joined(i-1, i) && !x.joined(i, i+1)
	}
	x.trace()
	return x
}

func (x *text) scanDeclaration(d *cc.ExternalDeclaration) {
	if x.current = d.FunctionDefinition; x.current != nil && goesBack(x.current.CompoundStatement) {
		x.loops++
		defer func() { x.loops-- }()
	}
	x.scan(d)
}

// scan records the tokens below n and the range that each node covers.
func (x *text) scan(n cc.Node) (lo, hi int) {
	v := reflect.ValueOf(n)
	if v.Kind() != reflect.Pointer || v.IsNil() || injected(n) {
		return 0, 0
	}
	switch n := n.(type) {
	case *cc.PrimaryExpression:
		x.noteCall(n)
	case *cc.PostfixExpression:
		if n.Case == cc.PostfixExpressionCall {
			x.noteCallee(n)
		}
	case *cc.LabeledStatement:
		if startsThread(n) {
			x.spawns = true
			if c := startedCall(n); c != nil {
				x.started[c] = true
			} else {
				x.async++
				defer func() { x.async-- }()
			}
		}
	case *cc.IterationStatement:
		x.loops++
		defer func() { x.loops-- }()
	}
	v = v.Elem()
	for _, f := range x.tree.fields(v.Type()) {
		var a, b int
		switch c := v.Field(f).Interface().(type) {
		case cc.Token:
			a = x.add(c)
			b = a
		case cc.Node:
			a, b = x.scan(c)
		}
		if a != 0 && (lo == 0 || a < lo) {
			lo = a
		}
		hi = max(hi, b)
	}
	x.ranges[n] = [2]int{lo, hi}
	return lo, hi
}

// injected reports whether n is the declaration of __func__ that cc puts
// into each function body.
func injected(n cc.Node) bool {
	b, ok := n.(*cc.BlockItem)
	if !ok || b.Case != cc.BlockItemDecl || b.Declaration.InitDeclaratorList == nil {
		return false
	}
	return b.Declaration.InitDeclaratorList.InitDeclarator.Declarator.Name() == "__func__"
}

// noteCallee notes what the call n calls, and what it starts as a thread.
func (x *text) noteCallee(n *cc.PostfixExpression) {
	p, ok := unstarred(n).(*cc.PrimaryExpression)
	if !ok || functionNamed(p) == nil {
		x.indirect[x.current] = true
		return
	}
	if x.started[n] {
		x.threads[p] = true
		return
	}
	x.callees[p] = true
	if f := startedBy(n, functionNamed(p).Name()); f != nil {
		if functionNamed(routine(f)) == nil {
			x.startsAny[x.current] = true
		} else if r, ok := routine(f).(*cc.PrimaryExpression); ok {
			x.threads[r] = true
		}
	}
}

func (x *text) noteCall(p *cc.PrimaryExpression) {
	d, ok := p.ResolvedTo().(*cc.Declarator)
	if !ok || d.Type().Kind() != cc.Function {
		return
	}
	if !x.callees[p] && !x.threads[p] {
		x.taken = append(x.taken, d)
	}
	if x.current != nil {
		x.calls[x.current] = append(x.calls[x.current], mention{d, x.callees[p], x.threads[p] || x.async > 0, x.loops > 0})
	}
}

// add records t and returns its sequence number, 0 for a token of no file.
func (x *text) add(t cc.Token) int {
	if t.Seq() == 0 {
		return 0
	}
	p := t.Position()
	k := token{seq: t.Seq(), src: x.sources[p.Filename], off: p.Offset, len: len(t.Src()), text: t.SrcStr()}
	k.literal = k.src != nil && k.len > 0 && k.off <= len(k.src.text) && bytes.HasPrefix(k.src.text[k.off:], t.Src()) &&
		identifier(k.src.text, k.off) <= k.off+k.len // no macro that begins so
	x.tokens = append(x.tokens, k)
	return k.seq
}

// joined reports whether tokens i and j come from one macro use.
func (x *text) joined(i, j int) bool {
	if i < 0 || j >= len(x.tokens) {
		return false
	}
	return x.tokens[i].src == x.tokens[j].src && x.tokens[i].off == x.tokens[j].off
}

func (x *text) at(seq int) int {
	return sort.Search(len(x.tokens), func(i int) bool { return x.tokens[i].seq >= seq })
}

// span returns the exact text of n, or the zero Span: where n is but a part
// of a macro's expansion, or its end is not certain.
func (x *text) span(n cc.Node) ir.Span {
	r, ok := x.ranges[n]
	if !ok || r[0] == 0 {
		return ir.Span{}
	}
	return x.between(x.at(r[0]), x.at(r[1]))
}

// between returns the exact text from token i to token j.
func (x *text) between(i, j int) ir.Span {
	if s := x.argument(i, j); !s.IsZero() {
		return s
	}
	first, last := x.tokens[i], x.tokens[j]
	if first.src == nil || first.src != last.src || first.off > last.off || x.joined(i-1, i) || x.joined(j, j+1) {
		return ir.Span{}
	}
	end := last.off + last.len
	if !last.literal {
		if end = x.useEnd(j); end < 0 {
			return ir.Span{}
		}
	}
	if !first.literal && first.off != last.off && x.useEnd(x.lastOf(i)) < 0 {
		return ir.Span{}
	}
	return first.src.span(first.off, end)
}

// lastOf returns the last token of the macro use that i begins.
func (x *text) lastOf(i int) int {
	for x.joined(i, i+1) {
		i++
	}
	return i
}

// useEnd returns the end of the macro use whose last token is j, or -1. It
// is certain only if the token stream goes on right after it: a macro that
// expands to the name of another takes arguments that are not its own.
func (x *text) useEnd(j int) int {
	t := x.tokens[j]
	end := identifier(t.src.text, t.off)
	m := x.macros[string(t.src.text[t.off:end])]
	if m == nil {
		return -1
	}
	if m.IsFnLike {
		if end = closing(t.src.text, blanks(t.src.text, end)); end < 0 {
			return -1
		}
	}
	next := blanks(t.src.text, end)
	if j+1 < len(x.tokens) && x.tokens[j+1].src == t.src {
		if x.tokens[j+1].off != next {
			return -1
		}
	} else if next < len(t.src.text) {
		return -1
	}
	return end
}

// extent returns the text of n, or if that is not certain something close
// to it, for messages and for what is shown to people.
func (x *text) extent(n cc.Node) ir.Span {
	if s := x.span(n); !s.IsZero() {
		return s
	}
	r := x.ranges[n]
	if r[0] == 0 {
		return x.position(n)
	}
	first, last := x.tokens[x.at(r[0])], x.tokens[x.at(r[1])]
	if first.src == nil {
		return x.position(n)
	}
	end := identifier(first.src.text, first.off)
	if last.src == first.src && last.literal {
		end = max(end, last.off+last.len)
	}
	return first.src.span(first.off, end)
}

// position returns where n begins, as an empty span.
func (x *text) position(n cc.Node) ir.Span {
	p := n.Position()
	if s := x.sources[p.Filename]; s != nil && p.Offset <= len(s.text) {
		return s.span(p.Offset, p.Offset)
	}
	return ir.Span{File: p.Filename, Line: p.Line, Col: p.Column}
}

// inMacro reports whether n begins in a macro's expansion.
func (x *text) inMacro(n cc.Node) bool {
	r := x.ranges[n]
	return r[0] != 0 && !x.tokens[x.at(r[0])].literal
}

// sameUse reports whether a and b are of the same macro use.
func (x *text) sameUse(a, b cc.Token) bool { return a.Position() == b.Position() }

// tokenSpan returns the text of a single token.
func (x *text) tokenSpan(t cc.Token) ir.Span {
	p := t.Position()
	s := x.sources[p.Filename]
	if s == nil || !bytes.HasPrefix(s.text[min(p.Offset, len(s.text)):], t.Src()) {
		return ir.Span{}
	}
	return s.span(p.Offset, p.Offset+len(t.Src()))
}

// quote returns the text of s on one line.
func (x *text) quote(s ir.Span) string {
	src := x.sources[s.File]
	if src == nil {
		return ""
	}
	return strings.Join(strings.Fields(string(src.text[s.Start:s.End])), " ")
}

// identifier returns the end of the identifier at off.
func identifier(b []byte, off int) int {
	for off < len(b) && (b[off] == '_' || b[off] == '$' || b[off] >= 0x80 ||
		'0' <= b[off] && b[off] <= '9' || 'a' <= b[off]|32 && b[off]|32 <= 'z') {
		off++
	}
	return off
}

// blanks returns the end of the white space and comments at off.
func blanks(b []byte, off int) int {
	for off < len(b) {
		rest := b[off:]
		switch {
		case bytes.HasPrefix(rest, []byte("/*")):
			n := bytes.Index(rest[2:], []byte("*/"))
			if n < 0 {
				return len(b)
			}
			off += n + 4
		case bytes.HasPrefix(rest, []byte("//")):
			n := bytes.IndexByte(rest, '\n')
			if n < 0 {
				return len(b)
			}
			off += n
		case bytes.HasPrefix(rest, []byte("\\\n")):
			off += 2
		case bytes.HasPrefix(rest, []byte("\\\r\n")):
			off += 3
		case bytes.IndexByte([]byte(" \t\n\r\v\f"), rest[0]) >= 0:
			off++
		default:
			return off
		}
	}
	return off
}

// closing returns the end of the parenthesis that opens at off, or -1.
func closing(b []byte, off int) int {
	depth := 0
	for off < len(b) {
		switch c := b[off]; c {
		case '(':
			depth++
		case ')':
			depth--
		case '"', '\'':
			if off = literalEnd(b, off); off < 0 {
				return -1
			}
			continue
		case '/':
			if n := blanks(b, off); n > off {
				off = n
				continue
			}
		}
		off++
		if depth == 0 {
			return off
		}
	}
	return -1
}

// literalEnd returns the end of the character or string literal at off.
func literalEnd(b []byte, off int) int {
	quote := b[off]
	for off++; off < len(b) && b[off] != '\n'; off++ {
		switch b[off] {
		case '\\':
			off++
		case quote:
			return off + 1
		}
	}
	return -1
}
