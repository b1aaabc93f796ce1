package main

import (
	"os"
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

// TestReplayGoTorn asks for a run in which another goroutine moves inside the
// copy of a struct: one statement of the source can't be left in the middle.
func TestReplayGoTorn(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{"go.mod": "module torn\n\ngo 1.26\n", "torn_test.go": torn} {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got := amend("check", "-run", "^TestCopy$", "-checks", "bounds,deadlock", "-replay", "run_test.go", ".")
	want := "torn_test.go:13:2: unsupported: a switch inside what can't be taken apart, in a failing run as a test (write it as several statements)"
	if got.status != 2 || !strings.Contains(got.stderr, want) || !strings.Contains(got.stdout, "assertion violated") {
		t.Errorf("%+v, want %s", got, want)
	}
	if _, err := os.Stat("run_test.go"); err == nil {
		t.Error("a test is written that need not fail")
	}
}

// torn has a test that fails only if got has parts of two values.
const torn = `package torn

import "testing"

func TestCopy(t *testing.T) {
	type pair struct{ a, b int }
	shared := pair{1, 1}
	done := make(chan bool)
	go func() {
		shared = pair{2, 2}
		done <- true
	}()
	got := shared
	if got.a != got.b {
		t.Error(got.a, got.b)
	}
	<-done
}
`
