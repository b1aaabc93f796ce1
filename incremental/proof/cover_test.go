package proof_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/go-amend/amend/formula/sat"
	"github.com/go-amend/amend/incremental"
	"github.com/go-amend/amend/incremental/cfa"
	"github.com/go-amend/amend/incremental/proof"
	"github.com/go-amend/amend/ir"
)

func parse(t *testing.T, text string) *ir.Program {
	t.Helper()
	p, err := ir.Parse("p.ir", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// pairs is a program whose automata are about one of n pairs of variables
// each.
func pairs(n int) string {
	var b strings.Builder
	b.WriteString("proc main() {\n")
	for i := range n {
		fmt.Fprintf(&b, "var p%d u1\nvar k%d u1\n", i, i)
	}
	b.WriteString("var go u1\nhavoc go\nwhile go == 1 {\n")
	for i := range n {
		fmt.Fprintf(&b, "havoc p%d\nk%d = 0\nif p%d == 1 { k%d = 1 }\n", i, i, i, i)
	}
	for i := range n {
		fmt.Fprintf(&b, "if p%d == 1 { assert k%d == 1 }\n", i, i)
	}
	b.WriteString("havoc go\n}\n}\n")
	return b.String()
}

// TestCover compares what is left of programs, with all automata of a proof
// and without the last one, with the product with all of them at once.
func TestCover(t *testing.T) {
	for n := 1; n <= 5; n++ {
		p := parse(t, pairs(n))
		r, err := incremental.Prove(t.Context(), p, incremental.Config{})
		if err != nil || r.Status != incremental.Proved {
			t.Fatalf("%d pairs: %v (%s), %v", n, r.Status, r.Reason, err)
		}
		for drop := range 2 {
			c, err := cfa.New(p)
			if err != nil {
				t.Fatal(err)
			}
			k := proof.NewChecker(c, sat.NewGini)
			for _, a := range r.Proof.Automata[drop:] {
				k.AddText(a)
			}
			err = k.Check(t.Context())
			covered, states := k.AtOnce()
			if (err == nil) != covered || err != nil && !errors.Is(err, proof.ErrUncovered) {
				t.Errorf("%d pairs, %d left out: %v, but covered is %v", n, drop, err, covered)
			}
			t.Logf("%d pairs, %d left out: %d states, at once %d", n, drop, k.Largest(), states)
			if n == 5 && covered && 2*k.Largest() > states {
				t.Errorf("%d states, %d at once", k.Largest(), states)
			}
		}
	}
}
