package main

import (
	"io"
	"testing"
	"time"

	"github.com/go-amend/amend/mutate"
)

// The live line says what is done, how far a search is, and of work in parts how much
// is left.
func TestProgressParts(t *testing.T) {
	p := newProgress(io.Discard)
	defer p.stop()
	wants := func(want string) {
		t.Helper()
		if got := p.line(4 * time.Second); got != want {
			t.Errorf("line %q, want %q", got, want)
		}
	}
	wants("4.0 s")
	p.phase("reading TestX")
	wants("reading TestX: 4.0 s")
	p.part(0, 8)
	wants("[....................] 0 of 8: reading TestX: 4.0 s")
	p.part(2, 8)
	wants("[#####...............] 2 of 8, about 12s left: reading TestX: 4.0 s")
	p.part(0, 0)
	p.observe(mutate.Stats{Size: 2, Candidates: 30, Repairs: 1})
	p.phase("searching")
	wants("searching: size 2, 30 candidates, 1 repair, 4.0 s")
}
