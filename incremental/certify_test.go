package incremental

import (
	"bytes"
	"strings"
	"testing"

	"github.com/go-amend/amend/incremental/proof"
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

// TestLongPredicates proves a program whose predicates have long texts, x
// doubled some thirty times: they can be written, read back and checked.
func TestLongPredicates(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a second")
	}
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
			long = long || strings.HasPrefix(text, "(let ")
		}
	}
	if !long {
		t.Error("no predicate has a text that is too long to be written in full")
	}
	var file bytes.Buffer
	if err := r.Proof.Write(&file); err != nil {
		t.Fatal(err)
	}
	back, err := proof.Read(&file)
	if err != nil {
		t.Fatal(err)
	}
	if err := proof.Check(t.Context(), p, back, nil); err != nil {
		t.Errorf("Check of the proof that was read back: %v", err)
	}
}
