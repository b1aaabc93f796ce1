package mutate_test

import (
	"context"
	"fmt"
	"iter"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/mutate"
)

// A caller's own operator: x < y may become x < y + 1, and the like. That is
// what reading a bound as inclusive comes to.
func ExampleOperator() {
	inclusive := &mutate.Operator{
		Name: "inclusive",
		Doc:  "take the bound of a comparison in",
		Apply: func(at mutate.Site) iter.Seq[mutate.Alternative] {
			return func(yield func(mutate.Alternative) bool) {
				if c, ok := at.Expr.(*ir.Binary); ok && c.Op == ir.Lt {
					one := &ir.Const{Val: 1, Typ: c.Y.Type()}
					yield(mutate.Alternative{Expr: &ir.Binary{Op: ir.Lt, X: c.X, Y: &ir.Binary{Op: ir.Add, X: c.Y, Y: one}}})
				}
			}
		},
	}
	printRepairs(`
proc main(n u8) {
	assume n < 5
	var sum u8 = 0
	var i u8 = 0
	while i < n {
		sum = sum + i
		i = i + 1
	}
	assert sum == n * (n + 1) / 2
}`, inclusive)
	// Output: line 6: i < n becomes i < n + u8(1)
}

// A hole is a number that the search finds. Here it is what to add to a
// variable: of all that are right, the simplest.
func ExampleHole() {
	offset := &mutate.Operator{
		Name: "offset",
		Doc:  "add a constant to a variable",
		Apply: func(at mutate.Site) iter.Seq[mutate.Alternative] {
			return func(yield func(mutate.Alternative) bool) {
				v, ok := at.Expr.(*ir.Use)
				if !ok || ir.Width(v.Type()) == 1 {
					return
				}
				h := mutate.NewHole(v.Type())
				h.Not = []uint64{0} // which would change nothing
				yield(mutate.Alternative{
					Expr:  &ir.Binary{Op: ir.Add, X: v, Y: h.Use()},
					Holes: []mutate.Hole{h},
				})
			}
		},
	}
	printRepairs(`
proc main(x u8) {
	assume x < 100
	var y u8 = x * 2
	assert y == x + x + 14
}`, offset)
	// Output: line 4: x becomes (x + u8(7))
}

// A plan makes room for changes that no single site shows. Here it is for one
// more copy of each assignment, right after it.
func ExamplePlan() {
	again := &mutate.Plan{Make: func(s *mutate.Slots) {
		for _, b := range s.Blocks() {
			for i, t := range b.Stmts {
				if _, ok := t.List[0].(*ir.Assign); ok && t.Whole && !t.Hard {
					text := s.Program().Text(t.Text)
					s.Change("again", 0, s.Insert(b, i+1, mutate.Fragment{Stmts: t.List, Text: text, Order: mutate.Stands}))
				}
			}
		}
	}}
	printRepairs(`
proc main(x u8) {
	var y u8
	y = x
	y = y + y
	assert y == 4 * x
}`, &mutate.Operator{Name: "again", Doc: "assign once more", Plan: again})
	// Output: line 6:  becomes y = y + y
}

// printRepairs prints the smallest repairs of a program by one operator.
func printRepairs(source string, op *mutate.Operator) {
	p, err := ir.Parse("example.ir", []byte(source))
	if err != nil {
		fmt.Println(err)
		return
	}
	cfg := mutate.Config{Operators: []*mutate.Operator{op}}
	for r, err := range mutate.Repairs(context.Background(), p, cfg) {
		if err != nil {
			fmt.Println(err)
			return
		}
		for _, e := range r.Patch {
			fmt.Printf("line %d: %s becomes %s\n", e.Span.Line, e.Old, e.New)
		}
	}
}
