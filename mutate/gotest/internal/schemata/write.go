package schemata

import (
	"bytes"
	"cmp"
	"fmt"
	"go/types"
	"slices"
	"strings"
)

// This file writes files with all alternatives in them. Nothing of the
// original is moved: all that happens is that texts are inserted.

// An insert is a text to insert. Of those at one place, what ends something
// comes first, the innermost before what is around it; then what begins
// something, the outermost first.
type insert struct {
	at    int
	order int
	size  int // of what is enclosed
	text  string
	step  bool // only where statements are recorded
	of    *Place
	marks []mark
}

// The order of inserts.
const (
	closing = iota
	opening // of a block
	marking
	inserting
	wrapping
)

// A mark says where an alternative stands in an insert, or after all has been
// written in the file.
type mark struct {
	of         *Alternative
	start, end int
}

func (f *File) insert(i insert) { f.inserts = append(f.inserts, i) }

// Steps returns the file with a record of the statements that are executed.
func (f *File) Steps() []byte {
	text, _ := f.write(func(i insert) bool { return i.of == nil })
	return text
}

// write returns the file with those inserts that want says.
func (f *File) write(want func(insert) bool) ([]byte, []mark) {
	slices.SortStableFunc(f.inserts, func(a, b insert) int {
		size := b.size - a.size
		if a.order == closing {
			size = -size
		}
		return cmp.Or(a.at-b.at, min(a.order, opening)-min(b.order, opening), cmp.Compare(a.order, b.order), size)
	})
	var b bytes.Buffer
	var marks []mark
	at := 0
	for _, i := range f.inserts {
		if !want(i) {
			continue
		}
		b.Write(f.Content[at:i.at])
		at = i.at
		for _, m := range i.marks {
			marks = append(marks, mark{m.of, b.Len() + m.start, b.Len() + m.end})
		}
		b.WriteString(i.text)
	}
	b.Write(f.Content[at:])
	return b.Bytes(), marks
}

// Schemata returns the file with the alternatives of places.
func (f *File) schemata(places []*Place) ([]byte, []mark) {
	f.inserts = slices.DeleteFunc(f.inserts, func(i insert) bool { return i.of != nil })
	for _, pl := range places {
		if pl.File == f && len(pl.Alternatives) > 0 && !pl.bad && pl.form != apart {
			pl.write()
		}
	}
	return f.write(func(i insert) bool { return !i.step })
}

// write inserts what chooses between the original and the alternatives.
func (pl *Place) write() {
	w := &writer{pl: pl}
	pl.writeInserted()
	w.printf("%s", map[form]string{value: "func() (" + pl.names + ") {\n", post: "func() {\n"}[pl.form])
	n := len(w.marks)
	w.printf("switch amendChoice(%d) {\n", pl.ID)
	for _, a := range pl.Alternatives {
		if !a.Insert {
			w.alternative(a)
		}
	}
	if len(w.marks) == n {
		return
	}
	after := ""
	switch pl.form {
	case statement:
		w.printf("default:\n")
		after = "\n}"
	case leaving:
		w.printf("}\n")
	case value:
		w.printf("}\nreturn ")
		after = "\n}()"
	case post:
		w.printf("default:\n")
		after = "\n}\n}()"
	}
	size := pl.End - pl.Start
	if size == 0 { // nothing stands between the two
		w.printf("%s", after)
		after = ""
	}
	pl.File.insert(insert{at: pl.Start, order: wrapping, size: size, text: w.b.String(), of: pl, marks: w.marks})
	pl.File.insert(insert{at: pl.End, order: closing, size: size, text: after, of: pl})
}

// writeInserted inserts the alternatives that stand before the place. They
// may break out of a loop, and so are in no switch.
func (pl *Place) writeInserted() {
	w := &writer{pl: pl}
	w.printf("if amendPicked(%d) != 0 {\n", pl.ID)
	for _, a := range pl.Alternatives {
		if a.Insert {
			w.printf("if amendPicked(%d) == %d {\n", pl.ID, a.Code)
			w.marked(a, "%s\n", strings.TrimSpace(a.Edits[0].New))
			w.printf("}\n")
		}
	}
	if len(w.marks) > 0 {
		w.printf("}\n")
		pl.File.insert(insert{at: pl.Start, order: inserting, size: pl.End - pl.Start, text: w.b.String(), of: pl, marks: w.marks})
	}
}

type writer struct {
	pl    *Place
	b     bytes.Buffer
	marks []mark
}

func (w *writer) printf(format string, args ...any) { fmt.Fprintf(&w.b, format, args...) }

func (w *writer) marked(a *Alternative, format string, args ...any) {
	start := w.b.Len()
	w.printf(format, args...)
	w.marks = append(w.marks, mark{a, start, w.b.Len()})
}

func (w *writer) alternative(a *Alternative) {
	w.printf("case %d:\n", a.Code)
	text := a.Text()
	fold, basic := w.pl.fold()
	switch returned, isReturn := strings.CutPrefix(text, "return "); {
	case w.pl.form == value && basic:
		w.marked(a, "var amendValue %s = %s\n%s\nreturn amendValue\n", w.pl.names, text, fold)
	case w.pl.form == value:
		w.marked(a, "return %s\n", text)
	case isReturn && basic && w.pl.names != "":
		w.marked(a, "var amendValue %s = %s\n%s\nreturn amendValue\n", w.pl.names, returned, fold)
	default:
		w.marked(a, "%s\n", text)
	}
}

// fold returns the statement that notes the value of an alternative, if it is
// one of a type that can be noted: alternatives with the same values are one.
func (pl *Place) fold() (string, bool) {
	if len(pl.results) != 1 {
		return "", false
	}
	t, ok := pl.results[0].Underlying().(*types.Basic)
	if _, param := pl.results[0].(*types.TypeParam); !ok || param {
		return "", false
	}
	switch {
	case t.Info()&types.IsBoolean != 0:
		return "amendBool(amendTruth(amendValue))", true
	case t.Info()&types.IsInteger != 0:
		return "amendInt(amendNumber(amendValue))", true
	case t.Info()&types.IsString != 0:
		return "amendString(amendWriting(amendValue))", true
	}
	return "", false
}

// Original returns the text of the place.
func (a *Alternative) Original() string {
	return string(a.Place.File.Content[a.Place.Start:a.Place.End])
}

// Text returns the text that a puts in place of the original.
func (a *Alternative) Text() string {
	var b strings.Builder
	at := a.Place.Start
	for _, e := range a.Edits {
		b.Write(a.Place.File.Content[at:e.Start])
		b.WriteString(e.New)
		at = e.End
	}
	b.Write(a.Place.File.Content[at:a.Place.End])
	return b.String()
}
