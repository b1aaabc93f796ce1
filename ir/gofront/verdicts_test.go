package gofront_test

// Tests that depend on what happens around them: package initialization,
// globals changed in calls, captured structs, subtests. Each has a verdict of
// go test.

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-amend/amend/ir/gofront"
)

// TestVerdictsOfForms compares the verdicts of testdata/verdicts with those of
// go test. Tests called TestParallel... are not supported.
func TestVerdictsOfForms(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("as TestVerdictsOfGoTest, of more forms")
	}
	sameVerdicts(t, "testdata/verdicts")
}

// TestVerdictsOfModels compares the verdicts of tests that use what stands for
// functions of the library: fmt, errors, reflect.DeepEqual.
func TestVerdictsOfModels(t *testing.T) {
	t.Parallel()
	sameVerdicts(t, "testdata/models")
}

// TestVerdictsOfTestify compares those of tests with testify's assertions.
func TestVerdictsOfTestify(t *testing.T) {
	t.Parallel()
	sameVerdicts(t, "testdata/testify")
}

func sameVerdicts(t *testing.T, dir string) {
	t.Helper()
	compiled := filepath.Join(t.TempDir(), "compiled")
	build := exec.Command("go", "test", "-c", "-vet=off", "-o", compiled, ".")
	build.Dir = dir
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	ps, err := gofront.Open(dir, ".")
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range ps.Tests() {
		name := test.Name
		pattern := "^" + name + "$"
		want := exec.Command(compiled, "-test.run", pattern).Run() == nil
		got, err := holds(t, ps, pattern)
		switch {
		case strings.HasPrefix(name, "TestParallel"):
			if err == nil || !strings.Contains(err.Error(), "unsupported: Parallel in a subtest that shares the variable") {
				t.Errorf("%s: %v, %v; want that it is not supported", name, got, err)
			}
		case err != nil || got != want:
			t.Errorf("%s passes: %v, %v; with go test: %v", name, got, err, want)
		}
	}
}
