package replay

import (
	"regexp"
	"strings"

	"github.com/go-amend/amend/ir"
)

// This file reads just as much C as the edits need.

// calls matches a call, or what looks like one.
var calls = regexp.MustCompile(`[A-Za-z_]\w*\s*\(`)

// An assignment is one in a text: offsets of its left and right sides. Those
// of ++ and -- have an empty right side, which stands for 1.
type assignment struct {
	left, leftEnd   int
	right, rightEnd int
	op              string // before the =, or of ++ and --
	postfix         bool
}

// assignmentOf returns the assignment that text is.
func assignmentOf(text string) (assignment, bool) {
	for _, op := range []string{"++", "--"} {
		if rest, ok := strings.CutSuffix(text, op); ok {
			return assignment{0, len(strings.TrimRight(rest, " \t\n")), len(text), len(text), op[:1], true}, true
		}
		if rest, ok := strings.CutPrefix(text, op); ok {
			skipped := len(text) - len(strings.TrimLeft(rest, " \t\n"))
			return assignment{skipped, len(text), len(text), len(text), op[:1], false}, true
		}
	}
	i := top(text, func(i int) bool { return text[i] == '=' && !comparison(text, i) })
	if i < 0 {
		return assignment{}, false
	}
	left := strings.TrimRight(text[:i], "+-*/%&|^<>")
	return assignment{
		left: 0, leftEnd: len(strings.TrimRight(left, " \t\n")), op: text[len(left):i],
		right: i + 1, rightEnd: len(text),
	}, true
}

// comparison reports whether the = at i is a part of ==, !=, <= or >=.
func comparison(text string, i int) bool {
	if i+1 < len(text) && text[i+1] == '=' || i == 0 {
		return true
	}
	shift := i > 1 && text[i-2] == text[i-1]
	switch text[i-1] {
	case '=', '!':
		return true
	case '<', '>':
		return !shift
	}
	return false
}

// top returns the first index outside of brackets, literals and comments for
// which is holds, or -1.
func top(text string, is func(i int) bool) int {
	depth := 0
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '"' || c == '\'':
			for i++; i < len(text) && text[i] != c; i++ {
				if text[i] == '\\' {
					i++
				}
			}
		case strings.HasPrefix(text[i:], "/*"):
			if n := strings.Index(text[i+2:], "*/"); n >= 0 {
				i += n + 3
			}
		case strings.HasPrefix(text[i:], "//"):
			if n := strings.IndexByte(text[i:], '\n'); n >= 0 {
				i += n
			}
		case depth == 0 && is(i):
			return i
		case strings.IndexByte("([{", c) >= 0:
			depth++
		case strings.IndexByte(")]}", c) >= 0:
			depth--
		}
	}
	return -1
}

// arguments returns the arguments of the call at: nil if it is no call.
func (w *writer) arguments(at ir.Span) []ir.Span {
	text := w.p.Text(at)
	start, end := strings.IndexByte(text, '('), strings.LastIndexByte(text, ')')
	if start < 0 || end < start {
		return nil
	}
	var out []ir.Span
	for start++; ; {
		n := top(text[start:end], func(i int) bool { return text[start+i] == ',' })
		arg := at
		arg.Start, arg.End = at.Start+start, at.Start+end
		if n >= 0 {
			arg.End = at.Start + start + n
		}
		out = append(out, arg)
		if n < 0 {
			return out
		}
		start += n + 1
	}
}
