package sequentialize_test

import (
	"strings"
	"testing"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/sequentialize"
)

// TestEarlyReturn: memory is shared from a branch on that only some runs take.
func TestEarlyReturn(t *testing.T) {
	p, err := ir.Parse("p.ir", []byte(`
var go i32
proc w() { assert go == 1 }
proc main(n i32) {
	if n < 0 { return }
	go = 1
	if n < 3 { go = n }
	var t i32 = spawn w()
}`))
	if err != nil {
		t.Fatal(err)
	}
	res, err := sequentialize.Check(t.Context(), p, sequentialize.Config{})
	if err != nil || len(res.Violations) != 1 {
		t.Errorf("%d violations, %v", len(res.Violations), err)
	}
}

// TestAssumptionsHideNothing: an assumption that fails in one thread may come
// after all that others do.
func TestAssumptionsHideNothing(t *testing.T) {
	for name, tt := range map[string]struct {
		source string
		fails  bool
	}{
		"after a spawn":    {`proc w() { assert false } proc main() { var t i32 = spawn w(); assume false }`, true},
		"after a write":    {`var x i32 proc w() { assert x == 0 } proc main() { var t i32 = spawn w(); x = 1; assume false }`, true},
		"after a read":     {`var x i32 proc w() { assume x == 7 } proc main() { var t i32 = spawn w(); var y i32 = x; assert y == 1 }`, true},
		"in one event":     {`var x i32 proc w() { assert x == 0 } proc main() { var t i32 = spawn w(); atomic { x = 1; assume false } }`, false},
		"before a spawn":   {`proc w() { assert false } proc main() { assume false; var t i32 = spawn w() }`, false},
		"of the same":      {`proc w() { assume false; assert false } proc main() { var t i32 = spawn w(); join t }`, false},
		"what it protects": {`var x i32 proc w() { x = 1 } proc main() { var t i32 = spawn w(); assume x == 1; assert x == 1 }`, false},
	} {
		p, err := ir.Parse("p.ir", []byte(strings.ReplaceAll(tt.source, "proc ", "\nproc ")))
		if err != nil {
			t.Fatal(err)
		}
		res, err := sequentialize.Check(t.Context(), p, sequentialize.Config{})
		if err != nil || len(res.Violations) > 0 != tt.fails || !tt.fails && !res.Complete {
			t.Errorf("%s: %d violations, complete %v, %v", name, len(res.Violations), res.Complete, err)
		}
	}
}
