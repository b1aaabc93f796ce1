package incremental

import (
	"cmp"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/go-amend/amend/incremental/cfa"
	"github.com/go-amend/amend/incremental/proof"
)

// This file aligns the variables of two revisions: an edit that renames a
// variable or a procedure changes all letters that mention it, and nothing
// else about the proof. Names that vanished are matched with new ones by the
// letters that are equal but for them. Since each gets a name that the earlier
// program didn't have, and no two the same, what was valid stays valid.

// maxVotes bounds the letters of one shape that are compared with each other.
const maxVotes = 64

// aligned returns p with variables that c doesn't have under the names that
// they seem to have in c: p itself if there are none.
func aligned(p *proof.Proof, c *cfa.Automaton) *proof.Proof {
	var texts []string
	for _, l := range c.Letters {
		texts = append(texts, l.Text)
	}
	before, now := namesIn(p.Letters), make(map[string]bool)
	if p.Blocks { // whose texts may be digests
		for _, a := range p.Automata {
			maps.Copy(before, namesIn(a.Predicates))
		}
	}
	for _, v := range c.Vars {
		now[v.Name] = true
	}
	vanished, fresh := minus(before, now), minus(now, before)
	if len(vanished) == 0 || len(fresh) == 0 || p.Blocks != c.OfBlocks() {
		return p
	}
	polled := votes(p.Letters, vanished, texts, fresh)
	likely(polled, vanished, fresh)
	x := words(match(polled), vanished, fresh)
	if len(x) == 0 {
		return p
	}
	return x.proof(p)
}

// minus returns the names of a that are not in b.
func minus(a, b map[string]bool) map[string]bool {
	out := make(map[string]bool)
	for name := range a {
		if !b[name] {
			out[name] = true
		}
	}
	return out
}

// namesIn returns the variables in texts of letters.
func namesIn(texts []string) map[string]bool {
	out := make(map[string]bool)
	for _, text := range texts {
		for _, word := range strings.FieldsFunc(text, between) {
			if isName(word) {
				out[word] = true
			}
		}
	}
	return out
}

// isName reports whether word is a variable and no operator or constant.
func isName(word string) bool {
	return strings.ContainsRune(word, ':') && word != ":=" && word[0] != '-' && (word[0] < '0' || word[0] > '9')
}

// parts are what the name of a variable says beside the variable's own: the
// element of an array, its length, which of several, and the width.
var parts = regexp.MustCompile(`(\[\d+\]|\.len|\.off|\.ok)?('\d+)?:\d+$`)

// base returns the name of the variable that word is a part of, with a colon
// and the width.
func base(word string) string {
	at := parts.FindStringIndex(word)
	if at == nil {
		return word
	}
	part := word[at[0]:]
	if strings.HasPrefix(part, "[") {
		part = "[]" + part[strings.IndexByte(part, ':'):]
	}
	return word[:at[0]] + part
}

// A pair is a variable of the earlier program and one of this, by their bases.
type pair struct{ old, new string }

// votes counts the letters that say that variables are the same: those that
// are equal but for names that vanished or are new.
func votes(old []string, vanished map[string]bool, texts []string, fresh map[string]bool) map[pair]float64 {
	out := make(map[pair]float64)
	shapes := make(map[string][][]string)
	for _, text := range texts {
		if shape, names := shapeOf(text, fresh); len(names) > 0 {
			shapes[shape] = append(shapes[shape], names)
		}
	}
	count := make(map[string]int)
	for _, text := range old {
		shape, _ := shapeOf(text, vanished)
		count[shape]++
	}
	for _, text := range old {
		shape, names := shapeOf(text, vanished)
		others := shapes[shape]
		weight := 1 / float64(max(1, len(others)*count[shape]))
		for _, other := range others[:min(len(others), maxVotes)] {
			for i, name := range names {
				out[pair{base(name), base(other[i])}] += weight
			}
		}
	}
	return out
}

// likely adds pairs that no letter speaks for, but their names do.
func likely(votes map[pair]float64, vanished, fresh map[string]bool) {
	if len(vanished) > maxVotes || len(fresh) > maxVotes {
		return
	}
	for old := range vanished {
		for now := range fresh {
			x := pair{base(old), base(now)}
			if _, width, _ := strings.Cut(x.old, ":"); strings.HasSuffix(x.new, ":"+width) && alike(x) > 0 {
				votes[x] += 0 // less than any letter says
			}
		}
	}
}

// shapeOf returns text with those of its names that are in open as
// placeholders, numbered as they occur, and the names, each once.
func shapeOf(text string, open map[string]bool) (string, []string) {
	var names []string
	shape := mapWords(text, func(word string) string {
		if !open[word] {
			return word
		}
		i := slices.Index(names, word)
		if i < 0 {
			i = len(names)
			names = append(names, word)
		}
		return "?" + strconv.Itoa(i) + word[strings.LastIndexByte(word, ':'):]
	})
	return shape, names
}

// match matches variables, those first that most letters speak for; and, of
// those, variables with the same name in another procedure, or of the same
// procedure.
func match(votes map[pair]float64) map[string]string {
	var pairs []pair
	for x := range votes {
		pairs = append(pairs, x)
	}
	slices.SortFunc(pairs, func(x, y pair) int {
		return cmp.Or(cmp.Compare(votes[y]+alike(y), votes[x]+alike(x)), cmp.Compare(x.old, y.old), cmp.Compare(x.new, y.new))
	})
	out, taken := make(map[string]string), make(map[string]bool)
	for _, x := range pairs {
		if out[x.old] == "" && !taken[x.new] {
			out[x.old], taken[x.new] = x.new, true
		}
	}
	return out
}

// alike returns how much the names of x speak for it.
func alike(x pair) float64 {
	f, v, _ := strings.Cut(x.old, ".")
	g, w, _ := strings.Cut(x.new, ".")
	switch {
	case v == w:
		return 1
	case f == g:
		return 0.25
	}
	return 0
}

// words returns the renaming of names that bases says of their bases.
func words(bases map[string]string, vanished, fresh map[string]bool) renaming {
	x := make(renaming)
	for name := range vanished {
		b, ok := bases[base(name)]
		if !ok {
			continue
		}
		to := b
		if i := strings.Index(b, "[]"); i >= 0 {
			at := strings.LastIndexByte(name, '[')
			if at < 0 {
				continue // no element
			}
			to = b[:i] + name[at:]
		}
		if fresh[to] {
			x[name] = to
		}
	}
	return x
}

// proof returns p with the variables of x renamed. An automaton that knows one
// of their new names already, since it is from before the last revision, stays
// as it is.
func (x renaming) proof(p *proof.Proof) *proof.Proof {
	used := make(map[string]bool)
	for _, to := range x {
		used[to] = true
	}
	q := &proof.Proof{Abstract: p.Abstract, Blocks: p.Blocks, Templates: p.Templates}
	for _, text := range p.Letters {
		q.Letters = append(q.Letters, canonical(x.in(text)))
	}
	for _, a := range p.Automata {
		b := a
		if !slices.ContainsFunc(a.Predicates, func(text string) bool { return mentionsAny(text, used) }) {
			b = x.automaton(a)
			b.Unused = a.Unused
			for i := range b.Triples {
				b.Triples[i].Letter = canonical(b.Triples[i].Letter)
			}
		}
		q.Automata = append(q.Automata, b)
	}
	for _, s := range p.Counterexamples {
		q.Counterexamples = append(q.Counterexamples, proof.Counterexample{
			Letter: canonical(x.in(s.Letter)), Before: x.keys(s.Before), After: x.keys(s.After),
		})
	}
	return q
}

// mentionsAny reports whether a word of text is in names.
func mentionsAny(text string, names map[string]bool) bool {
	return slices.ContainsFunc(strings.FieldsFunc(text, between), func(word string) bool { return names[word] })
}

// keys returns m with its names renamed.
func (x renaming) keys(m map[string]uint64) map[string]uint64 {
	out := make(map[string]uint64, len(m))
	for name, v := range m {
		out[cmp.Or(x[name], name)] = v
	}
	return out
}

// canonical returns the text of a letter after a renaming as it would have
// been written: operands of commutative operators, variables of a havoc and
// assignments are in alphabetical order.
func canonical(text string) string {
	if vars, ok := strings.CutPrefix(text, "havoc "); ok {
		names := strings.Fields(vars)
		slices.Sort(names)
		return "havoc " + strings.Join(names, " ")
	}
	assignments := strings.Split(text, "; ")
	for i := range assignments {
		assignments[i], _ = sorted(assignments[i])
	}
	slices.Sort(assignments)
	return strings.Join(assignments, "; ")
}

// sorted returns text, up to the end of the list that it begins inside of,
// with the operands of commutative operators sorted, and what follows.
func sorted(text string) (string, string) {
	var list []string
	for {
		text = strings.TrimLeft(text, " ")
		switch {
		case text == "" || text[0] == ')':
			if len(list) > 0 {
				switch list[0] {
				case "and", "xor", "add", "mul", "eq":
					slices.Sort(list[1:])
				}
			}
			return strings.Join(list, " "), strings.TrimPrefix(text, ")")
		case text[0] == '(':
			var inner string
			inner, text = sorted(text[1:])
			list = append(list, "("+inner+")")
		default:
			n := strings.IndexAny(text, " ()")
			if n < 0 {
				n = len(text)
			}
			list = append(list, text[:n])
			text = text[n:]
		}
	}
}
