package incremental

import (
	"strings"
	"testing"

	"github.com/go-amend/amend/ir"
)

func textProgram(t *testing.T, text string) *ir.Program {
	t.Helper()
	p, err := ir.Parse("p.ir", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestLongPredicates proves a program whose predicates have texts that are
// too long to be read back: x doubled some thirty times.
func TestLongPredicates(t *testing.T) {
	p := textProgram(t, `proc main() {
	var x i16 = 1
	var y i16
	havoc y
	while x < y { x = x + x }
	assert x >= 1
}`)
	r, err := Prove(t.Context(), p, Config{})
	if err != nil || r.Status != Proved {
		t.Fatalf("%v (%s), %v", r.Status, r.Reason, err)
	}
	long := false
	for _, a := range r.Proof.Automata {
		for _, text := range a.Predicates {
			long = long || strings.Contains(text, "!")
		}
	}
	if !long {
		t.Error("no predicate has a text that can't be read back")
	}
}
