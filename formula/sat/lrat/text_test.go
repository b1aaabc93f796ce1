package lrat

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-amend/amend/formula/sat"
)

// pairs has all clauses over two variables.
const pairs = "c all four\np cnf 2 4\n1 2 0\n1 -2 0 -1 2 0\n-1\t-2\n0\n"

// TestCheck reads proofs.
func TestCheck(t *testing.T) {
	for _, x := range []struct{ cnf, proof, want string }{
		{pairs, "5 1 0 1 2 0\n5 d 1 2 0\nc then\n6 0 5 3 4 0\n", ""},
		{pairs, "5 1 0 1 2 0 5 d 1 2 0 6 0 5 3 4 0", ""},
		{pairs, "5 1 0 1 2 0\n", "lrat: the last clause has 1, which is not assumed to be false"},
		{"p cnf 0 1\n0\n", "", ""},
		{"p cnf 1 1\n1 0\n", "", "lrat: nothing is proved"},
		{pairs, "5 1 0 1 2 0\n6 0 5 3 0\n", "lrat: proof: line 2: lrat: clause 6: no hint is false"},
		{pairs, "5 1 0 1 -2 3 0\n", "lrat: proof: line 1: hint -2 belongs to a RAT step, which is not supported: want a proof by unit propagation"},
		{pairs, "5 1 0 1 2", "lrat: proof: line 1: the last step has no end"},
		{pairs, "5 1", "lrat: proof: line 1: the last clause has no end"},
		{pairs, "5 x 0", `lrat: proof: line 1: "x" is no number here`},
		{pairs, "-5 1 0 1 2 0", "lrat: proof: line 1: -5 is no number of a clause"},
		{pairs, "5 - 0 1 2 0", `lrat: proof: line 1: "-" is no number`},
		{pairs, "5 1 0 9999999999999999999 0", `lrat: proof: line 1: "9999999999999999999" is no number here`},
		{pairs, "5 111111111111111111111 0", "lrat: proof: line 1: a word is too long"},
		{pairs, "\n\n5 600000000 0 1 0", "lrat: proof: line 3: 600000000 is no literal"},
		{"p cnf 2 1\n1 0\n2 0\n", "", `lrat: clauses: line 3: "2" after 1 clauses`},
		{"p cnf 2 2\n1 0\n", "", "lrat: clauses: line 3: the last clause has no end"},
		{"cnf 2 2", "", "lrat: clauses: line 1: want p cnf VARIABLES CLAUSES"},
		{"p cnf 2 -2", "", "lrat: clauses: line 1: -2 clauses"},
	} {
		err := Check(strings.NewReader(x.cnf), strings.NewReader(x.proof))
		got := ""
		if err != nil {
			got = err.Error()
		}
		if !strings.HasSuffix(got, x.want) || x.want == "" && err != nil {
			t.Errorf("Check(%q, %q) = %v, want %q", x.cnf, x.proof, err, x.want)
		}
	}
}

// written returns random clauses that are inconsistent, and proofs of that,
// as text.
func written(t *testing.T, rng *rand.Rand) (cnf, lrat, drat string) {
	for {
		var r sat.Recorder
		n := 8 + rng.IntN(40)
		vars := 3 + rng.IntN(4)
		var lratText, dratText bytes.Buffer
		w, d := NewWriter(&lratText, n), NewDRATWriter(&dratText)
		s := newTree(both{w, d})
		for range n {
			c := make([]sat.Lit, 1+rng.IntN(4))
			for i := range c {
				c[i] = sat.Lit(2 + rng.IntN(2*vars))
			}
			s.AddClause(c...)
			r.AddClause(c...)
		}
		if status, _ := s.Solve(t.Context()); status == sat.Sat {
			continue
		}
		var b strings.Builder
		if err := errors.Join(w.Flush(), d.Flush(), r.WriteDIMACS(&b)); err != nil {
			t.Fatal(err)
		}
		return b.String(), lratText.String(), dratText.String()
	}
}

// both gives steps to two.
type both [2]sat.Proof

func (b both) Input(id uint64, c []sat.Lit) { b[0].Input(id, c); b[1].Input(id, c) }
func (b both) Learn(id uint64, c []sat.Lit, hints []uint64) {
	b[0].Learn(id, c, hints)
	b[1].Learn(id, c, hints)
}
func (b both) Delete(ids ...uint64) { b[0].Delete(ids...); b[1].Delete(ids...) }

// TestWritten reads what was written, and gives it to the checkers that are
// installed.
func TestWritten(t *testing.T) {
	for seed := range uint64(200) {
		cnf, lrat, drat := written(t, rand.New(rand.NewPCG(seed, 4)))
		if err := Check(strings.NewReader(cnf), strings.NewReader(lrat)); err != nil {
			t.Fatalf("seed %d: %v\n%s%s", seed, err, cnf, lrat)
		}
		if seed < 20 {
			others(t, cnf, lrat, drat)
		}
	}
}

// others asks checkers that others wrote, if they are installed.
func others(t *testing.T, cnf, lrat, drat string) {
	for command, proof := range map[string]string{"drat-trim": drat, "lrat-check": lrat, "lrat-trim": lrat, "cake_lpr": lrat} {
		if _, err := exec.LookPath(command); err != nil {
			continue
		}
		a, b := filepath.Join(t.TempDir(), "cnf"), filepath.Join(t.TempDir(), "proof")
		if err := errors.Join(os.WriteFile(a, []byte(cnf), 0o600), os.WriteFile(b, []byte(proof), 0o600)); err != nil {
			t.Fatal(err)
		}
		if out, _ := exec.Command(command, a, b).CombinedOutput(); !bytes.Contains(out, []byte("VERIFIED")) {
			t.Errorf("%s: %s\n%s%s", command, out, cnf, proof)
		}
	}
}

// TestWriter pins the formats.
func TestWriter(t *testing.T) {
	var l, d strings.Builder
	w, v := NewWriter(&l, 4), NewDRATWriter(&d)
	p := both{w, v}
	for i, c := range [][]sat.Lit{{2, 4}, {2, 5}, {3, 4}} {
		p.Input(uint64(i+1), c)
	}
	p.Learn(4, []sat.Lit{2}, []uint64{1, 2})
	p.Input(5, []sat.Lit{3, 5})
	p.Delete(1, 2)
	p.Learn(7, nil, []uint64{4, 3, 5})
	p.Delete(4)
	if err := errors.Join(w.Flush(), v.Flush()); err != nil {
		t.Fatal(err)
	}
	if want := "8 1 0 1 2 0\n9 d 1 2 0\n11 0 8 3 4 0\n11 d 8 0\n"; l.String() != want {
		t.Errorf("LRAT %q, want %q", l.String(), want)
	}
	if want := "1 0\nd 1 2 0\nd 1 -2 0\n0\n"; d.String() != want {
		t.Errorf("DRAT %q, want %q", d.String(), want)
	}
	w.Input(8, nil)
	if err := w.Flush(); err == nil {
		t.Error("more clauses than announced are no error")
	}
	w = NewWriter(broken{}, 1)
	w.Learn(1, make([]sat.Lit, 100_000), nil)
	if err := w.Flush(); err != errBroken {
		t.Errorf("Flush = %v, want %v", err, errBroken)
	}
}

var errBroken = errors.New("broken")

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, errBroken }

// FuzzCheck reads any text.
func FuzzCheck(f *testing.F) {
	for seed := range uint64(10) {
		cnf, lrat, _ := written(&testing.T{}, rand.New(rand.NewPCG(seed, 5)))
		f.Add(cnf, lrat)
	}
	f.Fuzz(func(t *testing.T, cnf, proof string) {
		if Check(strings.NewReader(cnf), strings.NewReader(proof)) == nil && !inconsistent(t, cnf) {
			t.Errorf("%s accepted of %s", proof, cnf)
		}
	})
}

// inconsistent tells whether no assignment satisfies the clauses of cnf. Those
// of more than ten variables it takes to be.
func inconsistent(t *testing.T, cnf string) bool {
	var r enumerated
	if _, err := sat.ReadDIMACS(strings.NewReader(cnf), &r); err != nil || r.vars > 10 {
		return true
	}
	for a := range 1 << r.vars {
		if r.satisfies(a) {
			t.Logf("%b", a)
			return false
		}
	}
	return true
}

type enumerated struct {
	sat.Recorder
	vars    sat.Lit
	clauses [][]sat.Lit
}

func (e *enumerated) AddClause(ms ...sat.Lit) {
	e.clauses = append(e.clauses, append([]sat.Lit(nil), ms...))
	for _, m := range ms {
		e.vars = max(e.vars, m>>1)
	}
}

func (e *enumerated) satisfies(a int) bool {
	for _, c := range e.clauses {
		ok := false
		for _, m := range c {
			ok = ok || a>>(m>>1-1)&1 != int(m&1)
		}
		if !ok {
			return false
		}
	}
	return true
}
