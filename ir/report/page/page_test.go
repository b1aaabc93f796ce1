package page_test

import (
	"encoding/xml"
	"io"
	"regexp"
	"strings"
	"testing"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/report"
	"github.com/go-amend/amend/ir/report/page"
)

// span returns the span of the nth occurrence of text in f.
func span(t *testing.T, f *ir.File, text string) ir.Span {
	t.Helper()
	i := strings.Index(string(f.Content), text)
	if i < 0 {
		t.Fatalf("%q is not in %s", text, f.Name)
	}
	before := string(f.Content[:i])
	line := 1 + strings.Count(before, "\n")
	return ir.Span{File: f.Name, Start: i, End: i + len(text), Line: line, Col: i - strings.LastIndex(before, "\n")}
}

// example is a report that has some of everything, with texts that would
// break a page that takes them for its own.
func example(t *testing.T) *report.Report {
	f := &ir.File{Name: "a<b>.c", Content: []byte("int x; // </script><script>alert(1)</script>\nint main(void) {\n\tx = 1 < 2;\n\tx = \"&amp;\"[0];\n\tassert(x);\n}\n")}
	at := span(t, f, "assert(x)")
	return &report.Report{
		Command: "check", Status: "violated", Verdict: "violated: <1> failing run", Files: []*ir.File{f}, Elapsed: .5,
		Failures: []report.Failure{{
			Kind: "assert", At: at, Text: "assert(x)", Inputs: []report.Value{{Name: "<i>", Value: "</script>"}},
			Run: []report.Step{
				{At: span(t, f, "x = 1"), Name: "x", Value: "</script><b>"},
				{At: span(t, f, "1 < 2"), Name: "1 < 2", Value: "true", Kind: report.Asks, Thread: 1, Held: []string{"<m>"}},
				{At: at, Name: "assert(x)", Kind: report.Fails},
			},
			Lines: []string{"<pre>"}, Pictures: [][]byte{[]byte("<svg><script>alert(2)</script></svg>")},
		}},
		Locations: []report.Location{{At: span(t, f, "1 < 2"), Text: "1 < 2", Must: true}},
		Repairs: []report.Repair{
			{Patch: ir.Patch{{Span: span(t, f, "1 < 2"), Old: "1 < 2", New: "1 > 2"}}, Kinds: []string{"<relational>"}, Proof: "bounded", Why: "a & b"},
			{Patch: ir.Patch{{Span: span(t, f, "\tassert(x);\n"), Old: "\tassert(x);\n", New: ""}}, Proof: "tested"},
		},
		Invariants: []report.Invariant{{At: span(t, f, "x = 1"), Text: "<inv> && x <= 1"}},
		Problems:   []report.Problem{{At: ir.Span{File: "b.c", Line: 1, Col: 2}, Text: "<oops>"}},
	}
}

func write(t *testing.T, r *report.Report) string {
	t.Helper()
	var b strings.Builder
	if err := page.Write(&b, r); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// Whatever texts say, the page has two scripts, those of its own, and all its
// tags are closed.
func TestTextsStayTexts(t *testing.T) {
	out := write(t, example(t))
	if n := strings.Count(out, "<script"); n != 2 {
		t.Errorf("%d scripts, want 2", n)
	}
	for _, text := range []string{"<b>", "<i>", "<oops>", "<m>", "<1>", "<relational>", "alert(2)", "<inv>"} {
		if strings.Contains(out, text) {
			t.Errorf("%s is part of the page", text)
		}
	}
	wellFormed(t, out)
}

// wellFormed reports tags of the page's body that are not closed.
func wellFormed(t *testing.T, out string) {
	t.Helper()
	body := out[strings.Index(out, "<body>"):strings.Index(out, `<script type="application/json"`)]
	d := xml.NewDecoder(strings.NewReader(body + "</body>"))
	d.Strict, d.AutoClose, d.Entity = false, xml.HTMLAutoClose, xml.HTMLEntity
	for {
		_, err := d.Token()
		if err == io.EOF {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// The page holds all that it needs.
func TestSelfContained(t *testing.T) {
	out := write(t, example(t))
	for _, m := range regexp.MustCompile(`(?:src|href)="([^"]*)"`).FindAllStringSubmatch(out, -1) {
		if !strings.HasPrefix(m[1], "#") && !strings.HasPrefix(m[1], "data:") {
			t.Errorf("the page refers to %s", m[1])
		}
	}
}

// Anchors that links name exist, each once.
func TestAnchors(t *testing.T) {
	out := write(t, example(t))
	ids := make(map[string]int)
	for _, m := range regexp.MustCompile(` id="([^"]*)"`).FindAllStringSubmatch(out, -1) {
		if ids[m[1]]++; ids[m[1]] > 1 {
			t.Errorf("two elements are called %s", m[1])
		}
	}
	for _, m := range regexp.MustCompile(`(?:href="#|aria-controls="|aria-labelledby=")([^"]*)"`).FindAllStringSubmatch(out, -1) {
		if ids[m[1]] == 0 {
			t.Errorf("no element is called %s", m[1])
		}
	}
}

// An empty report is a page too.
func TestEmpty(t *testing.T) {
	wellFormed(t, write(t, &report.Report{Command: "check", Status: "holds", Verdict: "holds"}))
}

// A source of a language that nobody knows, and long runs, are shown.
func TestUnknownLanguage(t *testing.T) {
	f := &ir.File{Name: "x.ir", Content: []byte("proc main() {\r\n}\n")}
	r := &report.Report{Files: []*ir.File{f}, Failures: []report.Failure{{Kind: "assert", At: span(t, f, "proc")}}}
	for range page.MaxSteps + 1 {
		r.Failures[0].Run = append(r.Failures[0].Run, report.Step{At: span(t, f, "proc"), Name: "x", Value: "1"})
	}
	out := write(t, r)
	if !strings.Contains(out, "The first 1 steps are left out") {
		t.Error("the page does not say that steps are left out")
	}
	wellFormed(t, out)
}

// A proof is drawn as its statements with what holds at each, and an arrow for each
// step; a search as two lines.
func TestProofAndSearch(t *testing.T) {
	at := func(n int) ir.Span { return ir.Span{File: "p.c", Line: n, Col: 1} }
	r := &report.Report{
		Command: "prove", Status: "proved", Files: []*ir.File{{Name: "p.c", Content: []byte("a\nb\nc\n")}},
		States: []report.State{
			{At: at(1), Text: "x < <script>", Holds: []string{"x >= 0", "or x == y"}, Next: []int{1, 2}},
			{At: at(2), Text: strings.Repeat("long ", 40), Holds: []string{"x > 1"}, Next: []int{0}},
			{At: at(3), Text: "never"},
		},
		Reasons: []report.Reason{{Predicates: []string{"x >= 0", "y"}, Triples: 7, Reused: true}, {Predicates: []string{"z"}}},
	}
	text := written(t, r)
	for _, want := range []string{
		">1: x &lt; &lt;script&gt;<", ">or x == y<", "no run gets here", `class="back"`, "of the earlier proof", "7 steps", "2 reasons",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q", want)
		}
	}
	if n := strings.Count(text, "<polyline"); n != 3 {
		t.Errorf("%d arrows, want 3", n)
	}
	if strings.Contains(text, "<script>y") || strings.Contains(text, "x < <script>") {
		t.Error("text is read as HTML")
	}
	r.States, r.Reasons = make([]report.State, page.MaxStates+5), nil
	if text := written(t, r); !strings.Contains(text, "5 more statements are left out") {
		t.Error("nothing says what is left out")
	}
	r.States = nil
	for i := range 10 {
		r.Growth = append(r.Growth, report.Sample{Seconds: float64(i), Size: 1 + i/6, Candidates: i * i, Repairs: i / 3})
	}
	text = written(t, r)
	for _, want := range []string{"81 candidates and 3 repairs in 9.00 seconds", "size 2", `class="found"`} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q", want)
		}
	}
}

func written(t *testing.T, r *report.Report) string {
	t.Helper()
	var b strings.Builder
	if err := page.Write(&b, r); err != nil {
		t.Fatal(err)
	}
	return b.String()
}
