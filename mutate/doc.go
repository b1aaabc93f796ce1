// Package mutate finds all minimal repairs of a program in a repair scheme.
//
// A scheme is a list of operators ([Operator]), each of which says what may
// take the place of an expression; package mutate/scheme has some. [Repairs]
// searches the programs that differ from the given one by at most MaxSize such
// changes and yields the repairs: smallest first, each once, none that contains another, each
// proved. When the sequence ends without an error, there are no others.
//
// The search is that of AllRepair (Rothenberg and Grumberg, "Sound and
// Complete Mutation-Based Program Repair", FM 2016; Figure 3.4 of
// Rothenberg's thesis): a SAT solver with cardinality constraints proposes
// candidates in growing size, a second one proves or refutes them. The modes
// differ in what a refuted candidate teaches. In mode [Basic] nothing but
// itself (AllRepair); in mode [Slice] that all candidates fail that agree
// with it on a must location set (FL-AllRepair, "Must Fault Localization for
// Program Repair", CAV 2020; Figure 5.4); in mode [Learn], the default, all
// that can be learned from its failing input.
//
// That loop, which knows nothing of programs, is package mutate/cegis. Here are
// the space of a program and the oracle that decides its candidates, in the
// order in which a candidate travels:
//
//	search.go               what is asked: Config, and what is answered
//	operator.go, hole.go    what an operator says; plugin.go looks at it
//	instrument.go           edit slots for changes of statements; slots.go those
//	                        of plans, between the statements of blocks.go
//	space.go, joint.go      the alternatives behind selectors; effects.go says
//	                        which can be written
//	run.go                  one search, with package cegis
//	sole.go                 candidates of a program without inputs, by their run
//	whole.go                candidates that Config.Decide decides, whole programs
//	oracle.go               what that asks: refute.go refutes a candidate,
//	                        completion.go where it hides runs, demands.go where
//	                        it changes how threads wait, keep.go on given inputs
//	learn.go                the constraint that a failing run is to others
//	certify.go, patch.go    the text of a repair, read back and decided anew
//	prove.go, interval.go   what is beyond the bound, or around a value
//	rank.go                 the order of the repairs of one size
//
// Words, besides those of packages ir, ssa and cegis:
//
//	alternative   what an operator puts in the place of a site: a mutant of it
//	candidate     a set of alternatives, with values for their holes
//	hole          an unknown constant of an alternative, as in sketches
//	edit slot     an optional statement that the program has room for
//	instrumented  with edit slots; with alternatives behind selectors
//	unsafe        of a candidate: a run violates an assertion, which is not (a)
//	not preserving  a run that ended is now cut, stopped or violated: not (b)
//	constraint    what all candidates must satisfy, since one failed on an input
//	must set      locations of which a change is needed: see package slice
//
// # What a repair is
//
// A set of changes is a repair if (a) no bounded run of the changed program
// violates an assertion, and (b) on every input on which the original's run
// ended within the bound, by a violation or normally, the changed program,
// allowed Slack more executions of each loop body, violates nothing, passes
// every assumption that the original's run passed, and ends too, or would end
// had the choices been others that the original's run had not made yet.
// Without (b) a change that makes a loop run away, or an assumption false,
// hides the failure; AllRepair reports such changes, and Config.AllowCuts
// does. A program that reads no input has one run, of which the steps are bounded,
// and not the loops, unless Config.Slack is given. If an alternative has holes, a
// repair says what is in them; changes
// that differ in that alone are one, reported with the simplest values, and
// so are two that come to the same expression then.
//
// The last part of (b), in full: call an input I' a completion of I if both
// agree on what the original's run on I chose before it ended. The original
// does the same on all completions. For each I on which it ends there must be
// a completion on which the changed program is not stopped at any assumption;
// if it chose all there is to choose, that is I itself. So a repair may go on
// to read inputs and assume something of them, as programs do, but may not
// replace a failure by an assumption that is false whatever comes later. What
// a run has chosen: the parameters of the entry; what was not initialized in
// the procedures it entered; and what the statements it executed choose, all
// operands of a statement together, before its checks.
//
// That asks for each input whether there is a completion, and is answered by
// a loop. The solver is asked for an input that is stopped on all completions
// tried so far: that takes what is chosen from the input and the rest from the
// completion. If there is one, it is asked for a completion on which that
// input ends. There is none: then the candidate is refuted. Or there is: then
// it is tried too. A completion does for all inputs that agree with that one
// on what was chosen, so each step settles one such class for good, of which
// there are finitely many; mostly it settles all of them. Completions are
// constants at first, then also at a distance from earlier choices, since of
// what is assumed to equal an input no few constants do.
//
// With threads the part of the schedule that comes after a failure can't be
// told from what comes before it, so none of it counts as chosen: a change is
// refused only if, after the same inputs, no schedule of the bounded rounds
// lets the run end. That is weaker: a change may still hide a failure under
// some schedules.
//
// # Why the search is sound and complete
//
// Sound: a repair is not yielded before it was written into the source
// text, parsed again, and (a) and (b) were solved from scratch by a fresh
// solver.
//
// Complete: a candidate is blocked for one of three reasons, and none of
// them blocks a minimal repair. It contains a repair that was found: then
// it isn't minimal. It agrees with a refuted candidate on a must location
// set of that one's failing run: then it fails on the same input (Theorem
// 3 of the thesis; for (b) as well as for (a), since what is sliced then is
// the proposition that the changed program's run is cut, stopped or
// violated). Or its run on a failing input is not good, which is what mode
// Learn asserts: for an input I, let G(I) be the formula of the program
// with all alternatives behind selectors, its choices fixed to I, that says
// that the run violates nothing and, if the original's run on I ends, that
// (b) holds for I. G(I) has only selectors and holes as variables, and is
// true of exactly those candidates that (a) and (b), taken for the input I
// alone, hold for. A repair satisfies (a) and (b) for every input, so it
// satisfies G(I). An input I that refuted a candidate since it is stopped on
// all completions teaches another formula: that the run ends on what is I as
// far as the original chose it and variables beyond, of which the generator
// then has to find values. It is true of exactly the candidates that I doesn't
// refute in this way. (In mode Slice such a candidate is blocked with all that
// agree on a must location set if no program of the space can choose more than
// the original did, and alone otherwise.)
//
// With threads an input says the schedule too, and G(I) is about the runs of all
// candidates by that schedule: at each event whether its thread stops before it.
// What locks and joins may be inserted or left out is in that one program, so
// that a failing schedule rules out all others that fail by it.
//
// Holes would make G(I) large, and a constant of 32 bits may take many
// inputs. So G(I) is about candidates without holes, and true of all others;
// a set of alternatives with holes is tried once, by a loop like this one in
// which nothing but its holes can change, and is blocked if no values do.
// Single alternatives need no generator for that. For larger sets the input
// that refuted one is asserted with all alternatives in it. That loop also
// asserts G of inputs that are terms over the holes, where it holds as well:
// a repair is good on x = c whatever value c the hole gets.
//
// Changes of statements are changes of expressions in a program with room for
// them: a statement is put under a condition, true, that may become false or
// a comparison; an assignment v = v may become v = e. These are locations
// from the start, so must sets remain must sets. A lock that may be inserted or
// left out is a statement under a condition too; one change sets some of these
// conditions together.
//
// A program without inputs has one run, and so have its candidates, which the
// interpreter decides. The constraint of that run is made as any other, but
// given up when it gets too large: then candidates are run one by one, and of
// those with holes only with values that these prefer; if none is right the
// candidate is undecided, and the search ends with an UndecidedError.
//
// The search ends: a refuted candidate doesn't satisfy G of its own failing
// input, so no candidate is proposed twice, and there are finitely many. A
// candidate that fails only (b) doesn't block its supersets in any mode.
//
// With Config.Prove a repair must also pass where runs are longer than the
// bound, as far as that is known. One that is refuted there is dropped as
// any candidate is: its failing input, run at the bound that it needs, or a
// must location set of that run, rules out those that fail on it too, and
// none of them passes. Until then it blocks nothing, so that what contains it
// is still found.
//
// Which failing input is found doesn't matter much. Asking the solver for one
// with small values, a query more each time, left the number of candidates as
// it was on the published programs (508 for 507, and 1632 for 1638 with
// holes) and took longer.
//
// A proof teaches nothing beyond blocking the repair's supersets. The
// assumptions that it used say that the changes outside them don't matter;
// but if a change of the repair were outside, the rest would be a smaller
// repair, which was found before.
package mutate
