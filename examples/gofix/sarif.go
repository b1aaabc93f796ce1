package main

// Diagnostics as SARIF, for -sarif FILE.

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/packages"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/report"
	"github.com/go-amend/amend/ir/report/sarif"
)

// asksSARIF cuts -sarif FILE out of args.
func asksSARIF(args []string) (file string, rest []string) {
	for i := 0; i < len(args); i++ {
		name, value, has := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(args[i], "-"), "-"), "=")
		switch {
		case !strings.HasPrefix(args[i], "-") || name != "sarif":
			rest = append(rest, args[i])
		case has:
			file = value
		case i+1 < len(args):
			i++
			file = args[i]
		}
	}
	return file, rest
}

// runSARIF runs a on the packages that args name, after its flags, prints what it
// reports, writes it to file, and returns the exit status, as singlechecker has it.
func runSARIF(a *analysis.Analyzer, file string, args []string) int {
	flags := flag.NewFlagSet("gofix", flag.ContinueOnError)
	a.Flags.VisitAll(func(f *flag.Flag) { flags.Var(f.Value, f.Name, f.Usage) })
	if err := flags.Parse(args); err != nil {
		return 2
	}
	graph, err := analyze(a, flags.Args())
	if err != nil {
		fmt.Fprintln(os.Stderr, "gofix:", err)
		return 1
	}
	graph.PrintText(os.Stderr, -1)
	reports, err := reportsOf(graph)
	if err == nil {
		err = write(file, reports)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "gofix:", err)
		return 1
	}
	if len(reports) > 0 {
		return 3
	}
	return 0
}

func analyze(a *analysis.Analyzer, patterns []string) (*checker.Graph, error) {
	pkgs, err := packages.Load(&packages.Config{Mode: packages.LoadAllSyntax | packages.NeedModule, Tests: true}, patterns...)
	if err != nil {
		return nil, err
	}
	if packages.PrintErrors(pkgs) > 0 {
		return nil, errors.New("there are errors in the packages")
	}
	graph, err := checker.Analyze([]*analysis.Analyzer{a}, pkgs, nil)
	if err != nil {
		return nil, err
	}
	for act := range graph.All() {
		if act.Err != nil {
			return nil, act.Err
		}
	}
	return graph, nil
}

// write writes the log of reports to file.
func write(file string, reports []*report.Report) error {
	f, err := os.Create(file)
	if err != nil {
		return err
	}
	return errors.Join(sarif.WriteAll(f, reports), f.Close())
}

// reportsOf has a report for each diagnostic, in the order of the source.
func reportsOf(graph *checker.Graph) ([]*report.Report, error) {
	var all []*report.Report
	seen := make(map[string]bool) // a package and its test variant report the same
	for act := range graph.All() {
		if !act.IsRoot {
			continue
		}
		c := &converter{fset: act.Package.Fset}
		for _, d := range act.Diagnostics {
			r, err := c.report(d)
			if err != nil {
				return nil, err
			}
			key := fmt.Sprint(r.Failures[0].At, r.Failures[0].Rule)
			if !seen[key] {
				seen[key] = true
				all = append(all, r)
			}
		}
	}
	slices.SortStableFunc(all, func(x, y *report.Report) int {
		s, t := x.Failures[0].At, y.Failures[0].At
		return cmp.Or(cmp.Compare(s.File, t.File), cmp.Compare(s.Start, t.Start))
	})
	return all, nil
}

// A converter makes reports of diagnostics.
type converter struct {
	fset  *token.FileSet
	files []*ir.File // of the report that is being made
}

func (c *converter) report(d analysis.Diagnostic) (*report.Report, error) {
	c.files = nil
	r := &report.Report{Command: "check", Status: "violated"}
	at, err := c.span(d.Pos, d.End)
	if err != nil {
		return nil, err
	}
	r.Failures = []report.Failure{{Kind: d.Category, Rule: d.Message, At: at}}
	for _, x := range d.Related {
		if strings.HasPrefix(x.Message, "failing inputs: ") { // at the test, where no fix goes
			r.Failures[0].Text = x.Message
			continue
		}
		at, err := c.span(x.Pos, x.End)
		if err != nil {
			return nil, err
		}
		r.Locations = append(r.Locations, report.Location{At: at, Text: x.Message, Must: true})
	}
	for _, f := range d.SuggestedFixes {
		fix := report.Repair{Proof: f.Message}
		for _, e := range f.TextEdits {
			at, err := c.span(e.Pos, e.End)
			if err != nil {
				return nil, err
			}
			fix.Patch = append(fix.Patch, ir.Edit{Span: at, New: string(e.NewText)})
		}
		r.Repairs = append(r.Repairs, fix)
	}
	r.Files = c.files
	return r, nil
}

// span is from pos to end, or only pos; its file is named as the user would.
func (c *converter) span(pos, end token.Pos) (ir.Span, error) {
	if !end.IsValid() {
		end = pos
	}
	from := c.fset.PositionFor(pos, false)
	if dir, err := os.Getwd(); err == nil {
		if rel, err := filepath.Rel(dir, from.Filename); err == nil && !strings.HasPrefix(rel, "..") {
			from.Filename = rel
		}
	}
	s := ir.Span{File: from.Filename, Start: from.Offset, End: c.fset.PositionFor(end, false).Offset, Line: from.Line, Col: from.Column}
	return s, c.read(from.Filename)
}

// read adds the file called name to those of the report.
func (c *converter) read(name string) error {
	for _, f := range c.files {
		if f.Name == name {
			return nil
		}
	}
	text, err := os.ReadFile(name)
	c.files = append(c.files, &ir.File{Name: name, Content: text})
	return err
}
