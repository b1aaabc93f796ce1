package lines_test

import (
	"io"
	"strings"
	"testing"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/report"
	"github.com/go-amend/amend/ir/report/lines"
)

var example = &report.Report{
	Command: "repair", Status: "repaired", Elapsed: 1.5, Files: []*ir.File{{Name: "a,b.c"}},
	Failures:  []report.Failure{{Kind: "div", At: ir.Span{File: "a,b.c", Line: 3, Col: 7}, Text: "100 % x", Inputs: []report.Value{{Name: "x", Value: "0"}, {Name: "y", Value: "1"}}}},
	Locations: []report.Location{{At: ir.Span{File: "a,b.c", Line: 2, Col: 1}, Text: "x = y", Must: true}},
	Repairs: []report.Repair{{Proof: "bounded", Patch: ir.Patch{
		{Span: ir.Span{File: "a,b.c", Line: 2, Col: 5}, Old: "y", New: "y +\n1"}, {Span: ir.Span{File: "a,b.c", Line: 9, Col: 1}, New: "f();"},
	}}},
	Problems: []report.Problem{{Text: "stopped"}},
}

func text(t *testing.T, write func(io.Writer, *report.Report) error, r *report.Report) string {
	t.Helper()
	var b strings.Builder
	if err := write(&b, r); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestForms(t *testing.T) {
	for _, test := range []struct {
		name  string
		write func(io.Writer, *report.Report) error
		want  string
	}{
		{"gcc", lines.GCC, `a,b.c:3:7: error: division by zero: 100 % x with x = 0, y = 1 [-Wamend=div]
a,b.c:2:1: note: every fix changes one of these places: x = y
a,b.c:2:5: note: repair 1 (bounded): y -> y + 1
a,b.c:9:1: note: repair 1 (bounded): insert f();
amend: error: stopped
`},
		{"github", lines.GitHub, `::error file=a%2Cb.c,line=3,col=7,title=division by zero::division by zero: 100 %25 x with x = 0, y = 1
::notice file=a%2Cb.c,line=2,col=1,title=where a fix goes::every fix changes one of these places: x = y
::notice file=a%2Cb.c,line=2,col=5,title=repair 1 (bounded)::y -> y +%0A1
::notice file=a%2Cb.c,line=9,col=1,title=repair 1 (bounded)::insert f();
::error title=amend::stopped
`},
		{"junit", lines.JUnit, `<?xml version="1.0" encoding="UTF-8"?>
<testsuites>
  <testsuite name="amend repair" tests="1" failures="1" errors="1" skipped="0" time="1.500">
    <testcase classname="amend.repair" name="a,b.c" file="a,b.c">
      <failure message="division by zero" type="div">a,b.c:3:7: division by zero: 100 % x with x = 0, y = 1</failure>
      <error message="stopped" type="amend">amend: stopped</error>
    </testcase>
  </testsuite>
</testsuites>
`},
	} {
		if got := text(t, test.write, example); got != test.want {
			t.Errorf("%s: got\n%s\nwant\n%s", test.name, got, test.want)
		}
	}
}

func TestJUnitOfTests(t *testing.T) {
	got := text(t, lines.JUnit, &report.Report{Command: "check", Tests: []report.Test{
		{Name: "TestA", Package: "p", Status: "holds"}, {Name: "TestB", Package: "p", Status: "violated"}, {Name: "TestC", Package: "p", Status: "unknown", Reason: "unsupported"},
	}})
	if !strings.Contains(got, `tests="3" failures="1" errors="0" skipped="1"`) {
		t.Error(got)
	}
}
