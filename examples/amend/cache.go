package main

// Answers that are kept, for -cache: what a command line printed and wrote, under
// all that it depends on: this program, the flags, and the contents of what it
// reads. What depends on more, or writes into the program, is not kept.

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/alloy"
	"github.com/go-amend/amend/ir/gofront"
)

// An answer is what a command line printed and wrote.
type answer struct {
	Status         int
	Stdout, Stderr []byte
	Files          map[string][]byte // by flag
}

// outputs are the flags that name files to write.
func (o *options) outputs() map[string]string {
	named := map[string]string{
		"html": o.html, "sarif": o.sarif, "junit": o.junit, "svg": o.svg, "replay": o.replay, "write-witness": o.writeWitness, "annotate": o.annotate,
	}
	for name, file := range named {
		if file == "" {
			delete(named, name)
		}
	}
	return named
}

// keeps reports whether an answer depends on nothing that isn't known: a
// run of the user's tests, or another solver, may be another one each time, and so may be
// what earlier proofs help to.
func (o *options) keeps() bool {
	toolchain := o.oracle == goOracle || o.oracle == autoOracle && o.isGo() && o.command != "check"
	return o.cache != "" && !o.write && !o.writeCorpus && !o.writeTest && !o.verbose && !toolchain &&
		o.reuse == "" && o.save == "" && (o.solver == ownSolver || o.solver == giniSolver)
}

// isGo reports whether the files are Go packages.
func (o *options) isGo() bool {
	ext, err := ending(o.files[0])
	return err == nil && ext == ".go"
}

// executeKept is execute, or what it printed and wrote when it was asked before.
func executeKept(ctx context.Context, o *options, stdout, stderr io.Writer) int {
	read, err := o.contents()
	question, err2 := o.question()
	if err != nil || err2 != nil { // the program isn't one: execute says why
		return newCommand(o, stdout, stderr).execute(ctx)
	}
	name := filepath.Join(o.cache, "answers", sumOf([]byte(question+read)))
	if a := readAnswer(name); a != nil && a.write(o) == nil {
		stderr.Write(a.Stderr)
		stdout.Write(a.Stdout)
		return a.Status
	}
	if o.command == "prove" {
		o.save = filepath.Join(o.cache, "proofs") + "/"
	}
	var out, complaints bytes.Buffer
	were := o.written()
	c := newCommand(o, stdout, stderr)
	c.stdout.copy, c.stderr.copy = &out, &complaints
	status := c.execute(ctx)
	if *c.stopped || ctx.Err() != nil || status == 2 {
		return status
	}
	if again, err := o.contents(); err != nil || again != read {
		return status // somebody wrote them meanwhile: nobody knows what was read
	}
	a := &answer{Status: status, Stdout: out.Bytes(), Stderr: complaints.Bytes(), Files: make(map[string][]byte)}
	for flag, is := range o.written() {
		if is == were[flag] {
			continue // an older file
		}
		if text, err := os.ReadFile(o.outputs()[flag]); err == nil {
			a.Files[flag] = text
		}
	}
	if err := a.keep(name); err != nil {
		fmt.Fprintf(stderr, "amend: -cache: %v\n", err)
	}
	return status
}

// written says of each file to write which one is there: when it was written and how
// long it is.
func (o *options) written() map[string]string {
	out := make(map[string]string)
	for flag, file := range o.outputs() {
		if info, err := os.Stat(file); err == nil {
			out[flag] = fmt.Sprint(info.ModTime().UnixNano(), info.Size())
		}
	}
	return out
}

// question is what is asked, and who answers it.
func (o *options) question() (string, error) {
	var h strings.Builder
	tool, err := hashOfTool()
	if err != nil {
		return "", err
	}
	o.tool = tool
	fmt.Fprintln(&h, tool)
	outputs := o.outputs()
	o.flags.VisitAll(func(f *flag.Flag) {
		value := f.Value.String()
		switch {
		case f.Name == "cache" || f.Name == "j":
			return
		case outputs[f.Name] != "": // wherever that is
			value = filepath.Ext(value)
		}
		fmt.Fprintf(&h, "%s %q %v\n", f.Name, value, o.given[f.Name]) // a default that is given may mean more
	})
	fmt.Fprintf(&h, "%s %q %q %q %q %q\n", o.command, o.target, o.files, o.define, o.include, o.before)
	return h.String(), nil
}

// contents are the names and hashes of what the command reads.
func (o *options) contents() (string, error) {
	var h strings.Builder
	files, environment, err := o.reads()
	if err != nil {
		return "", err
	}
	fmt.Fprintf(&h, "%s\n", environment)
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&h, "%s %x\n", relative(f), sha256.Sum256(text))
	}
	return h.String(), nil
}

// testKey is the file that says how the test ended whose program is p, if it held or
// was not decided in its time; "" if nobody keeps that. Where its code stands makes no
// difference: a failing run says where, and is looked for again.
func (c *command) testKey(p *ir.Program) string {
	if c.tool == "" {
		return ""
	}
	h := sha256.New()
	fmt.Fprintf(h, "%s %d %v %s %v\n%s", c.tool, c.unwind, c.spurious, c.solver, c.certify, p)
	return filepath.Join(c.cache, "tests", hex.EncodeToString(h.Sum(nil)))
}

// What such a file may say.
const (
	heldWholly = "holds\n"
	heldWithin = "holds within bounds\n"
	timedOut   = "not decided within 10 s\n" // which is perTest
)

// endedBefore is how the test ended whose key is name, if that is known.
func endedBefore(name string) (d *done, known bool, err error) {
	text, err := os.ReadFile(name)
	if name == "" || err != nil {
		return nil, false, nil
	}
	switch string(text) {
	case heldWholly, heldWithin:
		return &done{Status: "holds", Complete: string(text) == heldWholly}, true, nil
	case timedOut:
		return &done{}, true, errDeadline
	}
	return nil, false, nil
}

// keepEnd notes how the test ended whose key is name. What can't be kept is asked
// again.
func keepEnd(name string, complete, late bool) {
	text := heldWithin
	switch {
	case late:
		text = timedOut
	case complete:
		text = heldWholly
	}
	if name != "" {
		_ = writeWhole(name, []byte(text))
	}
}

// relative is file as seen from here, if it is below: the same module elsewhere has
// the same answers.
func relative(file string) string {
	here, err := os.Getwd()
	if err != nil {
		return file
	}
	if rel, err := filepath.Rel(here, file); err == nil && !strings.HasPrefix(rel, "..") {
		return rel
	}
	return file
}

// hashOfTool is that of the program that is running.
func hashOfTool() (string, error) {
	name, err := os.Executable()
	if err != nil {
		return "", err
	}
	f, err := os.Open(name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	_, err = io.Copy(h, f)
	return hex.EncodeToString(h.Sum(nil)), err
}

// reads lists the files that the command reads, and what else says what it makes of
// them.
func (o *options) reads() (files []string, environment string, err error) {
	for _, name := range []string{o.keep, o.property, o.witness} {
		if name != "" {
			files = append(files, name)
		}
	}
	switch ext, err := languageOf(o.files); {
	case err != nil:
		return nil, "", err
	case ext == ".go":
		list, environment, err := gofront.Inputs("", o.files...)
		return append(files, list...), environment, err
	case ext == ".als":
		list, err := o.modules()
		return append(files, list...), "", err
	case ext == ".c":
		f, err := readFiles(slices.Concat(o.files, o.before))
		if err != nil {
			return nil, "", err
		}
		for _, f := range withHeaders(f, o.include) {
			files = append(files, f.Name)
		}
		return files, "", nil
	}
	return append(files, o.files...), "", nil
}

// modules lists the model's file and those that it opens.
func (o *options) modules() ([]string, error) {
	files := []string{o.files[0]}
	text, err := os.ReadFile(o.files[0])
	if err != nil {
		return nil, err
	}
	cfg := alloy.Config{Open: func(path string) (string, []byte, error) {
		name, text, err := openModule(o.files[0], o.include, path)
		if err == nil {
			files = append(files, name)
		}
		return name, text, err
	}}
	_, err = cfg.Parse(o.files[0], text)
	return files, err
}

// readAnswer returns the answer in the file called name, nil if there is none that is
// whole.
func readAnswer(name string) *answer {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil
	}
	sum, body, _ := bytes.Cut(text, []byte("\n"))
	a := &answer{}
	if string(sum) != sumOf(body) || json.Unmarshal(body, a) != nil {
		return nil
	}
	return a
}

func sumOf(body []byte) string {
	sum := sha256.Sum256(body)
	return hex.EncodeToString(sum[:])
}

// keep writes a to the file called name, all of it or nothing.
func (a *answer) keep(name string) error {
	body, err := json.Marshal(a)
	if err != nil {
		return err
	}
	return writeWhole(name, append([]byte(sumOf(body)+"\n"), body...))
}

// writeWhole writes text to the file called name, which nobody sees half written.
func writeWhole(name string, text []byte) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(name), ".new-*")
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}

// write writes the files that the command line names.
func (a *answer) write(o *options) error {
	for flag, file := range o.outputs() {
		text, has := a.Files[flag]
		if !has {
			continue // nothing was to be written
		}
		if err := os.WriteFile(file, text, 0o644); err != nil {
			return err
		}
	}
	return nil
}
