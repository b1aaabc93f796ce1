package schemata

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

const repetitive = `package p

func f(n, wn int) (int, int) {
	n += wn
	if n > 0 {
		n += wn
	}
	n -= wn
	return n, wn
}

func g(m, wm int) int {
	m += wm
	return m
}
`

// phrasesOf returns all sequences of three words, as they are or by shape.
func phrasesOf(ws []word, shape bool) (out []string) {
	for i := range ws[:max(len(ws)-2, 0)] {
		if shape {
			out = append(out, fmt.Sprintf("%q", []string{ws[i].shape, ws[i+1].shape, ws[i+2].shape}))
		} else {
			out = append(out, fmt.Sprintf("%q", []string{ws[i].text, ws[i+1].text, ws[i+2].text}))
		}
	}
	return out
}

// strange counts the phrases of all words that the head and the tail don't have.
func strange(head, middle, tail []word, shape bool) (n int) {
	rest := append(phrasesOf(head, shape), phrasesOf(tail, shape)...)
	for _, p := range phrasesOf(slices.Concat(head, middle, tail), shape) {
		if !slices.Contains(rest, p) {
			n++
		}
	}
	return n
}

// TestStrangeness compares edits everywhere with counts over the whole file.
func TestStrangeness(t *testing.T) {
	f := &File{Content: []byte(repetitive)}
	in := newIdioms([]*File{f})
	ws := in.words[f]
	for from := range ws {
		for to := from; to <= min(from+4, len(ws)); to++ {
			start, end := ws[from].start, ws[from].start
			if to > from {
				end = ws[to-1].end
			}
			for _, text := range []string{"", "n", "n + 1", "+=", "wm", "7", "n += wn\n"} {
				was, will := ws[from:to], words([]byte(text))
				if n := len(will); n > 0 && will[n-1].text == "\n" && to < len(ws) && !strings.HasSuffix(text, "\n") {
					will = will[:n-1]
				}
				want := strange(ws[:from], will, ws[to:], false) - strange(ws[:from], was, ws[to:], false) +
					2*(strange(ws[:from], will, ws[to:], true)-strange(ws[:from], was, ws[to:], true))
				a := &Alternative{Place: &Place{File: f}, Edits: []Edit{{start, end, text}}}
				if got := in.strangeness(a); got != max(want, plainest) {
					t.Errorf("%q -> %q at %d: %d, want %d", repetitive[start:end], text, start, got, want)
				}
			}
		}
	}
}
