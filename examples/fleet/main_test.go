package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// binaries is the folder of the commands amend and fleet.
var binaries string

func TestMain(m *testing.M) {
	os.Exit(func() int {
		dir, err := os.MkdirTemp("", "fleet")
		if err != nil {
			panic(err)
		}
		defer os.RemoveAll(dir)
		binaries = dir
		for _, args := range [][]string{{"-C", "../..", "-o", filepath.Join(dir, "amend"), "./examples/amend"}, {"-o", filepath.Join(dir, "fleet"), "."}} {
			if out, err := exec.Command("go", append([]string{"build"}, args...)...).CombinedOutput(); err != nil {
				panic(string(out))
			}
		}
		return m.Run()
	}())
}

// fleet returns a fleet that runs in dir.
func fleet(dir string, args ...string) *exec.Cmd {
	c := exec.Command(filepath.Join(binaries, "fleet"), append([]string{"-amend", filepath.Join(binaries, "amend")}, args...)...)
	c.Dir = dir
	return c
}

// output runs c and wants this exit status.
func output(t *testing.T, c *exec.Cmd, status int) string {
	t.Helper()
	var out, problems bytes.Buffer
	c.Stdout, c.Stderr = &out, &problems
	err := c.Run()
	if _, ok := errors.AsType[*exec.ExitError](err); err != nil && !ok {
		t.Fatal(err)
	}
	if got := c.ProcessState.ExitCode(); got != status {
		t.Fatalf("%s: exit status %d, want %d\n%s", c, got, status, &problems)
	}
	return out.String()
}

var times = regexp.MustCompile(`"elapsed_ms":\d+`)

// A fleet says what the command says, one program after the other.
func TestSame(t *testing.T) {
	sarif := filepath.Join(t.TempDir(), "all.sarif")
	got := output(t, fleet("../programs", "-sarif", sarif, "repair", "-size=1", "-max", "2", "files.als", "palindrome.c", "rps.c", "podium.c"), 0)
	var want strings.Builder
	for _, name := range []string{"files.als", "palindrome.c", "podium.c", "rps.c"} {
		c := exec.Command(filepath.Join(binaries, "amend"), "repair", "-json", "-size=1", "-max", "2", name)
		c.Dir = "../programs"
		out, _ := c.Output() // it may say that there is none
		a := &answer{Program: name, Command: "repair"}
		for line := range strings.Lines(string(out)) {
			a.Events = append(a.Events, json.RawMessage(line))
			var done struct{ Status, Reason string }
			if err := json.Unmarshal([]byte(line), &done); err != nil {
				t.Fatal(err)
			}
			a.Status, a.Reason = done.Status, done.Reason
		}
		line, err := json.Marshal(a)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&want, "%s\n", line)
	}
	if got, want := times.ReplaceAllString(got, "-"), times.ReplaceAllString(want.String(), "-"); got != want {
		t.Errorf("a fleet says\n%s\nwant\n%s", got, want)
	}
	consistent(t, sarif)
}

// consistent reports what is wrong with a log that was merged.
func consistent(t *testing.T, name string) {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var log struct {
		Runs []struct {
			Tool struct {
				Driver struct{ Rules []struct{ ID string } }
			}
			Artifacts []struct{ Location struct{ URI string } }
			Results   []struct {
				RuleID    string
				RuleIndex int
				Locations []struct {
					PhysicalLocation struct {
						ArtifactLocation struct {
							URI   string
							Index *int
						}
					}
				}
			}
		}
	}
	if err := json.Unmarshal(b, &log); err != nil {
		t.Fatal(err)
	}
	if len(log.Runs) != 1 || len(log.Runs[0].Results) == 0 {
		t.Fatalf("there are %d runs in\n%s", len(log.Runs), b)
	}
	run := log.Runs[0]
	files := make(map[string]bool)
	for _, a := range run.Artifacts {
		files[a.Location.URI] = true
	}
	for _, r := range run.Results {
		if r.RuleIndex >= len(run.Tool.Driver.Rules) || run.Tool.Driver.Rules[r.RuleIndex].ID != r.RuleID {
			t.Errorf("rule %d is not %s", r.RuleIndex, r.RuleID)
		}
		if at := r.Locations[0].PhysicalLocation.ArtifactLocation; !files[at.URI] || at.Index != nil {
			t.Errorf("%+v is not among the files", at)
		}
	}
}

// programs writes n small programs into a folder.
func programs(t *testing.T, n int) string {
	t.Helper()
	dir := t.TempDir()
	for i := range n {
		text := fmt.Sprintf("#include <assert.h>\nint main(int x) {\n\tint y = x;\n\tif (x < %d) y = %d;\n\tassert(y >= %d);\n}\n", i%7, i%7, i%5)
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("p%04d.c", i)), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// verdicts returns what became of each program.
func verdicts(t *testing.T, out string) []string {
	t.Helper()
	var all []string
	for line := range strings.Lines(out) {
		var a answer
		if err := json.Unmarshal([]byte(line), &a); err != nil {
			t.Fatal(err)
		}
		all = append(all, a.Program+" "+a.Status)
	}
	return all
}

// want are the verdicts of programs.
func want(n int) []string {
	var all []string
	for i := range n {
		status := "holds"
		if i%7 < i%5 {
			status = "violated"
		}
		all = append(all, fmt.Sprintf("p%04d.c %s", i, status))
	}
	return all
}

func equal(t *testing.T, got, want []string) {
	t.Helper()
	if g, w := strings.Join(got, "\n"), strings.Join(want, "\n"); g != w {
		t.Errorf("%d verdicts, want %d:\n%s", len(got), len(want), g)
	}
}

// A thousand programs, while workers are killed all the time.
func TestKilledWorkers(t *testing.T) {
	n := 1000
	if testing.Short() {
		n = 50
	}
	c := fleet(programs(t, n), "-attempts", "100", "check", ".")
	stop := make(chan struct{})
	killed := 0
	var wg sync.WaitGroup
	wg.Go(func() {
		for rng := rand.New(rand.NewPCG(1, 1)); ; {
			select {
			case <-stop:
				return
			case <-time.After(time.Duration(5+rng.IntN(100)) * time.Millisecond):
			}
			if c.Process == nil {
				continue
			}
			for _, pid := range children(c.Process.Pid) {
				if syscall.Kill(pid, syscall.SIGKILL) == nil {
					killed++
				}
			}
		}
	})
	out := output(t, c, 1)
	close(stop)
	wg.Wait()
	equal(t, verdicts(t, out), want(n))
	if killed == 0 {
		t.Error("no worker was killed")
	}
	t.Logf("%d workers were killed", killed)
}

// children returns the processes that pid has started.
func children(pid int) []int {
	var out []int
	names, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	for _, name := range names {
		b, _ := os.ReadFile(name) // a thread that has ended has none
		for _, f := range strings.Fields(string(b)) {
			if child, err := strconv.Atoi(f); err == nil {
				out = append(out, child)
			}
		}
	}
	return out
}

// A fleet that is killed as a whole goes on where it was, and asks anew when a
// program has changed.
func TestJournal(t *testing.T) {
	const n = 60
	dir, journal := programs(t, n), t.TempDir()
	args := []string{"-journal", journal, "check", "."}
	c := fleet(dir, args...)
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	for len(entries(t, journal)) < 10 {
		time.Sleep(time.Millisecond)
	}
	c.Process.Kill()
	c.Wait()
	before := entries(t, journal)
	if len(before) >= n {
		t.Skip("it was done before it was killed")
	}

	equal(t, verdicts(t, output(t, fleet(dir, args...), 1)), want(n))
	after := entries(t, journal)
	for name, written := range before {
		if !after[name].Equal(written) {
			t.Errorf("%s was asked again", name)
		}
	}

	if err := os.WriteFile(filepath.Join(dir, "p0000.c"), []byte("int main(int x) { return 1 / x; }\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	changed := want(n)
	changed[0] = "p0000.c violated"
	equal(t, verdicts(t, output(t, fleet(dir, args...), 1)), changed)
}

// entries returns the answers of a journal, and when they were written.
func entries(t *testing.T, journal string) map[string]time.Time {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(journal, "*", "*.json"))
	if err != nil {
		t.Fatal(err)
	}
	out := make(map[string]time.Time)
	for _, name := range names {
		info, err := os.Stat(name)
		if err != nil {
			t.Fatal(err)
		}
		out[name] = info.ModTime()
	}
	return out
}

// Programs that can't be read, take too long or are killed each time are said so,
// and others answered.
func TestBad(t *testing.T) {
	dir := programs(t, 1)
	for name, text := range map[string]string{
		"bad.c":  "int main( {",
		"slow.c": "#include <assert.h>\n#define CUBE(x) ((unsigned long)(x) * (x) * (x))\nint main(unsigned short a, unsigned short b, unsigned short c) { assert(!a || !b || CUBE(a) + CUBE(b) != CUBE(c)); }\n",
		"note.h": "",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	equal(t, verdicts(t, output(t, fleet(dir, "-timeout", "300ms", "check", "."), 3)), []string{"bad.c error", "p0000.c holds", "slow.c unknown"})

	killer := filepath.Join(t.TempDir(), "amend")
	if err := os.WriteFile(killer, []byte("#!/bin/sh\nkill -9 $$\n"), 0o777); err != nil {
		t.Fatal(err)
	}
	equal(t, verdicts(t, output(t, fleet(dir, "-amend", killer, "check", "p0000.c"), 3)), []string{"p0000.c lost"})

	for _, args := range [][]string{{}, {"guess", "."}, {"check"}, {"check", "nosuch.c"}, {"-attempts", "0", "check", "."}, {"-amend", "nosuch", "check", "."}, {"check", t.TempDir()}} {
		output(t, fleet(dir, args...), 2)
	}
}

// Packages of a module are programs, too.
func TestPackages(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":           "module m\n\ngo 1.26\n",
		"a/a.go":           "package a\n\n// Half is x / 2.\nfunc Half(x int) int { return x / 3 }\n",
		"a/a_test.go":      "package a\n\nimport \"testing\"\n\nfunc TestHalf(t *testing.T) {\n\tif Half(6) != 3 {\n\t\tt.Fail()\n\t}\n}\n",
		"b/b.go":           "package b\n\n// One is 1.\nfunc One() int { return 1 }\n",
		"b/b_test.go":      "package b\n\nimport \"testing\"\n\nfunc TestOne(t *testing.T) {\n\tif One() != 1 {\n\t\tt.Fail()\n\t}\n}\n",
		"b/testdata/no.go": "package no",
	} {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	equal(t, verdicts(t, output(t, fleet(dir, "check", "./..."), 1)), []string{"./a violated", "./b holds"})
}

// TestShards: eight parts of each search, with a worker killed now and then, come to
// the repairs of one process, in its order.
func TestShards(t *testing.T) {
	names := []string{"palindrome.c", "rps.c", "podium.c"}
	flags := []string{"repair", "-size=2", "-scheme=level2,constants", "-hard=main|beats"}
	got := output(t, fleet("../programs", slices.Concat([]string{"-shards", "8"}, flags, names)...), 0)
	want := output(t, fleet("../programs", slices.Concat(flags, names)...), 0)
	if got, want := editsIn(t, got), editsIn(t, want); got != want || !strings.Contains(want, "rps.c") {
		t.Errorf("eight shards find\n%s\nwant\n%s", got, want)
	}
	for _, wrong := range [][]string{{"-shards", "-1", "repair", "rps.c"}, {"-shards", "2", "check", "rps.c"}, {"-shards", "2", "-sarif", "x", "repair", "rps.c"}} {
		output(t, fleet("../programs", wrong...), 2)
	}
}

// editsIn lists the repairs of each program, and how its search ended.
func editsIn(t *testing.T, out string) string {
	t.Helper()
	var b strings.Builder
	for line := range strings.Lines(out) {
		var a answer
		if err := json.Unmarshal([]byte(line), &a); err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&b, "%s %s %s\n", a.Program, a.Status, a.Reason)
		for _, event := range a.Events {
			var x found
			var done struct {
				Size, Repairs int
				Complete      bool
			}
			if err := errors.Join(json.Unmarshal(event, &x), json.Unmarshal(event, &done)); err != nil {
				t.Fatal(err)
			}
			switch x.Event {
			case "repair":
				fmt.Fprintf(&b, "  %v %s\n", x.Edits, x.Proof)
			case "done":
				fmt.Fprintf(&b, "  %+v\n", done)
			}
		}
	}
	return b.String()
}
