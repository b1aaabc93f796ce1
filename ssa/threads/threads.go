// Package threads holds what ssa.BuildThreads says of programs with threads: of
// each thread by itself, which events it has, what these read from shared memory,
// as names, and what they write there.
//
// It is for package sequentialize, which says for every schedule which write a
// read sees, and for who encodes schedules in another way.
package threads

import (
	"slices"

	"github.com/go-amend/amend/formula"
	"github.com/go-amend/amend/ir"
)

// A Program is what the threads of a program do, each by itself, over the terms
// of a constraint set.
type Program struct {
	Threads []Thread // by number; the entry first
	Memory  []Shared
	Stops   []Stop

	// Waits says that some of Stops end runs that go round in a loop without an
	// effect.
	Waits bool
}

// A Thread is one thread within the bounds. Every copy of a Spawn has its
// own, which may never be started.
type Thread struct {
	Path    ir.Path // of its statements
	Spawner int     // the thread that starts it; 0 for the entry too
	Spawn   int     // the event of the spawner that does
	Events  []Event
	Done    formula.Term // it ends, if it passes its last event
}

// Shared is a scalar of shared memory: one with events.
type Shared struct {
	Var   *ir.Var
	Elem  int          // flat index
	Width int          // in bits, which hold all its values, without sign
	Start formula.Term // its value before the first event
	Queue bool         // it is a mutex or a condition
}

// An Event is one copy of what a thread does without a switch to another
// thread in between.
type Event struct {
	Kind  EventKind
	Stmt  ir.Stmt // nil for Start and Return
	Path  ir.Path
	Loc   ir.LocID     // the location that decides Enabled; 0 for none
	Label ir.Choice    // names the event; Round is 0
	Guard formula.Term // the thread gets to it; elsewhere it is skipped
	OK    formula.Term // the assumptions before it hold
	Live  formula.Term // other threads may move before it

	// Enabled is the proposition that it can happen, over the names in
	// Reads and Status. 0: it always can. Holder is 1 plus the number of
	// the thread that has to move first, if it can't, or 0.
	Enabled, Holder formula.Term

	// Held are the mutexes, indices into Memory, that the thread has taken and
	// not freed: it holds them, unless some event frees what its thread has
	// not taken, which is a violation only if locks are checked. Mutex is 1
	// plus the index of the mutex that a Lock, Unlock or Wait is about, or 0.
	// Alone says that all other threads have ended.
	Held         []int
	Mutex        int
	Lock, Unlock bool // it takes or frees Mutex
	Alone        bool

	// Cell is the index into Memory, of 32 bits, of the scalar that a read
	// or write is about; 0 in other events. Valid is the proposition that
	// its indices are in bounds.
	Cell, Valid formula.Term

	Passed formula.Term // a name: it has happened, or was skipped
	Reads  []Read
	Status []Status
	Writes []Write
}

// EventKind says what an Event is.
type EventKind uint8

const (
	EventRead   EventKind = iota // of one scalar
	EventWrite                   // of one scalar, or of a whole array by Havoc
	EventAtomic                  // and what waits
	EventAssume                  // an assumption, once its condition is known
	EventSpawn
	EventStart  // of a thread
	EventReturn // of the entry
)

// A Read says that Name is the value of a cell of memory before the event.
type Read struct {
	Cell int
	Name formula.Term
}

// A Write says that the event stores Value in a cell where When holds.
type Write struct {
	Cell        int
	When, Value formula.Term
}

// Status says that Name is a fact about other threads before the event.
type Status struct {
	Kind   StatusKind
	Thread formula.Term // the number of a thread, of 64 bits
	Name   formula.Term
}

// StatusKind says what a Status is about.
type StatusKind uint8

const (
	HasEnded   StatusKind = iota // the thread was started and has ended
	HasStarted                   // it was started
	AllEnded                     // all others that were started have ended
)

// A Stop says that the run stops, by an assumption or a cut, right after an
// event of a thread (-1: before the first) was passed, where When holds.
type Stop struct {
	Thread, Event int
	When          formula.Term
}

// Mutexes reports, by index into Memory, what is only ever taken and freed, in
// pairs: nobody tries to take it, or accesses it by an index that is not known.
func (p *Program) Mutexes() []bool {
	out := make([]bool, len(p.Memory))
	for m := range out {
		out[m] = true
	}
	for i := range p.Threads {
		for k := range p.Threads[i].Events {
			ev := &p.Threads[i].Events[k]
			for _, x := range ev.Reads {
				out[x.Cell] = out[x.Cell] && ev.pairs(x.Cell)
			}
			for _, x := range ev.Writes {
				out[x.Cell] = out[x.Cell] && ev.pairs(x.Cell)
			}
		}
	}
	return out
}

// pairs reports whether ev takes cell m, or frees it and has taken it.
func (ev *Event) pairs(m int) bool {
	return ev.Mutex == m+1 && (!ev.Unlock || slices.Contains(ev.Held, m))
}
