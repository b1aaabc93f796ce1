package ir

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// An Edit replaces the source text Old, at Span, by New.
type Edit struct {
	Span     Span
	Old, New string
	Sites    []SiteID // the changes that it makes
}

// A Patch is a list of edits, in the order of files and offsets, that don't
// overlap.
type Patch []Edit

// Edits returns changes as edits of the source: each the smallest
// expression with an exact span that holds the change. Changes inside one
// another become one edit. The error says which change can't be written.
func (p *Program) Edits(changes Changes) (Patch, error) {
	r := &renderer{p: p, syntax: SyntaxOf(p), changes: changes, primary: make(map[Expr]bool), written: make(map[SiteID]bool), least: make(map[Span]int), around: make(map[Expr]int)}
	changed := 0
	for _, s := range p.Sites() {
		if changes[s.ID] != nil {
			changed++
			r.mark(s)
		}
	}
	for _, e := range r.changedOperands() {
		r.patch = nil
		r.edits(e, r.around[e])
		r.finished = append(r.finished, r.patch...)
	}
	if r.err != nil {
		return nil, r.err
	}
	if n := len(r.written); n != changed {
		return nil, fmt.Errorf("%d of %d changes have no source text", changed-n, changed)
	}
	r.finished.sort()
	for i, e := range r.finished {
		if i > 0 && e.Span.File == r.finished[i-1].Span.File && e.Span.Start < r.finished[i-1].Span.End {
			return nil, errors.New("a change has no source text: another one drops it")
		}
	}
	return r.finished, nil
}

// mark notes the occurrences of s that stand for its text: one, or all copies that
// a macro makes of its argument.
func (r *renderer) mark(s Site) {
	first := *s.Occurrences[0]
	r.primary[first] = true
	if first.expr().Around == AsWritten {
		return
	}
	for i, e := range s.Occurrences[1:] {
		if (*e).Span() == first.Span() {
			r.primary[*e] = true
			for _, o := range s.Stmts[i+1].Operands(nil) {
				r.demand(*o, PrecAssign)
			}
		}
	}
}

// demand notes the highest precedence that e, where min is needed, and what is in
// it must have, to be text that several places share.
func (r *renderer) demand(e Expr, min int) {
	if implicit(e) {
		r.demand(e.(*Convert).X, min)
		return
	}
	if least, ok := r.least[e.Span()]; !ok || least < min {
		r.least[e.Span()] = min
	}
	n := r.notation(e)
	for i, o := range e.Operands(nil) {
		r.demand(*o, n.min(i))
	}
}

// changedOperands returns the operands of statements that hold changes,
// those with a shorter text first: one text may hold that of another
// statement, such as a call.
func (r *renderer) changedOperands() []Expr {
	var out []Expr
	r.p.Stmts(func(_ *Proc, s Stmt) {
		for _, e := range s.Operands(nil) {
			if !r.changesIn(*e) {
				continue
			}
			out = append(out, *e)
			r.around[*e] = PrecAssign
			if StmtOf(s).Of != 0 && !r.delimited((*e).Span()) {
				r.around[*e] = PrecAtom
			}
		}
	})
	slices.SortStableFunc(out, func(a, b Expr) int {
		return (a.Span().End - a.Span().Start) - (b.Span().End - b.Span().Start)
	})
	return out
}

// delimited reports whether what is at s, an operand that a front end saves before
// the rest of its statement, stands between brackets, commas or the like: another
// operator of that statement may be beside it.
func (r *renderer) delimited(s Span) bool {
	f := r.p.File(s.File)
	if f == nil || s.IsZero() {
		return true // it is no text
	}
	before := strings.TrimRight(string(f.Content[:s.Start]), " \t\r\n")
	after := strings.TrimLeft(string(f.Content[s.End:]), " \t\r\n")
	if before == "" || after == "" || !strings.ContainsRune(")]},;", rune(after[0])) {
		return false
	}
	last, rest := before[len(before)-1], before[:len(before)-1]
	if last == '=' { // that assigns
		return rest != "" && !strings.ContainsRune("=!<>", rune(rest[len(rest)-1]))
	}
	return strings.ContainsRune("([{,;", rune(last))
}

// absorb moves the finished edits in s, of other statements, to the patch.
func (r *renderer) absorb(s Span) {
	r.finished = slices.DeleteFunc(r.finished, func(e Edit) bool {
		inside := s.holds(e.Span)
		if inside {
			r.patch = append(r.patch, e)
			r.sites = append(r.sites, e.Sites...)
		}
		return inside
	})
}

// edited reports whether a finished edit lies in s.
func (r *renderer) edited(s Span) bool {
	return slices.ContainsFunc(r.finished, func(e Edit) bool { return s.holds(e.Span) })
}

// holds reports whether t lies in s.
func (s Span) holds(t Span) bool { return s.File == t.File && s.Start <= t.Start && t.End <= s.End }

func (p Patch) sort() {
	slices.SortFunc(p, func(a, b Edit) int {
		return cmp.Or(strings.Compare(a.Span.File, b.Span.File), a.Span.Start-b.Span.Start)
	})
}

// edits adds the edits for the changes in e. The expression around it needs
// an operand of precedence min.
func (r *renderer) edits(e Expr, min int) {
	if r.changedAt(e) {
		r.add(e, min)
		return
	}
	r.inside(e, min)
}

// inside adds the edits for the changes in e's operands.
func (r *renderer) inside(e Expr, min int) {
	if implicit(e) {
		r.edits(e.(*Convert).X, min)
		return
	}
	n := r.notation(e)
	for i, o := range e.Operands(nil) {
		r.edits(*o, n.min(i))
	}
}

// changedAt reports whether e has the smallest exact span that holds some
// change.
func (r *renderer) changedAt(e Expr) bool {
	return !e.Span().IsZero() && (r.primary[e] || r.hidden(e))
}

// hidden reports whether a change lies in e below operands without a span.
func (r *renderer) hidden(e Expr) bool {
	for _, o := range e.Operands(nil) {
		if (*o).Span().IsZero() && (r.primary[*o] || r.hidden(*o)) {
			return true
		}
	}
	return false
}

func (r *renderer) add(e Expr, min int) {
	first := len(r.sites)
	text, prec := r.render(e)
	if least, ok := r.least[e.Span()]; ok {
		min = max(min, least)
	}
	if prec < min && !r.enclosed(e) || r.afterSign(e.Span(), text) {
		text = "(" + text + ")"
	}
	edit := Edit{Span: e.Span(), Old: r.p.Text(e.Span()), New: text, Sites: slices.Clone(r.sites[first:])}
	same := func(x Edit) bool { return x.Span == edit.Span && x.New == text }
	if !slices.ContainsFunc(r.patch, same) && !slices.ContainsFunc(r.finished, same) { // else of a copy
		r.patch = append(r.patch, edit)
	}
}

// afterSign reports whether text, put at s, would follow its own first
// character, a sign: n-3 must not become n--3.
func (r *renderer) afterSign(s Span, text string) bool {
	f := r.p.File(s.File)
	if f == nil || !strings.HasPrefix(text, "-") {
		return false
	}
	before := strings.TrimRight(string(f.Content[max(0, s.Start-80):s.Start]), " \t\r\n")
	return strings.HasSuffix(before, "-")
}

// End returns the line and byte column, from 1, of the end of the edit's
// old text.
func (e Edit) End() (line, col int) {
	i := strings.LastIndexByte(e.Old, '\n')
	if i < 0 {
		return e.Span.Line, e.Span.Col + len(e.Old)
	}
	return e.Span.Line + strings.Count(e.Old, "\n"), len(e.Old) - i
}

// Apply returns files with the edits made. The error says where the text
// is not what the patch was made for.
func (p Patch) Apply(files []*File) ([]*File, error) {
	out := make([]*File, len(files))
	for i, f := range files {
		var b bytes.Buffer
		at := 0
		for _, e := range p {
			if e.Span.File != f.Name {
				continue
			}
			if e.Span.Start < at || e.Span.End > len(f.Content) || string(f.Content[e.Span.Start:e.Span.End]) != e.Old {
				return nil, &Error{e.Span, "the patch was made for another text"}
			}
			b.Write(f.Content[at:e.Span.Start])
			b.WriteString(e.New)
			at = e.Span.End
		}
		b.Write(f.Content[at:])
		out[i] = &File{Name: f.Name, Content: b.Bytes()}
	}
	return out, nil
}
