package page

import (
	"slices"
	"strings"

	"github.com/go-amend/amend/ir"
)

// A hunk is a part of a file before and after a repair, side by side.
type hunk struct {
	File string
	Rows []pair
}

// A pair is a line on both sides. Where a side has none, its number is 0.
type pair struct {
	Old, New   int
	Before     string
	After      string
	Changed    bool
	OldMissing bool
	NewMissing bool
}

// around is how many lines are shown before and after a change.
const around = 3

// hunks returns what patch changes, with a few lines around.
func hunks(files []*ir.File, patch ir.Patch) []hunk {
	var out []hunk
	for _, f := range files {
		edits := slices.DeleteFunc(slices.Clone(patch), func(e ir.Edit) bool { return e.Span.File != f.Name })
		if len(edits) > 0 {
			out = append(out, fileHunks(f, edits)...)
		}
	}
	return out
}

// A block is a range of old lines, from 0, that edits change to new ones.
type block struct {
	first, end int
	new        []string
}

// fileHunks returns the hunks of one file, whose edits are in order.
func fileHunks(f *ir.File, edits ir.Patch) []hunk {
	text := string(f.Content)
	lines := strings.Split(text, "\n")
	starts := make([]int, len(lines)+1)
	for i, l := range lines {
		starts[i+1] = starts[i] + len(l) + 1
	}
	lineOf := func(offset int) int {
		i, found := slices.BinarySearch(starts, offset)
		if found {
			return i
		}
		return i - 1
	}
	var blocks []block
	for i := 0; i < len(edits); {
		first, end := lineOf(edits[i].Span.Start), lineOf(edits[i].Span.End)+1
		j := i + 1
		for j < len(edits) && lineOf(edits[j].Span.Start) < end {
			end = lineOf(edits[j].Span.End) + 1
			j++
		}
		last := min(starts[end]-1, len(text)) // before the line's end
		blocks = append(blocks, block{first, end, strings.Split(patched(text, starts[first], last, edits[i:j]), "\n")})
		i = j
	}
	return joined(f.Name, lines, blocks)
}

// patched returns text from start to end with edits made.
func patched(text string, start, end int, edits ir.Patch) string {
	var b strings.Builder
	for _, e := range edits {
		b.WriteString(text[start:e.Span.Start])
		b.WriteString(e.New)
		start = e.Span.End
	}
	b.WriteString(text[start:end])
	return b.String()
}

// joined shows blocks that are near to each other as one hunk.
func joined(name string, lines []string, blocks []block) []hunk {
	var out []hunk
	shift := 0 // new lines so far, less old ones
	for i, b := range blocks {
		from := max(0, b.first-around)
		if i > 0 {
			from = max(from, blocks[i-1].end)
		}
		if i == 0 || from > min(blocks[i-1].end+around, len(lines)) {
			out = append(out, hunk{File: name})
		} else {
			from = min(blocks[i-1].end+around, len(lines))
		}
		h := &out[len(out)-1]
		h.same(lines, from, b.first, shift)
		h.change(lines, b, shift)
		shift += len(b.new) - (b.end - b.first)
		to := min(b.end+around, len(lines))
		if i+1 < len(blocks) {
			to = min(to, blocks[i+1].first)
		}
		h.same(lines, b.end, to, shift)
	}
	return out
}

func (h *hunk) same(lines []string, from, to, shift int) {
	for i := from; i < to; i++ {
		h.Rows = append(h.Rows, pair{Old: i + 1, New: i + 1 + shift, Before: lines[i], After: lines[i]})
	}
}

func (h *hunk) change(lines []string, b block, shift int) {
	for i := range max(b.end-b.first, len(b.new)) {
		p := pair{Changed: true, OldMissing: true, NewMissing: true}
		if old := b.first + i; old < b.end {
			p.Old, p.Before, p.OldMissing = old+1, lines[old], false
		}
		if i < len(b.new) {
			p.New, p.After, p.NewMissing = b.first+i+1+shift, b.new[i], false
		}
		h.Rows = append(h.Rows, p)
	}
}
