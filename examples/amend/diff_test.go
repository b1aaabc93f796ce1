package main

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/go-amend/amend/ir"
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
	inFolder(t, &txtar.Archive{})
	names, err := filepath.Glob("*.c")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		original, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		r := amend("repair", "-json", "-diff", "-size", "2", "-hard", "main|beats", name)
		repairs := events(t, r.stdout, "repair")
		if len(repairs) == 0 {
			t.Errorf("%s: no repairs: %s", name, r.normal())
		}
		for _, x := range repairs {
			if got := amend("check", name); got.status != 1 {
				t.Fatalf("check %s: %s", name, got.normal())
			}
			applyDiff(t, x["diff"].(string))
			if got := amend("check", name); got.status != 0 {
				t.Errorf("%s with\n%s%s", name, x["diff"], got.normal())
			}
			write(t, name, original)
		}
	}
}

// TestUnifiedDiff compares patch(1) with Patch.Apply on random texts.
func TestUnifiedDiff(t *testing.T) {
	t.Chdir(t.TempDir())
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 1))
		f, p := randomPatch(r)
		want, err := p.Apply([]*ir.File{f})
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		diff := p.Diff([]*ir.File{f})
		write(t, f.Name, f.Content)
		if diff != "" {
			applyDiff(t, diff)
		}
		got, err := os.ReadFile(f.Name)
		if err != nil {
			t.Fatal(err)
		}
		if string(got) != string(want[0].Content) {
			t.Fatalf("seed %d: got %q, want %q, diff\n%s", seed, got, want[0].Content, diff)
		}
	}
}

// randomPatch returns a file of short lines and a patch for it.
func randomPatch(r *rand.Rand) (*ir.File, ir.Patch) {
	var b strings.Builder
	for range 1 + r.IntN(40) {
		b.WriteString("line" + strings.Repeat("x", r.IntN(6)) + "\n")
	}
	text := strings.TrimSuffix(b.String(), strings.Repeat("\n", r.IntN(2)))
	f := &ir.File{Name: "some text.c", Content: []byte(text)}
	var p ir.Patch
	for at := r.IntN(60); at < len(text)-1; at += 1 + r.IntN(150) {
		end := min(at+1+r.IntN(12), len(text)-1)
		line, col := f.Position(at)
		e := ir.Edit{Span: ir.Span{File: f.Name, Start: at, End: end, Line: line, Col: col}, Old: text[at:end]}
		e.New = strings.Repeat("new\n", r.IntN(3)) + "n"
		p = append(p, e)
		at = end
	}
	return f, p
}

func TestWrite(t *testing.T) {
	inFolder(t, &txtar.Archive{})
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
	}})
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

func TestSplitLines(t *testing.T) {
	for s, want := range map[string][]string{"": {}, "a": {"a"}, "a\n": {"a\n"}, "a\n\nb": {"a\n", "\n", "b"}} {
		if got := splitLines(s); !slices.Equal(got, want) {
			t.Errorf("splitLines(%q) = %q, want %q", s, got, want)
		}
	}
}
