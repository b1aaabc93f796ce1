package witness_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/report"
	"github.com/go-amend/amend/ir/report/witness"
)

var files = []*ir.File{source}

var source = &ir.File{Name: "d/a.c", Content: []byte("int x;\nint y = next(\n  0);\nassert(y);\n")}

// call is the span of the call of next, on two lines.
var call = ir.Span{File: source.Name, Start: 15, End: 25, Line: 2, Col: 9}

func failure() *report.Failure {
	return &report.Failure{
		Kind: "assert", At: ir.Span{File: source.Name, Start: 27, End: 36, Line: 4, Col: 1},
		Inputs: []report.Value{
			{Name: "x", Number: "7", Variable: true, At: ir.Span{File: source.Name, Start: 4, End: 5, Line: 1, Col: 5}},
			{Name: "next", Number: "-3", At: call},
		},
		Run: []report.Step{{At: ir.Span{File: source.Name, Start: 11, End: 25, Line: 2, Col: 5}, Name: "y", Value: "-3"}},
	}
}

// What is written can be read, and guides a run.
func TestRoundTrip(t *testing.T) {
	w, ok := witness.Of(failure(), []*ir.File{source})
	if !ok {
		t.Fatal("there is no witness")
	}
	var b strings.Builder
	if err := w.Write(&b, &witness.Task{Files: []*ir.File{source}, Time: time.Unix(0, 0)}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`creation_time: "1970-01-01T00:00:00Z"`, "line: 3\n              column: 4", "format: ext_c_expression", "value: x == 7"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("%q is not in\n%s", want, b.String())
		}
	}
	r, err := witness.Read([]byte(b.String()))
	if err != nil {
		t.Fatal(err)
	}
	g := r.Guide(files)
	if v, ok := g.Returned(ir.Span{File: "a.c", Start: 50, End: 60, Line: 9, Col: 1}); ok {
		t.Errorf("a call elsewhere returns %s", v)
	}
	if v, _ := g.Returned(call); v != "-3" {
		t.Errorf("the call returns %q, want -3", v)
	}
	if _, ok := g.Returned(call); ok {
		t.Error("a second call has a value too")
	}
	if v, _ := g.Variable("x"); v != "7" {
		t.Errorf("x is %q, want 7", v)
	}
	if !r.Target(failure().At, files) || r.Target(call, files) {
		t.Error("the target is elsewhere")
	}
}

// A witness in the style of others: flow style, hexadecimal and suffixed
// numbers, waypoints of other kinds, no columns.
const foreign = `
- {entry_type: something_else, metadata: {}}
- entry_type: violation_sequence
  metadata: {format_version: "2.0"}
  content:
  - segment:
    - waypoint: {type: branching, location: {file_name: a.c, line: 2}, action: follow, constraint: {value: "true"}}
  - segment:
    - waypoint: {type: function_return, location: {file_name: a.c, line: 3}, action: avoid, constraint: {value: '\result == 9'}}
    - waypoint: {type: function_return, location: {file_name: a.c, line: 2}, action: follow, constraint: {value: '(\result == 12u)', format: ext_c_expression}}
  - segment:
    - waypoint: {type: target, location: {file_name: a.c, line: 4}, action: follow}
`

func TestForeign(t *testing.T) {
	w, err := witness.Read([]byte(foreign))
	if err != nil {
		t.Fatal(err)
	}
	if v, _ := w.Guide(files).Returned(call); v != "12" {
		t.Errorf("the call returns %q, want 12", v)
	}
	if !w.Target(ir.Span{File: "a.c", Line: 4, Col: 3, Start: 30, End: 31}, files) {
		t.Error("the target's line is not enough")
	}
}

func TestCorrectness(t *testing.T) {
	w := &witness.Witness{Invariants: []witness.Invariant{{Loop: true, At: witness.Location{File: "a.c", Line: 3, Column: 2}, Value: "0 <= i && i <= n"}}}
	var b strings.Builder
	if err := w.Write(&b, &witness.Task{}); err != nil {
		t.Fatal(err)
	}
	r, err := witness.Read([]byte(b.String()))
	if err != nil || len(r.Invariants) != 1 || r.Invariants[0] != w.Invariants[0] {
		t.Errorf("got %+v, %v", r, err)
	}
}

func TestNoWitness(t *testing.T) {
	for _, text := range []string{"", "[", "a: b", "- 1", "- entry_type: invariant_set", "<graphml/>", strings.Repeat("[", 100000)} {
		if _, err := witness.Read([]byte(text)); !errors.Is(err, witness.ErrFormat) {
			t.Errorf("%.20q: %v", text, err)
		}
	}
	f := failure()
	f.Run[0].Thread = 1
	if _, ok := witness.Of(f, nil); ok {
		t.Error("there is a witness of a run with threads")
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(foreign))
	f.Fuzz(func(t *testing.T, text []byte) {
		if w, err := witness.Read(text); err == nil {
			w.Guide(files).Returned(call)
			w.Target(call, files)
		}
	})
}
