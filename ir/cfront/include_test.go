package cfront_test

import (
	"testing"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/cfront"
)

// What stands in a file that is included twice can't be changed at one place
// alone: it has no sites. What is included once has.
func TestSitesOfFilesIncludedTwice(t *testing.T) {
	for _, c := range []struct {
		body string
		want int // in n.h
	}{
		{"#include \"n.h\"\n", 3},
		{"#include \"n.h\"\n#include \"n.h\"\n", 0},
	} {
		p, err := cfront.Load([]*ir.File{
			{Name: "a.c", Content: []byte("int n;\nint main(void) {\n" + c.body + "assert(n == 2);\n}\n")},
			{Name: "n.h", Content: []byte("n = n + 1;\n")},
		}, cfront.Config{})
		if err != nil {
			t.Fatal(err)
		}
		got := 0
		for _, s := range p.Sites() {
			if len(s.Occurrences) > 0 && (*s.Occurrences[0]).Span().File == "n.h" {
				got++
			}
		}
		if got != c.want {
			t.Errorf("%s: %d sites in n.h, want %d", c.body, got, c.want)
		}
	}
}
