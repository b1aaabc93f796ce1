package incremental

import (
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/go-amend/amend/formula/sat"
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
		p := textProgram(t, pairs(n))
		r, err := Prove(t.Context(), p, Config{})
		if err != nil || r.Status != Proved {
			t.Fatalf("%d pairs: %v (%s), %v", n, r.Status, r.Reason, err)
		}
		for drop := range 2 {
			c, err := NewCFA(p)
			if err != nil {
				t.Fatal(err)
			}
			k := &checker{c: c, newSolver: sat.NewGini}
			for _, a := range r.Proof.Automata[drop:] {
				k.proofs = append(k.proofs, k.read(a, c.varTerms()))
			}
			err = k.check(t.Context())
			covered, states := k.atOnce()
			if (err == nil) != covered || err != nil && !errors.Is(err, ErrUncovered) {
				t.Errorf("%d pairs, %d left out: %v, but covered is %v", n, drop, err, covered)
			}
			t.Logf("%d pairs, %d left out: %d states, at once %d", n, drop, k.largest, states)
			if n == 5 && covered && 2*k.largest > states {
				t.Errorf("%d states, %d at once", k.largest, states)
			}
		}
	}
}

// atOnce reports whether no trace of the program gets to the error without
// being accepted by an automaton, and how many states the product has.
func (k *checker) atOnce() (covered bool, states int) {
	key := func(xs []int32) string {
		var b []byte
		for _, x := range xs {
			b = binary.LittleEndian.AppendUint32(b, uint32(x))
		}
		return string(b)
	}
	start := make([]int32, 1+len(k.proofs))
	start[0] = int32(k.c.Start)
	seen, todo := map[string]bool{key(start): true}, [][]int32{start}
	covered = true
	for ; len(todo) > 0; states++ {
		s := todo[0]
		todo = todo[1:]
	edges:
		for _, e := range k.c.Edges[s[0]] {
			to := []int32{int32(e.To)}
			for j, m := range k.proofs {
				q := k.step(m, s[1+j], e.Letter)
				if q == accepting {
					continue edges
				}
				to = append(to, q)
			}
			covered = covered && e.To != k.c.Error
			if !seen[key(to)] {
				seen[key(to)] = true
				todo = append(todo, to)
			}
		}
	}
	return covered, states
}
