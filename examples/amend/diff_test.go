package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// applyDiff applies a diff with patch(1).
func applyDiff(t *testing.T, diff string) {
	t.Helper()
	if _, err := exec.LookPath("patch"); err != nil {
		t.Skip("patch(1) is not installed")
	}
	cmd := exec.Command("patch", "-p0", "--no-backup-if-mismatch")
	cmd.Stdin = strings.NewReader(diff)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("patch: %v\n%s\n%s", err, out, diff)
	}
}

// events returns the events of a JSON output with the given name.
func events(t *testing.T, stdout, name string) []map[string]any {
	t.Helper()
	var out []map[string]any
	for l := range strings.Lines(stdout) {
		var e map[string]any
		if err := json.Unmarshal([]byte(l), &e); err != nil {
			t.Fatalf("%v in %s", err, l)
		}
		if e["event"] == name {
			out = append(out, e)
		}
	}
	return out
}

// TestDiffsRepair applies the diff of each repair of the sample programs,
// after which the program holds.
func TestDiffsRepair(t *testing.T) {
	inFolder(t, &txtar.Archive{}, "programs")
	names, err := filepath.Glob("*.c")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		original, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		args, bounds := []string{"-size", "2", "-hard", "main|beats"}, []string{"check", name}
		if bytes.Contains(original, []byte("pthread.h")) {
			if testing.Short() && name != "gates.c" {
				continue
			}
			args = []string{"-scheme", "level2,locks", "-unwind", "2", "-rounds", "3", "-max", "2"}
			bounds = append(bounds, "-unwind", "2", "-rounds", "3")
		}
		r := amend(append([]string{"repair", "-json", "-diff", name}, args...)...)
		repairs := events(t, r.stdout, "repair")
		if len(repairs) == 0 {
			t.Errorf("%s: no repairs: %s", name, r.normal())
		}
		for _, x := range repairs {
			if got := amend(bounds...); got.status != 1 {
				t.Fatalf("check %s: %s", name, got.normal())
			}
			applyDiff(t, x["diff"].(string))
			if got := amend(bounds...); got.status != 0 {
				t.Errorf("%s with\n%s%s", name, x["diff"], got.normal())
			}
			write(t, name, original)
		}
	}
}

func TestWrite(t *testing.T) {
	inFolder(t, &txtar.Archive{}, "programs")
	before, err := os.ReadFile("rps.c")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod("rps.c", 0o640); err != nil {
		t.Fatal(err)
	}
	r := amend("repair", "-write", "-hard", "main|beats", "-size", "2", "rps.c")
	if r.status != 0 || strings.Count(r.stdout, "written to rps.c") != 1 {
		t.Fatalf("repair -write: %s", r.normal())
	}
	after, err := os.ReadFile("rps.c")
	if err != nil {
		t.Fatal(err)
	}
	if want := strings.Replace(string(before), "yours + 2", "yours + 3", 1); string(after) != want {
		t.Errorf("rps.c is now %s", after)
	}
	if info, err := os.Stat("rps.c"); err != nil || info.Mode() != 0o640 {
		t.Errorf("mode %v, %v; want 640", info.Mode(), err)
	}
	if r := amend("repair", "rps.c"); r.status != 0 || !strings.Contains(r.stdout, "correct") {
		t.Errorf("repair after -write: %s", r.normal())
	}
}

// TestHeaders includes a header that is found beside its includer, and
// repairs it.
func TestHeaders(t *testing.T) {
	inFolder(t, &txtar.Archive{Files: []txtar.File{
		{Name: "src/main.c", Data: []byte("#include \"lib/step.h\"\nint main(void) { assert(step(1) == 2); }\n")},
		{Name: "src/lib/step.h", Data: []byte("#include \"amount.h\"\nint step(int x) { return x - AMOUNT; }\n")},
		{Name: "src/lib/amount.h", Data: []byte("#define AMOUNT 1\n")},
	}}, "programs")
	r := amend("repair", "-json", "-write", "-hard", "main", "src/main.c")
	repairs := events(t, r.stdout, "repair")
	if r.status != 0 || len(repairs) == 0 {
		t.Fatalf("repair: %s", r.normal())
	}
	edits := repairs[0]["edits"].([]any)
	if got := edits[0].(map[string]any)["file"]; got != "src/lib/step.h" {
		t.Errorf("edit of %v, want src/lib/step.h", got)
	}
	if r := amend("check", "src/main.c"); r.status != 0 {
		t.Errorf("check after -write: %s", r.normal())
	}
}
