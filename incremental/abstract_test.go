package incremental

import (
	"strings"
	"testing"

	"github.com/go-amend/amend/incremental/proof"
)

// Programs with an array of any length.
const (
	adding = `
checks bounds
proc main(n u8) {
	var a [4]u8
	var i u8
	var s u8 = 0
	assume n > 0
	alloc a, n
	for i = 0; i < n; i++ { s += a[i] }
}`
	filling = `
checks bounds
proc main(n u8) {
	var a [4]u8
	var i u8
	assume n > 0
	alloc a, n
	for i = 0; i < n; i++ { a[i] = 7 }
	for i = 0; i < n; i++ { assert a[i] == 7 }
}`
	copying = `
checks bounds
proc copy(from [4]u8, to [4]u8, n u8) {
	var i u8
	for i = 0; i < n; i++ { to[i] = from[i] }
}
proc main(n u8) {
	var a [4]u8
	var b [4]u8
	var i u8
	assume n > 0
	alloc a, n
	alloc b, n
	copy(a, b, n)
	for i = 0; i < n; i++ { assert a[i] == b[i] }
}`
)

// TestArrays proves programs for arrays of any length: without any element, for
// one element of one array, for one of two. Their proofs can be checked and
// used again.
func TestArrays(t *testing.T) {
	for i, text := range []string{adding, filling, copying} {
		if i == 2 && testing.Short() {
			continue
		}
		r := proved(t, text, Config{})
		if !r.Proof.Abstract {
			t.Errorf("program %d is proved without abstraction", i)
		}
		again := proved(t, text, Config{Reuse: r.Proof})
		if again.Stats.Refinements > 0 || again.Stats.Reused == 0 {
			t.Errorf("program %d again: %+v", i, again.Stats)
		}
	}
}

// TestArraysAndWrong breaks them: what their proofs say of the right ones must
// not count.
func TestArraysAndWrong(t *testing.T) {
	if testing.Short() {
		t.Skip("takes two seconds")
	}
	proofs := make(map[string]*proof.Proof)
	for _, text := range []string{adding, filling, copying} {
		proofs[text] = proved(t, text, Config{}).Proof
	}
	for i, x := range []struct{ text, old, new string }{
		{adding, "i < n", "i <= n"},
		{filling, "i < n; i++ { a[i]", "i + 1 < n; i++ { a[i]"},
		{filling, "a[i] = 7", "a[i] = 7\n if i == 3 { a[1] = 0 }"},
		{copying, "to[i] = from[i]", "from[i] = to[0]"},
	} {
		wrong := strings.Replace(x.text, x.old, x.new, 1)
		r, ok := provable(t, 0, parse(t, wrong), Config{})
		if !ok || r.Status != Violated {
			t.Errorf("%d: %v (%s)", i, r.Status, r.Reason)
		}
		if err := proof.Check(t.Context(), parse(t, wrong), proofs[x.text], nil); err == nil {
			t.Errorf("%d: the proof of the right program is one of the wrong one", i)
		}
	}
}

// TestElementsThatAreNotKnown needs two elements that no assertion reads at
// once.
func TestElementsThatAreNotKnown(t *testing.T) {
	r, _ := provable(t, 0, parse(t, `
checks bounds
proc main(n u8) {
	var a [4]u8
	assume n > 1 && n <= 4
	alloc a, n
	a[0] = 1
	a[1] = a[0]
	var x u8 = a[1]
	assert x == 1
}`), Config{})
	if r.Status != Proved || r.Proof.Abstract {
		t.Errorf("%v, abstract %v", r.Status, r.Proof.Abstract)
	}
}
