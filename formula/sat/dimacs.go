package sat

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
)

// A cnf is a list of clauses.
type cnf struct {
	vars    Lit // the last variable made
	clauses int
	lits    []Lit // each clause is ended by zero
}

func (f *cnf) newVar() Lit {
	f.vars++
	return f.vars << 1
}

func (f *cnf) use(ms ...Lit) { f.vars = made(f.vars, ms...) }

func (f *cnf) add(ms []Lit) {
	f.use(ms...)
	f.lits = append(append(f.lits, ms...), 0)
	f.clauses++
}

// write writes f, and assume as unit clauses, in DIMACS format.
func (f *cnf) write(w io.Writer, assume []Lit) error {
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "p cnf %d %d\n", made(f.vars, assume...), f.clauses+len(assume))
	writeLits(b, f.lits)
	for _, m := range assume {
		writeLits(b, []Lit{m, 0})
	}
	return b.Flush() // has the first error of all writes
}

func writeLits(b *bufio.Writer, ms []Lit) {
	for _, m := range ms {
		end := byte(' ')
		if m == 0 {
			end = '\n'
		}
		b.Write(append(strconv.AppendInt(b.AvailableBuffer(), int64(m.Dimacs()), 10), end))
	}
}

// A Recorder is a Solver that passes everything on to another one and keeps
// the clauses and what was asked of them, to write them down. The zero
// Recorder passes nothing on: its Solve returns Unknown.
type Recorder struct {
	to      Solver
	f       cnf
	queries []query
}

// A query is a call of Solve.
type query struct {
	after  int // how long the list of clauses was
	assume []Lit
	answer Status
}

// NewRecorder returns a Recorder that passes everything on to s, which must
// be new; nil makes a zero Recorder.
func NewRecorder(s Solver) *Recorder { return &Recorder{to: s} }

// WriteDIMACS writes the clauses added so far, and assume as unit clauses
// after them, in DIMACS format. Variables keep their numbers.
func (r *Recorder) WriteDIMACS(w io.Writer, assume ...Lit) error {
	return r.f.write(w, assume)
}

// WriteTrace writes the clauses added and the queries made so far in their
// order, in the incremental format of Wieringa's tarmo: "p inccnf" at first,
// then clauses as in DIMACS, and lines "a 1 -2 0" that ask to solve under
// assumptions. After each of these a comment tells the answer: "c sat",
// "c unsat" or "c unknown". Traces may follow each other in one file.
func (r *Recorder) WriteTrace(w io.Writer) error {
	b := bufio.NewWriter(w)
	fmt.Fprintln(b, "p inccnf")
	done := 0
	for _, q := range r.queries {
		writeLits(b, r.f.lits[done:q.after])
		done = q.after
		b.WriteString("a ")
		writeLits(b, append(q.assume, 0))
		fmt.Fprintf(b, "c %v\n", q.answer)
	}
	writeLits(b, r.f.lits[done:])
	return b.Flush()
}

// NewVar implements [Solver].
func (r *Recorder) NewVar() Lit {
	if r.to == nil {
		return r.f.newVar()
	}
	m := r.to.NewVar()
	r.f.use(m)
	return m
}

// AddClause implements [Solver].
func (r *Recorder) AddClause(ms ...Lit) {
	r.f.add(ms)
	if r.to != nil {
		r.to.AddClause(ms...)
	}
}

var errRecorder = errors.New("sat: a recorder without a solver decides nothing")

// Solve implements [Solver].
func (r *Recorder) Solve(ctx context.Context, assume ...Lit) (Status, error) {
	r.f.use(assume...)
	status, err := Unknown, errRecorder
	if r.to != nil {
		status, err = r.to.Solve(ctx, assume...)
	}
	r.queries = append(r.queries, query{len(r.f.lits), slices.Clone(assume), status})
	return status, err
}

// Value implements [Solver].
func (r *Recorder) Value(m Lit) bool {
	if r.to == nil {
		return value(nil, m)
	}
	return r.to.Value(m)
}

// Core implements [Solver].
func (r *Recorder) Core(dst []Lit) []Lit {
	if r.to == nil {
		return dst
	}
	return r.to.Core(dst)
}
