package main

// The solvers that are compared, and the child processes for those in Go.

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"syscall"
	"time"

	"github.com/go-amend/amend/formula/sat"
	"github.com/go-amend/amend/formula/sat/lrat"
)

// engines are the solvers in Go.
var engines = map[string]func() sat.Solver{
	"own":       sat.New,
	"certified": (&lrat.Certifier{New: func(p sat.Proof) sat.Solver { return sat.Options{Proof: p}.New() }}).NewSolver,
	"gini":      sat.NewGini,
}

// A solver is one of those that the table compares.
type solver struct {
	name string
	args func(file string) []string // of the process that decides a DIMACS file
}

// solvers returns those that the table compares. Self is this command.
func solvers(self string) []solver {
	var list []solver
	for _, name := range []string{"own", "certified", "gini"} {
		if engines[name] != nil {
			list = append(list, solver{name, func(file string) []string { return []string{self, "solve", name, file} }})
		}
	}
	return append(list,
		solver{"minisat", func(file string) []string { return []string{"minisat", "-verb=0", file} }},
		solver{"minisat -no-pre", func(file string) []string { return []string{"minisat", "-verb=0", "-no-pre", file} }},
		solver{"cadical", func(file string) []string { return []string{"cadical", "-q", "-n", file} }})
}

// solve decides a DIMACS file. The exit status is that of competitions. It
// prints the CPU seconds that reading and solving took.
func solve(engine, file string) error {
	newSolver, f, err := open(engine, file)
	if err != nil {
		return err
	}
	start := cpu()
	s := newSolver()
	if _, err := sat.ReadDIMACS(f, s); err != nil {
		return err
	}
	read := cpu()
	status, err := s.Solve(context.Background())
	if err != nil {
		return err
	}
	fmt.Printf("c read %.6f solve %.6f\n", (read - start).Seconds(), (cpu() - read).Seconds())
	if status == sat.Sat {
		os.Exit(10)
	}
	os.Exit(20)
	return nil
}

// replay repeats a trace. It prints the number of queries and the CPU seconds
// of the calls of Solve and of all.
func replay(engine, file string) error {
	newSolver, f, err := open(engine, file)
	if err != nil {
		return err
	}
	var solving time.Duration
	solvers, queries := 0, 0
	start := cpu()
	err = sat.ReadTrace(bufio.NewReaderSize(f, 1<<20), func() sat.Solver {
		solvers++
		return newSolver()
	}, func(s sat.Solver, assume []sat.Lit, want sat.Status) error {
		before := cpu()
		got, err := s.Solve(context.Background(), assume...)
		if got == sat.Unsat {
			s.Core(nil)
		}
		solving += cpu() - before
		queries++
		if err == nil && want != sat.Unknown && got != want {
			err = fmt.Errorf("query %d is %v, was %v", queries, got, want)
		}
		return err
	})
	fmt.Printf("c solvers %d queries %d solve %.6f all %.6f\n", solvers, queries, solving.Seconds(), (cpu() - start).Seconds())
	return err
}

func open(engine, file string) (func() sat.Solver, *os.File, error) {
	newSolver := engines[engine]
	if newSolver == nil {
		return nil, nil, fmt.Errorf("no engine is called %s", engine)
	}
	f, err := os.Open(file)
	return newSolver, f, err
}

// cpu returns the CPU time of this process.
func cpu() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
