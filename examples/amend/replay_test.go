package main

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestReplayGo writes the failing run of a Go test as a test file, which fails as
// the run does.
func TestReplayGo(t *testing.T) {
	t.Chdir("testdata/kernels")
	name := filepath.Join(t.TempDir(), "run_test.go")
	if got := amend("check", "-run", "^TestWithdraw$", "-replay", name, "."); got.status != 1 {
		t.Fatalf("check: %+v", got)
	}
	out, err := exec.Command("go", "test", name).CombinedOutput()
	if err == nil || !strings.Contains(string(out), "locks_test.go:69: 1") {
		t.Errorf("go test: %v\n%s", err, out)
	}
	for _, args := range [][]string{{"-replay", name}, {"-run", "^TestWithdraw$", "-replay", "run.go"}} {
		if got := amend(append(append([]string{"check"}, args...), ".")...); got.status != 2 {
			t.Errorf("%v: %+v", args, got)
		}
	}
}
