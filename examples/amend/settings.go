package main

// Flags that a source file has for itself, in a comment at its head:
//
//	/* amend: -unwind 8 -hard 'main|beats' */

import (
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/go-amend/amend/ir"
)

// headSize is how many bytes of a file are its head.
const headSize = 4 << 10

// setting matches the line of a comment that says flags: other words after
// "amend:" are somebody's prose.
var setting = regexp.MustCompile(`(?m)^[ \t/*-]*amend:[ \t]+(-[^\n]*)$`)

// comments matches the comments that a file begins with.
var comments = regexp.MustCompile(`^(?:\s|//[^\n]*|--[^\n]*|/\*(?s:.*?)\*/)*`)

// inFile are the flags that a file may set: they say what is asked about the
// program. None writes or runs anything, or says how answers look.
var inFile = []string{
	"D", "U", "I", "include", "std", "target", "m32", "malloc-may-fail", "entry", "unwind", "rounds", "checks", "len", "run", "spurious", "memory", "property",
	"scheme", "size", "hard", "soft", "slack", "allow-cuts", "keep", "distinct", "method",
}

// collected are those of which all count, not the last one.
var collected = []string{"D", "U", "I", "include"}

// settings sets the flags that the first file has for itself and that the command
// line doesn't have. What other commands know is passed over.
func (o *options) settings(fs *flag.FlagSet) error {
	if len(o.files) == 0 || !slices.Contains([]string{".c", ".ir", ".als"}, filepath.Ext(o.files[0])) {
		return nil
	}
	head, err := headOf(o.files[0])
	if err != nil {
		return nil // which is said when the file is read
	}
	define, include, before := o.define, o.include, o.before
	o.define, o.include, o.before = nil, nil, nil
	defer func() { // those of the command line come last
		o.define, o.include, o.before = append(o.define, define...), append(o.include, include...), append(o.before, before...)
	}()
	for _, m := range setting.FindAllSubmatchIndex(comments.Find(head), -1) {
		at := ir.Span{File: o.files[0], Line: 1 + strings.Count(string(head[:m[2]]), "\n"), Col: 1 + m[2] - (1 + strings.LastIndexByte(string(head[:m[2]]), '\n'))}
		words, ok := shellWords(strings.TrimSuffix(strings.TrimSpace(string(head[m[2]:m[3]])), "*/"))
		if !ok {
			return &ir.Error{Span: at, Msg: "a quote is not closed"}
		}
		if err := o.set(fs, apart(words), inFile); err != nil {
			return &ir.Error{Span: at, Msg: err.Error()}
		}
	}
	return nil
}

func headOf(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, headSize))
}

// set sets the flags in words, of those that are allowed.
func (o *options) set(fs *flag.FlagSet, words, allowed []string) error {
	given := make(map[string]bool)
	for name := range o.given {
		given[name] = true
	}
	if given["m32"] || given["target"] { // two names of one
		given["m32"], given["target"] = true, true
	}
	for len(words) > 0 {
		name, value, has := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(words[0], "-"), "-"), "=")
		f := flagOf(name)
		if f == nil || !strings.HasPrefix(words[0], "-") {
			return fmt.Errorf("no flag %s", words[0])
		}
		if !slices.Contains(allowed, name) {
			return fmt.Errorf("flag -%s must be on the command line", name)
		}
		words = words[1:]
		if b, ok := f.Value.(interface{ IsBoolFlag() bool }); ok && b.IsBoolFlag() && !has {
			value, has = "true", true
		}
		if !has {
			if len(words) == 0 {
				return fmt.Errorf("flag -%s needs a value", name)
			}
			value, words = words[0], words[1:]
		}
		if fs.Lookup(name) == nil || given[name] && !slices.Contains(collected, name) {
			continue
		}
		if err := fs.Set(name, value); err != nil {
			return fmt.Errorf("invalid value %q for flag -%s: %v", value, name, err)
		}
		o.given[name] = true
	}
	return nil
}

// flagOf returns the flag of some command that has that name, or nil.
func flagOf(name string) *flag.Flag {
	for i := range topics {
		if f := flagSet(&topics[i], &options{given: make(map[string]bool)}).Lookup(name); f != nil {
			return f
		}
	}
	return nil
}

// shellWords splits a line into words, as a shell does: what is in quotes is of one.
// It reports false if a quote is not closed.
func shellWords(line string) (words []string, ok bool) {
	var word strings.Builder
	in, quote := false, byte(0)
	for i := range len(line) {
		switch c := line[i]; {
		case quote != 0 && c == quote:
			quote = 0
		case quote == 0 && (c == '\'' || c == '"'):
			in, quote = true, c
		case quote == 0 && (c == ' ' || c == '\t' || c == '\r'):
			if in {
				words = append(words, word.String())
				word.Reset()
				in = false
			}
		default:
			in = true
			word.WriteByte(c)
		}
	}
	if in {
		words = append(words, word.String())
	}
	return words, quote == 0
}
