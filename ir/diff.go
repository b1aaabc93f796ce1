package ir

import (
	"fmt"
	"slices"
	"strings"
)

// diffContext is the number of unchanged lines around a change in a diff.
const diffContext = 3

// lines is a range of lines, counted from 0, that edits change.
type lines struct {
	first, end int // end is exclusive
	edits      []Edit
}

// Diff returns p as a unified diff of files, which patch(1) applies. Names
// are those of the files.
func (p Patch) Diff(files []*File) string {
	var b strings.Builder
	for _, f := range files {
		if blocks := editedLines(f, p); len(blocks) > 0 {
			d := differ{f: f, out: &b}
			d.file(blocks)
		}
	}
	return b.String()
}

// editedLines returns the lines of f that p changes.
func editedLines(f *File, p Patch) []lines {
	var blocks []lines
	for _, e := range p {
		if e.Span.File != f.Name {
			continue
		}
		first := e.Span.Line - 1
		end, _ := e.End()
		if n := len(blocks); n > 0 && first < blocks[n-1].end {
			blocks[n-1].end = max(end, blocks[n-1].end)
			blocks[n-1].edits = append(blocks[n-1].edits, e)
			continue
		}
		blocks = append(blocks, lines{first, end, []Edit{e}})
	}
	return blocks
}

// A differ writes the diff of one file.
type differ struct {
	f     *File
	lines []string
	start []int // offsets of lines
	shift int   // lines added so far
	out   *strings.Builder
}

func (d *differ) file(blocks []lines) {
	d.lines = splitLines(string(d.f.Content))
	at := 0
	for _, l := range d.lines {
		d.start = append(d.start, at)
		at += len(l)
	}
	name := d.f.Name
	if strings.ContainsAny(name, " ") {
		name += "\t" // ends the name
	}
	fmt.Fprintf(d.out, "--- %s\n+++ %s\n", name, name)
	for len(blocks) > 0 {
		n := 1
		for n < len(blocks) && blocks[n].first-blocks[n-1].end <= 2*diffContext {
			n++
		}
		d.hunk(blocks[:n])
		blocks = blocks[n:]
	}
}

// splitLines returns the lines of s with their newlines.
func splitLines(s string) []string {
	lines := strings.SplitAfter(s, "\n")
	if lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	return lines
}

func (d *differ) hunk(blocks []lines) {
	first := max(blocks[0].first-diffContext, 0)
	end := min(blocks[len(blocks)-1].end+diffContext, len(d.lines))
	var body strings.Builder
	at, added := first, 0
	for _, b := range blocks {
		writeLines(&body, ' ', d.lines[at:b.first])
		old, changed := d.lines[b.first:b.end], d.changed(b)
		added += len(changed) - len(old)
		same := 0
		if !slices.Equal(old, changed) { // a hunk must change something
			same = common(old, changed) // an edit of whole lines ends in the next
		}
		writeLines(&body, ' ', old[:same])
		old, changed = old[same:], changed[same:]
		tail := 0
		if same > 0 || !slices.Equal(old, changed) {
			tail = commonTail(old, changed)
		}
		writeLines(&body, '-', old[:len(old)-tail])
		writeLines(&body, '+', changed[:len(changed)-tail])
		writeLines(&body, ' ', old[len(old)-tail:])
		at = b.end
	}
	writeLines(&body, ' ', d.lines[at:end])
	fmt.Fprintf(d.out, "@@ -%d,%d +%d,%d @@\n%s", first+1, end-first, first+1+d.shift, end-first+added, &body)
	d.shift += added
}

// common returns how many lines a and b begin with alike.
func common(a, b []string) int {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}

// commonTail returns how many lines a and b end with alike.
func commonTail(a, b []string) int {
	n := 0
	for n < min(len(a), len(b)) && a[len(a)-1-n] == b[len(b)-1-n] {
		n++
	}
	return n
}

// changed returns the lines of b with its edits made.
func (d *differ) changed(b lines) []string {
	var s strings.Builder
	at := d.start[b.first]
	for _, e := range b.edits {
		s.Write(d.f.Content[at:e.Span.Start])
		s.WriteString(e.New)
		at = e.Span.End
	}
	last := b.end - 1
	s.Write(d.f.Content[at : d.start[last]+len(d.lines[last])])
	return splitLines(s.String())
}

func writeLines(b *strings.Builder, mark byte, lines []string) {
	for _, l := range lines {
		b.WriteByte(mark)
		b.WriteString(l)
		if !strings.HasSuffix(l, "\n") {
			b.WriteString("\n\\ No newline at end of file\n")
		}
	}
}
