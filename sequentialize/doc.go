// Package sequentialize turns programs with threads into constraint sets and
// programs without.
//
// [Encode] makes one constraint set, the same type that package ssa builds,
// over all schedules of up to a number of rounds; so packages slice and
// mutate work on it unchanged (a [Config] is a bmc.Semantics). [Check] looks
// for a failing run by few rounds and then by all schedules, and replays what
// it finds on package interp. [Corrections] says which single location could have avoided
// a failure, by which value. [Replay] returns the sequential program of one run.
//
// # Schedules
//
// Memory is sequentially consistent, but for Check with a [Config].Memory; each read and each write of a shared
// variable is an event of its own (see package interp). A round visits the
// entry, then the threads by number, each for any number of events; after
// the last round the entry is visited once more.
//
// A schedule is a value, [ir.Schedule]: who moves up to which event, named by
// its place. It replays a run with the run's inputs alone, and has a meaning on
// changed programs. In a model of a constraint set it is a part of the input,
// by round and event; [Rounds] plays that.
//
// # Encoding
//
// It follows Lazy-PO: each thread's static single assignment form exists
// once (ssa.BuildThreads), and the rounds are put on top. For each event and
// round a proposition says that the event happens then: the thread has
// passed the event before it, the run is still alive, the event's guard
// holds in the memory of that moment, and the thread does not choose to stop
// before it. For each shared scalar there is a chain of versions, in the
// order of round, thread and event; a read sees the version before it. So
// the set grows linearly with rounds: by events and writes, not by the
// program.
//
// Each number of rounds has a formula of its own: what ends a schedule is
// about the last one. Building takes milliseconds.
//
// A departure: Lazy-PO has a bound for each thread and round and
// constraints on them. Here the choices to stop are free inputs, and every
// input is a run, which ends where the threads stop: what slices, repairs
// and concrete evaluation need.
//
// # Loops that wait
//
// Check leaves out runs in which a loop of a thread goes round without an effect
// (ssa.Config.NoIdle): without that round each violates what it violated. So a
// loop that only waits for others needs no bound, and Complete may hold where a
// thread can wait for ever.
//
// # All schedules
//
// Check has a second encoding, without rounds: a literal for each two blocks of
// different threads says which comes first (orders.go). The blocks are those
// of rounds: an event with the left movers after it, so that a section that a
// mutex protects is one mostly. The size grows with the square of their number, and
// with the cube where three threads or more are long; what is too large is
// left to rounds. A failing run is an order of events, which the interpreter
// plays, and which is said in as many rounds as it takes.
//
// Under [ir.TSO] and [ir.PSO] what is in the order is the moment in which a write reaches
// memory, a drain (buffers.go). Rounds have none: all schedules are covered, or
// nothing is said, and a failing run has no rounds. Fences are events: an
// ir.Atomic, if it does nothing else an empty one.
//
// Deadlocks and races are claims about the state in which a schedule ends.
// As each reachable state ends some schedule, none is missed. Waiting is no
// assumption, so it doesn't hide them; and one formula answers all.
package sequentialize
