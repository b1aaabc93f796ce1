package cfront_test

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/cfront"
	"github.com/go-amend/amend/ssa/bmc"
)

const signsBefore = `#include <string.h>
#include <ctype.h>
#include <assert.h>
int compare(const char *x, const char *y) { return strcmp(x, y); }
`

// openResults are conditions about results of which C says the sign only, or
// that they are not 0: what C promises holds, what this or that library does
// in addition doesn't. Only the latter need a choice.
var openResults = []struct {
	cond  string
	holds bool
	free  bool // a choice is made
}{
	{`strcmp("b", "a") > 0 && strcmp("a", "b") < 0 && 0 == strcmp("a", "a")`, true, false},
	{`strcmp("b", "a") && !strcmp("ab", "ab") && (strcmp("a", "c") ? 1 : 0)`, true, false},
	{`strncmp("abc", "abd", 2) == 0 && strncmp("abc", "abd", 3) != 0 && strncmp("a", "a", 9) >= 0`, true, false},
	{`memcmp("a\0c", "a\0b", 3) > 0 && memcmp("\377", "a", 1) > 0`, true, false},
	{`isdigit('5') && isalpha('x') && isalnum('0') && isupper('A') && islower('a') && isspace(' ') && !isdigit('x')`, true, false},
	{`strcmp("\377", "a") > 0`, true, false},
	{`(isdigit('5') ? strcmp("b", "a") : 3) > 0`, true, false},
	{`(isdigit('5'), strcmp("b", "a")) > 0`, true, false},
	{`strcmp("b", "a") == 1`, false, true},
	{`strcmp("b", "a") != 2`, false, true},
	{`strcmp("c", "a") == 2`, false, true},
	{`strncmp("a", "c", 1) == -2`, false, true},
	{`memcmp("a", "b", 1) == -1`, false, true},
	{`isdigit('5') == 1`, false, true},
	{`isalpha('x') != 1024`, false, true},
	{`isspace(' ') == isspace('\n')`, false, true},
	{`isupper('A') > 0`, false, true},
	{`isupper('A') != 0 && (isupper('A') ? isdigit('1') : 3) != 0`, true, true},
	{`compare("a", "b") < 0 && compare("b", "a") > 0 && compare("", "") == 0`, true, true},
	{`compare("b", "a") == 1`, false, true},
	{`strcmp("b", "a") >= 1 && isdigit('x') == 0 && 0 + isdigit('5') != 0`, true, true},
}

// truths are programs in which functions pass on that a result is not 0, and whether
// a choice is made of what it is.
var truths = []struct {
	text  string
	holds bool
	free  bool
}{
	{`static int digit(int c) { return isdigit(c); } int main(void) { assert(digit('5')); assert(!digit('a')); }`, true, false},
	{`static int one(int c) { return isdigit(c); } static int two(int c) { if (c > 200) return 0; return one(c); } int main(void) { if (two('5') && !two('x')) return 0; assert(0); }`, true, false},
	{`static int one(int c) { return c ? isdigit(c) : (c++, isalpha(c)); } int main(void) { for (int c = '3'; one(c); c++) assert(c < 100); do { one('x'); } while (one(0)); one('5') ? (void)one('6') : (void)0; }`, true, false},
	{`static int digit(int c) { return isdigit(c); } int main(void) { assert(digit('5') == 1); }`, false, true},
	{`static int digit(int c) { return isdigit(c); } int main(void) { int d = digit('5'); assert(d == 1); }`, false, true},
	{`static int digit(int c) { return isdigit(c); } static int twice(int c) { return 2 * digit(c); } int main(void) { assert(digit('5')); assert(twice('5') == 2); }`, false, true},
	{`static int digit(int c) { return isdigit(c); } static int same(int c) { return digit(c); } int main(void) { assert(digit('5')); switch (same('5')) { case 1: break; default: assert(0); } }`, false, true},
	{`static int digit(int c) { return isdigit(c); } int main(void) { int (*f)(int) = digit; assert(digit('5')); assert(f('5') == 1); }`, false, true},
	{`static int digit(int c) { return isdigit(c); } int (*f)(int) = digit; int main(void) { assert(digit('5')); assert(f('5') == 1); }`, false, true},
	{`static int digit(int c) { return isdigit(c); } int main(void) { int d = digit('5') ?: 3; assert(d == 1); }`, false, true},
	{`static int digit(int c) { return isdigit(c); } int main(void) { int a[2] = {1}; assert(digit('5')); assert(a[digit('5') & 1] == 0); }`, false, true},
	{`static char digit(int c) { return isdigit(c); } int main(void) { assert(digit('5')); }`, false, true},
	{`static int digit(int c) { return isdigit(c); } int main(void) { assert(({ digit('5'); }) == 1); }`, false, true},
	{`static int digit(int c) { return isdigit(c); } int main(void) { int a[] = {digit('5')}; assert(a[0] == 1); assert((digit)('3')); }`, false, true},
	{`static int digit(int c) { return isdigit(c); } static int any(int c, int n) { return n == 0 ? 0 : digit(c) || any(c + 1, n - 1); } int main(void) { assert(any('.', 4)); assert(any('.', 2) == 0); }`, true, false},
}

func TestTruths(t *testing.T) {
	for _, c := range truths {
		res := checkSource(t, "#include <ctype.h>\n#include <assert.h>\n"+c.text)
		if len(res.Violations) == 0 != c.holds || !res.Decided || res.Single == c.free {
			t.Errorf("%s: %d violations, decided by its only run: %v", c.text, len(res.Violations), res.Single)
		}
	}
}

// TestOpenResults checks each condition with the bound that the usual run
// needs, and that those that hold do where gcc's library is used.
func TestOpenResults(t *testing.T) {
	var native strings.Builder
	native.WriteString(signsBefore + "int main(void)\n{\n")
	for i, c := range openResults {
		if c.holds {
			fmt.Fprintf(&native, "assert(%s);\n", c.cond)
		}
		if testing.Short() && i%3 != 0 {
			continue
		}
		res := checkSource(t, signsBefore+"int main(void) { int n = 0; while (n < 9) n++; assert("+c.cond+"); }")
		switch {
		case len(res.Violations) == 0 != c.holds || !res.Decided || !res.Complete && c.holds:
			t.Errorf("%s: %d violations, complete: %v", c.cond, len(res.Violations), res.Complete)
		case res.Single == c.free:
			t.Errorf("%s: decided by its only run: %v", c.cond, res.Single)
		}
	}
	native.WriteString("}\n")
	if _, err := exec.LookPath("gcc"); err != nil {
		t.Skip("no gcc to compare with")
	}
	bin := filepath.Join(t.TempDir(), "t")
	cmd := exec.Command("gcc", "-w", "-x", "c", "-o", bin, "-")
	cmd.Stdin = strings.NewReader(native.String())
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("gcc: %v\n%s", err, out)
	}
	if out, err := exec.Command(bin).CombinedOutput(); err != nil {
		t.Errorf("compiled: %v\n%s", err, out)
	}
}

func checkSource(t *testing.T, source string) *bmc.Result {
	t.Helper()
	p, err := cfront.Load([]*ir.File{{Name: "t.c", Content: []byte(source)}}, cfront.Config{Entry: "main"})
	if err != nil {
		t.Fatalf("%v\n%s", err, source)
	}
	res, err := bmc.Check(t.Context(), p, bmc.Config{Unwind: 5})
	if err != nil {
		t.Fatalf("%v\n%s", err, source)
	}
	return res
}

// The 0 that a result is compared with is no site: with 1 in its place it
// would matter which of the values that C allows the result has.
func TestZeroOfASignTestIsNoSite(t *testing.T) {
	p, err := loadEntry(signsBefore+`int main(void) { return strcmp("a", "b") < 0 || 0 != memcmp("a", "b", 1) || compare("a", "b") < 0; }`, "main")
	if err != nil {
		t.Fatal(err)
	}
	if n := constantSites(p); n != 1+1 {
		t.Errorf("%d constants are sites, want the length and the last 0", n)
	}
	p, err = loadEntry(`int strcmp(const char *a, const char *b) { return a[0] - b[0]; }
int main(void) { return strcmp("a", "b") < 0; }`, "main")
	if err != nil {
		t.Fatal(err)
	}
	if n := constantSites(p); n != 2+1 {
		t.Errorf("%d constants are sites, want all where the program defines strcmp", n)
	}
}

func constantSites(p *ir.Program) int {
	constants := 0
	p.Stmts(func(f *ir.Proc, s ir.Stmt) {
		ir.EachExpr(s, func(e *ir.Expr) {
			if c, ok := (*e).(*ir.Const); ok && c.Site() != 0 {
				constants++
			}
		})
	})
	return constants
}
