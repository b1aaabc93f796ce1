package sequentialize

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/go-amend/amend/ir"
)

// Mutexes that are declared, but perhaps used nowhere. In the program they are
// integers, so that the text has to say which they are.

var (
	mutexLine    = regexp.MustCompile(`(?m)^mutex\s+(.*)$`)
	goMutex      = regexp.MustCompile(`\bsync\.(RW)?Mutex\b`)
	comment      = regexp.MustCompile(`(?s)/\*.*?\*/|//[^\n]*`)
	typedef      = regexp.MustCompile(`\btypedef\s+(\w+)\s+(\w+)\s*;`)
	aggregate    = regexp.MustCompile(`\b(struct|union)(\s+\w+)?\s*$`)
	declarator   = regexp.MustCompile(`^\s*(\w+)\s*(\[)?`)
	afterTypedef = regexp.MustCompile(`\btypedef\s+$`)
)

// declared adds the mutexes that are declared, and notes those that have no
// name by which they could be taken.
func (w *workshop) declared() {
	for _, f := range w.p.Files {
		switch w.p.Language {
		case ir.C:
			w.declaredInC(f)
		case ir.Go:
			for _, m := range goMutex.FindAllIndex(f.Content, -1) {
				w.leftOut = append(w.leftOut, w.point(f.Name, m[0]))
			}
		default:
			for _, m := range mutexLine.FindAllSubmatch(f.Content, -1) {
				for name := range strings.SplitSeq(string(m[1]), ",") {
					if name = strings.TrimSpace(name); name != "" && !strings.ContainsAny(name, "[*{} ") {
						w.mutex("lock " + name)
					}
				}
			}
		}
	}
}

// declaredInC does so for a file in C.
func (w *workshop) declaredInC(f *ir.File) {
	text := string(comment.ReplaceAllFunc(f.Content, func(c []byte) []byte { return []byte(strings.Repeat(" ", len(c))) }))
	types := []string{"pthread_mutex_t", "mtx_t"}
	for _, m := range typedef.FindAllStringSubmatch(text, -1) {
		if slices.Contains(types, m[1]) {
			types = append(types, m[2])
		}
	}
	for _, m := range regexp.MustCompile(`\b(`+strings.Join(types, "|")+`)\b`).FindAllStringIndex(text, -1) {
		before, list, ok := text[:m[0]], declarators(text[m[1]:]), true
		simple := typedef.FindStringIndex(text[:min(len(text), m[1]+100)])
		if afterTypedef.MatchString(before) && simple != nil && list != nil && len(list) == 1 && !strings.Contains(list[0], "[") {
			continue // another name
		}
		inside := enclosed(before)
		for _, d := range list {
			name := declarator.FindStringSubmatch(d)
			switch {
			case name == nil: // a pointer
			case inside || name[2] != "" || afterTypedef.MatchString(before):
				ok = false
			default:
				w.mutex(fmt.Sprintf(w.locking(text[m[0]:m[1]]), name[1]))
			}
		}
		if !ok {
			w.leftOut = append(w.leftOut, w.point(f.Name, m[0]))
		}
	}
}

// locking returns the call that takes a mutex of a type.
func (w *workshop) locking(of string) string {
	if of == "mtx_t" {
		return "mtx_lock(&%s)"
	}
	return "pthread_mutex_lock(&%s)"
}

// declarators returns what a type before text declares; nil if that is no
// declaration, but a parameter, a conversion or an operand.
func declarators(text string) []string {
	var out []string
	depth, from := 0, 0
	for i, c := range text {
		switch c {
		case '(', '{', '[':
			depth++
		case ')', '}', ']':
			if depth--; depth < 0 {
				return nil
			}
		case ',', ';':
			if depth == 0 {
				out = append(out, text[from:i])
				from = i + 1
			}
			if depth == 0 && c == ';' {
				return out
			}
		}
	}
	return nil
}

// enclosed reports whether what follows before is inside a structure.
func enclosed(before string) bool {
	depth := 0
	for i := len(before) - 1; i >= 0; i-- {
		switch before[i] {
		case '}':
			depth++
		case '{':
			if depth--; depth < 0 {
				return aggregate.MatchString(before[:i])
			}
		}
	}
	return false
}
