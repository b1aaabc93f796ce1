package cfront

// Which words of a macro's use an expansion's tokens are. cc gives all of them
// the place of the macro's name. So the use is expanded here again, with the
// places of its arguments; if that gives the very tokens that cc has, those
// places are theirs.

import (
	"regexp"
	"slices"

	"modernc.org/cc/v4"

	"github.com/go-amend/amend/ir"
)

// A word is a token of an expansion. It stands in the text from from to to, as
// itself or as a part of what a macro's use there became. From is -1 for what is
// a macro's own.
type word struct {
	text     string
	from, to int
	painted  bool // the name of a macro around, which stays
}

// trace gives the tokens of macro uses the places of the arguments that they are.
func (x *text) trace() {
	for i := 0; i < len(x.tokens); i++ {
		j := x.lastOf(i)
		if t := x.tokens[i]; !t.literal && t.src != nil {
			x.traceUse(i, j)
		}
		i = j
	}
}

// traceUse does so for the tokens from i to j, those of one use.
func (x *text) traceUse(i, j int) {
	src, at := x.tokens[i].src, x.tokens[i].off
	open := identifier(src.text, at)
	m := x.macros[string(src.text[at:open])]
	if m == nil || !m.IsFnLike {
		return
	}
	open = blanks(src.text, open)
	end := closing(src.text, open)
	if end < 0 {
		return
	}
	e := expander{macros: x.macros}
	args, _ := e.arguments(words(src.text, open, end), 0)
	got := e.use(m, args, nil)
	if e.failed || !slices.EqualFunc(got, x.tokens[i:j+1], func(w word, t token) bool { return w.text == t.text }) {
		return
	}
	for k, w := range got {
		x.words[i+k] = w
	}
}

// argument returns the text of tokens i to j if they are all that a part of an
// argument of a macro became, in one of the places where the macro has it.
func (x *text) argument(i, j int) ir.Span {
	from := x.words[i].from
	if _, ok := x.words[i]; !ok || from < 0 || x.tokens[i].off != x.tokens[j].off || x.split(i-1, i) || x.split(j, j+1) {
		return ir.Span{}
	}
	src := x.tokens[i].src
	for k := i; k < j; k++ {
		if a, b := x.words[k], x.words[k+1]; b.from < 0 || a.from != b.from && blanks(src.text, a.to) != b.from {
			return ir.Span{}
		}
	}
	s := src.span(from, x.words[j].to)
	x.copies[s] = x.copiesOf(i, j)
	return s
}

// split reports whether tokens i and j are parts of one place in an argument.
func (x *text) split(i, j int) bool {
	a, ok := x.words[i]
	b, ok2 := x.words[j]
	return ok && ok2 && a.from >= 0 && a.from == b.from && x.joined(i, j)
}

// copies says what a macro's use has of a part of its argument.
type copies struct {
	times  int
	around ir.Around // of all of them
}

// copiesOf returns those of tokens i to j.
func (x *text) copiesOf(i, j int) copies {
	c := copies{around: ir.Parentheses}
	from, n, k := x.words[i].from, j-i, i
	for x.joined(k-1, k) {
		k--
	}
	for last := x.lastOf(k); k <= last; k++ {
		if x.words[k].from != from || x.split(k-1, k) {
			continue
		}
		c.times++
		if k == 0 || k+n+1 >= len(x.tokens) || x.tokens[k-1].text != "(" || x.tokens[k+n+1].text != ")" {
			c.around = ir.NoParentheses
		}
	}
	return c
}

// words cuts text into the tokens of C.
func words(text []byte, from, to int) (out []word) {
	for off := blanks(text, from); off < to; off = blanks(text, off) {
		n := wordEnd(text, off)
		out = append(out, word{text: string(text[off:n]), from: off, to: n})
		off = n
	}
	return out
}

var numeral = regexp.MustCompile(`^\.?[0-9](?:[eEpP][+-]|[\w.])*`)

// punctuators are those of more than one character.
var punctuators = regexp.MustCompile(`^(?:\.\.\.|<<=|>>=|->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&^|]=|##)`)

// wordEnd returns the end of the token at off.
func wordEnd(text []byte, off int) int {
	rest := text[off:]
	if n := identifier(text, off); n > off && (rest[0] < '0' || rest[0] > '9') {
		return n
	}
	if rest[0] == '"' || rest[0] == '\'' {
		return max(literalEnd(text, off), off+1)
	}
	if m := numeral.Find(rest); m != nil {
		return off + len(m)
	}
	if m := punctuators.Find(rest); m != nil {
		return off + len(m)
	}
	return off + 1
}

// An expander expands macros as a preprocessor does. It fails at what it doesn't
// know: what joins tokens and makes strings of them, arguments that vary in number,
// and macros that are defined in several ways.
type expander struct {
	macros map[string]*cc.Macro
	failed bool
	steps  int
}

// maxUses is how many uses an expander looks at.
const maxUses = 1 << 10

// expand expands all uses in ws, but for those of the macros around.
func (e *expander) expand(ws []word, around []string) (out []word) {
	for i := 0; i < len(ws) && !e.failed; i++ {
		w := ws[i]
		m := e.macros[w.text]
		if m == nil || w.painted || m.IsFnLike && (i+1 == len(ws) || ws[i+1].text != "(") {
			out = append(out, w)
			continue
		}
		if slices.Contains(around, w.text) {
			w.painted = true
			out = append(out, w)
			continue
		}
		var args [][]word
		if m.IsFnLike {
			args, i = e.arguments(ws, i+1)
		}
		if e.failed {
			break
		}
		out = append(out, e.placed(e.use(m, args, around), w, ws[i])...)
	}
	return out
}

// placed returns ws, which a use from first to last became. It is one place if it
// stands in an argument.
func (e *expander) placed(ws []word, first, last word) []word {
	if first.from < 0 {
		return ws
	}
	if last.from < first.from {
		e.failed = true // its parentheses stand elsewhere
	}
	for i := range ws {
		ws[i].from, ws[i].to = first.from, last.to
	}
	return ws
}

// arguments returns those in the parentheses that open at ws[i], and where
// these close.
func (e *expander) arguments(ws []word, i int) (args [][]word, last int) {
	depth, from := 0, i+1
	for k := i; k < len(ws); k++ {
		switch w := ws[k].text; {
		case w == "(":
			depth++
		case w == ")" && depth > 1:
			depth--
		case w == ")":
			return append(args, ws[from:k]), k
		case w == "," && depth == 1:
			args = append(args, ws[from:k])
			from = k + 1
		}
	}
	e.failed = true
	return nil, i
}

// use returns what the use of m becomes.
func (e *expander) use(m *cc.Macro, args [][]word, around []string) []word {
	if len(m.Params) == 0 && len(args) == 1 && len(args[0]) == 0 {
		args = nil
	}
	e.steps++
	e.failed = e.failed || !m.IsConst || m.VarArg >= 0 || len(args) != len(m.Params) || e.steps > maxUses
	if e.failed {
		return nil
	}
	by := map[string][]word{}
	for i, p := range m.Params {
		by[p.SrcStr()] = e.expand(args[i], around)
	}
	var body []word
	for _, t := range m.ReplacementList() {
		text := t.SrcStr()
		e.failed = e.failed || text == "#" || text == "##" || text == "%:" || text == "%:%:"
		if arg, ok := by[text]; ok {
			body = append(body, arg...)
		} else {
			body = append(body, word{text: text, from: -1})
		}
	}
	return e.expand(body, append(slices.Clip(around), m.Name.SrcStr()))
}
