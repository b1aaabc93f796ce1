package witness

import (
	"regexp"
	"strings"

	"github.com/go-amend/amend/ir"
)

// A Guide follows a violation witness along a run: it says what the inputs are.
// It is for one run.
type Guide struct {
	files []*ir.File
	todo  []Waypoint // those to be followed
	named map[string][]string
}

// Guide returns a new guide to runs of the program with these sources.
func (w *Witness) Guide(files []*ir.File) *Guide {
	g := &Guide{files: files, named: make(map[string][]string)}
	for _, segment := range w.Segments {
		for _, x := range segment {
			switch {
			case x.Avoid:
			case x.Type == "function_return":
				g.todo = append(g.todo, x)
			case x.Type == "assumption":
				for _, m := range equation.FindAllStringSubmatch(x.Value, -1) {
					g.named[m[1]] = append(g.named[m[1]], m[2])
				}
			}
		}
	}
	return g
}

var (
	equation = regexp.MustCompile(`\b([A-Za-z_][A-Za-z_0-9]*)\s*==\s*\(?\s*(-?[0-9][0-9A-Za-z.+]*)`)
	returned = regexp.MustCompile(`\\result\s*==\s*\(?\s*(-?[0-9][0-9A-Za-z.+]*)`)
)

// Returned returns what the call at s returns, as a number in the notation of
// C: the first of its waypoints that wasn't followed yet says it, as far as it
// does. Earlier ones are left behind.
func (g *Guide) Returned(s ir.Span) (value string, ok bool) {
	for i, x := range g.todo {
		if !at(x.At, s, g.files) {
			continue
		}
		g.todo = g.todo[i+1:]
		if m := returned.FindStringSubmatch(x.Value); m != nil {
			return number(m[1]), true
		}
		return "", false
	}
	return "", false
}

// Variable returns what an assumption says of the variable called name, each
// once.
func (g *Guide) Variable(name string) (value string, ok bool) {
	list := g.named[name]
	if len(list) == 0 {
		return "", false
	}
	g.named[name] = list[1:]
	return number(list[0]), true
}

// number returns a number without the suffixes of C.
func number(s string) string {
	if strings.HasPrefix(strings.TrimPrefix(s, "-"), "0x") {
		return strings.TrimRight(s, "uUlL")
	}
	return strings.TrimRight(s, "uUlLfF")
}

// at reports whether l is in s: on its lines, and between its ends if it has a
// column.
func at(l Location, s ir.Span, files []*ir.File) bool {
	last := end(s, files)
	switch {
	case l.File != "" && base(l.File) != base(s.File), l.Line < s.Line, l.Line > last.Line:
		return false
	case l.Column == 0:
		return true
	}
	return (l.Line > s.Line || l.Column >= s.Col) && (l.Line < last.Line || l.Column <= last.Column)
}

func base(name string) string { return name[strings.LastIndexAny(name, `/\`)+1:] }

// Target reports whether w says that a run fails at s, or doesn't say where. A
// statement that begins before s on its line stands for s.
func (w *Witness) Target(s ir.Span, files []*ir.File) bool {
	said := false
	for _, segment := range w.Segments {
		for _, x := range segment {
			if x.Type != "target" {
				continue
			}
			if at(x.At, s, files) || x.At.Line == s.Line && x.At.Column <= s.Col {
				return true
			}
			said = true
		}
	}
	return !said
}
