package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"slices"

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
	names := ir.NewNames(p)
	var models []ssa.Model
	for i, line := range bytes.Split(content, []byte("\n")) {
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		at := ir.Span{File: c.keep, Line: i + 1, Col: 1}
		input, err := keptLine(line)
		if err != nil {
			return nil, &ir.Error{Span: at, Msg: err.Error()}
		}
		if input == nil {
			continue
		}
		m, err := c.keptModel(ctx, p, names, input)
		if err != nil {
			return nil, &ir.Error{Span: at, Msg: err.Error()}
		}
		models = append(models, m)
	}
	return models, nil
}

// keptLine returns the inputs that a line states, nil if it is about
// something else.
func keptLine(line []byte) ([]byte, error) {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(line, &fields); err != nil {
		return nil, fmt.Errorf("not an object of names and values: %w", err)
	}
	if inputs, ok := fields["inputs"]; ok {
		return inputs, nil
	}
	if fields["event"] != nil {
		return nil, nil
	}
	return line, nil
}

// keptModel returns an input in the words of JSON as the original's run reads
// it.
func (c *command) keptModel(ctx context.Context, p *ir.Program, names *ir.Names, text []byte) (ssa.Model, error) {
	input, err := names.UnmarshalInput(text)
	if err != nil {
		return nil, err
	}
	t, err := interp.Run(ctx, p, interp.Config{Unwind: c.unwind, MaxSteps: -1, NoSteps: true, Input: ssa.Model(input).Input})
	if err != nil {
		return nil, err
	}
	if t.Outcome != interp.Ended {
		return nil, fmt.Errorf("nothing to keep: the run on this input is %v, not ended", t.Outcome)
	}
	m := make(ssa.Model)
	for _, in := range t.Inputs {
		m[in.Choice] = in.Value
		delete(input, in.Choice)
	}
	var unread []string
	for choice := range input {
		unread = append(unread, names.Name(choice))
	}
	if len(unread) > 0 {
		return nil, fmt.Errorf("the run on this input doesn't read %s", slices.Min(unread))
	}
	return m, nil
}
