// Package client runs the command amend in a process of its own and reads what
// it prints: for servers that ask it about other people's programs, and must
// outlive each of them.
package client

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"
)

// A Client says how processes are run. The zero value runs the command amend that
// PATH names, in the present folder and without limits. It may be used by several
// goroutines.
type Client struct {
	Path string // of the command; "" is amend
	Dir  string // in which it runs

	// Limits of each process; 0 is none. What was found in time is kept.
	Timeout time.Duration
	Mem     int // MiB
}

// An Answer is what one command line led to.
type Answer struct {
	// Events are the lines of JSON, as examples/formats/events.schema.json has
	// them. The last one says done, unless Status is "error".
	Events []json.RawMessage

	// Status is that of the last event, or "error" of input that can't be used
	// as it is, for which Problems says why.
	Status   string
	Reason   string // why Status is "unknown"
	Problems []Problem
}

// A Problem is something wrong with the input: File, Line and Col may be zero.
type Problem struct {
	File      string
	Line, Col int
	Text      string
}

func (p Problem) String() string {
	switch {
	case p.File == "":
		return p.Text
	case p.Line == 0:
		return p.File + ": " + p.Text
	}
	return fmt.Sprintf("%s:%d:%d: %s", p.File, p.Line, p.Col, p.Text)
}

// Ask runs the command, such as check, with args. Names of files that may begin
// with a dash are the caller's care. An error says that there is no answer: the
// command could not be started, or broke off, or ctx ended.
func (c Client) Ask(ctx context.Context, command string, args ...string) (*Answer, error) {
	out, _, err := c.run(ctx, append([]string{command, "-json"}, args...))
	if err != nil {
		return nil, err
	}
	a := &Answer{Status: "error"}
	for line := range bytes.Lines(out) {
		if err := a.event(bytes.TrimSpace(line)); err != nil {
			return nil, err
		}
	}
	if a.Status == "error" && a.Problems == nil {
		return nil, fmt.Errorf("%s %s said nothing", c.path(), command)
	}
	return a, nil
}

// Text is Ask for people: it returns what the command prints, and what is wrong
// with the input.
func (c Client) Text(ctx context.Context, command string, args ...string) (string, error) {
	out, problems, err := c.run(ctx, append([]string{command}, args...))
	return string(out) + string(problems), err
}

// event adds a line of JSON.
func (a *Answer) event(line []byte) error {
	if len(line) == 0 {
		return nil
	}
	var e struct {
		Event, Status, Reason string
		Problem
	}
	if err := json.Unmarshal(line, &e); err != nil {
		return fmt.Errorf("what amend prints is no JSON: %w", err)
	}
	a.Events = append(a.Events, bytes.Clone(line))
	switch e.Event {
	case "done":
		a.Status, a.Reason = e.Status, e.Reason
	case "error":
		a.Problems = append(a.Problems, e.Problem)
	}
	return nil
}

// grace is how long a process that was asked to end may take.
const grace = 5 * time.Second

// run returns what a command line prints on standard output and on standard error.
func (c Client) run(ctx context.Context, args []string) (stdout, stderr []byte, err error) {
	if c.Timeout > 0 {
		args = append([]string{args[0], "-timeout", c.Timeout.String()}, args[1:]...)
		var cancel func()
		ctx, cancel = context.WithTimeout(ctx, c.Timeout+2*grace)
		defer cancel()
	}
	if c.Mem > 0 {
		args = append([]string{args[0], "-mem", strconv.Itoa(c.Mem)}, args[1:]...)
	}
	p := exec.CommandContext(ctx, c.path(), args...)
	p.Dir = c.Dir
	p.Cancel = func() error { return p.Process.Signal(os.Interrupt) }
	p.WaitDelay = grace
	var out, problems bytes.Buffer
	p.Stdout, p.Stderr = &out, &problems
	err = p.Run()
	if e, ok := errors.AsType[*exec.ExitError](err); ok && 1 <= e.ExitCode() && e.ExitCode() <= 3 {
		err = nil // it says why
	}
	if end := context.Cause(ctx); end != nil {
		return nil, nil, end
	}
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w%s", c.path(), err, said(problems.String()))
	}
	return out.Bytes(), problems.Bytes(), nil
}

func (c Client) path() string { return cmp.Or(c.Path, "amend") }

// said returns the first line of text, after a colon.
func said(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	if line == "" {
		return ""
	}
	return ": " + line
}
