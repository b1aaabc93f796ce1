package sarif_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/report"
	"github.com/go-amend/amend/ir/report/sarif"
)

func write(t *testing.T, r *report.Report) (string, map[string]any) {
	t.Helper()
	var b strings.Builder
	if err := sarif.Write(&b, r); err != nil {
		t.Fatal(err)
	}
	var x struct{ Runs []map[string]any }
	if err := json.Unmarshal([]byte(b.String()), &x); err != nil || len(x.Runs) != 1 {
		t.Fatal(err, b.String())
	}
	return b.String(), x.Runs[0]
}

// at returns the span of text in f.
func at(f *ir.File, text string) ir.Span {
	i := strings.Index(string(f.Content), text)
	before := string(f.Content[:i])
	return ir.Span{File: f.Name, Start: i, End: i + len(text), Line: 1 + strings.Count(before, "\n"), Col: i - strings.LastIndex(before, "\n")}
}

// get follows a path of names and indices in decoded JSON.
func get(t *testing.T, x any, path ...any) any {
	t.Helper()
	for _, p := range path {
		switch p := p.(type) {
		case string:
			x = x.(map[string]any)[p]
		case int:
			x = x.([]any)[p]
		}
		if x == nil {
			t.Fatalf("nothing at %v of %v", p, path)
		}
	}
	return x
}

// Columns count characters, ends are exclusive, and a range may have several
// lines.
func TestRegions(t *testing.T) {
	f := &ir.File{Name: "ä b.c", Content: []byte("/* äöü */ x = 1;\ny = 2;\r\nz")}
	r := &report.Report{Files: []*ir.File{f}, Failures: []report.Failure{{Kind: "assert", At: at(f, "x = 1"), Text: "x = 1"}},
		Repairs: []report.Repair{{Patch: ir.Patch{{Span: at(f, "1;\ny"), Old: "1;\ny", New: "<&>"}, {Span: ir.Span{File: f.Name, Start: len(f.Content), End: len(f.Content), Line: 3, Col: 2}, New: "!"}}, Proof: "bounded"}}}
	text, run := write(t, r)
	region := get(t, run, "results", 0, "locations", 0, "physicalLocation", "region").(map[string]any)
	if region["startLine"] != 1. || region["startColumn"] != 11. || region["endLine"] != 1. || region["endColumn"] != 16. {
		t.Errorf("x = 1 is at %v", region)
	}
	change := get(t, run, "results", 0, "fixes", 0, "artifactChanges", 0)
	deleted := get(t, change, "replacements", 0, "deletedRegion").(map[string]any)
	if deleted["startColumn"] != 15. || deleted["endLine"] != 2. || deleted["endColumn"] != 2. {
		t.Errorf("what is replaced is at %v", deleted)
	}
	end := get(t, change, "replacements", 1, "deletedRegion").(map[string]any)
	if end["startLine"] != 3. || end["startColumn"] != 2. || end["endLine"] != 3. || end["endColumn"] != 2. {
		t.Errorf("the end is at %v", end)
	}
	if uri := get(t, change, "artifactLocation", "uri"); uri != "%C3%A4%20b.c" {
		t.Errorf("the file is %v", uri)
	}
	if !strings.Contains(text, `"<&>"`) {
		t.Error("the inserted text is not as it is")
	}
}

// A failure keeps its fingerprint when lines are written above it, and two
// alike have different ones.
func TestFingerprints(t *testing.T) {
	prints := func(text string) (out []string) {
		f := &ir.File{Name: "a.c", Content: []byte(text)}
		second := at(f, "g();")
		r := &report.Report{Files: []*ir.File{f}, Failures: []report.Failure{{Kind: "assert", At: at(f, "f();")}, {Kind: "assert", At: at(f, "f();")}, {Kind: "assert", At: second}}}
		_, run := write(t, r)
		for i := range 3 {
			out = append(out, get(t, run, "results", i, "partialFingerprints", "amend/v1").(string))
		}
		return out
	}
	a, b := prints("f();\ng();\n"), prints("// new\n\n  f();\nh();\n\tg();\n")
	for i := range a {
		if a[i] != b[i] {
			t.Errorf("fingerprint %d changes with lines above", i)
		}
	}
	if a[0] == a[1] || a[1] == a[2] {
		t.Errorf("fingerprints are not different: %q", a)
	}
}

// The steps of threads are in flows of their own, in one order.
func TestThreadFlows(t *testing.T) {
	f := &ir.File{Name: "a.c", Content: []byte("f();\ng();\n")}
	step := func(thread int, text string) report.Step {
		return report.Step{Thread: thread, At: at(f, text), Name: text, Kind: report.Acts}
	}
	r := &report.Report{Files: []*ir.File{f}, Failures: []report.Failure{{Kind: "race", At: at(f, "g"), Run: []report.Step{step(0, "f()"), step(1, "g()"), step(0, "f()")}}}}
	_, run := write(t, r)
	flows := get(t, run, "results", 0, "codeFlows", 0, "threadFlows").([]any)
	if len(flows) != 2 || get(t, flows, 0, "locations", 1, "executionOrder") != 3. || get(t, flows, 1, "locations", 0, "executionOrder") != 2. {
		t.Errorf("flows are %v", flows)
	}
}

func TestProblems(t *testing.T) {
	_, run := write(t, &report.Report{Problems: []report.Problem{{At: ir.Span{File: "x.c", Line: 3, Col: 1}, Text: "oops"}, {Text: "no place"}}})
	if get(t, run, "invocations", 0, "executionSuccessful") != false {
		t.Error("it is said to be successful")
	}
	if get(t, run, "invocations", 0, "toolExecutionNotifications", 0, "locations", 0, "physicalLocation", "region", "startLine") != 3. {
		t.Error("the place is lost")
	}
}
