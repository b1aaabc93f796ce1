package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strconv"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/interp"
	"github.com/go-amend/amend/ssa"
)

// kept reads the file that -keep names: JSON Lines, each an object of names
// and values of inputs, or an event that has one in its field inputs. Other
// events are passed over.
func (c *command) kept(ctx context.Context, p *ir.Program) ([]ssa.Model, error) {
	if c.keep == "" {
		return nil, nil
	}
	content, err := os.ReadFile(c.keep)
	if err != nil {
		return nil, &ir.Error{Span: ir.Span{File: c.keep}, Msg: reasonOf(err)}
	}
	var models []ssa.Model
	for i, line := range bytes.Split(content, []byte("\n")) {
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		at := ir.Span{File: c.keep, Line: i + 1, Col: 1}
		values, err := keptLine(line)
		if err != nil {
			return nil, &ir.Error{Span: at, Msg: err.Error()}
		}
		if values == nil {
			continue
		}
		m, err := c.keptModel(ctx, p, values)
		if err != nil {
			return nil, &ir.Error{Span: at, Msg: err.Error()}
		}
		models = append(models, m)
	}
	return models, nil
}

// keptLine returns the inputs that a line states, nil if it is about
// something else.
func keptLine(line []byte) (map[string]uint64, error) {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(line, &fields); err != nil {
		return nil, fmt.Errorf("not an object of names and values: %w", err)
	}
	if inputs, ok := fields["inputs"]; ok {
		return keptLine(inputs)
	}
	if fields["event"] != nil {
		return nil, nil
	}
	values := make(map[string]uint64)
	for name, raw := range fields {
		text := string(bytes.Trim(raw, `"`))
		v, err := strconv.ParseInt(text, 10, 64)
		values[name] = uint64(v)
		if err != nil {
			if values[name], err = strconv.ParseUint(text, 10, 64); err != nil {
				return nil, fmt.Errorf("%s: %s is no number", name, text)
			}
		}
	}
	return values, nil
}

// keptModel returns the input with these values, as the original's run reads
// it.
func (c *command) keptModel(ctx context.Context, p *ir.Program, values map[string]uint64) (ssa.Model, error) {
	names := newNamer(p)
	read := make(map[string]bool)
	t, err := interp.Run(ctx, p, interp.Config{Unwind: c.unwind, MaxSteps: -1, NoSteps: true, Input: func(ch ir.Choice) uint64 {
		name := names.unique(ch)
		read[name] = true
		return values[name]
	}})
	if err != nil {
		return nil, err
	}
	if t.Outcome != interp.Ended {
		return nil, fmt.Errorf("nothing to keep: the run on this input is %v, not ended", t.Outcome)
	}
	var unread []string
	for name := range values {
		if !read[name] {
			unread = append(unread, name)
		}
	}
	if len(unread) > 0 {
		slices.Sort(unread)
		return nil, fmt.Errorf("the run on this input doesn't read %s", unread[0])
	}
	m := make(ssa.Model)
	for _, in := range t.Inputs {
		m[in.Choice] = in.Value
	}
	return m, nil
}
