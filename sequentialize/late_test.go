package sequentialize_test

import (
	"context"
	"errors"
	"os"
	"testing"
	"time"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/cfront"
	"github.com/go-amend/amend/sequentialize"
)

// TestLate asks for many rounds of a program without deadlocks to look for, in
// which each round is small: the answer comes when the context ends.
func TestLate(t *testing.T) {
	content, err := os.ReadFile("../examples/programs/bakery.c")
	if err != nil {
		t.Fatal(err)
	}
	p, err := cfront.Load([]*ir.File{{Name: "bakery.c", Content: content}}, cfront.Config{})
	if err != nil {
		t.Fatal(err)
	}
	p.Checks = 0
	for _, unwind := range []int{4, 24} {
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		start := time.Now()
		_, err = sequentialize.Check(ctx, p, sequentialize.Config{Rounds: 400, Bounded: true, Unwind: unwind})
		cancel()
		if late := time.Since(start); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("unwind %d: %v after %v", unwind, err, late)
		} else {
			t.Logf("unwind %d: %v", unwind, late)
		}
	}
}
