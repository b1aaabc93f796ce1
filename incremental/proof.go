package incremental

import (
	"cmp"
	"slices"
)

// A Proof is a trace abstraction: automata that accept only infeasible
// traces, and what else may help to prove another revision of the program.
// It is plain data, which names variables and letters by their texts. As an
// input it is a hint: nothing in it is believed.
type Proof struct {
	// Letters is the alphabet of the program, sorted.
	Letters []string

	Automata []*Automaton

	// Templates is how many rounds of template predicates it took.
	Templates int

	// Samples show that triples are invalid.
	Samples []Sample
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

// A Sample is an execution of Letter: the values of variables before it, and
// those that a havoc gave. Variables that are not mentioned are 0.
type Sample struct {
	Letter        string
	Before, After map[string]uint64
}

// sort brings p's letters, triples and samples into the order of files.
func (p *Proof) sort() {
	slices.Sort(p.Letters)
	for _, a := range p.Automata {
		slices.SortFunc(a.Triples, compareTriples)
		a.Triples = slices.CompactFunc(a.Triples, func(x, y Triple) bool { return compareTriples(x, y) == 0 })
	}
	slices.SortStableFunc(p.Samples, func(x, y Sample) int { return cmp.Compare(x.Letter, y.Letter) })
}

func compareTriples(x, y Triple) int {
	return cmp.Or(cmp.Compare(x.Letter, y.Letter), cmp.Compare(x.Post, y.Post), slices.Compare(x.Pre, y.Pre))
}
