package sat

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
)

// TestReadDIMACS reads what is right, and says where what is not goes wrong.
func TestReadDIMACS(t *testing.T) {
	for _, x := range []struct{ text, want string }{
		{"c hello\np cnf 3 2\n1 -2\n 0\nc between\n3 0\n", "1 -2 0\n3 0\n"},
		{"p cnf 3 3\r\n1 0 2 0\r\n-3\t0", "1 0\n2 0\n-3 0\n"},
		{"p cnf 1 1\n0\n", "0\n"},
		{"p cnf 0 0\n", ""},
		{"p cnf 2 1\n1 2 0\n%\n0\n", "1 2 0\n"},
		{"", "sat: line 1: want a line p cnf VARIABLES CLAUSES"},
		{"p cnf 1\n", "sat: line 1: want a line p cnf VARIABLES CLAUSES"},
		{"p cnf -1 2\n", "sat: line 1: want a line p cnf VARIABLES CLAUSES"},
		{"p cnf 536870912 2\n", "sat: line 1: want a line p cnf VARIABLES CLAUSES"},
		{"p cnf 2 2\n1 0\n", "sat: line 3: 1 clauses, but 2 are announced"},
		{"p cnf 2 1\n1 0\n2 0\n", "sat: line 3: more than the 1 clauses that are announced"},
		{"p cnf 2 1\n\n1 3 0\n", "sat: line 3: literal 3, but there are 2 variables"},
		{"p cnf 2 1\n1 -3 0\n", "sat: line 2: literal -3, but there are 2 variables"},
		{"p cnf 2 1\n1 2\n", "sat: line 3: the last clause has no end"},
		{"p cnf 2 1\n1 x 0\n", "sat: line 2: want a literal"},
		{"p cnf 2 1\n1- 0\n", "sat: line 2: want a literal"},
		{"p cnf 2 1\n- 0\n", "sat: line 2: want a literal"},
		{"p cnf 2 1\n99999999999999999999 0\n", "sat: line 2: a number is too large"},
	} {
		var r Recorder
		var b strings.Builder
		vars, err := ReadDIMACS(iotest.OneByteReader(strings.NewReader(x.text)), &r)
		got := ""
		if err != nil {
			got = err.Error()
		} else if err := r.WriteDIMACS(&b); err != nil {
			t.Fatal(err)
		} else if _, got, _ = strings.Cut(b.String(), "\n"); r.f.vars != Lit(vars) {
			t.Errorf("ReadDIMACS(%q) makes %d variables, says %d", x.text, r.f.vars, vars)
		}
		if got != x.want {
			t.Errorf("ReadDIMACS(%q) = %q, want %q", x.text, got, x.want)
		}
	}
	if _, err := ReadDIMACS(iotest.ErrReader(errBroken), &Recorder{}); err != errBroken {
		t.Errorf("ReadDIMACS = %v, want %v", err, errBroken)
	}
}

// TestTrace replays what recorders wrote: the same clauses, questions and
// answers, and the same text.
func TestTrace(t *testing.T) {
	var text bytes.Buffer
	var want []Status
	for seed := range uint64(50) {
		r := NewRecorder(NewGini())
		want = append(want, useRandomly(t, r, seed)...)
		if err := r.WriteTrace(&text); err != nil {
			t.Fatal(err)
		}
	}
	var again bytes.Buffer
	var got []Status
	var made []*Recorder
	err := ReadTrace(bytes.NewReader(text.Bytes()), func() Solver {
		made = append(made, NewRecorder(NewGini()))
		return made[len(made)-1]
	}, func(s Solver, assume []Lit, answer Status) error {
		got = append(got, answer)
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		if answer == Unknown { // what was asked had no time
			cancel()
		}
		if status, _ := s.Solve(ctx, assume...); status != answer {
			return fmt.Errorf("%v, was %v", status, answer)
		}
		return nil
	})
	if err != nil || !slices.Equal(got, want) || len(got) < 100 {
		t.Errorf("ReadTrace = %v, with %d answers of %d", err, len(got), len(want))
	}
	for _, r := range made {
		if err := r.WriteTrace(&again); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(again.Bytes(), text.Bytes()) {
		t.Error("the trace of the replay is another")
	}
}

// TestReadTrace pins the format, and what is wrong with others.
func TestReadTrace(t *testing.T) {
	stop := errors.New("stop")
	for _, x := range []struct{ text, want string }{
		{"p inccnf\n1 -2 0\na 1 0\nc unsat\na 0\nc other\n2 0\n\np inccnf\na -2 0\nc sat\n", "1 -2 0 [2] unsat; 1 -2 0 [] unknown; [5] sat; "},
		{"p inccnf\na 0", "[] unknown; "},
		{"", ""},
		{"1 2 0\n", "sat: line 1: no line p inccnf"},
		{"p cnf 1 2\n", `sat: line 1: want "p inccnf\n"`},
		{"p inccnf\na 1\n", "sat: line 3: the last clause has no end"},
		{"p inccnf\n1 q 0\n", "sat: line 2: want a literal"},
		{"p inccnf\na 9 0\n", "stop"},
	} {
		var got strings.Builder
		err := ReadTrace(strings.NewReader(x.text), func() Solver { return &Recorder{} }, func(s Solver, assume []Lit, answer Status) error {
			if slices.Contains(assume, 18) {
				return stop
			}
			var b strings.Builder
			s.(*Recorder).WriteDIMACS(&b)
			_, clauses, _ := strings.Cut(b.String(), "\n")
			fmt.Fprintf(&got, "%s%v %v; ", strings.ReplaceAll(clauses, "\n", " "), assume, answer)
			return nil
		})
		if err != nil {
			got.Reset()
			got.WriteString(err.Error())
		}
		if got.String() != x.want {
			t.Errorf("ReadTrace(%q) = %q, want %q", x.text, got.String(), x.want)
		}
	}
	if err := ReadTrace(iotest.ErrReader(io.ErrClosedPipe), nil, nil); err != io.ErrClosedPipe {
		t.Errorf("ReadTrace = %v, want %v", err, io.ErrClosedPipe)
	}
}

// FuzzReadDIMACS reads any text, and what it wrote of it.
func FuzzReadDIMACS(f *testing.F) {
	f.Add("p cnf 2 2\n1 -2 0\n0\n")
	f.Add("c\np cnf 3 1\n%")
	f.Fuzz(func(t *testing.T, text string) {
		if strings.Contains(text, "p cnf 9") || len(text) > 1000 {
			return // millions of variables
		}
		var r, again Recorder
		if _, err := ReadDIMACS(strings.NewReader(text), &r); err != nil {
			return
		}
		var b bytes.Buffer
		r.WriteDIMACS(&b)
		if _, err := ReadDIMACS(&b, &again); err != nil || !slices.Equal(again.f.lits, r.f.lits) {
			t.Errorf("%v, %v, want %v", err, again.f.lits, r.f.lits)
		}
	})
}
