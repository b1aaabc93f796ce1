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
//	    ir/cfront reads C, ir/gofront Go, whose programs may state demands
//	    with ir/spec.
//	  - formula: bit-vector terms, decided by bit-blasting. formula/sat is a
//	    SAT engine and the interface to others, formula/sat/lrat checks its
//	    proofs, formula/sat/sattest tests solvers; formula/circuit holds terms
//	    as and-inverter graphs, formula/smtlib writes SMT-LIB.
//	  - ssa: bounded runs of a program as a constraint set; ssa/bmc finds
//	    failing runs.
//	  - slice: must location sets of a failing run, and other localizers.
//	  - slice/rank: rankings, by the nearest passing run, and for declarative
//	    models, which ir/alloy reads and formula/relation solves.
//	  - mutate: repair schemes and the search for all minimal repairs;
//	    mutate/cegis is that search for any space of candidates,
//	    mutate/model repairs declarative models, mutate/alloyfix those in
//	    Alloy, and mutate/gofix is an analyzer of Go packages that suggests
//	    repairs.
//	  - sequentialize: programs with threads, over all schedules of a bounded
//	    number of rounds.
//	  - incremental: proofs for every bound, and their reuse for the next
//	    revision, found from control-flow automata (incremental/cfa) and
//	    checked apart from the search (incremental/proof).
//	  - examples/amend: the command that composes them; examples/sat decides
//	    DIMACS files.
//
// Imports point from right to left: ir and formula know nothing of each
// other, only formula/sat and formula/circuit import gini, and nobody imports a front
// end but the command, mutate/gofix, tests and examples.
package amend
