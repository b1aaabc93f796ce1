package cfront

// What is refused before parsing: cc's parser and checker are recursive, and
// a Go stack that overflows ends the process.

import (
	"bytes"
	"fmt"

	"github.com/go-amend/amend/ir"
)

const (
	maxSize  = 1 << 20 // bytes of a source file
	maxDepth = 1000    // nested brackets
	maxRun   = 1000    // prefix operators in a row
)

// admissible returns what is wrong with f at first sight, or nil.
func admissible(f *ir.File) error {
	at := ir.Span{File: f.Name}
	switch {
	case len(f.Content) > maxSize:
		return &ir.Error{Span: at, Msg: fmt.Sprintf("file of %d bytes is too large (limit %d)", len(f.Content), maxSize)}
	case bytes.IndexByte(f.Content, 0) >= 0:
		return &ir.Error{Span: at, Msg: "binary file, not C source"}
	case len(bytes.TrimSpace(f.Content)) == 0:
		return &ir.Error{Span: at, Msg: "empty file"}
	case tooDeep(f.Content):
		return &ir.Error{Span: at, Msg: fmt.Sprintf("nested deeper than %d", maxDepth)}
	}
	return nil
}

// tooDeep overestimates nesting by ignoring what comments and literals are.
func tooDeep(b []byte) bool {
	depth, run := 0, 0
	for _, c := range b {
		switch c {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth = max(depth-1, 0)
		}
		switch c {
		case '!', '~', '-', '+', '*', '&':
			run++
		case ' ', '\t', '\r', '\n':
		default:
			run = 0
		}
		if depth > maxDepth || run > maxRun {
			return true
		}
	}
	return false
}
