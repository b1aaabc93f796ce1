package alloy

import (
	"github.com/go-amend/amend/ir"
)

// This file holds the lexer.

type tokenKind uint8

const (
	tokEOF tokenKind = iota
	tokIdent
	tokKeyword
	tokNumber
	tokString
	tokPunct
	tokBad
)

type token struct {
	kind       tokenKind
	text       string // of a keyword or operator: its first spelling
	start, end int
}

// keywords maps each keyword to its first spelling.
var keywords = map[string]string{
	"abstract": "abstract", "all": "all", "and": "&&", "as": "as", "assert": "assert", "but": "but", "check": "check",
	"disj": "disj", "disjoint": "disj", "else": "else", "enum": "enum", "exactly": "exactly", "expect": "expect",
	"extends": "extends", "fact": "fact", "for": "for", "fun": "fun", "iden": "iden", "iff": "<=>", "implies": "=>",
	"in": "in", "int": "int", "Int": "Int", "let": "let", "lone": "lone", "module": "module", "no": "no",
	"none": "none", "not": "!", "one": "one", "open": "open", "or": "||", "pred": "pred", "private": "private",
	"run": "run", "seq": "seq", "set": "set", "sig": "sig", "some": "some", "String": "String", "sum": "sum",
	"this": "this", "univ": "univ",
}

// puncts holds the operators, longest first, with their first spelling.
var puncts = []struct{ text, first string }{
	{">>>", ">>>"}, {"<=>", "<=>"},
	{"->", "->"}, {"=>", "=>"}, {"=<", "<="}, {"<=", "<="}, {">=", ">="}, {"<:", "<:"}, {":>", ":>"}, {"++", "++"},
	{"&&", "&&"}, {"||", "||"}, {"==", "="}, {"<<", "<<"}, {">>", ">>"},
	{"!", "!"}, {"#", "#"}, {"&", "&"}, {"(", "("}, {")", ")"}, {"*", "*"}, {"+", "+"}, {",", ","}, {"-", "-"},
	{".", "."}, {"/", "/"}, {":", ":"}, {"<", "<"}, {"=", "="}, {">", ">"}, {"@", "@"}, {"[", "["}, {"]", "]"},
	{"^", "^"}, {"{", "{"}, {"|", "|"}, {"}", "}"}, {"~", "~"},
}

type lexer struct {
	file  string
	src   string
	pos   int
	lines []int // offsets of the lines' beginnings

	temporal bool // the words and signs of traces are no names
}

// lex returns the tokens of src; the last is tokEOF. An error is a tokBad, whose
// text says what is wrong.
func lex(file, src string) (toks []token, lines []int) {
	lx := &lexer{file: file, src: src, lines: lineStarts(src)}
	if toks = lx.all(); isTemporal(toks) {
		lx.pos, lx.temporal = 0, true
		toks = lx.all()
	}
	return toks, lx.lines
}

func (lx *lexer) all() (toks []token) {
	for {
		t := lx.next()
		toks = append(toks, t)
		if t.kind == tokEOF {
			return toks
		}
	}
}

// temporalWords are keywords since Alloy 6. Models for Alloy 4 may use them as names.
var temporalWords = map[string]bool{
	"always": true, "eventually": true, "after": true, "until": true, "releases": true, "var": true, "steps": true,
	"historically": true, "once": true, "before": true, "since": true, "triggered": true,
}

// isTemporal reports whether a model is one for Alloy 6: it declares what varies, or
// uses one of the words without declaring it.
func isTemporal(toks []token) bool {
	used, declared := false, false
	for i, t := range toks {
		if t.kind != tokIdent || !temporalWords[t.text] {
			continue
		}
		next, last := toks[i+1], token{}
		if i > 0 {
			last = toks[i-1]
		}
		if t.text == "var" && (next.kind == tokIdent || sigWords[next.text]) {
			return true
		}
		used = true
		declared = declared || next.is(":") || next.is(",") || next.is("=") || nameFollows[last.text]
	}
	return used && !declared
}

var (
	sigWords    = map[string]bool{"sig": true, "abstract": true, "one": true, "lone": true, "some": true, "disj": true, "private": true}
	nameFollows = map[string]bool{"sig": true, "pred": true, "fun": true, "assert": true, "fact": true, "enum": true, ".": true, ",": true, "as": true, "/": true}
)

func lineStarts(src string) []int {
	lines := []int{0}
	for i := range len(src) {
		if src[i] == '\n' {
			lines = append(lines, i+1)
		}
	}
	return lines
}

func (lx *lexer) next() token {
	if bad, ok := lx.blank(); !ok {
		return bad
	}
	start := lx.pos
	if start == len(lx.src) {
		return token{tokEOF, "end of file", start, start}
	}
	c := lx.src[start]
	switch {
	case isLetter(c):
		return lx.word()
	case isDigit(c):
		for lx.pos < len(lx.src) && isDigit(lx.src[lx.pos]) {
			lx.pos++
		}
		return token{tokNumber, lx.src[start:lx.pos], start, lx.pos}
	case c == '"':
		return lx.quoted()
	}
	if lx.temporal && (c == '\'' || c == ';') {
		lx.pos++
		return token{tokPunct, lx.src[start:lx.pos], start, lx.pos}
	}
	for _, p := range puncts {
		if hasPrefixAt(lx.src, start, p.text) {
			lx.pos += len(p.text)
			return token{tokPunct, p.first, start, lx.pos}
		}
	}
	return lx.bad("unexpected character")
}

func (lx *lexer) word() token {
	start := lx.pos
	for lx.pos < len(lx.src) && isWord(lx.src[lx.pos]) && !(lx.temporal && lx.src[lx.pos] == '\'') {
		lx.pos++
	}
	text := lx.src[start:lx.pos]
	if first, ok := keywords[text]; ok {
		return token{tokKeyword, first, start, lx.pos}
	}
	if lx.temporal && temporalWords[text] {
		return token{tokKeyword, text, start, lx.pos}
	}
	return token{tokIdent, text, start, lx.pos}
}

func (lx *lexer) quoted() token {
	start := lx.pos
	for lx.pos++; lx.pos < len(lx.src); lx.pos++ {
		switch lx.src[lx.pos] {
		case '\n':
			lx.pos = start
			return lx.bad("string without an end")
		case '\\':
			lx.pos++
		case '"':
			lx.pos++
			return token{tokString, lx.src[start:lx.pos], start, lx.pos}
		}
	}
	lx.pos = start
	return lx.bad("string without an end")
}

// bad returns a token for the wrong byte at the position, and the rest of its
// character.
func (lx *lexer) bad(msg string) token {
	start := lx.pos
	for lx.pos++; lx.pos < len(lx.src) && lx.src[lx.pos]&0xC0 == 0x80; lx.pos++ {
	}
	return token{tokBad, msg, start, lx.pos}
}

// blank skips white space and comments.
func (lx *lexer) blank() (bad token, ok bool) {
	for lx.pos < len(lx.src) {
		switch {
		case isSpace(lx.src[lx.pos]):
			lx.pos++
		case hasPrefixAt(lx.src, lx.pos, "//"), hasPrefixAt(lx.src, lx.pos, "--"):
			for lx.pos < len(lx.src) && lx.src[lx.pos] != '\n' {
				lx.pos++
			}
		case hasPrefixAt(lx.src, lx.pos, "/*"):
			start := lx.pos
			for lx.pos += 2; !hasPrefixAt(lx.src, lx.pos, "*/"); lx.pos++ {
				if lx.pos >= len(lx.src) {
					lx.pos = len(lx.src)
					return token{tokBad, "comment without an end", start, lx.pos}, false
				}
			}
			lx.pos += 2
		default:
			return token{}, true
		}
	}
	return token{}, true
}

func hasPrefixAt(s string, i int, p string) bool { return i+len(p) <= len(s) && s[i:i+len(p)] == p }
func isSpace(c byte) bool                        { return c == ' ' || '\t' <= c && c <= '\r' }
func isDigit(c byte) bool                        { return '0' <= c && c <= '9' }
func isLetter(c byte) bool                       { return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' }
func isWord(c byte) bool {
	return isLetter(c) || isDigit(c) || c == '_' || c == '\'' || c == '"'
}

// span returns the span from start to end.
func spanOf(file string, lines []int, start, end int) ir.Span {
	lo, hi := 0, len(lines)
	for hi-lo > 1 {
		if mid := (lo + hi) / 2; lines[mid] <= start {
			lo = mid
		} else {
			hi = mid
		}
	}
	return ir.Span{File: file, Start: start, End: end, Line: lo + 1, Col: start - lines[lo] + 1}
}
