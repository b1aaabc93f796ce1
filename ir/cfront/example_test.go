package cfront_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/cfront"
)

func Example() {
	src := &ir.File{Name: "abs.c", Content: []byte(`
int main(int x)
{
	int abs = x;
	if (x < -1)
		abs = -x;
	assert(abs >= 0);
}
`)}
	p, err := cfront.Load([]*ir.File{src}, cfront.Config{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(p)
	for _, s := range p.Sites() {
		span := (*s.Occurrences[0]).Span()
		fmt.Printf("%d:%d %s\n", span.Line, span.Col, p.Text(span))
	}
	// Output:
	// checks bounds, div, nil
	//
	// proc main(x i32) (result i32) {
	// 	var abs i32
	// 	abs = x
	// 	if x < i32(-1) {
	// 		abs = -x
	// 	}
	// 	assert abs >= 0 "assert(abs >= 0)"
	// }
	// 4:12 x
	// 5:6 x < -1
	// 5:6 x
	// 5:10 -1
	// 6:9 -x
	// 6:10 x
}

func ExampleLoad_unsupported() {
	src := &ir.File{Name: "p.c", Content: []byte("int main(void) { _Complex float x; int i = 3; asm(\"hlt\"); return i; }")}
	_, err := cfront.Load([]*ir.File{src}, cfront.Config{})
	fmt.Println(err)
	// Output:
	// p.c:1:33: unsupported: type _Complex float (use an integer type of up to 64 bits, float or double)
	// p.c:1:47: unsupported: inline assembly
}

func BenchmarkLoad(b *testing.B) {
	for _, n := range []int{1, 4, 16} {
		r := rand.New(rand.NewPCG(1, 1))
		var files []*ir.File
		for i := range n {
			src := newCase(r, i).source
			if i > 0 {
				src = rename(rename(rename(rename(src, "run", i), "compute", i), "helper", i), "table", i)
				src = rename(rename(rename(src, "result", i), "count", i), "side", i)
			}
			files = append(files, &ir.File{Name: fmt.Sprintf("%d.c", i), Content: []byte(src)})
		}
		b.Run(fmt.Sprintf("files=%d", n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := cfront.Load(files, cfront.Config{Entry: "run"}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
