//go:build slow

package cfront_test

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/cfront"
)

var (
	declared = regexp.MustCompile(`(?m)^[A-Za-z_].*?\b([A-Za-z_][A-Za-z_0-9]*)\s*\([^()]*(?:\([^()]*\)[^()]*)*\)\s*;`)
	builtin  = regexp.MustCompile(`"(__(?:builtin|atomic|sync|CPROVER|VERIFIER|ESBMC|c11)_[A-Za-z_0-9]*)"`)
)

// functions returns the names of all functions that the headers declare or the
// package knows by itself.
func functions(t *testing.T) []string {
	t.Helper()
	found := make(map[string]bool)
	note := func(text []byte, re *regexp.Regexp) {
		for _, m := range re.FindAllSubmatch(text, -1) {
			found[string(m[1])] = true
		}
	}
	err := fs.WalkDir(os.DirFS("include"), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(filepath.Join("include", name))
		note(text, declared)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	sources, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range sources {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		note(text, builtin)
	}
	return slices.Sorted(maps.Keys(found))
}

// Calls of library functions with whatever arguments are programs or errors
// with a place, never internal errors.
func TestHostileCalls(t *testing.T) {
	names := functions(t)
	t.Logf("%d functions", len(names))
	const head = "struct s { int a; char b[3]; } s, *ps; union u { int i; float f; } u; int i; double d; char c[4]; int (*f)(void); void *v; char vla(int n) { char x[n]; return x[0]; }\n"
	lists := []string{"", "0", "s", "ps", "c, \"%d%s\", i", "s, s, s", "f, f", "v, 0, 3, f", "ps, sizeof s, i, v, i, i, i"}
	for _, name := range names {
		for _, list := range lists {
			what := name + "(" + list + ")"
			call(t, head+"int main(void) { return (int)"+what+"; }\n", what)
		}
	}
}

func call(t *testing.T, src, what string) {
	t.Helper()
	_, err := cfront.Load([]*ir.File{{Name: "a.c", Content: []byte(src)}}, cfront.Config{})
	if e, ok := errors.AsType[*ir.InternalError](err); ok {
		t.Errorf("%s: %v\n%s", what, e, e.Stack)
	}
}
