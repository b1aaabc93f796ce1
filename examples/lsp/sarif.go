package main

// What amend found, as SARIF has it.

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"
)

type sarifLog struct {
	Runs []struct {
		Results     []result `json:"results"`
		Invocations []struct {
			Notifications []struct {
				Message   message    `json:"message"`
				Locations []location `json:"locations"`
			} `json:"toolExecutionNotifications"`
		} `json:"invocations"`
	} `json:"runs"`
}

type message struct {
	Text string `json:"text"`
}

type result struct {
	RuleID    string     `json:"ruleId"`
	Message   message    `json:"message"`
	Locations []location `json:"locations"`
	Related   []location `json:"relatedLocations"`
	CodeFlows []struct {
		ThreadFlows []struct {
			Locations []step `json:"locations"`
		} `json:"threadFlows"`
	} `json:"codeFlows"`
	Fixes []fix `json:"fixes"`
}

type location struct {
	Physical struct {
		Artifact artifact `json:"artifactLocation"`
		Region   region   `json:"region"`
	} `json:"physicalLocation"`
	Message message `json:"message"`
}

type artifact struct {
	URI string `json:"uri"`
}

// A region counts lines and code points from 1; its end is exclusive.
type region struct {
	StartLine   int `json:"startLine"`
	StartColumn int `json:"startColumn"`
	EndLine     int `json:"endLine"`
	EndColumn   int `json:"endColumn"`
}

type step struct {
	Location location           `json:"location"`
	State    map[string]message `json:"state"`
}

type fix struct {
	Description message `json:"description"`
	Changes     []struct {
		Artifact     artifact `json:"artifactLocation"`
		Replacements []struct {
			Deleted  region  `json:"deletedRegion"`
			Inserted message `json:"insertedContent"`
		} `json:"replacements"`
	} `json:"artifactChanges"`
}

// Findings are what is to be said of the files of one program.
type findings struct {
	diagnostics map[string][]diagnostic // by URI
	hints       map[string][]inlayHint  // by URI
	repairs     []codeAction
}

// A reader makes findings of what was written about a program in the folder dir.
type reader struct {
	dir   string
	texts map[string][]string // lines by URI, without their ends
	out   findings
	log   string // what has no place
}

// read reads the SARIF file called name.
func read(name, dir string) (*reader, error) {
	b, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	var l sarifLog
	if err := json.Unmarshal(b, &l); err != nil {
		return nil, err
	}
	r := &reader{dir: dir, texts: make(map[string][]string), out: findings{diagnostics: make(map[string][]diagnostic), hints: make(map[string][]inlayHint)}}
	for _, run := range l.Runs {
		for i := range run.Results {
			r.result(&run.Results[i])
		}
		for _, v := range run.Invocations {
			for _, n := range v.Notifications {
				r.problem(n.Message.Text, n.Locations)
			}
		}
	}
	return r, nil
}

func (r *reader) result(x *result) {
	if len(x.Locations) == 0 {
		return
	}
	at := r.place(&x.Locations[0])
	d := diagnostic{Range: at.Range, Severity: severityError, Code: x.RuleID, Source: "amend", Message: x.Message.Text}
	for i := range x.Related {
		d.Related = append(d.Related, related{r.place(&x.Related[i]), cmp.Or(x.Related[i].Message.Text, "a fix may touch this")})
	}
	r.out.diagnostics[at.URI] = append(r.out.diagnostics[at.URI], d)
	for _, f := range x.CodeFlows {
		for _, t := range f.ThreadFlows {
			r.hints(t.Locations)
		}
	}
	for i := range x.Fixes {
		r.repair(&x.Fixes[i], d, i == 0)
	}
}

// problem says what amend can't read. It is no fault of the program.
func (r *reader) problem(text string, at []location) {
	if len(at) == 0 || at[0].Physical.Region.StartLine == 0 {
		r.log = text
		return
	}
	p := r.place(&at[0])
	r.out.diagnostics[p.URI] = append(r.out.diagnostics[p.URI], diagnostic{Range: p.Range, Severity: severityInformation, Source: "amend", Message: "amend can't check this: " + text})
}

// Values that a line shows of one name.
const maxValues = 4

// hints shows the values of a run behind the lines where they come from.
func (r *reader) hints(run []step) {
	type line struct {
		uri string
		num int
	}
	var order []line
	names := make(map[line][]string)
	values := make(map[line]map[string][]string)
	for i := range run {
		name, value := valueOf(&run[i])
		if name == "" {
			continue
		}
		p := r.place(&run[i].Location)
		at := line{p.URI, p.Range.End.Line}
		if values[at] == nil {
			order = append(order, at)
			values[at] = make(map[string][]string)
		}
		if values[at][name] == nil {
			names[at] = append(names[at], name)
		}
		values[at][name] = append(values[at][name], value)
	}
	for _, at := range order {
		var parts []string
		for _, n := range names[at] {
			parts = append(parts, n+" = "+shorten(values[at][n]))
		}
		end := position{at.num, utf16Len(r.line(at.uri, at.num))}
		r.out.hints[at.uri] = append(r.out.hints[at.uri], inlayHint{Position: end, Label: strings.Join(parts, "; "), Tooltip: "in the failing run that amend found", PaddingLeft: true})
	}
}

// valueOf returns what a step stores, or a condition that it asks.
func valueOf(s *step) (name, value string) {
	for name, v := range s.State {
		return name, v.Text // there is one
	}
	for _, value := range []string{"true", "false"} {
		if name, ok := strings.CutSuffix(s.Location.Message.Text, " is "+value); ok {
			return name, value
		}
	}
	return "", ""
}

// shorten returns the values of one name, the last ones if there are many.
func shorten(values []string) string {
	if n := len(values) - maxValues; n > 0 {
		return "… " + strings.Join(values[n:], ", ")
	}
	return strings.Join(values, ", ")
}

// repair makes a quick fix.
func (r *reader) repair(f *fix, of diagnostic, first bool) {
	a := codeAction{Kind: "quickfix", Diagnostics: []diagnostic{of}, IsPreferred: first, Edit: workspaceEdit{make(map[string][]textEdit)}}
	var titles []string
	for _, c := range f.Changes {
		uri := r.uri(c.Artifact.URI)
		for _, x := range c.Replacements {
			at := r.span(uri, x.Deleted)
			a.Edit.Changes[uri] = append(a.Edit.Changes[uri], textEdit{at, x.Inserted.Text})
			titles = append(titles, fmt.Sprintf("line %d: %s becomes %s", at.Start.Line+1, quote(r.text(uri, at)), quote(x.Inserted.Text)))
		}
	}
	proof, _, _ := strings.Cut(f.Description.Text, ":")
	a.Title = fmt.Sprintf("%s (amend: %s)", strings.Join(titles, ", "), proof)
	r.out.repairs = append(r.out.repairs, a)
}

// quote shows text on a line.
func quote(text string) string {
	if text = strings.Join(strings.Fields(text), " "); text == "" {
		return "nothing"
	}
	return text
}

func (r *reader) place(l *location) place {
	uri := r.uri(l.Physical.Artifact.URI)
	return place{uri, r.span(uri, l.Physical.Region)}
}

func (r *reader) uri(name string) string {
	name = pathOf(name)
	if !filepath.IsAbs(name) {
		name = filepath.Join(r.dir, name)
	}
	return uriOf(name)
}

func (r *reader) span(uri string, x region) span {
	if x.EndLine == 0 {
		x.EndLine, x.EndColumn = x.StartLine, x.StartColumn
	}
	return span{r.position(uri, x.StartLine, x.StartColumn), r.position(uri, x.EndLine, x.EndColumn)}
}

// position counts in UTF-16 from 0 what SARIF counts in code points from 1.
func (r *reader) position(uri string, line, column int) position {
	p := position{Line: max(line-1, 0)}
	text := r.line(uri, p.Line)
	for range column - 1 {
		c, n := utf8.DecodeRuneInString(text)
		if n == 0 {
			break
		}
		p.Character += utf16Len(string(c))
		text = text[n:]
	}
	return p
}

// text returns what stands at s, if that is on one line.
func (r *reader) text(uri string, s span) string {
	if s.Start.Line != s.End.Line {
		return fmt.Sprintf("the text up to line %d", s.End.Line+1)
	}
	return sliceUTF16(r.line(uri, s.Start.Line), s.Start.Character, s.End.Character)
}

// line returns a line of the file uri, "" if there is none.
func (r *reader) line(uri string, n int) string {
	lines, ok := r.texts[uri]
	if !ok {
		b, _ := os.ReadFile(pathOf(uri)) // a file that is gone has no lines
		lines = strings.Split(strings.ReplaceAll(string(b), "\r\n", "\n"), "\n")
		r.texts[uri] = lines
	}
	if n >= len(lines) {
		return ""
	}
	return lines[n]
}
