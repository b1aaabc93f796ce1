// Package incremental proves that no run of a program, however long,
// violates an assertion, and makes use of the proof of an earlier revision.
//
// [Prove] is counterexample-guided trace abstraction (Heizmann, Hoenicke,
// Podelski, SAS 2009) on bit-vectors, with nothing but SAT. The control-flow
// automaton of a program (package cfa) accepts the traces of statements that
// lead to a violated assertion. A shortest one is either feasible, and then
// a counterexample, which package interp replays; or predicates that show it
// to be infeasible make an automaton of infeasible traces, a Floyd-Hoare
// automaton, which is subtracted. A program without traces left is right.
//
// Where that unrolls the loop of a state machine for ever, a second engine, IC3
// with implicit predicate abstraction (Cimatti, Griggio, Mover, Tonetta, TACAS
// 2014), learns clauses over predicates. Its letters are blocks of code, and its
// clauses become the predicates of one Floyd-Hoare automaton. Both search in
// turns, measured in counted steps, so that results repeat; Result.Engine says
// which found the answer.
//
// Such automata speak of statements or blocks, not of a program: they serve the next
// revision too (Rothenberg, Dietsch, Heizmann, SAS 2018; chapter 4 of
// Rothenberg's thesis). A [proof.Proof] is what Prove leaves for it, plain
// data that can be saved. Unlike the published method it carries executions
// that refute triples, which saves more time than the triples do; predicates
// about variables that vanished are dropped one by one; automata are tried
// with the constants that an edit renamed, and variables and procedures that
// it renamed are matched by the letters they occur in; and nothing is lost over a wrong
// revision. A [Series] proves one program after another so: revisions, or
// candidates for a repair, for which it fits Config.Prove of package mutate.
//
// A proof is a hint, never believed: before Prove says [Proved], package
// proof proves all triples anew and that the automata cover the program. It
// knows the control-flow automaton and formulas, and imports nothing of this
// package.
//
// Arrays whose length is only known at run time are abstracted first, to the
// elements that an assertion reads, at any index; so a proof is for every length.
// Where that doesn't do, they have as many elements as their type says.
//
// Calls are inlined, so that recursion is an error. A loop whose invariant
// neither traces nor a few templates suggest ends as [Unknown], with the
// budget that was used up as the reason. Violations too deep for traces are
// looked for beside the proof, by unwinding and by running the program.
//
// Names: q state, l letter, f Floyd-Hoare automaton, t terms.
package incremental
