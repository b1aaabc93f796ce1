package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestDrawing wants the counterexample in the file of -svg and in the page of
// -html, not an instance that was found before.
func TestDrawing(t *testing.T) {
	dir := t.TempDir()
	source, drawing, page := filepath.Join(dir, "m.als"), filepath.Join(dir, "m.svg"), filepath.Join(dir, "m.html")
	text := "sig A { f: lone A }\nrun { one A and no f }\ncheck { no iden & f } for exactly 2 A\n"
	if err := os.WriteFile(source, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	if r := amend("check", "-svg", drawing, "-html", page, source); r.status != 1 {
		t.Fatalf("exit status %d: %s", r.status, r.stderr)
	}
	if got, err := os.ReadFile(drawing); err != nil || strings.Count(string(got), "A$") != 2 {
		t.Errorf("%v in\n%s", err, got)
	}
	if got, err := os.ReadFile(page); err != nil || !strings.Contains(string(got), "data:image/svg") {
		t.Errorf("%v: no picture in the page", err)
	}
	if r := amend("check", "-svg", drawing, "rps.c"); r.status != 2 || !strings.Contains(r.stderr, "-svg is for a model") {
		t.Errorf("exit status %d: %s", r.status, r.stderr)
	}
	if r := amend("check", "-svg", filepath.Join(dir, "no", "m.svg"), source); r.status != 2 || !strings.Contains(r.stderr, "-svg") {
		t.Errorf("exit status %d: %s", r.status, r.stderr)
	}
}
