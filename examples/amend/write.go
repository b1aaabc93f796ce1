package main

// Writing repairs into the user's files, for -write. A file holds its old
// text or all of the new one, whenever the process or the machine stops: the
// new text goes to a temporary file in the same folder, onto the disk, and
// then takes the place of the old one.
//
// Symbolic links stay, and mean the new text. Mode is kept, and owner where
// the system lets us. Other hard links of the file keep the old text: no write
// that leaves them is atomic.

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/go-amend/amend/ir"
)

// A rewrite is a file that is to get another text.
type rewrite struct {
	name     string // as the user says
	path     string // without symbolic links
	old, new []byte
	temp     string // holds new; "" if there is none
}

// writeFiles writes those files that a patch changed. All that can be found
// out before is, so that it writes all or none but where a rename fails.
func writeFiles(old, patched []*ir.File) error {
	var todo []*rewrite
	defer func() {
		for _, w := range todo {
			w.discard()
		}
	}()
	for i, f := range patched {
		if bytes.Equal(old[i].Content, f.Content) {
			continue
		}
		w := &rewrite{name: f.Name, old: old[i].Content, new: f.Content}
		todo = append(todo, w)
		if err := w.prepare(); err != nil {
			return w.failed(err)
		}
	}
	for _, w := range todo {
		if err := w.commit(); err != nil {
			return w.failed(err)
		}
	}
	return nil
}

func (w *rewrite) failed(err error) error {
	if e, ok := errors.AsType[*os.LinkError](err); ok {
		err = e.Err
	}
	return &ir.Error{Span: ir.Span{File: w.name}, Msg: "-write: " + reasonOf(err)}
}

var (
	errChanged   = errors.New("the file has changed since it was read; nothing was written")
	errGenerated = errors.New("the file is generated (Code generated … DO NOT EDIT.): change what it is made from")
	errNoFile    = errors.New("not a regular file")
)

// prepare writes the new text beside the file.
func (w *rewrite) prepare() (err error) {
	if w.path, err = filepath.EvalSymlinks(w.name); err != nil {
		return err
	}
	info, err := os.Stat(w.path)
	switch {
	case err != nil:
		return err
	case !info.Mode().IsRegular():
		return errNoFile
	case generated(w.old):
		return errGenerated
	}
	if err := w.unchanged(); err != nil {
		return err
	}
	// To replace a file takes the right to write the folder: ask for that to
	// write the file too.
	f, err := os.OpenFile(w.path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	f.Close()
	return w.fill(info)
}

// fill makes the temporary file.
func (w *rewrite) fill(info fs.FileInfo) error {
	t, err := os.CreateTemp(filepath.Dir(w.path), "."+filepath.Base(w.path)+".*")
	if err != nil {
		return err
	}
	w.temp = t.Name()
	_, err = t.Write(w.new)
	if err == nil {
		keepOwner(t, info) // before the mode: to change the owner may change that
		err = t.Chmod(info.Mode())
	}
	if err == nil {
		err = t.Sync()
	}
	return errors.Join(err, t.Close())
}

// unchanged reports an error if the file is not what was read.
func (w *rewrite) unchanged() error {
	now, err := os.ReadFile(w.path)
	if err == nil && !bytes.Equal(now, w.old) {
		err = errChanged
	}
	return err
}

// commit puts the temporary file in the place of the file. What another
// process writes between the last look and the rename is lost.
func (w *rewrite) commit() error {
	if err := w.unchanged(); err != nil {
		return err
	}
	if err := os.Rename(w.temp, w.path); err != nil {
		return err
	}
	w.temp = ""
	if d, err := os.Open(filepath.Dir(w.path)); err == nil { // the rename itself; not all systems can
		d.Sync()
		d.Close()
	}
	return nil
}

func (w *rewrite) discard() {
	if w.temp != "" {
		os.Remove(w.temp)
	}
}

var generatedLine = regexp.MustCompile(`^(//|/\*|--|\*)?\s*Code generated .* DO NOT EDIT\.\s*(\*/)?$`)

// generated reports whether text says, in the comments that it begins with,
// that a program wrote it.
func generated(text []byte) bool {
	inside := false // of a comment of several lines
	for line := range strings.Lines(strings.TrimPrefix(string(text), "\ufeff")) {
		line = strings.TrimSpace(line)
		comment := inside || line == "" || strings.HasPrefix(line, "//") || strings.HasPrefix(line, "--") || strings.HasPrefix(line, "/*")
		switch {
		case !comment:
			return false
		case generatedLine.MatchString(line):
			return true
		}
		if inside || strings.HasPrefix(line, "/*") {
			inside = !strings.Contains(line, "*/")
		}
	}
	return false
}
