package lrat

// Writing proofs as text, for other checkers.

import (
	"bufio"
	"fmt"
	"io"
	"strconv"

	"github.com/go-amend/amend/formula/sat"
)

// A Writer is a [sat.Proof] that writes text. What went wrong is kept for
// Flush.
type Writer struct {
	w   *bufio.Writer
	err error

	// LRAT numbers given clauses from 1, in their order, and learned ones
	// above all given. DRAT has no numbers, and deletes by the literals.
	drat   bool
	room   int                  // how many clauses may be given, for LRAT
	inputs int                  // given so far
	number []uint64             // in the text, by number of the proof, for LRAT
	lits   map[uint64][]sat.Lit // of clauses that are there, for DRAT
}

// NewWriter returns a Writer of LRAT text for a formula of so many clauses, as
// its DIMACS file has them. Clauses must not be given after one was learned
// that needs more.
func NewWriter(w io.Writer, clauses int) *Writer {
	return &Writer{w: bufio.NewWriterSize(w, 1<<16), room: clauses}
}

// NewDRATWriter returns a Writer of DRAT text. It keeps the clauses that are
// there, for their deletion. Unit clauses are not deleted: checkers differ in
// what that means.
func NewDRATWriter(w io.Writer) *Writer {
	return &Writer{w: bufio.NewWriterSize(w, 1<<16), drat: true, lits: make(map[uint64][]sat.Lit)}
}

// Flush writes what is left, and returns the first error of all writes.
func (t *Writer) Flush() error {
	err := t.w.Flush() // has the first error of all before
	if t.err == nil {
		t.err = err
	}
	return t.err
}

// Input implements [sat.Proof].
func (t *Writer) Input(id uint64, clause []sat.Lit) {
	if t.inputs++; t.drat {
		t.lits[id] = append([]sat.Lit(nil), clause...)
		return
	}
	if t.inputs > t.room && t.err == nil {
		t.err = fmt.Errorf("lrat: more than the %d clauses that were announced", t.room)
	}
	t.name(id, uint64(t.inputs))
}

// name says which number clause id has in the text.
func (t *Writer) name(id, number uint64) {
	for uint64(len(t.number)) <= id {
		t.number = append(t.number, 0)
	}
	t.number[id] = number
}

// Learn implements [sat.Proof].
func (t *Writer) Learn(id uint64, clause []sat.Lit, hints []uint64) {
	if t.drat {
		t.lits[id] = append([]sat.Lit(nil), clause...)
		t.clause(clause)
		t.w.WriteByte('\n')
		return
	}
	number := uint64(t.room) + id // above all given, and rising
	t.name(id, number)
	t.uint(number)
	t.clause(clause)
	t.w.WriteByte(' ')
	t.numbers(hints)
}

// Delete implements [sat.Proof].
func (t *Writer) Delete(ids ...uint64) {
	if t.drat {
		for _, id := range ids {
			if c := t.lits[id]; len(c) > 1 {
				t.w.WriteString("d ")
				t.clause(c)
				t.w.WriteByte('\n')
			}
			delete(t.lits, id)
		}
		return
	}
	if len(t.number) == 0 {
		return
	}
	t.uint(uint64(t.room) + uint64(len(t.number)) - 1) // of the last clause
	t.w.WriteString("d ")
	t.numbers(ids)
}

// clause writes literals and a zero.
func (t *Writer) clause(ms []sat.Lit) {
	for _, m := range ms {
		t.w.Write(append(strconv.AppendInt(t.w.AvailableBuffer(), int64(m.Dimacs()), 10), ' '))
	}
	t.w.WriteByte('0')
}

// numbers writes the numbers of ids in the text, a zero and the line's end.
func (t *Writer) numbers(ids []uint64) {
	for _, id := range ids {
		if id < uint64(len(t.number)) {
			t.uint(t.number[id])
		}
	}
	t.w.WriteString("0\n")
}

func (t *Writer) uint(n uint64) {
	t.w.Write(append(strconv.AppendUint(t.w.AvailableBuffer(), n, 10), ' '))
}
