package page

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/go-amend/amend/ir"
)

// Both sides of the hunks of random patches are parts of the old and of the new
// text, whatever lines the edits join or split, and all that changes is there.
func TestHunksAreParts(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		f, patch := randomPatch(r)
		files, err := patch.Apply([]*ir.File{f})
		if err != nil {
			t.Fatal(err)
		}
		old, changed := strings.Split(string(f.Content), "\n"), strings.Split(string(files[0].Content), "\n")
		after := slices.Clone(old)
		shift := 0
		for _, h := range hunks([]*ir.File{f}, patch) {
			for i, p := range h.Rows {
				if !p.OldMissing && old[p.Old-1] != p.Before || !p.NewMissing && changed[p.New-1] != p.After {
					t.Fatalf("row %d of %+v is not of\n%q\n%q", i, h.Rows, old, changed)
				}
			}
			var left, right []string
			first := -1
			for _, p := range h.Rows {
				if !p.OldMissing {
					left = append(left, p.Before)
					if first < 0 {
						first = p.Old - 1
					}
				}
				if !p.NewMissing {
					right = append(right, p.After)
				}
			}
			after = slices.Replace(after, first+shift, first+shift+len(left), right...)
			shift += len(right) - len(left)
		}
		if !slices.Equal(after, changed) {
			t.Fatalf("%+v\nof %q\ngives %q\nwant  %q", patch, old, after, changed)
		}
	}
}

func randomPatch(r *rand.Rand) (*ir.File, ir.Patch) {
	var b strings.Builder
	for i := range 1 + r.IntN(40) {
		fmt.Fprintf(&b, "line %d", i)
		b.WriteString(strings.Repeat("\n", 1+r.IntN(2)))
	}
	text := b.String()
	var cuts []int
	for range 2 * (1 + r.IntN(4)) {
		cuts = append(cuts, r.IntN(len(text)+1))
	}
	slices.Sort(cuts)
	var patch ir.Patch
	for i := 0; i < len(cuts); i += 2 {
		if i > 0 && cuts[i] == cuts[i-1] {
			continue // two insertions at one place are one
		}
		patch = append(patch, ir.Edit{Span: ir.Span{File: "f", Start: cuts[i], End: cuts[i+1]}, Old: text[cuts[i]:cuts[i+1]],
			New: []string{"", "x", "a\nb", "\n"}[r.IntN(4)]})
	}
	return &ir.File{Name: "f", Content: []byte(text)}, patch
}
