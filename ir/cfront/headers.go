package cfront

// The file system that #include sees: the program's own files, and this
// package's headers.

import (
	"embed"
	"io/fs"
	"path"
	"regexp"
	"strings"
	"time"
)

//go:embed include
var include embed.FS

// systemDir is where #include <x> looks; no file of the program is there.
const systemDir = "<system>"

// fileSystem holds the program's files by name.
type fileSystem map[string][]byte

// maxTokens is how many tokens a unit may have: as many as its files have bytes,
// and some that macros make.
func (s fileSystem) maxTokens() int {
	n := maxExpansion
	for _, b := range s {
		n += len(b)
	}
	return n
}

// Open opens a file of the program by its name, or a header: one of the
// program's own beats the package's.
func (s fileSystem) Open(name string) (fs.File, error) {
	if b, ok := s[name]; ok {
		return &openFile{Reader: strings.NewReader(prepared(b)), name: name}, nil
	}
	if text, ok := packText(name); ok {
		return &openFile{Reader: strings.NewReader(text), name: name}, nil
	}
	if rest, ok := strings.CutPrefix(name, systemDir+"/"); ok {
		if b, ok := s[rest]; ok {
			return &openFile{Reader: strings.NewReader(prepared(b)), name: rest}, nil
		}
		return include.Open(path.Join("include", rest))
	}
	return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
}

// isStandard reports whether some header of the package declares the function.
func isStandard(name string) bool {
	declares := regexp.MustCompile(`\b` + regexp.QuoteMeta(name) + `\(`)
	found := false
	_ = fs.WalkDir(include, "include", func(file string, f fs.DirEntry, err error) error {
		if err == nil && !f.IsDir() && !found {
			text, _ := include.ReadFile(file)
			found = declares.Match(text)
		}
		return err
	})
	return found
}

type openFile struct {
	*strings.Reader
	name string
}

func (f *openFile) Close() error               { return nil }
func (f *openFile) Stat() (fs.FileInfo, error) { return f, nil }
func (f *openFile) Name() string               { return path.Base(f.name) }
func (f *openFile) Mode() fs.FileMode          { return 0o444 }
func (f *openFile) ModTime() time.Time         { return time.Time{} }
func (f *openFile) IsDir() bool                { return false }
func (f *openFile) Sys() any                   { return nil }
