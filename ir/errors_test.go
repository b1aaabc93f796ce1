package ir_test

import (
	"errors"
	"io"
	"testing"

	"github.com/go-amend/amend/ir"
)

// TestInternalError checks that errors.As finds an internal error, with the
// stack of a panic, and what it wraps.
func TestInternalError(t *testing.T) {
	caught := func(value any) (err error) {
		defer func() { err = ir.Panicked("x", recover()) }()
		panic(value)
	}
	for _, err := range []error{caught("boom"), caught(io.EOF), errors.Join(io.ErrClosedPipe, caught("boom"))} {
		e, ok := errors.AsType[*ir.InternalError](err)
		if !ok || len(e.Stack) == 0 || e.In != "x" {
			t.Errorf("%v: got %v", err, e)
		}
	}
	if err := caught(io.EOF); !errors.Is(err, io.EOF) || err.Error() != "x: internal error: EOF" {
		t.Errorf("got %v", err)
	}
	if e := ir.Internalf("x", "no %s", "end"); e.Stack != nil || e.Error() != "x: internal error: no end" {
		t.Errorf("got %v", e)
	}
}
