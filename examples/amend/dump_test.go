package main

import (
	"context"
	"strings"
	"testing"

	"github.com/go-amend/amend/formula/sat"
)

// TestDumpThreads decides the clauses that dump writes for a program with
// threads that needs two rounds to fail.
func TestDumpThreads(t *testing.T) {
	for rounds, want := range map[string]sat.Status{"1": sat.Unsat, "2": sat.Sat} {
		var out, errs strings.Builder
		args := []string{"dump", "-dimacs", "-rounds", rounds, "../programs/gates.c"}
		if status := run(context.Background(), args, &out, &errs); status != 0 {
			t.Fatalf("%s rounds: exit status %d: %s", rounds, status, errs.String())
		}
		s := sat.New()
		if _, err := sat.ReadDIMACS(strings.NewReader(out.String()), s); err != nil {
			t.Fatal(err)
		}
		if got, err := s.Solve(t.Context()); got != want || err != nil {
			t.Errorf("%s rounds: %v, %v, want %v", rounds, got, err, want)
		}
		args[1] = "-smt2"
		if status := run(context.Background(), args, &out, &errs); status != 0 {
			t.Errorf("%s rounds: exit status %d: %s", rounds, status, errs.String())
		}
	}
}
