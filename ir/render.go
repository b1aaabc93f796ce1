package ir

import "strings"

// A renderer writes changed expressions as source text.
type renderer struct {
	p       *Program
	syntax  Syntax
	changes Changes
	primary map[Expr]bool // changed occurrences to write
	patch   Patch
	sites   []SiteID // written so far

	finished Patch // of other statements

	written map[SiteID]bool
	least   map[Span]int // precedence that all places of a text need
	around  map[Expr]int // precedence that a changed operand of a statement needs
	err     error

	replaced []Expr // what is being replaced, the innermost last
}

// Source returns e as text of p's language, parts of it that have a span as
// they are written there.
func (p *Program) Source(e Expr) string {
	r := &renderer{p: p, syntax: SyntaxOf(p), primary: make(map[Expr]bool)}
	text, _ := r.render(e)
	return text
}

// implicit reports whether e is a conversion that the source doesn't show.
func implicit(e Expr) bool {
	c, ok := e.(*Convert)
	return ok && !c.Explicit
}

// notation returns how e is written.
func (r *renderer) notation(e Expr) Notation { return r.syntax.Notation(e, "") }

// prec returns the precedence of e as the source has it.
func (r *renderer) prec(e Expr) int {
	switch x := e.(type) {
	case *Unary, *Cond:
		return r.notation(e).Prec
	case *Binary:
		if x.Form != Infix {
			return PrecAssign
		}
		return r.notation(e).Prec
	case *Convert:
		if implicit(x) {
			return r.prec(x.X)
		}
		return r.notation(e).Prec
	}
	text := r.p.Text(e.Span())
	digits, negative := strings.CutPrefix(text, "-")
	switch _, isConst := e.(*Const); {
	case isConst && negative && atomic(digits):
		return PrecUnary - 1
	case !atomic(text):
		return PrecAssign
	}
	return PrecAtom
}

// atomic reports whether text, the source of a variable, constant or call,
// needs no parentheses anywhere: names, numbers, and brackets that match.
func atomic(text string) bool {
	depth := 0
	for i, c := range text {
		switch {
		case c == '(' || c == '[':
			depth++
		case c == ')' || c == ']':
			depth--
		case depth > 0, c == '_', c == '.', c == '\'', c == '\\', c >= '0' && c <= '9', c|32 >= 'a' && c|32 <= 'z', c > 127:
		case strings.HasPrefix(text, "'"):
		case c == ' ' && i > 0 && strings.HasPrefix(strings.TrimLeft(text[i:], " "), "("):
		default:
			return false
		}
	}
	return true
}

// render returns the text of e, with the changes in it, and its precedence.
func (r *renderer) render(e Expr) (string, int) {
	if r.primary[e] {
		r.sites = append(r.sites, e.Site())
		r.written[e.Site()] = true
		n := r.changes[e.Site()](e)
		if text, prec, ok := r.token(e, n); ok {
			return text, prec
		}
		if below(e, n) {
			return r.render(n)
		}
		r.replaced = append(r.replaced, e)
		defer func() { r.replaced = r.replaced[:len(r.replaced)-1] }()
		return r.node(n, e)
	}
	if n := len(r.replaced); n > 0 && e.Span().IsZero() && !r.replaced[n-1].Span().IsZero() && SameNode(e, r.replaced[n-1]) {
		e = r.replaced[n-1] // a copy in what takes its place
	}
	if e.Span().IsZero() {
		return r.node(e, nil)
	}
	if r.hidden(e) {
		return r.node(e, nil)
	}
	return r.splice(e), r.prec(e)
}

// splice returns the source text of e with the changes in it made.
func (r *renderer) splice(e Expr) string {
	outer := r.patch
	r.patch = nil
	r.inside(e, PrecAssign)
	r.absorb(e.Span())
	r.patch.sort()
	var b strings.Builder
	at, s := e.Span().Start, e.Span()
	src := r.p.Text(s)
	for _, x := range r.patch {
		b.WriteString(src[at-s.Start : x.Span.Start-s.Start])
		b.WriteString(x.New)
		at = x.Span.End
	}
	b.WriteString(src[at-s.Start:])
	r.patch = outer
	return b.String()
}

// changesIn reports whether e holds a change.
func (r *renderer) changesIn(e Expr) bool {
	if r.primary[e] {
		return true
	}
	for _, o := range e.Operands(nil) {
		if r.changesIn(*o) {
			return true
		}
	}
	return false
}

// token returns the source of old with only its operator replaced by that
// of n, if that is all that changes and no parentheses are needed.
func (r *renderer) token(old, n Expr) (string, int, bool) {
	x, ok := old.(*Binary)
	y, ok2 := n.(*Binary)
	if !ok || !ok2 || x.X != y.X || x.Y != y.Y || x.Form != Infix {
		return "", 0, false
	}
	was, is := r.notation(x), r.notation(y)
	if len(was.Text) != 3 || len(is.Text) != 3 || !r.fits(x.X, is.min(0)) || !r.fits(x.Y, is.min(1)) || r.changesIn(x.X) || r.changesIn(x.Y) || r.edited(x.Span()) {
		return "", 0, false
	}
	op := strings.TrimSpace(was.Text[1])
	src, at := r.operator(x, op)
	if at < 0 {
		return "", 0, false
	}
	return src[:at] + strings.TrimSpace(is.Text[1]) + src[at+len(op):], is.Prec, true
}

// fits reports whether e can stand where precedence min is needed.
func (r *renderer) fits(e Expr, min int) bool {
	return r.prec(e) >= min || r.enclosed(e)
}

// textSpan returns the span of e's text, which an implicit conversion
// shares with its operand.
func textSpan(e Expr) Span {
	for implicit(e) {
		e = e.(*Convert).X
	}
	return e.Span()
}

// operator returns the source of e and the offset of op, its operator, in it,
// or -1 if it is not found.
func (r *renderer) operator(e *Binary, op string) (string, int) {
	x, y := textSpan(e.X), textSpan(e.Y)
	s := e.Pos
	if s.IsZero() || x.File != s.File || y.File != s.File || x.Start < s.Start || x.End > y.Start || y.End > s.End {
		return "", -1
	}
	src := r.p.Text(s)
	i, end := x.End-s.Start, y.Start-s.Start
	for i < end {
		switch rest := src[i:end]; {
		case strings.HasPrefix(rest, op):
			return src, i
		case strings.HasPrefix(rest, "/*"):
			i += strings.Index(rest, "*/") + 2
		case strings.HasPrefix(rest, "//"):
			i += strings.IndexByte(rest, '\n') + 1
		case strings.ContainsRune(" \t\r\n()\\", rune(src[i])):
			i++
		default:
			return src, -1
		}
	}
	return src, -1
}

// enclosed reports whether e, an operand, has parentheses around its text.
func (r *renderer) enclosed(e Expr) bool {
	for implicit(e) {
		e = e.(*Convert).X
	}
	s := e.Span()
	f := r.p.File(s.File)
	if f == nil || s.IsZero() {
		return false
	}
	if around := e.expr().Around; around != AsWritten {
		return around == Parentheses
	}
	before := strings.TrimRight(string(f.Content[max(0, s.Start-80):s.Start]), " \t\r\n")
	after := strings.TrimLeft(string(f.Content[s.End:min(len(f.Content), s.End+80)]), " \t\r\n")
	return strings.HasSuffix(before, "(") && strings.HasPrefix(after, ")")
}

// operand returns the text of e where precedence min is needed.
func (r *renderer) operand(e Expr, min int) string {
	text, prec := r.render(e)
	if prec < min {
		return "(" + text + ")"
	}
	return text
}

// node returns the text of e's own node, and its precedence. old is the
// expression that e takes the place of, or nil.
func (r *renderer) node(e, old Expr) (string, int) {
	if implicit(e) {
		return r.render(e.(*Convert).X)
	}
	if u, ok := e.(*Use); ok && len(r.p.Files) > 0 && u.Var.Span.IsZero() {
		r.unwritten(e)
	}
	n := r.syntax.Notation(e, r.constantText(e, old))
	if len(n.Text) == 0 {
		r.unwritten(e)
		return "", PrecAtom
	}
	var b strings.Builder
	b.WriteString(n.Text[0])
	for i, o := range e.Operands(nil)[:len(n.Text)-1] {
		x := r.operand(*o, n.min(i))
		if merges(n.Text[i], x) {
			x = "(" + x + ")"
		}
		b.WriteString(x)
		b.WriteString(n.Text[i+1])
	}
	return b.String(), n.Prec
}

// unwritten notes that e has no form in the source.
func (r *renderer) unwritten(e Expr) {
	if r.err == nil {
		r.err = &Error{e.Span(), "the change has no form in the source"}
	}
}

// merges reports whether text, after an operator, would be read as a part of
// that, or looks so: --x, x + -3.
func merges(before, text string) bool {
	op := strings.TrimSpace(before)
	sign := op == "+" || op == "-"
	return sign && strings.HasPrefix(text, "-") || op != "" && strings.HasSuffix(before, op) && strings.HasPrefix(text, op)
}

// constantText returns the source of old, if it and e are constants of one
// type.
func (r *renderer) constantText(e, old Expr) string {
	c, ok := e.(*Const)
	o, ok2 := old.(*Const)
	if !ok || !ok2 || c.Typ != o.Typ {
		return ""
	}
	return r.p.Text(o.Pos)
}
