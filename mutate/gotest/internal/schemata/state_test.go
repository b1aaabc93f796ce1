package schemata

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestUndo changes variables of all kinds in a program that remembers them,
// and compares what they look like afterwards, as package fmt prints it, with
// what they looked like before. The program says what differs.
func TestUndo(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program")
	}
	dir := t.TempDir()
	program, err := os.ReadFile("testdata/undo.txt")
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string][]byte{
		"go.mod":   []byte("module example.com/undo\n\ngo 1.16\n"),
		"state.go": State("main"),
		"main.go":  program,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	c := exec.Command("go", "run", ".")
	c.Dir = dir
	out, err := c.CombinedOutput()
	if got := strings.TrimSpace(string(out)); err != nil || got != "ok" {
		t.Errorf("%v\n%s", err, got)
	}
}
