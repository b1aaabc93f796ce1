package client

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

var amend string

func TestMain(m *testing.M) {
	os.Exit(func() int {
		dir, err := os.MkdirTemp("", "client")
		if err != nil {
			panic(err)
		}
		defer os.RemoveAll(dir)
		amend = filepath.Join(dir, "amend")
		if out, err := exec.Command("go", "build", "-o", amend, "../amend").CombinedOutput(); err != nil {
			panic(string(out))
		}
		return m.Run()
	}())
}

func TestAsk(t *testing.T) {
	c := Client{Path: amend, Dir: "../programs", Timeout: time.Minute, Mem: 2048}
	for _, test := range []struct {
		line   string
		status string
		events int
	}{
		{"check podium.c", "violated", 2},
		{"repair podium.c", "repaired", 2},
		{"prove ../proofs/door.c", "proved", 1},
	} {
		line := strings.Fields(test.line)
		a, err := c.Ask(t.Context(), line[0], line[1:]...)
		if err != nil {
			t.Fatalf("%s: %v", test.line, err)
		}
		if a.Status != test.status || len(a.Events) < test.events {
			t.Errorf("%s: %s with %d events, want %s", test.line, a.Status, len(a.Events), test.status)
		}
	}
}

func TestProblems(t *testing.T) {
	c := Client{Path: amend, Dir: t.TempDir()}
	if err := os.WriteFile(filepath.Join(c.Dir, "x.c"), []byte("int main(void) {\n\treturn y;\n}\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	a, err := c.Ask(t.Context(), "check", "x.c")
	if err != nil || a.Status != "error" || len(a.Problems) != 1 || !strings.HasPrefix(a.Problems[0].String(), "x.c:2:9: ") {
		t.Errorf("got %+v, %v", a, err)
	}
	text, err := c.Text(t.Context(), "check", "x.c")
	if err != nil || !strings.HasPrefix(text, "x.c:2:9: ") {
		t.Errorf("got %q, %v", text, err)
	}
}

// A process that gets no answer is an error, and ends with its context.
func TestNoAnswer(t *testing.T) {
	if _, err := (Client{Path: filepath.Join(t.TempDir(), "none")}).Ask(t.Context(), "check", "x.c"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no command: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := (Client{Path: amend, Dir: "../programs"}).Ask(ctx, "check", "podium.c"); !errors.Is(err, context.Canceled) {
		t.Errorf("canceled: %v", err)
	}
}

// A limit of time ends the work, not the answer.
func TestTimeout(t *testing.T) {
	c := Client{Path: amend, Dir: "../programs", Timeout: time.Millisecond}
	a, err := c.Ask(t.Context(), "repair", "-scheme", "all", "-size", "3", "palindrome.c")
	if err != nil || a.Status != "unknown" || a.Reason != "deadline" {
		t.Errorf("got %+v, %v", a, err)
	}
}
