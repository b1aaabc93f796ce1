package main

import (
	"context"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sourcegraph/jsonrpc2"
)

// binaries is the folder of the commands amend and lsp.
var binaries string

func TestMain(m *testing.M) {
	os.Exit(func() int {
		dir, err := os.MkdirTemp("", "lsp")
		if err != nil {
			panic(err)
		}
		defer os.RemoveAll(dir)
		binaries = dir
		for _, args := range [][]string{{"-C", "../..", "-o", filepath.Join(dir, "amend"), "./examples/amend"}, {"-race", "-o", filepath.Join(dir, "lsp"), "."}} {
			if out, err := exec.Command("go", append([]string{"build"}, args...)...).CombinedOutput(); err != nil {
				panic(string(out))
			}
		}
		return m.Run()
	}())
}

// An editor is a script that speaks with the server as editors do.
type editor struct {
	t       *testing.T
	dir     string
	conn    *jsonrpc2.Conn
	said    chan said
	process *exec.Cmd
}

// A said is a notification of the server.
type said struct {
	method string
	params json.RawMessage
}

type pipes struct {
	io.ReadCloser
	in io.WriteCloser
}

func (p pipes) Write(b []byte) (int, error) { return p.in.Write(b) }
func (p pipes) Close() error                { return p.in.Close() }

// start starts the server, and says hello.
func start(t *testing.T, flags ...string) *editor {
	t.Helper()
	e := &editor{t: t, dir: t.TempDir(), said: make(chan said, 100)}
	e.process = exec.Command(filepath.Join(binaries, "lsp"), append([]string{"-amend", filepath.Join(binaries, "amend")}, flags...)...)
	e.process.Stderr = os.Stderr
	in, err := e.process.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := e.process.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := e.process.Start(); err != nil {
		t.Fatal(err)
	}
	e.conn = jsonrpc2.NewConn(t.Context(), jsonrpc2.NewBufferedStream(pipes{out, in}, jsonrpc2.VSCodeObjectCodec{}), jsonrpc2.HandlerWithError(
		func(_ context.Context, _ *jsonrpc2.Conn, r *jsonrpc2.Request) (any, error) {
			if r.Notif {
				e.said <- said{r.Method, *r.Params}
			}
			return nil, nil
		}))
	var hello initializeResult
	e.call("initialize", map[string]any{"processId": nil, "capabilities": map[string]any{"workspace": map[string]any{"inlayHint": map[string]any{"refreshSupport": true}}}}, &hello)
	if !hello.Capabilities.InlayHintProvider || hello.Capabilities.PositionEncoding != "utf-16" {
		t.Errorf("capabilities are %+v", hello.Capabilities)
	}
	e.notify("initialized", map[string]any{})
	return e
}

// leave ends the server, and wants this exit status.
func (e *editor) leave(status int) {
	e.t.Helper()
	if status == 0 {
		e.call("shutdown", nil, nil)
	}
	e.notify("exit", nil)
	e.process.Wait()
	if got := e.process.ProcessState.ExitCode(); got != status {
		e.t.Errorf("exit status %d, want %d", got, status)
	}
}

func (e *editor) call(method string, params, result any) {
	e.t.Helper()
	if err := e.conn.Call(e.t.Context(), method, params, result); err != nil {
		e.t.Fatalf("%s: %v", method, err)
	}
}

func (e *editor) notify(method string, params any) {
	e.t.Helper()
	if err := e.conn.Notify(e.t.Context(), method, params); err != nil {
		e.t.Fatalf("%s: %v", method, err)
	}
}

// write writes a file, and returns its URI.
func (e *editor) write(name, text string) string {
	e.t.Helper()
	name = filepath.Join(e.dir, name)
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		e.t.Fatal(err)
	}
	return uriOf(name)
}

func about(uri string) map[string]any {
	return map[string]any{"textDocument": map[string]any{"uri": uri}}
}

// diagnostics waits for the next ones of a file.
func (e *editor) diagnostics(uri string) []diagnostic {
	e.t.Helper()
	for {
		var p publishParams
		if err := json.Unmarshal(e.wait("textDocument/publishDiagnostics").params, &p); err != nil {
			e.t.Fatal(err)
		}
		if p.URI == uri {
			return p.Diagnostics
		}
	}
}

// logged waits until the server says that a command is through.
func (e *editor) logged(text string) {
	e.t.Helper()
	for !strings.Contains(string(e.wait("window/logMessage").params), text) {
	}
}

func (e *editor) wait(method string) said {
	e.t.Helper()
	for {
		select {
		case s := <-e.said:
			if s.method == method {
				return s
			}
		case <-time.After(time.Minute):
			e.t.Fatalf("no %s", method)
		}
	}
}

func (e *editor) actions(uri string, line int) []codeAction {
	e.t.Helper()
	var out []codeAction
	e.call("textDocument/codeAction", map[string]any{"textDocument": document{uri}, "range": span{position{line, 0}, position{line, 100}}, "context": map[string]any{"diagnostics": []any{}}}, &out)
	return out
}

func (e *editor) hints(uri string) []inlayHint {
	e.t.Helper()
	var out []inlayHint
	e.call("textDocument/inlayHint", rangeParams{document{uri}, span{position{0, 0}, position{1000, 0}}}, &out)
	return out
}

// apply makes the edits of a quick fix that are in a text of one file.
func apply(text string, edits []textEdit) string {
	lines := strings.Split(text, "\n")
	slices.SortFunc(edits, func(a, b textEdit) int {
		if a.Range.Start.before(b.Range.Start) {
			return 1
		}
		return -1
	})
	for _, e := range edits {
		l := lines[e.Range.Start.Line]
		lines[e.Range.Start.Line] = sliceUTF16(l, 0, e.Range.Start.Character) + e.NewText + sliceUTF16(l, e.Range.End.Character, utf16Len(l))
	}
	return strings.Join(lines, "\n")
}

// The emoji takes two units in UTF-16, and four bytes.
const clamp = `#include <assert.h>
int main(int x) {
	int y = x;
	/* 🙂 */ if (y < 9) y = 9;
	assert(y <= 9);
}
`

func TestRepair(t *testing.T) {
	e := start(t)
	uri := e.write("clamp it.c", clamp)
	e.notify("textDocument/didOpen", about(uri))
	d := e.diagnostics(uri)
	if len(d) != 1 || d[0].Range.Start != (position{4, 1}) || d[0].Severity != severityError || !strings.Contains(d[0].Message, "assertion violated") {
		t.Fatalf("diagnostics are %+v", d)
	}
	labels := make(map[int]string)
	for _, h := range e.hints(uri) {
		labels[h.Position.Line] = h.Label
	}
	if !strings.HasPrefix(labels[2], "y = ") || labels[3] != "y < 9 = false" {
		t.Errorf("values are %v", labels)
	}

	e.logged("repair")
	fixes := e.actions(uri, 3)
	if len(fixes) == 0 || !aboutBound(fixes[0].Title) {
		t.Fatalf("quick fixes are %+v", fixes)
	}
	if other := e.actions(uri, 4); len(other) != len(fixes) {
		t.Errorf("%d quick fixes where it fails, want %d", len(other), len(fixes))
	}
	if none := e.actions(uri, 0); len(none) != 0 {
		t.Errorf("quick fixes for the first line: %+v", none)
	}

	// Each repair makes the next check silent.
	for _, f := range fixes {
		e.notify("textDocument/didChange", about(uri))
		if left := e.actions(uri, 3); len(left) != 0 {
			t.Errorf("quick fixes of a text that has changed: %+v", left)
		}
		fixed := apply(clamp, f.Edit.Changes[uri])
		e.write("clamp it.c", fixed)
		e.notify("textDocument/didSave", about(uri))
		if d := e.diagnostics(uri); len(d) != 0 {
			t.Errorf("%s: still %+v in\n%s", f.Title, d, fixed)
		}
		e.write("clamp it.c", clamp)
		e.notify("textDocument/didSave", about(uri))
		e.diagnostics(uri)
		e.logged("repair")
	}
	e.leave(0)
}

func aboutBound(title string) bool {
	return strings.HasPrefix(title, "line 4: y < 9 becomes y ") && strings.HasSuffix(title, "(amend: bounded)")
}

func TestGo(t *testing.T) {
	e := start(t)
	e.write("go.mod", "module double\n\ngo 1.26\n")
	uri := e.write("double.go", "package double\n\n// Of is twice x.\nfunc Of(x int) int { return x - x }\n")
	test := e.write("double_test.go", "package double\n\nimport \"testing\"\n\nfunc TestOf(t *testing.T) {\n\tif Of(4) != 8 {\n\t\tt.Error(\"no\")\n\t}\n}\n")
	e.notify("textDocument/didOpen", about(uri))
	if d := e.diagnostics(test); len(d) != 1 {
		t.Errorf("diagnostics are %+v", d)
	}
	e.logged("repair")
	if fixes := e.actions(uri, 3); len(fixes) == 0 || !strings.Contains(fixes[0].Title, "x + x") {
		t.Errorf("quick fixes are %+v", fixes)
	}
	e.leave(0)
}

func TestProblems(t *testing.T) {
	e := start(t, "-repair=false")
	uri := e.write("bad.c", "int main(void) {\n\treturn y;\n}\n")
	e.notify("textDocument/didOpen", about(uri))
	if d := e.diagnostics(uri); len(d) != 1 || d[0].Severity != severityInformation || d[0].Range.Start != (position{1, 8}) {
		t.Errorf("diagnostics are %+v", d)
	}
	e.notify("textDocument/didClose", about(uri))
	if d := e.diagnostics(uri); len(d) != 0 {
		t.Errorf("diagnostics of a closed file are %+v", d)
	}

	// On demand; what can't be asked is refused, and the server goes on.
	e.call("workspace/executeCommand", commandParams{checkCommand, []string{uri}}, nil)
	e.diagnostics(uri)
	for method, params := range map[string]any{"workspace/executeCommand": commandParams{"rm", nil}, "textDocument/codeAction": []int{1}, "textDocument/hover": about(uri)} {
		if err := e.conn.Call(t.Context(), method, params, nil); err == nil {
			t.Errorf("%s was answered", method)
		}
	}
	e.notify("textDocument/didOpen", about(e.write("page.html", "<p>")))
	e.notify("textDocument/didOpen", about("untitled:1"))
	e.notify("textDocument/didOpen", about(uriOf(filepath.Join(e.dir, "gone.c"))))
	e.logged("gone.c")
	e.leave(1) // exit without shutdown
}

// A later version of a file ends the work on the earlier one.
func TestOvertaken(t *testing.T) {
	e := start(t)
	slow := `#include <assert.h>
#define CUBE(x) ((unsigned long)(x) * (x) * (x))
int main(unsigned short a, unsigned short b, unsigned short c) { assert(!a || !b || CUBE(a) + CUBE(b) != CUBE(c)); }
`
	uri := e.write("cubes.c", slow)
	e.notify("textDocument/didOpen", about(uri))
	e.write("cubes.c", clamp)
	e.notify("textDocument/didSave", about(uri))
	if d := e.diagnostics(uri); len(d) != 1 || !strings.Contains(d[0].Message, "y <= 9") {
		t.Errorf("diagnostics are %+v", d)
	}
	e.leave(0)
}
