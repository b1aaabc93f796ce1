package incremental

import (
	"slices"
	"strconv"
	"strings"

	"github.com/go-amend/amend/incremental/proof"
)

// This file renames constants: it adapts an earlier proof to their edit. An inequality
// about a constant that is gone is of no use, and finding one about the new
// constant is what took most of the time after such an edit; but often all
// that changed in the proof is the constant.

// maxRenamings is how many pairs of an old and a new constant are tried.
const maxRenamings = 2

// renamedAutomata returns automata of the earlier proof in which constants that
// vanished from the letters, and their neighbours, are replaced by new ones.
// Nobody said that their triples are valid: each is proved when it is used.
func (e *engine) renamedAutomata() []*hoareAutomaton {
	var out []*hoareAutomaton
	vars := e.c.Names()
	for _, x := range e.renamings() {
		alphabet := make([]bool, len(e.c.Letters))
		for _, text := range e.cfg.Reuse.Letters {
			if l, ok := e.c.Letter(x.in(text)); ok {
				alphabet[l] = true
			}
		}
		for _, a := range e.cfg.Reuse.Automata[:min(len(e.cfg.Reuse.Automata), maxAutomata)] {
			b := x.automaton(a)
			if slices.Equal(a.Predicates, b.Predicates) {
				continue
			}
			if f := e.translateOne(b, vars); f != nil {
				f.alphabet, f.added, f.renamed = alphabet, e.cfg.Added, true
				out = append(out, f)
			}
		}
	}
	return out
}

// A constant is one in a letter's text.
type constant struct {
	value int64
	width int
}

func (c constant) String() string {
	w := 64 - c.width
	return strconv.FormatInt(c.value<<w>>w, 10) + ":" + strconv.Itoa(c.width)
}

// A renaming says which words of a text become which.
type renaming map[string]string

// renamings returns the ways in which constants of the earlier program may
// have become others.
func (e *engine) renamings() []renaming {
	var texts []string
	for _, l := range e.c.Letters {
		texts = append(texts, l.Text)
	}
	now, before := constantsIn(texts), constantsIn(e.cfg.Reuse.Letters)
	var out []renaming
	fresh := without(now, before)
	for _, old := range without(before, now) {
		for _, c := range fresh {
			if c.width != old.width {
				continue
			}
			x := make(renaming)
			for d := int64(-1); d <= 1; d++ {
				x[constant{old.value + d, old.width}.String()] = constant{c.value + d, c.width}.String()
			}
			if out = append(out, x); len(out) == maxRenamings {
				return out
			}
		}
	}
	return out
}

// without returns the elements of a that are not in b.
func without(a, b []constant) []constant {
	in := make(map[constant]bool, len(b))
	for _, c := range b {
		in[c] = true
	}
	return slices.DeleteFunc(slices.Clone(a), func(c constant) bool { return in[c] })
}

// constantsIn returns the constants in texts, in the order of their first
// occurrence.
func constantsIn(texts []string) []constant {
	var out []constant
	seen := make(map[constant]bool)
	for _, text := range texts {
		for _, word := range strings.FieldsFunc(text, between) {
			if word[0] != '-' && (word[0] < '0' || word[0] > '9') {
				continue // an operator or a name
			}
			value, width, _ := strings.Cut(word, ":")
			v, err := strconv.ParseInt(value, 10, 64)
			w, err2 := strconv.Atoi(width)
			if c := (constant{v, w}); err == nil && err2 == nil && w > 0 && w <= 64 && !seen[c] {
				seen[c] = true
				out = append(out, c)
			}
		}
	}
	return out
}

// between reports whether c stands between the words of a text.
func between(c rune) bool { return strings.ContainsRune(" ();", c) }

// automaton returns a with the words renamed.
func (x renaming) automaton(a *proof.Automaton) *proof.Automaton {
	b := &proof.Automaton{}
	for _, text := range a.Predicates {
		b.Predicates = append(b.Predicates, x.in(text))
	}
	for _, t := range a.Triples {
		b.Triples = append(b.Triples, proof.Triple{Letter: x.in(t.Letter), Pre: t.Pre, Post: t.Post})
	}
	return b
}

// in returns text with the words renamed.
func (x renaming) in(text string) string {
	return mapWords(text, func(word string) string {
		if y, ok := x[word]; ok {
			return y
		}
		return word
	})
}

// mapWords returns text with what f says in the place of each of its words.
func mapWords(text string, f func(word string) string) string {
	var b strings.Builder
	for len(text) > 0 {
		n := strings.IndexFunc(text, between)
		if n < 0 {
			n = len(text)
		}
		b.WriteString(f(text[:n]))
		if n < len(text) {
			b.WriteByte(text[n])
			n++
		}
		text = text[n:]
	}
	return b.String()
}
