package ir_test

import (
	"fmt"

	"github.com/go-amend/amend/ir"
)

func ExampleParse() {
	p, err := ir.Parse("sum.ir", []byte(`
proc main(n u8) {
	var sum u8 = 0
	for var i u8 = 1; i < n; i++ { sum += i }
	assert n > 10 || sum == n * (n + 1) / 2
}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, s := range p.Sites() {
		e := *s.Occurrences[0]
		if b, ok := e.(*ir.Binary); ok {
			fmt.Printf("line %d: %s can change in %s\n", e.Span().Line, b.Op, p.Text(e.Span()))
		}
	}
	// Output:
	// line 4: < can change in i < n
	// line 4: + can change in sum += i
	// line 4: + can change in i++
}

func ExampleProgram_Edits() {
	p, err := ir.Parse("max.ir", []byte("proc main(a i32, b i32) {\n\tvar m i32 = a > b ? b : a\n\tassert m >= a\n}\n"))
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, s := range p.Sites() {
		if b, ok := (*s.Occurrences[0]).(*ir.Binary); ok {
			patch, err := p.Edits(ir.Changes{s.ID: func(ir.Expr) ir.Expr { return &ir.Binary{Op: ir.Lt, X: b.X, Y: b.Y} }})
			fmt.Println(patch[0].Old, "becomes", patch[0].New, err)
		}
	}
	// Output: a > b becomes a < b <nil>
}
