// Package witness writes and reads software verification witnesses, version 2
// of the format of SV-COMP (Ayaziová, Beyer, Lingsch-Rosenfeld, Spiessl,
// Strejček: Software Verification Witnesses 2.0, SPIN 2024): a violation witness
// leads along a failing run, a correctness witness has invariants of loops. The
// format is YAML; what is read may have any of its forms.
//
// The format is about C, and has no threads.
package witness

import (
	"errors"
	"fmt"

	"go.yaml.in/yaml/v3"
)

// A Witness is a violation witness, if it has Segments, or a correctness
// witness.
type Witness struct {
	Segments   [][]Waypoint
	Invariants []Invariant
}

// A Waypoint is something that a run passes, or avoids, on its way.
type Waypoint struct {
	Type  string // assumption, branching, function_enter, function_return or target
	At    Location
	Avoid bool   // the run does not pass it
	Value string // the constraint: an expression of C, with \result for what a function returns
}

// A Location is a place in a source. Lines and columns count from 1; a Column
// of 0 is the first of the line that fits.
type Location struct {
	File         string
	Line, Column int
	Function     string
}

// An Invariant holds whenever a run is at At.
type Invariant struct {
	Loop  bool // At is a loop: it holds whenever its condition is asked
	At    Location
	Value string // an expression of C
}

// The YAML of the format.
type (
	entry struct {
		Type     string    `yaml:"entry_type"`
		Metadata metadata  `yaml:"metadata"`
		Content  []content `yaml:"content"`
	}
	metadata struct {
		Version  string   `yaml:"format_version"`
		UUID     string   `yaml:"uuid"`
		Created  string   `yaml:"creation_time"`
		Producer producer `yaml:"producer"`
		Task     task     `yaml:"task"`
	}
	producer struct {
		Name    string `yaml:"name"`
		Version string `yaml:"version"`
	}
	task struct {
		Files         []string          `yaml:"input_files"`
		Hashes        map[string]string `yaml:"input_file_hashes"`
		Specification string            `yaml:"specification"`
		Model         string            `yaml:"data_model"`
		Language      string            `yaml:"language"`
	}
	content struct {
		Segment   []step     `yaml:"segment,omitempty"`
		Invariant *invariant `yaml:"invariant,omitempty"`
	}
	step struct {
		Waypoint waypoint `yaml:"waypoint"`
	}
	waypoint struct {
		Type       string      `yaml:"type"`
		Location   location    `yaml:"location"`
		Action     string      `yaml:"action"`
		Constraint *constraint `yaml:"constraint,omitempty"`
	}
	constraint struct {
		Value  string `yaml:"value"`
		Format string `yaml:"format,omitempty"`
	}
	location struct {
		File     string `yaml:"file_name"`
		Line     int    `yaml:"line"`
		Column   int    `yaml:"column,omitempty"`
		Function string `yaml:"function,omitempty"`
	}
	invariant struct {
		Type     string   `yaml:"type"`
		Location location `yaml:"location"`
		Value    string   `yaml:"value"`
		Format   string   `yaml:"format"`
	}
)

// ErrFormat is about a file that is no witness of version 2.
var ErrFormat = errors.New("no witness of format 2.0 or 2.1")

// MaxSize is how many bytes a witness may have.
const MaxSize = 16 << 20

// Read reads a witness. What it does not know it leaves out, since a witness
// is only a hint.
func Read(text []byte) (*Witness, error) {
	if len(text) > MaxSize {
		return nil, fmt.Errorf("%w: it has more than %d bytes", ErrFormat, MaxSize)
	}
	var entries []entry
	if err := yaml.Unmarshal(text, &entries); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrFormat, err)
	}
	w := &Witness{}
	for _, e := range entries {
		switch e.Type {
		case "violation_sequence":
			w.violation(e.Content)
		case "invariant_set":
			w.correctness(e.Content)
		}
	}
	if w.Segments == nil && w.Invariants == nil {
		return nil, ErrFormat
	}
	return w, nil
}

func (w *Witness) violation(list []content) {
	for _, c := range list {
		var segment []Waypoint
		for _, s := range c.Segment {
			x := Waypoint{Type: s.Waypoint.Type, At: Location(s.Waypoint.Location), Avoid: s.Waypoint.Action == "avoid"}
			if s.Waypoint.Constraint != nil {
				x.Value = s.Waypoint.Constraint.Value
			}
			segment = append(segment, x)
		}
		if segment != nil {
			w.Segments = append(w.Segments, segment)
		}
	}
}

func (w *Witness) correctness(list []content) {
	for _, c := range list {
		if i := c.Invariant; i != nil && (i.Format == "" || i.Format == "c_expression") {
			w.Invariants = append(w.Invariants, Invariant{Loop: i.Type == "loop_invariant", At: Location(i.Location), Value: i.Value})
		}
	}
}
