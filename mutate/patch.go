package mutate

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"github.com/go-amend/amend/ir"
)

// patch returns changes as edits of the source. Those of latent statements
// become insertions and deletions around the edits of expressions.
func (x *latents) patch(changes ir.Changes) (ir.Patch, error) {
	w := &writer{latents: x, changes: changes}
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
	for _, s := range x.p.Sites()[x.first-1:] {
		if slices.Contains(ids, s.ID) {
			w.write(x.at[s.ID], s, changes[s.ID])
		}
	}
	return w.patch()
}

// A writer writes changes of statements.
type writer struct {
	*latents
	changes ir.Changes
	edits   ir.Patch // of expressions, and deletions
	pieces  []piece
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
	closeBlock
	openBlock // from here on at the beginning of a statement
	insertBefore
	moveHere
	openGuard
)

func (w *writer) add(l *latent, at ir.Span, order int, text string, site ir.SiteID) {
	w.pieces = append(w.pieces, piece{at, order, l.depth, text, site})
}

// write writes the change of the latent statement l at s.
func (w *writer) write(l *latent, s ir.Site, change func(ir.Expr) ir.Expr) {
	e := change(*s.Occurrences[0])
	switch l.role {
	case Guard:
		if on, known := truth(e); known && !on {
			w.drop(l, l.text, s.ID)
			return
		}
		c := w.orig.Source(e)
		if w.orig.Language == ir.C {
			c = "(" + c + ")"
		}
		w.brackets(l, "if "+c+" ", openGuard, closeGuard, s.ID)
		w.enclose(l, s.ID)
	case Insertion:
		v := (*s.Occurrences[0]).(*ir.Use).Var
		text := v.Name + " = " + w.orig.Source(e)
		switch {
		case !l.after:
			w.add(l, begin(l.text), insertBefore, text+"; ", s.ID)
		case w.orig.Language == ir.C:
			w.add(l, w.end(l.text), insertAfter, " "+text+";", s.ID)
		default:
			w.add(l, w.end(l.text), insertAfter, "; "+text, s.ID)
		}
		w.enclose(l, s.ID)
	case Exchange:
		text := w.take(l.next)
		if w.orig.Language != ir.C {
			text += ";"
		}
		w.add(l, begin(l.text), moveHere, text+" ", s.ID)
		w.drop(l, l.next, s.ID)
	}
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
func (w *writer) enclose(l *latent, site ir.SiteID) {
	if l.bare {
		w.brackets(l, "", openBlock, closeBlock, site)
	}
}

// brackets puts the statement of l in brackets, with a text before them.
func (w *writer) brackets(l *latent, before string, open, close int, site ir.SiteID) {
	w.add(l, begin(l.text), open, before+"{ ", site)
	w.add(l, w.end(l.text), close, " }", site)
}

// drop deletes the statement at s.
func (w *writer) drop(l *latent, s ir.Span, site ir.SiteID) {
	w.take(s)
	text := ""
	if l.bare && w.orig.Language == ir.C {
		text = ";"
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
