package sat

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/go-air/gini/dimacs"
	"github.com/go-air/gini/z"
)

// TestRecorder solves again what was written, read by another package's
// parser.
func TestRecorder(t *testing.T) {
	for seed := range uint64(300) {
		r := NewRecorder(NewGini())
		useRandomly(t, r, seed)
		assume := []Lit{r.NewVar(), 2*Lit(seed%10) + 3}
		var text bytes.Buffer
		if err := r.WriteDIMACS(&text, assume...); err != nil {
			t.Fatal(err)
		}
		want, _ := r.Solve(t.Context(), assume...)
		if got, _ := readDIMACS(t, text.String()).Solve(t.Context()); got != want {
			t.Errorf("seed %d: the written clauses are %v, want %v", seed, got, want)
		}
	}
}

// useRandomly adds clauses and asks between them, also when there is no time.
// It returns the answers.
func useRandomly(t *testing.T, s Solver, seed uint64) (answers []Status) {
	rng := rand.New(rand.NewPCG(seed, 12))
	ended, end := context.WithCancel(t.Context())
	end()
	for range rng.IntN(40) {
		c := make([]Lit, rng.IntN(9)*3/8)
		for i := range c {
			c[i] = Lit(2 + rng.IntN(16))
		}
		switch rng.IntN(6) {
		case 0:
			s.NewVar()
		case 1:
			status, _ := s.Solve(t.Context(), c...)
			answers = append(answers, status)
		case 2:
			s.Solve(ended, c...)
			answers = append(answers, Unknown)
		default:
			s.AddClause(append(c, Lit(2+rng.IntN(16)))...)
		}
	}
	return answers
}

// readDIMACS returns a solver with the clauses of text.
func readDIMACS(t *testing.T, text string) Solver {
	t.Helper()
	v := &visitor{s: NewGini()}
	if err := dimacs.ReadCnf(strings.NewReader(text), v); err != nil {
		t.Fatal(err)
	}
	if v.clauses != 0 {
		t.Errorf("%d clauses fewer than announced", v.clauses)
	}
	return v.s
}

// A visitor adds what gini's parser reads to s.
type visitor struct {
	s       Solver
	clauses int // announced and not yet seen
	clause  []Lit
}

func (v *visitor) Init(vars, clauses int) { v.clauses = clauses }
func (v *visitor) Eof()                   {}

func (v *visitor) Add(m z.Lit) {
	if m != z.LitNull {
		v.clause = append(v.clause, Lit(m))
		return
	}
	v.s.AddClause(v.clause...)
	v.clause = v.clause[:0]
	v.clauses--
}

// TestWriteDIMACS pins the format.
func TestWriteDIMACS(t *testing.T) {
	var r Recorder
	a, b := r.NewVar(), r.NewVar()
	r.AddClause(a, b.Not())
	r.AddClause()
	r.AddClause(b, b, b.Not())
	var got strings.Builder
	if err := r.WriteDIMACS(&got, a.Not(), 8); err != nil {
		t.Fatal(err)
	}
	if want := "p cnf 4 5\n1 -2 0\n0\n2 2 -2 0\n-1 0\n4 0\n"; got.String() != want {
		t.Errorf("WriteDIMACS wrote %q, want %q", got.String(), want)
	}
	if m := r.NewVar(); m != 6 {
		t.Errorf("NewVar = %d after WriteDIMACS, want 6", m)
	}
	if err := r.WriteDIMACS(broken{}); err != errBroken {
		t.Errorf("WriteDIMACS = %v, want %v", err, errBroken)
	}
}

var errBroken = errors.New("broken")

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, errBroken }

// TestZeroRecorder checks that a recorder without a solver claims nothing.
func TestZeroRecorder(t *testing.T) {
	var r Recorder
	r.AddClause()
	if status, err := r.Solve(t.Context()); status != Unknown || err == nil {
		t.Errorf("Solve = %v, %v, want unknown and an error", status, err)
	}
	r.Solve(t.Context(), 2, 30)
	if m := r.NewVar(); m != 32 {
		t.Errorf("NewVar = %d after 30 was assumed, want 32", m)
	}
	if r.Value(2) || !r.Value(3) || len(r.Core(nil)) > 0 {
		t.Error("Value or Core of nothing")
	}
}
