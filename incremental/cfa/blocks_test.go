package cfa

import (
	"slices"
	"strings"
	"testing"

	"github.com/go-amend/amend/formula"
	"github.com/go-amend/amend/formula/sat"
	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/interp"
)

func fromIR(t *testing.T, text string) (*ir.Program, *Automaton) {
	t.Helper()
	p, err := ir.Parse("test.ir", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	c, err := New(p)
	if err != nil {
		t.Fatal(err)
	}
	return p, c
}

// TestBlockStates counts the places that are left: the start, the error and
// the heads of loops.
func TestBlockStates(t *testing.T) {
	for text, want := range map[string]int{
		"proc main(n u8) { if n > 3 { n = 3 } else { n++ }; if n == 0 { n = 1 }; assert n > 0 }":                                   2,
		"proc main(n u8) { n++; while n > 3 { if n == 9 { n = 3 }; n-- }; assert n != 2 }":                                         3,
		"proc main(n u8) { n++; while n > 3 { var i u8 = n; while i > 0 { i-- }; n = i + n - 1 }; assert n != 2 }":                 4,
		"proc main(n u8) { n++; while n > 3 { n-- }; while n > 1 { n--; if n == 2 { n = 1 } }; if n == 1 { n++ }; assert n != 1 }": 4,
	} {
		_, c := fromIR(t, text)
		if b := c.Blocks(); len(b.Edges) != want {
			t.Errorf("%s: %d places, want %d", text, len(b.Edges), want)
		}
	}
}

// TestBlockFormula compares the block of a program without loops with its
// runs: for every input the block leads to the error if the run is a
// violation, and the input that is made of the block's choices is one.
func TestBlockFormula(t *testing.T) {
	p, c := fromIR(t, `
proc twice(x u8) (result u8) {
	var more bool
	havoc more
	if more { x++ }
	result = x + x
}
proc main(n u8) {
	var m u8
	if n > 200 {
		n = twice(n)
	} else {
		havoc m
		n = twice(m)
	}
	assert n != 14 && n != 15
}`)
	b := c.Blocks()
	if len(b.Edges) != 2 || len(b.Edges[b.Start]) != 1 {
		t.Fatalf("%d places, %d blocks", len(b.Edges), len(b.Edges[b.Start]))
	}
	l := b.Letters[b.Edges[b.Start][0].Letter]
	s := formula.NewSolver(b.Store, sat.New())
	s.Assert(l.Guard)
	models := 0
	for ; ; models++ {
		status, err := s.Check(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if status == sat.Unsat {
			break
		}
		value := func(v int) uint64 { return s.Value(b.Vars[v].Term) }
		m := b.Inputs([]int{b.Edges[b.Start][0].Letter}, value, func(_, k int) uint64 { return value(l.Havoc[k]) })
		r, err := interp.Run(t.Context(), p, interp.Config{Input: m.Input, Unwind: -1, MaxSteps: -1})
		if err != nil || r.Outcome != interp.Violated {
			t.Fatalf("%v does not replay: %v, %v", m, r.Outcome, err)
		}
		same := b.Store.True()
		for _, v := range b.Store.Vars(nil, l.Guard) {
			same = b.Store.And(same, b.Store.Eq(v, b.Store.Const(b.Store.Width(v), s.Value(v))))
		}
		s.Assert(b.Store.Not(same))
	}
	if models < 200 { // n <= 200, and m is 7 or 135, or one less and more is set
		t.Errorf("only %d violations", models)
	}
}

// TestBlockTexts edits one loop: the blocks of the other keep their texts, and
// those of the edited one do not.
func TestBlockTexts(t *testing.T) {
	const text = `
proc main(n u8, m u8) {
	while n > 3 {
		havoc m
		if m > 1 { n-- }
	}
	while m > 5 { m = m - 2 }
	assert n < 4 || m < 6
}`
	texts := func(text string) []string {
		_, c := fromIR(t, text)
		var out []string
		for _, l := range c.Blocks().Letters {
			out = append(out, l.Text)
		}
		return out
	}
	before, after := texts(text), texts(strings.Replace(text, "m - 2", "m - 3", 1))
	changed := slices.DeleteFunc(slices.Clone(before), func(x string) bool { return slices.Contains(after, x) })
	if len(changed) != 1 {
		t.Errorf("%d of %d blocks changed, want 1", len(changed), len(before))
	}
	if again := texts(text); !slices.Equal(again, before) {
		t.Error("texts differ from one time to the next")
	}
}
