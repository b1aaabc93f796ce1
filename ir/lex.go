package ir

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A token of the text format. kind is one of: 'n' a name or keyword, '0' a
// number, '"' a string, 'o' an operator or bracket, ';' the end of a
// statement, 0 the end of the text.
type token struct {
	kind       byte
	text       string
	start, end int
	line, col  int
}

// operators, longest first.
var lexOperators = []string{
	"<<=", ">>=", "&&", "||", "==", "!=", "<=", ">=", "<<", ">>", "++", "--", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=",
	"+", "-", "*", "/", "%", "&", "|", "^", "<", ">", "=", "!", "~", "(", ")", "[", "]", "{", "}", ",", ":", "?", "@",
}

// lex splits src. As in Go, a line that ends like a statement ends one.
func lex(file string, src []byte) ([]token, error) {
	var toks []token
	line, lineStart := 1, 0
	text := string(src)
	for i := 0; i < len(text); {
		t := token{start: i, line: line, col: i - lineStart + 1}
		switch c := text[i]; {
		case c == '\n' || c == ';':
			if n := len(toks); c == ';' || n > 0 && endsStatement(toks[n-1]) {
				t.kind, t.text = ';', ";"
			}
			t.end = i + 1
			if c == '\n' {
				line, lineStart = line+1, i+1
			}
		case c == ' ' || c == '\t' || c == '\r':
			t.end = i + 1
		case strings.HasPrefix(text[i:], "//"):
			t.end = i + strings.IndexByte(text[i:]+"\n", '\n')
		case c == '"':
			n := strings.IndexAny(text[i+1:]+"\n", "\"\n")
			if i+1+n >= len(text) || text[i+1+n] != '"' {
				return nil, &Error{t.span(file), "string without an end"}
			}
			t.kind, t.end = '"', i+n+2
		case c >= '0' && c <= '9':
			t.kind, t.end = '0', i+numberLen(text[i:])
		default:
			if r, n := utf8.DecodeRuneInString(text[i:]); unicode.IsLetter(r) || r == '_' || r == '$' {
				t.kind, t.end = 'n', i+n+len(text[i+n:])-len(strings.TrimLeftFunc(text[i+n:], inName))
				break
			}
			for _, op := range lexOperators {
				if strings.HasPrefix(text[i:], op) {
					t.kind, t.end = 'o', i+len(op)
					break
				}
			}
			if t.kind == 0 {
				return nil, &Error{t.span(file), fmt.Sprintf("unexpected character %q", text[i])}
			}
		}
		if t.kind != 0 {
			if t.kind != ';' {
				t.text = text[i:t.end]
			}
			toks = append(toks, t)
		}
		i = t.end
	}
	end := token{start: len(text), end: len(text), line: line, col: len(text) - lineStart + 1}
	if n := len(toks); n > 0 && endsStatement(toks[n-1]) {
		semicolon := end
		semicolon.kind, semicolon.text = ';', ";"
		toks = append(toks, semicolon)
	}
	return append(toks, end), nil
}

// numberLen returns the length of the number that text begins with, the sign
// of its exponent included.
func numberLen(text string) int {
	exponent := "eE"
	if strings.HasPrefix(text, "0x") || strings.HasPrefix(text, "0X") {
		exponent = "pP"
	}
	n := len(text) - len(strings.TrimLeftFunc(text, inName))
	if n < len(text) && strings.ContainsRune("+-", rune(text[n])) && strings.ContainsRune(exponent, rune(text[n-1])) {
		n++
		n += len(text[n:]) - len(strings.TrimLeftFunc(text[n:], inName))
	}
	return n
}

func inName(r rune) bool {
	return r == '_' || r == '$' || r == '.' || unicode.IsLetter(r) || unicode.IsDigit(r)
}

// endsStatement reports whether a statement may end with t.
func endsStatement(t token) bool {
	switch t.kind {
	case 'n':
		return !continues[t.text]
	case '0', '"':
		return true
	}
	switch t.text {
	case ")", "]", "}", "++", "--":
		return true
	}
	return false
}

// continues holds the keywords that something must follow.
var continues = map[string]bool{"if": true, "while": true, "do": true, "hard": true, "head": true, "post": true, "loop": true}

func (t token) span(file string) Span {
	return Span{File: file, Start: t.start, End: t.end, Line: t.line, Col: t.col}
}
