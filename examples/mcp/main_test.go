package main

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// binaries is the folder of the commands amend and mcp.
var binaries string

func TestMain(m *testing.M) {
	os.Exit(func() int {
		dir, err := os.MkdirTemp("", "mcp")
		if err != nil {
			panic(err)
		}
		defer os.RemoveAll(dir)
		binaries = dir
		for _, args := range [][]string{{"-C", "../..", "-o", filepath.Join(dir, "amend"), "./examples/amend"}, {"-o", filepath.Join(dir, "mcp"), "."}} {
			if out, err := exec.Command("go", append([]string{"build"}, args...)...).CombinedOutput(); err != nil {
				panic(string(out))
			}
		}
		return m.Run()
	}())
}

// connect starts the server on a folder with these files, as an assistant does.
func connect(t *testing.T, files map[string]string, flags ...string) *mcp.ClientSession {
	t.Helper()
	root := t.TempDir()
	for name, text := range files {
		name = filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	args := append([]string{"-amend", filepath.Join(binaries, "amend"), "-root", root}, flags...)
	c := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	s, err := c.Connect(t.Context(), &mcp.CommandTransport{Command: exec.Command(filepath.Join(binaries, "mcp"), args...)}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// call calls a tool and returns what it answers as JSON, or its text.
func call(t *testing.T, s *mcp.ClientSession, tool string, args map[string]any) (text string, failed bool) {
	t.Helper()
	r, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: args})
	if err != nil {
		return err.Error(), true
	}
	if r.StructuredContent != nil {
		b, err := json.Marshal(r.StructuredContent)
		if err != nil {
			t.Fatal(err)
		}
		return string(b), r.IsError
	}
	for _, c := range r.Content {
		text += c.(*mcp.TextContent).Text
	}
	return text, r.IsError
}

const clamp = `#include <assert.h>
int main(int x) {
	int y = x;
	if (y < 9) y = 9;
	assert(y <= 9);
}
`

const double = `package double

// Of is twice x.
func Of(x int8) int { return int(x) + int(x) + 1 }
`

const doubleTest = `package double

import "testing"

func TestOf(t *testing.T) {
	if Of(4) != 8 {
		t.Fail()
	}
}
`

func TestTools(t *testing.T) {
	s := connect(t, map[string]string{
		"clamp.c": clamp, "go.mod": "module double\n\ngo 1.26\n", "double.go": double, "double_test.go": doubleTest,
		"model.als": "sig A {}\ncheck { no A }\n",
	})
	for _, test := range []struct {
		tool string
		args map[string]any
		want []string
	}{
		{"check", map[string]any{"file": "clamp.c"}, []string{`"status":"violated"`, `"line":5`, `"file":"clamp.c"`, `"text":"assert(y \u003c= 9)"`, `"inputs":{"x":"`}},
		{"check", map[string]any{"text": clamp, "seconds": 30}, []string{`"status":"violated"`, `"file":"text.c"`}},
		{"check", map[string]any{"text": clamp, "checks": "none", "entry": "main", "unwind": 2}, []string{`"status":"violated"`, `"unwind":2`}},
		{"localize", map[string]any{"file": "clamp.c"}, []string{`"status":"localized"`, `"must":true`}},
		{"localize", map[string]any{"file": "clamp.c", "method": "nearest"}, []string{`"event":"passing"`}},
		{"repair", map[string]any{"file": "clamp.c"}, []string{`"status":"repaired"`, `"new":"y \u003e 9"`, `"proof":"bounded"`}},
		{"repair", map[string]any{"file": "clamp.c", "size": 1, "max": 1, "scheme": "operators", "hard": "clamp.c:5"}, []string{`"repairs":1`}},
		{"prove", map[string]any{"text": "int main(int x) { return x; }"}, []string{`"status":"proved"`}},
		{"check", map[string]any{"file": "model.als"}, []string{`"status":"violated"`}},
		{"check", map[string]any{"file": "."}, []string{`"name":"TestOf"`, `"status":"violated"`}},
		{"repair", map[string]any{"file": ".", "run": "TestOf", "scheme": "all"}, []string{`"status":"repaired"`, `"proof":"bounded"`}},
		{"check", map[string]any{"text": doubleTest + double[len("package double"):], "language": "go", "entry": "Of"}, []string{`"event"`}},
		{"explain", map[string]any{"file": "clamp.c"}, []string{"clamp.c:5", "assertion violated", "every repair of this run"}},
		{"explain", map[string]any{"text": "int main(int x) { return x; }"}, []string{"holds"}},
	} {
		text, failed := call(t, s, test.tool, test.args)
		for _, w := range test.want {
			if failed || !strings.Contains(text, w) {
				t.Errorf("%s %v: no %s in\n%s", test.tool, test.args, w, text)
			}
		}
	}
}

// What can't be asked is an answer that says why, and the server goes on.
func TestRefused(t *testing.T) {
	s := connect(t, map[string]string{"clamp.c": clamp, "-write.c": clamp})
	outside := filepath.Join(t.TempDir(), "secret.c")
	if err := os.WriteFile(outside, []byte(clamp), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		tool string
		args map[string]any
		want string
	}{
		{"check", map[string]any{}, "either file or text"},
		{"check", map[string]any{"file": "clamp.c", "text": clamp}, "either file or text"},
		{"check", map[string]any{"file": outside}, "not below the root"},
		{"check", map[string]any{"file": "../x.c"}, "not below the root"},
		{"check", map[string]any{"file": "nosuch.c"}, "no such file"},
		{"check", map[string]any{"text": "x", "language": "cobol"}, "want c, go, ir or als"},
		{"check", map[string]any{"text": "int main( {"}, `"status":"error"`},
		{"check", map[string]any{"file": "clamp.c", "seconds": -1}, "negative"},
		{"check", map[string]any{"file": "clamp.c", "colour": "red"}, "colour"},
		{"repair", map[string]any{"file": "clamp.c", "scheme": "x -write"}, `"status":"error"`},
		{"check", map[string]any{"file": "clamp.c", "entry": "-write"}, `"status":"error"`},
		{"forge", map[string]any{}, "forge"},
	} {
		if text, failed := call(t, s, test.tool, test.args); !failed || !strings.Contains(text, test.want) {
			t.Errorf("%s %v: failed %t, no %s in\n%s", test.tool, test.args, failed, test.want, text)
		}
	}
	if text, failed := call(t, s, "check", map[string]any{"file": "-write.c"}); failed || !strings.Contains(text, `"status":"violated"`) {
		t.Errorf("-write.c: %s", text)
	}
}

// Links don't lead out of the root.
func TestLinks(t *testing.T) {
	outside := t.TempDir()
	if err := os.WriteFile(filepath.Join(outside, "secret.c"), []byte(clamp), 0o666); err != nil {
		t.Fatal(err)
	}
	root := t.TempDir()
	if err := os.Symlink(filepath.Join(outside, "secret.c"), filepath.Join(root, "link.c")); err != nil {
		t.Fatal(err)
	}
	s := connect(t, nil, "-root", root)
	if text, failed := call(t, s, "check", map[string]any{"file": "link.c"}); !failed || !strings.Contains(text, "escapes") {
		t.Errorf("got %s", text)
	}
}

// A question that is given up ends its process; others are answered.
func TestCancel(t *testing.T) {
	s := connect(t, nil, "-j", "1")
	slow := `#include <assert.h>
		#define CUBE(x) ((unsigned long)(x) * (x) * (x))
		int main(unsigned short a, unsigned short b, unsigned short c) { assert(!a || !b || CUBE(a) + CUBE(b) != CUBE(c)); }`
	ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
	defer cancel()
	if _, err := s.CallTool(ctx, &mcp.CallToolParams{Name: "check", Arguments: map[string]any{"text": slow}}); err == nil {
		t.Error("it should still be at it")
	}
	if text, failed := call(t, s, "check", map[string]any{"text": clamp}); failed || !strings.Contains(text, `"status":"violated"`) {
		t.Errorf("got %s", text)
	}
	if text, _ := call(t, s, "check", map[string]any{"text": slow, "seconds": 0.3}); !strings.Contains(text, `"reason":"deadline"`) {
		t.Errorf("got %s", text)
	}
}
