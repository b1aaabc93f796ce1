package interp

import (
	"context"

	"github.com/go-amend/amend/ir"
)

// DefaultSteps is the step limit where Config.MaxSteps is 0.
const DefaultSteps = 1_000_000

// maxDepth is the number of activations that may be on the stack: far fewer
// than the host's stack would hold.
const maxDepth = 10_000

// Config says what a run reads and how long it may take.
type Config struct {
	// Input returns the bits of a free value; those above its width are
	// ignored. It is called once for each choice that the run reads. Nil:
	// all are 0.
	Input func(ir.Choice) uint64

	// Used, if not nil, is told each choice when Input.Used becomes true.
	Used func(ir.Choice)

	// Unwind is the number of executions of each loop body per entry of
	// its loop, and of recursive activations nested in a procedure's own.
	// 0 executes no loop body. Negative: no limit.
	Unwind int

	// Loops overrides Unwind for the loops with these Keys.
	Loops map[ir.LocID]int

	// MaxSteps limits the statements and loop tests executed; 0 means
	// DefaultSteps, negative no limit.
	MaxSteps int

	// NoSteps leaves Trace.Steps and Trace.Events empty, which saves time
	// and memory.
	NoSteps bool

	// Final asks for Trace.Final.
	Final bool

	// Accelerate makes rounds of loops that only add constants to variables
	// at once, after the first ones. They leave no steps and don't count for
	// MaxSteps and Trace.Length; all else is the same.
	Accelerate bool

	// PassOver goes on after assertions of the programmer that are false.
	PassOver bool

	// Scratch, if not nil, is what runs that follow one another use for storage.
	Scratch *Scratch

	// Endless ends a run without threads that was long when a loop gets to a
	// state in which it was before, having read nothing from outside in between: it
	// never ends. Some such runs are not recognized.
	Endless bool

	// Schedule numbers threads and says how they take turns; if it is nil,
	// threads are numbered as they are started. A turn ends before its event
	// Until, and where its thread has ended or waits: so a schedule can be
	// played on any program, on its own to the same end. After the last turn
	// each thread moves as far as it can, in rounds by number.
	Schedule *ir.Schedule

	// Scheduler, if not nil, says instead of Schedule how threads take turns.
	// It returns the thread that does the next event, one of those that can,
	// which are given in increasing order and which it must not keep; another
	// number ends the run. Next returns what one of them would do.
	Scheduler func(can []int, next func(thread int) Event) int

	// Memory is the memory model. Under ir.TSO and ir.PSO a Scheduler is also
	// given negative numbers, first: each stands for a write in a buffer that can
	// reach memory, by the number of its place among them, -1 the first. Without
	// one, and after the last turn of a Schedule, writes reach memory at once.
	Memory ir.Memory

	// Value, if not nil, may say what e computes on a path instead of what
	// its operands do, which are then not evaluated. It is asked about the
	// right-hand sides, indices, conditions, arguments and results of
	// statements.
	Value func(e ir.Expr, at ir.Path) (v uint64, ok bool)
}

// A Scratch saves the host's garbage collector the storage of one run after
// another. It serves one run at a time.
type Scratch struct {
	vars           []place
	globals, cells []cell
}

// Outcome is how a run ended.
type Outcome uint8

const (
	Unfinished Outcome = iota // the error of Run says why
	Ended                     // normally
	Violated                  // an assertion or check was false
	Blocked                   // an assumption was false
	Cut                       // it went beyond Unwind, or an Alloc beyond its type
	OutOfSteps                // it went beyond MaxSteps, or 10,000 nested calls
	Stuck                     // no thread can move, and deadlocks are not checked
	Paused                    // Scheduler ended it
	Endless                   // it never ends: see Config.Endless
)

var outcomes = [...]string{"unfinished", "ended", "violated", "blocked", "cut", "out of steps", "stuck", "paused", "endless"}

func (o Outcome) String() string { return outcomes[o] }

// A Step is a value that a run computed: what an Assign, a Havoc of a
// scalar, a Return or a Call stored (in bounds or not), or the condition of
// an If or Loop.
type Step struct {
	At     ir.LocID // Key of the statement
	Path   ir.Path
	Value  uint64
	Thread int
	Events int // that came before it
}

// An Event is what a thread does without a switch to another: a read or
// write of shared memory, the start of a thread, a Spawn, a Join, an Atomic,
// or the end of the entry, which ends the run.
type Event struct {
	Thread int
	Stmt   ir.Stmt // nil for the start of a thread and the end of the entry
	Path   ir.Path
	Var    *ir.Var // that is read or written, or nil
	Elem   int     // its flat index
	Write  bool    // of Var
	Value  uint64  // of Var, after the event, or of Expr
	Expr   ir.Expr // what an event that reads evaluates: a Use, Index or Ended

	// Waits says, of an event that has not happened, that it could not.
	Waits bool

	// Drain says that what the thread wrote, in the event that has these
	// fields too but for this one, reaches memory: see Config.Memory.
	Drain bool

	part int32 // of several that Stmt does by itself
}

// An Input is a choice that a run read.
type Input struct {
	Choice ir.Choice
	Type   ir.Type // scalar
	Value  uint64

	// Used says that the run did more with the value than to move it from
	// variable to variable. If it didn't, another value would have changed
	// nothing but what those variables hold.
	Used bool
}

// A Trace is what a run did.
type Trace struct {
	Outcome Outcome
	Steps   []Step  // in order
	Inputs  []Input // in the order in which they were first read

	// Results are the values of the entry's results, if the run Ended.
	Results []uint64

	// Final are the values then of the variables that Program.Visible lists, if
	// Config.Final is set, elements one by one. One that was never given a value
	// counts as read.
	Final []uint64

	// Failed is the statement that ended the run, nil if it Ended; Path is
	// that of its copy.
	Failed ir.Stmt
	Path   ir.Path

	// Rounds holds, by Key of each loop, the most executions of its body
	// for one entry of the loop, and Depth the most recursive activations
	// nested in a procedure's own: with these for Loops and Unwind the same
	// run is not cut.
	Rounds map[ir.LocID]int
	Depth  int

	// Length is how many statements and loop tests were executed, as for MaxSteps.
	Length int

	// Thread is the number of the thread that Failed belongs to.
	Thread int

	// Events are those of a program with threads, from its first Spawn on,
	// in order. If the run ended before its threads did, Next holds the
	// events that they would do next, by thread. It holds none after what a
	// thread does by itself: a violation, an assumption, a cut.
	Events []Event
	Next   []Event

	// Threads are the paths of threads by number, those of Config.Schedule
	// first. Those of the schedule may not have been started.
	Threads []ir.Path

	ahead []Event // what other threads would do next, however the run ended

	// Kind and Site say which check of Failed was violated. Site is 0 for
	// an assertion, and for an operation that is no site.
	Kind ir.Kind
	Site ir.SiteID
}

// Run executes p, which must be well-formed. It takes time linear in the
// steps, and memory linear in the steps and the depth of calls.
//
// The error is the cause of ctx's end; the trace then holds what happened
// before.
func Run(ctx context.Context, p *ir.Program, cfg Config) (t *Trace, err error) {
	switch {
	case cfg.MaxSteps == 0:
		cfg.MaxSteps = DefaultSteps
	case cfg.MaxSteps < 0:
		cfg.MaxSteps = int(^uint(0) >> 1)
	}
	if ctx.Err() != nil {
		return &Trace{}, context.Cause(ctx)
	}
	m := newMachine(p, cfg)
	m.ctx, m.single = ctx, !ir.Concurrent(p)
	defer func() {
		switch r := recover().(type) {
		case nil:
		case stop:
			t, err = m.trace, r.err
		default:
			panic(r)
		}
	}()
	defer m.release()
	defer func() {
		m.trace.Length = m.steps
		m.scratch.globals, m.scratch.cells = m.globals, m.cells
	}()
	m.start()
	return m.trace, nil
}

// stop ends a run from the inside.
type stop struct{ err error }
