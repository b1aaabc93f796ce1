package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A scratch is a module of its own with a wrong function and a test.
type scratch struct {
	t         *testing.T
	dir, tool string
}

func (s *scratch) write(name, text string) {
	s.t.Helper()
	if err := os.WriteFile(filepath.Join(s.dir, name), []byte(text), 0o666); err != nil {
		s.t.Fatal(err)
	}
}

func (s *scratch) read(name string) string {
	s.t.Helper()
	text, err := os.ReadFile(filepath.Join(s.dir, name))
	if err != nil {
		s.t.Fatal(err)
	}
	return string(text)
}

// run runs a command, offline, and wants this exit status. It returns what
// it prints.
func (s *scratch) run(want int, name string, args ...string) string {
	s.t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = s.dir
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOPROXY=off", "GOWORK=off")
	out, err := cmd.CombinedOutput()
	if cmd.ProcessState == nil || cmd.ProcessState.ExitCode() != want {
		s.t.Fatalf("%s %s: %v, want exit status %d\n%s", name, strings.Join(args, " "), err, want, out)
	}
	return string(out)
}

const wrong = `package day

// In reports whether lo <= x < hi.
func In(x, lo, hi int8) bool { return x > lo && x <= hi }
`

const right = "return x >= lo && x < hi"

// reset makes the module as it was, the test in package day or day_test.
func (s *scratch) reset(external bool) {
	s.t.Helper()
	s.write("go.mod", "module day\n\ngo 1.26\n")
	s.write("day.go", wrong)
	head, call := `package day

import "testing"
`, "In"
	if external {
		head, call = `package day_test

import (
	"testing"

	"day"
)
`, "day.In"
	}
	s.write("day_test.go", head+`
func FuzzIn(f *testing.F) {
	f.Add(int8(3), int8(3), int8(4))
	f.Fuzz(func(t *testing.T, x, lo, hi int8) {
		if `+call+`(x, lo, hi) != !(x < lo || x >= hi) {
			t.Errorf("In(%d, %d, %d)", x, lo, hi)
		}
	})
}
`)
}

func newScratch(t *testing.T) *scratch {
	t.Helper()
	s := &scratch{t: t, dir: t.TempDir()}
	s.reset(false)
	s.tool = filepath.Join(t.TempDir(), "gofix")
	if out, err := exec.Command("go", "build", "-o", s.tool, ".").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	return s
}

func (s *scratch) contains(out string, words ...string) {
	s.t.Helper()
	for _, w := range words {
		if !strings.Contains(out, w) {
			s.t.Errorf("no %q in\n%s", w, out)
		}
	}
}

// TestReports runs the drivers that change nothing.
func TestReports(t *testing.T) {
	s := newScratch(t)
	s.run(1, "go", "test", ".")
	const message = "FuzzIn fails within 5 loop iterations"
	s.contains(s.run(3, s.tool, "-size=2", "./..."), "day_test.go:9:4: "+message)
	s.contains(s.run(1, "go", "vet", "-vettool="+s.tool, "-size=2", "./..."), message)
	s.contains(s.run(0, s.tool, "-size=2", "-fix", "-diff", "./..."), "+func In(x, lo, hi int8) bool { "+right)
	s.contains(s.run(1, "go", "vet", "-vettool="+s.tool, "-size=2", "-fix", "-diff", "./..."), right)
	s.contains(s.run(1, "go", "fix", "-fixtool="+s.tool, "-size=2", "-diff", "./..."), right)
	if s.read("day.go") != wrong {
		t.Error("the file has changed")
	}
	if out := s.run(0, s.tool, "-run", "FuzzOther", "./..."); out != "" {
		t.Errorf("another test: %s", out)
	}
	s.reset(true)
	s.contains(s.run(3, s.tool, "-size=2", "./..."), "day_test.go:13:4: "+message, "day.go:4:39: here, because "+message)
	s.contains(s.run(1, "go", "vet", "-vettool="+s.tool, "-size=2", "./..."), message, "repair: replace `x > lo` by `x >= lo`")
	if out := s.run(0, s.tool, "-load=false", "./..."); out != "" {
		t.Errorf("without the code of the package: %s", out)
	}
}

// TestJSON wants all repairs with their offsets, the same each time.
func TestJSON(t *testing.T) {
	s := newScratch(t)
	first := s.run(0, s.tool, "-json", "-size=2", "-scheme=operators", "./...")
	if again := s.run(0, s.tool, "-json", "-size=2", "-scheme=operators", "./..."); again != first {
		t.Errorf("first\n%s\nthen\n%s", first, again)
	}
	var tree map[string]map[string][]struct {
		Fixes []struct {
			Edits []struct {
				Filename, New string
				Start, End    int
			}
		} `json:"suggested_fixes"`
	}
	if err := json.Unmarshal([]byte(first), &tree); err != nil {
		t.Fatalf("%v\n%s", err, first)
	}
	n := 0
	for _, byAnalyzer := range tree {
		for _, d := range byAnalyzer["gofix"] {
			for _, f := range d.Fixes {
				n++
				text := wrong
				for i := len(f.Edits) - 1; i >= 0; i-- {
					e := f.Edits[i]
					text = text[:e.Start] + e.New + text[e.End:]
				}
				s.write("day.go", text)
				s.run(0, "go", "test", ".")
			}
		}
	}
	if n < 1 {
		t.Errorf("no fixes: %s", first)
	}
}

// TestApplied lets each driver apply its first fix: then go test passes and
// nothing is left to say.
func TestApplied(t *testing.T) {
	s := newScratch(t)
	for i, command := range [][]string{
		{s.tool, "-fix"},
		{"go", "vet", "-vettool=" + s.tool, "-fix"},
		{"go", "fix", "-fixtool=" + s.tool},
		{s.tool, "-fix"},
	} {
		s.reset(i == 3)
		s.run(0, command[0], append(command[1:], "-size=2", "./...")...)
		s.contains(s.read("day.go"), right)
		s.run(0, "go", "test", ".")
		if out := s.run(0, "go", "vet", "-vettool="+s.tool, "./..."); out != "" {
			t.Errorf("after the repair: %s", out)
		}
	}
}
