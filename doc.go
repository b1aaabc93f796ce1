// Package amend is the map of a library for formal fault localization and
// program repair. It holds no code.
//
// Given a program with assertions, the packages below answer, each on its
// own: does an assertion fail, where must a fix touch the source, and what
// are all the smallest fixes, each proved.
//
//		C ────ir/cfront───┐                     ┌─► slice
//		Go ───ir/gofront──┼─► ir.Program ─► ssa ┼─► mutate ─► patches
//		text ─ir.Parse────┘                     └─► incremental ─► proofs
//
//	  - ir: programs with assertions, their text format, locations with exact
//	    source spans, patches. ir/interp runs them, ir/gen makes random ones,
//	    ir/build helps to make them; ir/cfront reads C, ir/gofront Go, whose
//	    programs may state demands with ir/spec. ir/report holds what was found
//	    about a program, ir/report/page writes it as a page, ir/report/sarif as
//	    SARIF, ir/report/lines for editors and services, ir/report/witness
//	    reads and writes witnesses of verification.
//	  - formula: bit-vector terms, decided by bit-blasting. formula/sat is a
//	    SAT engine and the interface to others, formula/sat/lrat checks its
//	    proofs, formula/sat/sattest tests solvers; formula/circuit holds terms
//	    as and-inverter graphs, formula/smtlib writes SMT-LIB, formula/float
//	    makes floating-point arithmetic of terms.
//	  - ssa: bounded runs of a program as a constraint set; ssa/bmc finds
//	    failing runs.
//	  - slice: must location sets of a failing run, and other localizers.
//	  - slice/rank: rankings, by the nearest passing run, and for declarative
//	    models, which ir/alloy reads and formula/relation solves.
//	  - mutate: the search for all minimal repairs of a program;
//	    mutate/scheme has the schemes, mutate/cegis is that search for any
//	    space of candidates,
//	    mutate/model repairs declarative models, mutate/alloyfix those in
//	    Alloy, mutate/schemetest tests schemes, mutate/gofix is an
//	    analyzer of Go packages that suggests repairs, and mutate/gotest
//	    repairs them with the Go toolchain and their tests as the oracle.
//	  - sequentialize: programs with threads, over all schedules or those of a
//	    bounded number of rounds.
//	  - incremental: proofs for every bound, and their reuse for the next
//	    revision, found from control-flow automata (incremental/cfa) and
//	    checked apart from the search (incremental/proof); kept in folders
//	    (incremental/store), and told in the program's own words
//	    (incremental/invariant).
//	  - examples/amend: the command that composes them; examples/sat decides
//	    DIMACS files.
//
// # Words
//
// Each has one meaning, in all packages.
//
//   - Location: a statement whose expressions may change (ir.LocID). Site: an
//     expression that may (ir.SiteID). Copies by inlining and unwinding share
//     both; a Path tells the copies apart.
//   - Choice: an input or nondeterministic value of a run, named by the place
//     that makes it (ir.Choice), so that one input can be played on two
//     versions of a program. Model: the values of all choices (ssa.Model).
//   - Claim: an assertion or check at one copy (ssa.Claim). Violation: a run,
//     replayed by package interp, in which one is false. Cut: where a run
//     leaves the bounds.
//   - Must location set: locations of which every repair touches one. FOSFL:
//     the slice of a formula, flow-sensitive, that computes it.
//   - Scheme, operator, alternative: what may take the place of a site; a
//     list of rules, one rule, one expression that it yields. Hole: a constant
//     of an alternative that is to be found. Change: an alternative at its
//     site. Candidate: a set of changes. Repair: one that nothing refutes and
//     that is minimal.
//   - CEGIS: counterexample-guided inductive synthesis, the search for
//     repairs. Space, place, oracle: its candidates, where they differ, and
//     who refutes them with a counterexample. Lesson: the proposition of the
//     candidates that a counterexample does not refute.
//   - Safe, or (a): no bounded run violates anything. Behaviour-preserving, or
//     (b): what ended still ends. Vacuous: safe only.
//   - Thread, event, schedule: an event is one access of shared memory, or one
//     statement about threads; a schedule says which thread has the next.
//     Round: a visit of every thread by number.
//   - Term: a node of a formula, of a number of bits. Core: assumptions that
//     already make it unsatisfiable. Important variables: a partial model that
//     keeps it true.
//   - Letter: a statement of a control-flow automaton. Hoare automaton: states
//     are predicates, transitions valid triples. Certificate: what a checker
//     that knows nothing of the search needs to accept a proof.
//
// # Versions
//
// Releases have semantic versions. From v1 on, what is exported stays as long as the
// first number does, and so do the meaning of flags, the exit status, and the fields of
// -json (their version is in the last line) and of files that are kept: proofs, journals,
// .amend.yaml. Until then the changelog says what changed; .ci/api lists it. Texts for
// people, the order of repairs of one size and cost, and what is *unsupported* may change
// at any time, and a wrong answer always does. Packages in folders called internal
// promise nothing.
//
// # Imports
//
// Imports point from right to left: ir and formula know nothing of each
// other, only formula/sat and formula/circuit import gini, and nobody imports a front
// end but the command, mutate/gofix, tests and examples.
package amend
