package cfront

// What is refused before parsing: cc's parser and checker are recursive, and
// a Go stack that overflows ends the process.

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"

	"github.com/go-amend/amend/ir"
)

// These keep stacks to some hundred MiB, of the gigabyte that Go gives: parsing,
// formulas and all else take less than 300 for an expression of maxRun operators.
const (
	maxTokens    = 1 << 17 // of a declaration
	maxExpansion = 1 << 20 // tokens that macros add to a unit, counted as cc does
	maxDepth     = 1000    // nested brackets
	maxRun       = 50_000  // operators in an expression
)

// privateWord is how the prelude says _Atomic.
var privateWord = regexp.MustCompile(`\b__volatile\b`)

// admissible returns what is wrong with f, of at most limit bytes, at first sight,
// or nil.
func admissible(f *ir.File, limit int) error {
	at := ir.Span{File: f.Name}
	switch {
	case len(f.Content) > limit:
		return &ir.Error{Span: at, Msg: fmt.Sprintf("file of %d bytes is too large (limit %d)", len(f.Content), limit)}
	case bytes.IndexByte(f.Content, 0) >= 0:
		return &ir.Error{Span: at, Msg: "binary file, not C source"}
	case len(bytes.TrimSpace(f.Content)) == 0:
		return &ir.Error{Span: at, Msg: "empty file"}
	}
	if at := privateWord.FindIndex(f.Content); at != nil {
		return &ir.UnsupportedError{Span: newSource(f.Name, f.Content).span(at[0], at[1]), Construct: "__volatile", Hint: "write volatile"}
	}
	if off := tooDeep(f.Content); off >= 0 {
		at = newSource(f.Name, f.Content).span(off, off)
		return &ir.Error{Span: at, Msg: "expression or block nested too deep"}
	}
	return nil
}

// tooDeep overestimates how deep the syntax nests: by brackets, and by the
// operators and parentheses between two ends of an expression or statement.
// It returns where that is too much, or -1.
func tooDeep(b []byte) int {
	depth, run := 0, 0
	for off := 0; off < len(b); {
		c := b[off]
		if next := skip(b, off); next > off {
			off = next
			continue
		}
		off++
		if off < len(b) && b[off] == c && strings.IndexByte("=|&<>", c) >= 0 {
			off++ // one operator
		}
		switch c {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth = max(depth-1, 0)
		}
		switch c {
		case ';', ',', '{', '}', '#':
			run = 0
		case '!', '~', '-', '+', '*', '/', '%', '<', '>', '&', '^', '|', '?', '=', ')', ']', ':':
			run++
		}
		if depth > maxDepth || run > maxRun {
			return off - 1
		}
	}
	return -1
}

// tooLong reports whether a declaration, or the body of a function, has more than
// maxTokens tokens: it can nest no deeper, by whatever syntax.
func tooLong(b []byte) bool {
	depth, n := 0, 0
	for off := 0; off < len(b); {
		c := b[off]
		if next := skip(b, off); next > off {
			off = next
			if c == '"' || c == '\'' {
				n++
			}
			continue
		}
		off++
		if n++; n > maxTokens {
			return true
		}
		switch {
		case isWord(c):
			for off < len(b) && isWord(b[off]) {
				off++
			}
		case c == '{':
			depth++
		case c == '}':
			depth = max(depth-1, 0)
		}
		if depth == 0 && (c == ';' || c == '}') {
			n = 0
		}
	}
	return false
}

// skip returns the end of the white space, comments or literal at off.
func skip(b []byte, off int) int {
	if b[off] == '"' || b[off] == '\'' {
		return max(literalEnd(b, off), off)
	}
	return blanks(b, off)
}
