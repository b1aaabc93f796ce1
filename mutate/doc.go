// Package mutate finds all minimal repairs of a program in a repair scheme.
//
// A scheme is a list of operators ([Operator]), each of which says what may
// take the place of an expression. [Repairs] searches the programs that
// differ from the given one by at most MaxSize such changes and yields the
// repairs: smallest first, each once, none that contains another, each
// proved. When the sequence ends without an error, there are no others.
//
// The search is Algorithm AllRepair of Rothenberg and Grumberg ("Sound and
// Complete Mutation-Based Program Repair", FM 2016; Figure 3.4 of
// Rothenberg's thesis), by default with the pruning of FL-AllRepair
// ("Must Fault Localization for Program Repair", CAV 2020; Figure 5.4).
//
// # What a repair is
//
// A set of changes is a repair if (a) no bounded run of the changed program
// violates an assertion, and (b) on every input on which the original's run
// ended within the bound, by a violation or normally, the changed program,
// allowed Slack more executions of each loop body, ends too, violates
// nothing, and passes every assumption that the original's run passed.
// Without (b) a change that makes a loop run away, or an assumption false,
// hides the failure; AllRepair reports such changes, and Config.AllowCuts
// does.
//
// # Why the search is complete
//
// Candidates come from a SAT solver in growing size. A repair blocks all
// candidates that contain it, and only those: they are not minimal. A
// candidate that fails on some input blocks those that agree with it on a
// must location set of that failing run: they fail on the same input
// (Theorem 3). This holds for (b) as well as for (a): what is sliced then
// is the proposition that the changed program's run is cut, stopped or
// violated. A candidate that fails only (b) doesn't block its supersets.
//
// # What is proved
//
// A repair is not yielded before it was written into the source text,
// parsed again, and (a) and (b) were solved from scratch by a fresh solver.
package mutate
