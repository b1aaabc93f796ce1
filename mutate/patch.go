package mutate

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"github.com/go-amend/amend/ir"
)

// This file writes changes as source text, in the words of the language.

// patch returns changes as edits of the source. Those of slots
// become insertions and deletions around the edits of expressions.
func (x *instrumented) patch(changes ir.Changes) (ir.Patch, error) {
	w := &writer{instrumented: x, words: ir.SyntaxOf(x.orig).Words(), changes: changes}
	inner := make(ir.Changes)
	var ids []ir.SiteID
	for id, c := range changes {
		if x.at[id] == nil {
			inner[id] = c
		} else {
			ids = append(ids, id)
		}
	}
	var err error
	if w.edits, err = x.orig.Edits(inner); err != nil || len(ids) == 0 {
		return w.edits, err
	}
	slices.Sort(ids)
	w.swap(ids) // first: others may move the statement
	for _, s := range x.p.Sites()[x.first-1:] {
		if slices.Contains(ids, s.ID) {
			w.write(x.at[s.ID], s, changes[s.ID])
		}
	}
	for _, r := range w.removed {
		w.remove(r)
	}
	return w.patch()
}

// swap writes the texts that take the place of others, the last first.
func (w *writer) swap(ids []ir.SiteID) {
	ids = slices.DeleteFunc(slices.Clone(ids), func(id ir.SiteID) bool { return w.at[id].swapped.IsZero() })
	slices.SortFunc(ids, func(a, b ir.SiteID) int { return w.at[b].swapped.Start - w.at[a].swapped.Start })
	for _, id := range ids {
		at := w.at[id].swapped
		e := ir.Edit{Span: at, Old: w.orig.Text(at), New: w.at[id].words, Sites: []ir.SiteID{id}}
		i := slices.IndexFunc(w.edits, func(around ir.Edit) bool { return inside(at, around.Span) })
		if i < 0 || !inNew(&w.edits[i], e) {
			w.edits = append(w.edits, e)
		}
	}
}

// inNew makes the edit e in the text of another one around it, where the same
// old text stands for the same time. It reports false if that isn't there.
func inNew(around *ir.Edit, e ir.Edit) bool {
	before := strings.Count(around.Old[:e.Span.Start-around.Span.Start], e.Old)
	parts := strings.SplitN(around.New, e.Old, before+2)
	if len(parts) < before+2 {
		return false
	}
	last := len(parts) - 1
	around.New = strings.Join(parts[:last], e.Old) + e.New + parts[last]
	around.Sites = append(around.Sites, e.Sites...)
	return true
}

// A writer writes changes of statements.
type writer struct {
	*instrumented
	words   ir.Words
	changes ir.Changes
	edits   ir.Patch // of expressions, and deletions
	pieces  []piece
	removed []removal
}

// A removal takes away a statement about threads.
type removal struct {
	l    *slot
	site ir.SiteID
}

// A piece is text to insert. Of those at one place the ones that end
// something come first, the innermost before what is around it; then those
// that begin something, the outermost first.
type piece struct {
	at    ir.Span
	order int
	depth int
	text  string
	site  ir.SiteID
}

// The order of pieces of one depth.
const (
	closeGuard = iota
	insertAfter
	lockAfter    // and the orders of what is inserted there
	closeBlock   = iota + int(Begins)
	openBlock    = iota + int(Begins) // from here on at the beginning of a statement
	lockBefore                        // likewise
	insertBefore = iota + 2*int(Begins)
	moveHere
	openGuard
)

func (w *writer) add(l *slot, at ir.Span, order int, text string, site ir.SiteID) {
	w.pieces = append(w.pieces, piece{at, order, l.depth, text, site})
}

// write writes the change of the slot l at s.
func (w *writer) write(l *slot, s ir.Site, change func(ir.Expr) ir.Expr) {
	e := change(*s.Occurrences[0])
	switch l.role {
	case Guard:
		if on, known := truth(e); known && !on {
			w.drop(l, l.text, s.ID)
			return
		}
		w.brackets(l, w.words.If[0]+w.orig.Source(e)+w.words.If[1], openGuard, closeGuard, s.ID)
		w.enclose(l, s.ID)
	case Insertion:
		v := (*s.Occurrences[0]).(*ir.Use).Var
		text := w.orig.Source(&ir.Use{Var: v}) + w.words.Assign + w.orig.Source(e) + w.words.End
		if l.after {
			w.add(l, w.end(l.text), insertAfter, w.words.Between+text, s.ID)
		} else {
			w.add(l, begin(l.text), insertBefore, text+w.words.Between, s.ID)
		}
		w.enclose(l, s.ID)
	case Exchange:
		w.add(l, begin(l.text), moveHere, w.take(l.next)+w.words.Between, s.ID)
		w.drop(l, l.next, s.ID)
	case inPlan:
		w.lock(l, s.ID)
	}
}

// lock writes the change of a statement about threads.
func (w *writer) lock(l *slot, site ir.SiteID) {
	if !l.swapped.IsZero() {
		return // which patch wrote
	}
	if l.own {
		w.removed = append(w.removed, removal{l, site})
		return
	}
	if l.retest {
		at := begin(l.text)
		at.End += len(w.words.Test)
		w.edits = append(w.edits, ir.Edit{Span: at, Old: w.orig.Text(at), New: w.words.Loop, Sites: []ir.SiteID{site}})
		return
	}
	text := l.words
	if !l.moved.IsZero() {
		text = unended(w.words, w.edited(l.moved))
	}
	text += w.words.End
	if l.after {
		w.add(l, w.end(l.text), lockAfter+l.order, w.before(l.text)+text, site)
	} else {
		w.add(l, begin(l.text), lockBefore+l.order, text+w.before(l.text), site)
	}
	w.enclose(l, site)
}

// before returns what separates s, a statement, from the one before it: a new
// line if it begins one.
func (w *writer) before(s ir.Span) string {
	if indent, ok := w.lineOf(s); ok {
		return "\n" + indent
	}
	return w.words.Between
}

// lineOf returns what stands before s in its line, if that is nothing but
// space.
func (w *writer) lineOf(s ir.Span) (string, bool) {
	text := string(w.orig.File(s.File).Content[:s.Start])
	line := text[strings.LastIndexByte(text, '\n')+1:]
	return line, strings.TrimSpace(line) == ""
}

// remove takes away a statement: what is put beside it takes its place. Else
// its line goes with it, if it stands alone there.
func (w *writer) remove(r removal) {
	s := r.l.text
	w.take(s)
	beside := w.beside(s)
	edit := ir.Edit{Span: s, Sites: []ir.SiteID{r.site}}
	between := w.before(s)
	for i, p := range beside {
		if i > 0 {
			edit.New += between
		}
		edit.New += strings.TrimSuffix(strings.TrimPrefix(p.text, between), between)
		edit.Sites = append(edit.Sites, p.site)
	}
	switch {
	case len(beside) == 1: // what ends the statement stays
		text := w.orig.Text(s)
		end := text[len(unended(w.words, text)):]
		edit.Span.End -= len(end)
		edit.New = strings.TrimSuffix(edit.New, end)
		w.unbracket(s)
	case len(beside) > 0:
	case r.l.bare:
		edit.New = w.words.Empty
	case !slices.ContainsFunc(w.pieces, func(p piece) bool { return p.at == begin(s) || p.at == w.end(s) }):
		edit.Span = w.whole(s)
	}
	edit.Old = w.orig.Text(edit.Span)
	w.edits = append(w.edits, edit)
}

// unbracket takes out the brackets around the statement at s, if nothing else
// is in them.
func (w *writer) unbracket(s ir.Span) {
	around := func(p piece) bool { return p.at == begin(s) || p.at == w.end(s) }
	if !slices.ContainsFunc(w.pieces, func(p piece) bool { return around(p) && p.order != openBlock && p.order != closeBlock }) {
		w.pieces = slices.DeleteFunc(w.pieces, around)
	}
}

// beside takes out what is put right before or after the statement at s, in
// its order.
func (w *writer) beside(s ir.Span) []piece {
	var out []piece
	w.pieces = slices.DeleteFunc(w.pieces, func(p piece) bool {
		before := p.at == begin(s) && p.order >= lockBefore && p.order < insertBefore
		after := p.at == w.end(s) && p.order >= lockAfter && p.order < closeBlock
		if before || after {
			out = append(out, p)
		}
		return before || after
	})
	slices.SortStableFunc(out, func(a, b piece) int { return cmp.Or(begins(b)-begins(a), a.order-b.order) })
	return out
}

// whole returns s, a statement, with its line if there is nothing else in it.
func (w *writer) whole(s ir.Span) ir.Span {
	indent, ok := w.lineOf(s)
	rest := string(w.orig.File(s.File).Content[s.End:])
	line, _, more := strings.Cut(rest, "\n")
	if ok && more && unended(w.words, line) == "" {
		s.Start, s.Col = s.Start-len(indent), 1
		s.End += len(line) + 1
	}
	return s
}

// unended returns text without what ends a statement.
func unended(w ir.Words, text string) string { return strings.TrimRight(text, w.End+w.Between+" \t") }

// edited returns the text at s with the edits in it made.
func (w *writer) edited(s ir.Span) string {
	edits := slices.Clone(w.edits)
	text := w.take(s)
	w.edits = edits
	return text
}

// end returns the end of s, as an empty span.
func (w *writer) end(s ir.Span) ir.Span {
	s.Line, s.Col = ir.Edit{Span: s, Old: w.orig.Text(s)}.End()
	s.Start = s.End
	return s
}

// begin returns the beginning of s.
func begin(s ir.Span) ir.Span {
	s.End = s.Start
	return s
}

// enclose puts the statement of l in brackets if the source has none.
func (w *writer) enclose(l *slot, site ir.SiteID) {
	if l.bare {
		w.brackets(l, "", openBlock, closeBlock, site)
	}
}

// brackets puts the statement of l in brackets, with a text before them.
func (w *writer) brackets(l *slot, before string, open, close int, site ir.SiteID) {
	w.add(l, begin(l.text), open, before+w.words.Open, site)
	w.add(l, w.end(l.text), close, w.words.Close, site)
}

// drop deletes the statement at s.
func (w *writer) drop(l *slot, s ir.Span, site ir.SiteID) {
	w.take(s)
	text := ""
	if l.bare {
		text = w.words.Empty
	}
	w.edits = append(w.edits, ir.Edit{Span: s, Old: w.orig.Text(s), New: text, Sites: []ir.SiteID{site}})
}

// take removes the edits in s, and returns the text with them made.
func (w *writer) take(s ir.Span) string {
	var b strings.Builder
	text, at := w.orig.Text(s), 0
	var rest ir.Patch
	for _, e := range w.edits {
		if e.Span.File != s.File || e.Span.Start < s.Start || e.Span.End > s.End {
			rest = append(rest, e)
			continue
		}
		b.WriteString(text[at : e.Span.Start-s.Start])
		b.WriteString(e.New)
		at = e.Span.End - s.Start
	}
	b.WriteString(text[at:])
	w.edits = rest
	return b.String()
}

// patch returns all edits, in order. Insertions at one place are one.
func (w *writer) patch() (ir.Patch, error) {
	slices.SortStableFunc(w.pieces, func(a, b piece) int {
		depth := a.depth - b.depth
		if a.order < openBlock {
			depth = -depth
		}
		return cmp.Or(
			strings.Compare(a.at.File, b.at.File), a.at.Start-b.at.Start,
			begins(a)-begins(b), depth, a.order-b.order,
		)
	})
	out := slices.Clone(w.edits)
	for i, p := range w.pieces {
		if last := len(out) - 1; i > 0 && w.pieces[i-1].at == p.at {
			if q := w.pieces[i-1]; q.order == p.order && (p.order == openBlock || p.order == closeBlock) && q.depth == p.depth {
				continue // the same brackets
			}
			out[last].New += p.text
			if !slices.Contains(out[last].Sites, p.site) {
				out[last].Sites = append(out[last].Sites, p.site)
			}
			continue
		}
		out = append(out, ir.Edit{Span: p.at, New: p.text, Sites: []ir.SiteID{p.site}})
	}
	slices.SortStableFunc(out, func(a, b ir.Edit) int {
		return cmp.Or(strings.Compare(a.Span.File, b.Span.File), a.Span.Start-b.Span.Start, a.Span.End-b.Span.End)
	})
	for i := 1; i < len(out); i++ {
		if a, b := out[i-1].Span, out[i].Span; a.File == b.File && b.Start < a.End {
			return nil, errors.New("a change has no source text: another one drops it")
		}
	}
	return out, nil
}

// begins returns 1 for a piece at the beginning of a statement, 0 for one at
// an end.
func begins(p piece) int {
	if p.order >= openBlock {
		return 1
	}
	return 0
}
