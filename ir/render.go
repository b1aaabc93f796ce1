package ir

import (
	"fmt"
	"slices"
	"strings"
)

// A renderer writes changed expressions as source text.
type renderer struct {
	p       *Program
	changes Changes
	primary map[Expr]bool // changed occurrences to write
	patch   Patch
	sites   []SiteID // written so far

	finished Patch // of other statements

	done int
	err  error

	replaced []Expr // what is being replaced, the innermost last
}

// Source returns e as text of p's language, parts of it that have a span as
// they are written there.
func (p *Program) Source(e Expr) string {
	r := &renderer{p: p, primary: make(map[Expr]bool)}
	text, _ := r.render(e)
	return text
}

// Precedences of expressions, as C has them; Go and the text format differ
// only in binary operators.
const (
	precAssign = -1
	precCond   = 0
	precUnary  = 20
	precAtom   = 30
)

func (l Language) precedence(op Op) int {
	if l == Go {
		switch op {
		case LOr:
			return 1
		case LAnd:
			return 2
		case Eq, Ne, Lt, Le, Gt, Ge:
			return 3
		case Add, Sub, Or, Xor:
			return 4
		}
		return 5
	}
	switch op {
	case LOr:
		return 1
	case LAnd:
		return 2
	case Or:
		return 3
	case Xor:
		return 4
	case And:
		return 5
	case Eq, Ne:
		return 6
	case Lt, Le, Gt, Ge:
		return 7
	case Shl, Shr:
		return 8
	case Add, Sub:
		return 9
	}
	return 10
}

// implicit reports whether e is a conversion that the source doesn't show.
func implicit(e Expr) bool {
	c, ok := e.(*Convert)
	return ok && !c.Explicit
}

// operandMins returns the precedence that each operand of e must have, to
// stand there without parentheses.
func (r *renderer) operandMins(e Expr) []int {
	switch e := e.(type) {
	case *Unary:
		return []int{precUnary}
	case *Binary:
		if e.Form != Infix {
			return []int{precUnary, precCond}
		}
		k := r.p.Language.precedence(e.Op)
		return []int{k, k + 1}
	case *Cond:
		return []int{precCond + 1, precAssign, precCond}
	case *Index:
		return []int{precAtom, precAssign}
	case *Convert:
		if r.p.Language == C {
			return []int{precUnary}
		}
		return []int{precAssign}
	case *Ended:
		return []int{precAssign} // in parentheses
	case *Math:
		return slices.Repeat([]int{precAssign}, len(e.Args))
	}
	return nil
}

// prec returns the precedence of e as the source has it.
func (r *renderer) prec(e Expr) int {
	switch e := e.(type) {
	case *Unary:
		return precUnary
	case *Binary:
		if e.Form != Infix {
			return precAssign
		}
		return r.p.Language.precedence(e.Op)
	case *Cond:
		return precCond
	case *Convert:
		switch {
		case !e.Explicit:
			return r.prec(e.X)
		case r.p.Language == C:
			return precUnary
		}
		return precAtom
	}
	text := r.p.Text(e.Span())
	digits, negative := strings.CutPrefix(text, "-")
	switch _, isConst := e.(*Const); {
	case isConst && negative && atomic(digits):
		return precUnary - 1
	case !atomic(text):
		return precAssign
	}
	return precAtom
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
		r.done++
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
	r.inside(e, precAssign)
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
	k := r.p.Language.precedence(y.Op)
	if !r.fits(x.X, k) || !r.fits(x.Y, k+1) || r.changesIn(x.X) || r.changesIn(x.Y) || r.edited(x.Span()) {
		return "", 0, false
	}
	src, at := r.operator(x)
	if at < 0 {
		return "", 0, false
	}
	return src[:at] + y.Op.String() + src[at+len(x.Op.String()):], k, true
}

// fits reports whether e can stand where precedence min is needed.
func (r *renderer) fits(e Expr, min int) bool {
	return r.prec(e) >= min || r.enclosed(textSpan(e))
}

// textSpan returns the span of e's text, which an implicit conversion
// shares with its operand.
func textSpan(e Expr) Span {
	for implicit(e) {
		e = e.(*Convert).X
	}
	return e.Span()
}

// operator returns the source of e and the offset of its operator in it, or
// -1 if it is not found.
func (r *renderer) operator(e *Binary) (string, int) {
	x, y := textSpan(e.X), textSpan(e.Y)
	s := e.Pos
	if s.IsZero() || x.File != s.File || y.File != s.File || x.Start < s.Start || x.End > y.Start || y.End > s.End {
		return "", -1
	}
	src := r.p.Text(s)
	i, end := x.End-s.Start, y.Start-s.Start
	for i < end {
		switch rest := src[i:end]; {
		case strings.HasPrefix(rest, e.Op.String()):
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

// enclosed reports whether the source has parentheses around s.
func (r *renderer) enclosed(s Span) bool {
	f := r.p.File(s.File)
	if f == nil || s.IsZero() {
		return false
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
	mins := r.operandMins(e)
	switch e := e.(type) {
	case *Use:
		if len(r.p.Files) > 0 && e.Var.Span.IsZero() && r.err == nil {
			r.err = &Error{e.Pos, "the change has no form in the source"}
		}
		return e.Var.Name, precAtom
	case *Const:
		return r.constant(e, old)
	case *Unary:
		x := r.operand(e.X, mins[0])
		op := e.Op.String()
		if r.p.Language == Go && e.Op == Compl {
			op = "^"
		}
		if strings.HasPrefix(x, op) {
			x = "(" + x + ")" // not --x
		}
		return op + x, precUnary
	case *Binary:
		return r.binary(e, mins)
	case *Cond:
		return fmt.Sprintf("%s ? %s : %s", r.operand(e.C, mins[0]), r.operand(e.X, mins[1]), r.operand(e.Y, mins[2])), precCond
	case *Index:
		return fmt.Sprintf("%s[%s]", r.operand(e.X, mins[0]), r.operand(e.I, mins[1])), precAtom
	case *Convert:
		switch {
		case !e.Explicit:
			return r.render(e.X)
		case r.p.Language == C:
			return "(" + cType(e.To) + ")" + r.operand(e.X, mins[0]), precUnary
		}
		x := r.operand(e.X, mins[0])
		if c, ok := e.X.(*Const); ok && r.p.Language == Text && c.Typ != Type(Bool{}) {
			x = "(" + x + ")" // not a literal of that type, which it may not fit
		}
		return e.To.String() + "(" + x + ")", precAtom
	case *Math:
		args := make([]string, len(e.Args))
		for i, x := range e.Args {
			args[i] = r.operand(x, mins[i])
		}
		return e.Fn.String() + "(" + strings.Join(args, ", ") + ")", precAtom
	}
	panic("ir: unknown expression")
}

func (r *renderer) binary(e *Binary, mins []int) (string, int) {
	x := r.operand(e.X, mins[0])
	switch {
	case e.Form == Infix:
		y := r.operand(e.Y, mins[1])
		if strings.HasPrefix(y, "-") && (e.Op == Sub || e.Op == Add) {
			y = "(" + y + ")"
		}
		return x + " " + e.Op.String() + " " + y, r.p.Language.precedence(e.Op)
	case e.Form == Compound, e.Op != Add && e.Op != Sub:
		if e.Form == Postfix && e.Value {
			r.err = &Error{e.Pos, "the change has no form in the source"}
		}
		return x + " " + e.Op.String() + "= " + r.operand(e.Y, mins[1]), precAssign
	}
	step := strings.Repeat(e.Op.String(), 2)
	if e.Form == Prefix {
		return step + x, precUnary
	}
	return x + step, precAtom
}

// constant returns the text of e, with the suffix letters of the constant
// that it replaces.
func (r *renderer) constant(e *Const, old Expr) (string, int) {
	if _, ok := e.Typ.(Bool); ok {
		if r.p.Language != C {
			return fmt.Sprint(e.Val == 1), precAtom
		}
		return fmt.Sprint(e.Val), precAtom
	}
	text := FormatValue(e.Typ, e.Val)
	suffix := ""
	if f, ok := e.Typ.(Float); ok && r.p.Language != Text {
		suffix = r.floatSuffix(f, text)
	}
	switch r.p.Language {
	case Text:
		if e.Typ != Type(Int{Width: 32, Signed: true}) {
			return e.Typ.String() + "(" + text + ")", precAtom
		}
	case Go:
		if t := r.converted(e.Typ, old); t != "" {
			return t + "(" + text + ")", precAtom
		}
	case C:
		t, ok := e.Typ.(Int)
		if !ok {
			break
		}
		if suffix = r.suffix(t, old); t.Signed && t.Width >= 32 && e.Val == 1<<(t.Width-1) {
			// The literal without its sign would not fit the type.
			return FormatValue(t, e.Val+1) + suffix + " - 1", r.p.Language.precedence(Sub)
		}
	}
	if strings.HasPrefix(text, "-") {
		return text + suffix, precUnary - 1 // not after another sign
	}
	return text + suffix, precAtom
}

// floatSuffix returns what follows text, a number of type t. Infinity and NaN
// are no literals.
func (r *renderer) floatSuffix(t Float, text string) string {
	if strings.ContainsAny(text, "IN") && r.err == nil {
		r.err = &Error{Msg: "the change has no form in the source"}
	}
	if t.Width == 32 && r.p.Language == C {
		return "f"
	}
	return ""
}

// converted returns T, if old is the constant T(…) of type t.
func (r *renderer) converted(t Type, old Expr) string {
	c, ok := old.(*Const)
	if !ok || c.Typ != t {
		return ""
	}
	name, arg, found := strings.Cut(r.p.Text(c.Pos), "(")
	if !found || strings.Contains(arg, "(") || !strings.HasSuffix(arg, ")") || strings.ContainsAny(name, " +-*/%&|^<>=!'\"") {
		return ""
	}
	return name
}

// suffix returns the letters that give a C literal the type t.
func (r *renderer) suffix(t Int, old Expr) string {
	if c, ok := old.(*Const); ok && c.Typ == Type(t) {
		text := r.p.Text(c.Pos)
		digits := strings.TrimRight(text, "uUlL")
		if c := digits + " "; digits != text && (c[0] >= '0' && c[0] <= '9' || c[0] == '-') {
			return text[len(digits):]
		}
	}
	s := ""
	if !t.Signed && t.Width >= 32 {
		s = "u"
	}
	if t.Width == 64 {
		s += "l"
	}
	return s
}

func cType(t Type) string {
	switch t {
	case Float{Width: 32}:
		return "float"
	case Float{Width: 64}:
		return "double"
	}
	i, ok := t.(Int)
	if !ok {
		return "_Bool"
	}
	name := map[int]string{8: "char", 16: "short", 32: "int", 64: "long"}[i.Width]
	switch {
	case !i.Signed:
		return "unsigned " + name
	case i.Width == 8:
		return "signed char"
	}
	return name
}
