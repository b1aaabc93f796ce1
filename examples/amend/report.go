package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/report"
)

// A textReporter shows events to people.
type textReporter struct {
	w, stderr io.Writer
	o         *options
	repairs   int
	ranks     int
	size      int    // of the last repair
	kind      string // of the last violation
}

func (r *textReporter) violation(v *violation) {
	r.kind = v.Kind
	headline := report.Headline(v.Kind, v.Rule)
	fmt.Fprintf(r.w, "%s%s: %s\n%s", v.place, headline, oneLine(v.Text), v.place.excerpt())
	lines := v.lines
	if lines == nil {
		lines = wrap(v.Inputs.words(), 74)
	}
	r.values(lines, v.Dot)
	r.values(v.story, "")
}

func (r *textReporter) values(lines []string, dot string) {
	for _, l := range lines {
		fmt.Fprintf(r.w, "    %s\n", l)
	}
	io.WriteString(r.w, dot)
}

// command shows how a command of a model ended.
func (r *textReporter) command(e *commandEvent) {
	what := map[[2]bool]string{
		{true, true}: "counterexample, as expected", {true, false}: "no counterexample in scope",
		{false, true}: "instance", {false, false}: "no instance in scope",
	}[[2]bool{e.Check, e.Found}]
	if !e.Expected {
		what += ", which is not as expected"
	}
	fmt.Fprintf(r.w, "%s%s: %s\n", e.place, e.Text, what)
	r.values(e.lines, e.Dot)
}

// passing shows what is different in the nearest passing run.
func (r *textReporter) passing(e *passing) {
	if !e.Found {
		fmt.Fprintf(r.w, "no run within -unwind %d passes\n", r.o.unwind)
		return
	}
	fmt.Fprintf(r.w, "nearest passing run, %s apart:\n", count(e.Distance, "value"))
	if len(e.changed) > 0 {
		r.values(wrap(e.changed.words(), 74), "")
	}
	r.values(e.story, "")
}

func (r *textReporter) location(l *location) {
	if l.Score != nil {
		r.ranked(l)
		return
	}
	value := ""
	if l.Value != "" {
		value = " should be " + l.Value
	}
	if len(l.With) > 0 {
		if r.ranks++; r.ranks > maxRanked && !r.o.verbose {
			return
		}
	}
	fmt.Fprintf(r.w, "%s%s%s\n%s", l.place, oneLine(l.Text), value, l.place.excerpt())
	for _, x := range l.With {
		fmt.Fprintf(r.w, "  and %s%s should be %s\n%s", x.place, oneLine(x.Text), x.Value, x.place.excerpt())
	}
}

// maxRanked is how many ranked locations are shown without -v.
const maxRanked = 10

// ranked shows a location with its rank, the most suspicious come first.
func (r *textReporter) ranked(l *location) {
	if r.ranks++; r.ranks > maxRanked && !r.o.verbose {
		return
	}
	rank := fmt.Sprint(l.Rank[0])
	if l.Rank[1] > l.Rank[0] {
		rank += fmt.Sprintf("-%d", l.Rank[1])
	}
	notes := ""
	if r.o.verbose {
		notes = fmt.Sprintf("  (score %.2f)", *l.Score)
	}
	if l.Operator {
		notes += "  [operator]"
	}
	if l.Angelic {
		notes += "  [another value passes]"
	}
	fmt.Fprintf(r.w, "%2s. %s%s%s\n%s", rank, l.place, oneLine(l.Text), notes, l.place.excerpt())
	if e := l.Repair; e != nil {
		fmt.Fprintf(r.w, "    repair: %s -> %s\n", change(e.Old), change(e.New))
	}
}

func (r *textReporter) repair(x *repair) {
	r.repairs++
	head := fmt.Sprintf("%2d. ", r.repairs)
	for _, e := range x.Edits {
		fmt.Fprintf(r.w, "%s%s%s -> %s  [%s]\n%s", head, e.place, change(e.Old), change(e.New), e.Mutation+e.where()+intervals(e.Found), e.place.excerpt())
		head = "    "
	}
	if x.likelier != "" && x.Size != r.size { // the first of its size
		fmt.Fprintln(r.w, "    likelier than the next: "+x.likelier)
	}
	r.size = x.Size
	if x.Vacuous {
		fmt.Fprintln(r.w, "    vacuous: some runs that ended before are now cut or stopped")
	}
	if x.reach != "" {
		fmt.Fprintln(r.w, "    "+x.reach)
	}
	if x.note != "" {
		fmt.Fprintln(r.w, "    "+x.note)
	}
	if x.Apart != nil {
		r.values(wrap(strings.Fields(x.Apart.String()), 74), "")
	}
	if x.Written {
		fmt.Fprintln(r.w, "    written to "+strings.Join(x.files(), ", "))
	}
	io.WriteString(r.w, x.Diff)
}

// where says in which paragraph of a model an edit is.
func (e *edit) where() string {
	if e.In == "" {
		return ""
	}
	return " in " + e.In
}

// intervals says which constants would do, besides those found.
func intervals(fs []found) string {
	s := ""
	for _, f := range fs {
		if f.Low != f.High {
			s += fmt.Sprintf(", any from %s to %s", f.Low, f.High)
		}
	}
	return s
}

// change shows the old or new text of an edit.
func change(text string) string {
	if text == "" {
		return "nothing"
	}
	return oneLine(text)
}

// files returns the names of the files that x changes.
func (x *repair) files() []string {
	var names []string
	for _, e := range x.Edits {
		if len(names) == 0 || names[len(names)-1] != e.File {
			names = append(names, e.File)
		}
	}
	return names
}

func (r *textReporter) failure(f *failure) {
	fmt.Fprintf(r.stderr, "%s%s\n", place{File: f.File, Line: f.Line, Col: f.Col}, f.Text)
}

func (r *textReporter) done(d *done) {
	fmt.Fprintf(r.w, "%s (%.2f s)\n", r.verdict(d), float64(d.Elapsed)/1000)
	if r.o.certify {
		fmt.Fprintf(r.w, "certified: %s of unsatisfiability in %s checked, %s evaluated\n",
			count(int(d.Certified), "proof"), count(int(d.steps), "step"), count(int(d.Models), "model"))
	}
}

// undecided qualifies the claim that some runs are longer than the bound.
func undecided(d *done) string {
	if d.Reason == "" {
		return ""
	}
	return " or may be (" + d.Reason + ")"
}

// whichRun names the run that set the bounds: the only one, or one of several
// that differ in nothing that the program asks for.
func whichRun(only bool) string {
	if only {
		return "only run"
	}
	return "usual run"
}

// ending says what all runs do that are not cut.
func (d *done) ending() string {
	switch {
	case d.waits:
		return "end, or wait in a loop,"
	case d.Endless:
		return "end, or stay in a loop for ever,"
	}
	return "end"
}

// ofShard says of which part of the search something is said.
func (d *done) ofShard() string {
	if d.Shard == "" {
		return ""
	}
	return " in shard " + d.Shard + " alone"
}

// verdict says how the command ended.
func (r *textReporter) verdict(d *done) string {
	switch {
	case d.model && d.Status != "unknown":
		return r.modelVerdict(d)
	case d.tests != nil:
		return testsVerdict(d)
	}
	if d.Oracle != "" && d.Status != "unknown" {
		return r.testedVerdict(d)
	}
	bound := fmt.Sprintf("within -unwind %d", d.Unwind)
	if d.raised {
		bound = "within the bounds of the " + whichRun(d.single)
	}
	switch {
	case d.Schedules != "":
		bound += ", by any schedule"
	case d.Rounds > 0:
		bound += fmt.Sprintf(" and %s", count(d.Rounds, "round"))
	}
	switch d.Status {
	case "holds", "correct":
		what := "an assertion"
		if d.Unasserted {
			what = "a check (there is no assertion)"
		}
		if d.Proof != "" {
			return d.Status + ": no run of any length violates " + what
		}
		if d.raised && d.single {
			return d.Status + ": the only run, which reads no input, violates no assertion"
		}
		if d.Complete {
			return d.Status + ": no run violates " + what + "; all " + d.ending() + " " + bound
		}
		longer := "some are longer"
		if d.Rounds > 0 && d.Schedules == "" {
			longer = "others may be longer, or need more rounds"
		}
		if d.Schedules != "" {
			bound += ","
		}
		return d.Status + ": no run " + bound + " violates " + what + ", but " + longer + undecided(d)
	case "proved":
		return fmt.Sprintf("proved: no run of any length violates an assertion; %s found by %s, %d of the earlier proof used", count(d.Automata, "reason"), d.Engine, d.Reused)
	case "violated":
		if d.Command == "prove" {
			return "violated: 1 failing run"
		}
		if d.raised && d.single {
			return "violated: the only run, which reads no input, fails"
		}
		return "violated: " + count(d.found, "failing run") + " " + bound
	case "localized":
		return r.localized(d)
	case "repaired":
		if d.Reason == "max" {
			return "stopped at -max: " + r.searched(d)
		}
		return fmt.Sprintf("%s up to size %d%s: %s", d.extent(), d.Size, d.ofShard(), r.searched(d))
	case "none":
		if d.Reason == noSitesReason {
			return "no repair: there is no place that may change"
		}
		return fmt.Sprintf("%s up to size %d%s: no repair, %s%s", d.extent(), d.Size, d.ofShard(), count(d.Candidates, "candidate"), dropped(d))
	}
	return r.unknown(d)
}

// extent says whether all changes were looked at.
func (d *done) extent() string {
	if d.Avoided > 0 {
		return "searched, but for what is not supported,"
	}
	return "exhausted"
}

// modelVerdict says how a command on a model ended.
func (r *textReporter) modelVerdict(d *done) string {
	switch d.Status {
	case "violated":
		return "violated: " + count(d.found, "command") + " not as expected"
	case "localized":
		return "localized: " + count(d.found, "suspicious expression") + r.hidden(d)
	case "repaired":
		if d.Reason == "max" {
			return "stopped at -max: " + count(d.Repairs, "repair")
		}
		return fmt.Sprintf("%s of %s, %s", count(d.Repairs, "repair"), upTo(d.Size), count(d.Candidates, "candidate"))
	case "none":
		return fmt.Sprintf("no repair of %s, %s", upTo(d.Size), count(d.Candidates, "candidate"))
	case "correct":
		return "correct: no check has a counterexample in its scope"
	}
	if d.Command == "localize" {
		return "holds: no check has a counterexample in its scope"
	}
	return "holds: all commands are as expected in their scopes"
}

// testedVerdict says how the command ended when tests decided.
func (r *textReporter) testedVerdict(d *done) string {
	switch d.Status {
	case "localized":
		return "localized: " + count(d.found, "place") + " that failing tests reach" + r.hidden(d)
	case "repaired":
		if d.Reason == "max" {
			return "stopped at -max: " + r.testedSearch(d)
		}
		return fmt.Sprintf("exhausted up to size %d: %s", d.Size, r.testedSearch(d))
	case "none":
		return fmt.Sprintf("exhausted up to size %d: no repair, %s", d.Size, count(d.Candidates, "candidate"))
	}
	return d.Status + ": none of the tests fails; nothing is proved"
}

func (r *textReporter) testedSearch(d *done) string {
	return fmt.Sprintf("%s, %s, tested and not proved", count(d.Repairs, "repair"), count(d.Candidates, "candidate"))
}

// upTo says how many changes a repair may have.
func upTo(size int) string {
	if size == 1 {
		return "one change"
	}
	return fmt.Sprintf("at most %d changes", size)
}

// hidden says how many ranked locations were not shown.
func (r *textReporter) hidden(d *done) string {
	if n := d.found - maxRanked; n > 0 && !r.o.verbose {
		return fmt.Sprintf(", %d more with -v", n)
	}
	return ""
}

// hiddenPairs says how many pairs were not shown.
func (r *textReporter) hiddenPairs() string {
	if n := r.ranks - maxRanked; n > 0 && !r.o.verbose {
		return fmt.Sprintf(", %s more with -v", count(n, "pair"))
	}
	return ""
}

func (r *textReporter) localized(d *done) string {
	if r.o.memory != ir.SC {
		return "localized: a fence makes a difference to this run only where a thread has just executed one of " + count(d.found, "location")
	}
	switch r.o.method {
	case "fosfl":
		return fmt.Sprintf("localized: every repair of this run that only changes expressions changes one of %s", count(d.found, "location"))
	case "nearest":
		return fmt.Sprintf("localized: every repair of this run that only changes expressions changes one of %s%s", count(d.found, "location"), r.hidden(d))
	}
	if r.o.method == "angelic" {
		return fmt.Sprintf("localized: of what the schemes may change, %s and %s could repair the known failing runs, given these values%s",
			count(d.found-r.ranks, "expression"), count(r.ranks, "pair"), r.hiddenPairs())
	}
	if r.o.method == "diag" {
		if d.found == 0 {
			return "localized: no single location avoids this failure by another value: " + r.instead(d)
		}
		s := fmt.Sprintf("localized: each of %s avoids this failure by itself, given that value", count(d.found, "location"))
		if d.Repairs > 0 {
			s += fmt.Sprintf("; so does each of %s of how threads wait", count(d.Repairs, "change"))
		}
		return s
	}
	return fmt.Sprintf("localized: %s may be at fault, and others too", count(d.found, "location"))
}

// instead says what else may be at fault.
func (r *textReporter) instead(d *done) string {
	if d.Repairs > 0 {
		return "each of " + count(d.Repairs, "change") + " of how threads wait does"
	}
	if r.kind == "deadlock" || r.kind == "locks" {
		return "the locks themselves, or several locations"
	}
	return "the assertion itself, the locks, or several locations"
}

func (r *textReporter) searched(d *done) string {
	s := fmt.Sprintf("%s, %s%s", count(d.Repairs, "repair"), count(d.Candidates, "candidate"), dropped(d))
	switch {
	case d.Complete || d.Proof != "":
	case d.raised:
		s += ", some runs longer than the bounds of the original's " + whichRun(d.single)
	case d.Schedules != "":
		s += fmt.Sprintf(", proved within -unwind %d, by any schedule", d.Unwind)
	case d.Rounds > 0:
		s += fmt.Sprintf(", proved within -unwind %d and %s", d.Unwind, count(d.Rounds, "round"))
	default:
		s += fmt.Sprintf(", some runs longer than -unwind %d", d.Unwind)
	}
	return s
}

// dropped says how many repairs within the bound are none.
func dropped(d *done) string {
	s := ""
	if d.Alike > 0 {
		s += fmt.Sprintf(", %s more like these", count(d.Alike, "repair"))
	}
	if d.Refuted > 0 {
		s += fmt.Sprintf(", %d dropped that fail beyond -unwind %d", d.Refuted, d.Unwind)
	}
	if d.Unwritten > 0 {
		s += fmt.Sprintf(", %d dropped that would not compile", d.Unwritten)
	}
	return s
}

func (r *textReporter) unknown(d *done) string {
	s := "unknown: stopped (" + d.Reason + ")"
	if d.during != "" {
		return s + " while " + d.during
	}
	switch d.Command {
	case "repair":
		if d.Size > 0 {
			s += fmt.Sprintf(" at size %d", d.Size)
		}
		s += fmt.Sprintf(": %s, %s%s", count(d.Repairs, "repair"), count(d.Candidates, "candidate"), dropped(d))
	case "check":
		s += ": " + count(d.found, "failing run")
		if d.Rounds > 0 {
			s += " by schedules of up to " + count(d.Rounds, "round")
		}
	}
	return s
}

// String returns the beginning of a line of output about p.
func (p place) String() string {
	switch {
	case p.File == "":
		return ""
	case p.Line == 0:
		return p.File + ": "
	}
	return fmt.Sprintf("%s:%d:%d: ", p.File, p.Line, p.Col)
}

// excerpt shows the line of source, and marks the text on it.
func (p place) excerpt() string {
	if strings.TrimSpace(p.source) == "" {
		return ""
	}
	before := strings.Map(func(c rune) rune {
		if c == '\t' {
			return c
		}
		return ' '
	}, p.source[:p.Col-1])
	return fmt.Sprintf("%6d | %s\n       | %s%s\n", p.Line, p.source, before, strings.Repeat("^", max(p.length, 1)))
}

// oneLine returns text with white space reduced to single spaces.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
