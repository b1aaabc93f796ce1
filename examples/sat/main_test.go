package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/go-amend/amend/formula/sat"
	"github.com/go-amend/amend/formula/sat/lrat"
)

// asCommand makes the test binary behave as the command itself.
const asCommand = "SAT_TEST_AS_COMMAND"

func TestMain(m *testing.M) {
	if os.Getenv(asCommand) != "" {
		main()
	}
	os.Exit(m.Run())
}

// command returns the command in a process of its own.
func command(t *testing.T, args ...string) *exec.Cmd {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self, args...)
	cmd.Env = append(os.Environ(), asCommand+"=1")
	return cmd
}

// ran returns what the command prints and its exit status.
func ran(t *testing.T, stdin string, args ...string) (stdout, stderr string, status int) {
	t.Helper()
	cmd := command(t, args...)
	var out, errs strings.Builder
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(stdin), &out, &errs
	err := cmd.Run()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return out.String(), errs.String(), cmd.ProcessState.ExitCode()
}

// TestAnswers pins output and exit statuses.
func TestAnswers(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.cnf")
	if err := os.WriteFile(file, []byte("p cnf 1 1\n1 0\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, x := range []struct {
		stdin, args, stdout, stderr string
		status                      int
	}{
		{"c hi\np cnf 3 3\n1 2 0\n-1 0\n3 -2 0\n", "-q", "s SATISFIABLE\nv -1 2 3 0\n", "", satisfiable},
		{"p cnf 1 2\n1 0\n-1 0\n", "-q -", "s UNSATISFIABLE\n", "", unsatisfiable},
		{"p cnf 1 2\n1 0\n-1 0\n", "-q -check -", "s UNSATISFIABLE\n", "", unsatisfiable},
		{"p cnf 0 0\n", "-q -check", "s SATISFIABLE\nv 0\n", "", satisfiable},
		{"p cnf 0 1\n0\n", "-q", "s UNSATISFIABLE\n", "", unsatisfiable},
		{"", "-q " + file, "s SATISFIABLE\nv 1 0\n", "", satisfiable},
		{"", "-q -n " + file, "s SATISFIABLE\n", "", satisfiable},
		{pigeons(11), "-q -conflicts 10", "s UNKNOWN\n", "", unknown},
		{pigeons(11), "-q -propagations 100", "s UNKNOWN\n", "", unknown},
		{pigeons(11), "-q -t 20ms", "s UNKNOWN\n", "", unknown},
		{"p cnf 1 1\n2 0\n", "-q", "", "sat: -: sat: line 2: literal 2, but there are 1 variables\n", failed},
		{"", "-q", "", "sat: -: sat: line 1: want a line p cnf VARIABLES CLAUSES\n", failed},
		{"", "-drat -lrat", "", "sat: -lrat and -drat: want one of them\n", failed},
		{"", "a b c", "", "sat: 3 files: want FILE.cnf and PROOF\n", failed},
	} {
		stdout, stderr, status := ran(t, x.stdin, strings.Fields(x.args)...)
		if stdout != x.stdout || stderr != x.stderr || status != x.status {
			t.Errorf("sat %s of %.40q: %q, %q, exit status %d, want %q, %q, %d", x.args, x.stdin, stdout, stderr, status, x.stdout, x.stderr, x.status)
		}
	}
	if _, stderr, status := ran(t, "", filepath.Join(t.TempDir(), "none")); status != failed || !strings.Contains(stderr, "no such file") {
		t.Errorf("a file that is not there: %q, exit status %d", stderr, status)
	}
}

// pigeons returns the clauses of n+1 pigeons in n holes.
func pigeons(n int) string {
	var r sat.Recorder
	at := func(i, j int) sat.Lit { return sat.Lit(2 * (i*n + j + 1)) }
	for i := range n + 1 {
		var c []sat.Lit
		for j := range n {
			c = append(c, at(i, j))
			for k := range i {
				r.AddClause(at(i, j).Not(), at(k, j).Not())
			}
		}
		r.AddClause(c...)
	}
	var b strings.Builder
	r.WriteDIMACS(&b)
	return b.String()
}

// random returns clauses near the threshold of satisfiability.
func random(seed uint64, vars int) string {
	rng := rand.New(rand.NewPCG(seed, 0))
	var b strings.Builder
	n := vars * 44 / 10
	fmt.Fprintf(&b, "p cnf %d %d\n", vars, n)
	for range n {
		for range 3 {
			fmt.Fprint(&b, (1+rng.IntN(vars))*(1-2*rng.IntN(2)), " ")
		}
		fmt.Fprintln(&b, 0)
	}
	return b.String()
}

// TestProofs checks the proofs that are written, also while they are checked
// by the command itself. The command is a solver for sat.NewExternal, too.
func TestProofs(t *testing.T) {
	unsat := 0
	for seed := range uint64(12) {
		cnf := random(seed, 90)
		proof := filepath.Join(t.TempDir(), "proof")
		args := []string{"-", proof}
		if seed%2 == 0 {
			args = []string{"-check", "-lrat", "-", proof}
		}
		out, stderr, status := ran(t, cnf, args...)
		if status == satisfiable && strings.Contains(out, "\ns SATISFIABLE\nv ") {
			continue
		}
		if status != unsatisfiable || stderr != "" {
			t.Fatalf("seed %d: %s%s, exit status %d", seed, out, stderr, status)
		}
		unsat++
		text, err := os.Open(proof)
		if err != nil {
			t.Fatal(err)
		}
		if err := lrat.Check(strings.NewReader(cnf), text); err != nil {
			t.Errorf("seed %d: %v", seed, err)
		}
		text.Close()
		ran(t, cnf, "-drat", "-", proof)
		checkDRAT(t, cnf, proof)
	}
	if unsat < 3 {
		t.Errorf("only %d without a model", unsat)
	}
}

// checkDRAT asks drat-trim, if it is installed.
func checkDRAT(t *testing.T, cnf, proof string) {
	if _, err := exec.LookPath("drat-trim"); err != nil {
		return
	}
	file := filepath.Join(t.TempDir(), "cnf")
	if err := os.WriteFile(file, []byte(cnf), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, _ := exec.Command("drat-trim", file, proof).CombinedOutput(); !strings.Contains(string(out), "s VERIFIED") {
		t.Errorf("drat-trim: %s", out)
	}
}

// TestExternal uses the command behind sat.NewExternal.
func TestExternal(t *testing.T) {
	t.Setenv(asCommand, "1")
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	s := sat.NewExternal(self, "-q", "{cnf}")
	a, b := s.NewVar(), s.NewVar()
	s.AddClause(a, b)
	if status, err := s.Solve(t.Context(), a.Not()); status != sat.Sat || err != nil || !s.Value(b) {
		t.Errorf("Solve = %v, %v", status, err)
	}
	if status, err := s.Solve(t.Context(), a.Not(), b.Not()); status != sat.Unsat || err != nil {
		t.Errorf("Solve = %v, %v", status, err)
	}
}

// TestInterrupt ends a search as Ctrl-C does.
func TestInterrupt(t *testing.T) {
	cmd := command(t)
	cmd.Stdin = strings.NewReader(pigeons(12))
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewReader(out)
	if first, err := lines.ReadString('\n'); !strings.HasPrefix(first, "c read 156 variables") || err != nil {
		t.Fatalf("%q, %v", first, err)
	}
	if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	rest, err := io.ReadAll(lines)
	if err := errors.Join(err, cmd.Wait()); err != nil || !strings.HasSuffix(string(rest), "\ns UNKNOWN\n") {
		t.Errorf("%q, %v", rest, err)
	}
}
