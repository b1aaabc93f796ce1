package proof

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
)

// This file reads and writes proofs as JSON Lines. Lines name letters and
// variables by their texts, in a fixed order, so that files of two revisions
// differ where the proofs do:
//
//	{"amend":"proof","version":1}
//	{"letter":"assume (eq 0:32 n:32)"}
//	{"predicates":["(slt n:32 0:32)"],"unused":1}
//	{"on":"n:32 := (add -1:32 n:32)","triples":[[0,0]]}
//	{"sample":"assume (eq 0:32 n:32)","before":{"p:32":"7"},"after":{}}
//
// A triple lists the number of its postcondition, -1 for false, and then
// those of its preconditions; "on" belongs to the last "predicates". A sample
// is a counterexample to triples.

// fileVersion is the version of the format.
const fileVersion = 1

// A line is any line of the file.
type line struct {
	Amend      string            `json:"amend,omitempty"`
	Version    int               `json:"version,omitempty"`
	Blocks     bool              `json:"blocks,omitempty"`
	Abstract   bool              `json:"abstract,omitempty"`
	Templates  int               `json:"templates,omitempty"`
	Letter     string            `json:"letter,omitempty"`
	Predicates *[]string         `json:"predicates,omitempty"`
	Unused     int               `json:"unused,omitempty"`
	On         string            `json:"on,omitempty"`
	Triples    [][]int           `json:"triples,omitempty"`
	Sample     string            `json:"sample,omitempty"`
	Before     map[string]string `json:"before,omitempty"`
	After      map[string]string `json:"after,omitempty"`
}

// Write writes p, in the order that p has: [Proof.Sort] brings it into that of
// files.
func (p *Proof) Write(w io.Writer) error {
	b := bufio.NewWriter(w)
	enc := json.NewEncoder(b)
	enc.SetEscapeHTML(false)
	lines := []line{{Amend: "proof", Version: fileVersion, Blocks: p.Blocks, Abstract: p.Abstract, Templates: p.Templates}}
	for _, l := range p.Letters {
		lines = append(lines, line{Letter: l})
	}
	for _, a := range p.Automata {
		preds := slices.Clone(a.Predicates)
		if preds == nil {
			preds = []string{}
		}
		lines = append(lines, line{Predicates: &preds, Unused: a.Unused})
		lines = append(lines, a.lines()...)
	}
	for _, s := range p.Counterexamples {
		lines = append(lines, line{Sample: s.Letter, Before: decimals(s.Before), After: decimals(s.After)})
	}
	for i := range lines {
		if err := enc.Encode(&lines[i]); err != nil {
			return err
		}
	}
	return b.Flush()
}

// lines returns one line for each letter that a has triples about.
func (a *Automaton) lines() []line {
	var out []line
	for i, t := range a.Triples {
		if i == 0 || t.Letter != a.Triples[i-1].Letter {
			out = append(out, line{On: t.Letter})
		}
		x := &out[len(out)-1]
		x.Triples = append(x.Triples, append([]int{t.Post}, t.Pre...))
	}
	return out
}

func decimals(m map[string]uint64) map[string]string {
	out := make(map[string]string, len(m))
	for k, v := range m {
		out[k] = strconv.FormatUint(v, 10)
	}
	return out
}

// Bounds of what Read keeps in memory.
const (
	maxLine  = 1 << 24 // all predicates of an automaton are one
	maxLines = 1 << 18
)

// Read reads what Write wrote. If some lines are damaged, the proof
// holds what the others say, and the error says which line was the first. If
// r holds no proof at all, the proof is nil.
func Read(r io.Reader) (*Proof, error) { return read(r, false) }

// ReadLetters is Read for the letters of a proof alone, and what says what they
// are: they come first.
func ReadLetters(r io.Reader) (*Proof, error) { return read(r, true) }

func read(r io.Reader, lettersOnly bool) (*Proof, error) {
	b := bufio.NewReaderSize(r, 1<<16)
	first, err := readLine(b)
	var head line
	if err != nil || json.Unmarshal(first, &head) != nil || head.Amend != "proof" {
		return nil, errors.New("not a saved proof")
	}
	if head.Version != fileVersion {
		return nil, fmt.Errorf("a saved proof of version %d, not %d", head.Version, fileVersion)
	}
	p := &Proof{Blocks: head.Blocks, Abstract: head.Abstract, Templates: head.Templates}
	var damage error
	for n := 2; ; n++ {
		text, err := readLine(b)
		if err == io.EOF {
			return p, damage
		}
		if err == nil && n > maxLines {
			err = fmt.Errorf("more than %d lines", maxLines)
		}
		if err != nil {
			return p, fmt.Errorf("line %d: %w", n, err)
		}
		if err := p.add(text); err != nil && damage == nil {
			damage = fmt.Errorf("line %d: %w", n, err)
		}
		if lettersOnly && len(p.Letters) < n-1 {
			p.Automata, p.Counterexamples = nil, nil
			return p, damage
		}
	}
}

// readLine returns the next line, without its end. The error is io.EOF after
// the last one.
func readLine(b *bufio.Reader) ([]byte, error) {
	var out []byte
	for {
		part, err := b.ReadSlice('\n')
		out = append(out, part...)
		if len(out) > maxLine {
			return nil, fmt.Errorf("longer than %d bytes", maxLine)
		}
		if err == bufio.ErrBufferFull {
			continue
		}
		if err == io.EOF && len(out) > 0 {
			err = nil
		}
		return bytes.TrimRight(out, "\r\n"), err
	}
}

// add adds what a line says to p.
func (p *Proof) add(text []byte) error {
	var l line
	if err := json.Unmarshal(text, &l); err != nil {
		return errors.New("not a line of a saved proof")
	}
	switch {
	case l.Letter != "":
		p.Letters = append(p.Letters, l.Letter)
	case l.Predicates != nil:
		p.Automata = append(p.Automata, &Automaton{Predicates: *l.Predicates, Unused: l.Unused})
	case l.On != "" && len(p.Automata) > 0:
		return p.Automata[len(p.Automata)-1].add(&l)
	case l.Sample != "":
		before, err := numbers64(l.Before)
		after, err2 := numbers64(l.After)
		if err := errors.Join(err, err2); err != nil {
			return err
		}
		p.Counterexamples = append(p.Counterexamples, Counterexample{l.Sample, before, after})
	default:
		return errors.New("not a line of a saved proof")
	}
	return nil
}

// add adds the triples of l to a.
func (a *Automaton) add(l *line) error {
	for _, t := range l.Triples {
		for i, x := range t {
			if x < 0 && (i > 0 || x != False) || x >= len(a.Predicates) {
				return fmt.Errorf("no predicate has the number %d", x)
			}
		}
		if len(t) == 0 {
			return errors.New("an empty triple")
		}
		a.Triples = append(a.Triples, Triple{l.On, t[1:], t[0]})
	}
	return nil
}

func numbers64(m map[string]string) (map[string]uint64, error) {
	out := make(map[string]uint64, len(m))
	for k, v := range m {
		n, err := strconv.ParseUint(v, 10, 64)
		if err != nil {
			return nil, fmt.Errorf("%q is no value", v)
		}
		out[k] = n
	}
	return out, nil
}
