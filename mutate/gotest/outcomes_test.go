package gotest

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// A test that now passes and now fails is flaky; one that never ended was not
// asked, unless no other fails.
func TestDivide(t *testing.T) {
	run := func(passed ...string) outcomes {
		o := newOutcomes()
		for _, n := range []string{"TestA", "TestB", "TestC"} {
			o.passed[n] = slices.Contains(passed, n)
		}
		return o
	}
	s := &Suite{loaded: &loaded{inside: []string{"TestA", "TestB", "TestC", "TestD"}}}
	if err := s.divide([]outcomes{run("TestA", "TestB"), run("TestA"), run("TestA", "TestB")}); err != nil {
		t.Fatal(err)
	}
	for _, x := range []struct {
		what      string
		got, want []string
	}{
		{"passing", s.passing, []string{"TestA"}},
		{"flaky", s.flaky, []string{"TestB"}},
		{"failing", s.failing, []string{"TestC"}},
		{"untested", s.untested, []string{"TestD"}},
	} {
		if !slices.Equal(x.got, x.want) {
			t.Errorf("%s is %v, want %v", x.what, x.got, x.want)
		}
	}
	s = &Suite{cfg: Config{Run: "^TestA$"}, loaded: s.loaded}
	if err := s.divide([]outcomes{run("TestA")}); !errors.Is(err, ErrPasses) {
		t.Errorf("the named test passes, but %v", err)
	}
}

// What tests print may hide the line that says how they ended.
func TestEnds(t *testing.T) {
	out := "\x16=== RUN   TestA\nprinted--- \x16--- PASS: TestA (0.25s)\n\x16=== RUN   TestB\n--- PASS: TestB (0.00s)\n    \x16--- FAIL: TestB/x (0.00s)\n\x16=== RUN   TestC\n\x16--- SKIP: TestC (0.00s)\n"
	got := ends([]byte(out))
	want := map[string]end{"TestA": {"PASS", 250 * time.Millisecond}, "TestB": {}, "TestB/x": {how: "FAIL"}, "TestC": {how: "SKIP"}}
	if len(got) != len(want) {
		t.Errorf("got %v", got)
	}
	for name, e := range want {
		if got[name] != e {
			t.Errorf("%s is %v, want %v", name, got[name], e)
		}
	}
}

// Nothing is left behind, whenever it ends.
func TestCancelled(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", t.TempDir())
	for name, text := range map[string]string{
		"go.mod":    "module example.com/slow\n\ngo 1.22\n",
		"a.go":      "package slow\n\nfunc F() bool { return false }\n",
		"a_test.go": "package slow\n\nimport (\n\t\"testing\"\n\t\"time\"\n)\n\nfunc TestF(t *testing.T) {\n\ttime.Sleep(time.Hour)\n\tF()\n}\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	stop := errors.New("stopped")
	ctx, cancel := context.WithCancelCause(t.Context())
	cfg := Config{Dir: dir, Observer: func(s Stats) {
		if s.Phase == "running the tests" {
			time.AfterFunc(100*time.Millisecond, func() { cancel(stop) })
		}
	}}
	if _, err := Open(ctx, cfg); !errors.Is(err, stop) {
		t.Errorf("the error is %v", err)
	}
	if left, err := os.ReadDir(os.TempDir()); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}
