package mutate_test

// Repairs of the sizes that are given to malloc and its kin, and of what is stored
// through pointers.

import (
	"slices"
	"testing"

	"github.com/go-amend/amend/ir/cfront"
	"github.com/go-amend/amend/mutate"
	"github.com/go-amend/amend/mutate/scheme"
)

func TestSizesAndStores(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		{"malloc of bytes", `char *copy(char *s, int n) { char *d = malloc(n); for (int i = 0; i < n; i++) d[i] = s[i]; d[n] = 0; return d; }
int main(int n) { char s[3] = "ab"; assume(n > 0 && n < 3); char *d = copy(s, n); assert(d[n] == 0); free(d); return 0; }`,
			[]string{"2: n -> n + 1"}},
		{"calloc", `int *table(int n) { return calloc(n - 1, sizeof(int)); }
int main(int n) { assume(n > 1 && n < 5); int *t = table(n); t[n - 1] = 1; assert(t[n - 2] == 0); free(t); return 0; }`,
			[]string{"2: 1 -> 0", "2: n -> n + 1"}},
		{"realloc", `int *more(int *t, int n) { return realloc(t, n * sizeof(int)); }
int main(int n) { assume(n > 0 && n < 4); int *t = malloc(sizeof(int)); *t = 7; t = more(t, n); t[n] = 1; assert(n < 1 || t[0] == 7); free(t); return 0; }`,
			[]string{"2: n -> (n + 4)"}},
		{"stored through a pointer", `void put(int *p, int x, int y) { p[y] = x; }
int main(int x) { int t[3] = {0, 0, 0}; put(t, x, 1); assert(t[1] == x + 1); return 0; }`,
			[]string{"2: x -> x + 1"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			front := cfront.Config{Hard: func(f string) bool { return f == "main" }}
			cfg := mutate.Config{Operators: slices.Concat(scheme.Level2(), scheme.Linear()), Unwind: 5}
			got := repairs(t, "#include <stdlib.h>\n"+c.text+"\n", front, cfg)
			for _, w := range c.want {
				if !slices.Contains(got, w) {
					t.Errorf("repairs %q, without %s", got, w)
				}
			}
		})
	}
}
