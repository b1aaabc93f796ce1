package cfront_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// blockCases are programs whose only possible fault is the use of a variable
// after its block.
var blockCases = []memoryCase{
	{"block", "int main(void) { int *p; { int x = 3; p = &x; }\nreturn *p; }", "nil at line 4"},
	{"in time", "int main(void) { int *p, y; { int x = 3; p = &x; y = *p; }\np = &y; return *p - 3; }", "ended"},
	{"pointer in the block", "int main(void) { int i, s = 0; for (i = 0; i < 2; i++) { int x = i, *p = &x; s += *p; }\nreturn s - 1; }", "ended"},
	{"written", "int main(void) { int *p; if (1) { int x; p = &x; }\n*p = 1; return 0; }", "nil at line 4"},
	{"loop", "int main(void) { int *p = 0; for (int i = 0; i < 1; i++) { int x = i; p = &x; }\nreturn *p; }", "nil at line 4"},
	{"condition of a loop", "int main(void) { int *p = 0; do { int x = 0; p = &x; }\nwhile (*p); return 0; }", "nil at line 4"},
	{"step of a loop", "int main(void) { int *p = 0; for (int i = 0; i < 1;\ni += *p) { int x = 1; p = &x; } return 0; }", "nil at line 4"},
	{"variable of a for", "int main(void) { int *p = 0; for (int i = 0; i < 2; i++) { p = &i; ++*p; }\nreturn *p; }", "nil at line 4"},
	{"break", "int main(void) { int *p = 0; for (;;) { { int x = 0; p = &x; break; } }\nreturn *p; }", "nil at line 4"},
	{"continue", "int main(void) { int *p = 0; for (int i = 0; i < 2; i++) {\nif (i && *p) return 0; { int x = 1; p = &x; if (!i) continue; } } return 0; }", "nil at line 4"},
	{"continue without a condition", "int main(void) { int *p = 0, i = 0; for (;;) {\nif (i++ && *p) return 0; { int x = 1; p = &x; continue; } } }", "nil at line 4"},
	{"goto", "int main(void) { int *p = 0; { int x = 0; p = &x; goto out; } out:\nreturn *p; }", "nil at line 4"},
	{"switch", "int main(void) { int *p = 0; switch (1) { case 1: { int x = 0; p = &x; break; } }\nreturn *p; }", "nil at line 4"},
	{"over a declaration", "int main(void) { int *p = 0; for (int i = 0; i < 2; i++) { switch (i) { int x; default: p = &x; x = i; i = *p; } }\nreturn 0; }", "ended"},
	{"by a callee", "void set(int **q, int *v) { *q = v; } int main(void) { int *p = 0; { int x = 0; set(&p, &x); }\nreturn *p; }", "nil at line 4"},
	{"in a global", "int *g; void f(void) { { int x = 0; g = &x; }\n*g = 1; } int main(void) { f(); return 0; }", "nil at line 4"},
	{"array", "int main(void) { int *p; { int a[2] = {1, 2}; p = a; }\nreturn p[1]; }", "bounds at line 4"},
	{"compound literal", "int main(void) { int *p; { p = &(int){3}; }\nreturn *p; }", "nil at line 4"},
	{"entered again", "int main(void) { int s = 0, *p; for (int i = 0; i < 2; i++) { int x = i; p = &x; s += *p; }\nreturn s - 1; }", "ended"},
}

// TestBlocksEnd shows that a local variable ends with its block.
func TestBlocksEnd(t *testing.T) { checkOutcomes(t, blockCases) }

// TestBlocksEndCompiled compares with gcc.
func TestBlocksEndCompiled(t *testing.T) {
	gcc, err := exec.LookPath("gcc")
	if err != nil {
		t.Skip("no gcc")
	}
	dir := t.TempDir()
	for _, c := range blockCases {
		source, bin := filepath.Join(dir, "m.c"), filepath.Join(dir, "m")
		if err := os.WriteFile(source, []byte(memoryHeader+c.source), 0o600); err != nil {
			t.Fatal(err)
		}
		args := []string{"-w", "-O0", "-fsanitize=address,undefined", "-fsanitize-address-use-after-scope", "-o", bin, source}
		if out, err := exec.Command(gcc, args...).CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", c.name, err, out)
		}
		out, err := exec.Command(bin).CombinedOutput()
		if fails := strings.Contains(string(out), "stack-use-after-scope"); fails != (c.want != "ended") {
			t.Errorf("%s: compiled %v, want %s\n%s", c.name, err, c.want, out)
		}
	}
}
