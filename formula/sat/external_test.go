package sat

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-air/gini"
	"github.com/go-air/gini/z"
)

// double as the first argument makes the test binary a solver; the second
// says which sort.
const double = "-solver-double"

func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == double {
		os.Exit(doubles[os.Args[2]]())
	}
	os.Exit(m.Run())
}

// doubles are solvers by what is special about them.
var doubles = map[string]func() int{
	"honest":  func() int { return solveDIMACS(os.Stdin, os.Stdout, "c a comment\ns SATISFIABLE\nv ", "\nv 0\n") },
	"files":   solveFiles,
	"gave up": func() int { fmt.Println("s UNKNOWN"); return 0 },
	"crashes": func() int { fmt.Fprintln(os.Stderr, "out of luck\nand more"); return 3 },
	"hangs":   func() int { time.Sleep(time.Hour); return 20 },
	"unsure":  func() int { fmt.Println("s SATISFIABLE"); return 20 },
	"garbles": func() int { fmt.Println("s SATISFIABLE\nv 1 x"); return 10 },
	"lies":    func() int { fmt.Println("s SATISFIABLE\nv 1 0"); return 10 },
	"no model": func() int {
		fmt.Println("s SATISFIABLE")
		return 10
	},
}

// solveDIMACS solves what it reads with gini, and writes a model between
// head and tail.
func solveDIMACS(in io.Reader, out io.Writer, head, tail string) int {
	g, err := gini.NewDimacs(in)
	if err != nil {
		return 1
	}
	if g.Solve() != 1 {
		return 20
	}
	fmt.Fprint(out, head)
	for v := z.Var(1); v <= g.MaxVar(); v++ {
		m := v.Pos()
		if !g.Value(m) {
			m = m.Not()
		}
		fmt.Fprint(out, m.Dimacs(), " ")
	}
	fmt.Fprint(out, tail)
	return 10
}

func solveFiles() int {
	in, err := os.Open(os.Args[3])
	if err != nil {
		return 1
	}
	out, err := os.Create(strings.TrimPrefix(os.Args[4], "--out="))
	if err != nil {
		return 1
	}
	fmt.Println("SATISFIABLE, or not")
	return solveDIMACS(in, out, "SAT\n", "0\n")
}

func newDouble(t testing.TB, sort ...string) Solver {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return NewExternal(self, append([]string{double}, sort...)...)
}

// TestExternalFails checks that a solver that misbehaves is not believed.
func TestExternalFails(t *testing.T) {
	for sort, want := range map[string]string{
		"gave up":  "gave up: exit status 0",
		"crashes":  "exit status 3: out of luck",
		"unsure":   "says sat but exits with the status of unsat",
		"garbles":  `its model has "x", no literal`,
		"lies":     "its model is missing or wrong",
		"no model": "its model is missing or wrong",
	} {
		s := newDouble(t, sort)
		s.AddClause(s.NewVar())
		s.AddClause(s.NewVar())
		status, err := s.Solve(t.Context())
		if status != Unknown || err == nil || !strings.HasSuffix(err.Error(), ": "+want) {
			t.Errorf("%s: Solve = %v, %v, want unknown, %s", sort, status, err, want)
		}
		if len(s.Core(nil)) > 0 || s.Value(2) {
			t.Errorf("%s: there is a core or a model", sort)
		}
	}
	s := NewExternal(filepath.Join(t.TempDir(), "none"))
	if status, err := s.Solve(t.Context()); status != Unknown || !errors.Is(err, os.ErrNotExist) {
		t.Errorf("Solve = %v, %v, want unknown, no such file", status, err)
	}
	s = newDouble(t, "gave up", "{model}")
	if status, err := s.Solve(t.Context()); status != Unknown || err == nil {
		t.Errorf("Solve = %v, %v, want unknown and an error", status, err)
	}
}

// TestExternalCancel ends a solver that hangs.
func TestExternalCancel(t *testing.T) {
	s := newDouble(t, "hangs")
	ctx, cancel := context.WithTimeoutCause(t.Context(), 20*time.Millisecond, errEnded)
	defer cancel()
	if status, err := s.Solve(ctx, s.NewVar()); status != Unknown || err != errEnded {
		t.Errorf("Solve = %v, %v, want unknown, %v", status, err, errEnded)
	}
}

// FuzzAnswer parses any output, and finds any model that was written.
func FuzzAnswer(f *testing.F) {
	for _, text := range []string{"s SATISFIABLE\nv 1 -2 3 0", "c\r\ns UNSATISFIABLE\r\n", "v -1\nv 99 -9999999999 0\n", "v - v\ns\n", "v -2147483648"} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		said, model, err := parseAnswer(text, 5)
		if err != nil && said != Unknown || err == nil && len(model) != 6 {
			t.Fatalf("parseAnswer = %v, %v, %v", said, model, err)
		}
		if err != nil {
			return
		}
		line := "v"
		for v := 1; v < len(model); v++ {
			m := Lit(2 * v)
			if !model[v] {
				m = m.Not()
			}
			line += fmt.Sprint(" ", m.Dimacs())
		}
		if _, again, err := parseAnswer([]byte(line), 5); err != nil || !slices.Equal(again, model) {
			t.Errorf("parseAnswer(%q) = %v, %v, want %v", line, again, err, model)
		}
	})
}
