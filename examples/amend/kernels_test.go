package main

// Faults of goroutines in testdata/kernels: each test there fails in some
// schedule. A comment "fix: TEXT" stands where the usual repair changes that
// text or puts it there.

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// A textAt is a text of a line of a file.
type textAt struct {
	file, text string
	line       int
}

var (
	kernelTest = regexp.MustCompile(`^func (Test\w+)`)
	kernelFix  = regexp.MustCompile(`// fix: (.*)$`)
)

// kernels returns the names of the tests of the folder, and the usual repairs.
func kernels(t *testing.T) (tests []string, fixes []textAt) {
	t.Helper()
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for i, l := range strings.Split(string(text), "\n") {
			if m := kernelTest.FindStringSubmatch(l); m != nil {
				tests = append(tests, m[1])
			}
			if m := kernelFix.FindStringSubmatch(l); m != nil {
				fixes = append(fixes, textAt{name, m[1], i + 1})
			}
		}
	}
	return tests, fixes
}

// repairedAsUsual reports whether the first repair of a test is the usual one.
func repairedAsUsual(t *testing.T, test string, fixes []textAt) bool {
	t.Helper()
	got := amend("repair", "-json", "-oracle", "formula", "-scheme", "locks,level2", "-max", "1", "-run", "^"+test+"$", ".")
	lines := bufio.NewScanner(strings.NewReader(got.stdout))
	for lines.Scan() {
		var e struct {
			Event string
			Edits []struct {
				File     string
				Line     int
				Old, New string
			}
		}
		if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
			t.Fatalf("%s: %v\n%s", test, err, got.stdout)
		}
		for _, d := range e.Edits {
			if slices.ContainsFunc(fixes, func(f textAt) bool {
				return f.file == d.File && f.line-1 <= d.Line && d.Line <= f.line+1 && (f.text == strings.TrimSpace(d.Old) || f.text == strings.TrimSpace(d.New))
			}) {
				return true
			}
		}
	}
	return false
}

// TestKernelsAreFound checks that each of the tests is violated.
func TestKernelsAreFound(t *testing.T) {
	t.Chdir("testdata/kernels")
	tests, _ := kernels(t)
	got := amend("check", ".")
	for _, name := range tests {
		if !strings.Contains(got.stdout, name+" violated\n") {
			t.Errorf("%s is not violated", name)
		}
	}
}

// TestKernelsAreRepaired checks that the first repair is the usual one, of one
// kernel for each kind of change.
func TestKernelsAreRepaired(t *testing.T) {
	if testing.Short() {
		t.Skip("some seconds")
	}
	t.Chdir("testdata/kernels")
	_, fixes := kernels(t)
	for _, name := range []string{"TestAnnounce", "TestStart", "TestWaitInside", "TestNotDone", "TestTwoClosers", "TestTwice"} {
		if !repairedAsUsual(t, name, fixes) {
			t.Errorf("%s: the first repair is not the usual one", name)
		}
	}
}
