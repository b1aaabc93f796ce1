package main

// Flags that a folder has for all that is in it, in a file called .amend.yaml:
//
//	unwind: 8
//	checks: bounds,div
//	I: [include, third_party]
//
// The nearest one counts, from the folder of the first file upwards to the root of the
// module or repository.

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/go-amend/amend/ir"
)

const configName = ".amend.yaml"

// inConfig are the flags that it may set: those of files, and limits.
var inConfig = slices.Concat(inFile, []string{"timeout", "mem", "j", "max", "prove-timeout"})

// ofLanguages are the endings of the files that flags are for, if not for all.
var ofLanguages = map[string]string{
	"D": ".c .i ", "U": ".c .i ", "I": ".c .i .als ", "include": ".c .i ", "std": ".c .i ", "target": ".c .i ", "m32": ".c .i ",
	"malloc-may-fail": ".c .i ", "property": ".c .i ",
}

// configure sets the flags that the nearest .amend.yaml has and that neither the
// command line nor the first file has.
func (o *options) configure(flags *flag.FlagSet) error {
	if len(o.files) == 0 {
		return nil
	}
	name := configOf(folderOf(o.files[0]))
	if name == "" {
		return nil
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return &ir.Error{Span: ir.Span{File: name}, Msg: reasonOf(err)}
	}
	settings, err := readConfig(name, text)
	if err != nil {
		return err
	}
	define, include, before := o.define, o.include, o.before
	o.define, o.include, o.before = nil, nil, nil
	defer func() { // those of the command line, and of files, come last
		o.define, o.include, o.before = append(o.define, define...), append(o.include, include...), append(o.before, before...)
	}()
	for _, s := range settings {
		if !o.means(s.name) {
			continue
		}
		if err := o.set(flags, s.words(), inConfig); err != nil {
			return &ir.Error{Span: s.at, Msg: err.Error()}
		}
	}
	return nil
}

// means reports whether the flag called name means something for the files.
func (o *options) means(name string) bool {
	ext := filepath.Ext(o.files[0])
	if languages := ofLanguages[name]; languages != "" {
		return strings.Contains(languages, ext+" ")
	}
	model := ext == ".als"
	switch {
	case slices.Contains(programFlags, name), name == "scheme", name == "method": // those of models have other names
		return !model
	case name == "soft", name == "hard" && o.command == "localize":
		return model
	}
	return true
}

// folderOf is the folder of file, which may be a pattern of Go packages.
func folderOf(file string) string {
	file = strings.TrimSuffix(strings.TrimSuffix(file, "..."), "/")
	if info, err := os.Stat(file); err == nil && info.IsDir() {
		return file
	}
	return filepath.Dir(file)
}

// configOf is the nearest configuration, from folder upwards; "" if there is none.
func configOf(folder string) string {
	at := folder
	for {
		name := filepath.Join(at, configName)
		if _, err := os.Stat(name); err == nil {
			return name
		}
		abs, err := filepath.Abs(at)
		if err != nil || isRoot(at) || abs == filepath.Dir(abs) {
			return ""
		}
		at = filepath.Join(at, "..")
	}
}

// isRoot reports whether folder is the root of a module or of a repository.
func isRoot(folder string) bool {
	for _, sign := range []string{"go.mod", ".git"} {
		if _, err := os.Stat(filepath.Join(folder, sign)); err == nil {
			return true
		}
	}
	return false
}

// configured is a flag with its values.
type configured struct {
	at     ir.Span
	name   string
	values []string
}

// words are the flag as on a command line. A folder or file is relative to
// the folder of the configuration.
func (s configured) words() []string {
	var words []string
	for _, v := range s.values {
		if slices.Contains([]string{"I", "include", "property", "keep"}, s.name) && !filepath.IsAbs(v) {
			v = filepath.Join(filepath.Dir(s.at.File), v)
		}
		words = append(words, "-"+s.name+"="+v)
	}
	return words
}

// readConfig reads the text of the configuration called name.
func readConfig(name string, text []byte) ([]configured, error) {
	var doc yaml.Node
	if err := yaml.Unmarshal(text, &doc); err != nil {
		return nil, &ir.Error{Span: ir.Span{File: name}, Msg: strings.TrimPrefix(err.Error(), "yaml: ")}
	}
	if len(doc.Content) == 0 {
		return nil, nil
	}
	root := doc.Content[0]
	at := func(n *yaml.Node) ir.Span { return ir.Span{File: name, Line: n.Line, Col: n.Column} }
	if root.Kind != yaml.MappingNode {
		return nil, &ir.Error{Span: at(root), Msg: "want flags and their values, such as unwind: 8"}
	}
	var all []configured
	for i := 0; i+1 < len(root.Content); i += 2 {
		k, v := root.Content[i], root.Content[i+1]
		s := configured{at: at(k), name: k.Value}
		if !slices.Contains(inConfig, s.name) {
			msg := "no flag " + s.name
			if flagOf(s.name) != nil {
				msg = fmt.Sprintf("flag %s must be on the command line", s.name)
			}
			return nil, &ir.Error{Span: s.at, Msg: msg}
		}
		values := []*yaml.Node{v}
		if v.Kind == yaml.SequenceNode {
			values = v.Content
		}
		for _, v := range values {
			if v.Kind != yaml.ScalarNode || len(values) > 1 && !slices.Contains(collected, s.name) {
				return nil, &ir.Error{Span: at(v), Msg: fmt.Sprintf("flag %s wants one value", s.name)}
			}
			s.values = append(s.values, v.Value)
		}
		all = append(all, s)
	}
	return all, nil
}

// initialize is amend init: it writes a configuration in which each flag has its
// default, as a comment, and returns the exit status.
func initialize(args []string, stdout, stderr io.Writer) int {
	folder := "."
	if len(args) == 1 && !strings.HasPrefix(args[0], "-") {
		folder = args[0]
	} else if len(args) > 0 {
		fmt.Fprintln(stderr, "amend: usage: amend init [FOLDER]")
		return 2
	}
	name := filepath.Join(folder, configName)
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err == nil {
		_, err = f.WriteString(defaultConfig())
		err = errors.Join(err, f.Close())
	}
	switch {
	case errors.Is(err, fs.ErrExist):
		fmt.Fprintf(stderr, "amend: %s: is there already\n", name)
		return 2
	case err != nil:
		fmt.Fprintf(stderr, "amend: %s: %s\n", name, reasonOf(err))
		return 2
	}
	fmt.Fprintf(stdout, "%s: flags for what is in this folder; all are comments now\n", name)
	return 0
}

// defaultConfig is the text that amend init writes.
func defaultConfig() string {
	var b strings.Builder
	b.WriteString("# Flags of amend for what is in this folder, and in those below without a file like\n# this one. Those of the command line count instead, and those in a comment at the\n# head of a file. amend help COMMAND says more.\n")
	for _, name := range inConfig {
		f := flagOf(name)
		_, usage := flag.UnquoteUsage(f)
		b.WriteString("\n")
		for _, line := range wrap(strings.Fields(usage), 84) {
			b.WriteString("# " + line + "\n")
		}
		value := f.DefValue
		if slices.Contains(collected, name) {
			value = "[]"
		}
		b.WriteString(strings.TrimRight("# "+name+": "+value, " ") + "\n")
	}
	return b.String()
}
