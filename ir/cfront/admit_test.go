package cfront_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/cfront"
)

// Files may be large, expressions long; what would need too much of the stack is
// refused, by whatever syntax, before anything recurs on it.
func TestLarge(t *testing.T) {
	for _, test := range []struct{ name, text, want string }{
		{"functions", manyFunctions(3_000) + "int main(void) { return f7(1); }", ""},
		{"comment", "/*" + strings.Repeat("x", 3<<20) + "*/ int main(void) { return 0; }", ""},
		{"terms", "int main(int x) { return x" + strings.Repeat(" + x", 2_000) + "; }", ""},
		{"conditions", "int main(int x) { return x" + strings.Repeat(" == 1 || x", 2_000) + "; }", ""},
		{"too many terms", "int main(int x) { return x" + strings.Repeat(" ^ x", 60_000) + "; }", "t.c:1:200028: expression or block nested too deep"},
		{"brackets", "int main(int x) { return " + strings.Repeat("(", 2_000) + "x" + strings.Repeat(")", 2_000) + "; }", "t.c:1:1025: expression or block nested too deep"},
		{"macros", "#define A a ^ a ^ a ^ a ^ a ^ a ^ a ^ a\n#define B A ^ A ^ A ^ A ^ A ^ A ^ A ^ A\n#define C B ^ B ^ B ^ B ^ B ^ B ^ B ^ B\n" +
			"int main(int a) { return C" + strings.Repeat(" ^ C", 120) + "; }" + strings.Repeat(" ", 7<<19), "t.c: expression or block nested too deep after macro expansion"},
		{"keywords", "int main(int x) { return " + strings.Repeat("sizeof ", 200_000) + "x; }", "t.c: declaration or function of more than 131072 tokens"},
		{"loops", "int main(int x) { " + strings.Repeat("for (;;) ", 40_000) + "; }", "t.c: declaration or function of more than 131072 tokens"},
		{"too large", "int main(void) { return 0; }" + strings.Repeat(" ", 4<<20), "t.c: file of 4194332 bytes is too large (limit 4194304)"},
	} {
		_, err := cfront.Load([]*ir.File{{Name: "t.c", Content: []byte(test.text)}}, cfront.Config{MaxSize: 4 << 20})
		if got := fmt.Sprint(err); test.want == "" && err != nil || test.want != "" && got != test.want {
			t.Errorf("%s: %.200s, want %s", test.name, got, test.want)
		}
	}
}

// manyFunctions are n functions that differ.
func manyFunctions(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "int f%d(int x) { int y = x + %d; if (y > %d) y -= x; while (y > 3) y = y / 2; return y; }\n", i, i, 2*i)
	}
	return b.String()
}
