package sat

import "errors"

// Options choose how an engine of this package searches. The zero Options
// are those of New.
type Options struct {
	// Seed varies the initial phases, so that luck can be told from gain;
	// zero has none of them random. Equal seeds have equal runs.
	Seed uint64

	// Proof receives a proof while the engine solves; nil means none.
	Proof Proof

	// Limits hold for each Solve until Limit changes them.
	Limits Limits

	// True makes literals true when they are first decided, not false.
	True bool

	// VMTF makes decisions in focused mode by when variables were met in
	// conflicts, not by how often.
	VMTF bool

	// Vivify shortens learned clauses by propagation now and then.
	Vivify bool

	// What is left out of the search.
	NoStable    bool // stable mode: Luby restarts and target phases
	NoPlain     bool // the first turn as MiniSat would search; it is as others in stable mode
	NoFocused   bool // focused mode: restarts by glue
	NoTargets   bool // target phases
	NoRephase   bool // resetting phases
	NoMinimize  bool // minimization of learned clauses
	NoReduce    bool // forgetting learned clauses
	NoReuse     bool // keeping the trail between queries and restarts
	NoEliminate bool // elimination of variables
	NoSubsume   bool // subsumption before it
}

// New returns an empty engine that searches as o says.
func (o Options) New() Solver { return newEngine(o) }

// New returns an empty solver: the engine of this package. It is
// deterministic, has no goroutine, and looks at its context every few
// thousand steps: within a few milliseconds, and within some hundredths of a
// second on formulas of a million clauses, which are laid out and simplified as a
// whole. It implements Counted and Limited.
func New() Solver { return newEngine(Options{}) }

// Limits end a Solve in counted steps, so that it ends at the same point on
// every machine. Zero means no limit.
type Limits struct {
	Conflicts    int64
	Propagations int64
	Ticks        int64
	Memory       int64 // bytes of clauses and watches, about
}

// ErrLimit is the error of a Solve that one of the Limits ended.
var ErrLimit = errors.New("sat: limit reached")

// Limited is what a Solver implements that has limits in counted steps.
type Limited interface {
	// Limit sets the limits of each later Solve.
	Limit(Limits)
}

// Steps counts what a Solver did since it was made. A tick is about one
// access to memory that is not near, the unit of time that repeats exactly.
type Steps struct{ Conflicts, Decisions, Propagations, Ticks int64 }

// Counted is what a Solver implements that counts its steps.
type Counted interface {
	Steps() Steps
	// Stats returns how often each technique of the engine did something,
	// in a fixed order.
	Stats() []Stat
}

// A Stat is a counter of an engine.
type Stat struct {
	Name  string
	Count int64
}
