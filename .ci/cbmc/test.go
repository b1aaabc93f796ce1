package main

// One test: what its description says, and what the command answers.

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// A test is a description: a tag, the main file, options, and lines that the
// output must have, up to one that is --.
type test struct {
	folder, tag, main string
	options           []string
	verdict           string // holds, violated, rejected (no C) or nothing
}

func readTest(file string) (*test, error) {
	content, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	lines := strings.Split(string(content), "\n")
	for len(lines) < 4 {
		lines = append(lines, "")
	}
	tag, _, _ := strings.Cut(strings.TrimSpace(lines[0]), " ")
	t := &test{folder: filepath.Dir(file), tag: tag, main: strings.TrimSpace(lines[1]), options: strings.Fields(lines[2])}
	for _, l := range lines[3:] {
		switch {
		case l == "--":
			return t, nil
		case strings.Contains(l, "VERIFICATION SUCCESSFUL"):
			t.verdict = "holds"
		case strings.Contains(l, "VERIFICATION FAILED"):
			t.verdict = "violated"
		case t.verdict == "":
			t.verdict = exits[l]
		}
	}
	return t, nil
}

// exits are the verdicts of those that say no more than the exit status.
var exits = map[string]string{"^EXIT=0$": "holds", "^EXIT=10$": "violated", "^EXIT=6$": "rejected"}

// A bound is how often to unwind, and how long arrays of computed length may be.
type bound struct{ unwind, length int }

// bounds are those if the test doesn't say one: each if the one before leaves runs
// out.
var bounds = []bound{{10, 16}, {35, 16}, {130, 300}}

// run returns the result and, if there is one, the reason.
func (t *test) run(command string) (result, reason string) {
	if t.verdict == "" {
		return "skipped", "no verdict"
	}
	if !strings.HasSuffix(t.main, ".c") && !strings.HasSuffix(t.main, ".i") {
		return "skipped", "main file"
	}
	o, err := translate(t.options)
	if err != nil {
		return "skipped", err.Error()
	}
	o.files = append([]string{t.main}, o.files...)
	tries := bounds
	if o.unwind > 0 {
		tries = []bound{{o.unwind, 16}, {o.unwind, 300}}
	}
	var a answer
	for _, n := range tries {
		if a = t.ask(command, o, n); a.status != "holds" || a.complete {
			break
		}
	}
	a.complete = a.complete || o.within && t.verdict == "holds"
	if a.status == "holds" && a.endless && o.unwind > 0 && !o.within && t.verdict == "violated" {
		return "right", "" // it is an assertion there that a loop ends within the bound
	}
	return t.judge(a)
}

func (t *test) judge(a answer) (result, reason string) {
	switch {
	case t.verdict == "rejected" && a.rejected:
		return "right", ""
	case t.verdict == "rejected" && a.status != "":
		return "skipped", "C that CBMC alone rejects"
	case a.status == "holds" && !a.complete:
		return "bounded", ""
	case a.status == t.verdict:
		return "right", ""
	case a.status == "holds", a.status == "violated":
		return "wrong", filepath.Base(t.folder) + " " + a.status
	case a.reason != "":
		return "unsupported", a.reason
	}
	return "none", ""
}

// An answer is what the command says.
type answer struct {
	status   string
	complete bool
	endless  bool   // among what is complete
	reason   string // of the first error
	rejected bool   // that error is about the program, not about what is supported
}

// ask runs the command on the test.
func (t *test) ask(command string, o options, most bound) (a answer) {
	args := []string{"check", "-json", "-all", "-unwind", strconv.Itoa(most.unwind), "-len", strconv.Itoa(most.length), "-checks", o.checks, "-timeout", "10s", "-mem", "3000"}
	if o.entry != "" {
		args = append(args, "-entry", o.entry)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, command, append(append(args, o.extra...), o.files...)...)
	cmd.Dir = t.folder
	var failed bytes.Buffer
	cmd.Stderr = &failed
	out, err := cmd.Output()
	if exit := new(exec.ExitError); err != nil && !errors.As(err, &exit) {
		return answer{reason: err.Error()}
	}
	if bytes.Contains(failed.Bytes(), []byte("goroutine ")) {
		return answer{reason: "crash"}
	}
	for l := range bytes.SplitSeq(out, []byte("\n")) {
		a.read(l)
	}
	return a
}

var detail = regexp.MustCompile(` \([^()]*\)$|"[^"]*"|[0-9]+`)

// read takes in a line of the command's output.
func (a *answer) read(line []byte) {
	var e struct {
		Event, Status, Text string
		Complete, Endless   bool
	}
	if json.Unmarshal(line, &e) != nil {
		return
	}
	switch {
	case e.Event == "done":
		a.status, a.complete, a.endless = e.Status, e.Complete, e.Endless
	case e.Event == "error" && a.reason == "":
		a.rejected = !strings.Contains(e.Text, "unsupported: ")
		a.reason = detail.ReplaceAllString(strings.TrimPrefix(e.Text, "unsupported: "), "")
	}
}
