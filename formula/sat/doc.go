// Package sat decides sets of clauses through a small interface.
//
// Everything else in the module talks to a SAT engine through [Solver],
// whose five methods every incremental engine can honour. [New] returns the
// engine of this package, [NewGini] gini, [NewExternal] runs any
// competition-style binary instead; a [Recorder] writes down what passes
// through it. On top of the interface, for any engine: [AtMostOne],
// [ExactlyOne], [Totalizer] (at most k), [MinCore] and [MaxSat]. Package
// formula translates terms to clauses, package lrat checks proofs, package
// sattest is a suite for solvers.
//
// # The engine
//
// New is conflict-driven clause learning (Marques-Silva and Sakallah, GRASP,
// 1996) as solvers of today have it, after the papers about MiniSat, Glucose,
// CaDiCaL and Kissat, in pure Go without unsafe. It is made for many small to
// middle queries, incremental and under assumptions; [Options] switch its
// techniques off, one by one. What a query does:
//
//   - Clauses that are added before the first query wait for it, and are laid
//     out at once in their sizes. Later ones are watched when they are added.
//   - A query starts from the trail of the last one, as far as the assumptions
//     are the same; if they hold in the last model, from all of it. Assumptions
//     are the first decisions. Adding a clause goes back no further than it
//     must.
//   - Propagation watches two literals of each clause, with a blocking
//     literal; binary clauses are nothing but watches. Longer ones lie in an
//     arena of 32-bit words, which is copied to collect garbage. The watches
//     of all literals lie in one slice: nothing in it has pointers.
//   - A conflict teaches a clause of the first unique implication point,
//     minimized recursively and by binary clauses.
//   - The most active variables are decided first, of those that were in no
//     conflict the earliest. A query begins as MiniSat would; later two modes
//     take turns: stable (rare restarts, phases of the longest trail without a
//     conflict) and focused (restarts by glue). Phases are reset now and then.
//   - Learned clauses are forgotten by glue, size and use.
//   - A query that costs several times as much search as it would is
//     simplified: subsumption, and elimination of variables. What was
//     eliminated comes back if a later clause or assumption mentions it
//     (Fazekas, Biere and Scholl, SAT 2019), so that nothing needs to be
//     frozen by the caller.
//
// Each technique has a file that says what it does, why it is right between
// queries, and its sources. Everything is counted: see [Counted]. [Limits] in
// counted steps end a query at the same point everywhere. There is no global
// state, no goroutine and no clock in it; equal calls have equal answers.
//
// # What stands behind an answer
//
// A model is evaluated in all clauses as they were added before Solve returns
// Sat. That takes time only for what has changed since the last model.
//
// With [Options].Proof the engine writes an LRAT proof while it solves, over
// all queries, under assumptions too: then the last step is that the core is
// inconsistent. lrat.Certifier checks it at once, and models too, which
// together takes about 1.3 times as long.
//
// # Propagators
//
// Constraints that are no clauses, or too many, can take part in the search
// as a [Propagator] (IPASIR-UP: Fazekas et al., SAT 2023), which [Extensible]
// solvers accept: told of the assignments of the literals that it observes,
// it propagates, explains later and only if asked, adds clauses, decides, and
// judges models.
//
// # How fast it is
//
// Of 200 recorded queries (.ci/sat has the command), 82 take one of the solvers
// more than 50 ms. Geometric mean of their CPU seconds, and the total:
//
//	this engine                  0.067    13.4
//	with a proof, checked        0.116    20.5
//	gini, guarded                0.122    74.2
//	CaDiCaL sc2021               0.079    15.2
//	MiniSat 2.2                  0.253   375.0
//	MiniSat, no simplification   0.058    20.1
//
// Of the repairs of programs that take seconds, less than a fifth is spent in it.
//
// On the 21 of threads among the 66 MiniSat takes 0.7 of the time of this engine.
//
// # What was tried, and what is missing
//
// On recorded queries these made no difference that is larger than luck, or
// were worse: vivification of learned clauses (an option: see vivify.go), VMTF
// in focused mode (an option), bumping the reasons of learned literals (1.00
// times the conflicts, 1.03 times the CPU time), decay of 0.92, other limits of
// the tiers, other intervals of reductions and of restarts (0.99 to 1.03 times
// the conflicts), and clauses of three literals that are in the lists of all of
// them (see propagate.go). Nor was failed-literal probing: of the literals that
// imply others by binary clauses and are implied by none, one in eight to one
// in forty failed, but the queries took 1.00 times the conflicts and 1.01 times
// the ticks with a tenth of the effort on it, 1.03 and 1.09 with a third.
// Equivalent literals have nothing to find: in 34 of 41 recorded queries no
// binary clauses make two literals equal, in the others at most 42.
//
// Neither did these, each on 46 recorded queries of 4 seconds in all, with two
// seeds (times the conflicts, times the ticks):
//
//	chronological backtracking over 100 levels, 20       1.03 1.00, 1.26 1.03
//	shrinking of learned clauses to one literal a level  1.10 1.11
//	local search (ProbSAT) at each rephasing             1.02 1.04
//	the saved trail replayed, its own ticks not counted  1.03 0.98
//	definitions (and, xor, mux, adders) in elimination   0.99 0.99, four seeds
//	literals true first (Options.True)                   1.04 1.00
//	decay of 0.75, 0.8, 0.85, 0.87, 0.9, 0.92            0.98 to 1.06, 0.95 to 1.03, four seeds
//	restarts, turns, reductions, tiers at other times    0.98 to 1.08, 0.99 to 1.09
//
// On-the-fly strengthening would apply to one in 480 resolutions. CaDiCaL,
// which has most of this, takes 0.88 times its conflicts on 56 of the queries
// without chronological backtracking, 1.00 without shrinking or local search,
// 0.99 without gates, 0.96 without elimination, and 1.09 without bumping reasons.
//
// Three queries above 50 ms take more than four times what the best solver takes,
// all satisfiable. One is to find two primes of 14 bits from their product. It is luck.
// CaDiCaL has 353 conflicts, with nine other restart intervals 120 to 8,000;
// MiniSat 89, with twenty seeds 45 to 8,000 (geometric mean 3,300); this engine
// 3,200, with twenty seeds 800 to 7,300, with literals true first 70 to 8,200.
// What is in the table above makes that mean, with that of a query like it, 0.6
// (literals true first) to 1.4 times as large.
//
// The variables of closed scopes are not used again: 50,000 scopes on one solver
// took the same ticks each from the first to the last, and 250 bytes.
//
// Names in this package: m literal, s and e solver, v variable.
package sat
