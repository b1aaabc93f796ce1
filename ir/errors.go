package ir

import "fmt"

// An Error is what is wrong with a program, where.
type Error struct {
	Span Span
	Msg  string
}

func (e *Error) Error() string { return e.Span.prefix() + e.Msg }

// An UnsupportedError says that a front end or analysis does not support a
// construct, and what to do instead.
type UnsupportedError struct {
	Span      Span
	Construct string
	Hint      string // may be empty
}

func (e *UnsupportedError) Error() string {
	s := e.Span.prefix() + "unsupported: " + e.Construct
	if e.Hint != "" {
		s += " (" + e.Hint + ")"
	}
	return s
}

// prefix returns "file:line:col: ", or less if less is known.
func (s Span) prefix() string {
	switch {
	case s.Line > 0:
		return fmt.Sprintf("%s:%d:%d: ", s.File, s.Line, s.Col)
	case s.File != "":
		return s.File + ": "
	}
	return ""
}
