package ssa_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/go-amend/amend/formula"
	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ssa"
)

func printed(t testing.TB, src string, unwind int) string {
	t.Helper()
	p, err := ir.Parse("x.ir", []byte(src))
	if err != nil {
		t.Fatal(err)
	}
	f, err := ssa.Build(formula.NewStore(), p, ssa.Config{Unwind: unwind})
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := f.Fprint(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestFprint prints function sum of Figure 3.2, unwound once.
func TestFprint(t *testing.T) {
	got := printed(t, `proc main(n i32) {
	var i i32
	var s i32
	s = 0
	i = 1
	while i < n {
		s = s + i
		i = i - 2
	}
	assert s != i
}
`, 1)
	want := `inputs
        n#1 i32
assign
     4  s#1 = 0
     5  i#1 = 1
     6  loop#1 = i#1 <s n#1
     7  s#2 = s#1 + i#1
     8  i#2 = i#1 - 2
     6  loop#2 = i#2 <s n#1
phi
        phi#1 = !loop#2
        phi#2 = !loop#1 | phi#1
        phi#3 = loop#1 ? i#2 : i#1
        phi#4 = loop#1 ? s#2 : s#1
demand
    10  assert: phi#2 -> phi#3 != phi#4
cut
     6  loop#1 & loop#2
`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestFprintShared prints a term whose tree is of size 2^n.
func TestFprintShared(t *testing.T) {
	size := func(n int) int {
		cond := "x ^ y"
		for i := range n {
			cond = fmt.Sprintf("(%s) * (x + %d)", cond, i+2)
		}
		src := "proc main(x u32, y u32) {\n\tvar a u32\n\ta = " + cond + "\n"
		for range n {
			src += "\ta = a * a + (a ^ y)\n"
		}
		return len(printed(t, src+"\tassert a != 7\n}\n", 1))
	}
	if small, large := size(20), size(200); large > 15*small {
		t.Errorf("%d bytes for 20 statements, %d for 200", small, large)
	}
}
