package gofront_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/go-amend/amend/ir/gofront"
)

// TestInputs wants the files of a package, its tests, what it imports and embeds, and
// its module, but none of the standard library.
func TestInputs(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":        "module m\n\ngo 1.26\n",
		"a.go":          "package m\n\nimport (\n\t_ \"embed\"\n\t\"m/sub\"\n)\n\n//go:embed a.txt\nvar s string\n\nfunc F() int { return sub.N + len(s) }\n",
		"a.txt":         "text",
		"a_test.go":     "package m\n\nimport \"testing\"\n\nfunc TestF(t *testing.T) { F() }\n",
		"x_test.go":     "package m_test\n\nimport (\n\t\"testing\"\n\n\t\"m\"\n)\n\nfunc TestX(t *testing.T) { m.F() }\n",
		"sub/b.go":      "package sub\n\nconst N = 1\n",
		"sub/b_test.go": "package sub\n",
		"other/c.go":    "package other\n",

		"testdata/fuzz/FuzzF/seed": "go test fuzz v1\n",
	} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	files, env, err := gofront.Inputs(dir, ".")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range files {
		rel, err := filepath.Rel(dir, f)
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, filepath.ToSlash(rel))
	}
	for _, want := range []string{"a.go", "a.txt", "a_test.go", "go.mod", "sub/b.go", "testdata/fuzz/FuzzF/seed", "x_test.go"} {
		if !slices.Contains(names, want) {
			t.Errorf("no %s in %v", want, names)
		}
	}
	for _, name := range names {
		if strings.HasPrefix(name, "other/") || strings.HasPrefix(name, "..") {
			t.Errorf("%s is none of it", name)
		}
	}
	if !strings.HasPrefix(env, "go1.") {
		t.Errorf("environment %q", env)
	}
	if _, _, err := gofront.Inputs(dir, "./nowhere"); err == nil {
		t.Error("no error for a package that is not there")
	}
}
