package incremental

import (
	"slices"

	"github.com/go-amend/amend/formula"
	"github.com/go-amend/amend/incremental/internal/bitset"
	"github.com/go-amend/amend/incremental/proof"
)

// This file takes automata over from the proof of an earlier revision, and
// leaves a proof for the next one.

// translate returns the automata of p over the letters of this program:
// procedure TranslateAutomaton of Figure 4.4, on the fly. Predicates about
// variables that the program doesn't have are dropped, one by one, and so
// are triples about them or about letters that it doesn't have.
func (e *engine) translate(p *proof.Proof) []*hoareAutomaton {
	vars := e.c.Names()
	alphabet := make([]bool, len(e.c.Letters))
	for _, text := range p.Letters {
		if l, ok := e.c.Letter(text); ok {
			alphabet[l] = true
		}
	}
	var out []*hoareAutomaton
	for _, a := range p.Automata[:min(len(p.Automata), maxAutomata)] {
		if f := e.translateOne(a, vars); f != nil {
			f.alphabet, f.added = alphabet, e.cfg.Added
			out = append(out, f)
		}
	}
	return out
}

// How much of a proof is read: no more than a long series leaves.
const (
	maxAutomata   = 500
	maxPredicates = 2000 // of one automaton
)

// translateOne returns a over the letters of this program, or nil if nothing
// is left of it.
func (e *engine) translateOne(a *proof.Automaton, vars map[string]formula.Term) *hoareAutomaton {
	var preds []formula.Term
	number := make([]int, len(a.Predicates))
	seen := make(map[formula.Term]int)
	for i, text := range a.Predicates {
		number[i] = -1
		x, err := e.t.Parse(text, vars)
		if err != nil || e.t.Width(x) != 1 || e.t.Op(x) == formula.OpConst || len(preds) >= maxPredicates {
			continue
		}
		j, ok := seen[x]
		if !ok {
			j = len(preds)
			seen[x] = j
			preds = append(preds, x)
		}
		number[i] = j
	}
	f := e.newHoareAutomaton(preds)
	f.from = a
	triples := 0
	for _, x := range a.Triples {
		l, ok := e.c.Letter(x.Letter)
		if y, fits := f.renumber(x, number); ok && fits {
			f.triples[l] = append(f.triples[l], y)
			triples++
		}
	}
	if len(preds) == 0 && triples == 0 {
		return nil
	}
	return f
}

// renumber returns the triple x with predicates renumbered, if it has them all.
func (f *hoareAutomaton) renumber(x proof.Triple, number []int) (triple, bool) {
	y := triple{pre: bitset.New(len(f.preds)), post: x.Post}
	if x.Post != proof.False {
		if x.Post < 0 || x.Post >= len(number) || number[x.Post] < 0 {
			return y, false
		}
		y.post = number[x.Post]
	}
	for _, i := range x.Pre {
		if i < 0 || i >= len(number) || number[i] < 0 {
			return y, false
		}
		y.pre.Add(number[i])
	}
	return y, true
}

// keepUnused is for how many proved revisions an automaton that is of no use
// is kept.
const keepUnused = 2

// proof returns what to save. After a proof, automata that came from the
// earlier one and were not needed grow old; new ones that were not needed are
// forgotten. After anything else all is kept, since a wrong revision says
// nothing about the next.
func (e *engine) proof(res *Result) *proof.Proof {
	p := &proof.Proof{Blocks: e.c.OfBlocks(), Counterexamples: e.counterexamples.save(), Templates: e.helped}
	if e.cfg.Reuse != nil {
		p.Templates = max(p.Templates, min(e.cfg.Reuse.Templates, len(templateRounds)))
	}
	for _, l := range e.c.Letters {
		p.Letters = append(p.Letters, l.Text)
	}
	done := res.Status == Proved
	for _, f := range e.used {
		p.Automata = append(p.Automata, f.save(done))
	}
	for _, f := range e.subtracted {
		if f.from != nil && !f.renamed && !slices.Contains(e.used, f) {
			keepAged(p, *f.from)
		}
	}
	for _, f := range e.pool {
		if f.renamed {
			continue
		}
		if done {
			keepAged(p, *f.from)
		} else {
			p.Automata = append(p.Automata, f.from)
		}
	}
	p.Sort()
	return p
}

// keepAged adds a, a revision older, unless it is too old.
func keepAged(p *proof.Proof, a proof.Automaton) {
	if a.Unused++; a.Unused <= keepUnused {
		p.Automata = append(p.Automata, &a)
	}
}

// save returns f as plain data. Once there is a proof, triples that it didn't
// need are left out, and predicates that they aren't about: they can be found
// again.
func (f *hoareAutomaton) save(proved bool) *proof.Automaton {
	a := &proof.Automaton{Triples: f.export(!proved)}
	number := make([]int, len(f.preds))
	if proved {
		for i := range number {
			number[i] = -1
		}
		for _, x := range a.Triples {
			for _, j := range append(x.Pre[:len(x.Pre):len(x.Pre)], x.Post) {
				if j != proof.False {
					number[j] = 0
				}
			}
		}
	}
	for i, p := range f.preds {
		if number[i] == 0 {
			number[i] = len(a.Predicates)
			a.Predicates = append(a.Predicates, f.e.c.Shared(p))
		}
	}
	for i := range a.Triples {
		renumber(&a.Triples[i], number)
	}
	return a
}

// renumber makes x be about predicates by their new numbers.
func renumber(x *proof.Triple, number []int) {
	if x.Post != proof.False {
		x.Post = number[x.Post]
	}
	for i, j := range x.Pre {
		x.Pre[i] = number[j]
	}
}

// export returns the triples that f used, or all that it has.
func (f *hoareAutomaton) export(all bool) []proof.Triple {
	var out []proof.Triple
	for l, triples := range f.triples {
		for i := range triples {
			if x := &triples[i]; x.post >= proof.False && (x.used || all) {
				out = append(out, proof.Triple{Letter: f.e.c.Letters[l].Text, Pre: x.pre.List(), Post: x.post})
			}
		}
	}
	return out
}
