package main

// The same text as help, for man and for shells.

import (
	"flag"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/go-amend/amend/ir/cfront"
	"github.com/go-amend/amend/mutate/scheme"
)

// manual returns the page of the command for man(1).
func manual() string {
	var b strings.Builder
	b.WriteString(".TH AMEND 1\n.SH NAME\namend \\- find failing runs of programs, where to fix them, and all minimal repairs, proved\n.SH SYNOPSIS\n")
	for i, t := range topics {
		if i > 0 {
			b.WriteString(".br\n")
		}
		fmt.Fprintf(&b, ".B amend %s\n[flags] FILE...\n", t.name)
	}
	b.WriteString(".SH DESCRIPTION\n")
	_, text, _ := strings.Cut(overview(), "\n\n  ")
	_, text, _ = strings.Cut(text, "\n\n")
	for paragraph := range strings.SplitSeq(strings.TrimSpace(text), "\n\n") {
		fmt.Fprintf(&b, ".PP\n%s\n", roff(paragraph))
	}
	b.WriteString(".SH COMMANDS\n")
	for _, t := range topics {
		fmt.Fprintf(&b, ".SS amend %s\n%s\n", t.name, roff(t.doc))
		own := flag.NewFlagSet("", flag.ContinueOnError)
		t.flags(&options{}, own)
		manFlags(&b, own)
	}
	b.WriteString(".SH COMMON FLAGS\n")
	common := flag.NewFlagSet("", flag.ContinueOnError)
	commonFlags(&options{}, common)
	manFlags(&b, common)
	return b.String()
}

func manFlags(b *strings.Builder, fs *flag.FlagSet) {
	fs.VisitAll(func(f *flag.Flag) {
		arg, usage := flag.UnquoteUsage(f)
		if showDefault(f) {
			usage += fmt.Sprintf(" (default %s)", f.DefValue)
		}
		fmt.Fprintf(b, ".TP\n.B %s\n%s\n", roff(strings.TrimSpace("-"+f.Name+" "+arg)), roff(strings.Join(strings.Fields(usage), " ")))
	})
}

// roff returns text as man shows it.
func roff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(text)
	lines := strings.Split(text, "\n")
	for i, l := range lines {
		if strings.HasPrefix(l, ".") || strings.HasPrefix(l, "'") {
			lines[i] = `\&` + l
		}
	}
	return strings.Join(lines, "\n")
}

// completion returns what makes bash, and by bashcompinit zsh, complete commands,
// flags, and the values that flags have.
func completion() string {
	var b strings.Builder
	b.WriteString("# amend help bash: source this.\n_amend() {\n\tlocal cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} words=\n\tCOMPREPLY=()\n")
	names := []string{"help", "init", "version"}
	for _, t := range topics {
		names = append(names, t.name)
	}
	fmt.Fprintf(&b, "\tif [ \"$COMP_CWORD\" -eq 1 ]; then\n\t\tCOMPREPLY=($(compgen -W '%s' -- \"$cur\"))\n\t\treturn\n\tfi\n", strings.Join(names, " "))
	b.WriteString("\tcase $prev in\n")
	values := flagValues()
	for _, name := range slices.Sorted(maps.Keys(values)) {
		fmt.Fprintf(&b, "\t-%s) words='%s' ;;\n", name, strings.Join(values[name], " "))
	}
	b.WriteString("\t*)\n\t\tcase ${COMP_WORDS[1]} in\n")
	fmt.Fprintf(&b, "\t\thelp) words='%s' ;;\n", strings.Join(append(names[3:len(names):len(names)], "man", "bash", "fish"), " "))
	for i := range topics {
		var flags []string
		flagSet(&topics[i], &options{given: make(map[string]bool)}).VisitAll(func(f *flag.Flag) { flags = append(flags, "-"+f.Name) })
		fmt.Fprintf(&b, "\t\t%s) [ \"${cur:0:1}\" = - ] && words='%s' ;;\n", topics[i].name, strings.Join(flags, " "))
	}
	b.WriteString("\t\tesac ;;\n\tesac\n\tif [ -n \"$words\" ]; then\n\t\tCOMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n\telse\n\t\tCOMPREPLY=($(compgen -f -- \"$cur\"))\n\tfi\n}\ncomplete -o filenames -F _amend amend\n")
	return b.String()
}

// flagValues are the values that flags may have, by their names.
func flagValues() map[string][]string {
	return map[string][]string{
		"scheme": append(scheme.Names(), "all"), "memory": {"sc", "tso", "pso"}, "format": {"text", "json", "gcc", "github"},
		"method": methodNames(), "search": slices.Sorted(maps.Keys(searchModes)), "std": {"c89", "c99", "c11", "c17", "gnu89", "gnu99", "gnu11", "gnu17"},
		"target": cfront.Targets(), "oracle": {autoOracle, formulaOracle, goOracle},
	}
}

// fishCompletion is the same for fish.
func fishCompletion() string {
	var b strings.Builder
	b.WriteString("# amend help fish | source\n")
	first := "complete -c amend -n '__fish_use_subcommand'"
	fmt.Fprintf(&b, "%s -f -a help -d 'what the flags mean'\n%s -f -a init -d 'write .amend.yaml'\n%s -f -a version -d 'which version is this?'\n", first, first, first)
	values := flagValues()
	var names []string
	for i := range topics {
		t := &topics[i]
		names = append(names, t.name)
		fmt.Fprintf(&b, "%s -f -a %s -d %s\n", first, t.name, quoted(t.question))
		flagSet(t, &options{given: make(map[string]bool)}).VisitAll(func(f *flag.Flag) {
			arg, usage := flag.UnquoteUsage(f)
			fmt.Fprintf(&b, "complete -c amend -n '__fish_seen_subcommand_from %s' -o %s -d %s", t.name, f.Name, quoted(summary(usage)))
			switch {
			case values[f.Name] != nil:
				fmt.Fprintf(&b, " -x -a %s", quoted(strings.Join(values[f.Name], " ")))
			case arg != "":
				b.WriteString(" -r")
			}
			b.WriteString("\n")
		})
	}
	fmt.Fprintf(&b, "complete -c amend -n '__fish_seen_subcommand_from help' -f -a %s\n", quoted(strings.Join(append(names, "man", "bash", "fish"), " ")))
	return b.String()
}

// summary is the beginning of a text, up to what ends a clause.
func summary(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if i := strings.IndexAny(text, ";:("); i > 0 {
		text = text[:i]
	}
	return strings.TrimSpace(text)
}

// quoted is text as a word of fish.
func quoted(text string) string {
	return "'" + strings.NewReplacer(`\`, `\\`, "'", `\'`).Replace(text) + "'"
}
