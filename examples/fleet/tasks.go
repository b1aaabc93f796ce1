package main

// What a fleet is asked about.

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// limits are those of one program.
type limits struct {
	Timeout time.Duration
	Mem     int // MiB
}

// A task is a question about one program. Runners send it from machine to
// machine.
type task struct {
	Program  string // a file, or the folder of a Go package
	Shard    string // K/N, a part of its search; "" for all of it
	Dir      string // where to ask
	Amend    string
	Command  string
	Flags    []string
	Limits   limits
	Attempts int
	Journal  string // "" for none
}

// commands are those that a program can be asked for.
var commands = []string{"check", "localize", "repair", "prove"}

// tasks returns the questions that a command line asks, by the programs' names.
func (o *options) tasks(args []string) ([]task, error) {
	if len(args) == 0 || !slices.Contains(commands, args[0]) {
		return nil, fmt.Errorf("want one of %s", strings.Join(commands, ", "))
	}
	flags, names := split(args[1:])
	if len(names) == 0 {
		return nil, errors.New("there is no program")
	}
	switch {
	case o.shards < 0:
		return nil, errors.New("-shards must not be negative")
	case o.shards > 0 && args[0] != "repair":
		return nil, errors.New("-shards is for repair")
	case o.shards > 0 && o.sarif != "":
		return nil, errors.New("-sarif: not with -shards")
	}
	if o.attempts < 1 || o.limits.Timeout <= 0 || o.limits.Mem <= 0 {
		return nil, errors.New("-attempts, -timeout and -mem must be positive")
	}
	dir, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	amend, err := o.command()
	if err != nil {
		return nil, err
	}
	programs, err := find(names)
	if err != nil {
		return nil, err
	}
	t := task{Dir: dir, Amend: amend, Command: args[0], Flags: flags, Limits: o.limits, Attempts: o.attempts}
	if o.journal != "" {
		if t.Journal, err = o.entries(&t, names); err != nil {
			return nil, err
		}
	}
	var tasks []task
	for _, p := range programs {
		t.Program = p
		tasks = append(tasks, t.parts(o.shards)...)
	}
	return tasks, nil
}

// split separates flags of amend from names of programs. The values of flags are
// in the same word, as in -size=2, or follow: names exist.
func split(args []string) (flags, names []string) {
	for _, a := range args {
		if _, err := os.Stat(strings.TrimSuffix(a, "...")); err == nil && !strings.HasPrefix(a, "-") {
			names = append(names, a)
		} else {
			flags = append(flags, a)
		}
	}
	return flags, names
}

// find returns the programs that names stand for, sorted: files as they are, of
// folders all sources below, and the packages below dir/... .
func find(names []string) ([]string, error) {
	var out []string
	for _, name := range names {
		root, packages := strings.CutSuffix(name, "...")
		info, err := os.Stat(root)
		if err != nil {
			return nil, err
		}
		if !info.IsDir() {
			out = append(out, name)
			continue
		}
		err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			base := d.Name()
			if d.IsDir() && path != root && (strings.HasPrefix(base, ".") || strings.HasPrefix(base, "_") || base == "testdata" || base == "vendor") {
				return filepath.SkipDir
			}
			switch ext := filepath.Ext(base); {
			case d.IsDir():
			case packages && strings.HasSuffix(base, ".go"):
				out = append(out, "."+string(filepath.Separator)+filepath.Dir(path))
			case !packages && (ext == ".c" || ext == ".ir" || ext == ".als"):
				out = append(out, path)
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	slices.Sort(out)
	out = slices.Compact(out)
	if len(out) == 0 {
		return nil, fmt.Errorf("there is no program in %s", strings.Join(names, " "))
	}
	return out, nil
}

// entries returns the folder of the journal for such questions: it is named
// after all that answers depend on, the command amend, the flags, and what is
// below names.
func (o *options) entries(t *task, names []string) (string, error) {
	h := sha256.New()
	fmt.Fprintf(h, "%q %q %v\n", t.Command, t.Flags, t.Limits)
	if err := digest(h, t.Amend); err != nil {
		return "", err
	}
	for _, name := range names {
		err := filepath.WalkDir(strings.TrimSuffix(name, "..."), func(path string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if d.IsDir() && d.Name() == ".git" {
				return filepath.SkipDir
			}
			if !d.Type().IsRegular() {
				return nil
			}
			return digest(h, path)
		})
		if err != nil {
			return "", err
		}
	}
	journal, err := filepath.Abs(o.journal)
	if err != nil {
		return "", err
	}
	journal = filepath.Join(journal, hex.EncodeToString(h.Sum(nil))[:32])
	return journal, os.MkdirAll(journal, 0o777)
}

// digest adds a file's name and content.
func digest(w io.Writer, name string) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return err
	}
	fmt.Fprintf(w, "%q %x\n", name, h.Sum(nil))
	return nil
}
