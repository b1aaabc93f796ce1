package ir

import (
	"fmt"
	"runtime/debug"
)

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
	return e.Span.prefix() + "unsupported: " + e.Reason()
}

// Reason is the construct and, in parentheses, the hint.
func (e *UnsupportedError) Reason() string {
	if e.Hint == "" {
		return e.Construct
	}
	return e.Construct + " (" + e.Hint + ")"
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

// An InternalError says that the library contradicts itself: an answer that
// did not stand when it was checked, or a panic. It is a defect of this
// module, or of code that its caller gave it, and never of the program that
// was asked about. All packages that may import this one return it; errors.As
// finds it.
type InternalError struct {
	In    string // the package
	Err   error  // what is wrong
	Stack []byte // of a panic, else nil
}

func (e *InternalError) Error() string { return e.In + ": internal error: " + e.Err.Error() }

func (e *InternalError) Unwrap() error { return e.Err }

// Internalf returns an InternalError of the package in.
func Internalf(in, format string, args ...any) *InternalError {
	return &InternalError{In: in, Err: fmt.Errorf(format, args...)}
}

// Panicked returns the InternalError of a panic with value in the package in,
// for the deferred function that recovered from it.
func Panicked(in string, value any) *InternalError {
	err, ok := value.(error)
	if !ok {
		err = fmt.Errorf("%v", value)
	}
	return &InternalError{In: in, Err: err, Stack: debug.Stack()}
}
