package page

import (
	"fmt"
	"html"
	"html/template"
	"path/filepath"
	"slices"
	"strings"

	"github.com/alecthomas/chroma/v2"
	"github.com/alecthomas/chroma/v2/lexers"

	"github.com/go-amend/amend/ir"
)

// A source is a file as it is shown.
type source struct {
	Name  string
	Lines []line
}

// A line is one of a source. Heat is 0 to 4: how much a fix belongs there.
type line struct {
	Anchor string
	Number int
	Text   template.HTML // highlighted
	Heat   int
	Must   bool
	Failed bool
	Note   string // what the margin means

	Invariants []string // of loops that begin here
}

// sources shows the files in which something is, or the first of them.
func (v *view) sources() {
	for i, f := range v.Files {
		if !v.mentions(f.Name) && (i > 0 || v.mentionsAny()) {
			continue
		}
		s := source{Name: f.Name}
		for n, text := range highlighted(f) {
			s.Lines = append(s.Lines, line{Anchor: fmt.Sprintf("f%d-%d", i, n+1), Number: n + 1, Text: text})
		}
		v.mark(&s)
		v.Sources = append(v.Sources, s)
	}
}

func (v *view) mentionsAny() bool {
	return slices.ContainsFunc(v.Files, func(f *ir.File) bool { return v.mentions(f.Name) })
}

// mentions reports whether something is in the file called name.
func (v *view) mentions(name string) bool {
	for i := range v.Failures {
		f := &v.Failures[i]
		if f.At.File == name {
			return true
		}
		for j := range f.Run {
			if f.Run[j].At.File == name {
				return true
			}
		}
	}
	for i := range v.Invariants {
		if v.Invariants[i].At.File == name {
			return true
		}
	}
	for i := range v.Locations {
		if v.Locations[i].At.File == name {
			return true
		}
	}
	for i := range v.Repairs {
		for _, e := range v.Repairs[i].Patch {
			if e.Span.File == name {
				return true
			}
		}
	}
	return false
}

// mark says in the margins of s where a fix may go, and what failed.
func (v *view) mark(s *source) {
	at := func(span ir.Span) *line {
		if span.File != s.Name || span.Line < 1 || span.Line > len(s.Lines) {
			return nil
		}
		return &s.Lines[span.Line-1]
	}
	for i := range v.Locations {
		l := &v.Locations[i]
		x := at(l.At)
		if x == nil {
			continue
		}
		x.Must = x.Must || l.Must
		if h := heat(l.Rank); h > x.Heat {
			x.Heat = h
			x.Note = "a fix may be here"
			if l.Rank > 0 {
				x.Note = fmt.Sprintf("suspicious: number %d", l.Rank)
			}
		}
		if l.Must {
			x.Note = "every fix changes one of the marked lines"
		}
	}
	for _, inv := range v.Invariants {
		if x := at(inv.At); x != nil {
			x.Invariants = append(x.Invariants, inv.Text)
		}
	}
	for i := range v.Failures {
		if x := at(v.Failures[i].At); x != nil {
			x.Failed = true
		}
	}
}

// heat returns how hot a location of this rank is: those without a rank are
// all alike.
func heat(rank int) int {
	switch {
	case rank == 0:
		return 3
	case rank == 1:
		return 4
	case rank <= 3:
		return 3
	case rank <= 10:
		return 2
	}
	return 1
}

// highlighted returns the lines of f as HTML. Of a language that is not known
// they are plain.
func highlighted(f *ir.File) []template.HTML {
	text := strings.ReplaceAll(string(f.Content), "\r\n", "\n")
	lexer := lexers.Get(filepath.Base(f.Name))
	if lexer == nil {
		return plain(text)
	}
	tokens, err := chroma.Coalesce(lexer).Tokenise(nil, text)
	if err != nil {
		return plain(text)
	}
	var out []template.HTML
	for _, l := range chroma.SplitTokensIntoLines(tokens.Tokens()) {
		var b strings.Builder
		for _, t := range l {
			token(&b, t)
		}
		out = append(out, template.HTML(b.String()))
	}
	return out
}

// token writes t in a span of its class.
func token(b *strings.Builder, t chroma.Token) {
	text := html.EscapeString(strings.TrimSuffix(t.Value, "\n"))
	class := classOf(t.Type)
	if class == "" || text == "" {
		b.WriteString(text)
		return
	}
	b.WriteString(`<span class="` + class + `">` + text + `</span>`)
}

// classOf returns the class of the style sheet for tokens of type t.
func classOf(t chroma.TokenType) string {
	switch {
	case t.InCategory(chroma.Comment) && t.InSubCategory(chroma.CommentPreproc):
		return "pre"
	case t.InCategory(chroma.Comment):
		return "com"
	case t.InCategory(chroma.Keyword):
		return "key"
	case t.InSubCategory(chroma.LiteralString):
		return "str"
	case t.InSubCategory(chroma.LiteralNumber):
		return "num"
	case t == chroma.NameFunction:
		return "fun"
	}
	return ""
}

func plain(text string) []template.HTML {
	var out []template.HTML
	for l := range strings.SplitSeq(strings.TrimSuffix(text, "\n"), "\n") {
		out = append(out, template.HTML(html.EscapeString(l)))
	}
	return out
}
