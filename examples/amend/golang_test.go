package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// TestWriteCorpus writes a failing input as a corpus file and lets go test
// run it: it fails. After the first repair it passes.
func TestWriteCorpus(t *testing.T) {
	a, err := txtar.ParseFile("testdata/golang.txtar")
	if err != nil {
		t.Fatal(err)
	}
	inFolder(t, a, "programs")
	programs, err := filepath.Glob("*.c")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range append(programs, "search_test.go") { // the go command wants no C
		if err := os.Remove(name); err != nil {
			t.Fatal(err)
		}
	}
	write(t, "fuzz_test.go", []byte(`package search

import "testing"

func FuzzMore(f *testing.F) {
	f.Fuzz(func(t *testing.T, s string, b []byte, n int32, c rune, u uint8, ok bool, big int64) {
		if len(s) == 2 && s[1] > 'x' && n < -70000 && c == 'q' && u > 200 && ok && big > 1<<40 && len(b) > 1 && b[0] == s[0]^255 {
			if Clamp(n, -5, 5) > 0 {
				t.Fatal("found")
			}
		}
	})
}
`))
	if !testing.Short() {
		if out, err := goTest(t); err != nil {
			t.Fatalf("go test before: %v\n%s", err, out)
		}
	}
	if got := amend("check", "-run", "FuzzMore", "-write-corpus", "."); got.status != 1 || !strings.Contains(got.stdout, "written to testdata") {
		t.Fatalf("check: %+v", got)
	}
	files, err := filepath.Glob("testdata/fuzz/FuzzMore/*")
	if err != nil || len(files) != 1 {
		t.Fatalf("corpus %v: %v", files, err)
	}
	if out, err := goTest(t); err == nil || !strings.Contains(out, "found") {
		t.Fatalf("go test does not fail on the corpus: %v\n%s", err, out)
	}
	if testing.Short() {
		return
	}
	if got := amend("repair", "-scheme", "variables", "-run", "FuzzMore", "-write", "-max", "1", "."); got.status != 0 {
		t.Fatalf("repair: %+v", got)
	}
	if out, err := goTest(t); err != nil {
		t.Fatalf("go test after: %v\n%s", err, out)
	}
}

// TestGuideGo runs the command that the guide shows, wants the output that
// it shows, and that go test fails before and passes after the patch.
func TestGuideGo(t *testing.T) {
	const folder = "examples/testdata/table"
	t.Chdir(filepath.Join("..", ".."))
	guide, err := os.ReadFile("examples/guide/go.md")
	if err != nil {
		t.Fatal(err)
	}
	args := []string{"repair", "-run", "FuzzSize", "./" + folder}
	_, shown, ok := strings.Cut(string(guide), "$ go run ./examples/amend "+strings.Join(args, " ")+"\n")
	shown, _, _ = strings.Cut(shown, "```")
	if got := amend(args...); !ok || untimed(got.stdout) != untimed(shown) {
		t.Errorf("the command prints\n%sexamples/guide/go.md has\n%s", got.stdout, shown)
	}
	if testing.Short() {
		return
	}
	files, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil || len(files) != 2 {
		t.Fatalf("files %v: %v", files, err)
	}
	dir := t.TempDir()
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(dir, filepath.Base(name)), text)
	}
	write(t, filepath.Join(dir, "go.mod"), []byte("module table\n\ngo 1.26\n"))
	t.Chdir(dir)
	if out, err := goTest(t); err == nil {
		t.Errorf("go test passes before: %s", out)
	}
	if got := amend("repair", "-run", "FuzzSize", "-write", "."); got.status != 0 {
		t.Fatalf("repair: %+v", got)
	}
	if out, err := goTest(t); err != nil {
		t.Errorf("go test after: %v\n%s", err, out)
	}
}

var effort = regexp.MustCompile(`\d+ candidates? \(\d+\.\d\d s\)`)

// untimed returns s without what depends on the machine and the search.
func untimed(s string) string { return effort.ReplaceAllString(s, "N candidates (N s)") }

func goTest(t *testing.T) (string, error) {
	t.Helper()
	out, err := exec.Command("go", "test", "-run", "Fuzz", ".").CombinedOutput()
	return string(out), err
}
