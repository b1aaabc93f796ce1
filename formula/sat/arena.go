package sat

// Clauses of three literals or more lie one after the other in the arena, in
// 32-bit words: the size, a word of information, the literals, and, if there
// is a proof, the clause's number in two words. A reference is the index of
// the first word; reference 0 is none. Binary clauses live in the watches.
//
// A clause is dropped by a mark, and taken out of the lists of watches by the
// next detach or collection. Collection copies the others to a second arena,
// which is kept for the next collection: see collect.go.

const (
	header = 2 // words before the literals

	// The word of information: glue, and
	glueMask  = 1<<20 - 1
	usedOne   = 1 << 25 // a small number: reductions that it survives unused
	usedMask  = 31 * usedOne
	vivified  = 1 << 21 // was tried
	isLearned = 1 << 22
	garbage   = 1 << 23
	locked    = 1 << 24 // a reason, during reduction
	moved     = 1 << 31 // during collection: the first word is the new reference
	shrunk    = 1 << 30 // and moved: to a binary clause, of the first two literals

	// In a watch or a reason, instead of a reference: binary, and in a watch
	// isLearnedBinary and the index in prover.binary, in a reason the other
	// literal.
	binary          = 1 << 31
	isLearnedBinary = 1 << 30

	noReason = 0
	noClause = 0
)

// lits returns the literals of a clause in the arena.
func (e *engine) lits(ref uint32) []Lit {
	n := uint32(e.arena[ref])
	return e.arena[ref+header : ref+header+n]
}

// alloc puts a clause into the arena.
func (e *engine) alloc(c []Lit, info uint32, id uint64) uint32 {
	ref := uint32(len(e.arena))
	n := uint32(len(c))
	e.arena = lengthen(e.arena, int(e.words(n)))
	a := e.arena[ref:]
	a[0], a[1] = Lit(n), Lit(info)
	copy(a[header:], c)
	if e.proof.on {
		a[header+n], a[header+n+1] = Lit(id), Lit(id>>32)
	}
	return ref
}

// words returns how many words a clause of n literals takes.
func (e *engine) words(n uint32) uint32 {
	if e.proof.on {
		return header + n + 2
	}
	return header + n
}

// clauseID returns the number of a clause in the arena.
func (e *engine) clauseID(ref uint32) uint64 {
	i := ref + header + uint32(e.arena[ref])
	return uint64(e.arena[i]) | uint64(e.arena[i+1])<<32
}

// drop marks a clause of the arena as garbage, until it is collected.
func (e *engine) drop(ref uint32) {
	e.arena[ref+1] |= garbage
	e.wasted += int(e.words(uint32(e.arena[ref])))
	if e.proof.on {
		e.proof.delete(e.clauseID(ref))
	}
}
