package sarif

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/url"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/report"
)

// A writer makes the parts of a log.
type writer struct {
	all   []*report.Report
	r     *report.Report // the one whose results are being made
	rules []string       // kinds of failures, in the order of their use
	seen  map[string]int // how often a fingerprint came so far
	files map[string]int // index by name

	artifacts []*ir.File
	lines     map[string][]line // by file
}

// A line is where a line of a source begins and ends, without its end.
type line struct{ start, end int }

func newWriter(rs []*report.Report) *writer {
	w := &writer{all: rs, seen: make(map[string]int), files: make(map[string]int), lines: make(map[string][]line)}
	for _, r := range rs {
		for _, f := range r.Files {
			w.add(f)
		}
	}
	return w
}

// add makes f an artifact, unless it is one.
func (w *writer) add(f *ir.File) {
	if _, has := w.files[f.Name]; has {
		return
	}
	w.files[f.Name] = len(w.artifacts)
	w.artifacts = append(w.artifacts, f)
	start := 0
	for text := range strings.Lines(string(f.Content)) {
		w.lines[f.Name] = append(w.lines[f.Name], line{start, start + len(strings.TrimRight(text, "\r\n"))})
		start += len(text)
	}
	if n := len(f.Content); n == 0 || f.Content[n-1] == '\n' {
		w.lines[f.Name] = append(w.lines[f.Name], line{start, start})
	}
}

// content is that of the artifact called name.
func (w *writer) content(name string) []byte { return w.artifacts[w.files[name]].Content }

func (w *writer) run() run {
	out := run{ColumnKind: "unicodeCodePoints", Results: []result{}}
	for _, f := range w.artifacts {
		out.Artifacts = append(out.Artifacts, artifact{artifactLocation{URI: uri(f.Name)}, []string{"analysisTarget"}, len(f.Content)})
	}
	in := invocation{Successful: true}
	for _, w.r = range w.all {
		for i := range w.r.Failures {
			out.Results = append(out.Results, w.result(&w.r.Failures[i], i == 0))
		}
		in.Successful = in.Successful && len(w.r.Problems) == 0
		for _, p := range w.r.Problems {
			in.Notifications = append(in.Notifications, w.notification(p))
		}
		if w.r.Reason != "" {
			in.Notifications = append(in.Notifications, notification{Level: "warning", Message: message{w.r.Verdict}})
		}
	}
	out.Invocations = []invocation{in}
	out.Tool.Driver = driver{Name: "amend", Full: "amend: fault localization and program repair"}
	for _, kind := range w.rules {
		out.Tool.Driver.Rules = append(out.Tool.Driver.Rules, ruleOf(kind))
	}
	return out
}

// result describes f. What was found for one failing run, the first, goes
// with that.
func (w *writer) result(f *report.Failure, first bool) result {
	index := slices.Index(w.rules, f.Kind)
	if index < 0 {
		index = len(w.rules)
		w.rules = append(w.rules, f.Kind)
	}
	out := result{
		RuleID: ruleID(f.Kind), RuleIndex: index, Kind: "fail", Level: "error",
		Message:      message{sentence(f)},
		Fingerprints: map[string]string{"amend/v1": w.fingerprint(f)},
	}
	if l := w.location(f.At); l.Physical != nil {
		out.Locations = []location{l}
	}
	if len(f.Run) > 0 {
		out.CodeFlows = []codeFlow{w.flow(f)}
	}
	if first {
		out.Related = w.related()
		for i := range w.r.Repairs {
			out.Fixes = append(out.Fixes, w.fix(&w.r.Repairs[i]))
		}
	}
	return out
}

// sentence says what went wrong, and with which inputs.
func sentence(f *report.Failure) string {
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
	return s + "."
}

// fingerprint tells f apart from others wherever the lines above it move to:
// by its kind, file, line of source, and how many of those came before.
func (w *writer) fingerprint(f *report.Failure) string {
	text := ""
	if ls := w.lines[f.At.File]; f.At.Line > 0 && f.At.Line <= len(ls) {
		l := ls[f.At.Line-1]
		text = strings.Join(strings.Fields(string(w.content(f.At.File)[l.start:l.end])), " ")
	}
	key := strings.Join([]string{f.Kind, f.Rule, path.Base(filepath.ToSlash(f.At.File)), text, f.Text}, "\x00")
	w.seen[key]++
	sum := sha256.Sum256(fmt.Appendf(nil, "%s\x00%d", key, w.seen[key]))
	return hex.EncodeToString(sum[:16])
}

// location returns where s is; of no place nothing.
func (w *writer) location(s ir.Span) location {
	if s.File == "" {
		return location{}
	}
	at := artifactLocation{URI: uri(s.File)}
	if i, ok := w.files[s.File]; ok {
		at.Index = &i
	}
	return location{Physical: &physical{at, w.region(s, true)}}
}

// region returns the lines and columns of s, with its text if that is asked
// for; nil for a whole file. Columns count characters.
func (w *writer) region(s ir.Span, snippet bool) *region {
	if s.Line == 0 {
		return nil
	}
	ls := w.lines[s.File]
	if s.Line > len(ls) {
		return &region{StartLine: s.Line}
	}
	text := w.content(s.File)
	out := &region{StartLine: s.Line, StartColumn: column(text, ls[s.Line-1], ls[s.Line-1].start+s.Col-1)}
	if s.End < s.Start || s.End > len(text) || s.Start < ls[s.Line-1].start || s.Start > ls[s.Line-1].end+2 {
		return out // there are no offsets
	}
	last := s.Line
	for last < len(ls) && s.End >= ls[last].start {
		last++
	}
	out.EndLine, out.EndColumn = last, column(text, ls[last-1], s.End)
	if snippet && s.End > s.Start {
		out.Snippet = &message{strings.ToValidUTF8(string(text[s.Start:s.End]), "\uFFFD")}
	}
	return out
}

// column returns the number of the character at offset, from 1.
func column(text []byte, l line, offset int) int {
	return 1 + utf8.RuneCount(text[l.start:max(l.start, min(offset, len(text)))])
}

// uri returns the name of a file as SARIF has it: relative names stay so.
func uri(name string) string {
	u := url.URL{Path: filepath.ToSlash(name)}
	if filepath.IsAbs(name) {
		u.Scheme = "file"
	}
	return u.String()
}

// flow returns the run of f, one thread flow for each thread.
func (w *writer) flow(f *report.Failure) codeFlow {
	out := codeFlow{Message: &message{"The failing run."}}
	var threads []int
	for i := range f.Run {
		s := &f.Run[i]
		at := slices.Index(threads, s.Thread)
		if at < 0 {
			at = len(threads)
			threads = append(threads, s.Thread)
			out.ThreadFlows = append(out.ThreadFlows, threadFlow{ID: fmt.Sprint("thread ", s.Thread)})
		}
		l := flowLocation{Location: w.location(s.At), Nesting: s.Depth, Order: i + 1}
		l.Location.Message = &message{said(s)}
		if s.Value != "" && s.Kind != report.Asks {
			l.State = map[string]message{s.Name: {s.Value}}
		}
		if s.Kind == report.Fails || s.Kind == report.Waits {
			l.Importance = "essential"
		}
		out.ThreadFlows[at].Locations = append(out.ThreadFlows[at].Locations, l)
	}
	return out
}

// said says what a step does.
func said(s *report.Step) string {
	switch s.Kind {
	case report.Asks:
		return s.Name + " is " + s.Value
	case report.Reads:
		return "reads " + s.Name + " = " + s.Value
	case report.Waits:
		return s.Name + " waits for ever"
	case report.Fails:
		return s.Name + " fails"
	}
	if s.Value == "" {
		return s.Name
	}
	return s.Name + " = " + s.Value
}

// related returns where a fix goes.
func (w *writer) related() []location {
	var out []location
	for i := range w.r.Locations {
		l := &w.r.Locations[i]
		x := w.location(l.At)
		x.ID, x.Message = i+1, &message{"a fix may be here"}
		if l.Must {
			x.Message = &message{"every fix of this run that only changes expressions changes one of these places"}
		}
		if l.Rank > 0 {
			x.Message.Text += fmt.Sprintf("; suspicious: number %d", l.Rank)
		}
		if l.Value != "" {
			x.Message.Text += "; it should be " + l.Value
		}
		out = append(out, x)
	}
	return out
}

func (w *writer) fix(r *report.Repair) fix {
	out := fix{Description: message{r.Proof}}
	if r.Why != "" {
		out.Description.Text += ": " + r.Why
	}
	for _, e := range r.Patch {
		if n := len(out.Changes); n == 0 || out.Changes[n-1].Artifact.URI != uri(e.Span.File) {
			out.Changes = append(out.Changes, change{Artifact: w.location(e.Span).Physical.Artifact})
		}
		c := &out.Changes[len(out.Changes)-1]
		c.Replacements = append(c.Replacements, replacement{*w.region(e.Span, false), &message{e.New}})
	}
	return out
}

func (w *writer) notification(p report.Problem) notification {
	out := notification{Level: "error", Message: message{p.Text}}
	if l := w.location(p.At); l.Physical != nil {
		out.Locations = []location{l}
	}
	return out
}
