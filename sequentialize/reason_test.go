package sequentialize_test

import (
	"context"
	"testing"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/sequentialize"
)

// TestReason wants loop bodies executed by a zero Config, none where a
// negative Unwind says so, and a reason of a check without an answer.
func TestReason(t *testing.T) {
	p, err := ir.Parse("p.ir", []byte("var n i8\nproc w() { for var i i8 = 0; i < 2; i++ { n++ } }\nproc main() {\n\tvar a i32 = spawn w()\n\tjoin a\n\tassert n != 2\n}"))
	if err != nil {
		t.Fatal(err)
	}
	for unwind, want := range map[int]int{0: 1, -1: 0, 2: 1} {
		r, err := sequentialize.Check(t.Context(), p, sequentialize.Config{Unwind: unwind})
		if err != nil || len(r.Violations) != want || r.Reason != "" {
			t.Errorf("%d: %d violations, %v, %q, want %d", unwind, len(r.Violations), err, r.Reason, want)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if r, err := sequentialize.Check(ctx, p, sequentialize.Config{}); err == nil || r.Reason != "cancelled" {
		t.Errorf("cancelled: %v, %q", err, r.Reason)
	}
}
