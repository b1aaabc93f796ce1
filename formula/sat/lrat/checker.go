package lrat

// The checker.

import (
	"fmt"
	"slices"

	"github.com/go-amend/amend/formula/sat"
)

// A Checker checks a proof step by step. It implements [sat.Proof]. The zero
// Checker has no clauses. It is not safe for concurrent use.
//
// It is strict: numbers rise, clauses that a step relies on must be there,
// each hint must make exactly one literal true that had no value, and the
// last, and only that one, must be false. A clause that holds a literal and
// its complement needs no hints.
type Checker struct {
	err error

	last    uint64 // the largest number so far
	clauses []span // by number; of those given or learned and not deleted
	lits    []sat.Lit
	dead    int // literals of deleted clauses in lits

	value []bool    // by literal: it is true
	trail []sat.Lit // true literals, of this step

	concluded bool      // a clause was learned, or the empty one given
	end       []sat.Lit // the last clause learned; stays empty once it is

	steps Steps
}

// Steps counts the steps of a proof.
type Steps struct{ Inputs, Learned, Deleted, Hints int64 }

// A span is where the literals of a clause are.
type span struct {
	start int
	size  int32 // -1: there is no such clause
}

// Err returns what is wrong with the proof: nil if each step so far follows.
func (c *Checker) Err() error { return c.err }

// Steps returns how many steps were checked.
func (c *Checker) Steps() Steps { return c.steps }

func (c *Checker) failf(id uint64, format string, args ...any) {
	if c.err == nil {
		c.err = fmt.Errorf("lrat: clause %d: %s", id, fmt.Sprintf(format, args...))
	}
}

// Input implements [sat.Proof].
func (c *Checker) Input(id uint64, clause []sat.Lit) {
	if c.err != nil || !c.add(id, clause) {
		return
	}
	c.steps.Inputs++
	if len(clause) == 0 {
		c.conclude(nil)
	}
}

// Learn implements [sat.Proof].
func (c *Checker) Learn(id uint64, clause []sat.Lit, hints []uint64) {
	if c.err != nil || !c.follows(id, clause, hints) || !c.add(id, clause) {
		return
	}
	c.steps.Learned++
	c.steps.Hints += int64(len(hints))
	c.conclude(clause)
}

// Delete implements [sat.Proof].
func (c *Checker) Delete(ids ...uint64) {
	for _, id := range ids {
		if c.err != nil {
			return
		}
		s, ok := c.span(id)
		if !ok {
			c.failf(id, "deleted, but not there")
			return
		}
		c.dead += int(s.size)
		c.clauses[id].size = -1
		c.steps.Deleted++
	}
	// compact looks at the table and at the literals, and is paid for by dead.
	if c.dead > len(c.clauses)+len(c.lits)/2+1<<16 {
		c.compact()
	}
}

// Refuted returns nil if it is proved that not all of core hold: if the empty
// clause follows, or the last clause learned holds nothing but complements of
// literals in core. Clauses that are given afterwards do not change that.
func (c *Checker) Refuted(core []sat.Lit) error {
	switch {
	case c.err != nil:
		return c.err
	case !c.concluded:
		return fmt.Errorf("lrat: nothing is proved")
	}
	for _, m := range c.end {
		if !slices.Contains(core, m.Not()) {
			return fmt.Errorf("lrat: the last clause has %d, which is not assumed to be false", m.Dimacs())
		}
	}
	return nil
}

// conclude notes that clause follows.
func (c *Checker) conclude(clause []sat.Lit) {
	if c.concluded && len(c.end) == 0 {
		return
	}
	c.concluded = true
	c.end = append(c.end[:0], clause...)
}

// span returns where clause id is.
func (c *Checker) span(id uint64) (span, bool) {
	if id == 0 || id >= uint64(len(c.clauses)) {
		return span{}, false
	}
	s := c.clauses[id]
	return s, s.size >= 0
}

// gap is how many numbers may be left out between two clauses: the table of
// clauses has room for all.
const gap = 1 << 24

// add keeps a clause.
func (c *Checker) add(id uint64, clause []sat.Lit) bool {
	switch {
	case id <= c.last:
		c.failf(id, "after clause %d", c.last)
		return false
	case id-c.last > gap:
		c.failf(id, "right after clause %d", c.last)
		return false
	}
	for _, m := range clause {
		if !c.know(m) {
			c.failf(id, "%d is no literal", uint32(m))
			return false
		}
	}
	c.last = id
	for uint64(len(c.clauses)) < id {
		c.clauses = append(c.clauses, span{size: -1})
	}
	c.clauses = append(c.clauses, span{len(c.lits), int32(len(clause))})
	c.lits = append(c.lits, clause...)
	return true
}

// maxLit bounds the table of values. Package sat has no larger literals.
const maxLit = 1<<30 - 1

// know makes room for the value of m.
func (c *Checker) know(m sat.Lit) bool {
	if m < 2 || m > maxLit {
		return false
	}
	if n := int(m|1) + 1; n > len(c.value) {
		c.value = append(c.value, make([]bool, n+n/4-len(c.value))...)
	}
	return true
}

// follows tells whether clause follows by its hints.
func (c *Checker) follows(id uint64, clause []sat.Lit, hints []uint64) bool {
	defer c.undo()
	for _, m := range clause {
		switch {
		case !c.know(m):
			c.failf(id, "%d is no literal", uint32(m))
			return false
		case c.value[m]: // and its complement is in the clause
			return true
		case !c.value[m.Not()]:
			c.assign(m.Not())
		}
	}
	for i, hint := range hints {
		conflict, ok := c.propagate(id, hint)
		switch {
		case !ok:
			return false
		case conflict && i < len(hints)-1:
			c.failf(id, "hint %d is false, but not the last", hint)
			return false
		case conflict:
			return true
		}
	}
	c.failf(id, "no hint is false")
	return false
}

// propagate makes the literal true that hint leaves. It returns whether it
// leaves none.
func (c *Checker) propagate(id, hint uint64) (conflict, ok bool) {
	s, ok := c.span(hint)
	if !ok {
		c.failf(id, "there is no clause %d", hint)
		return false, false
	}
	left := sat.Lit(0)
	for _, m := range c.lits[s.start : s.start+int(s.size)] {
		switch {
		case c.value[m]:
			c.failf(id, "hint %d holds already", hint)
			return false, false
		case c.value[m.Not()] || m == left:
		case left != 0:
			c.failf(id, "hint %d leaves more than one literal", hint)
			return false, false
		default:
			left = m
		}
	}
	if left == 0 {
		return true, true
	}
	c.assign(left)
	return false, true
}

func (c *Checker) assign(m sat.Lit) {
	c.value[m] = true
	c.trail = append(c.trail, m)
}

func (c *Checker) undo() {
	for _, m := range c.trail {
		c.value[m] = false
	}
	c.trail = c.trail[:0]
}

// compact moves the clauses together.
func (c *Checker) compact() {
	n := 0
	for i := range c.clauses {
		s := &c.clauses[i]
		if s.size >= 0 {
			copy(c.lits[n:], c.lits[s.start:s.start+int(s.size)])
			s.start = n
			n += int(s.size)
		}
	}
	c.lits, c.dead = c.lits[:n], 0
}
