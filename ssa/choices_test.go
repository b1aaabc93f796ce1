package ssa_test

import (
	"testing"

	"github.com/go-amend/amend/formula"
	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ssa"
)

// A parameter of the entry is chosen when the run begins, whatever folds away:
// on all inputs and on each of them alike, read or not.
func TestChosenIsNotWhatIsRead(t *testing.T) {
	p, err := ir.Parse("a.ir", []byte("proc main(a u2, b [2]u2, c u2) {\n\tassert c != 0\n\tassert a > b[1]\n}"))
	if err != nil {
		t.Fatal(err)
	}
	st := formula.NewStore()
	for _, in := range []*ssa.Inputs{ssa.NewInputs(st), ssa.FixedInputs(st, ssa.Model{})} {
		f, err := ssa.Build(st, p, ssa.Config{Unwind: 1, Inputs: in})
		if err != nil {
			t.Fatal(err)
		}
		made := f.Chosen()
		for _, v := range p.Entry.Params {
			_, n := ir.Scalar(v.Type)
			for i := range n {
				if c := (ir.Choice{Var: v.ID, Elem: int32(i)}); made(c) != st.True() {
					t.Errorf("%s, element %d: chosen only if %d", v.Name, i, made(c))
				}
			}
		}
	}
}
