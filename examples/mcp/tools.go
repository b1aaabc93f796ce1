package main

// The tools: what may be asked, and what is answered.

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/go-amend/amend/examples/client"
)

// A program is what a question is about.
type program struct {
	File string `json:"file,omitempty" jsonschema:"a source file (.c, .go, .ir or an Alloy model .als) or a folder with a Go package, relative to the root"`
	Text string `json:"text,omitempty" jsonschema:"the source itself, instead of a file; results call it text.c or the like"`
	Lang string `json:"language,omitempty" jsonschema:"what text is: c (default), go, ir or als"`

	Entry   string  `json:"entry,omitempty" jsonschema:"the function that a run calls, main by default; its parameters are inputs; of a model the command"`
	Unwind  int     `json:"unwind,omitempty" jsonschema:"at most so many executions of a loop body, and nested recursive calls (5 by default)"`
	Len     int     `json:"len,omitempty" jsonschema:"at most so many elements of slices, strings and arrays that are inputs"`
	Checks  string  `json:"checks,omitempty" jsonschema:"kinds of operations to check besides assertions, joined by commas: bounds, div, nil, shift, overflow, conversion, leak, race, ... or none"`
	Run     string  `json:"run,omitempty" jsonschema:"the tests and fuzz targets of a Go package that match this pattern"`
	Seconds float64 `json:"seconds,omitempty" jsonschema:"stop after so many seconds, with what was found"`
}

// A repairQuestion is a program and what may change in it.
type repairQuestion struct {
	program
	Scheme string `json:"scheme,omitempty" jsonschema:"what may change, joined by commas: level1, level2 (default), operators, variables, constants, conditions, statements, linear, locks, calls, memory or all"`
	Size   int    `json:"size,omitempty" jsonschema:"at most so many changes in one repair (1 by default)"`
	Max    int    `json:"max,omitempty" jsonschema:"stop after so many repairs; all by default"`
	Hard   string `json:"hard,omitempty" jsonschema:"what must not change: regular expressions over names of functions, or file:line, joined by commas"`
}

// A localizeQuestion is a program and how to look for the fault.
type localizeQuestion struct {
	program
	Method string `json:"method,omitempty" jsonschema:"fosfl (default: every repair of this run that changes expressions changes one of these), nearest, diag, ..."`
}

// An answer is what tools answer, but explain.
type answer struct {
	Status string `json:"status" jsonschema:"check: holds, violated; localize: localized; repair: correct, repaired, none; prove: proved, violated; any: unknown, or error of bad input"`
	Reason string `json:"reason,omitempty" jsonschema:"why status is unknown"`

	// As the command prints them: examples/formats/events.schema.json.
	Events []map[string]any `json:"events" jsonschema:"what was found: violation, location, repair, error and at last done; lines and columns count from 1"`
}

// protocol returns what speaks with a client.
func (s *server) protocol() *mcp.Server {
	p := mcp.NewServer(&mcp.Implementation{Name: "amend", Title: "amend: faults, repairs and proofs", Version: "0.1.0"}, &mcp.ServerOptions{
		Instructions: "Asks a checker of C, Go and Alloy programs with assertions. A violation was replayed, a repair was proved within the bounds that its proof says (tested: by running tests), proved is for every bound. unknown and error say nothing about the program.",
	})
	add(p, s, "check", "Does a run of the program violate an assertion or a check, within the bound? Answers with the inputs of a failing run, which was replayed.", func(q *program) (*program, []string) { return q, nil })
	add(p, s, "localize", "Where can a fix of a failing run touch the source?", func(q *localizeQuestion) (*program, []string) {
		return &q.program, flags("method", q.Method)
	})
	add(p, s, "repair", "All minimal sets of changes that make every run within the bound right, each proved, as edits of the source. Nothing is written.", func(q *repairQuestion) (*program, []string) {
		return &q.program, flags("scheme", q.Scheme, "size", number(q.Size), "max", number(q.Max), "hard", q.Hard)
	})
	add(p, s, "prove", "Does the program hold for every bound? The proof is checked before it is announced.", func(q *program) (*program, []string) { return q, nil })
	mcp.AddTool(p, tool("explain", "Why does the program fail? In words: a failing run, and the places that a fix must touch."),
		func(ctx context.Context, _ *mcp.CallToolRequest, q program) (*mcp.CallToolResult, any, error) {
			text, err := s.explain(ctx, &q)
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}}, nil, err
		})
	return p
}

// tool describes a tool that changes nothing.
func tool(name, what string) *mcp.Tool {
	no := false
	return &mcp.Tool{Name: name, Description: what, Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true, IdempotentHint: true, OpenWorldHint: &no}}
}

// add adds the tool that asks the command of that name. part returns what a
// question is about, and the flags that the others don't have.
func add[Q any](p *mcp.Server, s *server, command, what string, part func(*Q) (*program, []string)) {
	mcp.AddTool(p, tool(command, what), func(ctx context.Context, _ *mcp.CallToolRequest, q Q) (*mcp.CallToolResult, *answer, error) {
		of, more := part(&q)
		a, err := s.ask(ctx, command, of, more)
		if err != nil {
			return nil, nil, err
		}
		out, err := answerOf(a)
		return &mcp.CallToolResult{IsError: a.Status == "error"}, out, err
	})
}

func answerOf(a *client.Answer) (*answer, error) {
	out := &answer{Status: a.Status, Reason: a.Reason, Events: make([]map[string]any, len(a.Events))}
	for i, e := range a.Events {
		if err := json.Unmarshal(e, &out.Events[i]); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func (s *server) ask(ctx context.Context, command string, q *program, more []string) (*client.Answer, error) {
	var a *client.Answer
	err := s.run(ctx, command, q, func(c client.Client, args []string) (err error) {
		a, err = c.Ask(ctx, command, slices.Concat(more, args)...)
		return err
	})
	return a, err
}

// explain returns what the command tells people of a failing run and of where to
// fix it.
func (s *server) explain(ctx context.Context, q *program) (string, error) {
	var text strings.Builder
	err := s.run(ctx, "check", q, func(c client.Client, args []string) error {
		found, err := c.Text(ctx, "check", args...)
		text.WriteString(found)
		return err
	})
	if err != nil {
		return "", err
	}
	err = s.run(ctx, "localize", q, func(c client.Client, args []string) error {
		a, err := c.Ask(ctx, "localize", args...)
		if err != nil || a.Status != "localized" {
			return err
		}
		found, err := c.Text(ctx, "localize", args...)
		text.WriteString("\n" + found)
		return err
	})
	return text.String(), err
}

// run calls f with the arguments of a question, when it is its turn.
func (s *server) run(ctx context.Context, command string, q *program, f func(c client.Client, args []string) error) error {
	select {
	case s.turns <- struct{}{}:
		defer func() { <-s.turns }()
	case <-ctx.Done():
		return ctx.Err()
	}
	c := s.amend
	if q.Seconds < 0 {
		return errors.New("seconds must not be negative")
	}
	if limit := time.Duration(q.Seconds * float64(time.Second)); 0 < limit && limit < c.Timeout {
		c.Timeout = limit
	}
	name, err := s.name(q)
	if err != nil {
		return err
	}
	if q.Text != "" {
		dir, err := os.MkdirTemp("", "amend")
		if err != nil {
			return err
		}
		defer os.RemoveAll(dir)
		if err := writeText(dir, name, q.Text); err != nil {
			return err
		}
		c.Dir = dir
	}
	args := flags("entry", q.Entry, "unwind", number(q.Unwind), "len", number(q.Len), "checks", q.Checks, "run", q.Run)
	if (command == "repair" || command == "localize") && !s.runTests && isGo(name) {
		args = append(args, "-oracle=formula")
	}
	return f(c, append(args, name))
}

// name returns the file to give to the command, in the folder where it runs.
func (s *server) name(q *program) (string, error) {
	switch {
	case (q.File == "") == (q.Text == ""):
		return "", errors.New("give either file or text")
	case q.Text != "":
		lang := cmp.Or(q.Lang, "c")
		if !slices.Contains([]string{"c", "go", "ir", "als"}, lang) {
			return "", fmt.Errorf("language %q: want c, go, ir or als", lang)
		}
		return "text." + lang, nil
	case !filepath.IsLocal(q.File):
		return "", fmt.Errorf("%s is not below the root", q.File)
	}
	if _, err := s.files.Stat(q.File); err != nil {
		return "", err
	}
	if name := filepath.Clean(q.File); filepath.Ext(name) != "" && !strings.HasPrefix(name, "-") {
		return name, nil
	}
	return "." + string(filepath.Separator) + filepath.Clean(q.File), nil // a package, or no flag
}

// writeText writes text into a folder of its own: of Go, a module.
func writeText(dir, name, text string) error {
	if isGo(name) {
		if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module text\n\ngo 1.26\n"), 0o600); err != nil {
			return err
		}
	}
	return os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600)
}

// isGo reports whether a file, or folder, is of Go.
func isGo(name string) bool {
	ext := filepath.Ext(name)
	return ext != ".c" && ext != ".h" && ext != ".i" && ext != ".ir" && ext != ".als"
}

// flags returns the flags that have a value, in one word each: nothing that a
// client sends is a flag of its own.
func flags(pairs ...string) []string {
	var out []string
	for i := 0; i < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			out = append(out, "-"+pairs[i]+"="+pairs[i+1])
		}
	}
	return out
}

// number returns n as a flag has it; 0 stands for the default.
func number(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}
