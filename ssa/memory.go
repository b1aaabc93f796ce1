package ssa

import (
	"github.com/go-amend/amend/formula"
	"github.com/go-amend/amend/ir"
)

// A memory says what it means that the builder reads and writes a variable. In
// a sequential program its cells are all there is: [private]. In one with
// threads some are shared, and an access of these is an event: [recorder].
type memory interface {
	next(s ir.Stmt) // s is executed next
	began()         // the expressions of a statement are translated next
	ended()         // the entry has ended

	// shares reports whether reading or writing w is an event of its own:
	// sharedValue returns the value of e, which names such a w, and storing
	// executes body, which stores in such a w.
	shares(w view) bool
	sharedValue(e ir.Expr, w view) formula.Term
	storing(w view, body func())

	// fetch is called before cell k is read or written.
	fetch(k int)

	// update makes x the new version of cell k where when holds.
	update(k int, when, x formula.Term)

	// assumes says that the condition of s, an Assume, has been evaluated.
	assumes(s ir.Stmt)

	// stop notes that runs for which cond holds stop here, and here returns
	// what has to hold for a run to get here besides the branches around.
	stop(cond formula.Term)
	here() formula.Term

	// silent says that nothing gets a name now. violations is where those of
	// checks go that are no claims now; nil if all are.
	silent() bool
	violations() *[]formula.Term

	// events reports whether the current statement has had events, and
	// demanded notes that the one that e took, if any, happens only where d
	// holds.
	events() bool
	demanded(e ir.Expr, d formula.Term)

	// position returns how many events the thread has had, and whether more can
	// follow here. mayIdle reports whether a round since one of them is worth a
	// question, and harmless whether its events are: see recorder. waits says that
	// some rounds change nothing.
	position() (int, bool)
	mayIdle(from int) bool
	waits()
	harmless(from, cells int) formula.Term

	// concurrent executes a statement about threads. It reports false where
	// there are none.
	concurrent(s ir.Stmt) bool

	self() int                         // the number of the thread
	hasEnded(e *ir.Ended) formula.Term // the value of e
	wakes(x formula.Term)              // x says that a thread wakes up without a signal
}

// private is the memory of a sequential program.
type private struct{ b *builder }

func (private) next(ir.Stmt)                           {}
func (private) began()                                 {}
func (private) ended()                                 {}
func (private) shares(view) bool                       { return false }
func (private) sharedValue(ir.Expr, view) formula.Term { panic("ssa: nothing is shared") }
func (private) storing(view, func())                   { panic("ssa: nothing is shared") }
func (private) fetch(int)                              {}
func (m private) update(k int, when, x formula.Term)   { m.b.set(k, m.b.choose(when, x, k)) }
func (private) assumes(ir.Stmt)                        {}
func (private) stop(formula.Term)                      {}
func (m private) here() formula.Term                   { return m.b.True() }
func (private) silent() bool                           { return false }
func (private) violations() *[]formula.Term            { return nil }
func (private) events() bool                           { return false }
func (private) demanded(ir.Expr, formula.Term)         {}
func (private) position() (int, bool)                  { return 0, true }
func (private) mayIdle(int) bool                       { return true }
func (m private) waits()                               { m.b.form.Idle = true }
func (m private) harmless(int, int) formula.Term       { return m.b.True() }
func (private) concurrent(ir.Stmt) bool                { return false }
func (private) self() int                              { return 0 }
func (m private) hasEnded(*ir.Ended) formula.Term      { return m.b.False() }
func (private) wakes(formula.Term)                     {}
