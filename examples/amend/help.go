package main

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"strings"
)

// helpAsked reports whether args ask for help, and on which command ("" for
// all).
func helpAsked(args []string) (string, bool) {
	for i, a := range args {
		switch {
		case a == "--":
			return "", false
		case a == "-h", a == "-help", a == "--help":
			if i > 0 {
				return args[0], true
			}
			return "", true
		case i == 0 && a == "help":
			return strings.Join(args[1:], " "), true
		}
	}
	return "", false
}

// help prints help on a command and returns the exit status.
func help(name string, stdout, stderr io.Writer) int {
	switch name {
	case "":
		io.WriteString(stdout, overview())
		return 0
	case "man":
		io.WriteString(stdout, manual())
		return 0
	case "bash":
		io.WriteString(stdout, completion())
		return 0
	case "fish":
		io.WriteString(stdout, fishCompletion())
		return 0
	}
	t := findTopic(name)
	if t == nil {
		fmt.Fprintf(stderr, "amend: no help on %q: try amend help\n", name)
		return 2
	}
	io.WriteString(stdout, t.help())
	return 0
}

func overview() string {
	var b strings.Builder
	b.WriteString("amend answers questions about a program with assertions.\n\nusage: amend COMMAND [flags] FILE...\n\n")
	for _, t := range topics {
		fmt.Fprintf(&b, "  %-10s %s\n", t.name, t.question)
	}
	b.WriteString("  init       write .amend.yaml, flags for what is in a folder\n  version    which version is this?\n")
	b.WriteString(`
FILE is C source (.c; several files form one program, headers that they
include by "name" are found beside them), a program in the library's own
text format (.ir), or an Alloy model (.als). Flags may stand before or after
files.

A C file, program in text format or model may have flags of its own, in a
comment at its head: /* amend: -unwind 8 -hard 'main|check' */. Those of the
command line count instead; none that writes or runs something may stand there.
So may a folder, for Go packages too, in a file .amend.yaml (unwind: 8), which
amend init writes; the nearest one counts, up to the root of the module.

Exit status: 0 holds, correct, localized, repaired, proved; 1 violated, none;
2 bad input or flags; 3 unknown (stopped early).

amend help COMMAND lists the flags of a command, amend help man is all of it as
a page for man, and amend help bash and amend help fish what makes these shells
complete words.
`)
	return b.String()
}

func (t *topic) help() string {
	var b bytes.Buffer
	fmt.Fprintf(&b, "usage: amend %s [flags] FILE...\n\n%s\n", t.name, t.doc)
	own := flag.NewFlagSet("", flag.ContinueOnError)
	t.flags(&options{}, own)
	common := flag.NewFlagSet("", flag.ContinueOnError)
	commonFlags(&options{}, common)
	listFlags(&b, "\nFlags:\n", own)
	listFlags(&b, "\nCommon flags:\n", common)
	return b.String()
}

func listFlags(w io.Writer, title string, fs *flag.FlagSet) {
	fs.VisitAll(func(f *flag.Flag) {
		io.WriteString(w, title)
		title = ""
		arg, usage := flag.UnquoteUsage(f)
		head := strings.TrimSpace("-" + f.Name + " " + arg)
		if len(head) > 15 {
			head += "\n" + strings.Repeat(" ", 17)
		}
		if showDefault(f) {
			usage += fmt.Sprintf(" (default %s)", f.DefValue)
		}
		fmt.Fprintf(w, "  %-15s %s\n", head, strings.Join(wrap(strings.Fields(usage), 78-18), "\n"+strings.Repeat(" ", 18)))
	})
}

func showDefault(f *flag.Flag) bool {
	switch f.DefValue {
	case "", "0", "0s", "false":
		return false
	}
	return true
}

// wrap returns words as lines of at most width columns.
func wrap(words []string, width int) []string {
	var lines []string
	line := ""
	for _, w := range words {
		if line != "" && len(line)+1+len(w) > width {
			lines = append(lines, line)
			line = ""
		}
		line = strings.TrimPrefix(line+" "+w, " ")
	}
	return append(lines, line)
}
