package main

import (
	"fmt"
	"strings"

	"github.com/go-amend/amend/ir"
)

// context is the number of unchanged lines around a change in a diff.
const diffContext = 3

// A block is a range of lines, counted from 0, that edits change.
type block struct {
	first, end int // end is exclusive
	edits      []ir.Edit
}

// unifiedDiff returns patch as a unified diff.
func unifiedDiff(files []*ir.File, patch ir.Patch) string {
	var b strings.Builder
	for _, f := range files {
		if blocks := changedBlocks(f, patch); len(blocks) > 0 {
			d := differ{f: f, out: &b}
			d.file(blocks)
		}
	}
	return b.String()
}

// changedBlocks returns the lines of f that patch changes.
func changedBlocks(f *ir.File, patch ir.Patch) []block {
	var blocks []block
	for _, e := range patch {
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
		blocks = append(blocks, block{first, end, []ir.Edit{e}})
	}
	return blocks
}

// A differ writes the diff of one file.
type differ struct {
	f     *ir.File
	lines []string
	start []int // offsets of lines
	shift int   // lines added so far
	out   *strings.Builder
}

func (d *differ) file(blocks []block) {
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

func (d *differ) hunk(blocks []block) {
	first := max(blocks[0].first-diffContext, 0)
	end := min(blocks[len(blocks)-1].end+diffContext, len(d.lines))
	var body strings.Builder
	at, added := first, 0
	for _, b := range blocks {
		writeLines(&body, ' ', d.lines[at:b.first])
		writeLines(&body, '-', d.lines[b.first:b.end])
		changed := d.changed(b)
		writeLines(&body, '+', changed)
		added += len(changed) - (b.end - b.first)
		at = b.end
	}
	writeLines(&body, ' ', d.lines[at:end])
	fmt.Fprintf(d.out, "@@ -%d,%d +%d,%d @@\n%s", first+1, end-first, first+1+d.shift, end-first+added, &body)
	d.shift += added
}

// changed returns the lines of b with its edits made.
func (d *differ) changed(b block) []string {
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
