// Package proof holds proofs that no run of a program, however long, violates
// an assertion: what they are, their files, and their checking.
//
// A [Proof] is a trace abstraction: Floyd-Hoare automata that together accept
// all words of the program's control-flow automaton, each word by valid Hoare
// triples that end in false. It is found by package incremental, or comes
// from a file, and is believed by nobody: [Check] proves every triple anew
// and that the automata cover the program. Nothing of the search is known
// here: the package imports the control-flow automaton and formulas only.
//
// Names: c control-flow automaton, k checker, m automaton, l letter, q state.
package proof

import (
	"cmp"
	"slices"
)

// A Proof is a trace abstraction: automata that accept only infeasible
// traces, and what else may help to prove another revision of the program.
// It is plain data, which names variables and letters by their texts. As an
// input it is a hint: nothing in it is believed.
type Proof struct {
	// Blocks says that letters are blocks of code, else they are statements.
	Blocks bool

	// Letters is the alphabet of the program, sorted.
	Letters []string

	Automata []*Automaton

	// Templates is how many rounds of template predicates it took.
	Templates int

	// Counterexamples show that triples are invalid.
	Counterexamples []Counterexample
}

// An Automaton is a Floyd-Hoare automaton, given by predicates and valid
// Hoare triples. Its states are the sets of predicates, each annotated with
// their conjunction; the start is the empty set. By a letter a state goes to
// the set of those predicates that a triple, or the frame rule, gives: what
// the letter doesn't write still holds. A triple whose Post is False leads
// to the accepting state.
type Automaton struct {
	Predicates []string // texts of propositions
	Triples    []Triple
	Unused     int // revisions since it was last of use
}

// False stands for the predicate that never holds.
const False = -1

// A Triple says that after Letter the predicate Post holds if those in Pre
// held before.
type Triple struct {
	Letter string
	Pre    []int // increasing
	Post   int
}

// A Counterexample to triples is an execution of Letter: the values of
// variables before it, and those that a havoc gave. Variables that are not
// mentioned are 0. It refutes the triples whose Pre it satisfies before and
// whose Post it violates after.
type Counterexample struct {
	Letter        string
	Before, After map[string]uint64
}

// Sort brings p's letters, triples and samples into the order of files.
func (p *Proof) Sort() {
	slices.Sort(p.Letters)
	for _, a := range p.Automata {
		slices.SortFunc(a.Triples, compareTriples)
		a.Triples = slices.CompactFunc(a.Triples, func(x, y Triple) bool { return compareTriples(x, y) == 0 })
	}
	slices.SortStableFunc(p.Counterexamples, func(x, y Counterexample) int { return cmp.Compare(x.Letter, y.Letter) })
}

func compareTriples(x, y Triple) int {
	return cmp.Or(cmp.Compare(x.Letter, y.Letter), cmp.Compare(x.Post, y.Post), slices.Compare(x.Pre, y.Pre))
}
