package witness

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/go-amend/amend/ir"
)

// A Task is what a witness is about.
type Task struct {
	Files         []*ir.File
	Specification string // "" for that no call of reach_error is reached
	Model         string // of data: LP64 (default) or ILP32
	Version       string // of amend, "" if it is not known
	Time          time.Time
}

// reachability is the specification of most programs.
const reachability = "G ! call(reach_error())"

// Write writes w. Its identifier depends on what it says alone, so that but for
// Time the same witness is the same bytes.
func (w *Witness) Write(out io.Writer, t *Task) error {
	e := entry{Type: "violation_sequence", Metadata: t.metadata()}
	for _, segment := range w.Segments {
		var c content
		for _, x := range segment {
			c.Segment = append(c.Segment, step{x.yaml()})
		}
		e.Content = append(e.Content, c)
	}
	if w.Segments == nil {
		e.Type = "invariant_set"
		for _, i := range w.Invariants {
			kind := "location_invariant"
			if i.Loop {
				kind = "loop_invariant"
			}
			e.Content = append(e.Content, content{Invariant: &invariant{kind, location(i.At), i.Value, "c_expression"}})
		}
	}
	text, err := yaml.Marshal([]entry{e})
	if err != nil {
		return err
	}
	e.Metadata.UUID = identifier(text)
	e.Metadata.Created = t.Time.UTC().Format(time.RFC3339)
	enc := yaml.NewEncoder(out)
	enc.SetIndent(2)
	if err := enc.Encode([]entry{e}); err != nil {
		return err
	}
	return enc.Close()
}

func (x *Waypoint) yaml() waypoint {
	out := waypoint{Type: x.Type, Location: location(x.At), Action: "follow"}
	if x.Avoid {
		out.Action = "avoid"
	}
	if x.Value != "" {
		out.Constraint = &constraint{Value: x.Value, Format: "c_expression"}
		switch x.Type {
		case "branching":
			out.Constraint.Format = ""
		case "function_return": // \result is an extension of C's expressions
			out.Constraint.Format = "ext_c_expression"
		}
	}
	return out
}

func (t *Task) metadata() metadata {
	m := metadata{Version: "2.0", Producer: producer{"amend", t.Version}, Task: task{
		Hashes: make(map[string]string), Specification: t.Specification, Model: t.Model, Language: "C",
	}}
	if m.Producer.Version == "" {
		m.Producer.Version = "unknown"
	}
	if m.Task.Specification == "" {
		m.Task.Specification = reachability
	}
	if m.Task.Model == "" {
		m.Task.Model = "LP64"
	}
	for _, f := range t.Files {
		sum := sha256.Sum256(f.Content)
		m.Task.Files = append(m.Task.Files, f.Name)
		m.Task.Hashes[f.Name] = hex.EncodeToString(sum[:])
	}
	return m
}

// identifier returns a UUID (version 8, of one's own making) for text.
func identifier(text []byte) string {
	b := sha256.Sum256(text)
	b[6] = b[6]&0x0f | 0x80
	b[8] = b[8]&0x3f | 0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[0:4], b[4:6], b[6:8], b[8:10], b[10:16])
}
