package ir_test

import (
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/go-amend/amend/ir"
)

// patch applies a diff with patch(1).
func patch(t *testing.T, diff string) {
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

// TestDiff compares patch(1) with Patch.Apply on random texts.
func TestDiff(t *testing.T) {
	t.Chdir(t.TempDir())
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 1))
		f, p := randomPatch(r)
		want, err := p.Apply([]*ir.File{f})
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		diff := p.Diff([]*ir.File{f})
		if err := os.WriteFile(f.Name, f.Content, 0o666); err != nil {
			t.Fatal(err)
		}
		if diff != "" {
			patch(t, diff)
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
