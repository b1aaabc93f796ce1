// Package sat decides sets of clauses through a small interface.
//
// Everything else in the module talks to a SAT engine through [Solver],
// whose five methods every incremental engine can honour. [NewGini] returns
// the default engine, pure Go; [NewExternal] runs any competition-style
// binary instead; a [Recorder] writes down what passes through it. On top
// of the interface, for any engine: [AtMostOne], [ExactlyOne], [Totalizer]
// (at most k), [MinCore] and [MaxSat]. Package formula translates terms to
// clauses.
//
// There is no limit in counted steps: gini has none, and what it can be
// asked from outside doesn't repeat exactly.
//
// Names in this package: m literal, s and e solver, v variable.
package sat
