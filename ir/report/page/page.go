// Package page writes a report as one page of HTML: the source with a failing
// run that can be stepped through, where a fix must go, the repairs as
// differences, threads as lanes, a proof as the statements with what always holds at
// each, and how a search grew. The page holds all that it needs: it works
// from the disk, without a network, in light and dark, on paper, by keyboard
// and with a screen reader; without scripts it only doesn't step.
package page

import (
	"embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/report"
)

//go:embed page.html page.css page.js
var parts embed.FS

var page = template.Must(template.New("page.html").Funcs(template.FuncMap{
	"css": func() template.CSS { return template.CSS(part("page.css")) },
	"js":  func() template.JS { return template.JS(part("page.js")) },
	"inc": func(i int) int { return i + 1 },

	"plus": func(x, y int) int { return x + y },
	"svg": func(b []byte) template.URL {
		return template.URL("data:image/svg+xml;base64," + base64.StdEncoding.EncodeToString(b))
	},
}).ParseFS(parts, "page.html"))

// part returns an embedded file.
func part(name string) string {
	b, err := parts.ReadFile(name)
	if err != nil {
		panic(err) // not embedded: the package would not have been built
	}
	return string(b)
}

// MaxSteps is how many steps of a run a page holds: the last ones.
const MaxSteps = 5000

// Write writes r as a page. What r's texts say is shown, and never read as
// HTML or script. It takes time linear in the sources and runs.
func Write(w io.Writer, r *report.Report) error {
	v := &view{Report: r}
	v.failures()
	v.locations()
	v.repairs()
	v.flows()
	v.plots()
	v.sources()
	return page.Execute(w, v)
}

// A view is a report as the template shows it.
type view struct {
	*report.Report
	Sources   []source
	Failing   []failing
	Places    []place
	Proposals []proposal
	Flow      flow       // of a proof
	Plot      *plot      // of a search, or nil
	Runs      [][]moment // by failure, for the script
}

// Tone is the class of colours for how the command ended.
func (v *view) Tone() string {
	switch v.Status {
	case "holds", "correct", "localized", "repaired", "proved":
		return "good"
	case "violated", "none":
		return "bad"
	}
	return "open"
}

// A failing is a failure as it is shown.
type failing struct {
	*report.Failure
	Where   string
	Anchor  string
	Left    int // steps that are left out at the begin
	Steps   []report.Step
	Threads []int
	Rows    []row // of threads
}

// A moment is a step for the script. Names are short, since there are many.
type moment struct {
	Line   string `json:"l"` // the anchor
	Thread int    `json:"t"`
	Name   string `json:"n"`
	Value  string `json:"v"`
	Kind   string `json:"k"`
}

func (v *view) failures() {
	for i := range v.Failures {
		f := &v.Failures[i]
		run := f.Run
		left := max(0, len(run)-MaxSteps)
		run = run[left:]
		x := failing{Failure: f, Where: where(f.At), Anchor: v.anchor(f.At), Left: left, Steps: run}
		moments := make([]moment, len(run))
		for j, s := range run {
			moments[j] = moment{v.anchor(s.At), s.Thread, s.Name, s.Value, s.Kind.String()}
		}
		x.lanes(v, run)
		v.Failing = append(v.Failing, x)
		v.Runs = append(v.Runs, moments)
	}
}

// where returns s as people write places.
func where(s ir.Span) string {
	switch {
	case s.File == "":
		return ""
	case s.Line == 0:
		return s.File
	}
	return fmt.Sprintf("%s:%d:%d", s.File, s.Line, s.Col)
}

// anchor returns the identifier of a line on the page.
func (v *view) anchor(s ir.Span) string {
	for i, f := range v.Files {
		if f.Name == s.File {
			return fmt.Sprintf("f%d-%d", i, s.Line)
		}
	}
	return ""
}

// A place is a location as it is shown.
type place struct {
	*report.Location
	Where, Anchor string
}

func (v *view) locations() {
	for i := range v.Locations {
		l := &v.Locations[i]
		v.Places = append(v.Places, place{l, where(l.At), v.anchor(l.At)})
	}
}

// A proposal is a repair as it is shown.
type proposal struct {
	*report.Repair
	Changes []change
	Hunks   []hunk
}

// A change is one edit of a repair in words.
type change struct{ Where, Anchor, Old, New, Kind string }

func (v *view) repairs() {
	for i := range v.Repairs {
		r := &v.Repairs[i]
		p := proposal{Repair: r, Hunks: hunks(v.Files, r.Patch)}
		for j, e := range r.Patch {
			c := change{Where: where(e.Span), Anchor: v.anchor(e.Span), Old: e.Old, New: e.New}
			if j < len(r.Kinds) {
				c.Kind = r.Kinds[j]
			}
			p.Changes = append(p.Changes, c)
		}
		v.Proposals = append(v.Proposals, p)
	}
}
