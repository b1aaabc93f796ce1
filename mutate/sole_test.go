package mutate_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/mutate"
	"github.com/go-amend/amend/mutate/scheme"
	"github.com/go-amend/amend/ssa"
)

// soleText returns a program without inputs whose assertion fails on most seeds.
func soleText(r *rand.Rand) string {
	op := func(list ...string) string { return list[r.IntN(len(list))] }
	return fmt.Sprintf(`proc main() {
var a [5]i32
var i i32 = 0
var s i32 = %d
while i %s %d {
a[i] = i %s %d
if a[i] %s s {
s = s + a[i]
}
i = i + 1
}
assert s %s %d
}`, r.IntN(4), op("<", "<="), 3+r.IntN(3), op("+", "*", "-"), r.IntN(4), op("<", ">", "=="), op("==", ">", "<"), r.IntN(14))
}

// changesOf searches for the repairs of text, with formulas or without, and
// returns what they change.
func changesOf(t *testing.T, text string, size int, ops []*mutate.Operator, oneByOne bool) (out []string, st mutate.Stats, err error) {
	t.Helper()
	return changesWithin(t, text, 6, size, ops, oneByOne)
}

func changesWithin(t *testing.T, text string, unwind, size int, ops []*mutate.Operator, oneByOne bool) (out []string, st mutate.Stats, err error) {
	t.Helper()
	s, err := mutate.New(parsed(t, text), mutate.Config{Operators: ops, Unwind: unwind, MaxSize: size})
	if err != nil {
		t.Fatal(err)
	}
	if oneByOne {
		s.OneByOne()
	}
	for x, e := range s.Repairs(t.Context()) {
		if e != nil {
			err = e
			break
		}
		var parts []string
		for _, c := range x.Changes {
			parts = append(parts, fmt.Sprintf("%d: %s", c.Site, ir.FormatExpr(c.New)))
		}
		out = append(out, strings.Join(parts, "; "))
	}
	return out, s.Stats(), err
}

// TestSoleBounds compares the repairs of programs without inputs within bounds that
// are too small for them and within larger ones: neither matters.
func TestSoleBounds(t *testing.T) {
	t.Parallel()
	found := 0
	for seed := range seeds(32) {
		r := rand.New(rand.NewPCG(seed, 3))
		start, most := r.IntN(4), 3+r.IntN(9)
		text := fmt.Sprintf(`proc main() {
var i i32 = 0
var s i32 = %d
while i <= %d {
if s > %d { assert i > %d }
s = s + i
i = i + 1
}
assert s == %d
}`, start, most-1, 20+r.IntN(40), r.IntN(4), start+most*(most+1)/2)
		size := 1 + int(seed%2)
		want, _, err := changesWithin(t, text, 30, size, scheme.Level2(), false)
		got, st, err2 := changesWithin(t, text, 1, size, scheme.Level2(), false)
		if err != nil || err2 != nil || !st.Correct && !st.Exhausted || !slices.Equal(got, want) {
			t.Fatalf("seed %d: %q, %v, %+v; within larger bounds %q, %v\n%s", seed, got, err2, st, want, err, text)
		}
		found += len(got)
	}
	if found == 0 {
		t.Error("no repair was found")
	}
}

// TestOneByOne compares the repairs of programs without inputs that are found
// by runs alone with those found by formulas.
func TestOneByOne(t *testing.T) {
	t.Parallel()
	found := 0
	for seed := range seeds(48) {
		text := soleText(rand.New(rand.NewPCG(seed, 7)))
		size := 1 + int(seed%2)
		want, _, err := changesOf(t, text, size, scheme.Level2(), false)
		got, st, err2 := changesOf(t, text, size, scheme.Level2(), true)
		if err != nil || err2 != nil || !st.Correct && !st.Exhausted || !slices.Equal(got, want) {
			t.Fatalf("seed %d: %q, %v, %+v; with formulas %q, %v\n%s", seed, got, err2, st, want, err, text)
		}
		found += len(got)
	}
	if found == 0 {
		t.Errorf("%d repairs", found)
	}
}

// TestValuesTried wants constants found among those that are tried if there is
// no formula, and that is said of the others.
func TestValuesTried(t *testing.T) {
	t.Parallel()
	const text = `proc main() {
var n i32 = 0
var i i32 = 0
while i < 3 {
i = i + 1
n = n * 3 + i
}
assert n %s
}`
	near, far := fmt.Sprintf(text, "!= 18"), fmt.Sprintf(text, "== 1017") // n = 37 at first
	got, _, err := changesOf(t, near, 1, scheme.Constants(), true)
	if want, _, err2 := changesOf(t, near, 1, scheme.Constants(), false); err != nil || err2 != nil || len(got) == 0 || !slices.Equal(got, want) {
		t.Errorf("%q, %v; with formulas %q, %v", got, err, want, err2)
	}
	got, st, err := changesOf(t, far, 1, scheme.Constants(), true)
	u, ok := errors.AsType[*mutate.UndecidedError](err)
	if len(got) > 1 || !ok || !errors.Is(err, ssa.ErrTooLarge) || u.Candidates != st.Undecided || st.Exhausted {
		t.Errorf("%q, %v, %+v", got, err, st)
	}
}
