package sat

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// An external solves by running a program for each query.
type external struct {
	command string
	args    []string
	f       cnf

	// Of the last Solve:
	assume []Lit
	status Status
	model  []bool // by variable; empty unless Sat
}

// NewExternal returns an empty solver that runs command with args for each
// Solve: any solver that follows the rules of the SAT competitions. It gets
// the clauses and assumptions on its standard input in DIMACS format, or in
// a temporary file if one of args is "{cnf}", which stands for its name. It
// answers by its exit status, 10 for satisfiable and 20 for not, and in the
// former case by lines "v 1 -2 ... 0" with the model on its standard
// output; a line "s SATISFIABLE" or "s UNSATISFIABLE" must agree if there
// is one. If one of args is "{model}", the program writes its model to the
// file of this name instead, as MiniSat does: "SAT", then the literals.
//
// Models are checked; that there is none is believed. Core returns all
// assumptions, each once, which [MinCore] minimizes like any core. If ctx
// ends, the program is killed. Whatever else goes wrong makes Solve return
// Unknown and an error, which wraps that of package os/exec if the program
// couldn't be run.
//
// Known to work: cadical -q; cryptominisat5 --verb 0; picosat;
// minisat {cnf} {model}.
func NewExternal(command string, args ...string) Solver {
	return &external{command: command, args: slices.Clone(args)}
}

func (e *external) NewVar() Lit         { return e.f.newVar() }
func (e *external) AddClause(ms ...Lit) { e.f.add(ms) }

func (e *external) Solve(ctx context.Context, assume ...Lit) (Status, error) {
	e.f.use(assume...)
	e.assume = append(e.assume[:0], assume...)
	e.status, e.model = Unknown, nil
	if ctx.Err() != nil {
		return Unknown, context.Cause(ctx)
	}
	status, model, err := e.run(ctx)
	if ctx.Err() != nil && err != nil {
		return Unknown, context.Cause(ctx) // it made the program fail
	}
	if err != nil {
		return Unknown, fmt.Errorf("sat: %s: %w", e.command, err)
	}
	e.status, e.model = status, model
	return status, nil
}

// What stands for the names of temporary files in args.
const (
	cnfFile   = "{cnf}"
	modelFile = "{model}"
)

func (e *external) uses(file string) bool {
	return slices.ContainsFunc(e.args, func(a string) bool { return strings.Contains(a, file) })
}

// tempDir makes a directory for the files, if there are to be any.
func (e *external) tempDir() (string, error) {
	if !e.uses(cnfFile) && !e.uses(modelFile) {
		return "", nil
	}
	return os.MkdirTemp("", "sat")
}

// run runs the program on the clauses and assumptions, and checks what it
// answers.
func (e *external) run(ctx context.Context) (Status, []bool, error) {
	dir, err := e.tempDir()
	if err != nil {
		return Unknown, nil, err
	}
	defer os.RemoveAll(dir)
	cmd, err := e.prepare(ctx, dir)
	if err != nil {
		return Unknown, nil, err
	}
	out, err := cmd.Output()
	status, err := exitStatus(err)
	if err != nil {
		return Unknown, nil, err
	}
	said, model, err := parseAnswer(out, e.f.vars)
	if err == nil && status == Sat && e.uses(modelFile) {
		model, err = readModel(filepath.Join(dir, "model"), e.f.vars)
	}
	switch {
	case err != nil:
		return Unknown, nil, err
	case said != Unknown && said != status:
		return Unknown, nil, fmt.Errorf("says %v but exits with the status of %v", said, status)
	case status == Sat && !e.holds(model):
		return Unknown, nil, errors.New("its model is missing or wrong")
	}
	return status, model, nil
}

// prepare returns the command, with what it reads ready, in dir if need be.
func (e *external) prepare(ctx context.Context, dir string) (*exec.Cmd, error) {
	cnf, model := filepath.Join(dir, "cnf"), filepath.Join(dir, "model")
	names := strings.NewReplacer(cnfFile, cnf, modelFile, model)
	args := make([]string, len(e.args))
	for i, a := range e.args {
		args[i] = names.Replace(a)
	}
	cmd := exec.CommandContext(ctx, e.command, args...)
	cmd.WaitDelay = time.Second // should it leave behind a child that keeps its output open
	var in bytes.Buffer
	if err := e.f.write(&in, e.assume); err != nil {
		return nil, err
	}
	if e.uses(cnfFile) {
		return cmd, os.WriteFile(cnf, in.Bytes(), 0o600)
	}
	cmd.Stdin = &in
	return cmd, nil
}

// exitStatus returns what the program that ended with err means by that.
func exitStatus(err error) (Status, error) {
	exit, ok := errors.AsType[*exec.ExitError](err)
	switch {
	case err == nil:
		return Unknown, errors.New("gave up: exit status 0")
	case !ok:
		return Unknown, err
	case exit.ExitCode() == 10:
		return Sat, nil
	case exit.ExitCode() == 20:
		return Unsat, nil
	}
	line, _, _ := bytes.Cut(bytes.TrimSpace(exit.Stderr), []byte("\n"))
	return Unknown, fmt.Errorf("%w: %s", err, line)
}

// readModel reads the model that MiniSat wrote.
func readModel(name string, vars Lit) ([]bool, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	_, lits, _ := bytes.Cut(text, []byte("\n"))
	line := append([]byte("v "), bytes.ReplaceAll(lits, []byte("\n"), []byte(" "))...)
	_, model, err := parseAnswer(line, vars)
	return model, err
}

// parseAnswer reads the lines s and v of a solver's output. Variables that
// it doesn't mention are false in the model, those above vars are not in it.
func parseAnswer(out []byte, vars Lit) (said Status, model []bool, err error) {
	model = make([]bool, vars+1)
	for line := range bytes.Lines(out) {
		kind, rest, _ := strings.Cut(strings.TrimSpace(string(line)), " ")
		switch kind {
		case "s":
			said = parseStatus(strings.TrimSpace(rest))
		case "v":
			if err := parseLits(rest, model); err != nil {
				return Unknown, nil, err
			}
		}
	}
	return said, model, nil
}

func parseStatus(s string) Status {
	switch s {
	case "SATISFIABLE":
		return Sat
	case "UNSATISFIABLE":
		return Unsat
	}
	return Unknown
}

// parseLits sets model by the literals of one line.
func parseLits(line string, model []bool) error {
	for word := range strings.FieldsSeq(line) {
		m, err := strconv.ParseInt(word, 10, 32)
		if err != nil {
			return fmt.Errorf("its model has %q, no literal", word)
		}
		if v := max(m, -m); v < int64(len(model)) {
			model[v] = m > 0
		}
	}
	return nil
}

// holds tells whether model satisfies all clauses and assumptions.
func (e *external) holds(model []bool) bool {
	for _, m := range e.assume {
		if !value(model, m) {
			return false
		}
	}
	ok := false // a literal of this clause is true
	for _, m := range e.f.lits {
		if m == 0 && !ok {
			return false
		}
		ok = m != 0 && (ok || value(model, m))
	}
	return true
}

func value(model []bool, m Lit) bool {
	if int(m>>1) >= len(model) {
		return m&1 == 1
	}
	return model[m>>1] != (m&1 == 1)
}

func (e *external) Value(m Lit) bool { return value(e.model, m) }

func (e *external) Core(dst []Lit) []Lit {
	if e.status != Unsat {
		return dst
	}
	core := slices.Clone(e.assume)
	slices.Sort(core)
	return append(dst, slices.Compact(core)...)
}
