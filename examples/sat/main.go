// Command sat decides a formula in DIMACS format with package formula/sat:
//
//	sat [flags] [FILE.cnf [PROOF]]
//
// It reads standard input without a FILE, or where it is "-". Output and exit
// status are those of the SAT competitions: a line "s SATISFIABLE" and lines
// "v 1 -2 ... 0" with a model, and status 10; "s UNSATISFIABLE" and 20; or "s
// UNKNOWN" and 0, with a comment that says which limit was reached. Status 1 is
// bad input. Comments begin with "c ".
//
// With PROOF, it writes there why there is no model, in LRAT text or, with
// -drat, DRAT. With -check it checks that proof itself before it says that
// there is none.
package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"regexp"
	"strconv"
	"syscall"
	"time"

	"github.com/go-amend/amend/formula/sat"
	"github.com/go-amend/amend/formula/sat/lrat"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second Ctrl-C ends the process at once
	status, err := run(ctx, os.Args[1:], os.Stdin, os.Stdout)
	if err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "sat:", err)
	}
	os.Exit(status)
}

// Exit statuses.
const (
	unknown       = 0
	failed        = 1
	satisfiable   = 10
	unsatisfiable = 20
)

// options is a command line.
type options struct {
	cnf, proof string
	drat, lrat bool
	check      bool
	quiet      bool
	noModel    bool
	timeout    time.Duration
	engine     sat.Options
}

func parse(args []string) (*options, error) {
	o := &options{cnf: "-"}
	fs := flag.NewFlagSet("sat", flag.ContinueOnError)
	fs.Usage = func() {
		fmt.Fprintln(fs.Output(), "usage: sat [flags] [FILE.cnf [PROOF]]")
		fs.PrintDefaults()
	}
	fs.BoolVar(&o.lrat, "lrat", false, "write PROOF as LRAT text (the default)")
	fs.BoolVar(&o.drat, "drat", false, "write PROOF as DRAT text")
	fs.BoolVar(&o.check, "check", false, "check the proof")
	fs.BoolVar(&o.quiet, "q", false, "no comments")
	fs.BoolVar(&o.noModel, "n", false, "no model")
	fs.Uint64Var(&o.engine.Seed, "seed", 0, "vary the search by `N`")
	fs.DurationVar(&o.timeout, "t", 0, "stop after this `duration`, such as 30s")
	fs.Int64Var(&o.engine.Limits.Conflicts, "conflicts", 0, "stop after `N` conflicts")
	fs.Int64Var(&o.engine.Limits.Propagations, "propagations", 0, "stop after `N` propagations")
	fs.Int64Var(&o.engine.Limits.Memory, "mem", 0, "stop when clauses take more than `bytes`")
	if err := fs.Parse(args); err != nil {
		return nil, err
	}
	switch {
	case fs.NArg() > 2:
		return nil, fmt.Errorf("%d files: want FILE.cnf and PROOF", fs.NArg())
	case o.lrat && o.drat:
		return nil, errors.New("-lrat and -drat: want one of them")
	}
	if fs.NArg() > 0 {
		o.cnf = fs.Arg(0)
	}
	o.proof = fs.Arg(1)
	return o, nil
}

// run decides what args name and returns the exit status.
func run(ctx context.Context, args []string, stdin io.Reader, stdout io.Writer) (int, error) {
	o, err := parse(args)
	if errors.Is(err, flag.ErrHelp) {
		return unknown, err
	}
	if err != nil {
		return failed, err
	}
	text, err := read(o.cnf, stdin)
	if err != nil {
		return failed, err
	}
	p, err := o.open(text)
	if err != nil {
		return failed, err
	}
	out := bufio.NewWriter(stdout)
	status, err := o.decide(ctx, text, p, out)
	return status, errors.Join(err, p.close(), out.Flush())
}

func read(name string, stdin io.Reader) ([]byte, error) {
	if name == "-" {
		return io.ReadAll(stdin)
	}
	return os.ReadFile(name)
}

// A proofFile is where the proof goes: nowhere, if it is nil.
type proofFile struct {
	file *os.File
	text *lrat.Writer
}

var header = regexp.MustCompile(`(?m)^p cnf +\d+ +(\d+)`)

// open makes the file for the proof of the formula text, if one is wanted.
func (o *options) open(text []byte) (*proofFile, error) {
	if o.proof == "" {
		return nil, nil
	}
	f, err := os.Create(o.proof)
	if err != nil {
		return nil, err
	}
	if o.drat {
		return &proofFile{f, lrat.NewDRATWriter(f)}, nil
	}
	clauses := 0
	if m := header.FindSubmatch(text); m != nil {
		clauses, _ = strconv.Atoi(string(m[1])) // whoever reads all of it complains
	}
	return &proofFile{f, lrat.NewWriter(f, clauses)}, nil
}

func (p *proofFile) close() error {
	if p == nil {
		return nil
	}
	return errors.Join(p.text.Flush(), p.file.Close())
}

// solver returns the solver that writes p, and checks it if that is wanted.
func (o *options) solver(p *proofFile) sat.Solver {
	if !o.check {
		if p != nil {
			o.engine.Proof = p.text
		}
		return o.engine.New()
	}
	c := &lrat.Certifier{New: func(to sat.Proof) sat.Solver {
		e := o.engine
		e.Proof = to
		return e.New()
	}}
	if p != nil {
		c.Proof = func() sat.Proof { return p.text }
	}
	return c.NewSolver()
}

// decide decides text and prints the answer.
func (o *options) decide(ctx context.Context, text []byte, p *proofFile, out *bufio.Writer) (int, error) {
	if o.timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, o.timeout)
		defer cancel()
	}
	start := time.Now()
	s := o.solver(p)
	vars, err := sat.ReadDIMACS(bytes.NewReader(text), s)
	if err != nil {
		return failed, fmt.Errorf("%s: %w", o.cnf, err)
	}
	o.comment(out, "read %d variables in %.2f s", vars, time.Since(start).Seconds())
	status, err := s.Solve(ctx)
	if errors.Is(err, lrat.ErrUncertified) {
		return failed, err
	}
	if n, ok := s.(sat.Counted); ok {
		x := n.Steps()
		o.comment(out, "%d conflicts, %d decisions, %d propagations", x.Conflicts, x.Decisions, x.Propagations)
	}
	o.comment(out, "decided after %.2f s", time.Since(start).Seconds())
	switch status {
	case sat.Sat:
		fmt.Fprintln(out, "s SATISFIABLE")
		if !o.noModel {
			printModel(out, s, vars)
		}
		return satisfiable, nil
	case sat.Unsat:
		fmt.Fprintln(out, "s UNSATISFIABLE")
		return unsatisfiable, nil
	}
	o.comment(out, "%v", err)
	fmt.Fprintln(out, "s UNKNOWN")
	return unknown, nil
}

// comment prints a comment, at once.
func (o *options) comment(out *bufio.Writer, format string, args ...any) {
	if !o.quiet {
		fmt.Fprintf(out, "c "+format+"\n", args...)
		out.Flush() // an error is that of the last one, too
	}
}

// printModel prints the values of all variables, in lines of at most 78
// characters.
func printModel(out io.Writer, s sat.Solver, vars int) {
	line := "v"
	word := func(w string) {
		if len(line)+1+len(w) > 78 {
			fmt.Fprintln(out, line)
			line = "v"
		}
		line += " " + w
	}
	for v := 1; v <= vars; v++ {
		m := sat.Lit(2 * v)
		if !s.Value(m) {
			m = m.Not()
		}
		word(strconv.Itoa(m.Dimacs()))
	}
	word("0")
	fmt.Fprintln(out, line)
}
