package embed

// One program for many goroutines, which every package allows.

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/cfront"
	"github.com/go-amend/amend/ir/interp"
	"github.com/go-amend/amend/mutate"
	"github.com/go-amend/amend/mutate/scheme"
	"github.com/go-amend/amend/slice"
	"github.com/go-amend/amend/ssa"
	"github.com/go-amend/amend/ssa/bmc"
)

func TestSharedProgram(t *testing.T) {
	files := []*ir.File{{Name: "clamp.c", Content: []byte(source)}}
	prog, err := cfront.Load(files, cfront.Config{})
	if err != nil {
		t.Fatal(err)
	}
	answers := make([]string, 8)
	var group sync.WaitGroup
	for i := range answers {
		group.Go(func() { answers[i] = answer(prog, files) })
	}
	group.Wait()
	for _, a := range answers {
		if a != answers[0] || !strings.Contains(a, "<nil>") {
			t.Errorf("answers differ or fail:\n%s\n%s", answers[0], a)
		}
	}
}

// answer uses prog in all ways, and returns what it learns.
func answer(prog *ir.Program, files []*ir.File) string {
	ctx := context.Background()
	var out strings.Builder
	again, err := cfront.Load(files, cfront.Config{})
	fmt.Fprintln(&out, err, again.String() == prog.String(), ir.Check(prog), len(prog.Sites()))
	res, err := bmc.Check(ctx, prog, bmc.Config{})
	if err != nil || len(res.Violations) == 0 {
		return fmt.Sprint("no violation: ", err)
	}
	m := res.Violations[0].Model
	trace, err := interp.Run(ctx, prog, interp.Config{Input: m.Input, Unwind: 1})
	fmt.Fprintln(&out, trace.Outcome, err)
	fosfl, err := slice.NewFOSFL(ssa.For(prog), ssa.Config{})
	if err != nil {
		return err.Error()
	}
	set, must, err := fosfl.Localize(ctx, m)
	fmt.Fprintln(&out, set.Len(), must, err)
	for r, err := range mutate.Repairs(ctx, prog, mutate.Config{Operators: scheme.Level1()}) {
		if err != nil {
			return err.Error()
		}
		fmt.Fprintln(&out, r.Patch)
	}
	return out.String()
}
