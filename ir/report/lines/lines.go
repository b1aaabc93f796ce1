// Package lines writes a report one line a finding, in forms that editors and
// services look for in the output of a command: as compilers write errors, and
// as workflow commands of GitHub Actions; and, for services that show tests, as
// JUnit's XML.
package lines

import (
	"bufio"
	"encoding/xml"
	"fmt"
	"io"
	"strings"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/report"
)

// GCC writes errors and notes as gcc does: FILE:LINE:COL: error: TEXT
// [-Wamend=KIND]. Columns count bytes.
func GCC(w io.Writer, r *report.Report) error {
	b := bufio.NewWriter(w)
	note := func(at ir.Span, format string, args ...any) {
		fmt.Fprintf(b, "%snote: %s\n", place(at), oneLine(fmt.Sprintf(format, args...)))
	}
	for i := range r.Failures {
		f := &r.Failures[i]
		fmt.Fprintf(b, "%serror: %s [-Wamend=%s]\n", place(f.At), oneLine(message(f)), f.Kind)
	}
	for _, l := range r.Locations {
		note(l.At, "%s", where(&l))
	}
	for i, x := range r.Repairs {
		for _, e := range x.Patch {
			note(e.Span, "repair %d (%s): %s", i+1, x.Proof, replaced(e))
		}
	}
	for _, p := range r.Problems {
		fmt.Fprintf(b, "%serror: %s\n", place(p.At), oneLine(p.Text))
	}
	return b.Flush()
}

// GitHub writes workflow commands, which GitHub Actions shows beside the
// source: ::error file=FILE,line=LINE,col=COL,title=TITLE::TEXT.
func GitHub(w io.Writer, r *report.Report) error {
	b := bufio.NewWriter(w)
	for i := range r.Failures {
		f := &r.Failures[i]
		command(b, "error", f.At, f.Headline(), message(f))
	}
	for _, l := range r.Locations {
		command(b, "notice", l.At, "where a fix goes", where(&l))
	}
	for i, x := range r.Repairs {
		for _, e := range x.Patch {
			command(b, "notice", e.Span, fmt.Sprintf("repair %d (%s)", i+1, x.Proof), replaced(e))
		}
	}
	for _, p := range r.Problems {
		command(b, "error", p.At, "amend", p.Text)
	}
	return b.Flush()
}

// command writes one workflow command.
func command(w io.Writer, name string, at ir.Span, title, text string) {
	var props []string
	if at.File != "" {
		props = append(props, "file="+property(at.File))
	}
	if at.Line > 0 {
		props = append(props, fmt.Sprintf("line=%d", at.Line), fmt.Sprintf("col=%d", at.Col))
	}
	props = append(props, "title="+property(title))
	fmt.Fprintf(w, "::%s %s::%s\n", name, strings.Join(props, ","), escaped.Replace(text))
}

// What workflow commands take for their own, in texts and in properties.
var (
	escaped  = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	properly = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

func property(s string) string { return properly.Replace(s) }

// place returns the beginning of a line about s.
func place(s ir.Span) string {
	switch {
	case s.File == "":
		return "amend: "
	case s.Line == 0:
		return s.File + ": "
	}
	return fmt.Sprintf("%s:%d:%d: ", s.File, s.Line, s.Col)
}

// message says what went wrong, and with which inputs.
func message(f *report.Failure) string {
	s := f.Headline()
	if f.Text != "" {
		s += ": " + f.Text
	}
	for i, in := range f.Inputs {
		sep := ", "
		if i == 0 {
			sep = " with "
		}
		s += sep + in.Name + " = " + in.Value
	}
	return s
}

func where(l *report.Location) string {
	s := "a fix may be here: "
	if l.Must {
		s = "every fix changes one of these places: "
	}
	s += l.Text
	if l.Value != "" {
		s += " should be " + l.Value
	}
	return s
}

func replaced(e ir.Edit) string {
	switch {
	case e.Old == "":
		return "insert " + e.New
	case e.New == "":
		return "remove " + e.Old
	}
	return e.Old + " -> " + e.New
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// The elements of JUnit's XML.
type (
	suites struct {
		XMLName xml.Name `xml:"testsuites"`
		Suites  []suite  `xml:"testsuite"`
	}
	suite struct {
		Name     string  `xml:"name,attr"`
		Tests    int     `xml:"tests,attr"`
		Failures int     `xml:"failures,attr"`
		Errors   int     `xml:"errors,attr"`
		Skipped  int     `xml:"skipped,attr"`
		Time     string  `xml:"time,attr"`
		Cases    []tcase `xml:"testcase"`
	}
	tcase struct {
		Class    string    `xml:"classname,attr"`
		Name     string    `xml:"name,attr"`
		File     string    `xml:"file,attr,omitempty"`
		Line     int       `xml:"line,attr,omitempty"`
		Time     string    `xml:"time,attr,omitempty"`
		Failures []trouble `xml:"failure"`
		Errors   []trouble `xml:"error"`
		Skipped  *trouble  `xml:"skipped"`
	}
	trouble struct {
		Message string `xml:"message,attr"`
		Type    string `xml:"type,attr,omitempty"`
		Text    string `xml:",chardata"`
	}
)

// JUnit writes a test suite with a test for the command, or one for each of
// its tests, if it was asked for many. What is not decided is skipped, with the
// reason.
func JUnit(w io.Writer, r *report.Report) error {
	s := suite{Name: "amend " + r.Command, Time: fmt.Sprintf("%.3f", r.Elapsed)}
	if len(r.Tests) == 0 {
		s.add(whole(r))
	}
	for i := range r.Tests {
		t := &r.Tests[i]
		c := tcase{Class: t.Package, Name: t.Name, File: t.At.File, Line: t.At.Line, Time: fmt.Sprintf("%.3f", t.Elapsed)}
		switch t.Status {
		case "violated":
			c.Failures = []trouble{{Message: t.Status, Type: "amend"}}
		case "unknown":
			c.Skipped = &trouble{Message: strings.TrimSpace(t.Reason + " " + t.Text)}
		}
		s.add(c)
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	enc := xml.NewEncoder(w)
	enc.Indent("", "  ")
	if err := enc.Encode(suites{Suites: []suite{s}}); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

// whole is the command as one test.
func whole(r *report.Report) tcase {
	c := tcase{Class: "amend." + r.Command, Name: r.Command}
	if len(r.Files) > 0 {
		c.File, c.Name = r.Files[0].Name, r.Files[0].Name
	}
	for i := range r.Failures {
		f := &r.Failures[i]
		c.Failures = append(c.Failures, trouble{Message: f.Headline(), Type: f.Kind, Text: place(f.At) + oneLine(message(f))})
	}
	for _, p := range r.Problems {
		c.Errors = append(c.Errors, trouble{Message: p.Text, Type: "amend", Text: place(p.At) + p.Text})
	}
	if r.Status == "unknown" && len(c.Failures)+len(c.Errors) == 0 {
		c.Skipped = &trouble{Message: r.Verdict}
	}
	return c
}

func (s *suite) add(c tcase) {
	s.Tests++
	s.Failures += min(1, len(c.Failures))
	s.Errors += min(1, len(c.Errors))
	if c.Skipped != nil {
		s.Skipped++
	}
	s.Cases = append(s.Cases, c)
}
