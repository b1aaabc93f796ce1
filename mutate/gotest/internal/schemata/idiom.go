package schemata

import (
	"go/scanner"
	"go/token"
	"slices"
	"sort"
)

// This file says how much an alternative looks like the rest of the package.
// Code is repetitive, and faults are where it isn't (Ray, Hellendoorn, Godhane,
// Tu, Bacchelli and Devanbu, "On the Naturalness of Buggy Code", ICSE 2016).
// They train a model of language; here three tokens in a row either occur
// elsewhere in the package or don't, once as they are and once whatever
// the names are.

// A word is a token of a file.
type word struct {
	start, end int
	text       string
	shape      string // without names
}

// A phrase is three words in a row, as texts or as shapes.
type phrase [3]string

// idioms are the phrases of a package.
type idioms struct {
	words   map[*File][]word
	phrases map[phrase]int
	shapes  map[phrase]int
}

func newIdioms(files []*File) *idioms {
	in := &idioms{words: make(map[*File][]word), phrases: make(map[phrase]int), shapes: make(map[phrase]int)}
	for _, f := range files {
		in.words[f] = words(f.Content)
		for i := range in.words[f] {
			if i >= 2 {
				in.count(in.words[f][i-2:i+1], 1)
			}
		}
	}
	return in
}

// words splits a text. Ends of lines that end statements are words.
func words(text []byte) (out []word) {
	var s scanner.Scanner
	file := token.NewFileSet().AddFile("", -1, len(text))
	s.Init(file, text, func(token.Position, string) {}, 0)
	for {
		pos, tok, lit := s.Scan()
		if tok == token.EOF {
			return out
		}
		w := word{start: file.Offset(pos), text: lit, shape: lit}
		switch {
		case tok == token.IDENT:
			w.shape = "name"
		case tok.IsOperator() && tok != token.SEMICOLON:
			w.text, w.shape = tok.String(), tok.String()
		}
		w.end = w.start + len(w.text)
		out = append(out, w)
	}
}

func (in *idioms) count(ws []word, n int) {
	for i := 2; i < len(ws); i++ {
		in.phrases[phrase{ws[i-2].text, ws[i-1].text, ws[i].text}] += n
		in.shapes[phrase{ws[i-2].shape, ws[i-1].shape, ws[i].shape}] += n
	}
}

// unseen counts the phrases of ws that the package doesn't have.
func (in *idioms) unseen(ws []word) (n int) {
	for i := 2; i < len(ws); i++ {
		if in.phrases[phrase{ws[i-2].text, ws[i-1].text, ws[i].text}] == 0 {
			n++
		}
		if in.shapes[phrase{ws[i-2].shape, ws[i-1].shape, ws[i].shape}] == 0 {
			n += 2
		}
	}
	return n
}

// plainest bounds how much less strange than the original a text may be: a short
// one, false in place of a condition, say, always has fewer phrases.
const plainest = -6

// strangeness returns how many more phrases that occur nowhere else there are
// with a than without, but no less than plainest.
func (in *idioms) strangeness(a *Alternative) (n int) {
	for _, e := range a.Edits {
		ws := in.words[a.Place.File]
		from := sort.Search(len(ws), func(i int) bool { return ws[i].end > e.Start })
		to := sort.Search(len(ws), func(i int) bool { return ws[i].start >= e.End })
		to = max(from, to)
		before, after := ws[max(from-2, 0):from], ws[to:min(to+2, len(ws))]
		was := ws[max(from-2, 0):min(to+2, len(ws))]
		will := slices.Concat(before, words([]byte(e.New)))
		if k := len(will); k > 0 && will[k-1].text == "\n" && len(after) > 0 && e.New != "" && e.New[len(e.New)-1] != '\n' {
			will = will[:k-1] // the end of the text, not of a statement
		}
		will = append(will, after...)
		in.count(was, -1)
		n += in.unseen(will) - in.unseen(was)
		in.count(was, 1)
	}
	return max(n, plainest)
}
