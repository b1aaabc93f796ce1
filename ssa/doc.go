// Package ssa translates bounded runs of a program to a constraint set.
//
// [Build] inlines calls, unwinds loops and recursion up to a bound, and
// gives every variable a new version at each assignment (static single
// assignment). The resulting [Form] holds the constraint set of Rothenberg
// and Grumberg (CAV 2020, section 3.2; Figure 3.2 of Rothenberg's thesis),
// split by what a constraint encodes:
//
//   - assign: a [Def] with an Origin, the location that computes Value;
//   - phi: a Def with Phi set, which chooses between two versions where
//     branches meet;
//   - demand: the claims. A [Claim] is violated where its Guard (reached,
//     all earlier assumptions held, not cut) is true and its Cond false.
//
// Definitions come in the order of execution: a Value mentions only names
// defined before it and inputs, the free choices of a run. The constraint
// set of a program is thus always satisfiable, and a model of
// [Form.Violated] is a failing run, which package interp replays.
//
// Branches merge where they end, not by path conditions: after a jump
// (break, continue, return) the rest of each enclosing block is a branch of
// its own. So the formula grows linearly with the program and the bound,
// and a phi depends on no more than the condition that decides it.
//
// One [Hook] serves localization and repair alike: it sees each copy of
// each site and may offer alternatives for it, chosen by propositions of
// the caller.
//
// A variable lives in cells, one for each scalar of it (cells.go). What else
// an access means is up to the memory (memory.go): of a sequential program
// nothing; of one with threads, shared cells are read and written by events,
// which [BuildThreads] records (record.go, sync.go) for package sequentialize:
// what it says is in ssa/threads.
//
// [NewStepper] translates statements one by one instead, for analyses that
// unwind nothing: see ssa/step.
//
// The package has the name of golang.org/x/tools/go/ssa: a file that imports
// both gives one of them another.
package ssa
