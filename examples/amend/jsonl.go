package main

import (
	"bytes"
	"encoding/json"
	"io"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/report"
)

// A place is where an event is, in the words of the contract: lines and byte
// columns count from 1.
type place struct {
	File string `json:"file"`
	Line int    `json:"line"`
	Col  int    `json:"col"`

	source string // the line of source, for people
	length int    // bytes of the text at Col on that line
	span   ir.Span
}

// A violation is an assertion or check that a run violates.
type violation struct {
	Event string `json:"event"`
	Kind  string `json:"kind"`
	place
	Text   string `json:"text"`
	Inputs inputs `json:"inputs"`
	Dot    string `json:"dot,omitempty"` // with -dot

	Rule     string `json:"rule,omitempty"` // that is broken: of locks and threads, or one that Kind's name doesn't say
	schedule        // with threads

	lines []string // the inputs of a model, for people
	story []string // what threads did, for people
	run   []report.Step

	pictures [][]byte // of the instance of a model, for reports
}

// A schedule says how threads took turns: an ir.Schedule, with lines.
type schedule struct {
	Schedule []moved   `json:"schedule,omitempty"`
	Threads  []ir.Path `json:"threads,omitempty"`
}

// A moved is a turn of a thread, and the line where it goes on, if any.
type moved struct {
	ir.Turn
	Line int `json:"line,omitempty"`
}

// A commandEvent is how a command of a model ended, unless it is a violation.
type commandEvent struct {
	Event string `json:"event"`
	place
	Text     string `json:"text"`
	Check    bool   `json:"check"`
	Found    bool   `json:"found"`    // an instance, of a check a counterexample
	Expected bool   `json:"expected"` // that is as it should be
	Values   inputs `json:"values"`
	Dot      string `json:"dot,omitempty"` // with -dot

	lines []string
}

// A passing is the passing run nearest to the failing one.
type passing struct {
	Event    string `json:"event"`
	Found    bool   `json:"found"`
	Distance int    `json:"distance"` // how many inputs and values differ
	Inputs   inputs `json:"inputs"`

	schedule // with threads

	changed inputs   // those that differ
	story   []string // what threads did, for people
}

// A test is how a Go test or fuzz target ended, of several.
type test struct {
	Event   string `json:"event"`
	Name    string `json:"name"`
	Package string `json:"package"`
	place
	Status   string `json:"status"` // holds, violated or unknown
	Reason   string `json:"reason"` // of unknown
	Complete bool   `json:"complete"`
	Text     string `json:"text,omitempty"` // of what is not supported
	Elapsed  int64  `json:"elapsed_ms"`
}

// A location is where a fix may touch the source.
type location struct {
	Event string `json:"event"`
	place
	Text  string `json:"text"`
	Must  bool   `json:"must"`
	Value string `json:"value,omitempty"` // which would avoid the failure

	// Of models, and of methods that rank.
	Score    *float64 `json:"score,omitempty"`
	Rank     []int    `json:"rank,omitempty"`     // first and last of equal score
	Operator bool     `json:"operator,omitempty"` // FLACK's hint
	Repair   *edit    `json:"repair,omitempty"`   // a change that is enough
	Angelic  bool     `json:"angelic,omitempty"`  // another value makes the failing tests, or runs, pass

	// Of -method angelic: what has to have another value too, and how many
	// failing runs pass then.
	With []angelicPlace `json:"with,omitempty"`
	Runs int            `json:"runs,omitempty"`
}

// An angelicPlace is an expression with the values that it would have.
type angelicPlace struct {
	place
	Text  string `json:"text"`
	Value string `json:"value"`
}

// An edit is one replacement of source text.
type edit struct {
	place
	EndLine  int    `json:"end_line"`
	EndCol   int    `json:"end_col"`
	Old      string `json:"old"`
	New      string `json:"new"`
	Mutation string `json:"mutation"`

	// In is the paragraph of a model that changes.
	In string `json:"in,omitempty"`

	// Found are the constants that were searched for.
	Found []found `json:"found,omitempty"`
}

// A found is a constant that a repair needs, and the interval around it of
// which all would do.
type found struct {
	Value string `json:"value"`
	Low   string `json:"low"`
	High  string `json:"high"`
}

// A repair is a minimal set of changes.
type repair struct {
	Event    string `json:"event"`
	Size     int    `json:"size"`
	Edits    []edit `json:"edits"`
	Vacuous  bool   `json:"vacuous"`
	Proof    string `json:"proof"`
	Why      string `json:"why"`
	Elapsed  int64  `json:"elapsed_ms"`
	likelier string // why it comes before the next
	note     string // what was proved, of a model's
	reach    string // for which bounds it is right, with -prove

	Alternatives []int `json:"alternatives,omitempty"` // with -shard: the changes, as numbers that all shards have in common
	Rank         []int `json:"rank,omitempty"`         // with -shard: cost, results and paths kept, events held, distance

	Apart *difference `json:"apart,omitempty"` // with -distinct

	Diff    string `json:"diff,omitempty"`    // with -diff
	Written bool   `json:"written,omitempty"` // with -write
}

// A failure is something wrong with the input or the flags.
type failure struct {
	Event string `json:"event"`
	File  string `json:"file,omitempty"`
	Line  int    `json:"line,omitempty"`
	Col   int    `json:"col,omitempty"`
	Text  string `json:"text"`
}

// A done ends the output of a command that could do its work.
type done struct {
	Event      string `json:"event"`
	Version    int    `json:"version"` // of all events: it grows when the meaning of one changes
	Command    string `json:"command"`
	Status     string `json:"status"`
	Reason     string `json:"reason"`
	Complete   bool   `json:"complete"`
	Unwind     int    `json:"unwind"`
	Rounds     int    `json:"rounds,omitempty"`    // with threads
	Schedules  string `json:"schedules,omitempty"` // "all" if what holds does so by all schedules
	Shard      string `json:"shard,omitempty"`     // with -shard
	Size       int    `json:"size"`
	Candidates int    `json:"candidates"`
	Repairs    int    `json:"repairs"`
	SATCalls   int    `json:"sat_calls"`
	Elapsed    int64  `json:"elapsed_ms"`

	// Of repair with -prove: repairs within the bound that fail beyond it,
	// and "every bound" if all that were not dropped are proved.
	Refuted int `json:"refuted,omitempty"`

	// Unwritten counts candidates that the source can't have.
	Unwritten int `json:"unwritten,omitempty"`

	// Alike counts repairs that -distinct left out, for one that behaves like them.
	Alike int `json:"alike,omitempty"`

	// Avoided counts places that are not supported: changes after which a run
	// gets to one are no repairs, so that the search is not exhausted.
	Avoided int `json:"avoided,omitempty"`

	Proof string `json:"proof,omitempty"`

	// Oracle is "go" if the Go toolchain decided, and not formulas.
	Oracle string `json:"oracle,omitempty"`

	// Endless says of check that runs which stay in a loop for ever are among
	// those that Complete speaks of.
	Endless bool `json:"endless,omitempty"`

	// Unasserted says of check that the program has no assertion of its own.
	Unasserted bool `json:"unasserted,omitempty"`

	// Of prove: automata found, and used again from the earlier proof, and by
	// which way of searching there is an answer.
	Automata int    `json:"automata,omitempty"`
	Reused   int    `json:"reused,omitempty"`
	Engine   string `json:"engine,omitempty"`

	// With -certify: answers of the solver that are proved, and models.
	Certified int64 `json:"certified,omitempty"`
	Models    int64 `json:"models,omitempty"`

	found  int // violations, locations or failing tests, for people
	tests  []*test
	steps  int64  // of the proofs
	during string // what it was doing, if there was no program yet
	model  bool   // the command was about a model
	raised bool   // a run that reads no input, or decides the bounds, needs more than -unwind
	single bool   // there is no other run
	waits  bool   // threads may wait in loops, for ever too
}

// exitStatus returns the exit status that the contract gives to d's status.
func (d *done) exitStatus() int {
	switch d.Status {
	case "holds", "correct", "localized", "repaired", "proved", "dumped":
		return 0
	case "violated", "none":
		return 1
	}
	return 3
}

// MarshalJSON writes an object with the inputs in the order in which the run
// read them.
func (in inputs) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, x := range in {
		if i > 0 {
			b.WriteByte(',')
		}
		name, err := json.Marshal(x.name)
		if err != nil {
			return nil, err
		}
		b.Write(name)
		b.WriteString(`:"` + x.value + `"`)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// version is that of examples/formats/events.schema.json.
const version = 1

// A jsonReporter writes events as JSON Lines.
type jsonReporter struct{ enc *json.Encoder }

func newJSONReporter(w io.Writer) *jsonReporter {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	return &jsonReporter{enc}
}

func (r *jsonReporter) violation(v *violation)  { v.Event = "violation"; r.enc.Encode(v) }
func (r *jsonReporter) command(e *commandEvent) { e.Event = "command"; r.enc.Encode(e) }
func (r *jsonReporter) passing(e *passing)      { e.Event = "passing"; r.enc.Encode(e) }
func (r *jsonReporter) test(t *test)            { t.Event = "test"; r.enc.Encode(t) }
func (r *jsonReporter) location(l *location)    { l.Event = "location"; r.enc.Encode(l) }
func (r *jsonReporter) repair(x *repair)        { x.Event = "repair"; r.enc.Encode(x) }
func (r *jsonReporter) failure(f *failure)      { f.Event = "error"; r.enc.Encode(f) }
func (r *jsonReporter) done(d *done)            { d.Event, d.Version = "done", version; r.enc.Encode(d) }
