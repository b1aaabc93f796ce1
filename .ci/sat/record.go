package main

// Recording: each run of the library becomes a trace.

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/go-amend/amend/formula/sat"
)

var (
	limit = flag.Duration("t", 2*time.Minute, "record each run for this `duration` of wall time at most")
	only  = flag.String("only", "", "only runs whose family/name contains this")
)

// behind are the solvers behind the recorders, by name.
var behind = []struct {
	name string
	make func() sat.Solver
}{
	{"gini", sat.NewGini},
	{"minisat", func() sat.Solver { return sat.NewExternal("minisat", "{cnf}", "{model}") }},
	{"cadical", func() sat.Solver { return sat.NewExternal("cadical", "-q") }},
}

// record records all runs on the programs in bench.
func record(bench, set string) error {
	for _, j := range jobs(bench) {
		if !strings.Contains(j.family+"/"+j.name, *only) {
			continue
		}
		for i, b := range behind {
			if i > 0 && !j.others {
				break
			}
			if err := recordRun(j, b.make, filepath.Join(set, "runs", j.family, j.name+"-"+b.name+".icnf")); err != nil {
				return err
			}
		}
	}
	return nil
}

// recordRun writes the trace of one run to file. How the run ends does not
// matter, as long as it asked something.
func recordRun(j job, newSolver func() sat.Solver, file string) error {
	ctx, cancel := context.WithTimeout(context.Background(), *limit)
	defer cancel()
	start := time.Now()
	var made []*sat.Recorder
	err := safely(func() error {
		return j.run(ctx, func() sat.Solver {
			r := sat.NewRecorder(newSolver())
			made = append(made, r)
			return r
		})
	})
	fmt.Printf("%-10s %-50s %4d solvers %6.1f s %v\n", j.family, filepath.Base(file), len(made), time.Since(start).Seconds(), firstLine(err))
	if len(made) == 0 {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		return err
	}
	f, err := os.Create(file)
	if err != nil {
		return err
	}
	w := bufio.NewWriterSize(f, 1<<20)
	for _, r := range made {
		err = errors.Join(err, r.WriteTrace(w))
	}
	return errors.Join(err, w.Flush(), f.Close())
}

// safely makes a panic an error: one run must not end all.
func safely(f func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v", r)
		}
	}()
	return f()
}

func firstLine(err error) string {
	if err == nil {
		return ""
	}
	line, _, _ := strings.Cut(err.Error(), "\n")
	return line
}
