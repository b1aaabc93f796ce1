// Command sat makes a set of queries for SAT solvers from what this library
// asks on published programs, and compares solvers on it:
//
//	go run ./.ci/sat record BENCH SET    # runs of the library, as traces
//	go run ./.ci/sat choose SET          # queries and traces of all sizes
//	go run ./.ci/sat table SET           # CPU time of each solver
//
// BENCH is a folder with the programs, SET one to write to. The set is not
// part of the repository: recording takes an hour or so of one core, and the
// programs are others'.
//
// Record runs checks, repairs and proofs of programs, of Go functions and of
// models, and identities of arithmetic, with solvers that take notes: each
// run becomes a trace, SET/runs/FAMILY/NAME.icnf, in the format of
// sat.Recorder. Gini is behind all of them, but for runs that are repeated
// with minisat and cadical, because what is asked next depends on the last
// model.
//
// Choose takes candidates from the traces, evenly over their sizes, measures
// each with gini, minisat and cadical, and keeps a share for each family,
// evenly over the logarithms of the geometric mean of the three times: no
// single solver decides what is in the set. Left out is only what none of
// them decides within 6 CPU seconds, and those that are equal but for their
// run: 200 queries and 30 traces in all. SET/queries holds the queries in
// DIMACS, assumptions as unit clauses, SET/traces the traces.
//
// Table runs each solver on each query as a process and prints the CPU
// seconds, user and system, that the kernel says it took; so that a solver is
// measured with its parser, as minisat and cadical can't be without. Below it
// are the ratios to each other solver and a tally of the queries that take more
// than four times what the best takes. Those in Go are this command itself:
//
//	go run ./.ci/sat solve ENGINE FILE.cnf
//	go run ./.ci/sat replay ENGINE FILE.icnf
package main

import (
	"flag"
	"fmt"
	"os"
)

func main() {
	flag.Usage = func() {
		fmt.Fprintln(os.Stderr, "usage: sat record BENCH SET | choose SET | table SET | solve ENGINE FILE | replay ENGINE FILE")
		flag.PrintDefaults()
	}
	flag.Parse()
	if err := run(flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "sat:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	switch {
	case len(args) == 3 && args[0] == "record":
		return record(args[1], args[2])
	case len(args) == 2 && args[0] == "choose":
		return choose(args[1])
	case len(args) == 2 && args[0] == "table":
		return table(args[1])
	case len(args) == 3 && args[0] == "solve":
		return solve(args[1], args[2])
	case len(args) == 3 && args[0] == "replay":
		return replay(args[1], args[2])
	}
	flag.Usage()
	os.Exit(2)
	return nil
}
