// Package scheme shows a repair scheme that its user wrote: what small
// processors without a divider do instead of x / 10 is to multiply by a
// number, and to shift. Which numbers are right is hard to say, and easy to
// get wrong for a few of the inputs. The scheme leaves both open; the search
// finds them, with a proof for every input.
package scheme

import (
	"context"
	"fmt"
	"iter"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/cfront"
	"github.com/go-amend/amend/mutate"
)

const source = `#include <assert.h>
typedef unsigned short u16;
typedef unsigned int u32;

u16 tenth(u16 x) {
	return (u32)x * 6554u >> 16;
}

int main(u16 x) {
	assert(tenth(x) == x / 10);
}
`

// reciprocal replaces the numbers in x * m >> s together: one change with two
// holes. The shift comes first, so that the smallest one is found, and then
// the smallest factor for it.
var reciprocal = &mutate.Operator{
	Name: "reciprocal",
	Doc:  "replace m and s in x * m >> s",
	Apply: func(at mutate.Site) iter.Seq[mutate.Alternative] {
		return func(yield func(mutate.Alternative) bool) {
			shift, ok := at.Expr.(*ir.Binary)
			if !ok || shift.Op != ir.Shr || !constant(shift.Y) {
				return
			}
			mul, ok := shift.X.(*ir.Binary)
			if !ok || mul.Op != ir.Mul || !constant(mul.Y) {
				return
			}
			s, m := mutate.NewHole(shift.Y.Type()), mutate.NewHole(mul.Y.Type())
			s.Low, s.High = 0, 31
			yield(mutate.Alternative{
				Expr: &ir.Binary{
					Op: ir.Shr,
					X:  &ir.Binary{Op: ir.Mul, X: mul.X, Y: m.Use()},
					Y:  s.Use(),
				},
				Holes: []mutate.Hole{s, m},
			})
		}
	},
}

func constant(e ir.Expr) bool {
	_, ok := e.(*ir.Const)
	return ok
}

func Example() {
	load := func(files []*ir.File) (*ir.Program, error) {
		return cfront.Load(files, cfront.Config{Hard: func(f string) bool { return f == "main" }})
	}
	prog, err := load([]*ir.File{{Name: "tenth.c", Content: []byte(source)}})
	if err != nil {
		fmt.Println(err)
		return
	}
	cfg := mutate.Config{Operators: []*mutate.Operator{reciprocal}, Parse: load}
	for r, err := range mutate.Repairs(context.Background(), prog, cfg) {
		if err != nil {
			fmt.Println(err)
			return
		}
		for _, e := range r.Patch {
			fmt.Printf("line %d: %s becomes %s\n", e.Span.Line, e.Old, e.New)
		}
	}
	// Output:
	// line 6: (u32)x * 6554u >> 16 becomes (u32)x * 52429u >> 19
}
