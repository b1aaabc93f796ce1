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

// TestFprintOperators prints each operator, where parentheses are needed and
// where not, and parts that occur twice.
func TestFprintOperators(t *testing.T) {
	got := printed(t, `checks bounds, div
proc main(x i8, y i8, u u8, b bool) {
	var a [3]i8
	x = (x + y) * 3 - -y
	y = x / y % 5
	u = (u / 3) >> (u & 7) | ~u ^ 12
	x = x >> 1 << 2
	b = !(b && x > y) || x <= y && !b
	havoc a
	x = a[u]
	y = b ? x : i8(u) + i8(i4(x))
	x = i8(200 - u) * ((x + y) * y + (x + y))
	assume x != 3 || u != 200
	assert u < 9 && !(x >= 4)
	assert y - x != -y
}
`, 1)
	want := `inputs
        x#1 i8
        y#1 i8
        u#1 u8
        b#1 bool
     9  a#1 i8
     9  a#2 i8
     9  a#3 i8
assign
     4  x#2 = (x#1 + y#1) * 3 - (~y#1 + 1)
     5  div#1 = y#1 != 0
     5  y#2 = x#2 /s y#1 %s 5
     6  u#2 = ~(12 ^ u#1) | u#1 /u 3 >>u zext8(u#1[2:0])
     7  x#3 = x#2[6:1] ++ 0
        %1 := y#2 <s x#3
     8  b#2 = !b#1 | !%1 | !%1 & !b#1
    10  bounds#1 = u#2 <u 3
    10  x#4 = u#2[1:1] ? a#3 : u#2[0:0] ? a#2 : a#1
    11  y#3 = b#2 ? x#4 : u#2 + sext8(x#4[3:0])
        %2 := x#4 + y#3
    12  x#5 = ~(u#2 + 55) * (%2 + y#3 * %2)
demand
     5  div: div#1
    10  bounds: bounds#1
    14  assert: x#5 != 3 | u#2 != -56 -> u#2 <u 9 & x#5 <s 4
    15  assert: x#5 != 3 | u#2 != -56 -> y#3 - x#5 != ~y#3 + 1
assumed
    13  assume: x#5 != 3 | u#2 != -56
`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
