// Package report holds what was found out about a program, for the pages and
// files that other people and other tools read: package page writes it as HTML,
// package sarif as SARIF, package lines as lines that editors and services know.
//
// A Report is data alone. Whoever asks (the command, a service, an editor)
// fills in what it knows; what is missing is left out of every form.
package report

import "github.com/go-amend/amend/ir"

// A Report is what one command found out.
type Report struct {
	Command string // check, localize, repair or prove
	Status  string // how it ended, in the contract's words: holds, violated, repaired, …
	Reason  string // why it stopped early, if it did
	Verdict string // a sentence that says what is known now

	Files     []*ir.File // the sources that spans are in
	Failures  []Failure
	Locations []Location
	Repairs   []Repair

	Invariants []Invariant // of loops, by which it was proved
	States     []State     // of the program, with what the proof says of them
	Reasons    []Reason    // that the proof consists of
	Growth     []Sample    // of the search, in the order of time
	Problems   []Problem   // what is wrong with the input, or not supported
	Tests      []Test      // if there were several to decide

	Elapsed float64 // in seconds
}

// File returns the source called name, or nil.
func (r *Report) File(name string) *ir.File {
	for _, f := range r.Files {
		if f.Name == name {
			return f
		}
	}
	return nil
}

// A Failure is a failing run, or a command of a model that did not end as it
// should.
type Failure struct {
	Kind string // of the check, as ir.Kind's String says, or "model"
	Rule string // that is broken: of locks and threads, or one that Kind's name doesn't say
	At   ir.Span
	Text string // the source of what is false

	Inputs []Value // in the order in which the run read them
	Run    []Step
	Lines  []string // what people are told of it: the instance of a model, the story of threads

	Pictures [][]byte // of the instance of a model, as SVG, one for each step of a trace
}

// Headline says in a few words what went wrong.
func (f *Failure) Headline() string { return Headline(f.Kind, f.Rule) }

// A Value is what an input is.
type Value struct {
	Name, Value string

	At       ir.Span // of what reads it: a call, or the declaration of a variable
	Variable bool    // it is what a variable holds at first
	Number   string  // Value without what is only for people
}

// A Location is where a fix may touch the source.
type Location struct {
	At    ir.Span
	Text  string
	Must  bool    // every repair of this run that only changes expressions changes one of these
	Rank  int     // by suspicion, from 1; 0 of those that are not ranked
	Score float64 // of those that are
	Value string  // that would avoid the failure, if it is known
}

// An Invariant holds whenever the condition of a loop is asked.
type Invariant struct {
	At   ir.Span // the loop
	Text string  // an expression of the program's language
}

// A State is a statement where a run may be, with what always holds before it.
type State struct {
	At    ir.Span
	Text  string
	Holds []string // the cases, of which one holds; none if no run gets there
	Next  []int    // the states that may follow, by their numbers from 0
}

// A Reason rules out some of the runs: a Floyd-Hoare automaton.
type Reason struct {
	Predicates []string
	Triples    int
	Reused     bool // it is of an earlier proof
}

// A Sample is how far a search was after some seconds.
type Sample struct {
	Seconds                   float64
	Size, Candidates, Repairs int
}

// A Repair is a minimal set of changes.
type Repair struct {
	Patch    ir.Patch
	Kinds    []string // of change, one for each edit of Patch
	Proof    string   // tested, bounded or every bound
	Why      string   // what was proved, in a sentence
	Likelier string   // why it comes before the next, if that is known
	Diff     string   // as patch applies it
}

// A Test is how one of several tests ended.
type Test struct {
	Name, Package string
	At            ir.Span
	Status        string // holds, violated or unknown
	Reason, Text  string // why it is unknown, and what is not supported
	Elapsed       float64
}

// A Problem is something wrong with the input. Its span may lack offsets.
type Problem struct {
	At   ir.Span
	Text string
}

// Headline says in a few words what violating a check of this kind is. rule, if
// there is one, says it better, or says which rule of locks and threads is broken.
func Headline(kind, rule string) string {
	s, ok := headlines[kind]
	if !ok {
		s = kind
	}
	switch {
	case rule == "":
		return s
	case kind == "locks" || kind == "deadlock":
		return s + " (" + rule + ")"
	}
	return rule
}

var headlines = map[string]string{
	"assert":     "assertion violated",
	"bounds":     "index out of bounds",
	"div":        "division by zero",
	"shift":      "shift count out of range",
	"overflow":   "signed overflow",
	"nil":        "nil dereference",
	"conversion": "conversion changes the value",
	"deadlock":   "deadlock",
	"locks":      "misuse of a lock or thread",
	"race":       "data race",

	"float-overflow": "floating-point overflow",
	"nan":            "result is not a number",
	"leak":           "memory not freed at the end of the program",
	"model":          "not as expected",
}
