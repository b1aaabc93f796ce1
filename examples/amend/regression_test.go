package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// TestWriteTest writes failing inputs as tests and runs these by go test: they
// fail, and pass with the first repair.
func TestWriteTest(t *testing.T) {
	cases, err := filepath.Glob("testdata/regression/*.txtar")
	if err != nil || len(cases) == 0 {
		t.Fatalf("%v: %v", cases, err)
	}
	if testing.Short() {
		cases = cases[:1]
	}
	for _, name := range cases {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) { writeTest(t, name) })
	}
}

// writeTest does what the file name says: the comment's last line is the flags
// of check, a file want holds what the written file contains, and a file
// fixed.go takes the place of the only other file that is no test.
func writeTest(t *testing.T, name string) {
	a, err := txtar.ParseFile(name)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(a.Comment)), "\n")
	flags := strings.Fields(lines[len(lines)-1])
	t.Chdir(t.TempDir())
	var written, want, fixed string
	for _, f := range a.Files {
		switch {
		case strings.HasPrefix(f.Name, "want "):
			written, want = strings.TrimPrefix(f.Name, "want "), strings.TrimSuffix(string(f.Data), "\n")
		case f.Name == "fixed":
			fixed = string(f.Data)
		default:
			write(t, f.Name, f.Data)
		}
	}
	if got := amend(append(append([]string{"check", "-write-test"}, flags...), ".")...); got.status != 1 || !strings.Contains(got.stdout, "written to "+written) {
		t.Fatalf("check: %+v", got)
	}
	text, err := os.ReadFile(written)
	if err != nil || !strings.Contains(string(text), want) {
		t.Errorf("%s (%v):\n%s\nwant\n%s", written, err, text, want)
	}
	if out, err := goTestAll(); err == nil || strings.Contains(out, "build failed") {
		t.Errorf("go test with the written test: %v\n%s\n%s", err, out, text)
	}
	write(t, "p.go", []byte(fixed))
	if out, err := goTestAll(); err != nil {
		t.Errorf("go test of the repaired package: %v\n%s\n%s", err, out, text)
	}
}

func goTestAll() (string, error) {
	out, err := exec.Command("go", "test", ".").CombinedOutput()
	return string(out), err
}
