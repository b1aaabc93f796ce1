package gotest

import (
	"bytes"
	"slices"
	"strings"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/mutate/gotest/internal/schemata"
)

// This file writes changes as patches.

// span returns a part of a file as a span.
func (s *Suite) span(f *schemata.File, start, end int) ir.Span {
	before := f.Content[:start]
	return ir.Span{
		File: named(s.cfg, f.Name), Start: start, End: end,
		Line: bytes.Count(before, []byte("\n")) + 1, Col: start - bytes.LastIndexByte(before, '\n'),
	}
}

// patch returns the changes of alternatives.
func (s *Suite) patch(alts []*schemata.Alternative) ir.Patch {
	var p ir.Patch
	for _, a := range alts {
		f := a.Place.File
		for _, e := range a.Edits {
			if e.New == "" && e.Start == a.Place.Start && e.End == a.Place.End {
				e = wholeLine(f, e)
			}
			p = append(p, ir.Edit{Span: s.span(f, e.Start, e.End), Old: string(f.Content[e.Start:e.End]), New: e.New})
		}
	}
	slices.SortFunc(p, func(a, b ir.Edit) int {
		if c := strings.Compare(a.Span.File, b.Span.File); c != 0 {
			return c
		}
		return a.Span.Start - b.Span.Start
	})
	return p
}

// wholeLine extends the deletion of a statement to its line, if nothing else
// is there.
func wholeLine(f *schemata.File, e schemata.Edit) schemata.Edit {
	start := bytes.LastIndexByte(f.Content[:e.Start], '\n') + 1
	n := bytes.IndexByte(f.Content[e.End:], '\n')
	if n < 0 || len(bytes.TrimSpace(f.Content[start:e.Start])) > 0 || len(bytes.TrimSpace(f.Content[e.End:e.End+n])) > 0 {
		return e
	}
	return schemata.Edit{Start: start, End: e.End + n + 1}
}

// sources returns the patched files, by absolute names.
func (s *Suite) sources(p ir.Patch) (overlay, error) {
	files, err := p.Apply(s.loaded.files)
	if err != nil {
		return nil, err
	}
	o := make(overlay)
	for i, f := range files {
		if !bytes.Equal(f.Content, s.loaded.files[i].Content) {
			o[s.loaded.absolute[f.Name]] = f.Content
		}
	}
	return o, nil
}
