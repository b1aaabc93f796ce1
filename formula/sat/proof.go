package sat

// A Proof receives the steps of an LRAT proof in their order. Numbers rise,
// from 1, and slices must not be retained.
//
// After each Solve that returns Unsat, the last step is a Learn of a clause
// of complements of assumptions in its Core: none of them, the empty clause,
// if the clauses are inconsistent by themselves.
type Proof interface {
	// Input is a clause as the caller added it.
	Input(id uint64, clause []Lit)

	// Learn is a clause that follows: if all its literals are false, each
	// clause of hints in turn has one literal that is not false, which
	// becomes true, and the last has none.
	Learn(id uint64, clause []Lit, hints []uint64)

	// Delete says that no later hint has these numbers.
	Delete(ids ...uint64)
}
