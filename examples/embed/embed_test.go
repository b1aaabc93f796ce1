// Package embed shows the packages of this module at work together, as an
// author of an analyzer would import them.
package embed

import (
	"context"
	"fmt"

	"github.com/go-amend/amend/formula"
	"github.com/go-amend/amend/formula/sat"
	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/cfront"
	"github.com/go-amend/amend/mutate"
	"github.com/go-amend/amend/mutate/scheme"
	"github.com/go-amend/amend/slice"
	"github.com/go-amend/amend/ssa"
)

const source = `#include <assert.h>
int clamp(int x, int lo, int hi) {
	if (x < lo) return lo;
	if (x < hi) return hi;
	return x;
}
int main(int x) {
	int y = clamp(x, 0, 9);
	assert(0 <= y && y <= 9);
	assert(x < 0 || x > 9 || y == x);
}
`

func Example() {
	ctx := context.Background()
	load := func(files []*ir.File) (*ir.Program, error) {
		return cfront.Load(files, cfront.Config{Hard: func(f string) bool { return f == "main" }})
	}
	prog, err := load([]*ir.File{{Name: "clamp.c", Content: []byte(source)}})
	if err != nil {
		fmt.Println(err)
		return
	}

	// Is there a failing run?
	st := formula.NewStore()
	form, err := ssa.Build(st, prog, ssa.Config{Unwind: 4})
	if err != nil {
		fmt.Println(err)
		return
	}
	s := formula.NewSolver(st, sat.New())
	form.Load(s)
	status, err := s.Check(ctx, form.Violated())
	fmt.Println(status, err)

	// Where must a fix touch the source?
	must := slice.NewGraph(form).Must(form.Model(s))
	for l := range must.All() {
		fmt.Println("must:", prog.Text(prog.Stmt(l).Span()))
	}

	// What are all minimal repairs?
	cfg := mutate.Config{Operators: scheme.Level2(), Unwind: 4, Parse: load}
	for r, err := range mutate.Repairs(ctx, prog, cfg) {
		if err != nil {
			fmt.Println(err)
			return
		}
		for _, e := range r.Patch {
			fmt.Printf("repair: line %d: %s becomes %s\n", e.Span.Line, e.Old, e.New)
		}
	}
	// Output:
	// sat <nil>
	// must: x < lo
	// must: x < hi
	// must: return hi
	// repair: line 4: x < hi becomes x > hi
	// repair: line 4: x < hi becomes x >= hi
}
